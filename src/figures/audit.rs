//! Figures of a cost audit.

mod attribution;
mod capacity;
mod cost;

use std::sync::Arc;

use super::geometry::{self, Cache};
use super::price::{self, Price};
use super::score;
use super::sheet::{self, Found, IS_BASELINE, compute, derived, field, missing};
use super::{Figure, Missing, decode_floor};
use crate::catalog::{Catalog, Item, RECORD};
use crate::compare::{self, Part};
use crate::formula::memory;
use crate::quantity::{Quantity, Unit};
use crate::record::Audit;
use crate::record::audit::{AtCapacity, AuditConfig, Capacity, Without};
use crate::record::sweep::Sweep;

/// One config and where it stands.
type Row<'a> = sheet::Row<'a, AuditConfig>;

/// Formula by formula, config by config.
pub fn figures(catalog: &Catalog, item: &Item, audit: &Audit) -> Vec<Figure> {
    let sheet = Sheet::new(catalog, item, audit);
    let mut figures = Vec::new();
    figures.extend(sheet.each(Sheet::kv_bytes_per_token));
    figures.extend(sheet.each(Sheet::kv_ratio));
    figures.extend(sheet.each(Sheet::decode_floor));
    figures.extend(sheet.costs());
    figures.extend(sheet.hit_rate_ceiling());
    figures.extend(sheet.each(Sheet::output_per_request));
    figures.extend(sheet.each(Sheet::bracket));
    figures.extend(sheet.each(Sheet::capacity_ratio));
    figures.extend(sheet.each(Sheet::capacity_change));
    figures.extend(sheet.changes_at_capacity());
    figures.extend(sheet.attribution());
    figures.extend(sheet.each(Sheet::replicas));
    figures.extend(sheet.over_brackets());
    sheet.limit_to_gate(&mut figures);
    figures.extend(sheet.scores());
    figures.extend(sheet.rows().filter_map(|row| sheet.accuracy_lost(row)));
    let unranked = sheet.rows().filter_map(|row| Some((row.anchor, sheet.unranked(row)?)));
    sheet::set_aside(&mut figures, &unranked.collect());
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    audit: &'a Audit,
    /// The steps of each config.
    sweeps: Vec<Sweep<'a>>,
    prices: Vec<Price>,
}

/// The load that met the SLO, if any did.
fn at_capacity<'a>(row: &Row<'a>) -> Result<&'a AtCapacity, Missing> {
    match &row.config.capacity {
        Capacity::At(at) => Ok(at),
        Capacity::Without(Without::NonePassed) => Err(Missing::because("none passed: no tested rate met the SLO")),
        Capacity::Without(Without::NotMeasured) => Err(Missing::because("not measured")),
    }
}

impl<'a> Sheet<'a> {
    fn new(catalog: &'a Catalog, item: &'a Item, audit: &'a Audit) -> Self {
        let mut sheet = Sheet { catalog, item, audit, sweeps: audit.sweeps(), prices: Vec::new() };
        sheet.prices = price::prices(catalog, item, &sheet.gpus());
        sheet
    }

    fn each<'s>(&'s self, figure: fn(&'s Sheet<'a>, Row<'s>) -> Figure) -> impl Iterator<Item = Figure> {
        self.rows().map(move |row| figure(self, row))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        sheet::rows(&self.audit.configs, self.item)
    }

    fn field(&self, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
        field(&self.item.document, pointer, value)
    }

    fn gpus(&self) -> Found {
        self.field("/hardware/count", Some(f64::from(self.audit.hardware.count)))
    }

    /// Says of every number of a config whether its accuracy was checked.
    fn limit_to_gate(&self, figures: &mut [Figure]) {
        let gates = self.audit.gates();
        let limits = self.rows().filter_map(|row| Some((row.anchor, gates.of(row.position).limit()?)));
        sheet::limit(figures, &limits.collect());
    }

    /// Scores of the audit and of its configs.
    fn scores(&self) -> Vec<Figure> {
        let document = &self.item.document;
        let whole = self.audit.accuracy.iter().filter_map(|gate| score::score(document, RECORD, "/accuracy", gate));
        let own = self
            .rows()
            .filter_map(|row| score::score(document, row.anchor, &row.at("accuracy"), row.config.accuracy.as_ref()?));
        whole.chain(own).collect()
    }

    fn accuracy_lost(&self, row: Row) -> Option<Figure> {
        let baseline = self.baseline(row).map(|baseline| baseline.position);
        score::lost(&self.item.document, row.anchor, &self.audit.gates(), row.position, baseline)
    }

    /// Why a config is shown and not ranked.
    fn unranked(&self, row: Row) -> Option<String> {
        score::below_gate(&self.audit.gates(), row.position, &self.accuracy_lost(row)?)
    }

    fn output_rate(&self, row: Row) -> Found {
        self.field(row.at("capacity/output_tok_s"), at_capacity(&row)?.output_tok_s)
    }

    /// The baseline's row for a change against it.
    fn baseline(&self, row: Row) -> Result<Row<'_>, Missing> {
        match self.item.baseline.and_then(|position| self.rows().nth(position)) {
            None => Err(Missing::because("the audit has no baseline")),
            Some(baseline) if baseline.position == row.position => Err(Missing::because(IS_BASELINE)),
            Some(baseline) => Ok(baseline),
        }
    }

    /// Of the config's own checkpoint, where it names one.
    fn decode_floor(&self, row: Row) -> Figure {
        decode_floor::figure(
            self.catalog,
            row.anchor,
            decode_floor::Setting {
                model: self.item.models.first(),
                weight_dtype: compare::Setting::of(self.catalog, self.item, row.position)
                    .as_ref()
                    .and_then(|key| key.get(Part::WeightsDtype)),
                bandwidth: decode_floor::bandwidth_of_card(self.catalog, self.item),
                gpus: self.gpus(),
                drafts: false,
                flags: vec![
                    self.audit.baseline_flags.as_deref(),
                    row.config.flags.as_deref(),
                    row.config.label.as_deref(),
                    row.config.remark.as_deref(),
                ],
            },
        )
    }

    fn kv_bytes_per_token(&self, row: Row) -> Figure {
        let said = self.audit.kv_dtype(row.config, row.position);
        let config = format!("/configs/{}", row.position);
        let silence = "the config does not set the KV dtype";
        let (pointer, dtype) = said.as_ref().map_or((&*config, None), |said| (&*said.pointer, Some(&*said.dtype)));
        let stored = geometry::stored(&self.item.document, pointer, dtype, silence);
        let cache = match self.item.models.first() {
            Some(named) => Cache::of(self.catalog, named, stored),
            None => Err(Missing::because("the audit names no model")),
        };
        match cache {
            Ok(cache) => cache.bytes_per_token(row.anchor),
            Err(reason) => missing(&memory::KV_BYTES_PER_TOKEN, row.anchor, reason.reason),
        }
    }

    /// How much smaller the cache is than the baseline's, beside what that did to capacity.
    fn kv_ratio(&self, row: Row) -> Figure {
        let baseline = match self.baseline(row) {
            Ok(baseline) => baseline,
            Err(Missing { reason }) => return missing(&memory::KV_RATIO, row.anchor, reason),
        };
        let (own, other) = (self.kv_bytes_per_token(row), self.kv_bytes_per_token(baseline));
        if own.quantity().is_some() && own.quantity() == other.quantity() {
            return missing(&memory::KV_RATIO, row.anchor, "the same cache as the baseline's");
        }
        let measured = self.capacity_ratio(row);
        let measured = measured.quantity().map(|ratio| format!("measured capacity {}", Unit::Ratio.show(ratio)));
        compute(&memory::KV_RATIO, row.anchor, [derived(&Arc::new(other)), derived(&Arc::new(own))]).remarked(measured)
    }
}
