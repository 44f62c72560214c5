//! The repository's own content: it builds without a warning, and the figures that must come out do.

use serde_json::Value;

use crate::collection;
use crate::program::{Site, repository};
use crate::walker;

fn built() -> &'static Site {
    Site::of_repository_built()
}

#[test]
fn the_content_builds_and_every_link_resolves() {
    let site = built();
    let settings = site.read("site.toml");
    let base_url = settings.split("base_url = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a base");
    let faults = walker::faults(&site.published(), base_url);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const RUN: &str = "runs/h100-qwen3-30b-a3b-prefix-cache-vllm";
const NOTE: &str = "kv-efficiency/vllm-qwen38-27b-apc-150k-rtx5090";
const AUDIT: &str = "audits/qwen3-8b-h100";

const P0: &str = "no-prompt-reuse-0-cache-hits";
const P50: &str = "50-shared-prefix-48-7-cache-hits";
const P75: &str = "75-shared-prefix-74-0-cache-hits";
const P90: &str = "90-shared-prefix-89-2-cache-hits";

const MODEL: &str = "qwen3-8-27b";
const ALL_LAYERS: &str = "qwen3-8-27b-all-layers";

/// The site's default quote, which differs from the one that the run names.
const COMMUNITY: &str = "prices/runpod-h100-sxm-community-";
/// The newest quote of the tier that the run names.
const NEWEST: &str = "prices/runpod-h100-sxm-secure-2026-11-09";

/// A figure as it must be shown: its value, rounded as here, in the unit given.
pub struct Expected {
    address: &'static str,
    subject: &'static str,
    id: &'static str,
    /// Start of the quote's address; empty where the figure is at the record's own price or needs none.
    quote: &'static str,
    shown: &'static str,
    unit: &'static str,
}

pub const fn figure(
    address: &'static str,
    subject: &'static str,
    id: &'static str,
    shown: &'static str,
    unit: &'static str,
) -> Expected {
    Expected { address, subject, id, quote: "", shown, unit }
}

const fn at(quote: &'static str, expected: Expected) -> Expected {
    Expected { quote, ..expected }
}

const FIGURES: &[Expected] = &[
    figure(RUN, P0, "goodput_tok_per_j", "7.81", "output tok/J"),
    figure(RUN, P50, "goodput_tok_per_j", "10.3", "output tok/J"),
    figure(RUN, P75, "goodput_tok_per_j", "12.3", "output tok/J"),
    figure(RUN, P90, "goodput_tok_per_j", "13.7", "output tok/J"),
    figure(RUN, P0, "usd_per_mtok_output", "0.234", "$"),
    figure(RUN, P50, "usd_per_mtok_output", "0.166", "$"),
    figure(RUN, P75, "usd_per_mtok_output", "0.138", "$"),
    figure(RUN, P90, "usd_per_mtok_output", "0.130", "$"),
    at(COMMUNITY, figure(RUN, P0, "usd_per_mtok_output", "0.158", "$")),
    at(COMMUNITY, figure(RUN, P50, "usd_per_mtok_output", "0.112", "$")),
    at(COMMUNITY, figure(RUN, P75, "usd_per_mtok_output", "0.0929", "$")),
    at(COMMUNITY, figure(RUN, P90, "usd_per_mtok_output", "0.0878", "$")),
    at(NEWEST, figure(RUN, P0, "usd_per_mtok_output", "0.234", "$")),
    at(NEWEST, figure(RUN, "record", "usd_per_hour", "3.99", "$")),
    figure(RUN, P0, "output_tok_per_wh", "28114", "output tokens/Wh"),
    figure(RUN, P0, "energy_j_per_output_token", "0.128", "J"),
    figure(RUN, P0, "fleet_output_tok_s", "303379", "output tok/s"),
    figure(RUN, P90, "fleet_output_tok_s", "544531", "output tok/s"),
    figure(RUN, P0, "fleet_power_kw", "38.8", "kW"),
    figure(RUN, P90, "fleet_power_kw", "39.9", "kW"),
    figure(RUN, P90, "fleet_cards_for_baseline_output", "36", "cards"),
    figure(RUN, P50, "goodput_change_pct", "40.9", "%"),
    figure(RUN, P75, "goodput_change_pct", "69.6", "%"),
    figure(RUN, P90, "goodput_change_pct", "79.5", "%"),
    figure(RUN, P90, "capacity_ratio", "1.83", "x"),
    figure(RUN, P0, "tpot_slo_used_pct", "81.2", "%"),
    figure(RUN, P50, "tpot_slo_used_pct", "92.2", "%"),
    figure(RUN, P75, "tpot_slo_used_pct", "84.2", "%"),
    figure(RUN, P90, "tpot_slo_used_pct", "78.8", "%"),
    figure(RUN, P0, "ttft_slo_used_pct", "19.0", "%"),
    figure(RUN, "record", "kv_bytes_per_token", "98304", "B"),
    figure(RUN, P0, "achieved_bandwidth_tb_s", "2.03", "TB/s"),
    figure(RUN, P50, "achieved_bandwidth_tb_s", "2.23", "TB/s"),
    figure(RUN, P75, "achieved_bandwidth_tb_s", "2.55", "TB/s"),
    figure(RUN, P90, "achieved_bandwidth_tb_s", "2.72", "TB/s"),
    figure(RUN, P0, "bytes_per_output_token", "429", "MB"),
    figure(RUN, P50, "bytes_per_output_token", "335", "MB"),
    figure(RUN, P75, "bytes_per_output_token", "317", "MB"),
    figure(RUN, P90, "bytes_per_output_token", "320", "MB"),
    figure(RUN, P0, "throttled_pct", "75.4", "%"),
    figure(RUN, P50, "throttled_pct", "82.9", "%"),
    figure(RUN, P75, "throttled_pct", "88.8", "%"),
    figure(RUN, P90, "throttled_pct", "46.7", "%"),
    figure(NOTE, MODEL, "kv_bytes_per_token", "65536", "B"),
    figure(NOTE, MODEL, "kv_gib_at_context", "9.16", "GiB"),
    figure(NOTE, ALL_LAYERS, "kv_gib_at_context", "36.6", "GiB"),
    figure(NOTE, MODEL, "kv_all_layers_bytes_per_token", "262144", "B"),
    figure(NOTE, MODEL, "kv_ratio", "4.00", "x"),
    figure(NOTE, "warm", "tokens_reused", "140250", "tokens"),
    figure(NOTE, "warm", "kv_gib_not_recomputed", "8.56", "GiB"),
    figure(NOTE, "warm", "ttft_speedup", "23.1", "x"),
    figure(NOTE, "warm", "ttft_speedup_ceiling", "15.4", "x"),
    figure(NOTE, "four-days", "tokens_reused", "33540000–35100000", "tokens"),
    figure(NOTE, "four-days", "kv_gib_not_recomputed", "2.00–2.09", "TiB"),
    figure(AUDIT, "fp8_model_kv_16k", "usd_per_mtok_output", "0.289", "$"),
    figure(AUDIT, "fp8_kv", "usd_per_mtok_output", "0.295", "$"),
    figure(AUDIT, "fp8_model_kv_16k", "ttft_change_pct", "-75.2", "%"),
    figure(AUDIT, "fp8_model_kv_16k", "tpot_change_pct", "-69.7", "%"),
    figure(AUDIT, "fp8_model_kv_16k", "output_change_pct", "56.6", "%"),
    figure(AUDIT, "baseline", "usd_per_mtok_output", "0.453", "$"),
    figure(AUDIT, "batched_16k", "usd_per_mtok_output", "0.455", "$"),
    figure(AUDIT, "no_prefix_cache", "usd_per_mtok_output", "0.856", "$"),
    figure(AUDIT, "fp8_model_kv_16k", "output_tok_per_usd", "3456803", "output tokens/$"),
    figure(AUDIT, "record", "usd_per_hour", "2.69", "$"),
    figure(AUDIT, "fp8_model_kv_16k", "usd_per_1k_requests", "0.0890", "$"),
    figure(AUDIT, "baseline", "usd_per_1k_requests", "0.139", "$"),
    figure(AUDIT, "fp8_model_kv_16k", "capacity_change_pct", "56.7", "%"),
    figure(AUDIT, "fp8_kv", "capacity_change_pct", "53.7", "%"),
    figure(AUDIT, "batched_16k", "capacity_change_pct", "-0.2", "%"),
    figure(AUDIT, "no_prefix_cache", "capacity_change_pct", "-47.0", "%"),
    figure(AUDIT, "baseline", "kv_bytes_per_token", "147456", "B"),
    figure(AUDIT, "fp8_kv", "kv_bytes_per_token", "73728", "B"),
    figure(AUDIT, "fp8_kv", "kv_ratio", "2.00", "x"),
    figure(AUDIT, "fp8_model_kv_16k", "replicas_at_peak", "5", "replicas"),
    figure(AUDIT, "baseline", "replicas_at_peak", "8", "replicas"),
    figure(AUDIT, "fp8_model_kv_16k", "saving_usd_per_month", "5891", "$"),
    figure(AUDIT, "fp8_kv", "gain_share_pct", "94.7", "%"),
    figure(AUDIT, "fp8_kv", "rest_gain_pct", "1.9", "%"),
    figure(AUDIT, "record", "hit_rate_ceiling_pct", "66.7", "%"),
    figure(AUDIT, "fp8_model_kv_16k", "output_tok_per_request", "307.5", "output tok/request"),
    figure(AUDIT, "no_prefix_cache", "output_tok_per_request", "307.4", "output tok/request"),
    figure("models/qwen3-8b", "fp8", "kv_bytes_per_token", "73728", "B"),
    figure("models/qwen3-8b", "q8_0", "kv_bytes_per_token", "78336", "B"),
    figure("models/qwen3-8b", "h100-sxm-80gb-weights-bf16-bf16", "longest_sequence_tokens", "431440", "tokens"),
    figure("models/qwen3-8b", "h100-sxm-80gb-weights-bf16-bf16-at-32768", "sequences_at_context", "13", "sequences"),
    figure("models/qwen3-8-27b", "record", "fixed_state_bytes", "153944064", "B"),
    figure("models/qwen3-8-27b", "tp-8", "kv_bytes_per_token_per_gpu", "16384", "B"),
];

/// Worked out by hand from what the sources of the collection's notes state.
const COLLECTION: &[Expected] = &[
    figure("kv-efficiency/vllm-pagedattention-kv-waste", "llama-2-13b", "kv_gib_at_context", "1.5625", "GiB"),
    figure("kv-efficiency/hf-llama31-kv-table-405b", "405b-128k", "kv_gib_at_context", "61.52", "GiB"),
    figure("kv-efficiency/vllm-kv-block-size-table", "qwen3-8b-block", "kv_gib_at_context", "2359296", "B"),
    figure("kv-efficiency/vllm-olmo3-swa-allocation-check", "short", "kv_gib_at_context", "2.25", "GiB"),
    figure("kv-efficiency/vllm-olmo3-swa-allocation-check", "long", "kv_gib_at_context", "5.66", "GiB"),
    figure("kv-efficiency/vllm-olmo3-swa-allocation-check", "long.max_concurrency", "value_fall", "2.13", "x"),
    figure("kv-efficiency/vllm-gemma4-31b-kv-pool-10x", "v0-21.kv_pool_tokens", "value_ratio", "9.55", "x"),
    figure("kv-efficiency/tt-swa-ring-buffer-regression", "after.kv_pool_tokens", "value_change_pct", "-28.5", "%"),
    figure("kv-efficiency/dgx-spark-chunk-size-kv-pool", "chunk-2048.kv_pool_tokens", "value_change_pct", "67.0", "%"),
    figure("kv-efficiency/llmd-precise-prefix-routing-8pods", "random.fleet_output_tok_s", "value_fall", "1.97", "x"),
    figure("kv-efficiency/llmd-precise-prefix-routing-8pods", "pod", "kv_gib_at_context", "75.03", "GiB"),
    figure("kv-efficiency/vllm-qwen3-32b-10k-prefix-ttft", "warm", "ttft_speedup", "7.17", "x"),
    figure("kv-efficiency/vllm-fp8-kv-llama31-8b-h100", "fp8.itl_slope", "value_change_pct", "-45.8", "%"),
    figure("kv-efficiency/rtx3090x4-kv-dtype-depth-sweep", "fp8.output_tok_s", "value_change_pct", "15.8", "%"),
    figure("kv-efficiency/ollama-kv-q4-q8-real-ratio", "q4", "kv_ratio", "3.56", "x"),
    figure("kv-efficiency/nvidia-nvfp4-kv-claim", "nvfp4", "kv_ratio", "1.78", "x"),
    figure("kv-efficiency/sglang-fp4-kv-qk-rotation", "8b-rotated.gpqa", "value_points", "2.02", "points"),
    figure("kv-efficiency/ik-llama-k-cache-hadamard", "q4.perplexity", "value_change_pct", "11.30", "%"),
    figure("kv-efficiency/qwen38-flash-next-fp8-kv-pool", "b-bf16", "kv_pool_sequences", "4.11", "x"),
    figure("kv-efficiency/kvpress-70b-1m-330gb", "llama-3-1-70b", "kv_gib_at_context", "305.18", "GiB"),
    figure("kv-efficiency/vllm-dcp-kimi-k26-b200", "dcp-512.throughput_per_gpu", "value_ratio", "3.27", "x"),
    figure("kv-efficiency/qwen38-flash-next-fp8-kv-pool", "4070-fp8", "kv_pool_bytes_per_token", "13259", "B"),
];

#[test]
fn the_figures_come_out() {
    let site = built();
    let faults: Vec<String> = FIGURES
        .iter()
        .chain(COLLECTION)
        .chain(collection::FIGURES)
        .filter_map(|expected| expected.fault(site))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

impl Expected {
    fn fault(&self, site: &Site) -> Option<String> {
        let Expected { address, subject, id, quote, shown, unit } = self;
        let document = site.json(&format!("public/{address}.json"));
        let figures = document["figures"].as_array().expect("figures are a list");
        let found = figures.iter().find(|figure| {
            let own = figure["quote"].as_str().unwrap_or_default();
            figure["subject"] == **subject
                && figure["id"] == **id
                && own.starts_with(quote)
                && own.is_empty() == quote.is_empty()
        });
        let Some(found) = found else { return Some(format!("{address} {subject} {id} {quote}: not there")) };
        let near = |(value, shown): (&f64, &str)| {
            let decimals = shown.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let wanted: f64 = shown.parse().expect("a number");
            let value = in_unit(*value, found["unit"].as_str().unwrap_or(""), unit);
            value.is_some_and(|value| (value - wanted).abs() <= 0.5 * 10_f64.powi(-(decimals as i32)) * 1.000_001)
        };
        // An interval is shown by its two ends.
        let (values, ends) = (numbers_of(&found["value"]), shown.split('–'));
        let good = values.len() == ends.clone().count() && values.iter().zip(ends).all(near);
        (!good).then(|| format!("{address} {subject} {id} {quote}: expected {shown} {unit}, found {found}"))
    }
}

/// The value in the unit wanted; `None` when the two do not measure the same.
fn in_unit(value: f64, unit: &str, wanted: &str) -> Option<f64> {
    let scale = |unit: &str| {
        let (name, per) = unit.split_once('/').map_or((unit, ""), |(name, per)| (name, per));
        let scale = match name {
            "B" => 1.0,
            "MB" => 1e6,
            "TB" => 1e12,
            "GiB" => f64::from(1 << 30),
            "TiB" => 1024.0 * f64::from(1 << 30),
            _ => return None,
        };
        Some((scale, if per == "s" { "s" } else { "" }))
    };
    match (scale(unit), scale(wanted)) {
        (Some((from, per)), Some((to, wanted_per))) => (per == wanted_per).then_some(value * from / to),
        (None, None) => unit.starts_with(wanted).then_some(value),
        _ => None,
    }
}

#[test]
fn a_capacity_without_results_of_single_rates_is_no_bracket() {
    let document = built().json(&format!("public/{AUDIT}.json"));
    let missing = |subject: &str| {
        let figures = document["figures"].as_array().expect("figures are a list").iter();
        let mut brackets = figures.filter(|figure| figure["id"] == "capacity_bracket_rps");
        brackets.find(|figure| figure["subject"] == subject).expect("every config has one")["missing"].clone()
    };
    assert_eq!(missing("fp8_kv"), "no result of a single rate is published");
    assert_eq!(missing("fp8_model_kv_16k"), "at least 10 req/s, since no tested rate above it failed");
    assert_eq!(missing("fp8_model"), "none passed: no tested rate met the SLO");
}

#[test]
fn every_figure_is_unique_and_has_a_value_or_a_reason() {
    let site = built();
    for path in
        site.published().with_ending(".json").filter(|path| !path.starts_with("data/") && !path.starts_with("schemas/"))
    {
        let document = site.json(&format!("public/{path}"));
        assert_eq!(document["format"], 1, "{path}");
        assert_eq!(document["id"], *path.strip_suffix(".json").expect("it ends so"), "{path}");
        let mut seen = std::collections::BTreeSet::new();
        for figure in document["figures"].as_array().expect("figures are a list") {
            let key = [&figure["id"], &figure["subject"], &figure["quote"]].map(Value::to_string);
            assert!(seen.insert(key.clone()), "{path}: {key:?} stands twice");
            assert!(document["formulas"][figure["id"].as_str().expect("an id")].is_string(), "{path}: {figure}");
            if figure["missing"].is_string() {
                continue;
            }
            let basis = figure["basis"].as_str().expect("a basis");
            assert!(["measured", "stated", "computed", "assumed"].contains(&basis), "{path}: {figure}");
            assert!(!figure["value"].is_null() && figure["unit"].is_string(), "{path}: {figure}");
            let inputs = figure["inputs"].as_array().expect("inputs are a list");
            let count = document["inputs"].as_array().map_or(0, Vec::len);
            let placed = inputs.iter().all(|input| input.as_u64().is_some_and(|index| (index as usize) < count));
            assert!(placed && !inputs.is_empty(), "{path}: {figure}");
        }
    }
}

#[test]
fn every_input_stands_at_its_line() {
    let site = built();
    let mut count = 0;
    for path in
        site.published().with_ending(".json").filter(|path| !path.starts_with("data/") && !path.starts_with("schemas/"))
    {
        let document = site.json(&format!("public/{path}"));
        // What is assumed or missing stands nowhere, and a computed value has inputs of its own.
        let inputs = document["inputs"].as_array().expect("inputs are a list").iter();
        for input in
            inputs.filter(|input| ["assumed", "formula", "missing"].iter().all(|elsewhere| input[elsewhere].is_null()))
        {
            assert_placed(site, input, path);
            count += 1;
        }
    }
    assert!(count > 40, "{count} inputs");
}

/// The pointer leads to the value, and the line of the file has it.
fn assert_placed(site: &Site, input: &Value, page: &str) {
    let path = input["path"].as_str().expect("an input has a path");
    let line = input["line"].as_u64().expect("an input has a line") as usize;
    let file =
        std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{page}: {path}: {error}"));
    let text = file.lines().nth(line.wrapping_sub(1)).unwrap_or_else(|| panic!("{page}: {path} has no line {line}"));
    let numbers = numbers_of(&input["value"]);
    let on_line = |number: &f64| numbers_in(text).iter().any(|found| found == number);
    let pointer = input["pointer"].as_str().expect("an input has a pointer");
    let address = path.strip_prefix("content/").and_then(|path| path.rsplit_once('.')).map(|(address, _)| address);
    let document = address.map(|address| site.json(&format!("public/{address}.json")));
    // Settings and curators' notes have no data file of their own.
    if let Some(document) = document.filter(|document| document["source"]["path"] == path) {
        let record = &document["record"];
        let found = record.pointer(pointer).unwrap_or_else(|| panic!("{page}: {path} has no {pointer}"));
        // A storage type stands for its bytes an element.
        if let Some(dtype) = found.as_str().filter(|_| input["unit"] == "B") {
            return assert!(text.contains(dtype), "{page}: {path}:{line} does not say {dtype}:\n{text}");
        }
        // Of a latency that the SLO does not limit, nothing is used.
        if let Some(metric) = input["name"].as_str().and_then(|name| name.strip_suffix("_slo_used_pct"))
            && pointer == "/slo"
        {
            let mut limits = found.as_object().expect("limits by name").keys();
            return assert!(numbers == [0.0] && limits.all(|name| !name.starts_with(metric)), "{page}: {input}");
        }
        assert_eq!(numbers_of(found), numbers, "{page}: {path} {pointer}, {input}");
    }
    assert!(numbers.iter().all(on_line), "{page}: {path}:{line} does not say {input}:\n{text}");
}

/// The number, or the numbers of an interval.
fn numbers_of(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().filter_map(Value::as_f64).collect(),
        // Approximate numbers are text.
        Value::String(text) => {
            text.strip_prefix('~').and_then(|text| text.replace(',', "").parse().ok()).into_iter().collect()
        }
        value => value.as_f64().into_iter().collect(),
    }
}

fn numbers_in(text: &str) -> Vec<f64> {
    let part = |c: char| !c.is_ascii_digit() && !['.', '-', '+', 'e', 'E', ','].contains(&c);
    let plain = text.split(part).filter_map(|part| part.trim_matches([',', '.']).parse().ok());
    let grouped = text.split(part).filter_map(|part| part.replace(',', "").parse().ok());
    plain.chain(grouped).collect()
}

#[test]
fn nothing_unsaid_is_shown() {
    let site = built();
    let tree = site.published();
    for path in tree.with_ending(".html").filter(|path| !path.ends_with(".source.html")) {
        let page = walker::Page::parse(tree.text(path));
        for word in ["NaN", "Infinity", "undefined", "None", "Some(", "-0%", "−0%", "-0.0%", "−0.0%", "tok/W "] {
            let shown = page.text.replace("\"-0%\"", "").replace("“-0%”", "");
            assert!(!shown.contains(word), "{path} shows {word}");
        }
    }
}
