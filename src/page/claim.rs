//! Claim cards: a figure unfolded into its formula, its inputs, and where they stand.

use crate::catalog::{Item, RECORD};
use crate::figures::{Fact, Figure, Stated, Step};
use crate::formula::Formula;
use crate::route::Route;

use super::frame::Here;
use super::record::citation;

/// Anchors of the sections of a result's page, in its order.
pub const SECTIONS: [&str; 9] = [
    "page:figures",
    "page:results",
    "page:derived",
    "page:evidence",
    "page:limits",
    "page:prose",
    "page:method",
    "page:reproduce",
    "page:source",
];

/// The figures of a record.
#[derive(Debug, Default)]
pub struct Claims {
    pub groups: Vec<ClaimGroup>,
    /// How one of them is cited, up to the anchor that its card ends with.
    pub cite: String,
}

impl Claims {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// All figures of one formula in a record.
#[derive(Debug)]
pub struct ClaimGroup {
    pub name: &'static str,
    pub direction: &'static str,
    pub expression: String,
    /// The formula's entry on the methodology page.
    pub methodology: String,
    /// An issue to fill in, where the site names its repository.
    pub report: Option<String>,
    /// What limits every number of them.
    pub limits: Vec<String>,
    pub claims: Vec<Claim>,
}

/// One figure.
#[derive(Debug)]
pub struct Claim {
    pub anchor: String,
    pub href: String,
    /// What it is about, in words; empty for the record as a whole.
    pub subject: String,
    pub value: String,
    /// Whether there is a number, or a reason in `value`.
    pub missing: bool,
    pub basis: &'static str,
    pub remarks: Vec<String>,
    /// The expression with the numbers filled in.
    pub filled: String,
    /// Before rounding.
    pub unrounded: Option<String>,
    pub inputs: Vec<ClaimInput>,
    /// What limits it beyond what limits all of its group.
    pub limits: Vec<String>,
    pub stated: Vec<StatedBeside>,
}

#[derive(Debug)]
pub struct ClaimInput {
    /// How deep in the derivation, 0 for the figure's own inputs.
    pub depth: usize,
    pub name: &'static str,
    pub value: String,
    /// How it was itself computed: the claim card where it has one, else the numbers filled in.
    pub figure: Option<String>,
    pub filled: Option<String>,
    /// The line, with the file where it is another than the record's own.
    pub place: String,
    pub href: String,
    pub repository: Option<String>,
    pub basis: &'static str,
}

#[derive(Debug)]
pub struct StatedBeside {
    pub as_written: String,
    pub verdict: String,
}

/// A record's figures by formula, in the order of the methodology.
pub fn claims(here: &Here, item: &Item) -> Claims {
    Claims { groups: groups(here, item), cite: citation(here.site.catalog, item, None) }
}

fn groups(here: &Here, item: &Item) -> Vec<ClaimGroup> {
    let figures = here.site.figures.of(&item.address);
    crate::formula::ALL
        .iter()
        .filter_map(|formula| {
            let claims: Vec<_> = figures
                .iter()
                .filter(|figure| figure.formula.id == formula.id)
                .map(|figure| claim(here, item, figure))
                .collect();
            (!claims.is_empty()).then(|| group(here, item, formula, claims))
        })
        .collect()
}

fn group(here: &Here, item: &Item, formula: &'static Formula, mut claims: Vec<Claim>) -> ClaimGroup {
    let numbers = claims.iter().filter(|claim| !claim.missing);
    let limits = numbers.clone().next().filter(|_| numbers.clone().count() > 1).map(|first| first.limits.clone());
    let mut limits = limits.unwrap_or_default();
    limits.retain(|limit| numbers.clone().all(|claim| claim.limits.contains(limit)));
    claims.iter_mut().for_each(|claim| claim.limits.retain(|limit| !limits.contains(limit)));
    ClaimGroup {
        name: formula.name,
        direction: formula.better.words(),
        expression: formula.written(),
        methodology: here.to_anchor(&Route::methodology(), formula.id),
        report: here.to_issue(&format!("{} of {}", formula.id, item.address)),
        limits,
        claims,
    }
}

fn claim(here: &Here, item: &Item, figure: &Figure) -> Claim {
    let steps = here.site.figures.steps(&item.address, figure);
    // A format, context or card of a model is no part of any record; the figure says what it is of.
    let (subject, label) = match &figure.label {
        Some(label) if !item.is_result() && figure.subject != RECORD => (label.clone(), None),
        label => (subject_label(item, &figure.subject), label.clone()),
    };
    let judgement = figure.judgement().map(str::to_owned);
    let remarks = judgement.into_iter().chain(label).chain(figure.remarks.iter().cloned()).collect();
    Claim {
        anchor: figure.anchor(),
        href: here.to_anchor(&Route::record(&item.address), &figure.anchor()),
        subject,
        value: figure.shown(),
        missing: figure.outcome.is_err(),
        basis: figure.basis().word(),
        remarks,
        filled: figure.filled(),
        unrounded: figure.unrounded(),
        inputs: steps.into_iter().map(|step| input(here, item, step)).collect(),
        limits: figure.caveats(),
        stated: figure.stated.iter().map(beside).collect(),
    }
}

fn beside(stated: &Stated) -> StatedBeside {
    StatedBeside { as_written: stated.as_written.clone(), verdict: stated.agreement.words() }
}

/// The label of a config, variant, host or model.
pub fn subject_label(item: &Item, anchor: &str) -> String {
    if anchor == RECORD {
        return String::new();
    }
    if let Some(subject) = item.subjects.iter().find(|subject| subject.anchor == anchor) {
        return subject.label.clone();
    }
    let models = item.models.iter().zip(&item.model_subjects);
    for (named, subject) in models {
        if subject.anchor == anchor {
            return named.name.clone();
        }
        if subject.all_layers == anchor {
            return format!("{}, as if all layers were full attention", named.name);
        }
    }
    // A reading of a variant stands under the variant's key and its own name, which is the figure's label.
    if let Some((variant, _)) = anchor.rsplit_once('.')
        && let Some(subject) = item.subjects.iter().find(|subject| subject.anchor == variant)
    {
        return subject.label.clone();
    }
    anchor.to_owned()
}

/// An input that has a claim card of its own on the page leads there; any other is unfolded here.
fn input(here: &Here, item: &Item, step: Step) -> ClaimInput {
    let fact = step.fact;
    ClaimInput {
        depth: step.depth,
        name: step.name,
        value: step.value,
        figure: step.figure.map(|figure| format!("#{}", figure.anchor())),
        filled: step.filled,
        place: place(item, fact),
        href: here.to_source(&fact.document, &fact.pointer),
        repository: here.to_repository(&fact.document, Some(&fact.pointer)),
        basis: fact.basis().word(),
    }
}

fn place(item: &Item, fact: &Fact) -> String {
    let (path, line) = (&fact.document.text.path, fact.document.line(&fact.pointer));
    if *path == item.document.text.path { format!("line {line}") } else { format!("{path}:{line}") }
}
