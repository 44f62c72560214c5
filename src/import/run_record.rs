//! Measured runs as a run record, in the harness's shape.

use serde_json::{Map, Value, json};

use super::measured::{Load, Measured, Offered};
use super::set::{Config, Set};
use crate::quantity::plain;

/// The record of a set: what all runs share stands once, and each setting is a config.
pub fn record(set: &Set, id: &str) -> Value {
    let run = set.first();
    let subject = &run.subject;
    let mut record = Map::new();
    put(&mut record, "id", Some(id));
    put(&mut record, "status", Some("published"));
    put(&mut record, "title", Some(title(run)));
    put(&mut record, "published", run.date.map(|date| date.to_string()));
    part(
        &mut record,
        "hardware",
        [
            ("accelerator", text(&subject.accelerator)),
            ("count", subject.gpus.map(Value::from)),
            ("driver", text(&subject.driver)),
        ],
    );
    part(
        &mut record,
        "software",
        [
            ("engine", text(&subject.engine)),
            ("engine_version", text(&subject.engine_version)),
            ("kernels", text(&subject.image)),
        ],
    );
    part(
        &mut record,
        "model",
        [
            ("name", text(&subject.model)),
            ("quantization", text(&subject.quantization)),
            ("parallelism", text(&subject.parallelism)),
        ],
    );
    if !set.slo().is_empty() {
        put(&mut record, "slo", Some(slo(set)));
    }
    part(
        &mut record,
        "workload",
        [
            ("trace", text(&set.shared(|run| run.load.dataset.clone()))),
            ("input_tokens", text(&lengths(set, |load| load.input_tokens, |load| load.input_tokens_requested))),
            ("output_tokens", text(&lengths(set, |load| load.output_tokens, |load| load.output_tokens_requested))),
            ("arrival", text(&set.shared(|run| run.load.arrival.clone()))),
        ],
    );
    if let Some(power) = set.configs.iter().find_map(|config| config.run.power.as_ref()) {
        part(
            &mut record,
            "power",
            [
                ("source", Some(power.source.clone().into())),
                ("kind", Some(json!(power.kind))),
                ("sampling_hz", power.sampling_hz.map(Value::from)),
                ("window", text(&power.window)),
            ],
        );
    }
    put(&mut record, "variance_band_pct", set.variance_band_pct());
    record.insert("configs".to_owned(), set.configs.iter().map(config).collect());
    record.insert("spec".to_owned(), spec(set));
    Value::Object(record)
}

/// `gpt-oss-20b on 8 × H100, vllm 0.26.0`.
pub fn title(run: &Measured) -> String {
    let subject = &run.subject;
    let count = subject.gpus.filter(|count| *count > 1).map(|count| format!("{count} × ")).unwrap_or_default();
    let engine =
        [&subject.engine, &subject.engine_version].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    format!("{} on {count}{}, {engine}", model(run), subject.accelerator.as_deref().unwrap_or_default())
}

/// The model without its maker.
pub fn model(run: &Measured) -> &str {
    let name = run.subject.model.as_deref().unwrap_or_default();
    name.rsplit('/').next().unwrap_or(name)
}

fn config(config: &Config) -> Value {
    let Config { label, run, repeats } = config;
    let mut record = Map::new();
    put(&mut record, "label", Some(label.as_str()));
    put(&mut record, "failed", run.failed.clone());
    if let Some(Offered::Rate(rate)) = run.load.offered {
        put(&mut record, "request_rate_rps", Some(rate));
    }
    put(&mut record, "concurrency", run.load.concurrency);
    put(&mut record, "request_throughput_rps", run.request_throughput_rps);
    let met = config.met();
    // Within the SLO is a rate only where the run as a whole was.
    put(&mut record, "goodput_tok_s", run.output_tok_s.filter(|_| met == Some(true)));
    put(&mut record, "output_tok_s", run.output_tok_s);
    put(&mut record, "input_tok_s", run.input_tok_s);
    put(&mut record, "total_tok_s", run.total_tok_s);
    put(&mut record, "duration_s", run.duration_s);
    put(&mut record, "output_tokens_mean", run.load.output_tokens);
    let test = run.load.test.unwrap_or_default();
    let tokens = |of_all: Option<f64>, of_test: u64| of_all.or((of_test > 0).then_some(of_test as f64)).map(whole);
    put(&mut record, "input_tokens_requested", tokens(run.load.input_tokens_requested, test.input));
    put(&mut record, "output_tokens_requested", tokens(run.load.output_tokens_requested, test.output));
    put(&mut record, "context_tokens", run.load.test.map(|test| test.context));
    put(&mut record, "gpus", run.subject.role_gpus.map(|gpus| json!(gpus)));
    put(&mut record, "prefix_cache_hit_pct", run.prefix_cache_hit_pct);
    put(&mut record, "node_power_kw", run.power.as_ref().map(|power| power.kw));
    put(&mut record, "requests", requests(run));
    for (name, value) in &run.latencies_ms {
        put(&mut record, name, Some(*value));
    }
    let rates = config.rates();
    if config.is_repeated() && rates.len() == repeats.len() {
        put(&mut record, "samples_tok_s", Some(rates));
    }
    let passes = config.passes().filter(|_| run.failed.is_none());
    put(&mut record, "slo_pass_count", passes);
    if config.is_repeated() || passes.is_some() {
        put(&mut record, "repeats", Some(repeats.len()));
    }
    Value::Object(record)
}

/// Requests by their end, with those that met the limits where the file has them one by one.
pub fn requests(run: &Measured) -> Option<Value> {
    let requests = run.requests;
    let mut record = Map::new();
    put(&mut record, "sent", requests.sent);
    put(&mut record, "completed", requests.completed);
    put(&mut record, "failed", requests.failed);
    put(&mut record, "cancelled", requests.cancelled);
    put(&mut record, "met", run.met_one_by_one(&run.slo_ms));
    (!record.is_empty()).then(|| record.into())
}

/// `mean 1,024` tokens, or the range of the means, and what was asked for: `1,024 requested`.
fn lengths(
    set: &Set,
    measured: impl Fn(&Load) -> Option<f64>,
    requested: impl Fn(&Load) -> Option<f64>,
) -> Option<String> {
    let tokens = |count: f64| plain(count.round().into());
    let measured = set.range(|run| measured(&run.load)).map(|(low, high)| match (tokens(low), tokens(high)) {
        (low, high) if low == high => format!("mean {low}"),
        (low, high) => format!("means of {low} to {high}"),
    });
    let requested = set.shared(|run| requested(&run.load)).map(|count| format!("{} requested", tokens(count)));
    let words: Vec<_> = measured.into_iter().chain(requested).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The limits, whole ones without a point.
pub fn slo(set: &Set) -> Value {
    let limits = set.slo().iter().map(|(name, limit)| (name.clone(), whole(*limit)));
    Value::Object(limits.collect())
}

/// A number as people write it.
pub fn whole(number: f64) -> Value {
    // Up to 2^53 every whole number is exact.
    let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    if is_whole { Value::from(number as i64) } else { Value::from(number) }
}

/// The harness's own settings, and what the record was made of.
fn spec(set: &Set) -> Value {
    let mut spec = Map::new();
    for key in set.first().settings.keys() {
        put(&mut spec, key, set.shared(|run| run.settings.get(key).cloned()));
    }
    let subject = &set.first().subject;
    let weights = dtype(subject.quantization.as_deref());
    part(&mut spec, "model", [("weight_dtype", text(&weights)), ("kv_dtype", text(&subject.kv_dtype))]);
    let files = set.origins.iter();
    let files = files.map(|origin| json!({"format": origin.format, "file": origin.file, "sha256": origin.sha256}));
    spec.insert("import".to_owned(), files.collect());
    spec.into()
}

/// A storage type by its plain name; words of another kind are none.
pub fn dtype(words: Option<&str>) -> Option<String> {
    let name = words?.to_lowercase();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "_.".contains(one);
    (name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.chars().all(is_plain)).then_some(name)
}

fn text(value: &Option<String>) -> Option<Value> {
    value.clone().map(Value::from)
}

/// An object under a key, of what there is; nothing where there is none of it.
fn part<const N: usize>(record: &mut Map<String, Value>, key: &str, members: [(&str, Option<Value>); N]) {
    let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let members: Map<String, Value> = members.collect();
    if !members.is_empty() {
        record.insert(key.to_owned(), members.into());
    }
}

pub fn put(record: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        record.insert(key.to_owned(), value.into());
    }
}
