//! A file that is read but not yet held against its schema.

use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

use super::spans::Spans;
use crate::diagnostic::{Diagnostic, Location, SourceText, rules};

/// A value with the spans of its parts.
#[derive(Debug)]
pub(super) struct Parsed {
    pub value: Value,
    pub spans: Spans,
}

/// Objects and lists within each other; well below serde_json's own limit of 128.
pub(super) const MAX_DEPTH: usize = 64;

pub(super) fn too_deep(text: &Arc<SourceText>, at: usize) -> Diagnostic {
    let message = format!("too deep: expected at most {MAX_DEPTH} levels of nesting, found more");
    Diagnostic::new(&rules::FILE_DEPTH, span(text, at..at + 1), message)
}

pub(super) fn span(text: &Arc<SourceText>, span: Range<usize>) -> Location {
    Location::Span { text: Arc::clone(text), span }
}
