//! Sources against their JSON Schema: documents in which every value has a span.

use rayon::prelude::*;
use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location, Report, SourceText, rules};
use crate::source::{Kind, Source};
use parsed::Parsed;
use set::Schemas;

mod bounds;
mod characters;
mod explain;
mod foreign;
mod front_matter;
mod json;
mod json_syntax;
mod lint;
mod names;
mod parsed;
mod plain;
mod quantities;
mod set;
mod settings;
mod spans;
mod stated;
mod toml;
mod yaml;

pub use foreign::{answers, explain_json, foreign_json};
pub use lint::lint;
pub use quantities::StatedNumber;
pub use set::sources;
pub use settings::{setting, sound_settings, validate_site};
pub use spans::Spans;

/// A file that parses and fits its schema. Only [`validate`] makes one.
#[derive(Debug)]
pub struct Document {
    pub kind: Kind,
    pub address: String,
    pub text: Arc<SourceText>,
    pub sha256: String,
    pub spans: Spans,
    /// Bytes of the Markdown body, for kinds that have one.
    pub body: Option<Range<usize>>,
    /// The JSON value or the front matter, until decode takes it.
    value: Option<Value>,
}

impl Document {
    /// The place of the value at a JSON pointer, else of the nearest value above it.
    pub fn location(&self, pointer: &str) -> Location {
        Location::Span { text: Arc::clone(&self.text), span: self.spans.nearest(pointer) }
    }

    /// The place of the key that the value at a JSON pointer stands under, else of the value.
    pub fn key_location(&self, pointer: &str) -> Location {
        match self.spans.key(pointer) {
            Some(span) => Location::Span { text: Arc::clone(&self.text), span },
            None => self.location(pointer),
        }
    }

    /// The 1-based line of the value at a JSON pointer.
    pub fn line(&self, pointer: &str) -> usize {
        self.text.place(self.spans.nearest(pointer).start).line
    }

    /// The value at a JSON pointer as the file writes it.
    pub fn written(&self, pointer: &str) -> Option<&str> {
        self.spans.written(pointer)
    }

    /// The JSON value, or the front matter, read from the text once more unless it is still there.
    pub fn value(&self) -> Value {
        let read = || read(self.kind, &self.text, &mut Report::new()).map(|(parsed, _)| parsed.value);
        self.value.clone().or_else(read).unwrap_or_default()
    }

    /// The record as data files give it: JSON as it is, front matter with the `body` below it.
    pub fn record(&self) -> Value {
        let mut value = self.value();
        if let (Value::Object(members), Some(body)) = (&mut value, self.body.clone()) {
            let body = self.text.text.get(body).unwrap_or_default();
            members.insert("body".to_owned(), Value::String(body.to_owned()));
        }
        value
    }

    /// The value itself, which frees most of what a document holds.
    pub(crate) fn take_value(&mut self) -> Value {
        self.value.take().unwrap_or_else(|| self.value())
    }
}

/// The documents of all sources that fit their schema, in the same order; every problem of the others is reported.
pub fn validate(sources: &[Source], report: &mut Report) -> Vec<Document> {
    let Some(schemas) = shipped(report) else { return Vec::new() };
    documents(schemas, sources, report)
}

fn shipped(report: &mut Report) -> Option<&'static Schemas> {
    set::shipped().map_err(|problems| problems.diagnostics().for_each(|one| report.push(one.clone()))).ok()
}

fn documents(schemas: &Schemas, sources: &[Source], report: &mut Report) -> Vec<Document> {
    let checked: Vec<_> = sources
        .par_iter()
        .map(|source| {
            let mut report = Report::new();
            (document(schemas, source, &mut report), report)
        })
        .collect();
    let mut documents = Vec::with_capacity(checked.len());
    for (document, problems) in checked {
        report.extend(problems);
        documents.extend(document);
    }
    documents
}

fn document(schemas: &Schemas, source: &Source, report: &mut Report) -> Option<Document> {
    let Source { kind, address, text, sha256 } = source;
    let (parsed, body) = read(*kind, text, report)?;
    // A harness writes what its commands print, and its file is never edited: pages show such characters as signs.
    if *kind != Kind::Run {
        characters::check(text, &parsed, report);
    }
    let Parsed { value, spans, .. } = fitting(schemas, kind.name(), text, parsed, report)?;
    Some(Document {
        kind: *kind,
        address: address.clone(),
        text: Arc::clone(text),
        sha256: sha256.clone(),
        spans,
        body,
        value: Some(value),
    })
}

/// The value of a file and, of Markdown, the range of the body.
fn read(kind: Kind, text: &Arc<SourceText>, report: &mut Report) -> Option<(Parsed, Option<Range<usize>>)> {
    match kind.extension() {
        "json" => return json::parse(text, report).map(|parsed| (parsed, None)),
        "toml" => return toml::parse(text, report).map(|parsed| (parsed, None)),
        _ => {}
    }
    let block = front_matter::split(text).map_err(|problem| report.push(problem)).ok()?;
    let parsed = yaml::parse(text, &block, report)?;
    Some((parsed, Some(block.body)))
}

/// What was read of a file, unless the file's own report holds an error.
fn fitting(
    schemas: &Schemas,
    name: &str,
    text: &Arc<SourceText>,
    parsed: Parsed,
    report: &mut Report,
) -> Option<Parsed> {
    let Some(validator) = schemas.validator(name) else {
        let location = Location::File(format!("schemas/{name}.json"));
        report.push(Diagnostic::new(&rules::SCHEMA_FILE_MISSING, location, "the schema is missing from the program"));
        return None;
    };
    explain::check(schemas, validator, text, &parsed, report);
    (!report.has_errors()).then_some(parsed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::sync::LazyLock;

    use super::*;
    use crate::diagnostic::Color;

    static SCHEMAS: LazyLock<Schemas> = LazyLock::new(schemas);

    const COMMON: &str = r##"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/schemas/common.json",
        "$defs": {
            "latencies": {
                "type": ["object", "null"],
                "patternProperties": {"^(ttft|tpot)_(p50|p99)_ms$": {"type": "number", "exclusiveMinimum": 0}},
                "additionalProperties": false
            },
            "quantity": {
                "x-ordered": true,
                "anyOf": [
                    {"type": "number"},
                    {"type": "string", "pattern": "^~[0-9.]+$", "examples": ["~3000"]},
                    {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
                ]
            }
        }
    }"##;

    const RUN: &str = r##"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/schemas/run.json",
        "type": "object",
        "required": ["title", "configs"],
        "additionalProperties": false,
        "properties": {
            "title": {"type": "string", "minLength": 1, "description": "the finding in a few words"},
            "status": {"enum": ["draft", "published"]},
            "published": {"type": "string", "format": "date"},
            "url": {"type": "string", "format": "uri"},
            "slo": {"$ref": "common.json#/$defs/latencies"},
            "load": {"$ref": "common.json#/$defs/quantity"},
            "hits_pct": {"$ref": "common.json#/$defs/quantity", "minimum": 0, "maximum": 100},
            "tokens": {"$ref": "common.json#/$defs/quantity", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
            "configs": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/config"}},
            "tags": {"type": "array", "uniqueItems": true},
            "capacity": {
                "oneOf": [
                    {"type": "object", "required": ["rate"], "additionalProperties": false,
                     "properties": {"rate": {"type": "number"}}},
                    {"const": "none passed"}
                ]
            },
            "group": {
                "oneOf": [
                    {"type": "object", "required": ["kind", "heads"], "properties": {"kind": {"const": "full"}, "heads": {"type": "integer"}}},
                    {"type": "object", "required": ["kind", "dim"], "properties": {"kind": {"const": "latent"}, "dim": {"type": "integer"}}}
                ]
            }
        },
        "$defs": {
            "config": {
                "type": "object",
                "required": ["label"],
                "additionalProperties": false,
                "properties": {
                    "label": {"type": "string"},
                    "goodput_tok_s": {"type": ["number", "null"], "minimum": 0},
                    "repeats": {"type": "integer", "minimum": 1}
                }
            }
        }
    }"##;

    fn schemas() -> Schemas {
        let note = RUN.replace("schemas/run.json", "schemas/audit.json");
        let texts = set::files([("common.json", COMMON), ("run.json", RUN), ("audit.json", &note)]);
        Schemas::compile(&texts).unwrap_or_else(|report| panic!("{}", report.render(Color::Plain)))
    }

    fn source(kind: Kind, name: &str, text: &str) -> Source {
        let address = format!("{}/{name}", kind.folder());
        let path = format!("content/{address}.{}", kind.extension());
        Source { kind, address, text: Arc::new(SourceText::new(path, text)), sha256: String::new() }
    }

    /// Every problem as `line:column pointer rule: message (help)`.
    fn said(kind: Kind, text: &str) -> Vec<String> {
        let mut report = Report::new();
        let documents = documents(&SCHEMAS, &[source(kind, "a", text)], &mut report);
        assert_eq!(documents.is_empty(), report.has_errors(), "a file with a problem gives no document");
        let one = |problem: &Diagnostic| {
            let Location::Span { text, span } = &problem.location else { panic!("{problem:?} has no place") };
            let place = text.place(span.start);
            let help = problem.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            let pointer = problem.pointer.as_deref().unwrap_or_default();
            format!("{}:{} {pointer} {}: {}{help}", place.line, place.column, problem.rule.code, problem.message)
        };
        report.diagnostics().map(one).collect()
    }

    fn run(fields: &str) -> Vec<String> {
        said(Kind::Run, &format!("{{\"title\": \"t\", \"configs\": [],\n{fields}}}"))
    }

    #[test]
    fn every_problem_names_its_field_what_was_expected_and_what_was_found() {
        for (fields, expected) in [
            (r#""configz": 1"#, "2:2 /configz schema/unknown-field: unknown field `configz` (did you mean `configs`?)"),
            (
                r#""status": "publish""#,
                r#"2:11 /status schema/enum: expected "draft" or "published", found "publish" (did you mean "published"?)"#,
            ),
            (
                r#""published": "2026-02-29""#,
                "2:14 /published schema/format: expected a date of the calendar, found \"2026-02-29\" (write a date as 2026-10-29)",
            ),
            (
                r#""url": "not a link""#,
                "2:8 /url schema/format: expected a web address, found \"not a link\" (write it whole, as https://example.org/page)",
            ),
            (
                r#""slo": {"ttft_p99": 2000}"#,
                "2:10 /slo/ttft_p99 schema/unknown-field: unknown field `ttft_p99` (did you mean `ttft_p99_ms`?)",
            ),
            (
                r#""slo": {"é": 1}"#,
                "2:10 /slo/é schema/unknown-field: unknown field `é` (the fields here are `ttft_p50_ms`, `ttft_p99_ms`, `tpot_p50_ms`, `tpot_p99_ms`)",
            ),
            (
                r#""slo": {"tpot_p50_ms": -0.50}"#,
                "2:24 /slo/tpot_p50_ms schema/range: expected more than 0, found -0.50",
            ),
            (r#""tags": [1, 2, 1]"#, "2:16 /tags schema/unique: expected each item once, found 1 again"),
            (r#""title": 7"#, "2:10 /title schema/type: expected text, found 7 (quote it: \"7\")"),
        ] {
            let said = run(fields);
            assert_eq!(said.last().map(String::as_str), Some(expected), "{fields}");
        }
    }

    #[test]
    fn a_bound_holds_for_every_form_of_a_quantity() {
        let said = |name: &str, value: &str| match &run(&format!("{name:?}: {value}"))[..] {
            [] => "nothing".to_owned(),
            [one] => one.split_once(": ").map_or("", |(_, message)| message).to_owned(),
            many => many.join("\n"),
        };
        for value in ["0", "100", "[0, 100]", "[43, 43]", "\"~100\"", "\"~0\""] {
            assert_eq!(said("hits_pct", value), "nothing", "{value}");
        }
        for (name, value, message) in [
            ("hits_pct", "-0.5", "expected at least 0, found -0.5"),
            ("hits_pct", "300", "expected at most 100, found 300"),
            ("hits_pct", "\"~300\"", "expected at most 100, found \"~300\""),
            ("hits_pct", "[43, 145]", "expected at most 100, found [43, 145]"),
            ("hits_pct", "[-1, 45]", "expected at least 0, found [-1, 45]"),
            ("tokens", "\"~0\"", "expected more than 0, found \"~0\""),
            ("tokens", "[0, 1]", "expected more than 0, found [0, 1]"),
            ("tokens", "[1, 10]", "expected less than 10, found [1, 10]"),
        ] {
            assert_eq!(said(name, value), message);
        }
    }

    #[test]
    fn an_interval_begins_with_its_low_end() {
        let expected =
            "2:9 /load schema/interval: expected the low end first, found [45, 43] (write the smaller number first)";
        assert_eq!(run(r#""load": [45, 43]"#), [expected]);
    }

    #[test]
    fn of_several_forms_the_closest_is_explained() {
        for (fields, expected) in [
            (r#""load": true"#, "2:9 /load schema/type: expected a number, text or a list, found true"),
            (
                r#""load": "fast""#,
                "2:9 /load schema/pattern: expected text that matches ^~[0-9.]+$, found \"fast\" (for example \"~3000\")",
            ),
            (r#""load": [1, "x"]"#, "2:13 /load/1 schema/type: expected a number, found \"x\""),
            (r#""capacity": "none""#, "2:13 /capacity schema/const: expected \"none passed\", found \"none\""),
            (r#""capacity": {}"#, "2:2 /capacity/rate schema/missing-field: missing field `rate`"),
            (r#""group": {"kind": "latent"}"#, "2:2 /group/dim schema/missing-field: missing field `dim`"),
            (
                r#""group": {"kind": "full", "heads": 2.5}"#,
                "2:36 /group/heads schema/type: expected a whole number, found 2.5",
            ),
        ] {
            assert_eq!(run(fields), [expected], "{fields}");
        }
    }

    #[test]
    fn all_problems_of_a_file_come_at_once_in_order() {
        let text =
            r#"{"configs": [{"label": "a"}, {"goodput_tok_s": "fast", "repeats": 0, "repeets": 1, "repeats": 0}]}"#;
        let expected = [
            "1:1 /title schema/missing-field: missing field `title` (`title`: the finding in a few words)",
            "1:30 /configs/1/label schema/missing-field: missing field `label`",
            "1:48 /configs/1/goodput_tok_s schema/type: expected a number or null, found \"fast\"",
            "1:71 /configs/1/repeets schema/unknown-field: unknown field `repeets` (did you mean `repeats`?)",
            "1:85 /configs/1/repeats json/duplicate-key: the key `repeats` stands twice in one object (keep one of the two)",
            "1:95 /configs/1/repeats schema/range: expected at least 1, found 0",
        ];
        assert_eq!(said(Kind::Run, text), expected);
    }

    #[test]
    fn front_matter_is_held_against_the_same_schema() {
        let text = "---\ntitle: 1.10\nslo:\n  tpot_p95_ms: 3\npublished: 2026-10-08\nload: ~3000\nconfigs:\n- repeats: 3\n- label:\n---\n";
        let expected = [
            "2:8 /title schema/type: expected text, found 1.10 (quote it: \"1.10\")",
            "4:3 /slo/tpot_p95_ms schema/unknown-field: unknown field `tpot_p95_ms` (did you mean `tpot_p99_ms`?)",
            "8:3 /configs/0/label schema/missing-field: missing field `label`",
            "9:8 /configs/1/label schema/type: expected text, found nothing (give a value, or leave the field out)",
        ];
        assert_eq!(said(Kind::Audit, text), expected);
        let missing = said(Kind::Audit, "---\n# nothing\n---\n");
        assert_eq!(missing[1], "1:1 /configs schema/missing-field: missing field `configs`");
    }

    #[test]
    fn good_files_become_documents_in_order_and_bad_ones_do_not_stop_them() {
        let good = r#"{"title": "é", "configs": []}"#;
        let note = "---\ntitle: é\nconfigs: []\n---\nBody\n";
        let sources = [
            source(Kind::Run, "a", good),
            source(Kind::Run, "b", "{"),
            source(Kind::Audit, "c", note),
            source(Kind::Audit, "d", note),
        ];
        let mut report = Report::new();
        let mut documents = documents(&SCHEMAS, &sources, &mut report);
        assert_eq!(report.errors(), 1);
        let addresses: Vec<&str> = documents.iter().map(|document| document.address.as_str()).collect();
        assert_eq!(addresses, ["runs/a", "audits/c", "audits/d"]);
        assert_eq!(documents[1].body.clone().map(|body| &note[body]), Some("Body\n"));
        for document in &mut documents {
            let taken = document.take_value();
            assert_eq!(taken["title"], "é");
            assert_eq!(document.value(), taken, "read again, it is the same");
        }
    }

    #[test]
    fn a_setting_from_elsewhere_is_held_against_the_same_schema() {
        for (name, value) in [
            ("base_url", "https://user.example/bench"),
            ("base_url", "http://localhost:8000/"),
            ("base_url", "https://a.example/~me/b%20c/"),
            ("base_url", "https://a.example/.well-known/v1.2/..."),
            ("source_ref", "v1.2/x"),
        ] {
            assert!(setting(name, value.into()).is_none(), "{name} {value}");
        }
        for (name, value) in [
            ("base_url", ""),
            ("base_url", "user.example"),
            ("base_url", "ftp://a"),
            ("base_url", "https:///x"),
            ("base_url", "https://a b"),
            ("base_url", "https://a/?b"),
            ("base_url", "https://a/#b"),
            ("base_url", "https://me:secret@a/"),
            ("base_url", "https://x/../y"),
            ("base_url", "https://x/."),
            ("base_url", "https://x/%2E%2e/y"),
            ("base_url", "https://x/a//b"),
            ("source_ref", "-x"),
            ("source_ref", "a b"),
            ("source_ref", "a?b"),
        ] {
            let fault = setting(name, value.into()).unwrap_or_else(|| panic!("{name} {value} is refused"));
            assert!(fault.message.starts_with("expected ") && fault.help.is_some(), "{fault:?}");
        }
    }

    #[test]
    fn a_schema_that_leads_outside_is_refused_by_name() {
        for reference in ["https://example.invalid/x.json", "file:///etc/passwd", "common.json#/$defs/nothing"] {
            let run = RUN.replace("common.json#/$defs/latencies", reference);
            let texts = set::files([("common.json", COMMON), ("run.json", &run)]);
            let report = Schemas::compile(&texts).err().expect("the reference does not resolve");
            let said = report.render(Color::Plain);
            assert!(said.contains(reference.trim_start_matches("common.json#")), "{said}");
        }
    }

    #[test]
    fn a_pattern_that_looks_ahead_is_refused_with_the_cause() {
        let run = RUN.replace(r#""minLength": 1,"#, r#""pattern": "a(?=b)","#);
        let texts = set::files([("common.json", COMMON), ("run.json", &run)]);
        let report = Schemas::compile(&texts).err().expect("looking ahead is not linear");
        let said = report.render(Color::Plain);
        assert!(said.contains("linear time") && said.contains("--> schemas/run.json:8"), "{said}");
    }

    proptest! {
        #[test]
        fn no_text_panics_and_a_refused_one_says_why(
            kind in prop::sample::select(&[Kind::Run, Kind::Audit, Kind::Site][..]),
            text in "[-{}\\[\\],:\"'a-c0-9#&*!|>%@~\n \t\r\\\\.+=_é\u{1f600}\u{feff}\u{0}]{0,80}",
        ) {
            let text = if kind == Kind::Audit { format!("---\n{text}\n---\n") } else { text };
            let mut report = Report::new();
            let documents = documents(&SCHEMAS, &[source(kind, "a", &text)], &mut report);
            prop_assert!(documents.is_empty() == report.has_errors());
            prop_assert!(documents.is_empty() != report.render(Color::Plain).is_empty());
        }
    }
}
