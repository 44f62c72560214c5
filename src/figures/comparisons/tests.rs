//! What pages ask of comparisons.

use super::*;
use crate::diagnostic::SourceText;
use crate::quantity::Quantity;
use crate::source::{Kind, Source};
use crate::{catalog, figures, record, schema};

fn source(kind: Kind, path: &str, text: String) -> Source {
    let address = path.split_once('.').map_or(path, |(address, _)| address).to_owned();
    Source { kind, address, text: Arc::new(SourceText::new(format!("content/{path}"), text)), sha256: String::new() }
}

/// Of runs of one config each: id, engine, and what was measured.
fn figures_of(runs: &[(&str, &str, &str)]) -> Figures {
    let mut report = Report::new();
    let settings = "title = \"T\"\nbase_url = \"https://results.example/\"\n".to_owned();
    let settings = schema::validate_site(&source(Kind::Site, "site.toml", settings), &mut report);
    let settings = record::decode_settings(settings.expect("two settings"), &mut report).expect("two settings");
    let sources = runs.iter().map(|(id, engine, values)| {
        let text = format!(
            r#"{{"id": "{id}", "status": "published", "title": "T", "published": "2026-10-29",
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "{engine}"}},
            "model": {{"name": "M"}}, "configs": [{{"label": "only"{values}}}]}}"#
        );
        source(Kind::Run, &format!("runs/{id}.json"), text)
    });
    let documents = schema::validate(&sources.collect::<Vec<_>>(), &mut report);
    let entries = record::decode(documents, &mut report);
    let catalog = catalog::link(settings, entries, catalog::Drafts::default(), &mut report);
    let figures = figures::derive(&catalog, &mut report);
    assert!(!report.has_errors(), "{}", report.render(crate::diagnostic::Color::Plain));
    figures
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
    assert_eq!(comparisons.change("goodput_tok_s", 0, 1).map(|change| change.shown()).as_deref(), Some("+20.0%"));
    assert!(comparisons.change("output_tok_s", 0, 1).is_none());
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
        ("kv_bytes_per_token", None),
    ] {
        assert_eq!(change_of(metric).map(|formula| formula.id), formula, "{metric}");
    }
}

#[test]
fn the_contract_names_metrics_and_formulas_alone() {
    let is_known = |name: &&&str| crate::metric::metric(name).is_some() || crate::formula::by_id(name).is_some();
    let unknown: Vec<_> = CONTRACT.iter().flat_map(|clause| clause.metrics).filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
