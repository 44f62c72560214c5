//! Files that are no content: other tools' JSON, and the answers to an import of it.

use std::sync::Arc;

use serde_json::Value;

use super::parsed::Parsed;
use super::{Spans, fitting, json, json_syntax, shipped, toml};
use crate::diagnostic::{Diagnostic, Report, SourceText};

/// JSON that is held against no schema of ours, with the place of each value; what is no JSON is reported.
pub fn foreign_json(text: &Arc<SourceText>, report: &mut Report) -> Option<(Value, Spans)> {
    let mut problems = Report::new();
    let parsed = json::parse(text, &mut problems);
    let refused = problems.has_errors();
    report.extend(problems);
    parsed.filter(|_| !refused).map(|Parsed { value, spans, .. }| (value, spans))
}

/// The value of `import.toml`, which is no content; what is wrong with it is reported.
pub fn answers(text: &Arc<SourceText>, report: &mut Report) -> Option<Value> {
    let schemas = shipped(report)?;
    let mut problems = Report::new();
    let parsed = toml::parse(text, &mut problems);
    let fits = parsed.and_then(|parsed| fitting(schemas, "import", text, parsed, &mut problems));
    report.extend(problems);
    fits.map(|parsed| parsed.value)
}

/// Why a text is not JSON, by the parser's error.
pub fn explain_json(text: &Arc<SourceText>, error: &serde_json::Error) -> Diagnostic {
    json_syntax::explain(text, error)
}
