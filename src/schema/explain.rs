//! What a schema's refusal means for the file: where, expected, found, and what to do.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::types::JsonType;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::bounds::ORDERED;
use super::names;
use super::parsed::{Parsed, span};
use super::set::Schemas;
use super::spans::{joined, unescaped};
use crate::diagnostic::{Diagnostic, Report, Rule, Severity, SourceText, nearest, quoted, rules};

/// Refusals of one file that are explained, well above those that are shown: each takes a search through the file.
const MOST_EXPLAINED: usize = 4 * Report::PER_FILE;

/// Holds a value against its schema and reports every refusal at its place; of very many, the rest by number.
pub(super) fn check(
    schemas: &Schemas,
    validator: &Validator,
    text: &Arc<SourceText>,
    parsed: &Parsed,
    report: &mut Report,
) {
    if validator.is_valid(&parsed.value) {
        return;
    }
    let mut explainer = Explainer { schemas, text, parsed, said: BTreeSet::new(), unexplained: 0, report };
    for error in validator.iter_errors(&parsed.value) {
        explainer.error(&error);
    }
    let unexplained = explainer.unexplained;
    report.count_more(&text.path, Severity::Error, unexplained);
}

struct Explainer<'a> {
    schemas: &'a Schemas,
    text: &'a Arc<SourceText>,
    parsed: &'a Parsed,
    /// Offset and message of what was reported, since branches repeat each other.
    said: BTreeSet<(usize, String)>,
    unexplained: usize,
    report: &'a mut Report,
}

/// One refusal, before it has its place in the report.
struct Refusal {
    rule: &'static Rule,
    pointer: String,
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Explainer<'_> {
    fn error(&mut self, error: &ValidationError<'_>) {
        let pointer = error.instance_path().as_str();
        match error.kind() {
            _ if self.room() == 0 => self.unexplained += faults(error),
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let allowed = self.schema(error).map(names::fields).unwrap_or_default();
                let elsewhere = self.whole_schema(error).map(names::everywhere).unwrap_or_default();
                let (explained, rest) = unexpected.split_at(unexpected.len().min(self.room()));
                self.unexplained += rest.len();
                for name in explained {
                    self.unknown_field(&joined(pointer, name), name, &allowed, &elsewhere);
                }
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                self.branches(error, context);
            }
            ValidationErrorKind::PropertyNames { error: inner } => self.property_name(pointer, inner),
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let help = self.enclosing(error).find_map(|schema| description(schema, name));
                let message = format!("missing field `{name}`");
                let span = self.opening(pointer);
                self.say(Refusal {
                    rule: &rules::SCHEMA_MISSING_FIELD,
                    pointer: joined(pointer, name),
                    span,
                    message,
                    help,
                });
            }
            ValidationErrorKind::FalseSchema => {
                let name = unescaped(pointer.rsplit('/').next().unwrap_or_default()).into_owned();
                let span = self.parsed.spans.key(pointer).unwrap_or_else(|| self.parsed.spans.nearest(pointer));
                let message = format!("the field `{name}` has no place here");
                let help = self.reason_against(error);
                let pointer = pointer.to_owned();
                self.say(Refusal { rule: &rules::SCHEMA_UNKNOWN_FIELD, pointer, span, message, help });
            }
            ValidationErrorKind::Type { kind } => {
                let types = match kind {
                    TypeKind::Single(one) => vec![*one],
                    TypeKind::Multiple(set) => set.iter().collect(),
                };
                self.wrong_type(pointer, error.instance(), &types);
            }
            _ => self.value(error, pointer.to_owned(), self.parsed.spans.nearest(pointer)),
        }
    }

    /// How many refusals are still explained.
    fn room(&self) -> usize {
        MOST_EXPLAINED.saturating_sub(self.said.len())
    }

    fn unknown_field(&mut self, pointer: &str, name: &str, allowed: &[String], elsewhere: &BTreeSet<String>) {
        let near = nearest(name, allowed.iter().map(String::as_str));
        let far = nearest(name, elsewhere.iter().map(String::as_str));
        let help = match (near, far) {
            (Some(near), _) => Some(format!("did you mean `{near}`?")),
            (None, Some(far)) => Some(format!("did you mean `{far}`, a field of another part of the record?")),
            (None, None) => listed(allowed).map(|names| format!("the fields here are {names}")),
        };
        let span = self.parsed.spans.key(pointer).unwrap_or_else(|| self.parsed.spans.nearest(pointer));
        let message = format!("unknown field `{name}`");
        self.say(Refusal { rule: &rules::SCHEMA_UNKNOWN_FIELD, pointer: pointer.to_owned(), span, message, help });
    }

    fn property_name(&mut self, pointer: &str, inner: &ValidationError<'_>) {
        let name = inner.instance().as_str().unwrap_or_default().to_owned();
        let pointer = joined(pointer, &name);
        let allowed = self.schema(inner).map(names::texts).unwrap_or_default();
        if allowed.is_empty() {
            let span = self.parsed.spans.key(&pointer).unwrap_or_else(|| self.parsed.spans.nearest(&pointer));
            return self.value(inner, pointer, span);
        }
        self.unknown_field(&pointer, &name, &allowed, &BTreeSet::new());
    }

    fn wrong_type(&mut self, pointer: &str, instance: &Value, types: &[JsonType]) {
        let span = self.parsed.spans.nearest(pointer);
        let mut types = types.to_vec();
        types.sort_by_key(|one| type_order(*one));
        types.dedup();
        let expected = either(types.iter().map(|one| type_name(*one)));
        let found = self.found(pointer, instance);
        let help = self.type_help(&span, instance, &types);
        let message = format!("expected {expected}, found {found}");
        self.say(Refusal { rule: &rules::SCHEMA_TYPE, pointer: pointer.to_owned(), span, message, help });
    }

    fn type_help(&self, span: &Range<usize>, instance: &Value, types: &[JsonType]) -> Option<String> {
        let written = self.text.text.get(span.clone()).unwrap_or_default();
        let wants = |wanted| types.contains(&wanted);
        let number = wants(JsonType::Number) || wants(JsonType::Integer);
        match instance {
            Value::Null if wants(JsonType::Null) => None,
            Value::Null => Some("give a value, or leave the field out".to_owned()),
            Value::Bool(_) | Value::Number(_)
                if matches!(types, [JsonType::String] | [JsonType::String, JsonType::Null]) =>
            {
                Some(format!("quote it: \"{written}\""))
            }
            Value::String(text) if number && text.trim().parse::<f64>().is_ok() => {
                Some("write the number without quotation marks".to_owned())
            }
            Value::String(text) if number && text.starts_with(|first: char| first.is_ascii_digit()) => {
                Some("write the number alone; its unit stands in the name of the field".to_owned())
            }
            _ => None,
        }
    }

    /// Refusals of a value that is of the right type, or of the name of a field.
    fn value(&mut self, error: &ValidationError<'_>, pointer: String, mut span: Range<usize>) {
        let found = self.found(&pointer, error.instance());
        let length = || error.instance().as_str().map_or(0, |text| text.chars().count());
        let items = || error.instance().as_array().map_or(0, Vec::len);
        let fields = || error.instance().as_object().map_or(0, serde_json::Map::len);
        let mut help = None;
        let (rule, message) = match error.kind() {
            ValidationErrorKind::Enum { options } => {
                let options: Vec<String> = options.as_array().into_iter().flatten().map(shown).collect();
                help = near_option(error.instance(), &options);
                (&rules::SCHEMA_ENUM, format!("expected {}, found {found}", either(options.iter().map(String::as_str))))
            }
            ValidationErrorKind::Constant { expected_value } => {
                (&rules::SCHEMA_CONST, format!("expected {}, found {found}", shown(expected_value)))
            }
            ValidationErrorKind::Format { format } => {
                let (expected, example) = format_words(format);
                help = Some(example.to_owned());
                (&rules::SCHEMA_FORMAT, format!("expected {expected}, found {found}"))
            }
            // The same words as for the format beside it, so that a bad address is said once.
            ValidationErrorKind::Pattern { pattern } if pattern == "^https?://" => {
                let (expected, advice) = format_words("uri");
                help = Some(advice.to_owned());
                (&rules::SCHEMA_FORMAT, format!("expected {expected}, found {found}"))
            }
            ValidationErrorKind::Pattern { pattern } => {
                let schema = self.schema(error);
                help = schema.and_then(|schema| pattern_help(schema, error.instance()));
                let texts: Vec<String> = schema.map(names::texts).unwrap_or_default();
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                let expected = match texts.len() {
                    1..=8 => either(texts.iter().map(String::as_str)),
                    _ => schema.and_then(words).unwrap_or_else(|| format!("text that matches {pattern}")),
                };
                (&rules::SCHEMA_PATTERN, format!("expected {expected}, found {found}"))
            }
            ValidationErrorKind::Custom { keyword, message } => {
                let found = self.interval(&pointer, error.instance()).unwrap_or(found);
                let ordered = keyword == ORDERED;
                help = ordered.then(|| "write the smaller number first".to_owned());
                (
                    if ordered { &rules::SCHEMA_INTERVAL } else { &rules::SCHEMA_RANGE },
                    format!("expected {message}, found {found}"),
                )
            }
            ValidationErrorKind::MultipleOf { multiple_of } => {
                (&rules::SCHEMA_RANGE, format!("expected a multiple of {multiple_of}, found {found}"))
            }
            ValidationErrorKind::MinLength { limit: 1 } => {
                (&rules::SCHEMA_LENGTH, "expected text, found none".to_owned())
            }
            ValidationErrorKind::MinLength { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at least {limit} characters, found {}", length()))
            }
            ValidationErrorKind::MaxLength { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at most {limit} characters, found {}", length()))
            }
            ValidationErrorKind::MinItems { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at least {limit} in the list, found {}", items()))
            }
            ValidationErrorKind::MaxItems { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at most {limit} in the list, found {}", items()))
            }
            ValidationErrorKind::MinProperties { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at least {limit} fields, found {}", fields()))
            }
            ValidationErrorKind::MaxProperties { limit } => {
                (&rules::SCHEMA_LENGTH, format!("expected at most {limit} fields, found {}", fields()))
            }
            ValidationErrorKind::UniqueItems => {
                let (index, item) = first_repeated(error.instance());
                span = self.parsed.spans.nearest(&joined(&pointer, &index.to_string()));
                (&rules::SCHEMA_UNIQUE, format!("expected each item once, found {item} again"))
            }
            ValidationErrorKind::OneOfMultipleValid { .. } => {
                (&rules::SCHEMA_ONE_OF, format!("expected one form, found {found}, which fits several"))
            }
            ValidationErrorKind::Not { .. } => {
                let schema = self.schema(error);
                help = schema.and_then(|schema| schema.get("description")?.as_str()).map(str::to_owned);
                let expected = schema.and_then(words).unwrap_or_else(|| "another value".to_owned());
                (&rules::SCHEMA_NOT, format!("expected {expected}, found {found}"))
            }
            _ => (&rules::SCHEMA_VALUE, format!("expected another value, found {found}: {}", error.masked())),
        };
        self.say(Refusal { rule, pointer, span, message, help });
    }

    /// Of several forms, the refusals of the one that came closest.
    fn branches(&mut self, error: &ValidationError<'_>, context: &[Vec<ValidationError<'_>>]) {
        let pointer = error.instance_path().as_str();
        let instance = error.instance();
        let types: Vec<JsonType> = context
            .iter()
            .flatten()
            .filter(|inner| inner.instance_path() == error.instance_path())
            .flat_map(expected_types)
            .collect();
        let every_type_is_wrong = context.iter().all(|branch| branch.iter().any(|inner| misses(inner, error)));
        if every_type_is_wrong && !types.is_empty() {
            return self.wrong_type(pointer, instance, &types);
        }
        let closest = context.iter().min_by_key(|branch| {
            let depth = branch.iter().map(|inner| inner.instance_path().segments().count()).max().unwrap_or(0);
            let of_another_type = branch.iter().any(|inner| misses(inner, error));
            let of_another_form = branch.iter().any(|inner| {
                matches!(inner.kind(), ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. })
            });
            (of_another_type, of_another_form, std::cmp::Reverse(depth), branch.len())
        });
        for inner in closest.into_iter().flatten() {
            self.error(inner);
        }
    }

    fn schema(&self, error: &ValidationError<'_>) -> Option<&Value> {
        self.enclosing(error).next()
    }

    /// The schema objects around the keyword that refused, from the inside out.
    fn enclosing(&self, error: &ValidationError<'_>) -> impl Iterator<Item = &Value> {
        let location = error.absolute_keyword_location().map(|location| location.as_str().to_owned());
        location.into_iter().flat_map(|location| self.schemas.around_keyword(&location))
    }

    /// What the schema that rules a property out says of itself.
    fn reason_against(&self, error: &ValidationError<'_>) -> Option<String> {
        // The field stands in the `properties` of the schema that is asked for.
        Some(self.enclosing(error).nth(1)?.get("description")?.as_str()?.to_owned())
    }

    /// The schema file in which a refusal stands.
    fn whole_schema(&self, error: &ValidationError<'_>) -> Option<&Value> {
        self.schemas.file(error.absolute_keyword_location()?.as_str())
    }

    /// Where an object begins: its key, else its brace, else its first key.
    fn opening(&self, pointer: &str) -> Range<usize> {
        let spans = &self.parsed.spans;
        let value = spans.nearest(pointer);
        let starts_with = |mark: &str| self.text.text.get(value.clone()).is_some_and(|text| text.starts_with(mark));
        match spans.key(pointer) {
            Some(key) => key,
            None if starts_with("{") => value.start..value.start + 1,
            None if starts_with("---") => value.start..value.start + 3,
            None => spans.first_key(pointer).filter(|_| !pointer.is_empty()).unwrap_or(value),
        }
    }

    /// A value as it is written, shortened.
    fn found(&self, pointer: &str, instance: &Value) -> String {
        let written = self.parsed.spans.written(pointer).unwrap_or_default();
        match instance {
            Value::Number(_) | Value::Bool(_) if written.len() <= 40 && !written.is_empty() => written.to_owned(),
            Value::Null if written.is_empty() => "nothing".to_owned(),
            other => shown(other),
        }
    }

    /// The two ends of an interval as they are written.
    fn interval(&self, pointer: &str, instance: &Value) -> Option<String> {
        let [low, high] = instance.as_array()?.as_slice() else { return None };
        let end = |index: &str, value| self.found(&joined(pointer, index), value);
        Some(format!("[{}, {}]", end("0", low), end("1", high)))
    }

    fn say(&mut self, refusal: Refusal) {
        let Refusal { rule, pointer, span: at, message, help } = refusal;
        if !self.said.insert((at.start, message.clone())) {
            return;
        }
        let mut problem = Diagnostic::new(rule, span(self.text, at), message).pointer(pointer);
        problem.help = help;
        self.report.push(problem);
    }
}

/// The faults in the file that one refusal stands for.
fn faults(error: &ValidationError<'_>) -> usize {
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.len(),
        _ => 1,
    }
}

/// Whether a branch was not meant at all: the value as a whole is of another type than it wants.
fn misses(inner: &ValidationError<'_>, outer: &ValidationError<'_>) -> bool {
    let here = inner.instance_path() == outer.instance_path();
    here && !expected_types(inner).is_empty() && {
        let found = JsonType::from(outer.instance().as_ref());
        let number = |one| matches!(one, JsonType::Integer | JsonType::Number);
        !expected_types(inner).into_iter().any(|one| one == found || (number(one) && number(found)))
    }
}

/// Types that a refused keyword asks for.
fn expected_types(error: &ValidationError<'_>) -> Vec<JsonType> {
    match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(one) } => vec![*one],
        ValidationErrorKind::Type { kind: TypeKind::Multiple(set) } => set.iter().collect(),
        ValidationErrorKind::Constant { expected_value } => vec![JsonType::from(expected_value.as_ref())],
        ValidationErrorKind::Enum { options } => options.as_array().into_iter().flatten().map(JsonType::from).collect(),
        _ => Vec::new(),
    }
}

fn type_name(one: JsonType) -> &'static str {
    match one {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "text",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

/// What is usual first, null last.
fn type_order(one: JsonType) -> usize {
    match one {
        JsonType::Integer => 0,
        JsonType::Number => 1,
        JsonType::String => 2,
        JsonType::Boolean => 3,
        JsonType::Array => 4,
        JsonType::Object => 5,
        JsonType::Null => 6,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// `a`, `a or b`, `a, b or c`.
fn either<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// Names between backticks, when there are few enough to read.
fn listed(names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (1..=12).contains(&names.len()).then(|| names.join(", "))
}

fn description(schema: &Value, field: &str) -> Option<String> {
    let text = schema.get("properties")?.get(field)?.get("description")?.as_str()?;
    Some(format!("`{field}`: {text}"))
}

fn near_option(instance: &Value, options: &[String]) -> Option<String> {
    let near = nearest(&shown(instance), options.iter().map(String::as_str))?;
    Some(format!("did you mean {near}?"))
}

/// What a schema asks for, where it says that in words.
fn words(schema: &Value) -> Option<String> {
    schema.get("x-expected")?.as_str().map(str::to_owned)
}

fn pattern_help(schema: &Value, instance: &Value) -> Option<String> {
    let texts = names::texts(schema);
    if let Some(near) = nearest(instance.as_str().unwrap_or_default(), texts.iter().map(String::as_str)) {
        return Some(format!("did you mean {}?", quoted(near)));
    }
    let example = schema.get("examples")?.as_array()?.first()?;
    Some(format!("for example {}", shown(example)))
}

/// What a format stands for, and an example of it.
fn format_words(format: &str) -> (String, &'static str) {
    match format {
        "date" => ("a date of the calendar".to_owned(), "write a date as 2026-10-29"),
        "date-time" => ("a date and time".to_owned(), "write it as 2026-10-29T12:00:00Z"),
        "uri" => ("a web address".to_owned(), "write it whole, as https://example.org/page"),
        other => (format!("text of the format {other}"), "see the description of the field in its schema"),
    }
}

/// The first item of a list that equals an earlier one.
fn first_repeated(instance: &Value) -> (usize, String) {
    let items = instance.as_array().map(Vec::as_slice).unwrap_or_default();
    let repeated = items.iter().enumerate().find(|(index, item)| items[..*index].contains(item));
    repeated.map_or((0, "an item".to_owned()), |(index, item)| (index, shown(item)))
}
