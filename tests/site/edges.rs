//! Rules at the very edge of what they allow: the last value that passes, and the first that does not.

mod against_itself;
mod configs;
mod models;
mod noted;
mod passed;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::program::Site;
use crate::records::{audit, merged, run};

/// The codes that a site breaks, without those of the smallest record.
fn codes(site: &Site) -> BTreeSet<String> {
    const USUAL: [&str; 3] = ["reproduce/missing", "note/missing", "sweep/limits"];
    let said = site.check().stderr;
    let codes = said.lines().filter_map(|line| {
        let (severity, rest) = line.split_once('[')?;
        ["error", "warning"].contains(&severity).then(|| rest.split(']').next().unwrap_or_default().to_owned())
    });
    codes.filter(|code| !USUAL.contains(&code.as_str())).collect()
}

#[track_caller]
pub fn breaks(site: &Site, expected: &[&str], of: &Value) {
    let expected: BTreeSet<_> = expected.iter().map(|code| (*code).to_owned()).collect();
    assert_eq!(codes(site), expected, "{of}");
}

#[test]
fn of_a_run() {
    let limit = || json!({"slo": {"ttft_p99_ms": 2000}});
    let none = || json!({});
    let output_rate = |rate: f64| json!({"requests": {"completed": 100}, "output_tokens_mean": 200.0, "duration_s": 10.0, "output_tok_s": rate});
    for (record, config, expected) in [
        (none(), json!({"ttft_p50_ms": 900, "ttft_p99_ms": 900}), &[][..]),
        (none(), json!({"ttft_p50_ms": 901, "ttft_p99_ms": 900}), &["latency/order"]),
        (limit(), json!({"ttft_p99_ms": 2000, "slo_pass_count": 2, "repeats": 2}), &[]),
        (limit(), json!({"ttft_p99_ms": 2001, "slo_pass_count": 2, "repeats": 2}), &["slo/contradicted"]),
        (limit(), json!({"ttft_p99_ms": 2001, "slo_pass_count": 1, "repeats": 2}), &[]),
        (limit(), json!({"ttft_p99_ms": 2001, "slo_pass_count": 2}), &[]),
        (limit(), json!({"slo_pass_count": 2, "repeats": 2}), &[]),
        (limit(), json!({"slo_pass_count": 3, "repeats": 2}), &["run/passes"]),
        (json!({"runs": 2}), json!({"repeats": 2}), &[]),
        (json!({"runs": 3}), json!({"repeats": 2}), &["run/repeats"]),
        (json!({"runs": 2, "variance_band_pct": 1.5}), none(), &[]),
        (json!({"runs": 1, "variance_band_pct": 1.5}), none(), &["run/band"]),
        (none(), json!({"concurrency": 8, "request_throughput_rps": 2.1, "e2el_mean_ms": 4000}), &[]),
        (none(), json!({"concurrency": 8, "request_throughput_rps": 2.11, "e2el_mean_ms": 4000}), &["load/in-flight"]),
        (none(), json!({"concurrency": 8, "output_tok_s": 1000, "tpot_mean_ms": 10}), &[]),
        (none(), json!({"concurrency": 8, "output_tok_s": 1001, "tpot_mean_ms": 10}), &["load/in-flight"]),
        (
            none(),
            json!({"sweep": [{"concurrency": 8, "output_tok_s": 1001, "tpot_mean_ms": 10, "passed": true}, {"concurrency": 9, "passed": false}]}),
            &["load/in-flight"],
        ),
        (
            none(),
            json!({"sweep": [{"offered_rps": 5, "includes_warmup": true, "passed": false}, {"offered_rps": 6, "passed": true}, {"offered_rps": 7, "passed": false}]}),
            &["sweep/warm-up"],
        ),
        (
            none(),
            json!({"sweep": [{"offered_rps": 5, "includes_warmup": true, "passed": true}, {"offered_rps": 6, "passed": true}, {"offered_rps": 7, "passed": false}]}),
            &[],
        ),
        (
            limit(),
            json!({"sweep": [{"offered_rps": 5, "ttft_p99_ms": 2001, "passed": true}, {"offered_rps": 6, "passed": false}]}),
            &["sweep/verdict"],
        ),
        (
            limit(),
            json!({"sweep": [{"offered_rps": 5, "ttft_p99_ms": 2000, "passed": true}, {"offered_rps": 6, "passed": false}]}),
            &[],
        ),
        (none(), json!({"accuracy": {"suite": "none", "score_pct": 96}}), &["accuracy/none"]),
        (none(), json!({"accuracy": {"suite": "none"}}), &[]),
        (limit(), json!({"goodput_tok_s": 0, "slo_pass_count": 0, "repeats": 2}), &[]),
        (limit(), json!({"goodput_tok_s": 0, "slo_pass_count": 1, "repeats": 2}), &["run/goodput"]),
        (limit(), json!({"goodput_tok_s": 1, "slo_pass_count": 2, "repeats": 2}), &[]),
        (limit(), json!({"goodput_tok_s": 500, "output_tok_s": 500}), &[]),
        (limit(), json!({"goodput_tok_s": 502, "output_tok_s": 500}), &["run/goodput"]),
        (limit(), json!({"goodput_tok_s": 5004, "output_tok_s": 5000}), &[]),
        (limit(), json!({"goodput_tok_s": 5006, "output_tok_s": 5000}), &["run/goodput"]),
        // Without output of its own, goodput is part of all tokens.
        (limit(), json!({"goodput_tok_s": 5004, "total_tok_s": 5000}), &[]),
        (limit(), json!({"goodput_tok_s": 5006, "total_tok_s": 5000}), &["run/goodput"]),
        (none(), json!({"output_tok_s": 5004, "total_tok_s": 5000}), &[]),
        (none(), json!({"output_tok_s": 5006, "total_tok_s": 5000}), &["run/token-rates"]),
        (none(), json!({"output_tok_s": 1024, "total_tok_s": 1000}), &["run/token-rates"]),
        (none(), json!({"input_tok_s": 5004, "total_tok_s": 5000}), &[]),
        (none(), json!({"input_tok_s": 5006, "total_tok_s": 5000}), &["run/token-rates"]),
        (none(), json!({"input_tok_s": 500, "output_tok_s": 505, "total_tok_s": 1000}), &[]),
        (none(), json!({"input_tok_s": 500, "output_tok_s": 511, "total_tok_s": 1000}), &["run/token-rates"]),
        (none(), json!({"output_tok_s": 500_000}), &[]),
        (none(), json!({"output_tok_s": 500_001}), &["unit/suspicious"]),
        (json!({"hardware": {"accelerator": "Test card", "count": 8}}), json!({"output_tok_s": 500_001}), &[]),
        (none(), json!({"input_tok_s": 5_000_001}), &["unit/suspicious"]),
        (none(), json!({"total_tok_s": 5_000_001}), &["unit/suspicious"]),
        (none(), json!({"request_throughput_rps": 10_001}), &["unit/suspicious"]),
        (none(), json!({"request_rate_rps": 0}), &[]),
        (none(), json!({"request_rate_rps": 0, "request_throughput_rps": 2}), &[]),
        (json!({"model": {"name": "Test model", "parallelism": "TP1 DP8"}}), none(), &["run/parallelism"]),
        (json!({"model": {"name": "Test model", "parallelism": "TP2"}}), none(), &["run/parallelism"]),
        (
            json!({"hardware": {"accelerator": "Test card", "count": 8}, "model": {"name": "Test model", "parallelism": "TP8 DP8 EP8"}}),
            none(),
            &[],
        ),
        (
            json!({"hardware": {"accelerator": "Test card", "count": 8}, "model": {"name": "Test model", "parallelism": "TP4 PP2"}}),
            none(),
            &[],
        ),
        (
            json!({"hardware": {"accelerator": "Test card", "count": 8}, "model": {"name": "Test model", "parallelism": "TP8 PP2"}}),
            none(),
            &["run/parallelism"],
        ),
        (json!({"spec": {"model": {"tensor_parallel": 1}}}), none(), &[]),
        (json!({"spec": {"model": {"tensor_parallel": 2}}}), none(), &["run/parallelism"]),
        (none(), json!({"samples_tok_s": [10, 20], "warmup": 2}), &[]),
        (none(), json!({"samples_tok_s": [10, 20], "warmup": 3}), &["samples/warmup"]),
        (none(), json!({"samples_tok_s": [10, 20, 30], "warmup": 1, "output_tok_s": 25}), &[]),
        (none(), json!({"samples_tok_s": [10, 20, 30], "warmup": 1, "output_tok_s": 20}), &["samples/warmup-in-mean"]),
        (
            none(),
            json!({"samples_tok_s": [10, 20, 30], "warmup": 1, "output_tok_s": 20.02}),
            &["samples/warmup-in-mean"],
        ),
        (none(), json!({"samples_tok_s": [10, 20, 30], "warmup": 1, "output_tok_s": 20.04}), &["samples/mean"]),
        (
            none(),
            json!({"samples_tok_s": [10, 20, 30], "warmup": 1, "output_tok_s": 19.98}),
            &["samples/warmup-in-mean"],
        ),
        (none(), json!({"samples_tok_s": [20, 20], "warmup": 1, "output_tok_s": 20}), &[]),
        (none(), json!({"samples_tok_s": [10, 30], "warmup": 0, "output_tok_s": 20}), &[]),
        (none(), json!({"samples_tok_s": [10, 30], "output_tok_s": 20}), &[]),
        (
            none(),
            json!({"requests": {"sent": 10, "completed": 9, "failed": 1, "cancelled": 0}}),
            &["requests/unfinished"],
        ),
        (
            none(),
            json!({"requests": {"sent": 10, "completed": 8, "failed": 1, "cancelled": 0}}),
            &["requests/counts", "requests/unfinished"],
        ),
        (none(), json!({"requests": {"sent": 10, "completed": 8, "failed": 0, "cancelled": 2}}), &[]),
        (none(), json!({"requests": {"sent": 10, "completed": 9}}), &["requests/unfinished"]),
        (none(), json!({"requests": {"sent": 10, "completed": 10, "cancelled": 0}}), &[]),
        (none(), json!({"requests": {"sent": 10, "completed": 10, "cancelled": 1}}), &["requests/counts"]),
        (none(), json!({"requests": {"sent": 10, "completed": 10, "failed": 0, "met": 10}}), &[]),
        (none(), json!({"requests": {"sent": 10, "completed": 10, "failed": 0, "met": 11}}), &["requests/counts"]),
        (none(), json!({"ttft_p99_ms": 900, "requests": {"completed": 100}}), &[]),
        (json!({"reproduce": "bench --api-key abcdefghij0123456789"}), none(), &["file/secret"]),
        (none(), json!({"ttft_p99_ms": 900, "requests": {"completed": 99}}), &["latency/small-sample"]),
        (none(), json!({"tpot_p99_ms": 1}), &[]),
        (json!({"title": "On eight GPUs"}), none(), &["claim/unexplained"]),
        (json!({"title": "On one GPU"}), none(), &[]),
        (json!({"summary": "On eight GPUs"}), none(), &[]),
        (json!({"power": {"kind": "board"}}), json!({"node_power_kw": 0.55}), &[]),
        (json!({"power": {"kind": "board"}}), json!({"node_power_kw": 0.56}), &["run/record-against-card"]),
        (json!({"power": {"kind": "board"}}), json!({"node_power_kw": 0}), &["unit/suspicious"]),
        // Boards of 500 W, and of 4 kW together.
        (json!({"power": {"kind": "board"}}), json!({"node_power_kw": 0.075}), &[]),
        (json!({"power": {"kind": "board"}}), json!({"node_power_kw": 0.0749}), &["run/record-against-card"]),
        (
            json!({"power": {"kind": "node"}, "hardware": {"accelerator": "Test card", "count": 8}}),
            json!({"node_power_kw": 0.59}),
            &["run/record-against-card"],
        ),
        (json!({"power": {"source": "log"}}), json!({"node_power_kw": 0.5}), &["power/boundary"]),
        (none(), json!({"node_power_kw": 0.5}), &["power/boundary"]),
        (json!({"power": {"source": "log"}, "title": "At the wall"}), none(), &[]),
        (json!({"power": {"kind": "board"}, "title": "Node power"}), none(), &["power/boundary"]),
        (json!({"power": {"kind": "board"}, "title": "Board power"}), none(), &[]),
        (json!({"power": {"kind": "node"}, "summary": "Read at the wall."}), none(), &["power/boundary"]),
        (json!({"power": {"kind": "wall"}, "summary": "Read at the wall."}), none(), &[]),
        (json!({"power": {"kind": "wall", "source": "GPU board power sum"}}), none(), &["power/boundary"]),
        (json!({"power": {"kind": "board", "source": "GPU board power sum"}}), none(), &[]),
        (
            json!({"power": {"kind": "board", "sampling_hz": 1}, "spec": {"measurement": {"window_s": 10}}}),
            json!({"repeats": 2, "throttle_counts": {"cap": 20}}),
            &[],
        ),
        (
            json!({"power": {"kind": "board", "sampling_hz": 1}, "spec": {"measurement": {"window_s": 10}}}),
            json!({"repeats": 2, "throttle_counts": {"cap": 21}}),
            &["samples/throttled"],
        ),
        (json!({"spec": {"engine": {"name": "vllm"}}}), none(), &[]),
        (json!({"spec": {"engine": {"name": "sglang"}}}), none(), &["run/record-against-spec"]),
        (json!({"power": {"kind": "node"}}), json!({"node_power_kw": 0.56}), &[]),
        (json!({"spec": {"runner": {"paths": ["/workspace/traces/chat.jsonl"]}}}), none(), &["reproduce/machine-path"]),
        (json!({"spec": {"runner": {"paths": ["chat.jsonl"]}}}), none(), &[]),
        (json!({"spec": {"runner": {"paths": ["~/chat.jsonl"]}}}), none(), &["reproduce/machine-path"]),
        (json!({"environment": {"HF_HOME": "/data/hf"}}), none(), &["reproduce/machine-path"]),
        (none(), json!({"environment": {"HF_HOME": "/data/hf"}}), &["reproduce/machine-path"]),
        (json!({"software": {"engine": "vllm", "kernels": "--model ~/models/a"}}), none(), &["reproduce/machine-path"]),
        (json!({"reproduce": "bench http://me:hunter@host/"}), none(), &["file/secret"]),
        (json!({"reproduce": "bench --password hunter2"}), none(), &["file/secret"]),
        (json!({"reproduce": "curl -u admin:Tr0ub4dor3x9 http://host/"}), none(), &["file/secret"]),
        (json!({"hardware": {"accelerator": "Test card", "count": 1, "rated_bw_tbs_per_gpu": 2}}), none(), &[]),
        (json!({"hardware": {"accelerator": "Test card", "count": 1, "rated_bw_tbs_per_gpu": 2.09}}), none(), &[]),
        (
            json!({"hardware": {"accelerator": "Test card", "count": 1, "rated_bw_tbs_per_gpu": 2.11}}),
            none(),
            &["run/record-against-card"],
        ),
        (
            json!({"hardware": {"accelerator": "Test card", "count": 1, "rated_bw_tbs_per_gpu": 3}}),
            none(),
            &["run/record-against-card"],
        ),
        (none(), json!({"requests": {"completed": 180}, "duration_s": 20, "request_throughput_rps": 9}), &[]),
        (
            none(),
            json!({"requests": {"completed": 180}, "duration_s": 20, "request_throughput_rps": 9.5}),
            &["requests/throughput"],
        ),
        // 100 requests of 200.0 tokens in 10.0 s, each as rounded as it is written.
        (none(), output_rate(2000.0), &[]),
        (none(), output_rate(2045.0), &[]),
        (none(), output_rate(1955.0), &[]),
        (none(), output_rate(2060.0), &["run/output-rate"]),
        (none(), output_rate(1940.0), &["run/output-rate"]),
        (json!({"accuracy": {"suite": "s"}}), json!({"accuracy": {"suite": "s", "questions": 50}}), &[]),
        (none(), json!({"tpot_p99_ms": 0}), &["unit/suspicious"]),
        (json!({"accuracy": {"suite": "s", "questions": 50, "threshold_pts": 2}}), none(), &[]),
        (json!({"accuracy": {"suite": "s", "questions": 50, "threshold_pts": 1.99}}), none(), &["accuracy/threshold"]),
        (none(), json!({"accuracy": {"suite": "s", "questions": 50, "score_pct": 96.0}}), &[]),
        (none(), json!({"accuracy": {"suite": "s", "questions": 50, "score_pct": 96}}), &[]),
        (none(), json!({"accuracy": {"suite": "s", "questions": 50, "score_pct": 97}}), &["accuracy/score"]),
        (none(), json!({"accuracy": {"suite": "s", "questions": 1319, "score_pct": 97.1}}), &[]),
        (json!({"accuracy": {"suite": "s", "questions": 3, "score_pct": 66.7}}), none(), &[]),
        (json!({"accuracy": {"suite": "s", "questions": 3, "score_pct": 66.8}}), none(), &["accuracy/score"]),
    ] {
        let of = json!([record, config]);
        breaks(&run(record, config), expected, &of);
    }
}

#[test]
fn of_a_sweep() {
    let limit = json!({"slo": {"ttft_p99_ms": 2000}});
    let step = |rate: f64, ttft: f64| json!({"offered_rps": rate, "ttft_p99_ms": ttft, "requests": {"completed": 200}});
    let said = |rate: f64, passed: bool| json!({"offered_rps": rate, "passed": passed});
    let over = |delivered: f64, completed: u64| json!({"offered_rps": 10, "delivered_rps": delivered, "passed": true, "requests": {"completed": completed}});
    for (steps, expected) in [
        (vec![step(1.0, 900.0), step(2.0, 2000.0), step(3.0, 2001.0)], &[][..]),
        (vec![step(1.0, 900.0), step(2.0, 2000.0)], &["sweep/saturated"]),
        (vec![step(1.0, 2001.0), step(2.0, 2100.0)], &["sweep/none-passed"]),
        (vec![step(1.0, 900.0), step(2.0, 2001.0), step(3.0, 1900.0), step(4.0, 2100.0)], &["sweep/non-monotonic"]),
        (vec![said(1.0, true), said(2.0, false)], &[]),
        (vec![over(9.0, 10_000), said(20.0, false)], &[]),
        (vec![over(8.9, 10_000), said(20.0, false)], &["sweep/under-delivered"]),
        (vec![over(10.2, 10_000), said(20.0, false)], &[]),
        (vec![over(11.0, 10_000), said(20.0, false)], &["sweep/over-delivered"]),
        // Few arrivals vary by more than that.
        (vec![over(11.0, 100), said(20.0, false)], &[]),
    ] {
        let of = json!(steps);
        breaks(&run(limit.clone(), json!({"sweep": steps})), expected, &of);
    }
}

#[test]
fn of_two_sweeps() {
    let rates = |label: &str, rates: [f64; 2]| {
        let [low, high] = rates;
        json!({"label": format!("{label} to {high}"), "sweep": [{"offered_rps": low, "passed": true}, {"offered_rps": high, "passed": false}]})
    };
    let apart = json!([rates("a", [1.0, 2.0]), rates("b", [1.0, 3.0])]);
    for (spec, configs, expected) in [
        (json!({}), json!([rates("a", [1.0, 2.0]), rates("b", [1.0, 2.0])]), &[][..]),
        (json!({}), apart.clone(), &["sweep/unequal-rates"]),
        // A search chooses its rates as it goes.
        (json!({"sweep": {"growth": 1.6}}), apart.clone(), &[]),
        (json!({"sweep": {"bisect_steps": 3}}), apart.clone(), &[]),
    ] {
        let of = json!([spec, configs]);
        breaks(&run(json!({"spec": spec, "configs": configs}), json!({})), expected, &of);
    }
}

#[test]
fn verdicts_need_limits() {
    let steps = || json!({"sweep": [{"offered_rps": 5, "passed": true}, {"offered_rps": 6, "passed": false}]});
    let unjudged = json!({"sweep": [{"offered_rps": 5}, {"offered_rps": 6}]});
    for (record, config, warns) in [
        (json!({}), steps(), true),
        (json!({"slo": {}}), steps(), true),
        (json!({"slo": {"ttft_p99_ms": 2000}}), steps(), false),
        (json!({}), unjudged, false),
    ] {
        let said = run(record.clone(), config).check().stderr;
        assert_eq!(said.contains("warning[sweep/limits]"), warns, "{record}: {said}");
    }
}

#[test]
fn of_an_audit() {
    let rows = |lengths: &[f64]| {
        let row = |(at, length): (usize, &f64)| json!({"key": format!("k{at}"), "capacity": {"request_rate_rps": 10, "output_tok_s": 10.0 * length}});
        json!({"configs": lengths.iter().enumerate().map(row).collect::<Vec<_>>()})
    };
    for (lengths, expected) in [
        (&[300.0, 300.0, 303.0][..], &[][..]),
        (&[300.0, 300.0, 400.0], &["capacity/tokens-per-request"]),
        (&[200.0, 300.0, 300.0], &["capacity/tokens-per-request"]),
        (&[300.0, 400.0], &["capacity/tokens-per-request"]),
        (&[300.0], &[]),
    ] {
        breaks(&audit(rows(lengths), json!({})), expected, &json!(lengths));
    }
    let step =
        json!({"offered_rps": 10, "passed": true, "latencies": {"ttft_p99_ms": 900}, "requests": {"completed": 40}});
    let steps = json!([{"key": "k", "capacity": {"request_rate_rps": 10}, "steps": [step, {"offered_rps": 20, "passed": false}]}]);
    breaks(&audit(json!({"configs": steps}), json!(null)), &["latency/small-sample"], &steps);
    // A capacity is that of the last step that passed where that is its offered or its delivered rate.
    for (offered, delivered) in [(10.0, 10.1), (11.0, 10.0)] {
        let steps = json!([{"offered_rps": offered, "delivered_rps": delivered, "passed": true}, {"offered_rps": 20, "passed": false}]);
        let configs = json!([{"key": "k", "capacity": {"request_rate_rps": 10}, "steps": steps}]);
        breaks(&audit(json!({"configs": configs}), json!(null)), &[], &configs);
    }
    // What is stated of it, against the steps: a rate that was offered or delivered, or the tokens of requests in flight.
    const STEPS: &[&str] = &["capacity/steps"];
    let at_rates = |failing: Value| {
        let failing = merged(json!({"offered_rps": 8.6, "passed": false}), failing);
        json!([{"offered_rps": 8.0, "delivered_rps": 7.9, "output_tok_s": 2430, "latencies": {"ttft_p95_ms": 900}, "passed": true}, failing])
    };
    let in_flight = json!([{"concurrency": 32, "output_tok_s": 1000, "passed": true}, {"concurrency": 64, "output_tok_s": 1800, "passed": false}]);
    for (capacity, steps, expected) in [
        (json!({"request_rate_rps": 8.4}), at_rates(json!({"delivered_rps": 8.4})), STEPS),
        (json!({"request_rate_rps": 7.9}), at_rates(json!({"delivered_rps": 8.4})), &[][..]),
        (json!({"request_rate_rps": 8.0}), at_rates(json!({"delivered_rps": 8.0})), &[]),
        (json!({"request_rate_rps": 8.0, "output_tok_s": 2430}), at_rates(json!({})), &[]),
        (json!({"request_rate_rps": 8.0, "output_tok_s": 2600}), at_rates(json!({})), STEPS),
        (json!({"request_rate_rps": 8.0, "latencies": {"ttft_p95_ms": 900}}), at_rates(json!({})), &[]),
        (json!({"request_rate_rps": 8.0, "latencies": {"ttft_p95_ms": 400}}), at_rates(json!({})), STEPS),
        (json!({"output_tok_s": 1000}), in_flight.clone(), &[]),
        (json!({"output_tok_s": 1800}), in_flight.clone(), STEPS),
        (json!({"output_tok_s": 1400}), in_flight, STEPS),
    ] {
        let configs = json!([{"key": "k", "capacity": capacity, "steps": steps}]);
        breaks(&audit(json!({"configs": configs}), json!(null)), expected, &configs);
    }
    const FLAGS: &[&str] = &["audit/flags"];
    for (config, expected) in [
        (json!({"flags": "--kv-cache-dtype fp8", "kv_dtype": "fp8"}), &[][..]),
        (json!({"flags": "--kv-cache-dtype fp8", "kv_dtype": "bf16"}), FLAGS),
        (json!({"flags": "--kv-cache-dtype fp8", "label": "BF16 KV cache"}), FLAGS),
        (json!({"flags": "--quantization fp8", "weight_dtype": "bf16"}), FLAGS),
        (json!({"weight_dtype": "bf16", "label": "FP8 weights"}), FLAGS),
        (json!({"flags": "--max-num-batched-tokens 4096", "label": "16k budget"}), FLAGS),
        (json!({"flags": "--max-num-batched-tokens 16384", "label": "16k budget"}), &[]),
        (json!({"label": "16k budget"}), &[]),
        (json!({"flags": "--tensor-parallel-size 4"}), &["run/parallelism"]),
        (json!({"flags": "-tp 1"}), &[]),
    ] {
        let configs = json!([merged(json!({"key": "k", "capacity": "not measured"}), config)]);
        breaks(&audit(json!({"configs": configs}), json!(null)), expected, &configs);
    }
    for (requests, expected) in [(100, &[][..]), (99, &["latency/small-sample"])] {
        let record = json!({"workload": {"requests_per_rate": requests}, "slo": {"ttft_p99_ms": 2000}});
        breaks(&audit(record, json!({"request_rate_rps": 10})), expected, &json!(requests));
    }
    // 2% beyond the usual length is alike; the others are as rounded as they are written.
    for (lengths, expected) in [
        (&[300.0, 300.0, 309.0][..], &[][..]),
        (&[300.0, 300.0, 309.14], &["capacity/tokens-per-request"]),
        (&[300.0, 309.0], &[]),
        (&[300.0, 309.14], &["capacity/tokens-per-request"]),
    ] {
        let row = |(at, length): (usize, &f64)| json!({"key": format!("k{at}"), "capacity": {"request_rate_rps": 10.0, "output_tok_s": 10.0 * length}});
        let configs: Vec<_> = lengths.iter().enumerate().map(row).collect();
        breaks(&audit(json!({"configs": configs}), json!({})), expected, &json!(lengths));
    }
    let of_eight = json!({"hardware": {"accelerator": "Test card", "count": 8}});
    breaks(&audit(of_eight.clone(), json!({"request_rate_rps": 10, "output_tok_s": 600_000})), &[], &of_eight);
    for (cached, expected) in [(3000, &[][..]), (3001, &["audit/cached-input"])] {
        let record = json!({"workload": {"input_tokens": 3000, "cached_input_tokens": cached}});
        breaks(&audit(record, json!({"request_rate_rps": 10})), expected, &json!(cached));
    }
    // A rate of 10 may be 10.5.
    for (stated, length, expected) in [
        (json!(300), 321.0, &[][..]),
        (json!(300), 322.0, &["capacity/tokens-per-request"]),
        (json!("~300"), 393.0, &[]),
        (json!("~300"), 394.0, &["capacity/tokens-per-request"]),
        (json!([290, 400]), 400.0, &[]),
    ] {
        let record = merged(rows(&[length]), json!({"workload": {"output_tokens": stated}}));
        breaks(&audit(record, json!({})), expected, &json!([stated, length]));
    }
    for (questions, expected) in [(200, &[][..]), (50, &["accuracy/threshold"])] {
        let gate = json!({"suite": "gsm8k", "score_pct": 96.0, "questions": questions, "threshold_pts": 1.0});
        breaks(&audit(json!({"accuracy": gate}), json!({"request_rate_rps": 10})), expected, &gate);
        let configs = json!([{"key": "k", "capacity": {"request_rate_rps": 10}, "accuracy": gate}]);
        breaks(&audit(json!({"configs": configs}), json!({})), expected, &configs);
    }
    for (shared, expected) in [(3000, &[][..]), (3001, &["audit/shared-prefix"])] {
        let record = json!({"workload": {"input_tokens": 3000, "shared_prefix_tokens": shared}});
        breaks(&audit(record, json!({"request_rate_rps": 10})), expected, &json!(shared));
    }
}

#[test]
fn what_is_said_of_them() {
    for (site, words, not) in [
        (run(json!({}), json!({"tpot_p99_ms": 0})), "0 ms is under", "for one user"),
        (
            run(json!({"slo": {"ttft_p99_ms": 9}}), json!({"goodput_tok_s": 0, "slo_pass_count": 1, "repeats": 2})),
            "the SLO was met once",
            "times",
        ),
        (
            run(json!({"slo": {"ttft_p99_ms": 9}}), json!({"goodput_tok_s": 0, "slo_pass_count": 2, "repeats": 2})),
            "the SLO was met 2 times",
            "once",
        ),
        (run(json!({}), json!({"tpot_p99_ms": 0.05})), "20,000 tokens/s for one user", "0 ms is under"),
        (
            run(json!({}), json!({"accuracy": {"suite": "s", "questions": 50, "score_pct": 97}})),
            "97.0% of 50 questions is 48.5 answers",
            "error",
        ),
    ] {
        site.check().says(&[words]).silent_about(&[not]);
    }
}

#[test]
fn of_prices() {
    let site = |card: &str| {
        let price = json!({
            "id": "q", "title": "Q", "accelerator": card, "provider": "P", "tier": "t", "date": "2026-10-01",
            "usd_per_gpu_hour": 2
        });
        let other = json!({"id": "other", "title": "Other", "names": ["Other"], "memory_gb": 80});
        run(json!({}), json!({}))
            .file("content/prices/q.json", price.to_string())
            .file("content/hardware/other.json", other.to_string())
            .file("content/runs/a.md", "---\nprice: prices/q\n---\n")
    };
    breaks(&site("hardware/test-card"), &[], &json!("the card that was measured"));
    breaks(&site("hardware/other"), &["link/other-card"], &json!("another card"));
    let stated = |usd: Value| {
        let price = json!({
            "id": "q", "title": "Q", "accelerator": "hardware/test-card", "provider": "P", "tier": "t",
            "date": "2026-10-01", "usd_per_gpu_hour": 2.69
        });
        audit(json!({"price": {"usd_per_gpu_hour": usd, "quote": "prices/q"}}), json!({"request_rate_rps": 10}))
            .file("content/prices/q.json", price.to_string())
    };
    breaks(&stated(json!(2.69)), &[], &json!("as quoted"));
    for (field, words, expected) in [
        ("provider", "p", &[][..]),
        ("provider", "Q", &["audit/quote"]),
        ("tier", "t", &[]),
        ("tier", "spot", &["audit/quote"]),
        ("date", "2026-10-01", &[]),
        ("date", "2026-10-02", &["audit/quote"]),
    ] {
        let site = stated(json!(2.69));
        let text = site.read("content/audits/a.md");
        let with = text.replace("\"quote\":", &format!("\"{field}\":\"{words}\",\"quote\":"));
        assert_ne!(with, text);
        breaks(&site.file("content/audits/a.md", with), expected, &json!([field, words]));
    }
    for usd in [json!(2.7), json!([2.69, 2.7]), json!([2.6, 2.69])] {
        breaks(&stated(usd.clone()), &["audit/quote"], &usd);
    }
}

#[test]
fn of_commands() {
    let two = json!([{"label": "a"}, {"label": "b"}]);
    for (commands, spec, expected) in [
        ("bench --rate 1\nbench --rate 2", json!({}), &[][..]),
        ("setup\nbench --rate 1\nbench --rate 2", json!({}), &[]),
        ("bench --rate 1", json!({}), &["reproduce/too-few"]),
        ("setup\nbench --rate 1", json!({}), &["reproduce/too-few"]),
        ("bench one\nbench two", json!({}), &[]),
        ("bench", json!({"sweep": {"start_rps": 4}}), &[]),
        ("bench --rates 1,2", json!({}), &[]),
        ("bench --rates=1,2", json!({}), &[]),
        ("bench --layers a,b", json!({}), &["reproduce/too-few"]),
        ("for rate in 1 2; do\nbench --rate $rate\ndone", json!({}), &[]),
    ] {
        let of = json!([commands, spec]);
        breaks(&run(json!({"reproduce": commands, "spec": spec, "configs": two}), json!({})), expected, &of);
    }
}
