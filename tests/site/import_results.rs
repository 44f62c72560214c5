//! Results of load generators as content: what a record needs, what becomes one, and what never leaves the file.

use serde_json::{Value, json};

use crate::program::{Outcome, Site, repository};

/// A result of vLLM's benchmark at an offered rate, with more keys on top; made up.
pub fn result(rate: f64, more: Value) -> Value {
    let mut result = json!({
        "date": "20260814-114707", "endpoint_type": "openai-chat", "backend": "openai-chat", "label": null,
        "model_id": "org/model", "tokenizer_id": "/home/someone/tokenizer", "num_prompts": 200, "request_rate": rate,
        "burstiness": 1.0, "max_concurrency": null, "duration": 200.0 / rate, "completed": 200, "failed": 0,
        "total_input_tokens": 200_000, "total_output_tokens": 20_000, "request_throughput": rate,
        "output_throughput": 100.0 * rate, "total_token_throughput": 1100.0 * rate,
        "median_ttft_ms": 80.0, "p95_ttft_ms": 100.0 * rate, "p99_ttft_ms": 150.0 * rate,
        "median_tpot_ms": 8.0, "p95_tpot_ms": 10.0 * rate, "p99_tpot_ms": 15.0 * rate,
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| result[key] = value.clone());
    if !members.contains_key("total_token_throughput") {
        let output = result["output_throughput"].as_f64().unwrap_or_default();
        result["total_token_throughput"] = (1000.0 * rate + output).into();
    }
    // No percentile is above a higher one.
    for metric in ["ttft", "tpot"] {
        let [p95, p99] = ["p95", "p99"].map(|percentile| result[format!("{percentile}_{metric}_ms")].clone());
        if !members.contains_key(&format!("p99_{metric}_ms")) && p95.as_f64() > p99.as_f64() {
            result[format!("p99_{metric}_ms")] = p95;
        }
    }
    result
}

/// What the results above leave open.
const ANSWERS: &str = "[hardware]\naccelerator = \"Test card\"\ncount = 2\n[software]\nengine = \"vllm\"\n";

const SLO: &str = "[slo]\nttft_p95_ms = 500\ntpot_p95_ms = 50\n";

/// A site with these results in one folder, and answers beside them.
fn site(answers: &str, results: &[Value]) -> Site {
    let site = Site::new().file("results/import.toml", answers);
    for (position, result) in results.iter().enumerate() {
        site.write(&format!("results/{position}.json"), result.to_string());
    }
    site
}

fn import(site: &Site) -> Outcome {
    let outcome = site.ask(&["import", "results"]).good();
    site.check().good();
    outcome
}

/// The one run record that was made.
fn run(site: &Site) -> Value {
    site.json(&format!("content/runs/{ID}.json"))
}

const ID: &str = "model-x2-test-card-vllm-2026-08-14";

#[test]
fn a_result_becomes_a_run_record_with_a_note_that_a_site_takes() {
    let site = site(ANSWERS, &[result(2.0, json!({}))]);
    let outcome = import(&site);
    assert_eq!(
        outcome.stdout,
        format!("content/runs/{ID}.json and content/runs/{ID}.md made of 0.json\n"),
        "{}",
        outcome.stderr
    );
    let record = run(&site);
    assert_eq!(record["hardware"], json!({"accelerator": "Test card", "count": 2}));
    assert_eq!(record["workload"]["arrival"], "Poisson");
    let config = &record["configs"][0];
    assert_eq!((&config["label"], &config["request_rate_rps"]), (&json!("2 req/s"), &json!(2.0)));
    assert_eq!((&config["output_tok_s"], &config["goodput_tok_s"]), (&json!(200.0), &Value::Null));
    assert_eq!((&config["ttft_p99_ms"], &config["requests"]["completed"]), (&json!(300.0), &json!(200)));
    let file = &record["spec"]["import"][0];
    assert_eq!((&file["format"], &file["file"]), (&json!("vllm-serve"), &json!("0.json")));
    let note = site.read(&format!("content/runs/{ID}.md"));
    let digest = file["sha256"].as_str().expect("it is text");
    assert!(digest.len() == 64 && note.contains(digest), "{note}");
    let all = record.to_string() + &note;
    assert!(!all.contains("someone"), "{all}");
}

#[test]
fn what_no_record_can_be_without_is_named_at_once_with_the_lines_to_write() {
    let site = Site::new().file("results/a.json", result(1.0, json!({})).to_string());
    let lines = [
        "results/a.json does not say hardware.accelerator, hardware.count, software.engine",
        "results/import.toml",
        "[hardware]",
        "accelerator = \"H100 80GB SXM\"",
        "count = 1",
        "engine = \"vllm\"",
        "# usd_per_gpu_hour = 2.69  # else: no cost",
    ];
    site.ask(&["import", "results/a.json"]).refused(&lines);
    assert!(!site.path("content/audits").exists());
    site.write("results/import.toml", "[hardware]\ncout = 1\n");
    site.ask(&["import", "results/a.json"]).refused(&[
        "schema/unknown-field",
        "import.toml:2:1",
        "did you mean `count`?",
    ]);
    site.write("elsewhere.toml", ANSWERS);
    site.ask(&["import", "results/a.json", "--answers", "nowhere.toml"]).ended(3, &["nowhere.toml"]);
    site.remove("results/import.toml");
    site.ask(&["import", "results/a.json", "--answers", "elsewhere.toml"]).good();
}

#[test]
fn goodput_is_a_rate_only_where_the_whole_run_met_the_slo() {
    for (more, goodput, passes) in [
        (json!({}), json!(200.0), json!(1)),
        (json!({"p95_ttft_ms": 501.0}), Value::Null, json!(0)),
        (json!({"completed": 199, "failed": 1}), Value::Null, json!(0)),
        // The limit is on p95, and there is none in the file.
        (json!({"p95_ttft_ms": null}), Value::Null, Value::Null),
    ] {
        let site = site(&format!("{ANSWERS}{SLO}"), &[result(2.0, more.clone())]);
        import(&site);
        let config = &run(&site)["configs"][0];
        assert_eq!((&config["goodput_tok_s"], &config["slo_pass_count"]), (&goodput, &passes), "{more}");
        assert_eq!(config["output_tok_s"], 200.0);
    }
}

#[test]
fn rates_at_one_slo_become_an_audit_with_the_capacity_as_delivered() {
    let delivered = |rate: f64, rps: f64| result(rate, json!({"request_throughput": rps, "duration": 200.0 / rps}));
    let cold = result(0.5, json!({"p95_ttft_ms": 900.0, "median_tpot_ms": 4.0}));
    let results = [cold, delivered(4.0, 3.9), delivered(2.0, 1.95), result(8.0, json!({}))];
    let site = site(&format!("{ANSWERS}{SLO}[price]\nusd_per_gpu_hour = 2.69\n"), &results);
    import(&site);
    site.build().good();
    let document = site.json(&format!("public/audits/{ID}.json"));
    let audit = &document["record"];
    let steps = audit["configs"][0]["steps"].as_array().expect("steps are a list");
    let offered: Vec<_> = steps.iter().map(|step| step["offered_rps"].as_f64().expect("a rate")).collect();
    assert_eq!(offered, [0.5, 2.0, 4.0, 8.0]);
    let capacity = &audit["configs"][0]["capacity"];
    assert_eq!((&capacity["request_rate_rps"], &capacity["output_tok_s"]), (&json!(3.9), &json!(400.0)));
    assert!(audit["price"]["assumed"].is_string());
    let figure = |id: &str| {
        let figures = document["figures"].as_array().expect("figures are a list");
        figures.iter().find(|figure| figure["id"] == id).expect("it is there").clone()
    };
    assert_eq!(figure("capacity_bracket_rps")["value"], json!([4, 8]));
    let cost = figure("usd_per_mtok_output");
    // 2.69 $/h × 2 GPUs over 400 tok/s × 3600 s.
    let usd = cost["value"].as_f64().expect("a number");
    assert!((usd - 2.0 * 2.69e6 / (3600.0 * 400.0)).abs() < 1e-9, "{usd}");
    assert_eq!(cost["basis"], "assumed");
}

#[test]
fn concurrency_at_one_slo_becomes_an_audit_with_a_bracket_in_concurrency() {
    let at = |concurrency: u64, ttft: f64| {
        let more = json!({"request_rate": "inf", "max_concurrency": concurrency, "p95_ttft_ms": ttft});
        result(f64::from(u32::try_from(concurrency).expect("small")) / 4.0, more)
    };
    let site = site(&format!("{ANSWERS}{SLO}"), &[at(16, 700.0), at(4, 100.0), at(8, 300.0)]);
    import(&site);
    site.build().good();
    let document = site.json(&format!("public/audits/{ID}.json"));
    assert_eq!(document["record"]["configs"][0]["capacity"]["request_rate_rps"], 2.0);
    let figures = document["figures"].as_array().expect("figures are a list");
    let bracket = figures.iter().find(|figure| figure["id"] == "capacity_bracket_concurrency");
    assert_eq!(bracket.expect("it is there")["value"], json!([8, 16]));
    let over = figures.iter().find(|figure| figure["id"] == "replicas_over_bracket").expect("it is there");
    assert!(over["missing"].as_str().is_some_and(|reason| reason.contains("concurrency")), "{over}");
}

#[test]
fn tokens_alone_make_a_capacity_without_a_rate_of_requests() {
    let at = |concurrency: u64, ttft: f64| {
        let load = json!({"request_rate": "inf", "max_concurrency": concurrency, "p95_ttft_ms": ttft});
        let mut result = result(2.0, load);
        for unknown in ["duration", "request_throughput"] {
            result[unknown] = Value::Null;
        }
        result
    };
    let lengths = "[workload]\ninput_tokens = 1000\noutput_tokens = 100\n";
    let model = "[model]\nquantization = \"FP8\"\nkv_dtype = \"fp8\"\nparallelism = \"TP2\"\n";
    let site = site(&format!("{ANSWERS}{model}{lengths}{SLO}"), &[at(8, 700.0), at(4, 100.0)]);
    import(&site);
    site.build().good();
    let document = site.json(&format!("public/audits/{ID}.json"));
    let (audit, config) = (&document["record"], &document["record"]["configs"][0]);
    assert_eq!(
        (&audit["parallelism"], &config["weight_dtype"], &config["kv_dtype"]),
        (&json!("TP2"), &json!("fp8"), &json!("fp8"))
    );
    let capacity = &config["capacity"];
    assert_eq!((&capacity["output_tok_s"], &capacity["request_rate_rps"]), (&json!(200.0), &Value::Null));
    let figures = document["figures"].as_array().expect("figures are a list");
    let figure = |id: &str| figures.iter().find(|figure| figure["id"] == id).expect("it is there");
    assert_eq!(figure("capacity_bracket_concurrency")["value"], json!([4, 8]));
    let silence = "`request_rate_rps` is not stated";
    assert_eq!(figure("output_tok_per_request")["missing"], silence);
}

#[test]
fn lengths_that_were_asked_for_stand_beside_those_that_came() {
    let asked = "[workload]\ntrace = \"other\"\ninput_tokens = 1024\noutput_tokens = 128\n";
    let site = site(&format!("{ANSWERS}{asked}"), &[result(2.0, json!({}))]);
    import(&site);
    let record = run(&site);
    assert_eq!(
        (&record["workload"]["input_tokens"], &record["workload"]["trace"]),
        (&json!("mean 1,000, 1,024 requested"), &json!("other"))
    );
    assert_eq!(record["configs"][0]["output_tokens_requested"], 128);
}

#[test]
fn depths_of_context_become_a_note_beside_the_run() {
    let test = |prompt: u64, generated: u64, depth: u64, speed: f64| {
        json!({
            "build_commit": "abc", "build_number": 1, "gpu_info": "Test card", "model_filename": "/home/someone/m.gguf",
            "model_type": "m 1B Q8_0", "type_k": "q8_0", "type_v": "q8_0", "n_prompt": prompt, "n_gen": generated,
            "n_depth": depth, "test_time": "2026-08-14T00:00:00Z", "avg_ts": speed, "stddev_ts": 0.0,
        })
    };
    let tests = [test(512, 0, 0, 900.0), test(0, 128, 0, 50.0), test(512, 0, 8192, 300.0), test(0, 128, 8192, 20.0)];
    let lines: Vec<_> = tests.iter().map(Value::to_string).collect();
    let site = Site::new().file("results/a.jsonl", lines.join("\n"));
    site.ask(&["import", "results", "--into", "content/runs"]).good();
    site.check().good();
    let id = "m-test-card-llama-cpp-2026-08-14";
    let config = &site.json(&format!("content/runs/{id}.json"))["configs"][3];
    assert_eq!((&config["context_tokens"], &config["output_tokens_requested"]), (&json!(8192), &json!(128)));
    let note = site.read(&format!("content/kv-efficiency/{id}-by-context.md"));
    for wanted in ["kv_dtype: q8_0", "context_tokens: 8192", "measured_tps_at_ctx: 20", "value: 300"] {
        assert!(note.contains(wanted), "{note}");
    }
    // At one depth there is nothing to hold against it.
    let site = Site::new().file("results/a.jsonl", lines[..2].join("\n"));
    site.ask(&["import", "results"]).good();
    assert!(!site.path("content/kv-efficiency").exists());
}

#[test]
fn loads_without_an_slo_and_what_cannot_be_judged_stay_configs_of_a_run() {
    let p99 = "[slo]\nttft_mean_ms = 500\n";
    for answers in [ANSWERS.to_owned(), format!("{ANSWERS}{p99}")] {
        let site = site(&answers, &[result(1.0, json!({})), result(2.0, json!({}))]);
        import(&site);
        let labels: Vec<_> =
            run(&site)["configs"].as_array().expect("a list").iter().map(|it| it["label"].clone()).collect();
        assert_eq!(labels, ["1 req/s", "2 req/s"]);
    }
}

#[test]
fn none_passed_is_a_finding_of_its_own() {
    let slow = |rate: f64| result(rate, json!({"p95_ttft_ms": 9000.0}));
    let site = site(&format!("{ANSWERS}{SLO}"), &[slow(1.0), slow(2.0)]);
    import(&site);
    let audit = site.read(&format!("content/audits/{ID}.md"));
    assert!(audit.contains("capacity: none passed"), "{audit}");
}

#[test]
fn a_sweep_folder_counts_each_run_once_and_repeats_as_repeats() {
    let of = |number: u64, output: f64, seqs: u64| {
        let more = json!({
            "run_number": number, "max_num_seqs": seqs, "output_throughput": output, "total_output_tokens": output * 100.0,
            "date": format!("20260814-11470{number}"),
        });
        result(2.0, more)
    };
    let runs = [of(0, 190.0, 4), of(1, 210.0, 4)];
    let site = site(ANSWERS, &[]);
    for (number, run) in runs.iter().enumerate() {
        site.write(&format!("results/SERVE--max_num_seqs=4-BENCH--/run={number}.json"), run.to_string());
    }
    site.write("results/SERVE--max_num_seqs=4-BENCH--/summary.json", json!(runs).to_string());
    site.write("results/SERVE--max_num_seqs=8-BENCH--/run=0.json", of(0, 300.0, 8).to_string());
    site.write(
        "results/SERVE--max_num_seqs=8-BENCH--/run=0.pytorch.json",
        "[{\"benchmark\": {}, \"model\": {}, \"metric\": {}}]",
    );
    site.write("results/summary.csv", ",max_num_seqs,mean_ttft_ms\n0,4,1\n");
    let outcome = import(&site);
    assert!(outcome.stdout.contains("run=0.pytorch.json passed over: no result of its own"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("summary.csv passed over"), "{}", outcome.stdout);
    let record = run(&site);
    let configs = record["configs"].as_array().expect("a list");
    assert_eq!(configs.len(), 2);
    assert_eq!((&configs[0]["label"], &configs[0]["repeats"]), (&json!("max_num_seqs 4"), &json!(2)));
    assert_eq!((&configs[0]["output_tok_s"], &configs[0]["samples_tok_s"]), (&json!(200.0), &json!([190.0, 210.0])));
    assert_eq!((&configs[1]["label"], &record["variance_band_pct"]), (&json!("max_num_seqs 8"), &json!(5.0)));
}

#[test]
fn a_failed_run_is_imported_as_one_and_the_page_says_so() {
    let zeros = json!({
        "completed": 0, "failed": 200, "total_input_tokens": 0, "total_output_tokens": 0, "request_throughput": 0.0,
        "output_throughput": 0.0, "total_token_throughput": 0.0, "median_ttft_ms": 0.0, "p95_ttft_ms": 0.0,
        "p99_ttft_ms": 0.0, "median_tpot_ms": 0.0, "p95_tpot_ms": 0.0, "p99_tpot_ms": 0.0,
    });
    let site = site(&format!("{ANSWERS}[price]\nusd_per_gpu_hour = 2.69\n"), &[result(2.0, zeros)]);
    import(&site);
    let config = &run(&site)["configs"][0];
    assert_eq!(config["failed"], "none of 200 requests completed");
    assert_eq!((&config["output_tok_s"], &config["ttft_p99_ms"]), (&Value::Null, &Value::Null));
    site.build().good();
    let page = site.read(&format!("public/runs/{ID}.html"));
    assert!(page.contains(" failed: none of 200 requests completed."), "{page}");
    let document = site.json(&format!("public/runs/{ID}.json"));
    let cost = document["figures"].as_array().expect("a list").iter().find(|it| it["id"] == "usd_per_mtok_output");
    assert_eq!(cost.expect("it says why there is none")["missing"], "the run failed: none of 200 requests completed");
}

#[test]
fn another_result_of_one_day_gets_an_address_of_its_own_and_the_same_one_is_refused() {
    let site = site(ANSWERS, &[result(1.0, json!({})), result(2.0, json!({"model_id": "/models/model"}))]);
    site.ask(&["import", "results/0.json"]).good();
    site.ask(&["import", "results/1.json"]).good();
    assert_eq!(std::fs::read_dir(site.path("content/runs")).expect("it is there").count(), 4);
    site.ask(&["import", "results/0.json"]).ended(2, &["is there already"]);
    site.check().good();
}

#[test]
fn a_price_of_a_note_stands_beside_every_cost() {
    let offer = "[price]\nusd_per_gpu_hour = 2.69\nprovider = \"RunPod\"\ntier = \"secure\"\ndate = 2026-10-01\n";
    let site = site(&format!("{ANSWERS}{offer}"), &[result(2.0, json!({}))]);
    import(&site);
    site.build().good();
    let document = site.json(&format!("public/runs/{ID}.json"));
    let figures = document["figures"].as_array().expect("figures are a list");
    let cost = figures.iter().find(|figure| figure["id"] == "usd_per_mtok_output").expect("it is there");
    assert_eq!(
        (&cost["label"], &cost["basis"]),
        (&json!("at $2.69/GPU-hour, RunPod secure, 2026-10-01"), &json!("computed"))
    );
}

#[test]
fn a_run_record_of_the_harness_is_taken_unedited_with_an_empty_note() {
    let record = crate::program::run_record("a-run");
    let site = Site::new().file("downloads/record.json", &record);
    site.ask(&["import", "downloads/record.json"]).good();
    site.check().good();
    assert_eq!(site.read("content/runs/a-run.json"), record);
    assert!(site.read("content/runs/a-run.md").contains("record.json"));
}

#[test]
fn files_go_into_the_folder_of_their_kind_below_a_root_and_else_where_they_are_asked_to() {
    let site = site(ANSWERS, &[result(2.0, json!({}))]);
    let other = Site::new();
    let root = other.path("");
    let into = |folder: &std::path::Path| folder.to_str().expect("plain names").to_owned();
    site.ask(&["import", "results/0.json", "--into", &into(&root)]).good();
    assert!(other.path(&format!("content/runs/{ID}.json")).exists());
    site.ask(&["import", "results/0.json", "--into", "content"]).good();
    assert!(site.path(&format!("content/runs/{ID}.md")).exists());
    site.ask(&["import", "results/0.json", "--into", "drafts/x"]).good();
    assert!(site.path(&format!("drafts/x/{ID}.json")).exists());
}

#[test]
fn what_is_not_recognised_says_what_was_looked_for() {
    let site = Site::new().file("a.json", "{\"a\": 1}").file("cut.json", "{\"model_id\": \"a\", \"num_prom");
    site.write("words.txt", "words");
    let throughput =
        "{\"elapsed_time\": 1.0, \"num_requests\": 1, \"total_num_tokens\": 5, \"tokens_per_second\": 5.0}";
    site.write("throughput.json", throughput);
    site.write("latency.json", "{\"avg_latency\": 1.0, \"latencies\": [1.0], \"percentiles\": {\"50\": 1.0}}");
    for (file, words) in [
        ("a.json", ["import/unknown", "vllm-serve (JSON with model_id"]),
        ("words.txt", ["import/unknown", "looked for"]),
        ("cut.json", ["import/unknown", "the file ends inside"]),
        ("throughput.json", ["import/no-result", "input and output together"]),
        ("latency.json", ["import/no-result", "seconds a batch"]),
    ] {
        site.ask(&["import", file]).refused(&words);
    }
    site.write("empty/.hidden", "");
    site.ask(&["import", "empty"]).refused(&["no file of the folder"]);
}

#[test]
fn what_other_tools_and_editors_do_to_a_file_changes_no_value_unsaid() {
    let plain = result(2.0, json!({})).to_string();
    let with = |text: String| {
        let site = Site::new().file("results/import.toml", ANSWERS).file("results/a.json", text);
        import(&site);
        let mut record = run(&site);
        record.as_object_mut().expect("an object").remove("spec");
        (record, site.read(&format!("content/runs/{ID}.md")))
    };
    let (expected, _) = with(plain.clone());
    for text in [
        format!("\u{feff}{}", plain.replace(',', ",\r\n")),
        format!("[INFO] server ready\ndevice 0: ready\n{plain}\n"),
        plain.replacen('{', "{\"std_ttft_ms\": NaN, \"p99_e2el_ms\": -Infinity, ", 1),
    ] {
        assert_eq!(with(text.clone()).0, expected, "{text}");
    }
    let (twice, note) = with(plain.replacen('{', "{\"output_throughput\": 9999.0, ", 1));
    assert_eq!(twice, expected);
    assert!(note.contains("output\\_throughput”"), "{note}");
    let site = Site::new().file("a.json", format!("{plain}\nready\n"));
    site.ask(&["import", "a.json"]).refused(&["json/syntax", "ready"]);
    let utf16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    site.write("a.json", utf16);
    site.ask(&["import", "a.json"]).refused(&["UTF-16"]);
}

#[test]
fn seconds_under_a_millisecond_name_are_doubted() {
    let site =
        site(ANSWERS, &[result(2.0, json!({"median_tpot_ms": 0.008, "p95_tpot_ms": 0.02, "p99_tpot_ms": 0.0406}))]);
    let outcome = import(&site);
    assert!(outcome.stdout.contains("tpot_p99_ms of 0.0406 is unlikely"), "{}", outcome.stdout);
    site.check().says(&[
        "unit/suspicious",
        "0.0406 ms would be 24,631 tokens/s for one user; is this in seconds, which would be 40.6 ms?",
    ]);
}

#[test]
fn counts_that_cannot_be_are_refused_before_anything_is_written() {
    let site = site(ANSWERS, &[result(2.0, json!({"completed": 150, "failed": 10}))]);
    site.ask(&["import", "results"]).refused(&["requests/counts", "150 completed + 10 failed"]);
    assert!(!site.path(&format!("content/runs/{ID}.json")).exists());
}

#[test]
fn the_list_and_the_readme_name_every_format() {
    let site = Site::new();
    let list = site.ask(&["import", "--list"]).good().stdout;
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("it is there");
    assert!(list.lines().count() >= 3, "{list}");
    for line in list.lines() {
        let (name, about) = line.split_once("  ").expect("a name and what it is");
        let row = format!("| `{name}` | {} |", about.trim());
        assert!(readme.contains(&row), "not in the README: {row}");
    }
}
