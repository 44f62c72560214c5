use super::*;

#[test]
fn a_number_is_one_however_it_is_written() {
    let spelled = |part: Part, text: &str| Setting::default().with(part, text).get(part).map(str::to_owned);
    for (part, text, expected) in [
        (Part::PrefixShare, "0.0%", "0%"),
        (Part::PrefixShare, "89.20 %", "89.2%"),
        (Part::PrefixShare, "0.04%", "0.04%"),
        (Part::PrefixShare, "at most 50%", "at most 50%"),
        (Part::InputTokens, "1024", "1,024"),
        (Part::InputTokens, "median 1024 · p90 4096", "median 1,024 · p90 4,096"),
        (Part::InputTokens, "1,024", "1,024"),
        (Part::InputTokens, "0.2500", "0.25"),
        (Part::InputTokens, "mean 1024.0", "mean 1,024"),
        (Part::InputTokens, "1,024.50", "1,024.50"),
        (Part::InputTokens, "trace 1.10.2 of 2024.", "trace 1.10.2 of 2,024."),
        (Part::Arrival, "Poisson, 2.0 req/s", "Poisson, 2 req/s"),
        (Part::OutputTokens, "dataset2024x 999", "dataset2024x 999"),
        (Part::Trace, "sharegpt 2023", "sharegpt 2023"),
    ] {
        assert_eq!(spelled(part, text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn tokens_of_a_chunk_are_seen_in_its_gaps_or_told_to_the_server() {
    let seen = |gap: Option<f64>, token: Option<f64>| {
        let of = |name: &str| if name == "itl_mean_ms" { gap } else { token };
        tokens_per_chunk(|name| of(name).map(Quantity::exact))
    };
    for (gap, token, expected) in [
        (Some(21.451), Some(21.452), Some("1")),
        (Some(117.38), Some(11.785), Some("10")),
        (Some(305.4), Some(10.35), Some("30")),
        (Some(132.08), Some(50.61), Some("2.6 on average")),
        (Some(194.9), Some(175.0), Some("1.1 on average")),
        // Requests weigh differently in the two means.
        (Some(30.99), Some(52.41), None),
        (Some(93.0), Some(100.0), None),
        (Some(1.0), Some(0.0), None),
        (Some(1.0), None, None),
        (None, Some(1.0), None),
    ] {
        assert_eq!(seen(gap, token).as_deref(), expected, "{gap:?} {token:?}");
    }
    for (line, expected) in [
        ("--stream-interval 10 --seed 1", Some("10")),
        ("--stream-interval=4", Some("4")),
        ("--stream-interval 10 --speculative-config x", None),
        ("--stream-interval 0", None),
        ("--seed 10", None),
    ] {
        assert_eq!(stream_interval(flags::of(line)).as_deref(), expected, "{line}");
    }
}

#[test]
fn one_gpu_leaves_no_choice_of_parallelism() {
    assert_eq!(parallelism(1, None).as_deref(), Some("1 GPU"));
    assert_eq!(parallelism(1, Some("1 replica × TP1")).as_deref(), Some("1 GPU"));
    assert_eq!(parallelism(8, None), None);
    assert_eq!(parallelism(8, Some("TP8")).as_deref(), Some("8 GPUs, TP8"));
}

#[test]
fn case_and_blanks_are_no_difference_but_where_they_name_something() {
    let mut known = Spellings::new();
    let mut spelled = |part: Part, text: &str| {
        let mut setting = Setting::default().with(part, text);
        setting.respell(&mut known);
        setting.get(part).map(str::to_owned)
    };
    for (part, text, expected) in [
        (Part::Trace, "ShareGPT  V3", "ShareGPT  V3"),
        (Part::Trace, "sharegpt v3", "ShareGPT  V3"),
        (Part::Arrival, "sharegpt v3", "sharegpt v3"),
        (Part::Trace, "sharegpt v4", "sharegpt v4"),
        (Part::Flags, "-O 3", "-O 3"),
        (Part::Flags, "-o 3", "-o 3"),
    ] {
        assert_eq!(spelled(part, text).as_deref(), Some(expected), "{text}");
    }
}
