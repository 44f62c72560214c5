//! Numbers in a result's title and summary that nothing else in the record explains.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Fact, Figure};
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::metric;
use crate::quantity::written::{self, Match, Written};
use crate::quantity::{Quantity, Unit};

/// Warns of each number that is no figure, no value of the record or its note, none of them counted, and no part of
/// a name, version or date.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    if !item.is_result() {
        return;
    }
    let record = item.document.record();
    let mut known = None;
    for pointer in ["/title", "/summary"] {
        let Some(text) = record.pointer(pointer).and_then(Value::as_str) else { continue };
        for number in written::numbers(text) {
            let known = known.get_or_insert_with(|| Known::of(item, figures));
            if known.explains(&number, text) {
                continue;
            }
            let shown = excerpt(text, &number);
            let message = format!("nothing in the record explains {}", quoted(&shown));
            let problem = Diagnostic::new(&rules::CLAIM_UNEXPLAINED, item.document.location(pointer), message);
            report.push(problem.pointer(pointer).stated(&text[number.span.clone()]).help(
                "correct it, or carry it as a field, an observation or a stated figure; a number that must stand \
                 by itself is acknowledged with the reason",
            ));
        }
    }
}

/// The number with a word on either side.
fn excerpt(text: &str, number: &Written) -> String {
    let before = text[..number.span.start].trim_end().rsplit(' ').next().unwrap_or_default();
    let start = text[..number.span.start].trim_end().len() - before.len();
    let rest = &text[number.span.end..];
    let words = rest.char_indices().filter(|(_, part)| *part == ' ').map(|(at, _)| at).nth(1);
    text[start..number.span.end + words.unwrap_or(rest.len())].trim().to_owned()
}

/// Everything that a number of the prose may be.
struct Known {
    values: Vec<(Unit, Quantity)>,
    /// Numbers of fields that have no unit, such as requests in flight: no dollars, and no percent.
    plain: Vec<Quantity>,
    /// Parts of names, versions, dates and flags that hold a digit.
    words: BTreeSet<String>,
}

impl Known {
    fn of(item: &Item, figures: &[Figure]) -> Self {
        let mut known = Known { values: Vec::new(), plain: Vec::new(), words: BTreeSet::new() };
        for document in item.documents() {
            known.value("", &document.record());
        }
        for figure in figures {
            known.values.extend(figure.quantity().map(|quantity| (figure.formula.unit, quantity)));
            known.inputs(figure);
        }
        known
    }

    fn inputs(&mut self, figure: &Figure) {
        for (definition, Fact { quantity, derivation, .. }) in figure.inputs() {
            self.values.push((definition.unit, *quantity));
            if let Some(derivation) = derivation {
                self.inputs(derivation);
            }
        }
    }

    fn value(&mut self, field: &str, value: &Value) {
        match value {
            Value::Number(number) => {
                let Some(number) = number.as_f64().map(Quantity::exact) else { return };
                match metric::unit_of(field) {
                    // Its unit stands beside it, in words of the record's own.
                    Unit::Number if field != "value" => self.plain.push(number),
                    unit => self.values.push((unit, number)),
                }
            }
            Value::String(text) => self.text(field, text),
            Value::Array(items) => {
                // How many there are is a number of the record too.
                self.plain.push(Quantity::exact(items.len() as f64));
                if let [Value::Number(low), Value::Number(high)] = &items[..]
                    && let (Some(low), Some(high)) = (low.as_f64(), high.as_f64())
                {
                    self.values.push((metric::unit_of(field), Quantity::between(low, high)));
                }
                items.iter().for_each(|item| self.value(field, item));
            }
            Value::Object(members) => {
                let data = members.iter().filter(|(name, _)| !PROSE.contains(&name.as_str()));
                data.for_each(|(name, value)| self.value(name, value));
            }
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn text(&mut self, field: &str, text: &str) {
        let unit = if text.starts_with('~') { metric::unit_of(field) } else { Unit::Number };
        self.values.extend(written::numbers(text).into_iter().map(|number| (unit, number.ends())));
        let parts = text.split(|part: char| !part.is_alphanumeric() && part != '.');
        self.words.extend(parts.filter(|part| part.contains(|part: char| part.is_ascii_digit())).map(str::to_owned));
    }

    fn explains(&self, number: &Written, text: &str) -> bool {
        let word = &text[number.span.start..];
        let word = &word[..word.find(|part: char| !part.is_alphanumeric() && part != '.').unwrap_or(word.len())];
        let word = word.trim_end_matches('.');
        let version = format!("{word}.");
        self.words.iter().any(|known| known == word || known.starts_with(&version))
            || self.values.iter().any(|(unit, quantity)| number.matches(*unit, *quantity) == Match::Agrees)
            || !number.has_unit()
                && self.plain.iter().any(|quantity| number.matches(Unit::Number, *quantity) == Match::Agrees)
    }
}

/// Fields that hold prose: a number there is a claim itself.
const PROSE: [&str; 16] = [
    "title",
    "summary",
    "body",
    "not_covered",
    "note",
    "quote",
    "reason",
    "remark",
    "rerun",
    "closes",
    "confidence_reason",
    "kv_bytes_basis",
    "acknowledges",
    "sources",
    "changes",
    "withdrawn",
];
