//! Scores of accuracy suites, with the interval in which the true share lies, and the gate that they are held against.

use std::sync::Arc;

use super::sheet::{compute, field, missing};
use super::{Figure, Missing, Sample};
use crate::diagnostic::counted;
use crate::formula::accuracy;
use crate::record::accuracy::{Accuracy, Gates};
use crate::schema::Document;

/// The score at a pointer, if there is one; it is of the measurement that the record is of.
pub fn score(document: &Arc<Document>, subject: &str, pointer: &str, gate: &Accuracy) -> Option<Figure> {
    let score = field(document, format!("{pointer}/score_pct"), Some(gate.score_pct?));
    let questions = field(document, format!("{pointer}/questions"), gate.questions.map(|count| count as f64));
    let figure = compute(&accuracy::ACCURACY_INTERVAL_PCT, subject, [score, questions]);
    let figure = figure.remarked(gate.suite.as_ref().map(|suite| format!("{suite}, of this run")));
    Some(Figure { sample: Some(of_questions(gate.questions)), ..figure })
}

/// How many questions a score is of.
pub fn of_questions(questions: Option<u64>) -> Sample {
    questions.map_or(Sample::NotStated, |questions| Sample::Stated(counted(questions as usize, "question")))
}

/// Points that a config lost against the baseline, where both have a score of one suite; nothing where it has no score.
pub fn lost(
    document: &Arc<Document>,
    subject: &str,
    gates: &Gates,
    position: usize,
    baseline: Result<usize, Missing>,
) -> Option<Figure> {
    let formula = &accuracy::ACCURACY_DROP_PTS;
    let own = gates.own(position).filter(|own| own.score_pct.is_some())?;
    let baseline = match baseline {
        Ok(baseline) => baseline,
        Err(Missing { reason }) => return Some(missing(formula, subject, reason)),
    };
    if gates.own(baseline).and_then(|other| other.suite.as_ref()) != own.suite.as_ref() {
        return Some(missing(formula, subject, "the baseline has no score of the same suite"));
    }
    let score = |at: usize| {
        let score = gates.own(at).and_then(|accuracy| accuracy.score_pct);
        field(document, format!("/configs/{at}/accuracy/score_pct"), score)
    };
    let figure = compute(formula, subject, [score(baseline), score(position)]);
    let below = below_gate(gates, position, &figure).is_some();
    Some(figure.remarked(below.then(|| "below the accuracy gate: not ranked".to_owned())))
}

/// Why a config that lost so many points is shown and not ranked.
pub fn below_gate(gates: &Gates, position: usize, lost: &Figure) -> Option<String> {
    let (points, threshold) = (lost.quantity()?, gates.threshold_pts(position)?);
    // Differences of decimals are off by the last binary digit.
    (points.low() > threshold + 1e-9).then(|| format!("{} below the baseline's accuracy", lost.shown()))
}
