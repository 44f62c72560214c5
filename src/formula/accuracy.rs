//! Accuracy of a suite of questions: what the score can and cannot tell.

use super::{ExampleValue::*, formula};
use crate::quantity::{Quantity, Unit};

formula! {
    /// The range in which the true share of right answers lies with 95% confidence, given a score over so many questions: Wilson's interval, (p + z²/2n ± z × √(p × (1 − p)/n + z²/4n²)) ÷ (1 + z²/n) with z = 1.959964.
    ACCURACY_INTERVAL_PCT = "accuracy_interval_pct", "Accuracy, 95% interval", Unit::Percent, Higher;
    Number(score_pct: Unit::Percent, questions: Unit::Count("questions")) => wilson(score_pct, questions);
    source "Wilson, Probable Inference, the Law of Succession, and Statistical Inference (JASA 1927)";
    example (96, 50) => Between("86.5", "98.9"), "48 of 50 right, by the published formula";
}

formula! {
    /// What one question is worth in points of the score. A difference smaller than this cannot be seen.
    ACCURACY_RESOLUTION_PTS = "accuracy_resolution_pts", "One question of the suite", Unit::Points, Lower;
    Number(questions: Unit::Count("questions")) => 100.0 / questions;
    source "Definition of a score in percent";
    example (50) => Rounded("2"), "worked by hand: one of 50 questions is 2 points";
}

formula! {
    /// Points of the score that a config loses against the baseline. More than the threshold is below the gate.
    ACCURACY_DROP_PTS = "accuracy_drop_pts", "Accuracy lost against the baseline", Unit::Points, Lower;
    Number(baseline_score_pct: Unit::Percent, score_pct: Unit::Percent) => baseline_score_pct - score_pct;
    source "Difference of two scores of one suite";
    example (96, 94.5) => Rounded("1.5"), "worked by hand: 96% and 94.5%";
}

/// 97.5% quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval in percent; an interval of scores gives the hull.
fn wilson(score_pct: Quantity, questions: Quantity) -> Quantity {
    let low = low_end(score_pct.low() / 100.0, questions.low());
    // As many wrong answers as there are at least.
    let high = 1.0 - low_end(1.0 - score_pct.high() / 100.0, questions.low());
    let interval = Quantity::between(100.0 * low, 100.0 * high);
    if score_pct.is_approximate() || questions.is_approximate() { interval * Quantity::about(1.0) } else { interval }
}

/// The low end for a share of answers, as the product of both ends, share² ÷ (1 + z²/n), over the high one: the
/// difference in the formula would leave none of three at more than nothing.
fn low_end(share: f64, count: f64) -> f64 {
    let square = Z * Z;
    let middle = share + square / (2.0 * count);
    let half = Z * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    share * share / (middle + half)
}
