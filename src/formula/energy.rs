//! Energy: tokens and joules at the power boundary that the record names.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Output tokens for each joule at the power boundary that the record names.
    GOODPUT_TOK_PER_J = "goodput_tok_per_j", "Output tokens per joule", Unit::TokensPerJoule(TokenKind::Output), Higher;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), power_kw: Unit::Kilowatts)
        => output_tok_s / (power_kw * 1e3);
    source "1 W = 1 J/s";
    example (4740.3, 0.607) => Rounded("7.81"), "TokenWatt run record: 4,740.3 tok/s at 607 W";
}

formula! {
    /// Output tokens for each watt-hour at the power boundary that the record names.
    OUTPUT_TOK_PER_WH = "output_tok_per_wh", "Output tokens per watt-hour", Unit::TokensPerWattHour(TokenKind::Output), Higher;
    Number(goodput_tok_per_j: Unit::TokensPerJoule(TokenKind::Output)) => goodput_tok_per_j * 3600.0;
    source "1 Wh = 3,600 J";
    example (7.809390) => Rounded("28114"), "after mlcommons/inference#1323: 4,740.3 tok/s at 607 W are 28,114 tokens for a watt-hour";
}

formula! {
    /// Joules for each output token at the power boundary that the record names.
    ENERGY_J_PER_OUTPUT_TOKEN = "energy_j_per_output_token", "Energy per output token", Unit::JoulesPerToken(TokenKind::Output), Lower;
    Number(power_kw: Unit::Kilowatts, output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => power_kw * 1e3 / output_tok_s;
    source "1 W = 1 J/s; the inverse of output tokens per joule";
    example (1.0, 100) => Rounded("10.0"), "after SemiAnalysisAI/InferenceX-app#393: 1,000 W over 10 s for 1,000 output tokens";
}

formula! {
    /// Joules for each token, input and output counted alike, at the power boundary that the record names.
    ENERGY_J_PER_TOTAL_TOKEN = "energy_j_per_total_token", "Energy per total token", Unit::JoulesPerToken(TokenKind::Total), Lower;
    Number(power_kw: Unit::Kilowatts, total_tok_s: Unit::TokensPerSecond(TokenKind::Total))
        => power_kw * 1e3 / total_tok_s;
    source "1 W = 1 J/s";
    example (1.0, 900) => Rounded("1.11"), "after SemiAnalysisAI/InferenceX-app#393: 1,000 W over 10 s for 8,000 input and 1,000 output tokens";
}

formula! {
    /// Dollars of electricity for a million output tokens: what is measured at the record's power boundary, at the site's price of electricity, and nothing else.
    ELECTRICITY_USD_PER_MTOK_OUTPUT = "electricity_usd_per_mtok_output", "Electricity per 1M output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), Lower;
    Number(energy_j_per_output_token: Unit::JoulesPerToken(TokenKind::Output), electricity_usd_per_kwh: Unit::UsdPerKwh)
        => energy_j_per_output_token * 1e6 / 3.6e6 * electricity_usd_per_kwh;
    source "1 kWh = 3,600,000 J";
    example (0.1280510, 0.10) => Rounded("0.00356"), "after Avarok-Cybersecurity/atlas#1201: 607 W for 4,740.3 tok/s at $0.10 per kWh";
}

formula! {
    /// Share of power samples in which the GPU reported a clock limit. The number of samples is assumed: measurement window × sampling rate × repeats, one sample a time whatever the number of GPUs.
    THROTTLED_PCT = "throttled_pct", "Throttled share of samples", Unit::Percent, Lower;
    Number(throttled_samples: Unit::Samples, window_s: Unit::Seconds, sampling_hz: Unit::Hertz, repeats: Unit::Count("repeats"))
        => 100.0 * throttled_samples / (window_s * sampling_hz * repeats);
    source "Definition; the denominator is this site's assumption";
    example (181, 120, 1, 2) => Rounded("75.4"), "TokenWatt run record: 181 of 240 samples";
}
