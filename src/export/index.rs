//! `data/index.json`: every record with its addresses.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::Catalog;
use crate::record::Status;
use crate::route::Route;

#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    kind: &'static str,
    title: &'a str,
    /// Null for kinds that have no day.
    published: Option<String>,
    status: &'static str,
    /// What became of it, by what and why; null where it stands.
    fate: Option<String>,
    html: String,
    json: String,
    /// Of this data.
    license: &'a str,
    /// Of what the record is made from, where it is known.
    source_license: Option<&'a str>,
}

/// Paths are relative to the site's root.
pub fn index(catalog: &Catalog, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<_> = catalog
        .items()
        .map(|item| Line {
            id: &item.address,
            kind: item.kind().name(),
            title: item.title(),
            published: item.published().map(|date| date.to_string()),
            status: match item.status() {
                Status::Draft => "draft",
                Status::Published => "published",
            },
            fate: catalog.fate(item).map(|fate| fate.words(|address| address)),
            html: Route::record(&item.address).path().to_owned(),
            json: Route::data(&item.address).path().to_owned(),
            license: &catalog.site.license,
            source_license: item.license(),
        })
        .collect();
    super::record::write_pretty(&lines, out)
}
