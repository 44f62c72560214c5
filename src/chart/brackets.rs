//! Where a limit lies between two tested loads: from the highest that passed to the next one, which failed.

use super::axis::{Axis, Scale};
use super::{Table, listed, quoted, sentence, standing_at};

#[derive(Debug, Clone, PartialEq)]
pub struct Brackets {
    /// What the rows are: the heading of the first table column.
    pub subject: String,
    pub axis: Axis,
    pub rows: Vec<Bracket>,
    /// Index of the row the others are compared with.
    pub baseline: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bracket {
    pub label: String,
    pub span: Span,
    /// What came through at the highest load that passed, which is another number than that load.
    pub delivered: Option<Delivered>,
}

/// Both loads with how they are printed together, or the words in their place.
#[derive(Debug, Clone, PartialEq)]
pub enum Span {
    Between { passed: f64, failed: f64, text: String },
    Words(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Delivered {
    pub value: f64,
    pub text: String,
}

fn is_load(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

impl Bracket {
    /// Both ends, if they can be drawn.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        match self.span {
            Span::Between { passed, failed, .. } if is_load(passed) && is_load(failed) => Some((passed, failed)),
            _ => None,
        }
    }

    pub(super) fn delivered(&self) -> Option<f64> {
        self.delivered.as_ref().map(|delivered| delivered.value).filter(|value| is_load(*value))
    }

    pub(super) fn text(&self) -> &str {
        match &self.span {
            Span::Between { text, .. } | Span::Words(text) => text,
        }
    }

    /// The farthest value that is drawn.
    pub(super) fn far_end(&self) -> f64 {
        let ends = self.ends().map(|(passed, failed)| passed.max(failed));
        ends.into_iter().chain(self.delivered()).fold(0.0, f64::max)
    }
}

impl Brackets {
    pub(super) fn scale(&self) -> Scale {
        let ends = self.rows.iter().filter_map(Bracket::ends).flat_map(|(passed, failed)| [passed, failed]);
        Scale::from_zero(ends.chain(self.rows.iter().filter_map(Bracket::delivered)))
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let is_lost = |row: &&Bracket| {
            let has_span = matches!(row.span, Span::Between { .. });
            has_span && row.ends().is_none() || row.delivered.is_some() && row.delivered().is_none()
        };
        let lost = self.rows.iter().filter(is_lost).count();
        let rows = if lost == 1 { "row" } else { "rows" };
        (lost > 0).then(|| format!("{lost} {rows} with no load that can be drawn")).into_iter().collect()
    }

    pub(super) fn has_delivered(&self) -> bool {
        self.rows.iter().any(|row| row.delivered().is_some())
    }

    pub(super) fn table(&self) -> Table {
        let mut head = vec![self.subject.clone(), self.axis.heading()];
        let delivered = self.rows.iter().any(|row| row.delivered.is_some());
        head.extend(delivered.then(|| "delivered at the highest that passed".to_owned()));
        let rows = self.rows.iter().enumerate().map(|(at, row)| {
            let mark = if self.baseline == Some(at) { " (baseline)" } else { "" };
            let text = row.delivered.as_ref().map_or("–", |delivered| &delivered.text);
            let cells = [format!("{}{mark}", row.label), row.text().to_owned()].into_iter();
            cells.chain(delivered.then(|| text.to_owned())).collect()
        });
        Table { head, rows: rows.collect() }
    }

    /// The row that passed most, and the one that passed least.
    pub(super) fn summary(&self) -> String {
        let at = |row: &Bracket| standing_at(&row.label, &self.axis.with_unit(row.text()));
        let mut drawn: Vec<_> = self.rows.iter().filter_map(|row| Some((row, row.ends()?.0))).collect();
        drawn.sort_by(|one, other| other.1.total_cmp(&one.1));
        let what = "Capacity, between the highest load that passed and the next, which failed,";
        let mut parts = vec![match drawn[..] {
            [] => "No load both passed and failed".to_owned(),
            [(only, _)] => format!("{what} is {} for {}", self.axis.with_unit(only.text()), quoted(&only.label)),
            [(first, most), .., (_, least)] if most == least => {
                format!("{what} begins alike for all {}, as for {}", drawn.len(), at(first))
            }
            [(first, _), .., (last, _)] => format!("{what} is highest for {} and lowest for {}", at(first), at(last)),
        }];
        let words = self.rows.iter().filter(|row| row.ends().is_none());
        let words: Vec<_> = words.map(|row| standing_at(&row.label, row.text())).collect();
        parts.extend((!words.is_empty()).then(|| format!("not drawn: {}", listed(&words, 3))));
        sentence(parts)
    }
}
