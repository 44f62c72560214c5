//! Results that strangers published, where `RESULTS_SITE_SHARED` says they are: what each is read as, the values worked
//! out beside them, and that no damage to a file brings the program down.

mod values;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use crate::program::{Outcome, Site, repository, skip};
use crate::tree;

fn corpus(test: &str) -> Option<PathBuf> {
    let folder = env::var_os("RESULTS_SITE_SHARED").map(|shared| PathBuf::from(shared).join("corpus"));
    if folder.is_none() {
        skip(test, "RESULTS_SITE_SHARED is not set");
    }
    folder
}

/// Everything that a file may leave open, but no limits: without them every result is a run.
const ANSWERS: &str = "published = \"2026-11-05\"\n[hardware]\naccelerator = \"Test card\"\ncount = 1\n\
                       [software]\nengine = \"test engine\"\n[model]\nname = \"test/model\"\n[price]\nusd_per_gpu_hour = 2.69\n";

/// A site with files of one folder under their own names, and answers beside them.
fn site(folder: &Path, files: &[&str], answers: &str) -> Site {
    let site = Site::new().file("in/import.toml", answers);
    for file in files {
        site.write(&format!("in/{file}"), fs::read(folder.join(file)).expect("the corpus is there"));
    }
    site
}

/// The same, imported.
fn import(folder: &Path, files: &[&str], answers: &str) -> (Site, Outcome) {
    let site = site(folder, files, answers);
    let outcome = site.ask(&["import", "in"]);
    (site, outcome)
}

/// The files of a folder of content, by name.
fn made(site: &Site, folder: &str) -> Vec<String> {
    let path = site.path(&format!("content/{folder}"));
    if path.exists() { tree::names(&path) } else { Vec::new() }
}

/// The run record that was made; there is one.
fn run(site: &Site) -> Value {
    let names = made(site, "runs");
    let name = names.iter().find(|name| name.ends_with(".json")).unwrap_or_else(|| panic!("no run among {names:?}"));
    site.json(&format!("content/runs/{name}"))
}

/// Fields of a config that a reading is kept of.
const FIELDS: [&str; 14] = [
    "request_rate_rps",
    "concurrency",
    "request_throughput_rps",
    "output_tok_s",
    "input_tok_s",
    "total_tok_s",
    "ttft_p50_ms",
    "ttft_p99_ms",
    "tpot_p50_ms",
    "tpot_p99_ms",
    "prefix_cache_hit_pct",
    "node_power_kw",
    "repeats",
    "failed",
];

/// What was made of a file, a line a config.
fn reading(site: &Site, outcome: &Outcome) -> String {
    if outcome.exit != Some(0) {
        let message = outcome.stderr.lines().next().unwrap_or_default();
        return format!("  refused: {}\n", message.strip_prefix("error").unwrap_or(message));
    }
    let mut text = String::new();
    for folder in ["models", "kv-efficiency", "audits"] {
        made(site, folder).iter().for_each(|name| writeln!(text, "  {folder}/{name}").expect("text takes all"));
    }
    for name in made(site, "runs").iter().filter(|name| name.ends_with(".json")) {
        let record = site.json(&format!("content/runs/{name}"));
        writeln!(
            text,
            "  {} × {}, {}",
            record["hardware"]["count"], record["hardware"]["accelerator"], record["model"]["name"]
        )
        .expect("text takes all");
        for config in record["configs"].as_array().expect("configs are a list") {
            write!(text, "    {}:", config["label"]).expect("text takes all");
            for field in FIELDS.iter().filter(|field| !config[**field].is_null()) {
                let value = &config[*field];
                let shown = value.as_f64().map_or_else(|| value.to_string(), |number| format!("{number:.4}"));
                write!(text, " {field} {shown}").expect("text takes all");
            }
            let count = |name: &str| config["requests"][name].as_u64();
            if let (Some(completed), Some(sent)) = (count("completed"), count("sent")) {
                write!(text, " requests {completed} of {sent}").expect("text takes all");
            }
            text.push('\n');
        }
    }
    text
}

/// Each file alone, against the reading that is kept of it; `REWRITE=1` writes the readings.
#[test]
fn every_file_is_read_as_before() {
    let Some(corpus) = corpus("the reading of every file of the corpus") else { return };
    let mut faults = Vec::new();
    let mut count = 0;
    for folder in tree::names(&corpus).iter().filter(|name| corpus.join(name).is_dir()) {
        let mut found = String::new();
        for name in tree::names(&corpus.join(folder)) {
            count += 1;
            let site = site(&corpus.join(folder), &[&name], ANSWERS);
            let outcome = site.ask(&["import", &format!("in/{name}")]);
            if outcome.exit == Some(0) {
                site.check().good();
            }
            write!(found, "{name}\n{}", reading(&site, &outcome)).expect("text takes all");
        }
        let kept = repository().join("tests/corpus").join(format!("{folder}.txt"));
        if env::var_os("REWRITE").is_some() {
            fs::create_dir_all(kept.parent().expect("it has one")).expect("the repository is writable");
            fs::write(&kept, &found).expect("the repository is writable");
        } else if fs::read_to_string(&kept).unwrap_or_default() != found {
            faults.push(format!("{}:\n{found}", kept.display()));
        }
    }
    assert!(count >= 140, "{count} files");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Values that were worked out beside the corpus, `None` for those that must be absent.
type Expected = [(&'static str, Option<f64>)];

#[track_caller]
fn near(found: &Value, expected: &Expected, usd: Option<f64>, what: &str) {
    for (field, value) in expected {
        let got = found[*field].as_f64();
        let agrees = match (got, value) {
            (Some(got), Some(value)) => (got - value).abs() <= 1e-4 * value.abs(),
            (got, value) => got.is_none() && value.is_none(),
        };
        assert!(agrees, "{what}: {field} is {got:?}, expected {value:?}");
    }
    // At $2.69 for one GPU; the values were rounded to four decimals.
    let cost = found["output_tok_s"].as_f64().map(|rate| 2.69e6 / (3600.0 * rate));
    let agrees = cost.zip(usd).map_or(cost.is_none() == usd.is_none(), |(cost, usd)| (cost - usd).abs() <= 6e-5);
    assert!(agrees, "{what}: $ {cost:?}, expected {usd:?}");
}

/// Output and request rate, then TTFT and TPOT as median and p99.
fn rates(tok_s: f64, rps: f64, ttft: [f64; 2], tpot: [f64; 2]) -> Vec<(&'static str, Option<f64>)> {
    vec![
        ("output_tok_s", Some(tok_s)),
        ("request_throughput_rps", Some(rps)),
        ("ttft_p50_ms", Some(ttft[0])),
        ("ttft_p99_ms", Some(ttft[1])),
        ("tpot_p50_ms", Some(tpot[0])),
        ("tpot_p99_ms", Some(tpot[1])),
    ]
}

/// Every vLLM result with values beside it.
#[test]
fn results_of_vllm_have_the_values_that_were_worked_out() {
    let Some(corpus) = corpus("values of vLLM's results") else { return };
    let folder = corpus.join("vllm-serve");
    let latencies = |ttft: [f64; 2], tpot: [Option<f64>; 2]| {
        vec![
            ("ttft_p50_ms", Some(ttft[0])),
            ("ttft_p99_ms", Some(ttft[1])),
            ("tpot_p50_ms", tpot[0]),
            ("tpot_p99_ms", tpot[1]),
        ]
    };
    let tok_s = |value: f64, more: Vec<(&'static str, Option<f64>)>| {
        std::iter::once(("output_tok_s", Some(value))).chain(more).collect::<Vec<_>>()
    };
    let files = tree::names(&folder);
    for (number, expected, usd) in [
        ("009", rates(700.1481, 3.50074, [243.315, 527.236], [16.2735, 24.2043]), Some(1.0672)),
        ("001", rates(8368.2803, 8.17215, [168.495, 1515.175], [14.8927, 15.0619]), Some(0.0893)),
        ("004", tok_s(129.7881, latencies([1433.252, 3812.138], [Some(198.270), Some(228.710)])), Some(5.7572)),
        ("005", vec![("output_tok_s", Some(170.3519))], Some(4.3863)),
        ("003", tok_s(115.2741, latencies([2090.382, 14431.066], [Some(118.060), Some(160.295)])), Some(6.4821)),
        (
            "010",
            [("output_tok_s", None)]
                .into_iter()
                .chain(latencies([172.287, 213.185], [Some(65.5204), Some(78.8182)]))
                .collect(),
            None,
        ),
        ("011", vec![("output_tok_s", None), ("ttft_p99_ms", None), ("tpot_p99_ms", None)], None),
        (
            "013",
            vec![("output_tok_s", Some(352.2056)), ("ttft_p99_ms", Some(2026.245)), ("tpot_p99_ms", Some(11.5951))],
            Some(2.1216),
        ),
    ] {
        let name = files.iter().find(|name| name.starts_with(number)).expect("the corpus is there");
        let (site, outcome) = import(&folder, &[name], ANSWERS);
        outcome.good();
        site.check().good();
        near(&run(&site)["configs"][0], &expected, usd, name);
    }
    let one_token = files.iter().find(|name| name.starts_with("007")).expect("the corpus is there");
    let (site, _) = import(&folder, &[one_token], ANSWERS);
    let config = run(&site)["configs"][0].clone();
    for (field, value) in latencies([267.690, 463.718], [None, None]) {
        let got = config[field].as_f64();
        assert!(
            got.zip(value).map_or(got == value, |(got, value)| (got - value).abs() <= 1e-4 * value),
            "{field} {got:?}"
        );
    }
    let failed = files.iter().find(|name| name.starts_with("011")).expect("the corpus is there");
    let (site, _) = import(&folder, &[failed], ANSWERS);
    assert!(run(&site)["configs"][0]["failed"].is_string());
    // 102 of 300 requests failed: whatever the limits, they were not met.
    let lossy = files.iter().find(|name| name.starts_with("005")).expect("the corpus is there");
    let (site, _) = import(&folder, &[lossy], &format!("{ANSWERS}[slo]\nttft_p99_ms = 1e9\n"));
    let config = run(&site)["configs"][0].clone();
    assert_eq!((&config["slo_pass_count"], &config["goodput_tok_s"]), (&Value::from(0), &Value::Null));
    assert_eq!((&config["requests"]["failed"], &config["requests"]["sent"]), (&Value::from(102), &Value::from(300)));
}

#[test]
fn what_a_vllm_file_lacks_is_worked_out_from_its_requests() {
    let Some(corpus) = corpus("statistics of single requests") else { return };
    let folder = corpus.join("vllm-serve");
    let name = tree::names(&folder).into_iter().find(|name| name.starts_with("013")).expect("the corpus is there");
    let mut result: Value =
        serde_json::from_slice(&fs::read(folder.join(name)).expect("it is there")).expect("it is JSON");
    result.as_object_mut().expect("an object").retain(|key, _| !key.ends_with("_ms"));
    result["p99_itl_ms"] = 1.0.into();
    let site = Site::new().file("in/import.toml", ANSWERS).file("in/a.json", result.to_string());
    site.ask(&["import", "in"]).good();
    let median = run(&site)["configs"][0]["tpot_p50_ms"].as_f64().expect("a number");
    assert!((median - 10.2981).abs() < 1e-4, "{median}");
}

#[test]
fn the_rate_sweep_has_its_capacity_and_its_steps() {
    let Some(corpus) = corpus("the capacity of a rate sweep") else { return };
    let folder = corpus.join("vllm-rate-sweep");
    let files = tree::names(&folder);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (site, outcome) = import(&folder, &files, &format!("{ANSWERS}[slo]\nttft_p95_ms = 2500\ntpot_p95_ms = 110\n"));
    assert!(outcome.good().stdout.contains("meta.json passed over: no result of its own"));
    site.build().good();
    let name = made(&site, "audits").remove(0).replace(".md", ".json");
    let document = site.json(&format!("public/audits/{name}"));
    let config = &document["record"]["configs"][0];
    let expected = [
        (0.1, 0.0997, 15.319, 1382.5, 205.27),
        (0.2, 0.1913, 59.223, 1584.6, 166.89),
        (0.3, 0.2791, 107.895, 1732.3, 106.74),
        (0.5, 0.4697, 196.447, 2166.0, 82.29),
        (0.7, 0.6086, 276.195, 2254.3, 104.42),
        (1.0, 0.8626, 324.506, 3289.3, 566.40),
    ];
    let steps = config["steps"].as_array().expect("steps are a list");
    assert_eq!(steps.len(), expected.len());
    for (step, (offered, delivered, output, ttft, tpot)) in steps.iter().zip(expected) {
        let latency = |name: &str| step["latencies"][name].as_f64().expect("a number");
        let rate = |name: &str| step[name].as_f64().expect("a number");
        let found = [
            rate("offered_rps"),
            rate("delivered_rps"),
            rate("output_tok_s"),
            latency("ttft_p95_ms"),
            latency("tpot_p95_ms"),
        ];
        for (found, expected) in found.into_iter().zip([offered, delivered, output, ttft, tpot]) {
            assert!((found - expected).abs() <= 5e-4 * expected, "{offered}: {found}, expected {expected}");
        }
    }
    near(
        &config["capacity"],
        &[("request_rate_rps", Some(0.60857)), ("output_tok_s", Some(276.195))],
        Some(2.7054),
        "capacity",
    );
    let figures = document["figures"].as_array().expect("figures are a list");
    let bracket = figures.iter().find(|figure| figure["id"] == "capacity_bracket_rps").expect("it is there");
    assert_eq!(bracket["value"], serde_json::json!([0.7, 1]));

    let (site, outcome) = import(&folder, &files, &format!("{ANSWERS}[slo]\nttft_p95_ms = 1000\n"));
    outcome.good();
    let audit = site.read(&format!("content/audits/{}", made(&site, "audits")[0]));
    assert!(audit.contains("capacity: none passed"), "{audit}");
}

#[test]
fn a_parameter_sweep_is_one_config_with_repeats() {
    let Some(corpus) = corpus("repeats of a sweep") else { return };
    let folder = corpus.join("vllm-sweep");
    let files = tree::names(&folder);
    let alone = files.iter().find(|name| name.starts_with("001")).expect("the corpus is there");
    let (site, _) = import(&folder, &[alone], ANSWERS);
    let mut expected = rates(93.7477, 5.85923, [44.9229, 762.4942], [8.3235, 9.3943]);
    expected.retain(|(field, _)| *field != "request_throughput_rps");
    near(&run(&site)["configs"][0], &expected, Some(7.9706), alone);
    let summary = files.iter().find(|name| name.starts_with("003")).expect("the corpus is there");
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    for files in [vec![summary.as_str()], all] {
        let (site, outcome) = import(&folder, &files, ANSWERS);
        outcome.good();
        let record = run(&site);
        let configs = record["configs"].as_array().expect("configs are a list");
        assert_eq!((configs.len(), &configs[0]["repeats"]), (1, &Value::from(2)));
    }
}

/// The one file of a folder whose name begins so.
fn named(folder: &Path, number: &str) -> String {
    tree::names(folder).into_iter().find(|name| name.starts_with(number)).expect("the corpus is there")
}

/// The configs of every record that a file makes, by their labels.
fn configs(folder: &Path, files: &[&str]) -> BTreeMap<String, Value> {
    let (site, outcome) = import(folder, files, ANSWERS);
    outcome.good();
    site.check().good();
    let records = made(&site, "runs").into_iter().filter(|name| name.ends_with(".json"));
    let configs = records.flat_map(|name| {
        let record = site.json(&format!("content/runs/{name}"));
        let mut configs = record["configs"].as_array().expect("configs are a list").clone();
        for config in &mut configs {
            for key in ["hardware", "model", "power", "workload"] {
                config[key] = record[key].clone();
            }
        }
        configs
    });
    configs.map(|config| (config["label"].as_str().expect("it is text").to_owned(), config)).collect()
}

#[test]
fn results_of_sglang_have_the_values_that_were_worked_out() {
    let Some(corpus) = corpus("values of SGLang's results") else { return };
    let folder = corpus.join("sglang-serving");
    let none = [("ttft_p99_ms", None), ("tpot_p50_ms", None), ("tpot_p99_ms", None)];
    let old = |tok_s: f64, more: Vec<(&'static str, Option<f64>)>| {
        std::iter::once(("output_tok_s", Some(tok_s))).chain(none).chain(more).collect::<Vec<_>>()
    };
    let first = vec![("request_throughput_rps", Some(1.0055)), ("ttft_p50_ms", Some(85.7451))];
    for (number, label, expected, usd) in [
        ("001", "1 req/s", old(537.4143, first), 1.3904),
        ("001", "16 req/s", old(4288.0493, vec![("request_throughput_rps", Some(8.3535))]), 0.1743),
        ("002", "no limit on the rate", old(12412.3947, Vec::new()), 0.0602),
        ("004", "agg_n100_in512_out128_c8", rates(1418.539, 22.9537, [22.780, 53.529], [5.1007, 8.2597]), 0.5268),
        ("005", "agg_n100_in512_out128_c32", rates(3151.439, 50.9942, [37.137, 64.621], [9.1950, 10.6683]), 0.2371),
    ] {
        let name = named(&folder, number);
        let configs = configs(&folder, &[&name]);
        near(&configs[label], &expected, Some(usd), &name);
    }
    let seven = named(&folder, "001");
    let (site, _) = import(&folder, &[&seven], ANSWERS);
    let counts = made(&site, "runs").into_iter().filter(|name| name.ends_with(".json"));
    let counts = counts.map(|name| site.json(&format!("content/runs/{name}"))["configs"].as_array().map(Vec::len));
    let mut counts: Vec<_> = counts.flatten().collect();
    counts.sort_unstable();
    assert_eq!(counts, [2, 5]);
    let server = configs(&folder, &[&named(&folder, "004")]).into_values().next().expect("a config");
    assert_eq!(
        (&server["model"]["name"], &server["model"]["parallelism"]),
        (&"Qwen/Qwen2.5-3B-Instruct".into(), &"TP1".into())
    );
}

#[test]
fn console_text_has_the_values_that_were_worked_out() {
    let Some(corpus) = corpus("values of console text") else { return };
    let folder = corpus.join("serving-console-text");
    for (number, expected, usd) in [
        ("001", rates(1818.47, 7.1023, [167.63, 7002.83], [12.20, 16.66]), 0.4109),
        ("002", rates(200.76, 0.896772, [87.12, 220.96], [41.23, 46.01]), 3.7220),
    ] {
        let name = named(&folder, number);
        let configs = configs(&folder, &[&name]);
        near(configs.values().next().expect("a config"), &expected, Some(usd), &name);
    }
}

#[test]
fn llama_bench_and_llama_benchy_have_the_values_that_were_worked_out() {
    let Some(corpus) = corpus("values of llama-bench") else { return };
    let (bench, benchy) = (corpus.join("llama-bench"), corpus.join("llama-benchy"));
    for (folder, number, label, field, value, usd) in [
        (&bench, "001", "tg128", "output_tok_s", 192.7441, Some(3.8768)),
        (&bench, "004", "pp512", "input_tok_s", 306.0362, None),
        (&bench, "004", "tg128", "output_tok_s", 24.4744, Some(30.5308)),
        (&bench, "004", "tg128 @ d8192", "output_tok_s", 22.8498, Some(32.7013)),
        (&bench, "005", "tg128", "output_tok_s", 24.4744, Some(30.5308)),
        (&bench, "008", "pp512", "input_tok_s", 407.51, None),
        (&bench, "008", "tg128", "output_tok_s", 22.00, Some(33.9646)),
        (&benchy, "001", "pp2048+tg480", "ttft_mean_ms", 513.19, Some(11.7710)),
        (&benchy, "001", "pp2048+tg480 @ d130000", "ttft_mean_ms", 66_593.71, Some(12.5037)),
        (&benchy, "001", "pp2048+tg480 @ d130000", "output_tok_s", 59.76, Some(12.5037)),
    ] {
        let name = named(folder, number);
        near(&configs(folder, &[&name])[label], &[(field, Some(value))], usd, &name);
    }
    assert_eq!(configs(&bench, &[&named(&bench, "004")]).len(), 12);
    let died = configs(&bench, &[&named(&bench, "009")]).into_values().next().expect("a config");
    assert_eq!(died["failed"], "llama-bench ended without a result");
    let short = named(&bench, "006");
    site(&bench, &[&short], ANSWERS).ask(&["import", &format!("in/{short}")]).refused(&["41 values under 42 names"]);
}

#[test]
fn power_logs_are_cut_to_the_run_and_to_the_gpus_that_worked() {
    let Some(corpus) = corpus("power logs") else { return };
    let power = corpus.join("power");
    let (log, result) = (named(&power, "001"), named(&power, "002"));
    let config = configs(&power, &[&log, &result]).into_values().next().expect("a config");
    let kw = config["node_power_kw"].as_f64().expect("a number");
    assert!((kw * 1e3 - 944.88).abs() < 5e-3 * 944.88, "{kw}");
    assert_eq!(config["hardware"]["count"], 4);
    assert!(
        config["power"]["window"].as_str().is_some_and(|window| window.ends_with("as UTC; 68 readings a GPU")),
        "{config}"
    );

    // No clock in either: the log is as long as the run.
    let (text, elapsed) = (corpus.join("serving-console-text"), named(&power, "004"));
    let report = named(&text, "003");
    let site = site(&text, &[&report], ANSWERS);
    site.write(&format!("in/{elapsed}"), fs::read(power.join(&elapsed)).expect("the corpus is there"));
    site.ask(&["import", "in"]).good();
    let watts = run(&site)["configs"][0]["node_power_kw"].as_f64().expect("a number") * 1e3;
    assert!((30.0..46.0).contains(&watts), "{watts}");
}

/// Whole, cut in half, and with one byte flipped at three places: a result or a refusal, never a crash, and what comes out
/// of it is content.
#[test]
fn no_damage_brings_the_program_down() {
    let Some(corpus) = corpus("damaged files of the corpus") else { return };
    let files = tree::Tree::of(&corpus).files;
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, bytes) in &files {
        let flipped = |at: usize, mask: u8| {
            let mut bytes = bytes.clone();
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= mask;
            }
            bytes
        };
        let length = bytes.len();
        let damaged = [
            ("half", bytes[..length / 2].to_vec()),
            ("flipped", flipped(length / 3, 0x01)),
            ("flipped", flipped(length / 2, 0x10)),
            ("flipped", flipped(length - length / 5, 0x80)),
        ];
        let ending = path.rsplit('.').next().unwrap_or("txt");
        for (what, bytes) in damaged {
            let site = Site::new().file("in/import.toml", ANSWERS).file(&format!("in/damaged.{ending}"), bytes);
            let outcome = site.ask(&["import", &format!("in/damaged.{ending}")]);
            match outcome.exit {
                Some(0) => drop(site.check().good()),
                Some(1) => assert!(outcome.stderr.starts_with("error["), "{path}, {what}: {}", outcome.stderr),
                other => panic!("{path}, {what}: {other:?}\n{}", outcome.stderr),
            }
            *ends.entry(if outcome.exit == Some(0) { "imported" } else { "refused" }).or_default() += 1;
        }
    }
    assert!(ends.values().sum::<usize>() >= 4 * 140, "{ends:?}");
}
