//! Models that keep K and V: in every layer, within windows, or in layers that share a cache.

use serde_json::{Value, json};

use super::Found;
use super::config::{Config, Read};
use super::layers::{Heads, Layers, head_dim};

/// K and V in every layer, within a window where one is in use.
pub fn uniform(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let Some(window) = window(config)? else { return Ok(Found::new(layers, Layers::of(heads.full(), layers))) };
    if config.has("layer_types") {
        return by_type(config, heads, heads, &[]);
    }
    // Qwen: full attention up to here, and a window after it.
    let full = config.whole("max_window_layers")?.unwrap_or(0).min(layers);
    let mut found = Layers::default();
    found.add(heads.full(), full);
    found.add(heads.window("window", window), layers - full);
    Ok(Found::new(layers, found))
}

/// The window, unless it is switched off or no context is longer.
fn window(config: &Config) -> Read<Option<u64>> {
    let window = config.whole("sliding_window")?.filter(|window| *window > 0);
    let off = config.flag("use_sliding_window")? == Some(false);
    let longest = config.whole("max_position_embeddings")?;
    Ok(window.filter(|window| !off && longest.is_none_or(|longest| *window < longest)))
}

/// Layers by a list of their types; `pattern` stands in for a list that is missing, repeated.
fn by_type(config: &Config, full: Heads, local: Heads, pattern: &[&'static str]) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let mut assumed = None;
    let types = match config.words("layer_types")? {
        Some(types) => config.of_layers("layer_types", types, layers)?,
        None if pattern.is_empty() => return Err(config.missing("layer_types")),
        None => {
            assumed =
                Some("The config has no list of layer types; the order is that of the library's class.".to_owned());
            (0..layers).zip(pattern.iter().copied().cycle()).map(|(_, kind)| kind).collect()
        }
    };
    let window = || config.need(&["sliding_window"]);
    // The last layers read what others keep.
    let shared = config.whole("num_kv_shared_layers")?.unwrap_or(0).min(layers);
    let owners = usize::try_from(layers - shared).unwrap_or(usize::MAX);
    let mut found = Layers::default();
    for (position, kind) in types.into_iter().enumerate() {
        let group = match kind {
            "full_attention" => full.full(),
            "sliding_attention" => local.window("window", window()?),
            "chunked_attention" => local.window("chunk", config.need(&["attention_chunk_size"])?),
            other => {
                return Err(config.problem("layer_types", format!("`layer_types`: `{other}` is not known here")));
            }
        };
        found.add(if position < owners { group } else { reader(config, &found, &group)? }, 1);
    }
    Ok(Found { assumed, ..Found::new(layers, found) })
}

/// A layer that reads the cache of a group like it.
fn reader(config: &Config, found: &Layers, group: &Value) -> Read<Value> {
    let owner = found.position(group).ok_or_else(|| {
        config.problem("num_kv_shared_layers", "`num_kv_shared_layers`: no layer before keeps what these read")
    })?;
    Ok(json!({"kind": "shared", "shares_with": owner}))
}

/// Layer types that the config lists.
pub fn listed(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    by_type(config, heads, heads, &[])
}

/// Gemma 2 alternates, beginning with a window.
pub fn gemma2(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    by_type(config, heads, heads, &["sliding_attention", "full_attention"])
}

/// One layer of several is full: the last of each `sliding_window_pattern`, or of the class's own number.
fn every(config: &Config, usual: usize) -> Read<Found> {
    let heads = Heads::of(config)?;
    let stated = config.first(&["sliding_window_pattern", "_sliding_window_pattern"])?;
    let period = stated.map_or(usual, |stated| usize::try_from(stated).unwrap_or(usual)).max(1);
    let mut pattern = vec!["sliding_attention"; period];
    pattern[period - 1] = "full_attention";
    let found = by_type(config, heads, heads, &pattern)?;
    Ok(if stated.is_some() { Found { assumed: None, ..found } } else { found })
}

pub fn gemma3(config: &Config) -> Read<Found> {
    every(config, 6)
}

pub fn cohere2(config: &Config) -> Read<Found> {
    every(config, 4)
}

/// Gemma 4: full layers have heads of their own. Equal projections of K and V do not halve the cache.
pub fn gemma4(config: &Config) -> Read<Found> {
    let local = Heads::of(config)?;
    let count = config.whole("num_global_key_value_heads")?.unwrap_or(local.count);
    let dim = config.need(&["global_head_dim"])?;
    by_type(config, Heads::new(count, dim, dim), local, &[])
}

/// Llama 4: all layers but every fourth attend within a chunk.
pub fn llama4(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    let layers = config.layers(&["num_hidden_layers"])?;
    if config.has("layer_types") {
        return by_type(config, heads, heads, &[]);
    }
    let chunk = heads.window("chunk", config.need(&["attention_chunk_size"])?);
    let stated = config.wholes("no_rope_layers")?.filter(|list| !list.is_empty());
    let interval = config.whole("no_rope_layer_interval")?.filter(|interval| *interval > 0);
    let assumed = (stated.is_none() && interval.is_none())
        .then(|| "The config does not say which layers are global; every fourth is in the library's class.".to_owned());
    let is_chunked: Vec<bool> = match stated {
        Some(list) => config.of_layers("no_rope_layers", list, layers)?.into_iter().map(|rope| rope > 0).collect(),
        None => (1..=layers).map(|layer| !layer.is_multiple_of(interval.unwrap_or(4))).collect(),
    };
    let mut found = Layers::default();
    is_chunked.into_iter().for_each(|local| found.add(if local { chunk.clone() } else { heads.full() }, 1));
    Ok(Found { assumed, ..Found::new(layers, found) })
}

/// MiMo-V2: K wider than V, and other heads in window layers.
pub fn mimo_v2(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = |count: &str, k: &str, v: &str| -> Read<Heads> {
        Ok(Heads::new(config.need(&[count])?, config.need(&[k])?, config.need(&[v])?))
    };
    let full = heads("num_key_value_heads", "head_dim", "v_head_dim")?;
    let local = heads("swa_num_key_value_heads", "swa_head_dim", "swa_v_head_dim")?;
    let window = local.window("window", config.need(&["sliding_window", "sliding_window_size"])?);
    let pattern = config.wholes("hybrid_layer_pattern")?.ok_or_else(|| config.missing("hybrid_layer_pattern"))?;
    let mut found = Layers::default();
    for kind in config.of_layers("hybrid_layer_pattern", pattern, layers)? {
        found.add(if kind == 0 { full.full() } else { window.clone() }, 1);
    }
    Ok(Found::new(layers, found))
}

/// Nemotron NAS: each layer has its own attention or none; `n_heads_in_group` is queries per KV head.
pub fn nemotron_nas(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let queries = config.need(&["num_attention_heads"])?;
    let stated = config.whole("head_dim")?;
    let dim = match stated {
        Some(dim) => dim,
        None => head_dim(config, config.need(&["hidden_size"])?, queries)?,
    };
    let blocks = config.parts("block_configs")?.ok_or_else(|| config.missing("block_configs"))?;
    let mut found = Layers::default();
    for block in config.of_layers("block_configs", blocks, layers)? {
        let attention = block.part("attention").ok_or_else(|| block.missing("attention"))?;
        if attention.flag("no_op")? == Some(true) || attention.flag("replace_with_linear")? == Some(true) {
            found.add(super::layers::nothing(), 1);
            continue;
        }
        if attention.has("window_length") {
            return Err(attention.problem("window_length", "`window_length`: a window in one layer is not known here"));
        }
        let group = attention.need(&["n_heads_in_group"])?;
        let count = queries.checked_div(group).filter(|count| count * group == queries).ok_or_else(|| {
            attention.problem(
                "n_heads_in_group",
                format!("`n_heads_in_group`: {queries} query heads do not divide by {group}"),
            )
        })?;
        let heads = Heads::new(count, dim, dim);
        found.add(if stated.is_none() { heads.derived() } else { heads }.full(), 1);
    }
    Ok(Found::new(layers, found))
}

/// Falcon and GPT-BigCode: with `multi_query` one head is stored, whatever number stands beside it.
pub fn multi_query(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers", "n_layer"])?;
    let attention = config.need(&["num_attention_heads", "n_head"])?;
    let dim = match config.whole("head_dim")? {
        Some(dim) => dim,
        None => head_dim(config, config.need(&["hidden_size", "n_embd"])?, attention)?,
    };
    let grouped = config.flag("new_decoder_architecture")? == Some(true);
    let count = match config.flag("multi_query")? {
        _ if grouped => config.need(&["num_kv_heads"])?,
        Some(true) => 1,
        Some(false) => attention,
        None => return Err(config.missing("multi_query")),
    };
    Ok(Found::new(layers, Layers::of(Heads::new(count, dim, dim).full(), layers)))
}

/// GPT-2: as many KV heads as query heads.
pub fn gpt2(config: &Config) -> Read<Found> {
    let layers = config.layers(&["n_layer"])?;
    let heads = config.need(&["n_head"])?;
    let dim = head_dim(config, config.need(&["n_embd"])?, heads)?;
    Ok(Found::new(layers, Layers::of(Heads::new(heads, dim, dim).derived().full(), layers)))
}

/// Whisper: the decoder's own tokens, and those of 30 seconds of audio once.
pub fn whisper(config: &Config) -> Read<Found> {
    let layers = config.layers(&["decoder_layers"])?;
    let heads = config.need(&["decoder_attention_heads"])?;
    let dim = head_dim(config, config.need(&["d_model"])?, heads)?;
    let heads = Heads::new(heads, dim, dim).derived();
    let mut source = heads.full();
    source["kind"] = json!("cross");
    source["source_tokens"] = json!(config.need(&["max_source_positions"])?);
    let mut found = Layers::of(heads.full(), layers);
    found.add(source, layers);
    Ok(Found::new(layers, found))
}
