//! Every measured quantity: name, unit, which way is better, definition, source — the glossary.

mod family;
pub mod plausible;
mod words;

use crate::quantity::{Better, TokenKind, Unit};

pub use family::{FAMILIES, Family, better_by_name, is_named, named_in};
pub use words::{in_words, uncapitalised, words, words_beside};

/// A term of the field, with one meaning.
#[derive(Debug)]
pub struct Metric {
    /// As fields are named, without statistic and unit: `ttft`.
    pub id: &'static str,
    pub name: &'static str,
    pub unit: Unit,
    pub better: Better,
    pub definition: &'static str,
    /// Where the definition comes from.
    pub source: &'static str,
}

const VLLM_BENCH: &str = "vLLM, `vllm bench serve` (vllm/benchmarks/serve.py)";

/// In the order of the glossary.
pub static METRICS: &[Metric] = &[
    Metric {
        id: "ttft",
        name: "TTFT",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "Time to first token: from sending a request to receiving its first output token, queueing and prefill included.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "tpot",
        name: "TPOT",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "Time per output token: (end-to-end latency − TTFT) ÷ (output tokens − 1), one value a request, then the statistic over requests.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "itl",
        name: "ITL",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "Inter-token latency: the gaps between stream chunks, the statistic over all gaps of all requests. Not TPOT: one chunk may carry several tokens.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "e2el",
        name: "E2E latency",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "End-to-end latency: from sending a request to receiving its last output token.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "goodput_tok_s",
        name: "Goodput (output tokens)",
        unit: Unit::TokensPerSecond(TokenKind::Output),
        better: Better::Higher,
        definition: "Output tokens per second at the highest load that still meets the SLO. That a run record counts output tokens here is assumed, since the harness does not say.",
        source: "DistServe (OSDI 2024) for goodput under an SLO; tokens in place of requests as the run record's field name has it",
    },
    Metric {
        id: "output_tok_s",
        name: "Output throughput",
        unit: Unit::TokensPerSecond(TokenKind::Output),
        better: Better::Higher,
        definition: "Generated tokens per second over the whole run, whether or not an SLO was met.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "input_tok_s",
        name: "Input throughput",
        unit: Unit::TokensPerSecond(TokenKind::Input),
        better: Better::Higher,
        definition: "Prompt tokens per second over the whole run, those found in a prefix cache included.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "total_tok_s",
        name: "Total throughput",
        unit: Unit::TokensPerSecond(TokenKind::Total),
        better: Better::Higher,
        definition: "Prompt and generated tokens per second together. Never comparable with a rate of generated tokens.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "request_throughput_rps",
        name: "Request throughput",
        unit: Unit::RequestsPerSecond,
        better: Better::Higher,
        definition: "Completed requests per second over the whole run: a delivered rate.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "request_rate_rps",
        name: "Offered request rate",
        unit: Unit::RequestsPerSecond,
        better: Better::Neither,
        definition: "Requests per second that the load generator sends, whether or not they complete in time.",
        source: VLLM_BENCH,
    },
    Metric {
        id: "capacity_rps",
        name: "Capacity at SLO",
        unit: Unit::RequestsPerSecond,
        better: Better::Higher,
        definition: "The highest tested request rate at which every term of the SLO was met. The true capacity lies between it and the next rate tested.",
        source: "This site's methodology; the audits' own method text says the same",
    },
    Metric {
        id: "decode_ms_per_token",
        name: "Decode time per token",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "Milliseconds per output token as a source gives them without a statistic or a load: not comparable with a TPOT percentile.",
        source: "This site's methodology",
    },
    Metric {
        id: "measured_ttft_ms_at_ctx",
        name: "TTFT at a context",
        unit: Unit::Milliseconds,
        better: Better::Lower,
        definition: "Time to first token of one sequence of a stated length, as a source gives it without a statistic: not comparable with a TTFT percentile of many requests.",
        source: "This site's methodology",
    },
    Metric {
        id: "measured_tps_at_ctx",
        name: "Output speed at a context",
        unit: Unit::TokensPerSecond(TokenKind::Output),
        better: Better::Higher,
        definition: "Output tokens per second of one stream whose sequence has a stated length: not comparable with a throughput of many streams.",
        source: "This site's methodology",
    },
    Metric {
        id: "shared_prefix_pct",
        name: "Requested prefix share",
        unit: Unit::Percent,
        better: Better::Neither,
        definition: "Share of each prompt that the workload takes from shared prefixes: what a prefix cache could find at most. The measured hit rate is lower, since each prefix has to be computed once and is evicted at times.",
        source: "This site's methodology",
    },
    Metric {
        id: "prefix_cache_hit_pct",
        name: "Prefix-cache hit rate",
        unit: Unit::Percent,
        better: Better::Neither,
        definition: "Share of prompt tokens whose KV was found in the cache. Of one replay, of all traffic of a time, or of a class of requests: the three are different numbers.",
        source: "vLLM metrics `prefix_cache_queries` and `prefix_cache_hits`, both counted in tokens",
    },
    Metric {
        id: "mbu_pct",
        name: "MBU",
        unit: Unit::Percent,
        better: Better::Higher,
        definition: "Memory bandwidth utilisation: achieved memory traffic as a share of the card's rated bandwidth.",
        source: "Databricks, LLM Inference Performance Engineering: Best Practices (2023)",
    },
    Metric {
        id: "node_power_kw",
        name: "Power",
        unit: Unit::Kilowatts,
        better: Better::Lower,
        definition: "Average power over the measurement window. The record's `power.kind` says of what (GPU board, node, or wall), whatever the field is called.",
        source: "This site's methodology",
    },
    Metric {
        id: "accuracy_pct",
        name: "Accuracy",
        unit: Unit::Percent,
        better: Better::Higher,
        definition: "Share of a suite's questions answered correctly.",
        source: "The suite's own scorer, named beside each score",
    },
    Metric {
        id: "slo",
        name: "SLO",
        unit: Unit::Milliseconds,
        better: Better::Neither,
        definition: "Service-level objective: the latency limits, each with its percentile, that a result must meet to count.",
        source: "Site Reliability Engineering (O'Reilly 2016), chapter 4",
    },
    Metric {
        id: "kv_bytes_per_token",
        name: "KV bytes per token",
        unit: Unit::BytesPerToken,
        better: Better::Lower,
        definition: "Bytes of KV cache that one more token of one sequence costs at long context, over all layers whose cache grows. Windows that are full and states of fixed size add nothing.",
        source: "vLLM v1/kv_cache_interface.py, read with the model's configuration",
    },
    Metric {
        id: "replicas",
        name: "Replicas",
        unit: Unit::Count("replicas"),
        better: Better::Lower,
        definition: "Copies of the serving process, each on its own GPUs, that together carry a load.",
        source: "Kubernetes usage",
    },
    Metric {
        id: "variance_band_pct",
        name: "Variance band",
        unit: Unit::Percent,
        better: Better::Lower,
        definition: "Half width of the spread between repeats of one config. A change smaller than the bands of both sides together is a tie.",
        source: "This site's methodology",
    },
    Metric {
        id: "throttled_pct",
        name: "Throttled share",
        unit: Unit::Percent,
        better: Better::Lower,
        definition: "Share of power samples in which the GPU reported a clock limit.",
        source: "NVIDIA nvidia-smi, clocks event reasons",
    },
    Metric {
        id: "prefill",
        name: "Prefill",
        unit: Unit::Tokens,
        better: Better::Neither,
        definition: "The pass that reads the prompt and fills the KV cache; a cached prefix is not read again.",
        source: "vLLM documentation",
    },
    Metric {
        id: "decode",
        name: "Decode",
        unit: Unit::Tokens,
        better: Better::Neither,
        definition: "The passes that generate output tokens one after another, each reading weights and KV cache.",
        source: "vLLM documentation",
    },
];

/// The metric of a field: `goodput_tok_s` itself, or `ttft` for `ttft_p99_ms`.
pub fn metric(field: &str) -> Option<&'static Metric> {
    let named = |id: &str| METRICS.iter().find(|metric| metric.id == id);
    named(field).or_else(|| named(Latency::parse(field)?.metric))
}

/// The unit that a field's name says.
pub fn unit_of(field: &str) -> Unit {
    if let Some(metric) = metric(field) {
        return metric.unit;
    }
    const ENDINGS: [(&str, Unit); 21] = [
        ("usd_per_mtok_input", Unit::UsdPerMillionTokens(TokenKind::Input)),
        ("usd_per_mtok_cached_input", Unit::UsdPerMillionTokens(TokenKind::Input)),
        ("usd_per_mtok_output", Unit::UsdPerMillionTokens(TokenKind::Output)),
        ("usd_per_gpu_hour", Unit::UsdPerGpuHour),
        ("usd_per_node_hour", Unit::UsdPerNodeHour),
        ("bw_tbs_per_gpu", Unit::TbPerSecond),
        ("_tb_s", Unit::TbPerSecond),
        ("_gb_s", Unit::GbPerSecond),
        ("_bytes", Unit::Count("B")),
        ("_hz", Unit::Hertz),
        ("_tok_s", Unit::TokensPerSecond(TokenKind::Output)),
        ("_rps", Unit::RequestsPerSecond),
        ("_ms", Unit::Milliseconds),
        ("_kw", Unit::Kilowatts),
        ("_w", Unit::Watts),
        ("_pct", Unit::Percent),
        ("_gb", Unit::Gb),
        ("_gib", Unit::Gib),
        ("_mib", Unit::Mib),
        ("_tokens", Unit::Tokens),
        ("_s", Unit::Seconds),
    ];
    // In `measured_ttft_ms_at_ctx` the unit does not stand last.
    let says = |unit: &str| field.ends_with(unit) || field.contains(&format!("{unit}_"));
    ENDINGS.into_iter().find(|(unit, _)| says(unit)).map_or(Unit::Number, |(_, unit)| unit)
}

/// A latency field taken apart: `ttft_p99_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latency<'a> {
    pub metric: &'a str,
    /// `mean`, `p50`, `p90`, `p95` or `p99`.
    pub statistic: &'a str,
}

impl<'a> Latency<'a> {
    pub const METRICS: [&'static str; 4] = ["ttft", "tpot", "itl", "e2el"];
    pub const STATISTICS: [&'static str; 5] = ["mean", "p50", "p90", "p95", "p99"];

    /// Requests that a percentile over requests needs, 1/(1 − q); `None` for a mean, and for ITL, whose samples are gaps.
    pub fn least_requests(self) -> Option<u64> {
        match (self.metric, self.statistic) {
            ("itl", _) => None,
            (_, "p50") => Some(2),
            (_, "p90") => Some(10),
            (_, "p95") => Some(20),
            (_, "p99") => Some(100),
            _ => None,
        }
    }

    /// Share of the requests that are within a percentile; `None` for a mean.
    pub fn share_within(self) -> Option<f64> {
        Some(self.statistic.strip_prefix('p')?.parse::<f64>().ok()? / 100.0)
    }

    /// Whether a value of this that is over a limit says that the limit of `other` is missed as well: of one metric, no
    /// percentile is below a lower one.
    pub fn is_no_more_than(self, other: Latency) -> bool {
        let lower = self.share_within().zip(other.share_within()).is_some_and(|(own, other)| own <= other);
        self.metric == other.metric && (lower || self.statistic == other.statistic)
    }

    /// The same of two fields by their names.
    pub fn is_no_more_by_name(own: &str, other: &str) -> bool {
        Latency::parse(own).zip(Latency::parse(other)).is_some_and(|(own, other)| own.is_no_more_than(other))
    }

    /// Words for a percentile over so few requests that they have no such tail; `None` where they are enough.
    pub fn of_too_few(self, requests: u64) -> Option<String> {
        let least = self.least_requests()?;
        let noun = if requests == 1 { "request" } else { "requests" };
        (requests < least).then(|| format!("{} of {requests} {noun}, fewer than {least}", self.statistic))
    }

    pub fn parse(field: &'a str) -> Option<Self> {
        let (metric, statistic) = field.strip_suffix("_ms")?.split_once('_')?;
        (Self::METRICS.contains(&metric) && Self::STATISTICS.contains(&statistic))
            .then_some(Latency { metric, statistic })
    }
}

/// How a field is headed: `p99 TTFT`, `Goodput (output tokens)`; the field's own name when it is no metric of ours.
pub fn heading(field: &str) -> String {
    match (Latency::parse(field), metric(field)) {
        (Some(latency), Some(metric)) => format!("{} {}", latency.statistic, metric.name),
        (_, Some(metric)) => metric.name.to_owned(),
        _ => field.to_owned(),
    }
}

/// The same in words for a field that is none.
pub fn name(field: &str) -> String {
    if metric(field).is_some() { heading(field) } else { words(field) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_leads_to_its_metric() {
        assert_eq!(metric("ttft_p99_ms").map(|metric| metric.id), Some("ttft"));
        assert_eq!(heading("e2el_mean_ms"), "mean E2E latency");
        assert_eq!(metric("ttft_p98_ms").map(|metric| metric.id), None);
        assert_eq!(heading("goodput_tok_s"), "Goodput (output tokens)");
    }

    #[test]
    fn a_percentile_is_no_more_than_a_higher_one() {
        for (one, other, expected) in [
            ("tpot_p50_ms", "tpot_p95_ms", true),
            ("tpot_p95_ms", "tpot_p95_ms", true),
            ("tpot_p99_ms", "tpot_p95_ms", false),
            ("ttft_p50_ms", "tpot_p95_ms", false),
            ("tpot_mean_ms", "tpot_p95_ms", false),
            ("tpot_mean_ms", "tpot_mean_ms", true),
        ] {
            let [Some(own), Some(of)] = [one, other].map(Latency::parse) else { panic!("{one} {other}") };
            assert_eq!(own.is_no_more_than(of), expected, "{one} {other}");
        }
    }

    #[test]
    fn names_say_which_tokens() {
        for metric in METRICS {
            if let Some(kind) = metric.unit.token_kind() {
                assert!(metric.name.to_lowercase().contains(kind.word()), "{} counts {kind:?} tokens", metric.name);
            }
        }
    }

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<_> = METRICS.iter().map(|metric| metric.id).collect();
        assert_eq!(ids.len(), METRICS.len());
    }

    #[test]
    fn direction_has_words() {
        assert_eq!(Better::Lower.judge(-75.2), Some("better"));
        assert_eq!(Better::Higher.judge(56.6), Some("better"));
        assert_eq!(Better::Higher.judge(-0.2), Some("worse"));
        assert_eq!(Better::Neither.judge(3.0), None);
    }
}
