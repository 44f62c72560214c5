//! Small results of AIPerf and genai-perf, made up.

use serde_json::json;

use super::*;
use crate::record::Date;

fn metric(unit: &str, avg: f64) -> Value {
    json!({"unit": unit, "avg": avg, "p1": avg / 2.0, "p50": avg, "p90": avg, "p95": avg, "p99": 2.0 * avg, "std": 1.0})
}

fn whole(unit: &str, avg: f64) -> Value {
    json!({"unit": unit, "avg": avg})
}

fn with(mut object: Value, more: Value) -> Value {
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| object[key] = value.clone());
    object
}

/// Ten requests of 100 and 20 tokens in 5 s.
fn metrics() -> Value {
    json!({
        "request_throughput": whole("requests/sec", 2.0), "request_count": whole("requests", 10.0),
        "request_latency": metric("ms", 500.0), "time_to_first_token": metric("ms", 30.0),
        "inter_token_latency": metric("ms", 20.0), "output_token_throughput": whole("tokens/sec", 40.0),
        "output_sequence_length": metric("tokens", 20.0), "input_sequence_length": metric("tokens", 100.0),
    })
}

fn of_aiperf(more: Value) -> Value {
    let base = json!({
        "benchmark_duration": whole("sec", 5.0), "total_isl": whole("tokens", 1000.0), "total_osl": whole("tokens", 200.0),
        "min_request_timestamp": whole("ns", 1.78e18), "max_response_timestamp": whole("ns", 1.780000005e18),
        "inter_chunk_latency": metric("ms", 19.0), "was_cancelled": false, "error_summary": [],
        "start_time": "2026-06-03T08:15:41.465106",
        "input_config": {
            "endpoint": {"model_names": ["org/model"], "streaming": true, "url": "node17.internal", "api_key": "a secret"},
            "input": {"prompt": {"input_tokens": {"mean": 100}, "output_tokens": {"mean": 20}}},
            "loadgen": {"concurrency": 4}, "cli_command": "aiperf profile --url node17.internal",
        },
    });
    with(with(metrics(), base), more)
}

fn read(object: &Value) -> Measured {
    let file = Foreign::of("a/profile_export.json", object.to_string());
    assert!(AiPerf.recognises(&file));
    let mut run = AiPerf.read(&file, &mut Report::new()).expect("it is a run").runs.remove(0);
    run.complete();
    run
}

#[test]
fn every_version_gives_the_same_run() {
    let versions = [
        // 2025: no version, and null for what was not measured.
        of_aiperf(json!({"goodput": null, "error_request_count": null, "telemetry_data": null})),
        // 0.8 on.
        of_aiperf(json!({
            "schema_version": "1.2", "total_token_throughput": whole("tokens/sec", 240.0), "telemetry_data": {"endpoints": {}},
            "warmup_metrics": {"request_latency": metric("ms", 9e9)},
        })),
    ];
    for version in versions {
        let run = read(&version);
        assert_eq!((run.output_tok_s, run.input_tok_s, run.total_tok_s), (Some(40.0), Some(200.0), Some(240.0)));
        let found = ["ttft_p50_ms", "ttft_p99_ms", "tpot_p50_ms", "itl_mean_ms", "e2el_p99_ms"];
        assert_eq!(found.map(|name| run.latencies_ms[name]), [30.0, 60.0, 20.0, 19.0, 1000.0]);
        assert_eq!((run.date, run.load.concurrency), (Some(Date::constant(2026, 6, 3)), Some(4)));
        assert_eq!((run.requests.sent, run.requests.failed), (Some(10), Some(0)));
        assert_eq!(run.load.output_tokens_requested, Some(20.0));
        assert!(run.subject.gpus.is_none() && run.power.is_none() && run.remarks.is_empty(), "{run:?}");
        let all = format!("{run:?}");
        assert!(!all.contains("secret") && !all.contains("node17"), "{all}");
    }
}

#[test]
fn genai_perf_is_read_by_the_same_names() {
    let config = json!({"input_config": {
        "model": ["org/model"], "streaming": true, "header": ["Authorization: a secret"], "backend": "tensorrtllm",
        "concurrency": 1, "request_rate": null, "synthetic_input_tokens_mean": 100, "output_tokens_mean": -1,
    }});
    let run = read(&with(metrics(), config));
    assert_eq!((run.output_tok_s, run.load.concurrency, run.duration_s), (Some(40.0), Some(1), None));
    assert_eq!((run.load.input_tokens_requested, run.load.output_tokens_requested), (Some(100.0), None));
    assert_eq!((run.subject.model.as_deref(), run.subject.engine.as_deref()), (Some("org/model"), None));
    assert!(!format!("{run:?}").contains("secret"));
    let early = with(
        metrics(),
        json!({"request_latency": metric("ns", 5e8), "inter_token_latency": metric("fortnights", 1.0)}),
    );
    let run = read(&early);
    assert_eq!((run.latencies_ms["e2el_p50_ms"], run.latencies_ms.get("tpot_p50_ms")), (500.0, None));
    assert!(run.remarks.iter().any(|remark| remark.contains("inter_token_latency has a unit")), "{:?}", run.remarks);
}

#[test]
fn without_streaming_there_is_no_ttft() {
    let run = read(&with(metrics(), json!({"time_to_first_token": metric("ms", 500.0), "inter_token_latency": null})));
    assert_eq!((run.latencies_ms.get("ttft_p50_ms"), run.latencies_ms["e2el_p50_ms"]), (None, 500.0));
    assert!(run.remarks.iter().any(|remark| remark.contains("without streaming")), "{:?}", run.remarks);
}

#[test]
fn failed_and_cancelled_runs_have_no_numbers() {
    let all_failed = json!({"error_request_count": whole("requests", 20.0), "input_config": {}});
    assert_eq!(read(&all_failed).failed.as_deref(), Some("none of 20 requests completed"));
    let cancelled = read(&of_aiperf(json!({"was_cancelled": true})));
    assert_eq!((cancelled.failed.as_deref(), cancelled.output_tok_s), (Some("the run was cancelled"), None));
    let some = read(&of_aiperf(json!({"error_summary": [{"error_details": {"message": "a secret"}, "count": 3}]})));
    assert_eq!((some.requests.sent, some.requests.failed, some.failed), (Some(13), Some(3), None));
}

#[test]
fn telemetry_gives_the_gpus_at_work_and_their_power() {
    let gpu = |uuid: &str, percent: f64, watts: f64| {
        let metrics = json!({
            "gpu_power_usage": {"unit": "W", "avg": watts / 2.0, "p50": watts}, "gpu_utilization": {"unit": "%", "avg": percent},
        });
        json!({"gpu_name": "Test card", "gpu_uuid": uuid, "hostname": "node17", "metrics": metrics})
    };
    let first = json!({"gpus": {"gpu_0": gpu("GPU-1", 90.0, 300.0), "gpu_1": gpu("GPU-2", 90.0, 200.0)}});
    let second = json!({"gpus": {"gpu_0": gpu("GPU-1", 90.0, 301.0), "gpu_1": gpu("GPU-3", 0.0, 40.0)}});
    let endpoints = json!({"endpoints": {"localhost:9400": first, "localhost:9401": second}});
    let run = read(&of_aiperf(json!({"telemetry_data": endpoints})));
    assert_eq!((run.subject.accelerator.as_deref(), run.subject.gpus), (Some("Test card"), Some(2)));
    assert_eq!(run.power.as_ref().map(|power| power.kw), Some(0.5));
    assert!(run.remarks.iter().any(|remark| remark.contains("1 more GPUs")), "{:?}", run.remarks);
    assert!(!format!("{run:?}").contains("node17"));
}

#[test]
fn a_rate_is_offered_or_the_concurrency_limits_it() {
    for (loadgen, offered, arrival) in [
        (json!({"request_rate": 2.0, "arrival_pattern": "poisson"}), Some(Offered::Rate(2.0)), Some("Poisson")),
        (
            json!({"request_rate": 2.0, "request_rate_mode": "constant"}),
            Some(Offered::Rate(2.0)),
            Some("at a constant rate"),
        ),
        (json!({"concurrency": 4}), Some(Offered::Unlimited), Some("as fast as the concurrency allows")),
        (json!({}), None, None),
    ] {
        let run = read(&of_aiperf(json!({"input_config": {"loadgen": loadgen}})));
        assert_eq!((run.load.offered, run.load.arrival.as_deref()), (offered, arrival), "{loadgen}");
    }
}
