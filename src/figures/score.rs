//! Scores of accuracy suites, with the interval in which the true share lies.

use std::sync::Arc;

use super::Figure;
use super::sheet::{compute, field};
use crate::formula::accuracy;
use crate::record::accuracy::Accuracy;
use crate::schema::Document;

/// The score at a pointer, if there is one; it is of the measurement that the record is of.
pub fn score(document: &Arc<Document>, subject: &str, pointer: &str, gate: &Accuracy) -> Option<Figure> {
    let score = field(document, format!("{pointer}/score_pct"), Some(gate.score_pct?));
    let questions = field(document, format!("{pointer}/questions"), gate.questions.map(|count| count as f64));
    let figure = compute(&accuracy::ACCURACY_INTERVAL_PCT, subject, [score, questions]);
    Some(figure.remarked(gate.suite.as_ref().map(|suite| format!("{suite}, of this run"))))
}
