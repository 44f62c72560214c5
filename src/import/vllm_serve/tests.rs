//! Small results of each version, made up, and what they say.

use serde_json::json;

use super::super::measured::Offered;
use super::*;

/// A file with these objects, one a line.
fn file(objects: &[Value]) -> Foreign {
    let lines: Vec<_> = objects.iter().map(Value::to_string).collect();
    Foreign::of("results/a.json", lines.join("\n"))
}

fn read(object: Value) -> Measured {
    let mut report = Report::new();
    let file = file(&[object]);
    assert!(VllmServe.recognises(&file));
    let mut run = VllmServe.read(&file, &mut report).expect("it is a run").runs.remove(0);
    run.complete();
    run
}

/// The keys that every version writes, then more.
fn with(more: Value) -> Value {
    let mut object = json!({
        "date": "20260814-114707", "model_id": "org/model", "tokenizer_id": "org/model", "num_prompts": 10,
        "request_rate": 2.0, "duration": 5.0, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 200,
        "request_throughput": 2.0, "output_throughput": 40.0, "total_token_throughput": 240.0,
        "mean_ttft_ms": 30.0, "median_ttft_ms": 25.0, "std_ttft_ms": 1.0, "p99_ttft_ms": 90.5, "mean_tpot_ms": 5.0,
        "median_tpot_ms": 4.5, "std_tpot_ms": 0.5, "p99_tpot_ms": 9.0, "mean_itl_ms": 5.0, "median_itl_ms": 4.0,
        "std_itl_ms": 2.0, "p99_itl_ms": 20.0,
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| object[key] = value.clone());
    object
}

#[test]
fn every_version_gives_the_same_run() {
    let versions = [
        // 0.6.3: `backend`, and no limit on concurrency to be set.
        with(json!({"backend": "vllm", "best_of": 1})),
        // 0.6.4 to 0.8.5: a colon inside a key.
        with(
            json!({"backend": "vllm", "best_of": 1, "burstiness": 1.0, "max_concurrency": null, "request_goodput:": null}),
        ),
        // 0.9 to 0.10.
        with(json!({"endpoint_type": "openai", "label": null, "burstiness": 1.0, "max_concurrency": null})),
        // 0.11.1 on.
        with(json!({
            "backend": "vllm", "endpoint_type": "vllm", "label": null, "burstiness": 1.0, "max_concurrency": null,
            "failed": 0, "max_output_tokens_per_s": 60.0, "max_concurrent_requests": 5, "rtfx": 0.0,
        })),
        // 0.31: two arrays in a summary.
        with(json!({"backend": "vllm", "burstiness": 1.0, "latencies": [0.1], "queue_times": [0.0]})),
    ];
    for version in versions {
        let run = read(version);
        assert_eq!((run.output_tok_s, run.input_tok_s, run.total_tok_s), (Some(40.0), Some(200.0), Some(240.0)));
        assert_eq!((run.request_throughput_rps, run.duration_s), (Some(2.0), Some(5.0)));
        assert_eq!((run.load.input_tokens, run.load.output_tokens), (Some(100.0), Some(20.0)));
        assert_eq!(run.load.offered, Some(Offered::Rate(2.0)));
        assert_eq!(run.date, Some(Date::constant(2026, 8, 14)));
        assert_eq!((run.latencies_ms.len(), run.latencies_ms["ttft_p50_ms"]), (9, 25.0));
        assert_eq!((run.subject.model.as_deref(), run.subject.engine), (Some("org/model"), None));
        assert!(run.unread.is_empty() && run.remarks.is_empty(), "{:?} {:?}", run.unread, run.remarks);
    }
}

#[test]
fn a_rate_without_limit_is_written_in_four_ways() {
    for (rate, expected) in [
        (json!("inf"), Some(Offered::Unlimited)),
        (json!(1e9), Some(Offered::Unlimited)),
        (Value::Null, Some(Offered::Unlimited)),
        (json!("0.5"), Some(Offered::Rate(0.5))),
        (json!("trace"), None),
        (json!(-1), None),
    ] {
        assert_eq!(read(with(json!({"request_rate": rate}))).load.offered, expected, "{rate}");
    }
    let bare = with(json!({"request_rate": 1})).to_string().replace("\"request_rate\":1", "\"request_rate\":Infinity");
    let file = Foreign::of("a.json", bare);
    let content = VllmServe.read(&file, &mut Report::new()).expect("a bare word is read");
    assert_eq!(content.runs[0].load.offered, Some(Offered::Unlimited));
}

#[test]
fn one_output_token_a_request_gives_no_tpot() {
    let zeros = json!({"mean_tpot_ms": 0.0, "median_tpot_ms": 0.0, "p99_tpot_ms": 0.0, "p99_itl_ms": 0.0});
    let run = read(with(zeros));
    assert!(!run.latencies_ms.keys().any(|name| name.starts_with("tpot")), "{:?}", run.latencies_ms);
    assert!(run.remarks.contains("TPOT is 0 in the file, which stands for no value"), "{:?}", run.remarks);
}

#[test]
fn a_run_of_which_all_requests_failed_has_no_numbers() {
    let run = read(with(json!({
        "completed": 0, "failed": 10, "output_throughput": 0.0, "median_ttft_ms": 0.0, "p99_ttft_ms": 0.0,
    })));
    assert_eq!(run.failed.as_deref(), Some("none of 10 requests completed"));
    assert!(run.latencies_ms.is_empty() && run.output_tok_s.is_none());
}

#[test]
fn a_fork_that_writes_seconds_is_converted() {
    let run = read(json!({
        "date": "20260213-120009", "model_id": "org/model", "num_prompts": 4, "request_rate": "inf", "max_concurrency": 2,
        "duration": 5.0, "completed": 4, "good_completed": null, "total_input_tokens": 100, "total_output_tokens": 50,
        "request_goodput": null, "input_throughput": 20.0, "output_throughput": 10.0,
        "median_ttft": 0.25, "p99_ttft": 1.5, "median_tpot": 0.02, "p99_tpot": 0.05,
    }));
    assert_eq!((run.latencies_ms["ttft_p50_ms"], run.latencies_ms["tpot_p99_ms"]), (250.0, 50.0));
    assert_eq!(run.load.arrival.as_deref(), Some("as fast as the concurrency allows"));
}

#[test]
fn what_an_owner_took_out_is_absent_and_what_they_changed_is_said() {
    let mut stripped = with(json!({}));
    for key in ["duration", "completed", "total_output_tokens", "output_throughput", "total_token_throughput"] {
        stripped.as_object_mut().expect("an object").remove(key);
    }
    let run = read(stripped);
    assert_eq!((run.output_tok_s, run.load.output_tokens, run.duration_s), (None, None, None));
    assert_eq!(run.latencies_ms["ttft_p99_ms"], 90.5);

    let edited = read(with(json!({"output_throughput": 41.0})));
    assert_eq!((edited.output_tok_s, edited.remarks.len()), (Some(41.0), 1));
    let rounded = read(with(json!({"output_throughput": 40.001})));
    assert!(rounded.remarks.is_empty(), "{:?}", rounded.remarks);
}

#[test]
fn single_requests_give_what_the_file_lacks() {
    let run = read(with(json!({
        "ttfts": [0.1, 0.2, 0.0, 0.3], "itls": [[0.01, 0.02], [0.03], [], []], "output_lens": [4, 2, 0, 1],
        "input_lens": [1, 1, 1, 1], "errors": ["", "", "timed out at host.example", ""],
        "generated_texts": ["a secret answer", "", "", ""], "start_times": [0.0, 0.1, 0.2, 0.3],
    })));
    assert_eq!(run.samples.len(), 3);
    assert_eq!(run.samples[0].tpot_ms.map(f64::round), Some(10.0));
    assert_eq!((run.samples[2].tpot_ms, run.samples[2].e2el_ms), (None, Some(300.0)));
    assert_eq!((run.latencies_ms["ttft_p50_ms"], run.latencies_ms["e2el_p50_ms"]), (25.0, 230.0));
    let all = format!("{run:?}");
    assert!(!all.contains("secret") && !all.contains("host.example"), "{all}");
}

#[test]
fn only_named_fields_and_plain_settings_are_copied() {
    let run = read(with(json!({
        "model_id": "/home/someone/models/org--model", "tokenizer_id": "/home/someone/tok", "run_number": 1,
        "max_num_seqs": 4, "gpu_memory_utilization": "0.9", "enforce_eager": true, "api_key": concat!("sk", "-0123456789abcdef0123"),
        "host": "node17.internal", "backend": "openai-chat", "header": {"Authorization": "Bearer abc"},
    })));
    assert_eq!(run.subject.model.as_deref(), Some("org/model"));
    let settings = json!({
        "max_num_seqs": 4, "gpu_memory_utilization": "0.9", "enforce_eager": true, "backend": "openai-chat",
    });
    assert_eq!(Value::Object(run.settings), settings);
    assert_eq!(run.unread.keys().collect::<Vec<_>>(), ["api_key", "host"]);
}

#[test]
fn a_file_may_hold_several_runs_and_nothing_else() {
    let summary = Foreign::of("summary.json", json!([with(json!({})), with(json!({"run_number": 1}))]).to_string());
    let appended = file(&[with(json!({})), with(json!({}))]);
    for file in [summary, appended] {
        let content = VllmServe.read(&file, &mut Report::new()).expect("two runs");
        assert_eq!(content.runs.len(), 2);
    }
    for (text, rule) in [
        (format!("{}\n{{\"a\": 1}}", with(json!({}))), "import/content"),
        (format!("{}\n{{\"model_id\": ", with(json!({}))), "json/syntax"),
    ] {
        let mut report = Report::new();
        assert!(VllmServe.read(&Foreign::of("a.json", text), &mut report).is_none());
        assert_eq!(report.diagnostics().map(|one| one.rule.code).collect::<Vec<_>>(), [rule]);
    }
}

#[test]
fn other_files_are_not_taken_for_results() {
    for other in [
        json!({"model_id": "a", "num_prompts": 1}),
        json!({"backend": "sglang", "median_ttft_ms": 1.0, "num_prompts": 1}),
        json!({"model_id": 5, "num_prompts": 1, "median_ttft_ms": 1.0}),
        json!([1, 2]),
    ] {
        assert!(!VllmServe.recognises(&file(std::slice::from_ref(&other))), "{other}");
    }
}

#[test]
fn what_is_no_number_is_missing_and_no_limit() {
    let bare = with(json!({"request_rate": 1})).to_string().replace("\"request_rate\":1", "\"request_rate\":NaN");
    let file = Foreign::of("a.json", bare);
    let content = VllmServe.read(&file, &mut Report::new()).expect("it is a run");
    assert_eq!(content.runs[0].load.offered, None);
    assert!(!content.runs[0].settings.contains_key("request_rate") && content.runs[0].unread.is_empty());

    let run = read(with(json!({"completed": -1})));
    assert_eq!((run.requests.completed, run.failed.as_deref()), (None, None));
    assert!(run.remarks.contains("completed is -1 in the file, which stands for no value"), "{:?}", run.remarks);
}
