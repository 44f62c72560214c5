//! A config against the baseline of its record.

use super::{Row, Sheet};
use crate::compare::Alike;
use crate::figures::sheet::{Found, IS_BASELINE, compute, field, missing};
use crate::figures::{Fact, Figure, Missing};
use crate::formula::{capacity, comparison};

/// What a change of a config against the baseline is of.
pub(super) struct Sides<'a> {
    /// The config's, then the baseline's.
    facts: [Fact; 2],
    pub(super) baseline: Row<'a>,
    /// What differs on purpose.
    pub(super) varied: Vec<String>,
}

impl Sheet<'_> {
    /// The baseline's row, or why there is none to hold a config against.
    fn held_against(&self, row: Row) -> Result<Row<'_>, String> {
        let baseline = self.item.baseline.and_then(|position| self.row(position));
        let Some(baseline) = baseline else { return Err("the record has no baseline".to_owned()) };
        if baseline.position == row.position { Err(IS_BASELINE.to_owned()) } else { Ok(baseline) }
    }

    /// The baseline's row, or why a change against it is not shown.
    pub(super) fn baseline(&self, row: Row) -> Result<(Row<'_>, Vec<String>), String> {
        let baseline = self.held_against(row)?;
        let varied = self.compared(baseline, row).map_err(|missing| missing.reason)?;
        Ok((baseline, varied))
    }

    /// A value of a config and of the baseline, with the baseline's row and what differs on purpose. That either failed or
    /// was not measured comes before what they may not be compared for.
    pub(super) fn sides(&self, row: Row, value: impl Fn(Row) -> Found) -> Result<Sides<'_>, String> {
        let baseline = self.held_against(row)?;
        let of = |side: Row, failed: &str| {
            if let Some(reason) = side.config.none_passed() {
                return Err(reason);
            }
            value(side).map_err(|missing| match &side.config.failed {
                Some(reason) => format!("{failed}: {reason}"),
                None => missing.reason,
            })
        };
        let facts = [of(row, "the run failed")?, of(baseline, "the baseline failed")?];
        let (baseline, varied) = self.baseline(row)?;
        Ok(Sides { facts, baseline, varied })
    }

    /// What differs on purpose between two configs, or why they must not be compared.
    pub(super) fn compared(&self, baseline: Row, row: Row) -> Result<Vec<String>, Missing> {
        let [one, other] = [baseline, row].map(|row| &self.settings[row.position]);
        let comparison = Alike::Configs.compare(one, other, &self.varies);
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
        let formula = &capacity::CAPACITY_RATIO;
        match self.sides(row, |side| self.capacity(side)) {
            Ok(Sides { facts, varied, .. }) => {
                let figure = self.at_capacity(compute(formula, row.anchor, facts.map(Ok)), row);
                if figure.outcome.is_ok() { figure.remarked(varied).not_ranked(self.unranked(row)) } else { figure }
            }
            Err(reason) => missing(formula, row.anchor, reason),
        }
    }

    pub(super) fn goodput_change(&self, row: Row) -> Figure {
        let formula = &comparison::GOODPUT_CHANGE_PCT;
        let Sides { facts, varied, baseline } = match self.sides(row, |side| self.goodput(side)) {
            Ok(sides) => sides,
            Err(reason) => return missing(formula, row.anchor, reason),
        };
        let figure = compute(formula, row.anchor, facts.map(Ok)).remarked(varied).not_ranked(self.unranked(row));
        self.tied(figure.limited(self.rate_limits(row)), row, baseline)
    }
}

#[cfg(test)]
mod tests {
    use crate::figures::tests::{site, source};
    use crate::formula::comparison::GOODPUT_CHANGE_PCT;
    use crate::source::Kind;

    #[test]
    fn that_a_config_failed_or_was_not_measured_comes_before_what_differs() {
        let reasons = |configs: &str, baseline: &str| {
            let run = format!(
                r#"{{"id": "a", "status": "published", "title": "T", "published": "2026-10-29",
                "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm"}},
                "model": {{"name": "M"}}, "configs": [{configs}]}}"#
            );
            let run = source(Kind::Run, "runs/a.json", run);
            let note = source(Kind::CuratorNote, "runs/a.md", format!("---\nbaseline: {baseline}\n---\n"));
            let (_, figures) = site(&[run, note]);
            let changes = figures.of("runs/a").iter().filter(|figure| figure.formula.id == GOODPUT_CHANGE_PCT.id);
            changes.map(|change| change.shown()).collect::<Vec<_>>()
        };
        let cold = r#"{"label": "cold", "goodput_tok_s": 1000, "prefix_cache_hit_pct": 0}"#;
        let warm = r#"{"label": "warm", "goodput_tok_s": 1100, "prefix_cache_hit_pct": 80}"#;
        let failed = r#"{"label": "out", "failed": "out of memory"}"#;
        let unmeasured = r#"{"label": "none", "prefix_cache_hit_pct": 90}"#;
        let differs = "not comparable: 0% against 80% from cache";
        assert_eq!(
            reasons(&[cold, warm, failed, unmeasured].join(", "), "cold"),
            ["this is the baseline", differs, "the run failed: out of memory", "goodput (output tok/s) is not stated"]
        );
        assert_eq!(
            reasons(&[failed, cold].join(", "), "out"),
            ["this is the baseline", "the baseline failed: out of memory"]
        );
    }
}
