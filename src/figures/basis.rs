//! How a number came to be: measured, stated, computed or assumed.

use super::{Fact, Figure};
use crate::source::Kind;

/// How a number came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The source measured it.
    Measured,
    /// The source says it without showing a measurement.
    Stated,
    /// It follows by a formula from the source's own numbers.
    Computed,
    /// It is not the source's, or follows from a number that is not.
    Assumed,
    /// There is no number.
    Missing,
}

impl Basis {
    pub fn word(self) -> &'static str {
        match self {
            Basis::Measured => "measured",
            Basis::Stated => "stated",
            Basis::Computed => "computed",
            Basis::Assumed => "assumed",
            Basis::Missing => "missing",
        }
    }
}

impl Figure {
    /// Whether anything that went in was measured.
    pub fn rests_on_measurement(&self) -> bool {
        let facts = self.outcome.iter().flat_map(|computed| &computed.inputs);
        let mut facts = facts.map(|fact| match &fact.derivation {
            Some(figure) => figure.rests_on_measurement(),
            None => is_measured(fact.document.kind, &fact.pointer),
        });
        facts.any(|is_measured| is_measured)
    }

    pub fn basis(&self) -> Basis {
        if self.assumptions().is_empty() { Basis::Computed } else { Basis::Assumed }
    }
}

impl Fact {
    pub fn basis(&self) -> Basis {
        match &self.derivation {
            _ if self.assumed.is_some() => Basis::Assumed,
            _ if self.missing().is_some() => Basis::Missing,
            Some(figure) => figure.basis(),
            None if self.is_claimed() => Basis::Stated,
            None if is_measured(self.document.kind, &self.pointer) => Basis::Measured,
            None => Basis::Stated,
        }
    }
}

impl Fact {
    /// Whether the record says of the value itself that its source shows no measurement.
    fn is_claimed(&self) -> bool {
        let Some((place, _)) = self.pointer.rsplit_once('/') else { return false };
        // As the file writes it: to read the file again for each fact takes minutes where it has thousands of configs.
        let written = self.document.written(&format!("{place}/basis"));
        written.is_some_and(|basis| basis.trim_matches(['"', '\'']) == "stated")
    }
}

/// Fields of a config or a step that are no results of it.
const SET_BEFORE: [&str; 8] = [
    "concurrency",
    "context_tokens",
    "input_tokens_requested",
    "offered_rps",
    "output_tokens_requested",
    "repeats",
    "request_rate_rps",
    "warmup",
];

/// Whether a field of a kind holds what was measured: results of configs and variants, not their settings.
pub(super) fn is_measured(kind: Kind, pointer: &str) -> bool {
    let segments: Vec<_> = pointer.split('/').skip(1).collect();
    match (kind, &segments[..]) {
        (Kind::Run | Kind::Audit, [.., "accuracy", field]) => *field == "score_pct",
        (Kind::Run, ["configs", _, "gpus", ..]) => false,
        (Kind::Run, ["configs", _, field]) => !SET_BEFORE.contains(field),
        (Kind::Run, ["configs", _, "sweep", _, field]) => !SET_BEFORE.contains(field),
        (Kind::Run, ["configs", _, ..]) => true,
        (Kind::Audit, ["configs", _, "capacity", ..] | ["configs", _, "decode_ms_per_token"]) => true,
        (Kind::Audit, ["configs", _, "steps", _, field, ..]) => !SET_BEFORE.contains(field),
        (Kind::KvEfficiency, ["variants", _, "values", _, field, ..]) => *field == "value",
        (Kind::KvEfficiency, ["variants", _, field, ..]) => field.starts_with("measured_"),
        (Kind::KvEfficiency, ["hit_rates", _, "rate_pct", ..]) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_measured_and_settings_are_stated() {
        for (kind, pointer, measured) in [
            (Kind::Run, "/configs/0/goodput_tok_s", true),
            (Kind::Run, "/configs/0/throttle_counts/sw_power_cap", true),
            (Kind::Run, "/configs/0/repeats", false),
            (Kind::Run, "/configs/0/gpus/decode", false),
            (Kind::Run, "/configs/0/concurrency", false),
            (Kind::Run, "/configs/0/sweep/1/offered_rps", false),
            (Kind::Run, "/configs/0/sweep/1/requests/sent", true),
            (Kind::Run, "/configs/0/accuracy/questions", false),
            (Kind::Run, "/accuracy/score_pct", true),
            (Kind::Audit, "/configs/1/steps/0/concurrency", false),
            (Kind::Audit, "/configs/1/steps/0/latencies/ttft_p95_ms", true),
            (Kind::Run, "/slo/ttft_p99_ms", false),
            (Kind::CuratorNote, "/observations/0/value", false),
            (Kind::Audit, "/configs/1/capacity/output_tok_s", true),
            (Kind::Audit, "/price/usd_per_gpu_hour", false),
            (Kind::KvEfficiency, "/variants/0/measured_ttft_ms_at_ctx", true),
            (Kind::KvEfficiency, "/variants/0/context_tokens", false),
            (Kind::KvEfficiency, "/variants/0/values/1/value", true),
            (Kind::KvEfficiency, "/variants/0/values/1/context_tokens", false),
            (Kind::KvEfficiency, "/hit_rates/0/rate_pct", true),
            (Kind::Model, "/groups/0/layers", false),
        ] {
            assert_eq!(is_measured(kind, pointer), measured, "{pointer}");
        }
    }
}
