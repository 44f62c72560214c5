//! The values that results of different records are compared by: what the contract names, where a result has it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::Item;
use crate::figures::sheet::{Found, derived, field};
use crate::figures::{Fact, Figures};
use crate::formula::{Formula, cost, energy, latency, memory, throughput};
use crate::metric::Latency;
use crate::quantity::Quantity;
use crate::record::audit::{AtCapacity, Capacity};
use crate::record::kv_efficiency::Variant;
use crate::record::run::RunConfig;

/// A metric that is a field: where it stands below its config, capacity or variant, and its value.
type Field<T> = (&'static str, &'static str, fn(&T) -> Option<Quantity>);

const OF_CONFIG: [Field<RunConfig>; 5] = [
    ("goodput_tok_s", "goodput_tok_s", |config| config.goodput_tok_s.map(Quantity::exact)),
    ("output_tok_s", "output_tok_s", |config| config.output_tok_s.map(Quantity::exact)),
    ("total_tok_s", "total_tok_s", |config| config.total_tok_s.map(Quantity::exact)),
    ("prefix_cache_hit_pct", "prefix_cache_hit_pct", |config| config.prefix_cache_hit_pct.map(Quantity::exact)),
    ("accuracy_pct", "accuracy/score_pct", |config| config.accuracy.as_ref()?.score_pct.map(Quantity::exact)),
];

const OF_CAPACITY: [Field<AtCapacity>; 2] = [
    ("capacity_rps", "capacity/request_rate_rps", |capacity| capacity.request_rate_rps),
    ("output_tok_s", "capacity/output_tok_s", |capacity| capacity.output_tok_s),
];

const OF_VARIANT: [Field<Variant>; 2] = [
    ("measured_ttft_ms_at_ctx", "measured_ttft_ms_at_ctx", |variant| variant.measured_ttft_ms_at_ctx),
    ("measured_tps_at_ctx", "measured_tps_at_ctx", |variant| variant.measured_tps_at_ctx),
];

/// What is computed of a result; what it states itself stands before it.
const COMPUTED: [&Formula; 8] = [
    &throughput::OUTPUT_TOK_S,
    &throughput::TOTAL_TOK_S,
    &throughput::OUTPUT_TOK_S_PER_GPU,
    &energy::GOODPUT_TOK_PER_J,
    &energy::ENERGY_J_PER_OUTPUT_TOKEN,
    &energy::ELECTRICITY_USD_PER_MTOK_OUTPUT,
    &cost::USD_PER_MTOK_OUTPUT,
    &latency::TTFT_SPEEDUP,
];

/// Sizes are results of notes alone: a run or an audit has those of its model, whatever it measures.
const SIZES: [&Formula; 2] = [&memory::KV_BYTES_PER_TOKEN, &memory::KV_GIB_AT_CONTEXT];

/// By metric; a percentile over too few requests is no value to compare by.
pub fn of(figures: &Figures, item: &Item, position: usize) -> BTreeMap<String, Arc<Fact>> {
    let mut values = Values { figures, item, by_metric: BTreeMap::new() };
    if let Some(config) = item.run().and_then(|run| run.configs.get(position)) {
        let is_value = |field: &&Field<RunConfig>| field.0 != "goodput_tok_s" || config.none_passed().is_none();
        let fields: Vec<_> = OF_CONFIG.iter().filter(is_value).copied().collect();
        values.fields(&fields, config, &format!("/configs/{position}"));
        // What a harness leaves out, its curator may have found in the record's prose.
        let found = item.subjects.get(position).and_then(|own| item.observation(&own.anchor, "prefix_cache_hit_pct"));
        if let (None, Some((at, observed)), Some(note)) = (config.prefix_cache_hit_pct, found, &item.note) {
            let fact = field(&note.document, format!("/observations/{at}/value"), Some(observed.value));
            values.put("prefix_cache_hit_pct", fact);
        }
        for name in config.latencies.keys().filter(|name| Latency::parse(name).is_some()) {
            let value = config.latency_ms(name).filter(|_| config.too_few_requests(name).is_none());
            values.field(name, format!("/configs/{position}/{name}"), value.map(Quantity::exact));
        }
    }
    if let Some(Capacity::At(capacity)) =
        item.audit().and_then(|audit| audit.configs.get(position)).map(|config| &config.capacity)
    {
        values.fields(&OF_CAPACITY, capacity, &format!("/configs/{position}"));
        for (name, value) in &capacity.latencies {
            values.field(name, format!("/configs/{position}/capacity/latencies/{name}"), Some(*value));
        }
    }
    if let Some((note, variant)) = item.kv_efficiency().and_then(|note| Some((note, note.variants.get(position)?))) {
        values.fields(&OF_VARIANT, variant, &format!("/variants/{position}"));
        if let Some((at, rate)) = note.rate_of(variant) {
            values.field("prefix_cache_hit_pct", format!("/hit_rates/{at}/rate_pct"), Some(rate.rate_pct));
        }
        for formula in SIZES {
            values.size(formula, position);
        }
    }
    if let Some(subject) = item.subjects.get(position) {
        for formula in COMPUTED {
            values.computed(formula, &subject.anchor);
        }
    }
    values.by_metric
}

struct Values<'a> {
    figures: &'a Figures,
    item: &'a Item,
    by_metric: BTreeMap<String, Arc<Fact>>,
}

impl Values<'_> {
    fn fields<T>(&mut self, fields: &[Field<T>], of: &T, pointer: &str) {
        for (metric, place, value) in fields {
            self.field(metric, format!("{pointer}/{place}"), value(of));
        }
    }

    fn field(&mut self, metric: &str, pointer: String, value: Option<Quantity>) {
        self.put(metric, field(&self.item.document, pointer, value));
    }

    fn put(&mut self, metric: &str, found: Found) {
        if let Ok(fact) = found {
            self.by_metric.insert(metric.to_owned(), Arc::new(fact));
        }
    }

    fn computed(&mut self, formula: &'static Formula, subject: &str) {
        let figure = self.figures.find(&self.item.address, subject, formula);
        if let Some(fact) = figure.and_then(|figure| derived(figure).ok()) {
            self.by_metric.entry(formula.id.to_owned()).or_insert_with(|| Arc::new(fact));
        }
    }

    /// The variant's own size, else that of its model: of variants that share it, the first has it.
    fn size(&mut self, formula: &'static Formula, position: usize) {
        let item = self.item;
        let (Some(note), Some(arm), Some(subject)) =
            (item.kv_efficiency(), item.arms.get(position), item.subjects.get(position))
        else {
            return;
        };
        let key = |at: usize| {
            let variant = note.variants.get(at)?;
            let context = note.context(Some(variant)).filter(|_| formula.id == memory::KV_GIB_AT_CONTEXT.id);
            let dtype = variant.kv_dtype.as_deref().or(note.kv_dtype.as_deref());
            Some((item.arms.get(at)?.model, dtype, context.map(|(tokens, _)| tokens)))
        };
        if (0..position).any(|at| key(at) == key(position)) {
            return;
        }
        let has_own = self.figures.find(&item.address, &subject.anchor, formula).is_some();
        match arm.model.and_then(|at| item.model_subjects.get(at)).filter(|_| !has_own) {
            Some(model) => self.computed(formula, &model.anchor),
            None => self.computed(formula, &subject.anchor),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::compare::{CONTRACT, TRADEOFFS};

    #[test]
    fn the_contract_names_what_results_have_values_of_and_nothing_else() {
        let fields = OF_CONFIG.map(|(metric, ..)| metric).into_iter().chain(OF_CAPACITY.map(|(metric, ..)| metric));
        let fields = fields.chain(OF_VARIANT.map(|(metric, ..)| metric)).chain(Latency::METRICS);
        // What is drawn against another metric, and is in no table: speeds of one user are latencies the other way round.
        let drawn = TRADEOFFS.iter().flat_map(|tradeoff| tradeoff.across.iter().chain(tradeoff.up)).copied();
        let fields = fields.chain(drawn.filter(|metric| Latency::parse(metric).is_none()));
        let valued: BTreeSet<_> = fields.chain(COMPUTED.iter().chain(&SIZES).map(|formula| formula.id)).collect();
        let named: BTreeSet<_> = CONTRACT.iter().flat_map(|clause| clause.metrics).copied().collect();
        assert_eq!(valued, named);
    }
}
