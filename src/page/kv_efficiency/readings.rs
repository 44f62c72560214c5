//! The chart of the readings that a note's headline is one of; of a note that has none and no cache sizes to draw, the most
//! readings of one kind.

use crate::catalog::Item;
use crate::chart::{Chart, TickStyle};
use crate::compare::{self, Alike};
use crate::formula::latency;
use crate::metric;
use crate::page::figure::{self, Value};
use crate::page::frame::Here;
use crate::quantity::{Better, Quantity, Unit};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{Headline, MeasuredValue, Variant};

use super::{NotePage, name_of};

/// Readings of one kind, each with its label and JSON pointer.
struct Readings<'a> {
    metric: &'a str,
    unit: &'a str,
    better: Better,
    rows: Vec<(String, Quantity, String)>,
}

/// Measured fields of a variant: name, unit, which way is better, value.
type Field = (&'static str, &'static str, Better, fn(&Variant) -> Option<Quantity>);

const FIELDS: [Field; 5] = [
    ("measured_ttft_ms_at_ctx", "ms", Better::Lower, |variant| variant.measured_ttft_ms_at_ctx),
    ("measured_tps_at_ctx", "output tok/s", Better::Higher, |variant| variant.measured_tps_at_ctx),
    ("measured_kv_pool_tokens", "tokens", Better::Higher, |variant| variant.measured_kv_pool_tokens),
    ("measured_kv_pool_gib", "GiB", Better::Neither, |variant| variant.measured_kv_pool_gib),
    ("measured_kv_transfer_ms", "ms", Better::Lower, |variant| variant.measured_kv_transfer_ms),
];

/// The field that a headline calls otherwise.
fn field_of(metric: &str) -> &str {
    match metric {
        "ttft" => "measured_ttft_ms_at_ctx",
        "output_tok_s" => "measured_tps_at_ctx",
        "kv_pool_tokens" => "measured_kv_pool_tokens",
        own => own,
    }
}

/// The field that a headline is, or is computed from.
fn drawn_field_of(metric: &str) -> &str {
    if metric == latency::TTFT_SPEEDUP.id { field_of("ttft") } else { field_of(metric) }
}

/// The headline's reading of the variant that its own is held against, with that one's label, where the two may be
/// compared.
pub(super) fn beside_headline(
    here: &Here,
    item: &Item,
    note: &KvEfficiency,
    headline: &Headline,
) -> Option<(String, String)> {
    let position = note.variants.iter().position(|variant| variant.key == headline.subject)?;
    let at = item.arms.get(position)?.baseline.filter(|at| *at != position)?;
    let baseline = note.variants.get(at)?;
    let of_field = FIELDS
        .into_iter()
        .find(|(name, ..)| *name == field_of(&headline.metric))
        .and_then(|(name, _, _, value)| Some((value(baseline)?, format!("/variants/{at}/{name}"))));
    let of_value = || {
        let is_same = |value: &MeasuredValue| value.name == headline.metric && value.unit == headline.unit;
        let place = baseline.values.iter().position(is_same)?;
        Some((baseline.values[place].value, format!("/variants/{at}/values/{place}/value")))
    };
    let (value, pointer) = of_field.or_else(of_value)?;
    let may = compare::variants(here.site.catalog, item, Alike::Readings, at, position).is_allowed();
    may.then(|| (baseline.label.clone(), item.document.digits(&pointer, value)))
}

impl NotePage<'_> {
    /// The readings that the headline is one of.
    pub(super) fn readings_of_headline(&self) -> Option<Chart> {
        let headline = self.note.headline.as_ref()?;
        let is_of_headline = |kind: &Readings| {
            let is_value = |(_, value, _): &(String, Quantity, String)| *value == headline.value;
            kind.metric == drawn_field_of(&headline.metric)
                || kind.unit == headline.unit && kind.rows.iter().any(is_value)
        };
        self.drawn(self.kinds().into_iter().find(is_of_headline)?)
    }

    /// Those of the kind that there are most of.
    pub(super) fn most_readings(&self) -> Option<Chart> {
        let kinds = self.kinds();
        let most = kinds.iter().map(|kind| kind.rows.len()).max()?;
        self.drawn(kinds.into_iter().find(|kind| kind.rows.len() == most)?)
    }

    fn drawn(&self, readings: Readings) -> Option<Chart> {
        let name = name_of(readings.metric, readings.unit);
        let mut axis = figure::axis(&name, Unit::Number, readings.better, TickStyle::Plain);
        axis.title = format!("{name}, {}", readings.unit);
        let row = |(label, quantity, pointer): (String, Quantity, String)| {
            (label, Value::Number { quantity, unit: Unit::Number, text: self.item.document.digits(&pointer, quantity) })
        };
        let rows = readings.rows.into_iter().map(row).collect();
        figure::bars("chart:readings", name, self.item.address.clone(), axis, rows, None)
    }

    /// Every kind of reading that has no negative ones, in the order of the page.
    fn kinds(&self) -> Vec<Readings<'_>> {
        let variants = || self.note.variants.iter().enumerate();
        let mut kinds = Vec::new();
        for (name, unit, better, value) in FIELDS {
            let rows = variants().filter_map(|(at, variant)| {
                Some((variant.label.clone(), value(variant)?, format!("/variants/{at}/{name}")))
            });
            kinds.push(Readings { metric: name, unit, better, rows: rows.collect() });
        }
        let rates = self.note.hit_rates.iter().enumerate();
        let rates = rates.map(|(at, rate)| (rate.of.clone(), rate.rate_pct, format!("/hit_rates/{at}/rate_pct")));
        kinds.push(Readings { metric: "hit_rate_pct", unit: "%", better: Better::Neither, rows: rates.collect() });
        for (at, variant) in variants() {
            for (position, value) in variant.values.iter().enumerate() {
                let row = (variant.label.clone(), value.value, format!("/variants/{at}/values/{position}/value"));
                let alike = |kind: &&mut Readings| kind.metric == value.name && kind.unit == value.unit;
                match kinds.iter_mut().find(alike) {
                    Some(kind) => kind.rows.push(row),
                    None => {
                        let better = metric::metric(&value.name).map_or(Better::Neither, |metric| metric.better);
                        kinds.push(Readings { metric: &value.name, unit: &value.unit, better, rows: vec![row] });
                    }
                }
            }
        }
        kinds.retain(|kind| !kind.rows.is_empty() && kind.rows.iter().all(|(_, value, _)| value.low() >= 0.0));
        kinds
    }
}
