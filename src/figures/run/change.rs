//! A config against the baseline of its record.

use super::{Row, Sheet};
use crate::compare;
use crate::figures::sheet::{Found, IS_BASELINE, compute, field, missing};
use crate::figures::{Figure, Missing};
use crate::formula::{capacity, comparison};

impl Sheet<'_> {
    /// The baseline's row, or why a change against it is not shown.
    pub(super) fn baseline(&self, row: Row) -> Result<(Row<'_>, Vec<String>), String> {
        let baseline = self.item.baseline.and_then(|position| self.rows().nth(position));
        let Some(baseline) = baseline else { return Err("the record has no baseline".to_owned()) };
        if baseline.position == row.position {
            return Err(IS_BASELINE.to_owned());
        }
        match self.compared(baseline, row) {
            Ok(varied) => Ok((baseline, varied)),
            Err(missing) => Err(missing.reason),
        }
    }

    /// What differs on purpose between two configs, or why they must not be compared.
    pub(super) fn compared(&self, baseline: Row, row: Row) -> Result<Vec<String>, Missing> {
        let comparison = compare::configs_of_run(self.item, baseline.position, row.position);
        if comparison.is_allowed() {
            Ok(comparison.varied)
        } else {
            Err(Missing::because(format!("not comparable: {}", comparison.forbidding.join("; "))))
        }
    }

    pub(super) fn capacity(&self, row: Row) -> Found {
        let observed = self.item.observation(row.anchor, "capacity_rps");
        match (observed, &self.item.note) {
            (Some((position, observation)), Some(attached)) => {
                field(&attached.document, format!("/observations/{position}/value"), Some(observation.value))
            }
            _ => Err(Missing::because("no capacity in requests per second is stated")),
        }
    }

    pub(super) fn capacity_ratio(&self, row: Row) -> Figure {
        match self.baseline(row) {
            Ok((baseline, varied)) => {
                let facts = [self.capacity(row), self.capacity(baseline)];
                let figure = compute(&capacity::CAPACITY_RATIO, row.anchor, facts);
                let figure = self.at_capacity(figure, row);
                if figure.outcome.is_ok() { figure.remarked(varied).not_ranked(self.unranked(row)) } else { figure }
            }
            Err(reason) => missing(&capacity::CAPACITY_RATIO, row.anchor, reason),
        }
    }

    pub(super) fn goodput_change(&self, row: Row) -> Figure {
        let (baseline, varied) = match self.baseline(row) {
            Ok(found) => found,
            Err(reason) => return missing(&comparison::GOODPUT_CHANGE_PCT, row.anchor, reason),
        };
        let figure = compute(&comparison::GOODPUT_CHANGE_PCT, row.anchor, [self.goodput(row), self.goodput(baseline)]);
        let figure = figure.remarked(varied).not_ranked(self.unranked(row));
        self.tied(figure.limited(self.rate_limits(row)), row)
    }
}
