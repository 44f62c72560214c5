//! What is said to have met the SLO, against the latencies, the requests and the steps of the same measurement.

use serde_json::{Value, json};

use super::breaks;
use crate::records::{Published, audit, merged, run};

fn limit() -> Value {
    json!({"slo": {"tpot_p95_ms": 50}})
}

/// Of one metric, no percentile is below a lower one, so that a median over the limit misses that of any percentile.
#[test]
fn of_lower_percentiles() {
    let passes = || json!({"slo_pass_count": 2, "repeats": 2});
    for (latency, expected) in [
        (json!({"tpot_p50_ms": 50}), &[][..]),
        (json!({"tpot_p50_ms": 51}), &["slo/contradicted"]),
        (json!({"tpot_p90_ms": 51}), &["slo/contradicted"]),
        (json!({"tpot_p99_ms": 51}), &[]),
        (json!({"tpot_mean_ms": 51}), &[]),
        (json!({"ttft_p50_ms": 51}), &[]),
    ] {
        breaks(&run(limit(), merged(passes(), latency.clone())), expected, &latency);
        let capacity = json!({"request_rate_rps": 10, "latencies": latency});
        breaks(&audit(limit(), capacity), expected, &latency);
    }
    for (latency, expected) in [(json!({"tpot_p50_ms": 50}), &[][..]), (json!({"tpot_p50_ms": 51}), &["sweep/verdict"])]
    {
        let step = merged(json!({"offered_rps": 5, "passed": true}), latency.clone());
        let sweep = json!({"sweep": [step, {"offered_rps": 6, "passed": false}]});
        breaks(&run(limit(), sweep), expected, &latency);
    }
}

#[test]
fn of_requests_within_every_limit() {
    const MET: &[&str] = &["requests/met"];
    let config = |met: u64, rest: Value| {
        merged(json!({"requests": {"sent": 1000, "completed": 1000, "failed": 0, "met": met}}), rest)
    };
    let passes = || json!({"slo_pass_count": 1, "repeats": 1});
    for (config, expected) in [
        // A p99 over the limit leaves at least nine of a thousand beyond it.
        (config(991, json!({"tpot_p99_ms": 60})), &[][..]),
        (config(992, json!({"tpot_p99_ms": 60})), MET),
        (config(501, json!({"tpot_p50_ms": 60})), &[]),
        (config(502, json!({"tpot_p50_ms": 60})), MET),
        (config(1000, json!({"itl_p99_ms": 60})), &[]),
        // Within the limit of a p95, one in twenty may miss it.
        (config(949, json!({"tpot_p95_ms": 50})), &[]),
        (config(948, json!({"tpot_p95_ms": 50})), MET),
        (config(949, passes()), &[]),
        (config(948, passes()), MET),
        (config(0, json!({})), &[]),
        // A lower percentile within the limit says it of as many.
        (config(899, json!({"tpot_p90_ms": 40})), &[]),
        (config(898, json!({"tpot_p90_ms": 40})), MET),
        (config(0, json!({"goodput_tok_s": 5})), MET),
        (config(50, json!({"goodput_tok_s": 0})), MET),
        (config(50, json!({"goodput_tok_s": 5})), &[]),
    ] {
        breaks(&run(limit(), config.clone()), expected, &config);
    }
    let by_mean = json!({"slo": {"tpot_mean_ms": 50}});
    breaks(&run(by_mean, config(0, passes())), &[], &json!("a mean says nothing of requests"));
    for (met, expected) in [(949, &[][..]), (100, MET)] {
        let requests = json!({"sent": 1000, "completed": 1000, "failed": 0, "met": met});
        let step = json!({"offered_rps": 5, "passed": true, "requests": requests});
        breaks(&run(limit(), json!({"sweep": [step, {"offered_rps": 6, "passed": false}]})), expected, &json!(met));
    }
}

/// A capacity that a curator found in the text of a run, and the rate at which a config passed.
#[test]
fn of_a_run_and_its_own_steps() {
    let steps = json!([{"offered_rps": 5, "passed": true}, {"offered_rps": 6, "passed": false}]);
    for (stated, expected) in [("5", &[][..]), ("9", &["capacity/steps"]), ("6", &["capacity/steps"])] {
        let record =
            json!({"slo": {"ttft_p99_ms": 2000}, "summary": format!("It serves {stated} requests per second.")});
        let note = format!(
            "---\nmodel: models/test-model\nobservations:\n  - {{subject: only, metric: capacity_rps, value: {stated}, quote: {stated} requests per second}}\n---\n"
        );
        let site = run(record, json!({"sweep": steps})).file("content/runs/a.md", note);
        breaks(&site, expected, &json!(stated));
    }
    for (rate, expected) in [(5.0, &[][..]), (5.9, &[]), (6.0, &["capacity/steps"]), (7.0, &["capacity/steps"])] {
        let config = json!({"sweep": steps, "request_rate_rps": rate, "slo_pass_count": 2, "repeats": 2});
        breaks(&run(json!({"slo": {"ttft_p99_ms": 2000}}), config), expected, &json!(rate));
    }
}

#[test]
fn of_iterations_and_their_mean() {
    for (config, expected) in [
        (json!({"samples_tok_s": [40, 41, 42], "output_tok_s": 45}), &[][..]),
        (json!({"samples_tok_s": [40, 41, 42], "output_tok_s": 45.2}), &["samples/mean"]),
        (json!({"samples_tok_s": [10, 41, 41], "warmup": 1, "output_tok_s": 60}), &["samples/mean"]),
        (json!({"samples_tok_s": [40, 41, 42]}), &[]),
    ] {
        breaks(&run(json!({}), config.clone()), expected, &config);
    }
}

/// What is past a limit of its own record is shown, and leads nothing.
#[test]
fn of_a_config_past_the_limit() {
    let two = |ttft: f64| {
        json!({
            "slo": {"ttft_p99_ms": 1000},
            "configs": [
                {"label": "Base", "goodput_tok_s": 100, "ttft_p99_ms": 900},
                {"label": "Two", "goodput_tok_s": 150, "ttft_p99_ms": ttft}
            ]
        })
    };
    for (ttft, leads) in [(1000.0, true), (1500.0, false)] {
        let published = Published::of(&run(two(ttft), json!({})), "runs/a");
        let change = published.figure("goodput_change_pct", "two", None);
        let said = change.to_string();
        assert_eq!(!said.contains("p99 TTFT of 1,500 ms is over the limit of 1,000 ms"), leads, "{said}");
        assert_eq!(published.page.contains("delivers 150 output tok/s within the SLO"), leads);
    }
}

/// What is taken off is as much as may be, though neither decimal is one of two exactly.
#[test]
fn of_a_score_at_the_threshold() {
    for (score, below) in [(63.4, false), (63.3, true)] {
        let scored = |label: &str, score: f64| json!({"label": label, "goodput_tok_s": 100, "accuracy": {"suite": "s", "questions": 1000, "score_pct": score}});
        let record = json!({
            "accuracy": {"suite": "s", "questions": 1000, "threshold_pts": 1},
            "configs": [scored("Base", 64.4), scored("Two", score)]
        });
        let published = Published::of(&run(record, json!({})), "runs/a");
        let lost = published.figure("accuracy_drop_pts", "two", None).to_string();
        assert_eq!(lost.contains("not ranked"), below, "{lost}");
    }
}

/// How often the whole run was measured is how often each config was, where it does not say so itself.
#[test]
fn of_repeats_of_the_whole_run() {
    for (runs, partial) in [(2, true), (1, false)] {
        let record = json!({
            "runs": runs,
            "slo": {"ttft_p99_ms": 1000},
            "configs": [{"label": "Base", "goodput_tok_s": 100, "slo_pass_count": 1}, {"label": "Two", "goodput_tok_s": 90}]
        });
        let published = Published::of(&run(record, json!({})), "runs/a");
        assert_eq!(published.page.contains("a partial pass, 1 of 2"), partial);
    }
}
