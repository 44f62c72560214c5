//! A source file with an anchor for each line, which inputs and diagnostics link to.

use askama::Template;

use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "source.html")]
pub struct SourcePage<'a> {
    frame: Frame,
    path: &'a str,
    sha256: &'a str,
    record: Option<String>,
    repository: Option<String>,
    lines: Vec<&'a str>,
}

pub fn compose<'a>(here: &Here, document: &'a Document) -> SourcePage<'a> {
    let path = &document.text.path;
    let record = here.site.catalog.get(&document.address).map(|item| here.to(&Route::record(&item.address)));
    SourcePage {
        frame: here.frame(path, &format!("The source file {path}, line by line")),
        path,
        sha256: &document.sha256,
        record,
        repository: here.to_repository(document, None),
        lines: document.text.lines().collect(),
    }
}
