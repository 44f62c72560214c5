//! Intervals and approximate numbers of a source, carried through figures, pages, charts and stated numbers.

use serde_json::json;

use crate::program::Site;
use crate::walker::Page;

/// An audit in which nearly every number is an interval or approximate.
const AUDIT: &str = r#"---
id: a
title: Two configs
published: "2026-10-08"
engine: vllm
model: {name: Test model}
hardware: {accelerator: Test card, count: 1}
price: {usd_per_gpu_hour: [2.50, 3.00]}
workload: {input_tokens: "~3000", output_tokens: [150, 450]}
slo: {ttft_p95_ms: 1500}
peak_request_rate_rps: [38, 42]
configs:
  - key: baseline
    capacity: {request_rate_rps: "~5.0", output_tok_s: [1600, 1700], latencies: {ttft_p95_ms: [560, 570]}}
  - key: fp8
    capacity: {request_rate_rps: [8.20, 8.60], output_tok_s: "~2,500", latencies: {ttft_p95_ms: "~120"}}
    steps:
      - offered_rps: "~9"
        delivered_rps: [8.20, 8.60]
        passed: true
stated:
  - {subject: fp8, figure: replicas_at_peak, as_written: "5 to 6 replicas"}
  - {subject: baseline, figure: usd_per_mtok_output, as_written: "$0.41–$0.52"}
  - {subject: fp8, figure: usd_per_mtok_output, as_written: "$0.40"}
---
"#;

fn built() -> Site {
    let site = Site::new().file("content/audits/a.md", AUDIT);
    site.write(
        "content/prices/p.json",
        r#"{"id": "p", "accelerator": "hardware/c", "provider": "x", "tier": "y", "usd_per_gpu_hour": [2.50, 3],
            "date": "2026-10-19"}"#,
    );
    site.write(
        "content/hardware/c.json",
        r#"{"id": "c", "title": "Test card", "names": ["Test card"], "memory_gb": 24}"#,
    );
    site.build().good();
    site
}

#[test]
fn a_page_shows_them_as_they_are_written() {
    let site = built();
    let page = Page::parse(&site.read("public/audits/a.html"));
    for words in [
        "$2.50–$3.00/GPU-hour",
        "38–42 req/s",
        "8.20–8.60",
        "~5.0",
        "1,600–1,700",
        "~2,500",
        "560–570",
        "~120",
        "~9",
        "5–6 replicas",
        "~+64.0 to +72.0",
    ] {
        assert!(page.text.contains(words), "`{words}` is not on the page:\n{}", page.text);
    }
    assert!(Page::parse(&site.read("public/prices/p.html")).text.contains("$2.50–$3/GPU-hour"));
}

#[test]
fn figures_keep_both_ends_and_say_what_is_approximate() {
    let data = built().json("public/audits/a.json");
    let figure = |subject: &str, id: &str| {
        let figures = data["figures"].as_array().expect("it is a list").iter();
        figures.into_iter().find(|it| it["subject"] == subject && it["id"] == id).expect("it is there").clone()
    };
    let replicas = figure("fp8", "replicas_at_peak");
    assert_eq!((&replicas["value"], &replicas["approximate"]), (&json!([5, 6]), &json!(null)));
    let cost = figure("fp8", "usd_per_mtok_output");
    assert_eq!((&cost["value"], &cost["approximate"]), (&json!([2.5 / 9.0, 3.0 / 9.0]), &json!(true)));
    let inputs = data["inputs"].as_array().expect("it is a list");
    let rate = inputs.iter().find(|it| it["pointer"] == "/configs/1/capacity/output_tok_s").expect("it is an input");
    assert_eq!((&rate["value"], &rate["approximate"]), (&json!(2500), &json!(true)));
}

/// `$0.40` does not agree with `~$0.278–$0.333`, but what rests on approximate numbers cannot prove it wrong.
#[test]
fn a_stated_number_is_held_against_the_whole_interval() {
    let site = built();
    let text = Page::parse(&site.read("public/audits/a.html")).text;
    assert_eq!(text.matches("agrees at the precision stated").count(), 2, "{text}");
    assert!(text.contains("not checkable: recomputed ~$0.278–$0.333 per 1M output tokens from approximate numbers"));

    let exact = AUDIT.replace("\"~2,500\"", "2500");
    Site::new().file("content/audits/a.md", exact).check().refused(&[
        "content/audits/a.md:24",
        "figure/stated",
        "$0.40",
    ]);
}
