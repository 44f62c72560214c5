//! Models that keep latents: one vector a token, with index keys or compressed.

use serde_json::json;

use super::Found;
use super::config::{Config, Read};
use super::layers::{Layers, index, latent, whole};
use crate::formula::{memory, state};

/// Latent attention: `num_key_value_heads` stands in these configs and means nothing for the cache.
pub fn mla(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    Ok(Found::new(layers, Layers::of(one_latent(config)?, layers)))
}

/// LongCat: two attentions a layer, each with a latent. `num_hidden_layers` counts one or the other, and so says neither
/// alone.
pub fn longcat(config: &Config) -> Read<Found> {
    const OTHER: &str = "num_hidden_layers";
    if config.has(OTHER) && !config.has("num_layers") {
        return Err(config.missing("num_layers"));
    }
    let layers = config.layers(&["num_layers"])?;
    if let Some(other) = config.whole(OTHER)?.filter(|other| ![layers, 2 * layers].contains(other)) {
        let message = format!("`{OTHER}`: {other}, where `num_layers` is {layers} of two attentions each");
        return Err(config.problem(OTHER, message));
    }
    Ok(Found::new(layers, Layers::of(one_latent(config)?, 2 * layers)))
}

/// Latent attention with an indexer: layers of type `shared` use another layer's choice and keep no keys. Without a list
/// of types, a layer of every `index_topk_freq` chooses after the first ones, which all do.
pub fn with_indexer(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let dim = config.need(&["index_head_dim"])?;
    let indexing = match config.words("indexer_types")? {
        None if config.has("index_topk_pattern") => return Err(config.missing("indexer_types")),
        None => {
            let period = config.whole("index_topk_freq")?.unwrap_or(1).max(1);
            let first = config.whole("index_skip_topk_offset")?.unwrap_or(2);
            (0..layers).filter(|layer| (layer + 1).saturating_sub(first).is_multiple_of(period)).count() as u64
        }
        Some(types) => {
            let types = config.of_layers("indexer_types", types, layers)?;
            types.iter().filter(|kind| **kind == "full").count() as u64
        }
    };
    let mut found = Layers::of(one_latent(config)?, layers);
    found.add(index(dim, whole(&memory::INDEX_ENTRY_BYTES, &[dim])), indexing);
    Ok(Found::new(layers, found))
}

pub fn one_latent(config: &Config) -> Read<serde_json::Value> {
    Ok(latent(config.need(&["kv_lora_rank"])?, config.need(&["qk_rope_head_dim"])?))
}

/// DeepSeek-V4: a window in every layer, and entries for every 4 or 128 tokens where the layer compresses.
pub fn compressed(config: &Config) -> Read<Found> {
    let layers = config.layers(&["num_hidden_layers"])?;
    let head = config.need(&["head_dim"])?;
    let rope = config.need(&["qk_rope_head_dim"])?;
    let index_dim = config.need(&["index_head_dim"])?;
    let dim = head.checked_sub(rope).ok_or_else(|| config.problem("head_dim", "`head_dim` holds the rotary part"))?;
    let window = config.need(&["sliding_window"])?;
    let ratios = config.wholes("compress_ratios")?.ok_or_else(|| config.missing("compress_ratios"))?;
    let drafts = ratios.get(usize::try_from(layers).unwrap_or(usize::MAX)..).unwrap_or_default().len() as u64;
    let mut within = latent(dim, rope);
    within["window"] = json!(window);
    let mut found = Layers::of(within.clone(), layers);
    for ratio in config.of_layers("compress_ratios", ratios, layers)? {
        let mut entries = latent(dim, rope);
        entries["stride"] = json!(ratio);
        match ratio {
            0 => {}
            4 => {
                // Blocks of four overlap, so their compressor holds two of them, each for both halves of its width.
                found.add(entries, 1);
                found.add(compressor(2 * ratio, 2 * head), 1);
                let mut keys = index(index_dim, whole(&memory::INDEX_ENTRY_BYTES, &[index_dim]));
                keys["stride"] = json!(ratio);
                found.add(keys, 1);
                found.add(compressor(2 * ratio, 2 * index_dim), 1);
            }
            128 => {
                found.add(entries, 1);
                found.add(compressor(ratio, head), 1);
            }
            other => {
                let message = format!("`compress_ratios`: expected 0, 4 or 128, found {other}");
                return Err(config.problem("compress_ratios", message));
            }
        }
    }
    // What the list has past the last layer is of the draft layers, which keep a window only.
    Ok(Found { drafts: Layers::of(within, drafts), ..Found::new(layers, found) })
}

fn compressor(tokens: u64, width: u64) -> serde_json::Value {
    json!({"kind": "compressor", "state_bytes": whole(&state::COMPRESSOR_STATE_BYTES, &[tokens, width])})
}
