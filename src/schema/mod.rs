//! Sources against their JSON Schema: documents in which every value has a span.

use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Location, SourceText};
use crate::source::Kind;

mod front_matter;
mod json;
mod json_syntax;
mod parsed;
mod plain;
mod spans;
mod yaml;

pub use spans::Spans;

/// A file that parses and fits its schema. Only `validate` makes one.
#[derive(Debug)]
pub struct Document {
    pub kind: Kind,
    pub address: String,
    pub text: Arc<SourceText>,
    pub sha256: String,
    /// The record: the JSON value, or the front matter.
    pub value: Value,
    pub spans: Spans,
    /// Bytes of the Markdown body, for kinds that have one.
    pub body: Option<Range<usize>>,
}

impl Document {
    /// The place of the value at a JSON pointer, else of the nearest value above it.
    pub fn location(&self, pointer: &str) -> Location {
        let span = self.spans.nearest(pointer);
        Location::Span { text: Arc::clone(&self.text), span }
    }
}
