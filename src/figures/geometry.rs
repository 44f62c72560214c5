//! KV bytes per token from a model's layer groups and a storage type.

use std::sync::Arc;

use super::sheet::{Found, assumed, compute, derived, field, missing};
use super::{Fact, Figure, Missing};
use crate::catalog::{Catalog, Item, Named, RECORD};
use crate::formula::memory;
use crate::record::Model;
use crate::record::model::{GroupKind, LayerGroup};
use crate::schema::Document;

/// Figures of a model entry itself: its cache in bf16.
pub fn figures(item: &Item, model: &Model) -> Vec<Figure> {
    let bf16 = assumed(&item.document, "", 2.0, "the cache is taken to be bf16, 2 bytes an element");
    let cache = Cache { item, model, element: Ok(bf16) };
    let mut figures = vec![cache.bytes_per_token(RECORD)];
    figures.extend(cache.all_layers_bytes_per_token(RECORD));
    figures
}

/// A model's cache in one storage type.
pub struct Cache<'a> {
    item: &'a Item,
    model: &'a Model,
    /// Bytes of one stored element.
    element: Found,
}

impl<'a> Cache<'a> {
    /// The cache of a named model; missing when the name is of no entry.
    pub fn of(catalog: &'a Catalog, named: &Named, element: Found) -> Result<Self, Missing> {
        let entry = named.entry().and_then(|address| catalog.model(address));
        let Some((item, model)) = entry else {
            return Err(Missing::because(format!("the geometry of `{}` is not in content", named.name)));
        };
        Ok(Cache { item, model, element })
    }

    /// The sum over the groups whose cache grows with the sequence.
    pub fn bytes_per_token(&self, subject: &str) -> Figure {
        let groups = self.model.groups.iter().enumerate();
        let parts: Vec<_> = groups.filter_map(|(position, group)| self.group(subject, position, group)).collect();
        if parts.is_empty() {
            return missing(&memory::KV_BYTES_PER_TOKEN, subject, "no layer of this model keeps a cache that grows");
        }
        compute(&memory::KV_BYTES_PER_TOKEN, subject, parts.into_iter().map(|part| derived(&Arc::new(part))))
    }

    /// What all layers would cost as full attention; `None` where that is what the model has.
    pub fn all_layers_bytes_per_token(&self, subject: &str) -> Option<Figure> {
        let full: Vec<_> =
            self.model.groups.iter().enumerate().filter(|(_, group)| group.kind == GroupKind::Full).collect();
        let [(position, group)] = full[..] else { return None };
        if group.layers >= self.model.layers {
            return None;
        }
        let at = |name: &str| format!("/groups/{position}/{name}");
        let facts = [
            self.whole("/layers".to_owned(), Some(self.model.layers)),
            self.whole(at("kv_heads"), group.kv_heads),
            self.whole(at("k_dim"), group.k_dim),
            self.whole(at("v_dim"), group.v_dim),
            self.element.clone(),
        ];
        let figure = compute(&memory::KV_ALL_LAYERS_BYTES_PER_TOKEN, subject, facts);
        Some(figure.limited([format!(
            "a contrast, not a cache that exists: only {} of {} layers keep a cache that grows",
            group.layers, self.model.layers
        )]))
    }

    /// The part of one group, `None` when it does not grow.
    fn group(&self, subject: &str, position: usize, group: &LayerGroup) -> Option<Figure> {
        let at = |name: &str| format!("/groups/{position}/{name}");
        let layers = self.whole(at("layers"), Some(group.layers));
        let stride = match group.stride {
            Some(stride) => self.whole(at("stride"), Some(stride)),
            None => Ok(self.given(at("layers"), 1.0)),
        };
        match group.kind {
            GroupKind::Full => Some(compute(
                &memory::FULL_GROUP_BYTES_PER_TOKEN,
                subject,
                [
                    layers,
                    self.whole(at("kv_heads"), group.kv_heads),
                    self.whole(at("k_dim"), group.k_dim),
                    self.whole(at("v_dim"), group.v_dim),
                    self.element.clone(),
                ],
            )),
            GroupKind::Latent if group.window.is_none() => Some(compute(
                &memory::LATENT_GROUP_BYTES_PER_TOKEN,
                subject,
                [
                    layers,
                    self.whole(at("dim"), group.dim),
                    self.whole(at("rope_dim"), group.rope_dim),
                    self.element.clone(),
                    stride,
                ],
            )),
            GroupKind::Index => Some(compute(
                &memory::INDEX_GROUP_BYTES_PER_TOKEN,
                subject,
                [layers, self.whole(at("entry_bytes"), group.entry_bytes), stride],
            )),
            _ => None,
        }
    }

    /// A whole number of the model's geometry.
    fn whole(&self, pointer: String, value: Option<u64>) -> Found {
        // Geometry fits f64 exactly: the schema bounds it far below 2^53.
        let mut fact = field(&self.item.document, pointer, value.map(|value| value as f64))?;
        fact.assumed.clone_from(&self.model.assumed);
        Ok(fact)
    }

    /// What a group's kind implies where it has no field for it.
    fn given(&self, pointer: String, value: f64) -> Fact {
        Fact {
            quantity: value.into(),
            document: Arc::clone(&self.item.document),
            pointer,
            assumed: None,
            derivation: None,
        }
    }
}

/// Bytes of one element of a KV storage type, scales included; `None` for an unknown one.
///
/// Block formats as in gguf's `GGML_QUANT_SIZES`: bytes per 32 elements.
pub fn bytes_per_element(dtype: &str) -> Option<f64> {
    Some(match dtype.to_ascii_lowercase().as_str() {
        "f32" | "fp32" | "float32" => 4.0,
        "bf16" | "fp16" | "f16" | "bfloat16" | "float16" => 2.0,
        "fp8" | "fp8_e4m3" | "fp8_e5m2" | "int8" => 1.0,
        "q8_0" => 34.0 / 32.0,
        "q5_1" => 24.0 / 32.0,
        "q5_0" => 22.0 / 32.0,
        "q4_1" => 20.0 / 32.0,
        "q4_0" | "iq4_nl" => 18.0 / 32.0,
        "nvfp4" => 9.0 / 16.0,
        _ => return None,
    })
}

/// The element size of a stated KV dtype; of bf16, assumed, where none is stated.
pub fn element(document: &Arc<Document>, pointer: &str, dtype: Option<&str>, silence: &str) -> Found {
    match dtype {
        None => Ok(assumed(document, pointer, 2.0, format!("{silence}, so the cache is taken to be bf16"))),
        Some(dtype) => match bytes_per_element(dtype) {
            Some(bytes) => field(document, pointer, Some(bytes)),
            None => Err(Missing::because(format!("the size of a `{dtype}` element is not known"))),
        },
    }
}
