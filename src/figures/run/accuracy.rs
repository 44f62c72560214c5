//! Accuracy next to speed: what each score says, and how finely.

use super::{Row, Sheet};
use crate::catalog::{RECORD, anchor_of_key};
use crate::figures::Figure;
use crate::figures::score::score;
use crate::figures::sheet::{assumed, compute, field, missing};
use crate::formula::accuracy;
use crate::record::accuracy::Accuracy;

impl Sheet<'_> {
    /// Scores of the record, of its configs, and those that the curator found in its prose.
    pub(super) fn accuracy(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        if let Some(gate) = &self.run.accuracy {
            figures.extend(score(&self.item.document, RECORD, "/accuracy", gate));
        }
        figures.extend(self.rows().filter_map(|row: Row| {
            score(&self.item.document, row.anchor, &row.at("accuracy"), row.config.accuracy.as_ref()?)
        }));
        figures.extend(self.rows().filter_map(|row| self.accuracy_drop(row)));
        figures.extend(self.observed_scores());
        figures.extend(self.one_question());
        figures
    }

    /// What one question is worth: to the record as a whole, and to each config that was asked another number.
    fn one_question(&self) -> Vec<Figure> {
        let formula = &accuracy::ACCURACY_RESOLUTION_PTS;
        let (pointer, questions) = self.run.gates().questions();
        let own = self.rows().filter_map(|row| {
            let (pointer, own) = self.run.gates().own_questions(row.position)?;
            (questions != Some(own)).then(|| compute(formula, row.anchor, [self.field(pointer, Some(own))]))
        });
        let own: Vec<_> = own.collect();
        let known = self.run.accuracy.is_some() || self.run.spec().value("/accuracy").is_some();
        // Where only the configs say how many they were asked, nothing is missing.
        let whole = (known && (questions.is_some() || own.is_empty()))
            .then(|| compute(formula, RECORD, [self.field(pointer, questions)]));
        whole.into_iter().chain(own).collect()
    }

    /// Points lost against the baseline, where both configs have a score of one suite.
    fn accuracy_drop(&self, row: Row) -> Option<Figure> {
        let own = row.config.accuracy.as_ref()?;
        own.score_pct?;
        let formula = &accuracy::ACCURACY_DROP_PTS;
        let score = |row: Row| {
            let score = row.config.accuracy.as_ref().and_then(|accuracy| accuracy.score_pct);
            self.field(row.at("accuracy/score_pct"), score)
        };
        let baseline = match self.baseline(row) {
            Ok((baseline, _)) => baseline,
            Err(reason) => return Some(missing(formula, row.anchor, reason)),
        };
        let other = baseline.config.accuracy.as_ref().and_then(|accuracy| accuracy.suite.as_deref());
        if other != own.suite.as_deref() {
            return Some(missing(formula, row.anchor, "the baseline has no score of the same suite"));
        }
        let figure = compute(formula, row.anchor, [score(baseline), score(row)]);
        let below = self.is_below_gate(row, &figure).then(|| "below the accuracy gate: not ranked".to_owned());
        Some(figure.remarked(below))
    }

    fn is_below_gate(&self, row: Row, drop: &Figure) -> bool {
        let threshold = |accuracy: &Option<Accuracy>| accuracy.as_ref().and_then(|accuracy| accuracy.threshold_pts);
        let threshold = threshold(&row.config.accuracy).or_else(|| threshold(&self.run.accuracy));
        drop.quantity().zip(threshold).is_some_and(|(drop, threshold)| drop.low() > threshold)
    }

    /// Why a config is shown and not ranked.
    pub(super) fn unranked(&self, row: Row) -> Option<String> {
        let below = || {
            let drop = self.accuracy_drop(row)?;
            self.is_below_gate(row, &drop).then(|| format!("{} below the baseline's accuracy", drop.shown()))
        };
        row.config.partial_pass().or_else(below)
    }

    fn observed_scores(&self) -> Vec<Figure> {
        let Some(attached) = &self.item.note else { return Vec::new() };
        let observations = attached.note.observations.iter().enumerate();
        let scores = observations.filter(|(_, observation)| observation.metric == "accuracy_pct");
        let figure = |(position, observation): (usize, &crate::record::Observation)| {
            let at = |name: &str| format!("/observations/{position}/{name}");
            let score = field(&attached.document, at("value"), Some(observation.value));
            let questions = match (observation.questions, &observation.questions_assumed) {
                (Some(count), Some(reason)) => {
                    Ok(assumed(&attached.document, at("questions"), count as f64, reason.clone()))
                }
                (count, _) => field(&attached.document, at("questions"), count.map(|count| count as f64)),
            };
            let subject = anchor_of_key(observation.key.as_ref().unwrap_or(&observation.subject));
            let suite = self.run.accuracy.as_ref().and_then(|accuracy| accuracy.suite.as_deref());
            let whose = match suite {
                Some("none") => "of a separate run: no accuracy gate ran with this measurement",
                _ => "quoted from the record's text, which may be of a separate run",
            };
            compute(&accuracy::ACCURACY_INTERVAL_PCT, subject, [score, questions])
                .labelled(format!("score {}%", crate::quantity::plain(observation.value)))
                .limited(Some(whose.to_owned()))
        };
        scores.map(figure).collect()
    }
}
