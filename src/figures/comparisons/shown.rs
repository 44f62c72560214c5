//! What pages set beside a result, each reckoned once: its change against the first of those that it may be compared with
//! or against what its record holds it against, and its ratio to the one that it measures again. Changes against the
//! nearest results are reckoned page by page: they are many times as many, and held they would take a fifth of all memory.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{Comparisons, Group, Reproduction};
use crate::catalog::{Catalog, Item};
use crate::figures::{Figure, Figures};

/// A change of a result against another, or what forbids one.
pub type Change = Result<Figure, Vec<String>>;

/// Results are positions among all, records stand by their address.
#[derive(Debug, Default)]
pub struct Shown {
    across: Changes<Figure>,
    within: Changes<Change>,
    reproductions: BTreeMap<String, Vec<Reproduction>>,
}

/// By baseline and result, and then by metric.
type Changes<T> = BTreeMap<(usize, usize), Vec<(Box<str>, T)>>;

/// Metric, baseline and result of a change.
type Of<'a> = (&'a str, usize, usize);

fn by_result<'a, T>(all: impl IntoIterator<Item = (Of<'a>, T)>) -> Changes<T> {
    let mut changes = Changes::new();
    for ((metric, baseline, other), change) in all {
        changes.entry((baseline, other)).or_default().push((metric.into(), change));
    }
    changes
}

fn find<'a, T>(changes: &'a Changes<T>, (metric, baseline, other): Of) -> Option<&'a T> {
    let of_result = changes.get(&(baseline, other))?;
    of_result.iter().find(|(name, _)| **name == *metric).map(|(_, change)| change)
}

impl Figures {
    pub(in crate::figures) fn shown(&self, catalog: &Catalog) -> Shown {
        let all = &self.comparisons;
        let items: Vec<_> = catalog.items().filter(|item| item.is_result()).collect();
        let within: Vec<_> = items.par_iter().map(|item| self.changes_within(item)).collect();
        let across: Vec<_> =
            all.pairs_across(&items).into_par_iter().filter_map(|of| Some((of, all.reckoned(of)?))).collect();
        let reproductions = items.iter().filter_map(|item| {
            let original = item.provenance()?.reproduces.as_deref()?;
            Some((item.address.clone(), all.reproduced(&item.address, original)))
        });
        Shown {
            across: by_result(across),
            within: by_result(within.into_iter().flatten()),
            reproductions: reproductions.collect(),
        }
    }

    /// Of a record's results against what it holds them against.
    fn changes_within(&self, item: &Item) -> Vec<(Of<'_>, Change)> {
        let all = &self.comparisons;
        let of_result = |other: usize| {
            let baseline = self.baseline_within(item, other).filter(|baseline| *baseline != other)?;
            let of = all.contenders[other].values().map(move |(metric, _)| (metric, baseline, other));
            Some(of.filter_map(|of| Some((of, self.reckoned_within(item, of)?))))
        };
        all.of_record(&item.address).filter_map(of_result).flatten().collect()
    }
}

impl Comparisons {
    /// The change of a result against the first of those that it may be compared with; `None` for metrics without a change.
    pub fn change(&self, metric: &str, first: usize, other: usize) -> Option<&Figure> {
        find(&self.shown.across, (metric, first, other))
    }

    /// The change of a result against what its record holds it against, or what forbids one. `None` where either has no
    /// value, and for metrics without a change.
    pub fn change_within(&self, metric: &str, baseline: usize, other: usize) -> Option<&Change> {
        find(&self.shown.within, (metric, baseline, other))
    }

    /// What a record measures again.
    pub fn reproductions_of(&self, address: &str) -> &[Reproduction] {
        self.shown.reproductions.get(address).map_or(&[], Vec::as_slice)
    }

    /// The members of a group that are of these records, where they are of several.
    pub fn among(&self, group: &Group, records: &BTreeSet<&str>) -> Option<Vec<usize>> {
        let address = |at: &usize| &*self.contenders[*at].address;
        let members: Vec<_> = group.members.iter().copied().filter(|at| records.contains(address(at))).collect();
        let of: BTreeSet<_> = members.iter().map(address).collect();
        (of.len() > 1).then_some(members)
    }

    /// Results against the first of their group, of each series of versions in it, and of each technique that a size is
    /// shown under.
    fn pairs_across(&self, items: &[&Item]) -> Vec<Of<'_>> {
        let mut of_techniques = BTreeMap::<_, BTreeSet<&str>>::new();
        for (item, technique) in items.iter().flat_map(|item| item.techniques.iter().map(move |own| (item, own))) {
            of_techniques.entry(technique).or_default().insert(&item.address);
        }
        let mut pairs = BTreeSet::new();
        for group in &self.groups {
            let techniques = of_techniques.values().filter(|_| !group.clause.is_of_serving());
            let narrowed: Vec<_> = techniques.filter_map(|records| self.among(group, records)).collect();
            for members in [&group.members].into_iter().chain(&group.versions).chain(&narrowed) {
                pairs.extend(members[1..].iter().map(|other| (&*group.metric, members[0], *other)));
            }
        }
        pairs.into_iter().collect()
    }
}
