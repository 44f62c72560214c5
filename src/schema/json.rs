//! JSON text into a value and the spans of all its parts.

use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::json_syntax;
use super::parsed::{MAX_DEPTH, Parsed, too_deep};
use super::spans::Builder;
use crate::diagnostic::{Diagnostic, Location, Report, Rule, SourceText, rules};

/// Grammar and values are serde_json's; the places are found by one pass over text it has accepted.
pub(super) fn parse(text: &Arc<SourceText>, report: &mut Report) -> Option<Parsed> {
    let value: Value = match serde_json::from_str(&text.text) {
        Ok(value) => value,
        Err(error) => {
            report.push(json_syntax::explain(text, &error));
            return None;
        }
    };
    let builder = match scan(&text.text) {
        Ok(builder) => builder,
        Err(TooDeep(at)) => {
            report.push(too_deep(text, at));
            return None;
        }
    };
    for twice in &builder.duplicates {
        report.push(duplicate_key(&rules::JSON_DUPLICATE_KEY, text, twice));
    }
    Some(Parsed { value, spans: builder.finish(text) })
}

pub(super) fn duplicate_key(
    rule: &'static Rule,
    text: &Arc<SourceText>,
    twice: &super::spans::Duplicate,
) -> Diagnostic {
    let location = Location::Span { text: Arc::clone(text), span: twice.second.clone() };
    Diagnostic::new(rule, location, format!("the key `{}` stands twice in one object", twice.name))
        .pointer(&twice.pointer)
        .related(twice.first.clone(), "first here")
        .help("keep one of the two")
}

/// The offset of the bracket that opens one level too many.
struct TooDeep(usize);

/// Spans of text that is known to be JSON.
fn scan(text: &str) -> Result<Builder<'_>, TooDeep> {
    let bytes = text.as_bytes();
    let mut builder = Builder::new(text);
    // Which of the open containers are objects.
    let mut objects: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => {}
            b'{' | b'[' => {
                if builder.depth() == MAX_DEPTH {
                    return Err(TooDeep(start));
                }
                builder.open(start);
                objects.push(*byte == b'{');
            }
            b'}' | b']' => {
                builder.close(at);
                objects.pop();
            }
            b'"' => {
                at = string_end(bytes, at);
                if objects.last() == Some(&true) && !builder.has_key() {
                    let inside = start + 1..at - 1;
                    builder.key(inside.clone(), name(text, inside, start..at));
                } else {
                    builder.scalar(start..at);
                }
            }
            _ => {
                let length = bytes[at..]
                    .iter()
                    .position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'E' | b'+' | b'-'));
                at = length.map_or(bytes.len(), |length| at + length);
                builder.scalar(start..at);
            }
        }
    }
    Ok(builder)
}

/// The offset just past a string's closing quotation mark; `at` is just past its opening one.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn name(text: &str, inside: Range<usize>, quoted: Range<usize>) -> Cow<'_, str> {
    let written = &text[inside];
    if !written.contains('\\') {
        return written.into();
    }
    serde_json::from_str::<String>(&text[quoted]).map_or(written.into(), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::spans::joined;
    use super::*;

    fn parsed(text: &str) -> (Option<Parsed>, Vec<Diagnostic>) {
        let mut report = Report::new();
        let parsed = parse(&Arc::new(SourceText::new("a.json", text)), &mut report);
        (parsed, report.diagnostics().cloned().collect())
    }

    #[test]
    fn keys_and_values_are_found_as_written() {
        let text = r#"{"a": [1, {"b/c": 8.40, "é\u0041": "x\"y"}], "": null}"#;
        let spans = parsed(text).0.expect("valid").spans;
        let key = |pointer| spans.key(pointer).map(|span| &text[span]);
        assert_eq!(spans.written(""), Some(text));
        assert_eq!(spans.written("/a/0"), Some("1"));
        assert_eq!(spans.written("/a/1/b~1c"), Some("8.40"));
        assert_eq!(key("/a/1/b~1c"), Some("b/c"));
        assert_eq!(spans.written("/a/1/éA"), Some(r#""x\"y""#));
        assert_eq!(spans.written("/"), Some("null"));
        assert_eq!((spans.value("/a/2"), key("/a/0"), key("/x")), (None, None, None));
        assert_eq!(&text[spans.nearest("/a/0/no/such")], "1");
    }

    #[test]
    fn duplicate_keys_are_named_with_both_places_at_every_depth() {
        let text = r#"{"g": 1, "c": [0, {"x": 1, "\u0078": 2}], "g": 3}"#;
        let problems = parsed(text).1;
        let said: Vec<_> = problems
            .iter()
            .map(|one| (one.message.as_str(), one.pointer.as_deref(), one.location.offset(), one.related.clone()))
            .collect();
        let first = |span| Some((span, "first here".to_owned()));
        assert_eq!(
            said,
            [
                ("the key `x` stands twice in one object", Some("/c/1/x"), 28, first(20..21)),
                ("the key `g` stands twice in one object", Some("/g"), 43, first(2..3)),
            ]
        );
    }

    #[test]
    fn depth_is_limited_with_a_place() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parsed(&nested(64)).1.is_empty());
        for depth in [65, 127, 1_000_000] {
            let problems = parsed(&nested(depth)).1;
            assert_eq!(problems.len(), 1);
            assert_eq!((problems[0].rule.code, problems[0].location.offset()), ("file/depth", 64));
        }
        let objects = parsed(&r#"{"a":"#.repeat(1_000_000)).1;
        assert_eq!((objects[0].rule.code, objects[0].location.offset()), ("file/depth", 64 * 5));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Every value, read again from its span alone, is the value that serde_json gave.
    fn agree(value: &Value, pointer: &str, text: &str, parsed: &Parsed) {
        let written = parsed.spans.written(pointer).expect("every value has a span");
        assert_eq!(&serde_json::from_str::<Value>(written).expect("a value alone is JSON"), value, "at {pointer}");
        match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(index, item)| agree(item, &joined(pointer, &index.to_string()), text, parsed)),
            Value::Object(members) => members.iter().for_each(|(name, member)| {
                let pointer = joined(pointer, name);
                let key = parsed.spans.key(&pointer).expect("every member has a key");
                let key = format!("\"{}\"", &text[key]);
                assert_eq!(&serde_json::from_str::<String>(&key).expect("a key is a string"), name);
                agree(member, &pointer, text, parsed);
            }),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn spans_and_values_agree_on_any_json(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let (parsed, problems) = parsed(&text);
            prop_assert!(problems.is_empty());
            let parsed = parsed.expect("serde_json wrote it");
            agree(&parsed.value, "", &text, &parsed);
        }
    }
}
