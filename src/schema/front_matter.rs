//! The YAML block at the head of a Markdown file, told from its body.

use std::ops::Range;
use std::sync::Arc;

use super::parsed::span;
use crate::diagnostic::{Diagnostic, SourceText, rules};

/// Byte ranges of a Markdown file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatter {
    /// The block with both its fences.
    pub whole: Range<usize>,
    /// What stands between the fences.
    pub yaml: Range<usize>,
    /// What follows the closing fence's line.
    pub body: Range<usize>,
}

const FENCE: &str = "---";

/// Splits a file; the block begins on line 1 and ends at the next line that is a fence.
pub(super) fn split(text: &Arc<SourceText>) -> Result<FrontMatter, Diagnostic> {
    let mut lines = Lines { text: &text.text, at: 0 };
    let opening = lines.next().unwrap_or(0..0);
    if text.text[opening.clone()].trim_end() != FENCE {
        return Err(missing(text, opening));
    }
    let yaml = lines.at;
    let closing = loop {
        match lines.next() {
            Some(line) if text.text[line.clone()].trim_end() == FENCE => break line,
            Some(_) => {}
            None => {
                let message = "front matter opened on line 1 is never closed";
                return Err(Diagnostic::new(&rules::FRONT_MATTER_UNCLOSED, span(text, 0..FENCE.len()), message)
                    .help("end it with a line that holds --- alone"));
            }
        }
    };
    let whole = 0..closing.start + FENCE.len();
    Ok(FrontMatter { whole, yaml: yaml..closing.start, body: lines.at..text.text.len() })
}

/// Lines without their ends; `at` is where the next one starts.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.text.len());
        Some(start..start + length)
    }
}

fn missing(text: &Arc<SourceText>, first_line: Range<usize>) -> Diagnostic {
    let trimmed = text.text.trim_start();
    let message = if trimmed.is_empty() {
        "expected front matter, found an empty file"
    } else if trimmed.starts_with("+++") {
        "expected front matter in YAML between lines of ---, found +++"
    } else if trimmed.starts_with(FENCE) {
        "expected front matter on line 1, found it further down"
    } else {
        "expected front matter on line 1, found text"
    };
    Diagnostic::new(&rules::FRONT_MATTER_MISSING, span(text, first_line), message)
        .help("begin the file with a line ---, lines of `field: value`, and a line ---")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Result<(String, String, String), &'static str> {
        let source = Arc::new(SourceText::new("a.md", text));
        let FrontMatter { whole, yaml, body } = split(&source).map_err(|problem| problem.rule.code)?;
        Ok((text[whole].to_owned(), text[yaml].to_owned(), text[body].to_owned()))
    }

    #[test]
    fn the_block_and_the_body_are_told_apart() {
        let expect = |whole: &str, yaml: &str, body: &str| Ok((whole.to_owned(), yaml.to_owned(), body.to_owned()));
        assert_eq!(parts("---\na: 1\n--- \nBody\n\n---\n"), expect("---\na: 1\n---", "a: 1\n", "Body\n\n---\n"));
        assert_eq!(parts("---\n---"), expect("---\n---", "", ""));
        assert_eq!(parts("---\na: ---\n ---\n---\n"), expect("---\na: ---\n ---\n---", "a: ---\n ---\n", ""));
    }

    #[test]
    fn a_block_that_is_missing_or_never_closed_is_refused() {
        for text in ["", "\n", "text", "\n---\na: 1\n---\n", "+++\na = 1\n+++\n", "----\n---\n"] {
            assert_eq!(parts(text), Err("front-matter/missing"), "{text:?}");
        }
        for text in ["---", "---\n", "---\na: 1\n", "---\na: 1\n ---\n...\n"] {
            assert_eq!(parts(text), Err("front-matter/unclosed"), "{text:?}");
        }
    }
}
