//! What a record says of its accuracy, in words.

use crate::quantity::Unit;
use crate::record::accuracy::Accuracy;
use crate::schema::Document;

/// `gsm8k-5shot 96%, threshold 1.0 points`, or that none was run.
pub fn gate(document: &Document, accuracy: Option<&Accuracy>) -> String {
    let not_stated = || "not stated".to_owned();
    let Some(accuracy) = accuracy else { return not_stated() };
    let stated =
        |field: &str, unit: Unit, value: f64| document.stated(&format!("/accuracy/{field}"), unit, value.into());
    let threshold = accuracy.threshold_pts.map(|points| stated("threshold_pts", Unit::Points, points));
    match (accuracy.suite.as_deref(), threshold) {
        (None, _) => not_stated(),
        (Some("none"), Some(points)) => format!("none was run (threshold would be {points})"),
        (Some("none"), None) => "none was run".to_owned(),
        (Some(suite), threshold) => {
            let score = accuracy.score_pct.map(|score| format!(" {}", stated("score_pct", Unit::Percent, score)));
            let threshold = threshold.map(|points| format!(", threshold {points}"));
            format!("{suite}{}{}", score.unwrap_or_default(), threshold.unwrap_or_default())
        }
    }
}
