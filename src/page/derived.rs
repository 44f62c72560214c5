//! Tables of derived figures: by config, what a result costs at each price, and all that rests on one quote.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::catalog::{Item, RECORD, Subject};
use crate::figures::Figure;
use crate::formula::{Formula, cost};
use crate::route::Route;

use super::claim::subject_label;
use super::frame::{Here, Link, badges};
use super::part::Strand;
use super::table::{ASSUMED, Cell, Heading, Row, Table};

/// Formulas whose figures belong into one table.
pub struct Theme {
    pub id: &'static str,
    pub caption: &'static str,
    pub formulas: &'static [&'static Formula],
}

/// The figures of some of a record's configs that no table before shows: a table for each theme, or, where the cards
/// are on a page of their own, every figure in one table that leads there.
pub fn of_configs(here: &Here, item: &Item, configs: &[&Subject], themes: &[Theme], before: &[Table]) -> Vec<Table> {
    if here.site.has_figures_apart(&item.address) {
        return every(here, item, configs, themes, before);
    }
    let own = themes
        .iter()
        .filter_map(|theme| by_config(here, item, configs.iter().copied(), theme.id, theme.caption, theme.formulas));
    own.collect()
}

/// What the rows of each config weigh, where every figure has a cell: `rows`, or what the cells with their anchors do.
pub fn weights(here: &Here, item: &Item, rows: usize) -> Vec<usize> {
    let mut cells = BTreeMap::<&str, usize>::new();
    for figure in here.site.figures.of(&item.address) {
        *cells.entry(&figure.subject).or_default() += CELL + figure.anchor().len();
    }
    let weight = |subject: &Subject| {
        let cells = cells.get(&*subject.anchor).copied().unwrap_or_default();
        let bytes = cells + LABELS * subject.label.len().saturating_sub(LABEL);
        rows.max(if here.site.has_figures_apart(&item.address) { bytes / UNIT } else { 0 })
    };
    item.subjects.iter().map(weight).collect()
}

/// Bytes of a cell beside those of its anchor, about.
const CELL: usize = 40;

/// Bytes of a label that need no more room than the cells have.
const LABEL: usize = 30;

/// Bytes that each further one of them takes in headings, rows, their anchors and the drawings beside the tables, about.
const LABELS: usize = 110;

/// Bytes of one unit of weight: a part's 500 are what a page of a record has for its tables beside charts and prose.
const UNIT: usize = 48;

/// Columns of one table: more would not be seen together.
const CONFIGS: usize = 8;

/// Rows that a table of every figure has for one config, about: a record has up to forty figures a config.
pub const ROWS_PER_CONFIG: usize = 40 / CONFIGS;

/// A row for each formula at each price, its name leading to the cards; those of a theme below its caption.
fn every(here: &Here, item: &Item, configs: &[&Subject], themes: &[Theme], before: &[Table]) -> Vec<Table> {
    let cells = before.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    let shown: BTreeSet<&str> = cells.filter_map(|cell| cell.anchor.as_deref()).collect();
    let subjects: BTreeSet<&str> = configs.iter().map(|subject| subject.anchor.as_str()).collect();
    let mut columns = Vec::<&Figure>::new();
    for figure in here.site.figures.of(&item.address).iter().filter(|figure| subjects.contains(&*figure.subject)) {
        if !columns.iter().any(|known| is_column(known, figure)) && !shown.contains(&*figure.anchor()) {
            columns.push(figure);
        }
    }
    let is_of = |theme: &Theme, column: &&&Figure| theme.formulas.iter().any(|own| own.id == column.formula.id);
    let without_theme = columns.iter().filter(|column| !themes.iter().any(|theme| is_of(theme, column)));
    let without_theme: Vec<_> = without_theme.map(|column| (None, *column)).collect();
    let of_themes = themes.iter().flat_map(|theme| {
        let own = columns.iter().filter(|column| is_of(theme, column)).enumerate();
        own.map(|(at, column)| (Some(theme.caption).filter(|_| at == 0), *column)).collect::<Vec<_>>()
    });
    let lines: Vec<_> = without_theme.into_iter().chain(of_themes).collect();
    let of_all = |shown: &[&Subject]| {
        let first =
            item.subjects.iter().position(|own| own.anchor == shown[0].anchor).filter(|_| configs.len() > CONFIGS);
        first.map(|first| format!(": configs {} to {}", first + 1, first + shown.len())).unwrap_or_default()
    };
    let blocks = configs.chunks(CONFIGS).enumerate().filter(|_| !lines.is_empty());
    blocks.map(|(block, shown)| every_of(here, item, block, shown, &of_all(shown), &lines)).collect()
}

fn every_of(
    here: &Here,
    item: &Item,
    block: usize,
    configs: &[&Subject],
    of_all: &str,
    lines: &[(Option<&str>, &Figure)],
) -> Table {
    let id = if block == 0 { "derived".to_owned() } else { format!("derived-{}", block + 1) };
    let rows = lines.iter().flat_map(|(caption, line)| {
        let cell = |subject: &&Subject| match figure_of(here, item, line, &subject.anchor) {
            // The name of the row leads to the cards.
            Some(cell) => Cell { href: None, ..cell },
            None => Cell::text("–"),
        };
        let heading = price_heading(line);
        let unit = Some(heading.unit).filter(|unit| !unit.is_empty()).map(|unit| format!(", {unit}"));
        let mut cells: Vec<Cell> = configs.iter().map(cell).collect();
        let mut numbers = cells.iter().filter(|cell| cell.numeric).peekable();
        let assumed = numbers.peek().is_some() && numbers.all(Cell::is_assumed);
        if assumed {
            cells.iter_mut().for_each(Cell::forget_assumed);
        }
        let mut own = Row {
            anchor: Some(format!("{id}:{}", line.formula_and_quote())),
            head: format!("{}{}", heading.name, unit.unwrap_or_default()),
            head_href: Some(here.to_formula(&item.address, line)),
            marks: assumed.then(|| ASSUMED.to_owned()).into_iter().collect(),
            cells,
        };
        own.join();
        caption.map(Row::heading).into_iter().chain([own])
    });
    let labels = configs.iter().map(|subject| Heading::plain(subject.label.clone()));
    let rows = rows.collect();
    Table {
        id,
        caption: format!("Derived figures{of_all}; the name of each leads to how it was computed").into(),
        head: std::iter::once(Heading::plain("Figure")).chain(labels).collect(),
        rows,
    }
}

/// Configs, some of a record's, by formulas, a column for each price where a formula has several. A column that no
/// config fills is left out, since the reasons stand with the figures; nothing is left where the record has none.
fn by_config<'a>(
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
    let cell = |column: &Figure, anchor: &str| figure_of(here, item, column, anchor).unwrap_or_else(|| Cell::text("–"));
    let rows = configs.map(|subject| Row {
        anchor: None,
        head: subject.label.clone(),
        head_href: Some(here.to_subject(&item.address, &subject.anchor)),
        marks: Vec::new(),
        cells: columns.iter().map(|column| cell(column, &subject.anchor)).collect(),
    });
    let headings = columns.iter().map(|column| price_heading(column));
    let head = std::iter::once(Heading::plain("Config")).chain(headings);
    Some(Table { id: id.to_owned(), caption: caption.into(), head: head.collect(), rows: rows.collect() })
}

/// A config's figure of a formula at a price.
fn figure_of(here: &Here, item: &Item, column: &Figure, anchor: &str) -> Option<Cell> {
    let quote = column.quote.as_deref();
    let figure = here.site.figures.find_at(&item.address, anchor, column.formula, quote)?;
    let cell = Cell::figure(here, &item.address, figure);
    // What sets another price apart stands in the heading, once.
    Some(Cell { notes: if column.quote.is_some() { Vec::new() } else { cell.notes }, ..cell })
}

/// The formula of a figure, at its price, with what sets that apart.
fn price_heading(column: &Figure) -> Heading {
    let mut heading = Heading::of(column);
    if column.quote.is_some() {
        heading.unit = format!("{}: {}", heading.unit, column.remarks.join(", "));
    }
    heading
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
    (!rows.is_empty()).then(|| Table { id: id.to_owned(), caption: caption.into(), head, rows })
}

/// The prices that a result's dollars rest on: price and basis, GPUs, and what an hour of them costs together.
pub fn prices<'a>(here: &'a Here, item: &'a Item) -> Strand<'a> {
    let totals = here.site.figures.of(&item.address).iter().filter(|figure| figure.formula.id == cost::USD_PER_HOUR.id);
    let priced: Vec<&Figure> = totals.map(AsRef::as_ref).filter(|total| price(here, item, total).is_some()).collect();
    Strand::new(priced.len(), 1, move |range| vec![prices_of(here, item, &priced[range])])
}

fn prices_of(here: &Here, item: &Item, totals: &[&Figure]) -> Table {
    let rows = totals.iter().filter_map(|figure| {
        let (_, gpus) = figure.inputs().nth(1)?;
        let (link, hour) = price(here, item, figure)?;
        Some(Row {
            anchor: None,
            head: link.text,
            head_href: link.href,
            marks: Vec::new(),
            cells: vec![
                Cell::text(hour),
                Cell::measured(here, &gpus.document, &gpus.pointer, Some(gpus.quantity)),
                Cell::figure(here, &item.address, figure),
            ],
        })
    });
    let mut head = ["Price", "As quoted", "GPUs"].map(Heading::plain).to_vec();
    head.push(Heading { unit: cost::USD_PER_HOUR.unit.heading().to_owned(), ..Heading::plain("Hourly total") });
    Table { id: "prices".to_owned(), caption: "Prices that the costs rest on".into(), head, rows: rows.collect() }
}

/// Where the price of an hourly total stands, and how it is quoted.
fn price(here: &Here, item: &Item, hourly_total: &Figure) -> Option<(Link, String)> {
    if let Some((stated, document)) = item.stated_price().filter(|_| hourly_total.quote.is_none()) {
        let href = here.to_source(document, &format!("/price/{}", stated.hour.field()));
        let hour = stated.hour.words(document, "/price");
        return Some((Link { text: "stated by the record".to_owned(), href: Some(href) }, hour));
    }
    let address = hourly_total.quote.as_deref().or(item.price.as_deref())?;
    let (quoted, quote) = here.site.catalog.price(address)?;
    Some((here.to_address(address), quote.hour.words(&quoted.document, "")))
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
            let unranked = figure.unranked.iter().map(|reason| format!("not ranked: {reason}"));
            Some(Row {
                anchor: None,
                head: item.title().to_owned(),
                head_href: Some(here.to(&Route::record(address))),
                marks: badges(item).into_iter().chain(unranked).collect(),
                cells: vec![
                    Cell::text(if label.is_empty() { "the record".to_owned() } else { label }),
                    Cell::text(figure.formula.name),
                    shown(here, address, figure),
                ],
            })
        })
        .collect();
    let head = ["Result", "Of", "Figure", "Value"].map(Heading::plain).to_vec();
    Table { id: "ledger".to_owned(), caption: "Figures that rest on this quote".into(), head, rows }
}

/// A figure with its unit, for columns that hold several.
fn shown(here: &Here, address: &str, figure: &Figure) -> Cell {
    Cell { text: figure.shown(), ..Cell::figure(here, address, figure) }
}
