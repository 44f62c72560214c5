//! One result against another.

use super::{ExampleValue::*, formula};
use crate::quantity::{Quantity, TokenKind, Unit};

formula! {
    /// Change of goodput in output tokens against the baseline.
    GOODPUT_CHANGE_PCT = "goodput_change_pct", "Goodput change (output tokens)", Unit::PercentChange, Higher;
    Number(goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output), baseline_goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => 100.0 * (goodput_tok_s / baseline_goodput_tok_s - 1.0);
    source "Relative change";
    example (6677.7, 4740.3) => Rounded("40.9"), "worked by hand from the TokenWatt run record";
}

formula! {
    /// Lead in goodput over the next lower config of the record. Inside the uncertainty it is no lead.
    GOODPUT_LEAD_PCT = "goodput_lead_pct", "Goodput lead over the next lower config (output tokens)", Unit::PercentChange, Higher;
    Number(goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output), next_lower_goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => 100.0 * (goodput_tok_s / next_lower_goodput_tok_s - 1.0);
    source "Relative change";
    example (8508.3, 8040.7) => Rounded("5.8"), "worked by hand from the TokenWatt run record";
}

formula! {
    /// Change of TTFT against the baseline, at one statistic: within a record that which the SLO limits, and each config at its own capacity.
    TTFT_CHANGE_PCT = "ttft_change_pct", "TTFT change", Unit::PercentChange, Lower;
    Number(ttft_ms: Unit::Milliseconds, baseline_ttft_ms: Unit::Milliseconds) => 100.0 * (ttft_ms / baseline_ttft_ms - 1.0);
    source "Relative change";
    example (140, 564) => Rounded("-75.2"), "servetune sample audit, by hand: p95 TTFT of 564 ms and 140 ms";
}

formula! {
    /// Change of TPOT against the baseline, at one statistic: within a record that which the SLO limits, and each config at its own capacity.
    TPOT_CHANGE_PCT = "tpot_change_pct", "TPOT change", Unit::PercentChange, Lower;
    Number(tpot_ms: Unit::Milliseconds, baseline_tpot_ms: Unit::Milliseconds) => 100.0 * (tpot_ms / baseline_tpot_ms - 1.0);
    source "Relative change";
    example (13.1, 43.3) => Rounded("-69.7"), "servetune sample audit, by hand: p95 TPOT of 43.3 ms and 13.1 ms";
}

formula! {
    /// Change of output tokens per second against the baseline: within a record, each config at its own capacity.
    OUTPUT_CHANGE_PCT = "output_change_pct", "Output change (output tokens)", Unit::PercentChange, Higher;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), baseline_output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => 100.0 * (output_tok_s / baseline_output_tok_s - 1.0);
    source "Relative change";
    example (2583, 1649) => Rounded("56.6"), "servetune sample audit, by hand: 1,649 and 2,583 output tokens per second";
}

formula! {
    /// Change of ITL against the baseline, at one statistic.
    ITL_CHANGE_PCT = "itl_change_pct", "ITL change", Unit::PercentChange, Lower;
    Number(itl_ms: Unit::Milliseconds, baseline_itl_ms: Unit::Milliseconds) => 100.0 * (itl_ms / baseline_itl_ms - 1.0);
    source "Relative change";
    example (20, 25) => Rounded("-20.0"), "worked by hand: a fifth less";
}

formula! {
    /// Change of E2E latency against the baseline, at one statistic.
    E2EL_CHANGE_PCT = "e2el_change_pct", "E2E latency change", Unit::PercentChange, Lower;
    Number(e2el_ms: Unit::Milliseconds, baseline_e2el_ms: Unit::Milliseconds) => 100.0 * (e2el_ms / baseline_e2el_ms - 1.0);
    source "Relative change";
    example (3000, 2400) => Rounded("25.0"), "worked by hand: a quarter more";
}

formula! {
    /// Change of input and output tokens per second against the baseline.
    TOTAL_CHANGE_PCT = "total_change_pct", "Throughput change (total tokens)", Unit::PercentChange, Higher;
    Number(total_tok_s: Unit::TokensPerSecond(TokenKind::Total), baseline_total_tok_s: Unit::TokensPerSecond(TokenKind::Total))
        => 100.0 * (total_tok_s / baseline_total_tok_s - 1.0);
    source "Relative change";
    example (1150, 1000) => Rounded("15.0"), "worked by hand";
}

formula! {
    /// Change of output tokens per joule against the baseline, inside one power boundary.
    TOKENS_PER_JOULE_CHANGE_PCT = "tok_per_j_change_pct", "Change of tokens per joule (output tokens)", Unit::PercentChange, Higher;
    Number(goodput_tok_per_j: Unit::TokensPerJoule(TokenKind::Output), baseline_goodput_tok_per_j: Unit::TokensPerJoule(TokenKind::Output))
        => 100.0 * (goodput_tok_per_j / baseline_goodput_tok_per_j - 1.0);
    source "Relative change";
    example (13.7, 7.81) => Rounded("75.4"), "TokenWatt run record: 7.81 and 13.7 tokens per joule";
}

formula! {
    /// Change of output tokens per second and GPU against the baseline.
    PER_GPU_CHANGE_PCT = "per_gpu_change_pct", "Change per GPU (output tokens)", Unit::PercentChange, Higher;
    Number(output_tok_s_per_gpu: Unit::TokensPerSecondPerGpu(TokenKind::Output), baseline_output_tok_s_per_gpu: Unit::TokensPerSecondPerGpu(TokenKind::Output))
        => 100.0 * (output_tok_s_per_gpu / baseline_output_tok_s_per_gpu - 1.0);
    source "Relative change";
    example (75, 60) => Rounded("25.0"), "worked by hand: a quarter more";
}

formula! {
    /// Change of joules per output token against the baseline, inside one power boundary.
    ENERGY_CHANGE_PCT = "energy_change_pct", "Change of energy per output token", Unit::PercentChange, Lower;
    Number(energy_j_per_output_token: Unit::JoulesPerToken(TokenKind::Output), baseline_energy_j_per_output_token: Unit::JoulesPerToken(TokenKind::Output))
        => 100.0 * (energy_j_per_output_token / baseline_energy_j_per_output_token - 1.0);
    source "Relative change";
    example (0.0730, 0.1281) => Rounded("-43.0"), "worked by hand from the TokenWatt run record: 13.7 and 7.81 tokens per joule, inverted";
}

formula! {
    /// Change of KV bytes per token against the baseline, stored in one type.
    KV_BYTES_CHANGE_PCT = "kv_bytes_change_pct", "Change of KV bytes per token", Unit::PercentChange, Lower;
    Number(kv_bytes_per_token: Unit::BytesPerToken, baseline_kv_bytes_per_token: Unit::BytesPerToken)
        => 100.0 * (kv_bytes_per_token / baseline_kv_bytes_per_token - 1.0);
    source "Relative change";
    example (70_272, 131_072) => Rounded("-46.4"), "worked by hand: DeepSeek-V3 against Llama 3.1 8B, both in bf16";
}

formula! {
    /// Change of the size of a cache at one context against the baseline, stored in one type.
    KV_SIZE_CHANGE_PCT = "kv_size_change_pct", "Change of the cache's size", Unit::PercentChange, Lower;
    Number(kv_gib_at_context: Unit::Gib, baseline_kv_gib_at_context: Unit::Gib)
        => 100.0 * (kv_gib_at_context / baseline_kv_gib_at_context - 1.0);
    source "Relative change";
    example (4, 16) => Rounded("-75.0"), "worked by hand: a quarter of it";
}

formula! {
    /// A value over the same value of what it is held against: another variant of a note, or the result that a record measures again.
    VALUE_RATIO = "value_ratio", "Times the baseline's value", Unit::Ratio, Neither;
    Number(value: Unit::Number, baseline_value: Unit::Number) => value / baseline_value;
    source "Quotient of one quantity, measured twice";
    example (389_000, 43_500) => Rounded("8.94"), "vLLM's CPU offload on an H100, prompt tokens per second: stated as up to 9x";
}

formula! {
    /// How many times less than the baseline's a value is that fell: of times and sizes, how many times shorter or smaller.
    VALUE_FALL = "value_fall", "Times less than the baseline's value", Unit::Ratio, Neither;
    Number(baseline_value: Unit::Number, value: Unit::Number) => baseline_value / value;
    source "Quotient of one quantity, measured twice";
    example (11.48, 1.84) => Rounded("6.24"), "Kimi Linear's report, ms per output token at a million tokens: stated as 6.3x";
}

formula! {
    /// Change of a value of one variant of a note against the same value of the variant that it is held against.
    VALUE_CHANGE_PCT = "value_change_pct", "Change of the value against the baseline's", Unit::PercentChange, Neither;
    Number(value: Unit::Number, baseline_value: Unit::Number) => 100.0 * (value / baseline_value - 1.0);
    source "Relative change";
    example (11.97, 7.68) => Rounded("55.9"), "PegaFlow's shared host cache, requests per second: stated as +56%";
}

formula! {
    /// Difference of two shares or scores in percent, in points.
    VALUE_POINTS = "value_points", "Points above the baseline's value", Unit::Points, Neither;
    Number(value_pct: Unit::Percent, baseline_value_pct: Unit::Percent) => value_pct - baseline_value_pct;
    source "Difference of two percentages";
    example (33.2, 37.0) => Rounded("-3.8"), "worked by hand from DeepSeek-V2's ablation, BBH with one KV head and with all";
}

/// How far each side of a comparison could be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Uncertainty {
    /// Up to this many percent to either side.
    Band(f64),
    /// Up to this many percent above the value found, never below.
    Grid(f64),
}

impl Uncertainty {
    /// Percent, to whichever side.
    pub fn pct(self) -> f64 {
        match self {
            Uncertainty::Band(pct) | Uncertainty::Grid(pct) => pct,
        }
    }
}

/// Whether a ratio between two results is a tie: 1 lies in ratio × [(1−v)/(1+v), (1+v)/(1−v)] for a band of ±v on
/// both sides, and in ratio × [1/(1+u), 1+u] for a search that may have stopped short by up to u on either.
pub fn is_tie(ratio: Quantity, uncertainty: Uncertainty) -> bool {
    let (low, high) = match uncertainty {
        Uncertainty::Band(pct) => (1.0 - pct / 100.0, 1.0 + pct / 100.0),
        Uncertainty::Grid(pct) => (1.0, 1.0 + pct / 100.0),
    };
    ratio.low() * low <= high && ratio.high() * high >= low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_inside_both_bands_is_a_tie() {
        let is_tie = |ratio, band| super::is_tie(ratio, Uncertainty::Band(band));
        assert!(!is_tie(Quantity::exact(8508.3 / 8040.7), 1.5), "5.8% is outside ±1.5% on both sides");
        assert!(is_tie(Quantity::exact(1.03), 1.5));
        assert!(!is_tie(Quantity::exact(1.031), 1.5));
        assert!(is_tie(Quantity::exact(0.9705), 1.5));
        assert!(is_tie(Quantity::exact(1.0), 0.0));
        assert!(!is_tie(Quantity::exact(1.001), 0.0));
    }

    #[test]
    fn a_lead_inside_the_search_grid_is_a_tie() {
        let is_tie = |ratio| super::is_tie(Quantity::exact(ratio), Uncertainty::Grid(7.5));
        assert!(is_tie(8508.3 / 8040.7), "5.8% is inside one step of the search");
        assert!(!is_tie(8040.7 / 6677.7), "20.4% is not");
        assert!(is_tie(1.075) && !is_tie(1.0751));
        assert!(is_tie(1.0 / 1.0749) && !is_tie(1.0 / 1.0751));
    }
}
