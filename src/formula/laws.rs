//! Algebraic laws that hold whatever the numbers are.

use proptest::prelude::*;

use super::{FigureValue, Formula, cost, energy, fleet, throughput, token_price};
use crate::quantity::Quantity;

fn run(formula: &Formula, values: &[f64]) -> f64 {
    let values: Vec<_> = values.iter().copied().map(Quantity::exact).collect();
    match formula.compute(&values) {
        FigureValue::Quantity(quantity) => quantity.low(),
        FigureValue::Verdict(verdict) => panic!("{}: {verdict} is no number", formula.id),
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// Rates, prices and powers of any size that a record may hold.
fn amount() -> impl Strategy<Value = f64> {
    1e-3..1e6
}

fn count() -> impl Strategy<Value = f64> {
    (1..=1024_u32).prop_map(f64::from)
}

proptest! {
    #[test]
    fn a_price_per_node_and_its_share_per_gpu_are_one_price(hour in amount(), gpus in count()) {
        let share = run(&cost::USD_PER_GPU_HOUR, &[hour, gpus]);
        prop_assert!(near(run(&cost::USD_PER_HOUR, &[share, gpus]), hour));
    }

    #[test]
    fn tokens_per_dollar_and_dollars_per_token_are_inverse(hour in amount(), rate in amount()) {
        let cost = run(&cost::USD_PER_MTOK_OUTPUT, &[hour, rate]);
        prop_assert!(near(cost * run(&cost::OUTPUT_TOK_PER_USD, &[hour, rate]), 1e6));
    }

    #[test]
    fn tokens_per_joule_and_joules_per_token_are_inverse(rate in amount(), power in amount()) {
        let tokens = run(&energy::GOODPUT_TOK_PER_J, &[rate, power]);
        prop_assert!(near(tokens * run(&energy::ENERGY_J_PER_OUTPUT_TOKEN, &[power, rate]), 1.0));
    }

    #[test]
    fn electricity_is_power_by_time_by_price(rate in amount(), power in amount(), price in amount()) {
        let joules = run(&energy::ENERGY_J_PER_OUTPUT_TOKEN, &[power, rate]);
        let hours = 1e6 / rate / 3600.0;
        prop_assert!(near(run(&energy::ELECTRICITY_USD_PER_MTOK_OUTPUT, &[joules, price]), power * hours * price));
    }

    #[test]
    fn an_hour_costs_its_tokens(hour in amount(), input in amount(), output in amount()) {
        let total = run(&throughput::TOTAL_TOK_S, &[input, output]);
        let paid = |formula, rate: f64| run(formula, &[hour, rate]) * rate * 3600.0 / 1e6;
        prop_assert!(near(paid(&cost::USD_PER_MTOK_TOTAL, total), hour));
        prop_assert!(near(paid(&cost::USD_PER_MTOK_OUTPUT, output), hour));
        prop_assert!(near(paid(&cost::USD_PER_MTOK_INPUT, input), hour));
    }

    #[test]
    fn twice_the_rate_halves_the_cost_and_twice_the_price_doubles_it(hour in amount(), rate in amount()) {
        for formula in [&cost::USD_PER_MTOK_OUTPUT, &cost::USD_PER_1K_REQUESTS] {
            let once = run(formula, &[hour, rate]);
            prop_assert!(near(run(formula, &[hour, 2.0 * rate]), once / 2.0));
            prop_assert!(near(run(formula, &[2.0 * hour, rate]), once * 2.0));
        }
    }

    #[test]
    fn input_and_output_per_gpu_add_up_to_the_total(input in amount(), output in amount(), gpus in count()) {
        let total = run(&throughput::TOTAL_TOK_S, &[input, output]);
        let parts = run(&throughput::INPUT_TOK_S_PER_GPU, &[input, gpus]) + run(&throughput::OUTPUT_TOK_S_PER_GPU, &[output, gpus]);
        prop_assert!(near(parts, run(&throughput::TOTAL_TOK_S_PER_GPU, &[total, gpus])));
    }

    #[test]
    fn a_fleet_of_the_measured_gpus_is_the_result(rate in amount(), gpus in count()) {
        prop_assert!(near(run(&fleet::FLEET_OUTPUT_TOK_S, &[rate, gpus, gpus]), rate));
        prop_assert!(near(run(&fleet::FLEET_POWER_KW, &[rate, gpus, gpus]), rate));
    }

    #[test]
    fn the_cards_for_equal_output_give_it_and_one_less_does_not(
        baseline in 1.0..1e5, other in 1.0..1e5, cards in (1..=100_000_u32).prop_map(f64::from),
    ) {
        let needed = run(&fleet::FLEET_CARDS_FOR_BASELINE_OUTPUT, &[baseline * cards, other * cards, cards]);
        prop_assert!(needed * other >= baseline * cards * (1.0 - 1e-6));
        prop_assert!((needed - 1.0) * other < baseline * cards);
    }

    #[test]
    fn each_token_is_charged_once(input in 0.0..1e6, share in 0.0..1.0, price in amount()) {
        let cached = input * share;
        let uncached = run(&token_price::UNCACHED_INPUT_TOKENS, &[input, cached]);
        let paid = run(&token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS, &[uncached, price])
            + run(&token_price::CACHED_INPUT_USD_PER_1K_REQUESTS, &[cached, price]);
        prop_assert!(near(paid, input * price / 1e3), "at one price for both it does not matter what was cached");
    }
}
