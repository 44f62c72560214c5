//! vLLM's serving benchmark: `vllm bench serve`, formerly `benchmark_serving.py`, and its parameter sweeps.
//!
//! One JSON object a run, or several in one file: appended, or as the list that a sweep's summary is. Its `backend` is the
//! client's protocol and never the server.

use serde_json::Value;

use super::json::Fields;
use super::measured::{Measured, Requests};
use super::{Content, Foreign, Format, named, serving};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
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

fn is_run(fields: Fields) -> bool {
    fields.value("model_id").is_some_and(Value::is_string)
        && fields.has("num_prompts")
        && serving::has_latencies(fields)
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
    serving::load(fields, fields.number("burstiness"), &mut run);
    rates(fields, &mut run);
    serving::latencies(fields, &mut run);
    run.samples = serving::samples(fields);
    serving::settings(fields, RESULTS, &WORDS, &mut run);
    run
}

/// `20260814-114707`, on the clock of the machine.
fn day(text: &str) -> Option<Date> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
    let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
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
    serving::remarks(fields, run);
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

#[cfg(test)]
mod tests;
