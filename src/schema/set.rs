//! The schemas of all kinds, compiled once.

use include_dir::{Dir, include_dir};
use jsonschema::{Draft, PatternOptions, Registry, Validator};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::bounds;
use super::json;
use super::parsed::span;
use super::spans::{Spans, unescaped};
use crate::diagnostic::{Diagnostic, Location, Report, SourceText, rules};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/schemas");

static SHIPPED: LazyLock<Result<Schemas, Report>> = LazyLock::new(|| Schemas::compile(&files(sources())));

/// Name and text of every schema file, `run.json` among them, by name.
pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = |file: &'static include_dir::File<'static>| Some((file.path().to_str()?, file.contents_utf8()?));
    let files: BTreeMap<_, _> = FILES.files().filter_map(named).filter(|(name, _)| name.ends_with(".json")).collect();
    files.into_iter()
}

/// The schemas that are compiled into the program, or what is wrong with them.
pub(super) fn shipped() -> Result<&'static Schemas, &'static Report> {
    SHIPPED.as_ref()
}

/// Schema files as texts with a path, so that problems in them have a place.
pub(super) fn files<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Arc<SourceText>> {
    sources.into_iter().map(|(name, text)| Arc::new(SourceText::new(format!("schemas/{name}"), text))).collect()
}

/// A set of schema files that may refer to each other and to nothing else.
pub(super) struct Schemas {
    by_id: BTreeMap<String, Value>,
    /// By name of the file without its ending.
    validators: BTreeMap<String, Validator>,
}

/// A schema, and the file that its references start from.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    pub file: &'a Value,
    pub schema: &'a Value,
}

/// A schema file that is JSON and says its `$id`.
pub(super) struct SchemaFile {
    pub text: Arc<SourceText>,
    pub id: String,
    pub value: Value,
    pub spans: Spans,
}

impl SchemaFile {
    pub fn parse(text: &Arc<SourceText>, report: &mut Report) -> Option<Self> {
        let parsed = json::parse(text, report)?;
        let Some(id) = parsed.value.get("$id").and_then(Value::as_str) else {
            report.push(Diagnostic::new(&rules::SCHEMA_FILE_ID, span(text, 0..1), "expected an `$id`, found none"));
            return None;
        };
        Some(SchemaFile { text: Arc::clone(text), id: id.to_owned(), value: parsed.value, spans: parsed.spans })
    }
}

impl Schemas {
    /// Compiles every file; nothing outside the files is ever fetched.
    pub fn compile(texts: &[Arc<SourceText>]) -> Result<Self, Report> {
        let mut report = Report::new();
        let files: Vec<_> = texts.iter().filter_map(|text| SchemaFile::parse(text, &mut report)).collect();
        let mut validators = BTreeMap::new();
        match registry(&files) {
            Ok(registry) => {
                for file in &files {
                    match compile(file, &registry) {
                        Ok(validator) => drop(validators.insert(name(&file.text.path), validator)),
                        Err(problem) => report.push(problem),
                    }
                }
            }
            Err(error) => {
                let location = Location::File("schemas".to_owned());
                report.push(Diagnostic::new(&rules::SCHEMA_FILE_REFERENCE, location, error.to_string()));
            }
        }
        if report.has_errors() {
            return Err(report);
        }
        let by_id = files.into_iter().map(|file| (file.id, file.value)).collect();
        Ok(Schemas { by_id, validators })
    }

    pub fn validator(&self, name: &str) -> Option<&Validator> {
        self.validators.get(name)
    }

    /// The schema of a kind of content.
    pub fn kind(&self, name: &str) -> Option<Rule<'_>> {
        let file = self.named(&format!("{name}.json"))?;
        Some(Rule { file, schema: file })
    }

    /// A schema with all that it refers to, is made of or may be.
    pub fn parts<'a>(&'a self, rule: Rule<'a>) -> Vec<Rule<'a>> {
        let own = |schema| Rule { schema, ..rule };
        let reference = rule.schema.get("$ref").and_then(Value::as_str).and_then(|reference| {
            let (name, pointer) = reference.split_once('#')?;
            let file = if name.is_empty() { rule.file } else { self.named(name)? };
            Some(Rule { file, schema: file.pointer(pointer)? })
        });
        let listed = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|keyword| rule.schema.get(keyword)?.as_array());
        let inner = reference.into_iter().chain(listed.flatten().map(own));
        std::iter::once(rule).chain(inner.flat_map(|inner| self.parts(inner))).collect()
    }

    fn named(&self, file: &str) -> Option<&Value> {
        let is_named = |id: &str| id.strip_suffix(file).is_some_and(|before| before.ends_with('/'));
        self.by_id.iter().find(|(id, _)| is_named(id)).map(|(_, value)| value)
    }

    /// The schema object that holds the keyword at an absolute location `<$id>#/…/<keyword>`, then what holds that, up to
    /// the whole file.
    pub fn around_keyword(&self, location: &str) -> Vec<&Value> {
        let (_, fragment) = location.split_once('#').unwrap_or_default();
        let (parent, _) = fragment.rsplit_once('/').unwrap_or_default();
        let mut around: Vec<&Value> = self.file(location).into_iter().collect();
        for token in parent.split('/').skip(1) {
            let token = percent_decoded(token);
            let inner = around.last().and_then(|value| match value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?),
                _ => value.get(unescaped(&token).as_ref()),
            });
            let Some(inner) = inner else { return Vec::new() };
            around.push(inner);
        }
        around.reverse();
        around
    }

    /// The schema file that holds an absolute keyword location.
    pub fn file(&self, location: &str) -> Option<&Value> {
        self.by_id.get(location.split_once('#')?.0)
    }
}

fn registry(files: &[SchemaFile]) -> Result<Registry<'_>, jsonschema::ReferencingError> {
    let mut registry = Registry::new().draft(Draft::Draft202012);
    for file in files {
        registry = registry.add(&file.id, &file.value)?;
    }
    registry.prepare()
}

fn compile(file: &SchemaFile, registry: &Registry<'_>) -> Result<Validator, Diagnostic> {
    let options = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_registry(registry)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::regex());
    bounds::teach(options).build(&file.value).map_err(|error| {
        let pointer = error.instance_path().as_str().to_owned();
        let location = span(&file.text, file.spans.nearest(&pointer));
        let problem = Diagnostic::new(&rules::SCHEMA_FILE_INVALID, location, error.to_string()).pointer(pointer);
        match error.instance().as_str() {
            Some(pattern) if pattern.contains("(?") => {
                problem.help("patterns run in linear time, which rules out looking ahead or behind")
            }
            _ => problem,
        }
    })
}

fn name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".json").unwrap_or(file).to_owned()
}

fn percent_decoded(token: &str) -> String {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (first, escaped) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
