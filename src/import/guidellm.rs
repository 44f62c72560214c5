//! GuideLLM's report, `benchmarks.json`: a benchmark a strategy, with statistics by how requests ended.
//!
//! What it calls time per output token changed its meaning: from 0.5 on it has TTFT in it. Its inter-token latency is
//! (last token - first token) / (tokens - 1) a request in every version, which is what our records call TPOT.

use serde_json::Value;

use super::json::{self, Fields};
use super::measured::{Measured, Offered, Requests, Time};
use super::{Content, Foreign, Format, day, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};

pub struct GuideLlm;

impl Format for GuideLlm {
    fn name(&self) -> &'static str {
        "guidellm"
    }

    fn about(&self) -> &'static str {
        "reports of GuideLLM 0.2 to 0.8: benchmarks.json"
    }

    fn known_by(&self) -> &'static str {
        "JSON with benchmarks, each with metrics by the end of requests"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.fields().next().is_some_and(|report| !benchmarks(report).is_empty())
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for fields in file.objects(report)? {
            content.runs.extend(benchmarks(fields).into_iter().map(|benchmark| run(fields, benchmark)));
        }
        if content.runs.is_empty() {
            let location = Location::File(file.text.path.clone());
            report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, "there is no benchmark in the file"));
            return None;
        }
        Some(content)
    }
}

/// The benchmarks of a report that have metrics of requests.
fn benchmarks(report: Fields) -> Vec<Fields> {
    let benchmarks = report.list("benchmarks").unwrap_or_default().iter().filter_map(Value::as_object).map(Fields);
    let measured =
        |benchmark: &Fields| benchmark.part("metrics").is_some_and(|metrics| metrics.part("request_latency").is_some());
    benchmarks.filter(measured).collect()
}

fn run(report: Fields, benchmark: Fields) -> Measured {
    let mut run = Measured::default();
    // 0.2 and 0.3 have `args`, later versions `config`.
    let early = benchmark.part("config").is_none();
    let config = benchmark.part("config").or(benchmark.part("args"));
    let start = benchmark.number("start_time");
    run.date = start.and_then(day::of_unix_s);
    run.window_unix_s = start.zip(benchmark.number("end_time"));
    run.duration_s = benchmark.number("duration").filter(|seconds| *seconds > 0.0);
    let worker = benchmark.part("worker").and_then(|worker| worker.value("backend_model"));
    let backend = config.and_then(|config| config.part("backend")).and_then(|backend| backend.value("model"));
    let asked = report.part("args").and_then(|args| args.value("model"));
    run.subject.model = [worker, backend, asked].into_iter().flatten().find_map(Value::as_str).and_then(named::model);
    if let Some(version) = report.part("metadata").and_then(|metadata| metadata.text("guidellm_version")) {
        run.settings.insert("guidellm_version".to_owned(), version.into());
    }
    requests(benchmark, &mut run);
    load(config, &mut run);
    data(report, benchmark, &mut run);
    if let Some(metrics) = benchmark.part("metrics") {
        rates(metrics, early, &mut run);
        latencies(metrics, &mut run);
    }
    run
}

fn requests(benchmark: Fields, run: &mut Measured) {
    let later = benchmark.part("metrics").and_then(|metrics| metrics.part("request_totals"));
    let Some(totals) = benchmark.part("request_totals").or(later) else { return };
    run.requests = Requests {
        sent: totals.count("total"),
        completed: totals.count("successful"),
        failed: totals.count("errored"),
        cancelled: totals.count("incomplete"),
    };
}

fn load(config: Option<Fields>, run: &mut Measured) {
    let Some(strategy) = config.and_then(|config| config.part("strategy")) else { return };
    let profile = config.and_then(|config| config.part("profile"));
    let Some(kind) = strategy.text("type_") else { return };
    // A strategy by rate has a ceiling of its own, which nobody set; -1 and null stand for none.
    let set = profile.and_then(|profile| profile.count("max_concurrency"));
    let streams = strategy.count("streams").or(strategy.count("max_concurrency"));
    let rate = strategy.number("rate").filter(|rate| *rate > 0.0).map(Offered::Rate);
    let at_once = Some(Offered::Unlimited);
    let (offered, concurrency, arrival) = match kind.as_str() {
        "synchronous" => (at_once, Some(1), "one after the other"),
        "concurrent" => (at_once, streams, "as fast as the concurrency allows"),
        "throughput" if set.or(streams).is_some() => (at_once, set.or(streams), "as fast as the concurrency allows"),
        "throughput" => (at_once, None, "all at once"),
        "constant" => (rate, set, "at a constant rate"),
        "poisson" => (rate, set, "Poisson"),
        _ => (None, set, ""),
    };
    run.load.offered = offered;
    run.load.concurrency = concurrency.filter(|count| *count > 0);
    run.load.arrival = Some(arrival.to_owned()).filter(|words| !words.is_empty());
}

/// What the prompts were: lengths of synthetic ones, else the name of the data.
fn data(report: Fields, benchmark: Fields, run: &mut Measured) {
    let loader = benchmark.part("request_loader").and_then(|loader| loader.value("data"));
    let asked = report.part("args").and_then(|args| args.list("data")).and_then(<[_]>::first);
    let spec = report.part("config").and_then(|config| config.part("spec"));
    let specified = spec.and_then(|spec| spec.list("data")).and_then(<[_]>::first);
    match loader.or(asked).or(specified) {
        Some(Value::String(text)) => match lengths(text) {
            Some(requested) => synthetic(requested, run),
            None => run.load.dataset = named::last_part(text),
        },
        Some(Value::Object(source)) => {
            let source = Fields(source);
            match (source.number("prompt_tokens"), source.number("output_tokens")) {
                (None, None) => {
                    let name =
                        ["path", "source", "name", "data"].into_iter().find_map(|key| source.value(key)?.as_str());
                    run.load.dataset = name.and_then(named::last_part);
                }
                requested => synthetic(requested, run),
            }
        }
        _ => {}
    }
}

fn synthetic((input, output): (Option<f64>, Option<f64>), run: &mut Measured) {
    run.load.dataset = Some("synthetic".to_owned());
    run.load.input_tokens_requested = input.filter(|tokens| *tokens > 0.0);
    run.load.output_tokens_requested = output.filter(|tokens| *tokens > 0.0);
}

/// Tokens of synthetic prompts and answers, as a command line has them: `prompt_tokens=256,output_tokens=128`, or as JSON.
fn lengths(text: &str) -> Option<(Option<f64>, Option<f64>)> {
    if !text.contains("prompt_tokens") {
        return None;
    }
    let plain = text.replace(['{', '}', '"', ' '], "").replace(':', "=");
    let of = |name: &str| {
        let member = plain.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        member.and_then(|number| number.parse().ok())
    };
    Some((of("prompt_tokens"), of("output_tokens")))
}

/// The statistics of requests that succeeded. Groups that nothing is in are full of zeros.
fn successful<'a>(metrics: Fields<'a>, name: &str) -> Option<Fields<'a>> {
    let group = metrics.part(name)?.part("successful")?;
    group.count("count").is_some_and(|count| count > 0).then_some(group)
}

fn rates(metrics: Fields, early: bool, run: &mut Measured) {
    let of = |name: &str, key: &str| successful(metrics, name).and_then(|group| group.number(key));
    let (input, output) = (of("prompt_token_count", "total_sum"), of("output_token_count", "total_sum"));
    // Its own token rates are densities over time, whose median may be a tenth of the mean.
    run.input_tok_s = run.rate("input_tok_s", None, input);
    run.output_tok_s = run.rate("output_tok_s", None, output);
    run.total_tok_s = run.rate("total_tok_s", None, input.zip(output).map(|(input, output)| input + output));
    // Early versions count over the time in which requests completed; later ones count the gaps between them, one fewer.
    let stated = of("requests_per_second", "mean").filter(|_| early);
    let completed = run.requests.completed.map(|count| count as f64);
    run.request_throughput_rps = run.rate("request_throughput_rps", stated, completed);
    run.load.input_tokens = of("prompt_token_count", "mean");
    run.load.output_tokens = of("output_token_count", "mean");
}

fn latencies(metrics: Fields, run: &mut Measured) {
    for (name, metric, time) in [
        ("time_to_first_token_ms", "ttft", Time::Milliseconds),
        ("inter_token_latency_ms", "tpot", Time::Milliseconds),
        ("request_latency", "e2el", Time::Seconds),
    ] {
        let Some(group) = successful(metrics, name) else { continue };
        run.latency(metric, "mean", time, group.number("mean"));
        run.latency(metric, "median", time, group.number("median"));
        let percentiles = group.part("percentiles").into_iter().flat_map(Fields::iter);
        // `p999` is 99.9 % and `p001` 0.1 %.
        for (statistic, value) in percentiles.filter(|(statistic, _)| statistic.len() == 3) {
            run.latency(metric, statistic, time, json::number(value));
        }
        if metric == "tpot" && group.count("count") > run.requests.completed {
            run.remark("statistics of TPOT are over output tokens: a long answer weighs more than a short one");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn group(count: u64, mean: f64, p99: f64, sum: f64) -> Value {
        let percentiles = json!({"p001": 0.1, "p01": 0.1, "p90": mean, "p95": mean, "p99": p99, "p999": 9e9});
        let good = json!({"mean": mean, "median": mean, "count": count, "total_sum": sum, "percentiles": percentiles});
        let none = json!({"mean": 0.0, "median": 0.0, "count": 0, "total_sum": 0.0, "percentiles": {"p99": 0.0}});
        json!({"successful": good, "errored": none, "incomplete": none, "total": good})
    }

    /// Ten requests of 100 and 20 tokens in 5 s.
    fn metrics() -> Value {
        json!({
            "requests_per_second": group(9, 2.1, 9.0, 21.0), "request_latency": group(10, 0.5, 0.75, 5.0),
            "prompt_token_count": group(10, 100.0, 100.0, 1000.0), "output_token_count": group(10, 20.0, 20.0, 200.0),
            "time_to_first_token_ms": group(10, 30.0, 60.0, 300.0), "time_per_output_token_ms": group(10, 25.0, 40.0, 1.0),
            "inter_token_latency_ms": group(10, 20.0, 22.0, 200.0), "output_tokens_per_second": group(99, 50.0, 999.0, 1.0),
        })
    }

    fn early() -> Value {
        json!({"benchmarks": [{
            "args": {"profile": {"type_": "sweep", "max_concurrency": null, "rate": -1.0}, "strategy": {"type_": "synchronous"}},
            "worker": {"backend_target": "http://node17.internal", "backend_model": "/home/someone/models/org--model"},
            "request_loader": {"data": "prompt_tokens=100,output_tokens=20"}, "metrics": metrics(),
            "start_time": 1_780_474_576.9, "end_time": 1_780_474_581.9, "duration": 5.0,
            "request_totals": {"successful": 10, "errored": 0, "incomplete": 1, "total": 11},
            "requests": {"successful": [{"prompt": "a secret"}]},
        }]})
    }

    fn later(strategy: Value) -> Value {
        let mut metrics = metrics();
        metrics["request_totals"] = json!({"successful": 10, "errored": 0, "incomplete": 0, "total": 10});
        metrics["inter_token_latency_ms"]["successful"]["count"] = json!(190);
        json!({
            "metadata": {"version": 1, "guidellm_version": "0.5.0"}, "args": {"data": ["/root/prompts.jsonl"], "model": "org/model"},
            "benchmarks": [{
                "config": {"strategy": strategy, "profile": {"max_concurrency": null}, "backend": {"model": "org/model"}},
                "metrics": metrics, "start_time": 1_780_474_576.9, "end_time": 1_780_474_581.9, "duration": 5.0,
            }],
        })
    }

    fn read(report: &Value) -> Measured {
        let file = Foreign::of("a/benchmarks.json", report.to_string());
        assert!(GuideLlm.recognises(&file));
        let mut run = GuideLlm.read(&file, &mut Report::new()).expect("it is a report").runs.remove(0);
        run.complete();
        run
    }

    #[test]
    fn every_layout_gives_the_same_latencies_and_counts() {
        let mut newest = later(json!({"type_": "constant", "rate": 2.0, "max_concurrency": 10240}));
        newest["config"] =
            json!({"spec": {"data": [{"kind": "synthetic_text", "prompt_tokens": 100, "output_tokens": 20}]}});
        newest.as_object_mut().expect("an object").remove("args");
        for report in [early(), later(json!({"type_": "concurrent", "streams": 4})), newest] {
            let run = read(&report);
            assert_eq!((run.output_tok_s, run.input_tok_s, run.duration_s), (Some(40.0), Some(200.0), Some(5.0)));
            let found = ["ttft_p50_ms", "ttft_p99_ms", "tpot_p99_ms", "e2el_p99_ms"].map(|name| run.latencies_ms[name]);
            assert_eq!(found, [30.0, 60.0, 22.0, 750.0]);
            assert_eq!((run.latencies_ms.len(), run.subject.model.as_deref()), (15, Some("org/model")));
            assert_eq!((run.date, run.requests.completed), (Some(crate::record::Date::constant(2026, 6, 3)), Some(10)));
            let all = format!("{run:?}");
            assert!(!all.contains("secret") && !all.contains("node17") && !all.contains("someone"), "{all}");
        }
    }

    #[test]
    fn a_request_in_flight_at_the_end_is_cut_off_and_not_failed() {
        let run = read(&early());
        let Requests { sent, failed, cancelled, .. } = run.requests;
        assert_eq!((sent, failed, cancelled, run.lost_requests()), (Some(11), Some(0), Some(1), false));
    }

    #[test]
    fn a_rate_of_requests_is_stated_by_early_versions_and_counted_for_later_ones() {
        assert_eq!(read(&early()).request_throughput_rps, Some(2.1));
        let run = read(&later(json!({"type_": "concurrent", "streams": 4})));
        assert_eq!(run.request_throughput_rps, Some(2.0));
        assert!(run.remarks.iter().any(|remark| remark.contains("over output tokens")), "{:?}", run.remarks);
    }

    #[test]
    fn a_strategy_is_a_load() {
        for (strategy, offered, concurrency) in [
            (json!({"type_": "synchronous"}), Some(Offered::Unlimited), Some(1)),
            (json!({"type_": "concurrent", "streams": 4}), Some(Offered::Unlimited), Some(4)),
            (json!({"type_": "throughput", "max_concurrency": null}), Some(Offered::Unlimited), None),
            (json!({"type_": "constant", "rate": 2.0, "max_concurrency": 10240}), Some(Offered::Rate(2.0)), None),
            (json!({"type_": "poisson", "rate": -1.0}), None, None),
            (json!({"type_": "other"}), None, None),
        ] {
            let run = read(&later(strategy.clone()));
            assert_eq!((run.load.offered, run.load.concurrency), (offered, concurrency), "{strategy}");
        }
    }

    #[test]
    fn prompts_are_synthetic_of_some_length_or_of_a_file() {
        for (text, expected) in [
            ("prompt_tokens=256,output_tokens=128", Some((Some(256.0), Some(128.0)))),
            ("{\"prompt_tokens\": 256, \"output_tokens\": 128}", Some((Some(256.0), Some(128.0)))),
            ("prompt_tokens=x", Some((None, None))),
            ("/home/someone/prompts.jsonl", None),
        ] {
            assert_eq!(lengths(text), expected, "{text}");
        }
        assert_eq!(read(&early()).load.input_tokens_requested, Some(100.0));
        assert_eq!(read(&later(json!({"type_": "synchronous"}))).load.dataset.as_deref(), Some("prompts.jsonl"));
    }

    #[test]
    fn groups_that_nothing_is_in_give_nothing() {
        let mut report = early();
        let benchmark = &mut report["benchmarks"][0];
        for name in ["time_to_first_token_ms", "inter_token_latency_ms", "request_latency", "output_token_count"] {
            benchmark["metrics"][name] = group(0, 0.0, 0.0, 0.0);
        }
        benchmark["request_totals"] = json!({"successful": 0, "errored": 11, "incomplete": 0, "total": 11});
        let run = read(&report);
        assert_eq!(run.failed.as_deref(), Some("none of 11 requests completed"));
        assert!(run.latencies_ms.is_empty() && run.output_tok_s.is_none() && run.remarks.is_empty(), "{run:?}");
    }
}
