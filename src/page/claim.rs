//! Claim cards: a figure unfolded into its formula, its inputs, and where they stand.

mod expression;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::catalog::{Item, RECORD};
use crate::diagnostic::counted;
use crate::figures::{Basis, Figure, Sample, Stated};
use crate::route::Route;

use super::frame::{Here, Link};
use super::record::{SourceFile, citation};
use super::table::{Priced, Table};
use expression::{Expression, Line, Part};

/// Anchors of the sections of a result's page, in its order.
pub const SECTIONS: [&str; 11] = [
    "page:figures",
    "page:setting",
    "page:results",
    "page:nearest",
    "page:derived",
    "page:evidence",
    "page:limits",
    "page:prose",
    "page:method",
    "page:reproduce",
    "page:source",
];

/// The figures of a record, or some of them.
#[derive(Debug, Default)]
pub struct Claims {
    pub groups: Vec<ClaimGroup>,
    /// What limits every number of all groups.
    pub limits: Vec<String>,
    /// The files that their inputs stand in.
    pub files: Vec<SourceFile>,
    /// How one of them is cited, up to its anchor.
    pub cite: String,
}

impl Claims {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// The figures of a record as its own page has them: unfolded, or with the way to where they are.
#[derive(Debug, Default)]
pub struct Derived {
    pub claims: Claims,
    /// The page where they are unfolded, named by their count.
    pub elsewhere: Option<Link>,
    /// Formulas whose figures no table of the page shows, where they are unfolded elsewhere.
    pub listed: Vec<Listed>,
}

/// Figures of one formula that stand elsewhere.
#[derive(Debug)]
pub struct Listed {
    /// Leads to their cards.
    pub formula: Link,
    pub figures: Vec<ListedFigure>,
}

#[derive(Debug)]
pub struct ListedFigure {
    pub anchor: String,
    pub subject: String,
    pub value: String,
    pub priced: Option<Priced>,
}

/// Figures that are listed with their values; of a record with more, the formulas alone are.
const LISTED: usize = 1_000;

impl Derived {
    /// `tables` are those of the record's own page.
    pub fn of(here: &Here, item: &Item, tables: &[Table]) -> Self {
        let figures = here.site.figures.of(&item.address);
        if !here.site.has_figures_apart(&item.address) {
            return Derived { claims: claims(here, item, 0..figures.len()), ..Derived::default() };
        }
        let cards = Cards { here, item, labels: Labels::of(item) };
        let cells = tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells);
        let shown: BTreeSet<&str> = cells.filter_map(|cell| cell.anchor.as_deref()).collect();
        let on_later_part = |figure: &Figure| {
            let is_row = |part: &Route| *part != Route::record(&item.address);
            is_row(&here.site.anchor_route(&item.address, &figure.anchor()))
        };
        let others = figures.iter().filter(|figure| !shown.contains(&*figure.anchor()) && !on_later_part(figure));
        let others: Vec<_> = others.collect();
        let with_values = others.len() <= LISTED;
        let formulas = others.chunk_by(|one, other| one.formula.id == other.formula.id).map(|figures| Listed {
            formula: Link {
                text: figures[0].formula.name.to_owned(),
                href: Some(here.to_formula(&item.address, figures[0])),
            },
            figures: figures.iter().filter(|_| with_values).map(|figure| cards.listed(figure)).collect(),
        });
        Derived {
            claims: Claims::default(),
            elsewhere: Some(Link {
                text: counted(figures.len(), "figure"),
                href: Some(here.to(&Route::figures(&item.address))),
            }),
            listed: formulas.collect(),
        }
    }
}

/// Figures of one formula in a record.
#[derive(Debug)]
pub struct ClaimGroup {
    /// Of the first of them on a page.
    pub anchor: String,
    pub name: &'static str,
    pub direction: &'static str,
    /// The formula's own, then those of inputs that are no figures of their own.
    pub expressions: Vec<Expression>,
    /// What limits every number of them.
    pub limits: Vec<String>,
    pub claims: Vec<Claim>,
    /// Figures without a number, by the reason.
    pub missing: Vec<Missing>,
}

/// One figure.
#[derive(Debug)]
pub struct Claim {
    pub anchor: String,
    /// What it is about, in words; empty for the record as a whole.
    pub subject: String,
    pub value: String,
    pub priced: Option<Priced>,
    pub is_assumed: bool,
    pub remarks: Vec<String>,
    pub lines: Vec<Line>,
    /// Lines that its inputs stand on, with the file where it is not the record's own.
    pub places: String,
    /// An issue to fill in, where the site names its repository.
    pub report: Option<String>,
    /// What limits it beyond what limits all of its group.
    pub limits: Vec<String>,
    pub stated: Vec<StatedBeside>,
}

/// Figures that have no number for one reason.
#[derive(Debug)]
pub struct Missing {
    pub reason: String,
    pub figures: Vec<MissingFigure>,
}

#[derive(Debug)]
pub struct MissingFigure {
    pub anchor: String,
    pub subject: String,
    pub stated: Vec<StatedBeside>,
}

#[derive(Debug)]
pub struct StatedBeside {
    pub as_written: String,
    pub verdict: String,
}

/// Figures of a record by formula, in the order of the methodology.
pub fn claims(here: &Here, item: &Item, range: Range<usize>) -> Claims {
    let figures = here.site.figures.of(&item.address).get(range).unwrap_or_default();
    if figures.is_empty() {
        return Claims::default();
    }
    let cards = Cards { here, item, labels: Labels::of(item) };
    let groups = figures.chunk_by(|one, other| one.formula.id == other.formula.id);
    let mut groups: Vec<_> = groups.map(|figures| cards.group(figures)).collect();
    let mut limits = limits_of_all(&mut groups);
    if figures.iter().any(|figure| figure.sample == Some(Sample::NotStated)) {
        limits.push("where no sample is named, its size is not stated".to_owned());
    }
    let lines = groups.iter().flat_map(|group| &group.claims).flat_map(|claim| &claim.lines);
    Claims { files: expression::files(here, lines), limits, groups, cite: citation(here.site, item, None) }
}

/// Takes out of the groups what limits the numbers of every one.
fn limits_of_all(groups: &mut [ClaimGroup]) -> Vec<String> {
    let has = |group: &ClaimGroup, limit: &String| {
        let own = |claim: &Claim| claim.limits.contains(limit);
        group.claims.is_empty() || group.limits.contains(limit) || group.claims.iter().all(own)
    };
    let first = groups.iter().find(|group| !group.claims.is_empty());
    let candidates: Vec<_> =
        first.into_iter().flat_map(|group| group.limits.iter().chain(&group.claims[0].limits)).cloned().collect();
    let limits: Vec<_> = candidates.into_iter().filter(|limit| groups.iter().all(|group| has(group, limit))).collect();
    for group in groups {
        group.limits.retain(|limit| !limits.contains(limit));
        group.claims.iter_mut().for_each(|claim| claim.limits.retain(|limit| !limits.contains(limit)));
    }
    limits
}

struct Cards<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    labels: Labels<'a>,
}

impl Cards<'_> {
    fn listed(&self, figure: &Figure) -> ListedFigure {
        ListedFigure {
            anchor: figure.anchor(),
            subject: self.subject(figure).0,
            value: figure.shown(),
            priced: Priced::of(figure),
        }
    }

    fn group(&self, figures: &[Arc<Figure>]) -> ClaimGroup {
        let formula = figures[0].formula;
        let (with_number, without): (Vec<_>, Vec<_>) = figures.iter().partition(|figure| figure.outcome.is_ok());
        let mut claims: Vec<_> = with_number.into_iter().map(|figure| self.claim(figure)).collect();
        let mut expressions = expression::shared(self.here, claims.iter_mut().flat_map(|claim| &mut claim.lines));
        if claims.is_empty() {
            expressions.push(Expression::of(self.here, formula));
        }
        let mut limits = if claims.len() > 1 { claims[0].limits.clone() } else { Vec::new() };
        limits.retain(|limit| claims.iter().all(|claim| claim.limits.contains(limit)));
        claims.iter_mut().for_each(|claim| claim.limits.retain(|limit| !limits.contains(limit)));
        ClaimGroup {
            anchor: format!("formula:{}", formula.id),
            name: formula.name,
            direction: formula.better.words(),
            expressions,
            limits,
            claims,
            missing: self.missing(&without),
        }
    }

    fn claim(&self, figure: &Figure) -> Claim {
        let (here, address) = (self.here, &self.item.address);
        let (subject, label) = self.subject(figure);
        let judgement = figure.judgement().map(str::to_owned);
        let result = figure.unrounded().unwrap_or_else(|| figure.shown());
        let result = Part::to(result, here.to_value(address, figure));
        let lines = expression::lines(here, address, &here.site.figures.unfold(address, figure), result);
        Claim {
            anchor: figure.anchor(),
            subject,
            value: figure.shown(),
            priced: Priced::of(figure),
            is_assumed: figure.basis() == Basis::Assumed,
            remarks: judgement.into_iter().chain(label).chain(figure.remarks.iter().cloned()).collect(),
            places: expression::places(self.item, &lines),
            lines,
            limits: sample(figure).into_iter().chain(figure.caveats()).collect(),
            report: here.to_issue(&format!("A figure of {address}: {}", figure.anchor())),
            stated: figure.stated.iter().map(beside).collect(),
        }
    }

    fn missing(&self, figures: &[&Arc<Figure>]) -> Vec<Missing> {
        let mut reasons: Vec<Missing> = Vec::new();
        for figure in figures {
            let own = MissingFigure {
                anchor: figure.anchor(),
                subject: self.subject(figure).0,
                stated: figure.stated.iter().map(beside).collect(),
            };
            let reason = figure.shown();
            match reasons.iter_mut().find(|known| known.reason == reason) {
                Some(known) => known.figures.push(own),
                None => reasons.push(Missing { reason, figures: vec![own] }),
            }
        }
        reasons
    }

    /// What a figure is about, and what else it says of that.
    fn subject(&self, figure: &Figure) -> (String, Option<String>) {
        match &figure.label {
            // A format, context or card of a model is no part of any record; the figure says what it is of.
            Some(label) if !self.item.is_result() && figure.subject != RECORD => (label.clone(), None),
            label => (self.labels.of_subject(&figure.subject), label.clone()),
        }
    }
}

fn sample(figure: &Figure) -> Option<String> {
    let sample = figure.sample.as_ref().filter(|sample| **sample != Sample::NotStated)?;
    Some(format!("sample: {}", sample.words()))
}

fn beside(stated: &Stated) -> StatedBeside {
    StatedBeside { as_written: stated.as_written.clone(), verdict: stated.agreement.words() }
}

/// The label of a config, variant, host or model.
pub fn subject_label(item: &Item, anchor: &str) -> String {
    Labels::of(item).of_subject(anchor)
}

/// The labels of a record's subjects by their anchors, which all differ.
pub(super) struct Labels<'a>(BTreeMap<&'a str, String>);

impl<'a> Labels<'a> {
    pub fn of(item: &'a Item) -> Self {
        let subjects = item.subjects.iter().map(|subject| (subject.anchor.as_str(), subject.label.clone()));
        let models = item.models.iter().zip(&item.model_subjects).flat_map(|(named, subject)| {
            let all_layers = format!("{}, as if all layers were full attention", named.name);
            [(subject.anchor.as_str(), named.name.clone()), (subject.all_layers.as_str(), all_layers)]
        });
        Labels(subjects.chain(models).chain([(RECORD, String::new())]).collect())
    }

    /// A reading of a variant stands under the variant's key and its own name, which is the figure's label.
    pub fn of_subject(&self, anchor: &str) -> String {
        let of_variant = || anchor.rsplit_once('.').and_then(|(variant, _)| self.0.get(variant));
        self.0.get(anchor).or_else(of_variant).map_or(anchor, String::as_str).to_owned()
    }
}
