//! One result against another: ratios, changes in percent, and ties.

use proptest::prelude::*;

use super::{amount, near, percent, run};
use crate::formula::comparison::*;
use crate::formula::{Formula, capacity, card, cost, latency, memory};
use crate::quantity::Quantity;

static RATIOS: [&Formula; 4] =
    [&latency::TTFT_SPEEDUP, &capacity::CAPACITY_RATIO, &memory::KV_RATIO, &card::SEQUENCE_RATIO];

static CHANGES: [&Formula; 8] = [
    &GOODPUT_CHANGE_PCT,
    &GOODPUT_LEAD_PCT,
    &TTFT_CHANGE_PCT,
    &TPOT_CHANGE_PCT,
    &OUTPUT_CHANGE_PCT,
    &cost::COST_CHANGE_PCT,
    &capacity::CAPACITY_CHANGE_PCT,
    &capacity::REST_GAIN_PCT,
];

proptest! {
    #[test]
    fn a_ratio_and_the_one_the_other_way_are_inverse(one in amount(), other in amount()) {
        for formula in RATIOS {
            prop_assert!(near(run(formula, &[one, other]) * run(formula, &[other, one]), 1.0), "{}", formula.id);
        }
    }

    #[test]
    fn ratios_over_a_third_multiply(one in amount(), other in amount(), third in amount()) {
        for formula in RATIOS {
            let by_way = run(formula, &[one, third]) * run(formula, &[third, other]);
            prop_assert!(near(by_way, run(formula, &[one, other])), "{}", formula.id);
        }
    }

    #[test]
    fn a_value_with_its_change_is_the_other(one in amount(), other in amount()) {
        for formula in CHANGES {
            let change = run(formula, &[one, other]);
            prop_assert!((other * (1.0 + change / 100.0) - one).abs() <= 1e-9 * one.max(other), "{}", formula.id);
        }
    }

    #[test]
    fn a_change_and_the_one_back_cancel(one in 1.0..1e3, other in 1.0..1e3) {
        for formula in CHANGES {
            let factor = |from, to| 1.0 + run(formula, &[to, from]) / 100.0;
            prop_assert!(near(factor(one, other) * factor(other, one), 1.0), "{}", formula.id);
        }
    }

    #[test]
    fn nothing_changes_against_itself(value in amount()) {
        for formula in CHANGES {
            prop_assert_eq!(run(formula, &[value, value]), 0.0, "{}", formula.id);
        }
    }

    #[test]
    fn a_tie_is_one_whichever_comes_first(ratio in 0.5..2.0, pct in percent()) {
        for uncertainty in [Uncertainty::Band(pct), Uncertainty::Grid(pct)] {
            let (there, back) = (Quantity::exact(ratio), Quantity::exact(1.0 / ratio));
            // On the edge itself the last bit decides.
            let edge = match uncertainty {
                Uncertainty::Band(pct) => (1.0 + pct / 100.0) / (1.0 - pct / 100.0),
                Uncertainty::Grid(pct) => 1.0 + pct / 100.0,
            };
            prop_assume!(!near(ratio, edge) && !near(1.0 / ratio, edge));
            prop_assert_eq!(is_tie(there, uncertainty), is_tie(back, uncertainty));
            prop_assert_eq!(is_tie(there, uncertainty), ratio.max(1.0 / ratio) < edge);
        }
    }

    #[test]
    fn equals_are_a_tie_and_a_wider_band_keeps_ties(ratio in 0.5..2.0, pct in 0.0..50.0, more in 0.0..49.0) {
        for (narrow, wide) in [
            (Uncertainty::Band(pct), Uncertainty::Band(pct + more)),
            (Uncertainty::Grid(pct), Uncertainty::Grid(pct + more)),
        ] {
            prop_assert!(is_tie(Quantity::exact(1.0), narrow));
            prop_assert!(!is_tie(Quantity::exact(ratio), narrow) || is_tie(Quantity::exact(ratio), wide));
        }
    }
}
