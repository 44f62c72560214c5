//! Algebraic laws that hold whatever the numbers are.

mod accuracy;
mod capacity;
mod change;
mod intervals;
mod memory;
mod money;
mod scaling;
mod speed;

use proptest::prelude::*;

use super::{FigureValue, Formula};
use crate::quantity::Quantity;

/// The value of a formula that gives one number.
fn run(formula: &Formula, values: &[f64]) -> f64 {
    let value = run_quantity(formula, values);
    assert!(!value.is_interval(), "{}: {value:?} is no one number", formula.id);
    value.low()
}

fn run_quantity(formula: &Formula, values: &[f64]) -> Quantity {
    let values: Vec<_> = values.iter().copied().map(Quantity::exact).collect();
    match formula.compute(&values) {
        FigureValue::Quantity(quantity) => quantity,
        FigureValue::Verdict(verdict) => panic!("{}: {verdict} is no number", formula.id),
    }
}

fn verdict(formula: &Formula, values: &[f64]) -> &'static str {
    let values: Vec<_> = values.iter().copied().map(Quantity::exact).collect();
    match formula.compute(&values) {
        FigureValue::Verdict(verdict) => verdict,
        FigureValue::Quantity(quantity) => panic!("{}: {quantity:?} is no verdict", formula.id),
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// Rates, prices, times and powers of any size that a record may hold.
fn amount() -> impl Strategy<Value = f64> {
    1e-3..1e6
}

fn count() -> impl Strategy<Value = f64> {
    (1..=1024_u32).prop_map(f64::from)
}

fn percent() -> impl Strategy<Value = f64> {
    0.0..100.0
}

/// Whole bytes, up to a terabyte.
fn bytes() -> impl Strategy<Value = f64> {
    (1..=1_000_000_000_000_u64).prop_map(|bytes| bytes as f64)
}

/// Tokens of a sequence.
fn tokens() -> impl Strategy<Value = f64> {
    (1..=10_000_000_u32).prop_map(f64::from)
}

/// The values of a list.
fn list() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec((0..=1_000_000_u32).prop_map(f64::from), 1..8)
}
