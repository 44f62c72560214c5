//! Prices and costs: what is paid is paid once.

use proptest::prelude::*;

use super::{amount, count, near, run};
use crate::formula::{capacity, cost, energy, throughput, token_price};

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
    fn requests_cost_what_their_tokens_do(hour in amount(), requests in amount(), length in amount()) {
        let tokens = run(&cost::USD_PER_MTOK_OUTPUT, &[hour, requests * length]);
        prop_assert!(near(run(&cost::USD_PER_1K_REQUESTS, &[hour, requests]), tokens * length * 1e3 / 1e6));
        prop_assert!(near(run(&capacity::USD_PER_MTOK_OVER_BRACKET, &[hour, requests, length]), tokens));
    }

    #[test]
    fn a_month_of_more_replicas_is_that_of_each(one in count(), other in count(), hour in amount()) {
        let month = |replicas| run(&cost::USD_PER_MONTH, &[replicas, hour, 730.0]);
        prop_assert!(near(month(one) + month(other), month(one + other)));
    }

    #[test]
    fn savings_over_a_third_add_up(one in amount(), other in amount(), third in amount()) {
        let saving = |from, to| run(&cost::SAVING_USD_PER_MONTH, &[from, to]);
        prop_assert_eq!(saving(one, other), -saving(other, one));
        prop_assert!((saving(one, third) + saving(third, other) - saving(one, other)).abs() < 1e-6);
    }

    #[test]
    fn each_token_is_charged_once(input in 0.0..1e6, share in 0.0..1.0, output in 0.0..1e6, price in amount()) {
        let cached = input * share;
        let uncached = run(&token_price::UNCACHED_INPUT_TOKENS, &[input, cached]);
        let paid = run(&token_price::TOKEN_USD_PER_1K_REQUESTS, &[
            run(&token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS, &[uncached, price]),
            run(&token_price::CACHED_INPUT_USD_PER_1K_REQUESTS, &[cached, price]),
            run(&token_price::OUTPUT_USD_PER_1K_REQUESTS, &[output, price]),
        ]);
        prop_assert!(near(paid, (input + output) * price / 1e3), "at one price for all it does not matter which was cached");
    }
}
