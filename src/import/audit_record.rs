//! Measured runs at several loads under one SLO as a cost audit: each load is a step, and the highest that passed is the
//! capacity.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::measured::{Measured, Offered};
use super::named;
use super::run_record::{self, put, whole};
use super::set::{Config, Set};
use crate::anchor;
use crate::quantity::plain;

/// The steps of one setting, lowest load first.
type Line<'a> = Vec<&'a Config>;

/// Whether a set is a search for capacity: limits that at least one step can be judged by, and one setting at two loads.
pub fn is_audit(set: &Set) -> bool {
    let judged = set.configs.iter().any(|config| config.run.failed.is_none() && config.met().is_some());
    judged && lines(set).iter().any(|line| loads(line) > 1)
}

/// How a capacity of such a set is to be read.
pub const METHOD: &str = "Each load that was tried is a step. The capacity is the highest that met every limit of the SLO \
with every request completed, even where a lower one failed, and is given as it was delivered; where it truly lies is \
between that load and the next one that failed.";

/// Front matter of the audit.
pub fn record(set: &Set, id: &str) -> Value {
    let run = set.first();
    let subject = &run.subject;
    let mut record = Map::new();
    put(&mut record, "id", Some(id));
    put(&mut record, "status", Some("published"));
    put(&mut record, "title", Some(format!("Capacity of {}", run_record::title(run))));
    put(&mut record, "published", run.date.map(|date| date.to_string()));
    put(&mut record, "engine", subject.engine.clone());
    put(&mut record, "engine_version", subject.engine_version.clone());
    put(&mut record, "image", subject.image.clone());
    put(&mut record, "driver", subject.driver.clone());
    put(&mut record, "model", Some(json!({"name": subject.model})));
    put(&mut record, "hardware", Some(json!({"accelerator": subject.accelerator, "count": subject.gpus})));
    put(&mut record, "parallelism", subject.parallelism.clone());
    put(&mut record, "workload", Some(workload(set)));
    put(&mut record, "slo", Some(run_record::slo(set)));
    let lines = lines(set);
    let labels: Vec<String> = lines.iter().map(|line| label(line, &lines)).collect();
    let keys = anchor::unique(labels.iter().map(|label| named::slug(label)).collect());
    let configs = lines.iter().zip(labels).zip(keys).map(|((line, label), key)| config(line, &key, &label));
    record.insert("configs".to_owned(), configs.collect());
    record.into()
}

/// Configs that differ in nothing but their load.
fn lines(set: &Set) -> Vec<Line<'_>> {
    let mut lines: Vec<Line> = Vec::new();
    for config in &set.configs {
        let fits = |line: &Line| {
            let (one, other) = (&line[0].run, &config.run);
            let same_label = one.label == other.label || line.iter().all(|known| load(&known.run) != load(other));
            one.settings == other.settings && one.unread == other.unread && same_label
        };
        match lines.iter_mut().find(|line| fits(line)) {
            Some(line) => line.push(config),
            None => lines.push(vec![config]),
        }
    }
    lines
}

/// The load as a step has it: offered rate and concurrency.
fn load(run: &Measured) -> (Option<u64>, Option<u64>) {
    let rate = match run.load.offered {
        Some(Offered::Rate(rate)) => Some(rate.to_bits()),
        _ => None,
    };
    (rate, run.load.concurrency)
}

/// How many loads of one kind a line has: offered rates where there are two of them, else concurrency.
fn loads(line: &Line) -> usize {
    let rates: BTreeSet<_> = line.iter().filter_map(|config| load(&config.run).0).collect();
    let counts: BTreeSet<_> = line.iter().filter_map(|config| load(&config.run).1).collect();
    rates.len().max(counts.len())
}

/// What tells a line from the others.
fn label(line: &Line, lines: &[Line]) -> String {
    let first = |line: &Line| line[0].run.clone();
    let own = first(line);
    let differs = |key: &String| lines.iter().any(|other| first(other).settings.get(key) != own.settings.get(key));
    let settings = own.settings.iter().filter(|(key, _)| differs(key));
    let mut parts: Vec<String> = settings
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key} {text}"),
            other => format!("{key} {other}"),
        })
        .collect();
    if parts.is_empty() && lines.len() > 1 {
        parts.extend(own.label);
    }
    if parts.is_empty() { "measured".to_owned() } else { parts.join(", ") }
}

fn config(line: &Line, key: &str, label: &str) -> Value {
    let subject = &line[0].run.subject;
    let mut record = Map::new();
    put(&mut record, "key", Some(key));
    put(&mut record, "label", Some(label));
    let speculation = line.iter().find_map(|config| config.run.speculation.as_ref());
    put(&mut record, "remark", speculation.map(|accepted| format!("speculative decoding was on: {accepted}")));
    put(&mut record, "weight_dtype", run_record::dtype(subject.quantization.as_deref()));
    put(&mut record, "kv_dtype", run_record::dtype(subject.kv_dtype.as_deref()));
    put(&mut record, "steps", Some(line.iter().map(|config| step(config)).collect::<Vec<_>>()));
    put(&mut record, "capacity", Some(capacity(line)));
    record.into()
}

fn step(config: &Config) -> Value {
    let run = &config.run;
    let mut record = Map::new();
    if let Some(Offered::Rate(rate)) = run.load.offered {
        put(&mut record, "offered_rps", Some(rate));
    }
    put(&mut record, "concurrency", run.load.concurrency);
    put(&mut record, "delivered_rps", run.request_throughput_rps);
    put(&mut record, "output_tok_s", run.output_tok_s);
    if !run.latencies_ms.is_empty() {
        put(&mut record, "latencies", Some(json!(run.latencies_ms)));
    }
    put(&mut record, "requests", run_record::requests(run));
    // Where the latencies say it themselves, the site works it out.
    let beyond_latencies = run.failed.is_some() || run.lost_requests() || config.is_repeated();
    put(&mut record, "passed", config.met().filter(|_| beyond_latencies));
    record.into()
}

/// The highest load that met the limits, as it was delivered, even where a lower one failed.
fn capacity(line: &Line) -> Value {
    let passing = line.iter().rev().find(|config| config.met() == Some(true));
    let Some(Config { run, .. }) = passing else {
        let all_failed = line.iter().all(|config| config.met() == Some(false));
        return if all_failed { "none passed".into() } else { "not measured".into() };
    };
    let offered = match run.load.offered {
        Some(Offered::Rate(rate)) => Some(rate),
        _ => None,
    };
    let mut record = Map::new();
    put(&mut record, "request_rate_rps", run.request_throughput_rps.or(offered));
    put(&mut record, "output_tok_s", run.output_tok_s);
    put(&mut record, "latencies", Some(json!(run.latencies_ms)));
    record.into()
}

fn workload(set: &Set) -> Value {
    let mut record = Map::new();
    put(&mut record, "dataset", set.shared(|run| run.load.dataset.clone()));
    let about = |requested: Option<f64>| requested.map(|tokens| json!(format!("~{}", plain(tokens.into()))));
    let input = tokens(set, |run| run.load.input_tokens);
    let output = tokens(set, |run| run.load.output_tokens);
    // What was asked for is no more than about what came.
    put(&mut record, "input_tokens", input.or(about(set.shared(|run| run.load.input_tokens_requested))));
    put(&mut record, "output_tokens", output.or(about(set.shared(|run| run.load.output_tokens_requested))));
    put(&mut record, "requests_per_rate", set.shared(|run| run.requests.sent));
    record.into()
}

/// The mean length: exact where every request must have had it, else about so much, or the range of the means.
fn tokens(set: &Set, of: impl Fn(&Measured) -> Option<f64>) -> Option<Value> {
    let (low, high) = set.range(of)?;
    let exact = low == high && low.fract() == 0.0;
    let [low, high] = [low, high].map(f64::round);
    Some(match low == high {
        _ if exact => whole(low),
        true => json!(format!("~{}", plain(low.into()))),
        false => json!([whole(low), whole(high)]),
    })
}
