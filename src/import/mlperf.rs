//! MLPerf Inference: the summary that loadgen writes, `mlperf_log_summary.txt`, of a run that measured speed.
//!
//! Lines of `Key : value`, latencies in nanoseconds. Model, hardware and their count stand in the path alone, and in
//! `systems/*.json` of the repository that it is from.

use std::collections::BTreeMap;

use super::measured::{Measured, Offered, Time};
use super::{Content, Foreign, Format};
use crate::diagnostic::Report;

pub struct MlPerf;

impl Format for MlPerf {
    fn name(&self) -> &'static str {
        "mlperf"
    }

    fn about(&self) -> &'static str {
        "loadgen's mlperf_log_summary.txt of MLPerf Inference: Server (also Interactive), Offline, SingleStream"
    }

    fn known_by(&self) -> &'static str {
        "text under the head MLPerf Results Summary"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        file.text.lines().any(|line| line.trim() == "MLPerf Results Summary")
    }

    fn read(&self, file: &Foreign, _: &mut Report) -> Option<Content> {
        Some(Content { runs: vec![run(&Lines::of(&file.text.text))], ..Content::default() })
    }
}

/// The values of a summary by their keys, in small letters; of a key that stands twice, the first.
struct Lines<'a>(BTreeMap<String, &'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines = BTreeMap::new();
        for (key, value) in text.lines().filter_map(|line| line.rsplit_once(':')) {
            lines.entry(key.trim().to_lowercase()).or_insert(value.trim());
        }
        Lines(lines)
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.0.get(key).copied().filter(|text| !text.is_empty())
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
    }
}

fn run(lines: &Lines) -> Measured {
    let mut run = Measured::default();
    let scenario = lines.text("scenario").unwrap_or_default();
    run.load.dataset = Some(format!("MLPerf {scenario}")).filter(|_| !scenario.is_empty());
    load(scenario, lines, &mut run);
    rates(lines, &mut run);
    // All requests of an offline run stand in one queue from the start, and their latency is their place in it.
    if scenario == "Offline" {
        run.remark("latencies of an offline run are places in its queue, and left out");
    } else {
        latencies(lines, &mut run);
    }
    run.remark("from MLPerf logs, not a verified MLPerf score");
    let verdict = lines.text("result is").unwrap_or("not stated");
    let mode = lines.text("mode").unwrap_or("not stated");
    if mode != "PerformanceOnly" {
        run.failed = Some(format!("its mode is {}, which gives no speed", word(mode)));
    } else if verdict != "VALID" {
        run.failed = Some(format!("loadgen's verdict on the run is {}", word(verdict)));
    }
    run
}

/// A word of the file that may be published.
fn word(text: &str) -> String {
    super::named::words(text).unwrap_or_else(|| "not stated".to_owned())
}

fn load(scenario: &str, lines: &Lines, run: &mut Measured) {
    match scenario {
        "Server" => {
            run.load.offered = lines.number("target_qps").map(Offered::Rate);
            run.load.arrival = Some("Poisson".to_owned());
            // The limits that the verdict is about, each on p99. Other scenarios state them and are not held to them.
            for (key, limit) in [("ttft_latency (ns)", "ttft_p99_ms"), ("tpot_latency (ns)", "tpot_p99_ms")] {
                run.slo_ms.extend(lines.number(key).map(|ns| (limit.to_owned(), Time::Nanoseconds.ms(ns))));
            }
        }
        "SingleStream" => {
            run.load.offered = Some(Offered::Unlimited);
            run.load.concurrency = Some(1);
            run.load.arrival = Some("one after the other".to_owned());
        }
        "Offline" => {
            run.load.offered = Some(Offered::Unlimited);
            run.load.arrival = Some("all at once".to_owned());
        }
        _ => {}
    }
}

fn rates(lines: &Lines, run: &mut Measured) {
    let first = |keys: &[&str]| keys.iter().find_map(|key| lines.number(key));
    let counted = first(&["completed tokens per second", "tokens per second", "tps w/ loadgen overhead"]);
    let inferred = first(&["completed tokens per second (inferred)", "tokens per second (inferred)"]);
    if counted.is_none() && inferred.is_some() {
        run.remark("loadgen inferred the rate of tokens from that of samples");
    }
    run.output_tok_s = run.rate("output_tok_s", counted.or(inferred), None);
    let samples = first(&["completed samples per second", "samples per second", "qps w/ loadgen overhead"]);
    run.request_throughput_rps = run.rate("request_throughput_rps", samples, None);
}

fn latencies(lines: &Lines, run: &mut Measured) {
    for (metric, name) in
        [("ttft", "first token latency (ns)"), ("tpot", "time to output token (ns)"), ("e2el", "latency (ns)")]
    {
        let of = |statistic: &str| lines.number(&format!("{statistic} {name}"));
        run.latency(metric, "mean", Time::Nanoseconds, of("mean"));
        for percent in [50, 90, 95, 99] {
            run.latency(metric, &format!("p{percent}"), Time::Nanoseconds, of(&format!("{percent}.00 percentile")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(scenario: &str, verdict: &str, lines: &str) -> String {
        format!(
            "====\nMLPerf Results Summary\n====\nSUT name : PySUT\nScenario : {scenario}\nMode     : PerformanceOnly\n{lines}\
             Result is : {verdict}\n  Min duration satisfied : Yes\n\n====\nTest Parameters Used\n====\ntarget_qps : 2.5\n\
             ttft_latency (ns): 450000000\ntpot_latency (ns): 40000000\n\nNo warnings encountered during test.\n"
        )
    }

    const SERVER: &str = "Completed samples per second    : 2.41\nCompleted tokens per second: 40.5\n\
        Mean latency (ns)               : 9000000000\n99.00 percentile latency (ns)   : 30000000000\n\
        Completed tokens per second                 : 99.0\nMean First Token latency (ns)               : 200000000\n\
        99.00 percentile first token latency (ns)   : 435000000\n99.90 percentile first token latency (ns)   : 500000000\n\
        50.00 percentile time to output token (ns)   : 31000000\n99.00 percentile time to output token (ns)   : 39500000\n";

    fn read(text: &str) -> Measured {
        let file = Foreign::of("mlperf_log_summary.txt", text);
        assert!(MlPerf.recognises(&file));
        let mut run = MlPerf.read(&file, &mut Report::new()).expect("it is a summary").runs.remove(0);
        run.complete();
        run
    }

    #[test]
    fn a_server_run_has_latencies_and_its_limits() {
        let run = read(&summary("Server", "VALID", SERVER));
        assert_eq!((run.output_tok_s, run.request_throughput_rps), (Some(40.5), Some(2.41)));
        let found = ["ttft_mean_ms", "ttft_p99_ms", "tpot_p50_ms", "tpot_p99_ms", "e2el_p99_ms"];
        assert_eq!(found.map(|name| run.latencies_ms[name]), [200.0, 435.0, 31.0, 39.5, 30000.0]);
        assert_eq!((run.slo_ms["ttft_p99_ms"], run.slo_ms["tpot_p99_ms"]), (450.0, 40.0));
        assert_eq!((run.load.offered, run.met(&run.slo_ms)), (Some(Offered::Rate(2.5)), Some(true)));
        assert!(run.remarks.contains("from MLPerf logs, not a verified MLPerf score"));
    }

    #[test]
    fn an_offline_run_has_rates_alone() {
        let lines =
            "Samples per second: 92.5\nTokens per second: 27803.9\n99.00 percentile latency (ns)   : 2666812360394\n";
        let run = read(&summary("Offline", "VALID", lines));
        assert_eq!((run.output_tok_s, run.latencies_ms.len(), run.slo_ms.len()), (Some(27803.9), 0, 0));
        let inferred = read(&summary("Offline", "VALID", "Samples per second: 2\nTokens per second (inferred): 600\n"));
        assert_eq!((inferred.output_tok_s, inferred.remarks.len()), (Some(600.0), 3));
    }

    #[test]
    fn a_single_stream_is_one_request_at_a_time() {
        let lines = "90.0th percentile latency (ns) : 3573157070\nQPS w/ loadgen overhead         : 0.29\n\
                     TPS w/ loadgen overhead         : 37.09\n90.00 percentile latency (ns)   : 3573157070\n";
        let run = read(&summary("SingleStream", "VALID", lines));
        assert_eq!((run.output_tok_s, run.load.concurrency), (Some(37.09), Some(1)));
        assert_eq!((run.latencies_ms["e2el_p90_ms"], run.slo_ms.len()), (3573.15707, 0));
    }

    #[test]
    fn what_is_not_valid_is_no_result() {
        let run = read(&summary("Server", "INVALID", SERVER));
        assert_eq!(run.failed.as_deref(), Some("loadgen's verdict on the run is INVALID"));
        assert!(run.output_tok_s.is_none() && run.latencies_ms.is_empty(), "{run:?}");
        let accuracy = summary("Server", "VALID", SERVER).replace("PerformanceOnly", "AccuracyOnly");
        assert_eq!(read(&accuracy).failed.as_deref(), Some("its mode is AccuracyOnly, which gives no speed"));
        let cut =
            "MLPerf Results Summary\nScenario : Server\nMode     : PerformanceOnly\nCompleted tokens per second: 1";
        assert_eq!(read(cut).failed.as_deref(), Some("loadgen's verdict on the run is not stated"));
    }
}
