//! Paths that are taken, and what is in the way of another one.

use std::collections::BTreeMap;

/// Paths with what stands there, by their lower-case form: some hosts do not tell upper from lower case.
#[derive(Debug)]
pub struct Places<T> {
    by_lower_case: BTreeMap<String, (String, T)>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Places { by_lower_case: BTreeMap::new() }
    }
}

impl<T> Places<T> {
    pub fn take(&mut self, path: &str, by: T) {
        self.by_lower_case.insert(path.to_lowercase(), (path.to_owned(), by));
    }

    /// The path that is the same one, or a file where this one needs a folder, or in a folder where this one is a file.
    pub fn in_the_way(&self, path: &str) -> Option<(&str, &T)> {
        let lower = path.to_lowercase();
        let folders = lower.match_indices('/').map(|(end, _)| &lower[..end]);
        let above = std::iter::once(lower.as_str()).chain(folders).find_map(|path| self.by_lower_case.get(path));
        let folder = format!("{lower}/");
        let below = || {
            let (path, taken) = self.by_lower_case.range(folder.clone()..).next()?;
            path.starts_with(&folder).then_some(taken)
        };
        above.or_else(below).map(|(path, by)| (path.as_str(), by))
    }
}
