//! `site.toml` into a value and the spans of all its parts.

use serde_json::{Map, Number, Value};
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::parsed::{Parsed, span};
use super::spans::Builder;
use crate::diagnostic::{Diagnostic, Report, SourceText, rules};

/// Reads a whole TOML file; its nesting is limited by the parser.
pub(super) fn parse(text: &Arc<SourceText>, report: &mut Report) -> Option<Parsed> {
    let (root, errors) = DeTable::parse_recoverable(&text.text);
    for error in &errors {
        let at = error.span().unwrap_or(0..0);
        report.push(match error.message() {
            "duplicate key" => duplicate_key(text, root.get_ref(), at),
            message => Diagnostic::new(&rules::TOML_SYNTAX, span(text, at), format!("not TOML: {message}")),
        });
    }
    if !errors.is_empty() {
        return None;
    }
    let mut reader = Reader { text, builder: Builder::new(&text.text), report };
    let value = reader.table(root.get_ref(), 0..0);
    Some(Parsed { value, spans: reader.builder.finish(text) })
}

/// The parser names only the second of two equal keys, and keeps the first, unless they are headers of tables.
fn duplicate_key(text: &Arc<SourceText>, root: &DeTable<'_>, at: Range<usize>) -> Diagnostic {
    let name = text.text[at.clone()].trim_matches(['"', '\'']);
    let mut equal = Vec::new();
    keys_named(name, root, &mut equal);
    let problem = Diagnostic::new(
        &rules::TOML_DUPLICATE_KEY,
        span(text, at.clone()),
        format!("the key `{name}` stands twice in one table"),
    )
    .help("keep one of the two");
    match equal.as_slice() {
        // Of several, which one it is would be a guess.
        [first] if first.start < at.start => problem.related(first.clone(), "first here"),
        _ => problem,
    }
}

fn keys_named(name: &str, table: &DeTable<'_>, found: &mut Vec<Range<usize>>) {
    for (key, value) in table.iter() {
        if key.get_ref() == name {
            found.push(key.span());
        }
        if let DeValue::Table(inner) = value.get_ref() {
            keys_named(name, inner, found);
        }
    }
}

struct Reader<'t, 'r> {
    text: &'t Arc<SourceText>,
    builder: Builder<'t>,
    report: &'r mut Report,
}

impl Reader<'_, '_> {
    fn table(&mut self, table: &DeTable<'_>, at: Range<usize>) -> Value {
        self.builder.open(at.start);
        let mut members = Map::new();
        for (key, value) in table.iter() {
            let mut span = key.span();
            if self.text.text[span.clone()].starts_with(['"', '\'']) {
                span = span.start + 1..span.end - 1;
            }
            self.builder.key(span, key.get_ref().to_string());
            let value = self.value(value.get_ref(), value.span());
            members.insert(key.get_ref().to_string(), value);
        }
        self.builder.close(at.end);
        Value::Object(members)
    }

    fn value(&mut self, value: &DeValue<'_>, at: Range<usize>) -> Value {
        let scalar = match value {
            DeValue::Table(table) => return self.table(table, at),
            DeValue::Array(items) => {
                self.builder.open(at.start);
                let items = items.iter().map(|item| self.value(item.get_ref(), item.span())).collect();
                self.builder.close(at.end);
                return Value::Array(items);
            }
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Datetime(date) => Value::String(date.to_string()),
            DeValue::Integer(number) => self.number(integer(number), &at),
            DeValue::Float(number) => self.number(float(number), &at),
        };
        self.builder.scalar(at);
        scalar
    }

    fn number(&mut self, number: Option<Number>, at: &Range<usize>) -> Value {
        let Some(number) = number else {
            let message = "expected a finite number that a computer can hold";
            self.report.push(Diagnostic::new(&rules::TOML_NUMBER, span(self.text, at.clone()), message));
            // The file is refused; another number in its place is no second fault.
            return Value::from(0);
        };
        Value::Number(number)
    }
}

fn integer(number: &DeInteger<'_>) -> Option<Number> {
    i64::from_str_radix(number.as_str(), number.radix()).ok().map(Number::from)
}

fn float(number: &DeFloat<'_>) -> Option<Number> {
    Number::from_f64(number.as_str().parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(text: &str) -> (Option<Parsed>, Vec<Diagnostic>) {
        let mut report = Report::new();
        let parsed = parse(&Arc::new(SourceText::new("site.toml", text)), &mut report);
        (parsed, report.diagnostics().cloned().collect())
    }

    #[test]
    fn values_and_places_are_found() {
        let text = "title = \"é\"\nhours = 7_30\nrate = 0.10\nday = 2026-10-01\n[brand]\nlogo = 'l'\n[aliases]\n\"runs/a\" = \"b\"\n";
        let parsed = parsed(text).0.expect("valid");
        let expected = json!({
            "title": "é", "hours": 730, "rate": 0.1, "day": "2026-10-01",
            "brand": {"logo": "l"}, "aliases": {"runs/a": "b"}
        });
        assert_eq!(parsed.value, expected);
        assert_eq!(parsed.spans.written("/title"), Some("\"é\""));
        assert_eq!(parsed.spans.written("/rate"), Some("0.10"));
        assert_eq!(parsed.spans.written("/brand"), Some("[brand]"));
        assert_eq!(parsed.spans.key("/aliases/runs~1a").map(|key| &text[key]), Some("runs/a"));
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        let rules = |text: &str| -> Vec<_> {
            parsed(text).1.iter().map(|problem| (problem.rule.code, problem.location.offset())).collect()
        };
        assert_eq!(rules("a = 1\na = 2\nb = \n"), [("toml/duplicate-key", 6), ("toml/syntax", 16)]);
        assert_eq!(rules("a = inf\n"), [("toml/number", 4)]);
        assert!(!rules(&format!("a = {}", "[".repeat(100_000))).is_empty());
    }
}
