//! Formulas applied to the catalog: every figure with its inputs and where they stand.

mod audit;
mod basis;
mod bracket;
mod card;
mod comparisons;
mod decode_floor;
mod derivation;
pub mod evidence;
mod geometry;
mod headline;
mod kv_efficiency;
pub mod model;
mod plausible;
mod price;
mod reading;
mod run;
mod sample;
mod score;
mod sheet;
mod stated;
pub mod tradeoff;
mod unexplained;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::catalog::{Catalog, Item};
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::formula::{self, FigureValue, Formula, FormulaInput};
use crate::metric;
use crate::quantity::{Quantity, Unit};
use crate::record::Record;
use crate::schema::Document;

pub use basis::Basis;
pub use comparisons::{
    Change, Comparisons, Contender, Group, Pair, Reproduction, Withheld, change_of, heading_of, is_of_a_rate,
};
pub use derivation::{Derivation, Step, Unfolded};
pub use price::{AtAnyPrice, at_any_price};
pub use reading::Reading;
pub use sample::Sample;
pub use stated::{Agreement, Stated};
pub use tradeoff::Frontier;

/// A number of ours: a formula, what went in, and what came out or why nothing did.
#[derive(Debug, Clone)]
pub struct Figure {
    pub formula: &'static Formula,
    /// Anchor of the config, variant, host or model it is about, or `record`.
    pub subject: String,
    /// Address of the quote, when it is another than the record's own.
    pub quote: Option<String>,
    pub outcome: Result<Computed, Missing>,
    /// How much was measured, where it rests on a measurement.
    pub sample: Option<Sample>,
    /// What a reader must know before acting on the number; one text for all figures of a record that it limits.
    pub limits: Vec<Arc<str>>,
    /// What the number is of, or at which price: it stands beside the number wherever that is shown.
    pub label: Option<String>,
    /// Words that belong in the same cell: what differs, a tie.
    pub remarks: Vec<String>,
    /// Whether a change is inside the variance band, and so no change to speak of.
    pub tie: bool,
    /// Why what it is of is shown and not ranked, so that no change is for the better.
    pub unranked: Option<String>,
    /// The same number as the source itself states it, each time that it does.
    pub stated: Vec<Stated>,
}

#[derive(Debug, Clone)]
pub struct Computed {
    pub value: FigureValue,
    /// One value an input of the formula; any number of them for a sum.
    pub inputs: Vec<Fact>,
}

/// Why there is no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Names, of fields and other ones, stand in backticks.
    pub reason: String,
}

/// A value that a figure rests on, and where it stands.
#[derive(Debug, Clone)]
pub struct Fact {
    pub quantity: Quantity,
    pub document: Arc<Document>,
    /// JSON pointer of the value in `document`; of what fails to state it when it is assumed.
    pub pointer: String,
    /// Why it is taken to be so, when the source does not say it.
    pub assumed: Option<String>,
    /// How the fact itself was computed, when it was.
    pub derivation: Option<Arc<Figure>>,
}

impl Figure {
    /// The fragment of its claim card; unique on a page.
    pub fn anchor(&self) -> String {
        format!("{}/{}", self.subject, self.formula_and_quote())
    }

    /// What tells it from other figures of its subject.
    pub fn formula_and_quote(&self) -> String {
        match self.quote.as_deref().and_then(|address| address.rsplit('/').next()) {
            Some(quote) => format!("{}/{quote}", self.formula.id),
            None => self.formula.id.to_owned(),
        }
    }

    fn key(&self) -> Key<'_> {
        (self.formula.id, &self.subject, self.quote.as_deref())
    }

    pub fn quantity(&self) -> Option<Quantity> {
        match self.outcome.as_ref().ok()?.value {
            FigureValue::Quantity(quantity) => Some(quantity),
            FigureValue::Verdict(_) => None,
        }
    }

    /// Whether a change is for the better; `None` for what is no change, a tie, not ranked, or rounds to nothing.
    pub fn judgement(&self) -> Option<&'static str> {
        let counts = self.formula.unit == Unit::PercentChange && !self.tie && self.unranked.is_none();
        let change = self.quantity().filter(|_| counts)?;
        let shown = self.formula.unit.digits(change);
        let low = shown.trim_start_matches('~');
        let whole = low.starts_with('+') || low.starts_with('−') && change.high() < 0.0;
        self.formula.better.judge(change.middle()).filter(|_| whole)
    }

    /// Everything it assumes, its inputs' own derivations included, each once.
    pub fn assumptions(&self) -> Vec<&str> {
        let mut reasons = Vec::new();
        self.collect_assumptions(&mut reasons);
        reasons
    }

    fn collect_assumptions<'a>(&'a self, reasons: &mut Vec<&'a str>) {
        for fact in self.outcome.iter().flat_map(|computed| &computed.inputs) {
            if let Some(reason) = fact.assumed.as_deref().filter(|reason| !reasons.contains(reason)) {
                reasons.push(reason);
            }
            if let Some(derivation) = &fact.derivation {
                derivation.collect_assumptions(reasons);
            }
        }
    }

    /// Each input's definition with its fact.
    pub fn inputs(&self) -> impl Iterator<Item = (&'static FormulaInput, &Fact)> {
        let formula = self.formula;
        let facts = self.outcome.iter().flat_map(|computed| &computed.inputs);
        facts.enumerate().map(move |(position, fact)| (formula.input(position), fact))
    }

    /// The value as pages print it, unit included, or the reason why there is none.
    pub fn shown(&self) -> String {
        match &self.outcome {
            Ok(Computed { value: FigureValue::Quantity(quantity), .. }) => self.formula.unit.show(*quantity),
            Ok(Computed { value: FigureValue::Verdict(verdict), .. }) => (*verdict).to_owned(),
            Err(missing) => missing.words(),
        }
    }
}

impl Fact {
    /// The value as tables print it below its unit: ours by the one rule, a source's as it writes it.
    pub fn digits(&self) -> String {
        match &self.derivation {
            Some(figure) => figure.formula.unit.digits(self.quantity),
            None => self.document.digits(&self.pointer, self.quantity),
        }
    }

    /// Why it is no number, though the formula takes one: the limits as a whole stand for one that is not among them.
    pub fn missing(&self) -> Option<&'static str> {
        (self.pointer == "/slo").then_some("no limit is set")
    }

    /// The word that the source writes in place of the number, such as a dtype for its size.
    pub fn word(&self) -> Option<&str> {
        if self.assumed.is_some() || self.derivation.is_some() || self.missing().is_some() {
            return None;
        }
        let written = self.document.written(&self.pointer)?.trim_matches(['"', '\'']);
        written.starts_with(|first: char| first.is_alphabetic()).then_some(written)
    }
}

impl Missing {
    pub fn because(reason: impl Into<String>) -> Self {
        Missing { reason: reason.into() }
    }

    /// The reason as a page says it. Data files keep the names of fields.
    pub fn words(&self) -> String {
        metric::in_words(&self.reason)
    }
}

/// The figures of every record.
#[derive(Debug, Default)]
pub struct Figures {
    by_address: BTreeMap<String, Listed>,
    /// What rests on each quote, with the address of its record.
    ledger: BTreeMap<String, Vec<(String, Arc<Figure>)>>,
    /// Results of different records beside each other.
    comparisons: Comparisons,
    /// Frontiers of results of several records, and by address those of the results of one.
    frontiers: Vec<Frontier>,
    frontiers_within: BTreeMap<String, Vec<Frontier>>,
    /// How each field of a result is known.
    evidence: BTreeMap<String, evidence::Ledger>,
}

/// Figures in the order of their record, and their positions in the order of their keys: a record has up to a hundred
/// thousand, and each is looked for.
#[derive(Debug, Default)]
struct Listed {
    figures: Vec<Arc<Figure>>,
    by_key: Vec<u32>,
}

/// What no two figures of a record share: formula, subject, quote.
type Key<'a> = (&'static str, &'a str, Option<&'a str>);

impl Listed {
    fn of(figures: Vec<Arc<Figure>>) -> Self {
        let mut by_key: Vec<u32> = (0..).take(figures.len()).collect();
        by_key.sort_by(|one, other| figures[*one as usize].key().cmp(&figures[*other as usize].key()));
        Listed { figures, by_key }
    }

    fn position(&self, key: Key) -> Option<usize> {
        let found = self.by_key.binary_search_by(|at| self.figures[*at as usize].key().cmp(&key));
        found.ok().map(|at| self.by_key[at] as usize)
    }
}

impl Figures {
    /// The figures of a record: formulas in the order of the methodology, subjects in the record's.
    pub fn of(&self, address: &str) -> &[Arc<Figure>] {
        self.by_address.get(address).map_or(&[], |listed| &listed.figures)
    }

    /// A figure at the record's own quote.
    pub fn find(&self, address: &str, subject: &str, formula: &Formula) -> Option<&Arc<Figure>> {
        self.find_at(address, subject, formula, None)
    }

    /// A figure at another quote than the record's own, or at that.
    pub fn find_at(
        &self,
        address: &str,
        subject: &str,
        formula: &Formula,
        quote: Option<&str>,
    ) -> Option<&Arc<Figure>> {
        let listed = self.by_address.get(address)?;
        Some(&listed.figures[listed.position((formula.id, subject, quote))?])
    }

    /// Why a config of a run or an audit is shown and not ranked: all of its figures say so, and its change in goodput or
    /// capacity is one of them.
    pub fn unranked(&self, address: &str, subject: &str) -> Option<&str> {
        let changes = [&formula::comparison::GOODPUT_CHANGE_PCT, &formula::capacity::CAPACITY_CHANGE_PCT];
        changes.into_iter().find_map(|change| self.find(address, subject, change)?.unranked.as_deref())
    }

    /// The figure whose claim card has an anchor.
    pub fn at_anchor(&self, address: &str, anchor: &str) -> Option<&Arc<Figure>> {
        let mut parts = anchor.splitn(3, '/');
        let (subject, formula) = (parts.next()?, formula::by_id(parts.next()?)?);
        match parts.next() {
            None => self.find(address, subject, formula),
            Some(_) => self.of(address).iter().find(|figure| figure.anchor() == anchor),
        }
    }

    /// The record's own figure that an input was computed as, at the same price.
    pub fn same(&self, address: &str, wanted: &Figure) -> Option<&Arc<Figure>> {
        self.of(address).get(self.position(address, wanted)?)
    }

    /// Where a figure of a record stands among [its figures](Self::of).
    pub fn position(&self, address: &str, figure: &Figure) -> Option<usize> {
        self.by_address.get(address)?.position(figure.key())
    }

    /// The evidence ledger of a result.
    pub fn evidence(&self, address: &str) -> Option<&evidence::Ledger> {
        self.evidence.get(address)
    }

    /// Results of different records beside each other.
    pub fn comparisons(&self) -> &Comparisons {
        &self.comparisons
    }

    /// Frontiers of results of several records.
    pub fn frontiers(&self) -> &[Frontier] {
        &self.frontiers
    }

    /// Frontiers of the results of one record.
    pub fn frontiers_of(&self, address: &str) -> &[Frontier] {
        self.frontiers_within.get(address).map_or(&[], Vec::as_slice)
    }

    /// Address of the quote that a figure of a record rests on, the first of several.
    pub fn quote<'a>(&self, item: &'a Item, figure: &'a Figure) -> Option<&'a str> {
        figure.quote.as_deref().or_else(|| price::quotes(item, figure).into_iter().next())
    }

    /// Every figure that rests on a quote, with the address of its record: records by address.
    pub fn resting_on(&self, quote: &str) -> &[(String, Arc<Figure>)] {
        self.ledger.get(quote).map_or(&[], Vec::as_slice)
    }
}

/// Computes every figure that the records determine; stated numbers that disagree are reported.
pub fn derive(catalog: &Catalog, report: &mut Report) -> Figures {
    let items: Vec<_> = catalog.items().collect();
    let derived: Vec<_> = items.par_iter().map(|item| of_item(catalog, item)).collect();
    let mut all = Figures::default();
    for (item, (figures, problems)) in items.into_iter().zip(derived) {
        report.extend(problems);
        for figure in figures.iter().filter(|_| item.is_result()) {
            for quote in price::quotes(item, figure) {
                all.ledger.entry(quote.to_owned()).or_default().push((item.address.clone(), Arc::clone(figure)));
            }
        }
        if let Some(ledger) = evidence::ledger(catalog, item, &figures) {
            all.evidence.insert(item.address.clone(), ledger);
        }
        all.by_address.insert(item.address.clone(), Listed::of(figures));
    }
    all.comparisons = Comparisons::of(catalog, &all);
    let shown = all.shown(catalog);
    all.comparisons.hold(shown);
    all.frontiers = tradeoff::across_records(&all);
    all.frontiers_within = catalog
        .items()
        .map(|item| (item.address.clone(), tradeoff::of_record(&all, &item.address)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    all
}

fn of_item(catalog: &Catalog, item: &Item) -> (Vec<Arc<Figure>>, Report) {
    let mut report = Report::new();
    let mut figures = match &item.record {
        Record::Run(run) => run::figures(catalog, item, run),
        Record::Audit(audit) => audit::figures(catalog, item, audit),
        Record::KvEfficiency(note) => kv_efficiency::figures(catalog, item, note),
        Record::Model(model) => model::figures(catalog, item, model),
        Record::Hardware(card) => model::cards::on_card(catalog, item, card),
        Record::Price(quote) => price::of_quote(item, quote),
        _ => Vec::new(),
    };
    figures.sort_by_cached_key(|figure| figure.formula.position());
    for figure in figures.iter_mut().filter(|figure| figure.outcome.is_ok()) {
        figure.limits.extend(item.not_covered().iter().map(|limit| format!("not covered: {limit}").into()));
    }
    share_limits(&mut figures);
    sample::attach(item, &mut figures);
    stated::attach(item, &mut figures, &mut report);
    headline::check(item, &figures, &mut report);
    decode_floor::check(item, &figures, &mut report);
    plausible::check(item, &figures, &mut report);
    distinct(&figures, item, &mut report);
    unexplained::check(item, &figures, &mut report);
    comparisons::check(catalog, item, &mut report);
    let mut figures: Vec<_> = figures.into_iter().map(Arc::new).collect();
    // Collected in place, it has kept room for whole figures.
    figures.shrink_to_fit();
    (figures, report)
}

/// Keeps each text once, since most limits are those of all figures, of which there are a million.
fn share_limits(figures: &mut [Figure]) {
    let mut texts = BTreeSet::new();
    for figure in figures {
        for limit in &mut figure.limits {
            match texts.get(limit) {
                Some(known) => *limit = Arc::clone(known),
                None => drop(texts.insert(Arc::clone(limit))),
            }
        }
        figure.limits.shrink_to_fit();
    }
}

/// Refuses a record in which two figures would share an address.
fn distinct(figures: &[Figure], item: &Item, report: &mut Report) {
    let mut seen = BTreeSet::new();
    for figure in figures {
        if !seen.insert(figure.anchor()) {
            report.push(
                Diagnostic::new(
                    &rules::FIGURE_DUPLICATE,
                    item.document.location(""),
                    format!("two figures would have the address `{}`", figure.anchor()),
                )
                .help("give configs, variants, hosts and hit rates keys that differ from each other"),
            );
        }
    }
}
