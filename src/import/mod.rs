//! Files of other tools as records of ours: one file a format.

mod hf_config;
mod json;
mod summary;
mod written;

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::anchor;
use crate::diagnostic::{Diagnostic, Location, Report, SourceText, nearest, printable, rules};
use crate::record;
use crate::schema;
use crate::source::{self, Kind, Source};

pub use summary::Summary;

/// A file of another tool.
#[derive(Debug)]
pub struct Foreign {
    pub text: Arc<SourceText>,
    /// What the file is called by its owner: its own name, or that of the folder which it stands in.
    pub name: String,
}

impl Foreign {
    /// Reads a file from anywhere.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        let text = source::foreign(path)?;
        let name = name(&text.path).to_owned();
        Ok(Foreign { text: Arc::new(text), name: name.replacen("--", "/", 1) })
    }
}

/// The part of a path that names what the file is of. Files called `config.json` go by their folder, and the folders
/// of a download cache by the one above them: `models--Qwen--Qwen3-8B/snapshots/<revision>/config.json`.
fn name(path: &str) -> &str {
    let tells_nothing = |part: &&str| {
        let revision = part.len() == 40 && part.chars().all(|digit| digit.is_ascii_hexdigit());
        !matches!(*part, "" | "." | ".." | "config" | "snapshots") && !revision
    };
    let stem = path.rsplit_once('.').filter(|(_, ending)| !ending.contains('/')).map_or(path, |(stem, _)| stem);
    let stem = stem.trim_end_matches("_config").trim_end_matches("-config");
    let named = stem.rsplit('/').find(tells_nothing).unwrap_or(stem);
    named.strip_prefix("models--").unwrap_or(named)
}

/// A record made of a file, and what the file does not say of it.
#[derive(Debug)]
pub struct Imported {
    pub kind: Kind,
    /// Name of the record's file, without its ending.
    pub id: String,
    pub record: Value,
    /// What the reader should know: what was taken from elsewhere, and what is not known.
    pub remarks: Vec<String>,
}

/// A format of other tools' files.
pub trait Format: Sync {
    /// As `--format` names it.
    fn name(&self) -> &'static str;

    /// Whether a file looks like one of the format.
    fn recognises(&self, file: &Foreign) -> bool;

    /// The record of a file, or what is wrong with it.
    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Imported>;
}

/// Every format, in the order in which files are held against them.
pub static FORMATS: &[&dyn Format] = &[&hf_config::HfConfig];

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

/// The record of a file in a format, or in the first that recognises it. It fits its schema, so a site can take it.
pub fn import(file: &Foreign, format: Option<&dyn Format>, report: &mut Report) -> Option<Imported> {
    let Some(format) = format.or_else(|| FORMATS.iter().copied().find(|format| format.recognises(file))) else {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name()).collect();
        let location = Location::File(file.text.path.clone());
        let message = format!("not recognised as any format that can be imported: {}", names.join(", "));
        report.push(Diagnostic::new(&rules::IMPORT_UNKNOWN, location, message).help("name the format with --format"));
        return None;
    };
    let imported = format.read(file, report)?;
    fits(&imported, report).then_some(imported)
}

impl Imported {
    /// The text of the record's file.
    pub fn text(&self) -> String {
        written::written(&self.record)
    }
}

/// Holds what was made against the schema, as a build would; what does not fit is a fault of the format's reader.
fn fits(imported: &Imported, report: &mut Report) -> bool {
    let path = format!("content/{}/{}.json", imported.kind.folder(), imported.id);
    let source = Source {
        kind: imported.kind,
        address: format!("{}/{}", imported.kind.folder(), imported.id),
        text: Arc::new(SourceText::new(path, imported.text())),
        sha256: String::new(),
    };
    let mut problems = Report::new();
    let documents = schema::validate(&[source], &mut problems);
    record::decode(documents, &mut problems);
    let good = !problems.has_errors();
    report.extend(problems);
    good
}

/// Digest of a file's text, so that a reader can tell which file it was.
fn sha256(text: &SourceText) -> String {
    Sha256::digest(text.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name that a file or folder stands under, as an id.
fn id(name: &str) -> String {
    anchor::slug(name.rsplit('/').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_by_the_part_of_its_path_that_names_it() {
        for (path, expected) in [
            ("downloads/Qwen3-8B.json", "Qwen3-8B"),
            ("Qwen3-8B/config.json", "Qwen3-8B"),
            ("configs/Qwen--Qwen3-8B_config.json", "Qwen--Qwen3-8B"),
            (
                "hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218/config.json",
                "Qwen--Qwen3-8B",
            ),
            ("qwen3.5-27b.json", "qwen3.5-27b"),
            ("config.json", "config"),
        ] {
            assert_eq!(name(path), expected, "{path}");
        }
    }

    #[test]
    fn a_format_is_found_by_name_or_the_nearest_is_said() {
        assert!(format("hf-config").is_ok());
        assert_eq!(format("hf-confg").err().as_deref(), Some("no format `hf-confg`; did you mean `hf-config`?"));
        assert_eq!(format("vllm").err().as_deref(), Some("no format `vllm`; there is hf-config"));
    }
}
