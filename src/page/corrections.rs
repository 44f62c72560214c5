//! What became of published results: changes, withdrawals, and what took the place of what.

use crate::catalog::{Fate, Item};
use crate::record::Date;
use crate::route::Route;

use super::frame::{Here, badges};
use super::part::Strand;
use super::record::long_date;
use super::table::{Cell, Heading, Row, Table};
use super::tables::TablesPage;

pub const TITLE: &str = "Corrections";

pub fn compose(here: &Here) -> TablesPage {
    let none = "No published result has been changed, withdrawn or superseded.";
    let some = "Every change of a published result, newest first. What was superseded or withdrawn keeps its address.";
    let summary = if corrections(here).is_empty() { none } else { some };
    TablesPage::of(here, TITLE, summary, &Route::corrections(), &strands(here))
}

pub fn strands<'a>(here: &'a Here) -> Vec<Strand<'a>> {
    let corrections = corrections(here);
    vec![Strand::new(corrections.len(), 1, move |range| {
        let rows = corrections[range].iter().map(|correction| Row {
            anchor: None,
            head: correction.item.title().to_owned(),
            head_href: Some(here.to_item(correction.item)),
            marks: badges(correction.item),
            cells: vec![
                Cell::text(correction.date.map(long_date).unwrap_or_default()),
                Cell::text(correction.what.clone()),
                match correction.by {
                    Some(other) => {
                        let link = here.to_address(other);
                        Cell { href: link.href, ..Cell::text(link.text) }
                    }
                    None => Cell::text("–"),
                },
            ],
        });
        vec![Table {
            id: "corrections".to_owned(),
            caption: "Corrections".into(),
            head: ["Result", "Day", "What", "See"].into_iter().map(Heading::plain).collect(),
            rows: rows.collect(),
        }]
    })]
}

struct Correction<'a> {
    item: &'a Item,
    date: Option<Date>,
    what: String,
    /// Address of what took its place.
    by: Option<&'a str>,
}

fn corrections<'a>(here: &'a Here) -> Vec<Correction<'a>> {
    let catalog = here.site.catalog;
    let mut all: Vec<_> = catalog.items().flat_map(|item| of_item(here, item)).collect();
    all.sort_by(|one, other| other.date.cmp(&one.date).then_with(|| one.item.address.cmp(&other.item.address)));
    all
}

fn of_item<'a>(here: &'a Here, item: &'a Item) -> Vec<Correction<'a>> {
    let curation = item.curation();
    let changes = curation.into_iter().flat_map(|curation| &curation.changes);
    let changes =
        changes.map(|change| Correction { item, date: Some(change.date), what: change.what.clone(), by: None });
    let fates = here.site.catalog.fates(item).map(|fate| Correction {
        item,
        date: fate.date,
        what: Fate { by: None, ..fate }.words(|address| address),
        by: fate.by,
    });
    changes.chain(fates).collect()
}
