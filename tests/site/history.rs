//! What became of results, wherever they are compared: versions in their order, what no longer stands, what was measured
//! again, and whose measurement each is.

use crate::program::Site;

/// A run that states all that matters for its goodput: engine version, output tokens per second, what its curator says.
fn run(site: Site, id: &str, version: &str, goodput_tok_s: u32, note: &str) -> Site {
    let run = format!(
        r#"{{"id": "{id}", "status": "published", "title": "Run {id}", "published": "2026-10-29",
        "hardware": {{"accelerator": "Test card", "count": 1}},
        "software": {{"engine": "vllm", "engine_version": "{version}"}},
        "model": {{"name": "Test model", "quantization": "FP8 weights, BF16 KV cache"}},
        "workload": {{"trace": "t", "input_tokens": "1,024", "output_tokens": "128", "arrival": "Poisson"}},
        "slo": {{"ttft_p99_ms": 2000}}, "spec": {{"engine": {{"ignore_eos": true}}}},
        "configs": [{{"label": "only", "goodput_tok_s": {goodput_tok_s}, "prefix_cache_hit_pct": 0}}]}}"#
    );
    let site = site.file(&format!("content/runs/{id}.json"), &run);
    if note.is_empty() { site } else { site.file(&format!("content/runs/{id}.md"), format!("---\n{note}\n---\n")) }
}

/// The part of a page from an id to the next table or section.
fn part<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("{id} is not in {page}"));
    rest.split("</table>").next().unwrap_or(rest)
}

#[test]
fn engine_versions_stand_in_their_order() {
    let versions = [("a", "0.10.1"), ("b", "0.9"), ("c", "0.10.1rc1"), ("d", "0.10")];
    let site = versions.iter().fold(Site::new(), |site, (id, version)| run(site, id, version, 1000, ""));
    site.build().good();
    let page = site.read("public/compare/engines/vllm.html");
    let table = part(&page, "table:goodput_tok_s:versions");
    let places: Vec<_> = ["b", "d", "c", "a"].map(|id| table.find(&format!(">Run {id}: only<"))).into();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {table}");
}

#[test]
fn what_no_longer_stands_says_so_in_each_comparison() {
    let withdrawn = "withdrawn:\n  date: 2026-11-01\n  reason: the clock was wrong";
    let site = run(Site::new(), "a", "0.9", 1000, withdrawn);
    let site = run(run(site, "b", "0.9", 1100, ""), "c", "0.9", 1200, "supersedes: runs/b");
    site.build().good();
    let page = site.read("public/compare/engines/vllm.html");
    let table = part(&page, "table:goodput_tok_s");
    assert!(table.contains("only is withdrawn: the clock was wrong") && table.contains("only is superseded by Run c"));
    assert!(table.contains(r#"<span class="mark">withdrawn</span>"#), "{table}");
    // What stands is what the others are compared with.
    let baseline = table.find("what the others are compared with").expect("there is a baseline");
    assert!(table[..baseline].contains("Run c") && !table[..baseline].contains("Run a"), "{table}");
    let data = site.json("public/data/comparisons.json");
    assert_eq!(data["results"][0]["standing"], "withdrawn: the clock was wrong");
    let nearest = site.read("public/runs/c.html");
    assert!(part(&nearest, "table:nearest").contains("not ranked"), "{nearest}");
}

/// With its reason, wherever the superseding is told: beside the result, with its numbers, and in the list of them all.
#[test]
fn what_superseded_a_result_and_why_goes_with_it() {
    let supersedes = "supersedes: {record: runs/b, reason: the older driver throttled the card}";
    let site = run(run(Site::new(), "b", "0.9", 1100, ""), "c", "0.9", 1200, supersedes);
    site.build().good();
    let page = site.read("public/runs/b.html");
    let told =
        "<strong>superseded</strong> on 29 October 2026: the older driver throttled the card. See <a href=\"c.html\">";
    assert!(page.contains(told), "{page}");
    let words = "superseded by runs/c: the older driver throttled the card";
    assert_eq!(site.json("public/runs/b.json")["fate"], words);
    assert_eq!(site.json("public/data/index.json")[0]["fate"], words);
    assert!(site.read("public/data/runs.csv").lines().any(|line| line.starts_with("runs/b,") && line.contains(words)));
    assert!(!site.read("public/data/runs.csv").lines().any(|line| line.starts_with("runs/c,") && line.contains(words)));
    assert!(site.read("public/corrections.html").contains("superseded: the older driver throttled the card"));
    let compared = site.read("public/compare/engines/vllm.html");
    assert!(compared.contains("only is superseded by Run c: the older driver throttled the card"), "{compared}");
    assert!(site.read("public/data/comparisons.js").contains("superseded by Run c: the older driver"));
}

#[test]
fn a_reproduction_shows_its_ratio_to_the_original_or_why_it_has_none() {
    let again = "provenance: {relation: third party, reproduces: runs/a}";
    let site = run(run(Site::new(), "a", "0.9", 1000, ""), "b", "0.10", 970, again);
    site.build().good();
    let page = site.read("public/runs/b.html");
    assert!(part(&page, "table:reproduction").contains("Goodput (output tokens) 0.970x of the original"), "{page}");
    let original = site.read("content/runs/a.json").replace("Poisson", "one after another");
    let site = site.file("content/runs/a.json", &original);
    site.build().good();
    let page = site.read("public/runs/b.html");
    let table = part(&page, "table:reproduction");
    assert!(table.contains("Goodput (output tokens): the ratio is withheld"), "{table}");
    assert!(table.contains("arrival one after another against Poisson"), "{table}");
}

#[test]
fn a_result_has_its_badge_in_every_table_of_results() {
    let by = |relation: &str| format!("provenance: {{relation: {relation}}}");
    let changed = format!("{}\nchanges:\n  - date: 2026-11-02\n    what: the label", by("vendor"));
    let site = run(run(Site::new(), "a", "0.9", 1000, &by("third party")), "b", "0.9", 1100, &changed);
    site.build().good();
    for page in ["runs/index", "compare/engines/vllm", "engines/vllm", "runs/a"] {
        let text = site.read(&format!("public/{page}.html"));
        assert!(text.contains(r#"<span class="mark">vendor</span>"#), "{page}: {text}");
    }
    assert!(site.read("public/corrections.html").contains(r#"<span class="mark">vendor</span>"#));
}

/// What a frontier does not draw is named by its own record, and not by a series that is drawn.
#[test]
fn what_was_withdrawn_is_named_beside_the_frontier_that_it_left() {
    let site = Site::of_repository();
    let note = "content/runs/deepseek-r1-fp8-mi300x8-sglang-1k1k.md";
    let withdrawn = "---\nwithdrawn: {date: 2026-11-29, reason: another driver was installed}\n";
    let text = site.read(note).replacen("---\n", withdrawn, 1);
    let site = site.file(note, text);
    site.build().good();
    let page = site.read("public/compare/models/deepseek-r1.html");
    let title = "DeepSeek-R1 FP8 on eight MI300X: p99 TPOT doubles between 4 and 64 requests in flight";
    let figure = page.split("<figure").find(|figure| figure.contains("another driver was installed"));
    let table = figure.and_then(|figure| figure.split("<table").nth(1)).expect("a figure leaves it out");
    // Once, whatever loads it was measured at.
    let left_out: Vec<_> = table.split("<tr").filter(|row| row.contains("another driver was installed")).collect();
    let [row] = left_out[..] else { panic!("one of {left_out:?}") };
    assert!(row.contains(title) && !row.contains("concurrent"), "{row}");
}
