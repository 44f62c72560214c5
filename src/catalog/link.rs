//! Joins entries into a catalog: drafts aside, notes to their runs, references and names to entries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::names::Names;
use super::{Attached, Catalog, Engine, Item, LeftOut, Named, checks, folder_of, history, leads_to_draft, subjects};
use crate::diagnostic::{Diagnostic, Report, nearest, printable, rules};
use crate::record::curator_note::NotedPrice;
use crate::record::run::RunConfig;
use crate::record::{CuratorNote, Entry, NamedReference, Record, Run, Settings, Status};
use crate::schema::Document;
use crate::source::Kind;

/// Whether drafts are part of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Drafts {
    #[default]
    Leave,
    Publish,
}

/// Builds the catalog. `report` holds the faults of all stages before this one.
pub fn link(settings: Settings, entries: Vec<Entry>, drafts: Drafts, report: &mut Report) -> Catalog {
    let Settings { site, document: settings } = settings;
    let mut left_out = LeftOut::refused_in(report);
    let (notes, records): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| matches!(entry.record, Record::CuratorNote(_)));
    let is_draft = |entry: &Entry| entry.record.status() == Status::Draft && drafts == Drafts::Leave;
    let (set_aside, mut records): (Vec<_>, Vec<_>) = records.into_iter().partition(is_draft);
    for entry in &set_aside {
        left_out.set_aside(entry.document.address.clone());
    }
    // A run without its refused note would be judged without what the note acknowledges.
    records.retain(|entry| !left_out.refused(&entry.document.address));

    let kinds = records.iter().map(|entry| (entry.document.address.clone(), entry.document.kind)).collect();
    let mut links = Links {
        models: Names::of(Kind::Model, &records, &set_aside, &left_out, report),
        cards: Names::of(Kind::Hardware, &records, &set_aside, &left_out, report),
        kinds,
        left_out: &left_out,
        report,
    };
    let mut notes_by_address: BTreeMap<String, Attached> = notes.into_iter().filter_map(attached).collect();
    let mut items = BTreeMap::new();
    for entry in records {
        let note = notes_by_address.remove(&entry.document.address);
        let item = links.item(entry, note);
        items.insert(item.address.clone(), item);
    }
    for (address, attached) in notes_by_address {
        if !left_out.is_draft(&address) && !left_out.refused(&address) {
            links.orphan(&address, &attached);
        }
    }
    if let Some(price) = &site.default_price {
        links.reference(&settings, "/default_price", price, Some(Kind::Price));
    }
    for (old, new) in &site.aliases {
        links.reference(&settings, &format!("/aliases/{}", old.replace('~', "~0").replace('/', "~1")), new, None);
    }
    history::supersede(&mut items, report);
    checks::stated_as_quoted(&items, report);
    checks::quotes_of_the_card(&items, report);
    checks::prices_of_one_gpu(&items, report);
    checks::quotes_of_one_day(&items, report);
    checks::runs_against_cards(&items, report);
    checks::commands_are_of_the_record(&items, report);
    checks::notes_look_right(&items, report);
    Catalog { site, settings, left_out, items }
}

fn attached(entry: Entry) -> Option<(String, Attached)> {
    let Record::CuratorNote(note) = entry.record else { return None };
    Some((entry.document.address.clone(), Attached { document: entry.document, note: *note }))
}

/// What references and names are resolved against.
pub(super) struct Links<'a> {
    models: Names,
    cards: Names,
    kinds: BTreeMap<String, Kind>,
    left_out: &'a LeftOut,
    pub(super) report: &'a mut Report,
}

impl Links<'_> {
    fn item(&mut self, entry: Entry, note: Option<Attached>) -> Item {
        let document = Arc::clone(&entry.document);
        let mut item = Item {
            address: document.address.clone(),
            document: Arc::clone(&document),
            record: entry.record,
            note: None,
            models: Vec::new(),
            cards: Vec::new(),
            engine: None,
            techniques: BTreeSet::new(),
            price: None,
            subjects: Vec::new(),
            model_subjects: Vec::new(),
            arms: Vec::new(),
            baseline: None,
            superseded_by: None,
        };
        match &item.record {
            Record::Run(_) => {
                item.note = note;
                self.run(&mut item);
            }
            Record::Audit(_) => self.audit(&mut item),
            Record::KvEfficiency(_) => self.kv_efficiency(&mut item),
            Record::Price(price) => {
                checks::title_holds(price, &document, self.report);
                if let Some(card) = self.reference(&document, "/accelerator", &price.accelerator, Some(Kind::Hardware))
                {
                    item.cards = vec![Named { name: price.accelerator.clone(), entry: Some(card), lost: false }];
                }
            }
            Record::Collection(collection) => {
                let folder = folder_of(&document.address);
                for (position, entry) in collection.order.iter().enumerate() {
                    let entry = format!("{folder}/{entry}");
                    self.reference(&document, &format!("/order/{position}"), &entry, Kind::of_folder(folder));
                }
            }
            Record::Model(model) => checks::of_model(model, &document, self.report),
            _ => {}
        }
        checks::look_right(&item, self.report);
        self.history(&item);
        checks::acknowledged(item.acknowledgements(), item.prose(), self.report);
        item.documents().for_each(|document| checks::secrets(document, self.report));
        item
    }

    fn run(&mut self, item: &mut Item) {
        let Record::Run(run) = &item.record else { return };
        let document = &item.document;
        item.subjects = subjects::of_run(run, document, self.report);
        item.engine = Some(Engine { name: run.software.engine.clone(), version: run.software.engine_version.clone() });
        checks::record_against_spec(run, document, self.report);
        checks::small_samples(run, document, self.report);
        checks::reproducible(run, document, self.report);
        let (mut model, mut card) = (None, None);
        if let Some(Attached { document: note_document, note }) = &item.note {
            let mut referenced = |pointer, reference: Option<&str>, kind, name| {
                Some(self.referenced(note_document, pointer, reference?, kind, name))
            };
            model = referenced("/model", note.model.as_deref(), Kind::Model, &run.model.name);
            card = referenced("/hardware", note.hardware.as_deref(), Kind::Hardware, &run.hardware.accelerator);
            let quote = note.price.as_ref().and_then(|price| match price {
                NotedPrice::Quote(address) => Some(("/price", address.as_str())),
                NotedPrice::Stated(price) => Some(("/price/quote", price.quote.as_deref()?)),
            });
            item.price =
                quote.and_then(|(pointer, address)| self.reference(note_document, pointer, address, Some(Kind::Price)));
            item.techniques = note.techniques.iter().copied().collect();
            item.baseline = self.note_baseline(note_document, note, run, &item.subjects);
            self.observations(note_document, note, &item.subjects);
            checks::observations_add(note, note_document, &item.subjects, document, self.report);
            checks::quotes_hold(note, note_document, document, self.report);
            checks::boundary_in_prose(run, note_document, self.report);
        }
        let pointer = "/model/name";
        item.models = vec![match model {
            Some(model) => model,
            None => self.models.resolve(&run.model.name, document.location(pointer), pointer, self.report),
        }];
        let pointer = "/hardware/accelerator";
        item.cards = vec![match card {
            Some(card) => card,
            None => self.cards.resolve(&run.hardware.accelerator, document.location(pointer), pointer, self.report),
        }];
        if item.curator_note().is_none_or(|note| note.baseline.is_none()) {
            let is_whole = |config: &RunConfig| config.partial_pass().is_none() && config.failed.is_none();
            let whole = || run.configs.iter().enumerate().filter(|(_, config)| is_whole(config));
            let keyed = whole().find(|(_, config)| config.key.as_deref() == Some("baseline"));
            item.baseline = keyed.or_else(|| whole().next()).map(|(position, _)| position);
        }
        checks::measurements_of_run(item, run, self.report);
    }

    fn audit(&mut self, item: &mut Item) {
        let Record::Audit(audit) = &item.record else { return };
        let document = &item.document;
        item.subjects = subjects::of_audit(audit, document, self.report);
        item.engine = Some(Engine { name: audit.engine.clone(), version: audit.engine_version.clone() });
        item.models = vec![self.named(&audit.model, "/model", Kind::Model, document)];
        let card =
            NamedReference { name: audit.hardware.accelerator.clone(), reference: audit.hardware.reference.clone() };
        item.cards = vec![self.named(&card, "/hardware", Kind::Hardware, document)];
        item.techniques = audit.techniques.iter().copied().collect();
        if let Some(quote) = audit.price.as_ref().and_then(|price| price.quote.as_deref()) {
            item.price = self.reference(document, "/price/quote", quote, Some(Kind::Price));
        }
        for (position, config) in audit.configs.iter().enumerate() {
            if let Some(model) = config.model.as_ref().filter(|model| model.reference.is_some()) {
                self.named(model, &format!("/configs/{position}/model"), Kind::Model, document);
            }
        }
        item.baseline = match &audit.baseline {
            Some(wanted) if item.sharing(wanted).is_some() => {
                self.report.push(subjects::shared(item, wanted, "/baseline"));
                None
            }
            Some(wanted) => self.subject(document, "/baseline", wanted, &item.subjects),
            None => audit.configs.iter().position(|config| config.key == "baseline").or(Some(0)),
        }
        .filter(|_| !audit.configs.is_empty());
        checks::small_samples_of_audit(audit, document, self.report);
        checks::measurements_of_audit(audit, item.baseline, document, self.report);
    }

    /// A name with an optional reference: the reference when there is one, else the name.
    pub(super) fn named(&mut self, named: &NamedReference, pointer: &str, kind: Kind, document: &Document) -> Named {
        let in_reference = format!("{pointer}/reference");
        if let Some(reference) = &named.reference {
            return self.referenced(document, &in_reference, reference, kind, &named.name);
        }
        let pointer = match document.kind {
            Kind::Audit | Kind::KvEfficiency if kind == Kind::Hardware => format!("{pointer}/accelerator"),
            _ => format!("{pointer}/name"),
        };
        let names = if kind == Kind::Model { &self.models } else { &self.cards };
        names.resolve(&named.name, document.location(&pointer), &pointer, self.report)
    }

    /// A reference beside a name; it may not say another entry than the name does.
    fn referenced(&mut self, document: &Document, pointer: &str, reference: &str, kind: Kind, name: &str) -> Named {
        let entry = self.reference(document, pointer, reference, Some(kind));
        let names = if kind == Kind::Model { &self.models } else { &self.cards };
        if let Some(other) = names.find(name).filter(|other| entry.as_deref().is_some_and(|entry| entry != *other)) {
            let message =
                format!("the name `{}` is that of `{other}`, the reference says `{reference}`", printable(name));
            let problem = Diagnostic::new(&rules::LINK_CONTRADICTS, document.location(pointer), message);
            self.report.push(
                problem.pointer(pointer).help("refer to the entry that has the name, or leave the reference out"),
            );
        }
        Named { name: name.to_owned(), lost: entry.is_none(), entry }
    }

    /// An address that must exist, of a kind where one is asked for.
    pub(super) fn reference(
        &mut self,
        document: &Document,
        pointer: &str,
        address: &str,
        kind: Option<Kind>,
    ) -> Option<String> {
        let found = self.kinds.get(address).copied();
        if found.is_some_and(|found| kind.is_none_or(|kind| kind == found)) {
            return Some(address.to_owned());
        }
        if found.is_none() && self.left_out.refused(address) {
            return None;
        }
        let (message, help) = match found {
            Some(found) => (
                format!("`{address}` is {}, expected {}", found.noun(), kind.map_or("a record", Kind::noun)),
                "name an entry of that kind".to_owned(),
            ),
            None if self.left_out.is_draft(address) => leads_to_draft(address),
            None => {
                let candidates = self.kinds.iter().filter(|(_, found)| kind.is_none_or(|kind| kind == **found));
                let nearest = nearest(address, candidates.map(|(address, _)| address.as_str()));
                (
                    format!("no record has the address `{}`", printable(address)),
                    match nearest {
                        Some(nearest) => format!("did you mean `{nearest}`?"),
                        None => "an address is the path under `content/` without its ending".to_owned(),
                    },
                )
            }
        };
        self.report.push(
            Diagnostic::new(&rules::LINK_UNRESOLVED, document.location(pointer), message).pointer(pointer).help(help),
        );
        None
    }

    /// The position of a config, variant or host by its anchor.
    fn subject(
        &mut self,
        document: &Document,
        pointer: &str,
        wanted: &str,
        subjects: &[subjects::Subject],
    ) -> Option<usize> {
        let anchor = subjects::anchor_of_key(wanted);
        let found = subjects.iter().position(|subject| subject.anchor == anchor);
        if found.is_none() && wanted != subjects::RECORD {
            let help = match nearest(wanted, subjects.iter().map(|subject| subject.anchor.as_str())) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => {
                    let anchors: Vec<_> = subjects.iter().map(|subject| format!("`{}`", subject.anchor)).collect();
                    format!("there are {}", anchors.join(", "))
                }
            };
            self.report.push(
                Diagnostic::new(
                    &rules::LINK_SUBJECT,
                    document.location(pointer),
                    format!("nothing in this record has the anchor `{}`", printable(wanted)),
                )
                .pointer(pointer)
                .help(help),
            );
        }
        found
    }

    fn note_baseline(
        &mut self,
        document: &Document,
        note: &CuratorNote,
        run: &Run,
        subjects: &[subjects::Subject],
    ) -> Option<usize> {
        let position = self.subject(document, "/baseline", note.baseline.as_deref()?, subjects)?;
        if let Some(partial) = run.configs.get(position).and_then(RunConfig::partial_pass) {
            self.report.push(
                Diagnostic::new(
                    &rules::NOTE_PARTIAL_BASELINE,
                    document.location("/baseline"),
                    format!("`{}` is {partial}, and so no baseline", subjects[position].label),
                )
                .pointer("/baseline")
                .help("name a config that met the SLO in every repeat"),
            );
        }
        Some(position)
    }

    fn observations(&mut self, document: &Document, note: &CuratorNote, subjects: &[subjects::Subject]) {
        for (position, observation) in note.observations.iter().enumerate() {
            self.subject(document, &format!("/observations/{position}/subject"), &observation.subject, subjects);
        }
    }

    fn orphan(&mut self, address: &str, attached: &Attached) {
        self.report.push(
            Diagnostic::new(
                &rules::NOTE_ORPHAN,
                attached.document.location(""),
                format!("there is no run record `content/{address}.json` for this curator's note"),
            )
            .help("a curator's note stands beside the record of the same name"),
        );
    }
}
