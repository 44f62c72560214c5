//! KV-cache sizes from layer-group geometry: what a token costs, and what a sequence holds.

use super::{ExampleValue::*, GIB, at_least_one, floor, formula, smaller, sum};
use crate::quantity::Unit;

formula! {
    /// Bytes that one token costs in a group of attention layers that keep K and V, with a storage format for each of the two and the bytes that a format keeps beside a head, such as a scale.
    FULL_GROUP_BYTES_PER_TOKEN = "full_group_bytes_per_token", "KV bytes per token, one group of layers that keep K and V", Unit::BytesPerToken, Lower;
    Number(
        layers: Unit::Layers,
        kv_heads: Unit::Count("heads"),
        k_dim: Unit::Count("elements"),
        k_bytes_per_element: Unit::Bytes,
        v_dim: Unit::Count("elements"),
        v_bytes_per_element: Unit::Bytes,
        scale_bytes_per_head: Unit::Bytes,
    ) => layers * kv_heads * (k_dim * k_bytes_per_element + v_dim * v_bytes_per_element + scale_bytes_per_head);
    source "vLLM v1/kv_cache_interface.py, AttentionSpec: heads × (head size + head size of V) × element size; llama.cpp src/llama-kv-cache.cpp, rows of K and of V";
    example (126, 8, 128, 2, 128, 2, 0) => Rounded("516096"), "grouped-query attention: Llama-3.1-405B in bf16, published as 516,096 B";
    example (40, 40, 128, 2, 128, 2, 0) => Rounded("819200"), "multi-head attention: config of Llama-2-13B, as many KV heads as query heads";
    example (32, 1, 64, 2, 64, 2, 0) => Rounded("8192"), "multi-query attention: Falcon-7B, one head stored, although its config says 71 (litgpt/config.py)";
    example (9, 4, 192, 2, 128, 2, 0) => Rounded("23040"), "K wider than V: config of MiMo-V2-Flash, its 9 full layers";
    example (61, 128, 192, 2, 128, 2, 0) => Rounded("4997120"), "latent attention that is not absorbed: DeepSeek-V3 as transformers 4.57.1 caches it, 71 times the latent";
    example (36, 8, 128, 2, 128, 2, 0) => Rounded("147456"), "chunked attention: config of Llama-4-Scout, its 36 local layers while their chunk fills";
    example (4, 2, 256, 2, 256, 2, 0) => Rounded("8192"), "layers that share a cache: Gemma-3n-E4B, 4 of 35 layers own one that grows (gemma/gm/nn/gemma3n/_config.py)";
    example (32, 20, 64, 2, 64, 2, 0) => Rounded("163840"), "encoder and decoder: config of whisper-large-v3, a token of the decoder";
    example (80, 8, 128, 2, 128, 2, 0) => Rounded("327680"), "cross-attention to images: Llama-3.2-90B-Vision, whose 20 cross layers of 100 do not grow with text";
    example (16, 4, 256, 1.0625, 256, 1.0625, 0) => Rounded("34816"), "q8_0, 34 bytes for 32 elements (gguf, GGML_QUANT_SIZES): the collection's Qwen3.8-27B, 65,536 B in bf16";
    example (18, 8, 64, 1, 64, 1, 8) => Rounded("19584"), "fp8 with a scale of 4 bytes a head and side (vLLM triton_attn.py): gpt-oss-120b, 18,432 B without them";
}

formula! {
    /// Bytes that one entry costs in a group of latent-attention (MLA) layers: one vector for K and V together, no heads, no factor of two. Without a stride each token has an entry.
    LATENT_GROUP_BYTES_PER_TOKEN = "latent_group_bytes_per_token", "KV bytes per token, one group of latent-attention layers", Unit::BytesPerToken, Lower;
    Number(
        layers: Unit::Layers,
        dim: Unit::Count("elements"),
        rope_dim: Unit::Count("elements"),
        bytes_per_element: Unit::Bytes,
        scale_bytes: Unit::Bytes,
    ) => layers * ((dim + rope_dim) * bytes_per_element + scale_bytes);
    source "vLLM v1/kv_cache_interface.py, MLAAttentionSpec: one head, no V; llama.cpp allocates no V for latent attention";
    example (61, 512, 64, 2, 0) => Rounded("70272"), "DeepSeek-V3, published as 70,272 B in bf16";
    example (56, 512, 64, 2, 0) => Rounded("64512"), "two attentions a layer: LongCat-Flash, 28 layers of two blocks (transformers longcat_flash)";
    example (7, 512, 64, 2, 0) => Rounded("8064"), "config of Kimi-Linear-48B, its 7 full layers of 27";
    example (61, 512, 64, 1, 8) => Rounded("35624"), "DeepSeek-V3 in fp8 with scales, 8 bytes a latent (vLLM mla_attention.py)";
    example (21, 448, 64, 2, 0) => Rounded("21504"), "compressed attention: config of DeepSeek-V4-Flash, one entry of its 21 layers with a stride of 4";
}

formula! {
    /// Bytes that one entry costs in a group of latent-attention layers whose format packs a latent, its rotary part and its scales into a record of fixed size.
    PACKED_GROUP_BYTES_PER_TOKEN = "packed_group_bytes_per_token", "KV bytes per token, one group of packed latents", Unit::BytesPerToken, Lower;
    Number(layers: Unit::Layers, packed_bytes: Unit::Bytes)
        => layers * packed_bytes;
    source "vLLM flashmla_sparse.py: 512 bytes of fp8, 16 of scales and 128 of rotary part in bf16 are 656; DeepSeek-V4 packs 448 + 128 + 8 = 584";
    example (61, 656) => Rounded("40016"), "DeepSeek-V3.2 in fp8_ds_mla, more than the 35,136 B of plain fp8";
    example (31, 584) => Rounded("18104"), "DeepSeek-V4-Pro, one entry of its 31 layers with a stride of 128";
}

formula! {
    /// Bytes that one entry costs in the index keys of sparse attention; their size does not follow the KV dtype.
    INDEX_GROUP_BYTES_PER_TOKEN = "index_group_bytes_per_token", "KV bytes per token, one group of index keys", Unit::BytesPerToken, Lower;
    Number(layers: Unit::Layers, entry_bytes: Unit::Bytes)
        => layers * entry_bytes;
    source "vLLM model_executor/models/deepseek_v2.py, indexer cache: 128 + 4 bytes an entry; models/minimax_m3/common/indexer.py: bf16";
    example (61, 132) => Rounded("8052"), "DeepSeek-V3.2: 61 layers × 132 B of the 78,324 B per token";
    example (21, 132) => Rounded("2772"), "GLM-5.2: 21 of 78 layers keep keys of their own, of the 92,628 B per token";
    example (57, 256) => Rounded("14592"), "MiniMax-M3: one key of 128 in bf16 in 57 of 60 layers, of the 137,472 B per token";
}

formula! {
    /// Bytes of one index key in fp8: its elements, and a scale of 4 bytes for 128 of them.
    INDEX_ENTRY_BYTES = "index_entry_bytes", "One index key in fp8", Unit::Bytes, Lower;
    Number(dim: Unit::Count("elements"))
        => dim + 4.0 * dim / 128.0;
    source "vLLM model_executor/models/deepseek_v2.py, indexer cache: uint8 of head_dim + head_dim ÷ quant_block_size × 4";
    example (128) => Rounded("132"), "config of DeepSeek-V3.2, index_head_dim 128";
}

formula! {
    /// Bytes per token of a group that keeps one entry for several tokens.
    STRIDED_GROUP_BYTES_PER_TOKEN = "strided_group_bytes_per_token", "KV bytes per token, one group of compressed entries", Unit::BytesPerToken, Lower;
    Number(bytes_per_entry: Unit::Bytes, stride: Unit::Tokens)
        => bytes_per_entry / stride;
    source "vLLM models/deepseek_v4/attention.py and compressor.py: one entry for 4 or for 128 tokens";
    example (21_504, 4) => Rounded("5376"), "DeepSeek-V4-Flash: 21 layers keep a latent of 1,024 B for 4 tokens";
    example (20_480, 128) => Rounded("160"), "DeepSeek-V4-Flash: 20 layers keep a latent of 1,024 B for 128 tokens";
}

formula! {
    /// Bytes of KV cache that one more token of one sequence costs at long context: the sum over the layer groups that grow. Full windows and states of fixed size add nothing.
    KV_BYTES_PER_TOKEN = "kv_bytes_per_token", "KV bytes per token", Unit::BytesPerToken, Lower;
    List(group_bytes_per_token: Unit::BytesPerToken)
        => sum(group_bytes_per_token);
    source "vLLM v1/kv_cache_interface.py, one spec a layer group";
    example (70_272, 8_052) => Rounded("78324"), "sparse attention with an indexer: DeepSeek-V3.2, 61 latent layers (70,272 B) and their index keys (8,052 B)";
    example (122_880, 14_592) => Rounded("137472"), "sparse grouped-query attention: MiniMax-M3, 60 layers of K and V and 57 index keys";
    example (24_576, 12_288, 122_880, 4_096, 36_864) => Rounded("200704"), "heads by layer: Llama-3.3-Nemotron-Super-49B, 49 of 80 layers attend (block_configs of its config)";
    example (5_376, 693, 160) => Rounded("6229"), "compressed attention: DeepSeek-V4-Flash, latents and index keys for 4 tokens, latents for 128";
    example (4_380, 990, 141.4375) => Rounded("5511.4375"), "DeepSeek-V4-Pro, packed: 30 × (584 + 132) ÷ 4 + 31 × 584 ÷ 128";
    example (27_648) => Rounded("27648"), "latent attention beside delta attention: Kimi-K3, 24 layers × 1,152 B; the others keep a state of fixed size";
}

formula! {
    /// Bytes of KV cache that one more token costs while no window is full: the layers whose cache grows, and those that stop at a window or chunk.
    KV_SHORT_BYTES_PER_TOKEN = "kv_short_bytes_per_token", "KV bytes per token, short context", Unit::BytesPerToken, Lower;
    List(group_bytes_per_token: Unit::BytesPerToken)
        => sum(group_bytes_per_token);
    source "llama.cpp src/llama-kv-cache-iswa.cpp: a cache for the layers without a window and one for those with it";
    example (36_864, 36_864) => Rounded("73728"), "sliding window: gpt-oss-120b, twice its long-context slope (hf-mem issue 60)";
    example (49_152, 147_456) => Rounded("196608"), "chunked attention: Llama-4-Scout, 12 layers that grow and 36 within a chunk";
    example (23_040, 199_680) => Rounded("222720"), "MiMo-V2-Flash, whose window layers have twice the heads";
    example (131_072) => Rounded("131072"), "a window in every layer: Mistral-7B-v0.1, whose cache does not grow past 4,096 tokens";
}

formula! {
    /// Bytes that a group whose cache grows holds at a context.
    GROWING_GROUP_BYTES_AT_CONTEXT = "growing_group_bytes_at_context", "KV at a context, one group that grows", Unit::Bytes, Lower;
    Number(group_bytes_per_token: Unit::BytesPerToken, context_tokens: Unit::Tokens)
        => group_bytes_per_token * context_tokens;
    source "Product of bytes per token and tokens";
    example (36_864, 8_192) => Rounded("301989888"), "gpt-oss-120b at 8,192 tokens, its 18 full layers (hf-mem issue 60)";
}

formula! {
    /// Bytes that a group of compressed entries holds at a context: an entry is kept once all its tokens are there.
    STRIDED_GROUP_BYTES_AT_CONTEXT = "strided_group_bytes_at_context", "KV at a context, one group of compressed entries", Unit::Bytes, Lower;
    Number(bytes_per_entry: Unit::Bytes, context_tokens: Unit::Tokens, stride: Unit::Tokens)
        => bytes_per_entry * floor(context_tokens / stride);
    source "vLLM models/deepseek_v4/compressor.py; llama.cpp llama-kv-cache-dsv4.cpp: ⌊n ÷ 4⌋ and ⌊n ÷ 128⌋ entries";
    example (20_480, 1_000, 128) => Rounded("143360"), "DeepSeek-V4-Flash at 1,000 tokens: 7 entries in the layers with a stride of 128";
}

formula! {
    /// Bytes that a group with a window or a chunk holds at a context: no more than the window, and no more than there are tokens.
    WINDOW_GROUP_BYTES_AT_CONTEXT = "window_group_bytes_at_context", "KV at a context, one group with a window", Unit::Bytes, Lower;
    Number(group_bytes_per_token: Unit::BytesPerToken, context_tokens: Unit::Tokens, window_tokens: Unit::Tokens)
        => group_bytes_per_token * smaller(context_tokens, window_tokens);
    source "vLLM v1/kv_cache_interface.py, SlidingWindowSpec and ChunkedLocalAttentionSpec; transformers cache_utils.py";
    example (36_864, 8_192, 128) => Rounded("4718592"), "gpt-oss-120b, 18 layers with a window of 128: 4.5 MiB however long the context";
    example (819_200, 128, 1_024) => Rounded("104857600"), "50 window layers of 16 heads of 256 at 128 tokens, fewer than the window (tenstorrent/tt-xla#5834)";
}

formula! {
    /// KV cache of one sequence that holds `context_tokens` tokens: the groups that grow and the windows as far as they are full. States of fixed size are apart.
    KV_GIB_AT_CONTEXT = "kv_gib_at_context", "KV cache at the stated context", Unit::Gib, Lower;
    List(group_bytes_at_context: Unit::Bytes)
        => sum(group_bytes_at_context) / GIB;
    source "Sum over layer groups; 1 GiB = 2^30 bytes";
    example (9_830_400_000.0) => Rounded("9.16"), "the collection's note on Qwen3.8-27B: 9.16 GiB at 150,000 tokens";
    example (301_989_888, 4_718_592) => Rounded("0.286"), "gpt-oss-120b at 8,192 tokens; without its windows it would be 0.281 (alvarobartt/hf-mem#60)";
}

formula! {
    /// Bytes of KV cache for each token that a sequence holds: its total by its length, which is neither the first token's cost nor the next one's.
    KV_AVERAGE_BYTES_PER_TOKEN = "kv_average_bytes_per_token", "KV bytes per token, average", Unit::BytesPerToken, Lower;
    Number(kv_gib_at_context: Unit::Gib, context_tokens: Unit::Tokens)
        => kv_gib_at_context * GIB / context_tokens;
    source "Quotient of the total and the tokens";
    example (0.28564453125, 8_192) => Rounded("37440"), "gpt-oss-120b at 8,192 tokens: 306,708,480 B, between its 36,864 and 73,728 B per token";
}

formula! {
    /// KV cache at a context in an engine that keeps the whole sequence in window layers too, as those do that give all layers one page size.
    KV_RESERVED_GIB_AT_CONTEXT = "kv_reserved_gib_at_context", "KV cache at a context with windows held in full", Unit::Gib, Lower;
    Number(kv_short_bytes_per_token: Unit::BytesPerToken, context_tokens: Unit::Tokens)
        => kv_short_bytes_per_token * context_tokens / GIB;
    source "vLLM config/vllm.py: the window-aware manager is off for chunked attention and with some connectors; vllm-project/vllm#19029";
    example (73_728, 8_192) => Rounded("0.5625"), "gpt-oss-120b at 8,192 tokens, where the windows need 0.286 GiB in all (alvarobartt/hf-mem#70)";
}

formula! {
    /// K and V of the encoder's or image's tokens in a group of cross-attention layers, written once a sequence.
    CROSS_GROUP_BYTES = "cross_group_bytes", "KV of the source, one group of cross-attention layers", Unit::Bytes, Lower;
    Number(group_bytes_per_token: Unit::BytesPerToken, source_tokens: Unit::Tokens)
        => group_bytes_per_token * source_tokens;
    source "vLLM v1/kv_cache_interface.py, CrossAttentionSpec";
    example (163_840, 1_500) => Rounded("245760000"), "config of whisper-large-v3: 234.4 MiB for 30 s of audio";
}

formula! {
    /// K and V that cross-attention keeps of an encoder or an image; they do not grow with the text.
    KV_CROSS_BYTES = "kv_cross_bytes", "KV of the source per sequence", Unit::Bytes, Lower;
    List(group_bytes: Unit::Bytes)
        => sum(group_bytes);
    source "vLLM v1/kv_cache_interface.py, CrossAttentionSpec";
    example (245_760_000) => Rounded("245760000"), "config of whisper-large-v3: 234.4 MiB for 30 s of audio";
}

formula! {
    /// All that one sequence holds at a context: KV cache, windows, states of fixed size, and K and V of a source.
    SEQUENCE_BYTES_AT_CONTEXT = "sequence_bytes_at_context", "One sequence at a context", Unit::Bytes, Lower;
    List(group_bytes: Unit::Bytes)
        => sum(group_bytes);
    source "Sum over layer groups";
    example (17_179_869_184.0, 156_893_184) => Rounded("17336762368"), "Qwen3.6-27B at 262,144 tokens: 16,384 MiB of KV and 149.6 MiB of state in fp32 (LM Studio issue 1862)";
}

formula! {
    /// Heads of K and V that one GPU keeps under tensor parallelism: they are shared out, and repeated where there are more GPUs than heads.
    KV_HEADS_PER_GPU = "kv_heads_per_gpu", "KV heads per GPU", Unit::Count("heads"), Lower;
    Number(kv_heads: Unit::Count("heads"), gpus: Unit::Count("GPUs"))
        => at_least_one(kv_heads / gpus);
    source "vLLM config/model.py, get_num_kv_heads";
    example (8, 4) => Rounded("2"), "Llama-3.1-70B on four GPUs";
    example (4, 8) => Rounded("1"), "Qwen3.5-27B on eight GPUs: each keeps a head, so all are kept twice";
}

formula! {
    /// Bytes of KV cache that one more token costs on each GPU under tensor parallelism. Latents and index keys are whole on every GPU.
    KV_BYTES_PER_TOKEN_PER_GPU = "kv_bytes_per_token_per_gpu", "KV bytes per token and GPU", Unit::BytesPerToken, Lower;
    List(group_bytes_per_token: Unit::BytesPerToken)
        => sum(group_bytes_per_token);
    source "vLLM config/model.py, get_num_kv_heads, and v1/kv_cache_interface.py, MLAAttentionSpec";
    example (16_384) => Rounded("16384"), "Qwen3.5-27B on 4 GPUs and on 8: one head in 16 layers either way";
    example (70_272, 8_052) => Rounded("78324"), "DeepSeek-V3.2 on any number of GPUs";
}

formula! {
    /// Bytes per token that the draft (MTP) layers add while speculative decoding runs with them; off by default, so in no other figure.
    KV_DRAFT_BYTES_PER_TOKEN = "kv_draft_bytes_per_token", "KV bytes per token of the draft layers", Unit::BytesPerToken, Lower;
    List(group_bytes_per_token: Unit::BytesPerToken)
        => sum(group_bytes_per_token);
    source "vLLM v1/kv_cache_interface.py: a draft layer has a spec as any other";
    example (1_152) => Rounded("1152"), "DeepSeek-V3, one more latent layer";
    example (1_152, 132) => Rounded("1284"), "GLM-5, one more latent layer with its index key";
}

formula! {
    /// What the cache would cost per token if all layers kept K and V as the full-attention layers do: the number that a calculator prints that does not know which layers grow.
    KV_ALL_LAYERS_BYTES_PER_TOKEN = "kv_all_layers_bytes_per_token", "KV bytes per token if all layers were full attention", Unit::BytesPerToken, Lower;
    Number(
        all_layers: Unit::Layers,
        kv_heads: Unit::Count("heads"),
        k_dim: Unit::Count("elements"),
        k_bytes_per_element: Unit::Bytes,
        v_dim: Unit::Count("elements"),
        v_bytes_per_element: Unit::Bytes,
        scale_bytes_per_head: Unit::Bytes,
    ) => all_layers * kv_heads * (k_dim * k_bytes_per_element + v_dim * v_bytes_per_element + scale_bytes_per_head);
    source "The full-attention formula applied to every layer, as the collection's notes do for contrast";
    example (64, 4, 256, 2, 256, 2, 0) => Rounded("262144"), "the collection's note on Qwen3.8-27B: 262,144 B per token for all 64 layers";
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
