//! Memory traffic from MBU, and the time that reading the weights takes at least.

use super::{ExampleValue::*, formula};
use crate::quantity::{TokenKind, Unit};

formula! {
    /// Memory traffic of all GPUs of the result together, from the utilisation of their rated bandwidth.
    ACHIEVED_BANDWIDTH_TB_S = "achieved_bandwidth_tb_s", "Achieved memory bandwidth", Unit::TbPerSecond, Higher;
    Number(mbu_pct: Unit::Percent, rated_bw_tbs_per_gpu: Unit::TbPerSecond, gpus: Unit::Count("GPUs"))
        => mbu_pct / 100.0 * rated_bw_tbs_per_gpu * gpus;
    source "Definition of MBU (Databricks, 2023); 1 TB/s = 10^12 bytes per second";
    example (60.7, 3.35, 1) => Rounded("2.03"), "TokenWatt run record: 60.7% of 3.35 TB/s";
}

formula! {
    /// Memory traffic for each output token: weights, cache and everything else that was read or written meanwhile.
    BYTES_PER_OUTPUT_TOKEN = "bytes_per_output_token", "Memory traffic per output token", Unit::TrafficBytesPerOutputToken, Lower;
    Number(achieved_bandwidth_tb_s: Unit::TbPerSecond, output_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => achieved_bandwidth_tb_s * 1e12 / output_tok_s;
    source "Quotient of traffic and token rate; 1 MB = 10^6 bytes";
    example (2.03345, 4740.3) => Rounded("428970740"), "TokenWatt run record, by hand: 2.03345 TB/s over 4,740.3 tok/s";
}

formula! {
    /// The least time between two output tokens of one request: every decode step reads the weights that a token needs once, whatever the batch, and cannot read faster than the memory of all GPUs together.
    DECODE_FLOOR_MS = "decode_floor_ms", "Decode floor", Unit::Milliseconds, Neither;
    Number(weights_read_bytes: Unit::Bytes, rated_bw_tbs_per_gpu: Unit::TbPerSecond, gpus: Unit::Count("GPUs"))
        => weights_read_bytes / (rated_bw_tbs_per_gpu * 1e12 * gpus) * 1e3;
    source "LLM Inference Performance Engineering: Best Practices (Databricks, 2023), MBU at 100%; one token a step";
    example (14e9, 2, 1) => Rounded("7.0"), "the same: 14 GB of weights at a TPOT of 14 ms are an MBU of 50% on 2 TB/s, so that 100% would be half the time";
}
