//! An inference cost audit: capacity at an SLO, and what a million tokens costs there.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::accuracy::{Accuracy, Configs, Gates};
use super::kv_efficiency::Technique;
use super::price::StatedPrice;
use super::{
    Curation, Date, Latencies, LatencyLimits, NamedReference, Requests, StatedFigure, Status, flags, variables,
};
use crate::metric::Latency;
use crate::quantity::Quantity;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Audit {
    pub id: String,
    #[serde(default)]
    pub status: Status,
    pub title: String,
    pub published: Date,
    /// The finding in one sentence.
    pub summary: Option<String>,
    pub provider: Option<String>,
    pub engine: String,
    pub engine_version: Option<String>,
    pub image: Option<String>,
    pub driver: Option<String>,
    pub model: NamedReference,
    pub hardware: AuditHardware,
    /// Replicas and their parallelism.
    pub parallelism: Option<String>,
    pub price: Option<StatedPrice>,
    /// What the same requests cost where tokens are paid by the piece.
    pub token_price: Option<TokenPrice>,
    /// Key of the config that changes are measured against; else `baseline`, else the first.
    pub baseline: Option<String>,
    pub baseline_flags: Option<String>,
    pub workload: AuditWorkload,
    /// Latency limits by metric, percentile and unit: `ttft_p95_ms`.
    pub slo: LatencyLimits,
    pub accuracy: Option<Accuracy>,
    /// Peak load to be served, requests per second.
    pub peak_request_rate_rps: Option<Quantity>,
    pub configs: Vec<AuditConfig>,
    #[serde(default)]
    pub stated: Vec<StatedFigure>,
    #[serde(default)]
    pub not_covered: Vec<String>,
    #[serde(default)]
    pub techniques: Vec<Technique>,
    #[serde(flatten)]
    pub curation: Curation,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditHardware {
    pub accelerator: String,
    /// GPUs of one replica.
    pub count: u32,
    /// Address of the card entry.
    pub reference: Option<String>,
}

/// Dollars for a million tokens of each kind.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct TokenPrice {
    pub provider: Option<String>,
    pub usd_per_mtok_input: Quantity,
    pub usd_per_mtok_cached_input: Option<Quantity>,
    pub usd_per_mtok_output: Quantity,
    /// The day on which the source read the prices.
    pub date: Option<Date>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditWorkload {
    /// Kind of dataset: `random`, `replay`, `sharegpt`.
    pub dataset: Option<String>,
    pub input_tokens: Option<Quantity>,
    /// Tokens of the input that come from a cache: part of `input_tokens`, not beside them.
    pub cached_input_tokens: Option<Quantity>,
    pub output_tokens: Option<Quantity>,
    pub range_ratio: Option<f64>,
    pub shared_prefix_tokens: Option<Quantity>,
    pub requests_per_rate: Option<u64>,
    /// Rates tested where a config does not say its own; `0` means no limit.
    pub rates_rps: Option<Vec<f64>>,
}

impl AuditWorkload {
    /// Words for a percentile over too few requests at each rate; `None` where there are enough, or it is not stated.
    pub fn too_few_requests(&self, name: &str) -> Option<String> {
        Latency::parse(name)?.of_too_few(self.requests_per_rate?)
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditConfig {
    pub key: String,
    pub label: Option<String>,
    pub flags: Option<String>,
    pub environment: Option<BTreeMap<String, String>>,
    /// The checkpoint where it is another than the audit's model.
    pub model: Option<NamedReference>,
    pub weight_dtype: Option<String>,
    pub kv_dtype: Option<String>,
    /// Rates tested for this config, requests per second; `0` means no limit.
    pub rates_rps: Option<Vec<f64>>,
    pub steps: Option<Vec<AuditStep>>,
    pub capacity: Capacity,
    /// Milliseconds per output token, where the source gives them without a statistic.
    pub decode_ms_per_token: Option<Quantity>,
    pub accuracy: Option<Accuracy>,
    /// What the config is about.
    pub remark: Option<String>,
    /// Why the row should be measured again.
    pub rerun: Option<String>,
}

/// One offered rate or concurrency and what came of it.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditStep {
    pub offered_rps: Option<Quantity>,
    pub concurrency: Option<u64>,
    pub delivered_rps: Option<Quantity>,
    pub output_tok_s: Option<Quantity>,
    #[serde(default)]
    pub latencies: Latencies,
    pub requests: Option<Requests>,
    /// Whether start-up or compilation fell into it.
    pub includes_warmup: Option<bool>,
    pub passed: Option<bool>,
}

/// The highest load that met the SLO, or why there is none.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Capacity {
    At(Box<AtCapacity>),
    Without(Without),
}

/// A config without a capacity; the two are different findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Without {
    #[serde(rename = "none passed")]
    NonePassed,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Without {
    /// As files and pages write it.
    pub fn words(self) -> &'static str {
        match self {
            Without::NonePassed => "none passed",
            Without::NotMeasured => "not measured",
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AtCapacity {
    /// Absent where a harness that keeps requests in flight counts tokens alone.
    pub request_rate_rps: Option<Quantity>,
    pub output_tok_s: Option<Quantity>,
    /// `ttft_p95_ms`, `tpot_p95_ms` and the like at that rate.
    #[serde(default)]
    pub latencies: Latencies,
}

impl AtCapacity {
    /// A rate of which nothing else is known.
    pub fn at(rate: Quantity) -> Self {
        AtCapacity { request_rate_rps: Some(rate), output_tok_s: None, latencies: Latencies::default() }
    }
}

impl Audit {
    /// The accuracy of the audit and of its configs.
    pub fn gates(&self) -> Gates<'_> {
        Gates { record: self.accuracy.as_ref(), configs: Configs::Audit(&self.configs), elsewhere: None }
    }

    /// Rates at which a config was tested, as far as the audit says: the config's own, those of its steps, else those
    /// of all. `0` means no limit.
    pub fn rates_of(&self, config: &AuditConfig) -> Option<Vec<Quantity>> {
        let listed = |rates: &Option<Vec<f64>>| -> Option<Vec<Quantity>> {
            Some(rates.as_ref()?.iter().copied().map(Quantity::exact).collect())
        };
        let steps: Vec<_> = config.steps.iter().flatten().filter_map(|step| step.offered_rps).collect();
        let steps = (!steps.is_empty()).then_some(steps);
        listed(&config.rates_rps).or(steps).or_else(|| listed(&self.workload.rates_rps))
    }

    /// Whether the stated capacity is a rate that was tested, or one that a step delivered; `None` where the audit
    /// states no capacity or no rates.
    pub fn capacity_is_tested(&self, config: &AuditConfig) -> Option<bool> {
        let Capacity::At(at) = &config.capacity else { return None };
        let stated = at.request_rate_rps?;
        let rates = self.rates_of(config)?;
        let delivered = config.steps.iter().flatten().filter_map(|step| step.delivered_rps);
        Some(rates.into_iter().chain(delivered).any(|rate| rate.overlaps(stated)))
    }

    /// Whether the stated capacity is what a step delivered, and no rate that was offered.
    pub fn capacity_is_delivered(&self, config: &AuditConfig) -> bool {
        let Capacity::At(at) = &config.capacity else { return false };
        let Some(stated) = at.request_rate_rps else { return false };
        let is_offered = self.rates_of(config).into_iter().flatten().any(|rate| rate.overlaps(stated));
        let delivered = config.steps.iter().flatten().filter_map(|step| step.delivered_rps);
        !is_offered && delivered.into_iter().any(|rate| rate.overlaps(stated))
    }

    /// What a config sets that another does not, and the other way round: flags, variables and the checkpoint.
    pub fn changes(&self, config: &AuditConfig, from: &AuditConfig) -> BTreeSet<String> {
        let (own, other) = (self.settings(config), self.settings(from));
        let added = own.difference(&other).map(|setting| format!("+ {setting}"));
        let dropped = other.difference(&own).map(|setting| format!("- {setting}"));
        added.chain(dropped).collect()
    }

    fn settings(&self, config: &AuditConfig) -> BTreeSet<String> {
        let flags = config.flags.as_deref().map(flags::of).unwrap_or_default();
        let variables = config.environment.iter().flatten().map(|(name, value)| variables::assigned(name, value));
        let model = config.model.as_ref().filter(|model| model.name != self.model.name);
        let model = model.map(|model| format!("model {}", model.name));
        flags.into_iter().chain(variables).chain(model).collect()
    }
}
