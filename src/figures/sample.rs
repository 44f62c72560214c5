//! How much was measured for a number.

use std::collections::BTreeMap;

use super::Figure;
use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::record::Record;
use crate::record::run::RunConfig;
use crate::record::sweep::Sweep;

/// How much was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sample {
    /// Requests, iterations, repeats, in words.
    Stated(String),
    NotStated,
}

impl Sample {
    pub(super) fn of_requests(requests: u64) -> Self {
        Sample::Stated(counted(requests as usize, "request"))
    }

    pub fn words(&self) -> &str {
        match self {
            Sample::Stated(words) => words,
            Sample::NotStated => "of a size that is not stated",
        }
    }
}

/// Says of each figure that rests on a measurement how large that was, or that its size is not known.
pub(super) fn attach(item: &Item, figures: &mut [Figure]) {
    let sweeps = match &item.record {
        Record::Run(run) => run.sweeps(),
        Record::Audit(audit) => audit.sweeps(),
        _ => Vec::new(),
    };
    let positions: BTreeMap<_, _> =
        item.subjects.iter().enumerate().rev().map(|(at, own)| (own.anchor.as_str(), at)).collect();
    for figure in figures.iter_mut().filter(|figure| figure.sample.is_none()) {
        let of_steps = figure.rests_on_steps();
        if !of_steps && !figure.rests_on_measurement() {
            continue;
        }
        let position = positions.get(figure.subject.as_str()).copied();
        let sweep = position.and_then(|position| sweeps.get(position)).filter(|_| of_steps);
        let stated = sweep.and_then(of_sweep).map(Sample::Stated);
        figure.sample = Some(stated.unwrap_or_else(|| of_position(item, position)));
    }
}

impl Figure {
    /// Whether the loads of a search are among what it is computed from.
    fn rests_on_steps(&self) -> bool {
        self.inputs().any(|(_, fact)| match &fact.derivation {
            Some(figure) => figure.rests_on_steps(),
            None => ["/steps/", "/sweep/"].iter().any(|part| fact.pointer.contains(part)),
        })
    }
}

/// Requests of the steps that a search ends at.
fn of_sweep(sweep: &Sweep) -> Option<String> {
    let ends = [sweep.last_passing(), sweep.first_failing()].into_iter().flatten();
    let counts: Vec<_> = ends.filter_map(|step| step.requests?.measured()).collect();
    let (least, most) = (counts.iter().min()?, counts.iter().max()?);
    let range = if least == most { least.to_string() } else { format!("{least}–{most}") };
    Some(format!("{range} requests a step"))
}

/// Of the config at a position, else of the record as a whole.
pub(super) fn of_position(item: &Item, position: Option<usize>) -> Sample {
    let words = match &item.record {
        Record::Run(run) => position.and_then(|at| of_config(run.configs.get(at)?)),
        Record::Audit(audit) => {
            audit.workload.requests_per_rate.map(|requests| format!("{} a rate", counted(requests as usize, "request")))
        }
        _ => None,
    };
    words.map_or(Sample::NotStated, Sample::Stated)
}

fn of_config(config: &RunConfig) -> Option<String> {
    let requests = config.requests.as_ref().and_then(|requests| requests.measured());
    let parts = [
        requests.map(|requests| counted(requests as usize, "request")),
        config.samples_tok_s.as_ref().map(|samples| match config.warmup.filter(|warmup| *warmup > 0) {
            Some(warmup) => {
                format!("{} after {warmup} of warm-up", counted(samples.len().saturating_sub(warmup), "iteration"))
            }
            None => counted(samples.len(), "iteration"),
        }),
        config.repeats.map(|repeats| counted(repeats as usize, "repeat")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_config_counts_is_its_sample() {
        for (fields, expected) in [
            (json!({}), None),
            (json!({"repeats": 2}), Some("2 repeats")),
            (json!({"samples_tok_s": [10, 20, 30], "warmup": 0}), Some("3 iterations")),
            (json!({"samples_tok_s": [10, 20, 30]}), Some("3 iterations")),
            (json!({"samples_tok_s": [10, 20, 30], "warmup": 1}), Some("2 iterations after 1 of warm-up")),
            (json!({"requests": {"completed": 40}}), Some("40 requests")),
        ] {
            let mut whole = json!({"label": "a"});
            whole.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
            let config = serde_json::from_value(whole).expect("it is a config");
            assert_eq!(of_config(&config).as_deref(), expected, "{fields}");
        }
    }
}
