//! The rule that a path has one producer.

use super::error::OutputError;
use super::manifest;
use crate::route::{Places, check_path};

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
        let mut paths = Paths::default();
        paths.take(first).expect("the first of two");
        paths.take(second).err().map(|error| error.to_string())
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
        assert!(Paths::default().take(".Site-Manifest").is_err());
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        for path in ["", "/abs", "../x", "a/../../b", ".", "a//b", "a/", "a\\b", "a\0b"] {
            let refused = Paths::default().take(path);
            assert!(matches!(refused, Err(OutputError::Unsafe(_))), "{path:?}");
        }
    }
}
