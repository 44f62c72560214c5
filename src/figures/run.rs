//! Figures of a run record.

mod accuracy;
mod capacity;
mod change;
mod cost;
mod energy;
mod fleet;
mod latency;
mod lead;
mod requests;
mod throughput;
mod uncertainty;

use super::decode_floor;
use super::geometry::{self, Cache};
use super::price::{self, Price};
use super::sheet::{self, Found, field, missing};
use super::{Fact, Figure, Missing};
use crate::catalog::{Catalog, Item, RECORD};
use crate::compare::{self, Part, Setting};
use crate::formula::memory;
use crate::quantity::Quantity;
use crate::record::Run;
use crate::record::run::RunConfig;
use crate::record::sweep::Sweep;

/// One config and where it stands.
type Row<'a> = sheet::Row<'a, RunConfig>;

/// Formula by formula, config by config.
pub fn figures(catalog: &Catalog, item: &Item, run: &Run) -> Vec<Figure> {
    let sheet = Sheet::new(catalog, item, run);
    let mut figures = Vec::new();
    figures.push(sheet.kv_bytes_per_token());
    figures.extend(sheet.each(Sheet::ttft_slo_used));
    figures.extend(sheet.each(Sheet::tpot_slo_used));
    figures.extend(sheet.other_slo_used());
    figures.extend(sheet.each(Sheet::binding_slo));
    figures.extend(sheet.per_user_speeds());
    figures.extend(sheet.throughput());
    figures.extend(sheet.each(Sheet::tokens_per_joule));
    figures.extend(sheet.each(Sheet::tokens_per_watt_hour));
    figures.extend(sheet.each(Sheet::joules_per_token));
    figures.extend(sheet.joules_per_total_token());
    figures.extend(sheet.electricity());
    figures.extend(sheet.each(Sheet::throttled));
    figures.extend(sheet.each(Sheet::bandwidth));
    figures.extend(sheet.each(Sheet::bytes_per_output_token));
    figures.push(sheet.decode_floor());
    figures.extend(sheet.fleet());
    figures.extend(sheet.costs());
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
    figures.extend(sheet.goodput_leads());
    sheet.limit_to_gate(&mut figures);
    figures.extend(sheet.accuracy());
    let unranked = sheet.rows().filter_map(|row| Some((row.anchor, sheet.unranked(row)?)));
    sheet::set_aside(&mut figures, &unranked.collect());
    figures
}

pub(super) const GOODPUT_TOKENS: &str = "goodput is taken to count output tokens; the harness does not say";

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    run: &'a Run,
    /// What each config was measured on and how, as the record itself has it.
    settings: Vec<Setting>,
    /// Parts in which configs differ on purpose.
    varies: Vec<Part>,
    /// The steps of each config.
    sweeps: Vec<Sweep<'a>>,
    prices: Vec<Price>,
}

impl<'a> Sheet<'a> {
    fn new(catalog: &'a Catalog, item: &'a Item, run: &'a Run) -> Self {
        let mut sheet = Sheet {
            catalog,
            item,
            run,
            settings: (0..run.configs.len()).filter_map(|at| Setting::of_record(catalog, item, at)).collect(),
            varies: compare::varies(catalog, item),
            sweeps: run.sweeps(),
            prices: Vec::new(),
        };
        sheet.prices = price::prices(catalog, item, &sheet.gpus());
        sheet
    }

    fn each<'s>(&'s self, figure: fn(&'s Sheet<'a>, Row<'s>) -> Figure) -> impl Iterator<Item = Figure> {
        self.rows().map(move |row| figure(self, row))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        sheet::rows(&self.run.configs, self.item)
    }

    fn row(&self, position: usize) -> Option<Row<'_>> {
        let (config, subject) = (self.run.configs.get(position)?, self.item.subjects.get(position)?);
        Some(Row { position, config, anchor: &subject.anchor })
    }

    fn field(&self, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
        field(&self.item.document, pointer, value)
    }

    fn goodput(&self, row: Row) -> Found {
        let found = self.field(row.at("goodput_tok_s"), row.config.goodput_tok_s)?;
        Ok(Fact { assumed: Some(GOODPUT_TOKENS.to_owned()), ..found })
    }

    fn gpus(&self) -> Found {
        self.field("/hardware/count", Some(f64::from(self.run.hardware.count)))
    }

    /// What holds of every figure that rests on a rate of the config.
    fn rate_limits(&self, row: Row) -> Vec<String> {
        let mut limits = self.accuracy_limits(row);
        limits.extend(self.unfinished(row));
        limits.extend(self.run.slo_on_too_few_requests(row.config));
        limits
    }

    /// Says of every number of a config whether its accuracy was checked.
    fn limit_to_gate(&self, figures: &mut [Figure]) {
        let gates = self.run.gates();
        let limits = self.rows().filter_map(|row| Some((row.anchor, gates.of(row.position).limit()?)));
        sheet::limit(figures, &limits.collect());
    }

    fn accuracy_limits(&self, row: Row) -> Vec<String> {
        self.run.gates().of(row.position).limit().map(str::to_owned).into_iter().collect()
    }

    /// One for the record: its weights, its card and its GPUs are those of all configs.
    fn decode_floor(&self) -> Figure {
        let rated = self.run.hardware.rated_bw_tbs_per_gpu;
        decode_floor::figure(
            self.catalog,
            RECORD,
            decode_floor::Setting {
                model: self.item.models.first(),
                weight_dtype: Setting::of(self.catalog, self.item, 0)
                    .as_ref()
                    .and_then(|key| key.get(Part::WeightsDtype)),
                bandwidth: match rated {
                    Some(rated) => self.field("/hardware/rated_bw_tbs_per_gpu", Some(rated)),
                    None => decode_floor::bandwidth_of_card(self.catalog, self.item),
                },
                gpus: self.gpus(),
                drafts: self.item.curator_note().is_some_and(|note| note.speculative_decoding.is_some())
                    || self.run.spec.as_ref().is_some_and(decode_floor::is_set_in),
                flags: vec![self.run.software.kernels.as_deref(), self.run.reproduce.as_deref()],
            },
        )
    }

    fn kv_bytes_per_token(&self) -> Figure {
        let said = self.run.kv_dtype();
        let silence = "the record does not say its KV dtype";
        let (pointer, dtype) = said.as_ref().map_or(("/model", None), |said| (&*said.pointer, Some(&*said.dtype)));
        let stored = geometry::stored(&self.item.document, pointer, dtype, silence);
        let cache = match self.item.models.first() {
            Some(named) => Cache::of(self.catalog, named, stored),
            None => Err(Missing::because("the record names no model")),
        };
        match cache {
            Ok(cache) => cache.bytes_per_token(RECORD),
            Err(reason) => missing(&memory::KV_BYTES_PER_TOKEN, RECORD, reason.reason),
        }
    }
}
