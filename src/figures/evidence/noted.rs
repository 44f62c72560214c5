//! What a note states of each field.

use std::sync::Arc;

use super::{Evidence, Place, Value};
use crate::catalog::Item;
use crate::figures::Figure;
use crate::figures::sheet::IS_BASELINE;
use crate::formula::{Formula, card, memory};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{DtypeBasis, HitRateKind, Technique, Variant};

/// A note with its figures.
pub(super) struct Noted<'a> {
    pub item: &'a Item,
    pub note: &'a KvEfficiency,
    pub figures: &'a [Arc<Figure>],
}

impl Noted<'_> {
    /// A value of each variant; of the note as a whole where it has none.
    fn of_variants(&self, value: impl Fn(usize, &Variant) -> Value, otherwise: impl Fn() -> Value) -> Vec<Value> {
        let variants = self.note.variants.iter().enumerate();
        or_one(variants.map(|(position, variant)| value(position, variant)).collect(), otherwise)
    }

    fn figures(&self, wanted: impl Fn(&Formula) -> bool) -> Vec<Value> {
        let is_baseline = |figure: &Figure| figure.outcome.as_ref().is_err_and(|missing| missing.reason == IS_BASELINE);
        let figures = self.figures.iter().filter(|figure| wanted(figure.formula) && !is_baseline(figure));
        figures.map(|figure| Value::of_figure(figure)).collect()
    }

    fn dtype_of_note(&self) -> Value {
        let evidence = match (&self.note.kv_dtype, self.note.kv_dtype_basis) {
            (Some(_), Some(DtypeBasis::Stated)) => Evidence::Stated,
            // Without one, sizes are those at bf16.
            (None, _) if self.note.models.is_empty() => Evidence::Absent,
            _ => Evidence::Assumed,
        };
        let field = if self.note.kv_dtype.is_some() { "/kv_dtype" } else { "/kv_dtype_basis" };
        Value::at(evidence, field)
    }

    fn asks_for_hit_rates(&self) -> bool {
        matches!(self.note.technique, Technique::PrefixCaching | Technique::ProductionHitRate)
    }
}

pub(super) fn or_one(values: Vec<Value>, otherwise: impl Fn() -> Value) -> Vec<Value> {
    if values.is_empty() { vec![otherwise()] } else { values }
}

pub(super) fn absent() -> Value {
    Value { evidence: Evidence::Absent, place: None }
}

pub(super) fn models(noted: &Noted) -> Vec<Value> {
    let models = (0..noted.note.models.len()).map(|at| Value::at(Evidence::Stated, format!("/models/{at}/name")));
    or_one(models.collect(), absent)
}

pub(super) fn accelerators(noted: &Noted) -> Vec<Value> {
    let hosts = (0..noted.note.hosts.len()).map(|at| Value::at(Evidence::Stated, format!("/hosts/{at}/accelerator")));
    or_one(hosts.collect(), absent)
}

pub(super) fn counts(noted: &Noted) -> Vec<Value> {
    let hosts = noted.note.hosts.iter().enumerate();
    or_one(hosts.map(|(at, host)| Value::stated(host.count.is_some(), format!("/hosts/{at}/count"))).collect(), absent)
}

pub(super) fn engines(noted: &Noted) -> Vec<Value> {
    if noted.note.engine.is_some() {
        return vec![Value::at(Evidence::Stated, "/engine")];
    }
    let own = |at: usize, variant: &Variant| Value::stated(variant.engine.is_some(), format!("/variants/{at}/engine"));
    noted.of_variants(own, absent)
}

pub(super) fn engine_version(noted: &Noted) -> Vec<Value> {
    vec![Value::stated(noted.note.engine_version.is_some(), "/engine_version")]
}

pub(super) fn flags(noted: &Noted) -> Vec<Value> {
    vec![Value::stated(!noted.note.flags.is_empty(), "/flags")]
}

pub(super) fn dtypes(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| match variant.kv_dtype {
        Some(_) => Value::at(Evidence::Stated, format!("/variants/{at}/kv_dtype")),
        None => noted.dtype_of_note(),
    };
    noted.of_variants(own, || noted.dtype_of_note())
}

pub(super) fn bytes_basis(noted: &Noted) -> Vec<Value> {
    let assumed = dtypes(noted).iter().any(|value| value.evidence == Evidence::Assumed);
    let evidence = if assumed { Evidence::Assumed } else { Evidence::Stated };
    let words = noted.note.kv_bytes_basis.as_ref();
    vec![words.map_or_else(absent, |_| Value::at(evidence, "/kv_bytes_basis"))]
}

pub(super) fn contexts(noted: &Noted) -> Vec<Value> {
    let value = |variant: Option<&Variant>, folder: String| match noted.note.context(variant) {
        Some((_, Some(_))) => Value::at(Evidence::Assumed, folder + "/context_basis"),
        Some((_, None)) => Value::at(Evidence::Stated, folder + "/context_tokens"),
        None => absent(),
    };
    let of_note = || value(None, String::new());
    let own = |at: usize, variant: &Variant| match variant.context_tokens {
        Some(_) => value(Some(variant), format!("/variants/{at}")),
        None => of_note(),
    };
    noted.of_variants(own, of_note)
}

pub(super) fn bytes_per_token(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == memory::KV_BYTES_PER_TOKEN.id), absent)
}

pub(super) fn at_context(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == memory::KV_GIB_AT_CONTEXT.id), absent)
}

pub(super) fn fits(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == card::FITS_CARD.id), absent)
}

pub(super) fn other_figures(noted: &Noted) -> Vec<Value> {
    let own = [memory::KV_BYTES_PER_TOKEN.id, memory::KV_GIB_AT_CONTEXT.id, card::FITS_CARD.id];
    noted.figures(|formula| !own.contains(&formula.id))
}

/// A variant has times, other values, or a hit rate of its own.
pub(super) fn measured(noted: &Noted) -> Vec<Value> {
    let rates = &noted.note.hit_rates;
    let any_rate = || Value::stated(!rates.is_empty(), "/hit_rates");
    let own = |at: usize, variant: &Variant| {
        let times = variant.measured_ttft_ms_at_ctx.is_some() || variant.measured_tps_at_ctx.is_some();
        let rate = rates.iter().any(|rate| rate.subject.as_ref() == Some(&variant.key));
        Value::stated(times || rate || !variant.values.is_empty(), format!("/variants/{at}"))
    };
    noted.of_variants(own, any_rate)
}

pub(super) fn ttft(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| {
        let pointer = format!("/variants/{at}/measured_ttft_ms_at_ctx");
        Value::stated(variant.measured_ttft_ms_at_ctx.is_some(), pointer)
    };
    noted.of_variants(own, absent)
}

pub(super) fn decode(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| {
        let pointer = format!("/variants/{at}/measured_tps_at_ctx");
        Value::stated(variant.measured_tps_at_ctx.is_some(), pointer)
    };
    noted.of_variants(own, absent)
}

pub(super) fn hit_rates(noted: &Noted) -> Vec<Value> {
    let rates = 0..noted.note.hit_rates.len();
    let rates: Vec<_> = rates.map(|at| Value::at(Evidence::Stated, format!("/hit_rates/{at}/rate_pct"))).collect();
    if noted.asks_for_hit_rates() { or_one(rates, absent) } else { rates }
}

/// Those of a replay are its context.
pub(super) fn workloads(noted: &Noted) -> Vec<Value> {
    let contexts = contexts(noted).into_iter().all(|value| value.evidence == Evidence::Stated);
    let rates = noted.note.hit_rates.iter().enumerate().map(|(at, rate)| {
        let is_there = rate.tokens.is_some() || (rate.kind == HitRateKind::Replay && contexts);
        let field = if rate.tokens.is_some() { "tokens" } else { "of" };
        Value::stated(is_there, format!("/hit_rates/{at}/{field}"))
    });
    let rates: Vec<_> = rates.collect();
    if noted.asks_for_hit_rates() { or_one(rates, absent) } else { rates }
}

/// Where the note names none, the first variant is taken.
pub(super) fn baseline(noted: &Noted) -> Vec<Value> {
    let variants = &noted.note.variants;
    if variants.len() < 2 {
        return Vec::new();
    }
    let named = noted.note.baseline.is_some() || variants.iter().any(|variant| variant.baseline.is_some());
    let place = noted.item.baseline.map(|at| Place::Field(format!("/variants/{at}")));
    vec![Value { evidence: if named { Evidence::Stated } else { Evidence::Assumed }, place }]
}
