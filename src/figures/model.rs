//! Figures of a model entry: its cache by storage format, context, number of GPUs and card.

pub mod cards;

use std::sync::Arc;

use super::Figure;
use super::geometry::{Cache, Stored, Widths};
use super::sheet::{Found, assumed};
use crate::catalog::{Catalog, Item, RECORD};
use crate::formula::storage::{self, BF16, Format};
use crate::quantity::grouped;
use crate::record::Model;
use crate::record::model::GroupKind;

/// Storage formats that a model's cache is computed in; packed ones only for a model with latents.
const FORMATS: [&str; 10] = [
    "bf16",
    "fp8",
    "q8_0",
    "q5_1",
    "q4_0",
    "nvfp4",
    "fp8_per_token_head",
    "int4_per_token_head",
    "fp8_ds_mla",
    "nvfp4_ds_mla",
];

/// Contexts that a model's cache is computed at, tokens.
pub const CONTEXTS: [u64; 3] = [8_192, 32_768, 131_072];

/// GPUs of one tensor-parallel engine.
pub const GPUS: [u64; 5] = [1, 2, 4, 8, 16];

/// The subject of a model's figures in a storage format; bf16 is the model's own.
pub fn of_format(format: &str) -> String {
    if format == BF16.name { RECORD.to_owned() } else { format.to_owned() }
}

/// The same at a context.
pub fn of_context(format: &str, tokens: u64) -> String {
    format!("{format}-at-{tokens}")
}

/// The subject of figures per GPU.
pub fn of_gpus(gpus: u64) -> String {
    format!("tp-{gpus}")
}

/// The formats that a model's cache is computed in.
pub fn formats(model: &Model) -> impl Iterator<Item = &'static Format> {
    let latents = model.groups.iter().any(|group| group.kind == GroupKind::Latent);
    let shown = |format: &&&Format| FORMATS.contains(&format.name);
    storage::FORMATS.iter().filter(shown).copied().filter(move |format| latents || !format.is_packed())
}

/// Its cache first, then what of it goes into each card.
pub fn figures(catalog: &Catalog, item: &Item, model: &Model) -> Vec<Figure> {
    let sheet = Sheet { item, model };
    let mut figures = Vec::new();
    for format in formats(model) {
        sheet.in_format(format, &mut figures);
    }
    sheet.spread(&mut figures);
    sheet.per_gpu(&mut figures);
    sheet.apart(&mut figures);
    cards::on_cards(catalog, &sheet, &mut figures);
    figures
}

struct Sheet<'a> {
    item: &'a Item,
    model: &'a Model,
}

impl<'a> Sheet<'a> {
    fn cache(&self, format: &'static Format) -> Cache<'a> {
        let reason = format!("the cache is taken to be {}", format.name);
        Cache::of_entry(self.item, self.model, Stored::assumed(&self.item.document, "", format, reason))
    }

    fn context(&self, tokens: u64) -> Found {
        Ok(assumed(&self.item.document, "", tokens as f64, format!("a context of {} tokens", whole(tokens))))
    }

    /// Contexts longer than the model takes are formula only.
    fn beyond(&self, tokens: f64) -> Option<String> {
        let longest = self.model.max_context_tokens.filter(|longest| tokens > *longest as f64)?;
        Some(format!("longer than the model's longest context of {} tokens", whole(longest)))
    }

    /// Marginal and short-context bytes, and the total at each context.
    fn in_format(&self, format: &'static Format, figures: &mut Vec<Figure>) {
        let cache = self.cache(format);
        let subject = of_format(format.name);
        figures.push(cache.bytes_per_token(&subject).labelled(format.name));
        figures.extend(cache.short_bytes_per_token(&subject).map(|figure| figure.labelled(format.name)));
        for tokens in CONTEXTS {
            let total = cache.gib_at_context(&of_context(format.name, tokens), &self.context(tokens));
            figures.push(self.at_context(total, format, tokens));
        }
    }

    /// The total of the model's own format as an average, and with windows held in full.
    fn spread(&self, figures: &mut Vec<Figure>) {
        let cache = self.cache(&BF16);
        for tokens in CONTEXTS {
            let (subject, context) = (of_context(BF16.name, tokens), self.context(tokens));
            let total = Arc::new(cache.gib_at_context(&subject, &context));
            let average = cache.average_bytes_per_token(&subject, &total, &context);
            let reserved = cache.reserved_gib_at_context(&subject, &context);
            let spread = average.into_iter().chain(reserved);
            figures.extend(spread.map(|figure| self.at_context(figure, &BF16, tokens)));
        }
    }

    fn at_context(&self, figure: Figure, format: &Format, tokens: u64) -> Figure {
        self.labelled_at(figure, format.name, tokens)
    }

    /// A figure at a context, of what the words say.
    fn labelled_at(&self, figure: Figure, words: &str, tokens: u64) -> Figure {
        figure.labelled(format!("{words}, {} tokens", whole(tokens))).limited(self.beyond(tokens as f64))
    }

    fn per_gpu(&self, figures: &mut Vec<Figure>) {
        let cache = self.cache(&BF16);
        for gpus in GPUS {
            let words = format!("{gpus} {} with tensor parallelism", if gpus == 1 { "GPU" } else { "GPUs" });
            let count = Ok(assumed(&self.item.document, "", gpus as f64, &*words));
            figures.push(cache.bytes_per_token_per_gpu(&of_gpus(gpus), &count).labelled(words));
        }
    }

    /// What is no part of the bytes per token: states, sources, draft layers, and the contrast.
    fn apart(&self, figures: &mut Vec<Figure>) {
        let cache = self.cache(&BF16);
        figures
            .extend(cache.fixed_state(RECORD, &Widths::SERVING).map(|figure| figure.labelled(Widths::SERVING.reason)));
        for widths in [Widths::BF16, Widths::FP32] {
            figures.extend(cache.fixed_state(widths.name, &widths).map(|figure| figure.labelled(widths.reason)));
        }
        for format in cards::FORMATS {
            let cross = self.cache(format).cross_bytes(&of_format(format.name));
            figures.extend(cross.map(|figure| figure.labelled(format.name)));
        }
        figures.extend(cache.draft_bytes_per_token(RECORD).map(|figure| figure.labelled(BF16.name)));
        figures.extend(cache.all_layers_bytes_per_token(RECORD).map(|figure| figure.labelled(BF16.name)));
    }
}

fn whole(number: u64) -> String {
    grouped(&number.to_string())
}
