//! Scores, and how far a search or a spread leaves a result open.

use proptest::prelude::*;

use super::{amount, count, near, percent, run, run_quantity};
use crate::formula::accuracy::{ACCURACY_DROP_PTS, ACCURACY_INTERVAL_PCT, ACCURACY_RESOLUTION_PTS};
use crate::formula::uncertainty::{BACKOFF_STEP_PCT, GOODPUT_BAND_TOK_S, SEARCH_RESOLUTION_PCT, UNCERTAINTY_PCT};

proptest! {
    #[test]
    fn the_interval_of_a_score_holds_it_and_stays_between_none_and_all(score in percent(), questions in count()) {
        let interval = run_quantity(&ACCURACY_INTERVAL_PCT, &[score, questions]);
        prop_assert!(0.0 <= interval.low() && interval.low() <= score);
        prop_assert!(score <= interval.high() && interval.high() <= 100.0);
    }

    #[test]
    fn none_right_may_be_none_and_all_right_may_be_all(questions in count()) {
        prop_assert_eq!(run_quantity(&ACCURACY_INTERVAL_PCT, &[0.0, questions]).low(), 0.0);
        prop_assert_eq!(run_quantity(&ACCURACY_INTERVAL_PCT, &[100.0, questions]).high(), 100.0);
    }

    #[test]
    fn the_interval_of_wrong_answers_is_that_of_right_ones_mirrored(score in percent(), questions in count()) {
        let right = run_quantity(&ACCURACY_INTERVAL_PCT, &[score, questions]);
        let wrong = run_quantity(&ACCURACY_INTERVAL_PCT, &[100.0 - score, questions]);
        prop_assert!((right.low() + wrong.high() - 100.0).abs() < 1e-9);
        prop_assert!((right.high() + wrong.low() - 100.0).abs() < 1e-9);
    }

    /// The end of the interval is where the score is 1.96 standard errors away, by which it is defined.
    #[test]
    fn a_score_is_as_far_from_each_end_as_the_confidence_says(score in 1.0..99.0, questions in count()) {
        let interval = run_quantity(&ACCURACY_INTERVAL_PCT, &[score, questions]);
        for end in [interval.low() / 100.0, interval.high() / 100.0] {
            let error = (end * (1.0 - end) / questions).sqrt();
            prop_assert!(near((score / 100.0 - end).abs() / error, 1.959_963_984_540_054));
        }
    }

    #[test]
    fn more_questions_leave_less_open(score in percent(), questions in count(), more in count()) {
        let few = run_quantity(&ACCURACY_INTERVAL_PCT, &[score, questions]);
        let many = run_quantity(&ACCURACY_INTERVAL_PCT, &[score, questions + more]);
        prop_assert!(many.high() - many.low() < few.high() - few.low());
    }

    #[test]
    fn all_questions_together_are_all_points(questions in count()) {
        prop_assert!(near(run(&ACCURACY_RESOLUTION_PTS, &[questions]) * questions, 100.0));
    }

    #[test]
    fn what_is_lost_one_way_is_won_the_other(baseline in percent(), other in percent()) {
        let lost = run(&ACCURACY_DROP_PTS, &[baseline, other]);
        prop_assert_eq!(lost, -run(&ACCURACY_DROP_PTS, &[other, baseline]));
    }

    /// The rate found lies at one end of the gap or at the other, which is `growth` times as high.
    #[test]
    fn both_ends_of_the_resolution_are_one_gap(growth in 1.01..4.0f64, steps in 0..16u32) {
        let resolution = run_quantity(&SEARCH_RESOLUTION_PCT, &[growth, f64::from(steps)]);
        prop_assert!(near(resolution.high(), growth * resolution.low()));
        prop_assert!(near(resolution.high() / 100.0 * 2f64.powi(steps as i32), growth - 1.0));
    }

    #[test]
    fn one_more_bisection_halves_the_resolution(growth in 1.01..4.0, steps in 0..16u32) {
        let one = run_quantity(&SEARCH_RESOLUTION_PCT, &[growth, f64::from(steps)]);
        let more = run_quantity(&SEARCH_RESOLUTION_PCT, &[growth, f64::from(steps + 1)]);
        prop_assert!(near(2.0 * more.low(), one.low()) && near(2.0 * more.high(), one.high()));
    }

    #[test]
    fn a_back_off_and_what_it_leaves_are_the_whole(backoff in 0.0..1.0) {
        prop_assert!(near(run(&BACKOFF_STEP_PCT, &[backoff]) + 100.0 * backoff, 100.0));
    }

    #[test]
    fn the_uncertainty_is_one_of_the_bounds_and_none_is_larger(bounds in proptest::collection::vec(0.0..100.0, 1..4)) {
        let largest = run(&UNCERTAINTY_PCT, &bounds);
        prop_assert!(bounds.contains(&largest) && bounds.iter().all(|bound| *bound <= largest));
    }

    #[test]
    fn a_band_lies_around_its_value_and_is_twice_as_wide_as_the_percentage(goodput in amount(), band in percent()) {
        let ends = run_quantity(&GOODPUT_BAND_TOK_S, &[goodput, band]);
        prop_assert!(near(ends.low() + ends.high(), 2.0 * goodput));
        prop_assert!((ends.high() - ends.low() - 2.0 * goodput * band / 100.0).abs() <= 1e-9 * goodput);
    }
}
