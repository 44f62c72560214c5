//! Why a site was not published: refusals of a directory, paths that clash, faults of the disk.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::route::UnsafePath;

/// What stopped a publish. The published site is as it was before.
#[derive(Debug)]
pub enum OutputError {
    /// The output directory is not one to replace: wrong use.
    Refused(Refusal),
    /// Another process has claimed the output directory.
    Busy { output: PathBuf },
    /// A path that might lead out of the output directory.
    Unsafe(UnsafePath),
    /// Two producers of one path, also where upper and lower case are one, or where one path is a folder of the other.
    Clash { path: String, other: String },
    /// A file that would be added is there already.
    Exists { path: PathBuf },
    /// The disk or its permissions.
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

/// Why a directory is not replaced.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is a place that holds something else than a published site, or holds such a place, or lies in one.
    Protected {
        output: PathBuf,
        relation: Relation,
        place: &'static str,
        path: PathBuf,
    },
    SymbolicLink {
        output: PathBuf,
    },
    /// Something else than a directory is at its path, or above.
    NotADirectory {
        output: PathBuf,
        path: PathBuf,
    },
    /// `..` after a directory that does not exist.
    Unresolvable {
        output: PathBuf,
    },
    /// It holds files, and nothing says that they are ours; one of them is named.
    Unmarked {
        output: PathBuf,
        holds: String,
    },
    /// Its manifest cannot be read, so it cannot say which files are ours.
    BadManifest {
        output: PathBuf,
        reason: String,
    },
    /// Its manifest does not list some of what it holds.
    Foreign {
        output: PathBuf,
        holds: Vec<String>,
    },
    /// Something else has the name of our lock or staging directory.
    NotOurs {
        path: PathBuf,
    },
}

/// How an output directory stands to a protected place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Is,
    Holds,
    LiesIn,
}

impl OutputError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            OutputError::Refused(refusal) => refusal.help(),
            OutputError::Busy { .. } => "wait for it to end, or build into another directory with --output".to_owned(),
            OutputError::Unsafe(_) => "rename it so that it stays below the output directory".to_owned(),
            OutputError::Clash { .. } => {
                "rename one of the two: some hosts do not tell upper from lower case".to_owned()
            }
            OutputError::Exists { .. } => "nothing is overwritten: remove it, or add into another folder".to_owned(),
            OutputError::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "make room on the device, or build onto another one with --output".to_owned()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "make the directory writable, or choose another one with --output".to_owned()
                }
                io::ErrorKind::InvalidFilename => "choose a shorter name with --output".to_owned(),
                _ => "the published site is as it was; build again when the cause is mended".to_owned(),
            },
        }
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputError::Refused(refusal) => refusal.fmt(f),
            OutputError::Busy { output } => write!(f, "another build is running on `{}`", output.display()),
            OutputError::Unsafe(refused) => refused.fmt(f),
            OutputError::Clash { path, other } => write!(f, "`{path}` and `{other}` would be written to one place"),
            OutputError::Exists { path } => write!(f, "`{}` is there already", path.display()),
            OutputError::Io { action, path, source } => {
                write!(f, "cannot {action} `{}`: {}", path.display(), reason(source))
            }
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OutputError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Refusal {
    fn path(&self) -> &Path {
        match self {
            Refusal::Protected { output, .. }
            | Refusal::SymbolicLink { output }
            | Refusal::NotADirectory { output, .. }
            | Refusal::Unresolvable { output }
            | Refusal::Unmarked { output, .. }
            | Refusal::BadManifest { output, .. }
            | Refusal::Foreign { output, .. } => output,
            Refusal::NotOurs { path } => path,
        }
    }

    fn help(&self) -> String {
        match self {
            Refusal::Protected { .. }
            | Refusal::SymbolicLink { .. }
            | Refusal::NotADirectory { .. }
            | Refusal::Unresolvable { .. } => "choose a directory of its own with --output, such as `public`",
            Refusal::Unmarked { .. } => "choose an empty directory with --output, or one that a build has written",
            Refusal::BadManifest { .. } => "move the directory away if it may go, then build again",
            Refusal::Foreign { .. } => "move it elsewhere: files that belong to the site are copied from `static/`",
            Refusal::NotOurs { .. } => "move it away, then build again",
        }
        .to_owned()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path().display();
        if let Refusal::NotOurs { .. } = self {
            return write!(f, "`{name}` was not written by a build, which needs this name");
        }
        write!(f, "output directory `{name}` ")?;
        match self {
            Refusal::Protected { output, relation, place, path } => {
                let relation = match relation {
                    Relation::Is => "is",
                    Relation::Holds => "holds",
                    Relation::LiesIn => "lies in",
                };
                write!(f, "{relation} {place}")?;
                if path == output { Ok(()) } else { write!(f, " `{}`", path.display()) }
            }
            Refusal::SymbolicLink { .. } => write!(f, "is a symbolic link, expected a directory"),
            Refusal::NotADirectory { output, path } if output == path => write!(f, "is a file, expected a directory"),
            Refusal::NotADirectory { path, .. } => write!(f, "lies below `{}`, which is no directory", path.display()),
            Refusal::Unresolvable { .. } => write!(f, "goes up with `..` from a directory that does not exist"),
            Refusal::Unmarked { holds, .. } => {
                write!(f, "was not written by a build and is not empty: it holds `{holds}`")
            }
            Refusal::BadManifest { reason, .. } => write!(f, "has a manifest that cannot be read: {reason}"),
            Refusal::Foreign { holds, .. } => write!(f, "holds what no build has written: {}", some_of(holds)),
            Refusal::NotOurs { .. } => Ok(()),
        }
    }
}

/// Makes an I/O error say what was being done to which path.
pub(super) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io { action, path, source }
}

/// The first few names, and how many more there are.
fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "no space left on the device".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::InvalidFilename => "a name is too long for the file system".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_said_with_the_path() {
        let full = io::Error::from_raw_os_error(rustix::io::Errno::NOSPC.raw_os_error());
        let error = failed("write", Path::new("/x/y.html"))(full);
        assert_eq!(error.to_string(), "cannot write `/x/y.html`: no space left on the device");
        assert_eq!(error.help(), "make room on the device, or build onto another one with --output");
    }

    #[test]
    fn a_refusal_names_some_of_many_files() {
        let holds = (1..=7).map(|number| number.to_string()).collect();
        let refusal = Refusal::Foreign { output: "/x".into(), holds };
        assert_eq!(
            refusal.to_string(),
            "output directory `/x` holds what no build has written: `1`, `2`, `3`, `4`, `5` and 2 more"
        );
    }
}
