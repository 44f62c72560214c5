//! By how much a config leads the next lower one of its record.

use super::{Row, Sheet};
use crate::figures::sheet::{compute, missing};
use crate::figures::{Figure, Missing};
use crate::formula::comparison;

impl Sheet<'_> {
    /// Of each config, its lead over the next lower one that is ranked.
    pub(super) fn goodput_leads(&self) -> Vec<Figure> {
        let ranked = self.rows().filter(|row| self.unranked(*row).is_none());
        let mut ladder: Vec<_> = ranked.filter_map(|row| Some((row.config.goodput_tok_s?, row))).collect();
        // Of equal ones the last stands for all.
        ladder.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.rows().map(|row| self.goodput_lead(row, &ladder)).collect()
    }

    /// `ladder` is what the config may lead: the lowest first.
    fn goodput_lead(&self, row: Row, ladder: &[(f64, Row)]) -> Figure {
        let formula = &comparison::GOODPUT_LEAD_PCT;
        let Some(own) = row.config.goodput_tok_s else {
            return compute(formula, row.anchor, [self.goodput(row)]);
        };
        if let Some(reason) = self.unranked(row) {
            return missing(formula, row.anchor, format!("{reason}: not ranked"));
        }
        let lower = ladder.partition_point(|(rate, _)| *rate < own);
        let Some((_, next)) = lower.checked_sub(1).map(|at| ladder[at]) else {
            return missing(formula, row.anchor, "no config of the record is lower");
        };
        match self.compared(next, row) {
            Ok(varied) => {
                let figure = compute(formula, row.anchor, [self.goodput(row), self.goodput(next)]);
                let figure = figure.remarked([format!("over {}", next.config.label)]).remarked(varied);
                self.tied(figure.limited(self.rate_limits(row)), row, next)
            }
            Err(Missing { reason }) => missing(formula, row.anchor, reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::figures::tests::{site, source};
    use crate::formula::comparison::GOODPUT_LEAD_PCT;
    use crate::source::Kind;

    /// Goodput, how many of three repeats met the SLO, and the share from a cache.
    type Config = (Option<f64>, u32, u32);

    fn leads(configs: &[Config]) -> Vec<String> {
        let config = |(at, (rate, passed, share)): (usize, &Config)| {
            let rate = rate.map(|rate| format!(r#""goodput_tok_s": {rate}, "#)).unwrap_or_default();
            format!(
                r#"{{"label": "c{at}", {rate}"slo_pass_count": {passed}, "repeats": 3, "prefix_cache_hit_pct": {share}}}"#
            )
        };
        let configs: Vec<_> = configs.iter().enumerate().map(config).collect();
        let run = format!(
            r#"{{"id": "a", "status": "published", "title": "T", "published": "2026-10-29",
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm"}},
            "model": {{"name": "M"}}, "slo": {{"ttft_p99_ms": 2000}}, "configs": [{}]}}"#,
            configs.join(", ")
        );
        let (_, figures) = site(&[source(Kind::Run, "runs/a.json", run)]);
        let leads = figures.of("runs/a").iter().filter(|figure| figure.formula.id == GOODPUT_LEAD_PCT.id);
        leads.map(|lead| [vec![lead.shown()], lead.remarks.clone()].concat().join("; ")).collect()
    }

    /// The same, looked for among all configs each time.
    fn sought(configs: &[Config], at: usize) -> String {
        let (rate, passed, share) = configs[at];
        let Some(own) = rate else { return "goodput (output tok/s) is not stated".to_owned() };
        if passed < 3 {
            return format!("a partial pass, {passed} of 3: not ranked");
        }
        let ranked = configs.iter().enumerate().filter(|(_, (_, passed, _))| *passed == 3);
        let lower = ranked.filter_map(|(at, (rate, _, share))| Some((at, rate.filter(|rate| *rate < own)?, *share)));
        match lower.max_by(|one, other| one.1.total_cmp(&other.1)) {
            None => "no config of the record is lower".to_owned(),
            Some((_, _, other)) if other != share => format!("not comparable: {other}% against {share}% from cache"),
            Some((next, rate, _)) => {
                let change = crate::quantity::Unit::PercentChange.show((100.0 * (own / rate - 1.0)).into());
                format!("{change}; over c{next}")
            }
        }
    }

    #[test]
    fn each_of_sixty_configs_leads_the_one_that_a_search_through_all_finds() {
        // Rates that repeat, in no order, and some that are missing.
        let config = |at: u32| {
            let rate = (at % 11 != 5).then(|| f64::from(100 + at * 37 % 41));
            (rate, if at.is_multiple_of(7) { 2 } else { 3 }, if at * 37 % 41 < 20 { 0 } else { 50 })
        };
        let configs: Vec<_> = (0..60).map(config).collect();
        let expected: Vec<_> = (0..60).map(|at| sought(&configs, at)).collect();
        let kinds = ["over", "not comparable", "not ranked", "not stated", "is lower"];
        assert!(kinds.iter().all(|kind| expected.iter().any(|lead| lead.contains(kind))), "{expected:?}");
        assert_eq!(leads(&configs), expected);
    }
}
