//! Subjects: the configs, variants and hosts of a record, each with a stable anchor.

use std::collections::BTreeMap;

use super::{Item, Named};
use crate::anchor;
use crate::diagnostic::{Diagnostic, Report, Rule, printable, rules};
use crate::record::{Audit, KvEfficiency, Run};
use crate::schema::Document;

/// Something that figures are about, within one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Fragment of the page, and `subject` in data files.
    pub anchor: String,
    pub label: String,
    /// JSON pointer of the config, variant or host.
    pub pointer: String,
}

/// The anchor of figures that are about the record as a whole.
pub const RECORD: &str = "record";

/// Configs of a run: the key where it is unique, else a slug of the label, `-2`, `-3` when equal.
pub fn of_run(run: &Run, document: &Document, report: &mut Report) -> Vec<Subject> {
    let rules = Rules { key: &rules::RUN_DUPLICATE_KEY, label: &rules::RUN_DUPLICATE_LABEL };
    let names = run.configs.iter().map(|config| (config.key.as_deref(), config.label.as_str()));
    of_configs(names.collect(), rules, document, report)
}

/// Configs of an audit, by the same rule.
pub fn of_audit(audit: &Audit, document: &Document, report: &mut Report) -> Vec<Subject> {
    let rules = Rules { key: &rules::AUDIT_DUPLICATE_KEY, label: &rules::AUDIT_DUPLICATE_LABEL };
    let names = audit.configs.iter().map(|config| (Some(&*config.key), config.label.as_deref().unwrap_or(&config.key)));
    of_configs(names.collect(), rules, document, report)
}

/// A reference by a key that several configs have.
pub fn shared(item: &Item, key: &str, pointer: &str) -> Diagnostic {
    let count = item.sharing(key).unwrap_or_default();
    let message = format!("{count} configs have the key `{}`, so it names none of them", printable(key));
    let problem = Diagnostic::new(&rules::LINK_SUBJECT, item.prose().location(pointer), message).pointer(pointer);
    let anchors: Vec<_> = item.subjects.iter().map(|subject| format!("`{}`", subject.anchor)).collect();
    problem.help(format!("give each config a key of its own; as they are, there are {}", anchors.join(", ")))
}

/// The warnings about configs that are hard to tell apart.
struct Rules {
    key: &'static Rule,
    label: &'static Rule,
}

fn of_configs(
    names: Vec<(Option<&str>, &str)>,
    rules: Rules,
    document: &Document,
    report: &mut Report,
) -> Vec<Subject> {
    let mut times = BTreeMap::<&str, usize>::new();
    for key in names.iter().filter_map(|(key, _)| *key) {
        *times.entry(key).or_default() += 1;
    }
    for (key, count) in times.iter().filter(|(_, count)| **count > 1) {
        let second = names.iter().enumerate().filter(|(_, (found, _))| *found == Some(key)).nth(1);
        let pointer = format!("/configs/{}/key", second.map_or(0, |(position, _)| position));
        let message = format!("{count} configs have the key `{key}`, so their labels name them instead");
        report.push(
            Diagnostic::new(rules.key, document.location(&pointer), message)
                .pointer(pointer)
                .help("give each config a key of its own, or acknowledge the rule with the reason"),
        );
    }
    let wanted = names.iter().map(|(key, label)| match key {
        Some(key) if times.get(key) == Some(&1) => anchor_of_key(key),
        _ => anchor::slug(label),
    });
    let wanted: Vec<_> = wanted.collect();
    if let Some(position) = wanted.iter().position(|name| name == RECORD) {
        let pointer = format!("/configs/{position}");
        let message = format!("config {} has the name `{RECORD}`, which stands for the whole record", position + 1);
        report.push(
            Diagnostic::new(rules.label, document.location(&pointer), message)
                .pointer(pointer)
                .help("give it another key or label; as it is, its figures stand under `record-2`"),
        );
    }
    let mut seen = BTreeMap::<&str, usize>::new();
    for (position, name) in wanted.iter().enumerate() {
        let Some(first) = seen.get(&**name) else {
            seen.insert(name, position);
            continue;
        };
        let pointer = format!("/configs/{position}");
        let message = format!("configs {} and {} have the same name `{name}`", first + 1, position + 1);
        report.push(
            Diagnostic::new(rules.label, document.location(&pointer), message)
                .pointer(pointer)
                .help("give them labels that tell them apart; the later one gets a number"),
        );
    }
    let labels = names.iter().map(|(_, label)| (*label).to_owned());
    let anchors = distinct(wanted);
    let subject = |(position, (anchor, label))| Subject { anchor, label, pointer: format!("/configs/{position}") };
    anchors.into_iter().zip(labels).enumerate().map(subject).collect()
}

/// Variants and then hosts of a note, by key. Other fields refer to them by it, so that an equal one is refused.
pub fn of_note(note: &KvEfficiency, document: &Document, report: &mut Report) -> Vec<Subject> {
    let variants = note
        .variants
        .iter()
        .enumerate()
        .map(|(position, variant)| (&*variant.key, &*variant.label, format!("/variants/{position}")));
    let hosts = note.hosts.iter().enumerate().map(|(position, host)| {
        (&*host.key, host.label.as_deref().unwrap_or(&host.accelerator), format!("/hosts/{position}"))
    });
    let named: Vec<_> = variants.chain(hosts).collect();
    let rates =
        note.hit_rates.iter().enumerate().map(|(position, rate)| (&*rate.key, format!("/hit_rates/{position}")));
    let mut seen = BTreeMap::new();
    for (key, pointer) in named.iter().map(|(key, _, pointer)| (*key, pointer.clone())).chain(rates) {
        let pointer = format!("{pointer}/key");
        if let Some(first) = seen.get(key) {
            let first: &String = first;
            let message = format!("the key `{key}` stands twice in this note");
            let mut problem = Diagnostic::new(&rules::NOTE_DUPLICATE_KEY, document.location(&pointer), message);
            if let Some(span) = document.spans.value(first) {
                problem = problem.related(span, "the first");
            }
            report.push(problem.pointer(pointer).help("variants, hosts and hit rates have keys that all differ"));
        } else {
            seen.insert(key, pointer);
        }
    }
    let anchors = distinct(named.iter().map(|(key, ..)| anchor_of_key(key)).collect());
    let subject = |((_, label, pointer), anchor): ((&str, &str, String), String)| Subject {
        anchor,
        label: label.to_owned(),
        pointer,
    };
    named.into_iter().zip(anchors).map(subject).collect()
}

/// A model of a note, as a subject of figures: its own cache, and the contrast of all layers as full attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSubject {
    pub anchor: String,
    pub all_layers: String,
}

/// Anchors of a note's models: the entry's own name, else a slug of the name; none that a variant or host has.
pub fn of_models(models: &[Named], others: &[Subject]) -> Vec<ModelSubject> {
    let names = models.iter().map(|named| match named.entry().and_then(|address| address.rsplit('/').next()) {
        Some(name) => name.to_owned(),
        None => anchor::slug(&named.name),
    });
    let names: Vec<_> = names.collect();
    let contrasts = names.iter().map(|name| format!("{name}-all-layers"));
    let taken = others.iter().map(|subject| subject.anchor.clone());
    let all = distinct(taken.chain(names.iter().cloned()).chain(contrasts).collect());
    let (own, contrasts) = all[others.len()..].split_at(names.len());
    let pairs = own.iter().zip(contrasts);
    pairs.map(|(anchor, all_layers)| ModelSubject { anchor: anchor.clone(), all_layers: all_layers.clone() }).collect()
}

/// A key stays as it is where it makes a safe fragment.
pub fn anchor_of_key(key: &str) -> String {
    let safe = |part: char| part.is_ascii_alphanumeric() || matches!(part, '_' | '-' | '.');
    if !key.is_empty() && key.chars().all(safe) { key.to_owned() } else { anchor::slug(key) }
}

/// Anchors that all differ; none is that of the record as a whole.
fn distinct(wanted: Vec<String>) -> Vec<String> {
    let record = std::iter::once(RECORD.to_owned());
    anchor::unique(record.chain(wanted).collect()).split_off(1)
}
