//! Imported results against values worked out by hand from the files of their sources.

use serde_json::Value;

use crate::program::Site;

/// A value of a published record by its JSON pointer, or a figure by subject and id.
enum At {
    Record(&'static str),
    Figure(&'static str, &'static str),
}

use At::{Figure, Record};

const VALUES: &[(&str, At, &[f64])] = &[
    // 8 GPUs at 241.7539 output tokens per second each.
    ("runs/deepseek-r1-fp8-h200x8-sglang-1k1k", Record("/configs/4/output_tok_s"), &[1934.0312]),
    // 27.678011491816765 on each of 8, which is the rate of the raw result to its last digit.
    ("runs/kimi-k2-5-int4-mi355x8-vllm-1k1k-c4", Record("/configs/0/output_tok_s"), &[221.424_091_93]),
    // 30,000 answers of 128 tokens in 138.204202 s.
    ("runs/llama-3-1-8b-fp8-h100-trtllm-offline-128-128", Record("/configs/0/output_tok_s"), &[27_784.972_85]),
    // 102 of 300.
    ("runs/nemotron-3-nano-omni-fp8-gb10-vllm-peak", Figure("1-5-req-s-25-concurrent", "failed_pct"), &[34.0]),
    // Mean of the 83 readings from 20 s to 845 s, over 45,680 tokens in 834.98 s.
    ("runs/gpt-oss-20b-gb10-vllm-sharegpt-power", Record("/configs/0/node_power_kw"), &[0.034_032_771]),
    ("runs/gpt-oss-20b-gb10-vllm-sharegpt-power", Figure("0-3-req-s", "energy_j_per_output_token"), &[0.622_081_5]),
    // 350 requests at 0.7 offered took 575.12 s.
    ("audits/gpt-oss-20b-gb10-vllm-rate-sweep", Record("/configs/0/capacity/request_rate_rps"), &[0.608_566_77]),
    ("audits/gpt-oss-20b-gb10-vllm-rate-sweep", Record("/configs/0/capacity/output_tok_s"), &[276.195_42]),
    ("audits/gpt-oss-20b-gb10-vllm-rate-sweep", Figure("measured", "capacity_bracket_rps"), &[0.7, 1.0]),
    (
        "audits/deepseek-r1-fp4-b200x8-trtllm-concurrency",
        Figure("measured", "capacity_bracket_concurrency"),
        &[64.0, 128.0],
    ),
    (
        "audits/deepseek-r1-fp4-b200x8-sglang-concurrency",
        Figure("measured", "capacity_bracket_concurrency"),
        &[16.0, 32.0],
    ),
    (
        "audits/qwen3-5-397b-fp8-mi355x8-sglang-agentic-hicache",
        Figure("offloading-none", "capacity_bracket_concurrency"),
        &[40.0, 48.0],
    ),
    (
        "audits/qwen3-5-397b-fp8-mi355x8-sglang-agentic-hicache",
        Figure("offloading-hicache", "capacity_bracket_concurrency"),
        &[32.0, 40.0],
    ),
    // From 0.849377778662088 over 1.031529 to 0.923263105458477 over 0.969973 req/s, less one.
    (
        "audits/qwen3-5-397b-fp8-mi355x8-sglang-agentic-hicache",
        Figure("offloading-hicache", "capacity_change_over_brackets_pct"),
        &[-17.658_345, -4.815_584],
    ),
    // 2,400 requests in 346.7753648 s.
    ("audits/llama-3-3-70b-bf16-h200x4-sglang-rates", Record("/configs/0/capacity/request_rate_rps"), &[6.920_906_86]),
    ("kv-efficiency/gpt-oss-20b-strix-halo-llama-cpp-context", Record("/variants/4/measured_tps_at_ctx"), &[34.759]),
];

/// Figures that must be missing, with the reason.
const MISSING: &[(&str, &str, &str, &str)] = &[
    ("audits/gpt-oss-20b-gb10-vllm-rate-sweep", "measured", "usd_per_mtok_output", "the record names no price"),
    (
        "audits/deepseek-r1-fp8-gb200x72-sglang-concurrency",
        "measured",
        "capacity_bracket_concurrency",
        "below 1,024 concurrent requests, since none passed",
    ),
    (
        "audits/deepseek-r1-fp4-b200x8-trtllm-concurrency",
        "measured",
        "output_tok_per_request",
        "`request_rate_rps` is not stated",
    ),
];

fn figure<'a>(data: &'a Value, subject: &str, id: &str) -> &'a Value {
    let figures = data["figures"].as_array().expect("figures are a list").iter();
    let mut found = figures.filter(|figure| figure["subject"] == subject && figure["id"] == id);
    found.next().unwrap_or(&Value::Null)
}

#[test]
fn published_results_hold_what_their_sources_say() {
    let site = Site::of_repository_built();
    let mut faults = Vec::new();
    for (address, at, expected) in VALUES {
        let data = site.json(&format!("public/{address}.json"));
        let (value, name) = match at {
            Record(pointer) => (data["record"].pointer(pointer).unwrap_or(&Value::Null), (*pointer).to_owned()),
            Figure(subject, id) => (&figure(&data, subject, id)["value"], format!("{subject} {id}")),
        };
        let found: Vec<f64> = match value {
            Value::Array(ends) => ends.iter().filter_map(Value::as_f64).collect(),
            one => one.as_f64().into_iter().collect(),
        };
        let near = |(found, expected): (&f64, &f64)| (found - expected).abs() <= 1e-4 * expected.abs();
        if found.len() != expected.len() || !found.iter().zip(*expected).all(near) {
            faults.push(format!("{address} {name}: expected {expected:?}, found {value}"));
        }
    }
    for (address, subject, id, reason) in MISSING {
        let data = site.json(&format!("public/{address}.json"));
        let found = &figure(&data, subject, id)["missing"];
        if found != reason {
            faults.push(format!("{address} {subject} {id}: expected {reason}, found {found}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Results of others name who measured, where the file stands at which commit, and under which licence.
#[test]
fn imported_results_say_where_they_come_from() {
    let site = Site::of_repository();
    let mut counts = [0, 0];
    for (folder, count) in ["runs", "audits"].iter().zip(&mut counts) {
        let folder = site.path(&format!("content/{folder}"));
        let files = std::fs::read_dir(folder).expect("a folder of content").filter_map(Result::ok);
        for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "md")) {
            let note = std::fs::read_to_string(&path).expect("a note");
            if note.contains("relation: author") {
                continue;
            }
            *count += 1;
            for wanted in ["measured_by: ", "license: ", "SHA-256 ", "/blob/", "## What to keep in mind"] {
                assert!(note.contains(wanted), "{}: no {wanted}", path.display());
            }
        }
    }
    assert!(counts[0] >= 20 && counts[1] >= 5, "{counts:?}");
}
