//! The settings of a site: `site.toml` held against its schema, whole or setting by setting.

use serde_json::{Map, Value};
use std::sync::Arc;

use super::{Document, Parsed, document, fitting, json, read, shipped};
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::source::{Kind, Source};

/// `site.toml` as a document, or its problems.
pub fn validate_site(source: &Source, report: &mut Report) -> Option<Document> {
    let schemas = shipped(report)?;
    let mut problems = Report::new();
    let document = document(schemas, source, &mut problems);
    report.extend(problems);
    document
}

/// What is sound in settings that do not fit their schema, with a stand-in for what a site must have: so that the
/// content can be held against its rules all the same. `None` where the file cannot be read at all.
pub fn sound_settings(source: &Source) -> Option<Document> {
    let (Parsed { value, spans, .. }, body) = read(source.kind, &source.text, &mut Report::new())?;
    let Value::Object(members) = value else { return None };
    let mut sound = required();
    sound.extend(members.into_iter().filter(|(name, value)| setting(name, value.clone()).is_none()));
    Some(Document {
        kind: source.kind,
        address: source.address.clone(),
        text: Arc::clone(&source.text),
        sha256: source.sha256.clone(),
        spans,
        body,
        value: Some(Value::Object(sound)),
    })
}

/// Holds one setting against the schema of all, and gives what is wrong with it.
pub fn setting(name: &str, value: Value) -> Option<Diagnostic> {
    let mut settings = required();
    settings.insert(name.to_owned(), value);
    let text = Arc::new(SourceText::new("", Value::Object(settings).to_string()));
    let mut report = Report::new();
    let schemas = shipped(&mut report)?;
    let parsed = json::parse(&text, &mut report)?;
    fitting(schemas, Kind::Site.name(), &text, parsed, &mut report);
    report.diagnostics().next().cloned()
}

/// The least that settings hold.
fn required() -> Map<String, Value> {
    let member = |(name, value): (&str, &str)| (name.to_owned(), Value::from(value));
    [("title", "-"), ("base_url", "https://site.example")].into_iter().map(member).collect()
}
