//! Rules of measurements: units, samples, counts, searches for capacity, accuracy.

use super::rules;

rules! {
    /// A value is so small or so large that its unit must be another.
    UNIT_SUSPICIOUS = Warning "unit/suspicious", Run;
    why "Seconds under a name that ends in `_ms` are off by 1,000.";
    bad r#""configs": [{"label": "a", "tpot_p99_ms": 0.0406}]"#;
    good r#""configs": [{"label": "a", "tpot_p99_ms": 40.6}]"#;

    /// A percentile is of fewer requests than it needs to have such a tail.
    LATENCY_SMALL_SAMPLE = Warning "latency/small-sample", Run;
    why "The p99 of 40 requests is their slowest one.";
    bad r#""configs": [{"label": "a", "ttft_p99_ms": 900, "requests": {"completed": 40}}]"#;
    good r#""configs": [{"label": "a", "ttft_p99_ms": 900, "requests": {"completed": 400}}]"#;

    /// A time per output token is shorter than it takes to read the weights once.
    LATENCY_BELOW_FLOOR = Error "latency/below-floor", Records;
    bad "a p99 TPOT of 1 ms, where the card needs 4.9 ms to read the model's weights";
    good "a p99 TPOT of 13 ms on the same card";

    /// A cost of tokens is far from any that there is.
    COST_IMPLAUSIBLE = Warning "cost/implausible", Audit;
    why "A price for a million tokens taken for one of a single token is off by that factor.";
    bad "configs: [{key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 0.05}}]";
    good "configs: [{key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 1649}}]";

    /// GPUs by role are not the GPUs that the record covers.
    RUN_GPU_ROLES = Error "run/gpu-roles", Run;
    bad r#""hardware": {"accelerator": "H", "count": 16}, "configs": [{"label": "a", "gpus": {"prefill": 4, "decode": 8}}]"#;
    good r#""hardware": {"accelerator": "H", "count": 16}, "configs": [{"label": "a", "gpus": {"prefill": 4, "decode": 12}}]"#;

    /// A model is spread over more GPUs than the record covers.
    RUN_PARALLELISM = Warning "run/parallelism", Run;
    why "Every number for one GPU is divided by the GPUs that the record covers.";
    bad r#""model": {"name": "M", "parallelism": "TP8"}, "hardware": {"accelerator": "H", "count": 4}"#;
    good r#""model": {"name": "M", "parallelism": "TP8 DP8"}, "hardware": {"accelerator": "H", "count": 8}"#;

    /// A total rate of tokens is not input and output together, or is less than one of them.
    RUN_TOKEN_RATES = Error "run/token-rates", Run;
    bad r#""configs": [{"label": "a", "output_tok_s": 1024, "total_tok_s": 1000}]"#;
    good r#""configs": [{"label": "a", "input_tok_s": 8192, "output_tok_s": 1024, "total_tok_s": 9216}]"#;

    /// A rate of output tokens is not that of the completed requests, over the duration or a second.
    RUN_OUTPUT_RATE = Warning "run/output-rate", Run;
    why "Harnesses take a rate over a window of their own, so that the two need not be of one time.";
    bad r#""configs": [{"label": "a", "requests": {"completed": 100}, "output_tokens_mean": 200.0, "duration_s": 10.00, "output_tok_s": 2100}]"#;
    good r#""configs": [{"label": "a", "requests": {"completed": 100}, "output_tokens_mean": 200.0, "duration_s": 10.00, "output_tok_s": 2000}]"#;

    /// More input tokens are cached than there are.
    AUDIT_CACHED_INPUT = Error "audit/cached-input", Audit;
    bad "workload: {input_tokens: 3000, cached_input_tokens: 4000}";
    good "workload: {input_tokens: 3000, cached_input_tokens: 2000}";

    /// All prompts share more tokens than a prompt has.
    AUDIT_SHARED_PREFIX = Error "audit/shared-prefix", Audit;
    why "The ceiling of hit rates is their ratio, and no rate is over 100%.";
    bad "workload: {input_tokens: 3000, shared_prefix_tokens: 5000}";
    good "workload: {input_tokens: 3000, shared_prefix_tokens: 2000}";

    /// The price that an audit states is not that of the quote it names.
    AUDIT_QUOTE = Error "audit/quote", Audit;
    bad "price: {usd_per_gpu_hour: 2.89, quote: prices/p}";
    good "price: {usd_per_gpu_hour: 2.69, quote: prices/p}";

    /// The price of one GPU's hour is far over every quote for its card in a record of several GPUs, or that of a node far under.
    PRICE_BASIS = Warning "price/basis", Audit;
    why "The price of a node taken for that of one GPU makes every cost as many times too high as it has GPUs, and the other way round too low.";
    bad "price: {usd_per_gpu_hour: 21.52}\nhardware: {accelerator: H, count: 8}";
    good "price: {usd_per_node_hour: 21.52, gpus_per_node: 8}\nhardware: {accelerator: H, count: 8}";

    /// A threshold of accuracy is finer than one question of the suite.
    ACCURACY_THRESHOLD = Warning "accuracy/threshold", Run;
    bad r#""accuracy": {"suite": "gsm8k", "questions": 50, "threshold_pts": 1.0}"#;
    good r#""accuracy": {"suite": "gsm8k", "questions": 200, "threshold_pts": 1.0}"#;

    /// No whole number of right answers gives the score.
    ACCURACY_SCORE = Warning "accuracy/score", Run;
    why "96.3% of 50 questions is 48.15 answers, so the score is of other questions or counts parts of answers.";
    bad r#""configs": [{"label": "a", "accuracy": {"suite": "gsm8k", "questions": 50, "score_pct": 96.3}}]"#;
    good r#""configs": [{"label": "a", "accuracy": {"suite": "gsm8k", "questions": 50, "score_pct": 96.0}}]"#;

    /// There is a score, and it is said that no suite ran.
    ACCURACY_NONE = Error "accuracy/none", Run;
    bad r#""configs": [{"label": "a", "accuracy": {"suite": "none", "score_pct": 96.0}}]"#;
    good r#""configs": [{"label": "a", "accuracy": {"suite": "none"}}]"#;

    /// Requests that completed, failed or were cut off are not those that were sent, or none completed and there is a rate.
    REQUESTS_COUNTS = Error "requests/counts", Run;
    bad r#""configs": [{"label": "a", "requests": {"sent": 200, "completed": 180, "failed": 10}}]"#;
    good r#""configs": [{"label": "a", "requests": {"sent": 200, "completed": 190, "failed": 10}}]"#;

    /// More or fewer requests met the SLO than the latencies of the same measurement, or its verdict, allow.
    REQUESTS_MET = Error "requests/met", Run;
    bad r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "ttft_p99_ms": 2100, "requests": {"sent": 1000, "completed": 1000, "met": 1000}}]"#;
    good r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "ttft_p99_ms": 2100, "requests": {"sent": 1000, "completed": 1000, "met": 985}}]"#;

    /// Some of the requests did not complete, or half of them were cut off.
    REQUESTS_UNFINISHED = Warning "requests/unfinished", Run;
    why "Rates count completed requests, and what was lost may be what was slow.";
    bad r#""configs": [{"label": "a", "requests": {"sent": 200, "completed": 190, "failed": 10}}]"#;
    good r#""configs": [{"label": "a", "requests": {"sent": 200, "completed": 200, "failed": 0}}]"#;

    /// Goodput or a pass is stated, and no limit that it is within.
    RUN_NO_SLO = Warning "run/no-slo", Run;
    why "Within no limits everything passes, and goodput is throughput.";
    bad r#""slo": null, "configs": [{"label": "a", "goodput_tok_s": 500}]"#;
    good r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "goodput_tok_s": 500}]"#;

    /// The SLO was met in more repeats than there were.
    RUN_PASSES = Error "run/passes", Run;
    bad r#""configs": [{"label": "a", "slo_pass_count": 5, "repeats": 2}]"#;
    good r#""configs": [{"label": "a", "slo_pass_count": 2, "repeats": 2}]"#;

    /// More requests are in flight on average than the load lets in.
    LOAD_IN_FLIGHT = Warning "load/in-flight", Run;
    why "By Little's law a rate times the time that each takes is what is in flight; one of the three numbers is of another load.";
    bad r#""configs": [{"label": "a", "concurrency": 8, "request_throughput_rps": 2.4, "e2el_mean_ms": 4000}]"#;
    good r#""configs": [{"label": "a", "concurrency": 8, "request_throughput_rps": 1.9, "e2el_mean_ms": 4000}]"#;

    /// A config was repeated another number of times than the record says of all.
    RUN_REPEATS = Warning "run/repeats", Run;
    bad r#""runs": 3, "configs": [{"label": "a", "repeats": 2}]"#;
    good r#""runs": 2, "configs": [{"label": "a", "repeats": 2}]"#;

    /// A config failed and has results all the same.
    RUN_FAILED = Error "run/failed", Run;
    why "What failed has no rates and no latencies; beside others it would be ranked.";
    bad r#""configs": [{"label": "a", "failed": "out of memory", "output_tok_s": 500}]"#;
    good r#""configs": [{"label": "a", "failed": "out of memory"}]"#;

    /// A spread between repeats is stated, and there was only one.
    RUN_BAND = Warning "run/band", Run;
    why "Without a second measurement there is nothing that it could be the spread of.";
    bad r#""runs": 1, "variance_band_pct": 1.5, "configs": [{"label": "a"}]"#;
    good r#""runs": 2, "variance_band_pct": 1.5, "configs": [{"label": "a"}]"#;

    /// More output tokens within the SLO than output tokens in all, or none where it was met.
    RUN_GOODPUT = Error "run/goodput", Run;
    why "Goodput is a part of throughput; one of the two is of other tokens or of another load.";
    bad r#""configs": [{"label": "a", "goodput_tok_s": 1000, "output_tok_s": 500}]"#;
    good r#""configs": [{"label": "a", "goodput_tok_s": 500, "output_tok_s": 500}]"#;

    /// A rate of requests is not that of the completed ones over the duration.
    REQUESTS_THROUGHPUT = Warning "requests/throughput", Run;
    why "Harnesses take a rate over a window of their own, so that the two need not be of one time.";
    bad r#""configs": [{"label": "a", "requests": {"completed": 180}, "duration_s": 20, "request_throughput_rps": 10}]"#;
    good r#""configs": [{"label": "a", "requests": {"completed": 180}, "duration_s": 20, "request_throughput_rps": 9}]"#;

    /// A text names another power boundary than `power.kind`, or a power has none.
    POWER_BOUNDARY = Warning "power/boundary", Run;
    why "A node draws far more than its GPU boards, so that energy under the wrong name is wrong by that much.";
    bad r#""summary": "It draws 0.6 kW of node power.", "power": {"kind": "board"}"#;
    good r#""summary": "It draws 0.6 kW of board power.", "power": {"kind": "board"}"#;

    /// More iterations are warm-up than there are.
    SAMPLES_WARMUP = Error "samples/warmup", Run;
    bad r#""configs": [{"label": "a", "samples_tok_s": [12, 40], "warmup": 3}]"#;
    good r#""configs": [{"label": "a", "samples_tok_s": [12, 40], "warmup": 1}]"#;

    /// More power samples had a clock limit than were taken.
    SAMPLES_THROTTLED = Warning "samples/throttled", Run;
    why "A share of samples cannot exceed all of them, so that one of the counts is of another time or rate.";
    bad r#""configs": [{"label": "a", "repeats": 2, "throttle_counts": {"sw_power_cap": 250}}],
"power": {"sampling_hz": 1}, "spec": {"measurement": {"window_s": 120}}"#;
    good r#""configs": [{"label": "a", "repeats": 2, "throttle_counts": {"sw_power_cap": 181}}],
"power": {"sampling_hz": 1}, "spec": {"measurement": {"window_s": 120}}"#;

    /// A stated rate is far from the mean of its own iterations.
    SAMPLES_MEAN = Warning "samples/mean", Run;
    bad r#""configs": [{"label": "a", "samples_tok_s": [40, 41, 42], "output_tok_s": 60}]"#;
    good r#""configs": [{"label": "a", "samples_tok_s": [40, 41, 42], "output_tok_s": 41}]"#;

    /// A stated mean has the warm-up in it.
    SAMPLES_WARMUP_IN_MEAN = Warning "samples/warmup-in-mean", Run;
    bad r#""configs": [{"label": "a", "samples_tok_s": [12, 40, 41, 42, 41], "warmup": 1, "output_tok_s": 35.2}]"#;
    good r#""configs": [{"label": "a", "samples_tok_s": [12, 40, 41, 42, 41], "warmup": 1, "output_tok_s": 41.0}]"#;

    /// Warm-up fell into a rate of a search, or may have: the first failed and a higher one passed.
    SWEEP_WARM_UP = Warning "sweep/warm-up", Run;
    why "Compilation and cold caches often fall into the first rate.";
    bad r#""configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": false}, {"offered_rps": 6, "passed": true}]}]"#;
    good r#""configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": true}, {"offered_rps": 6, "passed": false}]}]"#;

    /// A rate failed below one that passed.
    SWEEP_NON_MONOTONIC = Warning "sweep/non-monotonic", Run;
    bad r#""configs": [{"label": "a", "sweep": [
  {"offered_rps": 4, "passed": true}, {"offered_rps": 5, "passed": false}, {"offered_rps": 6, "passed": true}
]}]"#;
    good r#""configs": [{"label": "a", "sweep": [
  {"offered_rps": 4, "passed": true}, {"offered_rps": 5, "passed": true}, {"offered_rps": 6, "passed": false}
]}]"#;

    /// The highest rate of a search passed, so that capacity is only known from below.
    SWEEP_SATURATED = Warning "sweep/saturated", Run;
    bad r#""configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": true}]}]"#;
    good r#""configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": true}, {"offered_rps": 6, "passed": false}]}]"#;

    /// No rate of a search passed, so that capacity is only known from above.
    SWEEP_NONE_PASSED = Warning "sweep/none-passed", Run;
    bad r#""configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": false}]}]"#;
    good r#""configs": [{"label": "a", "sweep": [{"offered_rps": 4, "passed": true}, {"offered_rps": 5, "passed": false}]}]"#;

    /// The SLO is said to be met, at a capacity or in every repeat, with a latency over its limit.
    SLO_CONTRADICTED = Error "slo/contradicted", Run;
    why "Whoever trusts the capacity buys one that does not keep its limit.";
    bad r#""slo": {"tpot_p99_ms": 50}, "configs": [{"label": "a", "tpot_p99_ms": 60, "slo_pass_count": 2, "repeats": 2}]"#;
    good r#""slo": {"tpot_p99_ms": 50}, "configs": [{"label": "a", "tpot_p99_ms": 40, "slo_pass_count": 2, "repeats": 2}]"#;

    /// A percentile is above a higher one, or a request ends before its first token or within one of its tokens.
    LATENCY_ORDER = Error "latency/order", Run;
    bad r#""configs": [{"label": "a", "ttft_p50_ms": 100, "e2el_p50_ms": 50}]"#;
    good r#""configs": [{"label": "a", "ttft_p50_ms": 100, "e2el_p50_ms": 500}]"#;

    /// A mean request does not take the time to its first token and that of each of the others.
    LATENCY_MEANS = Warning "latency/means", Run;
    why "Of the same requests the three agree but for what means weigh; one of them is in another unit, or of other requests.";
    bad r#""configs": [{"label": "a", "output_tokens_mean": 100, "ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 10900}]"#;
    good r#""configs": [{"label": "a", "output_tokens_mean": 100, "ttft_mean_ms": 100, "tpot_mean_ms": 10, "e2el_mean_ms": 1090}]"#;

    /// A step is said to have passed with a latency over its limit.
    SWEEP_VERDICT = Error "sweep/verdict", Run;
    bad r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "sweep": [
  {"offered_rps": 5, "ttft_p99_ms": 2100, "passed": true}
]}]"#;
    good r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "sweep": [
  {"offered_rps": 5, "ttft_p99_ms": 2100, "passed": false}
]}]"#;

    /// More requests were delivered than offered.
    SWEEP_OVER_DELIVERED = Warning "sweep/over-delivered", Run;
    why "Nothing completes requests that were not sent, so that one of the two is another number.";
    bad r#""configs": [{"label": "a", "request_rate_rps": 4, "request_throughput_rps": 9}]"#;
    good r#""configs": [{"label": "a", "request_rate_rps": 4, "request_throughput_rps": 4.02}]"#;

    /// Far fewer requests were delivered than offered.
    SWEEP_UNDER_DELIVERED = Warning "sweep/under-delivered", Run;
    why "The queue grew: the load was not held.";
    bad r#""configs": [{"label": "a", "request_rate_rps": 10, "request_throughput_rps": 8}]"#;
    good r#""configs": [{"label": "a", "request_rate_rps": 10, "request_throughput_rps": 9.6}]"#;

    /// A config was tested at other rates than the baseline.
    SWEEP_UNEQUAL_RATES = Warning "sweep/unequal-rates", Run;
    why "A capacity is only as fine as the rates that were tried.";
    bad r#""configs": [
  {"label": "a", "sweep": [{"offered_rps": 5, "passed": true}]}, {"label": "b", "sweep": [{"offered_rps": 7, "passed": true}]}
]"#;
    good r#""configs": [
  {"label": "a", "sweep": [{"offered_rps": 5, "passed": true}]}, {"label": "b", "sweep": [{"offered_rps": 5, "passed": true}]}
]"#;

    /// Steps are said to have passed or failed, and the record sets no limit.
    SWEEP_LIMITS = Warning "sweep/limits", Run;
    why "A capacity is one within limits; without them nobody knows what passed.";
    bad r#""slo": {}, "configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": true}, {"offered_rps": 7, "passed": false}]}]"#;
    good r#""slo": {"ttft_p99_ms": 2000}, "configs": [{"label": "a", "sweep": [{"offered_rps": 5, "passed": true}, {"offered_rps": 7, "passed": false}]}]"#;

    /// A config takes far longer for a token than all the others, or has a rate far above all of them.
    SWEEP_OUTLIER = Warning "sweep/outlier", Run;
    bad r#""slo": {"tpot_p99_ms": 150}, "configs": [
  {"label": "a", "tpot_p99_ms": 11}, {"label": "b", "tpot_p99_ms": 13}, {"label": "c", "tpot_p99_ms": 100}
]"#;
    good r#""slo": {"tpot_p99_ms": 150}, "configs": [
  {"label": "a", "tpot_p99_ms": 11}, {"label": "b", "tpot_p99_ms": 13}, {"label": "c", "tpot_p99_ms": 12}
]"#;

    /// A capacity is none of the rates that were tested.
    CAPACITY_NOT_TESTED = Warning "capacity/not-tested", Audit;
    why "A delivered rate is another number than the rate at which it was offered.";
    bad "configs: [{key: a, rates_rps: [5, 6], capacity: {request_rate_rps: 5.36, output_tok_s: 1649}}]";
    good "configs: [{key: a, rates_rps: [5, 6], capacity: {request_rate_rps: 5, output_tok_s: 1649}}]";

    /// A capacity, or that there is none, is not what the steps of the config say.
    CAPACITY_STEPS = Error "capacity/steps", Audit;
    bad "configs:\n  - {key: a, steps: [{offered_rps: 5, passed: true}], capacity: none passed}";
    good "configs:\n  - {key: a, steps: [{offered_rps: 5, passed: false}], capacity: none passed}";

    /// The label or a field of an audit's config says something else than its flags do.
    AUDIT_FLAGS = Warning "audit/flags", Audit;
    why "One of them is of another measurement, and the figures rest on one of them.";
    bad "configs:\n  - {key: a, flags: --kv-cache-dtype fp8, kv_dtype: bf16, capacity: not measured}";
    good "configs:\n  - {key: a, flags: --kv-cache-dtype fp8, kv_dtype: fp8, capacity: not measured}";

    /// Output tokens and requests of one row do not stand to each other as in the other rows.
    CAPACITY_TOKENS_PER_REQUEST = Warning "capacity/tokens-per-request", Audit;
    why "One workload has outputs of one length, so that one of the two numbers is wrong.";
    bad "configs:\n  - {key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 1649}}\n  - {key: b, capacity: {request_rate_rps: 8.24, output_tok_s: 2533}}\n  - {key: c, capacity: {request_rate_rps: 8.4, output_tok_s: 2983}}";
    good "configs:\n  - {key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 1649}}\n  - {key: b, capacity: {request_rate_rps: 8.24, output_tok_s: 2533}}\n  - {key: c, capacity: {request_rate_rps: 8.4, output_tok_s: 2583}}";

    /// A run record gives no commands.
    REPRODUCE_MISSING = Warning "reproduce/missing", Run;
    why "A result that nobody else can repeat is hard to trust.";
    bad r#""reproduce": null"#;
    good r#""reproduce": "bench run --rate 4 --out a.json""#;

    /// A run record has fewer commands than configs.
    REPRODUCE_TOO_FEW = Warning "reproduce/too-few", Run;
    bad r#""configs": [{"label": "a"}, {"label": "b"}, {"label": "c"}], "reproduce": "bench run --rate 4\nbench run --rate 8""#;
    good r#""configs": [{"label": "a"}, {"label": "b"}], "reproduce": "bench run --rate 4\nbench run --rate 8""#;

    /// The commands of a run record differ only in names and output files, while its configs differ.
    REPRODUCE_SAME = Warning "reproduce/same", Run;
    why "Whoever runs them measures one config over and over.";
    bad r#""configs": [{"label": "a"}, {"label": "b"}], "reproduce": "bench run --label a --out a.json\nbench run --label b --out b.json""#;
    good r#""configs": [{"label": "a"}, {"label": "b"}], "reproduce": "bench run --rate 4 --out a.json\nbench run --rate 8 --out b.json""#;

    /// The label of a config says of a setting what neither the commands nor the spec do.
    REPRODUCE_LABEL = Warning "reproduce/label", Run;
    why "Whoever runs the commands measures something else than the label says.";
    bad r#""configs": [{"label": "90% shared prefix"}], "reproduce": "bench run --rate 4", "spec": {"workload": {"shared_prefix": 0}}"#;
    good r#""configs": [{"label": "90% shared prefix"}], "reproduce": "bench run --rate 4", "spec": {"workload": {"shared_prefix": 0.9}}"#;

    /// The label of a config says another rate of cache hits than its field.
    RUN_LABEL_HITS = Warning "run/label-hits", Run;
    bad r#""configs": [{"label": "90% shared prefix (89.2% cache hits)", "prefix_cache_hit_pct": 74.0}]"#;
    good r#""configs": [{"label": "90% shared prefix (89.2% cache hits)", "prefix_cache_hit_pct": 89.2}]"#;

    /// A command has another model than the record, another engine, storage type, limit or load, or more GPUs.
    REPRODUCE_CONTRADICTS = Warning "reproduce/contradicts", Run;
    why "Whoever runs the commands measures something else.";
    bad r#""reproduce": "vllm serve N --tensor-parallel-size 8\nbench run --rate 4""#;
    good r#""reproduce": "vllm serve M --tensor-parallel-size 1\nbench run --rate 4""#;

    /// A command, a flag, the environment or the spec names a path of one machine, or an address of one network.
    REPRODUCE_MACHINE_PATH = Warning "reproduce/machine-path", Run;
    bad r#""reproduce": "bench run --trace /workspace/traces/chat.jsonl""#;
    good r#""reproduce": "bench run --trace chat.jsonl""#;
}
