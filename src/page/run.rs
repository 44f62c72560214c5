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
use crate::quantity::Unit;
use crate::record::run::{PowerKind, RunConfig};
use crate::record::{Requests, Run, variables};
use crate::source::Kind;

use super::accuracy;
use super::evidence;
use super::frame::{Here, Link, checkpoint};
use super::part::Strand;
use super::record::{self, Body, Fact, long_date, provenance};
use super::{derived, reproduce, steps};
use table::CONFIG_ROWS;

pub fn body(here: &Here, item: &Item, run: &Run) -> Body {
    let page = RunPage { here, item, run };
    Body {
        finding_price: None,
        finding: page.finding(),
        summary: run.summary.clone(),
        facts: page.facts(),
        figures: record::first(here, item, page.charts()),
        method: page.method(),
        spec: Some(page.spec()),
        reproduce: run.reproduce.as_deref().map(reproduce::commands),
    }
}

pub fn strands<'a>(here: &'a Here, item: &'a Item, run: &'a Run) -> Vec<Strand<'a>> {
    let page = RunPage { here, item, run };
    let rates = page.by_hit_rate();
    let observations = item.note.as_ref().map_or(0, |note| note.note.observations.len());
    let apart = here.site.has_figures_apart(&item.address);
    vec![
        Strand::new(run.configs.len(), CONFIG_ROWS, move |range| page.tables(range)).weighing(derived::weights(
            here,
            item,
            CONFIG_ROWS,
        )),
        derived::prices(here, item).later(apart),
        Strand::new(rates.len(), 1, move |range| vec![page.bought(&rates[range])]).later(apart),
        Strand::new(observations, 1, move |range| page.observations(range).into_iter().collect()).later(apart),
        steps::strand(here, item, run.sweeps()),
        record::rest(here, item, page.charts()),
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

    /// Why a config is shown and not ranked.
    fn unranked(&self, position: usize) -> Option<&'a str> {
        let subject = self.item.subjects.get(position)?;
        self.here.site.figures.unranked(&self.item.address, &subject.anchor)
    }

    fn label(&self, position: usize) -> &str {
        self.item.label(position)
    }

    fn stated(&self, pointer: &str, unit: Unit, value: f64) -> String {
        self.item.document.stated(pointer, unit, value.into())
    }

    fn written(&self, position: usize, field: &str, value: f64) -> String {
        self.item.document.digits(&format!("/configs/{position}/{field}"), value.into())
    }

    /// The largest improvement on the baseline that is no tie, else the best value; of configs that are ranked.
    fn finding(&self) -> String {
        let changes = (0..self.run.configs.len()).filter_map(|position| {
            let figure = self.figure(position, &comparison::GOODPUT_CHANGE_PCT)?;
            (figure.judgement() == Some("better")).then_some((position, figure, figure.quantity()?.middle()))
        });
        let largest = changes.max_by(|one, other| one.2.abs().total_cmp(&other.2.abs()));
        if let (Some((position, figure, _)), Some(baseline)) = (largest, self.item.baseline) {
            let goodput = self.run.configs.get(position).and_then(|config| config.goodput_tok_s);
            let value = goodput.map(|goodput| self.written(position, "goodput_tok_s", goodput)).unwrap_or_default();
            let remarks =
                if figure.remarks.is_empty() { String::new() } else { format!(" ({})", figure.remarks.join("; ")) };
            let tie = self.tie(position).map(|tie| format!("; its {tie}")).unwrap_or_default();
            return format!(
                "{} delivers {value} output tok/s{} on {} with “{}”, {} against “{}”{remarks}{tie}{}.",
                self.model(),
                self.within(),
                self.cards(),
                self.label(position),
                figure.shown(),
                self.label(baseline),
                self.lost(),
            );
        }
        let best = |rate: fn(&RunConfig) -> Option<f64>| {
            let rates = self.run.configs.iter().enumerate().filter_map(|(at, config)| Some((at, rate(config)?)));
            // One that is not ranked stands here only where none is.
            let unranked = |position| self.unranked(position).is_some();
            rates.max_by(|one, other| unranked(other.0).cmp(&unranked(one.0)).then(one.1.total_cmp(&other.1)))
        };
        let of_run = |position, field, rate, within: &str| {
            let value = self.written(position, field, rate);
            let rest = match self.unranked(position) {
                Some(reason) => format!("; not ranked: {reason}"),
                None if self.run.has_slo() && field == "goodput_tok_s" => {
                    let tie = self.tie(position).map(|tie| format!("; its {tie}"));
                    tie.or_else(|| self.as_high(position)).unwrap_or_default()
                }
                None if self.run.has_slo() => ", not known to be within the SLO".to_owned(),
                None => "; no SLO is set".to_owned(),
            };
            format!(
                "{} delivers {value} output tok/s{within} on {} with “{}”{rest}{}.",
                self.model(),
                self.cards(),
                self.label(position),
                self.lost()
            )
        };
        // Where no repeat met the SLO, what was delivered was not within it.
        let within = |position: usize| match self.run.configs.get(position).and_then(RunConfig::none_passed) {
            Some(_) => "",
            None if self.run.configs.get(position).is_some_and(|config| self.run.over_limit(config).is_some()) => "",
            None => self.within(),
        };
        match (
            best(|config| config.goodput_tok_s.filter(|rate| *rate > 0.0)),
            best(|config| config.output_tok_s),
            &self.run.configs[..],
        ) {
            (Some((position, rate)), ..) => of_run(position, "goodput_tok_s", rate, within(position)),
            (None, Some((position, rate)), _) => of_run(position, "output_tok_s", rate, " in all"),
            (None, None, [RunConfig { failed: Some(reason), .. }]) => {
                format!("The run of {} on {} failed: {}.", self.model(), self.cards(), reason.trim_end_matches('.'))
            }
            _ => format!(
                "No throughput of {} on {} is stated, in {}{}.",
                self.model(),
                self.cards(),
                counted(self.run.configs.len(), "config"),
                self.lost()
            ),
        }
    }

    fn model(&self) -> &str {
        checkpoint(&self.run.model.name)
    }

    fn cards(&self) -> String {
        let hardware = &self.run.hardware;
        self.here.cards(self.item, hardware.count, &hardware.accelerator)
    }

    /// The lead of a config where it is none to speak of: `+5.8% over “B” is a tie inside ±7.5%`.
    fn tie(&self, position: usize) -> Option<String> {
        let lead = self.figure(position, &comparison::GOODPUT_LEAD_PCT).filter(|lead| lead.tie)?;
        Some(format!("{} {} is {}", lead.shown(), lead.remarks.first()?, lead.remarks.last()?))
    }

    /// That another ranked config has the same goodput: `; “B” delivers as much`.
    fn as_high(&self, position: usize) -> Option<String> {
        let goodput = |at: usize| self.run.configs.get(at).and_then(|config| config.goodput_tok_s);
        let is_as_high =
            |at: &usize| *at != position && self.unranked(*at).is_none() && goodput(*at) == goodput(position);
        let all: Vec<_> = (0..self.run.configs.len()).filter(is_as_high).collect();
        match &all[..] {
            [] => None,
            [other] => Some(format!("; “{}” delivers as much", self.label(*other))),
            several => Some(format!("; {} others deliver as much", several.len())),
        }
    }

    /// What goodput is within: a record that sets no limit does not say.
    fn within(&self) -> &'static str {
        if self.run.has_slo() { " within the SLO" } else { " of goodput" }
    }

    /// Requests that did not come through, in words that go wherever the finding goes.
    fn lost(&self) -> String {
        let configs = self.run.configs.iter().enumerate();
        let lost = configs.filter(|(_, config)| config.requests.as_ref().is_some_and(Requests::any_unfinished));
        let lost: Vec<_> = lost.map(|(position, config)| (position, self.ends(position, config))).collect();
        let lost = match &lost[..] {
            [] => String::new(),
            [(position, ends)] => format!("; of “{}” {ends}", self.label(*position)),
            several => format!(
                "; requests did not complete in {} of {}",
                several.len(),
                counted(self.run.configs.len(), "config")
            ),
        };
        format!("{}{lost}", self.without_goodput())
    }

    /// Configs that gave nothing within the SLO: that is a failure, which no change in percent says.
    fn without_goodput(&self) -> String {
        let none = if self.run.has_slo() { "no output within the SLO" } else { "no goodput" };
        let configs = self.run.configs.iter().enumerate();
        let failed: Vec<_> = configs.filter(|(_, config)| config.goodput_tok_s == Some(0.0)).collect();
        match &failed[..] {
            [] => String::new(),
            [(position, _)] => format!("; {none} with “{}”", self.label(*position)),
            several => {
                format!("; {none} in {} of {}", several.len(), counted(self.run.configs.len(), "config"))
            }
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
        let rated = run.hardware.rated_bw_tbs_per_gpu;
        let bandwidth = rated.map(|rated| self.stated("/hardware/rated_bw_tbs_per_gpu", Unit::TbPerSecond, rated));
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
        let limits = run.slo.as_ref().map(|slo| here.limits(&self.item.document, slo)).unwrap_or_default();
        facts.push(Fact::new("SLO", if limits.is_empty() { vec![Link::plain("no SLO set")] } else { limits }));
        facts.push(Fact::new("Power", vec![Link::plain(self.power())]));
        facts.extend(text("Power window", run.power.as_ref().and_then(|power| power.window.as_deref())));
        facts.extend(self.repeats());
        facts.push(Fact::new("Accuracy gate", vec![Link::plain(self.gate())]));
        facts.extend(evidence::fact(here, self.item));
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
        let sampling = power.sampling_hz.map(|rate| self.stated("/power/sampling_hz", Unit::Hertz, rate));
        let sampling = sampling.map(|rate| format!("sampled at {rate}"));
        [Some(kind.to_owned()), source.map(str::to_owned), sampling]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// How often each config was measured, and how often it met the SLO.
    fn repeats(&self) -> Option<Fact> {
        let mut words = Vec::new();
        words.extend(self.run.runs.map(|runs| counted(runs as usize, "run")));
        words.extend(self.run.variance_band_pct.map(|band| {
            let band = self.stated("/variance_band_pct", Unit::Percent, band);
            format!("variance band ±{band}")
        }));
        words.extend(self.passes());
        (!words.is_empty()).then(|| Fact::new("Repeats and passes", words.into_iter().map(Link::plain).collect()))
    }

    /// In how many of its repeats each config met the SLO; once where all are alike.
    fn passes(&self) -> Vec<String> {
        let words = |config: &RunConfig| match (config.slo_pass_count, config.repeats) {
            (Some(passed), Some(repeats)) => format!("SLO met in {passed} of {}", counted(repeats as usize, "repeat")),
            (Some(passed), None) => {
                format!("SLO met in {}, of a number not stated", counted(passed as usize, "repeat"))
            }
            (None, Some(repeats)) => format!("{}, passes not stated", counted(repeats as usize, "repeat")),
            (None, None) => "repeats and passes not stated".to_owned(),
        };
        let each: Vec<_> = self.run.configs.iter().map(words).collect();
        match each.first() {
            Some(first) if each.iter().all(|other| other == first) => vec![format!("{first}, each config")],
            _ => each.iter().enumerate().map(|(at, words)| format!("{}: {words}", self.label(at))).collect(),
        }
    }

    fn gate(&self) -> String {
        accuracy::gate(&self.item.document, self.run.accuracy.as_ref())
    }

    /// The record's own quote, and the others at which its costs stand too.
    fn prices(&self) -> Option<Fact> {
        let own = self.item.price.as_deref();
        let totals = self.here.site.figures.of(&self.item.address).iter();
        let others = totals.filter(|figure| figure.formula.id == cost::USD_PER_HOUR.id);
        let quotes = own.into_iter().chain(others.filter_map(|figure| figure.quote.as_deref()));
        let mut links: Vec<_> = quotes.map(|address| self.here.to_address(address)).collect();
        if let Some((stated, document)) = self.item.stated_price() {
            let href = self.here.to_source(document, &format!("/price/{}", stated.hour.field()));
            links.insert(0, Link { text: stated.hour.words(document, "/price"), href: Some(href) });
        } else if own.is_none() {
            links.insert(0, Link::plain("no quote named"));
        }
        Some(Fact::new("Priced at", links))
    }
}

/// Variables as they are set, one after another.
pub(super) fn pairs(environment: &BTreeMap<String, Value>) -> String {
    if environment.is_empty() {
        return "none set".to_owned();
    }
    let pairs = environment.iter().map(|(name, value)| variables::set_to(name, value));
    pairs.collect::<Vec<_>>().join(" ")
}
