//! The files of a site in memory, and the rule that a path has one producer.

use std::collections::BTreeMap;

use super::error::OutputError;
use super::manifest;
use crate::route::{Places, check_path};

/// Relative paths and their bytes, sorted, one producer a path.
#[derive(Debug, Default)]
pub struct Files {
    paths: Paths,
    bytes: BTreeMap<String, Vec<u8>>,
}

impl Files {
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<(), OutputError> {
        let path = path.into();
        self.paths.take(&path)?;
        self.bytes.insert(path, bytes.into());
        Ok(())
    }

    /// In order of path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.bytes.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }
}

/// The paths that are taken.
#[derive(Debug)]
pub struct Paths(Places<()>);

impl Default for Paths {
    fn default() -> Self {
        let mut places = Places::default();
        places.take(manifest::NAME, ());
        Paths(places)
    }
}

impl Paths {
    /// Takes a path for its one producer.
    pub fn take(&mut self, path: &str) -> Result<(), OutputError> {
        check_path(path).map_err(OutputError::Unsafe)?;
        if let Some((other, ())) = self.0.in_the_way(path) {
            return Err(OutputError::Clash { path: path.to_owned(), other: other.to_owned() });
        }
        self.0.take(path, ());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash(first: &str, second: &str) -> Option<String> {
        let mut files = Files::default();
        files.insert(first, "1").expect("the first of two");
        files.insert(second, "2").err().map(|error| error.to_string())
    }

    #[test]
    fn files_come_out_in_order_of_path() {
        let mut files = Files::default();
        for path in ["b.html", "a/b.html", "a.html"] {
            files.insert(path, path).expect("different paths");
        }
        let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["a.html", "a/b.html", "b.html"]);
    }

    #[test]
    fn two_producers_of_one_path_are_both_named() {
        assert_eq!(clash("a", "a").as_deref(), Some("`a` and `a` would be written to one place"));
        assert_eq!(
            clash("runs/H100-FP8.html", "runs/h100-fp8.html").as_deref(),
            Some("`runs/h100-fp8.html` and `runs/H100-FP8.html` would be written to one place")
        );
        assert_eq!(clash("Ü.html", "ü.html").as_deref(), Some("`ü.html` and `Ü.html` would be written to one place"));
    }

    #[test]
    fn a_path_is_a_file_or_a_folder() {
        assert_eq!(clash("a", "A/b/c").as_deref(), Some("`A/b/c` and `a` would be written to one place"));
        assert_eq!(clash("a/b/c", "a/B").as_deref(), Some("`a/B` and `a/b/c` would be written to one place"));
        assert_eq!(clash("a-b", "a/b"), None);
        assert_eq!(clash("a/b", "a-b"), None);
    }

    #[test]
    fn the_manifest_is_not_a_file_of_the_site() {
        assert!(Files::default().insert(".Site-Manifest", "x").is_err());
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        for path in ["", "/abs", "../x", "a/../../b", ".", "a//b", "a/", "a\\b", "a\0b"] {
            let refused = Files::default().insert(path, "x");
            assert!(matches!(refused, Err(OutputError::Unsafe(_))), "{path:?}");
        }
    }
}
