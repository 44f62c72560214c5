//! NVIDIA's AIPerf and its forerunner genai-perf: one JSON object a run, `profile_export_aiperf.json` or
//! `profile_export_genai_perf.json`, in which each metric has a unit and statistics.
//!
//! The number of metrics grows with every version: they are read by name, and the rest is left alone. `input_config` may hold
//! headers with keys, so named fields alone are taken from it.

use serde_json::Value;

use super::json::{self, Fields};
use super::measured::{Measured, Offered, Power, Time};
use super::{Content, Foreign, Format, day, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::quantity::fixed;
use crate::record::run::PowerKind;

pub struct AiPerf;

impl Format for AiPerf {
    fn name(&self) -> &'static str {
        "aiperf"
    }

    fn about(&self) -> &'static str {
        "results of NVIDIA AIPerf 0.2 to 0.13 and of genai-perf: profile_export JSON"
    }

    fn known_by(&self) -> &'static str {
        "JSON with metrics such as request_latency, each with unit and avg"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(is_run)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for fields in file.objects(report)? {
            if !is_run(fields) {
                let location = Location::File(file.text.path.clone());
                report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, "an object of the file has no metrics"));
                return None;
            }
            content.runs.push(run(fields));
        }
        Some(content)
    }
}

fn is_run(fields: Fields) -> bool {
    let names = ["request_throughput", "request_latency", "request_count", "error_request_count"];
    names.iter().any(|name| fields.part(name).is_some_and(|metric| metric.has("unit") && metric.has("avg")))
}

/// What metrics of these names say of a run; also those of a table that has the same names.
pub fn run(fields: Fields) -> Measured {
    let date = fields.text("start_time").and_then(|text| day::of_iso(&text));
    let mut run = Measured { date, ..Measured::default() };
    let nanoseconds = |name: &str| Some(Time::Nanoseconds.s(average(fields, name)?));
    run.window_unix_s = nanoseconds("min_request_timestamp").zip(nanoseconds("max_response_timestamp"));
    run.duration_s = average(fields, "benchmark_duration").filter(|seconds| *seconds > 0.0);
    if let Some(version) = fields.text("aiperf_version") {
        run.settings.insert("aiperf_version".to_owned(), version.into());
    }
    requests(fields, &mut run);
    rates(fields, &mut run);
    latencies(fields, &mut run);
    if let Some(config) = fields.part("input_config") {
        asked(config, &mut run);
    }
    telemetry(fields, &mut run);
    if fields.value("was_cancelled").and_then(Value::as_bool) == Some(true) {
        run.failed = Some("the run was cancelled".to_owned());
    }
    run
}

/// The mean of a metric, or the one value of a metric of the whole run.
fn average(fields: Fields, name: &str) -> Option<f64> {
    fields.part(name)?.number("avg")
}

fn requests(fields: Fields, run: &mut Measured) {
    let count = |name: &str| fields.part(name).and_then(|metric| metric.count("avg"));
    let failed = count("error_request_count").or_else(|| {
        // A list of the errors that came up, each with how often; without one there were none.
        let errors = fields.list("error_summary")?.iter().filter_map(Value::as_object).map(Fields);
        errors.map(|error| error.count("count")).try_fold(0u64, |sum, count| Some(sum.saturating_add(count?)))
    });
    let requests = &mut run.requests;
    requests.failed = failed;
    // Where every request failed there is no metric of the others at all.
    requests.completed = count("request_count").or_else(|| failed.filter(|count| *count > 0).map(|_| 0));
    requests.sent = requests.completed.zip(failed).map(|(completed, failed)| completed.saturating_add(failed));
}

fn rates(fields: Fields, run: &mut Measured) {
    let of = |name: &str| average(fields, name);
    let (input, output) = (of("total_isl"), of("total_osl").or(of("total_output_tokens")));
    run.output_tok_s = run.rate("output_tok_s", of("output_token_throughput"), output);
    run.input_tok_s = run.rate("input_tok_s", of("input_token_throughput"), input);
    let total = input.zip(output).map(|(input, output)| input + output);
    run.total_tok_s = run.rate("total_tok_s", of("total_token_throughput"), total);
    let completed = run.requests.completed.map(|count| count as f64);
    run.request_throughput_rps = run.rate("request_throughput_rps", of("request_throughput"), completed);
    run.load.input_tokens = of("input_sequence_length").filter(|tokens| *tokens > 0.0);
    run.load.output_tokens = of("output_sequence_length").filter(|tokens| *tokens > 0.0);
    if let Some(rate) = of("goodput") {
        run.remark(format!("the file states {rate} requests per second within limits of single requests"));
    }
    if let Some(share) = of("theoretical_prefix_cache_hit") {
        let share = fixed(share, 1);
        run.remark(format!(
            "a prefix cache without end would have held {share}% of the prompts; what was hit is not stated"
        ));
    }
}

fn latencies(fields: Fields, run: &mut Measured) {
    // Without streaming the first token comes with the last, and its time is that of the whole request.
    let median = |name: &str| fields.part(name).and_then(|metric| metric.number("p50").or(metric.number("avg")));
    let streams = median("time_to_first_token").is_none() || median("time_to_first_token") != median("request_latency");
    if !streams {
        run.remark("TTFT is that of whole requests in the file, which was measured without streaming: it is left out");
    }
    for (name, metric) in [
        ("time_to_first_token", "ttft"),
        // A request's latency without TTFT over its tokens but one.
        ("inter_token_latency", "tpot"),
        ("inter_chunk_latency", "itl"),
        ("request_latency", "e2el"),
    ] {
        let Some(values) = fields.part(name).filter(|_| streams || metric != "ttft") else { continue };
        let time = match values.text("unit").as_deref() {
            Some("ns") => Time::Nanoseconds,
            Some("ms") => Time::Milliseconds,
            Some("s" | "sec") => Time::Seconds,
            _ => {
                run.remark(format!("{name} has a unit that is not known here, and is left out"));
                continue;
            }
        };
        for (statistic, value) in values.iter() {
            run.latency(metric, statistic, time, json::number(value));
        }
    }
}

/// What was asked for: genai-perf has it flat, AIPerf in parts.
fn asked(config: Fields, run: &mut Measured) {
    let [endpoint, loadgen] = ["endpoint", "loadgen"].map(|name| config.part(name).unwrap_or(config));
    let models = endpoint.value("model_names").or(config.value("model"));
    let model = models.and_then(|models| models.as_array().map_or(Some(models), |models| models.first()));
    run.subject.model = model.and_then(Value::as_str).and_then(named::model);
    run.load.concurrency = loadgen.count("concurrency").filter(|count| *count > 0);
    let rate = loadgen.number("request_rate").filter(|rate| *rate > 0.0).map(Offered::Rate);
    run.load.offered = rate.or(run.load.concurrency.map(|_| Offered::Unlimited));
    let pattern = loadgen.text("arrival_pattern").or_else(|| loadgen.text("request_rate_mode"));
    run.load.arrival = match (run.load.offered, pattern.as_deref()) {
        (Some(Offered::Unlimited), _) => Some("as fast as the concurrency allows".to_owned()),
        (Some(Offered::Rate(_)), Some("poisson")) => Some("Poisson".to_owned()),
        (Some(Offered::Rate(_)), Some("constant")) => Some("at a constant rate".to_owned()),
        _ => None,
    };
    let input = config.part("input");
    let prompt = input.and_then(|input| input.part("prompt"));
    let asked = |part: &str, flat: &str| {
        let mean = prompt.and_then(|prompt| prompt.part(part)).and_then(|tokens| tokens.number("mean"));
        mean.or(config.number(flat)).filter(|tokens| *tokens > 0.0)
    };
    run.load.input_tokens_requested = asked("input_tokens", "synthetic_input_tokens_mean");
    run.load.output_tokens_requested = asked("output_tokens", "output_tokens_mean");
    let dataset =
        input.and_then(|input| ["public_dataset", "file"].into_iter().find_map(|key| input.value(key)?.as_str()));
    run.load.dataset = dataset.and_then(named::last_part);
    if let Some(streaming) = endpoint.value("streaming").filter(|value| value.is_boolean()) {
        run.settings.insert("streaming".to_owned(), streaming.clone());
    }
}

/// GPUs and their power, where AIPerf asked their exporters.
fn telemetry(fields: Fields, run: &mut Measured) {
    let endpoints = fields.part("telemetry_data").and_then(|data| data.part("endpoints"));
    let gpus = endpoints.into_iter().flat_map(Fields::iter).flat_map(|(endpoint, value)| {
        let gpus = value.as_object().and_then(|value| Fields(value).part("gpus"));
        gpus.into_iter().flat_map(Fields::iter).map(move |(id, gpu)| (format!("{endpoint} {id}"), gpu))
    });
    let mut seen = Vec::new();
    let (mut names, mut watts, mut idle) = (Vec::new(), Vec::new(), 0);
    for (place, gpu) in gpus.filter_map(|(place, gpu)| Some((place, Fields(gpu.as_object()?)))) {
        // Two exporters may name the same GPU; an id of zeros is none.
        let uuid = gpu.text("gpu_uuid").filter(|uuid| uuid.chars().any(|one| matches!(one, '1'..='9' | 'a'..='f')));
        let identity = uuid.unwrap_or(place);
        if seen.contains(&identity) {
            continue;
        }
        seen.push(identity);
        let metric = |name: &str| gpu.part("metrics").and_then(|metrics| metrics.part(name));
        if metric("gpu_utilization").and_then(|metric| metric.number("avg")).is_some_and(|percent| percent < 1.0) {
            idle += 1;
            continue;
        }
        names.push(gpu.text("gpu_name"));
        // The mean has the time before the load in it.
        watts.push(metric("gpu_power_usage").and_then(|power| power.number("p50")));
    }
    let Some(name) = names.first().cloned().flatten().filter(|_| names.iter().all(|name| *name == names[0])) else {
        return;
    };
    run.subject.accelerator = Some(name);
    run.subject.gpus = u32::try_from(names.len()).ok();
    run.remark("the GPUs are those that telemetry saw at work");
    if idle > 0 {
        run.remark(format!("telemetry names {idle} more GPUs, which were idle and are left out"));
    }
    let watts: Option<Vec<f64>> = watts.into_iter().collect();
    if let Some(watts) = watts.map(|watts| watts.iter().sum::<f64>()).filter(|watts| *watts > 0.0) {
        run.power = Some(Power {
            kw: watts / 1e3,
            kind: PowerKind::Board,
            source: "AIPerf telemetry, sum of each GPU's median".to_owned(),
            sampling_hz: None,
            window: None,
        });
    }
}

#[cfg(test)]
mod tests;
