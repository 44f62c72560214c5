//! What a config says that the reader of its architecture would pass over: another class than the architecture's, and
//! fields that change what the cache holds.

use serde_json::Value;

use super::config::{Config, Read};
use crate::diagnostic::printable;

/// Stems of classes that are named otherwise than their `model_type`, in small letters.
const NAMED_OTHERWISE: [(&str, &str); 4] = [
    ("hunyuan_v1_dense", "hunyuandensev1"),
    ("hunyuan_v1_moe", "hunyuanmoev1"),
    ("kimi_k2", "deepseekv3"),
    ("nemotron-nas", "decilm"),
];

/// What a class does with the model, which its cache does not depend on.
const TASKS: [&str; 6] = [
    "forcausallm",
    "forconditionalgeneration",
    "forsequenceclassification",
    "fortokenclassification",
    "lmheadmodel",
    "model",
];

/// MiniMax-M3 names its attention in its class.
const ATTENTION: &str = "sparse";

/// Refuses a config whose class is another than that of its `model_type`: what such a class keeps is its own.
pub fn class(config: &Config) -> Read<()> {
    const FIELD: &str = "architectures";
    let Some(architectures) = config.words(FIELD)? else { return Ok(()) };
    let (Some(class), Some(name)) = (architectures.first(), config.text("model_type")) else { return Ok(()) };
    let lower = class.to_lowercase().replace('_', "");
    let stem = TASKS.iter().find_map(|task| lower.strip_suffix(task));
    let plain = |name: &str| name.replace(['_', '-'], "");
    let is_known = stem.is_some_and(|stem| {
        let text = name.strip_suffix("_text").unwrap_or(name);
        let vision = text.strip_suffix("_vl").unwrap_or(text);
        let stems = [stem, stem.strip_suffix(ATTENTION).unwrap_or(stem)];
        let named = [name, text, vision].map(plain);
        stems.iter().any(|stem| named.iter().any(|named| named == stem)) || NAMED_OTHERWISE.contains(&(name, stem))
    });
    if is_known {
        return Ok(());
    }
    let message = format!(
        "the class `{}` is not known for `{}`, and its cache is not guessed",
        printable(class),
        printable(name)
    );
    let help = "write the model entry by hand from what the class's code keeps, or name the class that it is like";
    Err(config.problem(FIELD, message).help(help))
}

/// Whether a value changes the cache, beside one that says that there is nothing to change.
type Changes = fn(&Value) -> bool;

/// Fields that change what a cache holds, wherever a class reads them.
const FIELDS: [(&str, Changes); 12] = [
    ("attn_layer_indices", some),
    ("attn_type_list", |list| list.as_array().is_some_and(|list| list.iter().any(|kind| *kind != 1))),
    ("block_configs", some),
    ("compress_ratios", some),
    ("index_head_dim", some),
    ("kv_lora_rank", some),
    ("layer_types", |list| list.as_array().is_none_or(|list| !list.iter().all(is_usual))),
    ("linear_attn_config", some),
    ("linear_num_key_heads", some),
    ("num_kv_shared_layers", some),
    ("sparse_attention_config", some),
    ("use_cla", some),
];

fn some(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(list) => !list.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) | Value::String(_) => true,
    }
}

/// Layers with K and V of their own. A window that is switched off stands in such lists too.
fn is_usual(kind: &Value) -> bool {
    ["attention", "full_attention", "sliding_attention"].iter().any(|usual| kind == usual)
}

/// Refuses a config in which a field changes the cache and the reader has not looked at it.
pub fn fields(config: &Config, name: &str) -> Read<()> {
    let passed_over = FIELDS.iter().find(|(field, changes)| config.unread(field).is_some_and(changes));
    match passed_over {
        None => Ok(()),
        Some((field, _)) => {
            let message = format!("`{field}` changes what a cache holds, and is not known of `{}`", printable(name));
            Err(config.problem(field, message).help("write the model entry by hand from what the class's code keeps"))
        }
    }
}
