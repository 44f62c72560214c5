//! JSON of other tools, which write `NaN` and `Infinity` where they mean that there is no value.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::Foreign;
use crate::diagnostic::{Location, Report, SourceText};
use crate::schema::{self, Spans};

/// The value of a file, with the place of each part.
#[derive(Debug)]
pub struct Json {
    pub value: Value,
    text: Arc<SourceText>,
    spans: Spans,
}

impl Json {
    /// Reads a file; what is no JSON is reported.
    pub fn read(file: &Foreign, report: &mut Report) -> Option<Self> {
        let text = match with_nulls(&file.text.text) {
            Cow::Borrowed(_) => Arc::clone(&file.text),
            Cow::Owned(text) => Arc::new(SourceText::new(file.text.path.clone(), text)),
        };
        let (value, spans) = schema::foreign_json(&text, report)?;
        Some(Json { value, text, spans })
    }

    /// The place of the value at a pointer, else of the nearest above it.
    pub fn location(&self, pointer: &str) -> Location {
        Location::Span { text: Arc::clone(&self.text), span: self.spans.nearest(pointer) }
    }
}

/// Text with `null` in place of numbers that JSON does not have, outside of strings.
fn with_nulls(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];
    let mut out = String::new();
    let mut rest = text;
    let mut kept = 0;
    while let Some(at) = rest.find(['"', 'N', 'I', '-']) {
        let found = &rest[at..];
        if found.starts_with('"') {
            rest = &rest[at + string_length(found)..];
        } else if let Some(word) = WORDS.iter().find(|word| found.starts_with(**word)) {
            let start = text.len() - found.len();
            out.push_str(&text[kept..start]);
            out.push_str("null");
            kept = start + word.len();
            rest = &text[kept..];
        } else {
            rest = &rest[at + 1..];
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Bytes of the string that the text begins with, its quotation marks included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_no_values() {
        for (text, expected) in [
            (r#"{"a": NaN, "b": [-Infinity, Infinity]}"#, r#"{"a": null, "b": [null, null]}"#),
            (r#"{"NaN": "a \" NaN", "b": -1}"#, r#"{"NaN": "a \" NaN", "b": -1}"#),
            (r#"{"a": "open NaN"#, r#"{"a": "open NaN"#),
            ("", ""),
        ] {
            assert_eq!(with_nulls(text), expected);
        }
    }
}
