//! What fits a card: its memory, the room that is left for caches, and the sequences that go into it.

use super::{ExampleValue::*, GIB, MIB, floor, formula, sum};
use crate::quantity::{Quantity, Unit};

formula! {
    /// Memory of a card as its driver reports it.
    CARD_MEMORY_BYTES = "card_memory_bytes", "Usable memory of a card", Unit::Bytes, Higher;
    Number(memory_usable_mib: Unit::Mib)
        => memory_usable_mib * MIB;
    source "nvidia-smi, memory.total, in units of 2^20 bytes";
    example (97_887) => Rounded("102641958912"), "NVIDIA RTX PRO 6000 Blackwell, sold with 96 GB";
}

formula! {
    /// Memory of a card where only its size on sale is known: a GB is 10^9 bytes at least, and on the cards whose driver was asked no more than 2^30.
    CARD_MEMORY_SOLD_BYTES = "card_memory_sold_bytes", "Memory of a card as sold", Unit::Bytes, Higher;
    Number(memory_gb: Unit::Gb)
        => memory_gb * GB;
    source "Makers do not say which GB they mean: an L40S of 48 GB reports 46,068 MiB, an RTX 4090 of 24 GB 24,564 MiB";
    example (32) => Between("32000000000", "34359738368"), "32 GB of a GeForce RTX 5090";
}

formula! {
    /// Memory that is left for caches: what the engine may use of the cards, without the weights and what is said to be kept for other things. Where the memory is known as an interval, its lower end counts.
    KV_BUDGET_BYTES = "kv_budget_bytes", "Memory left for caches", Unit::Bytes, Higher;
    Number(memory_bytes: Unit::Bytes, cards: Unit::Count("cards"), utilisation_pct: Unit::Percent, weights_bytes: Unit::Bytes, overhead_bytes: Unit::Bytes)
        => at_least(memory_bytes) * cards * utilisation_pct / 100.0 - weights_bytes - overhead_bytes;
    source "vLLM v1/worker/gpu_worker.py: memory × gpu_memory_utilization − weights − what the profiling run needs";
    example (80_000_000_000.0, 1, 90, 16_381_470_720.0, 0) => Rounded("55618529280"), "80 GB at 90% with the weights of Qwen3-8B in bf16";
}

formula! {
    /// Sequences of a context that go into the memory at the same time: a bound, since engines hand out pages and keep buffers.
    SEQUENCES_AT_CONTEXT = "sequences_at_context", "Sequences at a context, at most", Unit::Count("sequences"), Higher;
    Number(kv_budget_bytes: Unit::Bytes, sequence_bytes: Unit::Bytes)
        => floor(kv_budget_bytes / sequence_bytes);
    source "Quotient of the memory left and what one sequence holds, whole sequences only";
    example (42_949_672_960.0, 4_831_838_208.0) => Rounded("8"), "Qwen3-8B in bf16 with 40 GiB free: 8 of 32,768 tokens";
}

formula! {
    /// Tokens of the longest single sequence that goes into the memory: a bound, since engines hand out pages and keep buffers. `still_bytes` is what the sequence holds however long it is: full windows and states.
    LONGEST_SEQUENCE_TOKENS = "longest_sequence_tokens", "Longest sequence, at most", Unit::Tokens, Higher;
    Number(kv_budget_bytes: Unit::Bytes, still_bytes: Unit::Bytes, bytes_per_token: Unit::BytesPerToken)
        => floor((kv_budget_bytes - still_bytes) / bytes_per_token);
    source "The memory left, without what does not grow, by the bytes of a token, whole tokens only";
    example (42_949_672_960.0, 4_718_592, 36_864) => Rounded("1164956"), "gpt-oss-120b in bf16 with 40 GiB free";
}

formula! {
    /// Bytes that a sequence holds however long it is: windows that are full, states of fixed size, K and V of a source.
    STILL_BYTES = "still_bytes", "One sequence, the part that does not grow", Unit::Bytes, Lower;
    List(group_bytes: Unit::Bytes)
        => sum(group_bytes);
    source "Sum over layer groups";
    example (4_718_592) => Rounded("4718592"), "gpt-oss-120b: 18 layers with a window of 128 tokens";
}

formula! {
    /// How many times longer the longest sequence is than another, with another storage format, card or model.
    SEQUENCE_RATIO = "sequence_ratio", "Longest sequence against another", Unit::Ratio, Higher;
    Number(longest_sequence_tokens: Unit::Tokens, other_longest_sequence_tokens: Unit::Tokens)
        => longest_sequence_tokens / other_longest_sequence_tokens;
    source "Quotient of two bounds";
    example (582_542, 291_271) => Rounded("2.0"), "a cache in fp8 against one in bf16, SmolLM3-3B with 40 GiB free";
}

formula! {
    /// Memory that a KV cache leaves on the cards for weights and all else; less than nothing where it does not fit.
    ROOM_FOR_WEIGHTS_GIB = "room_for_weights_gib", "Memory that the KV cache leaves for weights", Unit::Gib, Higher;
    Number(memory_bytes: Unit::Bytes, cards: Unit::Count("cards"), kv_gib: Unit::Gib)
        => at_least(memory_bytes) * cards / GIB - kv_gib;
    source "Difference of two sizes";
    example (32_000_000_000.0, 1, 9.1552734375) => Rounded("20.65"), "the collection's note on Qwen3.8-27B: 9.16 GiB on a card of 32 GB";
}

formula! {
    /// Memory that is left when the weights are there too.
    ROOM_LEFT_GIB = "room_left_gib", "Memory left beside KV cache and weights", Unit::Gib, Higher;
    Number(room_for_weights_gib: Unit::Gib, weights_bytes: Unit::Bytes)
        => room_for_weights_gib - weights_bytes / GIB;
    source "Difference of two sizes";
    example (20.65, 16_381_470_720.0) => Rounded("5.39"), "the weights of Qwen3-8B in bf16, 15.26 GiB";
}

formula! {
    /// Whether the KV cache alone is smaller than the memory of the cards together. Weights come on top, so a yes is only the upper bound of what may fit.
    FITS_CARD = "fits_card", "KV alone fits the card", Unit::Number, Neither;
    Verdict(kv_gib: Unit::Gib, memory_bytes: Unit::Bytes, cards: Unit::Count("cards"))
        => fits(kv_gib * GIB, memory_bytes * cards);
    source "Comparison of two sizes in bytes";
    example (36.62, 34_359_738_368.0, 1) => Verdict("does not fit"), "the collection's note on Qwen3.8-27B: 36.6 GiB does not fit one 32 GB card, whichever GB that is";
}

/// Bytes of one GB of a maker that does not say which.
const GB: Quantity = Quantity::between(1e9, GIB);

/// The lower end of what may be an interval.
fn at_least(quantity: Quantity) -> Quantity {
    quantity.at_least()
}

/// The verdict on a size that is larger than its limit.
pub const DOES_NOT_FIT: &str = "does not fit";

/// The verdict on a size against a limit, careful with intervals.
fn fits(bytes: Quantity, limit_bytes: Quantity) -> &'static str {
    if bytes.low() > limit_bytes.high() {
        DOES_NOT_FIT
    } else if bytes.high() > limit_bytes.low() {
        "may not fit"
    } else {
        "KV alone fits"
    }
}
