//! What is wrong and where: severity, rule, message, place, pointer, help.

use std::ops::Range;
use std::sync::Arc;

/// The text of one file, with line positions; offsets are bytes into `text`.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path relative to the site's root, with `/`.
    pub path: String,
    /// UTF-8 without byte-order mark, line ends as LF.
    pub text: String,
    line_starts: Vec<usize>,
}

/// A 1-based line and column; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl SourceText {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        SourceText { path: path.into(), text, line_starts }
    }

    /// The place of a byte offset; an offset past the end is the end.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(1, |part| part.chars().count() + 1);
        Place { line, column }
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }
}

/// Errors refuse the site, warnings show, notices are only said on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Notice,
}

/// Where a problem is: a file as a whole, or a byte range of its text.
#[derive(Debug, Clone)]
pub enum Location {
    /// A path relative to the root, when there is no text to show.
    File(String),
    Span {
        text: Arc<SourceText>,
        span: Range<usize>,
    },
}

impl Location {
    pub fn path(&self) -> &str {
        match self {
            Location::File(path) => path,
            Location::Span { text, .. } => &text.path,
        }
    }
}

/// One problem. `message` says what was expected and found, `help` what to do.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Stable code, `group/name`.
    pub rule: &'static str,
    pub message: String,
    pub location: Location,
    /// JSON pointer of the value at fault, where the file has such values.
    pub pointer: Option<String>,
    pub help: Option<String>,
    /// Another place that belongs to the problem, with a label.
    pub related: Option<(Range<usize>, String)>,
}

impl Diagnostic {
    pub fn error(rule: &'static str, location: Location, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, rule, location, message)
    }

    pub fn warning(rule: &'static str, location: Location, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, rule, location, message)
    }

    pub fn notice(rule: &'static str, location: Location, message: impl Into<String>) -> Self {
        Self::new(Severity::Notice, rule, location, message)
    }

    fn new(severity: Severity, rule: &'static str, location: Location, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic { severity, rule, message, location, pointer: None, help: None, related: None }
    }

    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }
}

/// Stub.
#[derive(Debug, Default)]
pub struct Report {
    pub all: Vec<Diagnostic>,
}

impl Report {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn warnings(&self) -> usize {
        self.all.len()
    }
    pub fn render(&self) -> String {
        String::new()
    }
}
