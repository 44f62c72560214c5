//! A run record straight from the harness that this site's run records are made by: taken as it is, with an empty note.

use serde_json::json;

use super::{Content, Foreign, Format, Imported, NewFile, note, written};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::source::Kind;

pub struct Harness;

impl Format for Harness {
    fn name(&self) -> &'static str {
        "run-record"
    }

    fn about(&self) -> &'static str {
        "a run record as its harness writes it: taken unedited, with a curator's note to fill in"
    }

    fn known_by(&self) -> &'static str {
        "JSON with id, hardware, software, model and configs"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let keys = ["id", "hardware", "software", "model", "configs"];
        file.fields().next().is_some_and(|record| keys.iter().all(|key| record.has(key)))
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let records = file.objects(report)?;
        let id = records.first().filter(|_| records.len() == 1).and_then(|record| record.text("id"));
        let Some(id) = id else {
            let location = Location::File(file.text.path.clone());
            let message = format!("expected one record with an id, found {}", records.len());
            report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("give each record a file"));
            return None;
        };
        // An id may be the whole address.
        let id = id.trim_start_matches("runs/").to_owned();
        let note = written::markdown(&json!({"sources": note::sources([&file.origin(self.name())])}), "");
        let files = vec![
            NewFile { kind: Kind::Run, text: file.text.text.clone() },
            NewFile { kind: Kind::CuratorNote, text: note },
        ];
        let imported = Imported { id, files, made_of: vec![file.file_name()], remarks: Vec::new() };
        Some(Content::record(imported))
    }
}
