//! Small results in each form, made up, and what they say.

use serde_json::json;

use super::*;

fn read(name: &str, text: &str) -> Vec<Measured> {
    let file = Foreign::of(name, text);
    assert!(LlamaBench.recognises(&file), "{text}");
    LlamaBench.read(&file, &mut Report::new()).expect("it is a result").runs
}

/// A test as JSON has it, then more.
fn entry(prompt: u64, generated: u64, more: Value) -> Value {
    let mut entry = json!({
        "build_commit": "0253fb21f", "build_number": 9187, "cpu_info": "a CPU", "gpu_info": "Test card", "backends": "CUDA",
        "model_filename": "/home/someone/models/Some-Model-1B-Q4_K_M.gguf", "model_type": "llama 1B Q4_K - Medium",
        "model_size": 799_862_912, "n_batch": 2048, "type_k": "f16", "type_v": "f16", "flash_attn": true, "cpu_mask": "0x0",
        "tensor_split": "0.00", "split_mode": "layer", "n_prompt": prompt, "n_gen": generated, "n_depth": 0,
        "test_time": "2025-10-28T14:35:36Z", "avg_ns": 1000, "stddev_ns": 0, "avg_ts": 100.5, "stddev_ts": 1.25,
        "samples_ns": [1, 1], "samples_ts": [99.25, 101.75],
    });
    let members = more.as_object().expect("an object");
    members.iter().for_each(|(key, value)| entry[key] = value.clone());
    entry
}

const NAMES: &str = "build_commit,build_number,gpu_info,model_filename,model_type,type_k,type_v,flash_attn,n_prompt,n_gen,n_depth,\
                     test_time,avg_ns,stddev_ns,avg_ts,stddev_ts";
const ROW: &str = r#""0253fb21f","9187","Test card, Test card","m/Some-Model.gguf-00001-of-00004.gguf","qwen2 7B Q4_0","f16","q8_0","1","0","128","8192","2025-04-24T11:57:09Z","1","1","100.5","1.25""#;

#[test]
fn every_form_of_json_gives_the_tests() {
    let (prompt, generated) = (entry(512, 0, json!({})), entry(0, 128, json!({"n_depth": 8192})));
    let array = format!("ggml_cuda_init: found 1 devices\n{}", json!([prompt, generated]));
    for text in [format!("{prompt}\n{generated}\n"), array] {
        let runs = read("a.json", &text);
        let of = |run: &Measured| (run.label.clone(), run.input_tok_s, run.output_tok_s);
        assert_eq!(of(&runs[0]), (Some("pp512".to_owned()), Some(100.5), None));
        assert_eq!(of(&runs[1]), (Some("tg128 @ d8192".to_owned()), None, Some(100.5)));
        let subject = &runs[0].subject;
        assert_eq!(
            (subject.model.as_deref(), subject.quantization.as_deref()),
            (Some("Some-Model-1B-Q4_K_M"), Some("Q4_K - Medium"))
        );
        assert_eq!(
            (subject.engine.as_deref(), subject.engine_version.as_deref()),
            (Some("llama.cpp"), Some("b9187 (0253fb21f)"))
        );
        assert_eq!((subject.accelerator.as_deref(), subject.gpus), (Some("Test card"), Some(1)));
        assert_eq!(
            (subject.kv_dtype.as_deref(), runs[0].date.map(|day| day.to_string())),
            (Some("f16"), Some("2025-10-28".to_owned()))
        );
        let settings = json!({
            "backends": "CUDA", "n_batch": 2048, "type_k": "f16", "type_v": "f16", "flash_attn": true, "split_mode": "layer",
        });
        assert_eq!(Value::Object(runs[0].settings.clone()), settings);
        assert!(runs[0].unread.is_empty() && runs[0].latencies_ms.is_empty());
        assert!(runs[0].remarks.contains("mean of 2 repetitions with a standard deviation of 1.25 tok/s"));
    }
}

#[test]
fn files_of_2023_have_truths_for_backends_and_no_depth() {
    let mut old = entry(
        512,
        128,
        json!({"cuda": true, "metal": false, "build_number": 1500, "model_type": "llama 7B mostly Q4_0"}),
    );
    for key in ["backends", "n_depth", "split_mode", "samples_ts"] {
        old.as_object_mut().expect("an object").remove(key);
    }
    let run = read("a.json", &json!([old]).to_string()).remove(0);
    assert_eq!((run.label.as_deref(), run.total_tok_s, run.output_tok_s), (Some("pp512+tg128"), Some(100.5), None));
    assert_eq!((&run.settings["cuda"], run.subject.quantization.as_deref()), (&json!(true), Some("Q4_0")));
}

#[test]
fn a_table_with_commas_is_read_by_name() {
    let run = read("a.csv", &format!("{NAMES}\r\n{ROW}\r\n")).remove(0);
    assert_eq!((run.label.as_deref(), run.output_tok_s), (Some("tg128 @ d8192"), Some(100.5)));
    let subject = &run.subject;
    assert_eq!((subject.model.as_deref(), subject.gpus), (Some("Some-Model"), Some(2)));
    assert_eq!(
        (subject.accelerator.as_deref(), subject.kv_dtype.as_deref()),
        (Some("Test card"), Some("f16 keys, q8_0 values"))
    );
    let single = entry(0, 1, json!({"gpu_info": "A, B", "split_mode": "none"}));
    assert_eq!(read("a.json", &single.to_string())[0].subject.accelerator.as_deref(), Some("A"));
    let both = entry(0, 1, json!({"gpu_info": "A, B"}));
    assert_eq!(read("a.json", &both.to_string())[0].subject.accelerator.as_deref(), Some("A, B"));
}

#[test]
fn a_row_with_a_value_too_few_is_refused() {
    let mut report = Report::new();
    let short = ROW.replacen("\"1\",", "", 1);
    let file = Foreign::of("a.csv", format!("{NAMES}\n{ROW}\n{short}\n"));
    assert!(LlamaBench.recognises(&file) && LlamaBench.read(&file, &mut report).is_none());
    let said: Vec<_> = report.diagnostics().map(|one| one.message.as_str()).collect();
    assert_eq!(said, ["line 3 has 15 values under 16 names"]);
}

#[test]
fn tables_of_markdown_are_told_apart_by_their_headings() {
    let table = |value: &str| {
        format!(
            "ggml_vulkan: Found 1 Vulkan devices:\nggml_vulkan: 0 = AMD Test (RADV X) (radv) | uma: 0\n\
             | model | size | params | backend | ngl | fa | test | t/s |\n| --- | ---: | ---: | --- | --: | -: | ---: | ---: |\n\
             | llama 7B Q4_0 | 3.56 GiB | 6.74 B | Vulkan | 99 | 1 | pp 512 | 490.97 ± 2.27 |\n\
             | llama 7B Q4_0 | 3.56 GiB | 6.74 B | Vulkan | 99 | 1 | tg128 @ d16 | {value} ± 0.13 |\n\nbuild: 34ce48d97 (7356)\n"
        )
    };
    let run = read("a.log", &table("86.06")).remove(1);
    assert_eq!((run.label.as_deref(), run.output_tok_s), (Some("tg128 @ d16"), Some(86.06)));
    assert_eq!(run.subject.engine_version.as_deref(), Some("b7356 (34ce48d97)"));
    assert_eq!((run.subject.accelerator.as_deref(), run.subject.gpus), (Some("AMD Test (RADV X)"), Some(1)));
    assert_eq!(Value::Object(run.settings), json!({"backends": "Vulkan", "ngl": 99, "fa": 1}));

    let runs = read("a.txt", &format!("### ONE ###\n{}### TWO ###\n{}", table("86.06"), table("32.04")));
    let labels: Vec<_> = runs.iter().filter_map(|run| run.label.as_deref()).collect();
    assert_eq!(labels, ["ONE, pp512", "ONE, tg128 @ d16", "TWO, pp512", "TWO, tg128 @ d16"]);
}

#[test]
fn a_run_that_died_is_a_failed_run() {
    let log = "ggml_cuda_init: found 1 ROCm devices:\n  Device 0: Some Card, gfx1151 (0x1151)\n/usr/sbin/llama-bench() [0x4066fb]\n";
    let run = read("a.log", log).remove(0);
    assert_eq!(run.failed.as_deref(), Some("llama-bench ended without a result"));
    assert_eq!(run.subject.accelerator.as_deref(), Some("Some Card"));
    assert!(!LlamaBench.recognises(&Foreign::of("a.log", "ggml_cuda_init: found 1 devices\n")));
    assert!(!LlamaBench.recognises(&Foreign::of("a.md", "use llama-bench\n")));
}

#[test]
fn a_speed_of_zero_is_none() {
    let run = read("a.json", &entry(0, 128, json!({"avg_ts": 0.0})).to_string()).remove(0);
    assert_eq!((run.output_tok_s, run.failed.as_deref()), (None, Some("the file has no speed of this test")));
}

#[test]
fn tests_go_by_their_names() {
    for (text, label) in [
        ("pp512", Some("pp512")),
        ("tg 128", Some("tg128")),
        ("pp512+tg128", Some("pp512+tg128")),
        ("tg128 @ d8192", Some("tg128 @ d8192")),
        ("tg128 @ d8192 (c5)", Some("tg128 @ d8192")),
        ("xx1", None),
        ("±", None),
        ("pp", None),
        ("tg1 (c", None),
    ] {
        assert_eq!(Test::parse(text).map(Test::label).as_deref(), label, "{text}");
    }
    assert_eq!(Test::parse("tg128 (c5)").and_then(|test| test.concurrency), Some(5));
}
