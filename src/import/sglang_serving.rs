//! SGLang's serving benchmark, `bench_serving`: one JSON line a run, so that a file is mostly a sweep.
//!
//! Up to 0.4 early there is neither a p99 nor a TPOT nor a model in it. Since 0.5.5 the server says what it is, unless the
//! benchmark talked to a router: then each worker does.

use serde_json::Value;

use super::json::Fields;
use super::measured::{Measured, Requests};
use super::{Content, Foreign, Format, named, serving};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::quantity::{fixed, plain};
use crate::record::run::RoleGpus;

pub struct SglangServing;

impl Format for SglangServing {
    fn name(&self) -> &'static str {
        "sglang-serving"
    }

    fn about(&self) -> &'static str {
        "results of SGLang's `bench_serving`, 0.3.6 to 0.5.23: JSON lines, with `server_info` and per-request details"
    }

    fn known_by(&self) -> &'static str {
        "JSON with backend, total_output_tokens and e2e_latency, without model_id"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(is_run)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for (position, fields) in file.objects(report)?.into_iter().enumerate() {
            if !is_run(fields) {
                let location = Location::File(file.text.path.clone());
                let message = format!("object {} of the file is no run of bench_serving", position + 1);
                report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("take it out of the file"));
                return None;
            }
            content.runs.push(run(fields));
        }
        Some(content)
    }
}

fn is_run(fields: Fields) -> bool {
    let e2e = ["mean_e2e_latency_ms", "median_e2e_latency_ms"].iter().any(|key| fields.has(key));
    e2e && fields.has("backend") && fields.has("total_output_tokens") && !fields.has("model_id")
}

fn run(fields: Fields) -> Measured {
    let mut run = Measured { label: fields.text("tag"), ..Measured::default() };
    run.duration_s = fields.number("duration").filter(|seconds| *seconds > 0.0);
    // The planned requests are not in the file; with details, each that was sent has an entry.
    let sent = fields.list("errors").or_else(|| fields.list("ttfts")).map(|list| list.len() as u64);
    run.requests = Requests { sent, completed: fields.count("completed"), ..Requests::default() };
    // Requests with a rate arrive as a Poisson process, always.
    serving::load(fields, Some(1.0), &mut run);
    if fields.value("request_rate").and_then(Value::as_str) == Some("trace") {
        run.load.arrival = Some("as a trace has it".to_owned());
    }
    dataset(fields, &mut run);
    rates(fields, &mut run);
    serving::latencies(fields, &mut run);
    run.samples = serving::samples(fields);
    serving::settings(fields, RESULTS, &["backend"], &mut run);
    if let Some(info) = fields.part("server_info") {
        server(info, &mut run);
    }
    run
}

/// The data set with the lengths that were asked for. A random one takes them between a share of the longest and the
/// longest, so that only a share of 1 asks for exactly so many.
fn dataset(fields: Fields, run: &mut Measured) {
    let load = &mut run.load;
    load.dataset = fields.text("dataset_name");
    let [input, output] = ["random_input_len", "random_output_len"].map(|key| fields.number(key));
    if !load.dataset.as_deref().is_some_and(|name| name.starts_with("random")) {
        load.output_tokens_requested = fields.number("sharegpt_output_len");
    } else if fields.number("random_range_ratio") == Some(1.0) {
        (load.input_tokens_requested, load.output_tokens_requested) = (input, output);
    } else if let (Some(name), Some(input), Some(output)) = (&mut load.dataset, input, output) {
        name.push_str(&format!(", up to {} tokens in and {} out", plain(input.into()), plain(output.into())));
    }
}

fn rates(fields: Fields, run: &mut Measured) {
    let input = fields.number("total_input_tokens");
    // Not the tokens of the answer's text counted once more, `total_output_tokens_retokenized`.
    let output = fields.number("total_output_tokens");
    run.output_tok_s = run.rate("output_tok_s", fields.number("output_throughput"), output);
    run.input_tok_s = run.rate("input_tok_s", fields.number("input_throughput"), input);
    let total = input.zip(output).map(|(input, output)| input + output);
    run.total_tok_s = run.rate("total_tok_s", fields.number("total_throughput"), total);
    let requests = fields.number("completed");
    run.request_throughput_rps = run.rate("request_throughput_rps", fields.number("request_throughput"), requests);
    run.prefix_cache_hit_pct = fields.part("cache_report").and_then(|report| report.number("cache_hit_rate_pct"));
    serving::remarks(fields, run);
    if let (Some(limits), Some(rate)) = (fields.part("goodput_slos_ms"), fields.number("request_goodput")) {
        let limits = ["ttft", "tpot", "e2el"].into_iter().filter_map(|metric| {
            let ms = limits.number(metric)?;
            Some(format!("{} of {} ms", metric.to_uppercase(), plain(ms.into())))
        });
        let limits = limits.collect::<Vec<_>>().join(", ");
        let share =
            fields.number("slo_attainment").map(|share| format!(", {}% of those sent", fixed(100.0 * share, 1)));
        run.remark(format!(
            "the file states {} requests per second that met, each for itself, {limits}{}",
            fixed(rate, 4),
            share.unwrap_or_default()
        ));
    }
}

/// Settings of the server that tell results apart. The rest of its several hundred holds paths, hosts and keys.
const SERVER: &[&str] = &[
    "attention_backend",
    "chunked_prefill_size",
    "context_length",
    "disable_cuda_graph",
    "disable_overlap_schedule",
    "disable_radix_cache",
    "dtype",
    "enable_dp_attention",
    "enable_hierarchical_cache",
    "enable_torch_compile",
    "kv_cache_dtype",
    "max_running_requests",
    "mem_fraction_static",
    "page_size",
    "schedule_policy",
    "speculative_algorithm",
    "speculative_num_draft_tokens",
    "speculative_num_steps",
    "stream_interval",
];

fn server(info: Fields, run: &mut Measured) {
    run.subject.engine = Some("sglang".to_owned());
    let workers = |role: &str| -> Vec<Fields> {
        let list = info.list(role).unwrap_or_default();
        list.iter().filter_map(Value::as_object).map(Fields).collect()
    };
    let (prefill, decode) = (workers("prefill"), workers("decode"));
    let own = info.has("model_path").then_some(info);
    // Behind a router the decoding workers stand for all, as far as all say the same.
    let first = own.or_else(|| decode.first().copied()).or_else(|| prefill.first().copied());
    let Some(first) = first else { return };
    let all: Vec<Fields> = std::iter::once(first).chain(prefill.iter().chain(&decode).copied()).collect();
    let shared = |key: &str| first.value(key).filter(|value| all.iter().all(|one| one.value(key) == Some(*value)));
    let word = |key: &str| shared(key).and_then(Value::as_str).filter(|text| !is_default(text)).and_then(named::words);
    let subject = &mut run.subject;
    subject.model = shared("model_path").and_then(Value::as_str).and_then(named::model);
    subject.engine_version = word("version").or_else(|| info.text("version"));
    subject.quantization = word("quantization");
    subject.kv_dtype = word("kv_cache_dtype");
    subject.parallelism = parallelism(first).filter(|of_first| {
        let same = |one: &Fields| parallelism(*one).as_ref() == Some(of_first);
        all.iter().all(same)
    });
    if own.is_some() {
        subject.gpus = gpus(first);
    } else if let (Some(prefill), Some(decode)) = (sum(&prefill), sum(&decode)) {
        subject.gpus = prefill.checked_add(decode);
        subject.role_gpus = Some(RoleGpus { prefill, decode });
    }
    for key in SERVER {
        match shared(key) {
            Some(Value::String(text)) if !is_default(text) => {
                run.settings.extend(named::words(text).map(|words| ((*key).to_owned(), words.into())));
            }
            Some(value @ (Value::Bool(_) | Value::Number(_))) if value.as_i64() != Some(-1) => {
                run.settings.insert((*key).to_owned(), value.clone());
            }
            _ => {}
        }
    }
}

/// What a setting says that was left to the server.
fn is_default(text: &str) -> bool {
    matches!(text, "" | "auto" | "null" | "none" | "None")
}

/// GPUs of one server. With attention in data parallel, its replicas share the GPUs of the tensor parallel group.
fn gpus(server: Fields) -> Option<u32> {
    let size = |key: &str| server.count(key).filter(|size| *size > 0);
    let replicas = match server.value("enable_dp_attention") {
        Some(Value::Bool(true)) => 1,
        _ => size("dp_size").unwrap_or(1),
    };
    let gpus = size("tp_size")?.checked_mul(size("pp_size").unwrap_or(1))?.checked_mul(replicas)?;
    u32::try_from(gpus).ok()
}

fn sum(workers: &[Fields]) -> Option<u32> {
    let of_each: Option<Vec<u32>> = workers.iter().map(|worker| gpus(*worker)).collect();
    of_each.filter(|list| !list.is_empty())?.into_iter().try_fold(0_u32, u32::checked_add)
}

/// `TP8`, `TP8 DP2 EP8`.
fn parallelism(server: Fields) -> Option<String> {
    let size = |key: &str| server.count(key).filter(|size| *size > 0);
    let tensor = size("tp_size").map(|size| format!("TP{size}"))?;
    let more = [("PP", "pp_size"), ("DP", "dp_size"), ("EP", "ep_size")];
    let more = more.into_iter().filter_map(|(name, key)| Some(format!(" {name}{}", size(key).filter(|it| *it > 1)?)));
    Some(tensor + &more.collect::<String>())
}

/// What the harness writes of a run besides its latencies, and is no setting: read above, or of no use to a record.
const RESULTS: &[&str] = &[
    "tag",
    "dataset_name",
    "request_rate",
    "max_concurrency",
    "sharegpt_output_len",
    "duration",
    "completed",
    "total_input_tokens",
    "total_input_text_tokens",
    "total_input_vision_tokens",
    "total_output_tokens",
    "total_output_tokens_retokenized",
    "request_throughput",
    "input_throughput",
    "output_throughput",
    "output_throughput_retokenized",
    "total_throughput",
    "total_throughput_retokenized",
    "concurrency",
    "accept_length",
    "max_output_tokens_per_s",
    "max_concurrent_requests",
    "request_goodput",
    "slo_attainment",
];

#[cfg(test)]
mod tests;
