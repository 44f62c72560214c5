//! Caches on the move: from one engine, or tier of memory, to another.

use super::{ExampleValue::*, GIB, formula};
use crate::quantity::Unit;

formula! {
    /// Rate at which the cache of one sequence moved, of the size that the model's geometry gives it, in the time that was measured.
    KV_TRANSFER_GB_S = "kv_transfer_gb_s", "Rate of the KV transfer", Unit::GbPerSecond, Higher;
    Number(kv_gib_at_context: Unit::Gib, measured_kv_transfer_ms: Unit::Milliseconds)
        => kv_gib_at_context * GIB / 1e9 / (measured_kv_transfer_ms / 1e3);
    source "Bytes over time; a link's GB are 10⁹ bytes";
    example (4.5, 31.65) => Rounded("153"), "Mooncake's hand-over of 32,768 tokens of Qwen3-8B: stated as 142.25 GB/s, which are GiB/s";
}

formula! {
    /// Share of the time to first token that the KV transfer takes.
    KV_TRANSFER_OF_TTFT_PCT = "kv_transfer_of_ttft_pct", "KV transfer in the TTFT", Unit::Percent, Lower;
    Number(measured_kv_transfer_ms: Unit::Milliseconds, measured_ttft_ms_at_ctx: Unit::Milliseconds)
        => 100.0 * measured_kv_transfer_ms / measured_ttft_ms_at_ctx;
    source "Quotient of two times of one request";
    example (31.65, 749.62) => Rounded("4.2"), "Mooncake's hand-over of 32,768 tokens of Qwen3-8B: stated as 4.2%";
}

formula! {
    /// Share of the rate of a machine's links that the KV transfer came to.
    LINK_USED_PCT = "link_used_pct", "Rate of the links used", Unit::Percent, Higher;
    Number(kv_transfer_gb_s: Unit::GbPerSecond, link_gb_s: Unit::GbPerSecond) => 100.0 * kv_transfer_gb_s / link_gb_s;
    source "Quotient of rate and line rate";
    example (150, 200) => Rounded("75.0"), "worked by hand";
}
