//! KV-cache sizes from layer-group geometry.

use super::{ExampleValue::*, GIB, formula};
use crate::formula::{Compute, Example, Formula, FormulaInput};
use crate::metric::Better;
use crate::quantity::{Quantity, Unit};

formula! {
    /// Bytes that one token costs in a group of attention layers that keep K and V of every token.
    FULL_GROUP_BYTES_PER_TOKEN = "full_group_bytes_per_token", "KV bytes per token, one group of full-attention layers", Unit::BytesPerToken, Lower;
    Number(layers: Unit::Layers, kv_heads: Unit::Count("heads"), k_dim: Unit::Count("elements"), v_dim: Unit::Count("elements"), bytes_per_element: Unit::Bytes)
        => layers * kv_heads * (k_dim + v_dim) * bytes_per_element;
    source "vLLM v1/kv_cache_interface.py, AttentionSpec: heads × (head size + head size of V) × element size";
    example (126, 8, 128, 128, 2) => Rounded("516096"), "Llama-3.1-405B, published as 516,096 B in bf16";
}

formula! {
    /// Bytes that one token costs in a group of latent-attention (MLA) layers: one vector for K and V together, no heads, no factor of two.
    LATENT_GROUP_BYTES_PER_TOKEN = "latent_group_bytes_per_token", "KV bytes per token, one group of latent-attention layers", Unit::BytesPerToken, Lower;
    Number(layers: Unit::Layers, dim: Unit::Count("elements"), rope_dim: Unit::Count("elements"), bytes_per_element: Unit::Bytes, stride: Unit::Tokens)
        => layers * (dim + rope_dim) * bytes_per_element / stride;
    source "vLLM v1/kv_cache_interface.py, MLAAttentionSpec: one head, no V";
    example (61, 512, 64, 2, 1) => Rounded("70272"), "DeepSeek-V3, published as 70,272 B in bf16";
}

formula! {
    /// Bytes that one token costs in the index keys of sparse attention; their size does not follow the KV dtype.
    INDEX_GROUP_BYTES_PER_TOKEN = "index_group_bytes_per_token", "KV bytes per token, one group of index keys", Unit::BytesPerToken, Lower;
    Number(layers: Unit::Layers, entry_bytes: Unit::Bytes, stride: Unit::Tokens)
        => layers * entry_bytes / stride;
    source "vLLM model_executor/models/deepseek_v2.py, indexer cache: 128 + 4 bytes an entry";
    example (61, 132, 1) => Rounded("8052"), "DeepSeek-V3.2: 61 layers × 132 B of the 78,324 B per token";
}

/// Bytes of KV cache that one more token of one sequence costs at long context: the sum over the layer groups that grow.
///
/// Written out, since its one input is as many values as the model has such groups.
pub static KV_BYTES_PER_TOKEN: Formula = Formula {
    id: "kv_bytes_per_token",
    name: "KV bytes per token",
    unit: Unit::BytesPerToken,
    better: Better::Lower,
    sentence: "Bytes of KV cache that one more token of one sequence costs at long context: the sum over the layer groups that grow. Full windows and states of fixed size add nothing.",
    inputs: &[FormulaInput { name: "group_bytes_per_token", unit: Unit::BytesPerToken }],
    expression: "sum(group_bytes_per_token)",
    source: "vLLM v1/kv_cache_interface.py, one spec a layer group",
    example: Example {
        inputs: &[70_272.0, 8_052.0],
        value: Rounded("78324"),
        from: "DeepSeek-V3.2: 61 latent layers (70,272 B) and their index keys (8,052 B)",
    },
    compute: Compute::Sum,
};

formula! {
    /// KV cache of one sequence that holds `context_tokens` tokens, growing layers only.
    KV_GIB_AT_CONTEXT = "kv_gib_at_context", "KV cache at the stated context", Unit::Gib, Lower;
    Number(kv_bytes_per_token: Unit::BytesPerToken, context_tokens: Unit::Tokens)
        => kv_bytes_per_token * context_tokens / GIB;
    source "Product of marginal bytes and tokens; 1 GiB = 2^30 bytes";
    example (65_536, 150_000) => Rounded("9.16"), "the collection's note on Qwen3.8-27B: 9.16 GiB at 150,000 tokens";
}

formula! {
    /// What the cache would cost per token if all layers kept K and V as the full-attention layers do: the number that a calculator prints that does not know which layers grow.
    KV_ALL_LAYERS_BYTES_PER_TOKEN = "kv_all_layers_bytes_per_token", "KV bytes per token if all layers were full attention", Unit::BytesPerToken, Lower;
    Number(all_layers: Unit::Layers, kv_heads: Unit::Count("heads"), k_dim: Unit::Count("elements"), v_dim: Unit::Count("elements"), bytes_per_element: Unit::Bytes)
        => all_layers * kv_heads * (k_dim + v_dim) * bytes_per_element;
    source "The full-attention formula applied to every layer, as the collection's notes do for contrast";
    example (64, 4, 256, 256, 2) => Rounded("262144"), "the collection's note on Qwen3.8-27B: 262,144 B per token for all 64 layers";
}

formula! {
    /// How many times larger the one cache is than the other, per token.
    KV_RATIO = "kv_ratio", "KV size ratio", Unit::Ratio, Higher;
    Number(larger_bytes_per_token: Unit::BytesPerToken, smaller_bytes_per_token: Unit::BytesPerToken)
        => larger_bytes_per_token / smaller_bytes_per_token;
    source "Quotient of two KV bytes per token";
    example (147_456, 73_728) => Rounded("2.0"), "Qwen3-8B in bf16 against fp8, one byte for two";
}

formula! {
    /// Prompt tokens whose KV was found in the cache and not computed again.
    TOKENS_REUSED = "tokens_reused", "Tokens not recomputed", Unit::Tokens, Higher;
    Number(prompt_tokens: Unit::Tokens, hit_rate_pct: Unit::Percent)
        => prompt_tokens * hit_rate_pct / 100.0;
    source "Definition of a hit rate counted in prompt tokens";
    example (150_000, 93.5) => Rounded("140250"), "the collection's note on Qwen3.8-27B: about 140,250 of 150,000 tokens";
}

formula! {
    /// KV bytes that a prefix hit spares from being written again.
    KV_GIB_NOT_RECOMPUTED = "kv_gib_not_recomputed", "KV not recomputed", Unit::Gib, Higher;
    Number(tokens_reused: Unit::Tokens, kv_bytes_per_token: Unit::BytesPerToken)
        => tokens_reused * kv_bytes_per_token / GIB;
    source "Product of tokens reused and KV bytes per token; 1 GiB = 2^30 bytes";
    example (140_250, 65_536) => Rounded("8.56"), "the collection's note on Qwen3.8-27B: 8.56 GiB";
}

formula! {
    /// The highest prefix-cache hit rate that a workload allows: the shared prefix as a share of the whole prompt. Measured rates stay below it, since the prefix has to be computed once and is evicted at times.
    HIT_RATE_CEILING_PCT = "hit_rate_ceiling_pct", "Ceiling of the hit rate", Unit::Percent, Neither;
    Number(shared_prefix_tokens: Unit::Tokens, input_tokens: Unit::Tokens)
        => 100.0 * shared_prefix_tokens / input_tokens;
    source "Definition of a hit rate counted in prompt tokens";
    example (2000, 3000) => Rounded("66.7"), "worked by hand from the servetune sample audit: 2,000 of 3,000 tokens are shared";
}

formula! {
    /// Whether the KV cache alone is smaller than the memory of the cards together, as they are sold (1 GB = 10^9 bytes). Weights come on top, so a yes is only the upper bound of what may fit.
    FITS_CARD = "fits_card", "KV alone fits the card", Unit::Number, Neither;
    Verdict(kv_gib: Unit::Gib, memory_gb: Unit::Gb, cards: Unit::Count("cards"))
        => fits(kv_gib * GIB, memory_gb * cards * 1e9);
    source "Comparison of two sizes in bytes";
    example (36.62, 32, 1) => Verdict("does not fit"), "the collection's note on Qwen3.8-27B: 36.6 GiB does not fit one 32 GB card";
}

/// The verdict on a size against a limit, careful with intervals.
fn fits(bytes: Quantity, limit_bytes: Quantity) -> &'static str {
    if bytes.low() > limit_bytes.high() {
        "does not fit"
    } else if bytes.high() > limit_bytes.low() {
        "may not fit"
    } else {
        "KV alone fits"
    }
}
