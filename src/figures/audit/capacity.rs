//! The capacity of an audit's configs: as the audit states it, as a bracket, and what follows from each.

use std::sync::Arc;

use super::{Row, Sheet, at_capacity};
use crate::figures::sheet::{Found, compute, derived, missing};
use crate::figures::{Figure, Missing, bracket, price};
use crate::formula::{Formula, capacity, comparison, memory, requests};
use crate::metric::{Latency, heading};
use crate::record::sweep::same_rates;

impl Sheet<'_> {
    pub(super) fn capacity(&self, row: Row) -> Found {
        self.field(row.at("capacity/request_rate_rps"), at_capacity(&row)?.request_rate_rps)
    }

    pub(super) fn bracket(&self, row: Row) -> Figure {
        let formula = &capacity::CAPACITY_BRACKET_RPS;
        let sweep = &self.sweeps[row.position];
        match at_capacity(&row) {
            Err(Missing { reason }) if sweep.steps.is_empty() => missing(formula, row.anchor, reason),
            _ => bracket::of(&self.item.document, sweep, row.anchor),
        }
    }

    /// What a reader must know of a figure that rests on the stated capacity.
    pub(super) fn at_stated_capacity(&self, figure: Figure, row: Row) -> Figure {
        if figure.outcome.is_err() {
            return figure;
        }
        let untested = self.audit.capacity_is_tested(row.config) == Some(false);
        let untested = untested.then(|| "the capacity is none of the rates tested".to_owned());
        figure.limited(untested).limited(bracket::limit(&self.bracket(row)))
    }

    /// The same of a figure that compares two capacities.
    pub(super) fn against_baseline(&self, figure: Figure, row: Row, baseline: Row) -> Figure {
        let (own, other) = (self.audit.rates_of(row.config), self.audit.rates_of(baseline.config));
        let unlike = own.zip(other).is_some_and(|(own, other)| !same_rates(&own, &other));
        let unlike = unlike.then(|| format!("tested at other rates than “{}”", self.item.label(baseline.position)));
        let figure = self.at_stated_capacity(figure, row);
        if figure.outcome.is_err() {
            return figure;
        }
        self.within_brackets(figure.limited(unlike), row)
    }

    /// A change between two capacities, or between what rests on them, which is none where their brackets let both be the
    /// same.
    fn within_brackets(&self, mut figure: Figure, row: Row) -> Figure {
        let over = self.change_over_brackets(row);
        if figure.formula.id == capacity::CAPACITY_CHANGE_PCT.id {
            return bracket::bounded(figure, &over);
        }
        if figure.outcome.is_ok() && bracket::may_tie(&over) {
            figure.tie = true;
            figure.remarks.push("a tie: the brackets let both capacities be the same".to_owned());
        }
        figure
    }

    fn change_over_brackets(&self, row: Row) -> Figure {
        let ends = |row: Row| bracket::ends(&self.item.document, &self.sweeps[row.position]);
        match self.baseline(row) {
            Ok(baseline) => bracket::change(row.anchor, &ends(row), &ends(baseline)),
            Err(Missing { reason }) => missing(&capacity::CAPACITY_CHANGE_OVER_BRACKETS_PCT, row.anchor, reason),
        }
    }

    pub(super) fn capacity_ratio(&self, row: Row) -> Figure {
        self.compared(&capacity::CAPACITY_RATIO, row)
    }

    pub(super) fn capacity_change(&self, row: Row) -> Figure {
        self.compared(&capacity::CAPACITY_CHANGE_PCT, row)
    }

    /// How latencies and output at capacity differ from the baseline's.
    pub(super) fn changes_at_capacity(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (metric, formula) in [("ttft", &comparison::TTFT_CHANGE_PCT), ("tpot", &comparison::TPOT_CHANGE_PCT)] {
            let limited = |name: &&String| Latency::parse(name).is_some_and(|found| found.metric == metric);
            let Some(name) = self.audit.slo.keys().find(limited) else { continue };
            figures.extend(self.rows().map(|row| {
                let figure = self.change(formula, row, |row| self.latency_at_capacity(row, name));
                let at_another_load = self.at_another_load(row);
                let figure = figure.limited(self.audit.workload.too_few_requests(name));
                // A longer latency at a higher load is no worse one.
                let figure = if figure.outcome.is_ok() { figure.remarked([heading(name)]) } else { figure };
                figure.not_ranked(at_another_load)
            }));
        }
        let output = |row| {
            let figure = self.change(&comparison::OUTPUT_CHANGE_PCT, row, |row| self.output_rate(row));
            self.within_brackets(figure.limited(self.at_another_load(row)), row)
        };
        figures.extend(self.rows().map(output));
        figures
    }

    /// What a change between two capacities is not: one at equal load.
    fn at_another_load(&self, row: Row) -> Option<String> {
        let baseline = self.item.baseline.and_then(|position| self.rows().nth(position))?;
        let [own, other] = [row, baseline].map(|row| self.capacity(row).ok().map(|fact| fact.quantity));
        (own? != other?).then(|| "each config is at its own capacity, so the two are not at the same load".to_owned())
    }

    fn latency_at_capacity(&self, row: Row, name: &str) -> Found {
        let value = at_capacity(&row)?.latencies.get(name).copied();
        self.field(row.at(&format!("capacity/latencies/{name}")), value)
    }

    fn change(&self, formula: &'static Formula, row: Row, fact: impl Fn(Row) -> Found) -> Figure {
        match self.baseline(row) {
            Ok(baseline) => compute(formula, row.anchor, [fact(row), fact(baseline)]),
            Err(Missing { reason }) => missing(formula, row.anchor, reason),
        }
    }

    fn compared(&self, formula: &'static Formula, row: Row) -> Figure {
        match self.baseline(row) {
            Ok(baseline) => {
                let figure = compute(formula, row.anchor, [self.capacity(row), self.capacity(baseline)]);
                self.against_baseline(figure, row, baseline)
            }
            Err(Missing { reason }) => missing(formula, row.anchor, reason),
        }
    }

    fn peak(&self) -> Found {
        self.field("/peak_request_rate_rps", self.audit.peak_request_rate_rps)
    }

    pub(super) fn replicas(&self, row: Row) -> Figure {
        let figure = compute(&capacity::REPLICAS_AT_PEAK, row.anchor, [self.peak(), self.capacity(row)]);
        self.at_stated_capacity(figure, row)
    }

    /// Where one config has a bracket, all have the figures over it, or the reason why not.
    pub(super) fn over_brackets(&self) -> Vec<Figure> {
        if self.rows().all(|row| self.bracket(row).outcome.is_err()) {
            return Vec::new();
        }
        let shares = self
            .rows()
            .filter_map(|row| bracket::delivered_share(&self.item.document, &self.sweeps[row.position], row.anchor));
        let replicas = self
            .rows()
            .map(|row| compute(&capacity::REPLICAS_OVER_BRACKET, row.anchor, [self.peak(), self.served(row)]));
        let costs = price::each(&self.prices, self.rows(), |row, price| {
            let length = Arc::new(self.output_per_request(row));
            let facts = [price.hour(), self.served(row), derived(&length)];
            compute(&capacity::USD_PER_MTOK_OVER_BRACKET, row.anchor, facts)
        });
        let changes = self.rows().map(|row| self.change_over_brackets(row)).filter(|_| self.audit.configs.len() > 1);
        changes.chain(shares).chain(replicas).chain(costs).collect()
    }

    fn served(&self, row: Row) -> Found {
        bracket::served(&self.item.document, &self.sweeps[row.position], self.bracket(row))
    }

    /// Output tokens of a request: of the highest rate that passed, else at the stated capacity.
    pub(super) fn output_per_request(&self, row: Row) -> Figure {
        let of_step = bracket::output_per_request(&self.item.document, &self.sweeps[row.position], row.anchor);
        of_step.unwrap_or_else(|| {
            let rates = [self.output_rate(row), self.capacity(row)];
            compute(&requests::OUTPUT_TOK_PER_REQUEST, row.anchor, rates)
        })
    }

    /// The highest hit rate that the workload allows, where its prompts share a prefix.
    pub(super) fn hit_rate_ceiling(&self) -> Option<Figure> {
        let workload = &self.audit.workload;
        let shared = self.field("/workload/shared_prefix_tokens", Some(workload.shared_prefix_tokens?));
        let shared = shared.map(|fact| crate::figures::Fact {
            assumed: Some(
                "that the shared prefix is part of the input length and not added to it is assumed".to_owned(),
            ),
            ..fact
        });
        let input = self.field("/workload/input_tokens", workload.input_tokens);
        Some(compute(&memory::HIT_RATE_CEILING_PCT, crate::catalog::RECORD, [shared, input]))
    }
}
