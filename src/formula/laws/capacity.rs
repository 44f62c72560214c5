//! Capacity, replicas, and the requests of a measurement.

use proptest::prelude::*;

use super::{amount, count, near, run, run_quantity};
use crate::formula::capacity::*;
use crate::formula::requests::*;
use crate::formula::{FigureValue, Formula};
use crate::quantity::Quantity;

fn over(formula: &Formula, values: &[Quantity]) -> Quantity {
    match formula.compute(values) {
        FigureValue::Quantity(quantity) => quantity,
        FigureValue::Verdict(verdict) => panic!("{verdict} is no number"),
    }
}

proptest! {
    /// What a capacity inside the bracket gives lies inside what the bracket gives.
    #[test]
    fn a_bracket_holds_what_every_capacity_in_it_gives(
        low in 0.1..100.0f64, width in 0.0..50.0f64, within in 0.0..=1.0f64, peak in 1.0..1000.0f64,
    ) {
        let bracket = run_quantity(&CAPACITY_BRACKET_RPS, &[low, low + width]);
        let inside = Quantity::exact(low + within * width);
        for (over, at) in [
            (
                over(&REPLICAS_OVER_BRACKET, &[peak.into(), bracket]),
                over(&REPLICAS_AT_PEAK, &[peak.into(), inside]),
            ),
            (
                over(&USD_PER_MTOK_OVER_BRACKET, &[2.69.into(), bracket, 300.0.into()]),
                over(&USD_PER_MTOK_OVER_BRACKET, &[2.69.into(), inside, 300.0.into()]),
            ),
        ] {
            prop_assert!(over.low() <= at.low() * (1.0 + 1e-12) && at.high() <= over.high() * (1.0 + 1e-12));
        }
    }

    #[test]
    fn the_replicas_carry_the_peak_and_one_less_does_not(peak in amount(), capacity in 0.1..1e6) {
        let replicas = run(&REPLICAS_AT_PEAK, &[peak, capacity]);
        prop_assert!(replicas * capacity >= peak * (1.0 - 1e-11));
        prop_assert!((replicas - 1.0) * capacity < peak);
    }

    #[test]
    fn a_peak_that_divides_evenly_needs_no_further_replica(capacity in amount(), replicas in count()) {
        prop_assert_eq!(run(&REPLICAS_AT_PEAK, &[capacity * replicas, capacity]), replicas);
    }

    /// The share of the gain and the gain of the rest are two views of one capacity.
    #[test]
    fn the_gain_and_the_rest_make_the_whole(
        baseline in 0.1..100.0f64, gain in 0.1..100.0f64, share in 0.0..1.5f64,
    ) {
        let (own, all) = (baseline + share * gain, baseline + gain);
        let found = run(&GAIN_SHARE_PCT, &[own, baseline, all]);
        prop_assert!((found / 100.0 - share).abs() < 1e-9, "{found}");
        let rest = run(&REST_GAIN_PCT, &[all, own]);
        prop_assert!(near(own * (1.0 + rest / 100.0), all), "{rest}");
    }

    /// What was delivered over the measurement is what completed.
    #[test]
    fn a_delivered_rate_times_its_duration_is_what_completed(completed in count(), duration in amount()) {
        prop_assert!(near(run(&DELIVERED_RPS, &[completed, duration]) * duration, completed));
    }

    #[test]
    fn the_delivered_share_of_the_offered_rate_is_the_delivered_one(delivered in amount(), offered in amount()) {
        let share = run(&DELIVERED_SHARE_PCT, &[delivered, offered]);
        prop_assert!(near(share / 100.0 * offered, delivered));
    }

    #[test]
    fn those_that_failed_and_those_that_did_not_are_all(failed in count(), others in count()) {
        let sent = failed + others;
        prop_assert!(near(run(&FAILED_PCT, &[failed, sent]) + run(&FAILED_PCT, &[others, sent]), 100.0));
    }

    /// Leaving requests out of what was sent can only raise attainment; failures never do.
    #[test]
    fn attainment_lies_between_the_two_ways_to_count(
        met in 0u32..1000, missed in 0u32..1000, failed in 0u32..1000, cut_off in 0u32..1000,
    ) {
        let [met, missed, failed, cut_off] = [met, missed, failed, cut_off].map(f64::from);
        prop_assume!(met + missed > 0.0);
        let sent = met + missed + failed + cut_off;
        let attained = run(&SLO_ATTAINMENT_PCT, &[met, sent, cut_off]);
        prop_assert!(100.0 * met / sent <= attained + 1e-9 && attained <= 100.0 * met / (met + missed) + 1e-9);
    }

    #[test]
    fn the_tokens_of_all_requests_are_the_token_rate(tokens in amount(), requests in amount()) {
        prop_assert!(near(run(&OUTPUT_TOK_PER_REQUEST, &[tokens, requests]) * requests, tokens));
    }

    /// A mean does not depend on the order of the iterations and lies among them.
    #[test]
    fn a_mean_lies_among_its_iterations(mut samples in proptest::collection::vec(0.0..1e6f64, 1..20)) {
        let mean = run(&MEAN_OUTPUT_TOK_S, &samples);
        samples.reverse();
        prop_assert!(near(mean, run(&MEAN_OUTPUT_TOK_S, &samples)));
        let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
        let high = samples.iter().copied().fold(0.0, f64::max);
        prop_assert!(low - 1e-6 <= mean && mean <= high + 1e-6);
    }
}
