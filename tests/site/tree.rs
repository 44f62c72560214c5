//! A folder's files as one comparable value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Files by path with `/`; two trees are equal when names and bytes are.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Tree {
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// All files of a folder; a folder that is not there has none.
    pub fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        if folder.exists() {
            for entry in walkdir::WalkDir::new(folder) {
                let entry = entry.expect("the folder can be read");
                if entry.file_type().is_file() {
                    let bytes = fs::read(entry.path()).expect("the file can be read");
                    files.insert(below(folder, entry.path()), bytes);
                }
            }
        }
        Tree { files }
    }

    pub fn text(&self, path: &str) -> &str {
        let bytes = self.files.get(path).unwrap_or_else(|| panic!("no {path} among {:?}", self.files.keys()));
        std::str::from_utf8(bytes).expect("pages are UTF-8")
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub fn with_ending(&self, ending: &str) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str).filter(move |path| path.ends_with(ending))
    }

    /// Paths that only one of the two has, or that differ.
    pub fn differences(&self, other: &Tree) -> Vec<String> {
        let paths: std::collections::BTreeSet<_> = self.files.keys().chain(other.files.keys()).collect();
        paths.into_iter().filter(|path| self.files.get(*path) != other.files.get(*path)).cloned().collect()
    }
}

#[track_caller]
pub fn assert_same(left: &Tree, right: &Tree, what: &str) {
    assert!(left == right, "{what}: these differ: {:?}", left.differences(right));
}

/// Times of last change of every file.
pub fn times(folder: &Path) -> BTreeMap<String, SystemTime> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.expect("the folder can be read"));
    let time = |entry: walkdir::DirEntry| {
        let changed = entry.metadata().expect("it is there").modified().expect("the system keeps times");
        (below(folder, entry.path()), changed)
    };
    entries.map(time).collect()
}

/// Names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("plain names"))
        .collect();
    names.sort();
    names
}

/// Copies a file, or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("the folder can be read");
        let target = match entry.path().strip_prefix(from).expect("below it") {
            same if same.as_os_str().is_empty() => to.to_owned(),
            below => to.join(below),
        };
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).expect("folder is ours");
        } else {
            fs::copy(entry.path(), target).expect("folder is ours");
        }
    }
}

fn below(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).expect("below it").to_str().expect("plain names").to_owned()
}
