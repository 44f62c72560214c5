//! Who beats whom on two axes, and by more than both could be off.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Standing;
use crate::formula::comparison::{Uncertainty, is_tie};
use crate::quantity::Better;
use crate::quantity::Quantity;

/// A quantity that is better the larger it is.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    quantity: Quantity,
    better: Better,
}

pub fn good(quantity: Quantity, better: Better) -> Good {
    Good { quantity, better }
}

/// Where a result lies, and how far it could be off.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub across: Good,
    pub up: Good,
    pub bound: Option<Uncertainty>,
}

impl Good {
    /// Which of two is better as published, the better one being greater.
    fn cmp(&self, other: &Good) -> Ordering {
        let order = self.quantity.middle().total_cmp(&other.quantity.middle());
        if self.better == Better::Lower { order.reverse() } else { order }
    }

    /// Whether two differ by more than they could be off; where that is not known, by anything.
    fn is_apart(&self, other: &Good, bound: Option<Uncertainty>) -> bool {
        let (one, other) = (self.quantity, other.quantity);
        if one.low() <= 0.0 || other.low() <= 0.0 {
            // There is no ratio to a value at or below zero.
            return one.low() > other.high() || other.low() > one.high();
        }
        let ratio = Quantity::between(one.low() / other.high(), one.high() / other.low());
        !is_tie(ratio, bound.unwrap_or(Uncertainty::Band(0.0)))
    }
}

impl Place {
    /// Whether it is at least as good on both axes and better on one, as published.
    fn leads(&self, other: &Place) -> bool {
        let orders = [self.across.cmp(&other.across), self.up.cmp(&other.up)];
        orders.iter().all(|order| *order != Ordering::Less) && orders.contains(&Ordering::Greater)
    }

    /// Whether it leads, and on one axis by more than the two could be off.
    fn beats(&self, other: &Place) -> bool {
        let bound = wider(self.bound, other.bound);
        let axes = [(self.across, other.across), (self.up, other.up)];
        self.leads(other) && axes.into_iter().any(|(own, its)| own.is_apart(&its, bound))
    }
}

/// The bound that holds for a comparison of two results; a band lies to either side, a grid only above.
fn wider(one: Option<Uncertainty>, other: Option<Uncertainty>) -> Option<Uncertainty> {
    match (one, other) {
        (Some(Uncertainty::Grid(one)), Some(Uncertainty::Grid(other))) => Some(Uncertainty::Grid(one.max(other))),
        (Some(one), Some(other)) => Some(Uncertainty::Band(percent(one).max(percent(other)))),
        (one, other) => one.or(other),
    }
}

fn percent(bound: Uncertainty) -> f64 {
    match bound {
        Uncertainty::Band(pct) | Uncertainty::Grid(pct) => pct,
    }
}

/// How each of some places stands among all of them.
pub fn standings(places: &[Place]) -> Vec<Standing> {
    let mut by_bound = BTreeMap::<_, Vec<usize>>::new();
    for (at, place) in places.iter().enumerate() {
        by_bound
            .entry(place.bound.map(|bound| (matches!(bound, Uncertainty::Grid(_)), percent(bound).to_bits())))
            .or_default()
            .push(at);
    }
    // Whoever beats a place is led by one of the best of those with the same bound, and that one beats it too. What is
    // known as an interval may lead by its middle and still not be apart, so that it stands for nobody else.
    let is_interval = |at: &usize| places[*at].across.quantity.is_interval() || places[*at].up.quantity.is_interval();
    let mut rivals: Vec<usize> = (0..places.len()).filter(is_interval).collect();
    for of_bound in by_bound.into_values() {
        rivals.extend(unled(places, of_bound.into_iter().filter(|at| !is_interval(at)).collect()));
    }
    let mut standings = vec![Standing::Close; places.len()];
    for (at, standing) in standings.iter_mut().enumerate() {
        if rivals.iter().any(|rival| places[*rival].beats(&places[at])) {
            *standing = Standing::Beaten;
        }
    }
    for at in unled(places, (0..places.len()).collect()) {
        standings[at] = Standing::Frontier;
    }
    standings
}

/// Those of some places that none of them leads.
fn unled(places: &[Place], mut order: Vec<usize>) -> Vec<usize> {
    order.sort_by(|one, other| {
        let (one, other) = (&places[*one], &places[*other]);
        other.across.cmp(&one.across).then(other.up.cmp(&one.up))
    });
    // From the best across on, only a place better upwards than all before is led by none.
    let mut best = Vec::<usize>::new();
    for at in order {
        if !best.last().is_some_and(|last| places[*last].leads(&places[at])) {
            best.push(at);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cost and a latency, both better the lower.
    fn place(cost: f64, latency: f64, bound: Option<Uncertainty>) -> Place {
        let lower = |value: f64| good(value.into(), Better::Lower);
        Place { across: lower(latency), up: lower(cost), bound }
    }

    fn of(places: &[(f64, f64)], bound: Option<Uncertainty>) -> Vec<Standing> {
        standings(&places.iter().map(|(cost, latency)| place(*cost, *latency, bound)).collect::<Vec<_>>())
    }

    use Standing::{Beaten, Close, Frontier};

    #[test]
    fn the_frontier_is_what_none_leads() {
        for (places, expected) in [
            (vec![(1.0, 1.0)], vec![Frontier]),
            (vec![(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)], vec![Frontier, Frontier, Frontier]),
            (vec![(1.0, 1.0), (2.0, 2.0)], vec![Frontier, Beaten]),
            // As good on one axis and worse on the other.
            (vec![(1.0, 1.0), (1.0, 2.0), (2.0, 1.0)], vec![Frontier, Beaten, Beaten]),
            // The same place twice beats nothing.
            (vec![(1.0, 1.0), (1.0, 1.0), (0.5, 3.0)], vec![Frontier, Frontier, Frontier]),
        ] {
            assert_eq!(of(&places, None), expected, "{places:?}");
        }
    }

    #[test]
    fn a_lead_inside_the_uncertainty_beats_nobody() {
        let band = Some(Uncertainty::Band(1.5));
        assert_eq!(of(&[(1.0, 1.0), (1.02, 1.02)], band), [Frontier, Close]);
        assert_eq!(of(&[(1.0, 1.0), (1.04, 1.04)], band), [Frontier, Beaten]);
        // A tie on one axis takes nothing from what is lost on the other.
        assert_eq!(of(&[(1.0, 1.0), (1.02, 5.0)], band), [Frontier, Beaten]);
        assert_eq!(of(&[(1.0, 1.0), (1.0, 2.0)], band), [Frontier, Beaten]);
        assert_eq!(of(&[(1.0, 1.0), (0.99, 2.0)], band), [Frontier, Frontier]);
        // A grid lies on one side only: 5% are outside of 4%, and inside of ±4%.
        assert_eq!(of(&[(1.0, 1.0), (1.05, 1.05)], Some(Uncertainty::Grid(4.0))), [Frontier, Beaten]);
        assert_eq!(of(&[(1.0, 1.0), (1.05, 1.05)], Some(Uncertainty::Band(4.0))), [Frontier, Close]);
    }

    #[test]
    fn whom_the_frontier_does_not_beat_for_certain_another_may() {
        let (off, sure) = (Some(Uncertainty::Band(20.0)), Some(Uncertainty::Band(0.1)));
        let places = [place(1.0, 1.0, off), place(1.05, 1.05, sure), place(1.1, 1.1, sure)];
        assert_eq!(standings(&places), [Frontier, Close, Beaten]);
    }

    #[test]
    fn intervals_that_meet_are_not_apart() {
        let lower = |low: f64, high: f64| good(Quantity::between(low, high), Better::Lower);
        let place = |across, up| Place { across, up, bound: None };
        let places = [place(lower(1.0, 2.0), lower(1.0, 1.0)), place(lower(1.5, 3.0), lower(1.0, 1.0))];
        assert_eq!(standings(&places), [Frontier, Close]);
        let places = [place(lower(0.0, 0.0), lower(1.0, 1.0)), place(lower(1.5, 3.0), lower(2.0, 2.0))];
        assert_eq!(standings(&places), [Frontier, Beaten]);
        // There is no ratio to nothing, and intervals with it may still meet.
        let places = [place(lower(0.0, 0.0), lower(1.0, 1.0)), place(lower(0.0, 3.0), lower(1.0, 1.0))];
        assert_eq!(standings(&places), [Frontier, Close]);
        // What may lead by its middle alone takes no other's place.
        let exact = |value: f64| place(lower(value, value), lower(1.0, 1.0));
        let places = [place(lower(1.0, 3.0), lower(1.0, 1.0)), exact(2.5), exact(2.6)];
        assert_eq!(standings(&places), [Frontier, Close, Beaten]);
        for (one, other, expected) in [(0.0, 5.0, true), (5.0, 0.0, true), (0.0, 0.0, false), (-1.0, -2.0, true)] {
            let value = |value: f64| lower(value, value);
            assert_eq!(value(one).is_apart(&value(other), None), expected, "{one} {other}");
        }
    }
}
