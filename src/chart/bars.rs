//! Horizontal bars from zero: one value a row, with its band, or words where there is no value.

use super::axis::{Axis, Better, Scale, undrawn};
use super::{Table, listed, quoted, sentence, standing_at};
use crate::metric::uncapitalised;

/// One measured quantity over a list of subjects.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// What the rows are: the heading of the first table column.
    pub subject: String,
    pub axis: Axis,
    pub rows: Vec<Bar>,
    /// Index of the row the others are compared with.
    pub baseline: Option<usize>,
    /// Two rows that are not told apart though their values differ.
    pub tie: Option<Tie>,
}

/// Indices of two rows, the leading one first, and what keeps them from being told apart: `a tie inside the search grid`.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    pub rows: [usize; 2],
    pub words: String,
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

    /// All rows that may be as good as the first, and why they may be.
    fn ties<'a>(&self, first: &Bar, all: &[&'a Bar]) -> (Vec<&'a Bar>, &str) {
        let reach = first.reach().unwrap_or_default();
        let may_be = |row: &&&Bar| row.reach().is_some_and(|(low, high)| low <= reach.1 && reach.0 <= high);
        let tied: Vec<_> = all.iter().filter(may_be).copied().collect();
        if let (1, Some(Tie { rows, words })) = (tied.len(), &self.tie) {
            let row = |at: usize| self.rows.get(at);
            let is_one = |bar: &&&Bar| rows.iter().any(|at| row(*at).is_some_and(|row| std::ptr::eq(row, **bar)));
            let known: Vec<_> = all.iter().filter(is_one).copied().collect();
            if known.len() == 2 && row(rows[0]).is_some_and(|row| std::ptr::eq(row, first)) {
                return (known, words);
            }
        }
        (tied, if first.band().is_some() { "which the band does not tell apart" } else { "a tie" })
    }

    /// The leader with what follows it, and the other end; rows within each other's band are a tie.
    pub(super) fn summary(&self) -> String {
        let mut drawn: Vec<&Bar> = self.rows.iter().filter(|row| row.value().is_some()).collect();
        let value = |row: &Bar| row.value().unwrap_or_default();
        let lower = self.axis.better == Better::Lower;
        drawn.sort_by(|one, other| {
            let order = value(one).total_cmp(&value(other));
            if lower { order } else { order.reverse() }
        });
        let what = self.axis.measured();
        let at = |row: &Bar| standing_at(&row.label, &self.axis.valued(row.text()));
        let mut parts = vec![match drawn[..] {
            [] => format!("There is no value of {}", uncapitalised(&what)),
            [only] => format!("{what} is {} for {}", self.axis.valued(only.text()), quoted(&only.label)),
            [first, .., last] if value(first) == value(last) => {
                format!("{what} is {} for all {}", self.axis.valued(first.text()), drawn.len())
            }
            [first, second, ..] => {
                let last = drawn.last().copied().unwrap_or(first);
                let [top, bottom] = if lower { ["lowest", "highest"] } else { ["highest", "lowest"] };
                let (tied, how) = self.ties(first, &drawn);
                let is_apart = tied.len() < drawn.len();
                let lead = match tied.len() {
                    1 if drawn.len() == 2 => at(first),
                    1 => format!("{}, before {},", at(first), at(second)),
                    _ => {
                        let tied: Vec<_> = tied.into_iter().map(at).collect();
                        format!("{}, {how},", listed(&tied, 3))
                    }
                };
                let last = is_apart.then(|| format!(" and {bottom} for {}", at(last)));
                format!("{what} is {top} for {lead}{}", last.unwrap_or_default()).trim_end_matches(',').to_owned()
            }
        }];
        let words = self.rows.iter().filter(|row| row.value().is_none());
        let words: Vec<_> = words.map(|row| standing_at(&row.label, row.text())).collect();
        parts.extend((!words.is_empty()).then(|| format!("no bar for {}", listed(&words, 3))));
        sentence(parts)
    }
}
