//! What has been measured and what has not: models against cards, technique by technique.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::catalog::{Item, Named};
use crate::compare::NOT_STATED;
use crate::diagnostic::counted;

use super::frame::Here;
use super::part::Strand;
use super::table::{Cell, Heading, Row, Table};
use super::tables::TablesPage;
use crate::route::Route;

pub const TITLE: &str = "Gap map";

pub fn compose(here: &Here) -> TablesPage {
    let summary = "Which models were measured on which cards, technique by technique. Covered: what a machine did there may \
                   be compared with a result of another record. Not comparable: it was measured, and nothing that a machine \
                   did there may be; the size of a cache, which is of the model on any card, may still be, and the cell says \
                   so. Superseded: all its results are, or are withdrawn. Missing: nobody has published it here. –: nothing \
                   was published, and as the model or the card is not stated, that is no gap.";
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
    cells: BTreeMap<(&'a str, &'a str), Vec<Measured<'a>>>,
}

/// A result, and which of its configs or variants are of a model and a card.
struct Measured<'a> {
    item: &'a Item,
    subjects: BTreeSet<&'a str>,
}

impl<'a> Map<'a> {
    fn of(items: &[&'a Item]) -> Self {
        let mut cells = BTreeMap::<_, Vec<Measured>>::new();
        for item in items {
            for place in item.places() {
                let cell = cells.entry((entry_or_name(place.model), entry_or_name(place.card))).or_default();
                match cell.last_mut().filter(|last| last.item.address == item.address) {
                    Some(last) => last.subjects.extend(place.subjects),
                    None => cell.push(Measured { item, subjects: place.subjects }),
                }
            }
        }
        let in_order = |names: BTreeSet<&'a str>| {
            let mut names: Vec<_> = names.into_iter().collect();
            names.sort_by_key(|name| *name == NOT_STATED);
            names
        };
        let models = cells.keys().map(|(model, _)| *model).collect();
        let cards = cells.keys().map(|(_, card)| *card).collect();
        Map { models: in_order(models), cards: in_order(cards), cells }
    }

    fn table(&self, here: &Here, id: &str, name: &str, range: Range<usize>) -> Table {
        let title = |name: &str, of: &str| match here.site.catalog.get(name) {
            Some(entry) => entry.title().to_owned(),
            None if name == NOT_STATED => format!("{of} {NOT_STATED}"),
            None => name.to_owned(),
        };
        let rows = self.models[range].iter().map(|model| Row {
            anchor: None,
            head: title(model, "Model"),
            head_href: here.site.catalog.get(model).map(|item| here.to_item(item)),
            marks: Vec::new(),
            cells: self.cards.iter().map(|card| self.cell(here, model, card)).collect(),
        });
        let head = ["Model".to_owned()].into_iter().chain(self.cards.iter().map(|card| title(card, "Card")));
        Table {
            id: id.to_owned(),
            caption: name.into(),
            head: head.map(Heading::plain).collect(),
            rows: rows.collect(),
        }
    }

    /// `covered` where a result may be compared with one of another record, else why it leaves a gap.
    fn cell(&self, here: &Here, model: &str, card: &str) -> Cell {
        let Some(all) = self.cells.get(&(model, card)) else {
            // What is not told of a model or a card is no gap between the two.
            let is_told = ![model, card].contains(&NOT_STATED);
            // As a note it is quiet beside what was measured.
            return if is_told { Cell::default().noted(["missing".to_owned()]) } else { Cell::text("–") };
        };
        let comparisons = here.site.figures.comparisons();
        let standing: Vec<_> = all.iter().filter(|own| here.site.catalog.fate(own.item).is_none()).collect();
        let is_covered = |own: &Measured| {
            let mut groups = comparisons.groups_of(&own.item.address, |subject| own.subjects.contains(subject));
            groups.any(|group| group.clause.is_of_serving())
        };
        // Of variants that share a size the first has it, on whichever card.
        let has_size = |own: &Measured| {
            let of_model = self.of_model(model, own.item);
            let mut groups = comparisons.groups_of(&own.item.address, |subject| of_model.contains(subject));
            groups.any(|group| !group.clause.is_of_serving())
        };
        let mut notes = vec![counted(all.len(), "result")];
        let word = if standing.is_empty() {
            "superseded"
        } else if standing.iter().copied().any(is_covered) {
            "covered"
        } else {
            notes.extend(standing.iter().copied().any(has_size).then(|| "cache sizes compared".to_owned()));
            "not comparable"
        };
        let href = here.to_item(standing.first().copied().unwrap_or(&all[0]).item);
        Cell { href: Some(href), notes, ..Cell::text(word) }
    }

    /// What of a result was measured of a model, on any card.
    fn of_model(&self, model: &str, item: &Item) -> BTreeSet<&str> {
        let cells = self.cells.range((model, "")..).take_while(|((own, _), _)| *own == model);
        cells
            .flat_map(|(_, cell)| cell)
            .filter(|own| own.item.address == item.address)
            .flat_map(|own| &own.subjects)
            .copied()
            .collect()
    }
}

fn entry_or_name(named: Option<&Named>) -> &str {
    named.map_or(NOT_STATED, |named| named.entry().unwrap_or(&named.name))
}
