//! What pages set beside a result, and the smallest inputs that each rule of it turns on.

use std::collections::BTreeSet;

use super::*;

#[test]
fn a_change_within_a_record_says_how_far_it_could_be_off_by_the_records_own_band() {
    let run = r#"{"id": "z", "status": "published", "title": "Z", "published": "2026-10-01", "runs": 3, "variance_band_pct": 5,
        "hardware": {"accelerator": "H", "count": 1}, "software": {"engine": "vllm"}, "model": {"name": "M"},
        "configs": [{"label": "a", "goodput_tok_s": 100, "output_tok_s": 200}, {"label": "b", "goodput_tok_s": 103},
                    {"label": "c", "goodput_tok_s": 130, "output_tok_s": 260}]}"#;
    let (_, figures) = site(&[source(Kind::Run, "runs/z.json", run)]);
    let said = |metric: &str, other: usize| {
        let change = figures.comparisons().change_within(metric, 0, other)?.as_ref().expect("nothing forbids it");
        Some((change.shown(), change.tie, change.remarks.join("; ")))
    };
    let some = |shown: &str, tie: bool, remarks: &str| Some((shown.to_owned(), tie, remarks.to_owned()));
    assert_eq!(said("goodput_tok_s", 1), some("+3.0%", true, "a tie inside ±5% between 3 repeats"));
    assert_eq!(said("goodput_tok_s", 2), some("+30.0%", false, "outside ±5% between 3 repeats"));
    // A change that the record's figures do not have.
    assert_eq!(said("output_tok_s", 2), some("+30.0%", false, "outside ±5%"));
    assert_eq!(said("output_tok_s", 1), None);
}

#[test]
fn a_change_within_an_audit_is_bounded_by_its_brackets_or_by_nothing() {
    let audit = |steps: [&str; 2]| {
        let configs = ["a", "b"].iter().zip([8, 12]).zip(steps).map(|((key, rate), steps)| {
            format!(
                "\x20 - key: {key}\n    capacity: {{request_rate_rps: {rate}, output_tok_s: {rate}00}}\n    {steps}\n"
            )
        });
        format!(
            "---\nid: z\ntitle: Z\npublished: \"2026-10-29\"\nengine: vllm\nmodel: {{name: M}}\nbaseline: a\n\
            hardware: {{accelerator: H, count: 1}}\nprice: {{usd_per_gpu_hour: 2}}\nworkload: {{dataset: t}}\n\
            slo: {{ttft_p95_ms: 100}}\nconfigs:\n{}---\n",
            configs.collect::<String>()
        )
    };
    let said = |text: String, metric: &str| {
        let (_, figures) = site(&[source(Kind::Audit, "audits/z.md", text)]);
        let change = figures.comparisons().change_within(metric, 0, 1).expect("both have it").clone();
        let change = change.expect("nothing forbids it");
        (change.shown(), change.remarks.join("; "))
    };
    let steps = [
        "steps: [{offered_rps: 8, passed: true}, {offered_rps: 9, passed: false}]",
        "steps: [{offered_rps: 12, passed: true}, {offered_rps: 14, passed: false}]",
    ];
    let pair = |shown: &str, remarks: &str| (shown.to_owned(), remarks.to_owned());
    assert_eq!(said(audit(steps), "capacity_rps"), pair("+50.0%", "+33.3 to +75.0% over both brackets"));
    assert_eq!(said(audit(["", ""]), "capacity_rps"), pair("+50.0%", OFF_IS_NOT_STATED));
    assert_eq!(said(audit(["", ""]), "usd_per_mtok_output"), pair("−33.3%", OFF_IS_NOT_STATED));
}

#[test]
fn the_first_of_a_group_is_what_the_others_are_shown_against() {
    let runs = [("a", 1000.0), ("b", 1100.0), ("c", 900.0)].map(|(id, rate)| whole_run(id, "1", rate, ""));
    let figures = derived_of(runs.concat());
    let all = figures.comparisons();
    let change = |one: usize, other: usize| all.change("goodput_tok_s", one, other).map(Figure::shown);
    assert_eq!((change(0, 1).as_deref(), change(0, 2).as_deref()), (Some("+10.0%"), Some("−10.0%")));
    assert_eq!((change(1, 2), change(0, 0)), (None, None));
    let group = all.groups.iter().find(|group| group.metric == "goodput_tok_s").expect("they may be compared");
    let among = |records: &[&str]| all.among(group, &records.iter().copied().collect::<BTreeSet<_>>());
    assert_eq!(among(&["runs/a", "runs/c"]), Some(vec![0, 2]));
    assert_eq!(among(&["runs/a", "runs/b", "runs/c"]), Some(vec![0, 1, 2]));
    assert_eq!((among(&["runs/b"]), among(&["runs/x"])), (None, None));
}

#[test]
fn of_results_that_differ_as_little_the_first_is_measured_again_and_the_nearest() {
    let two = "{\"label\": \"only\", \"goodput_tok_s\": 1000, \"prefix_cache_hit_pct\": 0}, \
        {\"label\": \"again\", \"goodput_tok_s\": 500, \"prefix_cache_hit_pct\": 0}";
    let only = "{\"label\": \"only\", \"goodput_tok_s\": 1000, \"prefix_cache_hit_pct\": 0}";
    let original = changed(whole_run("a", "1", 1000.0, ""), &[(only, two)]);
    let again = whole_run("b", "1", 1500.0, "provenance: {relation: author, reproduces: runs/a}");
    let figures = derived_of([original, again].concat());
    let all = figures.comparisons();
    let found = all.reproductions_of("runs/b");
    let ratio = found.iter().find(|found| found.metric == "goodput_tok_s").expect("both have it");
    assert_eq!(ratio.original, 0);
    assert_eq!(ratio.ratio.as_ref().map(Figure::shown), Ok("1.50x".to_owned()));
    assert!(all.reproductions_of("runs/a").is_empty());
    let nearest = all.nearest("runs/a", 8);
    assert_eq!((nearest[0].own, nearest[0].other), (0, 2));
}

#[test]
fn what_differs_beside_the_version_is_no_step_of_a_history() {
    let gated = |id: &str, version: &str, suite: &'static str| {
        changed(whole_run(id, version, 1000.0, ""), &[("\"slo\"", suite)])
    };
    let versions = |other: &'static str| {
        let runs = [gated("a", "1", "\"accuracy\": {\"suite\": \"gsm8k\"}, \"slo\""), gated("b", "2", other)];
        let figures = derived_of(runs.concat());
        let all = figures.comparisons();
        let group = all.groups.iter().find(|group| group.metric == "goodput_tok_s").expect("they may be compared");
        group.versions.len()
    };
    assert_eq!(versions("\"accuracy\": {\"suite\": \"gsm8k\"}, \"slo\""), 1);
    assert_eq!(versions("\"accuracy\": {\"suite\": \"mmlu\"}, \"slo\""), 0);
}
