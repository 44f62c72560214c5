//! What fits a card: the room beside the weights, the sequences that go into it, and whether a cache does.

use std::sync::Arc;

use super::geometry::Cache;
use super::sheet::{Found, compute, derived, field, said};
use super::{Fact, Figure, Missing};
use crate::catalog::{Catalog, Item, Named};
use crate::formula::{FigureValue, card};
use crate::quantity::Quantity;
use crate::record::Hardware;

/// Cards that hold a cache together: the memory of one, and how many they are.
pub struct Cards {
    pub memory: Arc<Figure>,
    count: Found,
}

/// What an engine keeps of a card for other things than caches.
pub struct Kept {
    pub weights_bytes: Found,
    pub utilisation_pct: Found,
    pub overhead_bytes: Found,
}

impl Cards {
    /// A named card; missing when the name is of no entry.
    pub fn of(catalog: &Catalog, named: &Named, subject: &str, count: Found) -> Result<Self, Missing> {
        let entry = named.entry().and_then(|address| catalog.hardware(address));
        let Some((item, hardware)) = entry else {
            return Err(Missing::because(format!("the memory of `{}` is not in content", named.name)));
        };
        Ok(Cards::of_entry(item, hardware, subject, count))
    }

    /// A card's own entry.
    pub fn of_entry(item: &Item, hardware: &Hardware, subject: &str, count: Found) -> Self {
        Cards { memory: Arc::new(memory(item, hardware, subject)), count }
    }

    /// Memory left for caches.
    pub fn budget(&self, subject: &str, kept: &Kept) -> Figure {
        let kept = [&kept.utilisation_pct, &kept.weights_bytes, &kept.overhead_bytes].map(Clone::clone);
        let facts = [derived(&self.memory), self.count.clone()].into_iter().chain(kept);
        compute(&card::KV_BUDGET_BYTES, subject, facts)
    }

    /// Whether a cache alone fits, and where it may, the room that it leaves for the weights and beside them.
    pub fn fit(&self, subject: &str, kv: &Arc<Figure>, weights_bytes: &Found) -> Vec<Figure> {
        let limit = "weights and buffers come on top".to_owned();
        let facts = [derived(kv), derived(&self.memory), self.count.clone()];
        let fits = compute(&card::FITS_CARD, subject, facts).limited([limit]).limited(kv.limits.clone());
        if matches!(&fits.outcome, Ok(computed) if computed.value == FigureValue::Verdict(card::DOES_NOT_FIT)) {
            return vec![fits];
        }
        let facts = [derived(&self.memory), self.count.clone(), derived(kv)];
        let room = compute(&card::ROOM_FOR_WEIGHTS_GIB, subject, facts).limited(kv.limits.clone());
        let room = Arc::new(room);
        let left = compute(&card::ROOM_LEFT_GIB, subject, [derived(&room), weights_bytes.clone()]);
        let full = left.quantity().is_some_and(|left| left.high() < 0.0);
        let fits = fits.remarked(full.then(|| "not beside the weights".to_owned()));
        vec![fits, Figure::clone(&room), left.limited(kv.limits.clone())]
    }
}

impl Figure {
    /// Memory of all cards that a verdict on a cache was reached with; `None` for any other figure.
    pub fn memory_of_cards_bytes(&self) -> Option<Quantity> {
        let inputs = &self.outcome.as_ref().ok().filter(|_| self.formula.id == card::FITS_CARD.id)?.inputs;
        let [_, memory, cards] = inputs.as_slice() else { return None };
        Some(memory.quantity * cards.quantity)
    }
}

/// Memory of one card: as its driver reports it where that is known, else as sold.
fn memory(item: &Item, hardware: &Hardware, subject: &str) -> Figure {
    match hardware.memory_usable_mib {
        Some(usable) => {
            let usable = field(&item.document, "/memory_usable_mib", Some(usable));
            compute(&card::CARD_MEMORY_BYTES, subject, [usable])
        }
        None => {
            let sold = field(&item.document, "/memory_gb", Some(hardware.memory_gb));
            let sold = sold.map(|sold| Fact { assumed: Some(AS_SOLD.to_owned()), ..sold });
            compute(&card::CARD_MEMORY_SOLD_BYTES, subject, [sold])
        }
    }
}

const AS_SOLD: &str =
    "the memory that the driver reports is not known; a GB as sold is 10^9 bytes at least, which is what counts here";

/// What every bound on sequences leaves out.
const BOUND: &str = "a bound, not a measurement: buffers, activations, page rounding and draft layers come off it";

/// Sequences that go into a budget at the same time; `sequence` is what one of them holds, if it holds anything.
pub fn sequences(subject: &str, budget: &Arc<Figure>, sequence: Option<&Arc<Figure>>) -> Figure {
    let formula = &card::SEQUENCES_AT_CONTEXT;
    let figure = match sequence {
        _ if budget.quantity().is_some_and(|budget| budget.low() <= 0.0) => {
            said(formula, subject, card::DOES_NOT_FIT, [derived(budget)])
        }
        Some(sequence) => compute(formula, subject, [derived(budget), derived(sequence)]),
        None => said(formula, subject, UNBOUNDED, [derived(budget)]),
    };
    figure.limited([BOUND.to_owned()])
}

/// The longest single sequence that goes into a budget.
///
/// Between two lengths at which windows fill up a sequence grows evenly, so the answer is that of the stretch it lies in.
/// Compressed entries count as if each token brought its share; until the next entry is kept a few more tokens may fit.
///
/// `of` is the subject of the cache's own figures.
pub fn longest(subject: &str, budget: &Arc<Figure>, cache: &Cache, of: &str) -> Figure {
    let windows = cache.windows();
    let starts = std::iter::once(0).chain(windows.iter().copied());
    let ends = windows.iter().copied().map(Some).chain([None]);
    let lies_past = |figure: &Figure, end: Option<u64>| {
        figure.quantity().zip(end).is_some_and(|(tokens, end)| tokens.low() >= end as f64)
    };
    let stretches = starts.zip(ends).map(|(full, end)| (stretch(subject, budget, cache, of, full), end));
    let figure = stretches.filter(|(figure, end)| !lies_past(figure, *end)).map(|(figure, _)| figure).next();
    let figure = figure.unwrap_or_else(|| said(&card::LONGEST_SEQUENCE_TOKENS, subject, UNBOUNDED, [derived(budget)]));
    figure.limited([BOUND.to_owned()])
}

/// The longest sequence if the windows up to `full` tokens are full and no other ever is.
fn stretch(subject: &str, budget: &Arc<Figure>, cache: &Cache, of: &str, full: u64) -> Figure {
    let formula = &card::LONGEST_SEQUENCE_TOKENS;
    let mut facts = vec![derived(budget), cache.still_past(of, full)];
    let room = facts.iter().map(|fact| fact.as_ref().ok().map(|fact| fact.quantity)).collect::<Option<Vec<_>>>();
    if matches!(room.as_deref(), Some([budget, still]) if budget.low() <= still.high()) {
        return said(formula, subject, card::DOES_NOT_FIT, facts);
    }
    match cache.bytes_per_token_past(of, full) {
        Some(rate) => {
            facts.push(derived(&Arc::new(rate)));
            compute(formula, subject, facts)
        }
        None => said(formula, subject, UNBOUNDED, facts),
    }
}

/// What a capacity says where nothing limits it.
const UNBOUNDED: &str = "unbounded";

/// How many times longer the one longest sequence is than the other, and what the other is of; `None` without two numbers.
pub fn ratio(longest: &Arc<Figure>, other: &Arc<Figure>, words: &str) -> Option<Figure> {
    longest.quantity().and(other.quantity())?;
    let figure = compute(&card::SEQUENCE_RATIO, &*longest.subject, [derived(longest), derived(other)]);
    let figure = figure.remarked([format!("against {words}")]).limited([BOUND.to_owned()]);
    Some(Figure { label: longest.label.clone(), ..figure })
}

/// Each of several longest sequences against the longest of them.
pub fn ratios(longest: &[Arc<Figure>]) -> Vec<Figure> {
    let tokens = |figure: &Arc<Figure>| figure.quantity().map(|tokens| tokens.low());
    let mut best: Option<&Arc<Figure>> = None;
    for figure in longest {
        if tokens(figure) > best.and_then(tokens) {
            best = Some(figure);
        }
    }
    let Some(best) = best else { return Vec::new() };
    let words = best.label.as_deref().unwrap_or(&best.subject);
    longest
        .iter()
        .filter(|figure| figure.subject != best.subject)
        .filter_map(|figure| ratio(figure, best, words))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::sheet::missing;
    use crate::figures::tests::card as document;
    use crate::figures::{Computed, sheet};
    use crate::formula::Formula;

    fn number(formula: &'static Formula, subject: &str, value: f64) -> Arc<Figure> {
        let inputs = sheet::field(&document(), "/memory_gb", Some(value)).into_iter().collect();
        let computed = Computed { value: FigureValue::Quantity(value.into()), inputs };
        Arc::new(Figure { outcome: Ok(computed), ..missing(formula, subject, "no reason") })
    }

    #[test]
    fn sequences_go_into_what_is_left() {
        let budget = |bytes: f64| number(&card::KV_BUDGET_BYTES, "b", bytes);
        let sequence = number(&card::KV_BUDGET_BYTES, "s", 1e9);
        assert_eq!(sequences("b", &budget(2.5e9), Some(&sequence)).shown(), "2 sequences");
        assert_eq!(sequences("b", &budget(0.0), Some(&sequence)).shown(), card::DOES_NOT_FIT);
        assert_eq!(sequences("b", &budget(-1.0), None).shown(), card::DOES_NOT_FIT);
        assert_eq!(sequences("b", &budget(1.0), None).shown(), UNBOUNDED);
    }

    #[test]
    fn all_but_the_longest_are_held_against_it() {
        let longest = |subject: &str, tokens: f64| {
            let figure = number(&card::LONGEST_SEQUENCE_TOKENS, subject, tokens);
            Arc::new(Figure::clone(&figure).labelled(format!("card {subject}")))
        };
        let unbounded = said(&card::LONGEST_SEQUENCE_TOKENS, "u", UNBOUNDED, []);
        let all = [longest("a", 1e5), longest("b", 4e5), longest("c", 4e5), Arc::new(unbounded), longest("d", 2e5)];
        let found = ratios(&all);
        let found: Vec<_> =
            found.iter().map(|ratio| (&*ratio.subject, ratio.shown(), ratio.label.as_deref())).collect();
        let expected = [("a", "0.250x", "card a"), ("c", "1x", "card c"), ("d", "0.500x", "card d")];
        assert_eq!(found, expected.map(|(subject, shown, label)| (subject, shown.to_owned(), Some(label))));
        assert!(ratios(&all).iter().all(|ratio| ratio.remarks == ["against card b"]));
        assert_eq!(ratios(&[]).len(), 0);
    }

    #[test]
    fn weights_that_fill_the_room_still_fit() {
        const GIB: f64 = 1_073_741_824.0;
        let fact = |value: f64| sheet::field(&document(), "/memory_gb", Some(value));
        let cards = Cards { memory: number(&card::CARD_MEMORY_BYTES, "h", 4.0 * GIB), count: fact(2.0) };
        let kv = number(&crate::formula::memory::KV_GIB_AT_CONTEXT, "a", 1.0);
        for (weights_gib, remarks) in [(6.0, &[][..]), (7.0, &[]), (7.5, &["not beside the weights"])] {
            let [fits, room, beside] = &cards.fit("a", &kv, &fact(weights_gib * GIB))[..] else { panic!("it fits") };
            assert_eq!((room.quantity(), beside.quantity()), (Some(7.0.into()), Some((7.0 - weights_gib).into())));
            assert_eq!(fits.remarks, remarks, "{weights_gib}");
        }
        let large = number(&crate::formula::memory::KV_GIB_AT_CONTEXT, "a", 8.5);
        assert_eq!(cards.fit("a", &large, &fact(GIB)).len(), 1);
    }

    #[test]
    fn the_memory_of_a_verdict_is_that_of_all_cards() {
        let fact = |value: f64| sheet::field(&document(), "/memory_gb", Some(value));
        let memory = |cards: f64| Arc::new(compute(&card::CARD_MEMORY_BYTES, "h", [fact(cards)]));
        let fits = compute(&card::FITS_CARD, "a", [fact(4.0), derived(&memory(1024.0)), fact(2.0)]);
        let bytes = fits.memory_of_cards_bytes().map(|bytes| bytes.middle());
        assert_eq!(bytes, Some(2.0 * 1024.0 * 1_048_576.0), "{}", fits.shown());
        assert_eq!(memory(1.0).memory_of_cards_bytes(), None);
    }
}
