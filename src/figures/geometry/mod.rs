//! A model's cache in one storage type: bytes per token and per sequence, from its layer groups.

mod group;
mod stored;

use std::sync::Arc;

use super::sheet::{Found, compute, derived, field, said};
use super::{Fact, Figure, Missing};
use crate::catalog::{Catalog, Item, Named};
use crate::formula::{Formula, card, memory, state};
use crate::record::Model;
use crate::record::model::{GroupKind, Growth, LayerGroup};
use group::{Group, Heads};

pub use group::Widths;
pub use stored::{Stored, stored};

/// A model's cache in one storage type.
pub struct Cache<'a> {
    item: &'a Item,
    model: &'a Model,
    stored: Stored,
}

impl<'a> Cache<'a> {
    /// The cache of a named model; missing when the name is of no entry, or the storage type is not known.
    pub fn of(catalog: &'a Catalog, named: &Named, stored: Result<Stored, Missing>) -> Result<Self, Missing> {
        let entry = named.entry().and_then(|address| catalog.model(address));
        let Some((item, model)) = entry else {
            return Err(Missing::because(format!("the geometry of `{}` is not in content", named.name)));
        };
        Ok(Cache { item, model, stored: stored? })
    }

    /// The cache of a model's own entry.
    pub fn of_entry(item: &'a Item, model: &'a Model, stored: Stored) -> Self {
        Cache { item, model, stored }
    }

    /// Marginal bytes: what one more token costs at long context, where all windows are full.
    pub fn bytes_per_token(&self, subject: &str) -> Figure {
        let figure = self.per_token(&memory::KV_BYTES_PER_TOKEN, subject, self.growing(), &Heads::All);
        let figure = figure.unwrap_or_else(|| self.does_not_grow(&memory::KV_BYTES_PER_TOKEN, subject));
        let limit = "marginal, at long context: while its windows fill, a token costs more";
        figure.limited(self.has(Growth::Capped).then(|| limit.to_owned()))
    }

    /// What one more token costs while no window is full; `None` for a model without windows, where it is the marginal cost.
    pub fn short_bytes_per_token(&self, subject: &str) -> Option<Figure> {
        let keeping = self.groups().filter(|group| matches!(group.growth(), Growth::Grows | Growth::Capped));
        let keeping = self.has(Growth::Capped).then_some(keeping)?;
        self.per_token(&memory::KV_SHORT_BYTES_PER_TOKEN, subject, keeping, &Heads::All)
    }

    /// Marginal bytes on each GPU of `gpus` under tensor parallelism.
    pub fn bytes_per_token_per_gpu(&self, subject: &str, gpus: &Found) -> Figure {
        let formula = &memory::KV_BYTES_PER_TOKEN_PER_GPU;
        let figure = self.per_token(formula, subject, self.growing(), &Heads::SharedBy(gpus));
        figure.unwrap_or_else(|| self.does_not_grow(formula, subject))
    }

    /// What the draft layers add per token; `None` for a model that has none.
    pub fn draft_bytes_per_token(&self, subject: &str) -> Option<Figure> {
        let drafts =
            listed(self, "/draft_groups", &self.model.draft_groups).filter(|group| group.growth() == Growth::Grows);
        self.per_token(&memory::KV_DRAFT_BYTES_PER_TOKEN, subject, drafts, &Heads::All)
    }

    /// The KV cache at a context: what grows, and windows as far as they are full.
    pub fn gib_at_context(&self, subject: &str, context: &Found) -> Figure {
        let formula = &memory::KV_GIB_AT_CONTEXT;
        let parts = self.kv_at_context(subject, context);
        if parts.is_empty() {
            return said(formula, subject, "no KV cache", [self.nothing(formula)]);
        }
        total(formula, subject, parts)
    }

    /// The same spread over the tokens; `None` where each token costs the same.
    pub fn average_bytes_per_token(&self, subject: &str, total: &Arc<Figure>, context: &Found) -> Option<Figure> {
        let same = !self.has(Growth::Capped) && self.model.groups.iter().all(|group| group.stride.is_none());
        let facts = [derived(total), context.clone()];
        (!same).then(|| compute(&memory::KV_AVERAGE_BYTES_PER_TOKEN, subject, facts))
    }

    /// The KV cache at a context of an engine that holds windows in full; `None` for a model without windows.
    pub fn reserved_gib_at_context(&self, subject: &str, context: &Found) -> Option<Figure> {
        let short = Arc::new(self.short_bytes_per_token(subject)?);
        Some(compute(&memory::KV_RESERVED_GIB_AT_CONTEXT, subject, [derived(&short), context.clone()]))
    }

    /// States of fixed size; `None` for a model that has none.
    pub fn fixed_state(&self, subject: &str, widths: &Widths) -> Option<Figure> {
        let parts: Vec<_> = self.groups().filter_map(|group| group.state_bytes(subject, widths)).collect();
        (!parts.is_empty()).then(|| total(&state::FIXED_STATE_BYTES, subject, parts))
    }

    /// K and V of an encoder or image; `None` for a model that has none.
    pub fn cross_bytes(&self, subject: &str) -> Option<Figure> {
        let parts: Vec<_> = self.groups().filter_map(|group| group.cross_bytes(subject)).collect();
        (!parts.is_empty()).then(|| total(&memory::KV_CROSS_BYTES, subject, parts))
    }

    /// All that a sequence holds at a context; `None` for a model that keeps nothing at all.
    pub fn sequence_bytes(&self, subject: &str, context: &Found) -> Option<Figure> {
        let mut parts = self.kv_at_context(subject, context);
        parts.extend(self.fixed(subject));
        (!parts.is_empty()).then(|| total(&memory::SEQUENCE_BYTES_AT_CONTEXT, subject, parts))
    }

    /// What all layers would cost as full attention; `None` where that is what the model has.
    pub fn all_layers_bytes_per_token(&self, subject: &str) -> Option<Figure> {
        let full: Vec<_> = self.groups().filter(|group| group.kind() == GroupKind::Full).collect();
        let [group] = &full[..] else { return None };
        let layers = group.layers();
        if layers >= self.model.layers {
            return None;
        }
        let figure = compute(&memory::KV_ALL_LAYERS_BYTES_PER_TOKEN, subject, group.as_if_in(self.model.layers));
        Some(figure.limited([format!(
            "a contrast, not a cache that exists: only {layers} of {} layers keep a cache that grows",
            self.model.layers
        )]))
    }

    /// What a contrast such as that would hold at a context.
    pub fn contrast_gib_at_context(subject: &str, contrast: &Arc<Figure>, context: &Found) -> Figure {
        let facts = [derived(contrast), context.clone()];
        let part = compute(&memory::GROWING_GROUP_BYTES_AT_CONTEXT, subject, facts);
        total(&memory::KV_GIB_AT_CONTEXT, subject, vec![part]).limited(contrast.limits.clone())
    }

    /// Lengths at which a window is full, shortest first.
    pub fn windows(&self) -> Vec<u64> {
        let capped = self.model.groups.iter().filter(|group| group.growth() == Growth::Capped);
        let mut windows: Vec<_> = capped.filter_map(|group| group.window).collect();
        windows.sort_unstable();
        windows.dedup();
        windows
    }

    /// What still grows once all windows up to `full` tokens are full, bytes per token; `None` when nothing does.
    pub fn bytes_per_token_past(&self, subject: &str, full: u64) -> Option<Figure> {
        let growing = self.groups().filter(|group| match group.growth() {
            Growth::Grows => true,
            Growth::Capped => !group.is_full_at(full),
            Growth::Fixed | Growth::Source | Growth::Nothing => false,
        });
        if self.all_full_at(full) {
            return self.per_token(&memory::KV_BYTES_PER_TOKEN, subject, growing, &Heads::All);
        }
        self.per_token(&memory::KV_SHORT_BYTES_PER_TOKEN, &past(subject, full), growing, &Heads::All)
    }

    /// What a sequence holds however long it is: states, K and V of a source, and full windows; `None` for nothing.
    pub fn still(&self, subject: &str) -> Option<Figure> {
        let parts = self.still_parts(subject, u64::MAX);
        (!parts.is_empty()).then(|| total(&card::STILL_BYTES, subject, parts))
    }

    /// The same where only the windows up to `full` tokens are full.
    pub fn still_past(&self, subject: &str, full: u64) -> Found {
        let subject = if self.all_full_at(full) { subject.to_owned() } else { past(subject, full) };
        let parts = self.still_parts(&subject, full);
        if parts.is_empty() {
            return self.nothing(&card::STILL_BYTES);
        }
        derived(&Arc::new(total(&card::STILL_BYTES, &subject, parts)))
    }

    fn still_parts(&self, subject: &str, full: u64) -> Vec<Figure> {
        let mut parts = self.fixed(subject);
        let windows = self.groups().filter(|group| group.is_full_at(full));
        parts.extend(windows.map(|group| group.full_window_bytes(subject)));
        parts
    }

    /// The sum over no group at all: it has no first input to stand at, so it stands at the list.
    fn nothing(&self, formula: &'static Formula) -> Found {
        let derivation = Some(Arc::new(total(formula, "", Vec::new())));
        Ok(Fact { derivation, ..field(&self.item.document, "/groups", Some(0.0))? })
    }

    fn does_not_grow(&self, formula: &'static Formula, subject: &str) -> Figure {
        said(formula, subject, "does not grow", [self.nothing(formula)])
    }

    fn all_full_at(&self, tokens: u64) -> bool {
        self.windows().iter().all(|window| *window <= tokens)
    }

    /// States and K and V of a source.
    fn fixed(&self, subject: &str) -> Vec<Figure> {
        let states = self.groups().filter_map(|group| group.state_bytes(subject, &Widths::SERVING));
        states.chain(self.groups().filter_map(|group| group.cross_bytes(subject))).collect()
    }

    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        listed(self, "/groups", &self.model.groups)
    }

    fn growing(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups().filter(|group| group.growth() == Growth::Grows)
    }

    fn has(&self, growth: Growth) -> bool {
        self.model.groups.iter().any(|group| group.growth() == growth)
    }

    /// The groups that keep K and V of the text, at a context.
    fn kv_at_context(&self, subject: &str, context: &Found) -> Vec<Figure> {
        self.groups().filter_map(|group| group.at_context(subject, context)).collect()
    }

    /// The sum over groups; `None` when there is none.
    fn per_token<'b>(
        &self,
        formula: &'static Formula,
        subject: &str,
        groups: impl Iterator<Item = Group<'b>>,
        heads: &Heads,
    ) -> Option<Figure> {
        let parts: Vec<_> = groups.map(|group| group.bytes_per_token(subject, heads)).collect();
        (!parts.is_empty()).then(|| total(formula, subject, parts))
    }
}

/// The subject of a cache whose windows of up to `full` tokens are full, and longer ones are not.
fn past(subject: &str, full: u64) -> String {
    format!("{subject}-past-{full}")
}

/// A sum formula over the figures of groups.
fn total(formula: &'static Formula, subject: &str, parts: Vec<Figure>) -> Figure {
    compute(formula, subject, parts.into_iter().map(|part| derived(&Arc::new(part))))
}

fn listed<'a>(cache: &'a Cache, list: &'a str, groups: &'a [LayerGroup]) -> impl Iterator<Item = Group<'a>> {
    groups.iter().enumerate().map(move |(position, group)| Group::new(cache, format!("{list}/{position}"), group))
}
