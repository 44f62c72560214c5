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
