//! Results of different records beside each other: those of one model, card, engine or technique, and the nearest to a
//! record. Where results may not be compared, what stands between them stands in place of a ratio.

mod apart;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::anchor::short_digest;
use crate::catalog::Item;
use crate::compare::{CONTRACT, Part};
use crate::diagnostic::counted;
use crate::figures::{Comparisons, Contender, Figure, Group, Reproduction, change_of, heading_of};
use crate::metric::Latency;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::source::Kind;

use super::figure::Drawn;
use super::frame::{Frame, Here, Link, badges};
use super::gathering::ByName;
use super::part::{self, PartLinks, Strand};
use super::record::long_date;
use super::table::{Caption, Cell, Heading, Row, Table, without_empty_columns};
use super::tradeoff;

/// What the results of a page have in common.
#[derive(Debug, Clone, Copy)]
pub enum Compared<'a> {
    Entry(&'a Item),
    /// A model or card that has no entry.
    Unlisted(Kind, &'a ByName<'a>),
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

impl<'a> Compared<'a> {
    pub fn route(self) -> Route {
        Route::comparison(&self.about())
    }

    /// The page of what the results have in common.
    fn about(self) -> Route {
        match self {
            Compared::Entry(item) => Route::record(&item.address),
            Compared::Unlisted(kind, name) => Route::unlisted(kind, &name.slug),
            Compared::Engine(engine) => Route::engine(&engine.slug),
            Compared::Technique(technique) => Route::technique(&technique.slug()),
        }
    }

    pub fn name(self) -> &'a str {
        match self {
            Compared::Entry(item) => item.title(),
            Compared::Unlisted(_, name) | Compared::Engine(name) => name.name,
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
            Compared::Unlisted(_, name) | Compared::Engine(name) => &name.items,
            Compared::Technique(technique) => here.site.gatherings.of_technique(technique),
        }
    }

    pub fn title(self) -> String {
        format!("{}: results compared", self.name())
    }

    /// What it is one of.
    pub fn kind(self) -> &'static str {
        match self {
            Compared::Entry(item) if item.kind() == Kind::Model => "Models",
            Compared::Unlisted(Kind::Model, _) => "Models",
            Compared::Entry(_) | Compared::Unlisted(..) => "Accelerators",
            Compared::Engine(_) => "Engines",
            Compared::Technique(_) => "Techniques",
        }
    }

    /// How many groups of results on its page may be compared.
    pub fn groups(self, here: &Here) -> usize {
        groups(here, self).len()
    }
}

pub fn compose(here: &Here, compared: Compared) -> ComparisonsPage {
    let strands = strands(here, compared);
    let finding = match compared.groups(here) {
        0 => nothing_comparable(here, compared.items(here)),
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

/// That nothing of a page may be compared, and why.
fn nothing_comparable(here: &Here, items: &[&Item]) -> String {
    let all = here.site.figures.comparisons();
    let of_sizes = items.iter().any(|item| all.is_in_a_group(&item.address));
    let sizes = if of_sizes { " Sizes of caches are compared by technique." } else { "" };
    match (items.len(), items.iter().any(|item| all.has(&item.address))) {
        (1, true) => format!("One record, and no other that it may be compared with.{sizes}"),
        (1, false) => "One record, without a value of what results are compared by.".to_owned(),
        (count, true) => format!("{count} records, none of which may be compared with another.{sizes}"),
        (count, false) => format!("{count} records, all without a value of what results are compared by."),
    }
}

/// What may be compared on two axes at once, drawn; a table a metric, in the order of the contract, then what may not be compared.
pub fn strands<'a>(here: &'a Here, compared: Compared<'a>) -> Vec<Strand<'a>> {
    let items = compared.items(here);
    let mut by_metric = BTreeMap::<(usize, usize, String), Vec<Cow<Group>>>::new();
    let groups = groups(here, compared);
    let may = !groups.is_empty();
    for group in groups {
        let clause = CONTRACT.iter().position(|clause| std::ptr::eq(clause, group.clause));
        let name = Latency::parse(&group.metric).map_or(&*group.metric, |latency| latency.metric);
        let within = group.clause.metrics.iter().position(|metric| *metric == name);
        let place = (clause.unwrap_or(CONTRACT.len()), within.unwrap_or(0), group.metric.clone());
        by_metric.entry(place).or_default().push(group);
    }
    // Loads in the order in which the first record lists them.
    by_metric.values_mut().for_each(|groups| groups.sort_by_key(|group| group.members[0]));
    let tables = by_metric.into_iter().flat_map(|((_, _, metric), groups)| {
        let versions = groups.iter().flat_map(|group| group.versions.iter().cloned()).collect();
        let versions = Side::of_versions(&metric, versions);
        [Side::of_groups(here, &metric, groups), versions].map(|side| side.strand(here))
    });
    let charts = Strand::of_charts(tradeoff::across(here, items));
    let limits = may.then(|| limits(here, items));
    let mut strands: Vec<_> = std::iter::once(charts).chain(tables).chain(limits).collect();
    strands.extend(apart::strands(here, &compared.route(), items, may, &strands));
    strands
}

/// The groups with a result of these records, and with all others that it may be compared with. The size of a cache is of
/// its model and storage alone: it says something of a technique, and there only beside others of that technique.
fn groups<'a>(here: &'a Here, compared: Compared) -> Vec<Cow<'a, Group>> {
    let own: BTreeSet<&str> = compared.items(here).iter().map(|item| item.address.as_str()).collect();
    let all = here.site.figures.comparisons();
    let address = |at: &usize| &*all.contenders[*at].address;
    let shown = |group: &'a Group| match (group.clause.is_of_serving(), compared) {
        (true, _) => group.members.iter().any(|at| own.contains(address(at))).then_some(Cow::Borrowed(group)),
        (false, Compared::Technique(_)) => {
            let members: Vec<_> = group.members.iter().copied().filter(|at| own.contains(address(at))).collect();
            let records: BTreeSet<_> = members.iter().map(address).collect();
            (records.len() > 1).then(|| Cow::Owned(Group { members, versions: Vec::new(), ..group.clone() }))
        }
        (false, _) => None,
    };
    all.groups.iter().filter_map(shown).collect()
}

/// Results beside each other in one metric: in series, each of which is held against its first.
struct Side {
    id: String,
    title: String,
    metric: String,
    /// What all series are alike in.
    alike: String,
    /// Each below what its results are alike in and others are not.
    series: Vec<(String, Vec<usize>)>,
}

impl Side {
    fn of_groups(here: &Here, metric: &str, groups: Vec<Cow<Group>>) -> Self {
        let all = here.site.figures.comparisons();
        let setting = |group: &Group, part: Part| all.contenders[group.members[0]].setting.get(part).map(str::to_owned);
        let parts: Vec<_> = groups.first().map(|group| group.clause.parts().collect()).unwrap_or_default();
        let is_shared = |part: &Part| groups.iter().all(|group| setting(group, *part) == setting(&groups[0], *part));
        let (shared, own): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_shared);
        let words = |group: &Group, parts: &[Part]| {
            let words = parts.iter().filter_map(|part| Some(format!("{} {}", part.name(), setting(group, *part)?)));
            words.collect::<Vec<_>>().join("; ")
        };
        Side {
            id: metric.to_owned(),
            title: heading_of(metric),
            metric: metric.to_owned(),
            alike: groups.first().map(|group| words(group, &shared)).unwrap_or_default(),
            series: groups.iter().map(|group| (words(group, &own), group.members.clone())).collect(),
        }
    }

    /// Results that differ in nothing but the version of their engine, in the order of the versions.
    fn of_versions(metric: &str, series: Vec<Vec<usize>>) -> Self {
        Side {
            id: format!("{metric}:versions"),
            title: format!("{} from version to version, against the first", heading_of(metric)),
            metric: metric.to_owned(),
            alike: String::new(),
            series: series.into_iter().map(|members| (String::new(), members)).collect(),
        }
    }

    fn strand<'a>(self, here: &'a Here) -> Strand<'a> {
        let lines = self.series.iter().enumerate();
        let lines = lines.flat_map(|(series, (_, members))| members.iter().map(move |member| (series, *member)));
        let lines: Vec<_> = lines.collect();
        // A heading may stand before each.
        Strand::new(lines.len(), 2, move |range| vec![self.table(here, &lines[range])])
    }

    fn table(&self, here: &Here, lines: &[(usize, usize)]) -> Table {
        let all = here.site.figures.comparisons();
        let change = |(series, member): &(usize, usize)| {
            let first = self.series[*series].1[0];
            all.change(&self.metric, first, *member).filter(|_| first != *member)
        };
        let changes: Vec<_> = lines.iter().map(change).collect();
        // What limits every change is said once.
        let limits = changes.iter().flatten().next().map(notes).unwrap_or_default().into_iter();
        let limits: Vec<_> =
            limits.filter(|limit| changes.iter().flatten().all(|change| notes(change).contains(limit))).collect();
        let mut rows = Vec::new();
        for (at, ((series, member), change)) in lines.iter().zip(&changes).enumerate() {
            let (heading, members) = &self.series[*series];
            if !heading.is_empty() && (at == 0 || lines[at - 1].0 != *series) {
                rows.push(Row::heading(heading));
            }
            let change = match change {
                Some(change) => changed(change),
                None if *member == members[0] => Cell::text("what the others are compared with"),
                None => Cell::text("–"),
            };
            let mut row = row(here, all, &self.id, &self.metric, *member, change);
            row.cells.iter_mut().for_each(|cell| cell.notes.retain(|note| !limits.contains(note)));
            rows.push(row);
        }
        let mut head: Vec<_> = ["Result", "Accelerator", "Engine version", "Published"].map(Heading::plain).into();
        head.push(Heading::measured_or_derived(&self.metric));
        head.extend(change_of(&self.metric).map(|formula| Heading {
            href: Some(here.to_anchor(&Route::methodology(), formula.id)),
            ..Heading::labelled(formula, None)
        }));
        if change_of(&self.metric).is_none() {
            rows.iter_mut().for_each(|row| row.cells.truncate(head.len() - 1));
        }
        let limits = if limits.is_empty() { String::new() } else { format!("For all rows: {}", limits.join("; ")) };
        let caption = Caption { title: self.title.clone(), limits, alike: self.alike.clone() };
        without_empty_columns(Table { id: self.id.clone(), caption, head, rows })
    }
}

fn row(here: &Here, all: &Comparisons, table: &str, metric: &str, member: usize, change: Cell) -> Row {
    let contender = &all.contenders[member];
    let beside = contender.beside.iter().map(|(_, value)| Cell::text(value.clone()));
    let day = Cell::text(contender.published.map(long_date).unwrap_or_else(|| "–".to_owned()));
    let value = all.value(metric, member).map_or_else(
        || Cell::text("–"),
        |fact| match &fact.derivation {
            Some(figure) => Cell { anchor: None, ..Cell::figure(here, &contender.address, figure) },
            None => Cell::measured(here, &fact.document, &fact.pointer, Some(fact.quantity)),
        },
    );
    Row {
        anchor: Some(format!("{table}:{}", key(&[&contender.address, &contender.subject]))),
        head: name(here, contender),
        head_href: Some(here.to_subject(&contender.address, &contender.subject)),
        marks: marks(here, contender),
        cells: beside.chain([day, value, change]).collect(),
    }
}

/// What tells a row from others for good, whatever it is titled: short, since there are many.
fn key(of: &[&str]) -> String {
    short_digest(of.join("#").as_bytes())
}

fn name(here: &Here, contender: &Contender) -> String {
    let title = here.site.catalog.get(&contender.address).map_or(&*contender.address, Item::title);
    format!("{title}: {}", contender.label)
}

/// What the records of a page do not cover, which limits every comparison of them.
fn limits<'a>(here: &'a Here, items: &'a [&'a Item]) -> Strand<'a> {
    let all = here.site.figures.comparisons();
    let limited: Vec<_> =
        items.iter().filter(|item| all.is_in_a_group(&item.address) && !item.not_covered().is_empty()).collect();
    Strand::new(limited.len(), 1, move |range| {
        let rows = limited[range].iter().map(|item| Row {
            anchor: None,
            head: item.title().to_owned(),
            head_href: Some(here.to_item(item)),
            marks: badges(item),
            cells: vec![Cell::text(item.not_covered().join("; "))],
        });
        vec![Table {
            id: "limits".to_owned(),
            caption: "What limits the comparisons".into(),
            head: ["Result", "Not covered"].map(Heading::plain).into(),
            rows: rows.collect(),
        }]
    })
}

/// Whose measurement it is, whether it still stands, and why it is not ranked.
fn marks(here: &Here, contender: &Contender) -> Vec<String> {
    let badges = here.site.catalog.get(&contender.address).map(badges).unwrap_or_default();
    let unranked = contender.unranked.iter().map(|reason| format!("not ranked: {reason}"));
    // What is not covered stands in a table of its own.
    let own = contender.limits.iter().filter(|limit| !limit.starts_with("not covered")).cloned();
    badges.into_iter().chain(unranked).chain(own).collect()
}

/// What a reader must know of a change.
fn notes(change: &Figure) -> Vec<String> {
    change.remarks.iter().cloned().chain(change.limits.iter().map(|limit| limit.to_string())).collect()
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

/// The contract as the methodology prints it.
pub fn contract() -> Table {
    let rows = CONTRACT.iter().map(|clause| Row {
        anchor: None,
        head: clause.metrics.iter().map(|metric| heading_of(metric)).collect::<Vec<_>>().join(", "),
        head_href: None,
        marks: Vec::new(),
        cells: vec![
            Cell::text(clause.parts().map(Part::name).collect::<Vec<_>>().join(", ")),
            Cell::text(clause.because),
        ],
    });
    Table {
        id: "contract".to_owned(),
        caption: "What has to be stated and equal, by metric".into(),
        head: ["Metric", "Parts that matter", "Because"].into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    }
}

/// The way to the comparisons of what a page is about, where it has results.
pub fn link(here: &Here, compared: Compared) -> Option<Link> {
    let has_results = !compared.items(here).is_empty();
    has_results.then(|| Link { text: "Results compared".to_owned(), href: Some(here.to(&compared.route())) })
}

/// A record's nearest comparable results of others; nothing where it has none.
pub fn nearest(here: &Here, item: &Item) -> Option<Table> {
    let all = here.site.figures.comparisons();
    let pairs = all.nearest(&item.address, NEAREST);
    let rows = pairs.iter().map(|pair| {
        let changes = pair.changes.iter().filter(|(_, change)| change.quantity().is_some()).map(|(metric, change)| {
            let judgement = change.judgement().map(|word| format!(", {word}")).unwrap_or_default();
            let tie = if change.tie { ", a tie" } else { "" };
            let unranked = if change.unranked.is_some() { ", not ranked" } else { "" };
            format!("{} {}{judgement}{tie}{unranked}", heading_of(metric), change.shown())
        });
        let differs =
            if pair.differences.is_empty() { "nothing stated".to_owned() } else { pair.differences.join("; ") };
        let last = Cell { notes: changes.collect(), ..Cell::default() };
        beside(here, pair.other, pair.own, vec![Cell::text(differs), last])
    });
    let head = ["Result", "against", "Differs in", "Change"];
    (!pairs.is_empty()).then(|| Table {
        id: "nearest".to_owned(),
        caption: "Nearest comparable results of other records".into(),
        head: head.into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    })
}

/// A record's results over those of the one that it measures again: ratios, and differences in place of those that are
/// withheld. Nothing for a record that measures none again.
pub fn reproduction(here: &Here, item: &Item) -> Option<Table> {
    let original = item.provenance()?.reproduces.as_deref()?;
    let mut by_pair = BTreeMap::<_, (Vec<String>, BTreeSet<String>)>::new();
    for Reproduction { own, original, metric, ratio } in
        here.site.figures.comparisons().reproduced(&item.address, original)
    {
        let heading = heading_of(&metric);
        let (ratios, apart) = by_pair.entry((original, own)).or_default();
        match ratio {
            Ok(figure) => {
                ratios.push(format!("{heading} {} of the original", figure.shown()));
                apart.extend(notes(&figure));
            }
            Err(differences) => {
                ratios.push(format!("{heading}: the ratio is withheld"));
                apart.extend(differences);
            }
        }
    }
    let rows = by_pair.into_iter().map(|((original, own), (ratios, apart))| {
        let apart = if apart.is_empty() { "–".to_owned() } else { Vec::from_iter(apart).join("; ") };
        beside(here, original, own, vec![Cell { notes: ratios, ..Cell::default() }, Cell::text(apart)])
    });
    let rows: Vec<_> = rows.collect();
    let head = ["Original", "measured again", "Ratio", "What stands between them"];
    (!rows.is_empty()).then(|| Table {
        id: "reproduction".to_owned(),
        caption: "Against the result that it measures again".into(),
        head: head.into_iter().map(Heading::plain).collect(),
        rows,
    })
}

/// Another record's result, with a result of the page's own that it is held against.
fn beside(here: &Here, other: usize, own: usize, cells: Vec<Cell>) -> Row {
    let all = here.site.figures.comparisons();
    let [own, other] = [own, other].map(|at| &all.contenders[at]);
    let own = Cell { href: Some(here.to_subject(&own.address, &own.subject)), ..Cell::text(own.label.clone()) };
    Row {
        anchor: None,
        head: name(here, other),
        head_href: Some(here.to_subject(&other.address, &other.subject)),
        marks: marks(here, other),
        cells: [own].into_iter().chain(cells).collect(),
    }
}
