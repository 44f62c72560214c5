//! Power, clock limits and memory traffic of a config.

use std::sync::Arc;

use super::cost::of_passing;
use super::throughput::says_total;
use super::{Row, Sheet};
use crate::figures::sheet::{Found, above_zero, assumed, compute, derived, field};
use crate::figures::{Figure, Missing};
use crate::formula::{Formula, bandwidth, energy};
use crate::quantity::{Quantity, Unit, plain};
use crate::record::run::PowerKind;

impl Sheet<'_> {
    pub(super) fn power(&self, row: Row) -> Found {
        // Power averaged over anything but the measurement window is another number.
        if self.run.power.as_ref().and_then(|power| power.window.as_ref()).is_none() {
            return Err(Missing::because("the record states no measurement window for its power"));
        }
        self.field(row.at("node_power_kw"), row.config.node_power_kw)
    }

    /// The power boundary that the record names, whatever its field is called, and what is outside of it.
    pub(super) fn bounded(&self, figure: Figure) -> Figure {
        let kind = self.run.power.as_ref().and_then(|power| power.kind);
        let outside = match kind {
            Some(PowerKind::Board) => "CPU, host memory, network, fans and losses are outside GPU board power",
            Some(PowerKind::Node) => "cooling and distribution are outside node power",
            Some(PowerKind::Wall) => "cooling of the room is outside power at the wall",
            None => "the record does not say what its power covers",
        };
        figure.labelled(PowerKind::words(kind)).limited([outside.to_owned()])
    }

    /// A figure of energy and output tokens, with what holds of both.
    fn energy<const N: usize>(&self, formula: &'static Formula, row: Row, facts: [Found; N]) -> Figure {
        self.bounded(of_passing(formula, row, facts)).limited(self.output_limits(row))
    }

    pub(super) fn tokens_per_joule(&self, row: Row) -> Figure {
        self.energy(&energy::GOODPUT_TOK_PER_J, row, [above_zero(self.output_rate(row)), self.power(row)])
    }

    pub(super) fn tokens_per_watt_hour(&self, row: Row) -> Figure {
        let per_joule = Arc::new(self.tokens_per_joule(row));
        self.energy(&energy::OUTPUT_TOK_PER_WH, row, [derived(&per_joule)])
    }

    pub(super) fn joules_per_token(&self, row: Row) -> Figure {
        self.energy(&energy::ENERGY_J_PER_OUTPUT_TOKEN, row, [self.power(row), above_zero(self.output_rate(row))])
    }

    /// Where some config says how many tokens of both kinds there were.
    pub(super) fn joules_per_total_token(&self) -> Vec<Figure> {
        let figure = |row: Row| {
            let facts = [self.power(row), above_zero(self.total_rate(row))];
            let figure = compute(&energy::ENERGY_J_PER_TOTAL_TOKEN, row.anchor, facts);
            self.bounded(figure).limited(self.rate_limits(row))
        };
        if self.any(says_total) { self.rows().map(figure).collect() } else { Vec::new() }
    }

    /// Where the site has a price of electricity.
    pub(super) fn electricity(&self) -> Vec<Figure> {
        let Some(price) = self.catalog.site.electricity_usd_per_kwh else { return Vec::new() };
        let figure = |row: Row| {
            let joules = Arc::new(self.joules_per_token(row));
            let price_fact = field(&self.catalog.settings, "/electricity_usd_per_kwh", Some(price));
            let facts = [derived(&joules), price_fact];
            let figure = self.energy(&energy::ELECTRICITY_USD_PER_MTOK_OUTPUT, row, facts);
            figure.labelled(format!("at {}, the site's price", Unit::UsdPerKwh.show(price.into())))
        };
        self.rows().map(figure).collect()
    }

    pub(super) fn throttled(&self, row: Row) -> Figure {
        let total = self.run.power_samples(row.config);
        let samples = self.throttled_samples(row, total);
        let no_denominator = || Missing::because(format!("no denominator: {}", self.not_sampled(row)));
        let window = self.run.spec().number("/measurement/window_s");
        let window = self.field("/spec/measurement/window_s", window).map_err(|_| no_denominator());
        let sampling = self.run.power.as_ref().and_then(|power| power.sampling_hz);
        let sampling = self.field("/power/sampling_hz", sampling).map_err(|_| no_denominator());
        let repeats = self.field(row.at("repeats"), row.config.repeats.map(f64::from)).map_err(|_| no_denominator());
        let repeats = repeats.map(|fact| {
            let reason = "that every repeat was sampled over the whole window is assumed";
            assumed(&fact.document, fact.pointer, fact.quantity, reason)
        });
        let of = total.map(|total| format!("of {} samples", plain(total.into())));
        compute(&energy::THROTTLED_PCT, row.anchor, [samples, window, sampling, repeats]).remarked(of)
    }

    /// Samples with a clock limit, of `total` where that is known.
    fn throttled_samples(&self, row: Row, total: Option<f64>) -> Found {
        let Some(counts) = row.config.throttle_counts.as_ref() else {
            return self.field(row.at("throttle_counts"), None::<f64>);
        };
        let most = counts.values().max().copied().unwrap_or(0) as f64;
        if let Some(total) = total.filter(|total| most > *total) {
            let (most, total) = (plain(most.into()), plain(total.into()));
            return Err(Missing::because(format!("{most} samples are counted of {total} that were taken")));
        }
        if let [(reason, count)] = counts.iter().collect::<Vec<_>>()[..] {
            return self.field(row.at(&format!("throttle_counts/{reason}")), Some(*count as f64));
        }
        // One sample may give several reasons, so their sum is only the upper end, and all samples are the highest.
        let sum = counts.values().fold(0u64, |sum, count| sum.saturating_add(*count)) as f64;
        let sum = total.map_or(sum, |total| sum.min(total));
        self.field(row.at("throttle_counts"), Some(Quantity::between(most, sum)))
    }

    /// What the number of samples would need and the record does not state.
    fn not_sampled(&self, row: Row) -> String {
        let power = self.run.power.as_ref();
        let mut lacking = Vec::new();
        if self.run.spec().number("/measurement/window_s").is_none() {
            lacking.push(match power.and_then(|power| power.window.as_ref()) {
                Some(_) => "the window as a number (the record has it in words alone)",
                None => "the window",
            });
        }
        lacking.extend(power.and_then(|power| power.sampling_hz).is_none().then_some("the sampling rate"));
        lacking.extend(row.config.repeats.is_none().then_some("the repeats"));
        match &lacking[..] {
            [one] => format!("{one} is not stated"),
            several => format!("{} are not stated", several.join(", ")),
        }
    }

    pub(super) fn bandwidth(&self, row: Row) -> Figure {
        let rated = self.run.hardware.rated_bw_tbs_per_gpu;
        let facts = [
            self.field(row.at("mbu_pct"), row.config.mbu_pct),
            self.field("/hardware/rated_bw_tbs_per_gpu", rated),
            self.gpus(),
        ];
        compute(&bandwidth::ACHIEVED_BANDWIDTH_TB_S, row.anchor, facts)
    }

    pub(super) fn bytes_per_output_token(&self, row: Row) -> Figure {
        let bandwidth = Arc::new(self.bandwidth(row));
        compute(
            &bandwidth::BYTES_PER_OUTPUT_TOKEN,
            row.anchor,
            [derived(&bandwidth), above_zero(self.output_rate(row))],
        )
        .limited(self.output_limits(row))
    }
}
