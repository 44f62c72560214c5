//! Bounds that hardly any value lies beyond, so that one which does is in another unit: milliseconds, percent, kilowatts.

use super::Latency;

/// What the values of a field lie between, and the unit that one beyond is likely in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plausible {
    pub low: Bound,
    pub high: Bound,
    /// Whether the bounds hold for one GPU where the field is of all.
    pub per_gpu: bool,
    /// What nothing at all is likely to be; `None` where it may be, as of a share or a rate.
    pub nothing: Option<&'static str>,
}

/// An end of the range in the field's own unit; values at it are plausible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    pub at: f64,
    /// What a value beyond it is likely to be: `seconds`.
    pub likely: &'static str,
}

impl Plausible {
    /// What a value would be in the field's own unit, were it in the one that it is likely in; `None` where that would be
    /// no plausible value either.
    pub fn converted(self, value: f64, bound: Bound) -> Option<f64> {
        let converted = value * conversion(bound.likely)?;
        (value != 0.0 && self.beyond(converted).is_none()).then_some(converted)
    }

    /// The bound that a value lies beyond. Zero is no slip of a unit, but what a harness writes that measured nothing.
    pub fn beyond(self, value: f64) -> Option<Bound> {
        if value == 0.0 {
            return self.nothing.map(|likely| Bound { likely, ..self.low });
        }
        let low = (value < self.low.at).then_some(self.low);
        low.or_else(|| (value > self.high.at).then_some(self.high))
    }
}

const fn between(low: f64, below: &'static str, high: f64, above: &'static str) -> Plausible {
    let (low, high) = (Bound { at: low, likely: below }, Bound { at: high, likely: above });
    Plausible { low, high, per_gpu: false, nothing: Some("no measurement") }
}

const fn zero_or_between(low: f64, below: &'static str, high: f64, above: &'static str) -> Plausible {
    Plausible { nothing: None, ..between(low, below, high, above) }
}

const fn share() -> Plausible {
    zero_or_between(1.0, "a fraction of 1", 100.0, "tenths of a percent")
}

/// What costs nothing has no price that others could pay.
const fn hour_price(low: f64, high: f64) -> Plausible {
    Plausible { nothing: Some("no price"), ..between(low, "dollars per minute", high, "cents") }
}

const fn token_price() -> Plausible {
    zero_or_between(0.0001, "dollars per token", 10_000.0, "dollars per billion tokens")
}

const fn rate_per_gpu(low: f64, below: &'static str, high: f64, above: &'static str) -> Plausible {
    Plausible { per_gpu: true, ..zero_or_between(low, below, high, above) }
}

/// A token costs two operations a parameter, and cards reach some 10^16 a second: of a model of a billion parameters,
/// the least that anybody serves for speed, that is 5 million tokens. What is put out comes one step after the other,
/// and has not come to a tenth of that. A whole model on disks still gives a token in a minute.
const fn tokens(high: f64) -> Plausible {
    rate_per_gpu(0.01, "thousands of tokens a second", high, "tokens a minute or an hour, or of more GPUs")
}

/// Requests have a token at least, and a queue of one request in hours measures nothing.
const fn requests() -> Plausible {
    rate_per_gpu(0.0001, "requests a millisecond", 10_000.0, "requests a minute or an hour, or of more GPUs")
}

/// What a value that is likely of another unit is multiplied by to be of its field's; `None` where that is not one unit.
fn conversion(likely: &str) -> Option<f64> {
    Some(match likely {
        "seconds" | "kilowatts" | "megawatts" | "terabytes" | "PB/s" | "kilohertz" => 1000.0,
        "thousands of tokens a second" | "requests a millisecond" => 1000.0,
        "microseconds"
        | "milliseconds"
        | "milliwatts"
        | "watts"
        | "megabytes"
        | "GB/s"
        | "dollars per billion tokens" => 0.001,
        "a fraction of 1" => 100.0,
        "tenths of a percent" => 0.1,
        "cents" => 0.01,
        "dollars per minute" => 60.0,
        "hours" => 3600.0,
        "dollars per token" => 1e6,
        "gigabytes" => 1e9,
        "bits" => 0.125,
        "gibibytes" | "tebibytes" => 1024.0,
        "MiB" | "KiB" => 1.0 / 1024.0,
        _ => return None,
    })
}

/// By field, where a latency stands for all its statistics.
const FIELDS: [(&str, Plausible); 39] = [
    ("output_tok_s", tokens(500_000.0)),
    ("goodput_tok_s", tokens(500_000.0)),
    ("samples_tok_s", tokens(500_000.0)),
    ("input_tok_s", tokens(5_000_000.0)),
    ("total_tok_s", tokens(5_000_000.0)),
    ("request_throughput_rps", requests()),
    ("request_rate_rps", requests()),
    ("offered_rps", requests()),
    ("delivered_rps", requests()),
    ("rates_rps", requests()),
    ("capacity_rps", requests()),
    ("ttft", between(1.0, "seconds", 1e7, "microseconds")),
    ("tpot", between(0.2, "seconds", 1e5, "microseconds")),
    ("itl", between(0.2, "seconds", 1e5, "microseconds")),
    ("e2el", between(2.0, "seconds", 1e8, "microseconds")),
    ("decode_ms_per_token", between(0.2, "seconds", 1e5, "microseconds")),
    // Chips with the weights in them reach some 20,000 for one user.
    (
        "measured_tps_at_ctx",
        between(0.001, "thousands of tokens a second", 50_000.0, "tokens a minute or an hour, or of all streams"),
    ),
    ("measured_kv_transfer_ms", between(0.001, "seconds", 1e7, "microseconds")),
    ("measured_kv_pool_gib", between(0.001, "tebibytes", 100_000.0, "MiB")),
    ("measured_ttft_ms_at_ctx", between(1.0, "seconds", 1e7, "microseconds")),
    // The largest boards take 1.4 kW, and hosts as much again.
    ("node_power_kw", Plausible { per_gpu: true, ..between(0.005, "megawatts", 3.0, "watts") }),
    ("board_power_w", between(5.0, "kilowatts", 5000.0, "milliwatts")),
    ("mbu_pct", share()),
    ("prefix_cache_hit_pct", share()),
    ("rate_pct", share()),
    ("score_pct", share()),
    ("rated_bw_tbs_per_gpu", between(0.01, "PB/s", 100.0, "GB/s")),
    ("memory_bandwidth_tb_s", between(0.01, "PB/s", 100.0, "GB/s")),
    ("memory_gb", between(1.0, "terabytes", 10_000.0, "megabytes")),
    ("memory_usable_mib", between(1000.0, "gibibytes", 1e7, "KiB")),
    ("weights_bytes", between(1e6, "gigabytes", 1e14, "bits")),
    ("active_weights_bytes", between(1e6, "gigabytes", 1e14, "bits")),
    // The oldest cards cost a few cents, the newest some ten dollars.
    ("usd_per_gpu_hour", hour_price(0.02, 100.0)),
    ("usd_per_node_hour", hour_price(0.02, 5000.0)),
    ("usd_per_mtok_input", token_price()),
    ("usd_per_mtok_cached_input", token_price()),
    ("usd_per_mtok_output", token_price()),
    ("duration_s", between(0.1, "hours", 1e6, "milliseconds")),
    ("sampling_hz", between(0.001, "kilohertz", 1e5, "an interval in microseconds")),
];

/// Limits of an SLO, which nobody sets as low as a fast system may measure.
const LIMITS: [(&str, Plausible); 4] = [
    ("ttft", between(10.0, "seconds", 1e7, "microseconds")),
    ("tpot", between(1.0, "seconds", 1e5, "microseconds")),
    ("itl", between(1.0, "seconds", 1e5, "microseconds")),
    ("e2el", between(20.0, "seconds", 1e8, "microseconds")),
];

/// The bounds of a field; `None` where any value is plausible.
pub fn plausible(field: &str) -> Option<Plausible> {
    find(&FIELDS, field)
}

/// The bounds of a limit in an SLO.
pub fn plausible_limit(field: &str) -> Option<Plausible> {
    find(&LIMITS, field)
}

fn find(table: &[(&str, Plausible)], field: &str) -> Option<Plausible> {
    let id = Latency::parse(field).map_or(field, |latency| latency.metric);
    table.iter().find(|(name, _)| *name == id).map(|(_, bounds)| *bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_another_unit_lies_beyond() {
        for (field, value, likely) in [
            ("tpot_p99_ms", 0.0406, Some("seconds")),
            ("tpot_p99_ms", 40.6, None),
            ("ttft_p99_ms", 0.0, Some("no measurement")),
            ("node_power_kw", 0.607, None),
            ("node_power_kw", 0.0, Some("no measurement")),
            ("usd_per_gpu_hour", 0.0, Some("no price")),
            ("usd_per_gpu_hour", 0.02, None),
            ("usd_per_gpu_hour", 0.019, Some("dollars per minute")),
            ("usd_per_gpu_hour", 100.0, None),
            ("usd_per_gpu_hour", 100.01, Some("cents")),
            ("usd_per_node_hour", 0.0, Some("no price")),
            ("usd_per_mtok_input", 0.0, None),
            ("measured_tps_at_ctx", 461_300.0, Some("tokens a minute or an hour, or of all streams")),
            ("measured_tps_at_ctx", 50_000.0, None),
            ("node_power_kw", 607.0, Some("watts")),
            ("mbu_pct", 0.607, Some("a fraction of 1")),
            ("mbu_pct", 60.7, None),
            ("mbu_pct", 0.0, None),
            ("mbu_pct", 1.0, None),
            ("prefix_cache_hit_pct", 0.487, Some("a fraction of 1")),
            ("rated_bw_tbs_per_gpu", 3350.0, Some("GB/s")),
            ("rated_bw_tbs_per_gpu", 3.35, None),
            ("weights_bytes", 61.06, Some("gigabytes")),
            ("memory_gb", 81_559.0, Some("megabytes")),
            ("usd_per_mtok_input", 0.000_000_5, Some("dollars per token")),
            ("usd_per_mtok_cached_input", 0.05, None),
            ("usd_per_mtok_output", 3000.0, None),
            ("output_tok_s", 500_000.0, None),
            ("output_tok_s", 500_001.0, Some("tokens a minute or an hour, or of more GPUs")),
            ("output_tok_s", 0.009, Some("thousands of tokens a second")),
            ("output_tok_s", 0.0, None),
            ("input_tok_s", 500_001.0, None),
            ("total_tok_s", 5_000_001.0, Some("tokens a minute or an hour, or of more GPUs")),
            ("request_throughput_rps", 10_001.0, Some("requests a minute or an hour, or of more GPUs")),
            ("request_rate_rps", 0.000_01, Some("requests a millisecond")),
            ("request_rate_rps", 10_000.0, None),
        ] {
            let found = plausible(field).and_then(|bounds| bounds.beyond(value));
            assert_eq!(found.map(|bound| bound.likely), likely, "{field} {value}");
        }
    }

    #[test]
    fn a_value_is_converted_from_the_unit_that_it_is_likely_in() {
        for (field, value, expected) in [
            ("node_power_kw", 0.000_034_03, Some(0.034_03)),
            ("node_power_kw", 607.0, Some(0.607)),
            ("rated_bw_tbs_per_gpu", 0.003_35, Some(3.35)),
            ("rated_bw_tbs_per_gpu", 3350.0, Some(3.35)),
            ("tpot_p99_ms", 0.0406, Some(40.6)),
            ("mbu_pct", 0.607, Some(60.7)),
            ("usd_per_mtok_input", 0.000_000_5, Some(0.5)),
            ("weights_bytes", 61.0, Some(61e9)),
            ("duration_s", 0.05, Some(180.0)),
            ("memory_usable_mib", 79.0, Some(80_896.0)),
            ("usd_per_gpu_hour", 269.0, Some(2.69)),
            // Not even then, or of no single unit.
            ("tpot_p99_ms", 1e-9, None),
            ("output_tok_s", 1e9, None),
            ("tpot_p99_ms", 0.0, None),
        ] {
            let found = plausible(field).and_then(|bounds| bounds.converted(value, bounds.beyond(value)?));
            let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other;
            assert!(found.is_some() == expected.is_some(), "{field} {value} {found:?}");
            assert!(found.zip(expected).is_none_or(|(one, other)| near(one, other)), "{field} {value} {found:?}");
        }
    }

    #[test]
    fn a_limit_has_bounds_of_its_own() {
        for (field, value, likely) in [
            ("ttft_p99_ms", 2.0, Some("seconds")),
            ("ttft_p99_ms", 2000.0, None),
            ("tpot_p99_ms", 0.05, Some("seconds")),
        ] {
            let found = plausible_limit(field).and_then(|bounds| bounds.beyond(value));
            assert_eq!(found.map(|bound| bound.likely), likely, "{field} {value}");
        }
    }
}
