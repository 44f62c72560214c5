//! Small results of each version, made up, and what they say.

use serde_json::json;

use super::super::measured::Offered;
use super::*;

fn file(objects: &[Value]) -> Foreign {
    let lines: Vec<_> = objects.iter().map(Value::to_string).collect();
    Foreign::of("results/a.jsonl", lines.join("\n"))
}

fn read(object: Value) -> Measured {
    let file = file(&[object]);
    assert!(SglangServing.recognises(&file));
    let mut run = SglangServing.read(&file, &mut Report::new()).expect("it is a run").runs.remove(0);
    run.complete();
    run
}

/// The keys of the first version, then more.
fn with(more: Value) -> Value {
    let mut object = json!({
        "backend": "sglang", "dataset_name": "random", "request_rate": 2.0, "max_concurrency": null,
        "total_input_tokens": 1000, "total_output_tokens": 200, "total_output_tokens_retokenized": 199,
        "mean_e2e_latency_ms": 120.0, "median_e2e_latency_ms": 110.0, "median_ttft_ms": 25.0, "median_itl_ms": 4.0,
        "output_throughput": 40.0, "sharegpt_output_len": null, "random_input_len": 200, "random_output_len": 40,
        "random_range_ratio": 0.0, "duration": 5.0, "completed": 10,
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| object[key] = value.clone());
    object
}

/// What 0.4.6 added.
fn percentiles() -> Value {
    json!({
        "request_throughput": 2.0, "input_throughput": 200.0, "std_ttft_ms": 1.0, "p99_ttft_ms": 90.5, "mean_ttft_ms": 30.0,
        "mean_tpot_ms": 5.0, "median_tpot_ms": 4.5, "p99_tpot_ms": 9.0, "mean_itl_ms": 5.0, "p95_itl_ms": 15.0,
        "p99_itl_ms": 20.0, "p99_e2e_latency_ms": 200.0, "concurrency": 3.0, "accept_length": null,
    })
}

#[test]
fn every_version_gives_the_same_rates() {
    let mut since_0_4_6 = with(percentiles());
    let mut versions = vec![with(json!({})), since_0_4_6.clone()];
    for (key, value) in [
        ("tag", json!(null)),
        ("total_input_text_tokens", json!(1000)),
        ("total_input_vision_tokens", json!(0)),
        ("total_throughput", json!(240.0)),
        ("max_output_tokens_per_s", json!(60.0)),
        ("max_concurrent_requests", json!(5)),
    ] {
        since_0_4_6[key] = value;
    }
    versions.push(since_0_4_6);
    for (position, version) in versions.into_iter().enumerate() {
        let run = read(version);
        assert_eq!((run.output_tok_s, run.input_tok_s, run.total_tok_s), (Some(40.0), Some(200.0), Some(240.0)));
        assert_eq!((run.request_throughput_rps, run.load.offered), (Some(2.0), Some(Offered::Rate(2.0))));
        assert_eq!((run.load.input_tokens, run.load.arrival.as_deref()), (Some(100.0), Some("Poisson")));
        let latencies = ["ttft_p50_ms", "e2el_p50_ms", "tpot_p99_ms", "ttft_p99_ms"];
        let found = latencies.map(|name| run.latencies_ms.get(name).copied());
        let late = |value: f64| (position > 0).then_some(value);
        assert_eq!(found, [Some(25.0), Some(110.0), late(9.0), late(90.5)]);
        assert_eq!((&run.subject.engine, &run.subject.model), (&None, &None));
        assert!(run.unread.is_empty() && run.remarks.is_empty(), "{:?} {:?}", run.unread, run.remarks);
    }
}

#[test]
fn a_rate_is_a_number_a_bare_infinity_or_a_trace() {
    let infinity = with(json!({"request_rate": 1})).to_string();
    let infinity = infinity.replace("\"request_rate\":1", "\"request_rate\": Infinity");
    let file = Foreign::of("a.json", format!("{infinity}\n{infinity}\n"));
    assert!(SglangServing.recognises(&file));
    let content = SglangServing.read(&file, &mut Report::new()).expect("a bare word is read");
    assert_eq!((content.runs.len(), content.runs[0].load.offered), (2, Some(Offered::Unlimited)));
    let run = read(with(json!({"request_rate": "trace"})));
    assert_eq!((run.load.offered, run.load.arrival.as_deref()), (None, Some("as a trace has it")));
}

#[test]
fn lengths_are_requested_only_where_they_are_exact() {
    for (more, dataset, requested) in [
        (json!({}), "random, up to 200 tokens in and 40 out", (None, None)),
        (json!({"random_range_ratio": 1.0}), "random", (Some(200.0), Some(40.0))),
        (json!({"dataset_name": "sharegpt"}), "sharegpt", (None, None)),
        (json!({"dataset_name": "sharegpt", "sharegpt_output_len": 64}), "sharegpt", (None, Some(64.0))),
    ] {
        let load = read(with(more)).load;
        assert_eq!(load.dataset.as_deref(), Some(dataset));
        assert_eq!((load.input_tokens_requested, load.output_tokens_requested), requested);
    }
}

/// A server as it describes itself, with what must never leave the file.
fn server(more: Value) -> Value {
    let mut info = json!({
        "model_path": "/home/someone/models/org--model", "host": "node17.internal", "api_key": "not for print", "tp_size": 4,
        "pp_size": 1, "dp_size": 2, "ep_size": 1, "quantization": null, "kv_cache_dtype": "auto", "version": "0.5.5.post3",
        "attention_backend": "fa3", "max_running_requests": -1, "mem_fraction_static": 0.9, "log_requests_target": "/var/x",
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| info[key] = value.clone());
    info
}

#[test]
fn a_server_says_what_it_is_and_nothing_else_of_it_is_kept() {
    let run = read(with(json!({"tag": "night", "server_info": server(json!({}))})));
    let subject = &run.subject;
    assert_eq!((subject.model.as_deref(), subject.engine.as_deref()), (Some("org/model"), Some("sglang")));
    assert_eq!((subject.engine_version.as_deref(), subject.gpus), (Some("0.5.5.post3"), Some(8)));
    assert_eq!((subject.parallelism.as_deref(), &subject.quantization), (Some("TP4 DP2"), &None));
    assert_eq!((&subject.kv_dtype, run.label.as_deref()), (&None, Some("night")));
    let settings = json!({
        "backend": "sglang", "attention_backend": "fa3", "mem_fraction_static": 0.9, "random_input_len": 200,
        "random_output_len": 40, "random_range_ratio": 0.0,
    });
    assert_eq!(Value::Object(run.settings.clone()), settings);
    let all = format!("{run:?}");
    assert!(!all.contains("node17") && !all.contains("not for print") && !all.contains("someone"), "{all}");

    let shared = server(json!({"enable_dp_attention": true, "kv_cache_dtype": "fp8_e5m2", "quantization": "fp8"}));
    let subject = read(with(json!({"server_info": shared}))).subject;
    assert_eq!((subject.gpus, subject.kv_dtype.as_deref()), (Some(4), Some("fp8_e5m2")));
    assert_eq!(subject.quantization.as_deref(), Some("fp8"));
}

#[test]
fn behind_a_router_each_worker_says_what_it_is() {
    let worker = |tp: u64| server(json!({"tp_size": tp, "dp_size": 1}));
    let router = json!({"internal_states": [{}], "prefill": [worker(1), worker(1)], "decode": [worker(4)]});
    let subject = read(with(json!({"server_info": router}))).subject;
    assert_eq!((subject.model.as_deref(), subject.gpus), (Some("org/model"), Some(6)));
    assert_eq!(subject.role_gpus, Some(RoleGpus { prefill: 2, decode: 4 }));
    assert_eq!(subject.parallelism, None);
    let silent = read(with(json!({"server_info": {"internal_states": []}}))).subject;
    assert_eq!((silent.engine.as_deref(), silent.gpus, silent.model), (Some("sglang"), None, None));
}

#[test]
fn details_give_percentiles_and_the_requests_that_were_sent() {
    let run = read(with(json!({
        "completed": 2, "input_lens": [5, 5, 5], "output_lens": [3, 2, 0], "ttfts": [0.1, 0.3, 0.0],
        "itls": [[0.02, 0.02], [0.04], []], "generated_texts": ["a secret", "", ""], "errors": ["", "", "refused by host"],
    })));
    assert_eq!((run.requests.sent, run.requests.completed), (Some(3), Some(2)));
    assert!(run.lost_requests());
    assert_eq!(run.latencies_ms["ttft_mean_ms"], 200.0);
    assert_eq!(run.latencies_ms["tpot_p50_ms"].round(), 30.0);
    let all = format!("{run:?}");
    assert!(!all.contains("secret") && !all.contains("host"), "{all}");
}

#[test]
fn goodput_and_cache_reports_are_said() {
    let run = read(with(json!({
        "goodput_slos_ms": {"ttft": 300.0, "tpot": 150.0}, "request_goodput": 1.5, "slo_attainment": 0.75,
        "slo_attainment_by_metric": {"ttft": 0.75, "tpot": 1.0}, "cache_report": {"cache_hit_rate_pct": 71.25},
        "accept_length": 2.5,
    })));
    assert_eq!(run.prefix_cache_hit_pct, Some(71.25));
    // A limit on each request is none on a percentile.
    assert!(run.slo_ms.is_empty());
    let remarks: Vec<_> = run.remarks.iter().map(String::as_str).collect();
    let expected = [
        "speculative decoding was on: 2.50 tokens accepted a step in the mean",
        "the file states 1.5000 requests per second that met, each for itself, TTFT of 300 ms, TPOT of 150 ms, 75.0% of those sent",
    ];
    assert_eq!(remarks, expected);
}

#[test]
fn other_files_are_not_taken_for_results() {
    for other in [json!({"backend": "sglang"}), with(json!({"model_id": "a"})), json!([1])] {
        assert!(!SglangServing.recognises(&file(std::slice::from_ref(&other))), "{other}");
    }
    let mut report = Report::new();
    assert!(SglangServing.read(&file(&[with(json!({})), json!({"a": 1})]), &mut report).is_none());
    assert_eq!(report.diagnostics().map(|one| one.rule.code).collect::<Vec<_>>(), ["import/content"]);
}
