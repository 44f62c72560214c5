//! Rates, latencies and counts over the smallest records: each test is a way in which they were misread in public.

use serde_json::{Value, json};

use crate::program::Site;
use crate::records::{Published, audit, merged, refused, run};

/// The cell in the row of that name, in the first table with such a heading.
fn cell(page: &str, row: &str, heading: &str) -> String {
    let row = format!(">{row}<");
    let mut tables = page.split("<table").filter_map(|table| table.split_once("</thead>"));
    let found = tables.find(|(head, body)| head.contains(heading) && body.contains(&row));
    let (head, body) = found.unwrap_or_else(|| panic!("no table has {row} and {heading}"));
    let column = head.split("<th scope").skip(1).position(|cell| cell.contains(heading)).expect("it was just found");
    let row = body.split("<tr").find(|part| part.contains(&row)).expect("it was just found");
    row.split("<td").nth(column).expect("rows are whole").to_owned()
}

#[test]
fn a_rate_of_a_run_without_limits_is_not_said_to_be_within_any() {
    for (slo, words, other) in [
        (json!(null), "; no SLO is set", "output tok/s within the SLO"),
        (json!({}), "; no SLO is set", "output tok/s within the SLO"),
        (json!({"ttft_p99_ms": 2000}), "delivers 100 output tok/s within the SLO", "no SLO is set"),
    ] {
        let site = run(json!({"slo": slo}), json!({"goodput_tok_s": 100}));
        Published::of(&site, "runs/a").shows(&[words]).hides(&[other]);
        assert!(site.read("public/runs/index.html").contains(words), "{slo}");
    }
}

#[test]
fn a_percentile_of_few_requests_is_marked_wherever_it_stands() {
    let few = "p99 of 40 requests, fewer than 100";
    let step = json!({"offered_rps": 1, "passed": true, "ttft_p99_ms": 900, "requests": {"completed": 40}});
    let of_step = json!({"sweep": [step, {"offered_rps": 2, "passed": false}]});
    let at = json!({"request_rate_rps": 1, "output_tok_s": 10, "latencies": {"ttft_p99_ms": 900}});
    let of_audit = json!({"workload": {"requests_per_rate": 40}, "slo": {"ttft_p99_ms": 2000}});
    let latencies = |count: &str| json!({"ttft_p99_ms": 900, "requests": {count: 40}});
    for (address, site, place) in [
        ("runs/a", run(json!({}), latencies("completed")), "`Only`: p99"),
        ("runs/a", run(json!({}), latencies("sent")), "`Only`: p99"),
        ("runs/a", run(json!({}), of_step), "the highest load that passed: p99"),
        ("audits/a", audit(of_audit, at), "p99 TTFT"),
    ] {
        site.check().good().says(&["warning[latency/small-sample]", place, "fewer than 100"]);
        let page = Published::of(&site, address).page;
        let mut cells = page.split("<td").filter_map(|cell| cell.split("</td>").next());
        assert!(cells.any(|cell| cell.contains(">900<") && cell.contains(few)), "{address}: {place}");
    }
}

#[test]
fn a_percentile_of_an_unknown_number_of_requests_says_so() {
    let config = |label: &str, more: Value| merged(json!({"label": label, "ttft_p99_ms": 900}), more);
    let alone = run(json!({"configs": [config("alone", json!({}))]}), json!({}));
    Published::of(&alone, "runs/a").shows(&["The number of requests behind the percentiles is not stated."]);
    let counted = config("counted", json!({"requests": {"sent": 400, "completed": 400}}));
    let page = Published::of(&run(json!({"configs": [counted, config("not", json!({}))]}), json!({})), "runs/a").page;
    assert!(cell(&page, "not", "Requests").contains("not stated"));
}

#[test]
fn the_speed_of_one_user_is_named_after_the_time_that_it_comes_from() {
    let site = run(json!({}), json!({"tpot_p50_ms": 10, "tpot_p99_ms": 25}));
    let published = Published::of(&site, "runs/a");
    published.gives(&[
        ("output_tok_s_per_user_at_p50_tpot", 100.0, "output tok/s"),
        ("output_tok_s_per_user_at_p99_tpot", 40.0, "output tok/s"),
    ]);
    published.shows(&["at p99 TPOT"]);
    assert!(site.read("public/methodology.html").contains("slowest 1%"));
    // A spread of times is no spread of speeds: there is no field from which one could be made.
    let spread = run(json!({}), json!({"tpot_p50_ms": 10, "tpot_std_ms": 0.5}));
    refused(&spread, &["error[schema/unknown-field]", "`tpot_std_ms`"]);
}

#[test]
fn a_change_between_two_hit_rates_says_both() {
    let config = |label: &str, goodput: f64, more: Value| {
        merged(json!({"label": label, "key": label, "goodput_tok_s": goodput}), more)
    };
    let cold = config("cold", 4740.3, json!({"prefix_cache_hit_pct": 0}));
    let warm = config("warm", 8508.3, json!({"prefix_cache_hit_pct": 89.2}));
    let unknown = config("unknown", 8000.0, json!({}));
    let site = run(json!({"configs": [cold, warm, unknown]}), json!({}));
    let published = Published::of(&site, "runs/a");
    published.lacks("goodput_change_pct", "warm", "not comparable: 0% against 89.2% from cache");
    let site = site.file("content/runs/a.md", "---\nvaries: [prefix_share]\n---\n");
    let page = Published::of(&site, "runs/a").page;
    for (row, words) in [("warm", "0% against 89.2% from cache"), ("unknown", "0% against not stated from cache")] {
        let cell = cell(&page, row, "Goodput change");
        assert!(cell.contains('+') && cell.contains(words), "{cell}");
    }
    assert!(cell(&page, "warm", "Goodput change").contains("+79.5"));
    assert!(cell(&page, "unknown", "Prefix-cache hit rate").contains("not stated"));
    assert!(site.read("public/runs/index.html").contains("(0% against 89.2% from cache)"));
}

#[test]
fn less_time_and_more_output_are_both_called_better() {
    let at = |ttft: f64, output: f64| json!({"request_rate_rps": 1, "output_tok_s": output, "latencies": {"ttft_p95_ms": ttft}});
    let configs = json!([
        {"key": "baseline", "capacity": at(564.0, 1649.0)}, {"key": "only", "capacity": at(140.0, 2583.0)},
        {"key": "worse", "capacity": at(1128.0, 824.5)}
    ]);
    let record = json!({"configs": configs, "slo": {"ttft_p95_ms": 2000}});
    let published = Published::of(&audit(record, json!(null)), "audits/a");
    published.gives(&[("ttft_change_pct", -75.2, "%"), ("output_change_pct", 56.6, "%")]);
    for (change, word) in [("−75.2%", "better"), ("+56.6%", "better"), ("+100.0%", "worse"), ("−50.0%", "worse")] {
        let card = published.page.split("<summary>").find(|card| card.contains(change)).expect("it has a card");
        assert!(card.split("</summary>").next().is_some_and(|summary| summary.contains(word)), "{change}");
    }
}

#[test]
fn nothing_is_printed_as_negative_zero() {
    let site = run(json!({}), json!({"mbu_pct": -0.0, "failed": "gave -0% at the end"}));
    let page = Published::of(&site, "runs/a").page;
    assert!(cell(&page, "Only", "MBU").contains(">0.0<"));
    assert!(page.contains("gave -0% at the end"), "words stay as they are");
}

#[test]
fn each_value_of_a_note_has_its_own_unit() {
    let value = |value: f64, unit: &str| json!([{"name": "throughput", "value": value, "unit": unit}]);
    let note = json!({
        "id": "n", "title": "N", "published": "2026-10-08", "technique": "prefix_caching", "engine": "vllm",
        "models": [{"name": "M"}], "no_card": "not said", "variants": [
            {"key": "a", "label": "A", "values": value(11.5, "req/s")},
            {"key": "b", "label": "B", "values": value(4740.3, "tok/s")}
        ],
        "confidence": 0.5, "confidence_reason": "A test."
    });
    let site = Site::new().file("content/kv-efficiency/n.md", format!("---\n{note}\n---\n"));
    let page = Published::of(&site, "kv-efficiency/n").page;
    for (row, value, unit) in [("A: throughput", "11.5", "req/s"), ("B: throughput", "4,740.3", "tok/s")] {
        assert!(cell(&page, row, "Reading").contains(&format!(">{value}<")));
        assert!(cell(&page, row, "Unit").contains(&format!(">{unit}<")));
    }
}

/// Hazard K7: what the record says of its cache is what is reckoned with, wherever it says it.
#[test]
fn a_cache_is_of_the_type_that_any_part_of_the_record_says() {
    for record in [
        json!({"model": {"name": "Test model", "quantization": "FP8 weights, FP8 KV cache"}}),
        json!({"software": {"engine": "vllm", "kernels": "image:1 --kv-cache-dtype fp8"}}),
        json!({"spec": {"model": {"kv_dtype": "fp8"}}}),
    ] {
        Published::of(&run(record, json!({})), "runs/a").gives(&[("kv_bytes_per_token", 512.0, "B/token")]);
    }
    let site = run(json!({}), json!({"engine": "vllm 0.31.0 · KV FP8"}));
    Published::of(&site, "runs/a").gives(&[("kv_bytes_per_token", 512.0, "B/token")]);
    let configs = json!([{"key": "only", "flags": "--kv-cache-dtype fp8", "capacity": "not measured"}]);
    for record in [json!({"configs": configs}), json!({"baseline_flags": "--kv-cache-dtype=fp8"})] {
        let site = audit(record, json!("not measured"));
        Published::of(&site, "audits/a").gives(&[("kv_bytes_per_token", 512.0, "B/token")]);
    }
}

#[test]
fn all_samples_may_have_had_a_clock_limit() {
    let record = json!({"power": {"kind": "board", "sampling_hz": 1}, "spec": {"measurement": {"window_s": 10}}});
    let config = json!({"repeats": 2, "throttle_counts": {"cap": 20}});
    Published::of(&run(record, config), "runs/a").gives(&[("throttled_pct", 100.0, "%")]);
}

/// An audit with a config whose score is this, beside a baseline of 96% and a gate of a point.
fn gated(score_pct: f64) -> Published {
    let at = |rate: f64| json!({"request_rate_rps": rate, "output_tok_s": 300.0 * rate});
    let score = |score: f64| json!({"suite": "gsm8k", "score_pct": score, "questions": 200});
    let record = json!({
        "price": {"usd_per_gpu_hour": 2.69, "assumed": "a round one"},
        "accuracy": {"suite": "gsm8k", "threshold_pts": 1.0, "questions": 200},
        "configs": [
            {"key": "baseline", "capacity": at(5.0), "accuracy": score(96.0)},
            {"key": "only", "capacity": at(8.0), "accuracy": score(score_pct)}
        ]
    });
    Published::of(&audit(record, json!(null)), "audits/a")
}

#[test]
fn the_score_of_a_config_is_held_against_the_baselines() {
    for score_pct in [95.5, 80.0] {
        let published = gated(score_pct);
        published.gives(&[("accuracy_drop_pts", 96.0 - score_pct, "points")]);
        assert_eq!(published.figure("accuracy_interval_pct", "only", None)["sample"], "200 questions");
    }
}

#[test]
fn a_config_of_an_audit_below_its_gate_leads_nothing() {
    for (score_pct, ranked) in [(95.5, true), (80.0, false)] {
        let page = gated(score_pct).page;
        assert_eq!(page.contains(" with “only”"), ranked, "{score_pct}");
        assert_eq!(page.contains("not ranked: 16 points below the baseline"), !ranked, "{score_pct}");
    }
}

#[test]
fn a_bracket_says_how_weak_its_lower_end_is() {
    let step = |rate: f64, passed: bool| json!({"offered_rps": rate, "passed": passed, "requests": {"sent": 120, "completed": 120}});
    let failing = step(5.0, false);
    for (passing, limit) in [
        (json!({"offered_rps": 4, "passed": true, "requests": {"completed": 120}}), None),
        (
            json!({"offered_rps": 4, "passed": true, "requests": {"sent": 120, "completed": 90, "failed": 30}}),
            Some("did not complete"),
        ),
        (json!({"offered_rps": 4, "delivered_rps": 2, "passed": true}), Some("were delivered")),
        (
            json!({"offered_rps": 4, "ttft_p99_ms": 900, "passed": true, "requests": {"completed": 20}}),
            Some("p99 of 20 requests"),
        ),
    ] {
        let record = json!({"slo": {"ttft_p99_ms": 2000}});
        let site = run(record, json!({"sweep": [passing, failing]}));
        let published = Published::of(&site, "runs/a");
        let bracket = published.figure("capacity_bracket_rps", "only", None);
        let said = bracket["limits"].to_string();
        assert!(limit.is_none_or(|limit| said.contains(limit)), "{bracket}");
        assert_eq!(said.contains("highest load"), limit.is_some(), "{bracket}");
    }
    let both = json!({"sweep": [step(4.0, true), step(5.0, false)]});
    let published = Published::of(&run(json!({}), both), "runs/a");
    assert_eq!(published.figure("capacity_bracket_rps", "only", None)["sample"], "120 requests a step");
}
