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
        recognises: |file| {
            first(file).is_some_and(|it| it.has("batch_size") && it.has("overall_throughput") && it.has("input_len"))
        },
        what: "a report of SGLang's one-batch benchmark: one batch at a time has neither percentiles nor arriving requests",
        instead: "import a result of SGLang's `bench_serving`",
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
            let energy = |it: Fields| it.has("energy_per_token_joules") && it.has("avg_power_watts");
            let configurations = first(file).and_then(|it| it.list("configurations")).unwrap_or_default();
            configurations.iter().filter_map(serde_json::Value::as_object).any(|it| energy(Fields(it)))
        },
        what: "results of the ML.ENERGY leaderboard: power and gaps between tokens by batch size, without TTFT and requests",
        instead: "state its figures in a note",
    },
    Refused {
        recognises: |file| head(file).starts_with(',') && head(file).contains("mean_ttft_ms"),
        what: "the summary of a vLLM parameter sweep as a table",
        instead: "import the folder, whose run=*.json and summary.json hold the same runs",
    },
];

fn first(file: &Foreign) -> Option<Fields<'_>> {
    file.fields().next()
}

fn head(file: &Foreign) -> &str {
    file.text.lines().next().unwrap_or_default()
}

/// Why a file is refused, where it is one of those that are.
pub fn refusal(file: &Foreign) -> Option<Diagnostic> {
    let refused = REFUSED.iter().find(|refused| (refused.recognises)(file))?;
    let location = Location::File(file.text.path.clone());
    let message = format!("no result of its own: {}", refused.what);
    Some(Diagnostic::new(&rules::IMPORT_NO_RESULT, location, message).help(refused.instead))
}
