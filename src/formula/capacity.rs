//! Capacity at an SLO, and what it takes to carry a peak.

use super::{ExampleValue::*, ceil, formula, span};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Capacity as far as a search at fixed rates knows it: it lies between the highest offered rate that met the SLO and the next one tested, which did not. Rates that warm-up fell into do not count, and a failure below a rate that passed does not end the search.
    CAPACITY_BRACKET_RPS = "capacity_bracket_rps", "Capacity bracket, offered", Unit::RequestsPerSecond, Higher;
    Number(last_passing_rps: Unit::RequestsPerSecond, first_failing_rps: Unit::RequestsPerSecond)
        => span(last_passing_rps, first_failing_rps);
    source "servetune sample audit, method: the true capacity lies between that rate and the next one tested";
    example (0.7, 1.0) => Between("0.7", "1.0"), "a published vLLM rate sweep: 0.3, 0.5 and 0.7 requests per second meet p95 TTFT of 2.5 s and TPOT of 110 ms, 0.1 and 1.0 do not";
}

formula! {
    /// Rates that are served within the bracket: where less was delivered than was offered at the highest rate that met the SLO, no more than that was served there.
    CAPACITY_SERVED_RPS = "capacity_served_rps", "Capacity bracket, served", Unit::RequestsPerSecond, Higher;
    Number(delivered_rps: Unit::RequestsPerSecond, first_failing_rps: Unit::RequestsPerSecond)
        => span(delivered_rps, first_failing_rps);
    source "Requests completed a second at the last load that passed, up to the first load offered that did not";
    example (8.2, 10) => Between("8.2", "10"), "worked by hand: 8.4 requests per second offered, 8.2 of them delivered, and 10 failed";
}

formula! {
    /// How much higher than a rate the next one of a list is: capacity that was searched for on that list may lie so far above what was found.
    GRID_STEP_PCT = "grid_step_pct", "Step between rates of the search", Unit::Percent, Lower;
    Number(rate_rps: Unit::RequestsPerSecond, next_rate_rps: Unit::RequestsPerSecond)
        => 100.0 * (next_rate_rps / rate_rps - 1.0);
    source "Width of a step over its lower end";
    example (4, 5) => Rounded("25"), "worked by hand: 1 of 4";
}

formula! {
    /// How much higher than the rate found the true capacity may lie: the next rate tested, which failed, over the highest that passed.
    BRACKET_WIDTH_PCT = "bracket_width_pct", "Width of the capacity bracket", Unit::Percent, Lower;
    Number(last_passing_rps: Unit::RequestsPerSecond, first_failing_rps: Unit::RequestsPerSecond)
        => 100.0 * (first_failing_rps / last_passing_rps - 1.0);
    source "Width of a bracket over its lower end";
    example (5, 6) => Rounded("20"), "worked by hand: 1 of 5";
}

formula! {
    /// The same where a search varies the requests in flight and no rate: capacity lies between the highest concurrency that met the SLO and the next one tested, which did not.
    CAPACITY_BRACKET_CONCURRENCY = "capacity_bracket_concurrency", "Capacity bracket, concurrency", Unit::Count("concurrent requests"), Higher;
    Number(last_passing_concurrency: Unit::Count("concurrent requests"), first_failing_concurrency: Unit::Count("concurrent requests"))
        => span(last_passing_concurrency, first_failing_concurrency);
    source "As for offered rates, on the axis that closed-loop load generators have";
    example (16, 32) => Between("16", "32"), "worked by hand: 4, 8 and 16 requests in flight meet the SLO, 32 do not";
}

formula! {
    /// How many times the baseline's capacity a config has under the same limits.
    CAPACITY_RATIO = "capacity_ratio", "Capacity ratio", Unit::Ratio, Higher;
    Number(capacity_rps: Unit::RequestsPerSecond, baseline_capacity_rps: Unit::RequestsPerSecond)
        => capacity_rps / baseline_capacity_rps;
    source "Quotient of two capacities under one SLO";
    example (21.0, 11.5) => Rounded("1.83"), "TokenWatt run record: 11.5 to 21.0 requests per second";
}

formula! {
    /// Change of capacity against the baseline under the same limits.
    CAPACITY_CHANGE_PCT = "capacity_change_pct", "Capacity change", Unit::PercentChange, Higher;
    Number(capacity_rps: Unit::RequestsPerSecond, baseline_capacity_rps: Unit::RequestsPerSecond)
        => 100.0 * (capacity_rps / baseline_capacity_rps - 1.0);
    source "Relative change";
    example (8.40, 5.36) => Rounded("56.7"), "servetune sample audit: 5.36 to 8.40 requests per second, stated as +57%";
}

formula! {
    /// Change of capacity against the baseline wherever in their brackets the two lie. Where the searches varied the requests in flight, the ends are the rates delivered there.
    CAPACITY_CHANGE_OVER_BRACKETS_PCT = "capacity_change_over_brackets_pct", "Capacity change over both brackets", Unit::PercentChange, Higher;
    Number(
        last_passing_rps: Unit::RequestsPerSecond,
        first_failing_rps: Unit::RequestsPerSecond,
        baseline_last_passing_rps: Unit::RequestsPerSecond,
        baseline_first_failing_rps: Unit::RequestsPerSecond,
    ) => span(
        100.0 * (last_passing_rps / baseline_first_failing_rps - 1.0),
        100.0 * (first_failing_rps / baseline_last_passing_rps - 1.0)
    );
    source "Relative change, from the lower end of one bracket to the upper end of the other and the other way round";
    example (8, 10, 4, 5) => Between("60", "150"), "worked by hand: 8 over 5, and 10 over 4";
}

formula! {
    /// Of what all changes of a larger config gain in capacity over the baseline, the share that these changes gain alone.
    GAIN_SHARE_PCT = "gain_share_pct", "Share of the gain", Unit::Percent, Higher;
    Number(capacity_rps: Unit::RequestsPerSecond, baseline_capacity_rps: Unit::RequestsPerSecond, all_changes_capacity_rps: Unit::RequestsPerSecond)
        => 100.0 * (capacity_rps - baseline_capacity_rps) / (all_changes_capacity_rps - baseline_capacity_rps);
    source "Quotient of two differences";
    example (8.24, 5.36, 8.40) => Rounded("94.7"), "servetune sample audit, by hand: 2.88 of 3.04 requests per second come from one flag";
}

formula! {
    /// What the other changes of a larger config add in capacity to these.
    REST_GAIN_PCT = "rest_gain_pct", "Gain of the rest", Unit::PercentChange, Higher;
    Number(all_changes_capacity_rps: Unit::RequestsPerSecond, capacity_rps: Unit::RequestsPerSecond)
        => 100.0 * (all_changes_capacity_rps / capacity_rps - 1.0);
    source "Relative change";
    example (8.40, 8.24) => Rounded("1.9"), "servetune sample audit: about 2 percent more";
}

formula! {
    /// Replicas that carry the peak when each one carries its capacity: the quotient, rounded up to whole replicas.
    REPLICAS_AT_PEAK = "replicas_at_peak", "Replicas at peak", Unit::Count("replicas"), Lower;
    Number(peak_request_rate_rps: Unit::RequestsPerSecond, capacity_rps: Unit::RequestsPerSecond)
        => ceil(peak_request_rate_rps / capacity_rps);
    source "Load over capacity of one replica, rounded up";
    example (40, 5.36) => Rounded("8"), "servetune sample audit: 8 replicas for 40 requests per second";
}

formula! {
    /// Replicas that carry the peak wherever in its bracket the capacity of one lies.
    REPLICAS_OVER_BRACKET = "replicas_over_bracket", "Replicas at peak over the bracket", Unit::Count("replicas"), Lower;
    Number(peak_request_rate_rps: Unit::RequestsPerSecond, capacity_bracket_rps: Unit::RequestsPerSecond)
        => ceil(peak_request_rate_rps / capacity_bracket_rps);
    source "Load over capacity of one replica, rounded up, at both ends of the bracket";
    example (40, 8) => Rounded("5"), "worked by hand: a peak of 40 requests per second at the lower end of 8 to 10";
}

formula! {
    /// Dollars for a million output tokens wherever in its bracket the capacity lies. That requests are answered at the rate at which they are offered, and are as long as those measured, is taken to hold inside the bracket.
    USD_PER_MTOK_OVER_BRACKET = "usd_per_mtok_over_bracket", "Cost per 1M output tokens over the bracket", Unit::UsdPerMillionTokens(TokenKind::Output), Lower;
    Number(usd_per_hour: Unit::UsdPerHour, capacity_bracket_rps: Unit::RequestsPerSecond, output_tok_per_request: Unit::TokensPerRequest(TokenKind::Output))
        => usd_per_hour * 1e6 / (3600.0 * capacity_bracket_rps * output_tok_per_request);
    source "Price of an hour over the tokens of an hour, at both ends of the bracket";
    example (2.69, 8, 307.5) => Rounded("0.304"), "worked by hand from the servetune sample audit's price and request length: 2.69 ÷ 8.856";
}
