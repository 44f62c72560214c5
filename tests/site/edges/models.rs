//! Rules of model entries.

use serde_json::json;

use super::breaks;
use crate::program::Site;
use crate::records::merged;

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
