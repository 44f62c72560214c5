//! An inference cost audit: capacity at an SLO, and what a million tokens costs there.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{Curation, Date, Latencies, LatencyLimits, NamedReference, StatedFigure, Status};
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
    pub price: Option<AuditPrice>,
    /// Key of the config that changes are measured against; else `baseline`, else the first.
    pub baseline: Option<String>,
    pub baseline_flags: Option<String>,
    pub workload: AuditWorkload,
    /// Latency limits by metric, percentile and unit: `ttft_p95_ms`.
    pub slo: LatencyLimits,
    /// Peak load to be served, requests per second.
    pub peak_request_rate_rps: Option<Quantity>,
    pub configs: Vec<AuditConfig>,
    #[serde(default)]
    pub stated: Vec<StatedFigure>,
    #[serde(default)]
    pub not_covered: Vec<String>,
    #[serde(default)]
    pub techniques: Vec<String>,
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

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditPrice {
    pub usd_per_gpu_hour: Quantity,
    /// Address of a quote that says the same, `prices/…`.
    pub quote: Option<String>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AuditWorkload {
    /// Kind of dataset: `random`, `replay`, `sharegpt`.
    pub dataset: Option<String>,
    pub input_tokens: Option<Quantity>,
    pub output_tokens: Option<Quantity>,
    pub range_ratio: Option<f64>,
    pub shared_prefix_tokens: Option<Quantity>,
    pub requests_per_rate: Option<u64>,
    /// Rates tested where a config does not say its own; `0` means no limit.
    pub rates_rps: Option<Vec<f64>>,
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
    pub passed: Option<bool>,
}

/// The highest load that met the SLO, or that none did.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Capacity {
    At(Box<AtCapacity>),
    NonePassed(NonePassed),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum NonePassed {
    #[serde(rename = "none passed")]
    NonePassed,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct AtCapacity {
    pub request_rate_rps: Quantity,
    pub output_tok_s: Option<Quantity>,
    /// `ttft_p95_ms`, `tpot_p95_ms` and the like at that rate.
    #[serde(default)]
    pub latencies: Latencies,
}
