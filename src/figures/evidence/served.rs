//! What a run or an audit states of each field.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Evidence, Value};
use crate::catalog::{Catalog, Item, Subject};
use crate::compare::{Part, Setting};
use crate::figures::{Figure, Sample};
use crate::formula::uncertainty;
use crate::record::Record;
use crate::record::accuracy::Gate;
use crate::record::audit::Capacity;

/// A run or audit with its figures.
pub(super) struct Served<'a> {
    pub item: &'a Item,
    /// Of each config.
    settings: Vec<Setting>,
    /// Of each subject: a record may have thousands.
    figures: BTreeMap<&'a str, Vec<&'a Figure>>,
}

impl<'a> Served<'a> {
    pub fn of(catalog: &Catalog, item: &'a Item, figures: &'a [Arc<Figure>]) -> Self {
        let settings = (0..item.subjects.len()).filter_map(|at| Setting::of(catalog, item, at)).collect();
        let mut by_subject = BTreeMap::<_, Vec<_>>::new();
        for figure in figures {
            by_subject.entry(&*figure.subject).or_default().push(&**figure);
        }
        Served { item, settings, figures: by_subject }
    }

    /// What is said of the record as a whole.
    pub(super) fn record(&self, is_stated: bool) -> Vec<Value> {
        vec![Value { evidence: if is_stated { Evidence::Stated } else { Evidence::Absent }, place: None }]
    }

    pub(super) fn engine_version(&self) -> Vec<Value> {
        self.record(self.item.engine.as_ref().is_some_and(|engine| engine.version().is_some()))
    }

    /// A config without flags beside one that has some is said to have none.
    pub(super) fn flags(&self) -> Vec<Value> {
        let has_own = |setting: &Setting| setting.get(Part::Flags).is_some();
        self.record(!self.item.flags().is_empty() || self.settings.iter().any(has_own))
    }

    /// A part of the setting of each config, as it is compared by.
    pub(super) fn part(&self, part: Part) -> Vec<Value> {
        self.settings.iter().map(|setting| Served::known(setting, part)).collect()
    }

    /// The same of configs with one of these metrics, which it matters for.
    pub(super) fn part_where(&self, part: Part, metrics: &[&str]) -> Vec<Value> {
        let configs = self.settings.iter().zip(&self.item.subjects).enumerate();
        let has = |at: usize, subject: &Subject| metrics.iter().any(|metric| self.has(at, subject, metric));
        let counting = configs.filter(|(at, (_, subject))| has(*at, subject));
        counting.map(|(_, (setting, _))| Served::known(setting, part)).collect()
    }

    fn known(setting: &Setting, part: Part) -> Value {
        let evidence = match (setting.get(part), setting.assumed(part)) {
            (Some(_), None) => Evidence::Stated,
            (Some(_), Some(_)) => Evidence::Assumed,
            (None, _) => Evidence::Absent,
        };
        Value { evidence, place: None }
    }

    /// Whether a config has a value of a metric: measured, or a figure of ours.
    fn has(&self, at: usize, subject: &Subject, metric: &str) -> bool {
        let measured = match &self.item.record {
            Record::Run(run) => {
                metric == "goodput_tok_s" && run.configs.get(at).is_some_and(|config| config.goodput_tok_s.is_some())
            }
            Record::Audit(audit) => {
                metric == "capacity_rps"
                    && audit.configs.get(at).is_some_and(|config| matches!(config.capacity, Capacity::At(_)))
            }
            _ => false,
        };
        measured || self.of_subject(subject).any(|figure| figure.formula.id == metric && figure.outcome.is_ok())
    }

    fn of_subject(&self, subject: &Subject) -> impl Iterator<Item = &'a Figure> {
        self.figures.get(&*subject.anchor).into_iter().flatten().copied()
    }
}

/// Whether somebody looked at the accuracy of each config, and says so.
pub(super) fn accuracy(served: &Served) -> Vec<Value> {
    let Some(gates) = served.item.gates() else { return Vec::new() };
    let checked = |at: usize| if gates.of(at) == Gate::Ran { Evidence::Stated } else { Evidence::Absent };
    (0..served.settings.len()).map(|at| Value { evidence: checked(at), place: None }).collect()
}

/// How much was measured for the figures of each config.
pub(super) fn samples(served: &Served) -> Vec<Value> {
    let sample = |subject: &Subject| served.of_subject(subject).find_map(|figure| figure.sample.clone());
    let known = served.item.subjects.iter().filter_map(sample).map(|sample| match sample {
        Sample::Stated(_) => Evidence::Stated,
        Sample::NotStated => Evidence::Absent,
    });
    known.map(|evidence| Value { evidence, place: None }).collect()
}

/// How far each config could be off.
pub(super) fn uncertainties(served: &Served) -> Vec<Value> {
    let figure = |subject: &Subject| {
        served
            .of_subject(subject)
            .find(|figure| figure.formula.id == uncertainty::UNCERTAINTY_PCT.id)
            .map(Value::of_figure)
    };
    served.item.subjects.iter().filter_map(figure).collect()
}
