//! Formulas: the expression that is shown is the expression that ran.

pub mod accuracy;
pub mod bandwidth;
pub mod capacity;
pub mod card;
pub mod comparison;
pub mod cost;
pub mod energy;
mod filled;
pub mod fleet;
pub mod latency;
pub mod memory;
pub mod pool;
pub mod requests;
pub mod state;
pub mod storage;
pub mod throughput;
pub mod token_price;
pub mod transfer;
pub mod uncertainty;

use crate::quantity::{Better, Quantity, Sense, Unit, Way};

pub use filled::Piece;

/// One entry of the methodology.
#[derive(Debug)]
pub struct Formula {
    pub id: &'static str,
    pub name: &'static str,
    pub unit: Unit,
    pub better: Better,
    /// What it says, in a sentence.
    pub sentence: &'static str,
    pub inputs: &'static [FormulaInput],
    /// The tokens of the code in `compute`.
    pub expression: &'static str,
    /// Where the formula comes from.
    pub source: &'static str,
    /// At least one; more where the formula serves several kinds of models.
    pub examples: &'static [Example],
    compute: Compute,
}

#[derive(Debug)]
pub struct FormulaInput {
    /// The record's own field name where there is one.
    pub name: &'static str,
    pub unit: Unit,
}

/// Inputs and value worked by hand or by somebody else.
#[derive(Debug)]
pub struct Example {
    pub inputs: &'static [f64],
    pub value: ExampleValue,
    /// Whose numbers these are.
    pub from: &'static str,
}

#[derive(Debug)]
pub enum ExampleValue {
    /// Equal at the precision written: `0.289`.
    Rounded(&'static str),
    /// Both ends of an interval, each at the precision written.
    Between(&'static str, &'static str),
    Verdict(&'static str),
}

#[derive(Debug, Clone, Copy)]
enum Compute {
    Number(fn(&[Quantity]) -> Quantity),
    Verdict(fn(&[Quantity]) -> &'static str),
    /// Over as many values of the one input as there are.
    List(fn(&[Quantity]) -> Quantity),
}

/// What a formula gives.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureValue {
    Quantity(Quantity),
    Verdict(&'static str),
}

impl Formula {
    /// Runs the expression; one value an input, in their order.
    pub fn compute(&self, values: &[Quantity]) -> FigureValue {
        match self.compute {
            Compute::Number(run) | Compute::List(run) => FigureValue::Quantity(run(values)),
            Compute::Verdict(run) => FigureValue::Verdict(run(values)),
        }
    }

    /// What the words for a change mean of it.
    pub fn sense(&self) -> Sense {
        let way = match self.id {
            "saving_usd_per_month" | "accuracy_drop_pts" | "value_fall" => Way::Falls,
            "kv_ratio" | "kv_pool_sequences" | "ttft_speedup" | "ttft_speedup_ceiling" => Way::Either,
            _ => Way::Rises,
        };
        Sense { better: self.better, way }
    }

    /// Whether it goes in steps, so that between two values of an input lie others than between what they give.
    pub fn is_stepped(&self) -> bool {
        ["ceil(", "floor(", "largest("].iter().any(|step| self.expression.replace(' ', "").contains(step))
    }

    /// Whether it takes as many values of its one input as there are.
    pub fn is_of_list(&self) -> bool {
        matches!(self.compute, Compute::List(_))
    }

    /// Its place in [`ALL`].
    pub fn position(&self) -> usize {
        ALL.iter().position(|formula| std::ptr::eq(*formula, self)).unwrap_or(ALL.len())
    }

    /// Whether an input, or one of a formula that an input is named for, has this name.
    pub fn rests_on(&self, input: &str) -> bool {
        let through = |name| by_id(name).is_some_and(|formula| formula.id != self.id && formula.rests_on(input));
        self.inputs.iter().any(|own| own.name == input || through(own.name))
    }

    /// The definition of an input by position; the one input of a list stands for all.
    pub fn input(&self, position: usize) -> &'static FormulaInput {
        &self.inputs[position.min(self.inputs.len() - 1)]
    }
}

/// Bytes of one GiB.
pub const GIB: f64 = 1_073_741_824.0;
/// Bytes of one MiB.
pub const MIB: f64 = 1_048_576.0;

/// The next whole number up.
pub(crate) fn ceil(quantity: Quantity) -> Quantity {
    quantity.ceil()
}

/// Everything between two values.
pub(crate) fn between(low: f64, high: Quantity) -> Quantity {
    Quantity::exact(low).around(high)
}

/// From −half to +half.
pub(crate) fn plus_minus(half: Quantity) -> Quantity {
    (-half).around(half)
}

/// 2 to the number of halvings.
pub(crate) fn halvings(steps: Quantity) -> Quantity {
    steps.exp2()
}

/// The next whole number down.
pub(crate) fn floor(quantity: Quantity) -> Quantity {
    quantity.floor()
}

/// The smaller of two.
pub(crate) fn smaller(one: Quantity, other: Quantity) -> Quantity {
    one.smaller(other)
}

/// At least one.
pub(crate) fn at_least_one(quantity: Quantity) -> Quantity {
    quantity.larger(Quantity::exact(1.0))
}

/// The largest of several; of none, no finite number.
pub(crate) fn largest(values: &[Quantity]) -> Quantity {
    values.iter().copied().reduce(Quantity::larger).unwrap_or(Quantity::exact(f64::NEG_INFINITY))
}

/// The mean of several; of none, no finite number.
pub(crate) fn mean(values: &[Quantity]) -> Quantity {
    sum(values) / values.len() as f64
}

/// All values together.
pub(crate) fn sum(values: &[Quantity]) -> Quantity {
    values.iter().copied().sum()
}

/// Everything from the one to the other.
pub(crate) fn span(low: Quantity, high: Quantity) -> Quantity {
    low.around(high)
}

/// Defines a [`Formula`]; one without a worked example does not compile.
macro_rules! formula {
    (
        $(#[doc = $sentence:literal])+
        $constant:ident = $id:literal, $name:literal, $unit:expr, $better:ident;
        $compute:ident ($($input:ident: $input_unit:expr),+ $(,)?) => $expression:expr;
        source $source:literal;
        $(example ($($example:expr),+ $(,)?) => $expected:expr, $from:literal;)+
    ) => {
        $(#[doc = $sentence])+
        pub static $constant: $crate::formula::Formula = $crate::formula::Formula {
            id: $id,
            name: $name,
            unit: $unit,
            better: $crate::quantity::Better::$better,
            sentence: concat!($($sentence),+),
            inputs: &[$($crate::formula::FormulaInput { name: stringify!($input), unit: $input_unit }),+],
            expression: stringify!($expression),
            source: $source,
            examples: &[$($crate::formula::Example {
                inputs: &[$($example as f64),+],
                value: $expected,
                from: $from,
            }),+],
            compute: $crate::formula::compute_of!($compute($($input),+) => $expression),
        };
    };
}

/// The code of a [`formula!`]: over all values of the one input of a list, else one value an input.
macro_rules! compute_of {
    (List($input:ident) => $expression:expr) => {
        $crate::formula::Compute::List(|values| {
            let $input = values;
            $expression
        })
    };
    ($compute:ident($($input:ident),+) => $expression:expr) => {
        $crate::formula::Compute::$compute(|values| {
            let [$($input),+] = *values else { panic!("a formula gets one value an input") };
            $expression
        })
    };
}
pub(crate) use compute_of;
pub(crate) use formula;

/// Every formula, in the order of the methodology page.
pub static ALL: &[&Formula] = &[
    &memory::FULL_GROUP_BYTES_PER_TOKEN,
    &memory::LATENT_GROUP_BYTES_PER_TOKEN,
    &memory::PACKED_GROUP_BYTES_PER_TOKEN,
    &memory::INDEX_GROUP_BYTES_PER_TOKEN,
    &memory::INDEX_ENTRY_BYTES,
    &memory::STRIDED_GROUP_BYTES_PER_TOKEN,
    &memory::KV_BYTES_PER_TOKEN,
    &memory::KV_SHORT_BYTES_PER_TOKEN,
    &memory::GROWING_GROUP_BYTES_AT_CONTEXT,
    &memory::STRIDED_GROUP_BYTES_AT_CONTEXT,
    &memory::WINDOW_GROUP_BYTES_AT_CONTEXT,
    &memory::KV_GIB_AT_CONTEXT,
    &memory::KV_AVERAGE_BYTES_PER_TOKEN,
    &memory::KV_RESERVED_GIB_AT_CONTEXT,
    &memory::CROSS_GROUP_BYTES,
    &memory::KV_CROSS_BYTES,
    &memory::SEQUENCE_BYTES_AT_CONTEXT,
    &memory::KV_HEADS_PER_GPU,
    &memory::KV_BYTES_PER_TOKEN_PER_GPU,
    &memory::KV_DRAFT_BYTES_PER_TOKEN,
    &memory::KV_ALL_LAYERS_BYTES_PER_TOKEN,
    &memory::KV_RATIO,
    &memory::TOKENS_REUSED,
    &memory::KV_GIB_NOT_RECOMPUTED,
    &memory::HIT_RATE_CEILING_PCT,
    &pool::KV_POOL_BYTES_PER_TOKEN,
    &pool::KV_POOL_SEQUENCES,
    &transfer::KV_TRANSFER_GB_S,
    &transfer::KV_TRANSFER_OF_TTFT_PCT,
    &transfer::LINK_USED_PCT,
    &state::GATED_DELTA_CONV_ELEMENTS,
    &state::GATED_DELTA_RECURRENT_ELEMENTS,
    &state::KDA_CONV_ELEMENTS,
    &state::SQUARE_RECURRENT_ELEMENTS,
    &state::MAMBA2_CONV_ELEMENTS,
    &state::MAMBA2_RECURRENT_ELEMENTS,
    &state::CONV_ELEMENTS,
    &state::MAMBA1_RECURRENT_ELEMENTS,
    &state::STATE_GROUP_BYTES,
    &state::COMPRESSOR_STATE_BYTES,
    &state::COMPRESSOR_GROUP_BYTES,
    &state::FIXED_STATE_BYTES,
    &card::CARD_MEMORY_BYTES,
    &card::CARD_MEMORY_SOLD_BYTES,
    &card::KV_BUDGET_BYTES,
    &card::SEQUENCES_AT_CONTEXT,
    &card::LONGEST_SEQUENCE_TOKENS,
    &card::STILL_BYTES,
    &card::SEQUENCE_RATIO,
    &card::ROOM_FOR_WEIGHTS_GIB,
    &card::ROOM_LEFT_GIB,
    &card::FITS_CARD,
    &latency::TTFT_SLO_USED_PCT,
    &latency::TPOT_SLO_USED_PCT,
    &latency::ITL_SLO_USED_PCT,
    &latency::E2EL_SLO_USED_PCT,
    &latency::BINDING_SLO,
    &latency::TTFT_SPEEDUP,
    &latency::TTFT_SPEEDUP_CEILING,
    &latency::OUTPUT_TOK_S_PER_USER_AT_MEAN_TPOT,
    &latency::OUTPUT_TOK_S_PER_USER_AT_P50_TPOT,
    &latency::OUTPUT_TOK_S_PER_USER_AT_P90_TPOT,
    &latency::OUTPUT_TOK_S_PER_USER_AT_P95_TPOT,
    &latency::OUTPUT_TOK_S_PER_USER_AT_P99_TPOT,
    &throughput::OUTPUT_TOK_S,
    &throughput::TOTAL_TOK_S,
    &throughput::OUTPUT_TOK_S_PER_GPU,
    &throughput::INPUT_TOK_S_PER_GPU,
    &throughput::TOTAL_TOK_S_PER_GPU,
    &throughput::OUTPUT_TOK_S_PER_DECODE_GPU,
    &throughput::INPUT_TOK_S_PER_PREFILL_GPU,
    &energy::GOODPUT_TOK_PER_J,
    &energy::OUTPUT_TOK_PER_WH,
    &energy::ENERGY_J_PER_OUTPUT_TOKEN,
    &energy::ENERGY_J_PER_TOTAL_TOKEN,
    &energy::ELECTRICITY_USD_PER_MTOK_OUTPUT,
    &energy::THROTTLED_PCT,
    &bandwidth::ACHIEVED_BANDWIDTH_TB_S,
    &bandwidth::BYTES_PER_OUTPUT_TOKEN,
    &bandwidth::DECODE_FLOOR_MS,
    &fleet::FLEET_OUTPUT_TOK_S,
    &fleet::FLEET_POWER_KW,
    &fleet::FLEET_CARDS_FOR_BASELINE_OUTPUT,
    &cost::USD_PER_GPU_HOUR,
    &cost::USD_PER_HOUR,
    &cost::USD_PER_MTOK_OUTPUT,
    &cost::USD_PER_MTOK_INPUT,
    &cost::USD_PER_MTOK_TOTAL,
    &cost::OUTPUT_TOK_PER_USD,
    &cost::USD_PER_1K_REQUESTS,
    &cost::COST_CHANGE_PCT,
    &cost::USD_PER_MONTH,
    &cost::SAVING_USD_PER_MONTH,
    &requests::DELIVERED_RPS,
    &requests::DELIVERED_SHARE_PCT,
    &requests::FAILED_PCT,
    &requests::SLO_ATTAINMENT_PCT,
    &requests::OUTPUT_TOK_PER_REQUEST,
    &requests::MEAN_OUTPUT_TOK_S,
    &capacity::CAPACITY_BRACKET_RPS,
    &capacity::CAPACITY_SERVED_RPS,
    &capacity::GRID_STEP_PCT,
    &capacity::BRACKET_WIDTH_PCT,
    &capacity::CAPACITY_BRACKET_CONCURRENCY,
    &token_price::UNCACHED_INPUT_TOKENS,
    &token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::CACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::OUTPUT_USD_PER_1K_REQUESTS,
    &token_price::TOKEN_USD_PER_1K_REQUESTS,
    &capacity::CAPACITY_RATIO,
    &capacity::CAPACITY_CHANGE_PCT,
    &capacity::CAPACITY_CHANGE_OVER_BRACKETS_PCT,
    &capacity::GAIN_SHARE_PCT,
    &capacity::REST_GAIN_PCT,
    &capacity::REPLICAS_AT_PEAK,
    &capacity::REPLICAS_OVER_BRACKET,
    &capacity::USD_PER_MTOK_OVER_BRACKET,
    &uncertainty::GOODPUT_BAND_TOK_S,
    &uncertainty::SEARCH_RESOLUTION_PCT,
    &uncertainty::BACKOFF_STEP_PCT,
    &uncertainty::UNCERTAINTY_PCT,
    &comparison::GOODPUT_CHANGE_PCT,
    &comparison::GOODPUT_LEAD_PCT,
    &comparison::TTFT_CHANGE_PCT,
    &comparison::TPOT_CHANGE_PCT,
    &comparison::OUTPUT_CHANGE_PCT,
    &comparison::ITL_CHANGE_PCT,
    &comparison::E2EL_CHANGE_PCT,
    &comparison::TOTAL_CHANGE_PCT,
    &comparison::TOKENS_PER_JOULE_CHANGE_PCT,
    &comparison::PER_GPU_CHANGE_PCT,
    &comparison::ENERGY_CHANGE_PCT,
    &comparison::KV_BYTES_CHANGE_PCT,
    &comparison::KV_SIZE_CHANGE_PCT,
    &comparison::VALUE_RATIO,
    &comparison::VALUE_FALL,
    &comparison::VALUE_CHANGE_PCT,
    &comparison::VALUE_POINTS,
    &accuracy::ACCURACY_INTERVAL_PCT,
    &accuracy::ACCURACY_RESOLUTION_PTS,
    &accuracy::ACCURACY_DROP_PTS,
];

/// The formula of an id.
pub fn by_id(id: &str) -> Option<&'static Formula> {
    ALL.iter().copied().find(|formula| formula.id == id)
}

#[cfg(test)]
mod laws;

#[cfg(test)]
mod tests;
