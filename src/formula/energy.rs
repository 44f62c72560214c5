//! Energy: tokens and joules at the power boundary that the record names.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Output tokens for each joule at the power boundary that the record names.
    GOODPUT_TOK_PER_J = "goodput_tok_per_j", "Output tokens per joule", Unit::TokensPerJoule(TokenKind::Output), Higher;
    Number(goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output), node_power_kw: Unit::Kilowatts)
        => goodput_tok_s / (node_power_kw * 1e3);
    source "1 W = 1 J/s";
    example (4740.3, 0.607) => Rounded("7.81"), "TokenWatt run record: 4,740.3 tok/s at 607 W";
}

formula! {
    /// Joules for each output token at the power boundary that the record names.
    ENERGY_J_PER_OUTPUT_TOKEN = "energy_j_per_output_token", "Energy per output token", Unit::JoulesPerToken(TokenKind::Output), Lower;
    Number(node_power_kw: Unit::Kilowatts, goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => node_power_kw * 1e3 / goodput_tok_s;
    source "1 W = 1 J/s; the inverse of output tokens per joule";
    example (1.0, 100) => Rounded("10.0"), "worked by hand: 1,000 W over 10 s for 1,000 output tokens";
}

formula! {
    /// Share of power samples in which the GPU reported a clock limit. The number of samples is assumed: measurement window × sampling rate × repeats, one sample a time whatever the number of GPUs.
    THROTTLED_PCT = "throttled_pct", "Throttled share of samples", Unit::Percent, Lower;
    Number(throttled_samples: Unit::Samples, window_s: Unit::Seconds, sampling_hz: Unit::Hertz, repeats: Unit::Count("repeats"))
        => 100.0 * throttled_samples / (window_s * sampling_hz * repeats);
    source "Definition; the denominator is this site's assumption";
    example (181, 120, 1, 2) => Rounded("75.4"), "TokenWatt run record: 181 of 240 samples";
}
