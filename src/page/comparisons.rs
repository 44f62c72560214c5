//! Results of different records beside each other: those of one model, card, engine or technique, and the nearest to a
//! record. Where results may not be compared, what stands between them stands in place of a ratio.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use askama::Template;

use crate::catalog::Item;
use crate::compare::{CONTRACT, Part};
use crate::diagnostic::counted;
use crate::figures::{Comparisons, Contender, Figure, Figures, Group};
use crate::formula;
use crate::metric::{self, Latency};
use crate::record::kv_efficiency::Technique;
use crate::route::Route;

use super::figure::Drawn;
use super::frame::{Frame, Here, Link, standing};
use super::gathering::ByName;
use super::part::{self, PartLinks, Strand};
use super::table::{Cell, Heading, Row, Table, without_empty_columns};
use super::tradeoff;

/// What the results of a page have in common.
#[derive(Debug, Clone, Copy)]
pub enum Compared<'a> {
    Entry(&'a Item),
    Engine(&'a ByName<'a>),
    Technique(Technique),
}

#[derive(Debug, Template)]
#[template(path = "comparisons.html")]
pub struct ComparisonsPage {
    frame: Frame,
    of: Link,
    title: String,
    finding: String,
    charts: Vec<Drawn>,
    tables: Vec<Table>,
    parts: Option<PartLinks>,
    contract: String,
    data: String,
}

/// The nearest comparable results of a record.
const NEAREST: usize = 8;

/// Records of a page whose pairs are looked at: of more, the newest.
const PAIRED: usize = 60;

impl<'a> Compared<'a> {
    pub fn route(self) -> Route {
        Route::comparison(&self.about())
    }

    /// The page of what the results have in common.
    fn about(self) -> Route {
        match self {
            Compared::Entry(item) => Route::record(&item.address),
            Compared::Engine(engine) => Route::engine(&engine.slug),
            Compared::Technique(technique) => Route::technique(&technique.slug()),
        }
    }

    pub fn name(self) -> &'a str {
        match self {
            Compared::Entry(item) => item.title(),
            Compared::Engine(engine) => engine.name,
            Compared::Technique(technique) => technique.name(),
        }
    }

    /// Its results, newest first.
    fn items<'s>(self, here: &'s Here<'s>) -> &'s [&'s Item]
    where
        'a: 's,
    {
        match self {
            Compared::Entry(item) => here.site.gatherings.of_entry(&item.address),
            Compared::Engine(engine) => &engine.items,
            Compared::Technique(technique) => here.site.gatherings.of_technique(technique),
        }
    }

    pub fn title(self) -> String {
        format!("{}: results compared", self.name())
    }
}

pub fn compose(here: &Here, compared: Compared) -> ComparisonsPage {
    let strands = strands(here, compared);
    let items = compared.items(here);
    let finding = match groups(here, items).len() {
        0 => format!("Of {} no two may be compared across records.", counted(items.len(), "record")),
        1 => "One group holds results of several records that may be compared; a change is against the oldest of it that is ranked.".to_owned(),
        groups => format!(
            "{} hold results of several records that may be compared; a change is against the oldest of each that is ranked.",
            counted(groups, "group")
        ),
    };
    ComparisonsPage {
        frame: here.frame(&compared.title(), &finding),
        of: Link { text: compared.name().to_owned(), href: Some(here.to(&compared.about())) },
        title: compared.title(),
        finding,
        charts: part::charts(&strands, 1).iter().map(Drawn::new).collect(),
        tables: part::tables(&strands, 1),
        parts: PartLinks::of(here, &compared.route(), 1, part::cut(&strands).count()),
        contract: here.to_anchor(&Route::methodology(), "page:contract"),
        data: here.to(&Route::comparisons_data()),
    }
}

/// What may be compared on two axes at once, drawn; a table a metric, in the order of the contract, then what may not be compared.
pub fn strands<'a>(here: &'a Here, compared: Compared<'a>) -> Vec<Strand<'a>> {
    let items = compared.items(here);
    let mut by_metric = BTreeMap::<(usize, usize, &str), Vec<&Group>>::new();
    for group in groups(here, items) {
        let clause = CONTRACT.iter().position(|clause| std::ptr::eq(clause, group.clause));
        let name = Latency::parse(&group.metric).map_or(&*group.metric, |latency| latency.metric);
        let within = group.clause.metrics.iter().position(|metric| *metric == name);
        let place = (clause.unwrap_or(CONTRACT.len()), within.unwrap_or(0), group.metric.as_str());
        by_metric.entry(place).or_default().push(group);
    }
    // Loads in the order in which the first record lists them.
    by_metric.values_mut().for_each(|groups| groups.sort_by_key(|group| group.members[0]));
    let tables = by_metric.into_iter().map(|((_, _, metric), groups)| {
        let rows = groups.iter().map(|group| group.members.len() + 1).max().unwrap_or(1);
        Strand::new(groups.len(), rows, move |range| vec![of_metric(here, metric, &groups[range])])
    });
    let charts = Strand::of_charts(tradeoff::across(here, items));
    std::iter::once(charts).chain(tables).chain([apart(here, items)]).collect()
}

/// The groups with a result of these records.
fn groups<'a>(here: &'a Here, items: &[&Item]) -> Vec<&'a Group> {
    let own: BTreeSet<&str> = items.iter().map(|item| item.address.as_str()).collect();
    let all = here.site.figures.comparisons();
    let has_own = |group: &&Group| group.members.iter().any(|at| own.contains(&*all.contenders[*at].address));
    all.groups.iter().filter(has_own).collect()
}

/// Groups of one metric, each below what its results are alike in where others are not.
fn of_metric(here: &Here, metric: &str, groups: &[&Group]) -> Table {
    let all = here.site.figures.comparisons();
    let setting = |group: &Group, part: Part| all.contenders[group.members[0]].setting.get(part).map(str::to_owned);
    let parts: Vec<_> = groups.first().map(|group| group.clause.parts().collect()).unwrap_or_default();
    let (shared, own): (Vec<Part>, Vec<Part>) = parts
        .into_iter()
        .partition(|part| groups.iter().all(|group| setting(group, *part) == setting(groups[0], *part)));
    let words = |group: &Group, parts: &[Part]| {
        let words = parts.iter().filter_map(|part| Some(format!("{} {}", part.name(), setting(group, *part)?)));
        words.collect::<Vec<_>>().join("; ")
    };
    let changes = |group: &Group| {
        let others = group.members[1..].iter();
        others.filter_map(|member| all.change(metric, group.members[0], *member)).collect::<Vec<_>>()
    };
    // What limits every change is said once.
    let every: Vec<_> = groups.iter().flat_map(|group| changes(group)).collect();
    let limits = every.first().map(notes).unwrap_or_default();
    let limits: Vec<_> =
        limits.into_iter().filter(|limit| every.iter().all(|change| notes(change).contains(limit))).collect();
    let rows = groups.iter().flat_map(|group| {
        let own = words(group, &own);
        let heading = (!own.is_empty()).then(|| Row::heading(&own));
        heading.into_iter().chain(group.members.iter().map(|member| {
            let mut row = row(here, all, metric, group.members[0], *member);
            row.cells.iter_mut().for_each(|cell| cell.notes.retain(|note| !limits.contains(note)));
            row
        }))
    });
    let change = groups.iter().find_map(|group| all.change(metric, group.members[0], *group.members.get(1)?));
    let mut head = vec![Heading::plain("Result"), Heading::plain("Accelerator"), Heading::plain("Engine version")];
    head.push(Heading::measured_or_derived(metric));
    head.extend(change.map(|change| Heading {
        href: Some(here.to_anchor(&Route::methodology(), change.formula.id)),
        ..Heading::labelled(change.formula, None)
    }));
    let alike = groups.first().map(|group| words(group, &shared)).filter(|words| !words.is_empty());
    let alike = alike.map(|words| format!(". Alike in all rows: {words}")).unwrap_or_default();
    let limits = if limits.is_empty() { String::new() } else { format!(". For all rows: {}", limits.join("; ")) };
    let table = Table {
        id: metric.to_owned(),
        caption: format!("{}{alike}{limits}", metric::heading(metric)),
        head,
        rows: rows.collect(),
    };
    without_empty_columns(table)
}

fn row(here: &Here, all: &Comparisons, metric: &str, baseline: usize, member: usize) -> Row {
    let contender = &all.contenders[member];
    let beside = contender.beside.iter().map(|(_, value)| Cell::text(value.clone()));
    let value = all.value(metric, member).map_or_else(
        || Cell::text("–"),
        |fact| match &fact.derivation {
            Some(figure) => Cell { anchor: None, ..Cell::figure(here, &contender.address, figure) },
            None => Cell::measured(here, &fact.document, &fact.pointer, Some(fact.quantity)),
        },
    );
    let change = if member == baseline {
        Cell::text("what the others are compared with")
    } else {
        all.change(metric, baseline, member).map_or_else(|| Cell::text("–"), |change| changed(&change))
    };
    let title = here.site.catalog.get(&contender.address).map_or(&*contender.address, Item::title);
    Row {
        anchor: None,
        head: format!("{title}: {}", contender.label),
        head_href: Some(here.to_subject(&contender.address, &contender.subject)),
        marks: marks(here, contender),
        cells: beside.chain([value, change]).collect(),
    }
}

/// Whose measurement it is, whether it still stands, and why it is not ranked.
fn marks(here: &Here, contender: &Contender) -> Vec<String> {
    let standing = here.site.catalog.get(&contender.address).and_then(standing);
    let words = contender.relation.into_iter().chain(standing).map(str::to_owned);
    let unranked = contender.unranked.iter().map(|reason| format!("not ranked: {reason}"));
    // What is not covered stands on the result's own page.
    let ungated = contender.limits.first().filter(|limit| !limit.starts_with("not covered")).cloned();
    words.chain(unranked).chain(ungated).collect()
}

/// What a reader must know of a change.
fn notes(change: &Figure) -> Vec<String> {
    change.remarks.iter().chain(&change.limits).cloned().collect()
}

/// A change, with whether it is for the better, and what limits it.
fn changed(change: &Figure) -> Cell {
    let notes = change.judgement().map(str::to_owned).into_iter().chain(notes(change));
    match change.quantity() {
        Some(quantity) => Cell {
            text: change.formula.unit.digits(quantity),
            notes: notes.collect(),
            numeric: true,
            ..Cell::default()
        },
        None => Cell::text(change.shown()),
    }
}

/// Records that share nothing comparable, each pair with what stands between the two nearest of their results.
fn apart<'a>(here: &'a Here, items: &'a [&'a Item]) -> Strand<'a> {
    let all = here.site.figures.comparisons();
    let items = &items[..items.len().min(PAIRED)];
    let pairs = items.iter().enumerate().flat_map(|(at, one)| items[at + 1..].iter().map(move |other| (*one, *other)));
    let withheld: Vec<_> =
        pairs.filter_map(|(one, other)| Some((one, other, all.withheld(&one.address, &other.address)?))).collect();
    Strand::new(withheld.len(), 1, move |range: Range<usize>| {
        let rows = withheld[range].iter().map(|(one, other, withheld)| Row {
            anchor: None,
            head: one.title().to_owned(),
            head_href: Some(here.to_item(one)),
            marks: Vec::new(),
            cells: vec![
                Cell { href: Some(here.to_item(other)), ..Cell::text(other.title()) },
                Cell::text(metric::heading(&withheld.metric)),
                Cell::text(withheld.differences.join("; ")),
            ],
        });
        let head = ["Result", "and", "Nearest in", "What stands between them"];
        vec![Table {
            id: "apart".to_owned(),
            caption: "Not comparable: the ratio is withheld".to_owned(),
            head: head.into_iter().map(Heading::plain).collect(),
            rows: rows.collect(),
        }]
    })
}

/// The contract as the methodology prints it.
pub fn contract() -> Table {
    let rows = CONTRACT.iter().map(|clause| {
        let names = |metric: &&str| match metric::metric(metric) {
            Some(known) => known.name.to_owned(),
            None => {
                formula::ALL.iter().find(|formula| formula.id == *metric).map_or(*metric, |found| found.name).to_owned()
            }
        };
        Row {
            anchor: None,
            head: clause.metrics.iter().map(names).collect::<Vec<_>>().join(", "),
            head_href: None,
            marks: Vec::new(),
            cells: vec![
                Cell::text(clause.parts().map(Part::name).collect::<Vec<_>>().join(", ")),
                Cell::text(clause.because),
            ],
        }
    });
    Table {
        id: "contract".to_owned(),
        caption: "What has to be stated and equal, by metric".to_owned(),
        head: ["Metric", "Parts that matter", "Because"].into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    }
}

/// The way to the comparisons of what a page is about, where it has two results to set beside each other.
pub fn link(here: &Here, compared: Compared) -> Option<Link> {
    let records = is_compared(here.site.figures, compared.items(here));
    records.then(|| Link { text: "Results compared".to_owned(), href: Some(here.to(&compared.route())) })
}

/// Whether two of these records have results with values to compare.
pub fn is_compared(figures: &Figures, items: &[&Item]) -> bool {
    items.iter().filter(|item| figures.comparisons().has(&item.address)).nth(1).is_some()
}

/// A record's nearest comparable results of others; nothing where it has none.
pub fn nearest(here: &Here, item: &Item) -> Option<Table> {
    let all = here.site.figures.comparisons();
    let pairs = all.nearest(&item.address, NEAREST);
    let rows = pairs.iter().map(|pair| {
        let (own, other) = (&all.contenders[pair.own], &all.contenders[pair.other]);
        let title = here.site.catalog.get(&other.address).map_or(&*other.address, Item::title);
        let changes = pair.changes.iter().filter(|(_, change)| change.quantity().is_some()).map(|(metric, change)| {
            let judgement = change.judgement().map(|word| format!(", {word}")).unwrap_or_default();
            let tie = if change.tie { ", a tie" } else { "" };
            let unranked = if change.unranked.is_some() { ", not ranked" } else { "" };
            format!("{} {}{judgement}{tie}{unranked}", metric::heading(metric), change.shown())
        });
        Row {
            anchor: None,
            head: format!("{title}: {}", other.label),
            head_href: Some(here.to_subject(&other.address, &other.subject)),
            marks: marks(here, other),
            cells: vec![
                Cell { href: Some(here.to_subject(&item.address, &own.subject)), ..Cell::text(own.label.clone()) },
                Cell::text(if pair.differences.is_empty() {
                    "nothing stated".to_owned()
                } else {
                    pair.differences.join("; ")
                }),
                Cell { notes: changes.collect(), ..Cell::default() },
            ],
        }
    });
    let head = ["Result", "against", "Differs in", "Change"];
    (!pairs.is_empty()).then(|| Table {
        id: "nearest".to_owned(),
        caption: "Nearest comparable results of other records".to_owned(),
        head: head.into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    })
}
