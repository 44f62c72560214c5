//! A note on KV-cache efficiency from a curated collection.

use serde::{Deserialize, Serialize};

use crate::anchor;

use super::{Curation, Date, NamedReference, StatedFigure, Status};
use crate::quantity::Quantity;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct KvEfficiency {
    pub id: String,
    #[serde(default)]
    pub status: Status,
    pub title: String,
    pub published: Date,
    /// The finding in one sentence.
    pub summary: Option<String>,
    pub technique: Technique,
    pub engine: Option<String>,
    pub engine_version: Option<String>,
    #[serde(default)]
    pub models: Vec<NamedReference>,
    /// Machines measured on; empty with the reason in `no_card`.
    #[serde(default)]
    pub hosts: Vec<Host>,
    pub no_card: Option<String>,
    /// Storage type of the cache, or absent when the source does not say.
    pub kv_dtype: Option<String>,
    pub kv_dtype_basis: Option<DtypeBasis>,
    /// Where the bytes per token come from, in words.
    pub kv_bytes_basis: Option<String>,
    /// Context that the sizes refer to, tokens.
    pub context_tokens: Option<Quantity>,
    /// Why that context is taken, where the source does not state it.
    pub context_basis: Option<String>,
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// Key of the variant that changes are measured against.
    pub baseline: Option<String>,
    /// What differs on purpose between the variants.
    #[serde(default)]
    pub varies: Vec<Part>,
    #[serde(default)]
    pub hit_rates: Vec<HitRate>,
    #[serde(default)]
    pub flags: Vec<String>,
    pub headline: Option<Headline>,
    #[serde(default)]
    pub stated: Vec<StatedFigure>,
    /// How far to trust it, 0 to 1, by the author's judgement.
    pub confidence: f64,
    pub confidence_reason: String,
    /// The gap in the collection that this note closes.
    pub closes: Option<String>,
    /// Addresses of notes, runs or audits on the same matter.
    #[serde(default)]
    pub related: Vec<String>,
    #[serde(default)]
    pub not_covered: Vec<String>,
    #[serde(flatten)]
    pub curation: Curation,
}

impl KvEfficiency {
    /// The context of a variant, else of the note: its tokens, and why they are taken where the source does not state them.
    pub fn context<'a>(&'a self, variant: Option<&'a Variant>) -> Option<(Quantity, Option<&'a str>)> {
        let own = variant.and_then(|variant| Some((variant.context_tokens?, variant.context_basis.as_deref())));
        own.or_else(|| Some((self.context_tokens?, self.context_basis.as_deref())))
    }

    /// The position of the model that ran on a host, where the note says it of the host.
    pub fn model_of(&self, host: &Host) -> Option<usize> {
        let own = host.model.as_ref()?;
        self.models.iter().position(|model| model.name == *own)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    Paging,
    PrefixCaching,
    KvQuantisation,
    Architecture,
    EvictionCompression,
    OffloadTiering,
    Disaggregation,
    KvParallelism,
    ProductionHitRate,
    ConsumerLongContext,
}

impl Technique {
    pub const ALL: [Technique; 10] = [
        Technique::Paging,
        Technique::PrefixCaching,
        Technique::KvQuantisation,
        Technique::Architecture,
        Technique::EvictionCompression,
        Technique::OffloadTiering,
        Technique::Disaggregation,
        Technique::KvParallelism,
        Technique::ProductionHitRate,
        Technique::ConsumerLongContext,
    ];

    /// As files write it.
    pub fn id(self) -> &'static str {
        match self {
            Technique::Paging => "paging",
            Technique::PrefixCaching => "prefix_caching",
            Technique::KvQuantisation => "kv_quantisation",
            Technique::Architecture => "architecture",
            Technique::EvictionCompression => "eviction_compression",
            Technique::OffloadTiering => "offload_tiering",
            Technique::Disaggregation => "disaggregation",
            Technique::KvParallelism => "kv_parallelism",
            Technique::ProductionHitRate => "production_hit_rate",
            Technique::ConsumerLongContext => "consumer_long_context",
        }
    }

    /// As addresses write it.
    pub fn slug(self) -> String {
        anchor::slug(self.id())
    }

    /// As pages write it.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Paging => "Paging",
            Technique::PrefixCaching => "Prefix caching",
            Technique::KvQuantisation => "KV quantisation",
            Technique::Architecture => "Architecture",
            Technique::EvictionCompression => "Eviction and compression",
            Technique::OffloadTiering => "Offload and tiering",
            Technique::Disaggregation => "Disaggregation",
            Technique::KvParallelism => "KV parallelism",
            Technique::ProductionHitRate => "Hit rates in production",
            Technique::ConsumerLongContext => "Long context on consumer cards",
        }
    }

    /// How others write what is in its name: words that it is searched by, and that are shown nowhere.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Technique::PrefixCaching => &["prefix cache"],
            Technique::KvQuantisation => &["quantization quantized quantised"],
            Technique::OffloadTiering => &["offloading tiered"],
            Technique::Disaggregation => &["disaggregated"],
            Technique::KvParallelism => &["KV parallel"],
            Technique::Paging
            | Technique::Architecture
            | Technique::EvictionCompression
            | Technique::ProductionHitRate
            | Technique::ConsumerLongContext => &[],
        }
    }
}

/// A part of a variant's setting that decides what it may be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Context,
    Engine,
    Hardware,
    KvDtype,
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DtypeBasis {
    Stated,
    Default,
    Assumed,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Host {
    pub key: String,
    pub label: Option<String>,
    pub accelerator: String,
    /// Cards of the machine; absent where the source names only the card.
    pub count: Option<u32>,
    /// Address of the card entry.
    pub reference: Option<String>,
    /// Name of the one of the note's models that ran on it, where its variants do not say so.
    pub model: Option<String>,
    /// Line rate of the links that caches move over, GB/s.
    pub link_gb_s: Option<Quantity>,
    /// What else matters: power limit, host memory, links.
    pub note: Option<String>,
}

/// One measured arm of the note: cold, warm, fp8, a context length.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Variant {
    pub key: String,
    pub label: String,
    /// Key of a host.
    pub host: Option<String>,
    /// Name of one of the note's models, where it has several.
    pub model: Option<String>,
    /// Engine and version where it is another than the note's.
    pub engine: Option<String>,
    pub kv_dtype: Option<String>,
    pub context_tokens: Option<Quantity>,
    /// Why that context is taken, where the source does not state it.
    pub context_basis: Option<String>,
    /// Key of the variant to compare with, where it is another than the note's `baseline`.
    pub baseline: Option<String>,
    pub measured_ttft_ms_at_ctx: Option<Quantity>,
    pub measured_tps_at_ctx: Option<Quantity>,
    /// Tokens of the pool that the engine set aside for its caches.
    pub measured_kv_pool_tokens: Option<Quantity>,
    /// Memory of that pool on all cards together, GiB.
    pub measured_kv_pool_gib: Option<Quantity>,
    /// Time in which the cache of one sequence of that context was moved, ms.
    pub measured_kv_transfer_ms: Option<Quantity>,
    #[serde(default)]
    pub values: Vec<MeasuredValue>,
    pub note: Option<String>,
}

/// A measured value that has no field of its own.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct MeasuredValue {
    pub name: String,
    pub value: Quantity,
    pub unit: String,
    /// Context of this value where it is another than the variant's.
    pub context_tokens: Option<Quantity>,
    /// Set where the source gives a limit and not a value.
    pub bound: Option<Bound>,
    /// Absent means measured.
    pub basis: Option<ValueBasis>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Bound {
    #[serde(rename = "at most")]
    AtMost,
    #[serde(rename = "at least")]
    AtLeast,
}

impl Bound {
    pub fn words(self) -> &'static str {
        match self {
            Bound::AtMost => "at most",
            Bound::AtLeast => "at least",
        }
    }
}

/// How a source has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueBasis {
    Measured,
    /// Claimed without a measurement.
    Stated,
    /// Read off a chart, with a few percent of reading error.
    Chart,
}

impl ValueBasis {
    /// What limits a value of a chart.
    pub const READ_OFF: &'static str = "read off a chart, with a few percent of reading error";
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct HitRate {
    pub key: String,
    /// Key of the variant or host it belongs to.
    pub subject: Option<String>,
    pub kind: HitRateKind,
    pub rate_pct: Quantity,
    /// Prompt tokens that it is a rate of; those of a replay are its context.
    pub tokens: Option<Quantity>,
    /// What the rate is a rate of, in words.
    pub of: String,
    pub note: Option<String>,
}

impl Host {
    /// How many of which card: `2 × RTX 5090`, or the card alone where the number is not known.
    pub fn cards(&self) -> String {
        self.cards_named(&self.accelerator)
    }

    /// The same with another name of the card.
    pub fn cards_named(&self, card: &str) -> String {
        let count = self.count.map(|count| format!("{count} × ")).unwrap_or_default();
        format!("{count}{card}")
    }

    /// The cards, and in brackets which machine it is and what ran on it.
    pub fn described(&self) -> String {
        self.described_as(&self.accelerator)
    }

    /// The same with another name of the card.
    pub fn described_as(&self, card: &str) -> String {
        let said: Vec<_> = [&self.label, &self.model].into_iter().flatten().map(String::as_str).collect();
        let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
        format!("{}{said}", self.cards_named(card))
    }
}

impl KvEfficiency {
    /// Whether a part differs on purpose: the note says so, or it is what the technique is about.
    pub fn varies(&self, part: Part) -> bool {
        self.varies.contains(&part) || (self.technique == Technique::KvQuantisation && part == Part::KvDtype)
    }

    /// What was measured to come from the cache in a variant, with its position; of several rates none is known to be the
    /// one.
    pub fn rate_of(&self, variant: &Variant) -> Option<(usize, &HitRate)> {
        let own = |rate: &HitRate| rate.kind.is_measured() && rate.subject.as_deref() == Some(&variant.key);
        let mut rates = self.hit_rates.iter().enumerate().filter(|(_, rate)| own(rate));
        rates.next().filter(|_| rates.next().is_none())
    }

    /// The key that figures of a hit rate go by: the variant's of its only replay, else the rate's own.
    pub fn key_of_figures<'a>(&self, rate: &'a HitRate) -> &'a str {
        let replay = |other: &&HitRate| other.kind == HitRateKind::Replay && other.subject == rate.subject;
        let alone = rate.kind == HitRateKind::Replay && self.hit_rates.iter().filter(replay).count() == 1;
        rate.subject.as_deref().filter(|_| alone).unwrap_or(&rate.key)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HitRateKind {
    /// One replayed prompt.
    Replay,
    /// All traffic of a span of time.
    Aggregate,
    /// The engine's own counter over a run.
    EngineCounter,
    /// The share that the workload asked for.
    RequestedShare,
    /// The most that the workload allows.
    Ceiling,
    /// One class of requests among others.
    RequestClass,
}

impl HitRateKind {
    /// Whether traffic had it; a workload only asks for the others or allows them.
    pub fn is_measured(self) -> bool {
        !matches!(self, HitRateKind::RequestedShare | HitRateKind::Ceiling)
    }

    pub fn words(self) -> &'static str {
        match self {
            HitRateKind::Replay => "one replayed prompt",
            HitRateKind::Aggregate => "all traffic of a span of time",
            HitRateKind::EngineCounter => "the engine's counter over a run",
            HitRateKind::RequestedShare => "the share the workload asked for",
            HitRateKind::Ceiling => "the most the workload allows",
            HitRateKind::RequestClass => "one class of requests",
        }
    }
}

/// The number of the note that one should quote.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Headline {
    /// Key of a hit rate or variant, or an anchor.
    pub subject: String,
    pub metric: String,
    pub value: Quantity,
    pub unit: String,
    /// Why this one and not a more flattering one.
    pub reason: Option<String>,
}
