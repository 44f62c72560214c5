use serde_json::{Value, json};

use super::*;
use crate::formula::cost::USD_PER_MTOK_OUTPUT;

/// The numbers of a text that a record does not explain, as written.
fn unexplained<'a>(known: &Explanations, text: &'a str, is_title: bool) -> Vec<&'a str> {
    known.unexplained(text, is_title).into_iter().map(|span| &text[span]).collect()
}

fn known(record: &Value) -> Explanations {
    let mut known = Explanations::default();
    known.value("", record);
    known
}

/// The name of a number that may be of anything.
fn a_field() -> Name {
    Name::of_record("a field")
}

/// A run whose numbers are alike in nothing but their digits.
fn run() -> Explanations {
    let mut known = known(&json!({
        "published": "2026-08-14",
        "hardware": {"accelerator": "NVIDIA H100 80GB", "count": 4},
        "software": {"engine": "vllm", "engine_version": "0.26.0"},
        "model": {"name": "meta/Llama-3.3-70B"},
        "workload": {"arrival": "gamma, burstiness 0.7", "input_tokens": "mean 279", "output_tokens": "mean 183"},
        "power": {"window": "835 s; 83 readings a GPU"},
        "configs": [
            {
                "label": "0.3 req/s",
                "request_rate_rps": 0.3,
                "request_throughput_rps": 217.1,
                "output_tok_s": 54.7,
                "input_tok_s": 83.4,
                "node_power_kw": 0.034,
                "mbu_pct": 60.7,
                "ttft_p99_ms": 1500
            },
            {"label": "eight"}
        ]
    }));
    known.push_of_field("count", "GPUs", 4.0.into());
    known.push_of_field("concurrency", "requests", 16.0.into());
    known.push_of_field("measured_tps_at_ctx", "output tok/s", 19.0.into());
    known.push(a_field(), Unit::JoulesPerToken(TokenKind::Output), 0.6221.into());
    known.push(a_field(), Unit::TokensPerJoule(TokenKind::Output), 1.607.into());
    known.push(a_field(), USD_PER_MTOK_OUTPUT.unit, 0.289.into());
    known.push(a_field(), Unit::Percent, Quantity::between(4.7, 7.5));
    known
}

#[test]
fn a_host_has_numbers_in_its_note_and_nothing_else_has() {
    let known = known(&json!({"hosts": [{"key": "h", "note": "93 GiB free"}], "configs": [{"note": "94 GiB free"}]}));
    assert_eq!(unexplained(&known, "93 GiB and 94 GiB", true), ["94"]);
}

#[test]
fn fields_of_counts_explain_what_they_count() {
    let mut known = Explanations::default();
    for (unit, count) in [("requests", 11.0), ("repeats", 12.0), ("heads", 13.0), ("layers", 14.0), ("tokens", 15.0)] {
        known.push_of_field("count", unit, count.into());
    }
    let text = "11 requests, 12 repeats, 13 heads, 14 layers, 15 tokens";
    assert_eq!(unexplained(&known, text, true), [""; 0]);
    let text = "12 requests, 13 repeats, 14 heads, 15 layers, 11 tokens";
    assert_eq!(unexplained(&known, text, true).len(), 5);
}

#[test]
fn a_size_in_a_name_is_a_size_of_cards_alone() {
    let record = |field: &str| {
        let known = known(&json!({field: "Chip 85GB"}));
        unexplained(&known, "a pool of 85 GB", true).len()
    };
    assert_eq!((record("accelerator"), record("engine")), (0, 1));
}

#[test]
fn a_change_is_written_with_its_sign_or_with_the_way_it_goes() {
    let mut known = Explanations::default();
    known.push(a_field(), Unit::PercentChange, 20.0.into());
    known.push(a_field(), Unit::PercentChange, (-25.0).into());
    known.push(a_field(), Unit::Percent, 30.0.into());
    let text = "+20%, 20%, 20% less, -25%, 25%, 30%";
    assert_eq!(unexplained(&known, text, false), [""; 0]);
    assert_eq!(unexplained(&known, "-20%, +25%, -30%", false), ["20", "25", "30"]);
}

#[test]
fn bytes_of_a_field_explain_a_size() {
    let mut known = Explanations::default();
    known.push_of_field("size", "B", 73_728.0.into());
    assert_eq!(unexplained(&known, "73.7 kB, 73.8 kB, 73,728 tokens", false), ["73.8", "73,728"]);
}

#[test]
fn a_number_is_explained_by_one_of_its_unit_and_kind() {
    let run = run();
    for (text, expected) in [
        ("0.62 J for each output token", vec![]),
        ("0.62 J per token", vec![]),
        ("0.62 J", vec![]),
        ("0.26 J", vec!["0.26"]),
        ("0.62 J for each request", vec!["0.62"]),
        ("0.62 J for each input token", vec!["0.62"]),
        ("620 J per 1K output tokens", vec!["620"]),
        ("622 J per 1K output tokens", vec![]),
        ("0.3 requests per second", vec![]),
        ("0.3 requests a second", vec![]),
        ("0.7 requests per second", vec!["0.7"]),
        ("0.3 samples per second", vec!["0.3"]),
        ("55 output tokens per second", vec![]),
        ("55 tokens a second", vec![]),
        ("83 input tokens per second", vec![]),
        ("83 prefill tokens per second", vec![]),
        ("83 output tokens per second", vec!["83"]),
        ("55 prefill tokens per second", vec!["55"]),
        ("279 output tokens per second", vec!["279"]),
        ("55 output tok/s per user", vec!["55"]),
        ("19 output tok/s per user", vec![]),
        ("55 output tok/s per GPU", vec!["55"]),
        ("279 tokens", vec![]),
        ("34 W", vec![]),
        ("34 mW", vec!["34"]),
        ("83 W", vec!["83"]),
        ("1.6 tok/J", vec![]),
        ("1.6 tok/W", vec!["1.6"]),
        ("1.6 TFLOPS", vec!["1.6"]),
        ("a TTFT of 1.5 s", vec![]),
        ("a TTFT under 2 s", vec![]),
        ("a TTFT under 1.5 s", vec![]),
        ("a TTFT over 1.4 s", vec![]),
        ("not 1.5 s", vec![]),
        ("not 1.6 s", vec!["1.6"]),
        ("60.7%", vec![]),
        ("60.7x", vec!["60.7"]),
        ("$0.29", vec![]),
        ("a million output tokens cost $0.29", vec![]),
        ("a million input tokens cost $0.29", vec!["0.29"]),
        ("a thousand output tokens cost $0.29", vec!["0.29"]),
        ("16 requests in flight", vec![]),
        ("279 requests in flight", vec!["279"]),
        ("at 16 in flight", vec![]),
        ("5 to 7%", vec![]),
        ("from 55 to 83 tokens per second", vec![]),
        ("from 55 to 90 tokens per second", vec!["55 to 90"]),
        ("Llama 3.3 70B with vLLM 0.26 on August 14, 2026", vec![]),
        ("Version 0.26 on August 14, 2026", vec![]),
        ("217 requests and 55 output tokens per second", vec![]),
        ("at 0.26 of it", vec!["0.26"]),
        ("at 3.3 of it", vec!["3.3"]),
    ] {
        assert_eq!(unexplained(&run, text, false), expected, "{text}");
    }
}

#[test]
fn configs_and_cards_are_counted() {
    let run = run();
    for (title, expected) in [
        ("two vLLM configurations", vec![]),
        ("2 configs", vec![]),
        ("7 vLLM configurations", vec!["7"]),
        ("six configs", vec!["six"]),
        ("on four H100s", vec![]),
        ("on 4 GPUs", vec![]),
        ("on 4x H100", vec![]),
        ("on eight GPUs", vec!["eight"]),
        ("on four GPUs", vec![]),
        ("on eight H100s", vec!["eight"]),
        ("on a single H100", vec!["single"]),
        ("on 8 H100 GPUs", vec!["8"]),
        ("on 8x H100", vec!["8"]),
        ("eight users", vec![]),
        ("on one H100 node", vec![]),
    ] {
        assert_eq!(unexplained(&run, title, true), expected, "{title}");
    }
    assert_eq!(unexplained(&run, "eight of them on eight H100s", false), Vec::<&str>::new());
    let without = known(&json!({"hardware": {"accelerator": "H100"}}));
    assert_eq!(unexplained(&without, "on eight H100s", true), Vec::<&str>::new());
}

#[test]
fn a_value_with_a_unit_in_the_records_own_words_explains_that_unit() {
    let note = known(&json!({"variants": [{"values": [
        {"name": "prefill", "unit": "tok/s", "value": 8658.3},
        {"name": "speed", "unit": "tok/s", "value": 4321, "context_tokens": 512},
        {"name": "total_speed", "unit": "tok/s", "value": 71},
        {"name": "decode_speed", "unit": "tok/s", "value": 47},
        {"name": "cached_values", "unit": "values/token", "value": 110},
        {"name": "gain", "unit": "x", "value": [2.4, 4.2]},
        {"name": "usd_a_month", "unit": "$", "value": 12.34},
        {"name": "saving", "unit": "%", "value": -31.5},
        {"name": "writes", "unit": "of the base price", "value": 1.25},
        {"name": "in_time_of_100", "unit": "requests", "value": 73},
        {"name": "time_for_24_gib_ms", "unit": "ms", "value": 133},
    ]}], "hosts": [{"accelerator": "MI300X 16GB", "note": "80 GB of it"}], "note": "90 GB"}));
    for (text, expected) in [
        ("8,658 tokens per second", vec![]),
        ("8,658 input tokens per second", vec![]),
        ("8,658 output tokens per second", vec!["8,658"]),
        ("8,658 s", vec!["8,658"]),
        ("4,321 tokens per second", vec![]),
        ("4,321 input tokens per second", vec![]),
        ("at 512 tokens", vec![]),
        ("71 total tokens per second", vec![]),
        ("71 output tokens per second", vec!["71"]),
        ("47 output tokens per second", vec![]),
        ("47 input tokens per second", vec!["47"]),
        ("110 values/token", vec![]),
        ("110 values/layer", vec!["110"]),
        ("110 values", vec![]),
        ("2.4 to 4.2x", vec![]),
        ("3.0x", vec!["3.0"]),
        ("$12.34", vec![]),
        ("-31.5%", vec![]),
        ("31.5% less", vec![]),
        ("+31.5%", vec!["31.5"]),
        ("1.25 times the price", vec![]),
        ("73 of 100 requests", vec![]),
        ("24 GiB in 133 ms", vec![]),
        ("a pool of 80 GB on cards of 16 GB", vec![]),
        ("90 GB", vec!["90"]),
        ("$31.5", vec!["31.5"]),
    ] {
        assert_eq!(unexplained(&note, text, false), expected, "{text}");
    }
}

#[test]
fn an_observation_is_in_the_unit_of_its_metric() {
    let note = known(&json!({"observations": [{"metric": "prefix_cache_hit_pct", "value": 48.7}]}));
    for (text, expected) in [("48.7%", vec![]), ("48.7 s", vec!["48.7"]), ("49.7%", vec!["49.7"])] {
        assert_eq!(unexplained(&note, text, false), expected, "{text}");
    }
}

#[test]
fn what_stands_beside_a_stated_number_is_read_too() {
    let stated = |more: Value| known(&json!({"stated": [more]}));
    let beside = stated(json!({"figure": "usd_per_mtok_output", "as_written": "$0.289", "subject": "Rate 5"}));
    assert_eq!(unexplained(&beside, "5 of it", false), [""; 0]);
    // Of no figure, it is a number like others.
    let of_none = stated(json!({"as_written": "7 of it"}));
    assert_eq!(unexplained(&of_none, "7 of it", false), [""; 0]);
}

#[test]
fn a_stated_number_is_of_the_kind_of_its_figure() {
    let stated = known(&json!({"stated": [{"figure": "usd_per_mtok_output", "as_written": "$0.289"}]}));
    for (text, expected) in [
        ("$0.289", vec![]),
        ("a million output tokens cost $0.289", vec![]),
        ("a million input tokens cost $0.289", vec!["0.289"]),
        ("a thousand output tokens cost $0.289", vec!["0.289"]),
        ("0.289 s", vec!["0.289"]),
    ] {
        assert_eq!(unexplained(&stated, text, false), expected, "{text}");
    }
}

#[test]
fn an_excerpt_has_a_word_on_either_side() {
    let text = "It draws 34 W in the mean.";
    assert_eq!(excerpt(text, &(9..11)), "draws 34 W");
    assert_eq!(excerpt("34 W", &(0..2)), "34 W");
}

#[test]
fn a_change_of_a_latency_explains_a_number_beside_its_name() {
    let mut known = Explanations::default();
    let configs = [
        json!({"tpot_p99_ms": 15.0, "output_tok_s": 100, "ttft_p99_ms": 0}),
        json!({"tpot_p99_ms": 14.0, "output_tok_s": 150}),
        json!({"ttft_p99_ms": 500}),
    ];
    known.latency_changes(&configs, Some(0));
    for (text, expected) in [
        ("TPOT changes by -6.7%", vec![]),
        ("TPOT falls by 6.7%", vec![]),
        ("TPOT changes by +6.7%", vec!["6.7"]),
        ("TTFT changes by -6.7%", vec!["6.7"]),
        ("It costs 6.7% less. TPOT is low.", vec!["6.7"]),
        ("TPOT is low. It costs 6.7% less", vec!["6.7"]),
        ("TPOT of 1.5 s is low; it costs 6.7% less; and so on", vec!["1.5", "6.7"]),
        ("It costs less. With it TPOT falls by 6.7%. It is so.", vec![]),
        ("It is so.x TPOT. falls by 6.7%", vec!["6.7"]),
        ("TPOT changes by 50%", vec!["50"]),
    ] {
        assert_eq!(unexplained(&known, text, false), expected, "{text}");
    }
    let mut without = Explanations::default();
    without.latency_changes(&configs, None);
    assert_eq!(unexplained(&without, "TPOT changes by -6.7%", false), ["6.7"]);
    without.latency_changes(&configs, Some(2));
    assert_eq!(unexplained(&without, "TPOT changes by -6.7%", false), ["6.7"]);
}

#[test]
fn answers_are_counted_from_a_score() {
    let known = known(&json!({"accuracy": {"score_pct": 91.5, "questions": 200}, "other": {"questions": 30}}));
    for (text, expected) in [
        ("183 of 200 questions", vec![]),
        ("17 of 200 questions", vec![]),
        ("184 of 200 questions", vec!["184"]),
        ("183% of it", vec!["183"]),
    ] {
        assert_eq!(unexplained(&known, text, false), expected, "{text}");
    }
}

/// A number beside the name of a metric is one of that metric.
#[test]
fn a_number_that_is_said_of_a_metric_is_explained_by_that_alone() {
    let mut known = known(&json!({"configs": [{"ttft_p99_ms": 1500, "tpot_p99_ms": 15, "prefix_cache_hit_pct": 75}]}));
    known.push(Name::of_ours("cost_change_pct"), Unit::PercentChange, (-36.0).into());
    known.push(Name::of_ours("goodput_change_pct"), Unit::PercentChange, 79.0.into());
    known.push(Name::of_ours("gain_share_pct"), Unit::Percent, 83.0.into());
    known.push(Name::of_record("gsm8k"), Unit::Percent, 91.0.into());
    known.push(Name::of_ours("usd_per_mtok_output"), USD_PER_MTOK_OUTPUT.unit, 0.289.into());
    known.push(Name::of_ours("kv_bytes_per_token"), Unit::BytesPerToken, 73_728.0.into());
    for (text, expected) in [
        ("+79% goodput", vec![]),
        ("+83% goodput", vec!["83"]),
        ("83% of it", vec![]),
        ("36% more goodput", vec!["36"]),
        ("goodput falls by 36%", vec!["36"]),
        ("the cost falls by 36%", vec![]),
        ("it is 36% cheaper, and 79% more goodput", vec![]),
        ("it is 79% cheaper", vec!["79"]),
        ("a TTFT of 1.5 s", vec![]),
        ("a TPOT of 1.5 s", vec!["1.5"]),
        ("TTFT under 1.5 s and TPOT under 15 ms", vec![]),
        ("15 ms of TTFT", vec!["15"]),
        ("a hit rate of 75%", vec![]),
        ("a hit rate of 79%", vec!["79"]),
        ("an accuracy of 91%", vec![]),
        ("an accuracy of 75%", vec!["75"]),
        ("a million output tokens cost $0.289", vec![]),
        ("a token costs 72 KiB", vec![]),
        ("79% more at a lower cost", vec![]),
    ] {
        assert_eq!(unexplained(&known, text, false), expected, "{text}");
    }
}

#[test]
fn the_way_of_a_figure_and_the_statistic_of_a_time_are_held() {
    let mut known = run();
    let change = |id: &str, pct: f64, better: Better| Number {
        unit: Unit::PercentChange,
        quantity: pct.into(),
        name: Name::of_ours(id),
        sense: Sense { better, way: Way::Rises },
        of_a_user: false,
    };
    known.values.push(change("capacity_change_pct", 56.7, Better::Higher));
    known.values.push(change("cost_change_pct", -36.2, Better::Lower));
    let saving = Sense { better: Better::Higher, way: Way::Falls };
    let saved = change("saving_usd_per_month", 5891.0, Better::Higher);
    known.values.push(Number { unit: Unit::UsdPerMonth, sense: saving, ..saved });
    known.values.push(Number { unit: Unit::Ratio, ..change("capacity_ratio", 1.57, Better::Higher) });
    known.push_of_field("/configs/0/tpot_p95_ms", "ms", 140.0.into());
    for (text, expected) in [
        ("Capacity rises by 56.7%", vec![]),
        ("Capacity falls by 56.7%", vec!["56.7"]),
        ("56.7% more capacity", vec![]),
        ("56.7% less capacity", vec!["56.7"]),
        ("Cost falls by 36%", vec![]),
        ("Cost rises by 36%", vec!["36"]),
        ("36% cheaper", vec![]),
        ("36% dearer", vec!["36"]),
        ("a cost change of 36%", vec![]),
        // The words of the next statement are not of this one's number.
        ("Capacity rises by 57%. Cost falls by 36%.", vec![]),
        ("Capacity rises by 57%, and cost falls by 36%", vec![]),
        ("Capacity up 57%, cost down 36%.", vec![]),
        ("Cost down 36%, capacity up 57%.", vec![]),
        ("Capacity rises by 57%, so the fleet shrinks", vec![]),
        ("Capacity rises by 57%, and that saves much", vec![]),
        ("57% more capacity, 36% lower cost", vec![]),
        ("36% lower cost, 57% more capacity", vec![]),
        ("36% lower cost at 57% more capacity", vec![]),
        ("FP8 cuts cost by 36%, lifting capacity by 57%", vec![]),
        ("Capacity falls by 57%. Cost falls by 36%.", vec!["57"]),
        ("Capacity up 57%, cost up 36%.", vec!["36"]),
        ("Capacity changes by 57%, a fall", vec!["57"]),
        ("Saves $5,891 a month", vec![]),
        ("$5,891 a month less", vec![]),
        ("Costs $5,891 a month more", vec!["5,891"]),
        ("1.57 times more capacity", vec![]),
        ("1.57 times lower capacity", vec!["1.57"]),
        ("p95 TPOT is 140 ms", vec![]),
        ("p99 TPOT is 140 ms", vec!["140"]),
        ("a median TPOT of 140 ms", vec!["140"]),
        ("TPOT is 140 ms", vec![]),
        ("140 ms of p99 TPOT", vec!["140"]),
        // A bound is near what it bounds.
        ("over 130 ms", vec![]),
        ("over 1 ms", vec!["1"]),
        ("at least 100,000 requests per second", vec!["100,000"]),
        ("Measured over 720 requests", vec!["720"]),
    ] {
        assert_eq!(unexplained(&known, text, false), expected, "{text}");
    }
}
