use super::super::tests::{site, source};
use super::*;

/// Readings of the record at an address: `subject field: number unit, basis`.
fn said(address: &str, sources: &[crate::source::Source]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let (catalog, figures) = site(sources);
    let item = catalog.get(address).expect("it is there");
    let readings = figures.readings(item).into_iter().map(|reading| {
        let number = crate::quantity::plain(reading.quantity);
        let label = reading.label.map(|label| format!(" ({label})")).unwrap_or_default();
        let Reading { subject, field, unit, basis, .. } = reading;
        let line = format!("{subject} {field}{label}: {number} {unit}, {}", basis.word());
        (line, reading.limits, reading.remarks)
    });
    readings.collect()
}

/// An audit with these fields besides those that each has.
fn audit(fields: &str) -> crate::source::Source {
    let head = "id: a\ntitle: A\npublished: 2026-10-08\nengine: vllm\nmodel: {name: M}\n\
        hardware: {accelerator: H, count: 1}";
    source(Kind::Audit, "audits/a.md", format!("---\n{head}\n{fields}\n---\n"))
}

const RUN: &str = r#"{"schema_version": 1, "id": "a", "status": "published", "title": "A", "published": "2026-10-01",
    "hardware": {"accelerator": "H", "count": 2}, "software": {"engine": "vllm"}, "model": {"name": "M"},
    "slo": {"ttft_p99_ms": 500}, "not_covered": ["Accuracy"], "configs": [{"key": "k", "label": "89% shared",
    "goodput_tok_s": 100.5, "ttft_p99_ms": 400, "concurrency": 4, "requests": {"sent": 50, "completed": 40, "failed": 10},
    "sweep": [{"offered_rps": 1, "output_tok_s": 60, "ttft_p99_ms": 300, "includes_warmup": true},
              {"offered_rps": 2, "ttft_p99_ms": 600}]}]}"#;

#[test]
fn a_run_has_its_results_measured_and_its_settings_stated_each_with_what_limits_it() {
    let note = "---\nobservations: [{subject: k, metric: shared_prefix_pct, value: 89, quote: 89% shared}]\n---\n";
    let sources = [source(Kind::Run, "runs/a.json", RUN), source(Kind::CuratorNote, "runs/a.md", note)];
    let said = said("runs/a", &sources);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    assert_eq!(
        lines,
        [
            "k concurrency: 4 requests, stated",
            "k goodput_tok_s: 100.5 output tok/s, measured",
            "k requests.completed: 40 requests, measured",
            "k requests.failed: 10 requests, measured",
            "k requests.sent: 50 requests, measured",
            "k sweep.offered_rps (sweep 1): 1 req/s, stated",
            "k sweep.output_tok_s (sweep 1): 60 output tok/s, measured",
            "k sweep.ttft_p99_ms (sweep 1): 300 ms, measured",
            "k sweep.offered_rps (sweep 2): 2 req/s, stated",
            "k sweep.ttft_p99_ms (sweep 2): 600 ms, measured",
            "k ttft_p99_ms: 400 ms, measured",
            "record hardware.count: 2 GPUs, stated",
            "record slo.ttft_p99_ms: 500 ms, stated",
            "k shared_prefix_pct: 89 %, stated",
        ]
    );
    let of = |line: &str| said.iter().find(|(said, ..)| said.starts_with(line)).expect("it is there");
    let ungated = "whether accuracy was checked is not stated";
    let all = |own: &[&str]| -> Vec<String> {
        let limits = std::iter::once(&ungated).chain(own).chain(&["not covered: Accuracy"]);
        limits.map(|limit| (*limit).to_owned()).collect()
    };
    let lost = "10 of 50 requests did not complete";
    let assumed = format!("assumed: {GOODPUT_TOKENS}");
    assert_eq!(of("k goodput_tok_s").1, all(&[lost, &assumed]));
    assert_eq!(of("k ttft_p99_ms").1, all(&[lost, "p99 of 40 requests, fewer than 100"]));
    assert_eq!(of("k sweep.output_tok_s").1, all(&["start-up or compilation fell into this step"]));
    // How many requests a step had is its own to say.
    assert_eq!(of("k sweep.ttft_p99_ms (sweep 2)").1, all(&[]));
    let (catalog, figures) = site(&sources);
    let readings = figures.readings(catalog.get("runs/a").expect("it is there"));
    let sample = |field: &str| readings.iter().find(|reading| reading.field == field).map(|reading| &reading.sample);
    assert!(matches!(sample("sweep.ttft_p99_ms"), Some(Some(Sample::NotStated))));
    assert!(!matches!(sample("ttft_p99_ms"), Some(Some(Sample::NotStated) | None)));
    let counted = RUN.replace("\"offered_rps\": 2,", "\"offered_rps\": 2, \"requests\": {\"completed\": 120},");
    let (catalog, figures) = site(&[source(Kind::Run, "runs/a.json", counted)]);
    let readings = figures.readings(catalog.get("runs/a").expect("it is there"));
    let second =
        readings.iter().find(|reading| reading.pointer.ends_with("/sweep/1/ttft_p99_ms")).expect("it is there");
    assert_eq!(second.sample, Some(Sample::of_requests(120)));
    assert_eq!(of("k sweep.ttft_p99_ms (sweep 2)").2, ["did not meet the SLO"]);
    assert!(of("k concurrency").1.is_empty() && of("record slo").1.is_empty());
    assert_eq!(of("k shared_prefix_pct").2, ["“89% shared”"]);
}

#[test]
fn a_note_says_of_each_value_how_its_source_has_it() {
    let note = "---
id: a
title: A
published: 2026-10-01
technique: prefix_caching
no_card: none is named
context_tokens: 1000
context_basis: the prompt is said to be long
confidence: 0.5
confidence_reason: one source
variants:
  - key: warm
    label: Warm
    measured_ttft_ms_at_ctx: [100, 200]
    values:
      - {name: decode_tok_s, value: ~50, unit: tok/s, context_tokens: 500}
      - {name: gain, value: 24, unit: x, bound: at most, basis: stated}
      - {name: waste_pct, value: 4, unit: \"%\", basis: chart, note: from a bar}
hit_rates:
  - {key: asked, kind: requested_share, rate_pct: 90, of: prompt tokens}
  - {key: week, kind: aggregate, rate_pct: 56, of: all traffic}
---
";
    let said = said("kv-efficiency/a", &[source(Kind::KvEfficiency, "kv-efficiency/a.md", note)]);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    assert_eq!(
        lines,
        [
            "record confidence: 0.5 ratio, stated",
            "record context_tokens: 1,000 tokens, assumed",
            "asked hit_rates.rate_pct (prompt tokens): 90 %, stated",
            "week hit_rates.rate_pct (all traffic): 56 %, measured",
            "warm measured_ttft_ms_at_ctx: 100–200 ms, measured",
            "warm decode_tok_s.context_tokens (at 500 tokens): 500 tokens, stated",
            "warm decode_tok_s (at 500 tokens): ~50 tok/s, measured",
            "warm gain: 24 x, stated",
            "warm waste_pct: 4 %, measured",
        ]
    );
    let limits: Vec<_> =
        said.iter().map(|(_, limits, _)| limits.join("; ")).filter(|limits| !limits.is_empty()).collect();
    assert_eq!(
        limits,
        [
            "assumed: the prompt is said to be long",
            "the source gives it as a limit: at most",
            "read off a chart, with a few percent of reading error",
        ]
    );
    assert_eq!(said[2].2, ["the share the workload asked for"]);
    assert_eq!(said[8].2, ["from a bar"]);
}

#[test]
fn each_host_of_a_note_has_its_own_count() {
    let note = "---
id: a
title: A
published: 2026-10-01
technique: prefix_caching
confidence: 0.5
confidence_reason: one source
hosts:
  - {key: one, accelerator: H, count: 2}
  - {key: other, accelerator: H, count: 8}
variants:
  - {key: warm, label: Warm, host: one, measured_ttft_ms_at_ctx: 100, context_tokens: 10}
---
";
    let said = said("kv-efficiency/a", &[source(Kind::KvEfficiency, "kv-efficiency/a.md", note)]);
    let counts: Vec<_> = said.iter().map(|(line, ..)| &**line).filter(|line| line.contains("count")).collect();
    assert_eq!(counts, ["one count: 2 GPUs, stated", "other count: 8 GPUs, stated"]);
}

#[test]
fn a_context_that_a_variant_was_taken_to_have_is_assumed() {
    let note = "---
id: a
title: A
published: 2026-10-01
technique: prefix_caching
no_card: none is named
confidence: 0.5
confidence_reason: one source
variants:
  - {key: warm, label: Warm, context_tokens: 10, context_basis: the prompt is said to be short}
  - {key: cold, label: Cold, context_tokens: 20}
---
";
    let said = said("kv-efficiency/a", &[source(Kind::KvEfficiency, "kv-efficiency/a.md", note)]);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    for line in ["warm context_tokens: 10 tokens, assumed", "cold context_tokens: 20 tokens, stated"] {
        assert!(lines.contains(&line), "{lines:?}");
    }
}

#[test]
fn what_an_observation_counts_is_of_its_subject() {
    let note =
        "---\nobservations: [{subject: k, metric: accuracy_pct, value: 89, questions: 50, quote: 89% shared}]\n---\n";
    let asked = RUN.replace("\"slo\":", "\"accuracy\": {\"questions\": 50}, \"slo\":");
    let said = said("runs/a", &[source(Kind::Run, "runs/a.json", asked), source(Kind::CuratorNote, "runs/a.md", note)]);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    assert!(lines.contains(&"k accuracy_pct.questions: 50 questions, stated"), "{lines:?}");
    let taken = note.replace("questions: 50,", "questions: 50, questions_assumed: the suite has so many,");
    let said =
        self::said("runs/a", &[source(Kind::Run, "runs/a.json", RUN), source(Kind::CuratorNote, "runs/a.md", taken)]);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    assert!(lines.contains(&"k accuracy_pct.questions: 50 questions, assumed"), "{lines:?}");
}

#[test]
fn an_audit_has_what_its_configs_delivered_measured() {
    let audit = audit(
        "workload: {}\nslo: {ttft_p95_ms: 500}\n\
        configs: [{key: k, capacity: {request_rate_rps: 5, output_tok_s: 1500}}]",
    );
    let said = said("audits/a", &[audit]);
    let lines: Vec<_> = said.iter().map(|(line, ..)| line.as_str()).collect();
    for line in ["k capacity.output_tok_s: 1,500 output tok/s, measured", "record slo.ttft_p95_ms: 500 ms, stated"] {
        assert!(lines.contains(&line), "{lines:?}");
    }
}

#[test]
fn an_audit_says_how_few_requests_a_rate_had_and_what_is_assumed_of_its_price() {
    let audit = audit(
        "workload: {requests_per_rate: 40}\nslo: {ttft_p99_ms: 500}\nprice: {usd_per_gpu_hour: 2, assumed: a round one}\n\
        configs: [{key: k, capacity: {request_rate_rps: 5, latencies: {ttft_p99_ms: 400}}}]",
    );
    let said = said("audits/a", &[audit]);
    let of = |words: &str| said.iter().find(|(line, ..)| line.contains(words)).unwrap_or_else(|| panic!("{said:?}"));
    let latency = of("ttft_p99_ms: 400");
    assert!(latency.1.iter().any(|limit| limit.starts_with("p99 of 40 requests")), "{latency:?}");
    let price = of("usd_per_gpu_hour: 2");
    assert!(price.0.ends_with("assumed") && price.1.contains(&"assumed: a round one".to_owned()), "{price:?}");
}

#[test]
fn a_step_of_an_audit_had_the_requests_of_each_rate() {
    let audit = audit(
        "workload: {requests_per_rate: 200}\nslo: {ttft_p95_ms: 500}\n\
        configs: [{key: k, capacity: {request_rate_rps: 5}, steps: [{offered_rps: 5, delivered_rps: 5, passed: true}, {offered_rps: 6, passed: false}]}]",
    );
    let (catalog, figures) = site(&[audit]);
    let readings = figures.readings(catalog.get("audits/a").expect("it is there"));
    let delivered = readings.iter().find(|reading| reading.pointer.ends_with("/delivered_rps")).expect("it is there");
    assert!(delivered.sample.as_ref().is_some_and(|sample| sample.words().starts_with("200 requests")));
}

#[test]
fn a_price_that_nobody_offers_and_a_geometry_from_elsewhere_are_assumed() {
    let model = r#"{"id": "m", "title": "M", "layers": 4, "assumed": "its config was not read",
        "groups": [{"kind": "full", "layers": 4, "kv_heads": 2, "k_dim": 8, "v_dim": 8}]}"#;
    let said = said("models/m", &[source(Kind::Model, "models/m.json", model)]);
    let lines: Vec<_> = said.iter().map(|(line, limits, _)| format!("{line}; {}", limits.join("; "))).collect();
    assert!(
        lines.contains(&"record groups.kv_heads (groups 1): 2 heads, assumed; assumed: its config was not read".into())
    );
    assert!(lines.contains(&"record layers: 4 layers, stated; ".into()), "{lines:?}");
}
