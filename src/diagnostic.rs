//! What is wrong and where: severity, rule, message, place, pointer, help.

use std::ops::Range;
use std::sync::Arc;

mod render;
mod report;
pub mod rules;
mod suggest;

pub use render::Color;
pub use report::{Acknowledged, Report, counted};
pub use rules::Rule;
pub use suggest::{nearest, printable, quoted};

/// The text of one file, with line positions; offsets are bytes into `text`.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path relative to the site's root, with `/`.
    pub path: String,
    /// UTF-8 without byte-order mark, line ends as LF.
    pub text: String,
    line_starts: Vec<u32>,
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
        let starts = text.match_indices('\n').map_while(|(at, _)| u32::try_from(at + 1).ok());
        let line_starts = std::iter::once(0).chain(starts).collect();
        SourceText { path: path.into(), text, line_starts }
    }

    /// The place of a byte offset; an offset past the end is the end.
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.floor(offset);
        let line = self.line_starts.partition_point(|start| *start as usize <= offset);
        let start = self.line_start(line);
        let column = self.text.get(start..offset).map_or(1, |part| part.chars().count() + 1);
        Place { line, column }
    }

    /// The byte offset at which a 1-based line starts; past the last line, the end.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts.get(line.saturating_sub(1)).map_or(self.text.len(), |start| *start as usize)
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// The offset, or the start of the character that it falls into.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// Errors refuse the site, warnings show, notices are only said on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Notice,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Notice];

    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        }
    }
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

    /// The byte at which the problem starts; the file as a whole comes first.
    pub fn offset(&self) -> usize {
        match self {
            Location::File(_) => 0,
            Location::Span { span, .. } => span.start,
        }
    }
}

/// One problem. `message` says what was expected and found, `help` what to do.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    pub message: String,
    pub location: Location,
    /// JSON pointer of the value at fault, where the file has such values.
    pub pointer: Option<String>,
    /// The number that the record states and the rule is broken by, as it is written.
    pub stated: Option<String>,
    pub help: Option<String>,
    /// Lines below the help, to be copied or gone through one by one.
    pub lines: Vec<String>,
    /// Another place in the same file that belongs to the problem, with a label.
    pub related: Option<(Range<usize>, String)>,
}

impl Diagnostic {
    pub fn new(rule: &'static Rule, location: Location, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            message: message.into(),
            location,
            pointer: None,
            stated: None,
            help: None,
            lines: Vec::new(),
            related: None,
        }
    }

    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    pub fn stated(mut self, as_written: impl Into<String>) -> Self {
        self.stated = Some(as_written.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn lines(mut self, lines: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.lines.extend(lines.into_iter().map(Into::into));
        self
    }

    pub fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_bad_offsets_are_clamped() {
        let text = SourceText::new("a.json", "é1\n ü2\n");
        assert_eq!(text.place(2), Place { line: 1, column: 2 });
        assert_eq!(text.place(1), Place { line: 1, column: 1 }, "inside a character");
        assert_eq!(text.place(7), Place { line: 2, column: 3 });
        assert_eq!(text.place(99), Place { line: 3, column: 1 });
        assert_eq!(text.line_start(2), 4);
        assert_eq!(text.line_start(9), 9);
    }
}
