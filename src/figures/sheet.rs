//! Small steps that every kind of record takes from its fields to figures.

mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Computed, Fact, Figure, Missing};
use crate::catalog::{Item, Subject};
use crate::formula::{FigureValue, Formula};
use crate::quantity::Quantity;
use crate::schema::Document;

/// One config of a record and where it stands.
pub struct Row<'a, Config> {
    pub position: usize,
    pub config: &'a Config,
    pub anchor: &'a str,
}

impl<Config> Clone for Row<'_, Config> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Config> Copy for Row<'_, Config> {}

impl<Config> Row<'_, Config> {
    /// The JSON pointer of a field of the config.
    pub fn at(&self, name: &str) -> String {
        format!("/configs/{}/{name}", self.position)
    }
}

/// The configs of a record with their anchors.
pub fn rows<'a, Config>(configs: &'a [Config], item: &'a Item) -> impl Iterator<Item = Row<'a, Config>> + Clone {
    let subjects = item.subjects.iter();
    let row = |(position, (config, subject)): (usize, (&'a Config, &'a Subject))| Row {
        position,
        config,
        anchor: &subject.anchor,
    };
    configs.iter().zip(subjects).enumerate().map(row)
}

/// A fact, or why there is none.
pub type Found = Result<Fact, Missing>;

/// A field of a record; absent is missing, with the field's name.
pub fn field(document: &Arc<Document>, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
    let pointer = pointer.into();
    match value {
        Some(value) => Ok(Fact {
            quantity: value.into(),
            document: Arc::clone(document),
            pointer,
            assumed: None,
            derivation: None,
        }),
        None => {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            Err(Missing::because(format!("`{name}` is not stated")))
        }
    }
}

/// A rate that something is divided among: of nothing there is no price, and no energy.
pub fn above_zero(rate: Found) -> Found {
    rate.and_then(|rate| match rate.pointer.rsplit('/').next() {
        Some(name) if rate.quantity.high() <= 0.0 => Err(Missing::because(format!("`{name}` is 0"))),
        _ => Ok(rate),
    })
}

/// A value that the source does not say; `pointer` is where it might have.
pub fn assumed(
    document: &Arc<Document>,
    pointer: impl Into<String>,
    value: impl Into<Quantity>,
    reason: impl Into<String>,
) -> Fact {
    Fact {
        quantity: value.into(),
        document: Arc::clone(document),
        pointer: pointer.into(),
        assumed: Some(reason.into()),
        derivation: None,
    }
}

/// A figure as an input of another.
pub fn derived(figure: &Arc<Figure>) -> Found {
    let computed = figure.outcome.as_ref().map_err(Missing::clone)?;
    let quantity = match computed.value {
        FigureValue::Quantity(quantity) => quantity,
        FigureValue::Verdict(verdict) => {
            return Err(Missing::because(format!("{}: {verdict}", figure.formula.name)));
        }
    };
    // A figure stands where its first input does.
    let Some(first) = computed.inputs.first() else {
        return Err(Missing::because(format!("`{}` rests on nothing", figure.formula.id)));
    };
    Ok(Fact {
        quantity,
        document: Arc::clone(&first.document),
        pointer: first.pointer.clone(),
        assumed: None,
        derivation: Some(Arc::clone(figure)),
    })
}

/// Applies a formula; all missing inputs are named at once, and what is not finite is no number.
pub fn compute(
    formula: &'static Formula,
    subject: impl Into<String>,
    facts: impl IntoIterator<Item = Found>,
) -> Figure {
    with_outcome(formula, subject, gathered(facts).and_then(|inputs| run(formula, inputs)))
}

/// The same where the inputs leave no number to compute, but something to say: a cache that does not grow.
pub fn said(
    formula: &'static Formula,
    subject: impl Into<String>,
    words: &'static str,
    facts: impl IntoIterator<Item = Found>,
) -> Figure {
    let value = FigureValue::Verdict(words);
    with_outcome(formula, subject, gathered(facts).map(|inputs| Computed { value, inputs }))
}

/// A figure that cannot be, with the reason.
/// Says of every number of a subject what limits it, each limit once.
pub fn limit(figures: &mut [Figure], limits: &BTreeMap<&str, &'static str>) {
    for figure in figures.iter_mut().filter(|figure| figure.outcome.is_ok()) {
        let limit = limits.get(figure.subject.as_str());
        let known = |limit: &&&str| figure.limits.iter().any(|known| **known == ***limit);
        if let Some(limit) = limit.filter(|limit| !known(limit)) {
            figure.limits.push((*limit).into());
        }
    }
}

/// Says of every figure of a subject why that is not ranked, so that whoever reads the number alone learns it as well.
pub fn set_aside(figures: &mut [Figure], unranked: &BTreeMap<&str, String>) {
    for figure in figures {
        let Some(reason) = unranked.get(figure.subject.as_str()) else { continue };
        figure.unranked = Some(reason.clone());
        let limit = format!("not ranked: {reason}");
        if figure.outcome.is_ok() && !figure.remarks.contains(&limit) {
            figure.limits.push(limit.into());
        }
    }
}

pub fn missing(formula: &'static Formula, subject: impl Into<String>, reason: impl Into<String>) -> Figure {
    with_outcome(formula, subject, Err(Missing::because(reason)))
}

fn with_outcome(formula: &'static Formula, subject: impl Into<String>, outcome: Result<Computed, Missing>) -> Figure {
    Figure {
        formula,
        subject: subject.into(),
        quote: None,
        outcome,
        limits: Vec::new(),
        label: None,
        remarks: Vec::new(),
        tie: false,
        sample: None,
        unranked: None,
        stated: Vec::new(),
    }
}

/// Why a change against the baseline has no value for the baseline itself.
pub const IS_BASELINE: &str = "this is the baseline";

/// All facts, or why some are missing, each reason once.
fn gathered(facts: impl IntoIterator<Item = Found>) -> Result<Vec<Fact>, Missing> {
    let mut inputs = Vec::new();
    let mut reasons = Vec::<String>::new();
    for fact in facts {
        match fact {
            Ok(fact) => inputs.push(fact),
            // What is missing may itself be so for several reasons.
            Err(missing) => reasons.extend(missing.reason.split("; ").map(str::to_owned)),
        }
    }
    let mut seen = BTreeSet::new();
    reasons.retain(|reason| seen.insert(reason.clone()));
    if reasons.is_empty() { Ok(inputs) } else { Err(Missing::because(reasons.join("; "))) }
}

fn run(formula: &'static Formula, inputs: Vec<Fact>) -> Result<Computed, Missing> {
    let values: Vec<_> = inputs.iter().map(|fact| fact.quantity).collect();
    let value = shared::compute(formula, &inputs).unwrap_or_else(|| formula.compute(&values));
    match value {
        FigureValue::Quantity(quantity) if !quantity.is_finite() => {
            Err(Missing::because("the inputs give no finite number"))
        }
        value => Ok(Computed { value, inputs }),
    }
}

impl Figure {
    pub(super) fn limited<Limit: Into<Arc<str>>>(mut self, limits: impl IntoIterator<Item = Limit>) -> Self {
        self.limits.extend(limits.into_iter().map(Into::into));
        self
    }

    /// Says what the number is of; said again, it is added.
    pub(super) fn labelled(mut self, label: impl Into<String>) -> Self {
        let label = label.into();
        self.label = Some(self.label.map_or(label.clone(), |own| format!("{own}, {label}")));
        self
    }

    /// Says in the same cell, and wherever the number is judged, that it is of a result that is not ranked.
    pub(super) fn not_ranked(mut self, reason: Option<String>) -> Self {
        if self.outcome.is_ok() {
            self.remarks.extend(reason.iter().map(|reason| format!("not ranked: {reason}")));
        }
        self.unranked = reason;
        self
    }

    pub(super) fn remarked(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
    }
}
