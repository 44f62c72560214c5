//! Rules that hold what a run says against what it says elsewhere: rates, counts, latencies, spec, commands.

use serde_json::{Value, json};

use super::breaks;
use crate::records::{audit, merged, run};

fn none() -> Value {
    json!({})
}

#[test]
fn of_latencies() {
    let means =
        |e2el: f64| json!({"output_tokens_mean": 100, "ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": e2el});
    for (config, expected) in [
        (json!({"tpot_p50_ms": 50, "e2el_p50_ms": 50}), &[][..]),
        (json!({"tpot_p50_ms": 51, "e2el_p50_ms": 50}), &["latency/order"]),
        (json!({"tpot_mean_ms": 51, "e2el_mean_ms": 50}), &["latency/order"]),
        (json!({"tpot_p50_ms": 51, "e2el_p50_ms": 50, "output_tokens_mean": 2}), &["latency/order"]),
        // Of a single token there is no time for each of the others.
        (json!({"tpot_p50_ms": 51, "e2el_p50_ms": 50, "output_tokens_mean": 1.9}), &[]),
        (json!({"ttft_p50_ms": 51, "e2el_p50_ms": 50, "output_tokens_mean": 1}), &["latency/order"]),
        (json!({"tpot_p50_ms": 51, "e2el_p99_ms": 50}), &[]),
        (json!({"itl_p50_ms": 51, "e2el_p50_ms": 50}), &[]),
        (
            json!({"sweep": [{"offered_rps": 1, "tpot_p50_ms": 51, "e2el_p50_ms": 50, "passed": true}, {"offered_rps": 2, "passed": false}]}),
            &["latency/order"],
        ),
        // 1,090 ms by their parts.
        (means(1090.0), &[]),
        (means(545.0), &[]),
        (means(544.0), &["latency/means"]),
        (means(2180.0), &[]),
        (means(2181.0), &["latency/means"]),
        (
            json!({"output_tokens_mean": 2, "ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 221}),
            &["latency/means"],
        ),
        (json!({"output_tokens_mean": 1.9, "ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 221}), &[]),
        (json!({"ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 5000}), &[]),
        (json!({"output_tokens_mean": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 5000}), &[]),
    ] {
        breaks(&run(none(), config.clone()), expected, &config);
    }
}

#[test]
fn of_rates_and_counts() {
    let limit = || json!({"slo": {"ttft_p99_ms": 2000}});
    let rates =
        |output: f64| json!({"request_throughput_rps": 10.00, "output_tokens_mean": 100.0, "output_tok_s": output});
    let cut = |cancelled: u64| json!({"requests": {"sent": 10, "completed": 10 - cancelled, "failed": 0, "cancelled": cancelled}});
    let nothing = |name: &str, rate: f64| json!({"requests": {"sent": 10, "completed": 0, "failed": 10}, name: rate});
    for (record, config, expected) in [
        (none(), rates(1000.0), &[][..]),
        (none(), rates(1058.0), &[]),
        (none(), rates(948.0), &[]),
        (none(), rates(1059.0), &["run/output-rate"]),
        (none(), rates(946.0), &["run/output-rate"]),
        (none(), rates(10_000.0), &["run/output-rate"]),
        (none(), json!({"request_throughput_rps": 10, "output_tok_s": 10_000}), &[]),
        (
            none(),
            merged(rates(1040.0), json!({"duration_s": 10.0, "requests": {"completed": 100}})),
            &["run/output-rate"],
        ),
        (none(), cut(4), &[]),
        (none(), cut(5), &["requests/unfinished"]),
        (none(), json!({"requests": {"completed": 1, "cancelled": 1}}), &["requests/unfinished"]),
        (none(), json!({"requests": {"completed": 2, "cancelled": 1}}), &[]),
        (none(), json!({"requests": {"completed": 0, "cancelled": 0}}), &[]),
        (none(), nothing("request_throughput_rps", 0.0), &["requests/unfinished"]),
        (none(), nothing("request_throughput_rps", 1.0), &["requests/counts", "requests/unfinished"]),
        (none(), nothing("output_tok_s", 1.0), &["requests/counts", "requests/unfinished"]),
        (none(), nothing("total_tok_s", 1.0), &["requests/counts", "requests/unfinished"]),
        (limit(), nothing("goodput_tok_s", 1.0), &["requests/counts", "requests/unfinished"]),
        (limit(), json!({"goodput_tok_s": 500}), &[]),
        (none(), json!({"goodput_tok_s": 500}), &["run/no-slo"]),
        (none(), json!({"goodput_tok_s": 0}), &[]),
        (none(), json!({"slo_pass_count": 1}), &["run/no-slo"]),
        (none(), json!({"slo_pass_count": 0}), &[]),
        (json!({"slo": {}}), json!({"goodput_tok_s": 500}), &["run/no-slo"]),
        (json!({"spec": {"slo": {"ttft_p99_ms": 2000}}}), json!({"goodput_tok_s": 500}), &[]),
        (json!({"spec": {"slo": {"ttft_p99_ms": null}}}), json!({"goodput_tok_s": 500}), &["run/no-slo"]),
        (json!({"spec": {"goodput": ["ttft:2000"]}}), json!({"goodput_tok_s": 500}), &[]),
        (json!({"spec": {"goodput": []}}), json!({"goodput_tok_s": 500}), &["run/no-slo"]),
    ] {
        let of = json!([record, config]);
        breaks(&run(record, config), expected, &of);
    }
}

#[test]
fn of_spec_and_record() {
    const DIFFERS: &[&str] = &["run/record-against-spec"];
    let model = |quantization: &str, spec: Value| json!({"model": {"name": "Test model", "quantization": quantization}, "spec": {"model": spec}});
    let accuracy =
        |own: Value, spec: Value| json!({"accuracy": merged(json!({"suite": "s"}), own), "spec": {"accuracy": spec}});
    let window = |own: &str, spec: f64| json!({"power": {"kind": "board", "window": own}, "spec": {"measurement": {"window_s": spec}}});
    for (record, config, expected) in [
        (model("FP8 weights, BF16 KV cache", json!({"kv_dtype": "bf16", "weight_dtype": "fp8"})), none(), &[][..]),
        (model("FP8 weights, BF16 KV cache", json!({"kv_dtype": "fp8"})), none(), DIFFERS),
        (model("FP8 weights, BF16 KV cache", json!({"weight_dtype": "bf16"})), none(), DIFFERS),
        (model("FP8", json!({"kv_dtype": "auto", "weight_dtype": "fp8_e4m3"})), none(), &[]),
        (json!({"spec": {"model": {"kv_dtype": "bf16"}}}), json!({"engine": "vllm 0.31.0 · KV FP8"}), DIFFERS),
        (json!({"spec": {"model": {"kv_dtype": "fp8"}}}), json!({"engine": "vllm 0.31.0 · KV FP8"}), &[]),
        (
            json!({"software": {"engine": "vllm", "kernels": "--kv-cache-dtype fp8"}, "spec": {"model": {"kv_dtype": "bf16"}}}),
            none(),
            DIFFERS,
        ),
        (none(), json!({"engine": "sglang 0.5.0"}), DIFFERS),
        (none(), json!({"engine": "vLLM 0.5.0"}), &[]),
        (none(), json!({"engine": "the usual"}), &[]),
        (accuracy(json!({"threshold_pts": 1.0}), json!({"max_drop_pts": 1.0})), none(), &[]),
        (accuracy(json!({"threshold_pts": 1.0}), json!({"max_drop_pts": 2.0})), none(), DIFFERS),
        (accuracy(json!({"questions": 50}), json!({"limit": 50})), none(), &[]),
        (accuracy(json!({"questions": 200}), json!({"limit": 50})), none(), DIFFERS),
        (window("120 s steady state", 120.0), none(), &[]),
        (window("60 s steady state", 120.0), none(), DIFFERS),
        (json!({"slo": {"ttft_p99_ms": 2000}, "spec": {"slo": {"ttft_p99_ms": 2000}}}), none(), &[]),
        (json!({"slo": {"ttft_p99_ms": 2000}, "spec": {"slo": {"ttft_p99_ms": 1000}}}), none(), DIFFERS),
        (
            json!({"slo": {"ttft_p99_ms": 2000}, "spec": {"slo": {"ttft_p99_ms": 2000, "tpot_p99_ms": 50}}}),
            none(),
            DIFFERS,
        ),
        (json!({"spec": {"slo": {"tpot_p99_ms": 50}}}), none(), &[]),
        (json!({"slo": {"ttft_p99_ms": 2000}, "spec": {"slo": {"tpot_p99_ms": null, "name": 50}}}), none(), &[]),
        (window("steady state", 120.0), none(), &[]),
    ] {
        let of = json!([record, config]);
        breaks(&run(record, config), expected, &of);
    }
}

#[test]
fn of_gpus() {
    let parallel = |text: &str, count: u64| json!({"hardware": {"accelerator": "Test card", "count": count}, "model": {"name": "Test model", "parallelism": text}});
    let spec = |spec: Value| json!({"spec": {"model": spec}});
    for (record, expected) in [
        (parallel("8 replicas × TP1", 8), &[][..]),
        (parallel("8 replicas × TP1", 7), &["run/parallelism"]),
        (parallel("DP8", 8), &[]),
        (parallel("DP8", 7), &["run/parallelism"]),
        (parallel("EP8", 7), &["run/parallelism"]),
        (parallel("TP8 EP8", 8), &[]),
        (parallel("TP4×PP2", 8), &[]),
        (parallel("TP4×PP2", 7), &["run/parallelism"]),
        (spec(json!({"tensor_parallel": 1, "replicas": 1})), &[]),
        (spec(json!({"replicas": 2})), &["run/parallelism"]),
        (spec(json!({"tensor_parallel": 1, "pipeline_parallel": 2})), &["run/parallelism"]),
    ] {
        breaks(&run(record.clone(), none()), expected, &record);
    }
    for (text, count, expected) in [
        ("TP2", 2, &[][..]),
        ("TP2", 1, &["run/parallelism"]),
        // An audit counts the GPUs of a replica.
        ("8 replicas × TP1", 1, &[]),
        ("TP2 PP2", 3, &["run/parallelism"]),
    ] {
        let record = json!({"parallelism": text, "hardware": {"accelerator": "Test card", "count": count}});
        breaks(&audit(record.clone(), json!({"request_rate_rps": 10})), expected, &record);
    }
}

#[test]
fn of_power_in_prose() {
    for (kind, body, expected) in [
        ("board", "Node power was 34 W.", &["power/boundary"][..]),
        ("node", "Node power was 34 W.", &[]),
        ("board", "The board drew 34 W; node power was not read.", &[]),
    ] {
        let site = run(json!({"power": {"kind": kind}}), none())
            .file("content/runs/a.md", format!("---\nmodel: models/test-model\n---\n\n{body}\n"));
        breaks(&site, expected, &json!([kind, body]));
    }
    let note = "---\nmodel: models/test-model\n---\n\nIt ran.\n\nNode power was 34 W.\n";
    let site = run(json!({"power": {"kind": "board"}}), none()).file("content/runs/a.md", note);
    site.check().says(&["--> content/runs/a.md:7:1", "^^^^^^^^^^"]);
}

#[test]
fn of_what_commands_repeat() {
    const OTHER: &[&str] = &["reproduce/contradicts"];
    let sent = |count: u64| json!({"requests": {"sent": count, "completed": count}});
    for (commands, config, expected) in [
        ("vllm serve Test/Test-Model", none(), &[][..]),
        ("vllm serve Test/Other-Model", none(), OTHER),
        ("bench --model Other", none(), OTHER),
        ("bench --model=test-model-2026", none(), &[]),
        ("bench --model $MODEL", none(), &[]),
        ("vllm serve Test-Model --served-model-name short\nbench --model short", none(), &[]),
        ("vllm serve Test-Model -tp 1", none(), &[]),
        ("vllm serve Test-Model -tp 2", none(), OTHER),
        ("vllm serve Test-Model --tensor-parallel-size=2", none(), OTHER),
        ("vllm serve Test-Model --pp 2", none(), OTHER),
        ("vllm serve Test-Model --data-parallel-size 8", none(), OTHER),
        ("vllm serve Test-Model --no-enable-prefix-caching", json!({"prefix_cache_hit_pct": 89}), OTHER),
        ("vllm serve Test-Model --no-enable-prefix-caching", json!({"prefix_cache_hit_pct": 0}), &[]),
        ("vllm serve Test-Model --enable-prefix-caching", json!({"prefix_cache_hit_pct": 89}), &[]),
        ("bench --num-prompts 100", sent(100), &[]),
        ("bench --num-prompts 100", sent(99), OTHER),
        ("bench --num-prompts 100", none(), &[]),
        ("bench --num-prompts 50", json!({"requests": {"sent": 100, "completed": 100}, "repeats": 2}), &[]),
        ("bench --num-prompts $N", sent(99), &[]),
        ("bench --num-prompts 99,100", sent(99), &[]),
        ("bench --max-concurrency 32", json!({"concurrency": 64}), OTHER),
        ("bench --max-concurrency 32", json!({"concurrency": 32}), &[]),
        ("for c in 32 64; do\nbench --max-concurrency $c\ndone", json!({"concurrency": 64}), &[]),
        ("bench --request-rate 4", json!({"request_rate_rps": 4.5}), OTHER),
        ("bench --request-rate inf", json!({"request_rate_rps": 0}), &[]),
        ("bench --random-input-len 1024", json!({"input_tokens_requested": 4096}), OTHER),
        ("bench --random-output-len=128", json!({"output_tokens_requested": 256}), OTHER),
        ("docker run test/vllm:v0.8.5", none(), &[]),
        ("bench --host 192.168.1.20", none(), &["reproduce/machine-path"]),
        (r"bench --data D:\a.json", none(), &["reproduce/machine-path"]),
        ("Run the benchmark as usual.", none(), &[]),
    ] {
        let of = json!([commands, config]);
        breaks(&run(json!({"reproduce": commands}), config), expected, &of);
    }
    let of = |record: Value, commands: &str| merged(record, json!({"reproduce": commands}));
    let engine = || json!({"software": {"engine": "vllm", "engine_version": "0.31.0"}});
    let spec = |spec: Value| json!({"spec": {"model": spec}});
    let limit = || json!({"slo": {"ttft_p99_ms": 200}});
    for (record, commands, expected) in [
        (engine(), "python3 -m sglang.launch_server --port 1", OTHER),
        (engine(), "llama-server -m a.gguf", OTHER),
        (engine(), "python3 -m vllm.entrypoints.openai.api_server --port 1", &[]),
        (engine(), "vllm serve --port 1\nllama-server --port 2", &[]),
        (engine(), "docker run vllm/vllm-openai:v0.31.0 --x 1", &[][..]),
        (engine(), "docker run vllm/vllm-openai:v0.31 --x 1", &[]),
        (engine(), "docker run vllm/vllm-openai:latest --x 1", &[]),
        (engine(), "docker run vllm/vllm-openai:v0.8.5 --x 1", OTHER),
        (engine(), "pip install vllm==0.8.5", OTHER),
        (spec(json!({"kv_dtype": "fp8"})), "serve --kv-cache-dtype fp8_e4m3", &[]),
        (spec(json!({"kv_dtype": "fp8"})), "serve --kv-cache-dtype auto", &[]),
        (spec(json!({"kv_dtype": "fp8"})), "serve --kv-cache-dtype bf16", OTHER),
        (spec(json!({"weight_dtype": "bf16"})), "serve --quantization fp8", OTHER),
        (spec(json!({"weight_dtype": "fp8"})), "serve --quantization fp8", &[]),
        (limit(), "bench --goodput ttft:200 tpot:50", &[]),
        (limit(), "bench --goodput ttft:500", OTHER),
        (none(), "bench --goodput ttft:500", &[]),
        (none(), "bench --a /data/a.json --b /data/b.json", &["reproduce/machine-path"]),
        (none(), "ssh alice@gpu17 bench --rate 4", &["reproduce/machine-path"]),
    ] {
        breaks(&run(of(record.clone(), commands), none()), expected, &json!([record, commands]));
    }
    // Of commands that carry a label, those are the config's.
    let configs = json!({"configs": [{"label": "a", "concurrency": 4}, {"label": "b", "concurrency": 8}]});
    for (commands, expected) in [
        ("bench --label a --max-concurrency 4\nbench --label b --max-concurrency 8", &[][..]),
        ("bench --label a --max-concurrency 8\nbench --label=b --max-concurrency 4", OTHER),
        ("bench --max-concurrency 8\nbench --max-concurrency 4", &[]),
    ] {
        breaks(&run(of(configs.clone(), commands), none()), expected, &json!(commands));
    }
    run(json!({"reproduce": "Run the benchmark as usual."}), none())
        .check()
        .says(&["reproduce/missing", "holds no command"]);
}

#[test]
fn of_storage_types() {
    for (dtype, expected) in [
        ("fp8", &[][..]),
        ("auto", &[]),
        ("q9_0", &["storage/unknown"]),
        ("q8_0/q9_0", &["storage/unknown"]),
        ("turboquant_4bit", &[]),
    ] {
        breaks(&run(json!({"spec": {"model": {"kv_dtype": dtype}}}), none()), expected, &json!(dtype));
    }
}
