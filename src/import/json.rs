//! JSON of other tools: several values in one file, log lines before them, and numbers that JSON does not have.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Foreign;
use super::named;
use crate::diagnostic::{Diagnostic, Location, Report, SourceText};
use crate::schema::{self, Spans};

/// What stands for the bare word `NaN`, which is no value.
pub const NO_NUMBER: &str = "nan";

/// What stands for a number without bound: vLLM writes it so, SGLang as the bare word `Infinity`.
pub const UNLIMITED: &str = "inf";

/// The one value of a file, with the place of each part.
#[derive(Debug)]
pub struct Json {
    pub value: Value,
    text: Arc<SourceText>,
    spans: Spans,
}

impl Json {
    /// Reads a file; what is no JSON is reported.
    pub fn read(file: &Foreign, report: &mut Report) -> Option<Self> {
        let text = strict(&file.text);
        let (value, spans) = schema::foreign_json(&text, report)?;
        Some(Json { value, text, spans })
    }

    /// The place of the value at a pointer, else of the nearest above it.
    pub fn location(&self, pointer: &str) -> Location {
        Location::Span { text: Arc::clone(&self.text), span: self.spans.nearest(pointer) }
    }
}

/// The values of a file one after the other, without places: results hold an array a request.
#[derive(Debug, Default)]
pub struct Values {
    pub found: Vec<Value>,
    /// Why the file is not read to its end.
    pub fault: Option<Diagnostic>,
    /// Keys that stand twice in one object; the last counts, as for the tools that write such files.
    pub twice: BTreeSet<String>,
}

impl Values {
    /// Reads from the first line on which an object or a list of objects begins.
    pub fn read(text: &Arc<SourceText>) -> Self {
        let text = strict(text);
        let Some(start) = start(&text.text) else { return Values::default() };
        let mut values = Values::default();
        let mut stream = serde_json::Deserializer::from_str(&text.text[start..]).into_iter::<Tolerant>();
        for value in &mut stream {
            match value {
                Ok(Tolerant { value, twice }) => {
                    values.found.push(value);
                    values.twice.extend(twice);
                }
                Err(error) => {
                    let rest = &text.text[start..];
                    let text =
                        if start == 0 { Arc::clone(&text) } else { Arc::new(SourceText::new(&*text.path, rest)) };
                    values.fault = Some(schema::explain_json(&text, &error));
                }
            }
        }
        values
    }

    /// The objects, those in lists included.
    pub fn objects(&self) -> impl Iterator<Item = Fields<'_>> {
        let items = self.found.iter().flat_map(|value| match value {
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        });
        items.filter_map(Value::as_object).map(Fields)
    }
}

/// The fields of an object, by the types that tools mean.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a>(pub &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// A value that is not null.
    pub fn value(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// Whether the key stands there, with a value or null.
    pub fn has(self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// A finite number, also one that was written as text.
    pub fn number(self, key: &str) -> Option<f64> {
        self.value(key).and_then(number)
    }

    /// A whole number that is not negative, however it is written.
    pub fn count(self, key: &str) -> Option<u64> {
        // Up to 2^53 every whole number is exact.
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(number);
        self.number(key).filter(whole).map(|number| number as u64)
    }

    /// Text of one line that may be published.
    pub fn text(self, key: &str) -> Option<String> {
        named::words(self.value(key)?.as_str()?)
    }

    pub fn part(self, key: &str) -> Option<Fields<'a>> {
        self.value(key)?.as_object().map(Fields)
    }

    pub fn list(self, key: &str) -> Option<&'a [Value]> {
        self.value(key)?.as_array().map(Vec::as_slice)
    }

    pub fn iter(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}

/// A finite number, also one that was written as text.
pub fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// The byte at which JSON begins: lines of a log may stand before it.
fn start(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let list = trimmed.strip_prefix('[').map(str::trim_start);
        if trimmed.starts_with('{') || list.is_some_and(|rest| rest.is_empty() || rest.starts_with(['{', ']'])) {
            return Some(at + line.len() - trimmed.len());
        }
        at += line.len();
    }
    None
}

/// The text with JSON in place of numbers that JSON does not have, outside of strings.
fn strict(text: &Arc<SourceText>) -> Arc<SourceText> {
    match with_words(&text.text) {
        Cow::Borrowed(_) => Arc::clone(text),
        Cow::Owned(strict) => Arc::new(SourceText::new(text.path.clone(), strict)),
    }
}

fn with_words(text: &str) -> Cow<'_, str> {
    // What is no number is no null either: a null may stand for no limit.
    const WORDS: [(&str, &str); 3] = [("-Infinity", "\"nan\""), ("Infinity", "\"inf\""), ("NaN", "\"nan\"")];
    let mut out = String::new();
    let mut rest = text;
    let mut kept = 0;
    while let Some(at) = rest.find(['"', 'N', 'I', '-']) {
        let found = &rest[at..];
        if found.starts_with('"') {
            rest = &rest[at + string_length(found)..];
        } else if let Some((word, json)) = WORDS.iter().find(|(word, _)| found.starts_with(word)) {
            let start = text.len() - found.len();
            out.push_str(&text[kept..start]);
            out.push_str(json);
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

/// A value, and the keys that stand twice in an object of it.
struct Tolerant {
    value: Value,
    twice: BTreeSet<String>,
}

impl From<Value> for Tolerant {
    fn from(value: Value) -> Self {
        Tolerant { value, twice: BTreeSet::new() }
    }
}

impl<'de> Deserialize<'de> for Tolerant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TolerantVisitor)
    }
}

struct TolerantVisitor;

impl<'de> Visitor<'de> for TolerantVisitor {
    type Value = Tolerant;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tolerant, E> {
        Ok(Value::Null.into())
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tolerant, E> {
        Ok(Value::from(value).into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tolerant, E> {
        Ok(Value::from(value).into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tolerant, E> {
        Ok(Value::from(value).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tolerant, E> {
        Ok(Value::from(value).into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Tolerant, E> {
        Ok(Value::from(value).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tolerant, A::Error> {
        let (mut list, mut twice) = (Vec::new(), BTreeSet::new());
        while let Some(item) = items.next_element::<Tolerant>()? {
            list.push(item.value);
            twice.extend(item.twice);
        }
        Ok(Tolerant { value: Value::Array(list), twice })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tolerant, A::Error> {
        let (mut object, mut twice) = (Map::new(), BTreeSet::new());
        while let Some((key, member)) = members.next_entry::<String, Tolerant>()? {
            twice.extend(member.twice);
            if object.insert(key.clone(), member.value).is_some() {
                twice.insert(key);
            }
        }
        Ok(Tolerant { value: Value::Object(object), twice })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values(text: &str) -> Values {
        Values::read(&Arc::new(SourceText::new("a.json", text)))
    }

    #[test]
    fn numbers_that_json_does_not_have_are_no_values_or_no_limit() {
        for (text, expected) in [
            (r#"{"a": NaN, "b": [-Infinity, Infinity]}"#, r#"{"a": "nan", "b": ["nan", "inf"]}"#),
            (r#"{"NaN": "a \" NaN", "b": -1}"#, r#"{"NaN": "a \" NaN", "b": -1}"#),
            (r#"{"a": "open NaN"#, r#"{"a": "open NaN"#),
            ("", ""),
        ] {
            assert_eq!(with_words(text), expected);
        }
    }

    #[test]
    fn a_file_may_hold_several_values_after_lines_of_a_log() {
        for (text, found, whole) in [
            ("{\"a\": 1}\n{\"a\": 2}\n", json!([{"a": 1}, {"a": 2}]), true),
            ("{\"a\": 1}{\"a\": 2}", json!([{"a": 1}, {"a": 2}]), true),
            ("[INFO] ready\ndevice 0: x\n[\n {\"a\": 1}]\n", json!([[{"a": 1}]]), true),
            ("{\"a\": 1}\n{\"a\": 2", json!([{"a": 1}]), false),
            ("{\"a\": 1}\nready\n", json!([{"a": 1}]), false),
            ("words\n", json!([]), true),
            ("", json!([]), true),
        ] {
            let values = values(text);
            assert_eq!((json!(values.found), values.fault.is_none()), (found, whole), "{text}");
        }
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_counts_and_the_key_is_named() {
        let values = values(r#"{"a": 1, "b": [{"c": 1, "c": 2}], "a": 3}"#);
        assert_eq!(json!(values.found), json!([{"a": 3, "b": [{"c": 2}]}]));
        assert_eq!(values.twice.into_iter().collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn fields_are_read_by_what_is_meant() {
        let value = json!({"a": "0.5", "b": 3.0, "c": -1, "d": "inf", "e": null, "f": " x\u{202e}y \n", "g": 1e300});
        let fields = Fields(value.as_object().expect("an object"));
        let numbers = ["a", "b", "c", "d", "e", "h"].map(|key| fields.number(key));
        assert_eq!(numbers, [Some(0.5), Some(3.0), Some(-1.0), None, None, None]);
        assert_eq!(["b", "a", "c", "g"].map(|key| fields.count(key)), [Some(3), None, None, None]);
        assert_eq!((fields.text("f").as_deref(), fields.text("e")), (Some("xy"), None));
        assert_eq!((fields.has("e"), fields.value("e")), (true, None));
    }
}
