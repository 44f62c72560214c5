//! `data/comparisons.json`: the comparability key of every result, what matters for which metric, and which results may be
//! compared.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compare::{CONTRACT, Part};
use crate::figures::{Comparisons, Contender};
use crate::quantity::Quantity;

#[derive(Debug, Serialize)]
struct File<'a> {
    format: u32,
    contract: Vec<Clause>,
    results: Vec<Result<'a>>,
    groups: Vec<Group<'a>>,
}

#[derive(Debug, Serialize)]
struct Clause {
    metrics: &'static [&'static str],
    parts: Vec<&'static str>,
    because: &'static str,
}

#[derive(Debug, Serialize)]
struct Result<'a> {
    id: &'a str,
    subject: &'a str,
    label: &'a str,
    published: Option<String>,
    /// Parts that neither the record nor its curator states are absent.
    setting: BTreeMap<&'static str, &'a str>,
    /// Why a part is taken to be so.
    assumed: BTreeMap<&'static str, &'a str>,
    /// What results are compared for.
    beside: BTreeMap<&'static str, &'a str>,
    limits: &'a [String],
    unranked: Option<&'a str>,
    /// An interval is `[low, high]`.
    values: BTreeMap<&'a str, Quantity>,
}

/// Results that may all be compared for a metric, the oldest first.
#[derive(Debug, Serialize)]
struct Group<'a> {
    metric: &'a str,
    /// Positions in `results`.
    results: &'a [usize],
}

pub fn comparisons(comparisons: &Comparisons) -> Vec<u8> {
    let clause = |clause: &crate::compare::Clause| Clause {
        metrics: clause.metrics,
        parts: clause.parts().map(Part::id).collect(),
        because: clause.because,
    };
    let groups = comparisons.groups.iter().map(|group| Group { metric: &group.metric, results: &group.members });
    super::record::pretty(&File {
        format: 1,
        contract: CONTRACT.iter().map(clause).collect(),
        results: comparisons.contenders.iter().map(result).collect(),
        groups: groups.collect(),
    })
}

fn result(contender: &Contender) -> Result<'_> {
    let of = |get: fn(&Contender, Part) -> Option<&str>| {
        Part::ALL.into_iter().filter_map(|part| Some((part.id(), get(contender, part)?))).collect()
    };
    Result {
        id: &contender.address,
        subject: &contender.subject,
        label: &contender.label,
        published: contender.published.map(|date| date.to_string()),
        setting: of(|contender, part| contender.setting.get(part)),
        assumed: of(|contender, part| contender.setting.assumed(part)),
        beside: contender.beside.iter().map(|(name, value)| (*name, value.as_str())).collect(),
        limits: &contender.limits,
        unranked: contender.unranked.as_deref(),
        values: contender.values().collect(),
    }
}
