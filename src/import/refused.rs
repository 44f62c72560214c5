//! Files that are recognised and are no result of their own: what each is, and what to import in its place.

use super::Foreign;
use super::json::Fields;
use crate::diagnostic::{Diagnostic, Location, rules};

/// A kind of file that is refused by name.
pub struct Refused {
    recognises: fn(&Foreign) -> bool,
    /// What it is and why it is no result.
    what: &'static str,
    instead: &'static str,
}

/// In the order in which files are held against them.
static REFUSED: &[Refused] = &[
    Refused {
        recognises: |file| first(file).is_some_and(|it| it.has("tokens_per_second") && it.has("total_num_tokens")),
        what: "a vLLM throughput report: its tokens per second count input and output together, and nothing says how many \
               were output",
        instead: "import a result of `vllm bench serve`, which counts them apart",
    },
    Refused {
        recognises: |file| first(file).is_some_and(|it| it.has("avg_latency") && it.has("percentiles")),
        what: "a vLLM latency report: seconds a batch, without its size and without the lengths",
        instead: "import a result of `vllm bench serve`, whose latencies are those of requests",
    },
    Refused {
        recognises: |file| file.fields().any(|it| it.has("benchmark") && it.has("metric") && it.has("model")),
        what: "a result in the form of PyTorch's dashboard, beside a file of the same name without `.pytorch`",
        instead: "import that other file",
    },
    Refused {
        recognises: |file| first(file).is_some_and(|it| it.part("server_config").is_some() && !it.has("configs")),
        what: "a sidecar that describes the server of the results beside it",
        instead: "write what it says into import.toml and import the results",
    },
    Refused {
        recognises: |file| head(file).contains("power.draw") && !head(file).contains("timestamp"),
        what: "readings of GPU power without times",
        instead: "log power beside the run, with `nvidia-smi --query-gpu=timestamp,index,power.draw,utilization.gpu \
                  --format=csv -l 1`",
    },
    Refused {
        recognises: |file| head(file).contains("total_energy_consumption"),
        what: "an energy counter of GPUs at one moment, which belongs to a result and to a counter at another moment",
        instead: "log power beside the run",
    },
    Refused {
        recognises: |file| head(file).starts_with("Time,") && head(file).contains(",Watts,"),
        what: "a log of SPEC PTDaemon: power at the wall of an MLPerf run, whose summary does not say when it ran",
        instead: "import the summary, and state the power in its note",
    },
    Refused {
        recognises: |file| head(file).contains("avg_power") && head(file).contains("Throughput"),
        what: "a table of batches with their mean power in milliwatts: its throughput counts input and output together",
        instead: "import results of a load generator",
    },
    Refused {
        recognises: |file| {
            let of_batch =
                |it: Fields| ["run_name", "batch_size", "input_len", "output_len"].iter().all(|key| it.has(key));
            first(file).is_some_and(of_batch)
        },
        what: "an SGLang one-batch report: a single batch without arrivals, latencies of requests or percentiles, in which \
               no SLO can be met or missed",
        instead: "import a result of SGLang's `bench_serving`",
    },
    Refused {
        recognises: |file| {
            let keys = ["load_summary", "successes", "failures"];
            first(file).is_some_and(|it| keys.iter().all(|key| it.has(key)))
        },
        what: "an inference-perf report, which is not read yet and names neither model nor engine",
        instead: "import a result of another load generator on the same server",
    },
    Refused {
        recognises: is_llmd_report,
        what: "an llm-d benchmark report, the common shape that other harnesses' results are turned into",
        instead: "import the harness's own file, which it was made of",
    },
    Refused {
        recognises: |file| {
            let head = file.text.lines().next().unwrap_or_default().trim_start_matches('\u{feff}');
            let at = |name: &str| head.split(',').position(|cell| cell.trim() == name);
            // Percentiles go up; those of genai-perf come down.
            at("Metric") == Some(0) && at("p1").zip(at("p99")).is_some_and(|(low, high)| low < high)
        },
        what: "AIPerf's table: two decimals, which turn 0.035 requests per second into 0.03",
        instead: "import the profile_export_aiperf.json beside it, which has every digit",
    },
    Refused {
        recognises: |file| first(file).is_some_and(|it| it.part("metadata").is_some_and(|it| it.has("x_request_id"))),
        what: "AIPerf's records of single requests, which name no model and no load",
        instead: "import the profile_export_aiperf.json beside it",
    },
    Refused {
        recognises: |file| file.text.text.starts_with(":::MLLOG "),
        what: "the detail log of an MLPerf run",
        instead: "import the mlperf_log_summary.txt beside it",
    },
    Refused {
        recognises: |file| {
            let mut lines = file.text.lines().filter(|line| !line.trim().is_empty()).peekable();
            let said = |line: &str| line.starts_with("No ") && line.ends_with(" encountered during test.");
            lines.peek().is_some() && lines.all(said)
        },
        what: "the summary of an MLPerf accuracy run, which measures no speed",
        instead: "import the mlperf_log_summary.txt of the performance run",
    },
    Refused {
        recognises: |file| {
            first(file).is_some_and(|it| it.has("accelerator_model_name") && it.has("accelerators_per_node"))
        },
        what: "the description of a system that MLPerf results were measured on",
        instead: "write its accelerator, their number and the framework into import.toml beside the results",
    },
    Refused {
        recognises: |file| {
            let energy = |it: Fields| it.has("energy_per_token_joules") && it.has("avg_power_watts");
            let configurations = first(file).and_then(|it| it.list("configurations")).unwrap_or_default();
            configurations.iter().filter_map(serde_json::Value::as_object).any(|it| energy(Fields(it)))
        },
        what: "an ML.ENERGY report: power and gaps between tokens by batch size, without TTFT and requests",
        instead: "state its figures in a note",
    },
    Refused {
        recognises: |file| head(file).starts_with(',') && head(file).contains("mean_ttft_ms"),
        what: "the summary of a vLLM parameter sweep as a table",
        instead: "import the folder, whose run=*.json and summary.json hold the same runs",
    },
    Refused {
        recognises: |file| columns(file, &["cache_type", "kv_buffer_mib"]),
        what: "a table of the cache's buffer by its storage type: the buffer is set aside for the whole context, and neither \
               model nor accelerator is named",
        instead: "state its figures in a KV-efficiency note of the model, with the context that the server was started for",
    },
    Refused {
        recognises: |file| columns(file, &["cache_type", "test", "depth", "tokens_per_sec"]),
        what: "a table of llama-bench speeds by the cache's storage type, made of its results by hand",
        instead: "import the output of `llama-bench` itself, in whatever form",
    },
    Refused {
        recognises: |file| columns(file, &["cache_mode", "mean", "min", "max"]),
        what: "a table by cache mode: means without a unit, of a benchmark whose own results it belongs to",
        instead: "import those results, or state its figures in a KV-efficiency note",
    },
    Refused {
        recognises: |file| columns(file, &["user_id", "question_id", "ttft", "generation_time"]),
        what: "LMCache's list of single requests of a multi-round benchmark, which belongs to a run and names neither its \
               model nor its load",
        instead: "state what it comes to in a KV-efficiency note of that run",
    },
    Refused {
        recognises: |file| columns(file, &["source_file", "profile", "ttft_mean_ms"]),
        what: "a table that somebody made of load generators' results, a row a file",
        instead: "import the files that its first column names",
    },
];

/// Whether the first line names all these columns.
fn columns(file: &Foreign, names: &[&str]) -> bool {
    let cells = || head(file).trim_start_matches('\u{feff}').split(',').map(|cell| cell.trim_matches([' ', '"']));
    names.iter().all(|name| cells().any(|cell| cell == *name))
}

fn first(file: &Foreign) -> Option<Fields<'_>> {
    file.fields().next()
}

fn head(file: &Foreign) -> &str {
    file.text.lines().next().unwrap_or_default()
}

/// YAML or JSON with a version of the report, a scenario, and metrics or results.
fn is_llmd_report(file: &Foreign) -> bool {
    let json = |it: Fields| it.has("scenario") && it.has("version") && (it.has("metrics") || it.has("results"));
    let has = |key: &str| file.text.lines().any(|line| line.starts_with(key));
    first(file).is_some_and(json) || (has("version:") && has("scenario:") && (has("metrics:") || has("results:")))
}

/// Why a file is refused, where it is one of those that are.
pub fn refusal(file: &Foreign) -> Option<Diagnostic> {
    let refused = REFUSED.iter().find(|refused| (refused.recognises)(file))?;
    let location = Location::File(file.text.path.clone());
    let message = format!("no result of its own: {}", refused.what);
    Some(Diagnostic::new(&rules::IMPORT_NO_RESULT, location, message).help(refused.instead))
}
