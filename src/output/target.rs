//! Which directory is replaced, and whether it is one to replace.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{OutputError, Refusal, Relation, failed};
use super::manifest::{self, Manifest};

/// An output directory at its real path, which is no place of sources.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    parent: PathBuf,
    name: OsString,
}

/// Folders of a root that hold sources.
const SOURCES: [(&str, &str); 6] = [
    ("content", "the content folder"),
    ("schemas", "the schemas folder"),
    ("templates", "the templates folder"),
    ("static", "the static folder"),
    ("src", "the source folder"),
    (".git", "the repository"),
];

impl Target {
    /// Accepts an output directory that by real paths is no source, holds none and lies in none. A relative `output`
    /// is taken from the current directory. What it holds is another question: [`Target::published`].
    pub(super) fn locate(root: &Path, output: &Path) -> Result<Self, OutputError> {
        // Collecting the components drops `.` and a last slash, which would hide a symbolic link.
        let output: PathBuf = output.components().collect();
        if fs::symlink_metadata(&output).is_ok_and(|there| there.is_symlink()) {
            return Err(OutputError::Refused(Refusal::SymbolicLink { output }));
        }
        let path = real_path(&output)?;
        for Protected { place, reach, path: protected } in protected_places(root)? {
            let relation = if path == protected {
                Relation::Is
            } else if protected.starts_with(&path) {
                Relation::Holds
            } else if reach == Reach::WithAllInIt && path.starts_with(&protected) {
                Relation::LiesIn
            } else {
                continue;
            };
            return Err(OutputError::Refused(Refusal::Protected { output: path, relation, place, path: protected }));
        }
        // A site within a site is foreign to the outer one, which could then not be replaced any more.
        if let Some(site) = path.ancestors().skip(1).find(|above| above.join(manifest::NAME).exists()) {
            let (relation, place, path_of_site) = (Relation::LiesIn, "a published site", site.to_owned());
            let refusal = Refusal::Protected { output: path, relation, place, path: path_of_site };
            return Err(OutputError::Refused(refusal));
        }
        let parent = path.parent().expect("the root of the file system holds the root of the site").to_owned();
        let name = path.file_name().expect("a path with a parent and without dots has a name").to_owned();
        Ok(Target { path, parent, name })
    }

    /// The real path of the output directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn parent(&self) -> &Path {
        &self.parent
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.sibling("lock")
    }

    pub(super) fn staging(&self) -> PathBuf {
        self.sibling("staging")
    }

    /// The manifest of the site that stands there, none where nothing stands. Refused where anything else stands.
    pub(super) fn published(&self) -> Result<Option<Manifest>, OutputError> {
        let output = self.path.clone();
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", &self.path)(error)),
            Ok(there) if there.is_symlink() => return Err(OutputError::Refused(Refusal::SymbolicLink { output })),
            Ok(there) if !there.is_dir() => {
                let path = self.path.clone();
                return Err(OutputError::Refused(Refusal::NotADirectory { output, path }));
            }
            Ok(_) => {}
        }
        let Some(manifest) = Manifest::read(&self.path)? else {
            return match first_entry(&self.path)? {
                None => Ok(None),
                Some(holds) => Err(OutputError::Refused(Refusal::Unmarked { output, holds })),
            };
        };
        match manifest.foreign(&self.path)? {
            foreign if foreign.is_empty() => Ok(Some(manifest)),
            holds => Err(OutputError::Refused(Refusal::Foreign { output, holds })),
        }
    }

    fn sibling(&self, role: &str) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(&self.name);
        name.push(format!(".site-{role}"));
        self.parent.join(name)
    }
}

/// Whether a place is protected alone, or with everything in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Alone,
    WithAllInIt,
}

struct Protected {
    place: &'static str,
    reach: Reach,
    path: PathBuf,
}

fn protected_places(root: &Path) -> Result<Vec<Protected>, OutputError> {
    let root = fs::canonicalize(root).map_err(failed("find the root", root))?;
    let current = env::current_dir().and_then(fs::canonicalize).ok();
    let home = env::home_dir().and_then(|home| fs::canonicalize(home).ok());
    let alone = |place| move |path| Protected { place, reach: Reach::Alone, path };
    let mut places = vec![alone("the root of the site")(root.clone())];
    places.extend(current.map(alone("the current directory")));
    places.extend(home.map(alone("the home directory")));
    for (folder, place) in SOURCES {
        let named = root.join(folder);
        // A folder may be a link to where the sources really are: both places hold them.
        let real = fs::canonicalize(&named).ok();
        places.extend(real.into_iter().chain([named]).map(|path| Protected { place, reach: Reach::WithAllInIt, path }));
    }
    Ok(places)
}

/// The path without links: that of the nearest directory that exists, and the names after it.
fn real_path(path: &Path) -> Result<PathBuf, OutputError> {
    let absolute = std::path::absolute(path).map_err(failed("find", path))?;
    let mut existing = absolute.as_path();
    let mut names = Vec::new();
    loop {
        let not_a_directory = || {
            let (output, path) = (path.to_owned(), existing.to_owned());
            OutputError::Refused(Refusal::NotADirectory { output, path })
        };
        match fs::canonicalize(existing) {
            Ok(real) if !names.is_empty() && !real.is_dir() => return Err(not_a_directory()),
            Ok(mut real) => {
                real.extend(names.into_iter().rev());
                return Ok(real);
            }
            Err(error) if !leads_nowhere(&error) => return Err(failed("find", path)(error)),
            // A link that leads nowhere is there all the same, where a directory should be.
            Err(_) if fs::symlink_metadata(existing).is_ok() => return Err(not_a_directory()),
            Err(_) => {}
        }
        let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else {
            return Err(OutputError::Refused(Refusal::Unresolvable { output: path.to_owned() }));
        };
        names.push(name);
        existing = parent;
    }
}

/// Whether nothing is at a path, other than that the system refuses to say.
fn leads_nowhere(error: &io::Error) -> bool {
    let in_circles = rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP);
    in_circles || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The first name in a directory, by order of name.
fn first_entry(directory: &Path) -> Result<Option<String>, OutputError> {
    let entries = fs::read_dir(directory).map_err(failed("read", directory))?;
    let names: io::Result<Vec<OsString>> = entries.map(|entry| entry.map(|entry| entry.file_name())).collect();
    let first = names.map_err(failed("read", directory))?.into_iter().min();
    Ok(first.map(|name| name.to_string_lossy().into_owned()))
}
