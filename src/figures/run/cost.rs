//! What a config costs, at each dated price.

use std::sync::Arc;

use super::throughput::says_total;
use super::{Row, Sheet};
use crate::figures::Figure;
use crate::figures::price::{self, Price};
use crate::figures::sheet::{Found, above_zero, compute, derived, missing};
use crate::formula::{Formula, cost};
use crate::record::run::RunConfig;

impl Sheet<'_> {
    pub(super) fn costs(&self) -> Vec<Figure> {
        let mut figures: Vec<_> = self.prices.iter().map(Price::figure).collect();
        figures.extend(self.per_output(&cost::USD_PER_MTOK_OUTPUT, &self.prices));
        // Another view of the same hour: only where a config says the rate that it needs.
        if self.any(|config| config.input_tok_s.is_some()) {
            figures.extend(self.per_rate(&cost::USD_PER_MTOK_INPUT, Self::input_rate));
        }
        if self.any(says_total) {
            figures.extend(self.per_rate(&cost::USD_PER_MTOK_TOTAL, Self::total_rate));
        }
        // No dollars, and the inverse of a figure that stands at every price already.
        figures.extend(self.per_output(&cost::OUTPUT_TOK_PER_USD, self.prices.get(..1).unwrap_or_default()));
        if self.any(|config| config.request_throughput_rps.is_some() || config.requests.is_some()) {
            figures.extend(self.per_rate(&cost::USD_PER_1K_REQUESTS, Self::delivered_rate));
        }
        figures
    }

    /// A formula of the hourly total and the output rate.
    fn per_output(&self, formula: &'static Formula, prices: &[Price]) -> Vec<Figure> {
        price::each(prices, self.rows(), |row, price| {
            of_passing(formula, row, [price.hour(), above_zero(self.output_rate(row))]).limited(self.output_limits(row))
        })
    }

    /// A formula of the hourly total and another rate, at every price.
    fn per_rate(&self, formula: &'static Formula, rate: fn(&Self, Row) -> Found) -> Vec<Figure> {
        price::each(&self.prices, self.rows(), |row, price| {
            of_passing(formula, row, [price.hour(), above_zero(rate(self, row))]).limited(self.rate_limits(row))
        })
    }

    /// Requests completed per second: as stated, else from their number and the time they took.
    fn delivered_rate(&self, row: Row) -> Found {
        match (row.config.request_throughput_rps, &row.config.requests) {
            (None, Some(requests)) => derived(&Arc::new(self.delivered(row, requests))),
            (stated, _) => self.field(row.at("request_throughput_rps"), stated),
        }
    }

    /// Whether some config says what a formula needs; one that no config can feed is not applied at all.
    pub(super) fn any(&self, says: fn(&RunConfig) -> bool) -> bool {
        self.run.configs.iter().any(says)
    }
}

/// What no repeat delivered within the SLO has no price and takes no energy.
pub(super) fn of_passing<const N: usize>(formula: &'static Formula, row: Row, facts: [Found; N]) -> Figure {
    match row.config.none_passed() {
        Some(reason) => missing(formula, row.anchor, reason),
        None => compute(formula, row.anchor, facts),
    }
}
