//! Which change brings how much, where the changes of one config are among those of another.

use std::cmp::Reverse;

use super::{Row, Sheet};
use crate::figures::Figure;
use crate::figures::sheet::{compute, missing};
use crate::formula::capacity;

impl Sheet<'_> {
    /// Of each config that a larger one holds, its share of the larger one's gain, and what the rest adds.
    pub(super) fn attribution(&self) -> Vec<Figure> {
        let Some(baseline) = self.item.baseline.and_then(|position| self.rows().nth(position)) else {
            return Vec::new();
        };
        let nested: Vec<_> = self.rows().filter_map(|row| Some((row, self.larger(row, baseline)?))).collect();
        let shares = nested.iter().map(|(row, larger)| self.gain_share(*row, *larger, baseline));
        let rests = nested.iter().map(|(row, larger)| self.rest_gain(*row, *larger));
        shares.chain(rests).collect()
    }

    /// The config with the most changes among those that change all that this one does, and more.
    fn larger(&self, row: Row, baseline: Row) -> Option<Row<'_>> {
        let changes = |row: Row| self.audit.changes(row.config, baseline.config);
        let own = changes(row);
        if own.is_empty() {
            return None;
        }
        let larger = self.rows().map(|other| (changes(other), other));
        let larger = larger.filter(|(others, _)| others.is_superset(&own) && *others != own);
        // Of equals the first.
        larger.min_by_key(|(others, _)| Reverse(others.len())).map(|(_, other)| other)
    }

    fn gain_share(&self, row: Row, larger: Row, baseline: Row) -> Figure {
        let formula = &capacity::GAIN_SHARE_PCT;
        let facts = [self.capacity(row), self.capacity(baseline), self.capacity(larger)];
        if let [Ok(_), Ok(before), Ok(all)] = &facts
            && all.quantity.low() <= before.quantity.high()
        {
            let reason = format!("“{}” gains nothing over the baseline", self.item.label(larger.position));
            return missing(formula, row.anchor, reason);
        }
        let share = self.against_baseline(compute(formula, row.anchor, facts), row, larger);
        remarked(share, format!("of what {} gains", larger.anchor))
    }

    fn rest_gain(&self, row: Row, larger: Row) -> Figure {
        let rest = compute(&capacity::REST_GAIN_PCT, row.anchor, [self.capacity(larger), self.capacity(row)]);
        remarked(self.against_baseline(rest, row, larger), format!("added by the rest of {}", larger.anchor))
    }
}

fn remarked(figure: Figure, remark: String) -> Figure {
    if figure.outcome.is_ok() { figure.remarked([remark]) } else { figure }
}
