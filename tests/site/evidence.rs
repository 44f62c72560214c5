//! The evidence ledger of a result: what counts as stated, computed, assumed and absent, and what it comes to.

use serde_json::Value;

use crate::program::{Site, run_record};

const MODEL: &str = r#"{"id": "m", "title": "M", "names": ["M"], "layers": 2,
    "groups": [{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]}"#;

const CARD: &str = r#"{"id": "c", "title": "C", "names": ["C"], "memory_gb": 32}"#;

/// The ledger of a note with these fields, in a site with one model and one card.
fn ledger(fields: &str) -> Value {
    let technique = if fields.contains("technique:") { "" } else { "technique: paging\n" };
    let no_card = if fields.contains("hosts:") { "" } else { "no_card: none\n" };
    let note = format!(
        "---\nid: n\ntitle: A note\npublished: \"2026-11-05\"\nconfidence: 0.5\nconfidence_reason: Made up.\n\
        {technique}{no_card}{fields}\n---\n"
    );
    let site = Site::new()
        .file("content/models/m.json", MODEL)
        .file("content/hardware/c.json", CARD)
        .file("content/kv-efficiency/n.md", note);
    site.build().good();
    site.json("public/kv-efficiency/n.json")["evidence"].clone()
}

/// Stated, computed, assumed and absent values of a field; `None` where it does not count.
fn counts(ledger: &Value, field: &str) -> Option<[u64; 4]> {
    let fields = ledger["fields"].as_array().expect("fields are a list");
    let line = fields.iter().find(|line| line["field"] == *field)?;
    Some(["stated", "computed", "assumed", "absent"].map(|known| line[known].as_u64().expect("a count")))
}

#[test]
fn each_value_of_a_field_is_stated_computed_assumed_or_absent() {
    const SIZED: &str = "models: [{name: M}]\ncontext_tokens: 1024";
    let two = |a: &str, b: &str| format!("variants:\n  - {{key: a, label: A, {a}}}\n  - {{key: b, label: B, {b}}}");
    let sized = |more: &str| format!("{SIZED}\n{more}");
    let hosts = "hosts: [{key: h, accelerator: C, count: 1}, {key: i, accelerator: C}]";
    let rate = |kind: &str| format!("hit_rates: [{{key: r, kind: {kind}, rate_pct: 50, of: prompt tokens}}]");
    for (fields, field, expected) in [
        (String::new(), "model", Some([0, 0, 0, 1])),
        (sized(""), "model", Some([1, 0, 0, 0])),
        (String::new(), "accelerator", Some([0, 0, 0, 1])),
        (hosts.to_owned(), "accelerator", Some([2, 0, 0, 0])),
        (hosts.to_owned(), "count", Some([1, 0, 0, 1])),
        ("engine: vllm".to_owned(), "engine", Some([1, 0, 0, 0])),
        (two("engine: vllm", "note: x"), "engine", Some([1, 0, 0, 1])),
        (String::new(), "kv_dtype", Some([0, 0, 0, 1])),
        (sized(""), "kv_dtype", Some([0, 0, 1, 0])),
        (sized("kv_dtype: fp8\nkv_dtype_basis: stated"), "kv_dtype", Some([1, 0, 0, 0])),
        (sized("kv_dtype: fp8\nkv_dtype_basis: default"), "kv_dtype", Some([0, 0, 1, 0])),
        (sized(&two("kv_dtype: fp8", "note: x")), "kv_dtype", Some([1, 0, 1, 0])),
        (sized("kv_bytes_basis: geometry"), "kv_bytes_basis", Some([0, 0, 1, 0])),
        (
            sized("kv_bytes_basis: geometry\nkv_dtype: fp8\nkv_dtype_basis: stated"),
            "kv_bytes_basis",
            Some([1, 0, 0, 0]),
        ),
        (sized(&two("context_tokens: 2048", "note: x")), "context_tokens", Some([2, 0, 0, 0])),
        (sized("context_basis: chosen"), "context_tokens", Some([0, 0, 1, 0])),
        (
            sized(&format!("context_basis: chosen\n{}", two("context_tokens: 2048", "note: x"))),
            "context_tokens",
            Some([1, 0, 1, 0]),
        ),
        (sized(&two("context_tokens: 2048, context_basis: chosen", "note: x")), "context_tokens", Some([1, 0, 1, 0])),
        (sized(""), "kv_bytes_per_token", Some([0, 0, 1, 0])),
        (sized("kv_dtype: fp8\nkv_dtype_basis: stated"), "kv_bytes_per_token", Some([0, 1, 0, 0])),
        (sized("kv_dtype: fp8\nkv_dtype_basis: stated"), "kv_gib_at_context", Some([0, 1, 0, 0])),
        (
            sized("kv_dtype: fp8\nkv_dtype_basis: stated\ncontext_basis: chosen"),
            "kv_gib_at_context",
            Some([0, 0, 1, 0]),
        ),
        (
            sized("kv_dtype: fp8\nkv_dtype_basis: stated\ncontext_basis: chosen"),
            "kv_bytes_per_token",
            Some([0, 1, 0, 0]),
        ),
        (String::new(), "kv_bytes_per_token", Some([0, 0, 0, 1])),
        ("models: [{name: M}]".to_owned(), "kv_gib_at_context", Some([0, 0, 0, 1])),
        (two("measured_ttft_ms_at_ctx: 10", "note: x"), "measured", Some([1, 0, 0, 1])),
        (rate("aggregate"), "measured", Some([1, 0, 0, 0])),
        (two("measured_ttft_ms_at_ctx: 10", "note: x"), "measured_ttft_ms_at_ctx", Some([1, 0, 0, 1])),
        (String::new(), "hit_rates", None),
        ("technique: prefix_caching".to_owned(), "hit_rates", Some([0, 0, 0, 1])),
        (rate("aggregate"), "hit_rates", Some([1, 0, 0, 0])),
        (rate("aggregate"), "workload", Some([0, 0, 0, 1])),
        (sized(&rate("replay")), "workload", Some([1, 0, 0, 0])),
        (String::new(), "baseline", None),
        (two("note: x", "note: x"), "baseline", Some([0, 0, 1, 0])),
        (format!("{}\nbaseline: b", two("note: x", "note: x")), "baseline", Some([1, 0, 0, 0])),
        (String::new(), "figures", None),
        ("sources: [{title: A post, date: \"2026-11\"}]".to_owned(), "sources", Some([1, 0, 0, 1])),
        ("license: MIT".to_owned(), "license", Some([1, 0, 0, 0])),
    ] {
        assert_eq!(counts(&ledger(&fields), field), expected, "{field} of:\n{fields}");
    }
}

/// The ledger of a run with these fields beside those of the smallest one, and with these lines of a curator's note.
fn ledger_of_run(fields: &str, note: &str) -> Value {
    let record = run_record("a").replace(r#""configs": [{"label": "only"}]"#, fields);
    let site = Site::new().file("content/runs/a.json", record).file("content/runs/a.md", format!("---\n{note}\n---\n"));
    site.build();
    site.json("public/runs/a.json")["evidence"].clone()
}

#[test]
fn the_fields_of_a_run_count_where_they_matter() {
    const TWO: &str = r#""configs": [{"label": "a", "goodput_tok_s": 1, "concurrency": 4}, {"label": "b"}]"#;
    const SET: &str = "setting:\n  arrival: {value: all at once, basis: assumed, reason: Made up.}";
    let workload = format!(r#""workload": {{"trace": "t", "input_tokens": "10"}}, {TWO}"#);
    for (fields, note, field, expected) in [
        (TWO, "", "trace", Some([0, 0, 0, 2])),
        (&workload, "", "trace", Some([2, 0, 0, 0])),
        (&workload, "", "input_tokens", Some([2, 0, 0, 0])),
        (TWO, "", "load", Some([1, 0, 0, 1])),
        // One card leaves no choice of parallelism.
        (TWO, "", "parallelism", Some([2, 0, 0, 0])),
        // Of the one config that has goodput.
        (TWO, "", "slo", Some([0, 0, 0, 1])),
        (TWO, "", "price_basis", None),
        (TWO, SET, "arrival", Some([0, 0, 2, 0])),
        (TWO, "license: MIT", "license", Some([1, 0, 0, 0])),
        (TWO, "", "accuracy", Some([0, 0, 0, 2])),
    ] {
        assert_eq!(counts(&ledger_of_run(fields, note), field), expected, "{field} of {fields} {note}");
    }
}

#[test]
fn completeness_is_what_is_earned_of_what_counts() {
    let percent = |ledger: &Value| ledger["completeness_pct"].as_f64().expect("a number");
    let bare = ledger("");
    assert_eq!((percent(&bare), &bare["stated"], &bare["absent"]), (0.0, &0.into(), &18.into()));
    // Of 27 that count here: model 2, context 2 and half of the dtype 1, the bytes 1 and the size 1.
    let sized = ledger("models: [{name: M}]\ncontext_tokens: 1024");
    assert!((percent(&sized) - 100.0 * 7.0 / 27.0).abs() < 1e-9, "{sized}");
}
