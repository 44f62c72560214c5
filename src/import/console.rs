//! What the serving benchmarks of vLLM and SGLang print, as people paste it: blocks under a banner of `=`, anywhere in a
//! log, in a report, or in a string of a JSON file.
//!
//! Labels become the keys of the result files, so that both are read alike. Numbers have two decimals only.

use serde_json::{Map, Value};

use super::json::Fields;
use super::measured::{Measured, Requests};
use super::{Content, Foreign, Format, named, serving};
use crate::diagnostic::{Diagnostic, Location, Report, rules};

pub struct Console;

const BANNER: &str = "serving benchmark result";

impl Format for Console {
    fn name(&self) -> &'static str {
        "serving-console"
    }

    fn about(&self) -> &'static str {
        "console text of vLLM's `bench serve` and SGLang's `bench_serving`, alone, in a log, in Markdown or in a JSON string"
    }

    fn known_by(&self) -> &'static str {
        "a banner `Serving Benchmark Result`"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        texts(file).any(|text| lines(text).any(is_banner))
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for text in texts(file) {
            match blocks(text) {
                Ok(blocks) => content.runs.extend(blocks.iter().map(|block| run(Fields(block)))),
                Err(message) => {
                    let location = Location::File(file.text.path.clone());
                    let problem = Diagnostic::new(&rules::IMPORT_CONTENT, location, message);
                    report.push(problem.help("the last lines of the text are missing; copy it whole"));
                    return None;
                }
            }
        }
        if content.runs.is_empty() {
            let location = Location::File(file.text.path.clone());
            let message = format!("the file has no banner `{BANNER}`");
            report
                .push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("copy the text with its banner"));
            return None;
        }
        Some(content)
    }
}

/// The text of a file, or the strings in it where the file is JSON.
fn texts(file: &Foreign) -> impl Iterator<Item = &str> {
    let own = Some(file.text.text.as_str()).filter(|text| lines(text).any(is_banner));
    let wrapped = if own.is_none() { strings(&file.values().found) } else { Vec::new() };
    own.into_iter().chain(wrapped)
}

fn strings(values: &[Value]) -> Vec<&str> {
    let mut found = Vec::new();
    for value in values {
        match value {
            Value::String(text) => found.push(text.as_str()),
            Value::Array(items) => found.extend(strings(items)),
            Value::Object(members) => found.extend(members.values().flat_map(|one| strings(std::slice::from_ref(one)))),
            _ => {}
        }
    }
    found
}

/// Lines without the marks of a quotation. Progress bars end theirs with a carriage return alone.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).map(|line| line.trim_start_matches(['>', ' ', '\t']).trim_end())
}

fn is_banner(line: &str) -> bool {
    line.starts_with("==") && line.trim_matches(['=', ' ']).eq_ignore_ascii_case(BANNER)
}

/// Labels in lower case, and the keys of the result files that they stand for.
const LABELS: &[(&str, &str)] = &[
    ("backend", "backend"),
    ("traffic request rate", "request_rate"),
    ("request rate configured (rps)", "request_rate"),
    ("burstiness factor", "burstiness"),
    ("maximum request concurrency", "max_concurrency"),
    ("max request concurrency", "max_concurrency"),
    ("max reqeuest concurrency", "max_concurrency"),
    ("successful requests", "completed"),
    ("failed requests", "failed"),
    ("benchmark duration (s)", "duration"),
    ("total input tokens", "total_input_tokens"),
    ("total generated tokens", "total_output_tokens"),
    ("request throughput (req/s)", "request_throughput"),
    ("input token throughput (tok/s)", "input_throughput"),
    ("output token throughput (tok/s)", "output_throughput"),
    ("total token throughput (tok/s)", "total_throughput"),
    ("total throughput (tok/s)", "total_throughput"),
    ("request goodput (req/s)", "request_goodput"),
    ("acceptance rate (%)", "spec_decode_acceptance_rate"),
    ("accept length", "accept_length"),
];

/// Beginnings of labels whose values no record has.
const UNUSED: &[&str] = &[
    "peak ",
    "max output tokens",
    "max concurrent requests",
    "total generated tokens (retokenized)",
    "total input text tokens",
    "total input vision tokens",
    "concurrency",
    "acceptance length",
    "drafts",
    "draft tokens",
    "accepted tokens",
    "per-position acceptance",
    "position ",
    "std ",
];

/// Options of the benchmark that stand above a block, in the line of the command or as Python prints them.
const OPTIONS: &[&str] = &["model", "num_prompts", "dataset_name", "request_rate", "max_concurrency", "burstiness"];

/// The blocks of a text as objects with the keys of the result files. What stands above a block is of that block alone.
fn blocks(text: &str) -> Result<Vec<Map<String, Value>>, String> {
    let mut blocks = Vec::new();
    let mut above = Map::new();
    let mut block: Option<Map<String, Value>> = None;
    for line in lines(text) {
        let is_end = line.len() >= 10 && line.chars().all(|one| one == '=');
        match &mut block {
            _ if is_banner(line) => {
                if block.is_some() {
                    return Err(open(blocks.len()));
                }
                block = Some(std::mem::take(&mut above));
            }
            None => options(line, &mut above),
            Some(_) if is_end => blocks.extend(block.take()),
            Some(fields) => labelled(line, fields),
        }
    }
    if block.is_some() { Err(open(blocks.len())) } else { Ok(blocks) }
}

fn open(complete: usize) -> String {
    format!("block {} of the text does not end with a line of `=`", complete + 1)
}

/// `Median TTFT (ms):   167.63`.
fn labelled(line: &str, fields: &mut Map<String, Value>) {
    let Some((label, value)) = line.split_once(':') else { return };
    let (label, value) = (label.trim().to_lowercase(), value.trim());
    let key = match LABELS.iter().find(|(known, _)| *known == label) {
        Some((_, key)) => (*key).to_owned(),
        None => match latency(&label) {
            Some(key) => key,
            None if UNUSED.iter().any(|start| label.starts_with(start)) => return,
            None => format!("{UNKNOWN}{label}"),
        },
    };
    let value = match json_number(value) {
        Some(number) => number,
        None if key == "request_rate" && value == "inf" => super::json::UNLIMITED.into(),
        None => value.into(),
    };
    fields.insert(key, value);
}

/// Marks the keys of what has no name here.
const UNKNOWN: &str = "?";

/// The first word as a number: `1.0 (Poisson process)`.
fn json_number(text: &str) -> Option<Value> {
    let number: f64 = text.split_whitespace().next()?.parse().ok()?;
    number.is_finite().then(|| number.into())
}

/// `p99 ttft (ms)` and `mean e2e latency (ms)` as keys.
fn latency(label: &str) -> Option<String> {
    let (statistic, metric) = label.strip_suffix(" (ms)")?.split_once(' ')?;
    Some(format!("{statistic}_{}_ms", metric.replace(' ', "_"))).filter(|key| serving::is_latency(key))
}

/// Takes the options that a line names: `Namespace(model='a', num_prompts=40)`, `--num-prompts 40`, or a line of its own
/// with a label.
fn options(line: &str, above: &mut Map<String, Value>) {
    let is_command = ["bench serve", "bench_serving", "benchmark_serving"].iter().any(|name| line.contains(name));
    for option in OPTIONS {
        let found = if line.contains("Namespace(") {
            [", ", "("].iter().find_map(|before| after(line, &format!("{before}{option}="), ", "))
        } else if is_command {
            let flag = format!(" --{}", option.replace('_', "-"));
            [" ", "="].iter().find_map(|between| after(line, &format!("{flag}{between}"), " "))
        } else {
            None
        };
        if let Some(found) = found.filter(|value| *value != "None") {
            let unlimited = *option == "request_rate" && found == "inf";
            let value = if unlimited { super::json::UNLIMITED.into() } else { found.into() };
            above.insert((*option).to_owned(), json_number(found).unwrap_or(value));
        }
    }
    let label = line.split_once(':').map(|(label, _)| label.to_lowercase()).unwrap_or_default();
    if ["traffic request rate", "burstiness factor", "maximum request concurrency"].contains(&label.as_str()) {
        labelled(line, above);
    }
}

/// The value after some text, without quotation marks.
fn after<'a>(line: &'a str, text: &str, end: &str) -> Option<&'a str> {
    let rest = &line[line.find(text)? + text.len()..];
    let quote = rest.chars().next().filter(|one| matches!(one, '\'' | '"'));
    match quote {
        Some(quote) => rest[1..].split(quote).next(),
        None => rest.split(end).next().map(|value| value.trim_end_matches(')')),
    }
}

fn run(fields: Fields) -> Measured {
    let mut run = Measured::default();
    run.subject.model = fields.value("model").and_then(Value::as_str).and_then(named::model);
    run.load.dataset = fields.text("dataset_name");
    run.duration_s = fields.number("duration").filter(|seconds| *seconds > 0.0);
    run.requests = Requests {
        sent: fields.count("num_prompts"),
        completed: fields.count("completed"),
        failed: fields.count("failed"),
        cancelled: None,
    };
    serving::load(fields, fields.number("burstiness"), &mut run);
    serving::latencies(fields, &mut run);
    let (input, output) = (fields.number("total_input_tokens"), fields.number("total_output_tokens"));
    run.input_tok_s = rate("input_tok_s", fields.number("input_throughput"), input, &mut run);
    run.output_tok_s = rate("output_tok_s", fields.number("output_throughput"), output, &mut run);
    let total = input.zip(output).map(|(input, output)| input + output);
    run.total_tok_s = rate("total_tok_s", fields.number("total_throughput"), total, &mut run);
    let completed = fields.number("completed");
    let stated = fields.number("request_throughput");
    run.request_throughput_rps = rate("request_throughput_rps", stated, completed, &mut run);
    serving::remarks(fields, &mut run);
    run.settings.extend(fields.text("backend").map(|backend| ("backend".to_owned(), backend.into())));
    for (label, value) in fields.iter().filter_map(|(key, value)| Some((key.strip_prefix(UNKNOWN)?, value))) {
        run.unread.insert(label.to_owned(), value.clone());
    }
    run.remark("read from console text, which has two decimals");
    run
}

/// Half of the last decimal that is printed.
const HALF: f64 = 0.005;

/// A rate as printed, or its count over the printed duration: whichever lost less to rounding.
fn rate(name: &str, stated: Option<f64>, count: Option<f64>, run: &mut Measured) -> Option<f64> {
    let (Some(stated), Some(count), Some(seconds)) = (stated, count, run.duration_s) else {
        return run.rate(name, stated, count);
    };
    let counted = count / seconds;
    if (stated - counted).abs() > HALF + counted * HALF / seconds + f64::EPSILON * counted {
        return run.rate(name, Some(stated), Some(count));
    }
    let better = if stated < seconds { counted } else { stated };
    run.rate(name, Some(better), None)
}

#[cfg(test)]
mod tests;
