//! Requests and iterations of one measurement: how many, how fast, and how many of them count.

use super::{ExampleValue::*, formula, mean};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Requests that completed for each second of the measurement; those that failed or were cut off add nothing.
    DELIVERED_RPS = "delivered_rps", "Delivered request rate", Unit::RequestsPerSecond, Higher;
    Number(completed: Unit::Count("requests"), duration_s: Unit::Seconds) => completed / duration_s;
    source "SGLang bench_serving: completed requests over the duration of the benchmark";
    example (300, 298.3676) => Rounded("1.0055"), "a published SGLang file: 300 requests in 298.37 s";
}

formula! {
    /// Share of the offered request rate that was delivered. A server that keeps up delivers nearly all of it; a short run delivers less, since its last requests drain after the offering has ended.
    DELIVERED_SHARE_PCT = "delivered_share_pct", "Delivered share of the offered rate", Unit::Percent, Higher;
    Number(delivered_rps: Unit::RequestsPerSecond, offered_rps: Unit::RequestsPerSecond)
        => 100.0 * delivered_rps / offered_rps;
    source "Quotient of the two rates that vLLM's serving benchmark reports";
    example (0.6086, 0.7) => Rounded("86.9"), "a published vLLM rate sweep: 0.6086 of 0.7 requests per second";
}

formula! {
    /// Share of the requests sent that ended in an error.
    FAILED_PCT = "failed_pct", "Failed requests", Unit::Percent, Lower;
    Number(failed: Unit::Count("requests"), sent: Unit::Count("requests")) => 100.0 * failed / sent;
    source "Quotient of two counts that vLLM's serving benchmark reports since 0.11.1";
    example (102, 300) => Rounded("34.0"), "a published vLLM file: 102 of 300 requests failed";
}

formula! {
    /// Share of requests that met every limit of the SLO. A request that ended in an error did not meet it; one that the end of the measurement cut off is left out, since it could still have done either.
    SLO_ATTAINMENT_PCT = "slo_attainment_pct", "SLO attainment", Unit::Percent, Higher;
    Number(met: Unit::Count("requests"), sent: Unit::Count("requests"), cancelled: Unit::Count("requests"))
        => 100.0 * met / (sent - cancelled);
    source "DistServe (OSDI 2024), SLO attainment; what is left out is this site's rule";
    example (80, 100, 4) => Rounded("83.3"), "worked by hand: 80 met, 10 missed, 6 failed, 4 cut off";
}

formula! {
    /// Output tokens for each request, from the two rates of one measurement. Under one workload it is the same in every config, so that a row in which it is another holds a wrong number.
    OUTPUT_TOK_PER_REQUEST = "output_tok_per_request", "Output tokens per request", Unit::TokensPerRequest(TokenKind::Output), Neither;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), request_rate_rps: Unit::RequestsPerSecond)
        => output_tok_s / request_rate_rps;
    source "Quotient of two rates of one measurement";
    example (1649, 5.36) => Rounded("307.6"), "servetune sample audit: 1,649 tok/s at 5.36 requests per second";
}

formula! {
    /// Mean output rate of the iterations. Those that the record calls warm-up are left out of it and named beside it.
    MEAN_OUTPUT_TOK_S = "mean_output_tok_s", "Mean output rate of the iterations", Unit::TokensPerSecond(TokenKind::Output), Higher;
    List(samples_tok_s: Unit::TokensPerSecond(TokenKind::Output)) => mean(samples_tok_s);
    source "llama.cpp llama-bench, avg_ts: the mean over repetitions, after a warm-up that is not counted";
    example (40, 41, 42, 41) => Rounded("41.0"), "worked by hand: 164 over 4, the first iteration of 12 tok/s left out";
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formula::Formula;
    use crate::formula::latency::TTFT_SPEEDUP_CEILING;
    use crate::formula::{FigureValue, memory};
    use crate::quantity::Quantity;

    fn value(formula: &Formula, inputs: &[f64]) -> f64 {
        let inputs: Vec<_> = inputs.iter().map(|value| Quantity::exact(*value)).collect();
        match formula.compute(&inputs) {
            FigureValue::Quantity(quantity) => quantity.low(),
            FigureValue::Verdict(verdict) => panic!("{verdict} is no number"),
        }
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
    }

    proptest! {
        /// What was delivered over the measurement is what completed.
        #[test]
        fn a_delivered_rate_times_its_duration_is_what_completed(completed in 1.0..1e6f64, duration in 0.1..1e5f64) {
            prop_assert!(near(value(&DELIVERED_RPS, &[completed, duration]) * duration, completed));
        }

        /// Leaving requests out of what was sent can only raise attainment; failures never do.
        #[test]
        fn attainment_lies_between_the_two_ways_to_count(
            met in 0u32..1000, missed in 0u32..1000, failed in 0u32..1000, cut_off in 0u32..1000,
        ) {
            let [met, missed, failed, cut_off] = [met, missed, failed, cut_off].map(f64::from);
            prop_assume!(met + missed > 0.0);
            let sent = met + missed + failed + cut_off;
            let attained = value(&SLO_ATTAINMENT_PCT, &[met, sent, cut_off]);
            prop_assert!(100.0 * met / sent <= attained + 1e-9 && attained <= 100.0 * met / (met + missed) + 1e-9);
        }

        /// A mean does not depend on the order of the iterations and lies among them.
        #[test]
        fn a_mean_lies_among_its_iterations(mut samples in proptest::collection::vec(0.0..1e6f64, 1..20)) {
            let mean = value(&MEAN_OUTPUT_TOK_S, &samples);
            samples.reverse();
            prop_assert!(near(mean, value(&MEAN_OUTPUT_TOK_S, &samples)));
            let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
            let high = samples.iter().copied().fold(0.0, f64::max);
            prop_assert!(low - 1e-6 <= mean && mean <= high + 1e-6);
        }

        /// The ceiling of a speed-up is the whole prompt over what is left of it to compute.
        #[test]
        fn the_ceiling_is_all_tokens_over_those_not_reused(tokens in 1.0..1e6f64, hit_rate in 0.0..99.0f64) {
            let reused = value(&memory::TOKENS_REUSED, &[tokens, hit_rate]);
            prop_assert!(near(value(&TTFT_SPEEDUP_CEILING, &[hit_rate]), tokens / (tokens - reused)));
        }
    }
}
