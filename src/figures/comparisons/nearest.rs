//! A record's nearest comparable results of other records.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Comparisons, Contender, Pair};
use crate::figures::Figure;
use crate::metric::Latency;

/// The members of every group by all that their settings say, those of one setting the newest first. Results that
/// differ in nothing are as near as each other, so that of each setting only the newest are looked at.
#[derive(Debug, Default)]
pub struct Index {
    /// Which setting a contender has.
    settings: Vec<usize>,
    /// The groups of each contender.
    groups: Vec<Vec<usize>>,
    /// Per group, its members by setting.
    by_setting: Vec<BTreeMap<usize, Vec<usize>>>,
}

impl Index {
    pub fn of(comparisons: &Comparisons) -> Self {
        let contenders = &comparisons.contenders;
        let mut known = BTreeMap::new();
        let settings = contenders.iter().map(|contender| {
            let next = known.len();
            *known.entry((&contender.setting, &contender.beside)).or_insert(next)
        });
        let mut index =
            Index { settings: settings.collect(), groups: vec![Vec::new(); contenders.len()], by_setting: Vec::new() };
        for (position, group) in comparisons.groups.iter().enumerate() {
            let mut by_setting = BTreeMap::<usize, Vec<usize>>::new();
            for member in &group.members {
                index.groups[*member].push(position);
                by_setting.entry(index.settings[*member]).or_default().push(*member);
            }
            by_setting.values_mut().for_each(|members| members.sort_by_key(|at| by_age(&contenders[*at])));
            index.by_setting.push(by_setting);
        }
        index
    }

    /// The groups of a contender.
    pub fn groups_of(&self, contender: usize) -> &[usize] {
        &self.groups[contender]
    }
}

/// What is ranked first, then the newest.
fn by_age(contender: &Contender) -> (bool, Reverse<Option<crate::record::Date>>, &str, &str) {
    (!contender.is_ranked(), Reverse(contender.published), &contender.address, &contender.subject)
}

impl Comparisons {
    /// A record's nearest comparable results, one of each other record: fewest differing parts, then newest, then by
    /// address.
    pub fn nearest(&self, address: &str, most: usize) -> Vec<Pair> {
        let mut best = BTreeMap::<&str, (usize, usize, usize)>::new();
        let mut of_record: Vec<_> = self.of_record(address).collect();
        of_record.sort_by_key(|own| !self.contenders[*own].is_ranked());
        for own in of_record {
            let groups = self.index.groups[own].iter().flat_map(|group| &self.index.by_setting[*group]);
            let mut seen = BTreeSet::new();
            for (setting, members) in groups {
                let others = members.iter().filter(|at| self.contenders[**at].address != address);
                let mut others = others.take(most).filter(|at| seen.insert(**at)).peekable();
                let Some(first) = others.peek() else { continue };
                let differing =
                    if *setting == self.index.settings[own] { 0 } else { self.differences(own, **first).len() };
                for other in others {
                    let found = best.entry(&self.contenders[*other].address).or_insert((differing, own, *other));
                    if differing < found.0 {
                        *found = (differing, own, *other);
                    }
                }
            }
        }
        let mut order: Vec<_> = best.into_values().collect();
        order.sort_by_key(|(differing, _, other)| (*differing, by_age(&self.contenders[*other])));
        order.truncate(most);
        let pair = |(_, own, other): (usize, usize, usize)| Pair {
            own,
            other,
            differences: self.differences(own, other),
            changes: self.told(own, other),
        };
        order.into_iter().map(pair).collect()
    }

    /// The changes that a reader looks for first: no statistic of a latency but the slowest, and none but TTFT and TPOT
    /// where there are both.
    fn told(&self, own: usize, other: usize) -> Vec<(String, Figure)> {
        let shared = self.index.groups[own].iter().filter(|group| self.index.groups[other].contains(group));
        let metrics: Vec<_> = shared.map(|group| self.groups[*group].metric.as_str()).collect();
        let of = |name: &str| Latency::parse(name).map(|latency| latency.metric.to_owned());
        let split =
            ["ttft", "tpot"].iter().all(|wanted| metrics.iter().any(|name| of(name).as_deref() == Some(wanted)));
        let is_told = |at: usize| match of(metrics[at]) {
            // Statistics of one metric follow upon each other, the slowest last.
            Some(metric) => {
                let last = metrics.get(at + 1).is_none_or(|next| of(next).as_ref() != Some(&metric));
                last && (!split || ["ttft", "tpot"].contains(&&*metric))
            }
            None => true,
        };
        let told = metrics.iter().enumerate().filter(|(at, _)| is_told(*at));
        told.filter_map(|(_, metric)| Some(((*metric).to_owned(), self.reckoned((metric, own, other))?))).collect()
    }
}
