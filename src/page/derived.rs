//! Tables of derived figures: what a result costs at each price, and all that rests on one quote.

use std::sync::Arc;

use crate::catalog::{Item, RECORD, Subject};
use crate::figures::Figure;
use crate::formula::{Formula, cost};
use crate::record::price::HourPrice;
use crate::route::Route;

use super::claim::subject_label;
use super::frame::{Here, Link};
use super::part::Strand;
use super::table::{Cell, Heading, Row, Table};

/// Configs, some of a record's, by formulas, a column for each price where a formula has several. A column that no
/// config fills is left out, since the reasons stand with the figures; nothing is left where the record has none.
pub fn by_config<'a>(
    here: &Here,
    item: &'a Item,
    configs: impl Iterator<Item = &'a Subject>,
    id: &str,
    caption: &str,
    formulas: &[&Formula],
) -> Option<Table> {
    let figures = here.site.figures.of(&item.address);
    let mut columns = Vec::<&Figure>::new();
    for formula in formulas {
        let filled = figures.iter().filter(|figure| figure.formula.id == formula.id && figure.outcome.is_ok());
        for figure in filled.filter(|figure| figure.subject != RECORD) {
            if !columns.iter().any(|known| is_column(known, figure)) {
                columns.push(figure);
            }
        }
    }
    if columns.is_empty() {
        return None;
    }
    let cell = |column: &Figure, anchor: &str| {
        let quote = column.quote.as_deref();
        let figure = here.site.figures.find_at(&item.address, anchor, column.formula, quote);
        let cell = figure.map_or_else(|| Cell::text("–"), |figure| Cell::figure(here, &item.address, figure));
        // What sets another price apart stands in the heading, once.
        Cell { notes: if column.quote.is_some() { Vec::new() } else { cell.notes }, ..cell }
    };
    let rows = configs.map(|subject| Row {
        anchor: None,
        head: subject.label.clone(),
        head_href: Some(here.to_subject(&item.address, &subject.anchor)),
        marks: Vec::new(),
        cells: columns.iter().map(|column| cell(column, &subject.anchor)).collect(),
    });
    let headings = columns.iter().map(|column| {
        let mut heading = Heading::of(column);
        if column.quote.is_some() {
            heading.unit = format!("{}: {}", heading.unit, column.remarks.join(", "));
        }
        heading
    });
    let head = std::iter::once(Heading::plain("Config")).chain(headings);
    Some(Table { id: id.to_owned(), caption: caption.to_owned(), head: head.collect(), rows: rows.collect() })
}

fn is_column(column: &Figure, figure: &Figure) -> bool {
    (column.formula.id, &column.quote) == (figure.formula.id, &figure.quote)
}

/// Formulas about the record as a whole, one a row.
pub fn of_record(here: &Here, item: &Item, id: &str, caption: &str, formulas: &[&Formula]) -> Option<Table> {
    let found = formulas.iter().filter_map(|formula| here.site.figures.find(&item.address, RECORD, formula));
    let rows: Vec<_> = found
        .map(|figure| Row {
            anchor: None,
            head: figure.formula.name.to_owned(),
            head_href: None,
            marks: Vec::new(),
            cells: vec![shown(here, &item.address, figure)],
        })
        .collect();
    let head = ["Figure", "Value"].map(Heading::plain).to_vec();
    (!rows.is_empty()).then(|| Table { id: id.to_owned(), caption: caption.to_owned(), head, rows })
}

/// The prices that a result's dollars rest on: price and basis, GPUs, and what an hour of them costs together.
pub fn prices(here: &Here, item: &Item) -> Option<Table> {
    let totals = here.site.figures.of(&item.address).iter().filter(|figure| figure.formula.id == cost::USD_PER_HOUR.id);
    let rows: Vec<_> = totals
        .filter_map(|figure| {
            let (_, gpus) = figure.inputs().nth(1)?;
            let (link, hour) = price(here, item, figure)?;
            Some(Row {
                anchor: None,
                head: link.text,
                head_href: link.href,
                marks: Vec::new(),
                cells: vec![
                    Cell::text(hour.words()),
                    Cell::measured(here, &gpus.document, &gpus.pointer, Some(gpus.quantity)),
                    Cell::figure(here, &item.address, figure),
                ],
            })
        })
        .collect();
    let mut head = ["Price", "As quoted", "GPUs"].map(Heading::plain).to_vec();
    head.push(Heading { unit: cost::USD_PER_HOUR.unit.heading().to_owned(), ..Heading::plain("Hourly total") });
    let caption = "Prices that the costs rest on".to_owned();
    (!rows.is_empty()).then(|| Table { id: "prices".to_owned(), caption, head, rows })
}

/// Where the price of an hourly total stands, and how it is quoted.
fn price(here: &Here, item: &Item, hourly_total: &Figure) -> Option<(Link, HourPrice)> {
    let stated = item.audit().and_then(|audit| audit.price.as_ref()).filter(|_| hourly_total.quote.is_none());
    if let Some(stated) = stated {
        let href = here.to_source(&item.document, &format!("/price/{}", stated.hour.field()));
        return Some((Link { text: "stated by the record".to_owned(), href: Some(href) }, stated.hour));
    }
    let address = hourly_total.quote.as_deref().or(item.price.as_deref())?;
    let (_, quote) = here.site.catalog.price(address)?;
    Some((here.to_address(address), quote.hour))
}

/// Every figure that rests on a quote.
pub fn ledger<'a>(here: &'a Here, quote: &Item) -> Strand<'a> {
    let entries = here.site.figures.resting_on(&quote.address);
    Strand::new(entries.len(), 1, move |range| vec![ledger_of(here, &entries[range])])
}

fn ledger_of(here: &Here, entries: &[(String, Arc<Figure>)]) -> Table {
    let rows: Vec<_> = entries
        .iter()
        .filter_map(|(address, figure)| {
            let item = here.site.catalog.get(address)?;
            let label = subject_label(item, &figure.subject);
            Some(Row {
                anchor: None,
                head: item.title().to_owned(),
                head_href: Some(here.to(&Route::record(address))),
                marks: Vec::new(),
                cells: vec![
                    Cell::text(if label.is_empty() { "the record".to_owned() } else { label }),
                    Cell::text(figure.formula.name),
                    shown(here, address, figure),
                ],
            })
        })
        .collect();
    let head = ["Result", "Of", "Figure", "Value"].map(Heading::plain).to_vec();
    let caption = "Figures that rest on this quote".to_owned();
    Table { id: "ledger".to_owned(), caption, head, rows }
}

/// A figure with its unit, for columns that hold several.
fn shown(here: &Here, address: &str, figure: &Figure) -> Cell {
    Cell { text: figure.shown(), ..Cell::figure(here, address, figure) }
}
