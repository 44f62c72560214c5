//! YAML front matter into a value and the spans of all its parts.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::front_matter::FrontMatter;
use super::json::duplicate_key;
use super::parsed::{MAX_DEPTH, Parsed, span, too_deep};
use super::plain::{self, Plain};
use super::spans::Builder;
use crate::diagnostic::{Diagnostic, Report, SourceText, quoted, rules};

/// Reads the block of a Markdown file: one document of plain maps, lists and scalars.
pub(super) fn parse(text: &Arc<SourceText>, block: &FrontMatter, report: &mut Report) -> Option<Parsed> {
    let mut reader = Reader {
        text,
        offsets: Offsets::new(&text.text, block.yaml.clone()),
        builder: Builder::new(&text.text),
        open: Vec::new(),
        root: None,
        report,
    };
    reader.read(block)?;
    let Reader { builder, root, report, .. } = reader;
    for twice in &builder.duplicates {
        report.push(duplicate_key(&rules::YAML_DUPLICATE_KEY, text, twice));
    }
    let value = root.unwrap_or_else(|| Value::Object(Map::new()));
    Some(Parsed { value, spans: builder.finish(text) })
}

struct Reader<'t, 'r> {
    text: &'t Arc<SourceText>,
    offsets: Offsets,
    builder: Builder<'t>,
    open: Vec<Container>,
    root: Option<Value>,
    report: &'r mut Report,
}

enum Container {
    Object(Map<String, Value>, Option<String>),
    List(Vec<Value>),
}

impl Reader<'_, '_> {
    /// `None` when the rest cannot be read; what can be is reported with the rest of the file.
    fn read(&mut self, block: &FrontMatter) -> Option<()> {
        let text = Arc::clone(self.text);
        let mut parser = Parser::new_from_str(&text.text[block.yaml.clone()]);
        let mut documents = 0;
        while let Some(event) = parser.next_event() {
            let (event, at) = match event {
                Ok((event, at)) => (event, self.offsets.range(at.start.index(), at.end.index())),
                Err(error) => return self.syntax(&error),
            };
            match event {
                Event::DocumentStart(_) if documents == 1 => return self.refuse(at, "a second document"),
                Event::DocumentStart(_) => documents += 1,
                Event::MappingStart(anchor, tag) => {
                    self.open(Container::Object(Map::new(), None), at, anchor, tag, block)?
                }
                Event::SequenceStart(anchor, tag) => self.open(Container::List(Vec::new()), at, anchor, tag, block)?,
                Event::Scalar(value, style, anchor, tag) => self.scalar(value, style, at, anchor, tag)?,
                Event::MappingEnd | Event::SequenceEnd => self.close(at, block),
                Event::Alias(_) => self.refuse(at, "an alias")?,
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
        }
        if documents == 0 {
            self.builder.open(block.whole.start);
            self.builder.close(block.whole.end);
        }
        Some(())
    }

    fn open(
        &mut self,
        container: Container,
        at: Range<usize>,
        anchor: usize,
        tag: Option<Cow<'_, Tag>>,
        block: &FrontMatter,
    ) -> Option<()> {
        self.refuse_properties(&at, anchor, tag)?;
        if self.expects_key() {
            return self.refuse(at, "a map or list as a key");
        }
        if self.open.len() == MAX_DEPTH {
            self.report.push(too_deep(self.text, at.start));
            return None;
        }
        if self.open.is_empty() && matches!(container, Container::List(_)) {
            return self.no_fields(at);
        }
        // The root is the whole block, so that what it lacks is shown at the opening fence.
        let start = if self.open.is_empty() { block.whole.start } else { at.start };
        self.builder.open(start);
        self.open.push(container);
        Some(())
    }

    fn close(&mut self, at: Range<usize>, block: &FrontMatter) {
        let Some(closed) = self.open.pop() else { return };
        let end = match self.builder.end_of_last() {
            _ if self.open.is_empty() => block.whole.end,
            // A block without brackets ends with its last value, not where the next line begins.
            Some(end) if at.is_empty() => end,
            _ => at.end,
        };
        self.builder.close(end);
        let value = match closed {
            Container::Object(members, _) => Value::Object(members),
            Container::List(items) => Value::Array(items),
        };
        self.add(value);
    }

    fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: ScalarStyle,
        at: Range<usize>,
        anchor: usize,
        tag: Option<Cow<'_, Tag>>,
    ) -> Option<()> {
        self.refuse_properties(&at, anchor, tag)?;
        let at = self.written(at, style);
        if self.expects_key() {
            return self.key(value, style, at);
        }
        if self.open.is_empty() {
            return self.no_fields(at);
        }
        let value = match style {
            ScalarStyle::Plain => match plain::resolve(&value) {
                Plain::Value(value) => value,
                Plain::Ambiguous => {
                    let message = format!("{} is not the same number to every reader of YAML", quoted(&value));
                    let help = "quote it if it is text; write a number as 17, 0.5 or 1e9; leave a missing one out";
                    self.report
                        .push(Diagnostic::new(&rules::YAML_AMBIGUOUS, span(self.text, at.clone()), message).help(help));
                    Value::String(value.into_owned())
                }
            },
            _ => Value::String(value.into_owned()),
        };
        self.builder.scalar(at);
        self.add(value);
        Some(())
    }

    fn key(&mut self, name: Cow<'_, str>, style: ScalarStyle, at: Range<usize>) -> Option<()> {
        if style == ScalarStyle::Plain && name == "<<" {
            return self.refuse(at, "a merge key");
        }
        if name.is_empty() {
            return self.refuse(at, "an empty key");
        }
        let inside = match style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => at.start + 1..at.end - 1,
            _ => at,
        };
        self.builder.key(inside, name.clone().into_owned());
        if let Some(Container::Object(_, key)) = self.open.last_mut() {
            *key = Some(name.into_owned());
        }
        Some(())
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Container::Object(members, key)) => {
                members.insert(key.take().unwrap_or_default(), value);
            }
            Some(Container::List(items)) => items.push(value),
            None => self.root = Some(value),
        }
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Container::Object(_, None)))
    }

    /// A place without the blanks at its end.
    fn trimmed(&self, at: Range<usize>) -> Range<usize> {
        at.start..at.start + self.text.text[at].trim_end().len()
    }

    /// The place of a scalar, without what the parser counts to it: blanks, and a comment after a quotation mark.
    fn written(&self, at: Range<usize>, style: ScalarStyle) -> Range<usize> {
        let length = match style {
            ScalarStyle::DoubleQuoted => closing_quote(&self.text.text[at.clone()], b'"'),
            ScalarStyle::SingleQuoted => closing_quote(&self.text.text[at.clone()], b'\''),
            _ => None,
        };
        length.map_or_else(|| self.trimmed(at.clone()), |length| at.start..at.start + length)
    }

    fn refuse_properties(&mut self, at: &Range<usize>, anchor: usize, tag: Option<Cow<'_, Tag>>) -> Option<()> {
        match (anchor, tag) {
            (0, None) => Some(()),
            (0, Some(_)) => self.refuse(at.clone(), "a tag"),
            _ => self.refuse(at.clone(), "an anchor"),
        }
    }

    /// Reports what front matter does not hold. Always `None`: what follows would mislead.
    fn refuse(&mut self, at: Range<usize>, what: &str) -> Option<()> {
        let location = span(self.text, self.trimmed(at));
        let message = format!("expected plain fields, found {what}");
        self.report.push(
            Diagnostic::new(&rules::YAML_UNSUPPORTED, location, message)
                .help("write each value out; anchors, aliases, tags, merge keys and further documents are not read"),
        );
        None
    }

    fn no_fields(&mut self, at: Range<usize>) -> Option<()> {
        let location = span(self.text, self.trimmed(at));
        let message = "expected lines of `field: value`, found none";
        let help = "is the blank after the colon missing?";
        self.report.push(Diagnostic::new(&rules::YAML_SYNTAX, location, message).help(help));
        None
    }

    fn syntax(&mut self, error: &ScanError) -> Option<()> {
        let start = self.offsets.byte(error.marker().index());
        let first = self.text.text[start..].chars().next();
        if first == Some('*') {
            return self.refuse(start..start + 1, "an alias");
        }
        let help = match (error.info(), first) {
            (info, _) if info.contains("recursion limit") => {
                self.report.push(too_deep(self.text, start));
                return None;
            }
            (info, _) if info.contains("mapping values") || info.contains("':'") => {
                "quote text that holds a colon and a blank; indent fields of one map alike"
            }
            (info, _) if info.contains("tab") => "indent with blanks",
            (_, Some('@' | '`' | '%' | '&' | '!' | '|' | '>')) => "quote text that begins with this character",
            (info, _) if info.contains("quoted scalar") => "is the closing quotation mark missing?",
            _ => "quote text that holds characters such as : # [ ] { } , & * ! | > @",
        };
        let end = start + first.filter(|first| *first != '\n').map_or(0, char::len_utf8);
        let message = format!("not YAML: {}", error.info());
        self.report.push(Diagnostic::new(&rules::YAML_SYNTAX, span(self.text, start..end), message).help(help));
        None
    }
}

/// Length of a quoted scalar with both its marks.
fn closing_quote(written: &str, mark: u8) -> Option<usize> {
    let mut bytes = written.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        if byte == b'\\' && mark == b'"' {
            bytes.next();
        } else if byte == mark {
            let doubled = mark == b'\'' && bytes.peek().is_some_and(|(_, next)| *next == mark);
            if !doubled {
                return Some(at + 1);
            }
            bytes.next();
        }
    }
    None
}

/// The parser's offsets, which count characters of the block, as bytes of the file.
struct Offsets {
    block: Range<usize>,
    /// Byte offset of each character, where they are not one byte each.
    bytes: Option<Vec<u32>>,
}

impl Offsets {
    fn new(text: &str, block: Range<usize>) -> Self {
        let yaml = &text[block.clone()];
        let narrow = |(at, _)| u32::try_from(at).unwrap_or(u32::MAX);
        let bytes = if yaml.is_ascii() { None } else { Some(yaml.char_indices().map(narrow).collect()) };
        Offsets { block, bytes }
    }

    fn byte(&self, character: usize) -> usize {
        let within = match &self.bytes {
            None => character,
            Some(bytes) => bytes.get(character).map_or(self.block.len(), |at| *at as usize),
        };
        (self.block.start + within).min(self.block.end)
    }

    fn range(&self, start: usize, end: usize) -> Range<usize> {
        let start = self.byte(start);
        start..self.byte(end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::front_matter;
    use super::super::spans::joined;
    use super::*;

    fn parsed(yaml: &str) -> (Option<Parsed>, Vec<Diagnostic>) {
        let text = Arc::new(SourceText::new("a.md", format!("---\n{yaml}---\nBody\n")));
        let block = front_matter::split(&text).expect("both fences stand");
        let mut report = Report::new();
        let parsed = parse(&text, &block, &mut report);
        (parsed, report.diagnostics().cloned().collect())
    }

    /// Rule and the words that each problem points at.
    fn said(yaml: &str) -> Vec<(&'static str, String)> {
        let text = format!("---\n{yaml}---\nBody\n");
        let words = |problem: &Diagnostic| match &problem.location {
            crate::diagnostic::Location::Span { span, .. } => text[span.clone()].to_owned(),
            crate::diagnostic::Location::File(_) => panic!("a place is known"),
        };
        parsed(yaml).1.iter().map(|problem| (problem.rule.code, words(problem))).collect()
    }

    #[test]
    fn values_and_places_survive_characters_of_many_bytes() {
        let yaml = "é: 'é'' ü' # é\nlist:\n- 1.10\n- {k: \"a\\\"b\", \"q\\u0065\": x}\ntext: >\n  \"folded\"\n  text\n\nempty:\n";
        let (parsed, problems) = parsed(yaml);
        assert!(problems.is_empty(), "{problems:?}");
        let parsed = parsed.expect("valid");
        let expected = json!({
            "é": "é' ü", "list": [1.1, {"k": "a\"b", "qe": "x"}], "text": "\"folded\" text\n", "empty": null
        });
        assert_eq!(parsed.value, expected);
        let spans = &parsed.spans;
        assert_eq!(spans.written("/é"), Some("'é'' ü'"));
        assert_eq!(spans.written("/list/0"), Some("1.10"));
        assert_eq!(spans.written("/list/1"), Some("{k: \"a\\\"b\", \"q\\u0065\": x}"));
        assert_eq!(spans.written("/list/1/k"), Some("\"a\\\"b\""));
        assert_eq!(spans.written("/list/1/qe"), Some("x"));
        assert_eq!(spans.written("/text"), Some("\"folded\"\n  text"));
        assert_eq!(spans.written("/empty"), Some(""));
        assert_eq!(spans.written(""), Some(format!("---\n{yaml}---").as_str()));
        assert_eq!(spans.key("/é"), Some(4..6));
        assert_eq!(spans.written("/list"), Some("1.10\n- {k: \"a\\\"b\", \"q\\u0065\": x}"));
    }

    #[test]
    fn no_fields_are_an_empty_object() {
        let parsed = parsed("# nothing\n").0.expect("valid");
        assert_eq!((parsed.value, parsed.spans.value("")), (json!({}), Some(0..17)));
    }

    #[test]
    fn what_can_expand_or_hide_is_refused_by_name() {
        for (yaml, found, words) in [
            ("a: &x 1\nb: *x\n", "an anchor", "&x 1"),
            ("a: *x\n", "an alias", "*"),
            ("a: !!str 1\n", "a tag", "!!str 1"),
            ("<<: {a: 1}\n", "a merge key", "<<"),
            ("? [a]\n: b\n", "a map or list as a key", "["),
            ("a: 1\n...\nb: 2\n", "a second document", ""),
            (": 1\n", "an empty key", ""),
        ] {
            let problems = parsed(yaml).1;
            assert_eq!(problems.len(), 1, "{yaml}");
            assert_eq!(problems[0].message, format!("expected plain fields, found {found}"), "{yaml}");
            assert_eq!(said(yaml)[0], ("yaml/unsupported", words.to_owned()), "{yaml}");
        }
    }

    #[test]
    fn duplicate_keys_are_refused_and_ambiguous_scalars_all_at_once() {
        let yaml = "a: 1\nb:\n  c: 0123\n  'c': .inf\na: 2\n";
        let owned = |rule, words: &str| (rule, words.to_owned());
        let expected = [
            owned("yaml/ambiguous", "0123"),
            owned("yaml/duplicate-key", "c"),
            owned("yaml/ambiguous", ".inf"),
            owned("yaml/duplicate-key", "a"),
        ];
        assert_eq!(said(yaml), expected);
    }

    #[test]
    fn broken_yaml_is_pointed_at() {
        for (yaml, words) in
            [("a: é: c\n", ":"), ("é:\n\t- x\n", "-"), ("a: @x\n", "@"), ("a:1\n", "a:1"), ("- a\n", "")]
        {
            assert_eq!(said(yaml), [("yaml/syntax", words.to_owned())], "{yaml:?}");
        }
    }

    #[test]
    fn depth_is_limited_with_a_place() {
        for yaml in ["a: ".to_owned() + &"[".repeat(200_000) + "\n", "a:\n  ".to_owned() + &"- ".repeat(200_000) + "\n"]
        {
            assert_eq!(said(&yaml).first().map(|(rule, _)| *rule), Some("file/depth"), "{}", &yaml[..9]);
        }
        let nested = "a: ".to_owned() + &"[".repeat(63) + &"]".repeat(63) + "\n";
        assert!(parsed(&nested).1.is_empty());
    }

    /// JSON is YAML, as far as text that YAML can hold goes.
    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[ -~é缓\u{1f600}\n]*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            let members = prop::collection::btree_map("[ -~é缓]{1,9}", inner.clone(), 0..5);
            prop_oneof![
                prop::collection::vec(inner, 0..5).prop_map(Value::from),
                members.prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Every value, read again from its span alone, is the value that was read.
    fn agree(value: &Value, pointer: &str, spans: &super::super::Spans) {
        let written = spans.written(pointer).expect("every value has a span");
        assert_eq!(&serde_json::from_str::<Value>(written).expect("it was written as JSON"), value, "at {pointer}");
        match value {
            Value::Array(items) => {
                (0..)
                    .zip(items)
                    .for_each(|(index, item): (usize, _)| agree(item, &joined(pointer, &index.to_string()), spans));
            }
            Value::Object(members) => members.iter().for_each(|(key, item)| agree(item, &joined(pointer, key), spans)),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn json_within_front_matter_means_the_same(value in any_value()) {
            let (parsed, problems) = parsed(&format!("é: 1\na: {value}\n"));
            prop_assert!(problems.is_empty(), "{problems:?}");
            let parsed = parsed.expect("valid");
            prop_assert_eq!(&parsed.value["a"], &value);
            agree(&value, "/a", &parsed.spans);
        }
    }
}
