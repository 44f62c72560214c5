//! Costs that no token has: a slip of a unit somewhere in price, rate or count.

use super::Figure;
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::Unit;

/// Dollars for a million tokens, below and above which something must be wrong.
const LEAST: f64 = 0.0001;
const MOST: f64 = 10_000.0;

/// Warns of each implausible cost at the record's own price, where the record has the number that the price is divided by.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    let own = figures.iter().filter(|figure| figure.quote.is_none());
    for figure in own.filter(|figure| matches!(figure.formula.unit, Unit::UsdPerMillionTokens(_))) {
        let Some(cost) = figure.quantity() else { continue };
        // Nothing paid is a price of its own kind.
        if cost.high() == 0.0 || (cost.high() >= LEAST && cost.low() <= MOST) {
            continue;
        }
        let here = figure.inputs().filter(|(_, fact)| fact.document.address == item.address);
        let Some((_, fact)) = here.last() else { continue };
        report.push(
            Diagnostic::new(
                &rules::COST_IMPLAUSIBLE,
                fact.document.location(&fact.pointer),
                format!("{} for `{}`, expected {LEAST} to 10,000 dollars", figure.shown(), figure.subject),
            )
            .pointer(&fact.pointer)
            .help("look at the units of price and rate, and at what the number of GPUs covers"),
        );
    }
}
