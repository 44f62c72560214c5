//! Small reports of each version, made up.

use super::*;

fn report() -> Value {
    json!({
        "engine": {
            "model": "org/model", "model_path": "/home/someone/model", "version": "0.20.0", "backend": "Pytorch",
            "dtype": "bfloat16", "kv_cache_dtype": "FP8", "quantization": "None", "engine_dir": "None",
        },
        "world_info": {
            "tp_size": 2, "pp_size": 1, "ep_size": null, "world_size": 2, "max_batch_size": 8, "issue_rate": 4.9e14,
        },
        "request_info": {"num_requests": 10, "avg_input_length": 100.0, "avg_output_length": 20.0},
        "performance": {
            "total_latency_ms": 5000.0, "request_throughput_req_s": 2.0, "system_output_throughput_tok_s": 40.0,
            "system_total_throughput_tok_s": 240.0,
            "request_latency_percentiles_ms": {"p50": 500.0, "p99": 900.0, "minimum": 1.0, "average": 510.0},
        },
        "dataset": {"dataset_path": "/out/prompts.jsonl"},
    })
}

fn read(text: &str) -> Measured {
    let file = Foreign::of("a.txt", text);
    assert!(TrtLlmBench.recognises(&file));
    let mut run = TrtLlmBench.read(&file, &mut Report::new()).expect("it is a report").runs.remove(0);
    run.complete();
    run
}

#[test]
fn a_report_is_read_with_and_without_streaming() {
    let run = read(&report().to_string());
    assert_eq!((run.output_tok_s, run.total_tok_s, run.request_throughput_rps), (Some(40.0), Some(240.0), Some(2.0)));
    assert_eq!((run.duration_s, run.load.offered), (Some(5.0), Some(Offered::Unlimited)));
    assert_eq!((run.latencies_ms["e2el_p99_ms"], run.latencies_ms["e2el_mean_ms"]), (900.0, 510.0));
    let subject = &run.subject;
    assert_eq!((subject.gpus, subject.parallelism.as_deref()), (Some(2), Some("TP2 PP1")));
    assert_eq!((subject.quantization.as_deref(), subject.kv_dtype.as_deref()), (None, Some("FP8")));
    assert_eq!((run.load.dataset.as_deref(), run.remarks.len()), (Some("prompts.jsonl"), 1));
    assert!(!format!("{run:?}").contains("someone"));

    let mut newer = report();
    newer["machine"] = json!({"name": "Test card", "memory.total": 95.0});
    newer["streaming_metrics"] = json!({
        "avg_ttft_ms": 5.0, "ttft_percentiles": {"p50": 3.0, "p99": 15.0, "average": 5.0},
        "tpot_percentiles": {"p50": 1.7, "p99": 1.8}, "gen_tps_percentiles": {"p99": 276_129.0},
    });
    let run = read(&newer.to_string());
    assert_eq!((run.latencies_ms["ttft_p99_ms"], run.latencies_ms["tpot_p50_ms"]), (15.0, 1.7));
    assert_eq!((run.subject.accelerator.as_deref(), run.remarks.len()), (Some("Test card"), 0));
}

#[test]
fn printed_reports_say_the_same() {
    let early = "[TensorRT-LLM] TensorRT-LLM version: 0.16.0\n[07/11/2025-08:01:58] [TRT-LLM] [I] Preparing to run throughput \
                 benchmark...\n= ENGINE DETAILS\nModel:\t\t\torg/model\nTensorRT-LLM Version:\t0.16.0\nKV Cache Dtype:\t\tFP8\n\
                 TP Size:\t\t2\nPP Size:\t\t1\nKV Memory Percentage:\t90.00%\nIssue Rate (req/sec):\t5.7965E+13\n\
                 = PERFORMANCE OVERVIEW\nNumber of requests:\t\t10\nAverage Input Length (tokens):\t100.0000\n\
                 Average Output Length (tokens):\t20.0000\nToken Throughput (tokens/sec):\t40.0000\n\
                 Request Throughput (req/sec):\t2.0000\nTotal Latency (ms):\t\t5000.0000\n";
    let later = "[07/11/2025-08:01:58] [TRT-LLM] [I] Starting benchmark...\nModel:                  org/model\n\
                 KV Cache Dtype:         FP8\nTP Size:                2\nEP Size:                None\nPP Size:                1\n\
                 Average Input Length (tokens):  100.0000\nAverage Output Length (tokens): 20.0000\n\
                 Issue Rate (req/sec):   4.8894E+14\n= PERFORMANCE OVERVIEW\nRequest Throughput (req/sec):           2.0000\n\
                 Total Output Throughput (tokens/sec):   40.0000\nTotal Token Throughput (tokens/sec):    240.0000\n\
                 Total Latency (ms):                     5000.0000\n[Latency] P50    : 500.0000\n[TTFT] P99    : 15.0\n\
                 Number of Sequences:  10\n";
    for text in [early, later] {
        let run = read(text);
        assert_eq!(
            (run.output_tok_s, run.total_tok_s, run.request_throughput_rps),
            (Some(40.0), Some(240.0), Some(2.0))
        );
        assert_eq!((run.requests.completed, run.duration_s), (Some(10), Some(5.0)));
        assert_eq!((run.subject.gpus, run.subject.model.as_deref()), (Some(2), Some("org/model")));
        assert_eq!((run.load.offered, run.date), (Some(Offered::Unlimited), Some(Date::constant(2025, 7, 11))));
    }
    assert_eq!(read(early).subject.engine_version.as_deref(), Some("0.16.0"));
    assert_eq!((read(later).latencies_ms["e2el_p50_ms"], read(later).latencies_ms["ttft_p99_ms"]), (500.0, 15.0));
}

#[test]
fn a_log_without_a_report_is_a_failed_run() {
    let run = read(
        "[TensorRT-LLM] TensorRT-LLM version: 0.16.0\n[07/11/2025-11:40:45] [TRT-LLM] [I] Preparing to run a benchmark\n",
    );
    assert_eq!(run.failed.as_deref(), Some("the log ends before any result"));
    assert_eq!((run.subject.engine_version.as_deref(), run.output_tok_s), (Some("0.16.0"), None));
}

#[test]
fn with_one_output_token_there_is_no_tpot() {
    let mut streamed = report();
    streamed["streaming_metrics"] =
        json!({"ttft_percentiles": {"p50": 3.0}, "tpot_percentiles": {"p50": 0.0, "p99": 0.0}});
    let run = read(&streamed.to_string());
    assert!(!run.latencies_ms.contains_key("tpot_p50_ms") && run.remarks.len() == 1, "{run:?}");
}
