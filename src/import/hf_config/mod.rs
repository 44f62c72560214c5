//! Hugging Face `config.json`: a model entry from its geometry.
//!
//! Each architecture is known by its `model_type`, since the same field means different things in different ones: what
//! `num_key_value_heads` says of a model with latents is nothing. An architecture that is not in the list is refused.

mod config;
mod defaults;
mod hybrid;
mod latent;
mod layers;
mod plain;
mod strange;

use serde_json::{Value, json};

use super::json::{self, Json};
use super::named::id;
use super::{Content, Foreign, Format, Imported};
use crate::diagnostic::{Diagnostic, Report, nearest, printable};
use crate::source::Kind;
use config::{Config, Read};
use layers::Layers;

/// The geometry that a config states.
pub struct Found {
    layers: u64,
    groups: Layers,
    drafts: Layers,
    /// What of the order of the layers was taken from the class and not from the file.
    assumed: Option<&'static str>,
}

impl Found {
    fn new(layers: u64, groups: Layers) -> Self {
        Found { layers, groups, drafts: Layers::default(), assumed: None }
    }
}

const LIKE_THE_CLASS: &str = "The config does not say what each layer is; their order is that of the library's class.";

type Architecture = (&'static str, fn(&Config) -> Read<Found>);

/// Architectures by `model_type`, of the text model where a config describes several.
static ARCHITECTURES: &[Architecture] = &[
    ("bamba", hybrid::bamba),
    ("cohere", plain::full),
    ("cohere2", plain::cohere2),
    ("deepseek_v2", latent::mla),
    ("deepseek_v3", latent::mla),
    ("deepseek_v32", latent::with_indexer),
    ("deepseek_v4", latent::compressed),
    ("falcon", plain::multi_query),
    ("falcon_h1", hybrid::falcon_h1),
    ("falcon_mamba", hybrid::mamba),
    ("gemma", plain::full),
    ("gemma2", plain::alternating),
    ("gemma3_text", plain::gemma3),
    ("gemma3n_text", plain::gemma3n),
    ("gemma4_text", plain::gemma4),
    ("glm4", plain::full),
    ("glm4_moe", plain::full),
    ("glm4_moe_lite", latent::mla),
    ("glm_moe_dsa", latent::with_indexer),
    ("gpt2", plain::gpt2),
    ("gpt_bigcode", plain::multi_query),
    ("gpt_neox", plain::full),
    ("gpt_oss", plain::alternating),
    ("granite", plain::full),
    ("granitemoehybrid", hybrid::bamba),
    ("hunyuan_v1_dense", plain::full),
    ("hunyuan_v1_moe", plain::full),
    ("internlm2", plain::full),
    ("jamba", hybrid::jamba),
    ("kimi_k2", latent::mla),
    ("kimi_linear", hybrid::kimi_linear),
    ("lfm2", hybrid::short_conv),
    ("llama", plain::full),
    ("llama4_text", plain::llama4),
    ("longcat_flash", latent::longcat),
    ("mamba", hybrid::mamba),
    ("mimo", plain::uniform),
    ("mimo_v2_flash", plain::mimo_v2),
    ("minicpm3", latent::mla),
    ("minimax_m1", hybrid::lightning),
    ("minimax_m2", plain::full),
    ("minimax_m3", hybrid::sparse_index),
    ("minimax_m3_vl", hybrid::sparse_index),
    ("minimax_text_01", hybrid::lightning),
    ("mistral", plain::uniform),
    ("mistral4", latent::mla),
    ("mixtral", plain::uniform),
    ("nemotron-nas", plain::nemotron_nas),
    ("nemotron_h", hybrid::nemotron_h),
    ("olmo", plain::full),
    ("olmo2", plain::full),
    ("olmo3", plain::olmo3),
    ("opt", plain::full),
    ("phi3", plain::uniform),
    ("qwen2", plain::uniform),
    ("qwen2_5_vl", plain::uniform),
    ("qwen2_5_vl_text", plain::uniform),
    ("qwen2_moe", plain::uniform_or_listed),
    ("qwen3", plain::uniform),
    ("qwen3_5_moe_text", hybrid::gated_delta),
    ("qwen3_5_text", hybrid::gated_delta),
    ("qwen3_moe", plain::uniform_or_listed),
    ("qwen3_next", hybrid::gated_delta),
    ("qwen3_vl_moe_text", plain::full),
    ("qwen3_vl_text", plain::full),
    ("recurrent_gemma", hybrid::recurrent_gemma),
    ("seed_oss", plain::full),
    ("smollm3", plain::uniform_or_listed),
    ("stablelm", plain::full),
    ("starcoder2", plain::uniform),
    ("step3p7", plain::step3p7),
    ("whisper", plain::whisper),
];

/// Parts of the names of architectures whose class has experts of its own where a config is silent.
const MIXTURES: [&str; 12] = [
    "deepseek",
    "glm_moe",
    "gpt_oss",
    "jamba",
    "kimi",
    "llama4",
    "longcat",
    "mimo_v2",
    "minimax",
    "mixtral",
    "moe",
    "qwen3_next",
];

pub struct HfConfig;

impl Format for HfConfig {
    fn name(&self) -> &'static str {
        "hf-config"
    }

    fn about(&self) -> &'static str {
        "config.json of a model on Hugging Face, as a model entry"
    }

    fn known_by(&self) -> &'static str {
        "JSON with model_type and architectures or text_config"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let known = |config: json::Fields| {
            config.has("model_type") && (config.has("architectures") || config.has("text_config"))
        };
        file.fields().next().is_some_and(known)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let json = Json::read(file, report)?;
        let record = model(file, &json).map_err(|problem| report.push(problem)).ok()?;
        Some(Content::record(record))
    }
}

fn model(file: &Foreign, json: &Json) -> Read<Imported> {
    let whole = Config::whole_file(json);
    let text = whole.part("text_config").unwrap_or_else(|| whole.clone());
    let own = text.text("model_type");
    let name = own.or_else(|| whole.text("model_type")).ok_or_else(|| whole.missing("model_type"))?;
    // The text part of a config that does not name it is of the text class of the whole.
    let of_text = format!("{name}_text");
    let is_known = |known: &str| known == name || (own.is_none() && known == of_text);
    let Some((name, geometry)) = ARCHITECTURES.iter().find(|(known, _)| is_known(known)) else {
        return Err(unknown(&text, name));
    };
    strange::class(&whole)?;
    strange::class(&text)?;
    let text = text.of_class(name);
    let found = geometry(&text)?;
    strange::fields(&text, name)?;
    let drafts = text.first(&["num_nextn_predict_layers", "mtp_num_hidden_layers"])?.unwrap_or(0);
    record(file, &text, name, found, drafts)
}

/// The entry: what the config says, and nothing that it does not.
fn record(file: &Foreign, text: &Config, architecture: &str, found: Found, drafts: u64) -> Read<Imported> {
    let title = file.name.rsplit('/').next().unwrap_or(&file.name);
    let mut record = json!({
        "$schema": "../../schemas/model.json",
        "id": id(&file.name),
        "title": title,
        "names": [file.name],
        "layers": found.layers,
    });
    let mut remarks = vec![format!("title and names are those of the file: `{}`", printable(&file.name))];
    if let Some((developer, _)) = file.name.split_once('/') {
        record["developer"] = json!(developer);
    } else {
        remarks.push("not known: who made the model".to_owned());
    }
    for (field, names) in [
        ("attention_heads", &["num_attention_heads", "n_head", "decoder_attention_heads"][..]),
        ("hidden_size", &["hidden_size", "n_embd", "d_model"]),
        ("max_context_tokens", &["max_position_embeddings", "n_positions", "max_target_positions"]),
    ] {
        match text.if_known(names)?.filter(|value| *value > 0) {
            Some(value) => record[field] = json!(value),
            None => remarks.push(format!("not stated: {}", field.replace('_', " "))),
        }
    }
    let experts = text.if_known(&["num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"])?;
    match experts {
        Some(experts) => record["shape"] = json!(if experts > 1 { "moe" } else { "dense" }),
        None if MIXTURES.iter().any(|name| architecture.contains(name)) => {
            remarks.push("not stated: how many experts, so neither whether it is dense".to_owned());
        }
        None => record["shape"] = json!("dense"),
    }
    let mut draft_groups = found.drafts.into_groups();
    if drafts > 0 && draft_groups.is_empty() {
        match found.groups.drafts(drafts) {
            Some(alike) => draft_groups = alike.into_groups(),
            None => remarks.push(format!("not known: what the {drafts} draft layers keep")),
        }
    }
    record["groups"] = Value::Array(found.groups.into_groups());
    if !draft_groups.is_empty() {
        record["draft_groups"] = Value::Array(draft_groups);
    }
    remarks.extend(text.derived().into_iter().map(|how| format!("derived: {how}")));
    let taken = text.taken();
    let taken = (!taken.is_empty())
        .then(|| format!("Not in the config, and taken as the library's class sets it: {}.", taken.join(", ")));
    let passed_over = text.passed_over();
    let passed_over = (!passed_over.is_empty()).then(|| {
        format!("In the config, and passed over as the library's class passes it over: {}.", passed_over.join(", "))
    });
    let assumed: Vec<_> = found.assumed.map(str::to_owned).into_iter().chain(taken).chain(passed_over).collect();
    if !assumed.is_empty() {
        let assumed = assumed.join(" ");
        remarks.push(format!("assumed: {assumed}"));
        record["assumed"] = json!(assumed);
    }
    remarks.push("not known: the size of the weights, and the KV dtype, which is the server's to choose".to_owned());
    record["sources"] = json!([{
        "title": format!("config.json of {}", file.name),
        "note": format!("model_type {architecture}; {}, SHA-256 {}", file.file_name(), file.sha256),
    }]);
    Ok(Imported::json(Kind::Model, id(&file.name), &record, file, remarks))
}

fn unknown(config: &Config, name: &str) -> Diagnostic {
    let known: Vec<_> = ARCHITECTURES.iter().map(|(known, _)| *known).collect();
    let near = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`? "));
    config
        .problem(
            "model_type",
            format!("the architecture `{}` is not known, and its cache is not guessed", printable(name)),
        )
        .help(format!("{}known: {}", near.unwrap_or_default(), known.join(", ")))
}

#[cfg(test)]
mod tests;
