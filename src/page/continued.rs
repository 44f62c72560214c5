//! What a page has no room for: later parts of its tables, and how the figures of a record were computed.

use askama::Template;

use crate::catalog::Item;
use crate::route::Route;

use super::claim::{self, Claims};
use super::figure::Drawn;
use super::frame::{Frame, Here, Link};
use super::part::{self, PartLinks, Strand};
use super::table::Table;

#[derive(Debug, Template)]
#[template(path = "continued.html")]
pub struct ContinuedPage {
    frame: Frame,
    /// The page that this belongs to.
    page: Link,
    title: String,
    parts: Option<PartLinks>,
    charts: Vec<Drawn>,
    tables: Vec<Table>,
    claims: Claims,
}

/// A later part of the tables of the page at a route.
pub fn tables(here: &Here, title: &str, page: &Route, strands: &[Strand], part: usize) -> ContinuedPage {
    ContinuedPage {
        frame: here.frame(title, &format!("Part {part} of {title}")).of_part(part),
        page: Link { text: title.to_owned(), href: Some(here.to(page)) },
        title: title.to_owned(),
        parts: PartLinks::of(here, page, part, part::cut(strands).count()),
        charts: part::charts(strands, part).iter().map(Drawn::new).collect(),
        tables: part::tables(strands, part),
        claims: Claims::default(),
    }
}

/// A part of the figures of a record.
pub fn figures(here: &Here, item: &Item, part: usize) -> ContinuedPage {
    let description = format!("How the figures of {} were computed, from which inputs", item.title());
    let title = format!("Derived figures of {}", item.title());
    let parts = here.site.layout.figures(&item.address);
    let range = parts.map(|parts| parts.range(part)).unwrap_or_default();
    ContinuedPage {
        frame: here.frame(&title, &description).of_part(part),
        page: Link { text: item.title().to_owned(), href: Some(here.to_item(item)) },
        title,
        parts: parts.and_then(|parts| PartLinks::of(here, &Route::figures(&item.address), part, parts.count())),
        charts: Vec::new(),
        tables: Vec::new(),
        claims: claim::claims(here, item, range),
    }
}
