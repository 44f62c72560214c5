//! Parts that add up, against a limit: what memory holds and what a card has.

use super::axis::{Axis, Scale};
use super::{Table, quoted, sentence, standing_at};
use crate::metric::uncapitalised;

#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// What the rows are: the heading of the first table column.
    pub subject: String,
    pub axis: Axis,
    /// Names of the parts in their order; from the fourth on they share one colour.
    pub parts: Vec<String>,
    pub rows: Vec<Stack>,
    pub limit: Option<Ceiling>,
}

/// What a card has: a line, or two where it is known as an interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Ceiling {
    pub low: f64,
    pub high: f64,
    pub label: String,
}

impl Ceiling {
    pub(super) fn is_drawn(&self) -> bool {
        self.low.is_finite() && self.low > 0.0 && self.high.is_finite()
    }

    /// Where its lines stand.
    pub(super) fn lines(&self) -> impl Iterator<Item = f64> {
        [self.low, self.high].into_iter().take(if self.low < self.high { 2 } else { 1 })
    }
}

/// One stack: an amount for each part, and the total as printed, or words in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    pub label: String,
    pub amounts: Vec<Amount>,
    pub total: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    pub value: f64,
    pub text: String,
}

impl Amount {
    pub(super) fn drawn(&self) -> bool {
        self.value.is_finite() && self.value >= 0.0
    }
}

impl Stack {
    /// Where the stack ends.
    pub(super) fn end(&self) -> f64 {
        self.amounts.iter().filter(|amount| amount.drawn()).map(|amount| amount.value).sum::<f64>().min(f64::MAX)
    }
}

impl Stacked {
    pub(super) fn scale(&self) -> Scale {
        let limit = self.limit.iter().filter(|limit| limit.is_drawn()).map(|limit| limit.high);
        Scale::from_zero(self.rows.iter().map(Stack::end).chain(limit))
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let missing = self.rows.iter().flat_map(|row| &row.amounts).filter(|amount| !amount.drawn()).count();
        let values = if missing == 1 { "value" } else { "values" };
        (missing > 0)
            .then(|| format!("{missing} {values} below zero or without a finite number not drawn"))
            .into_iter()
            .collect()
    }

    pub(super) fn table(&self) -> Table {
        let mut head = vec![self.subject.clone()];
        head.extend(self.parts.iter().cloned());
        head.push(format!("total, {}", self.axis.title));
        let rows = self.rows.iter().map(|row| {
            let amount = |at: usize| row.amounts.get(at).map_or("–".to_owned(), |amount| amount.text.clone());
            let mut cells = vec![row.label.clone()];
            cells.extend((0..self.parts.len()).map(amount));
            cells.push(row.total.clone());
            cells
        });
        Table { head, rows: rows.collect() }
    }

    /// The smallest and the largest, and how they stand to the limit.
    pub(super) fn summary(&self) -> String {
        let ends = || self.rows.iter().map(|row| (row, row.end()));
        let by_end = |one: &(&Stack, f64), other: &(&Stack, f64)| one.1.total_cmp(&other.1);
        let what = self.axis.measured();
        let mut said = match (ends().min_by(by_end), ends().max_by(by_end)) {
            (Some((least, low)), Some((most, high))) if low < high => {
                let [least, most] = [least, most].map(|row| standing_at(&row.label, &row.total));
                format!("{what} is least for {least} and most for {most}")
            }
            (Some((only, _)), _) => {
                let of = if self.rows.len() > 1 { format!("all {}", self.rows.len()) } else { quoted(&only.label) };
                format!("{what} is {} for {of}", only.total)
            }
            _ => format!("There is no value of {}", uncapitalised(&what)),
        };
        if let Some(limit) = self.limit.as_ref().filter(|_| !self.rows.is_empty()) {
            let beyond = ends().filter(|(_, end)| *end > limit.high).count();
            said += &match (beyond, self.rows.len()) {
                (0, _) => format!(", below the limit of {}", limit.label),
                (1, 1) => format!(", above the limit of {}", limit.label),
                (beyond, of) => format!(", {beyond} of {of} above the limit of {}", limit.label),
            };
        }
        sentence(vec![said])
    }
}
