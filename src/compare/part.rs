//! The parts of a result's setting that decide what it may be compared with.

use crate::record::kv_efficiency;

/// In the order in which a comparison names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Model,
    WeightsDtype,
    KvDtype,
    Engine,
    Environment,
    Flags,
    Parallelism,
    Trace,
    InputTokens,
    OutputTokens,
    Context,
    PrefixShare,
    ForcedLengths,
    Arrival,
    Load,
    HeldLoad,
    Slo,
    TokenBasis,
    TokensPerChunk,
    PowerBoundary,
    Window,
    PriceBasis,
    AccuracySuite,
}

impl Part {
    pub const ALL: [Part; 23] = [
        Part::Model,
        Part::WeightsDtype,
        Part::KvDtype,
        Part::Engine,
        Part::Environment,
        Part::Flags,
        Part::Parallelism,
        Part::Trace,
        Part::InputTokens,
        Part::OutputTokens,
        Part::Context,
        Part::PrefixShare,
        Part::ForcedLengths,
        Part::Arrival,
        Part::Load,
        Part::HeldLoad,
        Part::Slo,
        Part::TokenBasis,
        Part::TokensPerChunk,
        Part::PowerBoundary,
        Part::Window,
        Part::PriceBasis,
        Part::AccuracySuite,
    ];

    /// As files name it.
    pub fn id(self) -> &'static str {
        match self {
            Part::Model => "model",
            Part::WeightsDtype => "weights_dtype",
            Part::KvDtype => "kv_dtype",
            Part::Engine => "engine",
            Part::Environment => "environment",
            Part::Flags => "flags",
            Part::Parallelism => "parallelism",
            Part::Trace => "trace",
            Part::InputTokens => "input_tokens",
            Part::OutputTokens => "output_tokens",
            Part::Context => "context_tokens",
            Part::PrefixShare => "prefix_share",
            Part::ForcedLengths => "forced_lengths",
            Part::Arrival => "arrival",
            Part::Load => "load",
            Part::HeldLoad => "held_load",
            Part::Slo => "slo",
            Part::TokenBasis => "token_basis",
            Part::TokensPerChunk => "tokens_per_chunk",
            Part::PowerBoundary => "power_boundary",
            Part::Window => "window",
            Part::PriceBasis => "price_basis",
            Part::AccuracySuite => "accuracy_suite",
        }
    }

    /// As pages name it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Model => "model",
            Part::WeightsDtype => "weights dtype",
            Part::KvDtype => "KV dtype",
            Part::Engine => "engine",
            Part::Environment => "environment",
            Part::Flags => "flags",
            Part::Parallelism => "parallelism",
            Part::Trace => "trace",
            Part::InputTokens => "input tokens",
            Part::OutputTokens => "output tokens",
            Part::Context => "context",
            Part::PrefixShare => "share from cache",
            Part::ForcedLengths => "output length",
            Part::Arrival => "arrival",
            Part::Load => "load",
            Part::HeldLoad => "load held",
            Part::Slo => "SLO",
            Part::TokenBasis => "tokens counted",
            Part::TokensPerChunk => "tokens per chunk",
            Part::PowerBoundary => "power boundary",
            Part::Window => "measuring window",
            Part::PriceBasis => "price basis",
            Part::AccuracySuite => "accuracy suite",
        }
    }

    /// What a note calls it, where its variants may differ in it on purpose.
    pub fn of_variants(self) -> Option<kv_efficiency::Part> {
        match self {
            Part::Model => Some(kv_efficiency::Part::Model),
            Part::KvDtype => Some(kv_efficiency::Part::KvDtype),
            Part::Engine => Some(kv_efficiency::Part::Engine),
            Part::Parallelism | Part::Environment => Some(kv_efficiency::Part::Hardware),
            Part::Context => Some(kv_efficiency::Part::Context),
            _ => None,
        }
    }

    /// The two sides in words: `engine vllm against sglang`, `0% against 89.2% from cache`.
    pub fn words(self, one: Option<&str>, other: Option<&str>) -> String {
        self.words_under(self.name(), one, other)
    }

    /// The same where a record has another name for it.
    pub(super) fn words_under(self, name: &str, one: Option<&str>, other: Option<&str>) -> String {
        let (one, other) = (one.unwrap_or(NOT_STATED), other.unwrap_or(NOT_STATED));
        match self {
            Part::PrefixShare if one != other => format!("{one} against {other} from cache"),
            _ if one == other => format!("{name} {one} on either side"),
            _ => format!("{name} {one} against {other}"),
        }
    }
}

/// What stands for a part that a result does not state.
pub const NOT_STATED: &str = "not stated";
