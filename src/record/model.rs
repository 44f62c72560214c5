//! A model: layer-group geometry, weights, and the names that results use for it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{Citation, Status};

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Model {
    pub id: String,
    #[serde(default)]
    pub status: Status,
    pub title: String,
    /// The exact strings that results use.
    #[serde(default)]
    pub names: Vec<String>,
    pub developer: Option<String>,
    /// All layers of the model, whatever they keep.
    pub layers: u64,
    pub attention_heads: Option<u64>,
    pub hidden_size: Option<u64>,
    pub max_context_tokens: Option<u64>,
    pub groups: Vec<LayerGroup>,
    /// Draft (MTP) layers, which keep a cache only while speculative decoding runs with them.
    #[serde(default)]
    pub draft_groups: Vec<LayerGroup>,
    /// Why the geometry is taken from elsewhere, when the model's own was not read.
    pub assumed: Option<String>,
    pub shape: Option<Shape>,
    /// Size of the weights by their dtype, bytes.
    #[serde(default)]
    pub weights_bytes: BTreeMap<String, u64>,
    /// What one decode step of one sequence reads of them, bytes: of a mixture of experts only the active ones.
    #[serde(default)]
    pub active_weights_bytes: BTreeMap<String, u64>,
    pub note: Option<String>,
    #[serde(default)]
    pub sources: Vec<Citation>,
}

/// Whether a token passes all weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    Dense,
    /// A mixture of experts: a token passes some of them.
    Moe,
}

impl Shape {
    pub fn words(self) -> &'static str {
        match self {
            Shape::Dense => "dense: a token passes all weights",
            Shape::Moe => "mixture of experts: a token passes some of the weights",
        }
    }
}

/// Layers that keep the same thing. Which fields a kind has is the schema's matter.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct LayerGroup {
    pub kind: GroupKind,
    pub layers: u64,
    pub kv_heads: Option<u64>,
    pub k_dim: Option<u64>,
    pub v_dim: Option<u64>,
    /// Most tokens kept by a window or chunk layer.
    pub window: Option<u64>,
    /// Width of a latent vector, without its rotary part.
    pub dim: Option<u64>,
    pub rope_dim: Option<u64>,
    /// Tokens per stored entry.
    pub stride: Option<u64>,
    /// Bytes of one index key, whatever the KV dtype.
    pub entry_bytes: Option<u64>,
    pub conv_elements: Option<u64>,
    pub recurrent_elements: Option<u64>,
    pub state_bytes: Option<u64>,
    pub source_tokens: Option<u64>,
    pub shares_with: Option<usize>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupKind {
    /// K and V of every token.
    Full,
    /// K and V of the last `window` tokens.
    Window,
    /// K and V of the current chunk of `window` tokens.
    Chunk,
    /// One vector a token, shared by all heads.
    Latent,
    /// A side key of a sparse indexer.
    Index,
    /// A state of fixed size per sequence.
    State,
    /// A compressor state of fixed size per sequence.
    Compressor,
    /// K and V of an encoder or an image.
    Cross,
    /// Reads another group's cache.
    Shared,
    /// No attention.
    None,
}

/// How what a group keeps depends on the length of the sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// With every token, or every `stride` of them.
    Grows,
    /// Until its window or chunk is full.
    Capped,
    /// Not at all: a state.
    Fixed,
    /// With the encoder or image, not with the text.
    Source,
    /// It keeps nothing of its own.
    Nothing,
}

impl LayerGroup {
    pub fn growth(&self) -> Growth {
        match self.kind {
            GroupKind::Full | GroupKind::Index => Growth::Grows,
            GroupKind::Latent if self.window.is_none() => Growth::Grows,
            GroupKind::Latent | GroupKind::Window | GroupKind::Chunk => Growth::Capped,
            GroupKind::State | GroupKind::Compressor => Growth::Fixed,
            GroupKind::Cross => Growth::Source,
            GroupKind::Shared | GroupKind::None => Growth::Nothing,
        }
    }
}
