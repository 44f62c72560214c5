//! Results of one record beside each other.

use super::shown::Change;
use super::{OFF_IS_NOT_STATED, change_of};
use crate::catalog::Item;
use crate::compare::{Alike, Comparison, clause};
use crate::figures::{Figure, Figures};
use crate::formula::{Formula, capacity, comparison, cost, uncertainty};

/// Changes that the figures of a record have already, with all that limits them there.
const OF_RECORDS: [(&str, &Formula); 4] = [
    ("goodput_tok_s", &comparison::GOODPUT_CHANGE_PCT),
    ("output_tok_s", &comparison::OUTPUT_CHANGE_PCT),
    ("capacity_rps", &capacity::CAPACITY_CHANGE_PCT),
    ("usd_per_mtok_output", &cost::COST_CHANGE_PCT),
];

impl Figures {
    /// The result of a record that one of its results is held against; results are positions among all.
    pub fn baseline_within(&self, item: &Item, result: usize) -> Option<usize> {
        let first = self.comparisons.of_record(&item.address).start;
        let position = match item.arms.get(result - first) {
            Some(arm) => arm.baseline,
            None => item.baseline,
        };
        Some(first + position?)
    }

    /// Change of a result against another of its record, or what forbids one. `None` where either has no value, and for
    /// metrics without a change.
    pub(super) fn reckoned_within(
        &self,
        item: &Item,
        (metric, baseline, other): (&str, usize, usize),
    ) -> Option<Change> {
        let all = &self.comparisons;
        change_of(metric)?;
        let (_, _) = (all.value(metric, baseline)?, all.value(metric, other)?);
        let [one, two] = [baseline, other].map(|at| &all.contenders[at]);
        let Comparison { forbidding, varied } =
            Alike::Metric(clause(metric)?).compare(&one.setting, &two.setting, &one.varies);
        if !forbidding.is_empty() {
            return Some(Err(forbidding));
        }
        let change = match self.of_the_record(item, metric, other) {
            // The figures of a run say themselves what differs on purpose.
            Some(own) if item.run().is_some() => return Some(Ok(own.limited(all.limits(metric, baseline, other)))),
            Some(own) => own.limited(all.limits(metric, baseline, other)),
            None => all.reckoned((metric, baseline, other))?,
        };
        Some(Ok(change.remarked(varied)))
    }

    /// The change as the record's own figure, with how far its sides could be off.
    fn of_the_record(&self, item: &Item, metric: &str, result: usize) -> Option<Figure> {
        let subject = &self.comparisons.contenders[result].subject;
        let (_, formula) = OF_RECORDS.iter().find(|(name, _)| *name == metric)?;
        let figure = Figure::clone(self.find(&item.address, subject, formula)?);
        let over = self.find(&item.address, subject, &capacity::CAPACITY_CHANGE_OVER_BRACKETS_PCT);
        let is_bounded = metric == "capacity_rps" && over.is_some_and(|over| over.quantity().is_some());
        if figure.tie || is_bounded || figure.quantity().is_none() {
            return Some(figure);
        }
        let off = self.find(&item.address, subject, &uncertainty::UNCERTAINTY_PCT);
        let off = off.and_then(|off| off.remarks.first()).map(|words| format!("outside {words}"));
        Some(figure.remarked([off.unwrap_or_else(|| OFF_IS_NOT_STATED.to_owned())]))
    }
}
