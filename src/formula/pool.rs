//! What an engine set aside for its caches: the pool that it prints at its start.

use super::{ExampleValue::*, GIB, formula};
use crate::quantity::Unit;

formula! {
    /// What the engine charges for a token of its pool. Above the bytes that the model's geometry gives, it pays for more than growing K and V: windows, states, draft layers, blocks half empty.
    KV_POOL_BYTES_PER_TOKEN = "kv_pool_bytes_per_token", "Bytes per token of the KV pool", Unit::BytesPerToken, Lower;
    Number(measured_kv_pool_gib: Unit::Gib, measured_kv_pool_tokens: Unit::Tokens)
        => measured_kv_pool_gib * GIB / measured_kv_pool_tokens;
    source "Memory over tokens, both as the engine prints them";
    example (3.2, 259_136) => Rounded("13259"), "FlashML-org/FreeToken#354, Qwen3.8-Flash-Next with an fp8 cache, by hand: 3.20 GiB over 259,136 tokens";
}

formula! {
    /// How many sequences of a context the pool holds at once.
    KV_POOL_SEQUENCES = "kv_pool_sequences", "Sequences in the KV pool", Unit::Ratio, Higher;
    Number(measured_kv_pool_tokens: Unit::Tokens, context_tokens: Unit::Tokens)
        => measured_kv_pool_tokens / context_tokens;
    source "Quotient of the pool and the context, as vLLM prints it for its maximum concurrency";
    example (1_077_542, 262_144) => Rounded("4.11"), "vllm-project/vllm#54426: stated as 4.11x for requests of 262,144 tokens";
}
