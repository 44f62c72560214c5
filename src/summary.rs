//! What the content holds, and what became of each file of it.

use std::fmt;
use std::path::Path;

use crate::Read;
use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::figures::Figures;
use crate::output::{Outcome, Published};
use crate::quantity::grouped;
use crate::source::Kind;

/// The closing lines of a run: one a kind, then one in which every file is accounted for.
#[derive(Debug)]
pub struct Summary {
    /// Of every kind that has a file, in the order of the kinds.
    holdings: Vec<Holding>,
    published: usize,
    drafts: usize,
    /// Names of files that are of no kind; their paths stand in the warnings.
    ignored: Vec<String>,
    /// Files of the site.
    files: usize,
    written: Option<String>,
}

/// What there is of one kind. A curator's note counts with its run.
#[derive(Debug)]
struct Holding {
    kind: Kind,
    published: usize,
    drafts: usize,
    curator_notes: usize,
    /// Configs of runs and audits, variants of notes.
    measured: usize,
    /// Figures with a value.
    figures: usize,
    /// Figures with a reason in its place.
    missing: usize,
}

impl Read {
    pub(crate) fn summary(&self, figures: &Figures, files: usize) -> Summary {
        let published = self.catalog.items().flat_map(Item::documents).count();
        let content = self.sources.content.len();
        let kinds = Kind::ALL.into_iter().chain([Kind::Collection]).filter(|kind| *kind != Kind::CuratorNote);
        Summary {
            holdings: kinds.map(|kind| self.holding(kind, figures)).filter(|held| held.records() > 0).collect(),
            published,
            drafts: content.saturating_sub(published),
            ignored: self.sources.ignored.iter().map(|(path, _)| name(path).to_owned()).collect(),
            files,
            written: None,
        }
    }

    fn holding(&self, kind: Kind, figures: &Figures) -> Holding {
        let items = || self.catalog.of_kind(kind);
        let of_kind = self.sources.content.iter().filter(|source| source.kind == kind).count();
        let published = items().count();
        let figures: Vec<_> = items().flat_map(|item| figures.of(&item.address)).collect();
        let missing = figures.iter().filter(|figure| figure.outcome.is_err()).count();
        Holding {
            kind,
            published,
            drafts: of_kind.saturating_sub(published),
            curator_notes: items().filter(|item| item.note.is_some()).count(),
            measured: items().map(measured).sum(),
            figures: figures.len() - missing,
            missing,
        }
    }
}

/// Configs of a run or audit, variants of a note.
fn measured(item: &Item) -> usize {
    item.kv_efficiency().map_or(item.subjects.len(), |note| note.variants.len())
}

impl Holding {
    fn records(&self) -> usize {
        self.published + self.drafts
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.kind == Kind::Collection { "collections" } else { self.kind.folder() };
        write!(out, "{name} {}: {} published", number(self.records()), number(self.published))?;
        if self.drafts > 0 {
            write!(out, ", {}", many(self.drafts, "draft"))?;
        }
        if self.curator_notes > 0 {
            write!(out, "; {}", many(self.curator_notes, "curator's note"))?;
        }
        if self.measured > 0 {
            let name = if self.kind == Kind::KvEfficiency { "variant" } else { "configuration" };
            write!(out, "; {}", many(self.measured, name))?;
        }
        if self.figures + self.missing > 0 {
            write!(out, "; {}", many(self.figures, "figure"))?;
        }
        if self.missing > 0 {
            write!(out, ", {} missing", number(self.missing))?;
        }
        Ok(())
    }
}

/// `1 figure`, `1,204 figures`.
fn many(count: usize, name: &str) -> String {
    format!("{} {name}{}", number(count), if count == 1 { "" } else { "s" })
}

fn number(count: usize) -> String {
    grouped(&count.to_string())
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
        for holding in &self.holdings {
            writeln!(out, "{holding}")?;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_held_in_a_line_that_says_only_what_there_is() {
        let none =
            |kind| Holding { kind, published: 1, drafts: 0, curator_notes: 0, measured: 0, figures: 0, missing: 0 };
        let runs = Holding {
            published: 20,
            drafts: 1,
            curator_notes: 18,
            measured: 84,
            figures: 1204,
            missing: 12,
            ..none(Kind::Run)
        };
        for (holding, line) in [
            (none(Kind::Page), "pages 1: 1 published"),
            (runs, "runs 21: 20 published, 1 draft; 18 curator's notes; 84 configurations; 1,204 figures, 12 missing"),
            (
                Holding { measured: 1, missing: 1, ..none(Kind::KvEfficiency) },
                "kv-efficiency 1: 1 published; 1 variant; 0 figures, 1 missing",
            ),
            (Holding { figures: 1, ..none(Kind::Price) }, "prices 1: 1 published; 1 figure"),
        ] {
            assert_eq!(holding.to_string(), line);
        }
    }
}
