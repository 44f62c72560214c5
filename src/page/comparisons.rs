//! Results beside each other: those of one model, card, engine or technique, those of one record, and the nearest to a
//! record. Where results may not be compared, what stands between them stands in place of a ratio.

mod apart;
mod beside;
mod series;
mod within;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use askama::Template;

use crate::anchor::short_digest;
use crate::catalog::Item;
use crate::compare::{CONTRACT, Clause, Part, clause};
use crate::diagnostic::counted;
use crate::figures::{Comparisons, Contender, Figure, Group, change_of, heading_of};
use crate::metric::Latency;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::source::Kind;

use super::figure::Drawn;
use super::frame::{Frame, Here, Link, badges};
use super::gathering::ByName;
use super::part::{self, PartLinks, Strand};
use super::record::{kind_title, long_date};
use super::table::{Caption, Cell, Heading, Row, Table, without_empty_columns};
use super::tradeoff;
use series::{Line, Series};

pub use beside::{nearest, reproduction};
pub use within::has_several;

/// What the results of a page have in common.
#[derive(Debug, Clone, Copy)]
pub enum Compared<'a> {
    Entry(&'a Item),
    /// A model or card that has no entry.
    Unlisted(Kind, &'a ByName<'a>),
    Engine(&'a ByName<'a>),
    Technique(Technique),
    /// That they are of one record.
    Record(&'a &'a Item),
}

#[derive(Debug, Template)]
#[template(path = "comparisons.html")]
pub struct ComparisonsPage {
    frame: Frame,
    is_of_record: bool,
    of: Link,
    title: String,
    finding: String,
    charts: Vec<Drawn>,
    tables: Vec<Table>,
    parts: Option<PartLinks>,
    contract: String,
    data: String,
}

impl<'a> Compared<'a> {
    pub fn route(self) -> Route {
        Route::comparison(&self.about())
    }

    /// The page of what the results have in common.
    fn about(self) -> Route {
        match self {
            Compared::Entry(item) | Compared::Record(&item) => Route::record(&item.address),
            Compared::Unlisted(kind, name) => Route::unlisted(kind, &name.slug),
            Compared::Engine(engine) => Route::engine(&engine.slug),
            Compared::Technique(technique) => Route::technique(&technique.slug()),
        }
    }

    pub fn name(self) -> &'a str {
        match self {
            Compared::Entry(item) | Compared::Record(&item) => item.title(),
            Compared::Unlisted(_, name) | Compared::Engine(name) => name.name,
            Compared::Technique(technique) => technique.name(),
        }
    }

    /// The records of its results, newest first.
    fn items<'s>(self, here: &'s Here<'s>) -> &'s [&'s Item]
    where
        'a: 's,
    {
        match self {
            Compared::Entry(item) => here.site.gatherings.of_entry(&item.address),
            Compared::Unlisted(_, name) | Compared::Engine(name) => &name.items,
            Compared::Technique(technique) => here.site.gatherings.of_technique(technique),
            Compared::Record(item) => std::slice::from_ref(item),
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
            Compared::Record(item) => kind_title(item.kind()),
        }
    }

    /// How many groups of results on its page may be compared; within a record, how many metrics have a change.
    pub fn groups(self, here: &Here) -> usize {
        match self {
            Compared::Record(item) => within::changes(here, item),
            _ => groups(here, self).len(),
        }
    }
}

pub fn compose(here: &Here, compared: Compared) -> ComparisonsPage {
    let strands = strands(here, compared);
    let is_of_record = matches!(compared, Compared::Record(_));
    let finding = match compared.groups(here) {
        changes if is_of_record => within::finding(here, compared.items(here)[0], changes),
        0 => nothing_comparable(here, compared.items(here)),
        1 => "One group holds results of several records that may be compared; a change is against the oldest of it that is ranked.".to_owned(),
        groups => format!(
            "{} hold results of several records that may be compared; a change is against the oldest of each that is ranked.",
            counted(groups, "group")
        ),
    };
    let mut charts: Vec<_> = part::charts(&strands, 1).iter().map(Drawn::new).collect();
    if let (Compared::Entry(item), Some(first)) = (compared, charts.first_mut()) {
        first.file = Some(here.to(&Route::drawing(&item.address)));
    }
    ComparisonsPage {
        frame: here.frame(&compared.title(), &finding),
        is_of_record,
        of: Link { text: compared.name().to_owned(), href: Some(here.to(&compared.about())) },
        title: compared.title(),
        finding,
        charts,
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
    // What may be compared is said with what may not.
    let (what, sizes) = match of_sizes {
        true => (" for what a machine did", "; sizes of caches may be, and stand on the pages of techniques"),
        false => ("", ""),
    };
    match (items.len(), items.iter().any(|item| all.has(&item.address))) {
        (1, true) => format!("One record, and no other that it may be compared with{what}{sizes}."),
        (1, false) => "One record, without a value of what results are compared by.".to_owned(),
        (count, true) => format!("{count} records, none of which may be compared with another{what}{sizes}."),
        (count, false) => format!("{count} records, all without a value of what results are compared by."),
    }
}

/// What may be compared on two axes at once, drawn; a table a metric, in the order of the contract, then what may not be compared.
pub fn strands<'a>(here: &'a Here, compared: Compared<'a>) -> Vec<Strand<'a>> {
    if let Compared::Record(item) = compared {
        return within::strands(here, item);
    }
    let items = compared.items(here);
    let mut by_metric = BTreeMap::<(usize, usize, String), Vec<Cow<Group>>>::new();
    let groups = groups(here, compared);
    let may = !groups.is_empty();
    for group in groups {
        by_metric.entry(place(&group.metric)).or_default().push(group);
    }
    // Loads in the order in which the first record lists them.
    by_metric.values_mut().for_each(|groups| groups.sort_by_key(|group| group.members[0]));
    let tables = by_metric.into_iter().flat_map(|((_, _, metric), groups)| {
        let versions = groups.iter().flat_map(|group| group.versions.iter().cloned()).collect();
        let versions = Side::of_versions(&metric, versions);
        [Side::of_groups(here, &metric, groups), versions].map(|side| side.strand(here))
    });
    let charts = Strand::of_charts(tradeoff::across(here, items));
    let all = here.site.figures.comparisons();
    let limited = items.iter().copied().filter(|item| all.is_in_a_group(&item.address));
    let limits = may.then(|| limits(here, limited));
    let mut strands: Vec<_> = std::iter::once(charts).chain(tables).chain(limits).collect();
    strands.extend(apart::strands(here, &compared.route(), items, may, &strands));
    strands
}

/// Where a metric stands in the contract.
fn place(metric: &str) -> (usize, usize, String) {
    let name = Latency::parse(metric).map_or(metric, |latency| latency.metric);
    let within = |clause: &Clause| clause.metrics.iter().position(|own| *own == name);
    let found = CONTRACT.iter().enumerate().find_map(|(clause, of)| Some((clause, within(of)?)));
    let (clause, within) = found.unwrap_or((CONTRACT.len(), 0));
    (clause, within, metric.to_owned())
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
            let members = all.among(group, &own)?;
            Some(Cow::Owned(Group { members, versions: Vec::new(), ..group.clone() }))
        }
        (false, _) => None,
    };
    all.groups.iter().filter_map(shown).collect()
}

/// Results of several records beside each other in one metric: in series, each of which is held against its first.
struct Side {
    id: String,
    title: String,
    metric: String,
    /// What all series are alike in.
    alike: String,
    /// Each below what its results are alike in and others are not.
    series: Vec<Series>,
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
            title: titled(metric, |part| shared.contains(&part).then(|| setting(groups.first()?, part))?),
            metric: metric.to_owned(),
            alike: groups.first().map(|group| words(group, &shared)).unwrap_or_default(),
            series: groups
                .iter()
                .map(|group| Series::against_first(words(group, &own), group.members.clone()))
                .collect(),
        }
    }

    /// Results that differ in nothing but the version of their engine, in the order of the versions.
    fn of_versions(metric: &str, series: Vec<Vec<usize>>) -> Self {
        Side {
            id: format!("{metric}:versions"),
            title: format!("{} from version to version, against the first", heading_of(metric)),
            metric: metric.to_owned(),
            alike: String::new(),
            series: series.into_iter().map(|members| Series::against_first(String::new(), members)).collect(),
        }
    }

    fn strand<'a>(self, here: &'a Here) -> Strand<'a> {
        let count = series::count(&self.series);
        // A heading may stand before each.
        Strand::new(count, 2, move |range| vec![self.table(here, range)])
    }

    fn table(&self, here: &Here, range: Range<usize>) -> Table {
        let all = here.site.figures.comparisons();
        let (mut rows, mut changes) = (Vec::new(), Vec::new());
        for line in series::lines(&self.series, range) {
            rows.push(match line {
                Line::Heading(heading) => Row::heading(heading),
                Line::Again(first) => {
                    again(&self.id, row(here, all, &self.id, &self.metric, first, Cell::text(BASELINE)))
                }
                Line::Of(Some(first), member) if first != member => {
                    let change = all.change(&self.metric, first, member);
                    changes.extend(change.cloned());
                    let cell = change.map_or_else(|| Cell::text("–"), changed).noted(self.unseen(all, first, member));
                    row(here, all, &self.id, &self.metric, member, cell)
                }
                Line::Of(_, member) => row(here, all, &self.id, &self.metric, member, Cell::text(BASELINE)),
            });
        }
        let mut head: Vec<_> = ["Result", "Accelerator", "Engine version", "Published"].map(Heading::plain).into();
        head.push(Heading::measured_or_derived(&self.metric));
        head.extend(change_heading(here, &self.metric));
        if change_of(&self.metric).is_none() {
            rows.iter_mut().for_each(|row| row.cells.truncate(head.len() - 1));
        }
        let limits = said_once(&mut rows, &changes);
        let caption = Caption { title: self.title.clone(), limits, alike: self.alike.clone() };
        without_empty_columns(Table { id: self.id.clone(), caption, head, rows })
    }

    /// What two results of machines at work differ in besides, which neither a column shows nor the metric depends on.
    fn unseen(&self, all: &Comparisons, one: usize, other: usize) -> Vec<String> {
        let Some(clause) = clause(&self.metric).filter(|clause| clause.is_of_serving()) else { return Vec::new() };
        let [one, other] = [one, other].map(|at| &all.contenders[at].setting);
        let is_unseen =
            |part: &Part| !matches!(part, Part::Load | Part::HeldLoad) && clause.parts().all(|own| own != *part);
        let differs = |part: &Part| one.get(*part) != other.get(*part);
        let parts = Part::ALL.into_iter().filter(|part| is_unseen(part) && differs(part));
        parts.map(|part| part.words(one.get(part), other.get(part))).collect()
    }
}

/// Stands in place of a change of what the others are held against.
const BASELINE: &str = "what the others are compared with";

/// A row that stands on an earlier part too, where its own anchor is.
fn again(table: &str, row: Row) -> Row {
    Row { anchor: Some(format!("{table}:baseline")), ..row }
}

fn change_heading(here: &Here, metric: &str) -> Option<Heading> {
    let formula = change_of(metric)?;
    let href = Some(here.to_anchor(&Route::methodology(), formula.id));
    Some(Heading { href, ..Heading::labelled(formula, None) })
}

/// Takes from the rows what limits every one of their changes, to be said above them.
fn said_once(rows: &mut [Row], changes: &[Figure]) -> String {
    let mut limits = changes.first().map(notes).unwrap_or_default();
    limits.retain(|limit| changes.iter().all(|change| notes(change).contains(limit)));
    let cells = rows.iter_mut().flat_map(|row| &mut row.cells);
    cells.for_each(|cell| cell.notes.retain(|note| !limits.contains(note)));
    for_all_rows(&limits)
}

fn for_all_rows(limits: &[String]) -> String {
    if limits.is_empty() { String::new() } else { format!("For all rows: {}", limits.join("; ")) }
}

fn row(here: &Here, all: &Comparisons, table: &str, metric: &str, member: usize, change: Cell) -> Row {
    let contender = &all.contenders[member];
    let beside = contender.beside.iter().map(|(_, value)| Cell::text(value.clone()));
    let day = Cell::text(contender.published.map(long_date).unwrap_or_else(|| "–".to_owned()));
    let value = value(here, all, metric, member);
    Row {
        anchor: Some(format!("{table}:{}", key(&[&contender.address, &contender.subject]))),
        head: name(here, contender),
        head_href: Some(here.to_subject(&contender.address, &contender.subject)),
        marks: marks(here, contender),
        cells: beside.chain([day, value, change]).collect(),
    }
}

fn value(here: &Here, all: &Comparisons, metric: &str, member: usize) -> Cell {
    match all.value(metric, member).map(|fact| (fact, &fact.derivation)) {
        Some((_, Some(figure))) => Cell { anchor: None, ..Cell::figure(here, &all.contenders[member].address, figure) },
        Some((fact, None)) => Cell::measured(here, &fact.document, &fact.pointer, Some(fact.quantity)),
        None => Cell::text("–"),
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
fn limits<'a>(here: &'a Here, items: impl IntoIterator<Item = &'a Item>) -> Strand<'a> {
    let limited: Vec<_> = items.into_iter().filter(|item| !item.not_covered().is_empty()).collect();
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
    badges.into_iter().chain(own_marks(contender)).collect()
}

/// The marks that its record's other results may lack.
fn own_marks(contender: &Contender) -> impl Iterator<Item = String> {
    let unranked = contender.unranked.iter().map(|reason| format!("not ranked: {reason}"));
    // What is not covered stands in a table of its own.
    let own = contender.limits.iter().filter(|limit| !limit.starts_with("not covered")).cloned();
    unranked.chain(own)
}

/// A metric with what every number of it is of: the power boundary, the price.
fn titled(metric: &str, of: impl Fn(Part) -> Option<String>) -> String {
    let parts = clause(metric).map(|clause| clause.parts().collect::<Vec<_>>()).unwrap_or_default();
    let named = [Part::PowerBoundary, Part::PriceBasis].into_iter().filter(|part| parts.contains(part));
    let words = named.filter_map(|part| match part {
        Part::PriceBasis => Some(format!("at {}", of(part)?)),
        _ => of(part),
    });
    std::iter::once(heading_of(metric)).chain(words).collect::<Vec<_>>().join(", ")
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

/// The way to the comparisons of what a page is about, where it has results to compare.
pub fn link(here: &Here, compared: Compared) -> Option<Link> {
    let has_results = match compared {
        Compared::Record(item) => within::has_several(here.site, item),
        _ => !compared.items(here).is_empty(),
    };
    has_results.then(|| Link { text: "Results compared".to_owned(), href: Some(here.to(&compared.route())) })
}
