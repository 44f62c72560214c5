//! Figures of a run record.

mod accuracy;
mod capacity;
mod change;
mod cost;
mod energy;
mod latency;
mod requests;
mod uncertainty;

use super::geometry::{self, Cache};
use super::sheet::{self, Found, field, missing};
use super::{Figure, Missing};
use crate::catalog::{Catalog, Item, RECORD};
use crate::formula::memory;
use crate::quantity::Quantity;
use crate::record::Run;
use crate::record::run::RunConfig;
use crate::record::sweep::Sweep;

/// One config and where it stands.
type Row<'a> = sheet::Row<'a, RunConfig>;

/// Formula by formula, config by config.
pub fn figures(catalog: &Catalog, item: &Item, run: &Run) -> Vec<Figure> {
    let sheet = Sheet { catalog, item, run, sweeps: run.sweeps() };
    let mut figures = Vec::new();
    figures.push(sheet.kv_bytes_per_token());
    figures.extend(sheet.each(Sheet::ttft_slo_used));
    figures.extend(sheet.each(Sheet::tpot_slo_used));
    figures.extend(sheet.each(Sheet::binding_slo));
    figures.extend(sheet.per_user_speeds());
    figures.extend(sheet.each(Sheet::tokens_per_joule));
    figures.extend(sheet.each(Sheet::joules_per_token));
    figures.extend(sheet.each(Sheet::throttled));
    figures.extend(sheet.each(Sheet::bandwidth));
    figures.extend(sheet.each(Sheet::bytes_per_output_token));
    figures.extend(sheet.each(Sheet::own_cost));
    figures.extend(sheet.default_costs());
    figures.extend(sheet.requests());
    figures.extend(sheet.delivered_shares());
    figures.extend(sheet.rows().filter_map(|row| sheet.output_per_request(row)));
    figures.extend(sheet.rows().filter_map(|row| sheet.mean_of_iterations(row)));
    figures.extend(sheet.brackets());
    figures.extend(sheet.costs_over_brackets());
    figures.extend(sheet.each(Sheet::capacity_ratio));
    figures.extend(sheet.each(Sheet::goodput_band));
    figures.extend(sheet.search());
    figures.extend(sheet.each(Sheet::uncertainty));
    figures.extend(sheet.each(Sheet::goodput_change));
    figures.extend(sheet.each(Sheet::goodput_lead));
    figures.extend(sheet.accuracy());
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    run: &'a Run,
    /// The steps of each config.
    sweeps: Vec<Sweep<'a>>,
}

impl<'a> Sheet<'a> {
    fn each<'s>(&'s self, figure: fn(&'s Sheet<'a>, Row<'s>) -> Figure) -> impl Iterator<Item = Figure> {
        self.rows().map(move |row| figure(self, row))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        sheet::rows(&self.run.configs, self.item)
    }

    fn field(&self, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
        field(&self.item.document, pointer, value)
    }

    fn goodput(&self, row: Row) -> Found {
        self.field(row.at("goodput_tok_s"), row.config.goodput_tok_s)
    }

    fn gpus(&self) -> Found {
        self.field("/hardware/count", Some(f64::from(self.run.hardware.count)))
    }

    /// What holds of every figure that rests on goodput.
    fn goodput_limits(&self, row: Row) -> Vec<String> {
        let mut limits = self.accuracy_limits(row);
        limits.extend(self.unfinished(row));
        limits.push("goodput is taken to count output tokens; the harness does not say".to_owned());
        limits
    }

    fn accuracy_limits(&self, row: Row) -> Vec<String> {
        if self.run.is_gated(row.config) {
            Vec::new()
        } else {
            vec!["no accuracy gate was run with this result".to_owned()]
        }
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
}
