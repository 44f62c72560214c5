//! Rules that hold several configs of a run against each other, or their labels against the commands.

use serde_json::json;

use super::breaks;
use crate::records::{audit, merged, run};

#[test]
fn of_labels() {
    let labels = |labels: &[&str]| json!(labels.iter().map(|label| json!({"label": label})).collect::<Vec<_>>());
    let shared = |share: f64| json!({"workload": {"shared_prefix": share, "prefix_pool": 8}});
    let none = || json!({});
    for (names, commands, spec, expected) in [
        (&["90% shared prefix"][..], json!("bench --rate 4"), shared(0.0), &["reproduce/label"][..]),
        (&["90% shared prefix"], json!("bench --rate 4"), shared(0.9), &[]),
        (&["90% shared prefix"], json!("bench --rate 4"), none(), &["reproduce/label"]),
        (&["90% shared prefix"], json!("bench --shared-prefix 0.9"), none(), &[]),
        (&["90% shared prefix"], json!("bench --trace prefix-90.jsonl"), none(), &[]),
        (&["90% shared prefix"], json!("SHARED_PREFIX=0.9 bench"), none(), &[]),
        (&["90% shared prefix"], json!("bench --rate 0.9"), none(), &["reproduce/label"]),
        // Without commands, what the spec denies.
        (&["90% shared prefix"], json!(null), shared(0.0), &["reproduce/label"]),
        (&["90% shared prefix"], json!(null), none(), &[]),
        (
            &["0% shared prefix", "90% shared prefix"],
            json!("bench --rate 4 --out a\nbench --rate 8 --out b"),
            shared(0.0),
            &["reproduce/label"],
        ),
        (
            &["0% shared prefix", "90% shared prefix"],
            json!("bench --shared-prefix 0\nbench --shared-prefix 0.9"),
            none(),
            &[],
        ),
        // Commands may stand in the spec.
        (
            &["16k budget", "8k budget"],
            json!("bench one\nbench two"),
            json!({"engine": {"args": "--max-num-batched-tokens 16384, then --max-num-batched-tokens 8192"}}),
            &[],
        ),
        // A text under the name of a setting says its numbers.
        (
            &["16k context", "8k context"],
            json!("bench one\nbench two"),
            json!({"workload": {"context": "16384 or 8192"}}),
            &[],
        ),
        (
            &["16k context", "8k context"],
            json!("bench one\nbench two"),
            json!({"workload": {"other": "16384 or 8192"}}),
            &["reproduce/label"],
        ),
        // What a search finds by itself is the rate.
        (
            &["8 users", "16 users"],
            json!("bench one\nbench two"),
            json!({"sweep": {"start_rps": 4}}),
            &["reproduce/label"],
        ),
        // Two commands are two, whatever list stands in them.
        (&["a", "b", "c"], json!("tool run --rates 1,2\ntool run --rates 3,4"), none(), &["reproduce/too-few"]),
        // A program that is called otherwise too measures something else then.
        (&["a", "b", "c"], json!("tool run --rate 1\ntool run --rate 2\ntool report"), none(), &["reproduce/too-few"]),
        // Commands that are the same but for names are told of once.
        (
            &["0% shared prefix", "90% shared prefix"],
            json!("bench --out a\nbench --out b"),
            shared(0.0),
            &["reproduce/same"],
        ),
        // Two of three are.
        (
            &["a", "b", "c"],
            json!("bench --rate 1 --out a\nbench --rate 1 --out b\nbench --rate 2 --out c"),
            none(),
            &["reproduce/same"],
        ),
        (&["a", "b"], json!("bench --rate 1\nbench --rate 1\nbench --rate 2"), none(), &[]),
        // A command that carries a label is that config's.
        (
            &["0% shared prefix", "90% shared prefix"],
            json!(
                "bench --label '0% shared prefix' --prefix-share 0.9\nbench --label '90% shared prefix' --prefix-share 0"
            ),
            none(),
            &["reproduce/label"],
        ),
        (
            &["TP2", "TP4"],
            json!("serve -tp 2 --port 1\nserve -tp 2 --port 2"),
            none(),
            &["reproduce/label", "reproduce/contradicts"],
        ),
        (&["max-num-seqs 64"], json!("serve --max-num-seqs 128"), none(), &["reproduce/label"]),
        (&["max-num-seqs 64"], json!("serve --max-num-seqs 64"), none(), &[]),
        (
            &["16,384-token budget"],
            json!("serve --max-num-batched-tokens 4096\nbench --random-input-len 16384"),
            none(),
            &["reproduce/label"],
        ),
        (&["8k input"], json!("bench --random-input-len 4096"), none(), &["reproduce/label"]),
        (&["8k input"], json!("bench --random-input-len 8192"), none(), &[]),
        (&["EAGLE", "plain"], json!("serve --seed 0\nserve --seed 1"), none(), &["reproduce/label"]),
        (&["MTP", "plain"], json!("serve --speculative-algo NEXTN\nserve --seed 1"), none(), &[]),
        (&["4 concurrent", "8 concurrent"], json!("bench -c 4\nbench -c 8"), none(), &[]),
        (&["4 concurrent", "8 concurrent"], json!("bench -c 4\nbench -c 16"), none(), &["reproduce/label"]),
        (&["4 concurrent", "8 concurrent"], json!("bench --max-concurrency 4,8"), none(), &[]),
        (&["4 concurrent", "8 concurrent"], json!("for c in 4 8; do\nbench -c $c\ndone"), none(), &[]),
        (&["rate 4", "rate 8"], json!("bench --rate 4\nbench --rate 9"), none(), &["reproduce/label"]),
        (&["rate 4", "rate 8"], json!("bench one\nbench two"), json!({"sweep": {"start_rps": 4}}), &[]),
        (&["FP8 KV", "BF16 KV"], json!("serve --kv-cache-dtype fp8_e4m3\nserve --seed 1"), none(), &[]),
        (&["FP8 KV", "BF16 KV"], json!("serve --seed 0\nserve --seed 1"), none(), &["reproduce/label"]),
        (
            &["16k budget", "8k budget"],
            json!("serve --max-num-batched-tokens 16384\nserve --max-num-batched-tokens 8192"),
            none(),
            &[],
        ),
        (
            &["16k budget", "8k budget"],
            json!("serve --max-num-batched-tokens 16384\nserve --max-num-batched-tokens 4096"),
            none(),
            &["reproduce/label"],
        ),
        (
            &["prefix caching on", "prefix caching off"],
            json!("serve --seed 0\nserve --no-enable-prefix-caching"),
            none(),
            &[],
        ),
        (
            &["prefix caching on", "prefix caching off"],
            json!("serve --seed 0\nserve --seed 1"),
            none(),
            &["reproduce/label"],
        ),
        (
            &["prefix caching on", "a"],
            json!("serve --no-enable-prefix-caching --seed 0\nserve --no-enable-prefix-caching --seed 1"),
            none(),
            &["reproduce/label"],
        ),
        (
            &["prefix caching on", "a"],
            json!(null),
            json!({"engine": {"enable_prefix_caching": false}}),
            &["reproduce/label"],
        ),
        (&["no prefix cache", "a"], json!(null), json!({"engine": {"disable_radix_cache": true}}), &[]),
        // What all labels say is not what sets them apart, and results are none of the settings.
        (&["FP8, a", "FP8, b"], json!("bench one\nbench two"), none(), &[]),
        (&["48.7% cache hits", "74% cache hits"], json!("bench one\nbench two"), none(), &[]),
    ] {
        let of = json!([names, commands, spec]);
        let site = run(json!({"reproduce": commands, "spec": spec, "configs": labels(names)}), json!({}));
        breaks(&site, expected, &of);
    }
    let site = run(
        json!({"reproduce": "bench --rate 4", "spec": shared(0.0), "configs": labels(&["90% shared prefix"])}),
        json!({}),
    );
    site.check().says(&["`90% shared prefix`: neither its command nor the spec says `90%` of a shared prefix"]);
}

/// What a server ran with stands in a place of its own.
#[test]
fn of_labels_of_servers() {
    let configs = |name: &str| {
        json!([
            {"label": "batch 32", "environment": {name: "32"}},
            {"label": "batch 64", "environment": {name: "64"}}
        ])
    };
    for (name, expected) in [("MAX_BATCH", &[][..]), ("MAX_TOKENS", &["reproduce/label"])] {
        let record = json!({"reproduce": "bench one\nbench two", "configs": configs(name)});
        breaks(&run(record, json!({})), expected, &json!(name));
    }
}

/// A key that several configs have names none of them, which is said once.
#[test]
fn of_keys_that_are_shared() {
    let stated = json!({"subject": "k", "figure": "output_tok_per_request", "as_written": "300"});
    let configs = json!([{"key": "k", "label": "One", "capacity": "not measured"}, {"key": "k", "label": "Two", "capacity": "not measured"}]);
    for (more, place) in [(json!({}), "= at: /stated/0/subject"), (json!({"baseline": "k"}), "= at: /baseline")] {
        let record = merged(json!({"configs": configs, "stated": [stated, stated]}), more);
        let said = audit(record, json!(null)).check().stderr;
        let places = said.split("names none of them").skip(1);
        let places: Vec<_> = places.map(|after| after.lines().find(|line| line.contains("= at: "))).collect();
        assert!(matches!(places[..], [Some(line)] if line.trim() == place), "{said}");
    }
}

#[test]
fn of_outliers() {
    let rows = |name: &str, times: &[f64]| {
        let row = |(at, time): (usize, &f64)| merged(json!({"label": format!("config {at}")}), json!({name: time}));
        json!(times.iter().enumerate().map(row).collect::<Vec<_>>())
    };
    let far = &[11.0, 13.0, 100.0];
    for (slo, configs, expected) in [
        (json!({"tpot_p99_ms": 150}), rows("tpot_p99_ms", far), &["sweep/outlier"][..]),
        (json!({"ttft_p99_ms": 150}), rows("tpot_p99_ms", far), &["sweep/outlier"]),
        (json!({"tpot_p95_ms": 150}), rows("tpot_mean_ms", far), &["sweep/outlier"]),
        (json!(null), rows("tpot_p50_ms", far), &["sweep/outlier"]),
        (json!(null), rows("itl_p50_ms", far), &[]),
        (json!(null), rows("tpot_p50_ms", &[11.0, 13.0, 26.0]), &[]),
        (json!(null), rows("tpot_p50_ms", &[11.0, 100.0]), &[]),
    ] {
        let of = json!([slo, configs]);
        breaks(&run(json!({"slo": slo, "configs": configs}), json!({})), expected, &of);
    }
    // More requests in flight take longer by themselves.
    let mut loads = rows("tpot_p50_ms", far);
    for (row, concurrency) in loads.as_array_mut().expect("rows").iter_mut().zip([1, 2, 64]) {
        row["concurrency"] = json!(concurrency);
    }
    breaks(&run(json!({"configs": loads}), json!({})), &[], &loads);
}

#[test]
fn of_rates_that_stand_apart() {
    for (rates, expected) in [
        (&[1000.0, 1200.0, 6000.0][..], &[][..]),
        (&[1000.0, 1200.0, 6001.0], &["sweep/outlier"]),
        (&[1000.0, 6001.0], &[]),
    ] {
        let config = |(at, rate): (usize, &f64)| json!({"label": format!("c{at}"), "output_tok_s": rate});
        let configs: Vec<_> = rates.iter().enumerate().map(config).collect();
        breaks(&run(json!({"configs": configs}), json!({})), expected, &json!(rates));
    }
}

#[test]
fn of_a_prefix_cache_in_an_audit() {
    for (flags, label, expected) in [
        (Some("--no-enable-prefix-caching"), "prefix caching on", &["audit/flags"][..]),
        (Some("--no-enable-prefix-caching"), "prefix caching off", &[]),
        (Some("--enable-prefix-caching"), "without prefix caching", &["audit/flags"]),
        (Some("--max-num-seqs 8"), "prefix caching on", &[]),
        (None, "prefix caching off", &[]),
    ] {
        let config = json!({"key": "k", "label": label, "capacity": "not measured"});
        let config = merged(config, flags.map_or(json!({}), |flags| json!({"flags": flags})));
        breaks(&audit(json!({"configs": [config]}), json!(null)), expected, &config);
    }
}
