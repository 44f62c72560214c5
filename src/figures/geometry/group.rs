//! One layer group of a model: what an entry costs, and what the group holds.

use std::sync::Arc;

use super::super::sheet::{Found, assumed, compute, derived, field, missing};
use super::super::{Fact, Figure, Missing};
use super::Cache;
use crate::formula::storage::Latent;
use crate::formula::{memory, state};
use crate::quantity::Quantity;
use crate::record::model::{GroupKind, Growth, LayerGroup};

/// A group and where it stands in the model's file.
pub struct Group<'a> {
    cache: &'a Cache<'a>,
    pointer: String,
    group: &'a LayerGroup,
}

/// The KV heads that a GPU keeps.
pub enum Heads<'a> {
    All,
    /// Those of one of so many GPUs.
    SharedBy(&'a Found),
}

/// Bytes of an element of each kind of state.
#[derive(Debug)]
pub struct Widths {
    /// As subjects of figures name it.
    pub name: &'static str,
    conv_bytes: f64,
    recurrent_bytes: f64,
    pub reason: &'static str,
}

impl Widths {
    pub const SERVING: Widths = Widths {
        name: "conv-bf16-recurrent-fp32",
        conv_bytes: 2.0,
        recurrent_bytes: 4.0,
        reason: "convolution states in bf16 and recurrent ones in fp32, as serving engines mostly keep them",
    };
    pub const BF16: Widths =
        Widths { name: "states-bf16", conv_bytes: 2.0, recurrent_bytes: 2.0, reason: "all states in bf16" };
    pub const FP32: Widths = Widths {
        name: "states-fp32",
        conv_bytes: 4.0,
        recurrent_bytes: 4.0,
        reason: "all states in fp32, as llama.cpp keeps them",
    };
}

impl<'a> Group<'a> {
    pub fn new(cache: &'a Cache<'a>, pointer: String, group: &'a LayerGroup) -> Self {
        Group { cache, pointer, group }
    }

    pub fn kind(&self) -> GroupKind {
        self.group.kind
    }

    pub fn layers(&self) -> u64 {
        self.group.layers
    }

    pub fn growth(&self) -> Growth {
        self.group.growth()
    }

    /// Whether it has a window that so many tokens fill.
    pub fn is_full_at(&self, tokens: u64) -> bool {
        self.growth() == Growth::Capped && self.group.window.is_some_and(|window| window <= tokens)
    }

    /// What a token costs, spread over the stride where the group has one.
    pub fn bytes_per_token(&self, subject: &str, heads: &Heads) -> Figure {
        let entry = self.entry(subject, heads);
        match self.group.stride {
            None => entry,
            Some(_) => {
                let facts = [derived(&Arc::new(entry)), self.whole("stride", self.group.stride)];
                compute(&memory::STRIDED_GROUP_BYTES_PER_TOKEN, subject, facts)
            }
        }
    }

    /// What the group holds of the text; `None` for a kind whose size is not a matter of it.
    pub fn at_context(&self, subject: &str, context: &Found) -> Option<Figure> {
        match self.growth() {
            Growth::Grows if self.group.stride.is_some() => {
                let entry = Arc::new(self.entry(subject, &Heads::All));
                let facts = [derived(&entry), context.clone(), self.whole("stride", self.group.stride)];
                Some(compute(&memory::STRIDED_GROUP_BYTES_AT_CONTEXT, subject, facts))
            }
            Growth::Grows => {
                let token = Arc::new(self.bytes_per_token(subject, &Heads::All));
                let facts = [derived(&token), context.clone()];
                Some(compute(&memory::GROWING_GROUP_BYTES_AT_CONTEXT, subject, facts))
            }
            Growth::Capped => Some(self.window_bytes(subject, context.clone())),
            Growth::Fixed | Growth::Source | Growth::Nothing => None,
        }
    }

    /// What the group holds once its window is full.
    pub fn full_window_bytes(&self, subject: &str) -> Figure {
        self.window_bytes(subject, self.window())
    }

    /// States of fixed size; `None` for a group that keeps none.
    pub fn state_bytes(&self, subject: &str, widths: &Widths) -> Option<Figure> {
        let layers = self.whole("layers", Some(self.group.layers));
        let width =
            |name: &str, bytes: f64| Ok(assumed(&self.cache.item.document, self.at(name), bytes, widths.reason));
        match self.group.kind {
            GroupKind::State => Some(compute(
                &state::STATE_GROUP_BYTES,
                subject,
                [
                    layers,
                    self.whole("conv_elements", self.group.conv_elements),
                    width("conv_elements", widths.conv_bytes),
                    self.whole("recurrent_elements", self.group.recurrent_elements),
                    width("recurrent_elements", widths.recurrent_bytes),
                ],
            )),
            GroupKind::Compressor => {
                let facts = [layers, self.whole("state_bytes", self.group.state_bytes)];
                Some(compute(&state::COMPRESSOR_GROUP_BYTES, subject, facts))
            }
            _ => None,
        }
    }

    /// K and V of a source; `None` for a group that keeps none.
    pub fn cross_bytes(&self, subject: &str) -> Option<Figure> {
        (self.growth() == Growth::Source).then(|| {
            let token = Arc::new(self.entry(subject, &Heads::All));
            let facts = [derived(&token), self.whole("source_tokens", self.group.source_tokens)];
            compute(&memory::CROSS_GROUP_BYTES, subject, facts)
        })
    }

    /// The facts of the group as if so many layers of the model were like it.
    pub fn as_if_in(&self, layers: u64) -> Vec<Found> {
        let layers = self.cache.whole("/layers".to_owned(), Some(layers));
        std::iter::once(layers).chain(self.heads(self.whole("kv_heads", self.group.kv_heads))).collect()
    }

    fn window_bytes(&self, subject: &str, context: Found) -> Figure {
        let token = Arc::new(self.bytes_per_token(subject, &Heads::All));
        compute(&memory::WINDOW_GROUP_BYTES_AT_CONTEXT, subject, [derived(&token), context, self.window()])
    }

    fn window(&self) -> Found {
        self.whole("window", self.group.window)
    }

    /// What one entry costs in all layers of the group.
    fn entry(&self, subject: &str, heads: &Heads) -> Figure {
        let layers = self.whole("layers", Some(self.group.layers));
        match self.group.kind {
            GroupKind::Full | GroupKind::Window | GroupKind::Chunk | GroupKind::Cross => {
                let facts = std::iter::once(layers).chain(self.heads(self.kv_heads(subject, heads)));
                compute(&memory::FULL_GROUP_BYTES_PER_TOKEN, subject, facts)
            }
            GroupKind::Latent => self.latent(subject, layers),
            GroupKind::Index => {
                let facts = [layers, self.whole("entry_bytes", self.group.entry_bytes)];
                compute(&memory::INDEX_GROUP_BYTES_PER_TOKEN, subject, facts)
            }
            GroupKind::State | GroupKind::Compressor | GroupKind::Shared | GroupKind::None => {
                missing(&memory::FULL_GROUP_BYTES_PER_TOKEN, subject, "the group keeps no K and V")
            }
        }
    }

    fn latent(&self, subject: &str, layers: Found) -> Figure {
        let (dim, rope_dim) = (self.group.dim.unwrap_or(0), self.group.rope_dim.unwrap_or(0));
        let stored = &self.cache.stored;
        // A latent is one vector for both sides; llama.cpp stores it as K.
        match stored.dtype.k.of_latent(dim, rope_dim) {
            Err(reason) => missing(&memory::LATENT_GROUP_BYTES_PER_TOKEN, subject, reason),
            Ok(Latent::Packed(bytes)) => {
                compute(&memory::PACKED_GROUP_BYTES_PER_TOKEN, subject, [layers, Ok(stored.fact(bytes))])
            }
            Ok(Latent::Elements { bytes, scale_bytes }) => compute(
                &memory::LATENT_GROUP_BYTES_PER_TOKEN,
                subject,
                [
                    layers,
                    self.whole("dim", self.group.dim),
                    self.whole("rope_dim", self.group.rope_dim),
                    Ok(stored.fact(bytes)),
                    Ok(stored.fact(scale_bytes)),
                ],
            ),
        }
    }

    /// Heads and their widths, each side in its storage type, and the scales of both.
    fn heads(&self, heads: Found) -> [Found; 6] {
        let stored = &self.cache.stored;
        let count = self.group.kv_heads.unwrap_or(0);
        let (k_dim, v_dim) = (self.group.k_dim.unwrap_or(0), self.group.v_dim.unwrap_or(0));
        let k = stored.dtype.k.of_head(count, k_dim).map_err(Missing::because);
        let v = stored.dtype.v.of_head(count, v_dim).map_err(Missing::because);
        let fact = |bytes: f64| stored.fact(bytes);
        let scales = k.clone().and_then(|(_, k)| v.clone().map(|(_, v)| fact(k + v)));
        [
            heads,
            self.whole("k_dim", self.group.k_dim),
            k.map(|(bytes, _)| fact(bytes)),
            self.whole("v_dim", self.group.v_dim),
            v.map(|(bytes, _)| fact(bytes)),
            scales,
        ]
    }

    fn kv_heads(&self, subject: &str, heads: &Heads) -> Found {
        let all = self.whole("kv_heads", self.group.kv_heads);
        let Heads::SharedBy(gpus) = heads else { return all };
        let (all, gpus) = (all?, (*gpus).clone()?);
        let divides = |one: Quantity, other: Quantity| (one / other).low().fract() == 0.0;
        if !divides(all.quantity, gpus.quantity) && !divides(gpus.quantity, all.quantity) {
            let (heads, gpus) = (all.quantity.low(), gpus.quantity.low());
            return Err(Missing::because(format!("{heads} KV heads and {gpus} GPUs do not divide evenly")));
        }
        derived(&Arc::new(compute(&memory::KV_HEADS_PER_GPU, subject, [Ok(all), Ok(gpus)])))
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.pointer)
    }

    fn whole(&self, name: &str, value: Option<u64>) -> Found {
        self.cache.whole(self.at(name), value)
    }
}

impl Cache<'_> {
    /// A whole number of the model's geometry.
    fn whole(&self, pointer: String, value: Option<u64>) -> Result<Fact, Missing> {
        // Geometry fits f64 exactly: the schema bounds it far below 2^53.
        let mut fact = field(&self.item.document, pointer, value.map(|value| value as f64))?;
        fact.assumed.clone_from(&self.model.assumed);
        Ok(fact)
    }
}
