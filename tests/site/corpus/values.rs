//! Values that were worked out beside results of load generators other than vLLM's and SGLang's.

use std::path::Path;

use serde_json::{Value, json};

use super::{ANSWERS, Expected, corpus, import, made, near, rates, run, site};
use crate::tree;

/// The names of files by their numbers.
fn named(folder: &Path, numbers: &[&str]) -> Vec<String> {
    let names = tree::names(folder);
    let find =
        |number: &&str| names.iter().find(|name| name.starts_with(*number)).expect("the corpus is there").clone();
    numbers.iter().map(find).collect()
}

/// The configs of all records that these files make together, record by record.
fn configs(corpus: &Path, folder: &str, numbers: &[&str]) -> Vec<Value> {
    let folder = corpus.join(folder);
    let names = named(&folder, numbers);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (site, outcome) = import(&folder, &names, ANSWERS);
    outcome.good();
    site.check().good();
    let records = made(&site, "runs").into_iter().filter(|name| name.ends_with(".json"));
    let records = records.map(|name| site.json(&format!("content/runs/{name}")));
    records.flat_map(|record| record["configs"].as_array().expect("configs are a list").clone()).collect()
}

#[test]
fn results_of_other_load_generators_have_the_values_that_were_worked_out() {
    let Some(corpus) = corpus("values of other load generators") else { return };
    let no_latency = |tok_s: f64, rps: f64| {
        let mut expected = rates(tok_s, rps, [0.0; 2], [0.0; 2]);
        expected.iter_mut().skip(2).for_each(|(_, value)| *value = None);
        expected
    };
    let without = |mut expected: Vec<(&'static str, Option<f64>)>, field: &str| {
        expected.retain(|(name, _)| *name != field);
        expected
    };
    let rps = "request_throughput_rps";
    let files = vec![
        ("guidellm", "001", rates(196.285, 1.54818, [16.3805, 21.282], [4.92412, 5.25835]), Some(3.8068)),
        ("guidellm", "004", without(rates(164.4343, 0.0, [171.522, 172.633], [24.1787, 24.1789]), rps), Some(4.5442)),
        ("aiperf", "004", rates(48.9361, 0.244681, [26.638, 31.436], [18.8821, 19.8533]), Some(15.2693)),
        ("aiperf", "001", without(rates(39.1015, 0.0, [768.950, 6501.636], [11.2403, 11.5268]), rps), Some(19.1098)),
        ("genai-perf", "002", no_latency(55.5219, 0.182008), Some(13.4582)),
        ("inferencex", "001", without(rates(221.4241, 0.0, [296.977, 585.990], [17.3939, 18.46]), rps), Some(3.3746)),
        (
            "inferencex",
            "003",
            vec![("output_tok_s", Some(907.2)), ("ttft_p50_ms", None), ("input_tok_s", None)],
            Some(0.8236),
        ),
        (
            "inferencex",
            "008",
            vec![("output_tok_s", Some(110.78219)), ("ttft_p90_ms", Some(92_359.107)), ("ttft_p99_ms", None)],
            Some(6.7450),
        ),
        ("mlperf", "001", rates(8840.42, 29.41, [198.602, 435.976], [31.888, 39.508]), Some(0.0845)),
        ("mlperf", "002", no_latency(27_803.9, 92.1544), Some(0.0269)),
        ("mlperf", "003", without(rates(24_593.77, 0.0, [875.073, 1914.648], [151.045, 193.380]), rps), Some(0.0304)),
        ("mlperf", "006", without(rates(18_592.24, 0.0, [685.863, 1695.862], [69.902, 72.180]), rps), Some(0.0402)),
        ("trtllm-bench", "001", no_latency(27_784.972_8, 217.0701), Some(0.0269)),
        ("trtllm-bench", "003", no_latency(27_784.972_8, 217.0701), Some(0.0269)),
        ("trtllm-bench", "004", rates(560.0783, 14.002, [3.2871, 15.1543], [1.7081, 1.7102]), Some(1.3341)),
        ("trtllm-bench", "006", no_latency(6122.1106, 23.9145), Some(0.1221)),
        ("trtllm-bench", "007", vec![("output_tok_s", None)], None),
        (
            "llmperf",
            "001",
            vec![
                ("output_tok_s", Some(441.8474)),
                (rps, Some(2.94565)),
                ("ttft_p50_ms", Some(221.888)),
                ("ttft_p99_ms", Some(350.027)),
                ("tpot_p50_ms", None),
            ],
            Some(1.6911),
        ),
        ("llmperf", "002", vec![("output_tok_s", Some(62.8671))], Some(11.8857)),
    ];
    for (folder, number, expected, usd) in files {
        let found = configs(&corpus, folder, &[number]);
        assert_eq!(found.len(), 1, "{folder}/{number}");
        let expected: &Expected = &expected;
        near(&found[0], expected, usd, &format!("{folder}/{number}"));
    }
    let table = &configs(&corpus, "genai-perf", &["001"])[0];
    assert_eq!((&table["e2el_mean_ms"], &table["ttft_p50_ms"]), (&json!(5494.07), &Value::Null));
    let lossy = &configs(&corpus, "llmperf", &["002"])[0];
    assert_eq!((&lossy["requests"]["failed"], &lossy["requests"]["completed"]), (&json!(49), &json!(101)));
    let cut = &configs(&corpus, "guidellm", &["001"])[0];
    assert_eq!((&cut["requests"]["completed"], &cut["requests"]["cancelled"]), (&json!(46), &json!(1)));
    assert!(configs(&corpus, "trtllm-bench", &["007"])[0]["failed"].is_string());
}

#[test]
fn limits_that_a_file_states_are_those_it_is_judged_by() {
    let Some(corpus) = corpus("limits in MLPerf's summaries") else { return };
    let folder = corpus.join("mlperf");
    for (number, ttft, tpot) in [("001", 450, 40), ("003", 2000, 200), ("006", 2000, 80)] {
        let names = named(&folder, &[number]);
        let (site, outcome) = import(&folder, &[&names[0]], ANSWERS);
        outcome.good();
        let record = run(&site);
        assert_eq!(record["slo"], json!({"ttft_p99_ms": ttft, "tpot_p99_ms": tpot}), "{number}");
        let config = &record["configs"][0];
        assert_eq!((&config["slo_pass_count"], &config["goodput_tok_s"]), (&json!(1), &config["output_tok_s"]));
    }
}

#[test]
fn two_files_of_one_run_are_one() {
    let Some(corpus) = corpus("two files of one run") else { return };
    let single = [("output_tok_s", Some(441.8474)), ("tpot_p50_ms", Some(3.74229)), ("tpot_p99_ms", Some(4.56304))];
    let printed = [("output_tok_s", Some(27_784.972_8))];
    for (folder, expected, usd) in [("llmperf", &single[..], 1.6911), ("trtllm-bench", &printed[..], 0.0269)] {
        let found = configs(&corpus, folder, &["001", "003"]);
        assert_eq!(found.len(), 1, "{folder}");
        near(&found[0], expected, Some(usd), folder);
    }
}

#[test]
fn lists_give_every_run_of_theirs() {
    let Some(corpus) = corpus("lists of runs") else { return };
    for (folder, number, count) in [
        ("guidellm", "003", 2),
        ("genai-perf", "005", 5),
        ("inferencex", "005", 95),
        ("inferencex", "006", 90),
        ("inferencex", "007", 14),
        ("llmperf", "006", 8),
    ] {
        let found = configs(&corpus, folder, &[number]);
        let runs: u64 = found.iter().map(|config| config["repeats"].as_u64().unwrap_or(1)).sum();
        assert_eq!(runs, count, "{folder}/{number}");
    }
    let output = |folder: &str, number: &str| -> Vec<f64> {
        let found = configs(&corpus, folder, &[number]);
        found.iter().map(|config| config["output_tok_s"].as_f64().expect("a number")).collect()
    };
    let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-4 * expected;
    let [slow, fast] = output("guidellm", "003")[..] else { panic!("two rates") };
    assert!(close(slow, 3.1875) && close(fast, 6.3527), "{slow} {fast}");
    let by_concurrency = output("llmperf", "006");
    assert!(close(by_concurrency[0], 29.581) && close(by_concurrency[7], 419.94), "{by_concurrency:?}");
    let rows = configs(&corpus, "inferencex", &["005"]);
    // 62.5907 a GPU of 8.
    let first = rows.iter().find(|row| row["output_tok_s"].as_f64().is_some_and(|rate| close(rate, 500.7253)));
    let expected = [("concurrency", Some(8.0)), ("ttft_p50_ms", Some(134.405)), ("ttft_p99_ms", Some(1247.209))];
    near(first.expect("the first row is there"), &expected, Some(1.4923), "inferencex/005");
}

#[test]
fn files_that_are_no_result_of_their_own_are_refused_by_name() {
    let Some(corpus) = corpus("files that are no result") else { return };
    for (folder, number, what) in [
        ("vllm-throughput", "004", "a vLLM throughput report"),
        ("vllm-throughput", "001", "a vLLM throughput report"),
        ("vllm-latency", "001", "a vLLM latency report"),
        ("sglang-one-batch", "001", "an SGLang one-batch report"),
        ("sglang-one-batch", "002", "an SGLang one-batch report"),
        ("inference-perf", "001", "an inference-perf report"),
        ("inference-perf", "005", "an inference-perf report"),
        ("llmd-benchmark-report", "001", "an llm-d benchmark report"),
        ("llmd-benchmark-report", "002", "an llm-d benchmark report"),
        ("power", "008", "an ML.ENERGY report"),
        ("aiperf", "002", "AIPerf's table"),
        ("aiperf", "006", "AIPerf's records"),
        ("aiperf", "007", "AIPerf's table"),
        ("mlperf", "005", "an MLPerf accuracy run"),
        ("mlperf", "009", "the detail log of an MLPerf run"),
        ("mlperf", "011", "the description of a system"),
        ("llmperf", "003", "an LLMPerf list of single requests"),
    ] {
        let folder = corpus.join(folder);
        let name = named(&folder, &[number]).remove(0);
        let site = site(&folder, &[&name], ANSWERS);
        site.ask(&["import", &format!("in/{name}")]).refused(&["import/no-result", what]);
    }
}
