//! What the serving benchmarks of vLLM and SGLang have in common: they came from one script, and kept most of its keys.

use serde_json::Value;

use super::json::{self, Fields, NO_NUMBER, UNLIMITED};
use super::measured::{Measured, Offered, Sample, Time};
use super::named;
use crate::metric::Latency;
use crate::quantity::fixed;

/// A latency's metric, statistic and unit: `median_ttft_ms`, `p99_tpot_ms`, of SGLang `p99_e2e_latency_ms`. A fork of
/// vLLM's writes the same names without `_ms`, and seconds in them.
fn latency(key: &str) -> Option<(&str, &str, Time)> {
    let (name, time) = match key.strip_suffix("_ms") {
        Some(name) => (name, Time::Milliseconds),
        None => (key, Time::Seconds),
    };
    let (statistic, metric) = match name.strip_suffix("_e2e_latency") {
        Some(statistic) => (statistic, "e2el"),
        None => name.rsplit_once('_')?,
    };
    let percentile = |text: &str| text.strip_prefix('p').is_some_and(|digits| digits.parse::<f64>().is_ok());
    let known = matches!(statistic, "mean" | "median" | "std") || percentile(statistic);
    (known && Latency::METRICS.contains(&metric)).then_some((metric, statistic, time))
}

pub fn is_latency(key: &str) -> bool {
    latency(key).is_some()
}

pub fn has_latencies(fields: Fields) -> bool {
    fields.iter().any(|(key, _)| is_latency(key))
}

/// Every latency of a run.
pub fn latencies(fields: Fields, run: &mut Measured) {
    for (key, value) in fields.iter() {
        if let Some((metric, statistic, time)) = latency(key) {
            run.latency(metric, statistic, time, json::number(value));
        }
    }
}

/// The offered load and the mean lengths. A burstiness of 1 is a Poisson process.
pub fn load(fields: Fields, burstiness: Option<f64>, run: &mut Measured) {
    // What nobody means by a rate: no limit, written as a number.
    const BEYOND: f64 = 1e6;
    let unlimited = match fields.value("request_rate") {
        Some(Value::String(text)) => text == UNLIMITED,
        // A wrapper writes null where the harness would write "inf".
        None => fields.has("request_rate"),
        Some(_) => false,
    };
    run.load.offered = match fields.number("request_rate") {
        Some(rate) if rate > 0.0 && rate < BEYOND => Some(Offered::Rate(rate)),
        Some(rate) if rate >= BEYOND => Some(Offered::Unlimited),
        _ => unlimited.then_some(Offered::Unlimited),
    };
    run.load.concurrency = fields.count("max_concurrency").filter(|count| *count > 0);
    run.load.arrival = match (run.load.offered, run.load.concurrency, burstiness) {
        (Some(Offered::Unlimited), Some(_), _) => Some("as fast as the concurrency allows".to_owned()),
        (Some(Offered::Unlimited), None, _) => Some("all at once".to_owned()),
        (Some(Offered::Rate(_)), _, Some(1.0)) => Some("Poisson".to_owned()),
        (Some(Offered::Rate(_)), _, Some(shape)) => Some(format!("gamma, burstiness {shape}")),
        _ => None,
    };
    let completed = run.requests.completed.filter(|count| *count > 0).map(|count| count as f64);
    let mean = |key: &str| Some(fields.number(key).filter(|tokens| *tokens > 0.0)? / completed?);
    run.load.input_tokens = mean("total_input_tokens");
    run.load.output_tokens = mean("total_output_tokens");
}

/// The completed requests, where the file lists them.
pub fn samples(fields: Fields) -> Vec<Sample> {
    let lists = ["ttfts", "itls", "output_lens"].map(|key| fields.list(key));
    let [Some(ttfts), Some(itls), Some(lengths)] = lists else { return Vec::new() };
    let errors = fields.list("errors").unwrap_or_default();
    let failed = |position: usize| errors.get(position).and_then(Value::as_str).is_some_and(|error| !error.is_empty());
    let of = |(position, ((ttft, gaps), length)): (usize, ((&Value, &Value), &Value))| {
        // A request that failed has a TTFT of 0.
        let ttft = json::number(ttft).filter(|seconds| *seconds > 0.0 && !failed(position))?;
        let decode: f64 = gaps.as_array()?.iter().filter_map(json::number).sum();
        let tokens = json::number(length).filter(|tokens| *tokens >= 1.0)?;
        Some(Sample {
            ttft_ms: Some(Time::Seconds.ms(ttft)),
            tpot_ms: (tokens > 1.0).then(|| Time::Seconds.ms(decode / (tokens - 1.0))),
            e2el_ms: Some(Time::Seconds.ms(ttft + decode)),
            output_tokens: Some(tokens as u64),
        })
    };
    ttfts.iter().zip(itls).zip(lengths).enumerate().filter_map(of).collect()
}

/// The harness's settings, and those that a sweep varies: what is no result, numbers and truths under whatever name. Of
/// text only that of the keys `words` is copied, since people may add any.
pub fn settings(fields: Fields, results: &[&str], words: &[&str], run: &mut Measured) {
    for (key, value) in fields.iter().filter(|(key, value)| !value.is_null() && !results.contains(key)) {
        if latency(key).is_some() || value.is_array() || value.is_object() || *value == NO_NUMBER {
            continue;
        }
        let name = named::words(key);
        let plain = |key: &String| key.chars().all(|one| one.is_ascii_alphanumeric() || "_-.".contains(one));
        match (name.filter(plain), value) {
            (Some(name), Value::Bool(_)) => drop(run.settings.insert(name, value.clone())),
            (Some(name), _) if json::number(value).is_some() => drop(run.settings.insert(name, value.clone())),
            (Some(name), Value::String(text)) if words.contains(&key) => {
                run.settings.extend(named::words(text).map(|words| (name, words.into())));
            }
            _ => drop(run.unread.insert((*key).to_owned(), value.clone())),
        }
    }
}

/// What the benchmarks say besides rates and latencies, in words.
pub fn remarks(fields: Fields, run: &mut Measured) {
    for key in ["num_prompts", "completed", "failed", "total_input_tokens", "total_output_tokens", "duration"] {
        if let Some(count) = fields.number(key).filter(|count| *count < 0.0) {
            run.remark(format!("{key} is {count} in the file, which stands for no value"));
        }
    }
    let goodput = ["request_goodput", "request_goodput:"].into_iter().find_map(|key| fields.number(key));
    if let (Some(rate), false) = (goodput, fields.has("goodput_slos_ms")) {
        run.remark(format!("the file states {rate} requests per second within limits that it does not name"));
    }
    let rate = fields.number("spec_decode_acceptance_rate");
    let rate = rate.map(|rate| format!("{}% of the drafted tokens were accepted", fixed(rate, 1)));
    let length = fields.number("accept_length");
    let length = length.map(|length| format!("{} tokens accepted a step in the mean", fixed(length, 2)));
    for accepted in rate.into_iter().chain(length) {
        run.remark(format!("speculative decoding was on: {accepted}"));
        run.speculation = Some(accepted);
    }
}
