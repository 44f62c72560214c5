//! LLMPerf: a summary a run, several of them in one object by their concurrency, and the list of a run's single requests.
//!
//! Its inter-token latency is all of a request's time, TTFT included, over its tokens: it is no TPOT. That follows from the
//! single requests alone, whose file adds them to the summary beside it.

use serde_json::Value;

use super::json::{self, Fields};
use super::measured::{Measured, Offered, Requests, Sample, Time};
use super::{Addition, Content, Foreign, Format, day, named};
use crate::diagnostic::Report;

pub struct LlmPerf;

impl Format for LlmPerf {
    fn name(&self) -> &'static str {
        "llmperf"
    }

    fn about(&self) -> &'static str {
        "results of LLMPerf: summaries, one or several in a file, and individual_responses beside them"
    }

    fn known_by(&self) -> &'static str {
        "JSON with num_concurrent_requests and results_ttft_s_ keys, or requests with ttft_s and end_to_end_latency_s"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(|fields| is_request(fields) || !summaries(fields).is_empty())
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let objects = file.objects(report)?;
        let requests: Vec<_> = objects.iter().copied().filter(|fields| is_request(*fields)).collect();
        let mut content = Content::default();
        if !requests.is_empty() {
            content.additions.push(addition(&requests));
        }
        content.runs = objects.into_iter().flat_map(summaries).map(summary).collect();
        Some(content)
    }
}

const NO_TPOT: &str = "the inter-token latency of a summary has TTFT in it, and TPOT is not stated: it follows from the file of \
                       single requests, imported together with it";

/// Means of the same requests agree to this share.
const SAME_MEAN: f64 = 1e-6;

fn is_summary(fields: Fields) -> bool {
    fields.has("num_concurrent_requests") && fields.has("results_num_completed_requests")
}

fn is_request(fields: Fields) -> bool {
    ["ttft_s", "end_to_end_latency_s", "number_output_tokens", "error_code"].iter().all(|key| fields.has(key))
}

/// The summary that an object is, or those that it holds by concurrency.
fn summaries(fields: Fields) -> Vec<Fields> {
    if is_summary(fields) {
        return vec![fields];
    }
    let held = fields.iter().filter_map(|(_, value)| value.as_object()).map(Fields);
    held.filter(|fields| is_summary(*fields)).collect()
}

fn summary(fields: Fields) -> Measured {
    let mut run = Measured { date: fields.number("timestamp").and_then(day::of_unix_s), ..Measured::default() };
    run.subject.model = fields.value("model").and_then(Value::as_str).and_then(named::model);
    let tokens = |key: &str| fields.number(key).filter(|tokens| *tokens > 0.0);
    run.load.input_tokens = tokens("results_number_input_tokens_mean");
    run.load.output_tokens = tokens("results_number_output_tokens_mean");
    run.load.input_tokens_requested = tokens("mean_input_tokens");
    run.load.output_tokens_requested = tokens("mean_output_tokens");
    run.load.concurrency = fields.count("num_concurrent_requests").filter(|count| *count > 0);
    run.load.offered = Some(Offered::Unlimited);
    run.load.arrival = Some("as fast as the concurrency allows".to_owned());
    run.requests = Requests {
        sent: fields.count("results_num_requests_started"),
        completed: fields.count("results_num_completed_requests"),
        failed: fields.count("results_number_errors"),
        cancelled: None,
    };
    // Of the whole run, although its name says mean.
    run.output_tok_s = run.rate("output_tok_s", fields.number("results_mean_output_throughput_token_per_s"), None);
    let per_minute = fields.number("results_num_completed_requests_per_min");
    run.request_throughput_rps = run.rate("request_throughput_rps", per_minute.map(|rate| rate / 60.0), None);
    for (key, value) in fields.iter() {
        for (name, metric) in [("results_ttft_s_", "ttft"), ("results_end_to_end_latency_s_", "e2el")] {
            if let Some(statistic) = key.strip_prefix(name) {
                let statistic = statistic.trim_start_matches("quantiles_");
                run.latency(metric, statistic, Time::Seconds, json::number(value));
            }
        }
    }
    run.remark("tokens are counted with one tokenizer, whatever the model is");
    run.remark(
        "the harness's inter-token latency has TTFT in it: TPOT is that of the single requests, where their file is",
    );
    run
}

/// Single requests, for the run whose summary has the same means of them.
fn addition(requests: &[Fields]) -> Addition {
    // Errors have no latencies, and their words are not copied.
    let good = requests.iter().filter(|request| request.value("error_code").is_none());
    let samples: Vec<Sample> = good.map(|request| sample(*request)).collect();
    let join = move |run: &mut Measured| {
        let mut alone = Measured { samples: samples.clone(), ..Measured::default() };
        alone.complete();
        let agrees = |name: &str| {
            let pair = alone.latencies_ms.get(name).zip(run.latencies_ms.get(name));
            pair.is_some_and(|(one, other)| (one - other).abs() <= SAME_MEAN * other)
        };
        let is_of = run.requests.completed == Some(samples.len() as u64)
            && ["ttft_mean_ms", "e2el_mean_ms"].into_iter().all(agrees);
        if is_of {
            run.samples.clone_from(&samples);
            run.remarks.remove(NO_TPOT);
        }
        is_of
    };
    Addition { what: "an LLMPerf list of single requests", join: Box::new(join) }
}

fn sample(request: Fields) -> Sample {
    let [ttft, whole] = ["ttft_s", "end_to_end_latency_s"].map(|key| request.number(key).filter(|time| *time > 0.0));
    let tokens = request.count("number_output_tokens");
    let decode = ttft.zip(whole).map(|(ttft, whole)| whole - ttft);
    let gaps = tokens.filter(|tokens| *tokens > 1).map(|tokens| (tokens - 1) as f64);
    Sample {
        ttft_ms: ttft.map(|time| Time::Seconds.ms(time)),
        tpot_ms: decode.zip(gaps).map(|(decode, gaps)| Time::Seconds.ms(decode / gaps)),
        e2el_ms: whole.map(|time| Time::Seconds.ms(time)),
        output_tokens: tokens,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn a_summary(concurrency: u64, rate: f64) -> Value {
        json!({
            "version": "2023-08-31", "name": "x", "model": "org/model", "mean_input_tokens": 550, "mean_output_tokens": 150,
            "num_concurrent_requests": concurrency, "results_inter_token_latency_s_quantiles_p50": 0.005,
            "results_ttft_s_quantiles_p50": 0.25, "results_ttft_s_quantiles_p99": 0.5, "results_ttft_s_mean": 0.3,
            "results_ttft_s_stddev": 0.1, "results_end_to_end_latency_s_quantiles_p50": 1.0,
            "results_number_input_tokens_mean": 550.5, "results_number_output_tokens_mean": 149.0,
            "results_num_requests_started": 150, "results_number_errors": 49, "results_num_completed_requests": 101,
            "results_error_code_frequency": "{-100.0: 49}", "results_num_completed_requests_per_min": 120.0,
            "results_mean_output_throughput_token_per_s": rate, "framework": "groq", "timestamp": 1_780_474_576,
        })
    }

    fn read(value: &Value) -> Vec<Measured> {
        let file = Foreign::of("a.json", value.to_string());
        assert!(LlmPerf.recognises(&file));
        let mut runs = LlmPerf.read(&file, &mut Report::new()).expect("it is a summary").runs;
        runs.iter_mut().for_each(Measured::complete);
        runs
    }

    #[test]
    fn a_summary_has_seconds_and_no_tpot() {
        let runs = read(&a_summary(5, 441.5));
        let run = &runs[0];
        assert_eq!((run.output_tok_s, run.request_throughput_rps), (Some(441.5), Some(2.0)));
        assert_eq!(
            ["ttft_p50_ms", "ttft_p99_ms", "e2el_p50_ms"].map(|name| run.latencies_ms[name]),
            [250.0, 500.0, 1000.0]
        );
        assert!(!run.latencies_ms.keys().any(|name| name.starts_with("tpot")), "{:?}", run.latencies_ms);
        assert_eq!((run.requests.completed, run.requests.failed), (Some(101), Some(49)));
        assert_eq!((run.load.concurrency, run.load.input_tokens_requested), (Some(5), Some(550.0)));
        assert_eq!((run.date, run.subject.engine.as_deref()), (Some(crate::record::Date::constant(2026, 6, 3)), None));
    }

    #[test]
    fn one_file_may_hold_a_summary_a_concurrency() {
        let rates = read(&json!({"1": a_summary(1, 30.0), "128": a_summary(128, 420.0)}));
        let rates: Vec<_> = rates.iter().map(|run| (run.load.concurrency, run.output_tok_s)).collect();
        assert_eq!(rates, [(Some(1), Some(30.0)), (Some(128), Some(420.0))]);
    }

    #[test]
    fn single_requests_add_tpot_to_their_summary() {
        let request = |error: Value, ttft: f64, whole: f64, tokens: u64| {
            json!({
                "error_code": error, "error_msg": "a secret", "inter_token_latency_s": 0.01, "ttft_s": ttft,
                "end_to_end_latency_s": whole, "number_output_tokens": tokens, "number_input_tokens": 550,
            })
        };
        let good = request(Value::Null, 0.25, 1.25, 101);
        let list = json!([good, request(Value::Null, 0.5, 0.75, 1), request(json!(-100), 0.0, 0.0, 0)]);
        let file = Foreign::of("a.json", list.to_string());
        assert!(LlmPerf.recognises(&file));
        let content = LlmPerf.read(&file, &mut Report::new()).expect("it is a list");
        assert!(content.runs.is_empty());
        let [addition] = &content.additions[..] else { panic!("one addition") };

        let mut summary = a_summary(5, 441.5);
        for (key, value) in
            [("num_completed_requests", 2.0), ("ttft_s_mean", 0.375), ("end_to_end_latency_s_mean", 1.0)]
        {
            summary[format!("results_{key}")] = json!(value);
        }
        let mut run = read(&summary).remove(0);
        assert!((addition.join)(&mut run));
        run.complete();
        assert_eq!((run.latencies_ms["tpot_p50_ms"], run.samples[1].tpot_ms), (10.0, None));
        assert!(!format!("{run:?}").contains("secret") && !run.remarks.contains(NO_TPOT), "{run:?}");

        summary["results_ttft_s_mean"] = json!(0.376);
        assert!(!(addition.join)(&mut read(&summary).remove(0)));
    }
}
