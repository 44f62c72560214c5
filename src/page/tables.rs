//! A page of tables below a sentence.

use askama::Template;

use crate::route::Route;

use super::frame::{Frame, Here};
use super::part::{self, PartLinks, Strand};
use super::table::Table;

#[derive(Debug, Template)]
#[template(path = "tables.html")]
pub struct TablesPage {
    frame: Frame,
    title: String,
    summary: String,
    tables: Vec<Table>,
    parts: Option<PartLinks>,
}

impl TablesPage {
    pub fn of(here: &Here, title: &str, summary: &str, route: &Route, strands: &[Strand]) -> Self {
        TablesPage {
            frame: here.frame(title, summary),
            title: title.to_owned(),
            summary: summary.to_owned(),
            tables: part::tables(strands, 1),
            parts: PartLinks::of(here, route, 1, part::cut(strands).count()),
        }
    }
}
