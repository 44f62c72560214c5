//! What pages ask of comparisons.

mod shown;

use super::*;
use crate::figures::tests::{site, source};
use crate::quantity::Quantity;
use crate::source::{Kind, Source};

/// Of runs of one config each: id, engine, and what was measured.
fn figures_of(runs: &[(&str, &str, &str)]) -> Figures {
    let runs = runs.iter().map(|(id, engine, values)| {
        let text = format!(
            r#"{{"id": "{id}", "status": "published", "title": "T", "published": "2026-10-29",
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "{engine}"}},
            "model": {{"name": "M"}}, "configs": [{{"label": "only"{values}}}]}}"#
        );
        source(Kind::Run, &format!("runs/{id}.json"), text)
    });
    derived_of(runs.collect())
}

/// A run of which all that matters is stated: id, engine version and goodput, and what its curator says more.
fn whole_run(id: &str, version: &str, goodput_tok_s: f64, note: &str) -> [Source; 2] {
    let run = format!(
        r#"{{"id": "{id}", "status": "published", "title": "Run {id}", "published": "2026-10-29",
        "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm", "engine_version": "{version}"}},
        "model": {{"name": "M", "quantization": "FP8 weights, BF16 KV cache"}},
        "workload": {{"trace": "t", "input_tokens": "1,024", "output_tokens": "128", "arrival": "Poisson"}},
        "slo": {{"ttft_p99_ms": 2000}}, "spec": {{"engine": {{"ignore_eos": true}}}},
        "configs": [{{"label": "only", "goodput_tok_s": {goodput_tok_s}, "prefix_cache_hit_pct": 0}}]}}"#
    );
    let note = format!("---\n{note}\n---\n");
    [source(Kind::Run, &format!("runs/{id}.json"), run), source(Kind::CuratorNote, &format!("runs/{id}.md"), note)]
}

fn derived_of(sources: Vec<Source>) -> Figures {
    site(&sources).1
}

#[test]
fn results_with_a_metric_in_common_are_held_apart_by_what_differs_or_is_not_stated() {
    let figures = figures_of(&[
        ("a", "vllm", r#", "goodput_tok_s": 1000"#),
        ("b", "sglang", r#", "goodput_tok_s": 1200, "output_tok_s": 1300"#),
        ("c", "vllm", r#", "output_tok_s": 1300"#),
        ("d", "vllm", ""),
    ]);
    let comparisons = figures.comparisons();
    let metrics = |at: usize| comparisons.contenders[at].values().map(|(metric, _)| metric).collect::<Vec<_>>();
    assert_eq!((metrics(0), metrics(1)), (vec!["goodput_tok_s"], vec!["goodput_tok_s", "output_tok_s"]));
    let value = |metric: &str, at: usize| comparisons.value(metric, at).map(|fact| fact.quantity);
    assert_eq!((value("goodput_tok_s", 1), value("output_tok_s", 0)), (Some(Quantity::exact(1200.0)), None));

    let has = |address: &&&str| comparisons.has(address);
    assert_eq!(["runs/a", "runs/c", "runs/d", "runs/e"].iter().filter(has).count(), 2);
    // Hardly a part is stated.
    assert!(!comparisons.is_in_a_group("runs/a"));
    let withheld = |one: &str, other: &str| comparisons.withheld(one, other).map(|withheld| withheld.metric);
    assert_eq!(withheld("runs/a", "runs/b").as_deref(), Some("goodput_tok_s"));
    assert_eq!(withheld("runs/b", "runs/c").as_deref(), Some("output_tok_s"));
    assert_eq!((withheld("runs/a", "runs/c"), withheld("runs/a", "runs/d")), (None, None));

    assert_eq!((comparisons.differences(0, 0).len(), comparisons.differences(0, 1).len()), (0, 1));
    assert_eq!(comparisons.reckoned(("goodput_tok_s", 0, 1)).map(|change| change.shown()).as_deref(), Some("+20.0%"));
    assert!(comparisons.reckoned(("output_tok_s", 0, 1)).is_none());
}

#[test]
fn what_stands_between_two_records_is_told_of_the_metric_with_the_fewest_differences() {
    let more = ("\"prefix_cache_hit_pct\"", "\"output_tok_s\": 1500, \"prefix_cache_hit_pct\"");
    let engine = ("\"vllm\"", "\"sglang\"");
    let limit = ("\"ttft_p99_ms\": 2000", "\"ttft_p99_ms\": 1000");
    let runs = [
        changed(whole_run("a", "1", 1000.0, ""), &[more]),
        changed(whole_run("b", "1", 1100.0, ""), &[more, engine, limit]),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let withheld = figures.comparisons().withheld("runs/a", "runs/b").expect("engines differ");
    assert_eq!((&*withheld.metric, withheld.differences.len()), ("prefix_cache_hit_pct", 1));
    // Of metrics with as many, the first, and of configs too.
    let runs =
        [changed(whole_run("a", "1", 1000.0, ""), &[more]), changed(whole_run("b", "1", 1100.0, ""), &[more, engine])];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let withheld = figures.comparisons().withheld("runs/a", "runs/b").expect("engines differ");
    assert_eq!((&*withheld.metric, withheld.differences.len()), ("goodput_tok_s", 1));
    let both = "{\"label\": \"first\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 50}, \
        {\"label\": \"second\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 60}";
    let only = "{\"label\": \"only\", \"goodput_tok_s\": 1000, \"prefix_cache_hit_pct\": 0}";
    let runs = [changed(whole_run("a", "1", 1000.0, ""), &[(only, both)]), whole_run("b", "1", 1100.0, "")];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let withheld = figures.comparisons().withheld("runs/a", "runs/b").expect("shares differ");
    assert_eq!(withheld.differences, ["50% against 0% from cache"]);
    // Of two configs, the one that differs least.
    let slow = "{\"label\": \"slow\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 50}, {\"label\": \"only\"";
    let runs = [
        changed(whole_run("a", "1", 1000.0, ""), &[("{\"label\": \"only\"", slow)]),
        changed(whole_run("b", "1", 1100.0, ""), &[engine]),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let withheld = figures.comparisons().withheld("runs/a", "runs/b").expect("engines differ");
    assert_eq!((&*withheld.metric, withheld.differences.len()), ("goodput_tok_s", 1));
}

#[test]
fn a_change_in_a_metric_has_a_formula_of_its_own() {
    for (metric, formula) in [
        ("goodput_tok_s", Some("goodput_change_pct")),
        ("output_tok_s", Some("output_change_pct")),
        ("total_tok_s", Some("total_change_pct")),
        ("ttft_p99_ms", Some("ttft_change_pct")),
        ("tpot_p99_ms", Some("tpot_change_pct")),
        ("itl_p99_ms", Some("itl_change_pct")),
        ("e2el_p99_ms", Some("e2el_change_pct")),
        ("capacity_rps", Some("capacity_change_pct")),
        ("goodput_tok_per_j", Some("tok_per_j_change_pct")),
        ("usd_per_mtok_output", Some("cost_change_pct")),
        ("electricity_usd_per_mtok_output", Some("cost_change_pct")),
        ("energy_j_per_output_token", Some("energy_change_pct")),
        ("output_tok_s_per_gpu", Some("per_gpu_change_pct")),
        ("measured_ttft_ms_at_ctx", Some("ttft_change_pct")),
        ("measured_tps_at_ctx", Some("output_change_pct")),
        ("kv_bytes_per_token", Some("kv_bytes_change_pct")),
        ("kv_gib_at_context", Some("kv_size_change_pct")),
        ("ttft_speedup", None),
        ("accuracy_pct", None),
    ] {
        assert_eq!(change_of(metric).map(|formula| formula.id), formula, "{metric}");
    }
}

#[test]
fn results_of_one_key_stand_in_the_order_of_their_engine_versions() {
    let runs = [("a", "0.10.1"), ("b", "0.9"), ("c", "0.10.1rc1"), ("d", "0.10")];
    let figures = derived_of(runs.iter().flat_map(|(id, version)| whole_run(id, version, 1000.0, "")).collect());
    let all = figures.comparisons();
    let group = all.groups.iter().find(|group| group.metric == "goodput_tok_s").expect("they may be compared");
    let series = &group.versions;
    let versions: Vec<_> = series.iter().flatten().map(|at| all.contenders[*at].engine_version()).collect();
    assert_eq!((series.len(), versions), (1, vec!["0.9", "0.10", "0.10.1rc1", "0.10.1"]));
    // What was withdrawn is no step of a history, and what states no version has no place in it.
    let withdrawn = "withdrawn:\n  date: 2026-11-01\n  reason: the clock was wrong";
    let gone = whole_run("b", "0.10", 1100.0, withdrawn);
    let silent = changed(whole_run("b", "0.10", 1100.0, ""), &[(", \"engine_version\": \"0.10\"", "")]);
    for other in [gone, silent] {
        let figures = derived_of([whole_run("a", "0.9", 1000.0, ""), other].into_iter().flatten().collect());
        assert!(figures.comparisons().groups.iter().all(|group| group.versions.is_empty()));
    }
    // One version has no history.
    let figures = derived_of(["a", "b"].iter().flat_map(|id| whole_run(id, "0.9", 1000.0, "")).collect());
    let all = figures.comparisons();
    assert!(all.groups.iter().all(|group| group.versions.is_empty()) && all.is_in_a_group("runs/a"));
}

#[test]
fn what_was_superseded_or_withdrawn_says_so_in_each_comparison_and_leads_none() {
    let withdrawn = "withdrawn:\n  date: 2026-11-01\n  reason: the clock was wrong";
    let runs = [
        whole_run("a", "1", 1000.0, withdrawn),
        whole_run("b", "1", 1200.0, ""),
        whole_run("c", "1", 1100.0, "supersedes:\n  record: runs/b\n  reason: the cards were throttled"),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let all = figures.comparisons();
    let group = all.groups.iter().find(|group| group.metric == "goodput_tok_s").expect("they may be compared");
    let order: Vec<_> = group.members.iter().map(|at| all.contenders[*at].address.as_str()).collect();
    assert_eq!(order, ["runs/c", "runs/a", "runs/b"]);
    let standing: Vec<_> = all.contenders.iter().map(|contender| contender.standing.as_deref()).collect();
    assert_eq!(
        standing,
        [Some("withdrawn: the clock was wrong"), Some("superseded by Run c: the cards were throttled"), None]
    );
    let change = all.reckoned(("goodput_tok_s", 2, 0)).expect("both have it");
    assert_eq!(change.limits, ["only is withdrawn: the clock was wrong".into()]);
    assert_eq!((change.shown().as_str(), change.judgement()), ("−9.1%", None));
}

#[test]
fn a_reproduction_has_its_ratio_to_the_original_or_what_forbids_one() {
    let again = "provenance: {relation: author, reproduces: runs/a}";
    let of = |version, note| [whole_run("a", "0.9", 1000.0, ""), whole_run("b", version, 970.0, note)];
    let figures = derived_of(of("0.10", again).into_iter().flatten().collect());
    let found = figures.comparisons().reproduced("runs/b", "runs/a");
    let goodput = found.iter().find(|found| found.metric == "goodput_tok_s").expect("both have it");
    assert_eq!(goodput.ratio.as_ref().map(Figure::shown).ok().as_deref(), Some("0.970x"));
    // Of several results the two that differ in least.
    let slow = "{\"label\": \"slow\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 50}, ";
    let slow_first = [("{\"label\": \"only\"", &*format!("{slow}{{\"label\": \"only\""))];
    let runs = [changed(whole_run("a", "0.9", 1000.0, ""), &slow_first), whole_run("b", "0.10", 970.0, again)];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let found = figures.comparisons().reproduced("runs/b", "runs/a");
    let goodput = found.iter().find(|found| found.metric == "goodput_tok_s").expect("both have it");
    assert_eq!(goodput.ratio.as_ref().map(Figure::shown).ok().as_deref(), Some("0.970x"));
    // On another engine.
    let mut runs: Vec<_> = of("0.10", again).into_iter().flatten().collect();
    let text = runs[2].text.text.replace("\"vllm\"", "\"sglang\"");
    runs[2] = source(Kind::Run, "runs/b.json", text);
    let figures = derived_of(runs);
    let found = figures.comparisons().reproduced("runs/b", "runs/a");
    let goodput = found.iter().find(|found| found.metric == "goodput_tok_s").expect("both have it");
    let withheld = goodput.ratio.as_ref().expect_err("engines differ");
    assert_eq!(*withheld, ["engine vllm against sglang"]);
}

/// The same run with other words in its file.
fn changed(mut run: [Source; 2], words: &[(&str, &str)]) -> [Source; 2] {
    let mut text = run[0].text.text.clone();
    for (old, new) in words {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    run[0] = source(Kind::Run, &run[0].text.path["content/".len()..], text);
    run
}

#[test]
fn the_nearest_results_differ_least_and_are_the_newest() {
    let withdrawn = "withdrawn:\n  date: 2026-11-01\n  reason: the clock was wrong";
    let day = |day: &'static str| [("\"2026-10-29\"", day)];
    let twice = (
        "{\"label\": \"only\"",
        "{\"label\": \"slow\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 50}, {\"label\": \"only\"",
    );
    let runs = [
        whole_run("own", "1", 1000.0, ""),
        changed(whole_run("same-older", "1", 1100.0, ""), &day("\"2026-10-28\"")),
        changed(whole_run("same-newer", "1", 1200.0, ""), &day("\"2026-10-30\"")),
        whole_run("version", "2", 1300.0, ""),
        whole_run("gone", "1", 1400.0, withdrawn),
        changed(whole_run("twice", "1", 1500.0, ""), &[twice]),
        changed(whole_run("card", "1", 1600.0, ""), &[("\"H\"", "\"G\"")]),
        changed(whole_run("engine", "1", 1700.0, ""), &[("\"vllm\"", "\"sglang\"")]),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let all = figures.comparisons();
    let nearest = |most: usize| {
        let pairs = all.nearest("runs/own", most);
        let told = pairs.iter().map(|pair| {
            let other = &all.contenders[pair.other];
            let changes = pair.changes.iter().map(|(metric, change)| format!("{metric} {}", change.shown()));
            format!(
                "{}/{} {}: {}",
                other.address,
                other.subject,
                pair.differences.len(),
                changes.collect::<Vec<_>>().join(", ")
            )
        });
        told.collect::<Vec<_>>()
    };
    let all_of_them = [
        "runs/same-newer/only 0: goodput_tok_s +20.0%",
        "runs/twice/only 0: goodput_tok_s +50.0%",
        "runs/same-older/only 0: goodput_tok_s +10.0%",
        "runs/gone/only 0: goodput_tok_s +40.0%",
        "runs/card/only 1: goodput_tok_s +60.0%",
        "runs/version/only 1: goodput_tok_s +30.0%",
    ];
    assert_eq!(nearest(9), all_of_them);
    assert_eq!(nearest(2), all_of_them[..2]);
}

#[test]
fn of_the_configs_of_a_record_the_one_that_differs_least_is_set_beside_another() {
    const SCORE: &str = "\"accuracy\": {\"suite\": \"s\", \"score_pct\": 96}";
    let scored = format!("\"prefix_cache_hit_pct\": 0, {SCORE}");
    let other = format!("{{\"label\": \"other\", \"prefix_cache_hit_pct\": 50, {SCORE}}}, {{\"label\": \"only\"");
    let scored: (&str, &str) = ("\"prefix_cache_hit_pct\": 0", &scored);
    let runs = [
        changed(whole_run("own", "1", 1000.0, ""), &[scored, ("{\"label\": \"only\"", &other)]),
        changed(whole_run("beside", "1", 1100.0, ""), &[scored]),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let all = figures.comparisons();
    let pairs = all.nearest("runs/own", 8);
    let found: Vec<_> = pairs.iter().map(|pair| (&*all.contenders[pair.own].subject, pair.differences.len())).collect();
    assert_eq!(found, [("only", 0)]);
}

#[test]
fn a_change_says_how_far_either_could_be_off() {
    let off = |run: [Source; 2], pct: &'static str| changed(run, &[("\"slo\"", pct)]);
    let runs = [
        off(whole_run("a", "1", 1000.0, ""), "\"variance_band_pct\": 2, \"slo\""),
        off(whole_run("b", "1", 1030.0, ""), "\"variance_band_pct\": 1, \"slo\""),
        off(whole_run("c", "1", 1060.0, ""), "\"variance_band_pct\": 1, \"slo\""),
        whole_run("d", "2", 1010.0, ""),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let all = figures.comparisons();
    let change = |one: usize, other: usize| {
        let change = all.reckoned(("goodput_tok_s", one, other)).expect("both have it");
        (change.shown(), change.tie, change.remarks)
    };
    let not_stated = "how far either could be off is not stated";
    assert_eq!(change(0, 1), ("+3.0%".to_owned(), true, vec!["a tie inside ±2%".to_owned()]));
    assert_eq!(change(0, 2), ("+6.0%".to_owned(), false, vec!["outside ±2%".to_owned()]));
    assert_eq!(change(1, 2), ("+2.9%".to_owned(), false, vec!["outside ±1%".to_owned()]));
    assert_eq!(change(0, 3), ("+1.0%".to_owned(), false, vec![not_stated.to_owned()]));
    assert_eq!((all.contenders[0].accelerator(), all.contenders[0].engine_version()), ("H", "1"));
    assert!(all.is_in_a_group("runs/a"));
}

#[test]
fn between_records_that_say_the_same_nothing_is_ranked_without_an_error() {
    let figures = derived_of([whole_run("a", "1", 1000.0, ""), whole_run("b", "1", 999.0, "")].concat());
    let all = figures.comparisons();
    let change = all.reckoned(("goodput_tok_s", 0, 1)).expect("they share it");
    assert_eq!((change.shown(), change.judgement()), ("−0.1%".to_owned(), None));
    assert_eq!(change.remarks, [NOTHING_DIFFERS, OFF_IS_NOT_STATED]);
    let figures = derived_of([whole_run("a", "1", 1000.0, ""), whole_run("b", "2", 999.0, "")].concat());
    let change = figures.comparisons().reckoned(("goodput_tok_s", 0, 1)).expect("they share it");
    assert_eq!((change.judgement(), change.remarks.len()), (Some("worse"), 1));
}

#[test]
fn a_change_between_capacities_is_one_outside_of_their_brackets() {
    let audit = |id: &str, capacity: f64, failing: f64| {
        let text = format!(
            "---\nid: {id}\ntitle: Audit {id}\npublished: \"2026-10-29\"\nengine: vllm\nmodel: {{name: M}}\n\
            hardware: {{accelerator: H, count: 1}}\nworkload: {{dataset: t}}\nslo: {{ttft_p95_ms: 100}}\nconfigs:\n\
            \x20 - key: only\n    capacity: {{request_rate_rps: {capacity}}}\n    steps:\n\
            \x20     - {{concurrency: 1, delivered_rps: {capacity}, passed: true}}\n\
            \x20     - {{concurrency: 2, delivered_rps: {failing}, passed: false}}\n---\n"
        );
        source(Kind::Audit, &format!("audits/{id}.md"), text)
    };
    for (other, judgement, words) in [
        ((16.0, 20.0), Some("better"), "+60.0 to +150.0% over both brackets"),
        ((9.0, 12.0), None, "a tie, −10.0 to +50.0% over both brackets"),
        // More load, and no more came through: the bracket is none.
        ((9.0, 8.0), None, OFF_IS_NOT_STATED),
    ] {
        let figures = derived_of(vec![audit("a", 8.0, 10.0), audit("b", other.0, other.1)]);
        let change = figures.comparisons().reckoned(("capacity_rps", 0, 1)).expect("they share it");
        assert_eq!(
            (change.judgement(), change.remarks.last().map(String::as_str)),
            (judgement, Some(words)),
            "{other:?}"
        );
    }
}

#[test]
fn how_far_a_rate_could_be_off_says_nothing_of_what_is_no_rate() {
    let at =
        |ttft: &'static str| [("\"slo\"", "\"variance_band_pct\": 2, \"slo\""), ("\"prefix_cache_hit_pct\"", ttft)];
    let runs = [
        changed(
            whole_run("a", "1", 1000.0, ""),
            &at("\"concurrency\": 4, \"ttft_p99_ms\": 100, \"prefix_cache_hit_pct\""),
        ),
        changed(
            whole_run("b", "2", 1010.0, ""),
            &at("\"concurrency\": 4, \"ttft_p99_ms\": 101, \"prefix_cache_hit_pct\""),
        ),
    ];
    let figures = derived_of(runs.into_iter().flatten().collect());
    let change =
        |metric: &str| figures.comparisons().reckoned((metric, 0, 1)).map(|change| (change.tie, change.remarks));
    assert_eq!(change("goodput_tok_s"), Some((true, vec!["a tie inside ±2%".to_owned()])));
    let not_stated = vec!["how far either could be off is not stated".to_owned()];
    assert_eq!(change("ttft_p99_ms"), Some((false, not_stated)));
    let rates = CONTRACT.iter().flat_map(|clause| clause.metrics).filter(|metric| is_of_a_rate(metric));
    assert_eq!(rates.count(), 9);
}

#[test]
fn a_grid_of_a_search_is_written_without_noise() {
    let spec = "\"spec\": {\"sweep\": {\"growth\": 1.6, \"bisect_steps\": 3}, \"engine\"";
    let run = changed(whole_run("a", "1", 1000.0, ""), &[("\"spec\": {\"engine\"", spec)]);
    let figures = derived_of(run.into());
    assert_eq!(figures.comparisons().contenders[0].uncertainty_pct, Some(7.5));
}

#[test]
fn the_changes_told_are_those_that_a_reader_looks_for_first() {
    let at = |load: &str| {
        format!(
            "\"output_tok_s\": 1100, \"concurrency\": {load}, \"ttft_p50_ms\": 100, \"ttft_p99_ms\": 900, \"tpot_p99_ms\": 40, \"itl_p99_ms\": 60, \"e2el_p99_ms\": 9000, \"prefix_cache_hit_pct\""
        )
    };
    let of = |words: &str| {
        let run = |id| changed(whole_run(id, "1", 1000.0, ""), &[("\"prefix_cache_hit_pct\"", words)]);
        let figures = derived_of([run("a"), run("b")].into_iter().flatten().collect());
        let nearest = figures.comparisons().nearest("runs/a", 8);
        nearest[0].changes.iter().map(|(metric, _)| metric.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&at("4")), ["goodput_tok_s", "output_tok_s", "tpot_p99_ms", "ttft_p99_ms"]);
    // How many tokens a chunk carries is not stated, so that gaps between chunks are not compared.
    let without = at("4").replace("\"tpot_p99_ms\": 40, ", "");
    assert_eq!(of(&without), ["e2el_p99_ms", "goodput_tok_s", "output_tok_s", "ttft_p99_ms"]);
}

#[test]
fn the_contract_names_metrics_and_formulas_alone() {
    let is_known = |name: &&&str| crate::metric::metric(name).is_some() || crate::formula::by_id(name).is_some();
    let unknown: Vec<_> = CONTRACT.iter().flat_map(|clause| clause.metrics).filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn results_of_one_record_are_held_against_its_baseline() {
    let run = r#"{"id": "z", "status": "published", "title": "Z", "published": "2026-10-01",
        "hardware": {"accelerator": "H", "count": 1}, "software": {"engine": "vllm"}, "model": {"name": "M"},
        "configs": [{"label": "a", "goodput_tok_s": 100}, {"label": "b", "goodput_tok_s": 150},
                    {"label": "c", "goodput_tok_s": 150, "environment": {"X": "1"}}]}"#;
    let note = |id: &str| {
        format!(
            "---\nid: {id}\ntitle: N\npublished: 2026-10-01\ntechnique: paging\nconfidence: 0.5\nconfidence_reason: brief\nno_card: not said\n\
             baseline: v\nvariants: [{{key: v, label: V, measured_tps_at_ctx: 10}}, {{key: w, label: W, measured_tps_at_ctx: 20}}, \
             {{key: x, label: X, measured_tps_at_ctx: 20, context_tokens: 9}}]\n---\n"
        )
    };
    let (first, second) = (note("a"), note("b"));
    let (catalog, figures) = site(&[
        source(Kind::KvEfficiency, "kv-efficiency/a.md", first),
        source(Kind::KvEfficiency, "kv-efficiency/b.md", second),
        source(Kind::Run, "runs/z.json", run),
    ]);
    let change = |address: &str, metric: &str, other: usize| {
        let item = catalog.get(address).expect("it is there");
        let baseline = figures.baseline_within(item, other).expect("it has one");
        let change = figures.comparisons().change_within(metric, baseline, other).expect("both have it");
        (baseline, change.as_ref().map(|figure| (figure.shown(), figure.remarks.clone())).map_err(Clone::clone))
    };
    let not_stated = vec!["how far either could be off is not stated".to_owned()];
    let doubled = Ok(("+100.0%".to_owned(), not_stated.clone()));
    assert_eq!(change("kv-efficiency/b", "measured_tps_at_ctx", 4), (3, doubled));
    let context = vec!["context not stated against 9 tokens".to_owned()];
    assert_eq!(change("kv-efficiency/b", "measured_tps_at_ctx", 5), (3, Err(context)));
    assert_eq!(change("runs/z", "goodput_tok_s", 7), (6, Ok(("+50.0%".to_owned(), not_stated))));
    let environment = vec!["environment not stated against X=1".to_owned()];
    assert_eq!(change("runs/z", "goodput_tok_s", 8), (6, Err(environment)));
}
