//! What the page of a run record shows.

mod charts;
mod hit_rates;
mod method;
mod table;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::figures::Figure;
use crate::formula::{Formula, comparison, cost};
use crate::metric::{self};
use crate::quantity::Unit;
use crate::record::run::PowerKind;
use crate::record::{Requests, Run};
use crate::source::Kind;

use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{Body, Fact, long_date, provenance};
use super::table::written;
use super::{reproduce, steps};
use table::CONFIG_ROWS;

pub fn body(here: &Here, item: &Item, run: &Run) -> Body {
    let page = RunPage { here, item, run };
    Body {
        finding: page.finding(),
        summary: run.summary.clone(),
        facts: page.facts(),
        figures: page.figures(),
        method: page.method(),
        reproduce: run.reproduce.as_deref().map(reproduce::commands),
    }
}

pub fn strands<'a>(here: &'a Here, item: &'a Item, run: &'a Run) -> Vec<Strand<'a>> {
    let page = RunPage { here, item, run };
    let rates = page.by_hit_rate();
    let observations = item.note.as_ref().map_or(0, |note| note.note.observations.len());
    vec![
        Strand::new(run.configs.len(), CONFIG_ROWS, move |range| page.tables(range)),
        Strand::new(rates.len(), 1, move |range| vec![page.bought(&rates[range])]),
        steps::strand(here, item, run.sweeps()),
        Strand::new(observations, 1, move |range| page.observations(range).into_iter().collect()),
    ]
}

/// The finding in one sentence.
pub fn finding(here: &Here, item: &Item, run: &Run) -> String {
    RunPage { here, item, run }.finding()
}

#[derive(Clone, Copy)]
struct RunPage<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    run: &'a Run,
}

impl<'a> RunPage<'a> {
    fn figure(&self, position: usize, formula: &Formula) -> Option<&'a Figure> {
        self.here.figure(self.item, position, formula)
    }

    fn label(&self, position: usize) -> &str {
        self.item.label(position)
    }

    fn written(&self, position: usize, field: &str, value: f64) -> String {
        written(&self.item.document, &format!("/configs/{position}/{field}"), value.into())
    }

    /// The largest change against the baseline that is no tie, else the best value.
    fn finding(&self) -> String {
        let changes = (0..self.run.configs.len()).filter_map(|position| {
            let figure = self.figure(position, &comparison::GOODPUT_CHANGE_PCT)?;
            let tie = figure.tie;
            Some((position, figure, figure.quantity().filter(|_| !tie)?))
        });
        let largest = changes.max_by(|one, other| one.2.middle().abs().total_cmp(&other.2.middle().abs()));
        if let (Some((position, figure, _)), Some(baseline)) = (largest, self.item.baseline) {
            let goodput = self.run.configs.get(position).and_then(|config| config.goodput_tok_s);
            let value = goodput.map(|goodput| self.written(position, "goodput_tok_s", goodput)).unwrap_or_default();
            let remarks =
                if figure.remarks.is_empty() { String::new() } else { format!(" ({})", figure.remarks.join("; ")) };
            let lead = self.figure(position, &comparison::GOODPUT_LEAD_PCT).filter(|lead| lead.tie);
            let tie = lead.and_then(|lead| {
                let (over, tie) = (lead.remarks.first()?, lead.remarks.last()?);
                Some(format!("; its {} {over} is {tie}", lead.shown()))
            });
            let tie = tie.unwrap_or_default();
            return format!(
                "{}: {value} output tok/s within the SLO, {} against “{}”{remarks}{tie}{}",
                self.label(position),
                figure.shown(),
                self.label(baseline),
                self.lost(),
            );
        }
        let with_goodput = self
            .run
            .configs
            .iter()
            .enumerate()
            .filter_map(|(position, config)| Some((position, config.goodput_tok_s?)));
        match with_goodput.max_by(|one, other| one.1.total_cmp(&other.1)) {
            Some((position, goodput)) => format!(
                "{}: {} output tok/s within the SLO{}",
                self.label(position),
                self.written(position, "goodput_tok_s", goodput),
                self.lost()
            ),
            None => format!(
                "{} on {}, {}{}",
                self.run.model.name,
                self.run.hardware.accelerator,
                counted(self.run.configs.len(), "config"),
                self.lost()
            ),
        }
    }

    /// Requests that did not come through, in words that go wherever the finding goes.
    fn lost(&self) -> String {
        let configs = self.run.configs.iter().enumerate();
        let lost = configs.filter(|(_, config)| config.requests.as_ref().is_some_and(Requests::any_unfinished));
        let lost: Vec<_> = lost.map(|(position, config)| (position, self.ends(position, config))).collect();
        match &lost[..] {
            [] => String::new(),
            [(position, ends)] => format!("; {}: {ends}", self.label(*position)),
            several => format!(
                "; requests did not complete in {} of {}",
                several.len(),
                counted(self.run.configs.len(), "config")
            ),
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let run = self.run;
        let here = self.here;
        let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
        let mut facts = vec![Fact::new("Published", vec![Link::plain(long_date(run.published))])];
        facts.extend(self.item.models.first().map(|named| Fact::new("Model", vec![here.to_named(named, Kind::Model)])));
        facts.extend(text("Shape", run.model.shape.as_deref()));
        facts.extend(text("Quantisation", run.model.quantization.as_deref()));
        facts.extend(text("Parallelism", run.model.parallelism.as_deref()));
        if let Some(named) = self.item.cards.first() {
            let mut link = here.to_named(named, Kind::Hardware);
            link.text = format!("{} × {}", run.hardware.count, link.text);
            facts.push(Fact::new("Accelerator", vec![link]));
        }
        let bandwidth = run.hardware.rated_bw_tbs_per_gpu.map(|rated| Unit::TbPerSecond.show(rated.into()));
        facts.extend(text("Rated bandwidth per GPU", bandwidth.as_deref()));
        facts.extend(text("Driver", run.hardware.driver.as_deref()));
        facts.extend(text("Host", run.hardware.host.as_deref()));
        facts.extend(here.engine_fact(self.item));
        facts.extend(text("Image and flags", run.software.kernels.as_deref()));
        if let Some(workload) = &run.workload {
            facts.extend(text("Trace", workload.trace.as_deref()));
            facts.extend(text("Input tokens", workload.input_tokens.as_deref()));
            facts.extend(text("Output tokens", workload.output_tokens.as_deref()));
            facts.extend(text("Arrival", workload.arrival.as_deref()));
        }
        let limits: Vec<_> = run
            .slo
            .iter()
            .flatten()
            .map(|(name, limit)| {
                Link::plain(format!("{} ≤ {} ms", metric::heading(name), crate::quantity::plain((*limit).into())))
            })
            .collect();
        facts.push(Fact::new("SLO", if limits.is_empty() { vec![Link::plain("no SLO set")] } else { limits }));
        facts.push(Fact::new("Power", vec![Link::plain(self.power())]));
        facts.extend(text("Power window", run.power.as_ref().and_then(|power| power.window.as_deref())));
        facts.extend(self.repeats());
        facts.push(Fact::new("Accuracy gate", vec![Link::plain(self.gate())]));
        facts.extend(run.fleet.as_ref().and_then(|fleet| fleet.cards).map(|cards| {
            let href = here.to_source(&self.item.document, "/fleet/cards");
            Fact::new("Fleet", vec![Link { text: format!("{cards} cards"), href: Some(href) }])
        }));
        facts.extend(run.environment.as_ref().map(|set| Fact::new("Environment", vec![Link::plain(pairs(set))])));
        facts.extend(self.prices());
        facts.extend(here.technique_fact(self.item));
        facts.extend(provenance(self.item));
        facts
    }

    /// What the power covers and how it was read; the field's own name says node, whatever it holds.
    fn power(&self) -> String {
        let Some(power) = &self.run.power else { return "not measured".to_owned() };
        let kind = PowerKind::words(power.kind);
        let source = power.source.as_deref().filter(|source| !source.is_empty());
        let sampling = power.sampling_hz.map(|hertz| format!("sampled at {}", Unit::Hertz.show(hertz.into())));
        [Some(kind.to_owned()), source.map(str::to_owned), sampling]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn repeats(&self) -> Option<Fact> {
        let mut words = Vec::new();
        words.extend(self.run.runs.map(|runs| format!("{runs} runs")));
        words.extend(self.run.variance_band_pct.map(|band| format!("variance band ±{band}%")));
        (!words.is_empty()).then(|| Fact::new("Repeats", vec![Link::plain(words.join(", "))]))
    }

    fn gate(&self) -> String {
        match &self.run.accuracy {
            None => "not stated".to_owned(),
            Some(accuracy) => match accuracy.suite.as_deref() {
                None => "not stated".to_owned(),
                Some("none") => match accuracy.threshold_pts {
                    Some(points) => format!("none was run (threshold would be {points} points)"),
                    None => "none was run".to_owned(),
                },
                Some(suite) => {
                    let score = accuracy.score_pct.map(|score| format!(" {score}%")).unwrap_or_default();
                    let threshold =
                        accuracy.threshold_pts.map(|points| format!(", threshold {points} points")).unwrap_or_default();
                    format!("{suite}{score}{threshold}")
                }
            },
        }
    }

    /// The record's own quote, and the others at which its costs stand too.
    fn prices(&self) -> Option<Fact> {
        let own = self.item.price.as_deref();
        let totals = self.here.site.figures.of(&self.item.address).iter();
        let others = totals.filter(|figure| figure.formula.id == cost::USD_PER_HOUR.id);
        let quotes = own.into_iter().chain(others.filter_map(|figure| figure.quote.as_deref()));
        let mut links: Vec<_> = quotes.map(|address| self.here.to_address(address)).collect();
        if own.is_none() {
            links.insert(0, Link::plain("no quote named"));
        }
        Some(Fact::new("Priced at", links))
    }
}

/// Variables as they are set, one after another.
pub(super) fn pairs(variables: &BTreeMap<String, Value>) -> String {
    let pairs = variables.iter().map(|(name, value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    pairs.collect::<Vec<_>>().join(" ")
}
