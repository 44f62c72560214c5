//! Rules of what notes have under names and units of their own.

use serde_json::{Value, json};

use super::breaks;
use crate::program::Site;
use crate::records::{merged, with_entries};

/// A site with a note of one variant on so many of the test card, which has 80 GB; on a number not stated where null.
fn note(count: Value, variant: Value) -> Site {
    let mut host = json!({"key": "h", "accelerator": "Test card"});
    if !count.is_null() {
        host["count"] = count;
    }
    let whole = json!({
        "id": "n", "title": "A note", "published": "2026-09-02", "technique": "prefix_caching",
        "confidence": 0.5, "confidence_reason": "the source is brief",
        "hosts": [host],
        "variants": [merged(json!({"key": "v", "label": "V"}), variant)]
    });
    with_entries().file("content/kv-efficiency/n.md", format!("---\n{whole}\n---\n"))
}

#[test]
fn of_values() {
    const ODD: &[&str] = &["unit/suspicious"];
    let value =
        |name: &str, value: Value, unit: &str| json!({"values": [{"name": name, "value": value, "unit": unit}]});
    let said = |of: Value| note(json!(1), of).check().stderr;
    assert!(said(value("decode_tok_s", json!(500_001), "tok/s")).contains("is over 500,000 tok/s"));
    assert!(said(value("ttft_mean", json!(0.5), "ms")).contains("is under"));
    for (count, variant, expected) in [
        (json!(1), value("decode_tok_s", json!(500_000), "tok/s"), &[][..]),
        (json!(1), value("decode_tok_s", json!(500_001), "tok/s"), ODD),
        (json!(2), value("decode_tok_s", json!(500_001), "tok/s"), &[]),
        (json!(2), value("decode_tok_s", json!(1_000_003), "tok/s"), ODD),
        (json!(null), value("decode_tok_s", json!(500_000_001), "tok/s"), ODD),
        (json!(1), value("prefill_tok_s", json!(500_001), "tok/s"), &[]),
        (json!(1), value("ttft_mean", json!(0.5), "ms"), ODD),
        (json!(1), value("ttft_mean", json!(0.5), "s"), &[]),
        (json!(1), value("ttft_mean", json!(0.0005), "s"), ODD),
        (json!(1), value("ttft_gain", json!(0.5), "x"), &[]),
        (json!(1), value("hit_pct", json!(100), "%"), &[]),
        (json!(1), value("hit_pct", json!(101), "%"), ODD),
        (json!(1), value("hit_gain_pct", json!(101), "%"), &[]),
        (json!(1), value("vram", json!(80), "GiB"), &[]),
        (json!(1), value("vram", json!(81), "GiB"), ODD),
        (json!(2), value("vram", json!(81), "GiB"), &[]),
        (json!(1), value("vram", json!(29_613), "MiB"), &[]),
        (json!(null), value("vram", json!(29_613), "GiB"), ODD),
        (json!(2), value("weights_per_gpu", json!(81), "GiB"), ODD),
        (json!(1), value("cache", json!(81), "GiB"), &[]),
        (json!(1), value("cache", json!(81), "mb"), ODD),
        (json!(1), json!({"measured_kv_pool_gib": 80}), &[]),
        (json!(1), json!({"measured_kv_pool_gib": 81}), ODD),
        (json!(null), json!({"measured_kv_pool_gib": 81}), &[]),
        (json!(1), json!({"measured_tps_at_ctx": 46.1, "context_tokens": 1024}), &[]),
        (json!(1), json!({"measured_tps_at_ctx": 461_300, "context_tokens": 1024}), ODD),
        (json!(1), json!({"measured_tps_at_ctx": 46, "context_tokens": 1024, "measured_kv_pool_tokens": 1024}), &[]),
        (json!(1), json!({"measured_tps_at_ctx": 46, "context_tokens": 1025, "measured_kv_pool_tokens": 1024}), ODD),
        (json!(1), json!({"context_tokens": 1025, "measured_kv_pool_tokens": 1024}), &[]),
        (json!(1), json!({"kv_dtype": "q9_0"}), &["storage/unknown"]),
    ] {
        let of = json!([count, variant]);
        breaks(&note(count, variant), expected, &of);
    }
}
