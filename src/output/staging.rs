//! A site on its way to disk: written beside the published one by any number of threads, then put in its place.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::claim::Claim;
use super::error::{OutputError, failed};
use super::growing::Growing;
use super::manifest::{self, Entry, Manifest};
use super::paths::Paths;
use super::swap::{self, Exchange, NEW, OWNER};
use super::target::Target;

const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;

/// Takes the files of a new site. Dropped before it is published, it leaves nothing.
///
/// A file that stands in the published site with the same bytes is not written: if all are, there is nothing to
/// publish, and else the new site gets a second name for it. So a small change is a small write, and the time of an
/// unchanged file stays; deleting and creating them all is also what makes some file systems slow.
#[derive(Debug)]
pub struct Staging<'claim> {
    target: &'claim Target,
    /// Where the new site is written.
    new: PathBuf,
    /// The same, open from the start, for [`synchronise`](Self::synchronise).
    directory: File,
    published: Option<Manifest>,
    taken: Mutex<Taken>,
}

/// What has been written so far.
#[derive(Debug, Default)]
struct Taken {
    paths: Paths,
    entries: BTreeMap<String, Entry>,
    /// Paths whose published file is as the new one would be.
    unchanged: Vec<String>,
}

/// What a publish did.
#[derive(Debug)]
pub struct Published {
    pub outcome: Outcome,
    /// Files of the site, without the manifest.
    pub files: usize,
    pub bytes: u64,
    /// Why the old site could not be removed; it waits beside the output directory, and the next build tries again.
    pub leftover: Option<OutputError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Replaced,
    /// Every byte was there already; no file was touched.
    Unchanged,
}

impl<'claim> Staging<'claim> {
    /// Makes the staging directory. A claim has one at a time.
    pub fn begin(claim: &'claim mut Claim) -> Result<Self, OutputError> {
        let target = claim.target();
        let published = target.published()?;
        let staging = target.staging();
        let new = staging.join(NEW);
        let make = || {
            create_folder(&staging)?;
            let owner = b"results-site is at work here; its next build removes this directory\n";
            write_file(&staging.join(OWNER), owner)?;
            create_folder(&new)?;
            swap::open(&new)
        };
        let directory = make().inspect_err(|_| discard(target))?;
        Ok(Staging { target, new, directory, published, taken: Mutex::default() })
    }

    /// Takes one file that `make` writes. Every path has one producer.
    pub fn write(&self, path: &str, make: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
        self.taken().paths.take(path)?;
        let file = self.new.join(path);
        let mut growing = Growing::new(&file);
        let written = make(&mut growing).and_then(|()| growing.finish(|entry| self.is_published(path, entry)));
        let (entry, unchanged) = written.map_err(failed("write", &file))?;
        let mut taken = self.taken();
        taken.entries.insert(path.to_owned(), entry);
        taken.unchanged.extend(unchanged.then(|| path.to_owned()));
        Ok(())
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the new site in place of the published one in one step.
    pub fn publish(self) -> Result<Published, OutputError> {
        self.publish_by(swap::exchange)
    }

    pub(super) fn publish_by(mut self, exchange: Exchange) -> Result<Published, OutputError> {
        let Taken { entries, unchanged, .. } =
            std::mem::take(self.taken.get_mut().unwrap_or_else(PoisonError::into_inner));
        let files = entries.len();
        let bytes = entries.values().map(|entry| entry.length).sum();
        let manifest = Manifest { entries };
        if unchanged.len() == files && self.published.as_ref() == Some(&manifest) {
            return Ok(Published { outcome: Outcome::Unchanged, files, bytes, leftover: None });
        }
        manifest.folders().into_iter().try_for_each(|folder| create_folder(&self.new.join(folder)))?;
        unchanged.par_iter().try_for_each(|path| self.keep(path, &manifest))?;
        write_file(&self.new.join(manifest::NAME), manifest.to_text().as_bytes())?;
        self.synchronise()?;
        swap::swap(self.target, exchange)?;
        let leftover = swap::tidy(self.target).err();
        Ok(Published { outcome: Outcome::Replaced, files, bytes, leftover })
    }

    /// Whether the published site has this file, byte for byte on disk: a file that was edited there is written anew.
    fn is_published(&self, path: &str, entry: &Entry) -> bool {
        let listed = self.published.as_ref().and_then(|published| published.entries.get(path)) == Some(entry);
        let file = self.target.path().join(path);
        listed
            && fs::symlink_metadata(&file).is_ok_and(|there| {
                // One name only: a second one outside would tie our file to somebody else's.
                there.is_file()
                    && there.mode() & 0o7777 == FILE_MODE
                    && there.nlink() == 1
                    && there.len() == entry.length
            })
            && Entry::of_file(&file).is_ok_and(|there| there == *entry)
    }

    /// Gives the published file a second name in the new site, or copies it where the file system has no such names.
    fn keep(&self, path: &str, manifest: &Manifest) -> Result<(), OutputError> {
        let (from, to) = (self.target.path().join(path), self.new.join(path));
        if fs::hard_link(&from, &to).is_ok() {
            return Ok(());
        }
        let mut source = File::open(&from).map_err(failed("read", &from))?;
        let mut copy = Growing::new(&to);
        let copied = io::copy(&mut source, &mut copy).and_then(|_| copy.finish(|_| false));
        let (entry, _) = copied.map_err(failed("keep", &from))?;
        if manifest.entries.get(path) != Some(&entry) {
            let changed = io::Error::new(io::ErrorKind::InvalidData, "it was changed while the site was built");
            return Err(failed("keep", &from)(changed));
        }
        Ok(())
    }

    /// Brings all of the new site to the device, and every error of writing it to light.
    ///
    /// One `syncfs` instead of an `fsync` for each of thousands of files and folders: it waits for the same writes, in
    /// an order that the file system chooses, and reports those that failed since the directory was opened.
    fn synchronise(&self) -> Result<(), OutputError> {
        rustix::fs::syncfs(&self.directory).map_err(|error| failed("synchronise", &self.new)(error.into()))
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        discard(self.target);
    }
}

fn discard(target: &Target) {
    // What cannot be removed now is removed by the next claim, which reports why if it cannot either.
    let _ = swap::tidy(target);
}

/// Creates a folder if need be, with its mode whatever the process's mask is.
fn create_folder(path: &Path) -> Result<(), OutputError> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed("create", path)(error)),
        _ => {}
    }
    fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE)).map_err(failed("set the mode of", path))
}

/// A new file with its mode whatever the process's mask is, in a folder that is made if need be.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path);
    let file = match (create(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder)?;
            create()?
        }
        (created, _) => created?,
    };
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    create_file(path).and_then(|mut file| file.write_all(bytes)).map_err(failed("write", path))
}
