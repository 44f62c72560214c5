//! What lists, the gap map and the search lead to: facets whose links have as many rows as they count.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::Site;
use crate::tree::Tree;
use crate::walker::{Page, faults};

/// A note on paging of 2026 without a card, but for what `fields` say.
fn note(site: Site, id: &str, fields: &str) -> Site {
    let defaults =
        [("published", "\"2026-11-05\""), ("technique", "paging"), ("confidence", "0.5"), ("no_card", "sizes only")];
    let is_said = |field: &str| {
        let says = |field: &str| fields.contains(&format!("{field}:"));
        says(field) || field == "no_card" && says("hosts")
    };
    let defaults = defaults.iter().filter(|(field, _)| !is_said(field));
    let defaults: String = defaults.map(|(field, value)| format!("{field}: {value}\n")).collect();
    let text = format!("---\nid: {id}\ntitle: Note {id}\nconfidence_reason: Made up.\n{defaults}{fields}\n---\n");
    site.file(&format!("content/kv-efficiency/{id}.md"), text)
}

/// One value of a facet as a list's page has it.
#[derive(Debug)]
struct Choice {
    facet: String,
    name: String,
    /// Path of the page that it leads to.
    page: String,
    count: usize,
    rows: Vec<usize>,
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(found, _)| found)
}

/// The page that a link of a page leads to.
fn target(from: &str, href: &str) -> String {
    let mut folders: Vec<_> = from.split('/').collect();
    folders.pop();
    for part in href.split('/') {
        match part {
            ".." => folders.truncate(folders.len() - 1),
            _ => folders.push(part),
        }
    }
    folders.join("/")
}

fn facets(tree: &Tree, list: &str) -> Vec<Choice> {
    let box_ = between(tree.text(list), "<details class=\"facets\"", "</details>");
    let lists = box_.split("data-facet=\"").skip(1);
    let values = lists.flat_map(|facet| {
        let id = facet.split('"').next().unwrap_or_default();
        facet.split("<li data-rows=\"").skip(1).map(move |value| Choice {
            facet: id.to_owned(),
            name: between(value, "\">", "</a>").rsplit('>').next().unwrap_or_default().to_owned(),
            page: target(list, between(value, "<a href=\"", "\"")),
            count: between(value, "<small>", "</small>").parse().expect("a count"),
            rows: value
                .split('"')
                .next()
                .unwrap_or_default()
                .split(' ')
                .map(|row| row.parse().expect("a row"))
                .collect(),
        })
    });
    values.collect()
}

/// Results in the tables of a page and its parts, in their order: those of a folder.
fn listed(tree: &Tree, page: &str, folder: &str) -> Vec<String> {
    let stem = page.strip_suffix(".html").expect("a page");
    let parts = (2..).map(|part| format!("{stem}.part-{part}.html")).take_while(|path| tree.has(path));
    let pages = std::iter::once(page.to_owned()).chain(parts);
    let rows = pages.flat_map(|path| {
        let page = Page::parse(tree.text(&path));
        let ids = page.elements.iter().filter(|element| element.name == "tr").filter_map(|row| row.get("id"));
        let results = ids.filter_map(|id| id.strip_prefix("list:").or(id.strip_prefix("results:")));
        results.map(str::to_owned).collect::<Vec<_>>()
    });
    rows.filter(|address| address.starts_with(&format!("{folder}/"))).collect()
}

/// Each value against the page that it leads to, which is read apart from it.
fn check(tree: &Tree, list: &str) -> Vec<Choice> {
    let folder = list.strip_suffix("/index.html").expect("a list");
    let all = listed(tree, list, folder);
    let values = facets(tree, list);
    for value in &values {
        assert_eq!(value.rows.len(), value.count, "{value:?}");
        let found: BTreeSet<_> = listed(tree, &value.page, folder).into_iter().collect();
        let wanted: BTreeSet<_> = value.rows.iter().map(|row| all[*row].clone()).collect();
        assert_eq!(found, wanted, "{list} {value:?}");
    }
    assert!(!between(tree.text(list), "<details class=\"facets\"", "</details>").contains("<span>"), "{list}");
    values
}

#[test]
fn each_value_of_a_facet_leads_to_as_many_results_as_it_counts() {
    let site = note(Site::new(), "a", "published: \"2025-01-02\"\nconfidence: 0.9");
    let site = note(note(site, "b", "confidence: 0.6"), "c", "confidence: 0.8");
    site.build().good();
    let tree = site.published();
    let values = check(&tree, "kv-efficiency/index.html");
    let values: Vec<_> = values.iter().map(|own| (&*own.facet, &*own.name, own.count, &*own.page)).collect();
    let expected = [
        ("year", "2026", 2, "kv-efficiency/index.year-2026.html"),
        ("year", "2025", 1, "kv-efficiency/index.year-2025.html"),
        ("confidence", "0.8 or more", 2, "kv-efficiency/index.confidence-0-8-or-more.html"),
        ("confidence", "0.6 to below 0.8", 1, "kv-efficiency/index.confidence-0-6-to-below-0-8.html"),
        // What all of them are is the list itself.
        ("completeness", "below 50", 3, "kv-efficiency/index.html"),
    ];
    assert_eq!(values, expected);
    let page = tree.text("kv-efficiency/index.confidence-0-8-or-more.html");
    assert!(page.contains(", confidence 0.8 or more</h1>"), "{page}");
    assert!(page.contains("2 of 3 results") && page.contains("<a href=\"index.html\">"), "{page}");
    let sitemap = tree.text("sitemap.xml");
    assert!(sitemap.contains("https://results.example/kv-efficiency/index.year-2025.html"), "{sitemap}");
    assert!(!tree.text("data/search.js").contains("year-2025"));
    assert_eq!(faults(&tree, "https://results.example/"), [""; 0]);
}

#[test]
fn facets_of_our_own_lists_count_what_their_links_lead_to() {
    let tree = Site::of_repository_built().published();
    for list in ["runs/index.html", "audits/index.html", "kv-efficiency/index.html"] {
        let values = check(&tree, list);
        assert!(values.iter().any(|value| value.page.contains("/index.")), "{list}");
    }
}

#[test]
fn values_that_are_not_named_lead_to_the_list_of_all() {
    let models = (0..30).map(|model| format!("{{name: Model {model}}}")).collect::<Vec<_>>().join(", ");
    let site = note(note(Site::new(), "a", &format!("models: [{models}]")), "b", "models: [{name: Other}]");
    site.build().good();
    let page = site.read("public/kv-efficiency/index.html");
    assert!(page.contains("<a href=\"../models/index.html\">and 7 more values with fewer results</a>"), "{page}");
}

#[test]
fn the_results_of_a_value_are_cut_into_parts() {
    let ids: Vec<String> = (0..1_001).map(|number| format!("run-{number:04}")).collect();
    let site = Site::of_runs(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let older = crate::program::run_record("run-0000").replace("2026-10-29", "2025-10-29");
    let site = site.file("content/runs/run-0000.json", older);
    site.build().good();
    let tree = site.published();
    check(&tree, "runs/index.html");
    assert!(tree.has("runs/index.year-2026.part-2.html") && !tree.has("runs/index.year-2026.part-3.html"));
}

#[test]
fn a_record_may_not_have_the_address_of_a_part_of_a_list() {
    let site = Site::new().file("content/runs/index.year-2026.json", crate::program::run_record("index.year-2026"));
    site.build().refused(&["address/reserved", "names that begin with `index.` are those of parts of a list"]);
}

/// Cells of the first table of the gap map below their model and card, words and notes.
fn cell(page: &str, model: &str, card: &str) -> String {
    let table = between(page, "<table", "</table>");
    let words = |html: &str| Page::parse(&html.replace("<span", " <span")).text.trim().to_owned();
    let head: Vec<_> =
        between(table, "<thead>", "</thead>").split("<th ").skip(1).map(|it| words(&format!("<th {it}"))).collect();
    let row = table.split("<tr id=").skip(1).map(|row| format!("<tr id={row}"));
    let row: Vec<_> = row.map(|row| row.replace("<th", "<td")).collect();
    let row = row.iter().map(|row| row.split("<td").skip(1).map(|it| words(&format!("<td{it}"))).collect::<Vec<_>>());
    let row = row.into_iter().find(|cells| cells[0].trim_end_matches('#') == model);
    let column = head.iter().position(|name| name == card);
    match (row, column) {
        (Some(cells), Some(column)) => cells[column].clone(),
        _ => format!("no {model} on {card}"),
    }
}

const HOSTS: &str = "hosts: [{key: h, accelerator: Old, count: 1}, {key: i, accelerator: New, count: 1}]";
const MODELS: &str = "models: [{name: Small}, {name: Large}]";

#[test]
fn the_gap_map_has_the_pairs_that_were_measured_and_no_others() {
    let variants = |of: &str| format!("{MODELS}\n{HOSTS}\nvariants: [{of}]");
    for (fields, expected) in [
        // Each on its own card; what stands for neither adds nothing.
        (
            variants(
                "{key: a, label: A, model: Small, host: h}, {key: b, label: B, model: Large, host: i}, {key: c, label: C}",
            ),
            [("Small", "Old", true), ("Small", "New", false), ("Large", "New", true), ("Large", "Old", false)],
        ),
        // The hosts say what ran on them.
        (
            format!(
                "{MODELS}\nhosts: [{{key: h, accelerator: Old, model: Large}}, {{key: i, accelerator: New, model: Small}}]"
            ),
            [("Small", "Old", false), ("Small", "New", true), ("Large", "New", false), ("Large", "Old", true)],
        ),
        // Nobody says which ran where.
        (
            variants("{key: a, label: A}"),
            [
                ("Small", "Card not stated", true),
                ("Large", "Card not stated", true),
                ("Model not stated", "Old", true),
                ("Small", "Old", false),
            ],
        ),
        // One model on each.
        (
            format!("models: [{{name: Small}}]\n{HOSTS}\nvariants: [{{key: a, label: A}}]"),
            [
                ("Small", "Old", true),
                ("Small", "New", true),
                ("Large", "Old", false),
                ("Small", "Card not stated", false),
            ],
        ),
        (
            "models: [{name: Small}]".to_owned(),
            [
                ("Small", "Card not stated", true),
                ("Model not stated", "Card not stated", false),
                ("Small", "Old", false),
                ("Large", "Card not stated", false),
            ],
        ),
        (
            String::new(),
            [
                ("Model not stated", "Card not stated", true),
                ("Small", "Card not stated", false),
                ("Model not stated", "Old", false),
                ("Small", "Old", false),
            ],
        ),
    ] {
        let site = note(Site::new(), "n", &fields);
        site.build().good();
        let page = site.read("public/gaps.html");
        for (model, card, is_there) in expected {
            let found = cell(&page, model, card);
            assert_eq!(found.contains("1 result"), is_there, "{fields}: {model} on {card}: {found}");
        }
    }
}

#[test]
fn what_nobody_measured_is_missing_and_what_nobody_told_is_no_gap() {
    let pair = "variants: [{key: a, label: A, model: Small, host: h}, {key: b, label: B, model: Large, host: i}]";
    let site = note(note(Site::new(), "n", &format!("{MODELS}\n{HOSTS}\n{pair}")), "o", "models: [{name: Small}]");
    site.build().good();
    let page = site.read("public/gaps.html");
    assert_eq!(cell(&page, "Small", "New"), "missing");
    assert_eq!(cell(&page, "Large", "Card not stated"), "–");
}

#[test]
fn the_gap_map_says_where_only_sizes_of_caches_are_compared() {
    const MODEL: &str = r#"{"id": "m", "title": "Model M", "names": ["M"], "layers": 2,
        "groups": [{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]}"#;
    let variant = "models: [{name: M}]\nkv_dtype: bf16\ncontext_tokens: 1024\nvariants: [{key: a, label: A}]";
    let hosts = format!("{variant}\nhosts: [{{key: h, accelerator: Old, count: 1}}]");
    let alone = note(Site::new().file("content/models/m.json", MODEL), "a", &hosts);
    alone.build().good();
    assert_eq!(cell(&alone.read("public/gaps.html"), "Model M", "Old"), "not comparable 1 result");
    let two = note(alone, "b", variant);
    two.build().good();
    let page = two.read("public/gaps.html");
    assert_eq!(cell(&page, "Model M", "Old"), "not comparable 1 result cache sizes compared");
    assert_eq!(cell(&page, "Model M", "Card not stated"), "not comparable 1 result cache sizes compared");
    // As the comparison of the technique has it.
    assert!(two.read("public/compare/techniques/paging.html").contains("Note b: A"));
}

#[test]
fn every_note_of_a_technique_is_on_the_gap_map() {
    let site = Site::of_repository_built();
    let map = site.read("public/gaps.html");
    let of_map = |technique: &str| {
        let table = between(&map, &format!("<table id=\"table:{technique}\""), "</table>").to_owned();
        let counts = table
            .split("<span class=\"note\">")
            .skip(1)
            .filter_map(|note| note.split(' ').next()?.parse::<usize>().ok());
        counts.sum::<usize>()
    };
    for technique in ["paging", "prefix_caching", "architecture", "production_hit_rate"] {
        let page = format!("techniques/{}.html", technique.replace('_', "-"));
        let results = ["kv-efficiency", "audits", "runs"].map(|folder| listed(&site.published(), &page, folder).len());
        assert!(of_map(technique) >= results.iter().sum(), "{technique}: {results:?}");
    }
    // Each on the card that it was tied to.
    let table = between(&map, "<table id=\"table:paging\"", "</table>");
    let table = format!("<table{table}</table>");
    assert!(!cell(&table, "Llama 2 13B", "A10G").contains("result"), "{table}");
}

#[test]
fn the_search_finds_pages_by_their_titles_and_techniques_by_either_spelling() {
    let site = Site::of_repository_built();
    let text = site.read("public/data/search.js");
    let index = text.lines().find_map(|line| line.strip_prefix("window.searchIndex = ")?.strip_suffix(';'));
    let index: Vec<Vec<Value>> = serde_json::from_str(index.expect("an index")).expect("it is JSON");
    let found = |query: &str| {
        let hits = index.iter().filter(|entry| {
            let all = format!("{} {}", entry[0], entry[3]).to_lowercase();
            query.split(' ').all(|term| all.contains(term))
        });
        hits.map(|entry| entry[1].as_str().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    for (query, page) in [
        ("kv quantization", "techniques/kv-quantisation.html"),
        ("kv quantisation", "techniques/kv-quantisation.html"),
        ("gap map", "gaps.html"),
        ("corrections", "corrections.html"),
        ("compare", "compare.html"),
        ("methodology", "methodology.html"),
        ("glossary", "glossary.html"),
        ("data", "data/index.html"),
    ] {
        assert!(found(query).iter().any(|path| path == page), "{query}: {:?}", found(query));
    }
    assert_eq!(found("kv quantization").len(), found("kv quantisation").len());
    // What the search calls a page of the site is what the page calls itself.
    for entry in index.iter().filter(|entry| entry[2] == "page" && !entry[1].to_string().contains("pages/")) {
        let [title, path] = [0, 1].map(|at| entry[at].as_str().expect("a text"));
        let page = site.read(&format!("public/{path}"));
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{title}");
    }
    assert!(text.len() / index.len() < 300, "{} bytes for {} pages", text.len(), index.len());
}
