//! Pages: each page kind is one struct that its template of the same name prints.

mod audit;
mod claim;
mod entity;
mod figure;
mod frame;
mod gathering;
mod glossary;
mod home;
mod kv_efficiency;
mod list;
mod methodology;
mod not_found;
mod prose;
mod record;
mod redirect;
mod run;
mod sitemap;
mod source;
mod table;

use askama::Template;

use crate::catalog::{Catalog, Item};
use crate::diagnostic::Report;
use crate::export;
use crate::figures::Figures;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::source::Kind;

pub use frame::Frame;
pub use gathering::Gatherings;

/// Everything that pages are composed from.
#[derive(Debug)]
pub struct Site<'a> {
    pub catalog: &'a Catalog,
    pub figures: &'a Figures,
    pub gatherings: Gatherings<'a>,
    /// Built-in style sheet.
    pub style: Route,
    /// Whether the root's `static/` brings a `custom.css`.
    pub custom_style: Option<Route>,
    /// `site.toml`'s source page and the like need no context of their own; revisions do.
    pub source_ref: Option<&'a str>,
}

/// One file of the site that is made from the catalog. One producer a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planned<'a> {
    Home,
    List(Kind),
    Engines,
    Techniques,
    Record(&'a str),
    Data(&'a str),
    Source(&'a str),
    NoteSource(&'a str),
    SiteSource,
    Engine(&'a str),
    Technique(Technique),
    UnlistedModel(&'a str),
    UnlistedHardware(&'a str),
    Redirect { old: &'a str, new: &'a str },
    Methodology,
    Glossary,
    NotFound,
    DataIndex,
    Sitemap,
    Robots,
    NoJekyll,
    Style,
}
