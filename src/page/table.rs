//! Tables: headings with units and directions, cells that lead to where their number comes from.

use std::collections::{BTreeMap, BTreeSet};

use crate::anchor;
use crate::figures::{self, AtAnyPrice, Basis, Figure};
use crate::formula::{self, Formula};
use crate::metric;
use crate::quantity::{Quantity, reckonable};
use crate::route::fragment;
use crate::schema::Document;

use super::frame::Here;

#[derive(Debug)]
pub struct Table {
    /// Unique on the page.
    pub id: String,
    pub caption: Caption,
    pub head: Vec<Heading>,
    pub rows: Vec<Row>,
}

/// What a table shows, and what holds of all its rows.
#[derive(Debug, Default)]
pub struct Caption {
    pub title: String,
    /// What limits them.
    pub limits: String,
    /// What they are alike in; it stands folded.
    pub alike: String,
}

impl<Text: Into<String>> From<Text> for Caption {
    fn from(title: Text) -> Self {
        Caption { title: title.into(), ..Caption::default() }
    }
}

impl Table {
    /// Whether each column is set to the right with its words: it has a unit, or numbers. Heads of rows are the first.
    pub fn numeric_columns(&self) -> Vec<bool> {
        let mut numeric: Vec<_> = self.head.iter().map(Heading::has_unit).collect();
        for row in &self.rows {
            for (column, cell) in numeric.iter_mut().skip(1).zip(&row.cells) {
                *column |= cell.numeric;
            }
        }
        numeric
    }

    /// Where each row is found: at an anchor of its own, else at one made of its head, with its first cell where several
    /// have one head, so that it stays when rows come and go around it.
    pub fn places(&self) -> Vec<Place> {
        let heads = self.rows.iter().map(|row| (&*row.head, row.cells.first().map(|cell| &*cell.text)));
        let made = row_anchors(&self.id, heads).into_iter().zip(&self.rows);
        let anchors = anchor::unique(made.map(|(made, row)| row.anchor.clone().unwrap_or(made)).collect());
        let place = |(anchor, row): (String, &Row)| {
            let href = Some(fragment(&anchor)).filter(|own| row.head_href.as_ref() != Some(own));
            Place { anchor, href }
        };
        anchors.into_iter().zip(&self.rows).map(place).collect()
    }

    pub fn without_anchored_cells(mut self) -> Self {
        self.rows.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| cell.anchor = None);
        self
    }
}

/// Anchors made of the heads of rows, with the first cell where several have one head; they may still be alike.
pub fn row_anchors<'a>(id: &str, rows: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> Vec<String> {
    let mut times = BTreeMap::<&str, usize>::new();
    rows.clone().for_each(|(head, _)| *times.entry(head).or_default() += 1);
    let anchor = |(head, first): (&str, Option<&str>)| {
        let first = first.filter(|_| times.get(head) > Some(&1));
        let words: Vec<_> = [Some(head), first].into_iter().flatten().collect();
        format!("{id}:{}", anchor::slug(&words.join(" ")))
    };
    rows.map(anchor).collect()
}

/// Where a row is found.
#[derive(Debug)]
pub struct Place {
    pub anchor: String,
    /// The link to itself; none where its head is one already.
    pub href: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Heading {
    pub name: String,
    /// Unit and direction, printed once under the name.
    pub unit: String,
    pub direction: &'static str,
    /// Where the figures below it are unfolded, in place of a link of each.
    pub href: Option<String>,
}

impl Heading {
    /// A measured field: its metric's name, unit and direction.
    pub fn measured(field: &str) -> Self {
        let metric = metric::metric(field);
        Heading {
            name: metric::heading(field),
            unit: metric.map(|metric| metric.unit.heading().to_owned()).unwrap_or_default(),
            direction: metric.map_or("", |metric| metric.better.words()),
            href: None,
        }
    }

    /// A measured field, or the formula of that name.
    pub fn measured_or_derived(name: &str) -> Self {
        formula::ALL
            .iter()
            .find(|formula| formula.id == name)
            .map_or_else(|| Heading::measured(name), |found| Heading::labelled(found, None))
    }

    /// A latency with the limit that it has to meet.
    pub fn limited(document: &Document, field: &str, limit: Option<f64>) -> Self {
        let mut heading = Heading::measured(field);
        if let Some(limit) = limit {
            heading.unit.push_str(&format!(", limit {}", document.digits(&format!("/slo/{field}"), limit.into())));
        }
        heading
    }

    /// A formula over a record's figures; what they all are of stands here once. Where their cards are elsewhere, it
    /// leads there.
    pub fn derived(here: &Here, address: &str, formula: &Formula) -> Self {
        let figures = here.site.figures.of(address).iter();
        let mut own = figures.filter(|figure| figure.formula.id == formula.id && figure.quote.is_none());
        let label = own.find_map(|figure| figure.label.as_deref());
        Heading { href: cards(here, address, formula), ..Heading::labelled(formula, label) }
    }

    /// A formula over figures that say themselves what they are of.
    pub fn formula(here: &Here, address: &str, formula: &Formula) -> Self {
        Heading { href: cards(here, address, formula), ..Heading::labelled(formula, None) }
    }

    /// The formula of a figure, at its price.
    pub fn of(figure: &Figure) -> Self {
        Heading::labelled(figure.formula, figure.label.as_deref())
    }

    pub fn labelled(formula: &Formula, label: Option<&str>) -> Self {
        let unit = formula.unit.heading();
        Heading {
            name: formula.name.to_owned(),
            unit: label.map_or_else(|| unit.to_owned(), |label| format!("{unit}, {label}")),
            direction: formula.better.words(),
            href: None,
        }
    }

    pub fn has_unit(&self) -> bool {
        !self.unit.is_empty() || !self.direction.is_empty()
    }

    pub fn plain(name: impl Into<String>) -> Self {
        Heading { name: name.into(), unit: String::new(), direction: "", href: None }
    }
}

/// The cards of a formula's figures, where they are on another page than the record's own, which this is.
fn cards(here: &Here, address: &str, formula: &Formula) -> Option<String> {
    let mut figures = here.site.figures.of(address).iter().filter(|_| here.anchors_figures_of(address));
    figures.find(|figure| figure.formula.id == formula.id).map(|first| here.to_formula(address, first))
}

/// One without cells is a heading over those below it.
#[derive(Debug)]
pub struct Row {
    /// Fragment of the row; `None` where what it says gives it one.
    pub anchor: Option<String>,
    pub head: String,
    pub head_href: Option<String>,
    /// Words beside the head: `baseline`.
    pub marks: Vec<String>,
    pub cells: Vec<Cell>,
}

impl Row {
    /// A heading over the rows below it.
    pub fn heading(text: &str) -> Self {
        Row { anchor: None, head: text.to_owned(), head_href: None, marks: Vec::new(), cells: Vec::new() }
    }

    /// Joins cells that follow upon each other and say the same in place of a number.
    pub fn join(&mut self) {
        for at in 1..self.cells.len() {
            let [before, own] = [&self.cells[at - 1], &self.cells[at]];
            let alike = before.text == own.text && before.notes == own.notes && before.href == own.href;
            self.cells[at].joined = alike && !own.numeric;
        }
    }

    /// Its cells as they are printed.
    pub fn joined(&self) -> Vec<Joined<'_>> {
        let mut joined: Vec<Joined> = Vec::new();
        for (at, cell) in self.cells.iter().enumerate() {
            match joined.last_mut().filter(|_| cell.joined) {
                Some(before) => {
                    before.span += 1;
                    before.anchors.extend(cell.anchor.as_deref());
                }
                None => joined.push(Joined { cell, column: at + 1, span: 1, anchors: Vec::new() }),
            }
        }
        joined
    }
}

/// One value, or the words that stand in its place.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// Fragment of the figure that it shows, where the figure's card is on another page.
    pub anchor: Option<String>,
    pub text: String,
    pub href: Option<String>,
    pub notes: Vec<String>,
    /// Numbers are set to the right with aligned digits.
    pub numeric: bool,
    pub priced: Option<Priced>,
    /// Whether the cell before it stands for it too.
    pub joined: bool,
}

/// Cells that are printed as one: the first, and the anchors of those that it stands for.
#[derive(Debug)]
pub struct Joined<'a> {
    pub cell: &'a Cell,
    /// From 1: heads of rows are column 0.
    pub column: usize,
    pub span: usize,
    pub anchors: Vec<&'a str>,
}

/// What a number in dollars, or in joules, is at any price, for readers with a price of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// Data attribute of the element with the number.
    pub attribute: &'static str,
    pub value: String,
}

impl Priced {
    pub fn of(figure: &Figure) -> Option<Self> {
        let (attribute, value) = match figures::at_any_price(figure)? {
            AtAnyPrice::GpuHours(hours) => ("gpu", hours),
            AtAnyPrice::TokensPerGpuHour(tokens) => ("tokens", tokens),
            AtAnyPrice::Kwh(energy) => ("kwh", energy),
            AtAnyPrice::KwhPerMtok(energy) => ("mtok", energy),
        };
        Some(Priced { attribute, value: reckonable(value) })
    }
}

impl Cell {
    /// Text of a sentence or more, which needs a wider column.
    pub fn is_prose(&self) -> bool {
        self.text.chars().count() > 60
    }

    pub fn is_assumed(&self) -> bool {
        self.notes.iter().any(|note| note == ASSUMED)
    }

    /// Leaves out that it is assumed, where its heading says so.
    pub fn forget_assumed(&mut self) {
        self.notes.retain(|note| note != ASSUMED);
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
                numeric: true,
                ..Cell::default()
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
        let href = Some(here.to_figure(address, figure));
        let anchor = here.anchors_figures_of(address).then(|| figure.anchor());
        match (&figure.outcome, figure.quantity()) {
            (Ok(_), Some(quantity)) => {
                let judgement = figure.judgement().map(str::to_owned);
                let assumed = (figure.basis() == Basis::Assumed).then(|| ASSUMED.to_owned());
                let notes = judgement.into_iter().chain(figure.remarks.iter().cloned()).chain(assumed).collect();
                let (text, priced) = (figure.formula.unit.digits(quantity), Priced::of(figure));
                Cell { anchor, text, href, notes, numeric: true, priced, joined: false }
            }
            _ => Cell { anchor, text: figure.shown(), href, notes: figure.remarks.clone(), ..Cell::default() },
        }
    }
}

/// Stands beside a number that is not its source's, or follows from one that is not.
pub const ASSUMED: &str = "assumed";

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
    assumed_once(table)
}

/// Takes out the columns that say one thing in every row, and says it once below the caption.
pub fn alike_once(mut table: Table) -> Table {
    let is_alike = |column: &usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.cells.get(column - 1));
        let Some(first) = cells.next().filter(|_| table.rows.len() > 1) else { return false };
        let says = |cell: &Cell| cell.anchor.is_none() && !cell.numeric && !cell.text.is_empty() && cell.text != "–";
        says(first) && cells.all(|cell| says(cell) && cell.text == first.text && cell.notes == first.notes)
    };
    let alike: Vec<usize> = (1..table.head.len()).filter(is_alike).collect();
    let said = alike.iter().filter_map(|column| {
        let cell = table.rows.first()?.cells.get(column - 1)?;
        let words = std::iter::once(&cell.text).chain(&cell.notes).map(String::as_str).collect::<Vec<_>>();
        Some(format!("{}: {}", table.head[*column].name, words.join(", ")))
    });
    let said: Vec<_> = said.collect();
    if !said.is_empty() {
        let before = Some(std::mem::take(&mut table.caption.limits)).filter(|limits| !limits.is_empty());
        let once = format!("In every row: {}.", said.join("; "));
        table.caption.limits = before.into_iter().chain([once]).collect::<Vec<_>>().join(" ");
    }
    for column in alike.into_iter().rev() {
        table.head.remove(column);
        table.rows.iter_mut().for_each(|row| drop(row.cells.remove(column - 1)));
    }
    table
}

/// Says of a column whose numbers are all assumed that they are, in place of each.
fn assumed_once(mut table: Table) -> Table {
    for column in 1..table.head.len() {
        let mut cells =
            table.rows.iter().filter_map(|row| row.cells.get(column - 1)).filter(|cell| cell.numeric).peekable();
        if cells.peek().is_none() || !cells.all(Cell::is_assumed) {
            continue;
        }
        let unit = &mut table.head[column].unit;
        unit.push_str(if unit.is_empty() { ASSUMED } else { ", assumed" });
        table.rows.iter_mut().filter_map(|row| row.cells.get_mut(column - 1)).for_each(Cell::forget_assumed);
    }
    table
}

/// Keeps the first of all cells that show one figure as the place that its fragment leads to. Below a heading that leads
/// to the cards of its figures they need no links of their own.
pub fn anchored_once(mut tables: Vec<Table>) -> Vec<Table> {
    let mut seen = BTreeSet::new();
    for table in &mut tables {
        for (heading, cell) in table.rows.iter_mut().flat_map(|row| table.head.iter().skip(1).zip(&mut row.cells)) {
            if heading.href.is_some() && cell.anchor.is_some() {
                cell.href = None;
            }
            cell.anchor = cell.anchor.take().filter(|anchor| seen.insert(anchor.clone()));
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_says_one_thing_is_said_once() {
        let row = |head: &str, cells: [Cell; 3]| Row {
            anchor: None,
            head: head.to_owned(),
            head_href: None,
            marks: Vec::new(),
            cells: cells.into(),
        };
        let number = || Cell { numeric: true, ..Cell::text("5") };
        let table = |rows| Table {
            id: "t".to_owned(),
            caption: "T".into(),
            head: ["Of", "Engine", "Speed", "Card"].map(Heading::plain).to_vec(),
            rows,
        };
        let one = || row("a", [Cell::text("vLLM"), number(), Cell::text("A")]);
        let other = || row("b", [Cell::text("vLLM"), number(), Cell::text("B")]);
        let said = alike_once(table(vec![one(), other()]));
        let names: Vec<_> = said.head.iter().map(|heading| heading.name.as_str()).collect();
        assert_eq!(names, ["Of", "Speed", "Card"], "numbers stay");
        assert_eq!(said.caption.limits, "In every row: Engine: vLLM.");
        assert!(said.rows.iter().all(|row| row.cells.len() == 2));
        assert_eq!(alike_once(table(vec![one()])).head.len(), 4, "one row is no pattern");
    }
}
