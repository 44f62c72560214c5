//! How much was measured for a number.

use super::Figure;
use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::record::Record;
use crate::record::run::RunConfig;

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
    for figure in figures.iter_mut().filter(|figure| figure.rests_on_measurement()) {
        let position = item.subjects.iter().position(|own| own.anchor == figure.subject);
        figure.sample = Some(of_position(item, position));
    }
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
        config.samples_tok_s.as_ref().map(|samples| counted(samples.len(), "iteration")),
        config.repeats.map(|repeats| counted(repeats as usize, "repeat")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
