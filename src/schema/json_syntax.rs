//! Why a text is not JSON, said in the words of what stands there.

use std::ops::Range;
use std::sync::Arc;

use super::parsed::{MAX_DEPTH, span, too_deep};
use crate::diagnostic::{Diagnostic, SourceText, quoted, rules};

/// The problem behind serde_json's error.
pub(super) fn explain(text: &Arc<SourceText>, error: &serde_json::Error) -> Diagnostic {
    let open = match open_brackets(&text.text) {
        Nesting::TooDeep(at) => return too_deep(text, at),
        Nesting::LeftOpen(open) => open,
    };
    let at = (text.line_start(error.line()) + error.column()).saturating_sub(1).min(text.text.len());
    let scene = Scene { text: &text.text, at: text.floor(at), wording: wording(error) };
    let fault = scene
        .empty()
        .or_else(|| scene.text_before())
        .or_else(|| scene.cut_off())
        .or_else(|| scene.text_after())
        .or_else(|| scene.foreign_word())
        .or_else(|| scene.comma_too_many())
        .or_else(|| scene.comment())
        .unwrap_or_else(|| scene.plain());
    let mut problem = Diagnostic::new(&rules::JSON_SYNTAX, span(text, fault.span), fault.message);
    problem.help = fault.help.map(str::to_owned);
    match open.last() {
        Some(open) if error.is_eof() => problem.related(*open..open + 1, "opened here, never closed"),
        _ => problem,
    }
}

/// Where the parser stopped, and its words for why.
struct Scene<'a> {
    text: &'a str,
    at: usize,
    wording: String,
}

struct Fault {
    span: Range<usize>,
    message: String,
    help: Option<&'static str>,
}

fn fault(span: Range<usize>, message: impl Into<String>, help: Option<&'static str>) -> Option<Fault> {
    Some(Fault { span, message: message.into(), help })
}

const STRAY: Option<&str> = Some("delete what is not JSON, such as a line of a log");

impl Scene<'_> {
    fn empty(&self) -> Option<Fault> {
        let empty = self.text.trim().is_empty();
        if empty { fault(0..0, "expected a JSON object, found an empty file", None) } else { None }
    }

    /// The first line, when the error lies above the line on which an object begins.
    fn text_before(&self) -> Option<Fault> {
        let start = self.text.len() - self.text.trim_start().len();
        if self.text[start..].starts_with(['{', '/', '#']) {
            return None;
        }
        let object = self.text.find("\n{")?;
        let line = self.line_from(start);
        let found = quoted(&self.text[line.clone()]);
        if self.at < object {
            fault(line, format!("expected JSON alone, found {found} before it"), STRAY)
        } else {
            None
        }
    }

    fn cut_off(&self) -> Option<Fault> {
        let rest = self.wording.strip_prefix("EOF while parsing ")?;
        let end = self.text.trim_end().len();
        fault(end..end, format!("the file ends inside {rest}"), Some("is part of the file missing?"))
    }

    fn text_after(&self) -> Option<Fault> {
        if self.wording != "trailing characters" {
            return None;
        }
        let line = self.line_from(self.at);
        let found = quoted(&self.text[line.clone()]);
        fault(line, format!("expected JSON alone, found {found} after it"), STRAY)
    }

    /// `NaN` and its like, and the words of other languages.
    fn foreign_word(&self) -> Option<Fault> {
        let span = self.word();
        let word = &self.text[span.clone()];
        let unsigned = word.trim_start_matches(['+', '-']);
        if is_not_a_number(unsigned) {
            return fault(span, format!("{unsigned} is not JSON; use null for a missing value"), None);
        }
        let json = other_language(word)?;
        fault(span, format!("expected {json}, found {word}"), None)
    }

    fn comma_too_many(&self) -> Option<Fault> {
        if self.wording != "trailing comma" {
            return None;
        }
        let comma = self.text[..self.at].trim_end().len().saturating_sub(1);
        fault(comma..comma + 1, "expected no comma after the last value", Some("delete the comma"))
    }

    fn comment(&self) -> Option<Fault> {
        let line = self.line_from(self.at);
        let starts = ["//", "/*", "#"].iter().any(|mark| self.text[line.clone()].starts_with(mark));
        if starts {
            fault(line, "expected JSON, found a comment", Some("JSON has no comments; delete it"))
        } else {
            None
        }
    }

    /// serde_json's own words at the token where it stopped.
    fn plain(&self) -> Fault {
        let first = self.text[self.at..].chars().next();
        let mut span = self.word();
        if span.is_empty() {
            span = self.at..self.at + first.map_or(0, char::len_utf8);
        }
        let help = match (self.wording.as_str(), first) {
            (_, Some('\'' | '‘' | '’' | '“' | '”')) => Some("JSON text stands between double quotes: \"…\""),
            ("key must be a string", _) => Some("a key stands between double quotes: \"key\": value"),
            ("expected `,` or `}`" | "expected `,` or `]`", _) => Some("is a comma missing before this?"),
            ("invalid number", _) => Some("write a number as 0.5, -3 or 1e9, without a leading zero or plus"),
            (wording, _) if wording.starts_with("control character") => {
                Some("write a line break within text as \\n and a tab as \\t")
            }
            _ => None,
        };
        let message = match self.wording.as_str() {
            "expected value" | "expected ident" => {
                format!("expected a value, found {}", quoted(&self.text[span.clone()]))
            }
            wording => wording.to_owned(),
        };
        Fault { span, message, help }
    }

    /// The line from an offset to its end, without blanks there.
    fn line_from(&self, start: usize) -> Range<usize> {
        let line = self.text[start..].lines().next().unwrap_or("").trim_end();
        start..start + line.len()
    }

    /// The run of letters, digits, signs and dots around the place; empty when the place is beside one.
    fn word(&self) -> Range<usize> {
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_' | b'#');
        let (before, after) = self.text.as_bytes().split_at(self.at);
        let after = after.iter().take_while(part).count();
        let before = if after == 0 { 0 } else { before.iter().rev().take_while(part).count() };
        self.at - before..self.at + after
    }
}

enum Nesting {
    TooDeep(usize),
    /// Offsets of the brackets that are open at the end, outermost first.
    LeftOpen(Vec<usize>),
}

/// Follows the brackets of a text that need not be JSON.
fn open_brackets(text: &str) -> Nesting {
    let mut open = Vec::new();
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' if open.len() == MAX_DEPTH => return Nesting::TooDeep(at),
            b'{' | b'[' => open.push(at),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                while let Some((_, byte)) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Nesting::LeftOpen(open)
}

/// serde_json's wording without its position.
fn wording(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(wording, _)| wording.to_owned())
}

fn is_not_a_number(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "nan" | "inf" | "infinity" | "1.#inf" | "1.#qnan" | "1.#ind")
}

/// How JSON writes a word of Python or JavaScript.
fn other_language(word: &str) -> Option<&'static str> {
    match word {
        "None" | "undefined" | "nil" | "NULL" | "Null" => Some("null"),
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message and the words that it points at.
    fn said(text: &str) -> (String, String) {
        let source = Arc::new(SourceText::new("a.json", text));
        let error = serde_json::from_str::<serde_json::Value>(text).expect_err("not JSON");
        let problem = explain(&source, &error);
        let crate::diagnostic::Location::Span { span, .. } = problem.location else { panic!("a place is known") };
        (problem.message, text[span].to_owned())
    }

    #[test]
    fn a_missing_number_is_called_by_its_name() {
        for word in ["NaN", "-nan", "nan", "Infinity", "-Infinity", "inf"] {
            let name = word.trim_start_matches('-');
            let expected = format!("{name} is not JSON; use null for a missing value");
            assert_eq!(said(&format!("{{\"é\": {word}, \"b\": 1}}")), (expected, word.to_owned()));
        }
    }

    #[test]
    fn stray_lines_are_named_with_their_words() {
        for (text, words) in [
            ("device 0: ready\n{\"a\": 1}", "device 0: ready"),
            ("[INFO] start\n{\"a\": 1}", "[INFO] start"),
            ("\n12 files\n{}", "12 files"),
        ] {
            assert_eq!(said(text), (format!("expected JSON alone, found \"{words}\" before it"), words.to_owned()));
        }
        let after =
            ("expected JSON alone, found \"device 0: ready\" after it".to_owned(), "device 0: ready".to_owned());
        assert_eq!(said("{\"a\": 1}\ndevice 0: ready\n"), after);
    }

    #[test]
    fn common_slips_have_words_of_their_own() {
        for (text, message, words) in [
            ("", "expected a JSON object, found an empty file", ""),
            (" \n", "expected a JSON object, found an empty file", ""),
            ("{\"a\": 1,\n}", "expected no comma after the last value", ","),
            ("{\"a\": 1 // one\n}", "expected JSON, found a comment", "// one"),
            ("# x\n{}", "expected JSON, found a comment", "# x"),
            ("{\"a\": 'x'}", "expected a value, found \"'\"", "'"),
            ("{a: 1}", "key must be a string", "a"),
            ("{\"a\": None}", "expected null, found None", "None"),
            ("{\"a\": 012}", "invalid number", "012"),
            ("{\"a\": 1e999}", "number out of range", "1e999"),
            ("{\"a\" 1}", "expected `:`", "1"),
            ("{\"a\": 1 \"b\": 2}", "expected `,` or `}`", "\""),
            ("{\"a\": [1\n", "the file ends inside a list", ""),
            ("{\"a\": \"x\ny\"}", "control character (\\u0000-\\u001F) found while parsing a string", "\n"),
        ] {
            assert_eq!(said(text), (message.to_owned(), words.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn a_file_cut_short_names_the_bracket_left_open() {
        let text = "{\"a\": [1, \"]\"";
        let error = serde_json::from_str::<serde_json::Value>(text).expect_err("cut short");
        let problem = explain(&Arc::new(SourceText::new("a.json", text)), &error);
        assert_eq!(problem.related.map(|(span, _)| span), Some(6..7));
    }
}
