//! Latency, token rates, energy and memory traffic.

use proptest::prelude::*;

use super::{amount, count, near, run, verdict};
use crate::formula::bandwidth::{ACHIEVED_BANDWIDTH_TB_S, BYTES_PER_OUTPUT_TOKEN, DECODE_FLOOR_MS};
use crate::formula::latency::*;
use crate::formula::{Formula, energy, fleet, throughput};

static USER_SPEEDS: [&Formula; 5] = [
    &OUTPUT_TOK_S_PER_USER_AT_MEAN_TPOT,
    &OUTPUT_TOK_S_PER_USER_AT_P50_TPOT,
    &OUTPUT_TOK_S_PER_USER_AT_P90_TPOT,
    &OUTPUT_TOK_S_PER_USER_AT_P95_TPOT,
    &OUTPUT_TOK_S_PER_USER_AT_P99_TPOT,
];

proptest! {
    #[test]
    fn the_share_of_a_limit_is_the_time(time in amount(), limit in amount()) {
        for formula in [&TTFT_SLO_USED_PCT, &TPOT_SLO_USED_PCT, &ITL_SLO_USED_PCT, &E2EL_SLO_USED_PCT] {
            prop_assert!(near(run(formula, &[time, limit]) / 100.0 * limit, time), "{}", formula.id);
        }
    }

    #[test]
    fn the_largest_share_binds_wherever_it_stands(
        largest in 1.0..100.0, others in proptest::collection::vec(0.0..1.0, 3), at in 0..4usize,
    ) {
        let mut shares = others;
        shares.insert(at, largest);
        prop_assert_eq!(verdict(&BINDING_SLO, &shares), ["TTFT", "TPOT", "ITL", "E2E latency"][at]);
        shares[(at + 1) % 4] = largest;
        prop_assert_eq!(verdict(&BINDING_SLO, &shares), "several alike");
    }

    #[test]
    fn a_users_speed_is_the_inverse_of_the_time_and_a_slower_time_a_slower_speed(time in amount(), more in amount()) {
        for formula in USER_SPEEDS {
            let speed = run(formula, &[time]);
            prop_assert!(near(run(formula, &[speed]), time), "{}", formula.id);
            prop_assert!(run(formula, &[time + more]) < speed, "{}", formula.id);
        }
    }

    #[test]
    fn tokens_of_all_requests_over_their_time_are_the_rate(requests in count(), length in amount(), time in amount()) {
        let rate = run(&throughput::OUTPUT_TOK_S, &[requests, length, time]);
        prop_assert!(near(rate * time, requests * length));
    }

    #[test]
    fn input_and_output_per_gpu_add_up_to_the_total(input in amount(), output in amount(), gpus in count()) {
        let total = run(&throughput::TOTAL_TOK_S, &[input, output]);
        let parts = run(&throughput::INPUT_TOK_S_PER_GPU, &[input, gpus])
            + run(&throughput::OUTPUT_TOK_S_PER_GPU, &[output, gpus]);
        prop_assert!(near(parts, run(&throughput::TOTAL_TOK_S_PER_GPU, &[total, gpus])));
    }

    #[test]
    fn the_gpus_of_a_role_do_what_all_do(rate in amount(), own in count(), others in count()) {
        let all = own + others;
        for (of_role, of_all) in [
            (&throughput::INPUT_TOK_S_PER_PREFILL_GPU, &throughput::INPUT_TOK_S_PER_GPU),
            (&throughput::OUTPUT_TOK_S_PER_DECODE_GPU, &throughput::OUTPUT_TOK_S_PER_GPU),
        ] {
            prop_assert!(near(run(of_role, &[rate, own]) * own, run(of_all, &[rate, all]) * all));
        }
    }

    #[test]
    fn tokens_per_joule_and_joules_per_token_are_inverse(rate in amount(), power in amount()) {
        let tokens = run(&energy::GOODPUT_TOK_PER_J, &[rate, power]);
        prop_assert!(near(tokens * run(&energy::ENERGY_J_PER_OUTPUT_TOKEN, &[power, rate]), 1.0));
        prop_assert!(near(run(&energy::OUTPUT_TOK_PER_WH, &[tokens]) * power, rate * 3600.0 / 1e3));
    }

    #[test]
    fn the_energy_of_all_tokens_is_that_of_the_output(power in amount(), input in amount(), output in amount()) {
        let total = run(&throughput::TOTAL_TOK_S, &[input, output]);
        let of_all = run(&energy::ENERGY_J_PER_TOTAL_TOKEN, &[power, total]) * total;
        prop_assert!(near(of_all, run(&energy::ENERGY_J_PER_OUTPUT_TOKEN, &[power, output]) * output));
    }

    #[test]
    fn throttled_samples_and_the_others_are_all(samples in count(), window in count(), hertz in count()) {
        let all = window * hertz * 2.0;
        let share = |samples| run(&energy::THROTTLED_PCT, &[samples, window, hertz, 2.0]);
        prop_assert!((share(samples) + share(all - samples) - 100.0).abs() <= 1e-9 * (100.0 + share(samples)));
    }

    #[test]
    fn the_traffic_of_all_tokens_is_the_bandwidth(mbu in 1.0..100.0, rated in 0.1..10.0, gpus in count(), rate in amount()) {
        let achieved = run(&ACHIEVED_BANDWIDTH_TB_S, &[mbu, rated, gpus]);
        prop_assert!(near(run(&BYTES_PER_OUTPUT_TOKEN, &[achieved, rate]) * rate, achieved * 1e12));
    }

    /// At the decode floor one user's token costs the weights, at an MBU of 100%.
    #[test]
    fn the_decode_floor_is_the_weights_at_full_bandwidth(weights in 1e6..1e12, rated in 0.1..10.0, gpus in count()) {
        let floor = run(&DECODE_FLOOR_MS, &[weights, rated, gpus]);
        let rate = run(&OUTPUT_TOK_S_PER_USER_AT_MEAN_TPOT, &[floor]);
        let full = run(&ACHIEVED_BANDWIDTH_TB_S, &[100.0, rated, gpus]);
        prop_assert!(near(run(&BYTES_PER_OUTPUT_TOKEN, &[full, rate]), weights));
    }

    #[test]
    fn a_fleet_of_the_measured_gpus_is_the_result(rate in amount(), gpus in count()) {
        prop_assert!(near(run(&fleet::FLEET_OUTPUT_TOK_S, &[rate, gpus, gpus]), rate));
        prop_assert!(near(run(&fleet::FLEET_POWER_KW, &[rate, gpus, gpus]), rate));
    }

    #[test]
    fn two_fleets_do_what_one_of_all_cards_does(rate in amount(), gpus in count(), one in count(), other in count()) {
        for formula in [&fleet::FLEET_OUTPUT_TOK_S, &fleet::FLEET_POWER_KW] {
            let of = |cards| run(formula, &[rate, gpus, cards]);
            prop_assert!(near(of(one) + of(other), of(one + other)), "{}", formula.id);
        }
    }

    #[test]
    fn the_cards_for_equal_output_give_it_and_one_less_does_not(
        baseline in 1.0..1e5, other in 1.0..1e5, cards in (1..=100_000_u32).prop_map(f64::from),
    ) {
        let needed = run(&fleet::FLEET_CARDS_FOR_BASELINE_OUTPUT, &[baseline * cards, other * cards, cards]);
        prop_assert!(needed * other >= baseline * cards * (1.0 - 1e-11));
        prop_assert!((needed - 1.0) * other < baseline * cards);
    }
}
