//! Which models a result was measured with, on which cards.

use std::collections::{BTreeMap, BTreeSet};

use super::{Arm, Item, Named};

/// A model on a card; what the record leaves open is `None`.
#[derive(Debug)]
pub struct Place<'a> {
    pub model: Option<&'a Named>,
    pub card: Option<&'a Named>,
    /// Anchors of the configs or variants that were measured there.
    pub subjects: BTreeSet<&'a str>,
}

/// Positions in the models and cards of an item.
type Pair = (Option<usize>, Option<usize>);

impl Item {
    /// Every pair of a model and a card that the result is of, at least one: in each of its models and cards is.
    pub fn places(&self) -> Vec<Place<'_>> {
        let mut pairs = self.measured();
        let only = |count: usize| (count == 1).then_some(0);
        let is_open =
            |side: fn(&Arm) -> Option<usize>| self.arms.is_empty() || self.arms.iter().any(|arm| side(arm).is_none());
        // What no variant names is of those that leave it open: with the other side where that is but one.
        let card = only(self.cards.len()).filter(|_| is_open(|arm| arm.model));
        let model = only(self.models.len()).filter(|_| is_open(|arm| arm.host));
        for (model, card) in [(model, card), (None, None)] {
            let models = (0..self.models.len()).map(Some).filter(|own| !pairs.keys().any(|(model, _)| model == own));
            let cards = (0..self.cards.len()).map(Some).filter(|own| !pairs.keys().any(|(_, card)| card == own));
            let is_last = model.is_none() && card.is_none();
            let of_models = models.filter(|_| card.is_some() || is_last).map(|own| (own, card));
            let of_cards = cards.filter(|_| model.is_some() || is_last).map(|own| (model, own));
            let loose: Vec<_> = of_models.chain(of_cards).collect();
            pairs.extend(loose.into_iter().map(|pair| (pair, BTreeSet::new())));
        }
        if pairs.is_empty() {
            pairs.insert((None, None), BTreeSet::new());
        }
        let place = |((model, card), subjects): (Pair, _)| Place {
            model: model.and_then(|at| self.models.get(at)),
            card: card.and_then(|at| self.cards.get(at)),
            subjects,
        };
        pairs.into_iter().map(place).collect()
    }

    /// The pairs that the record itself makes, with their configs or variants.
    fn measured(&self) -> BTreeMap<Pair, BTreeSet<&str>> {
        let mut pairs = BTreeMap::<Pair, BTreeSet<&str>>::new();
        let Some(note) = self.kv_efficiency() else {
            let first = |of: &[Named]| (!of.is_empty()).then_some(0);
            let all = self.subjects.iter().map(|subject| subject.anchor.as_str());
            return BTreeMap::from([((first(&self.models), first(&self.cards)), all.collect())]);
        };
        for (arm, subject) in self.arms.iter().zip(&self.subjects) {
            let is_open =
                arm.model.is_none() && !self.models.is_empty() || arm.host.is_none() && !self.cards.is_empty();
            if !is_open {
                pairs.entry((arm.model, arm.host)).or_default().insert(&subject.anchor);
            }
        }
        for (host, own) in note.hosts.iter().enumerate() {
            if let Some(model) = note.model_of(own) {
                pairs.entry((Some(model), Some(host))).or_default();
            }
        }
        pairs
    }
}
