//! Every problem of a run by file, held within bounds and in order.

use std::collections::BTreeMap;

use super::render::{self, Color};
use super::{Diagnostic, Severity};

/// Collects problems. Of one file it keeps the first and counts the rest.
#[derive(Debug, Default)]
pub struct Report {
    files: BTreeMap<String, FileProblems>,
}

#[derive(Debug, Default)]
pub(super) struct FileProblems {
    kept: Vec<Diagnostic>,
    /// Problems by severity that were counted and not kept.
    omitted: BTreeMap<Severity, usize>,
}

/// What of a rule the author of a record knows of, so that one reason never covers the next fault.
#[derive(Debug, Clone, Copy)]
pub enum Acknowledged<'a> {
    /// A number as it is written, of a rule of stated numbers.
    Stated(&'a str),
    /// A place by its JSON pointer, with what is below it.
    At(&'a str),
    /// All of it, where the rule is of the whole record or the place has no pointer.
    Whole,
}

impl Acknowledged<'_> {
    fn covers(self, found: &Diagnostic) -> bool {
        match self {
            Acknowledged::Stated(number) => found.stated.as_deref().is_some_and(|own| is_number(own, number)),
            Acknowledged::At(place) => {
                let rest = found.pointer.as_deref().and_then(|pointer| pointer.strip_prefix(place));
                found.stated.is_none() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            Acknowledged::Whole => {
                found.stated.is_none() && (found.pointer.is_none() || found.rule.is_of_whole_record())
            }
        }
    }
}

/// Whether a number as somebody writes it is another as it was found, which may have no sign and no unit there: `+25%` is
/// `25`.
fn is_number(found: &str, written: &str) -> bool {
    let is_rest = |text: &str| !text.contains(|part: char| part.is_ascii_digit());
    found == written
        || !is_rest(found) && written.split_once(found).is_some_and(|(before, after)| is_rest(before) && is_rest(after))
}

impl Report {
    /// Problems of one file that are printed.
    pub const PER_FILE: usize = 50;

    pub fn new() -> Self {
        Report::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        let path = diagnostic.location.path();
        match self.files.get_mut(path) {
            Some(file) => file.push(diagnostic),
            None => self.files.entry(path.to_owned()).or_default().push(diagnostic),
        }
    }

    /// Counts problems of a file that are too many to be told one by one.
    pub fn count_more(&mut self, path: &str, severity: Severity, count: usize) {
        if count > 0 {
            *self.files.entry(path.to_owned()).or_default().omitted.entry(severity).or_default() += count;
        }
    }

    /// Takes over all problems of another report.
    pub fn extend(&mut self, other: Report) {
        for (path, theirs) in other.files {
            let mine = self.files.entry(path).or_default();
            theirs.kept.into_iter().for_each(|diagnostic| mine.push(diagnostic));
            for (severity, count) in theirs.omitted {
                *mine.omitted.entry(severity).or_default() += count;
            }
        }
    }

    /// Takes out the problems of a file by a rule that its author knows of, where the rule lets them. Whether there were
    /// any; where some were only counted, there may have been.
    pub fn acknowledge(&mut self, path: &str, code: &str, known: Acknowledged) -> bool {
        let Some(file) = self.files.get_mut(path) else { return false };
        let before = file.kept.len();
        let is_known =
            |found: &Diagnostic| found.rule.code == code && found.rule.can_be_acknowledged() && known.covers(found);
        file.kept.retain(|found| !is_known(found));
        let broken = file.kept.len() < before || !file.omitted.is_empty();
        if file.total() == 0 {
            self.files.remove(path);
        }
        broken
    }

    /// Places at which a file breaks a rule.
    pub fn places(&self, path: &str, code: &str) -> Vec<String> {
        let found =
            self.files.get(path).into_iter().flat_map(|file| &file.kept).filter(|found| found.rule.code == code);
        found.filter_map(|found| found.pointer.clone()).collect()
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.files.values().map(|file| file.count(severity)).sum()
    }

    /// Files in which an error was found, in order.
    pub fn paths_with_errors(&self) -> impl Iterator<Item = &str> {
        let with_errors = self.files.iter().filter(|(_, file)| file.count(Severity::Error) > 0);
        with_errors.map(|(path, _)| path.as_str())
    }

    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What is printed of each problem, by file and offset.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.files.values().flat_map(FileProblems::shown)
    }

    /// The text for a terminal: every problem with its source line, and a summary; empty without problems.
    pub fn render(&self, color: Color) -> String {
        let mut out = String::new();
        for (path, file) in &self.files {
            for diagnostic in file.shown() {
                out.push_str(&render::diagnostic(diagnostic, color));
                out.push_str("\n\n");
            }
            let more = file.total() - file.kept.len().min(Self::PER_FILE);
            if more > 0 {
                out.push_str(&format!("and {} in {}\n\n", counted(more, "more problem"), super::printable(path)));
            }
        }
        if !self.is_empty() {
            out.push_str(&self.summary());
            out.push('\n');
        }
        out
    }

    /// One line: `3 errors, 1 warning in 2 files`.
    pub fn summary(&self) -> String {
        let counts = Severity::ALL.map(|severity| (self.count(severity), severity.name()));
        let said: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| counted(*count, name)).collect();
        let said = if said.is_empty() { "no problems".to_owned() } else { said.join(", ") };
        format!("{said} in {}", counted(self.files.len(), "file"))
    }
}

impl FileProblems {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.kept.push(diagnostic);
        if self.kept.len() >= 2 * Report::PER_FILE {
            self.kept.sort_by_key(weight);
            for dropped in self.kept.drain(Report::PER_FILE..) {
                *self.omitted.entry(dropped.severity()).or_default() += 1;
            }
        }
    }

    fn count(&self, severity: Severity) -> usize {
        let kept = self.kept.iter().filter(|diagnostic| diagnostic.severity() == severity).count();
        kept + self.omitted.get(&severity).copied().unwrap_or(0)
    }

    fn total(&self) -> usize {
        self.kept.len() + self.omitted.values().sum::<usize>()
    }

    /// The first problems, errors before warnings when there are too many, in order of offset.
    fn shown(&self) -> impl Iterator<Item = &Diagnostic> {
        let mut shown: Vec<&Diagnostic> = self.kept.iter().collect();
        shown.sort_by_key(|diagnostic| weight(diagnostic));
        shown.truncate(Report::PER_FILE);
        shown.sort_by_key(|diagnostic| diagnostic.location.offset());
        shown.into_iter()
    }
}

fn weight(diagnostic: &Diagnostic) -> impl Ord + use<> {
    (diagnostic.severity(), diagnostic.location.offset())
}

/// `1 file`, `2 files`.
pub fn counted(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Location, SourceText, rules};
    use super::*;

    fn at(path: &str, start: usize) -> Location {
        Location::Span { text: Arc::new(SourceText::new(path, "abc\n".repeat(200))), span: start..start + 1 }
    }

    #[test]
    fn a_number_is_known_with_its_sign_and_unit_or_without() {
        for (found, written, expected) in [
            ("25", "25", true),
            ("25", "25%", true),
            ("25", "~25%", true),
            ("20 to 89", "20 to 89%", true),
            ("25", "125", false),
            ("25", "25.5", false),
            ("25", "1.25", false),
            ("25", "30", false),
            ("six", "six replicas", false),
        ] {
            assert_eq!(is_number(found, written), expected, "{found} {written}");
        }
    }

    #[test]
    fn order_is_by_file_then_offset_whatever_came_first() {
        let mut report = Report::new();
        for (path, start) in [("b", 0), ("a", 9), ("a", 2)] {
            report.push(Diagnostic::new(&rules::FIGURE_STATED, at(path, start), "m"));
        }
        let order: Vec<_> = report.diagnostics().map(|one| (one.location.path(), one.location.offset())).collect();
        assert_eq!(order, [("a", 2), ("a", 9), ("b", 0)]);
    }

    #[test]
    fn past_fifty_only_the_count_is_said_and_no_error_hides_behind_warnings() {
        let mut report = Report::new();
        for start in 0..260 {
            report.push(Diagnostic::new(&rules::UNIT_SUSPICIOUS, at("a", start), "m"));
        }
        report.push(Diagnostic::new(&rules::FIGURE_STATED, at("a", 700), "m"));
        assert_eq!(report.diagnostics().count(), 50);
        assert_eq!(report.diagnostics().last().map(|last| last.rule), Some(&rules::FIGURE_STATED));
        assert_eq!((report.errors(), report.count(Severity::Warning)), (1, 260));
        let text = report.render(Color::Plain);
        assert!(text.ends_with("and 211 more problems in a\n\n1 error, 260 warnings in 1 file\n"), "{text}");
    }

    #[test]
    fn problems_that_are_only_counted_are_errors_all_the_same() {
        let mut report = Report::new();
        report.count_more("a", Severity::Error, 0);
        assert!(report.is_empty());
        report.count_more("a", Severity::Error, 2);
        assert!(report.has_errors());
        assert_eq!(report.render(Color::Plain), "and 2 more problems in a\n\n2 errors in 1 file\n");
    }

    #[test]
    fn extending_adds_counts_that_were_not_kept() {
        let mut one = Report::new();
        let mut other = Report::new();
        for start in 0..150 {
            other.push(Diagnostic::new(&rules::FIGURE_STATED, at("a", start), "m"));
        }
        one.extend(other);
        assert_eq!(one.errors(), 150);
        assert_eq!(one.summary(), "150 errors in 1 file");
    }
}
