//! Subjects: the configs, variants and hosts of a record, each with a stable anchor.

use std::collections::BTreeMap;

use super::Named;
use crate::anchor;
use crate::diagnostic::{Diagnostic, Report};
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
    let mut times = BTreeMap::<&str, usize>::new();
    for config in &run.configs {
        if let Some(key) = &config.key {
            *times.entry(key).or_default() += 1;
        }
    }
    if let Some((key, count)) = times.iter().find(|(_, count)| **count > 1) {
        let second = run.configs.iter().enumerate().filter(|(_, config)| config.key.as_deref() == Some(key)).nth(1);
        let pointer = format!("/configs/{}/key", second.map_or(0, |(position, _)| position));
        report.push(
            Diagnostic::warning(
                "run/duplicate-key",
                document.location(&pointer),
                format!("{count} configs have the key `{key}`, so their labels name them instead"),
            )
            .pointer(pointer)
            .help("give each config a key of its own, or acknowledge the rule in the curator's note"),
        );
    }
    let wanted = run.configs.iter().map(|config| match &config.key {
        Some(key) if times.get(key.as_str()) == Some(&1) => anchor_of_key(key),
        _ => anchor::slug(&config.label),
    });
    let labels = run.configs.iter().map(|config| config.label.clone());
    distinct(wanted.collect(), labels.collect(), "/configs", document, report)
}

/// Configs of an audit, by key.
pub fn of_audit(audit: &Audit, document: &Document, report: &mut Report) -> Vec<Subject> {
    let wanted = audit.configs.iter().map(|config| anchor_of_key(&config.key));
    let labels = audit.configs.iter().map(|config| config.label.clone().unwrap_or_else(|| config.key.clone()));
    distinct(wanted.collect(), labels.collect(), "/configs", document, report)
}

/// Variants and then hosts of a note, by key.
pub fn of_note(note: &KvEfficiency, document: &Document, report: &mut Report) -> Vec<Subject> {
    let variants = distinct(
        note.variants.iter().map(|variant| anchor_of_key(&variant.key)).collect(),
        note.variants.iter().map(|variant| variant.label.clone()).collect(),
        "/variants",
        document,
        report,
    );
    let hosts = distinct(
        note.hosts.iter().map(|host| anchor_of_key(&host.key)).collect(),
        note.hosts.iter().map(|host| host.label.clone().unwrap_or_else(|| host.accelerator.clone())).collect(),
        "/hosts",
        document,
        report,
    );
    variants.into_iter().chain(hosts).collect()
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
    let all = anchor::unique(taken.chain(names.iter().cloned()).chain(contrasts).collect());
    let (own, contrasts) = all[others.len()..].split_at(names.len());
    let pairs = own.iter().zip(contrasts);
    pairs.map(|(anchor, all_layers)| ModelSubject { anchor: anchor.clone(), all_layers: all_layers.clone() }).collect()
}

/// A key stays as it is where it makes a safe fragment.
pub fn anchor_of_key(key: &str) -> String {
    let safe = |part: char| part.is_ascii_alphanumeric() || matches!(part, '_' | '-' | '.');
    if !key.is_empty() && key.chars().all(safe) { key.to_owned() } else { anchor::slug(key) }
}

fn distinct(
    wanted: Vec<String>,
    labels: Vec<String>,
    folder: &str,
    document: &Document,
    report: &mut Report,
) -> Vec<Subject> {
    let mut seen = BTreeMap::<String, usize>::new();
    for (position, name) in wanted.iter().enumerate() {
        if let Some(first) = seen.get(name) {
            let pointer = format!("{folder}/{position}");
            report.push(
                Diagnostic::warning(
                    "run/duplicate-label",
                    document.location(&pointer),
                    format!("entries {} and {} have the same name `{name}`", first + 1, position + 1),
                )
                .pointer(pointer)
                .help("give them labels that tell them apart; the later one gets a number"),
            );
        } else {
            seen.insert(name.clone(), position);
        }
    }
    let anchors = anchor::unique(wanted);
    let subject = |(position, (anchor, label))| Subject { anchor, label, pointer: format!("{folder}/{position}") };
    anchors.into_iter().zip(labels).enumerate().map(subject).collect()
}
