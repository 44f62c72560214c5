//! Models in which some layers keep a state of fixed size in place of a cache, or index keys beside one.

use serde_json::Value;

use super::config::{Config, Read};
use super::latent::one_latent;
use super::layers::{Heads, Layers, index, nothing, state, whole};
use super::{Found, LIKE_THE_CLASS};
use crate::formula::state as elements;

/// Qwen3-Next and later: gated delta net, with full attention in between.
pub fn gated_delta(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let keys = [config.need(&["linear_num_key_heads"])?, config.need(&["linear_key_head_dim"])?];
    let values = [config.need(&["linear_num_value_heads"])?, config.need(&["linear_value_head_dim"])?];
    let kernel = config.need(&["linear_conv_kernel_dim"])?;
    let linear = state(
        whole(&elements::GATED_DELTA_CONV_ELEMENTS, &[kernel, keys[0], keys[1], values[0], values[1]]),
        whole(&elements::GATED_DELTA_RECURRENT_ELEMENTS, &[values[0], values[1], keys[1]]),
        "gated delta net",
    );
    let types = match config.words("layer_types")? {
        Some(types) => config.of_layers("layer_types", types, layers)?,
        None => {
            let interval = config.need(&["full_attention_interval"])?.max(1);
            let kind = |layer: u64| if layer.is_multiple_of(interval) { "full_attention" } else { "linear_attention" };
            (1..=layers).map(kind).collect()
        }
    };
    let named = [("full_attention", heads.full()), ("linear_attention", linear)];
    Ok(Found::new(layers, of_types(config, "layer_types", &types, &named)?))
}

/// LFM2: short convolutions, with full attention in between.
pub fn short_conv(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let kernel = config.need(&["conv_L_cache"])?;
    let conv = whole(&elements::CONV_ELEMENTS, &[kernel, config.need(&["hidden_size"])?]);
    let (types, assumed) = match (config.words("layer_types")?, config.wholes("full_attn_idxs")?) {
        (Some(types), _) => (config.of_layers("layer_types", types, layers)?, None),
        (None, None) => ((0..layers).map(|_| "full_attention").collect(), Some(LIKE_THE_CLASS)),
        (None, Some(full)) => {
            of_these_layers(config, "full_attn_idxs", &full, layers)?;
            let kind = |layer| if full.contains(&layer) { "full_attention" } else { "conv" };
            ((0..layers).map(kind).collect(), None)
        }
    };
    let named = [("full_attention", heads.full()), ("conv", state(conv, 0, "short convolution"))];
    Ok(Found { assumed, ..Found::new(layers, of_types(config, "layer_types", &types, &named)?) })
}

/// Positions that count from 0 are of layers that there are.
fn of_these_layers(config: &Config, name: &str, positions: &[u64], layers: u64) -> Read<()> {
    match positions.iter().find(|position| **position >= layers) {
        Some(position) => {
            let message = format!("`{name}`: expected layers from 0 to {}, found {position}", layers.saturating_sub(1));
            Err(config.problem(name, message))
        }
        None => Ok(()),
    }
}

/// Nemotron-H: a letter a layer, or a list of words.
pub fn nemotron_h(config: &Config) -> Read<Found> {
    let heads = Heads::of(config)?;
    let mamba = mamba2(config, ["mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size", "conv_kernel"])?;
    if let Some(types) = config.words("layers_block_type")? {
        let layers = config.whole("num_hidden_layers")?.unwrap_or(types.len() as u64);
        let types = config.of_layers("layers_block_type", types, layers)?;
        let named = [("attention", heads.full()), ("mamba", mamba), ("moe", nothing()), ("mlp", nothing())];
        return Ok(Found::new(layers, of_types(config, "layers_block_type", &types, &named)?));
    }
    const PATTERN: &str = "hybrid_override_pattern";
    let pattern = config.text(PATTERN).ok_or_else(|| config.missing(PATTERN))?;
    let layers = config.layers(&["num_hidden_layers"])?;
    let letters: Vec<&str> = pattern.split("").filter(|letter| !letter.is_empty()).collect();
    let letters = config.of_layers(PATTERN, letters, layers)?;
    let named = [("*", heads.full()), ("M", mamba), ("-", nothing()), ("E", nothing())];
    Ok(Found::new(layers, of_types(config, PATTERN, &letters, &named)?))
}

/// Falcon-H1: attention and Mamba-2 side by side in every layer.
pub fn falcon_h1(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let mut found = Layers::of(Heads::of(config)?.full(), layers);
    found.add(mamba2(config, MAMBA_2)?, layers);
    Ok(Found::new(layers, found))
}

/// Bamba and Granite 4: Mamba-2 with attention at the positions that are listed. Mamba fields also stand in
/// configs of models that attend in every layer.
pub fn bamba(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let mut assumed = None;
    let types = match (config.words("layer_types")?, config.wholes("attn_layer_indices")?) {
        (Some(types), _) => config.of_layers("layer_types", types, layers)?,
        (None, Some(attending)) => {
            of_these_layers(config, "attn_layer_indices", &attending, layers)?;
            (0..layers).map(|layer| if attending.contains(&layer) { "attention" } else { "mamba" }).collect()
        }
        (None, None) => {
            assumed = Some(LIKE_THE_CLASS);
            (0..layers).map(|_| "mamba").collect()
        }
    };
    let mut named = vec![("attention", heads.full())];
    if types.contains(&"mamba") {
        named.push(("mamba", mamba2(config, MAMBA_2)?));
    }
    Ok(Found { assumed, ..Found::new(layers, of_types(config, "layer_types", &types, &named)?) })
}

/// Jamba: attention at one position of every period, Mamba-1 in the others.
pub fn jamba(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let [period, offset] = [config.need(&["attn_layer_period"])?.max(1), config.need(&["attn_layer_offset"])?];
    if offset >= period {
        let message = format!("`attn_layer_offset`: expected less than the period of {period}, found {offset}");
        return Err(config.problem("attn_layer_offset", message));
    }
    let inner = config.need(&["mamba_expand"])? * config.need(&["hidden_size"])?;
    let mamba = mamba1(config.need(&["mamba_d_conv"])?, inner, config.need(&["mamba_d_state"])?);
    let mut found = Layers::default();
    for layer in 0..layers {
        found.add(if layer % period == offset { heads.full() } else { mamba.clone() }, 1);
    }
    Ok(Found::new(layers, found))
}

/// Mamba and Falcon-Mamba: no attention. An inner width that is stated goes before `expand`.
pub fn mamba(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers", "n_layer"])?;
    let inner = match config.first(&["intermediate_size", "d_inner"])? {
        Some(inner) => inner,
        None => config.need(&["expand"])? * config.need(&["hidden_size", "d_model"])?,
    };
    let mamba = mamba1(config.need(&["conv_kernel"])?, inner, config.need(&["state_size"])?);
    Ok(Found::new(layers, Layers::of(mamba, layers)))
}

/// Kimi Linear: Kimi delta attention, with latent attention in layers that are counted from 1.
pub fn kimi_linear(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let linear = config.part("linear_attn_config").ok_or_else(|| config.missing("linear_attn_config"))?;
    let [heads, dim] = [linear.need(&["num_heads"])?, linear.need(&["head_dim"])?];
    let kernel = linear.need(&["short_conv_kernel_size"])?;
    let full = linear.wholes("full_attn_layers")?.ok_or_else(|| linear.missing("full_attn_layers"))?;
    if full.contains(&0) || full.iter().any(|layer| *layer > layers) {
        let message = format!("`full_attn_layers`: expected layers from 1 to {layers}");
        return Err(linear.problem("full_attn_layers", message));
    }
    let delta = state(
        whole(&elements::KDA_CONV_ELEMENTS, &[kernel, heads, dim]),
        whole(&elements::SQUARE_RECURRENT_ELEMENTS, &[heads, dim]),
        "Kimi delta attention",
    );
    let latent = one_latent(config)?;
    let mut found = Layers::default();
    for layer in 1..=layers {
        found.add(if full.contains(&layer) { latent.clone() } else { delta.clone() }, 1);
    }
    Ok(Found::new(layers, found))
}

/// MiniMax-Text-01 and M1: lightning attention over the query heads, with full attention where the list has a 1.
pub fn lightning(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let queries = config.need(&["num_attention_heads"])?;
    let recurrent = whole(&elements::SQUARE_RECURRENT_ELEMENTS, &[queries, heads.k_dim]);
    let types = config.wholes("attn_type_list")?.ok_or_else(|| config.missing("attn_type_list"))?;
    let mut found = Layers::default();
    for kind in config.of_layers("attn_type_list", types, layers)? {
        found.add(if kind == 1 { heads.full() } else { state(0, recurrent, "lightning attention") }, 1);
    }
    Ok(Found::new(layers, found))
}

/// MiniMax-M3: K and V in every layer, and one key of an indexer in bf16 where attention is sparse. The index heads
/// of the config are queries.
pub fn sparse_index(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let sparse = config.part("sparse_attention_config").ok_or_else(|| config.missing("sparse_attention_config"))?;
    let dim = sparse.need(&["sparse_index_dim"])?;
    let which = sparse.wholes("sparse_attention_freq")?.ok_or_else(|| sparse.missing("sparse_attention_freq"))?;
    let which = sparse.of_layers("sparse_attention_freq", which, layers)?;
    let mut found = Layers::of(Heads::of(config)?.full(), layers);
    found.add(index(dim, 2 * dim), which.iter().filter(|sparse| **sparse > 0).count() as u64);
    Ok(Found::new(layers, found))
}

/// RecurrentGemma: gated linear recurrences, with windows in between.
pub fn recurrent_gemma(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let heads = Heads::of(config)?;
    let width = config.need(&["lru_width", "hidden_size"])?;
    let conv = whole(&elements::CONV_ELEMENTS, &[config.need(&["conv1d_width"])?, width]);
    let window = heads.window("window", config.need(&["attention_window_size"])?);
    let stated = config.words("block_types")?;
    let stated = if stated.is_some() { stated } else { config.words("_block_types")? };
    let assumed = stated.is_none().then_some(LIKE_THE_CLASS);
    let pattern = stated.unwrap_or_else(|| vec!["recurrent", "recurrent", "attention"]);
    let types: Vec<_> = (0..layers).zip(pattern.into_iter().cycle()).map(|(_, kind)| kind).collect();
    let types = config.of_layers("block_types", types, layers)?;
    let named = [("attention", window), ("recurrent", state(conv, width, "gated linear recurrence"))];
    Ok(Found { assumed, ..Found::new(layers, of_types(config, "block_types", &types, &named)?) })
}

/// Field names of Mamba-2 in most configs: heads, head width, groups, state size, kernel.
const MAMBA_2: [&str; 5] = ["mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv"];

/// The inner width is heads × head width, even where `expand` says otherwise; a head width of `auto` is the inner width
/// over heads.
fn mamba2(config: &Config, names: [&str; 5]) -> Read<Value> {
    let [heads, dim, groups, size, kernel] = names;
    let heads = config.need(&[heads])?;
    let dim = match config.text(dim) {
        Some("auto") => {
            let inner = match config.whole("mamba_d_ssm")? {
                Some(inner) => inner,
                None => config.need(&["mamba_expand"])? * config.need(&["hidden_size"])?,
            };
            inner / heads.max(1)
        }
        _ => config.need(&[dim])?,
    };
    let [groups, size, kernel] = [config.need(&[groups])?, config.need(&[size])?, config.need(&[kernel])?];
    Ok(state(
        whole(&elements::MAMBA2_CONV_ELEMENTS, &[kernel, heads, dim, groups, size]),
        whole(&elements::MAMBA2_RECURRENT_ELEMENTS, &[heads, dim, size]),
        "Mamba-2",
    ))
}

fn mamba1(kernel: u64, inner: u64, size: u64) -> Value {
    state(
        whole(&elements::CONV_ELEMENTS, &[kernel, inner]),
        whole(&elements::MAMBA1_RECURRENT_ELEMENTS, &[inner, size]),
        "Mamba-1",
    )
}

/// A group a layer, by the name of its type.
fn of_types(config: &Config, field: &str, types: &[&str], named: &[(&str, Value)]) -> Read<Layers> {
    let mut found = Layers::default();
    for kind in types {
        let Some((_, group)) = named.iter().find(|(name, _)| name == kind) else {
            return Err(config.problem(field, format!("`{field}`: `{kind}` is not known here")));
        };
        found.add(group.clone(), 1);
    }
    Ok(found)
}
