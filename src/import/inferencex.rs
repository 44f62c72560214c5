//! InferenceX (formerly InferenceMAX) aggregates: an object a run, or the list of a sweep.
//!
//! Latencies are seconds without a unit in their names. Rates are per GPU: `tput_per_gpu` over all GPUs, the other two over
//! the GPUs of their role where prefill and decode run apart. Here they become rates of the whole system.

use serde_json::Value;

use super::json::{self, Fields};
use super::measured::{Measured, Offered, Power, Requests, Time};
use super::{Content, Foreign, Format, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::record::run::{PowerKind, RoleGpus};

pub struct InferenceX;

impl Format for InferenceX {
    fn name(&self) -> &'static str {
        "inferencex"
    }

    fn about(&self) -> &'static str {
        "aggregates of InferenceX (InferenceMAX), late 2025 to 2026: one run, or the list of a sweep"
    }

    fn known_by(&self) -> &'static str {
        "JSON with hw, framework, precision and tput_per_gpu"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(is_run)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for (position, fields) in file.objects(report)?.into_iter().enumerate() {
            if !is_run(fields) {
                let location = Location::File(file.text.path.clone());
                let message = format!("object {} of the file has no hw and no tput_per_gpu", position + 1);
                report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("take it out of the file"));
                return None;
            }
            content.runs.push(run(fields));
        }
        Some(content)
    }
}

fn is_run(fields: Fields) -> bool {
    ["hw", "framework", "precision", "tput_per_gpu"].iter().all(|key| fields.has(key))
}

fn run(fields: Fields) -> Measured {
    let mut run = Measured::default();
    subject(fields, &mut run);
    load(fields, &mut run);
    run.duration_s = fields.number("duration_seconds").filter(|seconds| *seconds > 0.0);
    let (sent, completed) = (fields.count("num_requests_total"), fields.count("num_requests_successful"));
    let failed = sent.zip(completed).and_then(|(sent, completed)| sent.checked_sub(completed));
    run.requests = Requests { sent, completed, failed, cancelled: None };
    rates(fields, &mut run);
    latencies(fields, &mut run);
    // A share; what a cache without end would have held is another key.
    let hit = fields.number("server_gpu_cache_hit_rate").filter(|share| (0.0..=1.0).contains(share));
    run.prefix_cache_hit_pct = hit.map(|share| 100.0 * share);
    power(fields, &mut run);
    run
}

fn subject(fields: Fields, run: &mut Measured) {
    let subject = &mut run.subject;
    subject.model = fields.value("model").and_then(Value::as_str).and_then(named::model);
    // What follows a hyphen is the pool of runners: `b200-trt`.
    subject.accelerator = fields.text("hw").and_then(|hw| named::words(hw.split('-').next()?));
    subject.engine = fields.text("framework");
    subject.image = fields.text("image");
    let version = subject.image.as_deref().zip(subject.engine.as_deref());
    subject.engine_version = version.and_then(|(image, engine)| version_of(image, engine));
    subject.quantization = fields.text("precision");
    let size = |key: &str| fields.count(key).filter(|count| *count > 0);
    let attention = is_on(fields, "dp_attention").then(|| "DP attention".to_owned());
    let parts = [("tp", "TP"), ("pp", "PP"), ("pcp", "PCP"), ("ep", "EP")];
    let parts = parts.into_iter().filter_map(|(key, name)| Some(format!("{name}{}", size(key)?)));
    let parallelism = parts.chain(attention).collect::<Vec<_>>().join(" ");
    subject.parallelism = Some(parallelism).filter(|words| !words.is_empty());
    subject.role_gpus = roles(fields);
    let of_one_node = ["pp", "pcp"].iter().filter_map(|key| size(key));
    let product = size("tp").map(|tp| of_one_node.fold(tp, u64::saturating_mul));
    let of_roles = subject.role_gpus.map(|gpus| u64::from(gpus.prefill) + u64::from(gpus.decode));
    let apart = is_apart(fields);
    subject.gpus = of_roles.or(product.filter(|_| !apart)).and_then(|count| u32::try_from(count).ok());
    if let Some(gpus) = subject.role_gpus.filter(|_| !fields.has("num_prefill_gpu")) {
        let RoleGpus { prefill, decode } = gpus;
        run.remark(format!(
            "{prefill} GPUs for prefill and {decode} for decode follow from the rates a GPU, all and of each role"
        ));
    }
    for key in ["spec_decoding", "mtp", "offloading", "offload_mode", "serving_config"] {
        run.settings.extend(fields.text(key).map(|words| (key.to_owned(), words.into())));
    }
}

/// A truth, which some versions write as text.
fn is_on(fields: Fields, key: &str) -> bool {
    match fields.value(key) {
        Some(Value::Bool(on)) => *on,
        Some(Value::String(text)) => matches!(text.as_str(), "true" | "on"),
        _ => false,
    }
}

/// The engine's version out of the tag of its own image: `vllm/vllm-openai:v0.19.1`. The tags of other images are theirs.
fn version_of(image: &str, engine: &str) -> Option<String> {
    let (name, tag) = image.rsplit_once(':')?;
    let engine = engine.rsplit('-').next().filter(|engine| !engine.is_empty())?;
    let own = name.rsplit('/').next().is_some_and(|name| name.contains(engine));
    let version = tag.strip_prefix('v')?.split('-').next()?;
    (own && version.starts_with(|one: char| one.is_ascii_digit())).then(|| version.to_owned())
}

/// Whether prefill and decode run on GPUs of their own.
fn is_apart(fields: Fields) -> bool {
    let rates = ["tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu"].map(|key| fields.number(key));
    // The parts add up where all are of the same GPUs. A part of 0 was not measured.
    let split = match rates {
        [Some(all), Some(output), Some(input)] if input > 0.0 && output > 0.0 => {
            (output + input - all).abs() > 1e-3 * all
        }
        _ => false,
    };
    let served = fields.text("serving_config").is_some_and(|words| words != "AGG");
    is_on(fields, "disagg") || served || fields.has("num_prefill_gpu") || split
}

/// GPUs by role. The first generation states their sum alone, as `tp`; the rates a GPU then say how they share it:
/// output × decode + input × prefill = all × (prefill + decode).
fn roles(fields: Fields) -> Option<RoleGpus> {
    if !is_apart(fields) {
        return None;
    }
    let count = |key: &str| fields.count(key).and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
    if let (Some(prefill), Some(decode)) = (count("num_prefill_gpu"), count("num_decode_gpu")) {
        return Some(RoleGpus { prefill, decode });
    }
    let sum = count("tp").filter(|_| !fields.has("disagg"))?;
    let [all, output, input] =
        ["tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu"].map(|key| fields.number(key));
    let (all, output, input) = (all?, output?, input?);
    let prefill = f64::from(sum) * (all - output) / (input - output);
    // Any other pair of numbers would hardly come out whole.
    let whole = prefill.round();
    let found = (prefill - whole).abs() < 1e-3 && whole >= 1.0 && whole < f64::from(sum);
    found.then(|| RoleGpus { prefill: whole as u32, decode: sum - whole as u32 })
}

fn load(fields: Fields, run: &mut Measured) {
    let load = &mut run.load;
    load.dataset = fields.text("scenario_type");
    load.concurrency = ["conc", "users"].into_iter().find_map(|key| fields.count(key)).filter(|count| *count > 0);
    if load.concurrency.is_some() {
        load.offered = Some(Offered::Unlimited);
        load.arrival = Some("as fast as the concurrency allows".to_owned());
    }
    let tokens = |key: &str| fields.number(key).filter(|tokens| *tokens > 0.0);
    load.input_tokens_requested = tokens("isl");
    load.output_tokens_requested = tokens("osl");
    load.input_tokens = tokens("mean_input_tokens");
    load.output_tokens = tokens("mean_output_tokens_actual");
}

/// Rates of the whole system, as stated or of its GPUs together.
fn rates(fields: Fields, run: &mut Measured) {
    let (all, roles) = (run.subject.gpus, run.subject.role_gpus);
    let [all, prefill, decode] = [all, roles.map(|gpus| gpus.prefill).or(all), roles.map(|gpus| gpus.decode).or(all)]
        .map(|count| count.map(f64::from));
    let mut rate = |name: &str, stated: &str, per_gpu: &str, gpus: Option<f64>, tokens: Option<f64>| {
        if fields.number(per_gpu).or(fields.number(stated)) == Some(0.0) {
            run.remark(format!("{per_gpu} is 0 in the file, which stands for no value"));
        }
        let of_gpus = fields.number(per_gpu).zip(gpus).map(|(rate, gpus)| rate * gpus);
        run.rate(name, fields.number(stated).or(of_gpus), tokens)
    };
    let generated = fields.number("total_generation_tokens");
    let output = rate("output_tok_s", "output_tput_tps", "output_tput_per_gpu", decode, generated);
    let input = rate("input_tok_s", "input_tput_tps", "input_tput_per_gpu", prefill, None);
    let total = rate("total_tok_s", "total_tput_tps", "tput_per_gpu", all, None);
    (run.output_tok_s, run.input_tok_s, run.total_tok_s) = (output, input, total);
    let completed = run.requests.completed.map(|count| count as f64);
    run.request_throughput_rps = run.rate("request_throughput_rps", None, completed);
    if is_apart(fields) && roles.is_none() {
        run.remark(
            "rates are a GPU of each role, and the file does not say how many GPUs a role has: they are left out",
        );
    }
    if run.output_tok_s.is_none() && fields.number("tput_per_gpu").is_some() && !is_apart(fields) {
        run.remark("its rate counts input and output together; how much of it is output is not stated");
    }
}

fn latencies(fields: Fields, run: &mut Measured) {
    for (key, value) in fields.iter() {
        let Some((statistic, metric)) = key.rsplit_once('_') else { continue };
        let metric = match metric {
            "ttft" | "tpot" | "itl" | "e2el" => metric,
            // Time to the last token.
            "ttlt" => "e2el",
            _ => continue,
        };
        run.latency(metric, statistic, Time::Seconds, json::number(value));
    }
    // Tokens a second for one user are the inverse of TPOT, and so are their medians; other statistics are not.
    if !fields.has("median_tpot")
        && let Some(rate) = fields.number("median_intvty").filter(|rate| *rate > 0.0)
    {
        run.latency("tpot", "median", Time::Seconds, Some(1.0 / rate));
        run.remark("the median of TPOT is the inverse of the median rate of one user");
    }
}

/// Measured power, since the middle of 2026.
fn power(fields: Fields, run: &mut Measured) {
    let watts = fields.number("avg_total_gpu_power_w").filter(|watts| *watts > 0.0);
    match (watts, is_on(fields, "power_valid")) {
        (Some(watts), true) => {
            run.power = Some(Power {
                kw: watts / 1e3,
                kind: PowerKind::Board,
                source: "InferenceX, all GPUs of the run".to_owned(),
                sampling_hz: None,
                window: None,
            });
        }
        (Some(_), false) => run.remark("the file does not call its power valid: it is left out"),
        (None, _) => {}
    }
}

#[cfg(test)]
mod tests;
