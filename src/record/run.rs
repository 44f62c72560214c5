//! A run record, exactly as the benchmark harness writes it.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

use super::accuracy::{Accuracy, Configs, Gates};
use super::{Date, LatencyLimits, Requests, Status};
use crate::metric::{Latency, heading};
use crate::quantity::plain;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Run {
    /// Version of the shape of the record; absent means the first.
    pub schema_version: Option<u64>,
    pub id: String,
    pub status: Status,
    pub title: String,
    pub published: Date,
    pub summary: Option<String>,
    pub hardware: RunHardware,
    pub software: RunSoftware,
    pub model: RunModel,
    /// Latency limits by metric, statistic and unit: `ttft_p99_ms`.
    #[serde(default, deserialize_with = "without_nulls")]
    pub slo: Option<LatencyLimits>,
    pub workload: Option<RunWorkload>,
    pub power: Option<RunPower>,
    pub accuracy: Option<Accuracy>,
    /// Repeats of the whole measurement.
    pub runs: Option<u32>,
    /// Half width of the spread between repeats, in percent.
    pub variance_band_pct: Option<f64>,
    pub fleet: Option<Fleet>,
    pub configs: Vec<RunConfig>,
    pub environment: Option<BTreeMap<String, Value>>,
    pub not_covered: Option<Vec<String>>,
    /// Shell commands.
    pub reproduce: Option<String>,
    /// The harness's own settings; open, see [`Run::spec`].
    pub spec: Option<Value>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunHardware {
    pub vendor: Option<String>,
    pub accelerator: String,
    /// GPUs that the results cover.
    pub count: u32,
    /// Rated memory bandwidth of one GPU, 10^12 bytes per second.
    pub rated_bw_tbs_per_gpu: Option<f64>,
    pub driver: Option<String>,
    pub host: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunSoftware {
    pub engine: String,
    pub engine_version: Option<String>,
    /// Image and flags.
    pub kernels: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunModel {
    pub name: String,
    pub shape: Option<String>,
    pub quantization: Option<String>,
    pub parallelism: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunWorkload {
    pub trace: Option<String>,
    pub input_tokens: Option<String>,
    pub output_tokens: Option<String>,
    pub arrival: Option<String>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunPower {
    pub source: Option<String>,
    pub kind: Option<PowerKind>,
    pub sampling_hz: Option<f64>,
    pub window: Option<String>,
}

/// What the power reading covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PowerKind {
    Board,
    Node,
    Wall,
}

impl PowerKind {
    /// The boundary in words.
    pub fn words(kind: Option<Self>) -> &'static str {
        match kind {
            Some(PowerKind::Board) => "GPU board power",
            Some(PowerKind::Node) => "node power",
            Some(PowerKind::Wall) => "power at the wall",
            None => "power, boundary not stated",
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Fleet {
    pub cards: Option<u64>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct RunConfig {
    /// Not an identifier: a harness may give every config the same one.
    pub key: Option<String>,
    pub label: String,
    pub engine: Option<String>,
    /// Why there is no result, where the config failed.
    pub failed: Option<String>,
    pub mbu_pct: Option<f64>,
    /// Kilowatts of whatever `power.kind` says, despite its name.
    pub node_power_kw: Option<f64>,
    /// Output tokens per second within the SLO.
    pub goodput_tok_s: Option<f64>,
    pub output_tok_s: Option<f64>,
    pub total_tok_s: Option<f64>,
    pub input_tok_s: Option<f64>,
    pub request_throughput_rps: Option<f64>,
    pub request_rate_rps: Option<f64>,
    /// Most requests in flight at once.
    pub concurrency: Option<u64>,
    pub duration_s: Option<f64>,
    /// Measured output tokens of a completed request.
    pub output_tokens_mean: Option<f64>,
    /// Input tokens that each request was made with; no measurement.
    pub input_tokens_requested: Option<f64>,
    /// Tokens in the cache before the measurement begins.
    pub context_tokens: Option<f64>,
    /// Output tokens that each request asked for; no measurement.
    pub output_tokens_requested: Option<f64>,
    /// GPUs by role, where prefill and decode are split.
    pub gpus: Option<RoleGpus>,
    pub prefix_cache_hit_pct: Option<f64>,
    pub requests: Option<Requests>,
    /// Output tokens per second of each iteration, in their order.
    pub samples_tok_s: Option<Vec<f64>>,
    /// How many of the first iterations were warm-up.
    pub warmup: Option<usize>,
    pub sweep: Option<Vec<SweepStep>>,
    pub slo_pass_count: Option<u32>,
    pub repeats: Option<u32>,
    /// How often the whole run was measured, where it says that once for all configs.
    #[serde(skip)]
    pub runs: Option<u32>,
    /// Samples in which a clock limit was active, by reason.
    #[serde(default, deserialize_with = "without_nulls")]
    pub throttle_counts: Option<BTreeMap<String, u64>>,
    pub accuracy: Option<Accuracy>,
    pub environment: Option<BTreeMap<String, Value>>,
    /// The `<ttft,tpot,itl,e2el>_<mean,p50,p90,p95,p99>_ms` fields.
    #[serde(flatten)]
    pub latencies: BTreeMap<String, Value>,
}

impl RunConfig {
    /// Its own, else those of the whole run.
    pub fn all_repeats(&self) -> Option<u32> {
        self.repeats.or(self.runs)
    }

    /// Words for a config that met the SLO in only some of its repeats.
    pub fn partial_pass(&self) -> Option<String> {
        let (passed, repeats) = (self.slo_pass_count?, self.all_repeats()?);
        let words = if passed == 0 { "no pass" } else { "a partial pass" };
        (passed < repeats).then(|| format!("{words}, {passed} of {repeats}"))
    }

    /// Why it has neither a price nor a change: no repeat met the SLO.
    pub fn none_passed(&self) -> Option<String> {
        let repeats = self.all_repeats().filter(|repeats| *repeats > 0 && self.slo_pass_count == Some(0))?;
        Some(format!("none passed: 0 of {repeats} repeats met the SLO"))
    }

    /// Words for a percentile over requests of which there are too few to have such a tail; `None` where there are
    /// enough, or their number is not stated.
    pub fn too_few_requests(&self, name: &str) -> Option<String> {
        Latency::parse(name)?.of_too_few(self.requests.as_ref()?.measured()?)
    }

    /// A latency field in milliseconds, by its full name; `None` when absent or null.
    pub fn latency_ms(&self, name: &str) -> Option<f64> {
        self.latencies.get(name).and_then(Value::as_f64)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct RoleGpus {
    pub prefill: u32,
    pub decode: u32,
}

/// One offered rate of a sweep.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct SweepStep {
    pub offered_rps: Option<f64>,
    pub delivered_rps: Option<f64>,
    pub concurrency: Option<u64>,
    pub output_tok_s: Option<f64>,
    pub requests: Option<Requests>,
    /// Whether start-up or compilation fell into it.
    pub includes_warmup: Option<bool>,
    pub passed: Option<bool>,
    #[serde(flatten)]
    pub latencies: BTreeMap<String, Value>,
}

/// What we read of the harness's `spec`; everything else in it stays as it is.
#[derive(Debug, Clone, Copy)]
pub struct Spec<'a>(&'a Value);

impl Run {
    /// Whether it sets a limit at all.
    pub fn has_slo(&self) -> bool {
        self.slo.as_ref().is_some_and(|limits| !limits.is_empty())
    }

    /// Words for a limit of the SLO that a config has met by a percentile of too few requests.
    pub fn slo_on_too_few_requests(&self, config: &RunConfig) -> Option<String> {
        let words = self.slo.iter().flatten().find_map(|(name, _)| config.too_few_requests(name))?;
        Some(format!("the SLO limits a tail that so few do not show: {words}"))
    }

    /// The accuracy of the record and of its configs; a spec's limit says how many questions were asked.
    pub fn gates(&self) -> Gates<'_> {
        Gates {
            record: self.accuracy.as_ref(),
            configs: Configs::Run(&self.configs),
            elsewhere: Some(("/spec/accuracy/limit", self.spec().number("/accuracy/limit"))),
        }
    }

    /// Words for a config with a latency over the limit that the record sets for it.
    pub fn over_limit(&self, config: &RunConfig) -> Option<String> {
        self.slo.iter().flatten().find_map(|(limited, limit)| {
            let over = config.latencies.keys().filter_map(|name| Some((name, config.latency_ms(name)?)));
            let mut over = over.filter(|(_, value)| value > limit);
            let (name, value) = over.find(|(name, _)| Latency::is_no_more_by_name(name, limited))?;
            let [value, limit] = [value, *limit].map(|ms| plain(ms.into()));
            Some(format!("{} of {value} ms is over the limit of {limit} ms", heading(name)))
        })
    }

    /// Power samples of a config: window × sampling rate × repeats; `None` unless all three are stated as numbers.
    pub fn power_samples(&self, config: &RunConfig) -> Option<f64> {
        let window_s = self.spec().number("/measurement/window_s")?;
        let sampling_hz = self.power.as_ref()?.sampling_hz?;
        Some(window_s * sampling_hz * f64::from(config.repeats?))
    }

    pub fn spec(&self) -> Spec<'_> {
        Spec(self.spec.as_ref().unwrap_or(&Value::Null))
    }
}

impl<'a> Spec<'a> {
    /// A value of the spec by JSON pointer, null counting as absent.
    pub fn value(self, pointer: &str) -> Option<&'a Value> {
        self.0.pointer(pointer).filter(|value| !value.is_null())
    }

    pub fn text(self, pointer: &str) -> Option<&'a str> {
        self.value(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    pub fn number(self, pointer: &str) -> Option<f64> {
        self.value(pointer).and_then(Value::as_f64)
    }

    /// Commit of the model repository, from a hub cache path `…/snapshots/<commit>/…`.
    pub fn model_revision(self) -> Option<&'a str> {
        let (_, rest) = self.text("/model/config")?.split_once("/snapshots/")?;
        rest.split('/').next().filter(|commit| commit.len() == 40)
    }
}

/// Harnesses write null under a name that they have no value for; such a name is as good as absent.
fn without_nulls<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let map = Option::<BTreeMap<String, Option<T>>>::deserialize(deserializer)?;
    Ok(map.map(|map| map.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()))
}
