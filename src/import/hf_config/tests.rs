//! Configs in a few words, and the layer groups that they mean.

mod defaults;
mod latent;

use super::*;

/// An entry as its file holds it.
struct Entry {
    id: String,
    record: Value,
    remarks: Vec<String>,
}

fn imported(config: &Value) -> Result<Entry, String> {
    let file = Foreign { name: "Some/Model".to_owned(), ..Foreign::of("Some--Model_config.json", config.to_string()) };
    let mut report = Report::new();
    let read = HfConfig.read(&file, &mut report).and_then(|mut content| content.records.pop());
    let made = read.filter(|record| record.fits(&mut report));
    made.map(|made| Entry {
        record: serde_json::from_str(&made.files[0].text).expect("it is JSON"),
        id: made.id,
        remarks: made.remarks,
    })
    .ok_or_else(|| report.diagnostics().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; "))
}

/// `layers kind field field…` of each group, in its order; notes are left out.
fn groups(list: &Value) -> String {
    let group = |group: &Value| {
        let fields = [
            "kv_heads",
            "k_dim",
            "v_dim",
            "dim",
            "rope_dim",
            "entry_bytes",
            "conv_elements",
            "recurrent_elements",
            "state_bytes",
            "window",
            "stride",
            "source_tokens",
            "shares_with",
        ];
        let fields = fields.iter().filter_map(|field| group.get(*field)).map(|value| format!(" {value}"));
        format!("{} {}{}", group["layers"], group["kind"].as_str().unwrap_or_default(), fields.collect::<String>())
    };
    list.as_array().map(|list| list.iter().map(group).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

/// An attention of 4 layers, hidden size 64, 4 heads of 16; then what the config says on top.
fn small(model_type: &str, more: Value) -> Value {
    let mut config = json!({
        "model_type": model_type, "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
        "num_key_value_heads": 4, "head_dim": 16, "max_position_embeddings": 1000,
    });
    more.as_object().expect("fields").iter().for_each(|(key, value)| config[key] = value.clone());
    config
}

#[test]
fn a_head_width_that_is_not_stated_is_derived_and_said_to_be() {
    let wide = |more: Value| {
        let heads = json!({"hidden_size": 5120, "num_attention_heads": 64, "num_key_value_heads": 8});
        let mut config = small("olmo2", heads);
        more.as_object().expect("fields").iter().for_each(|(key, value)| config[key] = value.clone());
        imported(&config).expect("it is read").record["groups"][0].clone()
    };
    let (stated, derived) = (wide(json!({"head_dim": 128})), wide(json!({"head_dim": null})));
    assert_eq!((&stated["k_dim"], &stated["note"]), (&json!(128), &Value::Null));
    assert_eq!(derived["k_dim"], 80);
    assert!(derived["note"].as_str().is_some_and(|note| note.contains("hidden size over heads")), "{derived}");
}

#[test]
fn every_kind_of_config_gives_its_groups() {
    for (model_type, more, expected) in [
        ("llama", json!({}), "4 full 4 16 16"),
        ("llama", json!({"num_key_value_heads": 2, "head_dim": 32}), "4 full 2 32 32"),
        // Fields that change a cache elsewhere, and say here that they do not.
        (
            "llama",
            json!({
                "architectures": ["LlamaForCausalLM"], "kv_lora_rank": null, "num_kv_shared_layers": 0,
                "layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"],
            }),
            "4 full 4 16 16",
        ),
        ("minimax_m2", json!({"attn_type_list": [1, 1, 1, 1]}), "4 full 4 16 16"),
        ("qwen3", json!({"num_key_value_heads": null, "head_dim": null}), "4 full 4 16 16"),
        // A window that is off, one that no context reaches, and one that is on from a layer on.
        ("qwen2", json!({"sliding_window": 100, "use_sliding_window": false}), "4 full 4 16 16"),
        ("phi3", json!({"sliding_window": 2000}), "4 full 4 16 16"),
        ("mistral", json!({"sliding_window": 100}), "4 window 4 16 16 100"),
        // Only the classes that have a switch and a first layer of the window read them.
        ("mistral", json!({"sliding_window": 100, "use_sliding_window": false}), "4 window 4 16 16 100"),
        ("mixtral", json!({"sliding_window": 100, "max_window_layers": 3}), "4 window 4 16 16 100"),
        ("phi3", json!({"sliding_window": 100, "max_window_layers": 3}), "4 window 4 16 16 100"),
        ("starcoder2", json!({"sliding_window": 100, "use_sliding_window": false}), "4 window 4 16 16 100"),
        (
            "qwen2",
            json!({"sliding_window": 100, "use_sliding_window": true, "max_window_layers": 3}),
            "3 full 4 16 16, 1 window 4 16 16 100",
        ),
        ("hunyuan_v1_moe", json!({"use_cla": false, "cla_share_factor": 2}), "4 full 4 16 16"),
        ("falcon", json!({"multi_query": true, "num_kv_heads": 71}), "4 full 1 16 16"),
        ("falcon", json!({"multi_query": true, "new_decoder_architecture": true, "num_kv_heads": 2}), "4 full 2 16 16"),
        ("gpt_bigcode", json!({"multi_query": false}), "4 full 4 16 16"),
        ("gpt2", json!({"num_attention_heads": null, "n_layer": 2, "n_head": 5, "n_embd": 50}), "2 full 5 10 10"),
        ("gemma2", json!({"sliding_window": 100, "head_dim": 16}), "2 window 4 16 16 100, 2 full 4 16 16"),
        (
            "cohere2",
            json!({"sliding_window": 100, "sliding_window_pattern": 2}),
            "2 window 4 16 16 100, 2 full 4 16 16",
        ),
        ("gemma3_text", json!({"num_hidden_layers": 7, "sliding_window": 100}), "6 window 4 16 16 100, 1 full 4 16 16"),
        (
            "gpt_oss",
            json!({"sliding_window": 8, "layer_types": ["full_attention", "sliding_attention", "full_attention", "full_attention"]}),
            "3 full 4 16 16, 1 window 4 16 16 8",
        ),
        (
            "gemma3n_text",
            json!({
                "sliding_window": 8, "num_kv_shared_layers": 2,
                "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"],
            }),
            "1 window 4 16 16 8, 1 full 4 16 16, 1 shared 0, 1 shared 1",
        ),
        (
            "gemma4_text",
            json!({
                "sliding_window": 8, "head_dim": 32, "global_head_dim": 64, "num_global_key_value_heads": 1,
                "attention_k_eq_v": true,
                "layer_types": ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"],
            }),
            "3 window 4 32 32 8, 1 full 1 64 64",
        ),
        ("llama4_text", json!({"attention_chunk_size": 8}), "3 chunk 4 16 16 8, 1 full 4 16 16"),
        (
            "llama4_text",
            json!({"attention_chunk_size": 8, "no_rope_layers": [1, 0, 1, 0]}),
            "2 chunk 4 16 16 8, 2 full 4 16 16",
        ),
        (
            "mimo_v2_flash",
            json!({
                "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "swa_num_key_value_heads": 8,
                "swa_head_dim": 192, "swa_v_head_dim": 128, "sliding_window": 128, "hybrid_layer_pattern": [0, 1, 1, 0],
            }),
            "2 full 4 192 128, 2 window 8 192 128 128",
        ),
        (
            "nemotron-nas",
            json!({"block_configs": [
                {"attention": {"n_heads_in_group": 2, "no_op": false}},
                {"attention": {"n_heads_in_group": null, "no_op": true}},
                {"attention": {"n_heads_in_group": 4}},
                {"attention": {"n_heads_in_group": 2}},
            ]}),
            "2 full 2 16 16, 1 none, 1 full 1 16 16",
        ),
        (
            "whisper",
            json!({"decoder_layers": 2, "decoder_attention_heads": 4, "d_model": 64, "max_source_positions": 1500}),
            "2 full 4 16 16, 2 cross 4 16 16 1500",
        ),
        (
            "deepseek_v3",
            json!({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "num_key_value_heads": 4}),
            "4 latent 512 64",
        ),
        (
            "deepseek_v32",
            json!({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128}),
            "4 latent 512 64, 4 index 128 132",
        ),
        (
            "glm_moe_dsa",
            json!({
                "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128,
                "indexer_types": ["full", "shared", "shared", "full"],
            }),
            "4 latent 512 64, 2 index 128 132",
        ),
        (
            "deepseek_v4",
            json!({
                "head_dim": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "sliding_window": 128,
                "compress_ratios": [0, 4, 128, 4, 0],
            }),
            "4 latent 448 64 128, 2 latent 448 64 4, 2 compressor 65536, 2 index 128 132 4, 2 compressor 16384, \
             1 latent 448 64 128, 1 compressor 524288",
        ),
        (
            "qwen3_next",
            json!({
                "full_attention_interval": 4, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
                "linear_num_value_heads": 48, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4,
            }),
            "3 state 30720 786432, 1 full 4 16 16",
        ),
        (
            "kimi_linear",
            json!({
                "kv_lora_rank": 512, "qk_rope_head_dim": 64, "linear_attn_config": {
                    "num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4, "full_attn_layers": [4],
                },
            }),
            "3 state 36864 524288, 1 latent 512 64",
        ),
        (
            "nemotron_h",
            json!({
                "hybrid_override_pattern": "M-M*", "head_dim": null, "attention_head_dim": 32, "mamba_num_heads": 256, "mamba_head_dim": 64,
                "n_groups": 8, "ssm_state_size": 256, "conv_kernel": 4, "time_step_limit": [0.0, null],
            }),
            "2 state 61440 4194304, 1 none, 1 full 4 32 32",
        ),
        (
            "falcon_h1",
            json!({
                "mamba_n_heads": 24, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4,
            }),
            "4 full 4 16 16, 4 state 5376 196608",
        ),
        (
            "bamba",
            json!({
                "attn_layer_indices": [1], "mamba_n_heads": 8, "mamba_d_head": "auto", "mamba_expand": 2,
                "mamba_n_groups": 1, "mamba_d_state": 16, "mamba_d_conv": 4,
            }),
            "3 state 480 2048, 1 full 4 16 16",
        ),
        // Mamba fields in a model that attends in every layer.
        (
            "granitemoehybrid",
            json!({"layer_types": ["attention", "attention", "attention", "attention"], "mamba_n_heads": 8}),
            "4 full 4 16 16",
        ),
        (
            "jamba",
            json!({
                "attn_layer_period": 4, "attn_layer_offset": 2, "mamba_expand": 2, "mamba_d_conv": 4, "mamba_d_state": 16,
            }),
            "3 state 384 2048, 1 full 4 16 16",
        ),
        // An inner width that is stated goes before `expand`.
        (
            "falcon_mamba",
            json!({"intermediate_size": 128, "expand": 16, "conv_kernel": 4, "state_size": 16}),
            "4 state 384 2048",
        ),
        ("minimax_m1", json!({"head_dim": 16, "attn_type_list": [0, 0, 0, 1]}), "3 state 0 1024, 1 full 4 16 16"),
        (
            "minimax_m3",
            json!({"sparse_attention_config": {
                "sparse_index_dim": 128, "sparse_num_index_heads": 4, "sparse_attention_freq": [0, 1, 1, 1],
            }}),
            "4 full 4 16 16, 3 index 128 256",
        ),
        // A list that is longer than the model.
        (
            "lfm2",
            json!({"conv_L_cache": 3, "layer_types": ["conv", "conv", "full_attention", "conv", "conv"]}),
            "3 state 128 0, 1 full 4 16 16",
        ),
        (
            "recurrent_gemma",
            json!({
                "lru_width": 32, "conv1d_width": 4, "attention_window_size": 8, "num_key_value_heads": 1,
                "block_types": ["recurrent", "recurrent", "attention"],
            }),
            "3 state 96 32, 1 window 1 16 16 8",
        ),
    ] {
        let config = small(model_type, more);
        let imported = imported(&config).unwrap_or_else(|problems| panic!("{config}: {problems}"));
        assert_eq!(groups(&imported.record["groups"]), expected, "{config}");
    }
}

#[test]
fn every_architecture_has_a_place_of_its_own() {
    let names: Vec<_> = ARCHITECTURES.iter().map(|(name, _)| *name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted, "in order, each once");
}

#[test]
fn what_is_not_stated_is_refused_and_not_guessed() {
    for (model_type, more, expected) in [
        ("qwen4", json!({}), "the architecture `qwen4` is not known, and its cache is not guessed"),
        ("llama", json!({"num_attention_heads": null, "head_dim": null}), "`num_attention_heads` is missing"),
        (
            "llama",
            json!({"num_hidden_layers": "4"}),
            "`num_hidden_layers`: expected a whole number below 2^32, found \"\"4\"\"",
        ),
        (
            "llama",
            json!({"num_hidden_layers": 4_000_000_000_u64}),
            "`num_hidden_layers`: expected 1 to 10000 layers, found 4000000000",
        ),
        (
            "llama",
            json!({"hidden_size": u64::MAX}),
            "`hidden_size`: expected a whole number below 2^32, found \"18446744073709551615\"",
        ),
        (
            "llama",
            json!({"num_attention_heads": 3, "head_dim": null}),
            "`head_dim` is missing, and 64 over 3 heads is not whole",
        ),
        (
            "llama",
            json!({"num_key_value_heads": 8}),
            "`num_key_value_heads`: 4 query heads do not share 8 KV heads evenly",
        ),
        (
            "mistral",
            json!({"num_key_value_heads": 3}),
            "`num_key_value_heads`: 4 query heads do not share 3 KV heads evenly",
        ),
        (
            "hunyuan_v1_moe",
            json!({"use_cla": true}),
            "`use_cla` changes what a cache holds, and is not known of `hunyuan_v1_moe`",
        ),
        (
            "llama",
            json!({"kv_lora_rank": 512}),
            "`kv_lora_rank` changes what a cache holds, and is not known of `llama`",
        ),
        (
            "qwen3",
            json!({"layer_types": ["full_attention", "linear_attention", "full_attention", "full_attention"]}),
            "`layer_types` changes what a cache holds, and is not known of `qwen3`",
        ),
        (
            "qwen3",
            json!({"num_kv_shared_layers": 1}),
            "`num_kv_shared_layers` changes what a cache holds, and is not known of `qwen3`",
        ),
        (
            "deepseek_v3",
            json!({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128}),
            "`index_head_dim` changes what a cache holds, and is not known of `deepseek_v3`",
        ),
        (
            "minimax_m2",
            json!({"attn_type_list": [1, 0, 1, 1]}),
            "`attn_type_list` changes what a cache holds, and is not known of `minimax_m2`",
        ),
        (
            "llama",
            json!({"architectures": ["LlamaForCausalLMEagle3"]}),
            "the class `LlamaForCausalLMEagle3` is not known for `llama`, and its cache is not guessed",
        ),
        (
            "llama",
            json!({"architectures": ["DeepseekV3ForCausalLM"]}),
            "the class `DeepseekV3ForCausalLM` is not known for `llama`, and its cache is not guessed",
        ),
        ("step3p7", json!({"sliding_window": 8}), "`layer_types` is missing"),
        (
            "gpt_oss",
            json!({"layer_types": ["full_attention"]}),
            "`layer_types`: expected an item for each of 4 layers, found 1",
        ),
        ("gpt_oss", json!({"layer_types": ["full_attention", "a", "b", "c"]}), "`layer_types`: `a` is not known here"),
        (
            "kimi_linear",
            json!({"kv_lora_rank": 1, "qk_rope_head_dim": 1, "linear_attn_config": {
                "num_heads": 1, "head_dim": 1, "short_conv_kernel_size": 4, "full_attn_layers": [0],
            }}),
            "`full_attn_layers`: expected layers from 1 to 4",
        ),
        (
            "lfm2",
            json!({"full_attn_idxs": [2, 4], "conv_L_cache": 3}),
            "`full_attn_idxs`: expected layers from 0 to 3, found 4",
        ),
        (
            "jamba",
            json!({"attn_layer_period": 4, "attn_layer_offset": 4, "mamba_expand": 2, "mamba_d_conv": 4, "mamba_d_state": 16}),
            "`attn_layer_offset`: expected less than the period of 4, found 4",
        ),
    ] {
        let config = small(model_type, more);
        assert_eq!(imported(&config).err().as_deref(), Some(expected), "{config}");
    }
}

#[test]
fn the_text_model_counts_and_drafts_stand_apart() {
    let text = json!({
        "model_type": "qwen3_5_text", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
        "head_dim": 32, "full_attention_interval": 4, "mtp_num_hidden_layers": 1, "linear_num_key_heads": 1,
        "linear_key_head_dim": 8, "linear_num_value_heads": 1, "linear_value_head_dim": 8, "linear_conv_kernel_dim": 4,
    });
    let config = json!({"model_type": "qwen3_5", "text_config": text, "vision_config": {"num_hidden_layers": 99}});
    let entry = imported(&config).expect("it is known");
    assert_eq!(groups(&entry.record["groups"]), "3 state 72 64, 1 full 4 32 32");
    assert_eq!(groups(&entry.record["draft_groups"]), "1 full 4 32 32");
    let record = &entry.record;
    let (name, developer) = (&record["names"][0], &record["developer"]);
    assert_eq!(
        (entry.id.as_str(), &record["title"], name, developer),
        ("model", &json!("Model"), &json!("Some/Model"), &json!("Some"))
    );
    assert!(entry.remarks.iter().any(|remark| remark.contains("max context tokens")), "{:?}", entry.remarks);

    let glm = small(
        "glm_moe_dsa",
        json!({
            "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "num_nextn_predict_layers": 1,
        }),
    );
    let entry = imported(&glm).expect("it is known");
    assert_eq!(groups(&entry.record["draft_groups"]), "1 latent 512 64, 1 index 128 132");
    assert!(entry.record.get("shape").is_none(), "the class has experts where the config is silent");
    let entry = imported(&small("llama", json!({}))).expect("it is known");
    assert_eq!(entry.record["shape"], "dense");
    let entry = imported(&small("mixtral", json!({"num_local_experts": 8}))).expect("it is known");
    assert_eq!(entry.record["shape"], "moe");

    // Where the model's own layers differ, what its draft layers keep is not known.
    let step = small(
        "step3p7",
        json!({
            "sliding_window": 8, "num_nextn_predict_layers": 3,
            "layer_types": ["full_attention", "sliding_attention", "sliding_attention", "sliding_attention"],
        }),
    );
    let other = json!({"attention_other_setting": {"num_attention_groups": 1, "head_dim": 64}});
    let mut narrow = step.clone();
    narrow.as_object_mut().expect("it is an object").extend(other.as_object().cloned().unwrap_or_default());
    let windows = groups(&imported(&narrow).expect("it is known").record["groups"]);
    assert!(windows.contains("window 1 64 64"), "{windows}");
    let entry = imported(&step).expect("it is known");
    assert!(entry.record.get("draft_groups").is_none());
    assert!(entry.remarks.iter().any(|remark| remark.contains("3 draft layers")), "{:?}", entry.remarks);
}

#[test]
fn what_the_library_says_and_not_the_file_is_marked_assumed() {
    for (model_type, more, assumed) in [
        ("llama4_text", json!({"attention_chunk_size": 8}), true),
        ("llama4_text", json!({"attention_chunk_size": 8, "no_rope_layer_interval": 2}), false),
        ("cohere2", json!({"sliding_window": 100}), true),
        ("cohere2", json!({"sliding_window": 100, "sliding_window_pattern": 4}), false),
        ("qwen2", json!({"sliding_window": 100, "use_sliding_window": false}), false),
        ("qwen2", json!({"sliding_window": null}), false),
        ("phi3", json!({"sliding_window": 100, "max_window_layers": 3}), true),
        ("phi3", json!({"sliding_window": 100}), false),
    ] {
        let config = small(model_type, more);
        let entry = imported(&config).expect("it is known");
        assert_eq!(entry.record.get("assumed").is_some(), assumed, "{config}");
    }
}

#[test]
fn classes_are_known_by_the_name_of_their_architecture() {
    for (model_type, class, expected) in [
        ("llama", "LlamaForCausalLM", true),
        ("llama", "LLaMAForCausalLM", true),
        ("mistral", "MistralModel", true),
        ("llama", "LlamaForCausalLMEagle", false),
        ("llama", "Llama", false),
        ("llama", "Llama4ForCausalLM", false),
        ("gpt2", "GPT2LMHeadModel", true),
        ("gpt_neox", "GPTNeoXForCausalLM", true),
        ("qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration", true),
        ("qwen3_5_moe_text", "Qwen3_5MoeForConditionalGeneration", true),
        ("gemma3_text", "Gemma3TextModel", true),
        ("minimax_m3_vl", "MiniMaxM3SparseForConditionalGeneration", true),
        ("kimi_k2", "DeepseekV3ForCausalLM", true),
        ("deepseek_v3", "KimiK2ForCausalLM", false),
        ("nemotron-nas", "DeciLMForCausalLM", true),
        ("hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", true),
    ] {
        let text = json!({"model_type": model_type, "architectures": [class]}).to_string();
        let file = Foreign::of("config.json", text);
        let json = Json::read(&file, &mut Report::new()).expect("it is JSON");
        assert_eq!(strange::class(&Config::whole_file(&json)).is_ok(), expected, "{model_type} {class}");
    }
}
