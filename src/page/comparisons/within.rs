//! The results of one record beside each other: what they differ in, then metric by metric, each against the result that
//! the record holds it against.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::series::{self, Line, Series};
use super::{BASELINE, again, change_heading, changed, limits, own_marks, place, said_once, titled};
use crate::anchor::slug;
use crate::catalog::Item;
use crate::compare::{NOT_STATED, Part};
use crate::diagnostic::counted;
use crate::figures::{Contender, Figure, change_of};
use crate::formula::{self, comparison};
use crate::metric;
use crate::page::Site;
use crate::page::frame::Here;
use crate::page::part::Strand;
use crate::page::record::standing_of;
use crate::page::table::{Caption, Cell, Heading, Row, Table};
use crate::quantity::{Quantity, Unit};

/// Whether a record has results to set beside each other.
pub fn has_several(site: &Site, item: &Item) -> bool {
    site.figures.comparisons().of_record(&item.address).len() > 1
}

/// How many metrics and readings have a change that may be shown.
pub fn changes(here: &Here, item: &Item) -> usize {
    let figures = here.site.figures;
    let is_shown = |metric: &&str| {
        figures.comparisons().of_record(&item.address).any(|result| {
            let baseline = figures.baseline_within(item, result).filter(|baseline| *baseline != result);
            let change = baseline.and_then(|baseline| figures.comparisons().change_within(metric, baseline, result));
            matches!(change, Some(Ok(change)) if change.quantity().is_some())
        })
    };
    let has_change = |reading: &Reading| {
        let mut changes = reading.of.iter().filter_map(|own| reading.change(here, item, own.variant));
        changes.any(|change| change.quantity().is_some())
    };
    let readings = readings(item);
    metrics(here, item).into_iter().filter(is_shown).count()
        + readings.iter().filter(|reading| has_change(reading)).count()
}

/// What the page says first.
pub fn finding(here: &Here, item: &Item, changes: usize) -> String {
    let results = here.site.figures.comparisons().of_record(&item.address).len();
    let baselines: BTreeSet<_> = item.arms.iter().map(|arm| arm.baseline).collect();
    let against = match item.baseline {
        _ if baselines.len() > 1 => "what each is held against".to_owned(),
        Some(baseline) => format!("“{}”", item.label(baseline)),
        None => "a baseline, which the record has not".to_owned(),
    };
    let shown = match changes {
        0 if metrics(here, item).is_empty() && readings(item).is_empty() => {
            "without a value of what results are compared by".to_owned()
        }
        0 => format!("no change against {against} in any metric: what forbids it stands in its place"),
        changes => format!("with changes against {against} in {}", counted(changes, "metric")),
    };
    let standing = standing_of(here, item).map(|standing| format!("The record is {} ", standing.words()));
    format!("{}{}, {shown}.", standing.unwrap_or_default(), counted(results, name_of_one(item)))
}

fn name_of_one(item: &Item) -> &'static str {
    if item.kv_efficiency().is_some() { "variant" } else { "config" }
}

/// Differences first, then a table a metric in the order of the contract, what only a note has a name for, and the limits
/// of all.
pub fn strands<'a>(here: &'a Here, item: &'a Item) -> Vec<Strand<'a>> {
    let results = here.site.figures.comparisons().of_record(&item.address);
    let first = results.start;
    let differences = Strand::new(results.len(), 1, move |range| {
        vec![differences(here, item, first + range.start..first + range.end)]
    });
    let metrics = metrics(here, item).into_iter().map(|metric| {
        let side = Side { here, item, metric, series: series_of(here, item) };
        // A heading may stand before each.
        Strand::new(series::count(&side.series), 2, move |range| vec![side.table(range)])
    });
    let readings = readings(item).into_iter().map(|reading| {
        let count = reading.of.len();
        Strand::new(count, 1, move |range| vec![reading.table(here, item, range)])
    });
    std::iter::once(differences).chain(metrics).chain(readings).chain([limits(here, [item])]).collect()
}

/// What any of its results has a value of.
fn metrics<'a>(here: &'a Here, item: &Item) -> Vec<&'a str> {
    let all = here.site.figures.comparisons();
    let values = all.of_record(&item.address).flat_map(|at| all.contenders[at].values());
    let metrics: BTreeSet<_> = values.map(|(metric, _)| metric).collect();
    let mut metrics: Vec<_> = metrics.into_iter().collect();
    metrics.sort_by_cached_key(|metric| place(metric));
    metrics
}

/// Its results by what they are held against, that first.
fn series_of(here: &Here, item: &Item) -> Vec<Series> {
    let figures = here.site.figures;
    let mut by_baseline = BTreeMap::<_, Vec<usize>>::new();
    for result in figures.comparisons().of_record(&item.address) {
        by_baseline.entry(figures.baseline_within(item, result)).or_default().push(result);
    }
    let several = by_baseline.len() > 1;
    let series = |(baseline, mut members): (Option<usize>, Vec<usize>)| {
        members.sort_by_key(|member| Some(*member) != baseline);
        let heading = match baseline.filter(|_| several) {
            Some(baseline) => format!("against “{}”", figures.comparisons().contenders[baseline].label),
            None => String::new(),
        };
        Series { heading, baseline, members }
    };
    by_baseline.into_iter().map(series).collect()
}

/// Some of the results, with all that any two of the record differ in.
fn differences(here: &Here, item: &Item, range: Range<usize>) -> Table {
    let all = here.site.figures.comparisons();
    let contenders = &all.contenders[all.of_record(&item.address)];
    let first = &contenders[0];
    // The load that was held is the load once more.
    let parts = Part::ALL.into_iter().filter(|part| *part != Part::HeldLoad);
    let differs = |part: &Part| contenders.iter().any(|own| own.setting.get(*part) != first.setting.get(*part));
    let (differing, alike): (Vec<_>, Vec<_>) = parts.partition(differs);
    let positions = 0..first.beside.len();
    let beside_differs = |at: &usize| contenders.iter().any(|own| own.beside[*at] != first.beside[*at]);
    let (beside, same): (Vec<_>, Vec<_>) = positions.partition(beside_differs);
    let assumed = |own: &Contender, part: Part| own.setting.assumed(part).map(|reason| format!("assumed: {reason}"));

    let mut head = vec![Heading::plain(if item.kv_efficiency().is_some() { "Variant" } else { "Config" })];
    let titles = beside.iter().map(|at| first.beside[*at].0).chain(differing.iter().map(|part| part.name()));
    head.extend(titles.map(|title| Heading::plain(capitalised(title))));
    let is_bare = head.len() == 1;
    head.extend(is_bare.then(|| Heading::plain("Differs in")));
    let rows = all.contenders[range].iter().map(|own| {
        let parts = differing
            .iter()
            .map(|part| Cell::text(own.setting.get(*part).unwrap_or(NOT_STATED)).noted(assumed(own, *part)));
        let beside = beside.iter().map(|at| Cell::text(own.beside[*at].1.clone()));
        let bare = is_bare.then(|| Cell::text(format!("its label alone, “{}”: nothing else is stated", own.label)));
        Row {
            anchor: Some(format!("differences:{}", own.subject)),
            head: own.label.clone(),
            head_href: Some(here.to_subject(&own.address, &own.subject)),
            marks: own.failed.iter().cloned().chain(own_marks(own)).collect(),
            cells: beside.chain(parts).chain(bare).collect(),
        }
    });
    let rows = rows.collect();

    let words = |part: &Part| {
        let assumed = assumed(first, *part).map(|assumed| format!(" ({assumed})")).unwrap_or_default();
        Some(format!("{} {}{assumed}", part.name(), first.setting.get(*part)?))
    };
    let same = same.into_iter().map(|at| format!("{} {}", first.beside[at].0, first.beside[at].1));
    let unstated: Vec<_> =
        alike.iter().filter(|part| first.setting.get(**part).is_none()).map(|part| part.name()).collect();
    let unstated = (!unstated.is_empty()).then(|| format!("{NOT_STATED}: {}", unstated.join(", ")));
    let alike: Vec<_> = same.chain(alike.iter().filter_map(words)).chain(unstated).collect();
    let varied: Vec<_> = differing.iter().filter(|part| first.varies.contains(part)).map(|part| part.name()).collect();
    let limits = if varied.is_empty() { String::new() } else { format!("On purpose: {}", varied.join(", ")) };
    let caption = Caption { title: "What the results differ in".to_owned(), limits, alike: alike.join("; ") };
    Table { id: "differences".to_owned(), caption, head, rows }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The results of a record in one metric.
struct Side<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    metric: &'a str,
    series: Vec<Series>,
}

impl Side<'_> {
    fn table(&self, range: Range<usize>) -> Table {
        let (mut rows, mut changes) = (Vec::new(), Vec::new());
        for line in series::lines(&self.series, range) {
            rows.push(match line {
                Line::Heading(heading) => Row::heading(heading),
                Line::Again(baseline) => again(self.metric, self.row(baseline, Cell::text(BASELINE))),
                Line::Of(Some(baseline), member) if baseline == member => self.row(member, Cell::text(BASELINE)),
                Line::Of(baseline, member) => {
                    let (cell, change) = self.change(baseline, member);
                    changes.extend(change);
                    self.row(member, cell)
                }
            });
        }
        let head = [Heading::plain(capitalised(name_of_one(self.item))), Heading::measured_or_derived(self.metric)];
        let change = change_heading(self.here, self.metric);
        if change.is_none() {
            rows.iter_mut().for_each(|row| row.cells.truncate(1));
        }
        let mut limits = said_once(&mut rows, &changes);
        if change.is_none() {
            limits.push_str("No change of it is reckoned.");
        }
        Table {
            id: self.metric.to_owned(),
            caption: Caption { title: self.title(), limits, alike: String::new() },
            head: head.into_iter().chain(change).collect(),
            rows,
        }
    }

    /// What is measured, with what all results of the record share of it.
    fn title(&self) -> String {
        let all = &self.here.site.figures.comparisons().contenders;
        let members: Vec<_> = self.series.iter().flat_map(|series| &series.members).collect();
        titled(self.metric, |part| {
            let of = |member: &usize| all[*member].setting.get(part);
            let first = of(members.first()?)?;
            members.iter().all(|member| of(member) == Some(first)).then(|| first.to_owned())
        })
    }

    fn row(&self, member: usize, change: Cell) -> Row {
        let contender = &self.here.site.figures.comparisons().contenders[member];
        let unranked = contender.unranked.iter().map(|reason| format!("not ranked: {reason}"));
        Row {
            anchor: Some(format!("{}:{}", self.metric, contender.subject)),
            head: contender.label.clone(),
            head_href: Some(self.here.to_subject(&contender.address, &contender.subject)),
            marks: unranked.collect(),
            cells: vec![self.value(member), change],
        }
    }

    /// The value, or why there is none.
    fn value(&self, member: usize) -> Cell {
        let (here, all) = (self.here, self.here.site.figures.comparisons());
        let contender = &all.contenders[member];
        if all.value(self.metric, member).is_some() {
            return super::value(here, all, self.metric, member);
        }
        if let Some(reason) = &contender.failed {
            return Cell::text(reason.clone());
        }
        let position = member - all.of_record(&self.item.address).start;
        let config = self.item.run().and_then(|run| run.configs.get(position));
        let few = config.filter(|config| config.latency_ms(self.metric).is_some());
        if let Some(reason) = few.and_then(|config| config.too_few_requests(self.metric)) {
            return Cell::text("–").noted([reason]);
        }
        let formula = formula::by_id(self.metric);
        match formula.and_then(|formula| here.site.figures.find(&contender.address, &contender.subject, formula)) {
            Some(figure) => Cell { anchor: None, ..Cell::figure(here, &contender.address, figure) },
            None => Cell::not_stated(),
        }
    }

    /// The change, or what stands in its place.
    fn change(&self, baseline: Option<usize>, member: usize) -> (Cell, Option<Figure>) {
        let all = self.here.site.figures.comparisons();
        let words = |words: &str| (Cell::text(words), None);
        let Some(baseline) = baseline else { return words("the record has no baseline for it") };
        if change_of(self.metric).is_none() || all.value(self.metric, member).is_none() {
            return words("–");
        }
        match all.change_within(self.metric, baseline, member) {
            // What a record does not cover stands in a table of its own.
            Some(Ok(change)) => {
                let mut change = change.clone();
                change.limits.retain(|limit| !limit.starts_with("not covered"));
                (changed(&change), Some(change))
            }
            Some(Err(differences)) => words(&format!("not comparable: {}", differences.join("; "))),
            None => {
                let missing = self.value(baseline);
                let reason = missing.notes.into_iter().next().unwrap_or(missing.text);
                words(&format!("the baseline has no value: {reason}"))
            }
        }
    }
}

/// A value of variants that only their note has a name for.
struct Reading<'a> {
    name: &'a str,
    unit: &'a str,
    of: Vec<ReadingOf>,
}

struct ReadingOf {
    /// Position of the variant.
    variant: usize,
    pointer: String,
    quantity: Quantity,
    context_tokens: Option<Quantity>,
}

/// Those that several variants of a note have.
fn readings(item: &Item) -> Vec<Reading<'_>> {
    let mut readings: Vec<Reading> = Vec::new();
    let variants = item.kv_efficiency().into_iter().flat_map(|note| &note.variants).enumerate();
    for (position, variant) in variants {
        let mut put = |name, unit, place: &str, quantity, context_tokens| {
            let pointer = format!("/variants/{position}/{place}");
            let of = ReadingOf { variant: position, pointer, quantity, context_tokens };
            match readings.iter_mut().find(|known| (known.name, known.unit) == (name, unit)) {
                Some(known) => known.of.push(of),
                None => readings.push(Reading { name, unit, of: vec![of] }),
            }
        };
        if let Some(pool) = variant.measured_kv_pool_tokens {
            put("kv_pool_tokens", "tokens", "measured_kv_pool_tokens", pool, None);
        }
        for (at, value) in variant.values.iter().enumerate() {
            put(&value.name, &value.unit, &format!("values/{at}/value"), value.value, value.context_tokens);
        }
    }
    let is_of_several = |reading: &Reading| reading.of.iter().any(|own| own.variant != reading.of[0].variant);
    readings.retain(is_of_several);
    readings
}

impl Reading<'_> {
    fn table(&self, here: &Here, item: &Item, range: Range<usize>) -> Table {
        let id = format!("reading:{}", slug(&format!("{} {}", self.name, self.unit)));
        let (mut rows, mut changes) = (Vec::new(), Vec::new());
        for own in &self.of[range] {
            let Some(subject) = item.subjects.get(own.variant) else { continue };
            let change = self.change(here, item, own.variant);
            let is_baseline = item.arms.get(own.variant).and_then(|arm| arm.baseline) == Some(own.variant);
            let cell = match change {
                Some(change) => changed(change),
                None if is_baseline => Cell::text(BASELINE),
                None => Cell::text("–"),
            };
            changes.extend(change.cloned());
            let context = own.context_tokens.map(|tokens| format!("at {}", Unit::Tokens.show(tokens)));
            rows.push(Row {
                anchor: Some(format!("{id}:{}", subject.anchor)),
                head: subject.label.clone(),
                head_href: Some(here.to_subject(&item.address, &subject.anchor)),
                marks: Vec::new(),
                cells: vec![
                    Cell::measured(here, &item.document, &own.pointer, Some(own.quantity)).noted(context),
                    cell,
                ],
            });
        }
        let limits = said_once(&mut rows, &changes);
        let unit = changes.first().map(|change| change.formula.unit.heading()).unwrap_or_default();
        let head = vec![
            Heading::plain("Variant"),
            Heading { unit: self.unit.to_owned(), ..Heading::plain("Value") },
            Heading { unit: unit.to_owned(), ..Heading::plain("Change") },
        ];
        let caption =
            Caption { title: capitalised(&metric::words_beside(self.name, self.unit)), limits, alike: String::new() };
        Table { id, caption, head, rows }
    }

    /// Against the same reading of the variant's baseline, as the note's own figure.
    fn change<'a>(&self, here: &Here<'a>, item: &Item, variant: usize) -> Option<&'a Figure> {
        let reading = format!("{}.{}", item.subjects.get(variant)?.anchor, self.name);
        let formulas = [&comparison::VALUE_CHANGE_PCT, &comparison::VALUE_POINTS];
        let find = |formula| here.site.figures.find(&item.address, &reading, formula);
        formulas.into_iter().find_map(find).map(AsRef::as_ref)
    }
}
