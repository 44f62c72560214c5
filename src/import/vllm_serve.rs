//! vLLM's serving benchmark: `vllm bench serve`, formerly `benchmark_serving.py`, and its parameter sweeps.
//!
//! One JSON object a run, or several in one file: appended, or as the list that a sweep's summary is. Its `backend` is the
//! client's protocol and never the server.

use serde_json::Value;

use super::json::{self, Fields, UNLIMITED};
use super::measured::{Measured, Offered, Requests, Sample, Time};
use super::{Content, Foreign, Format, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::quantity::fixed;
use crate::record::Date;

pub struct VllmServe;

impl Format for VllmServe {
    fn name(&self) -> &'static str {
        "vllm-serve"
    }

    fn about(&self) -> &'static str {
        "results of vLLM's `bench serve` (benchmark_serving.py), 0.6.3 to 0.33: JSON, appended JSON lines, per-request \
         details, sweep folders"
    }

    fn known_by(&self) -> &'static str {
        "JSON with model_id, num_prompts and ttft, tpot or itl latencies"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(is_run)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for (position, fields) in file.objects(report)?.into_iter().enumerate() {
            if !is_run(fields) {
                let location = Location::File(file.text.path.clone());
                let message =
                    format!("object {} of the file is no run: it has no model_id and latencies", position + 1);
                report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("take it out of the file"));
                return None;
            }
            content.runs.push(run(fields));
        }
        Some(content)
    }
}

const METRICS: [&str; 4] = ["ttft", "tpot", "itl", "e2el"];

fn is_run(fields: Fields) -> bool {
    let latency = |(key, _): (&str, &Value)| latency(key).is_some();
    fields.value("model_id").is_some_and(Value::is_string) && fields.has("num_prompts") && fields.iter().any(latency)
}

/// A latency's metric, statistic and unit: `median_ttft_ms`, `p99_tpot_ms`. A fork writes the same names without `_ms`,
/// and seconds in them.
fn latency(key: &str) -> Option<(&str, &str, Time)> {
    let (name, time) = match key.strip_suffix("_ms") {
        Some(name) => (name, Time::Milliseconds),
        None => (key, Time::Seconds),
    };
    let (statistic, metric) = name.rsplit_once('_')?;
    let percentile = |text: &str| text.strip_prefix('p').is_some_and(|digits| digits.parse::<f64>().is_ok());
    let known = matches!(statistic, "mean" | "median" | "std") || percentile(statistic);
    (known && METRICS.contains(&metric)).then_some((metric, statistic, time))
}

fn run(fields: Fields) -> Measured {
    let mut run = Measured {
        label: fields.text("label"),
        date: fields.text("date").and_then(|text| day(&text)),
        ..Measured::default()
    };
    run.subject.model = fields.value("model_id").and_then(Value::as_str).and_then(named::model);
    run.window_unix_s = fields.number("benchmark_start_time_unix").zip(fields.number("benchmark_end_time_unix"));
    run.duration_s = fields.number("duration").filter(|seconds| *seconds > 0.0);
    run.requests = Requests {
        sent: fields.count("num_prompts"),
        completed: fields.count("completed"),
        failed: fields.count("failed"),
        cancelled: None,
    };
    load(fields, &mut run);
    rates(fields, &mut run);
    for (key, value) in fields.iter() {
        if let Some((metric, statistic, time)) = latency(key) {
            run.latency(metric, statistic, time, json::number(value));
        }
    }
    run.samples = samples(fields);
    settings(fields, &mut run);
    run
}

/// `20260814-114707`, on the clock of the machine.
fn day(text: &str) -> Option<Date> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
    let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn load(fields: Fields, run: &mut Measured) {
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
    run.load.arrival = match (run.load.offered, run.load.concurrency, fields.number("burstiness")) {
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

fn rates(fields: Fields, run: &mut Measured) {
    let input = fields.number("total_input_tokens");
    let output = fields.number("total_output_tokens");
    let completed = fields.number("completed");
    run.output_tok_s = run.rate("output_tok_s", fields.number("output_throughput"), output);
    run.input_tok_s = run.rate("input_tok_s", fields.number("input_throughput"), input);
    let total = input.zip(output).map(|(input, output)| input + output);
    run.total_tok_s = run.rate("total_tok_s", fields.number("total_token_throughput"), total);
    run.request_throughput_rps = run.rate("request_throughput_rps", fields.number("request_throughput"), completed);
    let goodput = ["request_goodput", "request_goodput:"].into_iter().find_map(|key| fields.number(key));
    if let Some(rate) = goodput {
        run.remark(format!("the file states {rate} requests per second within limits that it does not name"));
    }
    if let Some(accepted) = fields.number("spec_decode_acceptance_rate") {
        let accepted = fixed(accepted, 1);
        run.remark(format!("speculative decoding was on: {accepted}% of the drafted tokens were accepted"));
    }
}

/// The completed requests, where the file lists them: up to 0.7 always, since then with `--save-detailed`.
fn samples(fields: Fields) -> Vec<Sample> {
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

/// What the harness writes of a run besides its latencies, and is no setting: read above, or of no use to a record.
const RESULTS: &[&str] = &[
    "date",
    "label",
    "model_id",
    "tokenizer_id",
    "num_prompts",
    "request_rate",
    "max_concurrency",
    "duration",
    "benchmark_duration",
    "completed",
    "good_completed",
    "failed",
    "run_number",
    "total_input_tokens",
    "total_output_tokens",
    "request_throughput",
    "request_goodput",
    "request_goodput:",
    "input_throughput",
    "output_throughput",
    "total_token_throughput",
    "max_output_tokens_per_s",
    "max_concurrent_requests",
    "rtfx",
    "spec_decode_acceptance_rate",
    "spec_decode_acceptance_length",
    "spec_decode_num_drafts",
    "spec_decode_draft_tokens",
    "spec_decode_accepted_tokens",
    "benchmark_start_time_unix",
    "benchmark_end_time_unix",
    "total_input",
    "total_output",
    "input_lens",
    "output_lens",
    "ttfts",
    "itls",
    "start_times",
    "generated_texts",
    "errors",
    "latencies",
    "queue_times",
];

/// Settings with a name of the harness, whose values are words.
const WORDS: [&str; 3] = ["backend", "endpoint_type", "ramp_up_strategy"];

/// The harness's settings, and those that a sweep varies: numbers and truths under whatever name. Other text is not
/// copied, since `--metadata` takes any.
fn settings(fields: Fields, run: &mut Measured) {
    for (key, value) in fields.iter().filter(|(key, value)| !value.is_null() && !RESULTS.contains(key)) {
        if latency(key).is_some() || value.is_array() || value.is_object() {
            continue;
        }
        let name = named::words(key);
        let plain = |key: &String| key.chars().all(|one| one.is_ascii_alphanumeric() || "_-.".contains(one));
        match (name.filter(plain), value) {
            (Some(name), Value::Bool(_)) => drop(run.settings.insert(name, value.clone())),
            (Some(name), _) if json::number(value).is_some() => drop(run.settings.insert(name, value.clone())),
            (Some(name), Value::String(text)) if WORDS.contains(&key) => {
                run.settings.extend(named::words(text).map(|words| (name, words.into())));
            }
            _ => drop(run.unread.insert((*key).to_owned(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests;
