//! The lock on an output directory: held by an open file, so that the system releases it when the process dies.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::error::{OutputError, Refusal, failed};

/// A held lock. Dropping it removes the lock file and then lets go.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, or says that another build has it.
    pub(super) fn take(path: &Path, output: &Path) -> Result<Self, OutputError> {
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o644)
                .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
                .open(path)
                .map_err(failed("open the lock", path))?;
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => return Err(OutputError::Busy { output: output.to_owned() }),
                Err(error) => return Err(failed("lock", path)(error.into())),
            }
            let held = file.metadata().map_err(failed("read", path))?;
            if !held.is_file() || held.len() != 0 {
                return Err(OutputError::Refused(Refusal::NotOurs { path: path.to_owned() }));
            }
            // Between our open and our lock the holder before us may have removed the file: then what we hold has no
            // name, and the next process would lock another file of this name.
            match fs::symlink_metadata(path) {
                Ok(there) if (there.dev(), there.ino()) == (held.dev(), held.ino()) => {
                    return Ok(Lock { path: path.to_owned(), _file: file });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed("read", path)(error)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Still locked here, so nobody else can own the name. An empty file that stays is no harm: the next lock uses it.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_held_by_one_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("lock");
        let output = Path::new("/out");
        let held = Lock::take(&path, output).expect("free");
        let second = Lock::take(&path, output).expect_err("held");
        assert_eq!(second.to_string(), "another build is running on `/out`");
        drop(held);
        assert!(!path.exists());
        Lock::take(&path, output).expect("free again");
    }

    #[test]
    fn a_file_left_by_a_process_that_died_is_no_lock() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("lock");
        fs::write(&path, "").expect("written");
        Lock::take(&path, Path::new("/out")).expect("free");
    }

    #[test]
    fn a_file_of_somebody_else_is_not_taken() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("lock");
        fs::write(&path, "notes").expect("written");
        let refused = Lock::take(&path, Path::new("/out"));
        assert!(matches!(refused, Err(OutputError::Refused(Refusal::NotOurs { .. }))));
        assert_eq!(fs::read_to_string(&path).expect("still there"), "notes");
    }

    #[test]
    fn many_threads_never_hold_it_together() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("lock");
        let (inside, held) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(lock) = Lock::take(&path, Path::new("/out")) {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            held.fetch_add(1, Ordering::SeqCst);
                            inside.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
        assert!(held.load(Ordering::SeqCst) > 0);
    }
}
