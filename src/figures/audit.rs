//! Figures of a cost audit.

mod attribution;
mod capacity;

use std::sync::Arc;

use super::geometry::{self, Cache};
use super::sheet::{self, Found, assumed, compute, derived, field, missing};
use super::{Figure, Missing};
use crate::catalog::{Catalog, Item};
use crate::formula::{Formula, cost, memory};
use crate::quantity::{Quantity, Unit};
use crate::record::Audit;
use crate::record::audit::{AtCapacity, AuditConfig, Capacity, Without};
use crate::record::site::HOURS_PER_MONTH;
use crate::record::sweep::Sweep;

/// One config and where it stands.
type Row<'a> = sheet::Row<'a, AuditConfig>;

/// Formula by formula, config by config.
pub fn figures(catalog: &Catalog, item: &Item, audit: &Audit) -> Vec<Figure> {
    let sheet = Sheet { catalog, item, audit, sweeps: audit.sweeps() };
    let mut figures = Vec::new();
    figures.extend(sheet.each(Sheet::kv_bytes_per_token));
    figures.extend(sheet.each(Sheet::kv_ratio));
    figures.extend(sheet.each(Sheet::usd_per_mtok));
    figures.extend(sheet.each(Sheet::usd_per_1k_requests));
    figures.extend(sheet.each(Sheet::cost_change));
    figures.extend(sheet.each(Sheet::usd_per_month));
    figures.extend(sheet.each(Sheet::saving));
    figures.extend(sheet.hit_rate_ceiling());
    figures.extend(sheet.each(Sheet::output_per_request));
    figures.extend(sheet.each(Sheet::bracket));
    figures.extend(sheet.each(Sheet::capacity_ratio));
    figures.extend(sheet.each(Sheet::capacity_change));
    figures.extend(sheet.attribution());
    figures.extend(sheet.each(Sheet::replicas));
    figures.extend(sheet.over_brackets());
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    audit: &'a Audit,
    /// The steps of each config.
    sweeps: Vec<Sweep<'a>>,
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
    fn each<'s>(&'s self, figure: fn(&'s Sheet<'a>, Row<'s>) -> Figure) -> impl Iterator<Item = Figure> {
        self.rows().map(move |row| figure(self, row))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        sheet::rows(&self.audit.configs, self.item)
    }

    fn field(&self, pointer: impl Into<String>, value: Option<impl Into<Quantity>>) -> Found {
        field(&self.item.document, pointer, value)
    }

    fn gpus(&self) -> Found {
        self.field("/hardware/count", Some(f64::from(self.audit.hardware.count)))
    }

    fn price(&self) -> Found {
        match &self.audit.price {
            Some(price) => self.field("/price/usd_per_gpu_hour", Some(price.usd_per_gpu_hour)),
            None => Err(Missing::because("the audit states no price")),
        }
    }

    /// Every $ says at which price.
    fn priced(&self, figure: Figure) -> Figure {
        match &self.audit.price {
            Some(price) => {
                let hour = Unit::UsdPerHour.show(price.usd_per_gpu_hour);
                figure.labelled(format!("at {hour}, as the audit states"))
            }
            None => figure,
        }
    }

    fn output_rate(&self, row: Row) -> Found {
        self.field(row.at("capacity/output_tok_s"), at_capacity(&row)?.output_tok_s)
    }

    /// The baseline's row for a change against it; an `Err` holds the figure that says why there is none.
    fn baseline(&self, formula: &'static Formula, row: Row) -> Result<Row<'_>, Figure> {
        match self.item.baseline.and_then(|position| self.rows().nth(position)) {
            None => Err(missing(formula, row.anchor, "the audit has no baseline")),
            Some(baseline) if baseline.position == row.position => {
                Err(missing(formula, row.anchor, "this is the baseline"))
            }
            Some(baseline) => Ok(baseline),
        }
    }

    fn kv_bytes_per_token(&self, row: Row) -> Figure {
        let dtype = row.config.kv_dtype.as_deref();
        let pointer = if dtype.is_some() { row.at("kv_dtype") } else { format!("/configs/{}", row.position) };
        let silence = "the config does not set the KV dtype";
        let element = geometry::element(&self.item.document, &pointer, dtype, silence);
        let cache = match self.item.models.first() {
            Some(named) => Cache::of(self.catalog, named, element),
            None => Err(Missing::because("the audit names no model")),
        };
        match cache {
            Ok(cache) => cache.bytes_per_token(row.anchor),
            Err(reason) => missing(&memory::KV_BYTES_PER_TOKEN, row.anchor, reason.reason),
        }
    }

    /// How much smaller the cache is than the baseline's, beside what that did to capacity.
    fn kv_ratio(&self, row: Row) -> Figure {
        let baseline = match self.baseline(&memory::KV_RATIO, row) {
            Ok(baseline) => baseline,
            Err(figure) => return figure,
        };
        let (own, other) = (self.kv_bytes_per_token(row), self.kv_bytes_per_token(baseline));
        if own.quantity().is_some() && own.quantity() == other.quantity() {
            return missing(&memory::KV_RATIO, row.anchor, "the same cache as the baseline's");
        }
        let measured = self.capacity_ratio(row);
        let measured = measured.quantity().map(|ratio| format!("measured capacity {}", Unit::Ratio.show(ratio)));
        compute(&memory::KV_RATIO, row.anchor, [derived(&Arc::new(other)), derived(&Arc::new(own))]).remarked(measured)
    }

    fn usd_per_mtok(&self, row: Row) -> Figure {
        let figure =
            compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [self.price(), self.gpus(), self.output_rate(row)]);
        self.priced(self.at_stated_capacity(figure, row))
    }

    fn usd_per_1k_requests(&self, row: Row) -> Figure {
        let figure = compute(&cost::USD_PER_1K_REQUESTS, row.anchor, [self.price(), self.gpus(), self.capacity(row)]);
        self.priced(self.at_stated_capacity(figure, row))
    }

    fn cost_change(&self, row: Row) -> Figure {
        match self.baseline(&cost::COST_CHANGE_PCT, row) {
            Ok(baseline) => {
                let costs = [self.usd_per_mtok(row), self.usd_per_mtok(baseline)];
                let figure = compute(&cost::COST_CHANGE_PCT, row.anchor, costs.map(|cost| derived(&Arc::new(cost))));
                self.against_baseline(figure, row, baseline)
            }
            Err(figure) => figure,
        }
    }

    fn usd_per_month(&self, row: Row) -> Figure {
        let hours = match self.catalog.site.hours_per_month {
            Some(hours) => field(&self.catalog.settings, "/hours_per_month", Some(hours)),
            None => Ok(assumed(&self.catalog.settings, "", HOURS_PER_MONTH, "730 hours a month are assumed")),
        };
        let month = hours.as_ref().ok().map(|fact| format!("a month of {}", Unit::Hours.show(fact.quantity)));
        let replicas = Arc::new(self.replicas(row));
        let figure = compute(&cost::USD_PER_MONTH, row.anchor, [derived(&replicas), self.gpus(), self.price(), hours]);
        let figure = self.at_stated_capacity(figure, row);
        match month {
            Some(month) => figure.labelled(month),
            None => figure,
        }
    }

    fn saving(&self, row: Row) -> Figure {
        match self.baseline(&cost::SAVING_USD_PER_MONTH, row) {
            Ok(baseline) => {
                let costs = [self.usd_per_month(baseline), self.usd_per_month(row)];
                let figure =
                    compute(&cost::SAVING_USD_PER_MONTH, row.anchor, costs.map(|cost| derived(&Arc::new(cost))));
                self.against_baseline(figure, row, baseline)
            }
            Err(figure) => figure,
        }
    }
}
