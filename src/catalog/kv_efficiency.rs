//! References inside a KV-efficiency note: variants, hosts and models by their keys.

use std::collections::BTreeSet;

use super::link::Links;
use super::{Engine, Item, RECORD, subjects};
use crate::diagnostic::{Diagnostic, nearest, printable, rules};
use crate::record::kv_efficiency::Variant;
use crate::record::{KvEfficiency, NamedReference, Record};
use crate::schema::Document;
use crate::source::Kind;

/// What a variant of a note was measured on. `None` where the note leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arm {
    /// Position in the note's models: the variant's own, else that of its host, else the only one where no variant names its
    /// own.
    pub model: Option<usize>,
    /// Position in the note's hosts: the variant's own, else the only one where no variant names its own.
    pub host: Option<usize>,
    /// Position of the variant that this one is held against: its own, else the note's.
    pub baseline: Option<usize>,
}

impl Links<'_> {
    pub(super) fn kv_efficiency(&mut self, item: &mut Item) {
        let Record::KvEfficiency(note) = &item.record else { return };
        let document = &item.document;
        item.subjects = subjects::of_note(note, document, self.report);
        item.engine = note.engine.clone().map(|name| Engine { name, version: note.engine_version.clone() });
        item.techniques = BTreeSet::from([note.technique]);
        for (position, model) in note.models.iter().enumerate() {
            item.models.push(self.named(model, &format!("/models/{position}"), Kind::Model, document));
        }
        for (position, host) in note.hosts.iter().enumerate() {
            let card = NamedReference { name: host.accelerator.clone(), reference: host.reference.clone() };
            item.cards.push(self.named(&card, &format!("/hosts/{position}"), Kind::Hardware, document));
        }
        item.model_subjects = subjects::of_models(&item.models, &item.subjects);
        item.baseline = match &note.baseline {
            Some(wanted) => self.key(document, "/baseline", wanted, &variant_keys(note)),
            None => note.variants.iter().position(|variant| variant.key == "baseline").or(Some(0)),
        }
        .filter(|_| !note.variants.is_empty());
        item.arms = self.arms(document, note, item.baseline);
        self.hit_rates_and_headline(item, note);
        for (position, related) in note.related.iter().enumerate() {
            self.other(item, &format!("/related/{position}"), related, None);
        }
    }

    fn arms(&mut self, document: &Document, note: &KvEfficiency, baseline: Option<usize>) -> Vec<Arm> {
        let hosts: Vec<_> = note.hosts.iter().map(|host| host.key.as_str()).collect();
        let models: Vec<_> = note.models.iter().map(|model| model.name.as_str()).collect();
        let variants = variant_keys(note);
        for (position, host) in note.hosts.iter().enumerate() {
            if let Some(name) = &host.model {
                self.key(document, &format!("/hosts/{position}/model"), name, &models);
            }
        }
        // Where it is said of some variants, it is not so of the others.
        let only = |count: usize, is_named: fn(&Variant) -> bool| {
            (count == 1 && !note.variants.iter().any(is_named)).then_some(0)
        };
        let variant = |(position, variant): (usize, &Variant)| {
            let at = |field: &str| format!("/variants/{position}/{field}");
            let host = match &variant.host {
                Some(key) => self.key(document, &at("host"), key, &hosts),
                None => only(hosts.len(), |variant| variant.host.is_some()),
            };
            let of_host = || note.model_of(note.hosts.get(host?)?);
            Arm {
                model: match &variant.model {
                    Some(name) => self.key(document, &at("model"), name, &models),
                    None => of_host().or(only(models.len(), |variant| variant.model.is_some())),
                },
                host,
                baseline: match &variant.baseline {
                    Some(key) => self.key(document, &at("baseline"), key, &variants),
                    None => baseline,
                },
            }
        };
        note.variants.iter().enumerate().map(variant).collect()
    }

    fn hit_rates_and_headline(&mut self, item: &Item, note: &KvEfficiency) {
        let document = &item.document;
        let mut keys = variant_keys(note);
        keys.extend(note.hosts.iter().map(|host| host.key.as_str()));
        for (position, rate) in note.hit_rates.iter().enumerate() {
            if let Some(subject) = &rate.subject {
                self.key(document, &format!("/hit_rates/{position}/subject"), subject, &keys);
            }
        }
        keys.extend(note.hit_rates.iter().map(|rate| rate.key.as_str()));
        keys.extend(item.model_subjects.iter().flat_map(|model| [model.anchor.as_str(), model.all_layers.as_str()]));
        keys.push(RECORD);
        if let Some(headline) = note.headline.as_ref().filter(|_| item.knows_its_models()) {
            self.key(document, "/headline/subject", &headline.subject, &keys);
        }
    }

    /// The position of a key among those that the field may name.
    fn key(&mut self, document: &Document, pointer: &str, wanted: &str, known: &[&str]) -> Option<usize> {
        let found = known.iter().position(|key| *key == wanted);
        if found.is_none() {
            let help = match nearest(wanted, known.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None if known.is_empty() => "the note names none".to_owned(),
                None => {
                    let known: BTreeSet<_> = known.iter().map(|key| format!("`{}`", printable(key))).collect();
                    format!("there are {}", Vec::from_iter(known).join(", "))
                }
            };
            let message = format!("nothing in this note has the name `{}`", printable(wanted));
            let problem = Diagnostic::new(&rules::LINK_SUBJECT, document.location(pointer), message);
            self.report.push(problem.pointer(pointer).help(help));
        }
        found
    }
}

fn variant_keys(note: &KvEfficiency) -> Vec<&str> {
    note.variants.iter().map(|variant| variant.key.as_str()).collect()
}
