//! Models that keep K and V: in every layer, within windows, or in layers that share a cache.

use serde_json::{Value, json};

use super::config::{Config, Read};
use super::layers::{Heads, Layers, head_dim};
use super::{Found, LIKE_THE_CLASS};

/// K and V in every layer, of classes without windows: one that stands in the config is none of theirs.
pub fn full(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let types = config.unread("layer_types").and_then(Value::as_array);
    if types.is_some_and(|types| types.iter().any(|kind| kind == LOCAL)) {
        let message = "`layer_types`: the class has no windows, and `sliding_attention` is not known here";
        return Err(config.problem("layer_types", message));
    }
    if config.whole("sliding_window")?.is_some() {
        config.pass_over("sliding_window");
    }
    Ok(Found::new(layers, Layers::of(heads.full(), layers)))
}

/// The same within a window where one is in use.
pub fn uniform(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let Some(window) = window(config)? else { return Ok(Found::new(layers, Layers::of(heads.full(), layers))) };
    if config.has("layer_types") {
        return by_type(config, heads, heads, |_, _| None);
    }
    // Full attention up to here, and a window after it.
    let full = match config.is_of_its_class("max_window_layers") {
        true => config.whole("max_window_layers")?.unwrap_or(0).min(layers),
        false => 0,
    };
    let mut found = Layers::default();
    found.add(heads.full(), full);
    found.add(heads.window("window", window), layers - full);
    Ok(Found::new(layers, found))
}

/// Layers as in `uniform`, of classes that do not say alike which layers have the window once it is on.
pub fn uniform_or_listed(config: &Config) -> Read<Found> {
    if window(config)?.is_some() && !config.has("layer_types") {
        return Err(config.missing("layer_types"));
    }
    uniform(config)
}

/// The window, unless it is switched off or no context is longer.
fn window(config: &Config) -> Read<Option<u64>> {
    if config.is_null("sliding_window") {
        return Ok(None);
    }
    if config.is_of_its_class("use_sliding_window") && config.flag("use_sliding_window")? == Some(false) {
        return Ok(None);
    }
    let window = config.whole("sliding_window")?.filter(|window| *window > 0);
    let longest = config.whole("max_position_embeddings")?;
    Ok(window.filter(|window| longest.is_none_or(|longest| *window < longest)))
}

const LOCAL: &str = "sliding_attention";
const FULL: &str = "full_attention";

/// Layers by a list of their types; where it is missing, the class says of a layer, counted from 1, and of how many.
fn by_type(
    config: &Config,
    full: Heads,
    local: Heads,
    class: impl Fn(u64, u64) -> Option<&'static str>,
) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let stated = config.words("layer_types")?;
    let assumed = stated.is_none().then_some(LIKE_THE_CLASS);
    let types = match stated {
        Some(types) => config.of_layers("layer_types", types, layers)?,
        None => {
            let types: Option<_> = (1..=layers).map(|layer| class(layer, layers)).collect();
            types.ok_or_else(|| config.missing("layer_types"))?
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

/// One layer of `period` is full, the last of them.
fn every(period: u64) -> impl Fn(u64, u64) -> Option<&'static str> {
    move |layer, _| Some(if layer.is_multiple_of(period.max(1)) { FULL } else { LOCAL })
}

/// Step 3.7: layer types that the config lists, with windows whose heads may be of other sizes.
pub fn step3p7(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    let local = match config.part("attention_other_setting") {
        Some(other) => {
            let dim = other.whole("head_dim")?.unwrap_or(heads.k_dim);
            Heads::new(other.whole("num_attention_groups")?.unwrap_or(heads.count), dim, dim)
        }
        None => heads,
    };
    by_type(config, heads, local, |_, _| None)
}

/// Gemma 2 and gpt-oss alternate, beginning with a window.
pub fn alternating(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    by_type(config, heads, heads, every(2))
}

pub fn gemma3n(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    by_type(config, heads, heads, every(5))
}

pub fn olmo3(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    by_type(config, heads, heads, every(4))
}

/// One layer of each `sliding_window_pattern` is full, or of the class's own number.
fn periodic(config: &Config, usual: u64) -> Read<Found> {
    let heads = Heads::of(config)?;
    let stated = config.first(&["sliding_window_pattern", "_sliding_window_pattern"])?;
    let found = by_type(config, heads, heads, every(stated.unwrap_or(usual)))?;
    Ok(if stated.is_some() { Found { assumed: None, ..found } } else { found })
}

pub fn gemma3(config: &Config) -> Read<Found> {
    periodic(config, 6)
}

pub fn cohere2(config: &Config) -> Read<Found> {
    periodic(config, 4)
}

/// Gemma 4: full layers have heads of their own, fewer only where K and V have one projection, which does not halve the
/// cache. The last layer is full.
pub fn gemma4(config: &Config) -> Read<Found> {
    let local = Heads::of(config)?;
    let one_projection = config.flag("attention_k_eq_v")? == Some(true);
    let own = if one_projection { config.whole("num_global_key_value_heads")? } else { None };
    let dim = config.need(&["global_head_dim"])?;
    let class = |layer, layers| if layer == layers { Some(FULL) } else { every(6)(layer, layers) };
    by_type(config, Heads::new(own.unwrap_or(local.count), dim, dim), local, class)
}

/// Llama 4: all layers but every fourth attend within a chunk.
pub fn llama4(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    let layers = config.layers(&["num_hidden_layers"])?;
    if config.has("layer_types") {
        return by_type(config, heads, heads, |_, _| None);
    }
    let Some(chunk) = config.whole("attention_chunk_size")? else {
        return Ok(Found::new(layers, Layers::of(heads.full(), layers)));
    };
    let chunk = heads.window("chunk", chunk);
    let stated = config.wholes("no_rope_layers")?.filter(|list| !list.is_empty());
    let interval = config.whole("no_rope_layer_interval")?.filter(|interval| *interval > 0);
    let assumed = (stated.is_none() && interval.is_none()).then_some(LIKE_THE_CLASS);
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
        found.add(if stated.is_none() { heads.without_width(config) } else { heads }.full(), 1);
    }
    Ok(Found::new(layers, found))
}

/// Falcon and GPT-BigCode: with `multi_query` one head is stored, whatever number stands beside it.
pub fn multi_query(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers", "n_layer"])?;
    let attention = config.need(&["num_attention_heads", "n_head"])?;
    let stated = config.whole("head_dim")?;
    let dim = match stated {
        Some(dim) => dim,
        None => head_dim(config, config.need(&["hidden_size", "n_embd", "n_embed"])?, attention)?,
    };
    let grouped = config.flag("new_decoder_architecture")? == Some(true);
    let count = match config.flag("multi_query")? {
        _ if grouped => config.whole("num_kv_heads")?.unwrap_or(attention),
        Some(true) => 1,
        Some(false) => attention,
        None => return Err(config.missing("multi_query")),
    };
    let heads = Heads::new(count, dim, dim);
    let heads = if stated.is_none() { heads.without_width(config) } else { heads };
    Ok(Found::new(layers, Layers::of(heads.full(), layers)))
}

/// GPT-2: as many KV heads as query heads.
pub fn gpt2(config: &Config) -> Read<Found> {
    let layers = config.layers(&["n_layer"])?;
    let heads = config.need(&["n_head"])?;
    let dim = head_dim(config, config.need(&["n_embd"])?, heads)?;
    Ok(Found::new(layers, Layers::of(Heads::new(heads, dim, dim).without_width(config).full(), layers)))
}

/// Whisper: the decoder's own tokens, and those of 30 seconds of audio once.
pub fn whisper(config: &Config) -> Read<Found> {
    let layers = config.layers(&["decoder_layers"])?;
    let heads = config.need(&["decoder_attention_heads"])?;
    let dim = head_dim(config, config.need(&["d_model"])?, heads)?;
    let heads = Heads::new(heads, dim, dim).without_width(config);
    let mut source = heads.full();
    source["kind"] = json!("cross");
    source["source_tokens"] = json!(config.need(&["max_source_positions"])?);
    let mut found = Layers::of(heads.full(), layers);
    found.add(source, layers);
    Ok(Found::new(layers, found))
}
