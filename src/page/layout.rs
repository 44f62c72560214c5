//! Where long records and files are cut, so that a link leads to the part that has what it means.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::catalog::Item;
use crate::figures::Figure;
use crate::route::Route;
use crate::schema::Document;

use super::frame::{Here, source_route};
use super::part::{self, Parts};
use super::{Site, drawing, record, source};

/// Bytes of one unit of weight of the cards, about.
const UNIT: usize = 120;

/// Weight of the claim cards of a page of their own: what a phone takes well.
const CARDS: usize = 450;

/// Weight of the cards on a record's own page, beside its charts, tables and prose.
const CARDS_BESIDE: usize = 170;

/// Weight of a card before the values that it unfolds into, which weigh 1 each.
const CARD: usize = 6;

/// What is longer than its one page; all else stands whole.
#[derive(Debug, Default)]
pub struct Layout<'a> {
    /// Records whose figures unfold on pages of their own, by address.
    figures: BTreeMap<&'a str, Parts>,
    /// Part of each row and each figure that is not on the first, by address and anchor.
    anchors: BTreeMap<&'a str, BTreeMap<String, usize>>,
    /// Records that have a drawing of their own, by address.
    drawings: BTreeSet<&'a str>,
    /// The first line of each part of a file, by path.
    lines: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Layout<'a> {
    /// Cuts everything into the layout of `site`, which has none yet.
    pub fn lay(site: &mut Site<'a>) {
        let items: Vec<_> = site.catalog.items().collect();
        let figures = items.par_iter().filter_map(|item| Some((&*item.address, figures(site, item)?))).collect();
        site.layout.figures = figures;
        // Tables of a record whose figures stand apart are others than those of one whose figures do not.
        let anchors = items.par_iter().filter_map(|item| Some((&*item.address, anchors(site, item)?))).collect();
        let settings = std::iter::once(&site.catalog.settings);
        let documents: Vec<_> = items.iter().flat_map(|item| item.documents()).chain(settings).collect();
        let lines = documents.par_iter().map(|document| (&*document.text.path, source::first_lines(document)));
        let lines = lines.filter(|(_, lines)| lines.len() > 1).collect();
        let is_drawn = |item: &&&Item| drawing::chart_of(&here_of(site, item), item).is_some();
        let drawings = items.par_iter().filter(is_drawn).map(|item| &*item.address).collect();
        site.layout = Layout { figures: std::mem::take(&mut site.layout.figures), anchors, drawings, lines };
    }

    pub fn source_parts(&self, document: &Document) -> usize {
        self.lines.get(&*document.text.path).map_or(1, Vec::len)
    }

    pub fn has_drawing(&self, address: &str) -> bool {
        self.drawings.contains(address)
    }

    /// The parts that a record's figures unfold on; `None` where they do on its own page.
    pub fn figures(&self, address: &str) -> Option<&Parts> {
        self.figures.get(address)
    }
}

impl Site<'_> {
    /// Whether the cards of a record's figures are on pages of their own.
    pub fn has_figures_apart(&self, address: &str) -> bool {
        self.layout.figures(address).is_some()
    }

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

    /// The page with a config's row, with a figure's value, and with what else has an anchor.
    pub fn anchor_route(&self, address: &str, anchor: &str) -> Route {
        let part = self.layout.anchors.get(address).and_then(|parts| parts.get(anchor));
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
    let weights = figures.map(|figure| {
        let letters = figure.anchor().len();
        match &figure.outcome {
            // Its anchor stands in it about three times.
            Ok(_) => CARD + site.figures.unfolded_values(&item.address, figure) + 3 * letters / UNIT,
            // Those without a number stand in one line.
            Err(_) => 1 + letters / UNIT,
        }
    });
    let weights: Vec<_> = weights.collect();
    let apart = weights.iter().sum::<usize>() > CARDS_BESIDE;
    apart.then(|| Parts::of(weights, CARDS))
}

fn here_of<'a>(site: &'a Site<'a>, item: &Item) -> Here<'a> {
    Here::at(site, Route::record(&item.address))
}

fn anchors(site: &Site, item: &Item) -> Option<BTreeMap<String, usize>> {
    let here = here_of(site, item);
    let strands = record::strands(&here, item);
    let later = 2..=part::cut(&strands).count();
    let anchors = later.flat_map(|part| {
        let rows = part::tables(&strands, part).into_iter().flat_map(|table| table.rows);
        let own =
            rows.flat_map(|row| row.anchor.into_iter().chain(row.cells.into_iter().filter_map(|cell| cell.anchor)));
        own.map(move |anchor| (anchor, part))
    });
    let anchors: BTreeMap<_, _> = anchors.collect();
    (!anchors.is_empty()).then_some(anchors)
}
