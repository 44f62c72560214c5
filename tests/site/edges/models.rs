//! Rules of model entries.

use serde_json::{Value, json};

use super::breaks;
use crate::program::Site;
use crate::records::{merged, with_entries};

#[test]
fn of_weights() {
    let sizes = |all: Value, active: Value| json!({"weights_bytes": all, "active_weights_bytes": active});
    for (more, expected) in [
        (sizes(json!({"bf16": 20_000_000}), json!({"bf16": 20_000_000})), &[][..]),
        (sizes(json!({"bf16": 20_000_000}), json!({"bf16": 20_000_001})), &["model/weights"]),
        (sizes(json!({"fp8": 20_000_000}), json!({"bf16": 20_000_001})), &[]),
        (sizes(json!({"bf16": 20_000_000, "fp8": 20_000_000}), json!({})), &[]),
        (sizes(json!({"bf16": 20_000_000, "fp8": 20_000_001}), json!({})), &["model/weight-order"]),
        (sizes(json!({"bf16": 20_000_000, "fp16": 20_000_001}), json!({})), &[]),
        (sizes(json!({"bf16": 20_000_000, "awq": 20_000_001}), json!({})), &[]),
    ] {
        let groups = json!([{"kind": "full", "layers": 4, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]);
        let model = merged(json!({"id": "m", "title": "M", "layers": 4, "groups": groups}), more.clone());
        breaks(&Site::new().file("content/models/m.json", model.to_string()), expected, &more);
    }
}

#[test]
fn of_the_title_of_a_price() {
    for (title, usd, expected) in [
        ("P, secure, 2026-10-01", json!(2.69), &[][..]),
        ("P, secure, 2026-10-02", json!(2.69), &["price/title"]),
        ("P at $2.69", json!(2.69), &[]),
        ("P at $2.7", json!(2.69), &[]),
        ("P at $2.68", json!(2.69), &["price/title"]),
        ("P at $2.50", json!([2.4, 2.6]), &[]),
        ("P, the 8x of 2026", json!(2.69), &[]),
        ("P", json!(0), &["unit/suspicious"]),
        ("P", json!(0.019), &["unit/suspicious"]),
        ("P", json!(0.02), &[]),
        ("P", json!(100.1), &["unit/suspicious"]),
    ] {
        let price = json!({
            "id": "q", "title": title, "accelerator": "hardware/test-card", "provider": "P", "tier": "t",
            "date": "2026-10-01", "usd_per_gpu_hour": usd
        });
        breaks(&with_entries().file("content/prices/q.json", price.to_string()), expected, &price);
    }
}

#[test]
fn of_a_model() {
    let full = |layers: u64, heads: u64| json!({"kind": "full", "layers": layers, "kv_heads": heads, "k_dim": 64, "v_dim": 64});
    let latent = |layers: u64| json!({"kind": "latent", "layers": layers, "dim": 512, "rope_dim": 64});
    let state = |layers: u64| json!({"kind": "state", "layers": layers, "conv_elements": 1, "recurrent_elements": 1});
    let none = |layers: u64| json!({"kind": "none", "layers": layers});
    let heads = |queries: u64| json!({"attention_heads": queries});
    for (more, groups, expected) in [
        (heads(8), json!([full(4, 8)]), &[][..]),
        (heads(8), json!([full(4, 2)]), &[]),
        (heads(8), json!([full(4, 3)]), &["model/heads"]),
        (heads(8), json!([full(4, 16)]), &["model/heads"]),
        (merged(heads(8), json!({"draft_groups": [full(1, 16)]})), json!([full(4, 8)]), &["model/heads"]),
        (json!({}), json!([full(4, 16)]), &[]),
        (json!({}), json!([full(3, 2), full(2, 2)]), &["model/layers"]),
        (json!({}), json!([full(5, 2)]), &["model/layers"]),
        (json!({}), json!([full(3, 2), none(2)]), &["model/layers"]),
        (json!({}), json!([full(4, 2), state(4)]), &[]),
        (json!({}), json!([full(4, 2), state(5)]), &["model/layers"]),
        (json!({}), json!([latent(8)]), &[]),
        (json!({}), json!([latent(9)]), &["model/layers"]),
    ] {
        let of = json!([more, groups]);
        let model = merged(json!({"id": "m", "title": "M", "layers": 4, "groups": groups}), more);
        breaks(&Site::new().file("content/models/m.json", model.to_string()), expected, &of);
    }
}
