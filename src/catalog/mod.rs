//! Records by address: references and names resolved, a run joined with its curator's note.

mod checks;
mod history;
mod kv_efficiency;
mod left_out;
mod link;
mod names;
mod places;
mod subjects;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::{Acknowledged, Diagnostic, Report, rules};
use crate::record::accuracy::Gates;
use crate::record::curator_note::NotedPrice;
use crate::record::kv_efficiency::Technique;
use crate::record::price::StatedPrice;
use crate::record::site::Site;
use crate::record::{
    Acknowledgement, Audit, Citation, Collection, Curation, CuratorNote, Date, Hardware, KvEfficiency, Model,
    Observation, Page, Price, Provenance, Record, Run, StatedFigure, Status, Withdrawn, engine, flags,
};
use crate::schema::Document;
use crate::source::Kind;

pub use checks::{another_boundary, secret};
pub use kv_efficiency::Arm;
pub use left_out::{LeftOut, leads_to_draft};
pub use link::Drafts;
pub use link::link;
pub use places::Place;
pub use subjects::{ModelSubject, RECORD, Subject, anchor_of_key, shared};

/// Every record that is to be shown, and what each refers to.
#[derive(Debug)]
pub struct Catalog {
    pub site: Site,
    /// `site.toml`, where the settings stand.
    pub settings: Arc<Document>,
    pub left_out: LeftOut,
    items: BTreeMap<String, Item>,
}

/// One record with everything that belongs to it.
#[derive(Debug)]
pub struct Item {
    pub address: String,
    pub document: Arc<Document>,
    pub record: Record,
    /// The curator's note beside a run record.
    pub note: Option<Attached>,
    /// Models that the record names, in its order.
    pub models: Vec<Named>,
    /// Accelerators that the record names, in its order.
    pub cards: Vec<Named>,
    pub engine: Option<Engine>,
    pub techniques: BTreeSet<Technique>,
    /// Address of the quote that prices the record.
    pub price: Option<String>,
    /// Configs of a run or audit, variants and hosts of a note.
    pub subjects: Vec<Subject>,
    /// The models of a note as subjects, in the order of `models`.
    pub model_subjects: Vec<ModelSubject>,
    /// What each variant of a note was measured on, in the order of its variants.
    pub arms: Vec<Arm>,
    /// Position in `subjects` of what changes are measured against.
    pub baseline: Option<usize>,
    /// The record that supersedes this one.
    pub superseded_by: Option<Successor>,
}

/// A record that took the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    pub address: String,
    pub reason: Option<String>,
}

/// What became of a record, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fate<'a> {
    /// `withdrawn` or `superseded`.
    pub word: &'static str,
    pub date: Option<Date>,
    pub reason: Option<&'a str>,
    /// Address of what took its place.
    pub by: Option<&'a str>,
}

/// A curator's note and the file it stands in.
#[derive(Debug)]
pub struct Attached {
    pub document: Arc<Document>,
    pub note: CuratorNote,
}

/// A name as the record writes it, and the entry it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// Address of the entry, `None` when no entry has this name.
    pub entry: Option<String>,
    /// There is no entry, and the report says why: it was refused, is a draft, or the reference leads to nothing.
    pub lost: bool,
}

/// An engine as the record writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    pub name: String,
    pub version: Option<String>,
}

impl<'a> Fate<'a> {
    /// `superseded by Run b: the older driver throttled the cards`, with a name of the other record.
    pub fn words(&self, name: impl Fn(&'a str) -> &'a str) -> String {
        let place = if self.word == SUPERSEDED { "by" } else { "in favour of" };
        let by = self.by.map(|address| format!(" {place} {}", name(address))).unwrap_or_default();
        let reason = self.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("{}{by}{reason}", self.word)
    }
}

const WITHDRAWN: &str = "withdrawn";
const SUPERSEDED: &str = "superseded";

impl Catalog {
    /// What became of a record that no longer stands.
    pub fn fate<'a>(&'a self, item: &'a Item) -> Option<Fate<'a>> {
        self.fates(item).next()
    }

    /// All that became of a record: withdrawn before superseded, and superseded on the day on which its successor was
    /// published.
    pub fn fates<'a>(&'a self, item: &'a Item) -> impl Iterator<Item = Fate<'a>> {
        let withdrawn = item.withdrawal().map(|withdrawn| Fate {
            word: WITHDRAWN,
            date: Some(withdrawn.date),
            reason: Some(&withdrawn.reason),
            by: withdrawn.replacement.as_deref(),
        });
        let superseded = item.superseded_by.as_ref().map(|by| Fate {
            word: SUPERSEDED,
            date: self.get(&by.address).and_then(Item::published),
            reason: by.reason.as_deref(),
            by: Some(&by.address),
        });
        withdrawn.into_iter().chain(superseded)
    }

    /// All items in order of address.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.items.values()
    }

    /// The items of a kind in order of address.
    pub fn of_kind(&self, kind: Kind) -> impl DoubleEndedIterator<Item = &Item> {
        self.items().filter(move |item| item.kind() == kind)
    }

    pub fn get(&self, address: &str) -> Option<&Item> {
        self.items.get(address)
    }

    /// Tells of results that are dated after today. A day more is one that has begun elsewhere.
    pub fn notice_dates_after(&self, today: Date, report: &mut Report) {
        for item in self.items() {
            let Some(published) = item.published().filter(|day| today.tomorrow().is_ok_and(|next| *day > next)) else {
                continue;
            };
            let message = format!("published on {published}, and today is {today}");
            let location = item.document.location("/published");
            let notice = Diagnostic::new(&rules::DATE_AHEAD, location, message).pointer("/published");
            report.push(
                notice.help("correct the date, or publish the record as it is: its page does not wait for the day"),
            );
        }
    }

    /// Takes out of a report what the author of each record knows of, and adds what breaks nowhere in its record. With
    /// errors left, what would have broken may not have been looked at.
    pub fn acknowledge(&self, report: &mut Report) {
        let mut unused = Vec::new();
        for item in self.items() {
            for (position, acknowledged) in item.acknowledgements().iter().enumerate() {
                let mut is_broken = |known: Acknowledged| {
                    let paths = item.documents().map(|document| document.text.path.as_str());
                    paths.filter(|path| report.acknowledge(path, &acknowledged.rule, known)).count() > 0
                };
                let stated = acknowledged.stated.iter().enumerate();
                let stated = stated.map(|(at, number)| (format!("stated/{at}"), Acknowledged::Stated(number)));
                let at =
                    acknowledged.at.iter().enumerate().map(|(at, place)| (format!("at/{at}"), Acknowledged::At(place)));
                let mut all: Vec<_> = stated.chain(at).collect();
                if all.is_empty() {
                    all.push(("rule".to_owned(), Acknowledged::Whole));
                }
                let idle = all.into_iter().filter(|(_, known)| !is_broken(*known)).map(|(member, _)| member);
                unused.extend(idle.map(|member| (item, position, member)));
            }
        }
        if !report.has_errors() {
            for (item, position, member) in unused {
                let rule = &item.acknowledgements()[position].rule;
                let places = item.documents().flat_map(|document| report.places(&document.text.path, rule));
                let places: BTreeSet<_> = places.collect();
                checks::unused(item.prose(), &format!("/acknowledges/{position}/{member}"), &places, report);
            }
        }
    }

    pub fn model(&self, address: &str) -> Option<(&Item, &Model)> {
        let item = self.get(address)?;
        if let Record::Model(model) = &item.record { Some((item, model)) } else { None }
    }

    /// What pages call a model or card: the title of its entry, else the name as the record writes it.
    pub fn title_of<'a>(&'a self, named: &'a Named) -> &'a str {
        named.entry().and_then(|address| self.get(address)).map_or(&named.name, Item::title)
    }

    pub fn hardware(&self, address: &str) -> Option<(&Item, &Hardware)> {
        let item = self.get(address)?;
        if let Record::Hardware(card) = &item.record { Some((item, card)) } else { None }
    }

    pub fn price(&self, address: &str) -> Option<(&Item, &Price)> {
        let item = self.get(address)?;
        if let Record::Price(price) = &item.record { Some((item, price)) } else { None }
    }
}

impl Item {
    pub fn kind(&self) -> Kind {
        self.document.kind
    }

    pub fn title(&self) -> &str {
        match &self.record {
            Record::Run(run) => &run.title,
            Record::Audit(audit) => &audit.title,
            Record::KvEfficiency(note) => &note.title,
            Record::Model(model) => &model.title,
            Record::Hardware(card) => &card.title,
            Record::Price(price) => price.title.as_deref().unwrap_or(&price.id),
            Record::Page(page) => &page.title,
            Record::Collection(collection) => &collection.title,
            Record::CuratorNote(_) => &self.address,
        }
    }

    pub fn status(&self) -> Status {
        self.record.status()
    }

    /// The day it was published, for kinds that have one.
    pub fn published(&self) -> Option<Date> {
        match &self.record {
            Record::Run(run) => Some(run.published),
            Record::Audit(audit) => Some(audit.published),
            Record::KvEfficiency(note) => Some(note.published),
            Record::Price(price) => Some(price.date),
            _ => None,
        }
    }

    /// The word for a record that is not simply valid.
    pub fn standing(&self) -> Option<&'static str> {
        let draft = (self.status() == Status::Draft).then_some("draft");
        self.withdrawal().map(|_| WITHDRAWN).or(self.superseded_by.as_ref().map(|_| SUPERSEDED)).or(draft)
    }

    fn withdrawal(&self) -> Option<&Withdrawn> {
        self.curation()?.withdrawn.as_ref()
    }

    /// One sentence on what it found or is.
    pub fn summary(&self) -> Option<&str> {
        match &self.record {
            Record::Run(run) => run.summary.as_deref(),
            Record::Audit(audit) => audit.summary.as_deref(),
            Record::KvEfficiency(note) => note.summary.as_deref(),
            Record::Page(page) => page.description.as_deref(),
            Record::Collection(collection) => collection.description.as_deref(),
            _ => None,
        }
    }

    /// The accuracy of a run or audit.
    pub fn gates(&self) -> Option<Gates<'_>> {
        match &self.record {
            Record::Run(run) => Some(run.gates()),
            Record::Audit(audit) => Some(audit.gates()),
            _ => None,
        }
    }

    pub fn run(&self) -> Option<&Run> {
        if let Record::Run(run) = &self.record { Some(run) } else { None }
    }

    pub fn audit(&self) -> Option<&Audit> {
        if let Record::Audit(audit) = &self.record { Some(audit) } else { None }
    }

    pub fn kv_efficiency(&self) -> Option<&KvEfficiency> {
        if let Record::KvEfficiency(note) = &self.record { Some(note) } else { None }
    }

    pub fn page(&self) -> Option<&Page> {
        if let Record::Page(page) = &self.record { Some(page) } else { None }
    }

    /// What it introduces, with the path of the folder under `content/`.
    pub fn collection(&self) -> Option<(&str, &Collection)> {
        let Record::Collection(collection) = &self.record else { return None };
        Some((folder_of(&self.address), collection))
    }

    pub fn curator_note(&self) -> Option<&CuratorNote> {
        self.note.as_ref().map(|attached| &attached.note)
    }

    /// The price that the record itself states, or its curator's note, and the file it stands in.
    pub fn stated_price(&self) -> Option<(&StatedPrice, &Arc<Document>)> {
        if let Some(price) = self.audit().and_then(|audit| audit.price.as_ref()) {
            return Some((price, &self.document));
        }
        match &self.note {
            Some(Attached { document, note: CuratorNote { price: Some(NotedPrice::Stated(price)), .. } }) => {
                Some((price, document))
            }
            _ => None,
        }
    }

    /// Results are what the site compares; the other kinds are what they refer to.
    pub fn is_result(&self) -> bool {
        matches!(self.kind(), Kind::Run | Kind::Audit | Kind::KvEfficiency)
    }

    /// What people say of a result, for a run in the note beside it.
    pub fn curation(&self) -> Option<&Curation> {
        match &self.record {
            Record::Run(_) => self.curator_note().map(|note| &note.curation),
            Record::Audit(audit) => Some(&audit.curation),
            Record::KvEfficiency(note) => Some(&note.curation),
            _ => None,
        }
    }

    pub fn provenance(&self) -> Option<&Provenance> {
        self.curation()?.provenance.as_ref()
    }

    /// Licence of the source, where it is known.
    pub fn license(&self) -> Option<&str> {
        self.curation()?.license.as_deref()
    }

    pub fn citations(&self) -> &[Citation] {
        match &self.record {
            Record::Model(model) => &model.sources,
            Record::Hardware(card) => &card.sources,
            Record::Price(price) => &price.sources,
            _ => self.curation().map_or(&[], |curation| &curation.sources),
        }
    }

    pub fn acknowledgements(&self) -> &[Acknowledgement] {
        self.curation().map_or(&[], |curation| &curation.acknowledges)
    }

    /// Flags that hold for all configs of a result.
    pub fn flags(&self) -> BTreeSet<String> {
        let line = match &self.record {
            Record::Run(run) => run.software.kernels.as_deref(),
            Record::Audit(audit) => audit.baseline_flags.as_deref(),
            _ => None,
        };
        line.map(flags::of).unwrap_or_default().into_iter().collect()
    }

    /// Derived numbers as the source states them.
    pub fn stated(&self) -> &[StatedFigure] {
        match &self.record {
            Record::Run(_) => self.curator_note().map_or(&[], |note| &note.stated),
            Record::Audit(audit) => &audit.stated,
            Record::KvEfficiency(note) => &note.stated,
            _ => &[],
        }
    }

    pub fn not_covered(&self) -> &[String] {
        match &self.record {
            Record::Run(run) => run.not_covered.as_deref().unwrap_or_default(),
            Record::Audit(audit) => &audit.not_covered,
            Record::KvEfficiency(note) => &note.not_covered,
            _ => &[],
        }
    }

    /// The label of a config, variant or host by its position.
    pub fn label(&self, position: usize) -> &str {
        self.subjects.get(position).map_or("", |subject| &subject.label)
    }

    /// How many configs have a key, where they are several: it names none of them.
    pub fn sharing(&self, key: &str) -> Option<usize> {
        let count = match &self.record {
            Record::Run(run) => run.configs.iter().filter(|config| config.key.as_deref() == Some(key)).count(),
            Record::Audit(audit) => audit.configs.iter().filter(|config| config.key == key).count(),
            _ => 0,
        };
        (count > 1).then_some(count)
    }

    /// A curator's observation on a subject, with its position in the note.
    pub fn observation(&self, subject: &str, metric: &str) -> Option<(usize, &Observation)> {
        let observations = self.curator_note()?.observations.iter().enumerate();
        observations
            .into_iter()
            .find(|(_, found)| found.metric == metric && subjects::anchor_of_key(&found.subject) == subject)
    }

    /// Whether its models are known. Where one is lost, anchors that come of it are not those that its author means.
    pub fn knows_its_models(&self) -> bool {
        self.models.iter().all(|named| !named.lost)
    }

    /// The file whose body is prose about this record.
    pub fn prose(&self) -> &Arc<Document> {
        self.note.as_ref().map_or(&self.document, |attached| &attached.document)
    }

    /// Every file of this record, the record itself first.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        std::iter::once(&self.document).chain(self.note.as_ref().map(|attached| &attached.document))
    }
}

/// The folder that an address or a folder lies in; empty for one that lies in none.
pub fn folder_of(address: &str) -> &str {
    address.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Engine {
    /// What pages call it, whichever way it is written.
    pub fn title(&self) -> &str {
        engine::title(&self.name)
    }

    /// Its version, which some write into the name.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref().or_else(|| engine::name_and_version(&self.name).1)
    }
}

impl Named {
    /// The entry's address, or `None` with the name kept as written.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }
}
