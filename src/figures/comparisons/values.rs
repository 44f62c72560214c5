//! The measured values that results of different records are compared by.

use std::collections::BTreeMap;

use crate::catalog::Item;
use crate::figures::Fact;
use crate::figures::sheet::field;
use crate::metric::Latency;
use crate::quantity::Quantity;
use crate::record::audit::Capacity;

/// By metric; a percentile over too few requests is no value to compare by.
pub fn of(item: &Item, position: usize) -> BTreeMap<String, Fact> {
    let mut values = BTreeMap::new();
    let mut put = |name: &str, pointer: String, value: Option<Quantity>| {
        if let Ok(fact) = field(&item.document, pointer, value) {
            values.insert(name.to_owned(), fact);
        }
    };
    let at = |name: &str| format!("/configs/{position}/{name}");
    if let Some(config) = item.run().and_then(|run| run.configs.get(position)) {
        for (name, value) in [
            ("goodput_tok_s", config.goodput_tok_s),
            ("output_tok_s", config.output_tok_s),
            ("total_tok_s", config.total_tok_s),
        ] {
            put(name, at(name), value.map(Quantity::exact));
        }
        for name in config.latencies.keys().filter(|name| Latency::parse(name).is_some()) {
            let value = config.latency_ms(name).filter(|_| config.too_few_requests(name).is_none());
            put(name, at(name), value.map(Quantity::exact));
        }
    }
    if let Some(Capacity::At(capacity)) =
        item.audit().and_then(|audit| audit.configs.get(position)).map(|config| &config.capacity)
    {
        put("capacity_rps", at("capacity/request_rate_rps"), capacity.request_rate_rps);
        put("output_tok_s", at("capacity/output_tok_s"), capacity.output_tok_s);
        for (name, value) in &capacity.latencies {
            put(name, at(&format!("capacity/latencies/{name}")), Some(*value));
        }
    }
    values
}
