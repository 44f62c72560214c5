//! The results of one record beside each other, on a page of their own.

use crate::program::Site;

/// A run with these configs, and what its curator says of it.
fn run(configs: &str, note: &str) -> Site {
    let run = format!(
        r#"{{"id": "a", "status": "published", "title": "Run a", "published": "2026-10-29",
        "hardware": {{"accelerator": "Test card", "count": 1}}, "software": {{"engine": "vllm"}},
        "model": {{"name": "Test model"}}, "slo": {{"ttft_p99_ms": 2000}}, "variance_band_pct": 2,
        "not_covered": ["bursts"], "configs": [{configs}]}}"#
    );
    Site::new().file("content/runs/a.json", &run).file("content/runs/a.md", format!("---\n{note}\n---\n"))
}

/// The words of each row of a table: its head, its cells and their notes.
fn rows(page: &str, table: &str) -> Vec<String> {
    let (_, rest) = page.split_once(&format!("id=\"table:{table}\"")).unwrap_or_else(|| panic!("{table}: {page}"));
    let body = rest.split("</table>").next().and_then(|table| table.split("<tbody>").nth(1)).expect("it has a body");
    let row = |row: &str| {
        let texts = row.split('<').filter_map(|part| Some(part.split_once('>')?.1.trim()));
        texts.filter(|text| !text.is_empty() && *text != "#").collect::<Vec<_>>().join(" | ")
    };
    body.split("<tr ").skip(1).map(row).collect()
}

fn caption<'a>(page: &'a str, table: &str) -> &'a str {
    let rest = page.split_once(&format!("id=\"table:{table}:caption\"")).expect(table).1;
    rest.split("<table").next().unwrap_or_default()
}

const CONFIGS: &str = r#"
    {"label": "cold", "goodput_tok_s": 1000, "output_tok_s": 1100, "ttft_p99_ms": 900, "prefix_cache_hit_pct": 0},
    {"label": "warm", "goodput_tok_s": 1500, "output_tok_s": 1650, "ttft_p99_ms": 800, "prefix_cache_hit_pct": 80},
    {"label": "warmer", "goodput_tok_s": 1020, "output_tok_s": 1122, "prefix_cache_hit_pct": 90},
    {"label": "out", "failed": "out of memory", "prefix_cache_hit_pct": 95}"#;

#[test]
fn a_record_has_its_results_beside_each_other() {
    let site = run(CONFIGS, "varies: [prefix_share]");
    site.build().good();
    assert!(site.read("public/runs/a.html").contains("<a href=\"../compare/runs/a.html\">Results compared</a>"));
    assert!(site.read("public/compare.html").contains("href=\"compare/runs/a.html\""));
    let page = site.read("public/compare/runs/a.html");
    assert!(page.contains("4 configs, with changes against “cold” in 2 metrics."), "{page}");
    let differences = rows(&page, "differences");
    assert_eq!(differences[0], "cold | accuracy not stated | 0%");
    assert!(differences[3].starts_with("out | failed: out of memory"), "{differences:?}");
    let caption_of_all = caption(&page, "differences");
    assert!(caption_of_all.contains("On purpose: share from cache"), "{caption_of_all}");
    assert!(caption_of_all.contains("Alike in all rows") && caption_of_all.contains("model Test model; engine vllm"));
    assert_eq!(
        rows(&page, "goodput_tok_s"),
        [
            "cold | 1,000 | what the others are compared with",
            "warm | 1,500 | +50.0 | better | 0% against 80% from cache | outside ±2% between repeats, their number not stated",
            "warmer | 1,020 | +2.0 | 0% against 90% from cache | a tie inside ±2% between repeats, their number not stated",
            "out | failed: out of memory | –",
        ]
    );
    assert!(caption(&page, "goodput_tok_s").contains("For all rows: "), "{page}");
    let output = rows(&page, "output_tok_s");
    assert_eq!(output[1], "warm | 1,650 | +50.0 | better | outside ±2% | 0% against 80% from cache");
    assert_eq!(output[2], "warmer | 1,122 | +2.0 | a tie inside ±2% | 0% against 90% from cache");
    // A latency at one's own capacity is of no load of another.
    let latency = rows(&page, "ttft_p99_ms");
    assert_eq!(latency[1], "warm | 800 | not comparable: each at its own capacity");
    assert_eq!(latency[2], "warmer | – | not stated | –");
    assert!(rows(&page, "limits")[0].contains("bursts"));
}

#[test]
fn what_a_record_does_not_vary_withholds_its_changes() {
    let site = run(CONFIGS, "techniques: [prefix_caching]");
    site.build().good();
    let page = site.read("public/compare/runs/a.html");
    assert!(page.contains("4 configs, no change against “cold” in any metric"), "{page}");
    let goodput = rows(&page, "goodput_tok_s");
    assert_eq!(goodput[1], "warm | 1,500 | not comparable: 0% against 80% from cache");
    // On the record's own page a failure is the reason.
    let own = site.json("public/runs/a.json");
    let figures = own["figures"].as_array().expect("a list");
    let reason = |subject: &str| {
        let is_it = |figure: &&serde_json::Value| figure["id"] == "goodput_change_pct" && figure["subject"] == subject;
        figures.iter().find(is_it).expect(subject)["missing"].clone()
    };
    assert_eq!(reason("out"), "the run failed: out of memory");
    assert_eq!(reason("warm"), "not comparable: 0% against 80% from cache");
}

#[test]
fn one_result_is_beside_nothing() {
    let site = run(r#"{"label": "only", "goodput_tok_s": 1000}"#, "techniques: [prefix_caching]");
    site.build().good();
    assert!(!site.published().has("compare/runs/a.html"));
    assert!(!site.read("public/runs/a.html").contains("Results compared"));
}

#[test]
fn latencies_of_one_load_are_no_tie_inside_the_band_of_a_rate() {
    let at = |label: &str, rate: f64, ttft: f64| {
        format!(r#"{{"label": "{label}", "concurrency": 4, "output_tok_s": {rate}, "ttft_p99_ms": {ttft}}}"#)
    };
    let site = run(&[at("a", 1000.0, 100.0), at("b", 1010.0, 101.0)].join(","), "techniques: [prefix_caching]");
    site.build().good();
    let page = site.read("public/compare/runs/a.html");
    assert_eq!(rows(&page, "output_tok_s")[1], "b | 1,010 | +1.0");
    assert!(caption(&page, "output_tok_s").contains("a tie inside ±2%"), "{page}");
    assert_eq!(rows(&page, "ttft_p99_ms")[1], "b | 101 | +1.0 | worse");
    assert!(caption(&page, "ttft_p99_ms").contains("how far either could be off is not stated"), "{page}");
}

#[test]
fn variants_of_a_note_are_held_against_their_own_baselines() {
    let note = r#"---
{"id": "n", "title": "N", "published": "2026-10-29", "confidence": 0.5, "confidence_reason": "r", "technique": "prefix_caching",
 "models": [{"name": "M"}], "hosts": [{"key": "h", "accelerator": "Test card", "count": 1}], "engine": "vllm",
 "variants": [
  {"key": "cold", "label": "Cold", "context_tokens": 1000, "measured_ttft_ms_at_ctx": 400, "values": [{"name": "hits", "value": 10, "unit": "blocks"}]},
  {"key": "warm", "label": "Warm", "context_tokens": 1000, "measured_ttft_ms_at_ctx": 100, "values": [{"name": "hits", "value": 15, "unit": "blocks"}]},
  {"key": "long", "label": "Long", "context_tokens": 9000, "measured_ttft_ms_at_ctx": 900},
  {"key": "long-warm", "label": "Long, warm", "baseline": "long", "context_tokens": 9000, "measured_ttft_ms_at_ctx": 300}
 ]}
---
"#;
    let site = Site::new().file("content/kv-efficiency/n.md", note);
    site.build();
    let page = site.read("public/compare/kv-efficiency/n.html");
    assert_eq!(
        rows(&page, "measured_ttft_ms_at_ctx"),
        [
            "against “Cold”",
            "Cold | 400 | what the others are compared with",
            "Warm | 100 | −75.0 | better",
            "Long | 900 | not comparable: context 1,000 tokens against 9,000 tokens",
            "against “Long”",
            "Long | 900 | what the others are compared with",
            "Long, warm | 300 | −66.7 | better",
        ]
    );
    assert_eq!(
        rows(&page, "reading:hits-blocks"),
        ["Cold | 10 | what the others are compared with", "Warm | 15 | +50.0"]
    );
}
