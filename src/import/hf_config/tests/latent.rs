//! Models that keep latents.

use super::*;

/// LongCat has two attentions a layer, and `num_hidden_layers` may count either.
#[test]
fn longcat_counts_its_attentions() {
    let of = |layers: Value| {
        let mut config = small("longcat_flash", layers);
        config["kv_lora_rank"] = json!(512);
        config["qk_rope_head_dim"] = json!(64);
        imported(&config).map(|entry| groups(&entry.record["groups"]))
    };
    for (layers, expected) in [
        (json!({"num_hidden_layers": null, "num_layers": 3}), Ok("6 latent 512 64")),
        (json!({"num_hidden_layers": 6, "num_layers": 3}), Ok("6 latent 512 64")),
        (json!({"num_hidden_layers": 3, "num_layers": 3}), Ok("6 latent 512 64")),
        (json!({"num_hidden_layers": 3}), Err("`num_layers` is missing")),
        (
            json!({"num_hidden_layers": 4, "num_layers": 3}),
            Err("`num_hidden_layers`: 4, where `num_layers` is 3 of two attentions each"),
        ),
    ] {
        assert_eq!(of(layers.clone()), expected.map(str::to_owned).map_err(str::to_owned), "{layers}");
    }
}
