//! A source file with an anchor for each line, which inputs and diagnostics link to; a long file in parts.

use askama::Template;

use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here, source_route};
use super::part::PartLinks;

#[derive(Debug, Template)]
#[template(path = "source.html")]
pub struct SourcePage<'a> {
    frame: Frame,
    path: &'a str,
    sha256: &'a str,
    record: Option<String>,
    repository: Option<String>,
    parts: Option<PartLinks>,
    lines: Vec<Line<'a>>,
}

/// A line, or what goes onto one part of one that is longer than that.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    number: usize,
    text: &'a str,
    /// Where it begins it has its anchor.
    begins: bool,
}

/// Bytes of one part, its markup included.
const PART_BYTES: usize = 400_000;

/// What one line adds to its text.
const LINE_BYTES: usize = 40;

pub fn compose<'a>(here: &Here, document: &'a Document, part: usize) -> SourcePage<'a> {
    let path = &document.text.path;
    let record = here.site.catalog.get(&document.address).map(|item| here.to(&Route::record(&item.address)));
    let mut parts = cut(&document.text.text, PART_BYTES);
    SourcePage {
        frame: here
            .frame(path, &format!("The source file {path}, line by line"))
            .of_part(part)
            .made_from(here, document),
        path,
        sha256: &document.sha256,
        record,
        repository: here.to_repository(document, None),
        parts: PartLinks::of(here, &source_route(document), part, parts.len()),
        lines: parts.swap_remove(part - 1),
    }
}

/// The first line that begins in each part of a file, or after it; one part where the file is short.
pub fn first_lines(document: &Document) -> Vec<usize> {
    let parts = cut(&document.text.text, PART_BYTES);
    let first = |lines: &Vec<Line>| lines.first().map_or(1, |line| line.number + usize::from(!line.begins));
    parts.iter().map(first).collect()
}

fn cut(text: &str, most: usize) -> Vec<Vec<Line<'_>>> {
    let (mut parts, mut lines, mut room) = (Vec::new(), Vec::new(), most);
    for (number, line) in (1..).zip(text.lines()) {
        let (mut rest, mut begins) = (line, true);
        loop {
            let (text, bytes) = fitting(rest, room.saturating_sub(LINE_BYTES));
            // A line is only broken where it has a whole part to itself.
            let is_whole = text.len() == rest.len() && bytes + LINE_BYTES <= room;
            if !is_whole && !lines.is_empty() {
                parts.push(std::mem::take(&mut lines));
                room = most;
                continue;
            }
            lines.push(Line { number, text, begins });
            room = room.saturating_sub(bytes + LINE_BYTES);
            rest = &rest[text.len()..];
            begins = false;
            if rest.is_empty() {
                break;
            }
        }
    }
    parts.push(lines);
    parts
}

/// The start of a text that takes no more bytes on a page, one character at least, and how many it takes.
fn fitting(text: &str, most: usize) -> (&str, usize) {
    let mut bytes = 0;
    for (at, part) in text.char_indices() {
        // As much as `&#34;` for what is marked up.
        let own = if matches!(part, '<' | '>' | '&' | '"' | '\'') { 5 } else { part.len_utf8() };
        if bytes + own > most && at > 0 {
            return (&text[..at], bytes);
        }
        bytes += own;
    }
    (text, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_whole_unless_one_is_longer_than_a_part() {
        let line = |number, text, begins| Line { number, text, begins };
        let most = LINE_BYTES + 10;
        assert_eq!(cut("", most), [[]]);
        assert_eq!(
            cut("abcde\nf\nghijklmnopqrst\n\"\n", most),
            [
                vec![line(1, "abcde", true)],
                vec![line(2, "f", true)],
                vec![line(3, "ghijklmnop", true)],
                vec![line(3, "qrst", false)],
                vec![line(4, "\"", true)],
            ]
        );
        assert_eq!(cut("ab\ncd", 2 * most), [[line(1, "ab", true), line(2, "cd", true)]]);
        assert_eq!(cut("é\"é\"é", most)[0][0].text, "é\"é");
    }
}
