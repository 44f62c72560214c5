//! The published notes: enough of them over all techniques, and values worked out from their sources by hand.

use std::collections::BTreeMap;

use crate::content::{Expected, figure};
use crate::program::repository;

const TECHNIQUES: [&str; 10] = [
    "paging",
    "prefix_caching",
    "kv_quantisation",
    "architecture",
    "eviction_compression",
    "offload_tiering",
    "disaggregation",
    "kv_parallelism",
    "production_hit_rate",
    "consumer_long_context",
];

/// Of attention that keeps less, tiers, services, long context at home and transfers.
pub const FIGURES: &[Expected] = &[
    // 95 x 8 x 128 x 2 x 2 B over 60 x 576 x 2 B.
    figure("kv-efficiency/deepseek-v2-mla-kv-93pct", "v2", "kv_ratio", "5.63", "x"),
    // 30 x ((128 + 2^18) x 1,024 + 2^18 x 256) + 31 x (128 + 2^13) x 1,024 B.
    figure("kv-efficiency/deepseek-v4-1m-kv-9-6gib", "deepseek-v4-pro", "kv_gib_at_context", "9.62", "GiB"),
    // 61 x (656 + 132) B.
    figure("kv-efficiency/deepseek-v32-fp8-mla-656-bytes", "fp8", "kv_bytes_per_token", "48068", "B"),
    figure("kv-efficiency/kimi-linear-75pct-kv-6x-decode", "kimi.time_per_output_token", "value_fall", "6.24", "x"),
    figure("kv-efficiency/mha-gqa-mqa-7b-quality-ablation", "mqa.c_eval", "value_points", "-12.9", "points"),
    // 78 x 576 + 21 x 132 B.
    figure("kv-efficiency/glm-52-44-vs-93-kb-per-token", "first-post", "kv_bytes_per_token", "47700", "B"),
    figure("kv-efficiency/gpustack-lmcache-4090", "lmcache-20k-one.ttft", "value_change_pct", "-78.9", "%"),
    figure("kv-efficiency/pegaflow-mla-tp8-dedup", "dedup.missed_pct", "value_fall", "12.6", "x"),
    // 45,000 x 47,700 B in 59 ms.
    figure("kv-efficiency/glm-52-cpu-offload-agentic", "restore", "kv_transfer_gb_s", "36.4", "GB/s"),
    figure("kv-efficiency/deepseek-online-day-56pct-disk-hits", "disk", "tokens_reused", "342304000000", "tokens"),
    figure("kv-efficiency/reasonix-9982-pct-one-user-day", "discount-pro.discount", "value_ratio", "2.42", "x"),
    // 16 x 4 x 256 x 2 x 34 / 32 B x 215,040.
    figure("kv-efficiency/rtx3090-qwen38-27b-215k-q8", "qwen3-8-27b", "kv_gib_at_context", "6.97", "GiB"),
    figure("kv-efficiency/rtx3090x2-qwen38-27b-fp8-302k-pool", "pool", "kv_pool_sequences", "2.31", "x"),
    // 4.5 GiB in 31.65 ms, of 200 GB/s.
    figure("kv-efficiency/mooncake-vllm-pd-qwen3-8b", "moved", "kv_transfer_gb_s", "152.7", "GB/s"),
    figure("kv-efficiency/mooncake-vllm-pd-qwen3-8b", "moved", "link_used_pct", "76.3", "%"),
    figure("kv-efficiency/mooncake-sglang-pd-qwen3-235b", "moved", "kv_transfer_of_ttft_pct", "2.4", "%"),
    figure("kv-efficiency/moriio-mi300x-goodput", "tp8.goodput_of_100_sent", "value_ratio", "0.897", "x"),
    figure("kv-efficiency/gb300-deepseek-r1-128k", "gb300-drafts.tok_s_per_gpu", "value_change_pct", "32.6", "%"),
];

#[test]
fn the_collection_holds_sixty_notes_over_all_techniques() {
    let folder = repository().join("content/kv-efficiency");
    let mut notes = BTreeMap::<String, usize>::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let text = std::fs::read_to_string(entry.expect("it is listed").path()).expect("notes are text");
        if let Some(technique) = text.lines().find_map(|line| line.strip_prefix("technique: ")) {
            *notes.entry(technique.to_owned()).or_default() += 1;
        }
    }
    let known: Vec<_> = notes.keys().map(String::as_str).collect();
    let mut wanted = TECHNIQUES;
    wanted.sort_unstable();
    assert_eq!(known, wanted);
    assert!(notes.values().sum::<usize>() >= 60, "{notes:?}");
}
