//! How far a result could be off: the spread between repeats, and the grid of the search that found it.

use super::{ExampleValue::*, between, formula, halvings, largest, plus_minus};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// How coarse a search for capacity is, as a share of the rate it finds: rates grow by a factor until one fails, then the gap is halved a number of times. The rate found may lie at either end of the gap, so the share has two ends. The true capacity lies above the rate found by less than this.
    SEARCH_RESOLUTION_PCT = "search_resolution_pct", "Resolution of the capacity search", Unit::Percent, Lower;
    Number(growth: Unit::Ratio, bisect_steps: Unit::Count("bisections"))
        => 100.0 * (growth - 1.0) / halvings(bisect_steps) / between(1.0, growth);
    source "Width of the last bracket of a bisection over the rate found in it";
    example (1.6, 3) => Between("4.7", "7.5"), "worked by hand: a gap of 0.6, halved three times, is 0.075 of a rate between 1 and 1.6";
}

formula! {
    /// How much one back-off takes off the offered rate when a rate that the search found does not hold in the confirming measurement.
    BACKOFF_STEP_PCT = "backoff_step_pct", "One back-off of the capacity search", Unit::Percent, Lower;
    Number(backoff: Unit::Ratio) => 100.0 * (1.0 - backoff);
    source "Definition";
    example (0.9) => Rounded("10"), "worked by hand: a factor of 0.9 takes off a tenth";
}

formula! {
    /// How far a config's result could be off: the larger of its variance band between repeats and the resolution of the search that found its rate.
    UNCERTAINTY_PCT = "uncertainty_pct", "Uncertainty", Unit::Percent, Lower;
    List(bound_pct: Unit::Percent) => largest(bound_pct);
    source "This site's methodology: a lead smaller than either bound is no lead";
    example (1.5, 7.5) => Rounded("7.5"), "TokenWatt run record, by hand: a band of ±1.5% is smaller than a search grid of 7.5%";
}

formula! {
    /// Goodput with the spread between repeats around it.
    GOODPUT_BAND_TOK_S = "goodput_band_tok_s", "Goodput between repeats (output tokens)", Unit::TokensPerSecond(TokenKind::Output), Higher;
    Number(goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output), variance_band_pct: Unit::Percent)
        => goodput_tok_s * (1.0 + plus_minus(variance_band_pct) / 100.0);
    source "Definition of the variance band: half the width of the spread, in percent";
    example (1000, 1.5) => Between("985", "1015"), "worked by hand: ±1.5% of 1,000";
}
