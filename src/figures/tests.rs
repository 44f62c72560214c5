//! What is asked of a figure.

use super::*;
use crate::formula::comparison::{GOODPUT_CHANGE_PCT, TTFT_CHANGE_PCT, VALUE_CHANGE_PCT, VALUE_RATIO};

fn figure(formula: &'static Formula, value: Quantity) -> Figure {
    let computed = Computed { value: FigureValue::Quantity(value), inputs: Vec::new() };
    Figure { outcome: Ok(computed), ..sheet::missing(formula, "a", "no reason") }
}

#[test]
fn a_change_is_judged_where_it_is_one_and_one_way_is_better() {
    let exact = Quantity::exact;
    for (formula, change, expected) in [
        (&GOODPUT_CHANGE_PCT, exact(5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, exact(-5.0), Some("worse")),
        (&TTFT_CHANGE_PCT, exact(-5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::about(5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::between(4.0, 5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::between(-5.0, -4.0), Some("worse")),
        // It may be either way, or none.
        (&GOODPUT_CHANGE_PCT, Quantity::between(-1.0, 5.0), None),
        (&GOODPUT_CHANGE_PCT, Quantity::between(0.0, 5.0), None),
        (&GOODPUT_CHANGE_PCT, Quantity::between(-5.0, 0.0), None),
        // It is shown as 0.0%.
        (&GOODPUT_CHANGE_PCT, exact(0.04), None),
        (&GOODPUT_CHANGE_PCT, exact(0.0), None),
        (&VALUE_CHANGE_PCT, exact(5.0), None),
        (&VALUE_RATIO, exact(5.0), None),
    ] {
        assert_eq!(figure(formula, change).judgement(), expected, "{} {change:?}", formula.id);
    }
    let tie = Figure { tie: true, ..figure(&GOODPUT_CHANGE_PCT, exact(5.0)) };
    assert_eq!(tie.judgement(), None);
    assert_eq!(sheet::missing(&GOODPUT_CHANGE_PCT, "a", "no reason").judgement(), None);
}
