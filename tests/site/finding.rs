//! Finding things: rows that lead to themselves, one name for one thing, reasons in words, and what may not be compared.

use crate::program::{Site, run_record};
use crate::tree::Tree;

fn built() -> Tree {
    Site::of_repository_built().published()
}

/// The tables of a page as they are served, by their ids.
fn tables(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("<table id=\"table:").skip(1).filter_map(|rest| {
        let (id, rest) = rest.split_once('"')?;
        Some((id, rest.split("</table>").next()?))
    })
}

/// The rows of a table's body.
fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.split("<tbody>").skip(1).flat_map(|body| body.split("<tr").skip(1))
}

/// Pages about something, and not of a file.
fn pages(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    let paths = tree.with_ending(".html").filter(|path| !path.contains(".source."));
    paths.map(|path| (path, tree.text(path)))
}

#[test]
fn every_row_of_every_table_leads_to_itself() {
    let tree = built();
    let (mut lost, mut seen) = (Vec::new(), 0);
    for (path, page) in pages(&tree) {
        for (id, row) in tables(page).flat_map(|(id, table)| rows(table).map(move |row| (id, row))) {
            seen += 1;
            let anchor = row.strip_prefix(" id=\"").and_then(|rest| rest.split('"').next());
            if !anchor.is_some_and(|anchor| row.contains(&format!("href=\"#{anchor}\""))) {
                lost.push(format!("{path}, {id}: {}", row.chars().take(100).collect::<String>()));
            }
        }
    }
    assert!(seen > 5_000, "{seen} rows");
    assert_eq!(lost, [""; 0]);
}

#[test]
fn tables_of_one_page_have_names_of_their_own() {
    let tree = built();
    for (path, page) in pages(&tree) {
        let captions: Vec<_> = page.split("<p class=\"caption\" id=\"").skip(1).collect();
        let captions: Vec<_> = captions.iter().filter_map(|rest| rest.split_once('>')?.1.split('<').next()).collect();
        let own: std::collections::BTreeSet<_> = captions.iter().collect();
        assert_eq!(own.len(), captions.len(), "{path}: {captions:?}");
    }
}

#[test]
fn rows_keep_their_places_when_others_come() {
    let places = |ids: &[&str]| {
        let site = Site::of_runs(ids);
        site.build().good();
        let list = site.read("public/runs/index.html");
        let (_, table) = tables(&list).next().expect("a list");
        rows(table).map(|row| row.split('"').nth(1).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(places(&["b"]), ["list:runs/b"]);
    assert_eq!(places(&["a", "b"]), ["list:runs/a", "list:runs/b"]);
}

#[test]
fn no_page_names_a_field_where_it_says_what_is_not_stated() {
    let tree = built();
    let mut fields = Vec::new();
    for (path, page) in pages(&tree) {
        let reasons =
            page.split(" is not stated").map(|before| before.rsplit(['>', ' ', '\n']).next().unwrap_or_default());
        fields.extend(reasons.filter(|word| word.contains('_')).map(|word| format!("{path}: {word}")));
    }
    assert_eq!(fields, [""; 0]);
}

#[test]
fn spellings_of_an_engine_and_of_a_card_are_one_in_lists_and_on_pages() {
    let run = |id: &str, engine: &str, card: &str| {
        let record = run_record(id).replace("\"engine\": \"vllm\"", &format!("\"engine\": \"{engine}\""));
        record.replace("Test card", card)
    };
    let site = Site::new()
        .file(
            "content/hardware/c.json",
            r#"{"id": "c", "title": "The card", "names": ["C1", "card one"], "memory_gb": 80}"#,
        )
        .file("content/runs/a.json", run("a", "trt", "C1"))
        .file("content/runs/b.json", run("b", "TensorRT-LLM v0.20.0", "card one"))
        .file("content/runs/c.json", run("c", "tensorrt-llm", "C1"));
    site.build();
    let list = site.read("public/runs/index.html");
    let (_, table) = tables(&list).next().expect("a list");
    for row in rows(table) {
        assert!(row.contains("<td>The card</td>") && row.contains("<td>TensorRT-LLM"), "{row}");
    }
    assert!(table.contains("<td>TensorRT-LLM v0.20.0</td>"));
    let engines = site.read("public/engines/index.html");
    assert_eq!(engines.matches("<tr id=\"list:").count(), 1);
    assert!(engines.contains("3 results"), "{engines}");
    assert!(site.read("public/engines/tensorrt-llm.html").contains("../runs/a.html"));
    let page = site.read("public/runs/a.html");
    assert!(
        page.contains(">TensorRT-LLM</a>") && page.contains(">1 × The card</a>"),
        "under the names of their entries"
    );
}

#[test]
fn whatever_has_a_result_has_its_comparisons() {
    let tree = built();
    let kinds = ["models/", "hardware/", "engines/", "techniques/"];
    let of_results = |(path, page): &(&str, &str)| {
        let is_own = kinds.iter().any(|kind| path.starts_with(kind)) && !path.ends_with("index.html");
        is_own && !path.contains(".part-") && page.contains("id=\"table:results\"")
    };
    let own: Vec<_> = pages(&tree).filter(of_results).collect();
    assert!(own.len() > 100, "{}", own.len());
    for (path, page) in own {
        assert!(tree.has(&format!("compare/{path}")), "{path}");
        assert!(page.contains("Results compared"), "{path}");
    }
    let alone = tree.text("compare/hardware/unlisted/a10g.html");
    assert!(alone.contains("One record, without a value of what results are compared by."), "{alone}");
}

#[test]
fn pairs_that_may_not_be_compared_are_counted_by_reason_before_they_are_listed() {
    let tree = built();
    let first = tree.text("compare/engines/vllm.html");
    let counts = tables(first).filter(|(id, _)| *id == "reasons").flat_map(|(_, table)| rows(table)).map(|row| {
        let digits = row.split(".html#apart:").nth(1).and_then(|rest| rest.split('>').nth(1));
        digits.and_then(|text| text.split('<').next()?.parse::<usize>().ok()).expect("a count that leads to its pairs")
    });
    let counts: Vec<_> = counts.collect();
    assert!(counts.len() > 5 && counts.is_sorted_by(|one, other| one >= other), "{counts:?}");
    assert!(!first.contains("id=\"table:apart\""), "the pairs are on parts of their own");
    let parts = tree.with_ending(".html").filter(|path| path.starts_with("compare/engines/vllm.part-"));
    let listed = parts.flat_map(|path| tables(tree.text(path))).filter(|(id, _)| *id == "apart");
    let listed = listed.flat_map(|(_, table)| rows(table)).filter(|row| row.contains("scope=\"row\"")).count();
    assert_eq!(listed, counts.iter().sum::<usize>());
}

#[test]
fn lists_of_results_are_filtered_by_confidence_and_completeness() {
    let tree = built();
    for list in ["runs/index.html", "audits/index.html", "kv-efficiency/index.html"] {
        for facet in ["confidence", "completeness"] {
            assert!(tree.text(list).contains(&format!("data-facet=\"{facet}\"")), "{list}: {facet}");
        }
    }
    let runs = tree.text("runs/index.html");
    let confidence = runs.split("data-facet=\"confidence\"").nth(1).and_then(|rest| rest.split("</ul>").next());
    assert!(confidence.is_some_and(|values| values.contains(">not stated</a>")), "{confidence:?}");
}
