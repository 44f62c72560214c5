//! Files of other tools as records of ours: one file a format.
//!
//! A format's reader says what its file says, as a [`Measured`] run a result or as a record; [`set`] puts runs together,
//! and `run_record` and `audit_record` write them in our shape.

mod aiperf;
mod answers;
mod audit_record;
mod console;
mod day;
mod gather;
mod genai_perf;
mod guidellm;
mod harness;
mod hf_config;
mod inferencex;
mod json;
mod kv_note;
mod llama_bench;
mod llama_benchy;
mod llmperf;
mod measured;
mod mlperf;
mod named;
mod note;
mod note_text;
mod power_log;
mod refused;
mod run_record;
mod serving;
mod set;
mod sglang_serving;
mod summary;
mod table;
mod trtllm_bench;
mod vllm_serve;
mod written;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::catalog::{self, Drafts};
use crate::diagnostic::{Diagnostic, Location, Report, Severity, SourceText, nearest, printable, rules};
use crate::figures;
use crate::record;
use crate::schema;
use crate::source::{self, ForeignText, Kind, Source};
use json::{Fields, Values};
use measured::Measured;
use note_text::StatedNote;
use set::Origin;

pub use answers::Question;
pub use gather::{Gathered, Request, gather};
pub use summary::Summary;

/// A file of another tool.
#[derive(Debug)]
pub struct Foreign {
    pub text: Arc<SourceText>,
    /// SHA-256 of its bytes in hex.
    pub sha256: String,
    /// What the file is called by its owner: its own name, or that of the folder which it stands in.
    pub name: String,
    values: OnceLock<Values>,
}

impl Foreign {
    /// Reads a file from anywhere.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        let ForeignText { text, sha256 } = source::foreign(path)?;
        let name = named::of_file(&text.path);
        Ok(Foreign { text: Arc::new(text), sha256, name, values: OnceLock::new() })
    }

    /// A file with this text, for tests.
    #[cfg(test)]
    fn of(path: &str, text: impl Into<String>) -> Self {
        let text = Arc::new(SourceText::new(path, text));
        Foreign { text, sha256: "0".repeat(64), name: named::of_file(path), values: OnceLock::new() }
    }

    /// Its own name, without the folders.
    fn file_name(&self) -> String {
        named::last_part(&self.text.path).unwrap_or_else(|| "a file without a name".to_owned())
    }

    /// Its JSON values, as far as there are any.
    fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::read(&self.text))
    }

    /// The objects of a file that may be JSON, or begin as if it were: enough to recognise it by.
    fn fields(&self) -> impl Iterator<Item = Fields<'_>> {
        self.values().objects()
    }

    /// All objects of a file that is JSON to its end; what is not is reported.
    fn objects(&self, report: &mut Report) -> Option<Vec<Fields<'_>>> {
        match &self.values().fault {
            Some(fault) => {
                report.push(fault.clone());
                None
            }
            None => Some(self.fields().collect()),
        }
    }

    fn origin(&self, format: &'static str) -> Origin {
        Origin { format, file: self.file_name(), sha256: self.sha256.clone() }
    }
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Content {
    /// Records as they are to stand, such as a model entry or a note.
    pub records: Vec<Imported>,
    /// Measured runs, which become records together with those of other files.
    pub runs: Vec<Measured>,
    /// Notes as their author wrote them, which may lack what a record needs.
    pub notes: Vec<StatedNote>,
    /// What belongs to runs of other files of the folder, such as a power log or a list of single requests.
    pub additions: Vec<Addition>,
}

impl Content {
    /// A record as it is to stand, and nothing else.
    fn record(record: Imported) -> Self {
        Content { records: vec![record], ..Content::default() }
    }

    fn is_empty(&self) -> bool {
        self.records.is_empty() && self.runs.is_empty() && self.notes.is_empty() && self.additions.is_empty()
    }

    /// Whether anything was measured: a file of another format gives runs without a value, as one of a failed run does.
    fn has_result(&self) -> bool {
        let measured = |run: &Measured| run.failed.is_none() && run.has_values();
        let others = !self.records.is_empty() || !self.notes.is_empty() || !self.additions.is_empty();
        others || self.runs.iter().any(measured)
    }
}

/// What a file adds to the runs that it is of.
pub struct Addition {
    /// What the file is, with its article.
    pub what: &'static str,
    /// Adds to a run if the file is of it, and says whether it is.
    pub join: Box<dyn Fn(&mut Measured) -> bool>,
}

impl fmt::Debug for Addition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.what)
    }
}

/// A record made of other tools' files.
#[derive(Debug)]
pub struct Imported {
    /// Name of the record's files, without their endings.
    pub id: String,
    /// A run record stands with its curator's note; any other record alone.
    pub files: Vec<NewFile>,
    /// Names of the files that it was made of.
    pub made_of: Vec<String>,
    /// What the reader should know: what was taken from elsewhere, and what is not known.
    pub remarks: Vec<String>,
}

/// A file to be written.
#[derive(Debug)]
pub struct NewFile {
    pub kind: Kind,
    pub text: String,
}

/// A format of other tools' files.
pub trait Format: Sync {
    /// As `--format` names it.
    fn name(&self) -> &'static str;

    /// Whose files they are, of which versions, and in which forms; one line.
    fn about(&self) -> &'static str;

    /// What its files are known by, in words.
    fn known_by(&self) -> &'static str;

    /// Whether a file looks like one of the format. What it is called does not count.
    fn recognises(&self, file: &Foreign) -> bool;

    /// What a file holds; what is wrong with it is reported, and then there is nothing.
    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content>;
}

/// Every format, in the order in which files are held against them.
pub static FORMATS: &[&dyn Format] = &[
    &harness::Harness,
    &note_text::NoteText,
    &vllm_serve::VllmServe,
    &sglang_serving::SglangServing,
    &console::Console,
    &llama_benchy::LlamaBenchy,
    &llama_bench::LlamaBench,
    &power_log::PowerLog,
    &guidellm::GuideLlm,
    &aiperf::AiPerf,
    &genai_perf::GenAiPerf,
    &inferencex::InferenceX,
    &trtllm_bench::TrtLlmBench,
    &llmperf::LlmPerf,
    &mlperf::MlPerf,
    &hf_config::HfConfig,
];

/// The format of a name; an error says which there are.
pub fn format(name: &str) -> Result<&'static dyn Format, String> {
    let known = FORMATS.iter().copied().find(|format| format.name() == name);
    known.ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("no format `{}`; did you mean `{near}`?", printable(name)),
            None => format!("no format `{}`; there is {}", printable(name), names.join(", ")),
        }
    })
}

/// Every format by name, with what it is.
pub fn list() -> String {
    let widest = FORMATS.iter().map(|format| format.name().len()).max().unwrap_or_default();
    let lines = FORMATS.iter().map(|format| format!("{:widest$}  {}", format.name(), format.about()));
    lines.collect::<Vec<_>>().join("\n")
}

/// The format that a file is of: the one that was named, else the first that recognises it.
fn recognise(file: &Foreign, named: Option<&'static dyn Format>) -> Result<&'static dyn Format, Diagnostic> {
    if let Some(format) = named {
        return Ok(format);
    }
    if let Some(refusal) = refused::refusal(file) {
        return Err(refusal);
    }
    FORMATS.iter().copied().find(|format| format.recognises(file)).ok_or_else(|| {
        let looked: Vec<_> =
            FORMATS.iter().map(|format| format!("{} ({})", format.name(), format.known_by())).collect();
        let mut problem = match &file.values().fault {
            // The best that is known of a file that is cut off.
            Some(fault) if file.values().found.is_empty() => {
                Diagnostic { rule: &rules::IMPORT_UNKNOWN, ..fault.clone() }
            }
            _ => {
                let location = Location::File(file.text.path.clone());
                Diagnostic::new(&rules::IMPORT_UNKNOWN, location, "its content is of no format known here")
            }
        };
        problem.message = format!("not recognised: {}", problem.message);
        problem.help(format!("looked for {}; --format names one", looked.join(", ")))
    })
}

impl Imported {
    /// A record of one JSON file.
    fn json(kind: Kind, id: String, record: &Value, file: &Foreign, remarks: Vec<String>) -> Self {
        let files = vec![NewFile { kind, text: written::json(record) }];
        Imported { id, files, made_of: vec![file.file_name()], remarks }
    }

    /// Holds what was made against its schema and what the site holds of records by themselves, as a check would.
    fn fits(&self, report: &mut Report) -> bool {
        let source = |file: &NewFile| {
            let (folder, ending) = (file.kind.folder(), file.kind.extension());
            Source {
                kind: file.kind,
                address: format!("{folder}/{}", self.id),
                text: Arc::new(SourceText::new(format!("content/{folder}/{}.{ending}", self.id), &*file.text)),
                sha256: String::new(),
            }
        };
        let sources: Vec<_> = self.files.iter().map(source).collect();
        let mut problems = Report::new();
        let documents = schema::validate(&sources, &mut problems);
        let entries = record::decode(documents, &mut problems);
        if let Some(settings) = settings() {
            let catalog = catalog::link(settings, entries, Drafts::Publish, &mut problems);
            figures::derive(&catalog, &mut problems);
        }
        let good = !problems.has_errors();
        problems
            .diagnostics()
            .filter(|problem| problem.severity() == Severity::Error)
            .cloned()
            .for_each(|one| report.push(one));
        good
    }
}

/// The settings of a site that holds nothing but an imported record.
fn settings() -> Option<record::Settings> {
    let text = Arc::new(SourceText::new("site.toml", "title = \"-\"\nbase_url = \"https://site.example\"\n"));
    let source = Source { kind: Kind::Site, address: "site".to_owned(), text, sha256: String::new() };
    let document = schema::validate_site(&source, &mut Report::new())?;
    record::decode_settings(document, &mut Report::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_found_by_name_or_the_nearest_is_said() {
        assert!(format("vllm-serve").is_ok());
        assert_eq!(format("vllm-serv").err().as_deref(), Some("no format `vllm-serv`; did you mean `vllm-serve`?"));
        let names: Vec<_> = FORMATS.iter().map(|format| format.name()).collect();
        assert_eq!(format("x").err(), Some(format!("no format `x`; there is {}", names.join(", "))));
    }
}
