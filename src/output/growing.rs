//! A file while it is written: in memory as long as it is small, so that one that has not changed never touches the disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::manifest::{Entry, Fingerprint};
use super::staging::create_file;

/// Bytes that are held at most: pages are smaller, tables of thousands of records are not.
const HELD: usize = 1 << 20;

pub(super) struct Growing<'a> {
    path: &'a Path,
    held: Vec<u8>,
    /// Of what was held before.
    known: Fingerprint,
    /// There once more was written than is held.
    file: Option<File>,
}

impl<'a> Growing<'a> {
    /// At a path where there is nothing.
    pub(super) fn new(path: &'a Path) -> Self {
        Growing { path, held: Vec::new(), known: Fingerprint::default(), file: None }
    }

    /// Leaves the file on disk, unless there is one like it: says what is known of it, and whether there was.
    pub(super) fn finish(mut self, is_there: impl FnOnce(&Entry) -> bool) -> io::Result<(Entry, bool)> {
        self.known.write_all(&self.held)?;
        let entry = Entry::from(self.known);
        let is_there = is_there(&entry);
        match (self.file, is_there) {
            (None, true) => {}
            (Some(_), true) => fs::remove_file(self.path)?,
            (None, false) => create_file(self.path)?.write_all(&self.held)?,
            (Some(mut file), false) => file.write_all(&self.held)?,
        }
        Ok((entry, is_there))
    }

    /// Brings what is held to disk.
    fn spill(&mut self) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => create_file(self.path)?,
        };
        file.write_all(&self.held)?;
        self.file = Some(file);
        self.known.write_all(&self.held)?;
        self.held.clear();
        Ok(())
    }
}

impl Write for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() > HELD {
            self.spill()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
