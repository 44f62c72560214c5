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

/// Whether a ratio between two results is a tie: 1 lies in
/// ratio × [(1−v)/(1+v), (1+v)/(1−v)] for a band of ±v on both sides.
pub fn is_tie(ratio: Quantity, band_pct: f64) -> bool {
    let band = band_pct / 100.0;
    ratio.low() * (1.0 - band) <= 1.0 + band && ratio.high() * (1.0 + band) >= 1.0 - band
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_inside_both_bands_is_a_tie() {
        assert!(!is_tie(Quantity::exact(8508.3 / 8040.7), 1.5), "5.8% is outside ±1.5% on both sides");
        assert!(is_tie(Quantity::exact(1.03), 1.5));
        assert!(!is_tie(Quantity::exact(1.031), 1.5));
        assert!(is_tie(Quantity::exact(0.9705), 1.5));
        assert!(is_tie(Quantity::exact(1.0), 0.0));
        assert!(!is_tie(Quantity::exact(1.001), 0.0));
    }
}
