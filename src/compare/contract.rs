//! What matters for which metric: the one table that decides whether two results may be compared.

use super::{Comparison, Part, Setting};
use Part::{
    AccuracySuite, Arrival, Context, Engine, ForcedLengths, HeldLoad, InputTokens, KvDtype, Load, Model, OutputTokens,
    Parallelism, PowerBoundary, PrefixShare, PriceBasis, Slo, TokenBasis, TokensPerChunk, Trace, WeightsDtype, Window,
};

/// Metrics that depend on the same parts of a setting.
#[derive(Debug)]
pub struct Clause {
    /// Formulas and measured fields by id; a latency by its metric alone, `ttft` for each of its statistics.
    pub metrics: &'static [&'static str],
    /// What must be equal, and stated, on both sides.
    pub matter: &'static [&'static [Part]],
    /// Of these, what the results of one record are there to compare.
    pub within: &'static [Part],
    pub because: &'static str,
}

/// What was served.
const SERVED: &[Part] = &[Model, WeightsDtype, KvDtype, Engine, Parallelism];
/// What was asked of it.
const ASKED: &[Part] = &[Trace, InputTokens, OutputTokens, PrefixShare, ForcedLengths, Arrival];

/// Accelerator, driver and engine version are in no clause: they are what results are compared for, and stand beside
/// every number.
pub static CONTRACT: [Clause; 12] = [
    Clause {
        metrics: &["goodput_tok_s", "capacity_rps"],
        matter: &[SERVED, ASKED, &[Load, Slo, TokenBasis]],
        within: &[],
        because: "the highest rate within the limits is another one with other limits, lengths or hits",
    },
    Clause {
        metrics: &["output_tok_s", "total_tok_s", "output_tok_s_per_gpu"],
        matter: &[SERVED, ASKED, &[Load, TokenBasis]],
        within: &[],
        because: "a rate rises with the load until the system is full",
    },
    Clause {
        metrics: &[
            "ttft",
            "tpot",
            "e2el",
            "output_tok_s_per_user_at_mean_tpot",
            "output_tok_s_per_user_at_p50_tpot",
            "output_tok_s_per_user_at_p90_tpot",
            "output_tok_s_per_user_at_p95_tpot",
            "output_tok_s_per_user_at_p99_tpot",
        ],
        matter: &[SERVED, ASKED, &[HeldLoad]],
        within: &[],
        because: "a latency is of one load, which is that of no other result where each is at its own capacity, and of requests of one length",
    },
    Clause {
        metrics: &["itl"],
        matter: &[SERVED, ASKED, &[HeldLoad, TokensPerChunk]],
        within: &[],
        because: "it is the gap between two chunks of a stream, and one chunk may carry several tokens",
    },
    Clause {
        metrics: &["measured_ttft_ms_at_ctx", "measured_tps_at_ctx"],
        matter: &[SERVED, &[Context, PrefixShare, Load]],
        within: &[PrefixShare],
        because: "one sequence's time and speed are of its length, and of the share that is not computed again",
    },
    Clause {
        metrics: &["ttft_speedup"],
        matter: &[SERVED, &[Context, PrefixShare]],
        within: &[PrefixShare],
        because: "what is saved is the time that the prefix would have taken there",
    },
    Clause {
        metrics: &["goodput_tok_per_j", "energy_j_per_output_token", "electricity_usd_per_mtok_output"],
        matter: &[SERVED, ASKED, &[Slo, Load, TokenBasis, PowerBoundary, Window]],
        within: &[],
        because: "board, node and wall power are different quantities, and power moves over a run",
    },
    Clause {
        metrics: &["usd_per_mtok_output"],
        matter: &[SERVED, ASKED, &[Slo, Load, TokenBasis, PriceBasis]],
        within: &[],
        because: "a cost is a price over a rate, and both must be of one kind",
    },
    Clause {
        metrics: &["kv_bytes_per_token"],
        matter: &[&[Model, KvDtype]],
        within: &[KvDtype],
        because: "bytes per token follow from the model's geometry and the storage type alone",
    },
    Clause {
        metrics: &["kv_gib_at_context"],
        matter: &[&[Model, KvDtype, Context]],
        within: &[KvDtype],
        because: "the size of a cache is of one length of context",
    },
    Clause {
        metrics: &["prefix_cache_hit_pct"],
        matter: &[&[Trace, Engine]],
        within: &[],
        because: "a hit rate says as much of the traffic as of the cache",
    },
    Clause {
        metrics: &["accuracy_pct"],
        matter: &[&[Model, AccuracySuite]],
        within: &[],
        because: "scores of two suites share no scale",
    },
];

/// The clause of a metric, by formula or field: `tpot_p99_ms` is under `tpot`. `None` for what is never compared across
/// records.
pub fn clause(metric: &str) -> Option<&'static Clause> {
    let name = crate::metric::Latency::parse(metric).map_or(metric, |latency| latency.metric);
    CONTRACT.iter().find(|clause| clause.metrics.contains(&name))
}

impl Clause {
    /// The parts that matter, in their order.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(|part| self.matter.iter().any(|parts| parts.contains(part)))
    }

    /// Whether its metrics are of a machine at work, and not of the model alone, as the size of a cache is.
    pub fn is_of_serving(&self) -> bool {
        self.parts().any(|part| part == Engine)
    }

    /// Parts that forbid a ratio between two results of different records. One that either does not state does.
    pub fn differing<'a>(&'a self, one: &'a Setting, other: &'a Setting) -> impl Iterator<Item = Part> + 'a {
        self.parts().filter(|part| one.get(*part).is_none() || one.get(*part) != other.get(*part))
    }

    /// Whether two results of different records may be compared, and every difference that forbids it.
    pub fn compare(&self, one: &Setting, other: &Setting) -> Comparison {
        let differing = self.differing(one, other);
        let forbidding = differing.map(|part| part.words(one.get(part), other.get(part)));
        Comparison { forbidding: forbidding.collect(), varied: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_in_one_clause() {
        let mut seen = std::collections::BTreeSet::new();
        for metric in CONTRACT.iter().flat_map(|clause| clause.metrics) {
            assert!(seen.insert(metric), "{metric} stands twice");
        }
        assert_eq!(clause("ttft_p99_ms").map(|clause| clause.metrics[0]), Some("ttft"));
        assert!(clause("goodput_lead_pct").is_none());
    }

    #[test]
    fn gaps_between_chunks_are_compared_between_chunks_of_as_many_tokens() {
        let [gaps, tokens] = ["itl_p99_ms", "tpot_p99_ms"].map(|metric| clause(metric).expect("it is in the contract"));
        let stated = gaps.parts().fold(Setting::default(), |setting, part| setting.with(part, "x"));
        let [one, ten] = ["1", "10"].map(|chunk| stated.clone().with(TokensPerChunk, chunk));
        let unstated = tokens.parts().fold(Setting::default(), |setting, part| setting.with(part, "x"));
        let words = |clause: &Clause, other: &Setting| clause.compare(&one, other).forbidding;
        assert_eq!(words(gaps, &ten), ["tokens per chunk 1 against 10"]);
        assert_eq!(words(gaps, &unstated), ["tokens per chunk 1 against not stated"]);
        assert_eq!([words(gaps, &one), words(tokens, &ten), words(tokens, &unstated)], [[""; 0]; 3]);
    }

    #[test]
    fn what_either_does_not_state_is_a_difference() {
        let clause = clause("accuracy_pct").expect("it is in the contract");
        let setting = |parts: &[(Part, &str)]| {
            parts.iter().fold(Setting::default(), |setting, (part, value)| setting.with(*part, value))
        };
        let full = setting(&[(Model, "m"), (AccuracySuite, "gsm8k")]);
        assert!(clause.compare(&full, &full).is_allowed());
        let (none, other) = (setting(&[(Model, "m")]), setting(&[(Model, "m"), (AccuracySuite, "mmlu")]));
        let words = |one, two| clause.compare(one, two).forbidding;
        assert_eq!(words(&full, &other), ["accuracy suite gsm8k against mmlu"]);
        assert_eq!(words(&full, &none), ["accuracy suite gsm8k against not stated"]);
        assert_eq!(words(&none, &none), ["accuracy suite not stated on either side"]);
    }
}
