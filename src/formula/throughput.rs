//! Token rates: from measured lengths, of both kinds together, and per GPU.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Output tokens per second from the measured output length of the completed requests; never from the length that was asked for.
    OUTPUT_TOK_S = "output_tok_s", "Output throughput", Unit::TokensPerSecond(TokenKind::Output), Higher;
    Number(completed: Unit::Count("requests"), output_tokens_mean: Unit::Tokens, duration_s: Unit::Seconds)
        => completed * output_tokens_mean / duration_s;
    source "Tokens of all completed requests over the time they took";
    example (100, 382, 50) => Rounded("764"), "after sgl-project/sglang#24254: 100 requests of 382 tokens in 50 s, where the 1,024 asked for would give 2,048";
}

formula! {
    /// Input and output tokens per second together. Never comparable with a rate of output tokens.
    TOTAL_TOK_S = "total_tok_s", "Total throughput", Unit::TokensPerSecond(TokenKind::Total), Higher;
    Number(input_tok_s: Unit::TokensPerSecond(TokenKind::Input), output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => input_tok_s + output_tok_s;
    source "Sum of both kinds, as vLLM's `vllm bench serve` counts total tokens";
    example (8192, 1024) => Rounded("9216"), "after SemiAnalysisAI/InferenceX#293: 8,192 input and 1,024 output tok/s";
}

formula! {
    /// Input tokens per second for each GPU of the result, whatever its role.
    INPUT_TOK_S_PER_GPU = "input_tok_s_per_gpu", "Input throughput per GPU", Unit::TokensPerSecondPerGpu(TokenKind::Input), Higher;
    Number(input_tok_s: Unit::TokensPerSecond(TokenKind::Input), gpus: Unit::Count("GPUs")) => input_tok_s / gpus;
    source "Quotient over all GPUs, so that input and output add up to the total";
    example (8000, 16) => Rounded("500"), "after SemiAnalysisAI/InferenceX#299: 8,000 input tok/s on 4 prefill and 12 decode GPUs";
}

formula! {
    /// Output tokens per second for each GPU of the result, whatever its role.
    OUTPUT_TOK_S_PER_GPU = "output_tok_s_per_gpu", "Output throughput per GPU", Unit::TokensPerSecondPerGpu(TokenKind::Output), Higher;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), gpus: Unit::Count("GPUs")) => output_tok_s / gpus;
    source "Quotient over all GPUs, so that input and output add up to the total";
    example (1200, 16) => Rounded("75"), "after SemiAnalysisAI/InferenceX#299: 1,200 output tok/s on 4 prefill and 12 decode GPUs";
}

formula! {
    /// Input and output tokens per second for each GPU of the result, whatever its role.
    TOTAL_TOK_S_PER_GPU = "total_tok_s_per_gpu", "Total throughput per GPU", Unit::TokensPerSecondPerGpu(TokenKind::Total), Higher;
    Number(total_tok_s: Unit::TokensPerSecond(TokenKind::Total), gpus: Unit::Count("GPUs")) => total_tok_s / gpus;
    source "Quotient over all GPUs, so that input and output add up to the total";
    example (9200, 16) => Rounded("575"), "after SemiAnalysisAI/InferenceX#299: 8,000 input and 1,200 output tok/s on 16 GPUs";
}

formula! {
    /// Input tokens per second for each GPU that does prefill. Not comparable with a rate over all GPUs.
    INPUT_TOK_S_PER_PREFILL_GPU = "input_tok_s_per_prefill_gpu", "Input throughput per prefill GPU", Unit::TokensPerSecondPerGpu(TokenKind::Input), Higher;
    Number(input_tok_s: Unit::TokensPerSecond(TokenKind::Input), prefill_gpus: Unit::Count("GPUs")) => input_tok_s / prefill_gpus;
    source "Quotient over the GPUs of one role";
    example (8000, 4) => Rounded("2000"), "after SemiAnalysisAI/InferenceX#131: 8,000 input tok/s on 4 prefill GPUs";
}

formula! {
    /// Output tokens per second for each GPU that does decode. Not comparable with a rate over all GPUs.
    OUTPUT_TOK_S_PER_DECODE_GPU = "output_tok_s_per_decode_gpu", "Output throughput per decode GPU", Unit::TokensPerSecondPerGpu(TokenKind::Output), Higher;
    Number(output_tok_s: Unit::TokensPerSecond(TokenKind::Output), decode_gpus: Unit::Count("GPUs")) => output_tok_s / decode_gpus;
    source "Quotient over the GPUs of one role";
    example (1200, 12) => Rounded("100"), "after SemiAnalysisAI/InferenceX#131: 1,200 output tok/s on 12 decode GPUs";
}
