//! Which runs belong together, which are one, and what they are called.

use super::*;
use crate::import::measured::Requests;

fn found(run: Measured) -> Found {
    let origin = Origin { format: "x", file: "a".to_owned(), sha256: String::new() };
    Found { run, origins: BTreeSet::from([Arc::new(origin)]), folder: PathBuf::new(), price: None }
}

/// A run at an offered rate with an output rate that tells it from others.
fn at(rate: f64, output_tok_s: f64) -> Measured {
    let mut run = Measured { output_tok_s: Some(output_tok_s), ..Measured::default() };
    run.load.offered = Some(Offered::Rate(rate));
    run
}

fn labels(runs: Vec<Measured>) -> Vec<Vec<String>> {
    let sets = sets(runs.into_iter().map(found).collect());
    sets.into_iter().map(|set| set.configs.into_iter().map(|config| config.label).collect()).collect()
}

#[test]
fn configs_are_called_by_what_differs() {
    let with = |key: &str, value: Value, mut run: Measured| {
        run.settings.insert(key.to_owned(), value);
        run
    };
    let mut labelled = at(1.0, 1.0);
    labelled.label = Some("eager".to_owned());
    let mut concurrent = Measured::default();
    concurrent.load.offered = Some(Offered::Unlimited);
    concurrent.load.concurrency = Some(8);
    for (runs, expected) in [
        (vec![at(2.0, 2.0), at(0.5, 1.0)], vec!["0.5 req/s", "2 req/s"]),
        (vec![Measured::default()], vec!["as measured"]),
        (vec![labelled.clone()], vec!["eager"]),
        (vec![labelled, at(1.0, 2.0)], vec!["eager", "1 req/s"]),
        (vec![concurrent, at(1.0, 2.0)], vec!["1 req/s", "8 concurrent"]),
        (
            vec![with("max_num_seqs", 4.into(), at(1.0, 1.0)), with("max_num_seqs", 8.into(), at(1.0, 2.0))],
            vec!["max_num_seqs 4", "max_num_seqs 8"],
        ),
    ] {
        assert_eq!(labels(runs), [expected]);
    }
}

#[test]
fn what_measured_something_else_is_another_set() {
    let mut other_model = at(1.0, 1.0);
    other_model.subject.model = Some("b".to_owned());
    let mut long = at(1.0, 2.0);
    long.load.input_tokens = Some(8000.0);
    let mut short = at(1.0, 3.0);
    short.load.input_tokens = Some(1000.0);
    assert_eq!(labels(vec![long, short, other_model]).len(), 3);
}

#[test]
fn equal_settings_are_repeats_and_an_equal_run_is_no_repeat() {
    let one = |output: f64, p99: f64, completed: u64| {
        let mut run = at(1.0, output);
        run.latencies_ms.insert("ttft_p99_ms".to_owned(), p99);
        run.requests = Requests { sent: Some(100), completed: Some(completed), ..Requests::default() };
        run.duration_s = Some(10.0);
        run
    };
    assert!(found(one(90.0, 10.0, 100)).is_same_run(&found(one(90.0, 10.0, 100))));
    assert!(!found(one(90.0, 10.0, 100)).is_same_run(&found(one(110.0, 20.0, 98))));
    // Two decimals of the same run, as its tool printed them.
    let mut printed = one(90.004, 10.0, 100);
    printed.latencies_ms.insert("ttft_p50_ms".to_owned(), 5.0);
    let mut exact = one(90.0, 10.0012, 100);
    exact.latencies_ms.insert("ttft_p50_ms".to_owned(), 4.9951);
    assert!(found(exact.clone()).is_same_run(&found(printed.clone())));
    exact.latencies_ms.insert("ttft_p50_ms".to_owned(), 4.9);
    assert!(!found(exact).is_same_run(&found(printed)));
    let sets = sets([one(90.0, 10.0, 100), one(110.0, 20.0, 98)].map(found).to_vec());
    let [config] = &sets[0].configs[..] else { panic!("one config: {sets:?}") };
    assert_eq!((config.repeats.len(), config.run.output_tok_s), (2, Some(100.0)));
    assert_eq!(config.run.latencies_ms["ttft_p99_ms"], 15.0);
    assert_eq!(config.run.requests.completed, Some(98));
    assert_eq!((config.run.duration_s, sets[0].variance_band_pct()), (None, Some(10.0)));
}

#[test]
fn runs_that_differ_in_what_we_cannot_name_are_no_repeats() {
    let with = |value: &str, output: f64| {
        let mut run = at(1.0, output);
        run.unread.insert("spec".to_owned(), value.into());
        run
    };
    let sets = sets([with("a", 1.0), with("b", 2.0)].map(found).to_vec());
    let labels: Vec<_> = sets[0].configs.iter().map(|config| config.label.as_str()).collect();
    assert_eq!(labels, ["1 req/s", "1 req/s (2)"]);
    assert_eq!(sets[0].remarks(), ["the runs differ in `spec`, which is not copied"]);
}

#[test]
fn of_two_files_of_one_run_each_value_is_kept_and_a_contradiction_is_said() {
    let mut one = at(1.0, 100.0);
    one.subject.model = Some("a".to_owned());
    one.latencies_ms.insert("ttft_p50_ms".to_owned(), 5.0);
    let mut raw = Measured::default();
    raw.subject.model = Some("b".to_owned());
    raw.requests = Requests { sent: Some(40), completed: Some(40), ..Requests::default() };
    raw.duration_s = Some(165.8);
    raw.request_throughput_rps = Some(0.24);
    raw.output_tok_s = Some(100.001);
    (raw.input_tok_s, raw.total_tok_s) = (Some(20.0), Some(120.0));
    raw.load.dataset = Some("random".to_owned());
    (raw.load.input_tokens, raw.load.output_tokens) = (Some(926.7), Some(917.7));
    one.absorb(raw.clone());
    assert_eq!((one.requests, one.duration_s), (raw.requests, raw.duration_s));
    assert_eq!((one.output_tok_s, one.request_throughput_rps), (Some(100.0), Some(0.24)));
    assert_eq!((one.input_tok_s, one.total_tok_s), (raw.input_tok_s, raw.total_tok_s));
    assert_eq!((one.load.input_tokens, one.load.output_tokens), (raw.load.input_tokens, raw.load.output_tokens));
    assert_eq!((one.load.dataset.as_deref(), one.load.offered), (Some("random"), Some(Offered::Rate(1.0))));
    let said: Vec<_> = one.remarks.iter().collect();
    assert_eq!(said, ["two files of this run differ on the model: a, which stands, and b"]);
}
