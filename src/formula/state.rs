//! States of fixed size: elements of each kind of recurrent layer, and their bytes per sequence.

use super::{ExampleValue::*, formula, sum};
use crate::quantity::Unit;

const ELEMENTS: Unit = Unit::Count("elements");
const HEADS: Unit = Unit::Count("heads");

formula! {
    /// Convolution state of one gated-delta-net layer: the last inputs of queries, keys and values.
    GATED_DELTA_CONV_ELEMENTS = "gated_delta_conv_elements", "Convolution state, gated delta net", ELEMENTS, Lower;
    Number(kernel: ELEMENTS, key_heads: HEADS, key_dim: ELEMENTS, value_heads: HEADS, value_dim: ELEMENTS)
        => (kernel - 1.0) * (2.0 * key_heads * key_dim + value_heads * value_dim);
    source "vLLM layers/mamba/mamba_utils.py, gated_delta_net_state_shape";
    example (4, 16, 128, 48, 128) => Rounded("30720"), "config of Qwen3.6-27B";
}

formula! {
    /// Recurrent state of one gated-delta-net layer: a matrix a value head.
    GATED_DELTA_RECURRENT_ELEMENTS = "gated_delta_recurrent_elements", "Recurrent state, gated delta net", ELEMENTS, Lower;
    Number(value_heads: HEADS, value_dim: ELEMENTS, key_dim: ELEMENTS)
        => value_heads * value_dim * key_dim;
    source "vLLM layers/mamba/mamba_utils.py, gated_delta_net_state_shape";
    example (48, 128, 128) => Rounded("786432"), "config of Qwen3.6-27B";
}

formula! {
    /// Convolution state of one Kimi-delta-attention layer: queries, keys and values each have a convolution.
    KDA_CONV_ELEMENTS = "kda_conv_elements", "Convolution state, Kimi delta attention", ELEMENTS, Lower;
    Number(kernel: ELEMENTS, heads: HEADS, head_dim: ELEMENTS)
        => 3.0 * (kernel - 1.0) * heads * head_dim;
    source "vLLM layers/mamba/mamba_utils.py, kda_state_shape; llama.cpp llama-hparams.cpp, n_embd_r";
    example (4, 32, 128) => Rounded("36864"), "config of Kimi-Linear-48B";
}

formula! {
    /// Recurrent state of one layer with a square matrix a head: Kimi delta attention, and lightning attention with its query heads.
    SQUARE_RECURRENT_ELEMENTS = "square_recurrent_elements", "Recurrent state, a square matrix a head", ELEMENTS, Lower;
    Number(heads: HEADS, head_dim: ELEMENTS)
        => heads * head_dim * head_dim;
    source "vLLM layers/mamba/mamba_utils.py, kda_state_shape and linear_attention_state_shape; llama.cpp llama-hparams.cpp, n_embd_s";
    example (32, 128) => Rounded("524288"), "Kimi delta attention: config of Kimi-Linear-48B";
    example (64, 128) => Rounded("1048576"), "lightning attention: config of MiniMax-M1, 64 query heads";
}

formula! {
    /// Convolution state of one Mamba-2 layer: the inner width, and B and C of each group.
    MAMBA2_CONV_ELEMENTS = "mamba2_conv_elements", "Convolution state, Mamba-2", ELEMENTS, Lower;
    Number(kernel: ELEMENTS, heads: HEADS, head_dim: ELEMENTS, groups: Unit::Count("groups"), state_size: ELEMENTS)
        => (kernel - 1.0) * (heads * head_dim + 2.0 * groups * state_size);
    source "vLLM layers/mamba/mamba_utils.py, mamba2_state_shape";
    example (4, 256, 64, 8, 256) => Rounded("61440"), "config of Nemotron-H-56B";
}

formula! {
    /// Recurrent state of one Mamba-2 layer. The inner width is heads × head width, whatever `expand` says.
    MAMBA2_RECURRENT_ELEMENTS = "mamba2_recurrent_elements", "Recurrent state, Mamba-2", ELEMENTS, Lower;
    Number(heads: HEADS, head_dim: ELEMENTS, state_size: ELEMENTS)
        => heads * head_dim * state_size;
    source "vLLM layers/mamba/mamba_utils.py, mamba2_state_shape";
    example (256, 64, 256) => Rounded("4194304"), "config of Nemotron-H-56B";
}

formula! {
    /// Convolution state of one layer that convolves one vector a token: Mamba-1 over its inner width, short convolutions over the hidden one.
    CONV_ELEMENTS = "conv_elements", "Convolution state, one vector a token", ELEMENTS, Lower;
    Number(kernel: ELEMENTS, width: ELEMENTS)
        => (kernel - 1.0) * width;
    source "vLLM layers/mamba/mamba_utils.py, mamba1_state_shape and short_conv_state_shape";
    example (4, 8_192) => Rounded("24576"), "Mamba-1: config of Jamba, inner width 2 × 4,096";
    example (3, 2_048) => Rounded("4096"), "short convolution: config of LFM2-1.2B";
}

formula! {
    /// Recurrent state of one Mamba-1 layer.
    MAMBA1_RECURRENT_ELEMENTS = "mamba1_recurrent_elements", "Recurrent state, Mamba-1", ELEMENTS, Lower;
    Number(inner_width: ELEMENTS, state_size: ELEMENTS)
        => inner_width * state_size;
    source "vLLM layers/mamba/mamba_utils.py, mamba1_state_shape";
    example (8_192, 16) => Rounded("131072"), "config of Jamba";
}

formula! {
    /// Bytes of the states of a group of recurrent layers, the same however long the sequence. They do not follow the KV dtype.
    STATE_GROUP_BYTES = "state_group_bytes", "State of fixed size, one group of recurrent layers", Unit::Bytes, Lower;
    Number(
        layers: Unit::Layers,
        conv_elements: ELEMENTS,
        conv_bytes_per_element: Unit::Bytes,
        recurrent_elements: ELEMENTS,
        recurrent_bytes_per_element: Unit::Bytes,
    ) => layers * (conv_elements * conv_bytes_per_element + recurrent_elements * recurrent_bytes_per_element);
    source "vLLM layers/mamba/mamba_utils.py: convolution states in the model's dtype, recurrent states mostly in fp32";
    example (48, 30_720, 2, 786_432, 4) => Rounded("153944064"), "gated delta net: Qwen3.6-27B";
    example (48, 30_720, 4, 786_432, 4) => Rounded("156893184"), "the same all in fp32: 598.5 MiB for four sequences (LM Studio issue 1862)";
    example (20, 36_864, 2, 524_288, 4) => Rounded("43417600"), "Kimi delta attention: Kimi-Linear-48B";
    example (54, 61_440, 2, 4_194_304, 4) => Rounded("912605184"), "Mamba-2: Nemotron-H-56B";
    example (28, 24_576, 2, 131_072, 4) => Rounded("16056320"), "Mamba-1: Jamba, 28 of 32 layers";
    example (70, 0, 2, 1_048_576, 4) => Rounded("293601280"), "lightning attention: MiniMax-M1, 70 of 80 layers";
    example (10, 4_096, 2, 0, 4) => Rounded("81920"), "short convolution: LFM2-1.2B";
    example (26, 12_288, 2, 4_096, 4) => Rounded("1064960"), "gated linear recurrence: recurrentgemma-9b (recurrentgemma/common.py)";
    example (64, 15_360, 2, 81_920, 4) => Rounded("22937600"), "no attention at all: Mamba-2.8B, which keeps no KV cache";
}

formula! {
    /// State of one compressor: values and scores in fp32 of the tokens that the next entry is made of.
    COMPRESSOR_STATE_BYTES = "compressor_state_bytes", "State of one compressor", Unit::Bytes, Lower;
    Number(tokens: Unit::Tokens, width: ELEMENTS)
        => 2.0 * 4.0 * tokens * width;
    source "vLLM models/deepseek_v4/compressor.py: blocks of 4 overlap, so two of them are held for both halves of a width";
    example (128, 512) => Rounded("524288"), "DeepSeek-V4-Flash, a layer with a stride of 128";
    example (8, 1_024) => Rounded("65536"), "DeepSeek-V4-Flash, a layer with a stride of 4";
    example (8, 256) => Rounded("16384"), "DeepSeek-V4-Flash, the index keys of such a layer";
}

formula! {
    /// Bytes of the compressor states of a group of layers, the same however long the sequence.
    COMPRESSOR_GROUP_BYTES = "compressor_group_bytes", "State of fixed size, one group of compressors", Unit::Bytes, Lower;
    Number(layers: Unit::Layers, state_bytes: Unit::Bytes)
        => layers * state_bytes;
    source "vLLM models/deepseek_v4/compressor.py: kept in fp32";
    example (20, 524_288) => Rounded("10485760"), "DeepSeek-V4-Flash, its 20 layers with a stride of 128";
}

formula! {
    /// Bytes per sequence of all states of fixed size: of recurrent layers and compressors.
    FIXED_STATE_BYTES = "fixed_state_bytes", "State of fixed size per sequence", Unit::Bytes, Lower;
    List(group_bytes: Unit::Bytes)
        => sum(group_bytes);
    source "Sum over layer groups";
    example (1_376_256, 344_064, 10_485_760) => Rounded("12206080"), "DeepSeek-V4-Flash: 11.6 MiB of compressor states";
}
