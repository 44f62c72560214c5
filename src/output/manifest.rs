//! The list of every file of a published site: what may be deleted, and what need not be written again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::error::{OutputError, Refusal, failed};
use crate::route::check_path;

/// Name of the manifest in the directory that it lists. It belongs to the site without listing itself.
pub(super) const NAME: &str = ".site-manifest";

const FORMAT: &str = "results-site manifest 1";

/// The files of a site by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) entries: BTreeMap<String, Entry>,
}

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    sha256: String,
    pub(super) length: u64,
}

/// Takes the bytes of a file and keeps what is known of them.
#[derive(Debug, Default)]
pub(super) struct Fingerprint {
    digest: Sha256,
    length: u64,
}

impl Write for Fingerprint {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.digest.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<Fingerprint> for Entry {
    fn from(Fingerprint { digest, length }: Fingerprint) -> Self {
        Entry { sha256: digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), length }
    }
}

impl Entry {
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let mut known = Fingerprint::default();
        io::copy(&mut File::open(path)?, &mut known)?;
        Ok(known.into())
    }
}

impl Manifest {
    /// The manifest of a directory, if it has one.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, OutputError> {
        let path = directory.join(NAME);
        let bad = |reason| OutputError::Refused(Refusal::BadManifest { output: directory.to_owned(), reason });
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", &path)(error)),
            Ok(there) if !there.is_file() => return Err(bad("it is not a file".to_owned())),
            Ok(_) => {}
        }
        let bytes = fs::read(&path).map_err(failed("read", &path))?;
        let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
        Self::parse(&text).map(Some).map_err(bad)
    }

    /// One line a file: digest, length, path. The first line has the count, so that a file cut short is known as one.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{FORMAT}, files {}\n", self.entries.len());
        for (path, Entry { sha256, length }) in &self.entries {
            text.push_str(&format!("{sha256} {length} {path}\n"));
        }
        text
    }

    fn parse(text: &str) -> Result<Self, String> {
        let body = text.strip_suffix('\n').ok_or("its last line is cut short")?;
        let mut lines = body.split('\n');
        let first = lines.next().unwrap_or_default();
        let count = first
            .strip_prefix(FORMAT)
            .and_then(|rest| rest.strip_prefix(", files ")?.parse::<usize>().ok())
            .ok_or_else(|| format!("its first line is not `{FORMAT}, files` and their number"))?;
        let mut entries = BTreeMap::new();
        for (index, line) in lines.enumerate() {
            let (path, entry) = entry(line).ok_or_else(|| format!("line {} is not a file", index + 2))?;
            // Paths of a manifest are deleted: a forged one must not lead out of its directory.
            check_path(path).map_err(|refused| format!("line {}: {refused}", index + 2))?;
            entries.insert(path.to_owned(), entry);
        }
        match entries.len() {
            found if found == count => Ok(Manifest { entries }),
            found => Err(format!("it has {found} files, its first line says {count}")),
        }
    }

    /// What a directory holds beside the listed files and their folders, sorted; a link is never ours.
    pub(super) fn foreign(&self, directory: &Path) -> Result<Vec<String>, OutputError> {
        let mut foreign = Vec::new();
        let mut walk = WalkDir::new(directory).min_depth(1).follow_root_links(false).sort_by_file_name().into_iter();
        while let Some(item) = walk.next() {
            let item = item.map_err(|error| {
                let path = error.path().unwrap_or(directory).to_owned();
                failed("read", &path)(error.into())
            })?;
            let below = item.path().strip_prefix(directory).expect("a walk stays below its start");
            let path = below.to_str();
            let is_dir = item.file_type().is_dir();
            let ours = path.is_some_and(|path| {
                if is_dir {
                    self.has_folder(path)
                } else {
                    item.file_type().is_file() && (path == NAME || self.entries.contains_key(path))
                }
            });
            if !ours {
                foreign.push(below.display().to_string());
                if is_dir {
                    walk.skip_current_dir();
                }
            }
        }
        Ok(foreign)
    }

    /// The folders of the listed files, each before the folders in it.
    pub(super) fn folders(&self) -> Vec<&str> {
        let mut folders: Vec<&str> =
            self.entries.keys().flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end])).collect();
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    fn has_folder(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        self.entries.range(folder.clone()..).next().is_some_and(|(path, _)| path.starts_with(&folder))
    }
}

fn entry(line: &str) -> Option<(&str, Entry)> {
    let (sha256, rest) = line.split_once(' ')?;
    let (length, path) = rest.split_once(' ')?;
    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    Some((path, Entry { sha256: sha256.to_owned(), length: length.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry_of(bytes: &[u8]) -> Entry {
        let mut known = Fingerprint::default();
        known.write_all(bytes).expect("it takes all");
        known.into()
    }

    fn manifest(paths: &[&str]) -> Manifest {
        Manifest { entries: paths.iter().map(|path| ((*path).to_owned(), entry_of(path.as_bytes()))).collect() }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written = manifest(&["a.html", "runs/a b.html", "runs/缓存.html"]);
        assert_eq!(Manifest::parse(&written.to_text()), Ok(written));
        assert_eq!(Manifest::parse(&manifest(&[]).to_text()), Ok(manifest(&[])));
    }

    #[test]
    fn the_text_says_digest_length_and_path() {
        let text = Manifest { entries: BTreeMap::from([("a".to_owned(), entry_of(b"abc"))]) }.to_text();
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(text, format!("results-site manifest 1, files 1\n{sha256} 3 a\n"));
    }

    #[test]
    fn a_text_that_is_cut_short_anywhere_is_refused() {
        let text = manifest(&["a", "b"]).to_text();
        for end in 0..text.len() {
            assert!(Manifest::parse(&text[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn forged_paths_are_refused() {
        for path in ["../x", "/etc/x", "a/../../x", ""] {
            let forged = manifest(&[path]).to_text();
            assert!(Manifest::parse(&forged).is_err(), "{path:?}");
        }
        assert!(Manifest::parse("another format 1, files 0\n").is_err());
    }

    #[test]
    fn folders_come_before_the_folders_in_them() {
        assert_eq!(manifest(&["a/b/c", "a/d", "a-b/c", "e"]).folders(), ["a", "a-b", "a/b"]);
    }
}
