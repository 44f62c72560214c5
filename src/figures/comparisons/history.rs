//! Results of one key over time, and a result that measures another again.

use std::collections::BTreeMap;

use super::{Comparisons, Contender};
use crate::compare::{NOT_STATED, Part, clause, order_of_versions};
use crate::figures::sheet::compute;
use crate::figures::{Fact, Figure};
use crate::formula::comparison::VALUE_RATIO;

/// A result of a record that measures another again, beside what it measures.
#[derive(Debug)]
pub struct Reproduction {
    pub own: usize,
    pub original: usize,
    pub metric: String,
    /// The own value over the original's, or what forbids it.
    pub ratio: Result<Figure, Vec<String>>,
}

impl Comparisons {
    /// Those of some results that differ in nothing but the version of their engine, those of each such key in the order
    /// of the versions, then of the days.
    pub(super) fn over_time(&self, members: &[usize]) -> Vec<Vec<usize>> {
        let mut by_key = BTreeMap::<_, Vec<usize>>::new();
        // What is no longer to be relied on is no step of a history, and what states no version has no place in it.
        let counts = |contender: &Contender| contender.standing.is_none() && contender.engine_version() != NOT_STATED;
        for member in members.iter().filter(|member| counts(&self.contenders[**member])) {
            let contender = &self.contenders[*member];
            // How an answer is cut into chunks follows from the version, and matters for gaps alone, which share it already.
            let parts = contender.setting.parts().iter().filter(|(part, _)| **part != Part::TokensPerChunk);
            by_key.entry((contender.accelerator(), parts.collect::<Vec<_>>())).or_default().push(*member);
        }
        let mut series: Vec<_> = by_key.into_values().filter(|members| self.are_of_versions(members)).collect();
        for members in &mut series {
            members.sort_by(|one, other| {
                let [one, other] = [one, other].map(|at| &self.contenders[*at]);
                let versions = order_of_versions(one.engine_version(), other.engine_version());
                versions.then_with(|| (one.published, &one.address).cmp(&(other.published, &other.address)))
            });
        }
        series.sort();
        series
    }

    /// Whether there are two versions at least.
    fn are_of_versions(&self, members: &[usize]) -> bool {
        let first = members.first().map(|at| self.contenders[*at].engine_version());
        members.iter().any(|at| Some(self.contenders[*at].engine_version()) != first)
    }

    /// A record's results over those of the record that it measures again: of each metric the two that differ in least, with
    /// the ratio where they may be divided.
    pub(super) fn reproduced(&self, address: &str, original: &str) -> Vec<Reproduction> {
        let mut nearest = BTreeMap::<&str, (usize, usize, usize, Vec<String>)>::new();
        for own in self.of_record(address) {
            for other in self.of_record(original) {
                let [one, two] = [own, other].map(|at| &self.contenders[at]);
                for (metric, _) in one.values().filter(|(metric, _)| two.values.contains_key(*metric)) {
                    let Some(clause) = clause(metric) else { continue };
                    let forbidding = clause.compare(&two.setting, &one.setting).forbidding;
                    let found = (forbidding.len(), own, other, forbidding);
                    let best = nearest.entry(metric).or_insert_with(|| found.clone());
                    if found.0 < best.0 {
                        *best = found;
                    }
                }
            }
        }
        let reproduction = |(metric, (_, own, original, differences)): (&str, (usize, usize, usize, Vec<String>))| {
            let metric = metric.to_owned();
            let ratio = match differences.is_empty() {
                true => Ok(self.ratio(&metric, own, original)),
                false => Err(differences),
            };
            Reproduction { own, original, metric, ratio }
        };
        nearest.into_iter().map(reproduction).collect()
    }

    fn ratio(&self, metric: &str, own: usize, original: usize) -> Figure {
        let [own, original] = [own, original].map(|at| &self.contenders[at]);
        let value = |side: &Contender| {
            let fact = side.values.get(metric).map(|fact| Fact::clone(fact));
            fact.ok_or_else(|| crate::figures::Missing::because(format!("`{metric}` is not stated")))
        };
        let limits = [own, original].into_iter().flat_map(|side| side.limits(metric));
        compute(&VALUE_RATIO, own.subject.clone(), [value(own), value(original)]).limited(limits)
    }
}
