//! Small aggregates of each generation, made up.

use serde_json::json;

use super::*;

fn with(more: Value) -> Value {
    let mut object = json!({
        "hw": "b200-trt", "tp": 8, "ep": 1, "dp_attention": "false", "conc": 8, "model": "org/model", "framework": "trt",
        "precision": "fp8", "tput_per_gpu": 30.0, "output_tput_per_gpu": 10.0, "input_tput_per_gpu": 20.0,
        "mean_ttft": 0.25, "median_ttft": 0.2, "std_ttft": 0.1, "p99_ttft": 1.5, "median_tpot": 0.02, "p99_tpot": 0.05,
        "p99.9_tpot": 0.06, "mean_intvty": 50.0, "std_intvty": 1000.0, "median_e2el": 10.0,
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| object[key] = value.clone());
    object
}

fn read(object: &Value) -> Measured {
    let file = Foreign::of("agg_bmk.json", object.to_string());
    assert!(InferenceX.recognises(&file), "{object}");
    let mut run = InferenceX.read(&file, &mut Report::new()).expect("it is an aggregate").runs.remove(0);
    run.complete();
    run
}

#[test]
fn rates_are_of_all_gpus_and_latencies_in_milliseconds() {
    let first = with(json!({}));
    let second = with(json!({
        "image": "vllm/vllm-openai:v0.19.1", "isl": 1024, "osl": 1024, "disagg": false, "spec_decoding": "mtp", "is_multinode": false,
    }));
    for object in [&first, &second] {
        let run = read(object);
        assert_eq!((run.output_tok_s, run.input_tok_s, run.total_tok_s), (Some(80.0), Some(160.0), Some(240.0)));
        let found = ["ttft_p50_ms", "ttft_p99_ms", "tpot_p99_ms", "e2el_p50_ms"].map(|name| run.latencies_ms[name]);
        assert_eq!(found, [200.0, 1500.0, 50.0, 10000.0]);
        assert_eq!((run.subject.accelerator.as_deref(), run.subject.gpus), (Some("b200"), Some(8)));
        assert_eq!(run.subject.parallelism.as_deref(), Some("TP8 EP1"));
        assert!(run.remarks.is_empty(), "{:?}", run.remarks);
    }
    let run = read(&second);
    assert_eq!((run.load.input_tokens_requested, &run.settings["spec_decoding"]), (Some(1024.0), &json!("mtp")));
}

#[test]
fn a_version_is_that_of_the_engines_own_image() {
    for (image, engine, expected) in [
        ("vllm/vllm-openai-rocm:v0.21.0", "vllm", Some("0.21.0")),
        ("lmsysorg/sglang-rocm:v0.5.12.post1-rocm720-20260529", "sglang", Some("0.5.12.post1")),
        ("nvcr.io/dynamo/sglang-runtime:v0.8.1", "dynamo-sglang", Some("0.8.1")),
        ("cann9.0_image:v1.0", "huawei-mindie", None),
        ("vllm/vllm-openai:nightly", "vllm", None),
        ("vllm/vllm-openai", "vllm", None),
    ] {
        assert_eq!(version_of(image, engine).as_deref(), expected, "{image}");
    }
}

#[test]
fn roles_have_rates_of_their_own() {
    let stated = with(json!({
        "disagg": true, "is_multinode": true, "num_prefill_gpu": 4, "num_decode_gpu": 8, "tput_per_gpu": 36.666_666_666_666_664,
        "input_tput_per_gpu": 90.0,
    }));
    // The first generation: 12 GPUs as `tp`, which the rates divide.
    let mut found = stated.clone();
    found
        .as_object_mut()
        .expect("an object")
        .retain(|key, _| !["disagg", "num_prefill_gpu", "num_decode_gpu"].contains(&key.as_str()));
    found["tp"] = json!(12);
    for (object, remarks) in [(&stated, 0), (&found, 1)] {
        let run = read(object);
        assert_eq!(run.subject.role_gpus, Some(RoleGpus { prefill: 4, decode: 8 }));
        assert_eq!((run.subject.gpus, run.remarks.len()), (Some(12), remarks), "{:?}", run.remarks);
        assert_eq!((run.output_tok_s, run.input_tok_s), (Some(80.0), Some(360.0)));
    }
    // Where the rates divide nothing, nothing is made of them.
    found["tp"] = json!(13);
    let run = read(&found);
    assert_eq!((run.subject.gpus, run.output_tok_s, run.total_tok_s), (None, None, None));
    assert!(run.remarks.iter().any(|remark| remark.contains("left out")), "{:?}", run.remarks);
}

#[test]
fn zeros_and_empty_texts_are_no_values() {
    let run = read(&with(json!({
        "image": "", "tput_per_gpu": 10.0, "input_tput_per_gpu": 0.0, "median_ttft": 0.0, "mean_ttft": 0.0, "p99_ttft": 0.0,
    })));
    assert_eq!((run.output_tok_s, run.input_tok_s, run.total_tok_s), (Some(80.0), None, Some(80.0)));
    assert!(!run.latencies_ms.keys().any(|name| name.starts_with("ttft")), "{:?}", run.latencies_ms);
    assert_eq!((run.subject.image.as_deref(), run.remarks.len()), (None, 2), "{:?}", run.remarks);
}

#[test]
fn agentic_runs_state_the_rates_of_the_system() {
    let run = read(&with(json!({
        "conc": null, "users": 8, "scenario_type": "agentic-coding", "num_requests_total": 71, "num_requests_successful": 70,
        "mean_input_tokens": 79231.7, "mean_output_tokens_actual": 2760.5, "median_ttlt": 42.0, "median_e2el": null,
        "output_tput_tps": 182.5, "total_generation_tokens": 177_010, "duration_seconds": 1000.0,
        "server_gpu_cache_hit_rate": 0.83, "theoretical_cache_hit_rate": 0.95, "server_cpu_cache_hit_rate": null,
    })));
    assert_eq!((run.output_tok_s, run.request_throughput_rps), (Some(182.5), Some(0.07)));
    assert_eq!((run.load.concurrency, run.load.dataset.as_deref()), (Some(8), Some("agentic-coding")));
    assert_eq!((run.requests.failed, run.prefix_cache_hit_pct), (Some(1), Some(83.0)));
    assert_eq!(run.latencies_ms["e2el_p50_ms"], 42_000.0);
    // Two counts of tokens, the client's and the server's.
    assert!(run.remarks.iter().any(|remark| remark.contains("177.01")), "{:?}", run.remarks);
}

#[test]
fn what_a_plot_needs_is_a_total_rate_and_the_median_of_one_user() {
    let object = json!({
        "hw": "b200", "tp": 2, "conc": 64, "model": "org/model", "framework": "trt", "precision": "fp4",
        "tput_per_gpu": 7500.0, "median_intvty": 100.0, "parallelism": "TP2", "serving_config": "AGG",
    });
    let run = read(&object);
    assert_eq!((run.output_tok_s, run.total_tok_s, run.latencies_ms["tpot_p50_ms"]), (None, Some(15000.0), 10.0));
    assert_eq!(run.remarks.len(), 2, "{:?}", run.remarks);
    let mut apart = object;
    apart["serving_config"] = json!("DISAGG");
    assert_eq!((read(&apart).subject.gpus, read(&apart).total_tok_s), (None, None));
}

#[test]
fn power_counts_where_the_file_calls_it_valid() {
    for (valid, kw, remarks) in [(json!(true), Some(5.6), 0), (json!("false"), None, 1)] {
        let run = read(&with(json!({"power_valid": valid, "avg_total_gpu_power_w": 5600.0, "avg_power_w": 700.0})));
        assert_eq!((run.power.map(|power| power.kw), run.remarks.len()), (kw, remarks));
    }
}
