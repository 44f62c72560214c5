//! Pairs of metrics that are bought with each other, and whose results may stand on one frontier.

use super::{Part, Setting, clause};

/// Two metrics of one operating point. Each side lists the metrics of one clause that may stand for it, and does the first
/// that most results have: the statistics of a latency from the slowest on.
#[derive(Debug)]
pub struct Tradeoff {
    pub id: &'static str,
    pub across: &'static [&'static str],
    pub up: &'static [&'static str],
}

const GOODPUT: &[&str] = &["goodput_tok_s"];
const THROUGHPUT: &[&str] = &["output_tok_s"];
const PER_USER: &[&str] = &[
    "output_tok_s_per_user_at_p99_tpot",
    "output_tok_s_per_user_at_p95_tpot",
    "output_tok_s_per_user_at_p90_tpot",
    "output_tok_s_per_user_at_p50_tpot",
    "output_tok_s_per_user_at_mean_tpot",
];
const ENERGY: &[&str] = &["energy_j_per_output_token"];
/// Not ITL, whose gaps are of tokens only where each chunk carries one.
const LATENCIES: &[&str] = &[
    "tpot_p99_ms",
    "tpot_p95_ms",
    "tpot_p90_ms",
    "tpot_p50_ms",
    "tpot_mean_ms",
    "ttft_p99_ms",
    "ttft_p95_ms",
    "ttft_p90_ms",
    "ttft_p50_ms",
    "ttft_mean_ms",
];

/// Of those with one id, a record shows the first that its results have.
pub static TRADEOFFS: [Tradeoff; 5] = [
    Tradeoff { id: "throughput-per-user", across: PER_USER, up: GOODPUT },
    Tradeoff { id: "throughput-per-user", across: PER_USER, up: THROUGHPUT },
    Tradeoff { id: "cost-latency", across: LATENCIES, up: &["usd_per_mtok_output"] },
    Tradeoff { id: "energy-throughput", across: GOODPUT, up: ENERGY },
    Tradeoff { id: "energy-throughput", across: THROUGHPUT, up: ENERGY },
];

impl Tradeoff {
    /// What must be equal for two results to stand on one frontier: all that matters for either metric but the load, which
    /// a frontier moves along.
    pub fn parts(&self) -> Vec<Part> {
        let sides = self.across.iter().chain(self.up).filter_map(|metric| clause(metric));
        let matter: Vec<_> = sides.flat_map(|clause| clause.parts()).collect();
        let moves = |part: &Part| matches!(part, Part::Load | Part::HeldLoad);
        Part::ALL.into_iter().filter(|part| !moves(part) && matter.contains(part)).collect()
    }

    /// The words for what stands between two results on one frontier; nothing stands where it is empty. Parts that one
    /// record `varies` on purpose, and those that it states of neither, do not.
    pub fn forbidding(&self, one: &Setting, other: &Setting, within: Within) -> Vec<String> {
        let differ = |part: &Part| match within {
            Within::Record(varied) => one.get(*part) != other.get(*part) && !varied.contains(part),
            Within::Site => one.get(*part).is_none() || one.get(*part) != other.get(*part),
        };
        let parts = self.parts().into_iter().filter(differ);
        let words = parts.map(|part| part.words(one.get(part), other.get(part)));
        let depths = (one.depth() != other.depth()).then(|| Part::Load.words(one.depth(), other.depth()));
        words.chain(depths).collect()
    }
}

/// Whether two results are of one record, and in which parts that differs on purpose.
#[derive(Debug, Clone, Copy)]
pub enum Within<'a> {
    Record(&'a [Part]),
    Site,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frontier_moves_along_the_load_and_along_nothing_else() {
        let cost = &TRADEOFFS[2];
        let full = cost.parts().into_iter().fold(Setting::default(), |setting, part| setting.with(part, "x"));
        assert!(cost.parts().contains(&Part::PriceBasis) && !cost.parts().contains(&Part::Load));
        let loads = ["4 at once", "64 at once", "4 at once, after 4,096 tokens"];
        let [few, many, deep] = loads.map(|load| full.clone().with(Part::Load, load));
        assert!(cost.forbidding(&few, &many, Within::Site).is_empty());
        assert_eq!(cost.forbidding(&few, &deep, Within::Site), ["load not stated against after 4,096 tokens"]);
        let other = few.clone().with(Part::Engine, "y");
        assert_eq!(cost.forbidding(&few, &other, Within::Site), ["engine x against y"]);
        assert_eq!(cost.forbidding(&few, &other, Within::Record(&[Part::Engine])), [""; 0]);
    }

    #[test]
    fn what_is_not_stated_withholds_between_records_only() {
        let none = Setting::default();
        let speed = &TRADEOFFS[0];
        assert_eq!(speed.forbidding(&none, &none, Within::Record(&[])), [""; 0]);
        assert_eq!(speed.forbidding(&none, &none, Within::Site).len(), speed.parts().len());
    }

    #[test]
    fn every_metric_of_a_trade_off_has_its_clause() {
        for tradeoff in &TRADEOFFS {
            for metric in tradeoff.across.iter().chain(tradeoff.up) {
                assert!(clause(metric).is_some(), "{metric}");
            }
            for side in [tradeoff.across, tradeoff.up] {
                let first = clause(side[0]).map(|clause| clause.metrics);
                assert!(side.iter().all(|metric| clause(metric).map(|clause| clause.metrics) == first), "{side:?}");
            }
        }
    }
}
