//! Tables: headings with units and directions, cells that lead to where their number comes from.

use std::sync::Arc;

use crate::figures::Figure;
use crate::formula::Formula;
use crate::metric;
use crate::quantity::Quantity;
use crate::route::Route;
use crate::schema::Document;

use super::frame::Here;

#[derive(Debug)]
pub struct Table {
    /// Unique on the page.
    pub id: String,
    pub caption: String,
    pub head: Vec<Heading>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone)]
pub struct Heading {
    pub name: String,
    /// Unit and direction, printed once under the name.
    pub unit: String,
    pub direction: &'static str,
}

impl Heading {
    /// A measured field: its metric's name, unit and direction.
    pub fn measured(field: &str) -> Self {
        let metric = metric::metric(field);
        Heading {
            name: metric::heading(field),
            unit: metric.map(|metric| metric.unit.heading().to_owned()).unwrap_or_default(),
            direction: metric.map_or("", |metric| metric.better.words()),
        }
    }

    /// A latency with the limit that it has to meet.
    pub fn limited(document: &Document, field: &str, limit: Option<f64>) -> Self {
        let mut heading = Heading::measured(field);
        if let Some(limit) = limit {
            heading.unit.push_str(&format!(", limit {}", document.digits(&format!("/slo/{field}"), limit.into())));
        }
        heading
    }

    /// A formula over a record's figures; what they all are of stands here once.
    pub fn derived(formula: &Formula, figures: &[Arc<Figure>]) -> Self {
        let mut own = figures.iter().filter(|figure| figure.formula.id == formula.id && figure.quote.is_none());
        Heading::labelled(formula, own.find_map(|figure| figure.label.as_deref()))
    }

    /// The formula of a figure, at its price.
    pub fn of(figure: &Figure) -> Self {
        Heading::labelled(figure.formula, figure.label.as_deref())
    }

    fn labelled(formula: &Formula, label: Option<&str>) -> Self {
        let unit = formula.unit.heading();
        Heading {
            name: formula.name.to_owned(),
            unit: label.map_or_else(|| unit.to_owned(), |label| format!("{unit}, {label}")),
            direction: formula.better.words(),
        }
    }

    pub fn plain(name: impl Into<String>) -> Self {
        Heading { name: name.into(), unit: String::new(), direction: "" }
    }
}

#[derive(Debug)]
pub struct Row {
    /// Fragment of the row, where it has one of its own.
    pub anchor: Option<String>,
    pub head: String,
    pub head_href: Option<String>,
    /// Words beside the head: `baseline`.
    pub marks: Vec<String>,
    pub cells: Vec<Cell>,
}

/// One value, or the words that stand in its place.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    pub text: String,
    pub href: Option<String>,
    pub notes: Vec<String>,
    /// Numbers are set to the right with aligned digits.
    pub numeric: bool,
}

impl Cell {
    /// Text of a sentence or more, which needs a wider column.
    pub fn is_prose(&self) -> bool {
        self.text.chars().count() > 60
    }

    pub fn text(text: impl Into<String>) -> Self {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// A value as the source writes it, leading to its line; a dash with the reason when it is not there.
    pub fn measured(here: &Here, document: &Document, pointer: &str, value: Option<Quantity>) -> Self {
        match value {
            Some(quantity) => Cell {
                text: document.digits(pointer, quantity),
                href: Some(here.to_source(document, pointer)),
                notes: Vec::new(),
                numeric: true,
            },
            None => Cell::not_stated(),
        }
    }

    pub fn not_stated() -> Self {
        Cell::text("–").noted(["not stated".to_owned()])
    }

    /// With words below the value that say how far it counts.
    pub fn noted(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// A figure of ours, leading to its claim card.
    pub fn figure(here: &Here, address: &str, figure: &Figure) -> Self {
        let href = Some(here.to_anchor(&Route::record(address), &figure.anchor()));
        match (&figure.outcome, figure.quantity()) {
            (Ok(_), Some(quantity)) => {
                let judgement = figure.judgement().map(str::to_owned);
                let notes = judgement.into_iter().chain(figure.remarks.iter().cloned()).collect();
                Cell { text: figure.formula.unit.digits(quantity), href, notes, numeric: true }
            }
            _ => Cell { text: figure.shown(), href, notes: figure.remarks.clone(), numeric: false },
        }
    }
}

/// An offered rate as the file writes it; `0` is how load generators write that there is no limit.
pub fn offered(document: &Document, pointer: &str, rate: Quantity) -> String {
    if rate == Quantity::exact(0.0) {
        return "no limit (written 0, assumed)".to_owned();
    }
    document.digits(pointer, rate)
}

/// Drops columns that no row fills, so that a table says only what its record does.
pub fn without_empty_columns(mut table: Table) -> Table {
    let filled: Vec<_> = (0..table.head.len())
        .map(|column| {
            column == 0 || table.rows.iter().any(|row| row.cells.get(column - 1).is_some_and(|cell| cell.text != "–"))
        })
        .collect();
    let mut keep = filled.iter();
    table.head.retain(|_| *keep.next().unwrap_or(&true));
    for row in &mut table.rows {
        let mut keep = filled.iter().skip(1);
        row.cells.retain(|_| *keep.next().unwrap_or(&true));
    }
    table
}
