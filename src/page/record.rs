//! The page of one result: finding, facts, figures, tables, derived figures, limits, method, source.

use askama::Template;

use crate::catalog::Item;
use crate::chart::Chart;
use crate::diagnostic::counted;
use crate::figures::Figure;
use crate::markdown::Html;
use crate::metric;
use crate::record::kv_efficiency::Technique;
use crate::record::{Date, Record};
use crate::route::Route;
use crate::schema::Document;
use crate::source::Kind;

use super::claim::Derived;
use super::collection::Folder;
use super::comparisons::{self, Compared};
use super::drawing;
use super::evidence::{self, EvidencePart};
use super::figure::Drawn;
use super::frame::{Frame, Here, Link, license};
use super::linked_data::{self, LinkedData};
use super::part::{self, PartLinks, Strand};
use super::reproduce::Reproduce;
use super::table::{Priced, Table};
use super::{Site, audit, entity, kv_efficiency, prose, run};

#[derive(Debug, Template)]
#[template(path = "record.html")]
pub struct RecordPage {
    frame: Frame,
    linked_data: LinkedData,
    folder: Option<Link>,
    title: String,
    standing: Option<Standing>,
    /// What the finding is of, in one line: day, model, accelerator, engine, limits.
    key: Vec<Link>,
    body: Body,
    figures: Vec<Drawn>,
    /// The way to the charts that this page has no room for.
    more_charts: Option<Link>,
    /// The way to its results beside each other.
    compared: Option<Link>,
    tables: Vec<Table>,
    parts: Option<PartLinks>,
    derived: Derived,
    /// Against the record that it measures again, and against the nearest of all.
    beside: Vec<Table>,
    evidence: Option<EvidencePart>,
    limits: Vec<String>,
    /// What the build warns of and nobody acknowledges.
    warned: Vec<Warning>,
    acknowledged: Vec<Warning>,
    prose: Option<Html>,
    related: Vec<Link>,
    citations: Vec<CitationLine>,
    changes: Vec<String>,
    sources: Vec<SourceFile>,
    data: Option<String>,
    cite: String,
    previous: Option<Link>,
    next: Option<Link>,
}

/// What each kind of result composes for itself.
#[derive(Debug, Default)]
pub struct Body {
    /// One sentence with the number and its baseline.
    pub finding: String,
    /// What of it a reader's own price changes.
    pub finding_price: Option<FindingPrice>,
    pub summary: Option<String>,
    pub facts: Vec<Fact>,
    /// The finding's first.
    pub figures: Vec<Chart>,
    /// The harness's settings, a fact each.
    pub method: Vec<Fact>,
    /// Where those settings stand.
    pub spec: Option<Link>,
    pub reproduce: Option<Reproduce>,
}

/// Facts that say themselves what they are of, which stand beside the finding.
const KEY: [&str; 6] = ["Published", "Model", "Accelerator", "Cards", "Engine", "SLO"];

/// Values of one fact that have room beside the finding.
const KEY_VALUES: usize = 3;

impl Body {
    /// Takes the key facts out of the others.
    fn take_key(&mut self) -> Vec<Link> {
        let is_key = |fact: &mut Fact| KEY.contains(&&*fact.label) && fact.values.len() <= KEY_VALUES;
        self.facts.extract_if(.., is_key).flat_map(|fact| fact.values).collect()
    }
}

/// A finding around its number in dollars.
#[derive(Debug)]
pub struct FindingPrice {
    pub before: String,
    pub text: String,
    pub after: String,
    pub priced: Priced,
}

impl FindingPrice {
    pub fn of(finding: &str, figure: &Figure) -> Option<Self> {
        let text = figure.shown();
        let (before, after) = finding.split_once(&text)?;
        let priced = Priced::of(figure)?;
        Some(FindingPrice { before: before.to_owned(), after: after.to_owned(), text, priced })
    }
}

/// A label with one or more texts that may lead somewhere.
#[derive(Debug)]
pub struct Fact {
    pub label: String,
    pub values: Vec<Link>,
}

impl Fact {
    pub fn new(label: &str, values: Vec<Link>) -> Self {
        Fact { label: label.to_owned(), values }
    }
}

/// A record that no longer stands as it is.
#[derive(Debug)]
pub struct Standing {
    word: &'static str,
    reason: String,
    by: Option<Link>,
}

impl Standing {
    pub fn words(&self) -> String {
        let by = self.by.as_ref().map(|by| format!(" See {}.", by.text)).unwrap_or_default();
        format!("{} {}{by}", self.word, self.reason)
    }
}

/// Why a warning stands, and the rule that warned.
#[derive(Debug)]
struct Warning {
    /// The numbers that it is about, in quotation marks; empty where it is about the whole record.
    stated: String,
    reason: String,
    rule: Link,
}

#[derive(Debug)]
pub struct CitationLine {
    pub link: Link,
    pub detail: String,
}

#[derive(Debug)]
pub struct SourceFile {
    pub path: String,
    pub href: String,
    pub sha256: String,
    pub repository: Option<String>,
}

impl SourceFile {
    pub fn of(here: &Here, document: &Document) -> Self {
        SourceFile {
            path: document.text.path.clone(),
            href: here.to(&super::frame::source_route(document)),
            sha256: document.sha256.clone(),
            repository: here.to_repository(document, None),
        }
    }
}

/// Composes the page of a run, audit or note.
pub fn compose(here: &Here, item: &Item) -> RecordPage {
    let mut body = drawing::body(here, item);
    let key = body.take_key();
    let mut figures: Vec<_> = body.figures.iter().map(Drawn::new).collect();
    if let Some(first) = figures.first_mut() {
        first.file = Some(here.to(&Route::drawing(&item.address)));
    }
    let strands = strands(here, item);
    let tables = part::tables(&strands, 1);
    let rule = |code: &str| Link { text: code.to_owned(), href: Some(here.to_anchor(&Route::checks(), code)) };
    let acknowledged = item.acknowledgements().iter().map(|known| {
        let about = known.stated.iter().map(|stated| format!("“{stated}”")).chain(known.at.iter().cloned());
        Warning { stated: about.collect::<Vec<_>>().join(", "), reason: known.reason.clone(), rule: rule(&known.rule) }
    });
    let warned = item.documents().filter_map(|document| here.site.warnings.get(&document.text.path)).flatten();
    let warned = warned.map(|(code, message)| Warning {
        stated: String::new(),
        reason: metric::in_words(message),
        rule: rule(code),
    });
    let folder = here.site.folders.around(&item.address);
    let (previous, next) = neighbours(here, item, folder);
    RecordPage {
        linked_data: linked_data::dataset(here, item, &body.finding),
        frame: here.frame(item.title(), &body.finding).made_from(here, item.prose()),
        folder: folder.map(|folder| folder.link(here)),
        title: item.title().to_owned(),
        standing: standing_of(here, item),
        key,
        figures,
        more_charts: part::first_charts(&strands).map(|(part, count)| Link {
            text: counted(count, "more chart"),
            href: Some(here.to(&Route::record(&item.address).part(part))),
        }),
        parts: PartLinks::of(here, &Route::record(&item.address), 1, part::cut(&strands).count()),
        compared: comparisons::link(here, Compared::Record(&item)),
        derived: Derived::of(here, item, &tables),
        beside: [comparisons::reproduction(here, item), comparisons::nearest(here, item)]
            .into_iter()
            .flatten()
            .collect(),
        tables,
        evidence: evidence::part(here, item),
        limits: item.not_covered().to_vec(),
        warned: warned.collect(),
        acknowledged: acknowledged.collect(),
        prose: prose::body(here, item),
        related: related(here, item),
        citations: citations(item),
        changes: changes(item),
        sources: sources(here, item),
        data: Some(here.to(&Route::data(&item.address))),
        cite: citation(here.site, item, None),
        previous,
        next,
        body,
    }
}

/// The tables of a record, in their order; its pages are cut by them.
pub fn strands<'a>(here: &'a Here, item: &'a Item) -> Vec<Strand<'a>> {
    match &item.record {
        Record::Run(record) => run::strands(here, item, record),
        Record::Audit(record) => audit::strands(here, item, record),
        Record::KvEfficiency(record) => kv_efficiency::strands(here, item, record),
        Record::Model(_) | Record::Hardware(_) | Record::Price(_) => entity::strands(here, item),
        Record::Page(_) | Record::Collection(_) | Record::CuratorNote(_) => Vec::new(),
    }
}

/// Bytes of the labels of all configs with which several charts, which name each of them, are too much for one page.
const LABELS: usize = 600;

/// Charts that stand on a record's own page: fewer where it has so many figures that those stand apart, or so long labels.
fn drawn_first(here: &Here, item: &Item) -> usize {
    let labels: usize = item.subjects.iter().map(|subject| subject.label.len()).sum();
    match here.site.has_figures_apart(&item.address) {
        _ if labels > LABELS => 1,
        true => 2,
        false => 3,
    }
}

/// A record's first charts.
pub fn first(here: &Here, item: &Item, charts: Vec<Chart>) -> Vec<Chart> {
    charts.into_iter().take(drawn_first(here, item)).collect()
}

/// The charts after the first, as what stands after everything else.
pub fn rest<'a>(here: &Here, item: &Item, charts: Vec<Chart>) -> Strand<'a> {
    Strand::of_charts(charts.into_iter().skip(drawn_first(here, item)).collect()).later(true)
}

/// Names of kinds as headings.
pub fn kind_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Run | Kind::CuratorNote => "Run records",
        Kind::Audit => "Cost audits",
        Kind::KvEfficiency => "KV-efficiency notes",
        Kind::Model => "Models",
        Kind::Hardware => "Hardware",
        Kind::Price => "Prices",
        Kind::Page => "Pages",
        Kind::Collection => "Collections",
        Kind::Site => "Settings",
    }
}

/// A date as pages print it: `29 October 2026`.
pub fn long_date(date: Date) -> String {
    date.strftime("%-d %B %Y").to_string()
}

pub fn standing_of(here: &Here, item: &Item) -> Option<Standing> {
    let word = item.standing()?;
    let Some(fate) = here.site.catalog.fate(item) else {
        let reason = "not published yet; shown because drafts were asked for".to_owned();
        return Some(Standing { word, reason, by: None });
    };
    let day = fate.date.map(|date| format!("on {}", long_date(date))).unwrap_or_default();
    let reason = fate.reason.map(|reason| format!(": {}", reason.trim_end_matches('.'))).unwrap_or_default();
    Some(Standing { word, reason: format!("{day}{reason}."), by: fate.by.map(|address| here.to_address(address)) })
}

/// Who measured, from whom it came, where the record says; and under which licence, or that nobody says.
pub fn provenance(item: &Item) -> Vec<Fact> {
    let mut values = Vec::new();
    if let Some(provenance) = item.provenance() {
        values.extend(provenance.measured_by.clone());
        values.extend(provenance.relation.map(|relation| relation.words().to_owned()));
        values.extend(provenance.submitted_by.as_ref().map(|name| format!("submitted by {name}")));
    }
    let mut facts = Vec::new();
    facts.extend((!values.is_empty()).then(|| Fact::new("Measured by", vec![Link::plain(values.join(", "))])));
    facts.push(Fact::new("Licence of the source", vec![item.license().map_or(Link::plain("not stated"), license)]));
    facts
}

fn related(here: &Here, item: &Item) -> Vec<Link> {
    let named = item.kv_efficiency().into_iter().flat_map(|note| &note.related).map(String::as_str);
    let supersedes = item.curation().and_then(|curation| Some(curation.supersedes.as_ref()?.record()));
    let reproduces = item.provenance().and_then(|provenance| provenance.reproduces.as_deref());
    let mut addresses: Vec<_> = named.chain(supersedes).chain(reproduces).collect();
    addresses.extend(on_hit_rates(here, item));
    let mut seen = std::collections::BTreeSet::new();
    addresses.retain(|address| seen.insert(*address));
    addresses.into_iter().map(|address| here.to_address(address)).collect()
}

/// Runs measure what a hit rate buys, notes which rates occur: each leads to the other.
fn on_hit_rates<'a>(here: &Here<'a>, item: &Item) -> Vec<&'a str> {
    let technique = Technique::PrefixCaching;
    let other = match item.kind() {
        Kind::Run => Kind::KvEfficiency,
        Kind::KvEfficiency => Kind::Run,
        _ => return Vec::new(),
    };
    if !item.techniques.contains(&technique) {
        return Vec::new();
    }
    let of_technique = here.site.gatherings.of_technique(technique).iter();
    of_technique.filter(|found| found.kind() == other).map(|found| found.address.as_str()).collect()
}

pub fn citations(item: &Item) -> Vec<CitationLine> {
    item.citations()
        .iter()
        .map(|citation| {
            let details = [&citation.date, &citation.accessed, &citation.note];
            let details: Vec<_> = details.into_iter().flatten().map(String::as_str).collect();
            CitationLine {
                link: Link { text: citation.title.clone(), href: citation.url.clone() },
                detail: details.join("; "),
            }
        })
        .collect()
}

fn changes(item: &Item) -> Vec<String> {
    let changes = item.curation().into_iter().flat_map(|curation| &curation.changes);
    changes.map(|change| format!("{}: {}", long_date(change.date), change.what)).collect()
}

pub fn sources(here: &Here, item: &Item) -> Vec<SourceFile> {
    item.documents().map(|document| SourceFile::of(here, document)).collect()
}

/// One line that names the record, its day and where it, or a figure on its page, stands.
pub fn citation(site: &Site, item: &Item, figure: Option<&Figure>) -> String {
    let settings = &site.catalog.site;
    let day = item.published().map(|date| format!(", {}", long_date(date))).unwrap_or_default();
    let address = match figure {
        Some(figure) => {
            let route = site.anchor_route(&item.address, &figure.anchor());
            route.absolute_to_anchor(&settings.base_url, &figure.anchor())
        }
        None => Route::record(&item.address).absolute(&settings.base_url),
    };
    format!("{}{day}. {}. {address}", item.title(), settings.title)
}

/// The records before and after in the order of the folder's list.
fn neighbours(here: &Here, item: &Item, folder: Option<&Folder>) -> (Option<Link>, Option<Link>) {
    let ordered = folder.map_or(&[][..], |folder| &folder.items);
    let Some(position) = ordered.iter().position(|other| std::ptr::eq(*other, item)) else { return (None, None) };
    let link = |other: &&Item| Link { text: other.title().to_owned(), href: Some(here.to_item(other)) };
    let previous = position.checked_sub(1).and_then(|before| ordered.get(before));
    (previous.map(link), ordered.get(position + 1).map(link))
}
