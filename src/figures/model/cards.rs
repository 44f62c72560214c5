//! A model on cards: the room beside its weights, the sequences that go into it, and whether a long one does.

use std::sync::Arc;

use super::super::card::{self, Cards, Kept};
use super::super::geometry::Cache;
use super::super::sheet::{Found, assumed, field};
use super::super::{Figure, Missing};
use super::{CONTEXTS, Sheet, of_context, of_format};
use crate::catalog::{Catalog, Item};
use crate::formula::storage::{BF16, FP8, Format};
use crate::record::{Hardware, Model};
use crate::source::Kind;

/// Contexts of which sequences are counted, tokens.
pub const SERVED_CONTEXTS: [u64; 2] = [32_768, 131_072];

/// The context that has to fit a card, tokens.
pub const FITTING_CONTEXT: u64 = 131_072;

/// Storage formats that a card's sequences are counted in.
pub const FORMATS: [&Format; 2] = [&BF16, &FP8];

/// A model on one card, with its weights in one dtype, or in none that is stated.
pub struct Load<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    model: &'a Model,
    pub weights: Option<&'a str>,
}

/// A storage format that cards are filled with, and what a sequence holds in it at each context.
struct Served<'a> {
    format: &'static Format,
    cache: Cache<'a>,
    sequences: [Option<Arc<Figure>>; CONTEXTS.len()],
}

/// One load for each dtype of the model's weights.
pub fn loads<'a>(catalog: &'a Catalog, item: &'a Item, model: &'a Model) -> Vec<Load<'a>> {
    let load = |weights| Load { catalog, item, model, weights };
    let stated: Vec<_> = model.weights_bytes.keys().map(|dtype| load(Some(dtype.as_str()))).collect();
    if stated.is_empty() { vec![load(None)] } else { stated }
}

/// The subject of what an entry, a card or a model, makes of a load.
pub fn of_load(entry: &Item, weights: Option<&str>) -> String {
    let name = entry.address.split_once('/').map_or(&*entry.address, |(_, name)| name).replace('/', ".");
    match weights {
        Some(weights) => format!("{name}-weights-{weights}"),
        None => name,
    }
}

/// The same in words.
fn in_words(entry: &Item, weights: Option<&str>) -> String {
    match weights {
        Some(weights) => format!("{}, weights in {weights}", entry.title()),
        None => entry.title().to_owned(),
    }
}

impl Load<'_> {
    /// What is left of a card beside the weights and what the site says that engines keep; all of it where it says nothing.
    fn budget(&self, subject: &str, cards: &Cards) -> Figure {
        let (settings, site) = (&self.catalog.settings, &self.catalog.site);
        let kept = Kept {
            weights_bytes: self.weights_bytes(),
            utilisation_pct: match site.memory_utilization_pct {
                Some(share) => field(settings, "/memory_utilization_pct", Some(share)),
                None => Ok(assumed(&self.item.document, "", 100.0, "all of the memory may be used")),
            },
            overhead_bytes: match site.memory_overhead_bytes {
                Some(bytes) => field(settings, "/memory_overhead_bytes", Some(bytes as f64)),
                None => Ok(assumed(&self.item.document, "", 0.0, "no overhead is stated")),
            },
        };
        cards.budget(subject, &kept)
    }

    fn weights_bytes(&self) -> Found {
        let Some(dtype) = self.weights else {
            return Err(Missing::because("the size of the weights is not stated"));
        };
        let bytes = self.model.weights_bytes.get(dtype).map(|bytes| *bytes as f64);
        field(&self.item.document, format!("/weights_bytes/{dtype}"), bytes)
    }
}

/// Every card with every dtype of the model's weights, and the cards against each other.
pub(super) fn on_cards(catalog: &Catalog, sheet: &Sheet, figures: &mut Vec<Figure>) {
    let served = served(sheet, figures);
    let cards: Vec<_> = catalog.of_kind(Kind::Hardware).filter_map(|card| one(catalog, card, sheet.item)).collect();
    figures.extend(cards.iter().map(|(card, cards)| Figure::clone(&cards.memory).labelled(card.title())));
    for load in loads(catalog, sheet.item, sheet.model) {
        let mut longest = Vec::new();
        for (card, cards) in &cards {
            fits(sheet, &load, card, cards, figures);
            let budget = load.budget(&of_load(card, load.weights), cards);
            let budget = Arc::new(budget.labelled(in_words(card, load.weights)));
            figures.push(Figure::clone(&budget));
            // Without the weights there is no room to count in; the budget says so.
            if budget.outcome.is_ok() {
                longest.extend(sequences(sheet, &budget, &served, figures));
            }
        }
        figures.extend(card::ratios(&longest));
    }
}

/// What every model makes of one card, and the models against each other.
pub fn on_card(catalog: &Catalog, item: &Item, hardware: &Hardware) -> Vec<Figure> {
    let Some((_, cards)) = one(catalog, item, item) else { return Vec::new() };
    let mut figures = vec![Figure::clone(&cards.memory).labelled(hardware.title.as_str())];
    let mut longest = Vec::new();
    for model in catalog.of_kind(Kind::Model) {
        let Some((model_item, model)) = catalog.model(&model.address) else { continue };
        let cache = Sheet { item: model_item, model }.cache(&BF16);
        for load in loads(catalog, model_item, model) {
            let (subject, words) = (of_load(model_item, load.weights), in_words(model_item, load.weights));
            let budget = Arc::new(load.budget(&subject, &cards).labelled(&*words));
            figures.push(Figure::clone(&budget));
            if budget.outcome.is_ok() {
                let found = card::longest(&subject, &budget, &cache, &format!("{subject}-cache"));
                longest.push(Arc::new(found.labelled(words)));
            }
        }
    }
    figures.extend(card::ratios(&longest));
    figures.extend(longest.iter().map(|figure| Figure::clone(figure)));
    figures
}

/// One card of an entry, where the file of the record that the figures are of fails to say how many.
fn one<'a>(catalog: &'a Catalog, card: &'a Item, of: &Item) -> Option<(&'a Item, Cards)> {
    let (card, hardware) = catalog.hardware(&card.address)?;
    let count = Ok(assumed(&of.document, "", 1.0, "one card"));
    Some((card, Cards::of_entry(card, hardware, &of_load(card, None), count)))
}

/// What a sequence holds in the formats that cards are filled with.
fn served<'a>(sheet: &Sheet<'a>, figures: &mut Vec<Figure>) -> [Served<'a>; FORMATS.len()] {
    FORMATS.map(|format| {
        let cache = sheet.cache(format);
        figures.extend(cache.still(&of_format(format.name)).map(|figure| figure.labelled(format.name)));
        let sequences = CONTEXTS.map(|tokens| {
            let sequence = cache.sequence_bytes(&of_context(format.name, tokens), &sheet.context(tokens));
            sequence.map(|figure| Arc::new(sheet.at_context(figure, format, tokens)))
        });
        figures.extend(sequences.iter().flatten().map(|figure| Figure::clone(figure)));
        Served { format, cache, sequences }
    })
}

/// Whether a long sequence fits, and the room that it leaves.
fn fits(sheet: &Sheet, load: &Load, card: &Item, cards: &Cards, figures: &mut Vec<Figure>) {
    let own = of_context(BF16.name, FITTING_CONTEXT);
    let size = Arc::new(sheet.cache(&BF16).gib_at_context(&own, &sheet.context(FITTING_CONTEXT)));
    let subject = format!("{}-{own}", of_load(card, load.weights));
    let fit = cards.fit(&subject, &size, &load.weights_bytes());
    figures.extend(fit.into_iter().map(|figure| {
        let words = format!("{}, {}", in_words(card, load.weights), BF16.name);
        sheet.labelled_at(figure, &words, FITTING_CONTEXT)
    }));
}

/// Sequences in each format, each format against the first; gives the longest sequence in the first.
fn sequences(sheet: &Sheet, budget: &Arc<Figure>, served: &[Served], figures: &mut Vec<Figure>) -> Option<Arc<Figure>> {
    let mut first: Option<Arc<Figure>> = None;
    for Served { format, cache, sequences } in served {
        let words = format!("{}, cache in {}", budget.label.as_deref().unwrap_or_default(), format.name);
        let own = format!("{}-{}", budget.subject, format.name);
        let longest = card::longest(&own, budget, cache, &of_format(format.name)).labelled(&*words);
        let beyond = longest.quantity().and_then(|tokens| sheet.beyond(tokens.low()));
        let longest = Arc::new(longest.limited(beyond));
        figures.push(Figure::clone(&longest));
        figures.extend(first.as_ref().and_then(|first| card::ratio(&longest, first, BF16.name)));
        first.get_or_insert(longest);
        for (tokens, sequence) in CONTEXTS.into_iter().zip(sequences) {
            if SERVED_CONTEXTS.contains(&tokens) {
                let own = format!("{}-{}", budget.subject, of_context(format.name, tokens));
                let count = card::sequences(&own, budget, sequence.as_ref());
                figures.push(sheet.labelled_at(count, &words, tokens));
            }
        }
    }
    first
}
