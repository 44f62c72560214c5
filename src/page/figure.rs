//! Charts of a page: composed from figures, drawn for both widths.

use crate::anchor;
use crate::chart::{self, Axis, Band, Bar, Bars, Better, Chart, Kind, Reading, Svg, Table, TickStyle};
use crate::figures::Figure;
use crate::quantity::{Quantity, Unit};

use super::table::row_anchors;

/// A chart with its drawings, ready to print.
#[derive(Debug)]
pub struct Drawn {
    pub id: String,
    pub caption: String,
    pub summary: String,
    pub wide: Svg,
    pub narrow: Svg,
    pub table: Table,
    /// Anchors of the rows of the table.
    pub anchors: Vec<String>,
    /// Basis, source and limits of what is drawn.
    pub limits: String,
    /// The drawing as a file of its own.
    pub file: Option<String>,
}

impl Drawn {
    pub fn new(chart: &Chart) -> Self {
        let chart = chart.few();
        let rendered = chart::render(&chart);
        let table = chart.table();
        // A row keeps its anchor when it becomes the baseline.
        let name = |cell: &'_ String| cell.strip_suffix(BASELINE).unwrap_or(cell).to_owned();
        let names: Vec<_> = table.rows.iter().map(|row| row.first().map(name).unwrap_or_default()).collect();
        let second = table.rows.iter().map(|row| row.get(1).map(String::as_str));
        let heads = names.iter().map(String::as_str).zip(second);
        let said = [&chart.source_line].into_iter().chain(&chart.limits).filter(|text| !text.is_empty());
        let said = said.map(|text| format!("{}.", text.trim_end_matches('.'))).collect::<Vec<_>>();
        Drawn {
            id: chart.id.clone(),
            caption: chart.caption.clone(),
            summary: chart.summary(),
            wide: rendered.wide,
            narrow: rendered.narrow,
            anchors: anchor::unique(row_anchors(&chart.id, heads)),
            table,
            limits: said.join(" "),
            file: None,
        }
    }
}

/// What a chart's table writes after the name of the baseline.
const BASELINE: &str = " (baseline)";

/// A row of bars: a quantity with its text, or the words in its place.
pub enum Value {
    Number { quantity: Quantity, unit: Unit, text: String },
    Words(String),
}

impl Value {
    /// A figure of ours, rounded by the one rule.
    pub fn of(unit: Unit, quantity: Quantity) -> Self {
        Value::Number { quantity, unit, text: unit.digits(quantity) }
    }
}

/// A figure as a value of a chart, or the words in its place.
pub fn reading(figure: Option<&Figure>) -> Reading {
    match figure.and_then(|figure| Some((figure, figure.quantity()?))) {
        Some((figure, quantity)) => {
            Reading::Value { value: quantity.middle(), text: figure.formula.unit.digits(quantity), band: None }
        }
        None => Reading::Words(figure.map_or_else(|| "not stated".to_owned(), Figure::shown)),
    }
}

/// Bars over subjects, the baseline marked; nothing where no subject has a value.
pub fn bars(
    id: &str,
    caption: String,
    source_line: String,
    axis: Axis,
    rows: Vec<(String, Value)>,
    baseline: Option<usize>,
) -> Option<Chart> {
    if !rows.iter().any(|(_, value)| matches!(value, Value::Number { .. })) {
        return None;
    }
    let rows = rows
        .into_iter()
        .map(|(label, value)| Bar {
            label,
            reading: match value {
                Value::Words(words) => Reading::Words(words),
                Value::Number { quantity, unit, text } => Reading::Value {
                    value: quantity.middle(),
                    text,
                    band: quantity.is_interval().then(|| Band {
                        low: quantity.low(),
                        high: quantity.high(),
                        text: unit.digits(quantity),
                    }),
                },
            },
        })
        .collect();
    let kind = Kind::Bars(Bars { subject: "config".to_owned(), axis, rows, baseline, tie: None });
    Some(Chart { id: id.to_owned(), caption, source_line, limits: Vec::new(), kind })
}

/// The axis of a metric: its name, unit and direction.
pub fn axis(name: &str, unit: Unit, better: crate::quantity::Better, ticks: TickStyle) -> Axis {
    let unit = unit.heading();
    let title = if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") };
    let better = match better {
        crate::quantity::Better::Higher => Better::Higher,
        crate::quantity::Better::Lower => Better::Lower,
        crate::quantity::Better::Neither => Better::Neither,
    };
    Axis { title, better, ticks }
}
