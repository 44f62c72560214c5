//! What limits a number stands with it, wherever the number goes.

use serde_json::{Value, json};

use crate::program::{Site, repository};

const PUBLISHED: &str = "h100-qwen3-30b-a3b-prefix-cache-vllm";

/// The published run under another id, its note with it.
fn copied(site: Site, id: &str, change: impl Fn(&mut Value)) -> Site {
    let read = |ending: &str| {
        let path = repository().join(format!("content/runs/{PUBLISHED}.{ending}"));
        std::fs::read_to_string(path).expect("it is content")
    };
    let mut run: Value = serde_json::from_str(&read("json")).expect("it is JSON");
    run["id"] = id.into();
    change(&mut run);
    let site = site.file(&format!("content/runs/{id}.json"), run.to_string());
    site.file(&format!("content/runs/{id}.md"), read("md").replace(PUBLISHED, id))
}

/// The rows that begin with what a word stands in.
fn rows<'a>(page: &'a str, word: &str) -> Vec<&'a str> {
    page.split("<tr").skip(1).filter(|row| row.split("</th>").next().is_some_and(|head| head.contains(word))).collect()
}

#[test]
fn the_limits_of_a_run_stand_on_its_page_in_lists_comparisons_tables_and_its_drawing() {
    let site = copied(Site::of_repository(), "limited", |_| {});
    let site = copied(site, "clean", |run| {
        run["accuracy"] = json!({"suite": "GSM8K", "threshold_pts": 1.0, "questions": 1319});
        for config in run["configs"].as_array_mut().expect("it has configs") {
            config["accuracy"] = json!({"score_pct": 94.5});
        }
        run["power"]["kind"] = "node".into();
    });
    site.build().good();
    let gate = "no accuracy gate";
    let page = |path: &str| site.read(&format!("public/{path}"));

    assert!(page("runs/limited.html").contains(gate), "the run's page");
    let clean = page("runs/clean.html");
    // The other run is among its nearest.
    let own = clean.split("table:nearest").next().unwrap_or_default();
    assert!(!own.contains(gate), "the clean run's page");

    let list = page("runs/index.html");
    assert!(rows(&list, "runs/limited\"").iter().all(|row| row.contains(gate)), "its row in the list");
    assert!(rows(&list, "runs/clean\"").iter().all(|row| !row.contains(gate)), "the clean row");
    assert_eq!(rows(&list, "runs/limited\"").len(), 1);

    let figures = page("data/runs.csv");
    let lines = |id: &str| {
        let own = figures.lines().filter(|line| line.starts_with(&format!("runs/{id},")));
        own.filter(|line| line.contains(",goodput_change_pct,") && !line.contains("this is the baseline"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(!lines("limited").is_empty() && lines("limited").iter().all(|line| line.contains(gate)), "the tables");
    assert!(!lines("clean").is_empty() && lines("clean").iter().all(|line| !line.contains(gate)), "the clean lines");

    let compared = page("compare/models/qwen3-30b-a3b-instruct-2507.html");
    let sides = |id: &str| compared.matches(&format!("runs/{id}")).count();
    assert!(sides("limited") > 0 && sides("clean") > 0, "the two are compared");
    assert!(compared.contains(gate), "the comparison");

    let drawing = page("runs/limited.svg");
    for words in ["accuracy gate: none was run", "GPU board power", "runs/limited", "quick mode"] {
        assert!(drawing.contains(words), "the drawing says {words}");
    }
    assert!(!page("runs/clean.svg").contains("none was run"), "the clean drawing");
}
