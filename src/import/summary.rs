//! What became of the files of an import.

use std::fmt;
use std::path::PathBuf;

use super::Imported;
use crate::source::Kind;

/// The records that were made, and what is to know of them.
#[derive(Debug)]
pub struct Summary {
    /// Each record with the paths of its files.
    records: Vec<(Vec<PathBuf>, Imported)>,
    /// Files of folders that hold no result, and why.
    passed_over: Vec<(PathBuf, String)>,
}

impl Summary {
    /// The records, each file of which goes where `place` says.
    pub fn new(
        records: Vec<Imported>,
        passed_over: Vec<(PathBuf, String)>,
        place: impl Fn(Kind, &str) -> PathBuf,
    ) -> Self {
        let placed = |record: Imported| {
            let paths = record.files.iter().map(|file| place(file.kind, &record.id)).collect();
            (paths, record)
        };
        Summary { records: records.into_iter().map(placed).collect(), passed_over }
    }

    /// Paths and contents of all files.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let of_record = |(paths, record): &(Vec<PathBuf>, Imported)| {
            let files = paths.iter().zip(&record.files);
            files.map(|(path, file)| (path.clone(), file.text.clone().into_bytes())).collect::<Vec<_>>()
        };
        self.records.iter().flat_map(of_record).collect()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for (paths, record) in &self.records {
            let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            lines.push(format!("{} made of {}", paths.join(" and "), record.made_of.join(", ")));
            lines.extend(record.remarks.iter().map(|remark| format!("  {remark}")));
        }
        lines.extend(self.passed_over.iter().map(|(path, reason)| format!("{} passed over: {reason}", path.display())));
        out.write_str(&lines.join("\n"))
    }
}
