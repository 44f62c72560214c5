//! What became of each file of an import.

use std::fmt;
use std::path::{Path, PathBuf};

use super::Imported;

/// The records that were made, and what is to know of them.
#[derive(Debug, Default)]
pub struct Summary {
    records: Vec<(PathBuf, PathBuf, Imported)>,
}

impl Summary {
    /// The record of a file, which goes into a folder.
    pub fn take(&mut self, file: &Path, folder: PathBuf, imported: Imported) {
        let path = folder.join(format!("{}.json", imported.id));
        self.records.push((file.to_owned(), path, imported));
    }

    /// Paths and contents of the records.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        self.records.iter().map(|(_, path, imported)| (path.clone(), imported.text().into_bytes())).collect()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (file, path, imported)) in self.records.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            write!(out, "{} made of {}", path.display(), file.display())?;
            for remark in &imported.remarks {
                write!(out, "\n  {remark}")?;
            }
        }
        Ok(())
    }
}
