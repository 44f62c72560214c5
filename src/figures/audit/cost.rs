//! What a config costs at capacity, and what its requests would cost at token prices.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::catalog::RECORD;
use crate::figures::price::{self, Price};
use crate::figures::sheet::{Found, above_zero, assumed, compute, derived, field, missing};
use crate::figures::{Fact, Figure, Missing};
use crate::formula::{Formula, cost, token_price};
use crate::quantity::Unit;
use crate::record::audit::TokenPrice;
use crate::record::site::HOURS_PER_MONTH;

impl Sheet<'_> {
    pub(super) fn costs(&self) -> Vec<Figure> {
        let mut figures: Vec<_> = self.prices.iter().map(Price::figure).collect();
        figures.extend(self.per_rate(&cost::USD_PER_MTOK_OUTPUT, &self.prices, Self::output_rate));
        // No dollars, and the inverse of a figure that stands at every price already.
        let own = self.prices.get(..1).unwrap_or_default();
        figures.extend(self.per_rate(&cost::OUTPUT_TOK_PER_USD, own, Self::output_rate));
        figures.extend(self.per_rate(&cost::USD_PER_1K_REQUESTS, &self.prices, Self::capacity));
        figures.extend(self.each(Self::cost_change));
        figures.extend(price::each(&self.prices, self.rows(), |row, price| self.usd_per_month(row, price)));
        figures.extend(price::each(&self.prices, self.rows(), |row, price| self.saving(row, price)));
        figures.extend(self.at_token_prices());
        figures
    }

    /// A formula of the hourly total and a rate at capacity.
    fn per_rate(&self, formula: &'static Formula, prices: &[Price], rate: fn(&Self, Row) -> Found) -> Vec<Figure> {
        price::each(prices, self.rows(), |row, price| {
            self.at_stated_capacity(compute(formula, row.anchor, [price.hour(), above_zero(rate(self, row))]), row)
        })
    }

    /// The same at every price, so that it stands once, without one.
    fn cost_change(&self, row: Row) -> Figure {
        let Some(price) = self.prices.first() else {
            return missing(&cost::COST_CHANGE_PCT, row.anchor, "the record names no price");
        };
        let cost = |row: Row| {
            let rate = above_zero(self.output_rate(row));
            let figure = compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [price.hour(), rate]);
            derived(&Arc::new(price.beside(self.at_stated_capacity(figure, row))))
        };
        match self.baseline(row) {
            Ok(baseline) => {
                let figure = compute(&cost::COST_CHANGE_PCT, row.anchor, [cost(row), cost(baseline)]);
                self.against_baseline(figure, row, baseline)
            }
            Err(Missing { reason }) => missing(&cost::COST_CHANGE_PCT, row.anchor, reason),
        }
    }

    fn usd_per_month(&self, row: Row, price: &Price) -> Figure {
        let replicas = Arc::new(self.replicas(row));
        let hours = self.hours_per_month();
        let month = month_of(&hours);
        let figure = compute(&cost::USD_PER_MONTH, row.anchor, [derived(&replicas), price.hour(), Ok(hours)]);
        self.at_stated_capacity(figure, row).labelled(month)
    }

    fn hours_per_month(&self) -> Fact {
        let settings = &self.catalog.settings;
        let stated =
            self.catalog.site.hours_per_month.and_then(|hours| field(settings, "/hours_per_month", Some(hours)).ok());
        stated.unwrap_or_else(|| assumed(settings, "", HOURS_PER_MONTH, "730 hours a month are assumed"))
    }

    fn saving(&self, row: Row, price: &Price) -> Figure {
        let month = |row: Row| derived(&Arc::new(price.beside(self.usd_per_month(row, price))));
        match self.baseline(row) {
            Ok(baseline) => {
                let figure = compute(&cost::SAVING_USD_PER_MONTH, row.anchor, [month(baseline), month(row)]);
                self.against_baseline(figure, row, baseline)
            }
            Err(Missing { reason }) => missing(&cost::SAVING_USD_PER_MONTH, row.anchor, reason),
        }
        .labelled(month_of(&self.hours_per_month()))
    }

    /// A thousand requests of the workload where tokens are paid by the piece: each token once, cached or not.
    fn at_token_prices(&self) -> Vec<Figure> {
        let Some(prices) = &self.audit.token_price else { return Vec::new() };
        let workload = &self.audit.workload;
        let cached = || self.field("/workload/cached_input_tokens", workload.cached_input_tokens);
        let input = self.field("/workload/input_tokens", workload.input_tokens);
        let output = self.field("/workload/output_tokens", workload.output_tokens);
        let price = |name: &str, value| self.field(format!("/token_price/{name}"), value);
        let label = token_price_words(prices);
        let part = |formula: &'static Formula, tokens: Found, price: Found| {
            Arc::new(compute(formula, RECORD, [tokens, price]).labelled(label.clone()))
        };
        let uncached = Arc::new(compute(&token_price::UNCACHED_INPUT_TOKENS, RECORD, [input, cached()]));
        let parts = [
            part(
                &token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS,
                derived(&uncached),
                price("usd_per_mtok_input", Some(prices.usd_per_mtok_input)),
            ),
            part(
                &token_price::CACHED_INPUT_USD_PER_1K_REQUESTS,
                cached(),
                price("usd_per_mtok_cached_input", prices.usd_per_mtok_cached_input),
            ),
            part(
                &token_price::OUTPUT_USD_PER_1K_REQUESTS,
                output,
                price("usd_per_mtok_output", Some(prices.usd_per_mtok_output)),
            ),
        ];
        let total = compute(&token_price::TOKEN_USD_PER_1K_REQUESTS, RECORD, parts.each_ref().map(derived));
        let figures = [uncached].into_iter().chain(parts).map(|figure| Figure::clone(&figure));
        figures.chain([total.labelled(label)]).collect()
    }
}

fn month_of(hours: &Fact) -> String {
    format!("a month of {}", Unit::Hours.show(hours.quantity))
}

/// Whose token prices they are, and of what day.
fn token_price_words(prices: &TokenPrice) -> String {
    let provider = prices.provider.as_deref().map(|name| format!(" of {name}")).unwrap_or_default();
    let day = prices.date.map(|date| format!(", {date}")).unwrap_or_default();
    format!("at the token prices{provider}{day} that the record states")
}
