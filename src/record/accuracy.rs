//! Accuracy beside speed, in the form that run records and audits share.

use serde::{Deserialize, Serialize};

use super::audit::AuditConfig;
use super::run::RunConfig;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Accuracy {
    /// `none` where no gate ran.
    pub suite: Option<String>,
    /// Points that a score may lose.
    pub threshold_pts: Option<f64>,
    pub score_pct: Option<f64>,
    pub questions: Option<u64>,
}

/// Whether accuracy was checked beside the speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// A score of the suite that the others have, and a threshold.
    Ran,
    NotRun,
    NotStated,
    /// A suite is named, and no score of it.
    NoScore,
    /// Its score is of another suite than those of the others.
    OtherSuite,
    NoThreshold,
    /// None of the others has a score to hold it against.
    Alone,
}

impl Gate {
    /// Words for a result whose accuracy nobody is known to have checked.
    pub fn ungated(self) -> Option<&'static str> {
        match self {
            Gate::Ran => None,
            Gate::NotRun => Some("no accuracy gate"),
            Gate::NotStated => Some("accuracy not stated"),
            Gate::NoScore => Some("no accuracy score"),
            Gate::OtherSuite => Some("accuracy of another suite"),
            Gate::NoThreshold => Some("no accuracy threshold"),
            Gate::Alone => Some("the only accuracy score"),
        }
    }

    /// The same as a limit of its numbers.
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Gate::Ran => None,
            Gate::NotRun => Some("no accuracy gate was run with this result"),
            Gate::NotStated => Some("whether accuracy was checked is not stated"),
            Gate::NoScore => Some("an accuracy suite is named, and no score of this result is stated"),
            Gate::OtherSuite => Some("its accuracy is of another suite than that of the others"),
            Gate::NoThreshold => Some("how much accuracy may be lost is not stated"),
            Gate::Alone => Some("no other result has a score that its accuracy could be held against"),
        }
    }
}

/// Points that a score may lose, and the questions it is of, each with its pointer.
#[derive(Debug, Clone)]
pub struct Threshold {
    pub points: (String, f64),
    pub questions: (String, f64),
}

/// The accuracy of a record and of its configs, in their order.
#[derive(Debug)]
pub struct Gates<'a> {
    pub record: Option<&'a Accuracy>,
    pub configs: Configs<'a>,
    /// Questions that stand elsewhere in the record, and where they do.
    pub elsewhere: Option<(&'static str, Option<f64>)>,
}

/// Each says of itself what it does.
#[derive(Debug, Clone, Copy)]
pub enum Configs<'a> {
    Run(&'a [RunConfig]),
    Audit(&'a [AuditConfig]),
}

impl<'a> Configs<'a> {
    fn len(self) -> usize {
        match self {
            Configs::Run(configs) => configs.len(),
            Configs::Audit(configs) => configs.len(),
        }
    }

    fn accuracy(self, position: usize) -> Option<&'a Accuracy> {
        match self {
            Configs::Run(configs) => configs.get(position)?.accuracy.as_ref(),
            Configs::Audit(configs) => configs.get(position)?.accuracy.as_ref(),
        }
    }
}

impl Gates<'_> {
    /// What is known of an accuracy suite: that of the config, else of the record as a whole.
    pub fn of(&self, position: usize) -> Gate {
        let own = self.own(position);
        let suite = |accuracy: Option<&Accuracy>| accuracy.and_then(|accuracy| accuracy.suite.clone());
        match suite(own).or_else(|| suite(self.record)).as_deref() {
            None => Gate::NotStated,
            Some("none") => Gate::NotRun,
            Some(suite) => {
                let score = |accuracy: Option<&Accuracy>| accuracy.and_then(|accuracy| accuracy.score_pct);
                if score(own).or_else(|| score(self.record)).is_none() {
                    Gate::NoScore
                } else if self.suite_of_scores().is_some_and(|usual| usual != suite) {
                    Gate::OtherSuite
                } else if self.is_alone(position) {
                    Gate::Alone
                } else if self.threshold_pts(position).is_none() {
                    Gate::NoThreshold
                } else {
                    Gate::Ran
                }
            }
        }
    }

    /// Whether it has a score of its own and none of several others does.
    fn is_alone(&self, position: usize) -> bool {
        let has_score = |at: usize| self.own(at).is_some_and(|own| own.score_pct.is_some());
        self.configs.len() > 1
            && has_score(position)
            && (0..self.configs.len()).filter(|at| *at != position).all(|at| !has_score(at))
    }

    /// The suite that scores are of: the record's, else that of the first config with a score.
    fn suite_of_scores(&self) -> Option<&str> {
        let of_record = self.record.and_then(|accuracy| accuracy.suite.as_deref());
        of_record.or_else(|| {
            let own = (0..self.configs.len()).filter_map(|position| self.own(position));
            own.into_iter().find(|own| own.score_pct.is_some())?.suite.as_deref()
        })
    }

    /// Words for the first config whose accuracy nobody is known to have checked.
    pub fn first_ungated(&self) -> Option<&'static str> {
        (0..self.configs.len()).find_map(|position| self.of(position).ungated())
    }

    /// What a config says of itself.
    pub fn own(&self, position: usize) -> Option<&Accuracy> {
        self.configs.accuracy(position)
    }

    /// Points that a config may lose: its own threshold, else the record's.
    pub fn threshold_pts(&self, position: usize) -> Option<f64> {
        let of = |accuracy: Option<&Accuracy>| accuracy.and_then(|accuracy| accuracy.threshold_pts);
        of(self.own(position)).or_else(|| of(self.record))
    }

    /// Where a score stands beside the word that no suite ran.
    pub fn of_no_suite(&self) -> Vec<String> {
        let has_none = |accuracy: &Accuracy| accuracy.suite.as_deref() == Some("none") && accuracy.score_pct.is_some();
        let of_record = self.record.filter(|accuracy| has_none(accuracy)).map(|_| "/accuracy/score_pct".to_owned());
        let of_configs = (0..self.configs.len()).filter(|position| self.own(*position).is_some_and(has_none));
        of_record.into_iter().chain(of_configs.map(|at| format!("/configs/{at}/accuracy/score_pct"))).collect()
    }

    /// Questions of the record's suite, and where they stand.
    pub fn questions(&self) -> (String, Option<f64>) {
        let own = self.record.and_then(|accuracy| accuracy.questions);
        match (own, self.elsewhere) {
            (None, Some((pointer, Some(questions)))) => (pointer.to_owned(), Some(questions)),
            (own, _) => ("/accuracy/questions".to_owned(), own.map(|questions| questions as f64)),
        }
    }

    /// The same of a config that says how many questions it was asked itself.
    pub fn own_questions(&self, position: usize) -> Option<(String, f64)> {
        let questions = self.own(position)?.questions?;
        Some((format!("/configs/{position}/accuracy/questions"), questions as f64))
    }

    /// Thresholds, each with the questions that it is held against and where both stand: of the record, and of each
    /// config that has a threshold or questions of its own.
    pub fn thresholds(&self) -> Vec<Threshold> {
        let of_record = self.record.and_then(|accuracy| accuracy.threshold_pts);
        let of_record = of_record.map(|points| ("/accuracy/threshold_pts".to_owned(), points));
        let asked = || {
            let (pointer, questions) = self.questions();
            Some((pointer, questions?))
        };
        let of_config = |position: usize| {
            let own = self.own(position).and_then(|accuracy| accuracy.threshold_pts);
            let own = own.map(|points| (format!("/configs/{position}/accuracy/threshold_pts"), points));
            let own_questions = self.own_questions(position);
            if own.is_none() && own_questions.is_none() {
                return None;
            }
            Some(Threshold { points: own.or_else(|| of_record.clone())?, questions: own_questions.or_else(asked)? })
        };
        let whole = of_record.clone().zip(asked()).map(|(points, questions)| Threshold { points, questions });
        whole.into_iter().chain((0..self.configs.len()).filter_map(of_config)).collect()
    }

    /// Scores with the questions that they are of, each with its pointer.
    pub fn scores(&self) -> Vec<(String, f64, f64)> {
        let of_record = || {
            let score = self.record?.score_pct?;
            Some(("/accuracy/score_pct".to_owned(), score, self.questions().1?))
        };
        let of_config = |position: usize| {
            let score = self.own(position)?.score_pct?;
            let questions = self.own_questions(position).map(|(_, own)| own).or_else(|| self.questions().1)?;
            Some((format!("/configs/{position}/accuracy/score_pct"), score, questions))
        };
        of_record().into_iter().chain((0..self.configs.len()).filter_map(of_config)).collect()
    }
}
