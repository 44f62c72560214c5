//! Other tools' files as content: what is made of them, and what is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Map, Value, json};

use crate::program::{Site, skip};

const LLAMA: &str = r#"{
  "architectures": ["LlamaForCausalLM"],
  "model_type": "llama",
  "num_hidden_layers": 80,
  "num_attention_heads": 64,
  "num_key_value_heads": 8,
  "hidden_size": 8192,
  "max_position_embeddings": 131072,
  "rms_norm_eps": NaN
}
"#;

#[test]
fn a_config_becomes_a_model_entry_that_a_site_takes() {
    let site = Site::new().file("meta-llama--Llama-3.1-70B/config.json", LLAMA);
    let outcome = site.ask(&["import", "meta-llama--Llama-3.1-70B/config.json"]).good();
    assert_eq!(
        outcome.stdout,
        "content/models/llama-3-1-70b.json made of config.json\n  \
         title and names are those of the file: `meta-llama/Llama-3.1-70B`\n  \
         derived: the config states no head width; this is hidden size over heads\n  \
         not known: the size of the weights, and the KV dtype, which is the server's to choose\n"
    );
    site.ask(&["build", "--deny-warnings"]).good();
    let record = &site.json("public/models/llama-3-1-70b.json")["record"];
    assert_eq!(record["names"], json!(["meta-llama/Llama-3.1-70B"]));
    assert_eq!(record["developer"], "meta-llama");
    let figures = site.json("public/models/llama-3-1-70b.json")["figures"].clone();
    let marginal = figures.as_array().expect("a list").iter().find(|figure| figure["id"] == "kv_bytes_per_token");
    assert_eq!(marginal.expect("it is there")["value"], 327_680);
}

#[test]
fn what_cannot_be_imported_is_refused_and_nothing_is_written() {
    let unknown = r#"{"architectures": ["X"], "model_type": "qwen4", "num_hidden_layers": 2}"#;
    let site = Site::new().file("good.json", LLAMA).file("unknown.json", unknown).file("other.json", "[1, 2]");
    site.write("words.txt", "words");
    let refused: [(&[&str], i32, &[&str]); 7] = [
        (&["import", "good.json", "unknown.json"], 1, &["import/config", "unknown.json:1:", "qwen4", "known: bamba"]),
        (&["import", "other.json"], 1, &["import/unknown", "hf-config", "--format"]),
        (&["import", "other.json", "--format", "hf-config"], 1, &["`model_type` is missing"]),
        (&["import", "good.json", "--format", "hf"], 2, &["no format `hf`", "hf-config"]),
        (&["import", "nowhere.json"], 3, &["nowhere.json", "cannot be read"]),
        (&["import"], 2, &["FILE"]),
        (&["import", "words.txt", "--format", "hf-config"], 1, &["json/syntax"]),
    ];
    for (arguments, exit, words) in refused {
        site.ask(arguments).ended(exit, words);
        assert!(!site.path("content/models").exists(), "{arguments:?}");
    }
}

#[test]
fn a_refused_file_says_how_much_it_holds_back() {
    let site = Site::new().file("in/a.json", LLAMA).file("in/b.json", LLAMA).file("in/cut.json", &LLAMA[..200]);
    let words = ["cut.json", "nothing is written, though 2 other results could be imported", "help: leave out"];
    site.ask(&["import", "in/a.json", "in/b.json", "in/cut.json"]).refused(&words);
    let alone = site.ask(&["import", "in/cut.json"]).refused(&["cut.json"]);
    assert!(!alone.stderr.contains("nothing is written"), "{}", alone.stderr);
    assert!(!site.path("content/models/a.json").exists());
}

#[test]
fn a_format_that_a_file_is_not_of_makes_nothing_of_it() {
    let result = r#"{"model_id": "m", "num_prompts": 2, "completed": 2, "duration": 2.0, "median_ttft_ms": 5.0}"#;
    let site = Site::new().file("words.txt", "words: 1\n").file("table.csv", "a,b\n1,2\n").file("result.json", result);
    site.write("import.toml", "published = \"2026-11-05\"\n[hardware]\naccelerator = \"L4\"\ncount = 1\n[model]\nname = \"m\"\n[software]\nengine = \"e\"\n");
    let formats = site.ask(&["import", "--list"]).good().stdout;
    for format in formats.lines().filter_map(|line| line.split_whitespace().next()) {
        for file in ["words.txt", "table.csv", "result.json"] {
            if (format, file) != ("vllm-serve", "result.json") {
                site.ask(&["import", file, "--format", format]).refused(&[file]);
            }
        }
    }
    let looks = ["result.json", "nothing in it is of mlperf", "it looks like vllm-serve"];
    site.ask(&["import", "result.json", "--format", "mlperf"]).refused(&looks);
    site.ask(&["import", "words.txt", "--format", "llama-bench"]).refused(&["llama-bench", "not recognised"]);
}

#[test]
fn a_record_that_is_there_is_never_overwritten() {
    let site = Site::new().file("good.json", LLAMA).file("better.json", LLAMA).file("content/models/good.json", "mine");
    site.ask(&["import", "better.json", "good.json"]).ended(2, &["content/models/good.json", "is there already"]);
    assert_eq!(site.read("content/models/good.json"), "mine");
    assert!(!site.path("content/models/better.json").exists(), "none of them is added");
}

#[test]
fn records_go_where_they_are_asked_to() {
    let site = Site::new().file("good.json", LLAMA);
    site.ask(&["import", "good.json", "--into", "elsewhere/models"]).good();
    assert!(site.read("elsewhere/models/good.json").contains("\"kv_heads\": 8"));
    site.ask(&["import", "-C", "elsewhere", "good.json"]).good();
    assert!(site.path("elsewhere/content/models/good.json").exists());
}

fn shared(test: &str) -> Option<PathBuf> {
    let folder = env::var_os("RESULTS_SITE_SHARED").map(PathBuf::from);
    if folder.is_none() {
        skip(test, "RESULTS_SITE_SHARED is not set");
    }
    folder
}

fn rows(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("data/kv_geometry.json")).expect("the rows are there");
    let mut collected: Value = serde_json::from_str(&text).expect("it is JSON");
    serde_json::from_value(collected["rows"].take()).expect("rows are a list")
}

/// Configs of strangers, with the row that has the same geometry.
const CORPUS: [(&str, &str); 10] = [
    ("002-meta-llama-meta-llama-3.1-70b", "meta-llama/Meta-Llama-3.1-70B"),
    ("003-qwen-qwen3-30b-a3b-fp8", "Qwen/Qwen3-30B-A3B"),
    ("004-deepseek-ai-deepseek-r1", "deepseek-ai/DeepSeek-V3"),
    ("005-openai-gpt-oss-120b", "openai/gpt-oss-120b"),
    ("006-qwen-qwen3.5-27b", "Qwen/Qwen3.5-27B"),
    ("008-nvidia-nemotron-h-56b-base-8k", "nvidia/Nemotron-H-56B-Base-8K"),
    ("009-meta-llama-llama-4-scout-17b-16e-instruct", "meta-llama/Llama-4-Maverick-17B-128E-Instruct"),
    ("010-moonshotai-kimi-k2-instruct", "moonshotai/Kimi-K2-Instruct"),
    ("011-deepseek-ai-deepseek-v4-flash", "deepseek-ai/DeepSeek-V4-Flash"),
    ("012-nvidia-llama-3-3-nemotron-super-49b-v1", "nvidia/Llama-3_3-Nemotron-Super-49B-v1"),
];

#[test]
fn configs_of_strangers_give_the_collected_geometry() {
    let Some(folder) = shared("configs of strangers") else { return };
    let rows = rows(&folder);
    let site = Site::new();
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder.join("corpus/hf-config")).expect("the corpus is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        site.write(&format!("{name}.json"), fs::read(&path).expect("it can be read"));
        names.push(name);
    }
    let files: Vec<String> = names.iter().map(|name| format!("{name}.json")).collect();
    let arguments: Vec<&str> = std::iter::once("import").chain(files.iter().map(String::as_str)).collect();
    site.ask(&arguments).good();
    site.ask(&["check", "--deny-warnings"]).good();
    for (name, id) in CORPUS {
        assert!(names.iter().any(|found| found == name), "{name} is gone");
        let row = rows.iter().find(|row| row["id"] == id).expect("the row is there");
        assert_eq!(groups_of_record(&entry(&site, name)), groups_of_row(row), "{name}");
    }
    // Gemma 4 26B has no row: 0.40 GB at 4,096 tokens, 3.00 at 131,072 with its windows (ollama pull 16958).
    let gemma = groups_of_record(&entry(&site, "007-google-gemma-4-26b-a4b"));
    assert_eq!(gemma.into_values().collect::<Vec<_>>(), [25, 5]);
}

/// The facts of the rows are fields of configs, so a config can be made of them again.
#[test]
fn the_facts_of_the_rows_give_their_groups() {
    let Some(folder) = shared("the facts of the rows") else { return };
    let rows = rows(&folder);
    let site = Site::new();
    let mut compared = Vec::new();
    for (position, row) in rows.iter().enumerate() {
        if let Some(config) = config_of(row) {
            let name = format!("row-{position}");
            site.write(&format!("{name}.json"), config.to_string());
            site.ask(&["import", &format!("{name}.json"), "--format", "hf-config"]).good();
            compared.push((name, row));
        }
    }
    for (name, row) in &compared {
        assert_eq!(groups_of_record(&entry(&site, name)), groups_of_row(row), "{}", row["id"]);
    }
    assert!(compared.len() >= 100, "{} of {} rows", compared.len(), rows.len());
}

fn entry(site: &Site, name: &str) -> Value {
    site.json(&format!("content/models/{}.json", name.replace('.', "-")))
}

/// A config with the facts of a row; `None` where they are not those of a config.
fn config_of(row: &Value) -> Option<Value> {
    let id = row["id"].as_str().expect("a row has an id");
    let mut facts: Map<String, Value> =
        row["facts"].as_object()?.iter().map(|(name, value)| (name.clone(), expanded(value))).collect();
    let model_type = match row["rule"].as_str().expect("a row has a rule") {
        "uniform" => "llama",
        "uniform_window" => "mistral",
        "layer_types" if id.contains("MiMo-V2") => {
            let types = facts.remove("layer_types")?;
            let pattern = types.as_array()?.iter().map(|kind| json!(u64::from(*kind == "sliding_attention")));
            facts.insert("hybrid_layer_pattern".to_owned(), pattern.collect());
            "mimo_v2_flash"
        }
        "layer_types" if id.contains("gemma-4") => "gemma4_text",
        "layer_types" if id.contains("lmo-3") => "olmo3",
        "layer_types" => "gpt_oss",
        "chunked" => "llama4_text",
        "compressed" => "deepseek_v4",
        "gdn" => "qwen3_5_text",
        "mla" if id.contains("LongCat") => {
            rename(&mut facts, "num_hidden_layers", "num_layers");
            "longcat_flash"
        }
        "mla" => "deepseek_v3",
        "mla_index" => "glm_moe_dsa",
        "mamba1" if id.contains("amba-2.8b") => return None,
        "mamba1" => "jamba",
        "mamba2" if id.contains("Nemotron") => {
            // One states its head width under a name that is no fact of its row; it is hidden size over heads.
            facts.entry("head_dim").or_insert(Value::Null);
            "nemotron_h"
        }
        "mamba2" => {
            for (from, to) in [
                ("mamba_num_heads", "mamba_n_heads"),
                ("mamba_head_dim", "mamba_d_head"),
                ("ssm_state_size", "mamba_d_state"),
                ("n_groups", "mamba_n_groups"),
                ("conv_kernel", "mamba_d_conv"),
                ("layers_block_type", "layer_types"),
            ] {
                rename(&mut facts, from, to);
            }
            if id.contains("Bamba") { "bamba" } else { "falcon_h1" }
        }
        "lightning" => "minimax_m1",
        "shortconv" => "lfm2",
        "rglru" => {
            rename(&mut facts, "block_pattern", "block_types");
            "recurrent_gemma"
        }
        "kda" => {
            rename(&mut facts, "linear_num_heads", "num_heads");
            rename(&mut facts, "linear_head_dim", "head_dim");
            facts.insert("linear_attn_config".to_owned(), Value::Object(facts.clone()));
            "kimi_linear"
        }
        "gqa_index" => {
            facts.insert("sparse_attention_config".to_owned(), Value::Object(facts.clone()));
            "minimax_m3"
        }
        // Other names than a config has, or a geometry that the engine and not the config decides.
        _ => return None,
    };
    facts.insert("model_type".to_owned(), json!(model_type));
    Some(Value::Object(facts))
}

fn rename(facts: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = facts.remove(from) {
        facts.insert(to.to_owned(), value);
    }
}

/// A run-length encoded list as a list an item a layer.
fn expanded(value: &Value) -> Value {
    let Some(runs) = value.as_array() else { return value.clone() };
    let items = runs.iter().flat_map(|run| match run.as_array().map(Vec::as_slice) {
        Some([item, Value::Number(times)]) => {
            let times = times.as_u64().expect("a run has a length");
            (0..times).map(|_| item.clone()).collect()
        }
        _ => vec![run.clone()],
    });
    items.collect()
}

/// Layers by what they keep, alike ones together; layers that keep nothing are left out.
fn groups_of_record(record: &Value) -> BTreeMap<String, u64> {
    let groups = record["groups"].as_array().expect("a record has groups");
    let mut found = BTreeMap::new();
    for group in groups.iter().filter(|group| group["kind"] != "none") {
        let mut fields: BTreeMap<&str, &Value> =
            group.as_object().expect("a group is an object").iter().map(|(key, value)| (key.as_str(), value)).collect();
        fields.remove("note");
        let layers = fields.remove("layers").and_then(Value::as_u64).expect("a group has layers");
        let reads = fields
            .remove("shares_with")
            .map(|owner| groups[owner.as_u64().expect("an index") as usize]["kind"].clone());
        *found.entry(format!("{fields:?} {reads:?}")).or_default() += layers;
    }
    found
}

/// The same of a row, in our words.
fn groups_of_row(row: &Value) -> BTreeMap<String, u64> {
    let groups = row["groups"].as_array().expect("a row has groups");
    let position = |name: &Value| groups.iter().position(|group| group["name"] == *name);
    let ours = groups.iter().map(|group| {
        let members = group.as_object().expect("a group is an object").iter().filter(|(key, _)| *key != "name");
        let members = members.map(|(key, value)| match key.as_str() {
            "count" => ("layers".to_owned(), value.clone()),
            "kind" if value == "comp" => ("kind".to_owned(), json!("compressor")),
            "conv_elems" => ("conv_elements".to_owned(), value.clone()),
            "rec_elems" => ("recurrent_elements".to_owned(), value.clone()),
            "shares_with" => ("shares_with".to_owned(), json!(position(value).expect("a named group"))),
            key => (key.to_owned(), value.clone()),
        });
        Value::Object(members.collect())
    });
    groups_of_record(&json!({ "groups": ours.collect::<Vec<_>>() }))
}
