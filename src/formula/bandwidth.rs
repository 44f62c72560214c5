//! Memory traffic from MBU.

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
    Number(achieved_bandwidth_tb_s: Unit::TbPerSecond, goodput_tok_s: Unit::TokensPerSecond(TokenKind::Output))
        => achieved_bandwidth_tb_s * 1e12 / goodput_tok_s;
    source "Quotient of traffic and token rate; 1 MB = 10^6 bytes";
    example (2.03345, 4740.3) => Rounded("428970740"), "TokenWatt run record, by hand: 2.03345 TB/s over 4,740.3 tok/s";
}
