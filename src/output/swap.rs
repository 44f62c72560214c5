//! The step that puts a new site in place of the old one, and what puts things right when it was cut short.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::error::{OutputError, Refusal, failed};
use super::manifest::{self, Manifest};
use super::target::Target;

/// Says that a staging directory is ours; written before anything else in it.
pub(super) const OWNER: &str = "owner";
/// The site being written; after an exchange, the old site.
pub(super) const NEW: &str = "new";
/// The old site where the file system cannot exchange.
const OLD: &str = "old";

/// Exchanges two directories in one step.
pub(super) type Exchange = fn(&Path, &Path) -> io::Result<()>;

pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Puts the staged site in place of what stands at the target, durably, or leaves everything as it was.
pub(super) fn swap(target: &Target, exchange: Exchange) -> Result<(), OutputError> {
    // Opened before the step: after it nothing that can fail for want of a descriptor is left to do.
    let parent = open(target.parent())?;
    let step = if target.published()?.is_none() {
        // Nothing or an empty directory stands there, and a rename replaces that in one step too.
        rename(&target.staging().join(NEW), target.path())?;
        Step::MovedIn
    } else {
        replace(target, exchange)?
    };
    // The old site may only be removed when it is certain, after a power loss too, that the new one has its place.
    parent.sync_all().map_err(|error| {
        step.undo(target, exchange);
        failed("synchronise", target.parent())(error)
    })
}

/// Finishes what an earlier process began, and removes what it left: afterwards no staging directory is there.
///
/// The layout is the journal. `old/` without a site at the target means that a swap was cut short between its two
/// renames, so the old site goes back. Everything else in the staging directory is on its way out.
pub(super) fn tidy(target: &Target) -> Result<(), OutputError> {
    let staging = target.staging();
    let Some(there) = metadata(&staging)? else { return Ok(()) };
    let not_ours = |path: &Path| Err(OutputError::Refused(Refusal::NotOurs { path: path.to_owned() }));
    if !there.is_dir() {
        return not_ours(&staging);
    }
    if metadata(&staging.join(OWNER))?.is_none() {
        // Cut short before the owner was written, or after it was removed as the last of all; empty either way.
        return match fs::remove_dir(&staging) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => not_ours(&staging),
            removed => removed.map_err(failed("remove", &staging)),
        };
    }
    let (old, new) = (staging.join(OLD), staging.join(NEW));
    if metadata(&old)?.is_some() {
        if metadata(target.path())?.is_none() {
            rename(&old, target.path())?;
        } else {
            remove_site(&old)?;
        }
    }
    if metadata(&new)?.is_some() {
        remove_site(&new)?;
    }
    remove_file(&staging.join(OWNER))?;
    match fs::remove_dir(&staging) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => not_ours(&staging),
        removed => removed.map_err(failed("remove", &staging)),
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    MovedIn,
    Exchanged,
    SetAside,
}

impl Step {
    /// Takes the step back. If that fails as well, the new site stays, whole, and the error that led here is reported.
    fn undo(self, target: &Target, exchange: Exchange) {
        let new = target.staging().join(NEW);
        let _ = match self {
            Step::MovedIn => rename(target.path(), &new),
            Step::Exchanged => exchange(&new, target.path()).map_err(failed("exchange", target.path())),
            Step::SetAside => {
                rename(target.path(), &new).and_then(|()| rename(&target.staging().join(OLD), target.path()))
            }
        };
    }
}

fn replace(target: &Target, exchange: Exchange) -> Result<Step, OutputError> {
    let (new, old) = (target.staging().join(NEW), target.staging().join(OLD));
    match exchange(&new, target.path()) {
        Ok(()) => return Ok(Step::Exchanged),
        Err(error) if !cannot_exchange(&error) => return Err(failed("exchange", target.path())(error)),
        Err(_) => {}
    }
    rename(target.path(), &old)?;
    rename(&new, target.path()).inspect_err(|_| {
        // If this fails too, the next command that claims the directory does it: see `tidy`.
        let _ = rename(&old, target.path());
    })?;
    Ok(Step::SetAside)
}

/// Whether the system or the file system does not know the exchange, as against failing at it. Some sandboxes answer
/// unknown calls with EPERM; if it is a real one, the renames meet it again.
fn cannot_exchange(error: &io::Error) -> bool {
    let unknown = [Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP, Errno::PERM];
    Errno::from_io_error(error).is_some_and(|errno| unknown.contains(&errno))
}

/// Removes a whole site: the files that its manifest lists, the folders that are empty then, last the manifest. Without
/// a whole manifest it is one whose writing was cut short, in a directory that only we write to.
fn remove_site(site: &Path) -> Result<(), OutputError> {
    let manifest = match Manifest::read(site) {
        Ok(Some(manifest)) => manifest,
        Ok(None) | Err(OutputError::Refused(_)) => {
            return fs::remove_dir_all(site).map_err(failed("remove", site));
        }
        Err(error) => return Err(error),
    };
    let foreign = manifest.foreign(site)?;
    if !foreign.is_empty() {
        // Put there while the site was being built.
        return Err(OutputError::Refused(Refusal::Foreign { output: site.to_owned(), holds: foreign }));
    }
    manifest.entries.keys().try_for_each(|path| remove_file(&site.join(path)))?;
    for folder in manifest.folders().into_iter().rev() {
        remove_dir(&site.join(folder))?;
    }
    remove_file(&site.join(manifest::NAME))?;
    remove_dir(site)
}

pub(super) fn open(path: &Path) -> Result<File, OutputError> {
    File::open(path).map_err(failed("open", path))
}

fn rename(from: &Path, to: &Path) -> Result<(), OutputError> {
    fs::rename(from, to).map_err(failed("rename a directory to", to))
}

fn remove_file(path: &Path) -> Result<(), OutputError> {
    unless_gone(fs::remove_file(path), path)
}

fn remove_dir(path: &Path) -> Result<(), OutputError> {
    unless_gone(fs::remove_dir(path), path)
}

/// A removal that was cut short has removed some of them.
fn unless_gone(removed: io::Result<()>, path: &Path) -> Result<(), OutputError> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(failed("remove", path)),
    }
}

fn metadata(path: &Path) -> Result<Option<fs::Metadata>, OutputError> {
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path)(error)),
    }
}
