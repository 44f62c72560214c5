//! The chart of a note that has no cache sizes to draw: the readings that its headline is of, else the most of one kind.

use crate::chart::{Chart, TickStyle};
use crate::metric;
use crate::page::figure::{self, Value};
use crate::quantity::{Better, Quantity, Unit};
use crate::record::kv_efficiency::Variant;

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

impl NotePage<'_> {
    pub(super) fn readings(&self) -> Option<Chart> {
        let kinds = self.kinds();
        let is_of_headline = |kind: &Readings| {
            let headline = self.note.headline.as_ref();
            headline.is_some_and(|headline| {
                kind.metric == headline.metric || kind.rows.iter().any(|(_, value, _)| *value == headline.value)
            })
        };
        let most = kinds.iter().map(|kind| kind.rows.len()).max()?;
        let of_headline = kinds.iter().position(is_of_headline);
        let at = of_headline.or_else(|| kinds.iter().position(|kind| kind.rows.len() == most))?;
        let readings = kinds.into_iter().nth(at)?;
        let name = name_of(readings.metric);
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
