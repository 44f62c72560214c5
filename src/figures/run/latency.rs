//! Latency of a config against its limits.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::figures::Figure;
use crate::figures::sheet::{compute, derived, missing};
use crate::formula::{Formula, latency};
use crate::metric::Latency;
use crate::quantity::Quantity;

impl Sheet<'_> {
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
        self.slo_used(row, &latency::TTFT_SLO_USED_PCT, "ttft")
    }

    pub(super) fn tpot_slo_used(&self, row: Row) -> Figure {
        self.slo_used(row, &latency::TPOT_SLO_USED_PCT, "tpot")
    }

    /// Shares of limits that fewer records set; nothing where they are not set.
    pub(super) fn other_slo_used(&self) -> Vec<Figure> {
        let limited = |metric| self.limits(metric).next().is_some();
        let mut figures = Vec::new();
        if limited("itl") {
            figures.extend(self.each(|sheet, row| sheet.slo_used(row, &latency::ITL_SLO_USED_PCT, "itl")));
        }
        if limited("e2el") {
            figures.extend(self.each(|sheet, row| sheet.slo_used(row, &latency::E2EL_SLO_USED_PCT, "e2el")));
        }
        figures
    }

    /// The limits of a metric, one a statistic.
    fn limits(&self, metric: &str) -> impl Iterator<Item = (&str, f64)> {
        let limits = self.run.slo.iter().flatten().map(|(name, limit)| (name.as_str(), *limit));
        limits.filter(move |(name, _)| Latency::parse(name).is_some_and(|found| found.metric == metric))
    }

    /// The share of a metric's limit that is used; of several limits, of the one that is used most.
    fn slo_used(&self, row: Row, formula: &'static Formula, metric: &str) -> Figure {
        let share = |(name, limit): (&str, f64)| {
            let facts = [
                self.field(row.at(name), row.config.latency_ms(name)),
                self.field(format!("/slo/{name}"), Some(limit)),
            ];
            let figure = compute(formula, row.anchor, facts).limited(row.config.too_few_requests(name));
            let several = self.limits(metric).nth(1).is_some();
            if several && figure.outcome.is_ok() { figure.remarked([crate::metric::heading(name)]) } else { figure }
        };
        let used = |figure: &Figure| figure.quantity().map_or(f64::NEG_INFINITY, Quantity::middle);
        let most = self.limits(metric).map(share).max_by(|one, other| used(one).total_cmp(&used(other)));
        most.unwrap_or_else(|| {
            missing(formula, row.anchor, format!("the record sets no {} limit", metric.to_uppercase()))
        })
    }

    pub(super) fn binding_slo(&self, row: Row) -> Figure {
        if !self.run.has_slo() {
            return missing(&latency::BINDING_SLO, row.anchor, "no SLO set");
        }
        let shares = [
            ("ttft", &latency::TTFT_SLO_USED_PCT),
            ("tpot", &latency::TPOT_SLO_USED_PCT),
            ("itl", &latency::ITL_SLO_USED_PCT),
            ("e2el", &latency::E2EL_SLO_USED_PCT),
        ];
        let share = |(metric, formula): (&str, &'static Formula)| {
            if self.limits(metric).next().is_none() {
                // Of what is not limited, nothing is used up.
                return self.field("/slo", Some(0.0));
            }
            derived(&Arc::new(self.slo_used(row, formula, metric)))
        };
        compute(&latency::BINDING_SLO, row.anchor, shares.map(share))
    }
}
