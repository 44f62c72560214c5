//! Horizontal bars from zero: one value a row, with its band, or words where there is no value.

use super::axis::{Axis, Scale, undrawn};
use super::{Table, sentence};

/// One measured quantity over a list of subjects.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// What the rows are: the heading of the first table column.
    pub subject: String,
    pub axis: Axis,
    pub rows: Vec<Bar>,
    /// Index of the row the others are compared with.
    pub baseline: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    pub reading: Reading,
}

/// A value with its printed text, or the words that stand where a value would: `none passed`, `not measured`.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    Value { value: f64, text: String, band: Option<Band> },
    Words(String),
}

/// Between which values the true one lies, and how that is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    pub low: f64,
    pub high: f64,
    pub text: String,
}

impl Bar {
    /// The value, if it can be drawn.
    pub(super) fn value(&self) -> Option<f64> {
        match self.reading {
            Reading::Value { value, .. } if value.is_finite() => Some(value),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> &str {
        match &self.reading {
            Reading::Value { text, .. } | Reading::Words(text) => text,
        }
    }

    /// The band, if it can be drawn around a value that can.
    pub(super) fn band(&self) -> Option<&Band> {
        match &self.reading {
            Reading::Value { value, band: Some(band), .. } => {
                let holds = band.low <= *value && *value <= band.high;
                (holds && band.low.is_finite() && band.high.is_finite()).then_some(band)
            }
            _ => None,
        }
    }

    /// Lowest and highest value this row may stand for.
    pub(super) fn reach(&self) -> Option<(f64, f64)> {
        let value = self.value()?;
        Some(self.band().map_or((value, value), |band| (band.low, band.high)))
    }
}

impl Bars {
    pub(super) fn scale(&self) -> Scale {
        Scale::from_zero(self.rows.iter().filter_map(Bar::reach).flat_map(|(low, high)| [low, high]))
    }

    pub(super) fn notes(&self, scale: &Scale) -> Vec<String> {
        undrawn(self.rows.iter().filter_map(|row| match row.reading {
            Reading::Value { value, .. } => Some((scale, value)),
            Reading::Words(_) => None,
        }))
    }

    pub(super) fn table(&self) -> Table {
        let banded = self.rows.iter().any(|row| matches!(row.reading, Reading::Value { band: Some(_), .. }));
        let mut head = vec![self.subject.clone(), self.axis.heading()];
        head.extend(banded.then(|| "band".to_owned()));
        let rows = self.rows.iter().enumerate().map(|(at, row)| {
            let mark = if self.baseline == Some(at) { " (baseline)" } else { "" };
            let mut cells = vec![format!("{}{mark}", row.label), row.text().to_owned()];
            cells.extend(banded.then(|| match &row.reading {
                Reading::Value { band: Some(band), .. } => band.text.clone(),
                _ => "–".to_owned(),
            }));
            cells
        });
        Table { head, rows: rows.collect() }
    }

    /// Range and extremes; rows within each other's band are not told apart.
    pub(super) fn summary(&self) -> String {
        let drawn: Vec<&Bar> = self.rows.iter().filter(|row| row.value().is_some()).collect();
        let by_value = |one: &&&Bar, other: &&&Bar| one.value().unwrap_or(0.0).total_cmp(&other.value().unwrap_or(0.0));
        let mut parts = vec![format!("Bar chart of {}", self.axis.heading())];
        match (drawn.iter().max_by(by_value), drawn.iter().min_by(by_value)) {
            (Some(most), Some(least)) if most.value() != least.value() => {
                parts.push(extreme("highest", most, &drawn));
                parts.push(extreme("lowest", least, &drawn));
            }
            (Some(only), _) => parts.push(format!("{}: {}", only.label, only.text())),
            _ => {}
        }
        let words = self.rows.iter().filter(|row| row.value().is_none());
        parts.extend(words.map(|row| format!("{}: {}", row.label, row.text())));
        sentence(parts)
    }
}

/// `highest: a (8,508)`, or all rows that may be it.
fn extreme(name: &str, row: &Bar, all: &[&Bar]) -> String {
    let reach = row.reach().unwrap_or((0.0, 0.0));
    let rivals: Vec<String> = all
        .iter()
        .filter(|other| other.reach().is_some_and(|(low, high)| low <= reach.1 && reach.0 <= high))
        .map(|row| format!("{} ({})", row.label, row.text()))
        .collect();
    let within = if rivals.len() > 1 { ", within the band" } else { "" };
    format!("{name}{within}: {}", rivals.join(" and "))
}
