//! Pages of bounded size: budgets, and what is cut into parts and still found.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::{Site, repository};
use crate::tree::Tree;
use crate::walker::{Page, faults};

/// Bytes of a result's page, of that of an entry, which grows with the cards and models, of any other, of the style sheet.
const RESULT: usize = 60_000;
const ENTRY: usize = 80_000;
const PAGE: usize = 1_000_000;
const STYLE: usize = 12_000;

/// Rows of all tables of a page.
const ROWS: usize = 1_500;

const RESULTS: [&str; 3] = ["runs/", "audits/", "kv-efficiency/"];
const ENTRIES: [&str; 3] = ["models/", "hardware/", "prices/"];

fn built(site: &Site) -> Tree {
    site.build().good();
    site.published()
}

fn addresses(tree: &Tree) -> impl Iterator<Item = &str> {
    let data = tree.with_ending(".json").filter_map(|path| path.strip_suffix(".json"));
    data.filter(|address| RESULTS.iter().chain(&ENTRIES).any(|kind| address.starts_with(kind)))
}

/// Fragments of the figures of a record, as its data file lists them.
fn fragments(tree: &Tree, address: &str) -> Vec<String> {
    let data: Value = serde_json::from_str(tree.text(&format!("{address}.json"))).expect("it is JSON");
    let figures = data["figures"].as_array().cloned().unwrap_or_default();
    let fragment = |figure: &Value| {
        let text = |field: &str| figure[field].as_str().map(str::to_owned);
        let quote = text("quote").map(|quote| format!("/{}", quote.rsplit('/').next().unwrap_or_default()));
        format!("{}/{}{}", text("subject").expect("a subject"), text("id").expect("an id"), quote.unwrap_or_default())
    };
    figures.iter().map(fragment).collect()
}

fn ids(tree: &Tree, path: &str) -> BTreeSet<String> {
    Page::parse(tree.text(path)).ids().map(str::to_owned).collect()
}

fn too_large(tree: &Tree) -> Vec<String> {
    let pages = tree.with_ending(".html").map(|path| (path, tree.text(path)));
    let over = pages.filter(|(_, page)| page.len() > PAGE || page.matches("<tr").count() > ROWS);
    over.map(|(path, page)| format!("{path}: {} bytes, {} rows", page.len(), page.matches("<tr").count())).collect()
}

#[test]
fn our_own_pages_keep_to_their_budgets() {
    let tree = Site::of_repository_built().published();
    // The page of a collection is a list.
    let records = addresses(&tree).filter(|address| !address.ends_with("/index"));
    let part_of = |address: &str| format!("{address}.part-");
    let pages = |address: &str| {
        let parts = tree.with_ending(".html").filter(|path| path.starts_with(&part_of(address))).map(str::to_owned);
        parts.chain([format!("{address}.html")]).collect::<Vec<_>>()
    };
    let records = records.flat_map(pages);
    let most = |path: &str| if RESULTS.iter().any(|kind| path.starts_with(kind)) { RESULT } else { ENTRY };
    let large = records.filter(|path| tree.text(path).len() > most(path));
    let large: Vec<_> = large.map(|path| format!("{path}: {} bytes", tree.text(&path).len())).collect();
    assert!(large.is_empty(), "{large:?}");
    assert_eq!(too_large(&tree), [""; 0]);
    for path in tree.with_ending(".css").filter(|path| path.starts_with("assets/")) {
        assert!(tree.text(path).len() <= STYLE, "{path}: {} bytes", tree.text(path).len());
    }
}

#[test]
fn the_fragment_of_every_figure_leads_to_the_page_of_its_record() {
    let tree = Site::of_repository_built().published();
    let mut apart = 0;
    for address in addresses(&tree) {
        let known = ids(&tree, &format!("{address}.html"));
        let lost: Vec<_> = fragments(&tree, address).into_iter().filter(|fragment| !known.contains(fragment)).collect();
        assert!(lost.is_empty(), "{address}: {lost:?}");
        apart += usize::from(tree.has(&format!("{address}.figures.html")));
    }
    assert!(apart > 2, "some of our records have their figures on pages of their own");
}

/// The published run with its four configs repeated.
fn run_of(id: &str, configs: usize) -> String {
    run_with(id, configs, |position| format!("config {position}"))
}

fn run_with(id: &str, configs: usize, label: impl Fn(usize) -> String) -> String {
    let run = std::fs::read_to_string(repository().join("content/runs/h100-qwen3-30b-a3b-prefix-cache-vllm.json"));
    let mut run: Value = serde_json::from_str(&run.expect("it is content")).expect("it is JSON");
    run["id"] = id.into();
    let measured = run["configs"].as_array().cloned().expect("it has configs");
    let repeated = measured.iter().cycle().take(configs).enumerate().map(|(position, config)| {
        let mut config = config.clone();
        config["label"] = label(position).into();
        config
    });
    run["configs"] = repeated.collect();
    serde_json::to_string_pretty(&run).expect("it is JSON")
}

#[test]
fn a_run_of_many_configs_is_cut_and_each_of_them_is_found() {
    let count = 300;
    let site = Site::new().file("content/runs/a.json", run_of("a", count));
    let tree = built(&site);
    assert_eq!(too_large(&tree), [""; 0]);
    assert_eq!(faults(&tree, "https://results.example/"), [""; 0]);
    let parts: Vec<_> = tree.with_ending(".html").filter(|path| path.starts_with("runs/a.part-")).collect();
    assert!(parts.len() > 2, "{parts:?}");
    let own = parts.iter().copied().chain(["runs/a.html"]);
    let known: BTreeSet<_> = own.flat_map(|path| ids(&tree, path)).collect();
    let configs = (0..count).map(|position| format!("config-{position}"));
    let lost: Vec<_> = configs.chain(fragments(&tree, "runs/a")).filter(|fragment| !known.contains(fragment)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn long_labels_of_many_configs_keep_to_the_budget() {
    for (count, length) in [(12, 60), (12, 90), (6, 160), (24, 64)] {
        let words = " of chunked prefill with prefix caching and an fp8 cache".repeat(3);
        let label = |position: usize| format!("{position}{words}").chars().take(length).collect();
        let tree = built(&Site::new().file("content/runs/a.json", run_with("a", count, label)));
        let own = tree.with_ending(".html").filter(|path| path.starts_with("runs/a.") && !path.contains(".source"));
        for path in own {
            let bytes = tree.text(path).len();
            assert!(bytes <= RESULT, "{count} configs of {length} letters: {path}: {bytes} bytes");
        }
    }
}

#[test]
fn a_list_is_cut_and_leads_to_every_record() {
    let ids: Vec<String> = (0..1_100).map(|number| format!("run-{number:04}")).collect();
    let tree = built(&Site::of_runs(&ids.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(too_large(&tree), [""; 0]);
    let lists = ["runs/index.html", "runs/index.part-2.html", "runs/index.part-3.html"];
    let pages = lists.map(|path| Page::parse(tree.text(path)));
    let linked: BTreeSet<&str> = pages.iter().flat_map(Page::links).collect();
    let lost: Vec<_> = ids.iter().filter(|id| !linked.contains(format!("{id}.html").as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(ids.iter().all(|id| tree.has(&format!("runs/{id}.html"))), "as many pages as records");
}

#[test]
fn a_long_source_is_cut_between_its_lines() {
    let lines: String = (0..20_000).map(|number| format!("Line {number} of a long text.\n\n")).collect();
    let page = format!("---\ntitle: Long\n---\n\n{lines}");
    let count = page.lines().count();
    let tree = built(&Site::new().file("content/pages/long.md", page));
    let parts: Vec<_> = tree.with_ending(".html").filter(|path| path.starts_with("pages/long.source.")).collect();
    assert!(parts.len() > 1, "{parts:?}");
    for part in &parts {
        assert!(tree.text(part).len() <= PAGE, "{part}: {} bytes", tree.text(part).len());
    }
    let known: BTreeSet<_> = parts.iter().flat_map(|path| ids(&tree, path)).collect();
    assert!((1..=count).all(|line| known.contains(&format!("L{line}"))), "each line has its anchor");
}
