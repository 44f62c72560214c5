//! A source file with an anchor for each line, which inputs and diagnostics link to.

use askama::Template;

use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here, source_route};
use super::part::{PartLinks, Parts};

#[derive(Debug, Template)]
#[template(path = "source.html")]
pub struct SourcePage<'a> {
    frame: Frame,
    path: &'a str,
    sha256: &'a str,
    record: Option<String>,
    repository: Option<String>,
    parts: Option<PartLinks>,
    /// Number of the first line.
    start: usize,
    lines: Vec<&'a str>,
}

/// Bytes of one part, what marks up its lines included. A single line may be longer.
const PART_BYTES: usize = 400_000;

/// What one line adds to its text.
const LINE_BYTES: usize = 40;

/// The parts of a long file, by its lines.
pub fn cut(document: &Document) -> Parts {
    let marked_up = |text: &str| text.bytes().filter(|byte| b"<>&\"'".contains(byte)).count() * 4;
    Parts::of(document.text.lines().map(|line| line.len() + marked_up(line) + LINE_BYTES), PART_BYTES)
}

pub fn compose<'a>(here: &Here, document: &'a Document, part: usize) -> SourcePage<'a> {
    let path = &document.text.path;
    let record = here.site.catalog.get(&document.address).map(|item| here.to(&Route::record(&item.address)));
    let parts = cut(document);
    let range = parts.range(part);
    SourcePage {
        frame: here.frame(path, &format!("The source file {path}, line by line")).of_part(part),
        path,
        sha256: &document.sha256,
        record,
        repository: here.to_repository(document, None),
        parts: PartLinks::of(here, &source_route(document), part, parts.count()),
        start: range.start + 1,
        lines: document.text.lines().skip(range.start).take(range.len()).collect(),
    }
}
