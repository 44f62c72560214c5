//! Speeds at several depths of context as a KV-efficiency note: what one stream gets when so much is in its cache.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::measured::{Measured, TestTokens};
use super::named;
use super::run_record::{self, dtype, put};
use super::set::{Config, Set};
use crate::anchor;

/// How the readings of such a note came about.
pub const METHOD: &str = "Each variant is one stream at one depth: its context is what was in the cache and in the prompt \
before the first token was generated. Filed under long context by the rule of imports, since it shows what depth costs one \
stream; its confidence is half by rule until somebody has judged it.";

/// Nobody has judged a note that an import made, and the field cannot be left out: neither for it nor against it.
const CONFIDENCE: (f64, &str) =
    (0.5, "Half by the rule of imports, not a judgement: the note was made by an import and judged by nobody yet.");

/// Front matter of the note; `None` where the runs of a set are not of one stream at two depths at least.
pub fn record(set: &Set, id: &str) -> Option<Value> {
    let points: Vec<(&Config, u64)> =
        set.configs.iter().filter_map(|config| Some((config, context(config)?))).collect();
    let depths: BTreeSet<u64> = points.iter().map(|(_, context)| *context).collect();
    if depths.len() < 2 {
        return None;
    }
    let run = set.first();
    let subject = &run.subject;
    let mut record = Map::new();
    put(&mut record, "id", Some(id));
    put(&mut record, "status", Some("published"));
    put(&mut record, "title", Some(format!("Speed by context: {}", run_record::title(run))));
    put(&mut record, "published", run.date.map(|date| date.to_string()));
    put(&mut record, "technique", Some("consumer_long_context"));
    put(&mut record, "engine", subject.engine.clone());
    put(&mut record, "engine_version", subject.engine_version.clone());
    put(&mut record, "models", Some(json!([{"name": subject.model}])));
    put(
        &mut record,
        "hosts",
        Some(json!([{"key": "host", "accelerator": subject.accelerator, "count": subject.gpus}])),
    );
    let kv_dtype = dtype(subject.kv_dtype.as_deref());
    put(&mut record, "kv_dtype_basis", kv_dtype.is_some().then_some("stated"));
    put(&mut record, "kv_dtype", kv_dtype);
    let labels = points.iter().map(|(config, _)| named::slug(&config.label)).collect();
    let variants = points.iter().zip(anchor::unique(labels)).map(|((config, context), key)| {
        let mut variant = Map::new();
        put(&mut variant, "key", Some(key));
        put(&mut variant, "label", Some(config.label.as_str()));
        put(&mut variant, "context_tokens", Some(*context).filter(|context| *context > 0));
        put(&mut variant, "measured_ttft_ms_at_ctx", config.run.latencies_ms.get("ttft_mean_ms").copied());
        put(&mut variant, "measured_tps_at_ctx", config.run.output_tok_s);
        let prefill = prefill(set, config).map(|rate| json!([{"name": "prefill", "value": rate, "unit": "tok/s"}]));
        put(&mut variant, "values", prefill);
        Value::Object(variant)
    });
    record.insert("variants".to_owned(), variants.collect());
    put(&mut record, "varies", Some(json!(["context"])));
    put(&mut record, "confidence", Some(CONFIDENCE.0));
    put(&mut record, "confidence_reason", Some(CONFIDENCE.1));
    Some(record.into())
}

/// Tokens of context of a config that generated as one stream.
fn context(config: &Config) -> Option<u64> {
    let run = &config.run;
    let alone = run.load.concurrency.is_none_or(|count| count == 1);
    run.output_tok_s.filter(|_| alone)?;
    let TestTokens { input, context, .. } = run.load.test?;
    Some(context.saturating_add(input))
}

/// Prompt tokens per second at that depth: of the config's own prompt, else of the test of a prompt alone.
fn prefill(set: &Set, config: &Config) -> Option<f64> {
    let own = config.run.load.test?;
    let alone = |run: &Measured| {
        let same = |test: TestTokens| test.output == 0 && test.context == own.context;
        run.load.test.is_some_and(same) && run.settings == config.run.settings
    };
    let other = || set.configs.iter().find(|other| alone(&other.run)).and_then(|other| other.run.input_tok_s);
    config.run.input_tok_s.or_else(other)
}
