//! The capacity of a run's configs: as a bracket where the steps of the search are published.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::figures::sheet::{compute, derived, missing};
use crate::figures::{Figure, bracket, price};
use crate::formula::{capacity, requests};

impl Sheet<'_> {
    /// Brackets of a record that publishes steps or states a capacity; otherwise capacity is none of its matters.
    pub(super) fn brackets(&self) -> Vec<Figure> {
        let of_matter = |row: Row| !self.sweeps[row.position].steps.is_empty() || self.capacity(row).is_ok();
        if !self.rows().any(of_matter) {
            return Vec::new();
        }
        self.rows().map(|row| self.bracket(row)).collect()
    }

    fn bracket(&self, row: Row) -> Figure {
        bracket::of(&self.item.document, &self.sweeps[row.position], row.anchor)
    }

    /// What a reader must know of a figure that rests on a capacity.
    pub(super) fn at_capacity(&self, figure: Figure, row: Row) -> Figure {
        let limit = bracket::limit(&self.bracket(row)).filter(|_| figure.outcome.is_ok());
        figure.limited(limit)
    }

    /// Cost over the bracket at every price, where one config has a bracket.
    pub(super) fn costs_over_brackets(&self) -> Vec<Figure> {
        if self.rows().all(|row| self.bracket(row).outcome.is_err()) {
            return Vec::new();
        }
        price::each(&self.prices, self.rows(), |row, price| {
            let length = self.output_per_request(row).unwrap_or_else(|| {
                missing(&requests::OUTPUT_TOK_PER_REQUEST, row.anchor, "output tokens of a request are not stated")
            });
            let served = bracket::served(&self.item.document, &self.sweeps[row.position], self.bracket(row));
            let facts = [price.hour(), served, derived(&Arc::new(length))];
            compute(&capacity::USD_PER_MTOK_OVER_BRACKET, row.anchor, facts)
        })
    }
}
