//! New files into a folder of sources: all of them or none, and never over another.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{OutputError, failed};

/// Writes files that must not be there yet; the folders that they need are made.
pub fn add(files: &[(PathBuf, Vec<u8>)]) -> Result<(), OutputError> {
    let mut written = Vec::new();
    for (path, bytes) in files {
        if let Err(error) = write_new(path, bytes, &mut written) {
            // What cannot be taken back is left, and the error tells of the file at which it stopped.
            written.into_iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(error);
        }
    }
    Ok(())
}

fn write_new<'a>(path: &'a Path, bytes: &[u8], written: &mut Vec<&'a Path>) -> Result<(), OutputError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
    }
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = opened.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => OutputError::Exists { path: path.to_owned() },
        _ => failed("write", path)(error),
    })?;
    written.push(path);
    file.write_all(bytes).map_err(failed("write", path))
}
