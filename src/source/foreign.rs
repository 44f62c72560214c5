//! Files that are no content, wherever they stand: other tools' results, and what people say of them.
#![allow(clippy::disallowed_methods, reason = "the one module that reads the disk")]

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

use super::address;
use super::load::{Found, io_error, read};
use super::text;
use crate::diagnostic::{Diagnostic, SourceText};

/// Results hold what every single request did, so they are larger than records.
const FOREIGN_MIB: u64 = 128;

/// A file of another tool as text.
#[derive(Debug)]
pub struct ForeignText {
    pub text: SourceText,
    /// SHA-256 of the file's bytes in hex, as any tool reckons it.
    pub sha256: String,
}

/// The text of a file.
pub fn foreign(path: &Path) -> Result<ForeignText, Diagnostic> {
    let found = Found { path: path.to_string_lossy().into_owned(), disk: path.to_owned() };
    let bytes = read(&found, FOREIGN_MIB)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(ForeignText { text: text::decode(&found.path, bytes)?, sha256 })
}

/// Whether there is a file to read.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// The files of a folder and of those below it, by name, without what editors and systems leave; `None` for what is no
/// folder. Links are not followed.
pub fn foreign_files(path: &Path) -> Option<Result<Vec<PathBuf>, Diagnostic>> {
    if !path.is_dir() {
        return None;
    }
    let entries = WalkDir::new(path).sort_by_file_name().into_iter();
    let files = entries.filter_map(|entry| match entry {
        Ok(entry) => {
            let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
            let is_left = address::leftover(&below.to_string_lossy()).is_some();
            (entry.file_type().is_file() && !is_left).then(|| Ok(entry.into_path()))
        }
        Err(error) => {
            let at = error.path().unwrap_or(path).to_string_lossy().into_owned();
            let cause = error.into_io_error().unwrap_or_else(|| std::io::Error::other("the walk failed"));
            Some(Err(io_error(&at, &cause)))
        }
    });
    Some(files.collect())
}
