//! What lies under the root and is not in the catalog: files that were refused, and drafts.

use std::collections::BTreeSet;

use crate::diagnostic::Report;

/// Files that no item was made of. What leads to a refused one is no second fault: the report says what is wrong with it.
#[derive(Debug)]
pub struct LeftOut {
    /// Paths below the root, of folders too; those of content without their ending, so that an address finds them.
    refused: BTreeSet<String>,
    /// Addresses.
    drafts: BTreeSet<String>,
}

impl LeftOut {
    /// Everything that the stages up to here found an error in, and nothing set aside yet.
    pub fn refused_in(report: &Report) -> Self {
        let refused = report.paths_with_errors().map(|path| {
            let ending = path.strip_suffix(".json").or_else(|| path.strip_suffix(".md"));
            ending.filter(|_| path.starts_with("content/")).unwrap_or(path).to_owned()
        });
        LeftOut { refused: refused.collect(), drafts: BTreeSet::new() }
    }

    pub(super) fn set_aside(&mut self, draft: String) {
        self.drafts.insert(draft);
    }

    /// Whether the record at an address, its curator's note, or a folder above them was refused.
    pub fn refused(&self, address: &str) -> bool {
        self.refused_path(&format!("content/{address}"))
    }

    /// Whether a file of `static/`, or a folder above it, was refused.
    pub fn refused_static(&self, path: &str) -> bool {
        self.refused_path(&format!("static/{path}"))
    }

    /// Whether anything in a folder of the content was refused, so that not all of it is known.
    pub fn refused_some_of(&self, folder: &str) -> bool {
        let below = format!("content/{folder}/");
        let first = self.refused.range(below.clone()..).next();
        self.refused(folder) || first.is_some_and(|path| path.starts_with(&below))
    }

    pub fn is_draft(&self, address: &str) -> bool {
        self.drafts.contains(address)
    }

    fn refused_path(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        folders.chain([path]).any(|path| self.refused.contains(path))
    }
}

/// That something published leads to a draft: the message and what to do.
pub fn leads_to_draft(address: &str) -> (String, String) {
    (
        format!("`{address}` is a draft, so nothing published can refer to it"),
        "publish it, or build with `--drafts`".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Diagnostic, Location, rules};

    #[test]
    fn a_refused_file_is_known_by_its_address_and_a_refused_folder_by_all_in_it() {
        let mut report = Report::new();
        for path in ["content/runs/a-1.0.json", "content/audits", "static/img", "static/a.md"] {
            report.push(Diagnostic::new(&rules::FILE_IO, Location::File(path.to_owned()), "m"));
        }
        report.push(Diagnostic::new(&rules::FILE_UNKNOWN, Location::File("content/runs/b.jsn".to_owned()), "m"));
        let left_out = LeftOut::refused_in(&report);
        for address in ["runs/a-1.0", "audits/x", "audits/2026/x"] {
            assert!(left_out.refused(address), "{address}");
        }
        for address in ["runs/a", "runs/a-1.0.json", "runs/b", "audits-2/x"] {
            assert!(!left_out.refused(address), "{address}");
        }
        let some_of = ["runs", "audits", "models"].map(|folder| left_out.refused_some_of(folder));
        assert_eq!(some_of, [true, true, false]);
        let statics = ["img/x.png", "a.md", "a", "x.png"].map(|path| left_out.refused_static(path));
        assert_eq!(statics, [true, true, false, false]);
    }
}
