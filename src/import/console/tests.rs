//! Small pastes of each look, made up, and what they say.

use serde_json::json;

use super::super::measured::Offered;
use super::*;

/// A block of vLLM's benchmark.
const VLLM: &str = "\
============ Serving Benchmark Result ============
Successful requests:                     200       
Failed requests:                         0         
Maximum request concurrency:             32        
Benchmark duration (s):                  20.00     
Total input tokens:                      10000     
Total generated tokens:                  5000      
Request throughput (req/s):              10.00     
Output token throughput (tok/s):         250.04    
Peak output token throughput (tok/s):    300.00    
Total Token throughput (tok/s):          750.11    
---------------Time to First Token----------------
Mean TTFT (ms):                          30.00     
Median TTFT (ms):                        25.50     
P99 TTFT (ms):                           90.25     
-----Time per Output Token (excl. 1st token)------
P99 TPOT (ms):                           9.75      
---------------Speculative Decoding---------------
Acceptance rate (%):                     44.45     
Per-position acceptance (%):
  Position 0:                            66.01     
==================================================
";

/// A block of SGLang's.
const SGLANG: &str = "\
============ Serving Benchmark Result ============
Backend:                                 sglang-oai
Traffic request rate:                    inf       
Max request concurrency:                 not set   
Successful requests:                     100       
Benchmark duration (s):                  400.00    
Total input tokens:                      1000      
Total generated tokens:                  2000      
Total generated tokens (retokenized):    1990      
Request throughput (req/s):              0.25      
Input token throughput (tok/s):          2.50      
Output token throughput (tok/s):         5.00      
Total token throughput (tok/s):          7.50      
Concurrency:                             3.00      
Accept length:                           2.50      
----------------End-to-End Latency----------------
Mean E2E Latency (ms):                   2098.07   
Median E2E Latency (ms):                 606.86    
---------------Time to First Token----------------
Median TTFT (ms):                        25.00     
-----Time per Output Token (excl. 1st token)------
Median TPOT (ms):                        -0.00     
New label:                               a b
==================================================
";

fn read(name: &str, text: &str) -> Vec<Measured> {
    let file = Foreign::of(name, text);
    assert!(Console.recognises(&file), "{text}");
    let mut runs = Console.read(&file, &mut Report::new()).expect("it is a result").runs;
    runs.iter_mut().for_each(Measured::complete);
    runs
}

#[test]
fn a_block_of_vllm_is_a_run() {
    let run = read("a.txt", VLLM).remove(0);
    assert_eq!((run.requests.completed, run.requests.failed), (Some(200), Some(0)));
    assert_eq!((run.duration_s, run.load.concurrency), (Some(20.0), Some(32)));
    // The rate is finer as it is printed, the requests are finer as they were counted.
    assert_eq!((run.output_tok_s, run.total_tok_s, run.input_tok_s), (Some(250.04), Some(750.11), Some(500.0)));
    assert_eq!((run.request_throughput_rps, run.latencies_ms["ttft_p50_ms"]), (Some(10.0), 25.5));
    assert_eq!((run.latencies_ms["tpot_p99_ms"], run.latencies_ms.len()), (9.75, 4));
    assert!(run.unread.is_empty(), "{:?}", run.unread);
    assert!(run.remarks.iter().any(|remark| remark.contains("44.5%")), "{:?}", run.remarks);
}

#[test]
fn a_block_of_sglang_is_a_run() {
    let run = read("a.txt", SGLANG).remove(0);
    assert_eq!((run.load.offered, run.load.concurrency), (Some(Offered::Unlimited), None));
    assert_eq!((run.output_tok_s, run.input_tok_s, run.request_throughput_rps), (Some(5.0), Some(2.5), Some(0.25)));
    assert_eq!((run.latencies_ms["e2el_p50_ms"], run.latencies_ms.get("tpot_p50_ms")), (606.86, None));
    assert_eq!(
        (&run.settings["backend"], &run.unread),
        (&json!("sglang-oai"), &[("new label".to_owned(), json!("a b"))].into())
    );
    assert_eq!(run.subject.engine, None);
}

#[test]
fn text_is_found_wherever_it_was_pasted() {
    let bars = format!("INFO\n  0%|  | 0/2 [00:00<?]\r 50%|# | 1/2\r100%|##| 2/2\n{VLLM}");
    let quoted = VLLM.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let wrapped = json!({"success": true, "raw_output": format!("INFO\n{VLLM}"), "n": [1]}).to_string();
    let fenced = format!("# Report\r\n\r\n```\r\n{}```\r\n", VLLM.replace('\n', "\r\n"));
    for (name, text) in [("a.log", bars), ("a.md", quoted), ("a.json", wrapped), ("b.md", fenced)] {
        let runs = read(name, &text);
        assert_eq!((runs.len(), runs[0].output_tok_s), (1, Some(250.04)), "{name}");
    }
}

#[test]
fn what_stands_above_a_block_is_of_that_block_alone() {
    let options = "Namespace(backend='vllm', model='/home/someone/models/org--model', num_prompts=250, dataset_name='random', \
                   request_rate=inf, burstiness=1.0, max_concurrency=None)\nTraffic request rate: inf\n";
    let runs = read("a.txt", &format!("{options}{VLLM}{SGLANG}"));
    let of = |run: &Measured| (run.subject.model.clone(), run.requests.sent, run.load.dataset.clone());
    assert_eq!(of(&runs[0]), (Some("org/model".to_owned()), Some(250), Some("random".to_owned())));
    assert!(runs[0].lost_requests());
    assert_eq!(of(&runs[1]), (None, None, None));

    let command =
        "vllm bench serve --model org/model --num-prompts 200 --request-rate 0.3 --burstiness 0.7 --host secret\n";
    let run = read("a.md", &format!("{command}{VLLM}")).remove(0);
    assert_eq!((run.load.offered, run.requests.sent), (Some(Offered::Rate(0.3)), Some(200)));
    assert_eq!(run.load.arrival.as_deref(), Some("gamma, burstiness 0.7"));
    assert!(!format!("{run:?}").contains("secret"));
}

#[test]
fn a_disagreement_beyond_rounding_is_said() {
    let edited = VLLM.replace("250.04", "260.00");
    let run = read("a.txt", &edited).remove(0);
    assert!(
        run.remarks.iter().any(|remark| remark.starts_with("output_tok_s: the file states 260")),
        "{:?}",
        run.remarks
    );
    let slow = SGLANG
        .replace("Request throughput (req/s):              0.25", "Request throughput (req/s):              0.2549");
    assert_eq!(read("a.txt", &slow)[0].request_throughput_rps, Some(0.25));
}

#[test]
fn a_block_that_is_cut_off_is_refused() {
    let cut = &VLLM[..VLLM.len() / 2];
    for text in [cut.to_owned(), format!("{VLLM}{cut}"), format!("{cut}\n{VLLM}")] {
        let mut report = Report::new();
        let file = Foreign::of("a.txt", text);
        assert!(Console.recognises(&file) && Console.read(&file, &mut report).is_none());
        assert_eq!(report.diagnostics().map(|one| one.rule.code).collect::<Vec<_>>(), ["import/content"]);
    }
    assert!(!Console.recognises(&Foreign::of("a.txt", "the Serving Benchmark Result was good")));
}
