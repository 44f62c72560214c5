//! Figures of a run record.

use std::sync::Arc;

use super::geometry::{self, Cache};
use super::sheet::{Found, assumed, compute, derived, field, missing};
use super::{Figure, Missing};
use crate::catalog::{Catalog, Item, RECORD};
use crate::compare;
use crate::formula::comparison::is_tie;
use crate::formula::{bandwidth, capacity, comparison, cost, energy, latency, memory};
use crate::metric::Latency;
use crate::quantity::Quantity;
use crate::record::Run;
use crate::record::run::{PowerKind, RunConfig};

/// Formula by formula, config by config.
pub fn figures(catalog: &Catalog, item: &Item, run: &Run) -> Vec<Figure> {
    let sheet = Sheet { catalog, item, run };
    let mut figures = Vec::new();
    figures.push(sheet.kv_bytes_per_token());
    figures.extend(sheet.each(Sheet::ttft_slo_used));
    figures.extend(sheet.each(Sheet::tpot_slo_used));
    figures.extend(sheet.each(Sheet::binding_slo));
    figures.extend(sheet.each(Sheet::tokens_per_joule));
    figures.extend(sheet.each(Sheet::joules_per_token));
    figures.extend(sheet.each(Sheet::throttled));
    figures.extend(sheet.each(Sheet::bandwidth));
    figures.extend(sheet.each(Sheet::bytes_per_output_token));
    figures.extend(sheet.each(Sheet::own_cost));
    figures.extend(sheet.default_costs());
    figures.extend(sheet.each(Sheet::capacity_ratio));
    figures.extend(sheet.each(Sheet::goodput_change));
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    run: &'a Run,
}

/// One config and where it stands.
#[derive(Clone, Copy)]
struct Row<'a> {
    position: usize,
    config: &'a RunConfig,
    anchor: &'a str,
}

impl Row<'_> {
    fn at(&self, name: &str) -> String {
        format!("/configs/{}/{name}", self.position)
    }
}

impl<'a> Sheet<'a> {
    fn each<'s>(&'s self, figure: fn(&'s Sheet<'a>, Row<'s>) -> Figure) -> impl Iterator<Item = Figure> {
        self.rows().map(move |row| figure(self, row))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let subjects = self.item.subjects.iter();
        self.run.configs.iter().zip(subjects).enumerate().map(|(position, (config, subject))| Row {
            position,
            config,
            anchor: &subject.anchor,
        })
    }

    fn field(&self, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
        field(&self.item.document, pointer, value)
    }

    fn goodput(&self, row: Row) -> Found {
        self.field(row.at("goodput_tok_s"), row.config.goodput_tok_s)
    }

    fn power(&self, row: Row) -> Found {
        // Power averaged over anything but the measurement window is another number.
        if self.run.power.as_ref().and_then(|power| power.window.as_ref()).is_none() {
            return Err(Missing::because("the record states no measurement window for its power"));
        }
        self.field(row.at("node_power_kw"), row.config.node_power_kw)
    }

    fn gpus(&self) -> Found {
        self.field("/hardware/count", Some(f64::from(self.run.hardware.count)))
    }

    /// The power boundary that the record names, whatever its field is called, and what is outside of it.
    fn bounded(&self, figure: Figure) -> Figure {
        let kind = self.run.power.as_ref().and_then(|power| power.kind);
        let outside = match kind {
            Some(PowerKind::Board) => "CPU, host memory, network, fans and losses are outside GPU board power",
            Some(PowerKind::Node) => "cooling and distribution are outside node power",
            Some(PowerKind::Wall) => "cooling of the room is outside power at the wall",
            None => "the record does not say what its power covers",
        };
        figure.labelled(PowerKind::words(kind)).limited([outside.to_owned()])
    }

    /// What holds of every figure that rests on goodput.
    fn goodput_limits(&self, row: Row) -> Vec<String> {
        let mut limits = self.accuracy_limits(row);
        limits.push("goodput is taken to count output tokens; the harness does not say".to_owned());
        limits
    }

    fn accuracy_limits(&self, row: Row) -> Vec<String> {
        let suite = |accuracy: &crate::record::run::RunAccuracy| accuracy.suite.as_deref() != Some("none");
        let gated = row.config.accuracy.as_ref().is_some_and(suite) || self.run.accuracy.as_ref().is_some_and(suite);
        if gated { Vec::new() } else { vec!["no accuracy gate was run with this result".to_owned()] }
    }

    fn kv_bytes_per_token(&self) -> Figure {
        let dtype = self.run.spec().text("/model/kv_dtype");
        let pointer = if dtype.is_some() { "/spec/model/kv_dtype" } else { "/model" };
        let element = geometry::element(&self.item.document, pointer, dtype, "the record does not say its KV dtype");
        let cache = match self.item.models.first() {
            Some(named) => Cache::of(self.catalog, named, element),
            None => Err(Missing::because("the record names no model")),
        };
        match cache {
            Ok(cache) => cache.bytes_per_token(RECORD),
            Err(reason) => missing(&memory::KV_BYTES_PER_TOKEN, RECORD, reason.reason),
        }
    }

    /// The limit of a metric, and the config's value at the same percentile.
    fn against_limit(&self, row: Row, metric: &str) -> [Found; 2] {
        let limits = self.run.slo.iter().flatten();
        let limit =
            limits.into_iter().find(|(name, _)| Latency::parse(name).is_some_and(|found| found.metric == metric));
        let Some((name, limit)) = limit else {
            let none = Err(Missing::because(format!("the record sets no {} limit", metric.to_uppercase())));
            return [none.clone(), none];
        };
        [self.field(row.at(name), row.config.latency_ms(name)), self.field(format!("/slo/{name}"), Some(*limit))]
    }

    fn ttft_slo_used(&self, row: Row) -> Figure {
        compute(&latency::TTFT_SLO_USED_PCT, row.anchor, self.against_limit(row, "ttft"))
    }

    fn tpot_slo_used(&self, row: Row) -> Figure {
        compute(&latency::TPOT_SLO_USED_PCT, row.anchor, self.against_limit(row, "tpot"))
    }

    fn binding_slo(&self, row: Row) -> Figure {
        let shares = [self.ttft_slo_used(row), self.tpot_slo_used(row)];
        compute(&latency::BINDING_SLO, row.anchor, shares.map(|share| derived(&Arc::new(share))))
    }

    fn tokens_per_joule(&self, row: Row) -> Figure {
        let figure = compute(&energy::GOODPUT_TOK_PER_J, row.anchor, [self.goodput(row), self.power(row)]);
        self.bounded(figure).limited(self.goodput_limits(row))
    }

    fn joules_per_token(&self, row: Row) -> Figure {
        let figure = compute(&energy::ENERGY_J_PER_OUTPUT_TOKEN, row.anchor, [self.power(row), self.goodput(row)]);
        self.bounded(figure).limited(self.goodput_limits(row))
    }

    fn throttled(&self, row: Row) -> Figure {
        let samples = match row.config.throttle_counts.as_ref() {
            None => self.field(row.at("throttle_counts"), None::<f64>),
            Some(counts) => match counts.iter().collect::<Vec<_>>()[..] {
                [(reason, count)] => self.field(row.at(&format!("throttle_counts/{reason}")), Some(*count as f64)),
                // One sample may give several reasons, so their sum is only the upper end.
                _ => {
                    let most = counts.values().max().copied().unwrap_or(0) as f64;
                    let sum = counts.values().fold(0u64, |sum, count| sum.saturating_add(*count)) as f64;
                    self.field(row.at("throttle_counts"), Some(Quantity::between(most, sum)))
                }
            },
        };
        let window = self.run.spec().number("/measurement/window_s");
        let no_denominator = || Missing::because("no denominator: window, sampling rate or repeats are not stated");
        let window = self.field("/spec/measurement/window_s", window).map_err(|_| no_denominator());
        let sampling = self.run.power.as_ref().and_then(|power| power.sampling_hz);
        let sampling = self.field("/power/sampling_hz", sampling).map_err(|_| no_denominator());
        let repeats = self.field(row.at("repeats"), row.config.repeats.map(f64::from)).map_err(|_| no_denominator());
        let repeats = repeats.map(|fact| {
            let reason = "that every repeat was sampled over the whole window is assumed";
            assumed(&fact.document, fact.pointer, fact.quantity.low(), reason)
        });
        let samples_of = |found: &Found| found.as_ref().ok().map(|fact| fact.quantity);
        let total = match (samples_of(&window), samples_of(&sampling), samples_of(&repeats)) {
            (Some(window), Some(sampling), Some(repeats)) => {
                let total = window * sampling * repeats;
                vec![format!("of {} samples", crate::quantity::significant(total.low()))]
            }
            _ => Vec::new(),
        };
        compute(&energy::THROTTLED_PCT, row.anchor, [samples, window, sampling, repeats]).remarked(total)
    }

    fn bandwidth(&self, row: Row) -> Figure {
        let rated = self.run.hardware.rated_bw_tbs_per_gpu;
        let facts = [
            self.field(row.at("mbu_pct"), row.config.mbu_pct),
            self.field("/hardware/rated_bw_tbs_per_gpu", rated),
            self.gpus(),
        ];
        compute(&bandwidth::ACHIEVED_BANDWIDTH_TB_S, row.anchor, facts)
    }

    fn bytes_per_output_token(&self, row: Row) -> Figure {
        let bandwidth = Arc::new(self.bandwidth(row));
        compute(&bandwidth::BYTES_PER_OUTPUT_TOKEN, row.anchor, [derived(&bandwidth), self.goodput(row)])
            .limited(self.goodput_limits(row))
    }

    /// Cost at the quote that the record's tier names.
    fn own_cost(&self, row: Row) -> Figure {
        let Some((price_item, price)) = self.item.price.as_deref().and_then(|address| self.catalog.price(address))
        else {
            return missing(&cost::USD_PER_MTOK_OUTPUT, row.anchor, "the record names no price quote");
        };
        let usd = field(&price_item.document, "/usd_per_gpu_hour", Some(price.usd_per_gpu_hour));
        compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [usd, self.gpus(), self.goodput(row)])
            .labelled(format!("at {}", price_item.title()))
            .limited(self.goodput_limits(row))
    }

    /// Cost at the site's default quote, where it is another one for the same card.
    fn default_costs(&self) -> Vec<Figure> {
        let Some(address) = self.catalog.site.default_price.as_deref() else { return Vec::new() };
        let Some((price_item, price)) = self.catalog.price(address) else { return Vec::new() };
        let card = self.item.cards.first().and_then(|card| card.entry());
        if self.item.price.as_deref() == Some(address) || card != Some(price.accelerator.as_str()) {
            return Vec::new();
        }
        let own = self.item.price.as_deref().and_then(|own| self.catalog.price(own)).map(|(_, own)| own);
        let mismatch = match own {
            Some(own) if own.tier != price.tier => {
                format!("{} tier; the record names the {} tier", price.tier, own.tier)
            }
            Some(_) => "another quote of the same tier".to_owned(),
            None => "the record names no tier".to_owned(),
        };
        let figure = |row: Row| {
            let reason =
                format!("the site's default quote ({} {}, {}) is assumed", price.provider, price.tier, price.date);
            let usd = assumed(&price_item.document, "/usd_per_gpu_hour", price.usd_per_gpu_hour, reason);
            compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [Ok(usd), self.gpus(), self.goodput(row)])
                .at_quote(address)
                .labelled(format!("at {}", price_item.title()))
                .remarked([mismatch.clone()])
                .limited(self.goodput_limits(row))
        };
        self.rows().map(figure).collect()
    }

    /// The baseline's row, or why a change against it is not shown.
    fn baseline(&self, row: Row) -> Result<(Row<'_>, Vec<String>), String> {
        let baseline = self.item.baseline.and_then(|position| self.rows().nth(position));
        let Some(baseline) = baseline else { return Err("the record has no baseline".to_owned()) };
        if baseline.position == row.position {
            return Err("this is the baseline".to_owned());
        }
        let comparison = compare::configs_of_run(self.item, baseline.position, row.position);
        if comparison.is_allowed() {
            Ok((baseline, comparison.varied))
        } else {
            Err(format!("not comparable: {}", comparison.forbidding.join("; ")))
        }
    }

    fn capacity(&self, row: Row) -> Found {
        let observed = self.item.observation(row.anchor, "capacity_rps");
        match (observed, &self.item.note) {
            (Some((position, observation)), Some(attached)) => {
                field(&attached.document, format!("/observations/{position}/value"), Some(observation.value))
            }
            _ => Err(Missing::because("no capacity in requests per second is stated")),
        }
    }

    fn capacity_ratio(&self, row: Row) -> Figure {
        match self.baseline(row) {
            Ok((baseline, varied)) => {
                let facts = [self.capacity(row), self.capacity(baseline)];
                let figure = compute(&capacity::CAPACITY_RATIO, row.anchor, facts);
                if figure.outcome.is_ok() { figure.remarked(varied) } else { figure }
            }
            Err(reason) => missing(&capacity::CAPACITY_RATIO, row.anchor, reason),
        }
    }

    fn goodput_change(&self, row: Row) -> Figure {
        let (baseline, varied) = match self.baseline(row) {
            Ok(found) => found,
            Err(reason) => return missing(&comparison::GOODPUT_CHANGE_PCT, row.anchor, reason),
        };
        let figure = compute(&comparison::GOODPUT_CHANGE_PCT, row.anchor, [self.goodput(row), self.goodput(baseline)]);
        let band = self.run.variance_band_pct;
        let tie = figure.quantity().zip(band).filter(|(change, band)| is_tie(*change / 100.0 + 1.0, *band));
        let mut figure = figure.remarked(varied).limited(self.goodput_limits(row));
        if let Some((_, band)) = tie {
            figure.tie = true;
            figure.remarks.push(format!("a tie inside ±{band}%"));
        }
        figure
    }
}

/// A measured value with the spread between repeats around it; exact where no band is stated.
pub fn with_band(value: f64, band_pct: Option<f64>) -> Quantity {
    match band_pct {
        Some(band) => Quantity::exact(value) * Quantity::between(1.0 - band / 100.0, 1.0 + band / 100.0),
        None => Quantity::exact(value),
    }
}
