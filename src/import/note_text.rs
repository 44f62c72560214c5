//! KV-efficiency notes as the collection hands them on: its text form, a line with a field's name above the text of the
//! field, and tables with commas and a column a field.
//!
//! Only what has a field of its own becomes one. Prose is carried over as prose: which of its numbers is which, only a
//! reader can tell.

use serde_json::{Map, Value, json};

use super::answers::NoteAnswer;
use super::run_record::{dtype, put};
use super::set::Origin;
use super::{Content, Foreign, Format, Imported, NewFile, named, note, table, written};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::record::Date;
use crate::source::Kind;

pub struct NoteText;

impl Format for NoteText {
    fn name(&self) -> &'static str {
        "kv-note"
    }

    fn about(&self) -> &'static str {
        "KV-efficiency notes in the collection's text form, or as CSV with a row a note"
    }

    fn known_by(&self) -> &'static str {
        "lines or columns id, Model, and KV bytes basis, Methodology or notes"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let text = &file.text.text;
        is_note(&from_text(text)) || table::commas(text).is_some_and(|table| is_note(&of_columns(&table)))
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let text = &file.text.text;
        let origin = file.origin(self.name());
        let mut content = Content::default();
        let written = from_text(text);
        if is_note(&written) {
            content.notes.push(StatedNote::of(written, &origin));
            return Some(content);
        }
        let table = table::commas(text)?;
        if let Some(message) = table.uneven(text) {
            let problem = Diagnostic::new(&rules::IMPORT_CONTENT, Location::File(file.text.path.clone()), message);
            report.push(problem.help("which value is missing cannot be known; write the file anew"));
            return None;
        }
        for (_, row) in &table.rows {
            let cells = table.cells(row).map(|(name, text)| (field(name), text.to_owned()));
            content.notes.push(StatedNote::of(cells.collect(), &origin));
        }
        Some(content)
    }
}

/// The text of each field, by its name in small letters, in the order of the file.
type Parts = Vec<(String, String)>;

/// Fields of the text form. What else there is in a text has lines that look like prose.
const FIELDS: &[&str] = &[
    "id",
    "title",
    "published",
    "technique",
    "model",
    "engine",
    "engine_version",
    "accelerator",
    "accelerator_count",
    "kv_dtype",
    "kv_bytes_basis",
    "context_tokens",
    "measured_ttft_ms_at_ctx",
    "measured_tps_at_ctx",
    "methodology",
    "notes",
    "confidence",
    "confidence_reason",
    "source",
];

/// A name as a field has it: `KV bytes basis` is `kv_bytes_basis`.
fn field(name: &str) -> String {
    let name = name.trim().trim_end_matches(':').to_lowercase();
    let name = name.split([' ', '-']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    match name.as_str() {
        "date" => "published".to_owned(),
        "hardware" => "accelerator".to_owned(),
        "note" => "notes".to_owned(),
        _ => name,
    }
}

fn is_note(parts: &Parts) -> bool {
    let has = |name: &str| parts.iter().any(|(own, _)| own == name);
    has("id") && has("model") && ["kv_bytes_basis", "methodology", "notes"].iter().any(|name| has(name))
}

fn of_columns(table: &table::Table) -> Parts {
    table.columns.iter().map(|name| (field(name), String::new())).collect()
}

/// The fields of the text form, which begins with one.
fn from_text(text: &str) -> Parts {
    let mut parts = Parts::new();
    let mut lines = text.trim_start_matches('\u{feff}').lines().peekable();
    while let Some(line) = lines.next() {
        let is_name = match parts.last() {
            // The first line of a field is its text, whatever it says.
            Some((_, text)) => !text.is_empty() && is_name(line),
            None => FIELDS.contains(&field(line).as_str()),
        };
        match parts.last_mut() {
            _ if is_name && lines.peek().is_some_and(|below| !below.trim().is_empty()) => {
                parts.push((field(line), String::new()));
            }
            Some((_, text)) if !line.trim().is_empty() => {
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(line.trim());
            }
            Some(_) => {}
            None if line.trim().is_empty() => {}
            None => break,
        }
    }
    parts
}

/// Whether a line below a text is the name of the next field: one of ours, or a few words without a mark.
fn is_name(line: &str) -> bool {
    let line = line.trim();
    let plain = |one: char| one.is_ascii_alphabetic() || matches!(one, ' ' | '_');
    let few = line.split_whitespace().count() <= 4 && line.len() <= 40;
    FIELDS.contains(&field(line).as_str()) || (!line.is_empty() && few && line.chars().all(plain))
}

/// A note as its file states it. What the file leaves open and no note can be without is filled in from answers.
#[derive(Debug)]
pub struct StatedNote {
    pub published: Option<Date>,
    pub model: Option<String>,
    pub accelerator: Option<String>,
    pub engine: Option<String>,
    pub judged: NoteAnswer,
    parts: Parts,
    origin: Origin,
}

impl StatedNote {
    fn of(parts: Parts, origin: &Origin) -> Self {
        let mut note = StatedNote {
            published: None,
            model: None,
            accelerator: None,
            engine: None,
            judged: NoteAnswer::default(),
            parts,
            origin: origin.clone(),
        };
        note.published = note.text("published").and_then(|text| text.parse().ok());
        note.model = note.text("model").and_then(|text| named::model(text.split(" (").next().unwrap_or(text)));
        note.accelerator = note.line("accelerator");
        note.engine = note.line("engine");
        note.judged.technique = note.line("technique");
        note.judged.confidence = note.number("confidence");
        note.judged.confidence_reason = note.line("confidence_reason");
        let judged = note.text("notes").and_then(judged_in);
        if let (None, Some((confidence, reason))) = (note.judged.confidence, judged) {
            note.judged.confidence = Some(confidence);
            note.judged.confidence_reason = note.judged.confidence_reason.take().or(reason);
        }
        note
    }

    /// The text of a field; an empty one, and a word for none, is no text.
    fn text(&self, name: &str) -> Option<&str> {
        let (_, text) = self.parts.iter().find(|(own, _)| own == name)?;
        (!matches!(text.to_lowercase().as_str(), "" | "-" | "null" | "none" | "n/a" | "nan")).then_some(text)
    }

    fn line(&self, name: &str) -> Option<String> {
        self.text(name).and_then(named::prose)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.replace(',', "").parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The note as a record, once everything that it needs is there.
    pub fn record(&self) -> Imported {
        let id = self.line("id").unwrap_or_default();
        let id = id.trim_start_matches("kv-efficiency/").to_owned();
        let mut record = Map::new();
        put(&mut record, "id", Some(id.as_str()));
        put(&mut record, "status", Some("published"));
        let subject = self.model.as_deref().unwrap_or(&id);
        put(&mut record, "title", self.line("title").or_else(|| Some(format!("KV cache of {subject}"))));
        put(&mut record, "published", self.published.map(|day| day.to_string()));
        put(&mut record, "technique", self.judged.technique.as_deref());
        put(&mut record, "engine", self.engine.as_deref());
        put(&mut record, "engine_version", self.line("engine_version"));
        put(&mut record, "models", self.model.as_deref().map(|name| json!([{"name": name}])));
        match &self.accelerator {
            Some(accelerator) => {
                let mut host = Map::from_iter([
                    ("key".to_owned(), "host".into()),
                    ("accelerator".to_owned(), accelerator.as_str().into()),
                ]);
                put(
                    &mut host,
                    "count",
                    self.number("accelerator_count")
                        .filter(|count| count.fract() == 0.0 && *count >= 1.0)
                        .map(|count| count as u32),
                );
                put(&mut record, "hosts", Some(json!([host])));
            }
            None => put(&mut record, "no_card", Some("The imported file has no field that names one; its prose may.")),
        }
        let kv_dtype = dtype(self.text("kv_dtype"));
        put(&mut record, "kv_dtype_basis", kv_dtype.is_some().then_some("stated"));
        put(&mut record, "kv_dtype", kv_dtype);
        put(&mut record, "kv_bytes_basis", self.line("kv_bytes_basis"));
        self.measured(&mut record);
        put(&mut record, "confidence", self.judged.confidence);
        put(&mut record, "confidence_reason", self.judged.confidence_reason.as_deref());
        record.insert("sources".to_owned(), note::sources([&self.origin]));
        let remarks = self.unknown();
        let front_matter = Value::Object(record);
        let text = written::markdown(&front_matter, &self.body(&remarks));
        let files = vec![NewFile { kind: Kind::KvEfficiency, text }];
        Imported { id, files, made_of: vec![self.origin.file.clone()], remarks }
    }

    /// What was measured at a context, where there are fields of it.
    fn measured(&self, record: &mut Map<String, Value>) {
        let context = self.number("context_tokens").filter(|tokens| *tokens >= 1.0);
        put(record, "context_tokens", context);
        let names = ["measured_ttft_ms_at_ctx", "measured_tps_at_ctx"];
        let values = names.map(|name| self.number(name).filter(|value| *value > 0.0));
        if values.iter().any(Option::is_some) {
            let mut variant = Map::new();
            put(&mut variant, "key", Some("measured"));
            put(&mut variant, "label", Some("as measured"));
            put(&mut variant, "context_tokens", context);
            for (name, value) in names.into_iter().zip(values) {
                variant.insert(name.to_owned(), value.into());
            }
            record.insert("variants".to_owned(), json!([variant]));
        }
    }

    /// Fields that a note does not have, or whose text is not of their kind.
    fn unknown(&self) -> Vec<String> {
        let mut unknown = Vec::new();
        for (name, _) in &self.parts {
            let Some(text) = self.line(name) else { continue };
            let shown: String = text.chars().take(LONGEST_REMARK).collect();
            let numbers =
                ["accelerator_count", "context_tokens", "measured_ttft_ms_at_ctx", "measured_tps_at_ctx", "confidence"];
            if !FIELDS.contains(&name.as_str()) {
                unknown.push(format!("no field of a note: {name}: {shown}"));
            } else if numbers.contains(&name.as_str()) && self.number(name).is_none() {
                unknown.push(format!("{name} is no number in the file: {shown}"));
            } else if name == "published" && self.published.is_none() {
                unknown.push(format!("published is no day in the file: {shown}"));
            } else if name == "kv_dtype" && dtype(Some(&text)).is_none() {
                unknown.push(format!("kv_dtype is no storage type in the file: {shown}"));
            }
        }
        unknown
    }

    /// What the file says in prose, as it says it.
    fn body(&self, remarks: &[String]) -> String {
        let mut body = String::from(
            "Made of one file by an import. Its prose is carried over as it stands; numbers in it are not yet fields of this note.\n",
        );
        let sections = [("model", "Model"), ("source", "Source"), ("methodology", "Methodology"), ("notes", "Notes")];
        for (name, heading) in sections {
            // The model's name alone stands above already.
            let adds = |text: &&str| name != "model" || self.model.as_deref() != Some(*text);
            if let Some(text) = self.text(name).filter(adds) {
                body.push_str(&format!("\n## {heading}\n"));
                for line in text.lines().filter_map(note::prose) {
                    body.push_str(&format!("\n{line}\n"));
                }
            }
        }
        if !remarks.is_empty() {
            body.push_str("\n## How the file was read\n\n");
            remarks
                .iter()
                .filter_map(|remark| note::prose(remark))
                .for_each(|line| body.push_str(&format!("- {line}\n")));
        }
        body
    }
}

/// Longest text of a field that is shown where it has no place.
const LONGEST_REMARK: usize = 200;

/// `Confidence 0.62 because the post names no build`: the judgement that the text form has in its notes.
fn judged_in(notes: &str) -> Option<(f64, Option<String>)> {
    let at = notes.find("Confidence ")?;
    let (number, rest) = notes[at + "Confidence ".len()..].split_once(' ')?;
    let confidence: f64 = number.trim_end_matches([',', ':', '.']).parse().ok()?;
    let reason = rest.trim_start_matches("because").trim();
    let sentence = reason.split(". ").next().unwrap_or(reason).trim_end_matches('.');
    (0.0..=1.0).contains(&confidence).then(|| (confidence, named::prose(sentence)))
}

#[cfg(test)]
mod tests;
