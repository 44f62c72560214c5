//! An output directory that is ours for one build: checked, locked, and put right after a build that was killed.

use std::fs;
use std::path::Path;

use super::error::{OutputError, failed};
use super::lock::Lock;
use super::swap;
use super::target::Target;

/// Holds the lock of an output directory until it is dropped.
#[derive(Debug)]
pub struct Claim {
    target: Target,
    _lock: Lock,
}

impl Claim {
    /// Claims `output` for the site at `root`, or says why not. To be called before anything is built.
    pub fn take(root: &Path, output: &Path) -> Result<Self, OutputError> {
        let target = Target::locate(root, output)?;
        let parent = target.parent();
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
        let lock = match Lock::take(&target.lock(), target.path()) {
            Err(unlockable @ OutputError::Io { .. }) => {
                // A directory that is not ours says more than that no lock can be made beside it.
                target.published()?;
                return Err(unlockable);
            }
            lock => lock?,
        };
        swap::tidy(&target)?;
        target.published()?;
        Ok(Claim { target, _lock: lock })
    }

    /// The real path of the output directory.
    pub fn path(&self) -> &Path {
        self.target.path()
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }
}

/// Says why `output` could not be claimed for the site at `root`, and touches nothing. Another build that has it at the
/// moment is no reason.
pub fn check(root: &Path, output: &Path) -> Result<(), OutputError> {
    Target::locate(root, output)?.published().map(|_| ())
}
