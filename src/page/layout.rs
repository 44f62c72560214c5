//! Where long records and files are cut, so that a link leads to the part that has what it means.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::catalog::Item;
use crate::figures::Figure;
use crate::route::Route;
use crate::schema::Document;

use super::frame::{Here, source_route};
use super::part::{self, Parts};
use super::{Site, record, source};

/// Values that the claim cards of one page unfold into, about 150 bytes each: the weight of a page a phone takes well.
const UNFOLDED: usize = 300;

/// What is longer than its one page; all else stands whole.
#[derive(Debug, Default)]
pub struct Layout<'a> {
    /// Records whose figures unfold on pages of their own, by address.
    figures: BTreeMap<&'a str, Parts>,
    /// Part of each config that is not on the first, by address and anchor.
    subjects: BTreeMap<&'a str, BTreeMap<String, usize>>,
    /// The first line of each part of a file, by path.
    lines: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Layout<'a> {
    /// Cuts everything; `site` has no layout yet.
    pub fn of(site: &Site<'a>) -> Self {
        let items: Vec<_> = site.catalog.items().collect();
        let figures = items.par_iter().filter_map(|item| Some((&*item.address, figures(site, item)?)));
        let subjects = items.par_iter().filter_map(|item| Some((&*item.address, subjects(site, item)?)));
        let settings = std::iter::once(&site.catalog.settings);
        let documents: Vec<_> = items.iter().flat_map(|item| item.documents()).chain(settings).collect();
        let lines = documents.par_iter().map(|document| (&*document.text.path, source::first_lines(document)));
        Layout {
            figures: figures.collect(),
            subjects: subjects.collect(),
            lines: lines.filter(|(_, lines)| lines.len() > 1).collect(),
        }
    }

    pub fn source_parts(&self, document: &Document) -> usize {
        self.lines.get(&*document.text.path).map_or(1, Vec::len)
    }

    /// The parts that a record's figures unfold on; `None` where they do on its own page.
    pub fn figures(&self, address: &str) -> Option<&Parts> {
        self.figures.get(address)
    }
}

impl Site<'_> {
    /// The page with a figure's card.
    pub fn figure_route(&self, address: &str, figure: &Figure) -> Route {
        match self.layout.figures(address) {
            None => Route::record(address),
            Some(parts) => {
                let position = self.figures.position(address, figure).unwrap_or_default();
                Route::figures(address).part(parts.holding(position))
            }
        }
    }

    /// The page with a config's row, and with what else has an anchor.
    pub fn anchor_route(&self, address: &str, anchor: &str) -> Route {
        let part = self.layout.subjects.get(address).and_then(|parts| parts.get(anchor));
        Route::record(address).part(part.copied().unwrap_or(1))
    }

    /// The page with a line of a file.
    pub fn line_route(&self, document: &Document, line: usize) -> Route {
        let firsts = self.layout.lines.get(&*document.text.path);
        source_route(document).part(firsts.map_or(1, |firsts| firsts.partition_point(|first| *first <= line)))
    }
}

fn figures(site: &Site, item: &Item) -> Option<Parts> {
    let figures = site.figures.of(&item.address).iter();
    let weights = figures.map(|figure| site.figures.unfolded_values(&item.address, figure).max(1));
    let parts = Parts::of(weights, UNFOLDED);
    (parts.count() > 1).then_some(parts)
}

fn subjects(site: &Site, item: &Item) -> Option<BTreeMap<String, usize>> {
    let here = Here::at(site, Route::record(&item.address));
    let strands = record::strands(&here, item);
    let later = 2..=part::cut(&strands).count();
    let anchors = later.flat_map(|part| {
        let rows = part::tables(&strands, part).into_iter().flat_map(|table| table.rows);
        rows.filter_map(move |row| Some((row.anchor?, part)))
    });
    let anchors: BTreeMap<_, _> = anchors.collect();
    (!anchors.is_empty()).then_some(anchors)
}
