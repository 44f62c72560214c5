//! Accuracy next to speed: what each score says, and how finely.

use super::{Row, Sheet};
use crate::catalog::{RECORD, anchor_of_key};
use crate::figures::Figure;
use crate::figures::sheet::{assumed, compute, field};
use crate::figures::{Missing, score};
use crate::formula::accuracy;

impl Sheet<'_> {
    /// Scores of the record, of its configs, and those that the curator found in its prose.
    pub(super) fn accuracy(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        if let Some(gate) = &self.run.accuracy {
            figures.extend(score::score(&self.item.document, RECORD, "/accuracy", gate));
        }
        figures.extend(self.rows().filter_map(|row: Row| {
            score::score(&self.item.document, row.anchor, &row.at("accuracy"), row.config.accuracy.as_ref()?)
        }));
        figures.extend(self.rows().filter_map(|row| self.accuracy_lost(row)));
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

    fn accuracy_lost(&self, row: Row) -> Option<Figure> {
        let baseline = self.baseline(row).map(|(baseline, _)| baseline.position).map_err(Missing::because);
        score::lost(&self.item.document, row.anchor, &self.run.gates(), row.position, baseline)
    }

    /// Why a config is shown and not ranked.
    pub(super) fn unranked(&self, row: Row) -> Option<String> {
        let below = || score::below_gate(&self.run.gates(), row.position, &self.accuracy_lost(row)?);
        row.config.partial_pass().or_else(|| self.run.over_limit(row.config)).or_else(below)
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
            let figure = compute(&accuracy::ACCURACY_INTERVAL_PCT, subject, [score, questions])
                .labelled(format!("score {}%", crate::quantity::plain(observation.value)))
                .limited(Some(whose.to_owned()));
            Figure { sample: Some(score::of_questions(observation.questions)), ..figure }
        };
        scores.map(figure).collect()
    }
}
