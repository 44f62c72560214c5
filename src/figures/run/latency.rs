//! Latency of a config against its limits.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::figures::sheet::{Found, compute, derived};
use crate::figures::{Figure, Missing};
use crate::formula::{Formula, latency};
use crate::metric::Latency;

impl Sheet<'_> {
    /// The config's value and the limit at its percentile; words where too few requests carry the percentile.
    pub(super) fn against_limit(&self, row: Row, metric: &str) -> ([Found; 2], Option<String>) {
        let limits = self.run.slo.iter().flatten();
        let limit =
            limits.into_iter().find(|(name, _)| Latency::parse(name).is_some_and(|found| found.metric == metric));
        let Some((name, limit)) = limit else {
            let none = Err(Missing::because(format!("the record sets no {} limit", metric.to_uppercase())));
            return ([none.clone(), none], None);
        };
        let facts =
            [self.field(row.at(name), row.config.latency_ms(name)), self.field(format!("/slo/{name}"), Some(*limit))];
        (facts, row.config.too_few_requests(name))
    }

    /// Speed of one user's stream at each stated statistic of TPOT.
    pub(super) fn per_user_speeds(&self) -> Vec<Figure> {
        let formulas = [
            &latency::OUTPUT_TOK_S_PER_USER_AT_MEAN_TPOT,
            &latency::OUTPUT_TOK_S_PER_USER_AT_P50_TPOT,
            &latency::OUTPUT_TOK_S_PER_USER_AT_P90_TPOT,
            &latency::OUTPUT_TOK_S_PER_USER_AT_P95_TPOT,
            &latency::OUTPUT_TOK_S_PER_USER_AT_P99_TPOT,
        ];
        let speed = |formula: &'static Formula, row: Row| {
            let name = formula.input(0).name;
            let tpot = self.field(row.at(name), Some(row.config.latency_ms(name)?));
            Some(compute(formula, row.anchor, [tpot]).limited(row.config.too_few_requests(name)))
        };
        formulas.into_iter().flat_map(|formula| self.rows().filter_map(move |row| speed(formula, row))).collect()
    }

    pub(super) fn ttft_slo_used(&self, row: Row) -> Figure {
        let (facts, small) = self.against_limit(row, "ttft");
        compute(&latency::TTFT_SLO_USED_PCT, row.anchor, facts).limited(small)
    }

    pub(super) fn tpot_slo_used(&self, row: Row) -> Figure {
        let (facts, small) = self.against_limit(row, "tpot");
        compute(&latency::TPOT_SLO_USED_PCT, row.anchor, facts).limited(small)
    }

    pub(super) fn binding_slo(&self, row: Row) -> Figure {
        let shares = [self.ttft_slo_used(row), self.tpot_slo_used(row)];
        compute(&latency::BINDING_SLO, row.anchor, shares.map(|share| derived(&Arc::new(share))))
    }
}
