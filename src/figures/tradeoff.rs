//! What one metric costs in another: which results no other beats on both, among those that may be compared.

mod lead;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::sheet::derived;
use super::{Comparisons, Fact, Figures};
use crate::compare::{Part, Setting, TRADEOFFS, Tradeoff, Within};
use crate::formula::{self, Formula, uncertainty};
use lead::Place;

/// Results that may be compared for both metrics of a trade-off, each with its place and how it stands among the others.
#[derive(Debug)]
pub struct Frontier {
    pub tradeoff: &'static Tradeoff,
    /// Metrics of the two axes: formula or field.
    pub across: &'static str,
    pub up: &'static str,
    pub points: Vec<Point>,
    pub left_out: Vec<LeftOut>,
    /// Whether it is said of every point how far it could be off.
    pub all_bounded: bool,
}

#[derive(Debug)]
pub struct Point {
    /// Position in [`Comparisons::contenders`].
    pub contender: usize,
    pub across: Fact,
    pub up: Fact,
    pub standing: Standing,
}

/// How a result stands among those that it may be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// None is at least as good on both axes and better on one.
    Frontier,
    /// Some are, by no more than the two could be off.
    Close,
    /// Another is, and on one axis by more than the two could be off.
    Beaten,
}

/// A result without a place, and why.
#[derive(Debug)]
pub struct LeftOut {
    pub contender: usize,
    pub reason: String,
}

/// Fewer points have no frontier to speak of.
const LEAST: usize = 3;

/// The frontiers of results of several records, in the order of the trade-offs and of the oldest record.
pub(super) fn across_records(figures: &Figures) -> Vec<Frontier> {
    let all = &figures.comparisons;
    let everyone: Vec<_> = (0..all.contenders.len()).collect();
    let of_tradeoff = |tradeoff: &'static Tradeoff| {
        let parts = tradeoff.parts();
        let key = |at: &usize| {
            let setting = &all.contenders[*at].setting;
            let stated: Option<Vec<_>> = parts.iter().map(|part| setting.get(*part)).collect();
            stated.map(|stated| (stated, setting.depth()))
        };
        let mut alike = BTreeMap::<_, Vec<usize>>::new();
        for at in &everyone {
            if let Some(key) = key(at) {
                alike.entry(key).or_default().push(*at);
            }
        }
        let frontiers = alike.into_values().filter_map(|members| frontier(figures, tradeoff, &members));
        let is_of_several = |found: &Frontier| {
            let mut records = found.points.iter().map(|point| &*all.contenders[point.contender].address);
            let first = records.next();
            records.any(|record| Some(record) != first)
        };
        let mut frontiers: Vec<_> = frontiers.filter(is_of_several).collect();
        frontiers.sort_by_key(|found| found.points[0].contender);
        frontiers
    };
    TRADEOFFS.iter().flat_map(of_tradeoff).collect()
}

/// The frontiers of one record's results. Those that it may not set beside most of the others are named with the reason.
pub(super) fn of_record(figures: &Figures, address: &str) -> Vec<Frontier> {
    let all = &figures.comparisons;
    let own: Vec<_> = all.of_record(address).collect();
    let Some(first) = own.first() else { return Vec::new() };
    let varies = &all.contenders[*first].varies;
    let of_tradeoff = |tradeoff: &'static Tradeoff| {
        let setting = |at: usize| &all.contenders[at].setting;
        let differences = |one, other| tradeoff.forbidding(setting(one), setting(other), Within::Record(varies));
        let parts: Vec<_> = tradeoff.parts().into_iter().filter(|part| !varies.contains(part)).collect();
        let mut alike = BTreeMap::<_, Vec<usize>>::new();
        for at in &own {
            let stated: Vec<_> = parts.iter().map(|part| setting(*at).get(*part)).collect();
            alike.entry((stated, setting(*at).depth())).or_default().push(*at);
        }
        let mut alike: Vec<_> = alike.into_values().collect();
        alike.sort();
        let frontiers = alike.iter().map(|members| (members, frontier(figures, tradeoff, members)));
        let (drawn, rest): (Vec<_>, Vec<_>) = frontiers.partition(|(_, found)| found.is_some());
        let mut drawn: Vec<_> = drawn.into_iter().filter_map(|(_, found)| found).collect();
        if let Some(first) = drawn.first_mut() {
            let beside = first.points[0].contender;
            first.left_out.extend(rest.iter().flat_map(|(members, _)| *members).map(|at| {
                let differs = || format!("not comparable: {}", differences(beside, *at).join("; "));
                LeftOut { contender: *at, reason: all.contenders[*at].failed.clone().unwrap_or_else(differs) }
            }));
        }
        drawn
    };
    let mut found = Vec::<Frontier>::new();
    for tradeoff in &TRADEOFFS {
        if found.iter().all(|known| known.tradeoff.id != tradeoff.id) {
            found.extend(of_tradeoff(tradeoff));
        }
    }
    found
}

/// The frontier of results that may be compared; `None` where too few have both metrics.
fn frontier(figures: &Figures, tradeoff: &'static Tradeoff, members: &[usize]) -> Option<Frontier> {
    let all = &figures.comparisons;
    let chosen = |metrics: &'static [&'static str]| {
        let having = |metric: &str| members.iter().filter(|at| value(figures, **at, metric).is_ok()).count();
        // The first of those that most have.
        metrics.iter().rev().max_by_key(|metric| having(metric)).copied()
    };
    let (across, up) = (chosen(tradeoff.across)?, chosen(tradeoff.up)?);
    let (mut points, mut left_out) = (Vec::new(), Vec::new());
    for at in members {
        let contender = &all.contenders[*at];
        let place = match contender.failed.as_ref().or(contender.standing.as_ref()).or(contender.unranked.as_ref()) {
            Some(reason) => Err(reason.clone()),
            None => value(figures, *at, up).and_then(|up| Ok((value(figures, *at, across)?, up))),
        };
        match place {
            Ok((across, up)) => points.push(Point { contender: *at, across, up, standing: Standing::Frontier }),
            Err(reason) => left_out.push(LeftOut { contender: *at, reason }),
        }
    }
    if points.len() < LEAST {
        return None;
    }
    let places = points.iter().map(|point| Place {
        across: lead::good(point.across.quantity, better(across)),
        up: lead::good(point.up.quantity, better(up)),
        bound: bound(figures, all, point.contender),
    });
    let places: Vec<_> = places.collect();
    for (point, standing) in points.iter_mut().zip(lead::standings(&places)) {
        point.standing = standing;
    }
    let all_bounded = places.iter().all(|place| place.bound.is_some());
    Some(Frontier { tradeoff, across, up, points, left_out, all_bounded })
}

/// A result's value of a metric, or why it has none.
fn value(figures: &Figures, at: usize, metric: &str) -> Result<Fact, String> {
    let contender = &figures.comparisons.contenders[at];
    if let Some(fact) = figures.comparisons.value(metric, at) {
        return Ok(fact.clone());
    }
    let found = formula::by_id(metric).and_then(|formula: &Formula| {
        // A percentile over too few requests is no value to compare by, and neither is its inverse.
        let input = formula.input(0).name;
        let is_of_latency = crate::metric::Latency::parse(input).is_some();
        let counts = !is_of_latency || figures.comparisons.value(input, at).is_some();
        figures.find(&contender.address, &contender.subject, formula).filter(|_| counts)
    });
    match found {
        Some(figure) => derived(figure).map_err(|missing| missing.words()),
        None => Err(format!("{} not stated", crate::metric::heading(metric))),
    }
}

fn better(metric: &str) -> crate::quantity::Better {
    let measured = crate::metric::metric(metric).map(|metric| metric.better);
    let derived = formula::by_id(metric).map(|formula| formula.better);
    derived.or(measured).unwrap_or(crate::quantity::Better::Neither)
}

/// How far a result could be off: by the larger of its band and the grid of its search.
fn bound(figures: &Figures, all: &Comparisons, at: usize) -> Option<formula::comparison::Uncertainty> {
    use formula::comparison::Uncertainty;
    let contender = &all.contenders[at];
    let figure = figures.find(&contender.address, &contender.subject, &uncertainty::UNCERTAINTY_PCT)?;
    let pct = figure.quantity()?.high();
    let is_band = |fact: &Fact| fact.derivation.is_none() && fact.quantity.high() >= pct;
    let has_band = figure.inputs().any(|(_, fact)| is_band(fact));
    Some(if has_band { Uncertainty::Band(pct) } else { Uncertainty::Grid(pct) })
}

impl Frontier {
    /// The parts of their settings in which all its results are alike, with what they say.
    pub fn alike<'a>(&self, all: &'a Comparisons) -> Vec<(Part, &'a str)> {
        let settings: Vec<&Setting> =
            self.points.iter().map(|point| &all.contenders[point.contender].setting).collect();
        let parts = self.tradeoff.parts().into_iter().filter_map(|part| Some((part, settings.first()?.get(part)?)));
        parts.filter(|(part, value)| settings.iter().all(|setting| setting.get(*part) == Some(*value))).collect()
    }

    pub fn has(&self, standing: Standing) -> bool {
        self.points.iter().any(|point| point.standing == standing)
    }
}
