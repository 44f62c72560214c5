//! Figures of a KV-efficiency note.

use std::sync::Arc;

use super::geometry::{self, Cache};
use super::sheet::{Found, compute, derived, field, missing};
use super::{Figure, Missing};
use crate::catalog::{Catalog, Item, ModelSubject, Named, Subject, anchor_of_key};
use crate::formula::{latency, memory};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{HitRate, HitRateKind, Variant};

/// Sizes of each model first, then what was reused, then how fast it was.
pub fn figures(catalog: &Catalog, item: &Item, note: &KvEfficiency) -> Vec<Figure> {
    let sheet = Sheet { catalog, item, note };
    let mut figures = Vec::new();
    for (named, subject) in item.models.iter().zip(&item.model_subjects) {
        figures.extend(sheet.of_model(named, subject));
    }
    figures.extend(sheet.reused());
    figures.extend(sheet.speedups());
    let order = |figure: &Figure| crate::formula::ALL.iter().position(|formula| formula.id == figure.formula.id);
    figures.sort_by_key(order);
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    note: &'a KvEfficiency,
}

impl Sheet<'_> {
    fn cache(&self, named: &Named) -> Result<Cache<'_>, Missing> {
        let dtype = self.note.kv_dtype.as_deref();
        let pointer = if dtype.is_some() { "/kv_dtype" } else { "/kv_dtype_basis" };
        let element = geometry::element(&self.item.document, pointer, dtype, "the source does not say its KV dtype");
        Cache::of(self.catalog, named, element)
    }

    fn of_model(&self, named: &Named, model: &ModelSubject) -> Vec<Figure> {
        let subject = &*model.anchor;
        let cache = match self.cache(named) {
            Ok(cache) => cache,
            Err(reason) => return vec![missing(&memory::KV_BYTES_PER_TOKEN, subject, reason.reason)],
        };
        let per_token = Arc::new(cache.bytes_per_token(subject));
        let mut figures = Vec::new();
        self.at_context(&mut figures, subject, &per_token);
        figures.push(Figure::clone(&per_token));
        if let Some(contrast) = cache.all_layers_bytes_per_token(subject) {
            let contrast = Arc::new(contrast);
            let facts = [derived(&contrast), derived(&per_token)];
            figures.push(compute(&memory::KV_RATIO, subject, facts).limited(contrast.limits.clone()));
            figures.push(Figure::clone(&contrast));
            self.at_context(&mut figures, &model.all_layers, &contrast);
        }
        figures
    }

    /// The cache at the note's context, and whether it fits the first card.
    fn at_context(&self, figures: &mut Vec<Figure>, subject: &str, per_token: &Arc<Figure>) {
        let context = field(&self.item.document, "/context_tokens", self.note.context_tokens);
        let size = compute(&memory::KV_GIB_AT_CONTEXT, subject, [derived(per_token), context])
            .limited(per_token.limits.clone());
        let size = Arc::new(size);
        if let Some((host, card)) = self.note.hosts.first().zip(self.item.cards.first()) {
            let memory_gb = match card.entry().and_then(|address| self.catalog.hardware(address)) {
                Some((card_item, card)) => field(&card_item.document, "/memory_gb", Some(card.memory_gb)),
                None => Err(Missing::because(format!("the memory of `{}` is not in content", card.name))),
            };
            let cards = field(&self.item.document, "/hosts/0/count", host.count.map(f64::from));
            let fits = compute(&memory::FITS_CARD, subject, [derived(&size), memory_gb, cards])
                .limited(["weights and buffers come on top and are not stated".to_owned()])
                .limited(per_token.limits.clone());
            figures.push(fits);
        }
        figures.push(Figure::clone(&size));
    }

    /// What each replayed prompt took from the cache.
    fn reused(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (position, rate) in self.note.hit_rates.iter().enumerate() {
            if rate.kind != HitRateKind::Replay {
                continue;
            }
            // A variant with several replays has several rates; then each goes by its own key.
            let of_subject = |other: &&HitRate| other.kind == HitRateKind::Replay && other.subject == rate.subject;
            let alone = self.note.hit_rates.iter().filter(of_subject).count() == 1;
            let subject = rate.subject.as_deref().filter(|_| alone).unwrap_or(&rate.key);
            let subject = anchor_of_key(subject);
            let hit_rate = field(&self.item.document, format!("/hit_rates/{position}/rate_pct"), Some(rate.rate_pct));
            let reused = Arc::new(compute(&memory::TOKENS_REUSED, &*subject, [self.prompt(&subject), hit_rate]));
            if let ([named], [model]) = (&self.item.models[..], &self.item.model_subjects[..]) {
                let bytes = match self.cache(named) {
                    Ok(cache) => derived(&Arc::new(cache.bytes_per_token(&model.anchor))),
                    Err(missing) => Err(missing),
                };
                figures.push(compute(&memory::KV_GIB_NOT_RECOMPUTED, &*subject, [derived(&reused), bytes]));
            }
            figures.push(Figure::clone(&reused));
        }
        figures
    }

    /// Prompt tokens of a variant: its own context, else the note's.
    fn prompt(&self, subject: &str) -> Found {
        let own = self.variants().find(|(found, _)| found.anchor == subject);
        match own.and_then(|(found, variant)| Some((found, variant.context_tokens?))) {
            Some((found, tokens)) => {
                field(&self.item.document, format!("{}/context_tokens", found.pointer), Some(tokens))
            }
            None => field(&self.item.document, "/context_tokens", self.note.context_tokens),
        }
    }

    /// Each variant's time to first token against the baseline's.
    fn speedups(&self) -> Vec<Figure> {
        let Some(baseline) = self.item.baseline else { return Vec::new() };
        let Some((base, base_variant)) = self.variants().nth(baseline) else { return Vec::new() };
        let ttft = |subject: &Subject, variant: &Variant| {
            let pointer = format!("{}/measured_ttft_ms_at_ctx", subject.pointer);
            field(&self.item.document, pointer, variant.measured_ttft_ms_at_ctx)
        };
        self.variants()
            .map(|(subject, variant)| {
                if subject.anchor == base.anchor {
                    return missing(&latency::TTFT_SPEEDUP, &*subject.anchor, "baseline");
                }
                let facts = [ttft(base, base_variant), ttft(subject, variant)];
                compute(&latency::TTFT_SPEEDUP, &*subject.anchor, facts)
            })
            .collect()
    }

    fn variants(&self) -> impl Iterator<Item = (&Subject, &Variant)> {
        self.item.subjects.iter().zip(&self.note.variants)
    }
}
