//! What has been measured and what has not: models against cards, technique by technique.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::catalog::{Item, Named};
use crate::diagnostic::counted;

use super::frame::Here;
use super::part::Strand;
use super::table::{Cell, Heading, Row, Table};
use super::tables::TablesPage;
use crate::route::Route;

pub const TITLE: &str = "Gap map";

pub fn compose(here: &Here) -> TablesPage {
    let summary = "Which models were measured on which cards, technique by technique. Covered: a result of it may be compared \
                   with one of another record. Not comparable: it was measured, and there is nothing to compare it with. \
                   Superseded: all its results are, or are withdrawn. Missing: nobody has published it here.";
    TablesPage::of(here, TITLE, summary, &Route::gaps(), &strands(here))
}

/// A table a technique: the models that have results of it, against their cards.
pub fn strands<'a>(here: &'a Here) -> Vec<Strand<'a>> {
    let strand = |id: &'static str, name: &'static str, items: &[&'a Item]| {
        let map = Map::of(items);
        let rows = map.models.len();
        Strand::new(rows, 1, move |range| vec![map.table(here, id, name, range)])
    };
    let techniques = here.site.gatherings.techniques();
    let of_techniques = techniques
        .map(|technique| strand(technique.id(), technique.name(), here.site.gatherings.of_technique(technique)));
    let others: Vec<_> =
        here.site.catalog.items().filter(|item| item.is_result() && item.techniques.is_empty()).collect();
    let others = strand("others", "As it comes, no technique named", &others);
    of_techniques.chain([others]).filter(|strand| !strand.is_empty()).collect()
}

/// The results of one technique by model and card, each by its name where it has no entry.
struct Map<'a> {
    models: Vec<&'a str>,
    cards: Vec<&'a str>,
    cells: BTreeMap<(&'a str, &'a str), Vec<&'a Item>>,
}

impl<'a> Map<'a> {
    fn of(items: &[&'a Item]) -> Self {
        let mut cells = BTreeMap::<_, Vec<_>>::new();
        for item in items {
            for (model, card) in item.models.iter().flat_map(|model| item.cards.iter().map(move |card| (model, card))) {
                let cell = cells.entry((entry_or_name(model), entry_or_name(card))).or_default();
                if cell.last().is_none_or(|last: &&Item| last.address != item.address) {
                    cell.push(*item);
                }
            }
        }
        let models: BTreeSet<_> = cells.keys().map(|(model, _)| *model).collect();
        let cards: BTreeSet<_> = cells.keys().map(|(_, card)| *card).collect();
        Map { models: models.into_iter().collect(), cards: cards.into_iter().collect(), cells }
    }

    fn table(&self, here: &Here, id: &str, name: &str, range: Range<usize>) -> Table {
        let title = |name: &str| here.site.catalog.get(name).map_or(name, Item::title).to_owned();
        let rows = self.models[range].iter().map(|model| Row {
            anchor: None,
            head: title(model),
            head_href: here.site.catalog.get(model).map(|item| here.to_item(item)),
            marks: Vec::new(),
            cells: self.cards.iter().map(|card| self.cell(here, model, card)).collect(),
        });
        let head = ["Model".to_owned()].into_iter().chain(self.cards.iter().map(|card| title(card)));
        Table {
            id: id.to_owned(),
            caption: name.into(),
            head: head.map(Heading::plain).collect(),
            rows: rows.collect(),
        }
    }

    /// `covered` where a result may be compared with one of another record, else why it leaves a gap.
    fn cell(&self, here: &Here, model: &str, card: &str) -> Cell {
        let Some(items) = self.cells.get(&(model, card)) else { return Cell::text("missing") };
        let comparisons = here.site.figures.comparisons();
        let standing_ones: Vec<_> = items.iter().filter(|item| item.standing().is_none()).collect();
        let compared = standing_ones.iter().filter(|item| comparisons.is_covered(&item.address)).count();
        let word = match (standing_ones.is_empty(), compared) {
            (true, _) => "superseded",
            (_, 0) => "not comparable",
            _ => "covered",
        };
        let href = here.to_item(standing_ones.first().copied().unwrap_or(&items[0]));
        Cell { href: Some(href), notes: vec![counted(items.len(), "result")], ..Cell::text(word) }
    }
}

fn entry_or_name(named: &Named) -> &str {
    named.entry().unwrap_or(&named.name)
}
