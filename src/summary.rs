//! What became of each file under `content/`.

use std::fmt;
use std::path::Path;

use crate::diagnostic::counted;
use crate::output::{Outcome, Published};
use crate::{Read, catalog::Item};

/// The closing line of a run: every file is accounted for.
#[derive(Debug)]
pub struct Summary {
    published: usize,
    drafts: usize,
    /// Names of files that are of no kind; their paths stand in the warnings.
    ignored: Vec<String>,
    /// Files of the site.
    files: usize,
    written: Option<String>,
}

impl Read {
    pub(crate) fn summary(&self, files: usize) -> Summary {
        let published = self.catalog.items().flat_map(Item::documents).count();
        let content = self.sources.content.len();
        Summary {
            published,
            drafts: content.saturating_sub(published),
            ignored: self.sources.ignored.iter().map(|(path, _)| name(path).to_owned()).collect(),
            files,
            written: None,
        }
    }
}

impl Summary {
    pub(crate) fn published(mut self, output: &Path, published: &Published) -> Self {
        let output = output.display();
        self.written = Some(match published.outcome {
            Outcome::Replaced => format!("{} files written to {output}", self.files),
            Outcome::Unchanged => format!("{output} holds the same {} files already", self.files),
        });
        self
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.published + self.drafts + self.ignored.len();
        write!(out, "{}: {} published", counted(total, "file"), self.published)?;
        if self.drafts > 0 {
            write!(out, ", {}", counted(self.drafts, "draft"))?;
        }
        if !self.ignored.is_empty() {
            write!(out, ", {} not recognised ({})", self.ignored.len(), self.ignored.join(", "))?;
        }
        match &self.written {
            Some(written) => write!(out, "; {written}"),
            None => write!(out, "; {} would be written", counted(self.files, "file")),
        }
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
