//! Latency against its limits, and latency against latency.

use super::{ExampleValue::*, formula};
use crate::quantity::{Quantity, TokenKind, Unit};

formula! {
    /// Share of the TTFT limit that the measured TTFT of the same percentile takes up.
    TTFT_SLO_USED_PCT = "ttft_slo_used_pct", "TTFT limit used", Unit::Percent, Lower;
    Number(ttft_ms: Unit::Milliseconds, ttft_slo_ms: Unit::Milliseconds) => 100.0 * ttft_ms / ttft_slo_ms;
    source "Quotient of value and limit at one percentile";
    example (380, 2000) => Rounded("19.0"), "TokenWatt run record, no prompt reuse: 380 ms of 2 s";
}

formula! {
    /// Share of the TPOT limit that the measured TPOT of the same percentile takes up.
    TPOT_SLO_USED_PCT = "tpot_slo_used_pct", "TPOT limit used", Unit::Percent, Lower;
    Number(tpot_ms: Unit::Milliseconds, tpot_slo_ms: Unit::Milliseconds) => 100.0 * tpot_ms / tpot_slo_ms;
    source "Quotient of value and limit at one percentile";
    example (40.6, 50) => Rounded("81.2"), "TokenWatt run record, no prompt reuse: 40.6 ms of 50 ms";
}

formula! {
    /// Share of the ITL limit that the measured ITL of the same percentile takes up.
    ITL_SLO_USED_PCT = "itl_slo_used_pct", "ITL limit used", Unit::Percent, Lower;
    Number(itl_ms: Unit::Milliseconds, itl_slo_ms: Unit::Milliseconds) => 100.0 * itl_ms / itl_slo_ms;
    source "Quotient of value and limit at one percentile";
    example (20, 50) => Rounded("40.0"), "worked by hand: 20 ms of 50 ms";
}

formula! {
    /// Share of the limit of end-to-end latency that the measured latency of the same percentile takes up.
    E2EL_SLO_USED_PCT = "e2el_slo_used_pct", "E2E latency limit used", Unit::Percent, Lower;
    Number(e2el_ms: Unit::Milliseconds, e2el_slo_ms: Unit::Milliseconds) => 100.0 * e2el_ms / e2el_slo_ms;
    source "Quotient of value and limit at one percentile";
    example (9_900, 10_000) => Rounded("99.0"), "worked by hand: 9.9 s of 10 s";
}

formula! {
    /// The limit that would be broken first: the one with the largest share used. Of a metric without a limit, nothing is used.
    BINDING_SLO = "binding_slo", "Binding limit", Unit::Number, Neither;
    Verdict(ttft_slo_used_pct: Unit::Percent, tpot_slo_used_pct: Unit::Percent, itl_slo_used_pct: Unit::Percent, e2el_slo_used_pct: Unit::Percent)
        => binding(ttft_slo_used_pct, tpot_slo_used_pct, itl_slo_used_pct, e2el_slo_used_pct);
    source "Largest of the shares used";
    example (19.0, 81.2, 0, 0) => Verdict("TPOT"), "TokenWatt run record, no prompt reuse; it limits TTFT and TPOT";
}

formula! {
    /// How many times sooner the first token comes than in the baseline.
    TTFT_SPEEDUP = "ttft_speedup", "TTFT speed-up", Unit::Ratio, Higher;
    Number(baseline_ttft_ms: Unit::Milliseconds, ttft_ms: Unit::Milliseconds) => baseline_ttft_ms / ttft_ms;
    source "Quotient of two times to first token for the same prompt";
    example (53_200, 2_300) => Rounded("23.1"), "the collection's note on Qwen3.8-27B: 53.2 s cold, 2.3 s warm, stated as 23x";
}

formula! {
    /// How many times sooner the first token can come by a prefix hit, if the time to it is all prefill and each prompt token costs the same: the share that was not in the cache is still to be computed. A measured speed-up above it says that the cold time holds more than prefill, or that the rate is not one of prompt tokens.
    TTFT_SPEEDUP_CEILING = "ttft_speedup_ceiling", "Ceiling of the TTFT speed-up", Unit::Ratio, Neither;
    Number(hit_rate_pct: Unit::Percent) => 1.0 / (1.0 - hit_rate_pct / 100.0);
    source "Amdahl's law (1967) with the cached share taking no time";
    example (93.5) => Rounded("15.4"), "worked by hand for the collection's note on Qwen3.8-27B: 1 ÷ 0.065";
}

/// Speed of one user's stream from a time per output token: the slow end of the speeds belongs to the slow end of the times.
macro_rules! per_user_speed {
    ($constant:ident, $id:literal, $name:literal, $sentence:literal, $input:ident) => {
        formula! {
            #[doc = $sentence]
            $constant = $id, $name, Unit::TokensPerSecond(TokenKind::Output), Higher;
            Number($input: Unit::Milliseconds) => 1000.0 / $input;
            source "Inverse of TPOT; named after the statistic of the time, since the inverse turns fast into slow";
            example (25) => Rounded("40"), "worked by hand: 25 ms a token is 40 tokens a second";
        }
    };
}

per_user_speed!(
    OUTPUT_TOK_S_PER_USER_AT_MEAN_TPOT,
    "output_tok_s_per_user_at_mean_tpot",
    "Output speed of one user at mean TPOT",
    "Output tokens a second of one stream at the mean time per output token. The mean of the speeds is another number.",
    tpot_mean_ms
);
per_user_speed!(
    OUTPUT_TOK_S_PER_USER_AT_P50_TPOT,
    "output_tok_s_per_user_at_p50_tpot",
    "Output speed of one user at median TPOT",
    "Output tokens a second of one stream at the median time per output token: half of the requests are slower.",
    tpot_p50_ms
);
per_user_speed!(
    OUTPUT_TOK_S_PER_USER_AT_P90_TPOT,
    "output_tok_s_per_user_at_p90_tpot",
    "Output speed of one user at p90 TPOT (slowest 10%)",
    "Output tokens a second of one stream at the p90 time per output token: the slowest 10% of requests are slower still.",
    tpot_p90_ms
);
per_user_speed!(
    OUTPUT_TOK_S_PER_USER_AT_P95_TPOT,
    "output_tok_s_per_user_at_p95_tpot",
    "Output speed of one user at p95 TPOT (slowest 5%)",
    "Output tokens a second of one stream at the p95 time per output token: the slowest 5% of requests are slower still.",
    tpot_p95_ms
);
per_user_speed!(
    OUTPUT_TOK_S_PER_USER_AT_P99_TPOT,
    "output_tok_s_per_user_at_p99_tpot",
    "Output speed of one user at p99 TPOT (slowest 1%)",
    "Output tokens a second of one stream at the p99 time per output token: the slowest 1% of requests are slower still.",
    tpot_p99_ms
);

/// The limit with the largest share used; intervals that overlap are alike.
fn binding(ttft: Quantity, tpot: Quantity, itl: Quantity, e2el: Quantity) -> &'static str {
    let shares = [("TTFT", ttft), ("TPOT", tpot), ("ITL", itl), ("E2E latency", e2el)];
    let leads = |at: usize| {
        shares.iter().enumerate().all(|(other, (_, share))| other == at || shares[at].1.low() > share.high())
    };
    match (0..shares.len()).find(|at| leads(*at)) {
        Some(at) => shares[at].0,
        None => "several alike",
    }
}
