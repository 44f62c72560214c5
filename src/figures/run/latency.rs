//! Latency of a config against its limits.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::figures::sheet::{Found, compute, derived};
use crate::figures::{Figure, Missing};
use crate::formula::latency;
use crate::metric::Latency;

impl Sheet<'_> {
    /// The limit of a metric, and the config's value at the same percentile.
    pub(super) fn against_limit(&self, row: Row, metric: &str) -> [Found; 2] {
        let limits = self.run.slo.iter().flatten();
        let limit =
            limits.into_iter().find(|(name, _)| Latency::parse(name).is_some_and(|found| found.metric == metric));
        let Some((name, limit)) = limit else {
            let none = Err(Missing::because(format!("the record sets no {} limit", metric.to_uppercase())));
            return [none.clone(), none];
        };
        [self.field(row.at(name), row.config.latency_ms(name)), self.field(format!("/slo/{name}"), Some(*limit))]
    }

    pub(super) fn ttft_slo_used(&self, row: Row) -> Figure {
        compute(&latency::TTFT_SLO_USED_PCT, row.anchor, self.against_limit(row, "ttft"))
    }

    pub(super) fn tpot_slo_used(&self, row: Row) -> Figure {
        compute(&latency::TPOT_SLO_USED_PCT, row.anchor, self.against_limit(row, "tpot"))
    }

    pub(super) fn binding_slo(&self, row: Row) -> Figure {
        let shares = [self.ttft_slo_used(row), self.tpot_slo_used(row)];
        compute(&latency::BINDING_SLO, row.anchor, shares.map(|share| derived(&Arc::new(share))))
    }
}
