//! TensorRT-LLM's `trtllm-bench`: the JSON of `--report_json`, and the report that it prints at the end of its log.
//!
//! The printed report becomes the JSON's shape and is read as such. TTFT and TPOT are there with `--streaming` alone.

use serde_json::{Map, Value, json};

use super::json::{self, Fields};
use super::measured::{Measured, Offered, Requests, Time};
use super::{Content, Foreign, Format, named};
use crate::diagnostic::Report;
use crate::record::Date;

pub struct TrtLlmBench;

impl Format for TrtLlmBench {
    fn name(&self) -> &'static str {
        "trtllm-bench"
    }

    fn about(&self) -> &'static str {
        "reports of TensorRT-LLM's `trtllm-bench`, 0.16 to 1.2: --report_json, and the console's text"
    }

    fn known_by(&self) -> &'static str {
        "JSON with engine, world_info and performance, or a log with [TRT-LLM] lines of a benchmark"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(is_report) || is_log(file)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let runs = if is_log(file) {
            let printed = printed(&file.text.text);
            let mut run = run(Fields(&printed));
            run.date = file.text.lines().find_map(day);
            if !printed.contains_key("performance") {
                run.failed = Some("the log ends before any result".to_owned());
            }
            vec![run]
        } else {
            file.objects(report)?.into_iter().filter(|fields| is_report(*fields)).map(run).collect()
        };
        Some(Content { runs, ..Content::default() })
    }
}

fn is_report(fields: Fields) -> bool {
    ["engine", "world_info", "performance"].iter().all(|key| fields.part(key).is_some())
}

fn is_log(file: &Foreign) -> bool {
    let logs = |line: &str| line.contains("[TRT-LLM]") && line.contains("benchmark");
    file.text.lines().any(logs) || file.text.text.contains("= PERFORMANCE OVERVIEW")
}

/// The text of a field; `None` is written as a word.
fn word(fields: Option<Fields>, key: &str) -> Option<String> {
    fields?.text(key).filter(|text| text != "None")
}

fn run(report: Fields) -> Measured {
    let mut run = Measured::default();
    let [engine, world, asked, performance, dataset] =
        ["engine", "world_info", "request_info", "performance", "dataset"].map(|name| report.part(name));
    let subject = &mut run.subject;
    let model = engine.and_then(|engine| engine.value("model")).and_then(Value::as_str);
    subject.model = model.filter(|name| *name != "None").and_then(named::model);
    subject.engine = Some("tensorrt-llm".to_owned());
    subject.engine_version = word(engine, "version");
    subject.quantization = word(engine, "quantization");
    subject.kv_dtype = word(engine, "kv_cache_dtype");
    subject.accelerator = report.part("machine").and_then(|machine| machine.text("name"));
    let size = |key: &str| world.and_then(|world| world.count(key)).filter(|count| *count > 0);
    let parts = [("tp_size", "TP"), ("pp_size", "PP"), ("ep_size", "EP")];
    let parts: Vec<_> = parts.into_iter().filter_map(|(key, name)| Some(format!("{name}{}", size(key)?))).collect();
    subject.parallelism = Some(parts.join(" ")).filter(|words| !words.is_empty());
    let product = size("tp_size").map(|tp| tp.saturating_mul(size("pp_size").unwrap_or(1)));
    subject.gpus = size("world_size").or(product).and_then(|count| u32::try_from(count).ok());
    for (part, key) in [
        (engine, "backend"),
        (engine, "dtype"),
        (world, "scheduling_policy"),
        (world, "max_batch_size"),
        (world, "max_num_tokens"),
        (world, "kv_cache_percentage"),
    ] {
        let number = part.and_then(|part| part.value(key)).filter(|value| value.is_number()).cloned();
        run.settings.extend(number.or_else(|| word(part, key).map(Value::from)).map(|value| (key.to_owned(), value)));
    }
    load(world, asked, dataset, &mut run);
    if let Some(performance) = performance {
        rates(performance, &mut run);
        statistics(performance.part("request_latency_percentiles_ms"), "e2el", &mut run);
    }
    match report.part("streaming_metrics") {
        // Milliseconds too, without a unit in their names.
        Some(streamed) => {
            statistics(streamed.part("ttft_percentiles"), "ttft", &mut run);
            statistics(streamed.part("tpot_percentiles"), "tpot", &mut run);
        }
        None if performance.is_some() => run.remark("TTFT and TPOT are not measured without --streaming"),
        None => {}
    }
    run
}

fn load(world: Option<Fields>, asked: Option<Fields>, dataset: Option<Fields>, run: &mut Measured) {
    // The rate at which requests were handed over, measured: beyond this they came all at once.
    const AT_ONCE: f64 = 1e6;
    run.load.offered = world.and_then(|world| world.number("issue_rate")).map(|rate| match rate {
        rate if rate > 0.0 && rate < AT_ONCE => Offered::Rate(rate),
        _ => Offered::Unlimited,
    });
    run.load.arrival = (run.load.offered == Some(Offered::Unlimited)).then(|| "all at once".to_owned());
    run.load.dataset =
        dataset.and_then(|dataset| dataset.value("dataset_path")).and_then(Value::as_str).and_then(named::last_part);
    let mean = |key: &str| asked.and_then(|asked| asked.number(key)).filter(|tokens| *tokens > 0.0);
    run.load.input_tokens = mean("avg_input_length");
    run.load.output_tokens = mean("avg_output_length");
    let count = asked.and_then(|asked| asked.count("num_requests"));
    run.requests = Requests { completed: count, ..Requests::default() };
}

fn rates(performance: Fields, run: &mut Measured) {
    let duration = performance.number("total_latency_ms").filter(|duration| *duration > 0.0);
    run.duration_s = duration.map(|duration| Time::Milliseconds.s(duration));
    let completed = run.requests.completed.map(|count| count as f64);
    let tokens = |mean: Option<f64>| Some(mean? * completed?);
    let (input, output) = (tokens(run.load.input_tokens), tokens(run.load.output_tokens));
    let stated = |key: &str| performance.number(key);
    run.output_tok_s = run.rate("output_tok_s", stated("system_output_throughput_tok_s"), output);
    run.input_tok_s = run.rate("input_tok_s", None, input);
    let total = input.zip(output).map(|(input, output)| input + output);
    run.total_tok_s = run.rate("total_tok_s", stated("system_total_throughput_tok_s"), total);
    run.request_throughput_rps = run.rate("request_throughput_rps", stated("request_throughput_req_s"), completed);
}

fn statistics(values: Option<Fields>, metric: &str, run: &mut Measured) {
    for (statistic, value) in values.into_iter().flat_map(Fields::iter) {
        run.latency(metric, statistic, Time::Milliseconds, json::number(value));
    }
}

/// Labels of the printed report, in small letters and without their unit, with the place of their value in the JSON.
const LABELS: [(&str, &str, &str); 22] = [
    ("model", "engine", "model"),
    ("tensorrt-llm version", "engine", "version"),
    ("backend", "engine", "backend"),
    ("dtype", "engine", "dtype"),
    ("kv cache dtype", "engine", "kv_cache_dtype"),
    ("quantization", "engine", "quantization"),
    ("tp size", "world_info", "tp_size"),
    ("pp size", "world_info", "pp_size"),
    ("ep size", "world_info", "ep_size"),
    ("max runtime batch size", "world_info", "max_batch_size"),
    ("max runtime tokens", "world_info", "max_num_tokens"),
    ("scheduling policy", "world_info", "scheduling_policy"),
    ("kv memory percentage", "world_info", "kv_cache_percentage"),
    ("issue rate", "world_info", "issue_rate"),
    ("number of requests", "request_info", "num_requests"),
    ("average input length", "request_info", "avg_input_length"),
    ("average output length", "request_info", "avg_output_length"),
    ("request throughput", "performance", "request_throughput_req_s"),
    // 0.16 has one rate of tokens, which is that of output.
    ("token throughput", "performance", "system_output_throughput_tok_s"),
    ("total output throughput", "performance", "system_output_throughput_tok_s"),
    ("total token throughput", "performance", "system_total_throughput_tok_s"),
    ("total latency", "performance", "total_latency_ms"),
];

/// The same for lines of statistics: `[Latency] P50    : 68923.2602`.
const STATISTICS: [(&str, &str, &str); 3] = [
    ("latency", "performance", "request_latency_percentiles_ms"),
    ("ttft", "streaming_metrics", "ttft_percentiles"),
    ("tpot", "streaming_metrics", "tpot_percentiles"),
];

/// The printed report in the shape of the JSON.
fn printed(text: &str) -> Map<String, Value> {
    let mut report = json!({});
    for line in text.lines() {
        let Some((label, value)) = line.rsplit_once(": ").or(line.rsplit_once(":\t")) else { continue };
        let value = value.trim();
        let label = label.trim().trim_start_matches("[TensorRT-LLM] ").to_lowercase();
        let number = value.trim_end_matches('%');
        let cell = match (number.parse::<u64>(), number.parse::<f64>()) {
            (Ok(whole), _) => Value::from(whole),
            (_, Ok(number)) if number.is_finite() => Value::from(number),
            _ => Value::from(value),
        };
        if let Some((of, statistic)) = label.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            let place = STATISTICS.iter().find(|(known, ..)| *known == of);
            place.into_iter().for_each(|(_, part, key)| report[part][key][statistic.trim()] = cell.clone());
            continue;
        }
        let name = label.split(" (").next().unwrap_or_default().trim();
        // How many requests there were stands under another name since 0.20.
        let name = if name == "number of sequences" { "number of requests" } else { name };
        if let Some((_, part, key)) = LABELS.iter().find(|(known, ..)| *known == name) {
            report[part][key] = cell;
        }
    }
    report.as_object().cloned().unwrap_or_default()
}

/// `[07/11/2025-08:06:42] [TRT-LLM]`: month, day, year.
fn day(line: &str) -> Option<Date> {
    let (stamp, _) = line.strip_prefix('[')?.split_once("] [TRT-LLM]")?;
    let (date, _) = stamp.split_once('-')?;
    let parts: Vec<i16> = date.split('/').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [month, day, year] = parts[..] else { return None };
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests;
