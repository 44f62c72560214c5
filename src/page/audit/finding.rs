//! What an audit found, in one sentence.

use super::AuditPage;
use crate::compare;
use crate::figures::Figure;
use crate::formula::{Formula, capacity, cost};
use crate::page::frame::checkpoint;
use crate::quantity::{Quantity, TokenKind, Unit};
use crate::record::audit::{AtCapacity, Capacity, Without};

impl AuditPage<'_> {
    /// The cheapest config against the baseline, else that of the highest capacity.
    pub(super) fn finding(&self) -> String {
        let Some(position) = self.cheapest() else { return self.finding_without_cost() };
        let capacity = self.shown(position, &capacity::CAPACITY_CHANGE_PCT);
        let over = self.over_brackets(position);
        let at = capacity.map(|change| format!(", at {change} capacity within the SLO{over}")).unwrap_or_default();
        let cost = self.shown(position, &cost::USD_PER_MTOK_OUTPUT).unwrap_or_default();
        let against = self.against(position, &cost::COST_CHANGE_PCT, &at);
        format!("{} costs {cost} on {} with “{}”{against}.", self.model(), self.cards(), self.label(position))
    }

    fn cheapest(&self) -> Option<usize> {
        let costs = (0..self.audit.configs.len())
            .filter(|at| self.unranked(*at).is_none())
            .filter_map(|at| Some((at, self.figure(at, &cost::USD_PER_MTOK_OUTPUT)?.quantity()?.middle())));
        costs.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(position, _)| position)
    }

    /// The cost that the finding begins with.
    pub(super) fn lowest_cost(&self) -> Option<&Figure> {
        self.figure(self.cheapest()?, &cost::USD_PER_MTOK_OUTPUT)
    }

    /// A change of a config against the baseline; of the baseline, that of the next config.
    fn against(&self, position: usize, change: &Formula, more: &str) -> String {
        let Some(baseline) = self.item.baseline else { return String::new() };
        let label = self.label(baseline);
        if baseline == position {
            let mut others = (0..self.audit.configs.len()).filter(|other| *other != position);
            let next = others.find_map(|other| Some((other, self.change(other, change)?)));
            let next = next.map(|(other, change)| format!("; “{}” changes that by {change}", self.label(other)));
            return next.unwrap_or_default();
        }
        match (self.audit.configs.get(baseline).map(|config| &config.capacity), self.change(position, change)) {
            // Against what gave nothing there is no change, and that it gave nothing is part of the finding.
            (Some(Capacity::Without(Without::NonePassed)), _) => format!("; of “{label}” none passed"),
            (Some(Capacity::Without(Without::NotMeasured)), _) => format!("; “{label}” was not measured"),
            (_, Some(change)) => format!(", {change} against “{label}”{more}"),
            (_, None) => String::new(),
        }
    }

    /// The highest load within the limits, of the config that carries most.
    fn finding_without_cost(&self) -> String {
        let configs = || self.audit.configs.iter().enumerate().filter(|(at, _)| self.unranked(*at).is_none());
        let most = |of: fn(&AtCapacity) -> Option<Quantity>| {
            let rates = configs().filter_map(move |(at, config)| match &config.capacity {
                Capacity::At(own) => Some((at, of(own)?)),
                Capacity::Without(_) => None,
            });
            rates.max_by(|one, other| one.1.middle().total_cmp(&other.1.middle()))
        };
        let (requests, tokens) = (Unit::RequestsPerSecond, Unit::TokensPerSecond(TokenKind::Output));
        let limits = compare::limits(&self.audit.slo).unwrap_or_else(|| "no limit".to_owned());
        let by_requests = most(|at| at.request_rate_rps).map(|found| (found, requests));
        match by_requests.or_else(|| most(|at| at.output_tok_s).map(|found| (found, tokens))) {
            Some(((position, rate), unit)) => {
                let with = match self.audit.configs.len() {
                    1 => String::new(),
                    _ => format!(" with “{}”", self.label(position)),
                };
                let against = self.against(position, &capacity::CAPACITY_CHANGE_PCT, "");
                let bracket = self.shown(position, &capacity::CAPACITY_BRACKET_CONCURRENCY);
                let bracket = bracket.map(|bracket| format!("; the limits hold up to {bracket}")).unwrap_or_default();
                let (model, cards, rate) = (self.model(), self.cards(), unit.show(rate));
                format!("{model} delivers up to {rate} on {cards}{with} within {limits}{against}{bracket}.")
            }
            None if configs().any(|(_, config)| matches!(config.capacity, Capacity::Without(Without::NonePassed))) => {
                format!("{} on {} stays within {limits} at no tested load.", self.model(), self.cards())
            }
            None => format!("The capacity of {} on {} within {limits} was not measured.", self.model(), self.cards()),
        }
    }

    fn model(&self) -> &str {
        self.item.models.first().map_or("The model", |named| checkpoint(&named.name))
    }

    fn cards(&self) -> String {
        let hardware = &self.audit.hardware;
        self.here.cards(self.item, hardware.count, &hardware.accelerator)
    }

    /// A change, with whether it is one over the brackets of both: of capacity, also what it is over these.
    fn change(&self, position: usize, formula: &Formula) -> Option<String> {
        let over = match self.figure(position, formula) {
            _ if formula.id == capacity::CAPACITY_CHANGE_PCT.id => self.over_brackets(position),
            Some(change) if change.tie => " (a tie over both brackets)".to_owned(),
            _ => String::new(),
        };
        Some(format!("{}{over}", self.shown(position, formula)?))
    }

    /// What a change in capacity is over the brackets of both, in brackets; nothing where these are not known.
    fn over_brackets(&self, position: usize) -> String {
        let Some(over) = self.shown(position, &capacity::CAPACITY_CHANGE_OVER_BRACKETS_PCT) else {
            return String::new();
        };
        let change = self.figure(position, &capacity::CAPACITY_CHANGE_PCT);
        let tie = if change.is_some_and(|change| change.tie) { "a tie, " } else { "" };
        format!(" ({tie}{over} over both brackets)")
    }

    fn shown(&self, position: usize, formula: &Formula) -> Option<String> {
        self.figure(position, formula).filter(|figure| figure.outcome.is_ok()).map(Figure::shown)
    }
}
