//! Intervals and approximate numbers: what they give holds all that they may stand for.

use proptest::prelude::*;

use crate::formula::{ALL, FigureValue, Formula};
use crate::quantity::{Quantity, Unit};

/// What an input may be.
fn range(unit: Unit) -> (f64, f64) {
    match unit {
        Unit::Percent => (0.0, 99.0),
        // A factor by which a search grows or backs off.
        Unit::Ratio => (0.5, 4.0),
        Unit::Count(_) => (1.0, 64.0),
        _ => (0.5, 1e6),
    }
}

/// A value within an interval, both drawn as shares of the range.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    low: f64,
    width: f64,
    inside: f64,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let share = || 0.0..=1.0;
    (share(), share(), share()).prop_map(|(low, width, inside)| Drawn { low, width, inside })
}

impl Drawn {
    /// The interval and the value in it.
    fn of(self, unit: Unit) -> (Quantity, Quantity) {
        let (least, most) = range(unit);
        let low = least + (most - least) * self.low;
        let high = low + (most - low) * self.width;
        let inside = low + (high - low) * self.inside;
        (Quantity::between(low, high), Quantity::exact(inside.clamp(low, high)))
    }
}

/// Of which the lower end alone counts, so that a formula with it does not hold what a larger value gives.
const AT_LEAST: &str = "memory_bytes";

fn inputs(formula: &Formula, drawn: &[Drawn]) -> (Vec<Quantity>, Vec<Quantity>) {
    let count = if formula.is_of_list() { 3 } else { formula.inputs.len() };
    let pair = |at: usize| {
        let input = formula.input(at);
        let (interval, inside) = drawn[at].of(input.unit);
        if input.name == AT_LEAST { (inside, inside) } else { (interval, inside) }
    };
    (0..count).map(pair).unzip()
}

proptest! {
    #[test]
    fn an_interval_gives_all_that_a_value_in_it_gives(drawn in proptest::collection::vec(drawn(), 8)) {
        for formula in ALL {
            let (intervals, inside) = inputs(formula, &drawn);
            match (formula.compute(&intervals), formula.compute(&inside)) {
                (FigureValue::Quantity(whole), FigureValue::Quantity(one)) => {
                    let slack = 1e-9 * (1.0 + one.low().abs().max(one.high().abs()));
                    let holds = whole.low() <= one.low() + slack && one.high() <= whole.high() + slack;
                    prop_assert!(holds, "{}: {:?} of {:?} in {:?} of {:?}", formula.id, one, inside, whole, intervals);
                }
                (whole, one) => {
                    let open = [FigureValue::Verdict("several alike"), FigureValue::Verdict("may not fit")];
                    prop_assert!(open.contains(&whole) || whole == one, "{}: {:?} in {:?}", formula.id, one, whole);
                }
            }
        }
    }

    #[test]
    fn what_rests_on_an_approximate_number_is_approximate(
        drawn in proptest::collection::vec(drawn(), 8), which in 0..8usize,
    ) {
        for formula in ALL {
            let (_, mut values) = inputs(formula, &drawn);
            let which = which % values.len();
            let FigureValue::Quantity(exact) = formula.compute(&values) else { continue };
            prop_assert!(!exact.is_approximate(), "{} of exact numbers", formula.id);
            values[which] = Quantity::about(values[which].low());
            let FigureValue::Quantity(found) = formula.compute(&values) else { continue };
            prop_assert!(found.is_approximate(), "{} of an approximate {}", formula.id, formula.input(which).name);
            prop_assert_eq!((found.low(), found.high()), (exact.low(), exact.high()), "{}", formula.id);
        }
    }
}
