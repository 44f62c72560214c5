//! Keys that a config does not have: what the class sets or derives, and what is refused.

use super::*;
use crate::import::hf_config::defaults;

/// A config that says no more than it must.
fn bare(model_type: &str, more: Value) -> Value {
    let mut config = json!({"model_type": model_type});
    more.as_object().expect("fields").iter().for_each(|(key, value)| config[key] = value.clone());
    config
}

/// The same as the text part of another.
fn part(model_type: &str, more: Value) -> Value {
    json!({"model_type": "images", "text_config": bare(model_type, more)})
}

#[test]
fn an_absent_key_is_as_the_class_sets_it() {
    let size = |layers: u64, hidden: u64, heads: u64| json!({"num_hidden_layers": layers, "hidden_size": hidden, "num_attention_heads": heads});
    let and = |mut size: Value, more: Value| {
        more.as_object().expect("fields").iter().for_each(|(key, value)| size[key] = value.clone());
        size
    };
    for (model_type, more, expected) in [
        // Gemma 3 12B: 3840 over 16 heads is 240, and the class says 256.
        ("gemma3_text", size(6, 3840, 16), "5 window 4 256 256 4096, 1 full 4 256 256"),
        ("gemma", size(2, 3072, 16), "2 full 16 256 256"),
        ("gemma2", size(2, 3584, 16), "1 window 4 256 256 4096, 1 full 4 256 256"),
        (
            "gemma3n_text",
            json!({"num_hidden_layers": 20}),
            "4 window 2 256 256 512, 1 full 2 256 256, 12 shared 0, 3 shared 1",
        ),
        // The last layer is full, whatever the period.
        ("gemma4_text", json!({"num_hidden_layers": 3}), "2 window 4 256 256 512, 1 full 4 512 512"),
        ("gemma4_text", json!({"num_hidden_layers": 1, "num_global_key_value_heads": 2}), "1 full 4 512 512"),
        (
            "gemma4_text",
            json!({"num_hidden_layers": 1, "num_global_key_value_heads": 2, "attention_k_eq_v": true}),
            "1 full 2 512 512",
        ),
        ("gpt_oss", size(2, 2880, 64), "1 window 8 64 64 128, 1 full 8 64 64"),
        ("qwen3", size(36, 2560, 32), "36 full 32 128 128"),
        ("qwen3_moe", and(size(2, 2560, 32), json!({"head_dim": 128})), "2 full 4 128 128"),
        ("qwen3_vl_text", size(2, 2560, 32), "2 full 32 128 128"),
        ("qwen3_next", json!({"num_hidden_layers": 4}), "3 state 24576 524288, 1 full 2 256 256"),
        // A window is off until `use_sliding_window`, and on in the layers after the first 28 then.
        ("qwen2", and(size(30, 4096, 32), json!({"sliding_window": 100})), "30 full 32 128 128"),
        (
            "qwen2",
            and(size(30, 4096, 32), json!({"use_sliding_window": true})),
            "28 full 32 128 128, 2 window 32 128 128 4096",
        ),
        // Absent is not null: the class has a window, null switches it off.
        ("mistral", size(2, 4096, 32), "2 window 8 128 128 4096"),
        ("mistral", and(size(2, 4096, 32), json!({"sliding_window": null})), "2 full 8 128 128"),
        (
            "mistral",
            and(size(2, 4096, 32), json!({"num_key_value_heads": null, "sliding_window": null})),
            "2 full 32 128 128",
        ),
        ("mixtral", size(2, 4096, 32), "2 full 8 128 128"),
        ("starcoder2", size(2, 3072, 24), "2 full 2 128 128"),
        ("seed_oss", size(2, 5120, 80), "2 full 8 128 128"),
        ("glm4", size(2, 4096, 16), "2 full 2 128 128"),
        ("stablelm", size(2, 2560, 32), "2 full 32 80 80"),
        ("smollm3", size(2, 2048, 16), "2 full 4 128 128"),
        ("minimax_m2", size(2, 3072, 48), "2 full 8 128 128"),
        ("olmo3", size(4, 4096, 32), "3 window 32 128 128 4096, 1 full 32 128 128"),
        ("cohere2", size(4, 4096, 32), "3 window 32 128 128 4096, 1 full 32 128 128"),
        ("llama4_text", size(4, 5120, 40), "3 chunk 8 128 128 8192, 1 full 8 128 128"),
        ("llama4_text", and(size(4, 5120, 40), json!({"attention_chunk_size": null})), "4 full 8 128 128"),
        ("falcon", size(2, 4544, 71), "2 full 1 64 64"),
        ("falcon", and(size(2, 4544, 71), json!({"new_decoder_architecture": true})), "2 full 71 64 64"),
        ("gpt_bigcode", json!({}), "12 full 1 64 64"),
        ("deepseek_v3", json!({"num_hidden_layers": 2}), "2 latent 512 64"),
        ("minicpm3", json!({}), "62 latent 256 32"),
        ("lfm2", size(4, 2560, 32), "4 full 8 80 80"),
        ("lfm2", and(size(4, 2560, 32), json!({"full_attn_idxs": [2]})), "3 state 5120 0, 1 full 8 80 80"),
        ("jamba", json!({"num_hidden_layers": 8}), "7 state 24576 131072, 1 full 8 128 128"),
        ("bamba", json!({"num_hidden_layers": 2}), "2 state 26112 2097152"),
        ("falcon_h1", json!({"num_hidden_layers": 1}), "1 full 8 128 128, 1 state 4608 262144"),
        ("recurrent_gemma", json!({"num_hidden_layers": 3}), "2 state 7680 2560, 1 window 10 256 256 2048"),
        // The text part of a model of images is at its defaults where it says nothing.
        ("llama", json!({}), "32 full 32 128 128"),
        // The indexer chooses in the first layers and in every fourth after them.
        ("glm_moe_dsa", json!({"num_hidden_layers": 10, "index_topk_freq": 4}), "10 latent 512 64, 4 index 128 132"),
    ] {
        let config = part(model_type, more);
        let entry = imported(&config).unwrap_or_else(|problems| panic!("{config}: {problems}"));
        assert_eq!(groups(&entry.record["groups"]), expected, "{config}");
    }
}

#[test]
fn what_the_class_sets_is_said_where_it_was_taken() {
    let gemma = json!({
        "model_type": "gemma3", "text_config": {"num_hidden_layers": 6, "hidden_size": 3840, "num_attention_heads": 16},
    });
    let entry = imported(&gemma).expect("its text part is of the text class");
    let assumed = "The config does not say what each layer is; their order is that of the library's class. Not in the \
                   config, and taken as the library's class sets it: `head_dim` 256, `num_key_value_heads` 4, \
                   `sliding_window` 4096.";
    assert_eq!(entry.record["assumed"], assumed);
    assert!(entry.remarks.contains(&format!("assumed: {assumed}")), "{:?}", entry.remarks);
    assert!(!entry.remarks.iter().any(|remark| remark.starts_with("derived")), "{:?}", entry.remarks);

    let llama = bare("llama", json!({"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}));
    let entry = imported(&llama).expect("it is known");
    let note = "the config states no number of KV heads; this is one for each query head; \
                the config states no head width; this is hidden size over heads";
    assert_eq!(entry.record["groups"][0]["note"], note);
    assert_eq!(entry.record.get("assumed"), None);
    assert_eq!(entry.remarks.iter().filter(|remark| remark.starts_with("derived: the config")).count(), 2);
}

#[test]
fn a_key_of_which_no_class_is_known_is_asked_for() {
    let size = json!({"num_hidden_layers": 2, "hidden_size": 2560, "num_attention_heads": 32});
    for (model_type, more, expected) in [
        ("qwen3_moe", json!({}), "`head_dim` is missing"),
        (
            "qwen3_moe",
            json!({"head_dim": 128, "use_sliding_window": true, "sliding_window": 8}),
            "`layer_types` is missing",
        ),
        ("smollm3", json!({"sliding_window": 8, "use_sliding_window": true}), "`layer_types` is missing"),
        ("minimax_m1", json!({"attn_type_list": [1, 1]}), "`num_key_value_heads` is missing"),
        ("minimax_m3", json!({"num_key_value_heads": 4}), "`sparse_attention_config` is missing"),
        ("kimi_k2", json!({}), "`kv_lora_rank` is missing"),
        ("glm_moe_dsa", json!({"index_topk_pattern": "FS"}), "`indexer_types` is missing"),
        ("mimo_v2_flash", json!({}), "`num_key_value_heads` is missing"),
    ] {
        let mut config = part(model_type, more);
        size.as_object().expect("fields").iter().for_each(|(key, value)| config["text_config"][key] = value.clone());
        assert_eq!(imported(&config).err().as_deref(), Some(expected), "{config}");
    }
}

/// Hazard K2: without these a size would be that of the class, whatever the model.
#[test]
fn a_whole_config_states_its_sizes() {
    for (model_type, without) in [
        ("llama", "num_hidden_layers"),
        ("llama", "num_attention_heads"),
        ("llama", "hidden_size"),
        ("mistral", "num_key_value_heads"),
        ("mistral", "sliding_window"),
        ("qwen2", "num_key_value_heads"),
        ("gemma", "head_dim"),
        ("deepseek_v3", "kv_lora_rank"),
        ("gemma3n_text", "num_kv_shared_layers"),
        ("llama4_text", "attention_chunk_size"),
    ] {
        let needed = json!({
            "num_hidden_layers": 20, "num_attention_heads": 32,
            "head_dim": if model_type == "llama" { Value::Null } else { json!(16) }, "sliding_window": 8, "kv_lora_rank": 512,
            "qk_rope_head_dim": 64, "num_kv_shared_layers": 0, "attention_chunk_size": 8, "index_head_dim": null,
        });
        let mut config = small(model_type, needed);
        if model_type != "deepseek_v3" {
            config["kv_lora_rank"] = Value::Null;
        }
        if model_type != "gemma3n_text" {
            config["num_kv_shared_layers"] = Value::Null;
        }
        assert!(imported(&config).is_ok(), "{config}");
        config.as_object_mut().expect("an object").remove(without);
        assert_eq!(imported(&config).err().as_deref(), Some(&*format!("`{without}` is missing")), "{config}");
        let text = json!({"model_type": "images", "text_config": config});
        assert!(imported(&text).is_ok(), "{text}");
    }
}

/// What no cache depends on may be left out of a whole config too.
#[test]
fn a_size_that_no_cache_depends_on_may_be_left_out() {
    let latent = bare("deepseek_v3", json!({"num_hidden_layers": 2, "kv_lora_rank": 512, "qk_rope_head_dim": 64}));
    let entry = imported(&latent).expect("it has what its cache depends on");
    assert_eq!((entry.record.get("attention_heads"), entry.record.get("hidden_size")), (None, None));
    assert!(entry.remarks.iter().any(|remark| remark == "not stated: attention heads"), "{:?}", entry.remarks);
}

#[test]
fn a_window_of_a_class_that_has_none_is_passed_over_and_said_to_be() {
    let entry = imported(&small("llama", json!({"sliding_window": 100}))).expect("it is read");
    assert_eq!(groups(&entry.record["groups"]), "4 full 4 16 16");
    let assumed = "In the config, and passed over as the library's class passes it over: `sliding_window`.";
    assert_eq!(entry.record["assumed"], assumed);
    let types = json!(["full_attention", "sliding_attention", "full_attention", "full_attention"]);
    assert_eq!(
        imported(&small("llama", json!({"sliding_window": 100, "layer_types": types}))).err().as_deref(),
        Some("`layer_types`: the class has no windows, and `sliding_attention` is not known here")
    );
    let off = imported(&small("llama", json!({"sliding_window": null}))).expect("it is read");
    assert_eq!(off.record.get("assumed"), None);
}

#[test]
fn classes_are_those_of_known_architectures() {
    let classes: Vec<_> = defaults::architectures().collect();
    for name in &classes {
        assert!(ARCHITECTURES.iter().any(|(known, _)| known == name), "{name}");
        let keys = defaults::of(name);
        assert!(
            !keys.is_empty()
                && keys.iter().all(|(_, usual)| !matches!(usual, defaults::Usual::Word(word) if *word != "auto")),
            "{name}"
        );
    }
    // Their readers ask for all that they need.
    let without = ["internlm2", "kimi_k2", "kimi_linear", "mimo_v2_flash", "nemotron-nas"];
    let missing = ARCHITECTURES.iter().map(|(name, _)| *name).filter(|name| !classes.contains(name));
    assert_eq!(missing.collect::<Vec<_>>(), without);
}
