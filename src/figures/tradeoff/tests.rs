//! Which results of whole records share a frontier, and how they stand on it.

use super::*;
use crate::figures::tests::{site, source};
use crate::source::Kind;

/// Everything that the contract asks of a rate and a latency; the load is each config's own.
const SETTING: &str = r#""model": {"name": "M", "parallelism": "TP1", "quantization": "FP8 weights, BF16 KV cache"},
    "workload": {"trace": "t", "input_tokens": "1,024", "output_tokens": "128", "arrival": "poisson"},
    "spec": {"engine": {"ignore_eos": true}}"#;

/// Of runs: id, engine, and its configs as they stand in the file.
fn figures_of(runs: &[(&str, &str, &str)]) -> Figures {
    figures_with("", runs)
}

/// The same with more fields of each record.
fn figures_with(more: &str, runs: &[(&str, &str, &str)]) -> Figures {
    let sources = runs.iter().map(|(id, engine, configs)| {
        let text = format!(
            r#"{{"id": "{id}", "status": "published", "title": "T", "published": "2026-10-29",
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "{engine}"}}, {SETTING},{more}
            "configs": [{configs}]}}"#
        );
        source(Kind::Run, &format!("runs/{id}.json"), text)
    });
    site(&sources.collect::<Vec<_>>()).1
}

/// Configs of a run: requests at once, output tokens per second, p99 TPOT in ms.
fn configs(of: &[(u32, f64, f64)]) -> String {
    let config = |(load, rate, tpot): &(u32, f64, f64)| {
        format!(
            r#"{{"label": "{load} at once", "concurrency": {load}, "output_tok_s": {rate}, "tpot_p99_ms": {tpot},
            "prefix_cache_hit_pct": 0}}"#
        )
    };
    of.iter().map(config).collect::<Vec<_>>().join(",")
}

fn standings(frontier: &Frontier) -> Vec<Standing> {
    frontier.points.iter().map(|point| point.standing).collect()
}

#[test]
fn loads_of_one_record_stand_on_one_frontier() {
    use Standing::{Beaten, Frontier as On};
    let figures = figures_of(&[("a", "vllm", &configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 490.0, 12.0)]))]);
    let frontiers = figures.frontiers_of("runs/a");
    let [frontier] = frontiers else { panic!("one of three: {frontiers:?}") };
    assert_eq!((frontier.across, frontier.up), ("output_tok_s_per_user_at_p99_tpot", "output_tok_s"));
    assert_eq!(standings(frontier), [On, On, Beaten]);
    assert_eq!(frontier.points[1].across.quantity, (1000.0 / 9.0).into());
    assert!(
        !frontier.all_bounded && frontier.left_out.is_empty() && frontier.has(On) && !frontier.has(Standing::Close)
    );
    assert!(figures.frontiers().is_empty(), "one record is no several");
    // Two points are no frontier.
    let figures = figures_of(&[("a", "vllm", &configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0)]))]);
    assert!(figures.frontiers_of("runs/a").is_empty() && figures.frontiers_of("runs/none").is_empty());
}

#[test]
fn what_has_no_place_is_named_with_the_reason() {
    let more = r#", {"label": "none", "concurrency": 64, "output_tok_s": 3, "prefix_cache_hit_pct": 0},
        {"label": "crashed", "concurrency": 128, "failed": "out of memory"},
        {"label": "deep", "concurrency": 8, "context_tokens": 4096, "output_tok_s": 90, "tpot_p99_ms": 30,
         "prefix_cache_hit_pct": 0}"#;
    let own = configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 490.0, 12.0)]) + more;
    let figures = figures_of(&[("a", "vllm", &own)]);
    let frontiers = figures.frontiers_of("runs/a");
    let left_out = frontiers[0].left_out.iter().map(|out| (out.contender, out.reason.as_str()));
    let left_out: Vec<_> = left_out.collect();
    assert_eq!(frontiers.len(), 1);
    assert_eq!(left_out.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [3, 4, 5], "{left_out:?}");
    assert!(left_out[0].1.contains("not stated"), "{left_out:?}");
    assert!(left_out[1].1.contains("out of memory"), "{left_out:?}");
    assert!(left_out[2].1.contains("after 4,096 tokens"), "{left_out:?}");
}

#[test]
fn results_of_several_records_share_a_frontier_only_where_they_may_be_compared() {
    let (a, b) = (configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0)]), configs(&[(1, 110.0, 4.0), (8, 400.0, 8.0)]));
    let figures = figures_of(&[("a", "vllm", &a), ("b", "vllm", &b), ("c", "sglang", &a)]);
    let [frontier] = figures.frontiers() else { panic!("{:?}", figures.frontiers()) };
    use Standing::{Beaten, Frontier as On};
    assert_eq!(standings(frontier), [Beaten, On, On, On]);
    let alike = frontier.alike(figures.comparisons());
    assert!(alike.contains(&(Part::Engine, "vllm")) && alike.iter().all(|(part, _)| *part != Part::Load), "{alike:?}");
}

#[test]
fn a_lead_inside_of_what_results_could_be_off_beats_nothing() {
    use Standing::{Beaten, Close, Frontier as On};
    let own = configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 490.0, 9.1)]);
    for (more, third) in [
        (r#""variance_band_pct": 6,"#, Close),
        (r#""variance_band_pct": 0.5,"#, Beaten),
        // The worse one is as far off as the better one can be.
        (r#""variance_band_pct": 1.1,"#, Close),
    ] {
        let figures = figures_with(more, &[("a", "vllm", &own)]);
        let frontier = &figures.frontiers_of("runs/a")[0];
        assert_eq!((standings(frontier), frontier.all_bounded), (vec![On, On, third], true), "{more}");
    }
}

#[test]
fn the_grid_of_a_search_lies_on_one_side_where_it_is_coarser_than_the_band() {
    use Standing::{Beaten, Close, Frontier as On};
    // 11% apart: more than 7.5%, and less than two that are each up to 7.5% off.
    let own = configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 450.0, 9.1)]);
    let setting = SETTING.replace("\"spec\": {", "\"spec\": {\"sweep\": {\"growth\": 1.6, \"bisect_steps\": 3}, ");
    for (band, third) in [(0.5, Beaten), (7.6, Close)] {
        let run = format!(
            r#"{{"id": "a", "status": "published", "title": "T", "published": "2026-10-29", "variance_band_pct": {band},
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm"}}, {setting}, "configs": [{own}]}}"#
        );
        let figures = site(&[source(Kind::Run, "runs/a.json", run)]).1;
        assert_eq!(standings(&figures.frontiers_of("runs/a")[0]), [On, On, third], "{band}");
    }
}

#[test]
fn what_a_record_varies_on_purpose_moves_along_its_frontier() {
    let own = configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 490.0, 12.0)]);
    let own = own.replacen("\"prefix_cache_hit_pct\": 0", "\"prefix_cache_hit_pct\": 50", 1);
    let run = format!(
        r#"{{"id": "a", "status": "published", "title": "T", "published": "2026-10-29",
        "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm"}}, {SETTING}, "configs": [{own}]}}"#
    );
    for (varies, points) in [("prefix_share", Some(3)), ("engine", None)] {
        let note = format!("---\nvaries: [{varies}]\n---\n");
        let sources = [source(Kind::Run, "runs/a.json", &*run), source(Kind::CuratorNote, "runs/a.md", note)];
        let figures = site(&sources).1;
        assert_eq!(figures.frontiers_of("runs/a").first().map(|found| found.points.len()), points, "{varies}");
    }
}

#[test]
fn each_trade_off_of_a_record_is_drawn_once() {
    let own = configs(&[(1, 100.0, 5.0), (8, 500.0, 9.0), (16, 490.0, 12.0)]);
    let powered = own.replace("\"prefix_cache_hit_pct\"", "\"node_power_kw\": 0.5, \"prefix_cache_hit_pct\"");
    let with_goodput = powered.replace("\"output_tok_s\"", "\"goodput_tok_s\": 90, \"output_tok_s\"");
    let more = r#""slo": {"tpot_p99_ms": 50}, "power": {"kind": "board", "window": "60 s"},"#;
    for (configs, expected) in [
        (&own, &[("throughput-per-user", "output_tok_s")][..]),
        (&powered, &[("throughput-per-user", "output_tok_s"), ("energy-throughput", "energy_j_per_output_token")]),
        (
            &with_goodput,
            &[("throughput-per-user", "goodput_tok_s"), ("energy-throughput", "energy_j_per_output_token")],
        ),
    ] {
        let figures = figures_with(more, &[("a", "vllm", configs)]);
        let found: Vec<_> = figures.frontiers_of("runs/a").iter().map(|found| (found.tradeoff.id, found.up)).collect();
        assert_eq!(found, expected);
    }
}
