//! What readers take away: tables of figures, the feed, records as data sets, schemas, drawings.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::program::{SETTINGS, Site};
use crate::records::run;
use crate::tree::Tree;
use crate::walker::Page;

const KINDS: [&str; 6] = ["runs", "audits", "kv-efficiency", "models", "hardware", "prices"];

fn lines(tree: &Tree, kind: &str) -> Vec<Value> {
    let lines = tree.text(&format!("data/{kind}.jsonl")).lines();
    lines.map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Rows of CSV under their headers, after RFC 4180.
pub fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut rows = vec![vec![String::new()]];
    let (mut quoted, mut rest) = (false, csv.chars().peekable());
    while let Some(sign) = rest.next() {
        let row = rows.last_mut().expect("there is a first row");
        match sign {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => row.last_mut().expect("a cell").push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            sign => row.last_mut().expect("a cell").push(sign),
        }
    }
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last line ends");
    let mut rows = rows.into_iter();
    let head = rows.next().expect("a header");
    let named = |row: Vec<String>| {
        assert_eq!(row.len(), head.len(), "{row:?}");
        head.iter().cloned().zip(row).collect()
    };
    rows.map(named).collect()
}

/// A cell as CSV has it: nothing for null, lists joined, text that a spreadsheet would run behind an apostrophe.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Array(texts) => texts.iter().map(|text| text.as_str().expect("a text")).collect::<Vec<_>>().join(" | "),
        Value::String(text) => text.clone(),
        number_or_flag => return number_or_flag.to_string(),
    };
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

#[test]
fn both_forms_of_a_table_say_the_same_and_leave_no_figure_out() {
    let tree = Site::of_repository_built().published();
    for kind in KINDS {
        let (lines, rows) = (lines(&tree, kind), rows(tree.text(&format!("data/{kind}.csv"))));
        assert_eq!(lines.len(), rows.len(), "{kind}");
        for (line, row) in lines.iter().zip(&rows) {
            let line: BTreeMap<_, _> =
                line.as_object().expect("an object").iter().map(|(name, value)| (name.clone(), cell(value))).collect();
            assert_eq!(&line, row);
        }
        let files = tree.with_ending(".json").filter(|path| path.starts_with(&format!("{kind}/")));
        let figures = files.map(|path| {
            let data: Value = serde_json::from_str(tree.text(path)).expect("it is JSON");
            data["figures"].as_array().map_or(0, Vec::len)
        });
        let computed = lines.iter().filter(|line| line["origin"] == "formula").count();
        assert_eq!(computed, figures.sum::<usize>(), "{kind}");
    }
}

/// Every number of a JSON file but of what a harness sets for itself, and of places in a list.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => number.as_f64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Object(members) => {
            let no_quantity = ["environment", "schema_version", "shares_with", "spec"];
            let members = members.iter().filter(|(name, _)| !no_quantity.contains(&name.as_str()));
            members.flat_map(|(_, value)| numbers(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// Numbers of a line of text, those with thousands separators too.
fn written(line: &str) -> Vec<f64> {
    let words = line.split(|sign: char| !(sign.is_ascii_alphanumeric() || "+-.,".contains(sign)));
    let parts = words.flat_map(|word| [word.replace(',', "")].into_iter().chain(word.split(',').map(str::to_owned)));
    parts.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn every_number_of_a_record_has_a_line_that_leads_to_where_it_stands() {
    let tree = Site::of_repository_built().published();
    for kind in KINDS {
        let own: Vec<_> = lines(&tree, kind).into_iter().filter(|line| line["origin"] == "record").collect();
        assert!(!own.is_empty(), "{kind}");
        let mut by_file: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        for line in &own {
            let text = |column: &str| line[column].as_str().unwrap_or_default();
            let key = ["id", "subject", "figure", "qualifier"].map(text);
            assert!(seen.insert(key), "two lines are of {key:?}");
            assert!(["measured", "stated", "assumed"].contains(&text("basis")), "{line}");
            assert!(text("basis") != "measured" || !text("sample").is_empty(), "{line}");
            let (file, number) = (text("file"), line["line"].as_u64().expect("a line"));
            let ends = ["low", "high"].map(|end| line[end].as_f64().expect("a number"));
            let content = std::fs::read_to_string(crate::program::repository().join(file)).expect("a file of ours");
            let found = written(content.lines().nth(number as usize - 1).expect("it has that line"));
            assert!(ends.iter().all(|end| found.contains(end)), "{line}: {found:?}");
            assert!(text("path").ends_with(&format!("#L{number}")), "{line}");
            by_file.entry(file).or_default().push(ends[0]);
        }
        for (file, mut found) in by_file.into_iter().filter(|(file, _)| file.ends_with(".json")) {
            let content = std::fs::read(crate::program::repository().join(file)).expect("a file of ours");
            let mut expected = numbers(&serde_json::from_slice(&content).expect("it is JSON"));
            expected.sort_by(f64::total_cmp);
            found.sort_by(f64::total_cmp);
            assert_eq!(found, expected, "{file}");
        }
    }
}

#[test]
fn a_measured_number_says_what_it_is_of_and_which_way_is_better() {
    let power = json!({"power": {"kind": "node", "window": "10 s"}});
    let site = run(power, json!({"node_power_kw": 5.2, "ttft_p99_ms": 410, "requests": {"completed": 200}}));
    site.build().good();
    let lines = lines(&site.published(), "runs");
    for (figure, expected) in [
        (
            "node_power_kw",
            json!({"value": 5.2, "unit": "kW", "power_boundary": "node power", "basis": "measured", "better": "lower"}),
        ),
        (
            "ttft_p99_ms",
            json!({"value": 410, "unit": "ms", "name": "p99 TTFT", "sample": "200 requests", "subject": "only",
                "label": "Only", "power_boundary": null, "file": "content/runs/a.json", "line": 1}),
        ),
        ("requests.completed", json!({"value": 200, "unit": "requests", "better": null, "qualifier": null})),
        ("hardware.count", json!({"value": 1, "unit": "GPUs", "basis": "stated", "sample": null, "subject": "record"})),
    ] {
        let line = lines.iter().find(|line| line["figure"] == figure).unwrap_or_else(|| panic!("no {figure}"));
        for (column, value) in expected.as_object().expect("columns") {
            assert_eq!(&line[column], value, "{figure} {column}");
        }
    }
}

#[test]
fn each_line_has_a_number_or_words_or_a_reason_and_says_what_of() {
    let tree = Site::of_repository_built().published();
    let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in KINDS.iter().flat_map(|kind| lines(&tree, kind)) {
        let has = |column: &str| !line[column].is_null();
        let number = has("low") && has("high");
        assert_eq!([number, has("verdict"), has("missing")].iter().filter(|has| **has).count(), 1, "{line}");
        assert_eq!(has("value"), number && line["low"] == line["high"], "{line}");
        assert!(has("license") && has("name") && has("unit") != line["unit"].is_null(), "{line}");
        let unit = line["unit"].as_str().unwrap_or_default();
        let counts = ["input", "output", "total"].into_iter().find(|kind| unit.contains(kind));
        assert!(line["tokens"].as_str() == counts || unit == "B/output token", "{line}");
        if line["origin"] == "formula" && ["J/", "/J", "Wh"].iter().any(|energy| unit.contains(energy)) {
            assert!(has("power_boundary"), "{line}");
        }
        let path = line["path"].as_str().expect("a path");
        assert!(line["url"].as_str().is_some_and(|url| url.ends_with(path)), "{line}");
        let (page, fragment) = path.split_once('#').expect("a fragment");
        let ids = ids
            .entry(page.to_owned())
            .or_insert_with(|| Page::parse(tree.text(page)).ids().map(str::to_owned).collect());
        assert!(ids.iter().any(|id| id == fragment), "{path} leads nowhere");
    }
}

/// 1,000 W for 10 s, 1,000 output and 8,000 input tokens, in a field whose name says node where the power is the boards'.
#[test]
fn energy_says_of_which_tokens_and_of_what_power() {
    let power = json!({"power": {"kind": "board", "window": "10 s"}});
    let config = json!({"node_power_kw": 1.0, "output_tok_s": 100.0, "total_tok_s": 900.0});
    let site = run(power, config);
    site.build().good();
    let tree = site.published();
    let lines = lines(&tree, "runs");
    for (figure, value, tokens) in
        [("energy_j_per_output_token", 10.0, "output"), ("energy_j_per_total_token", 1000.0 / 900.0, "total")]
    {
        let line = lines.iter().find(|line| line["figure"] == figure).expect("it is there");
        assert_eq!((line["value"].as_f64(), &line["tokens"]), (Some(value), &json!(tokens)), "{line}");
        assert_eq!(line["unit"], format!("J/{tokens} token"));
        assert_eq!(line["power_boundary"], "GPU board power");
        let limits = line["limits"].as_array().expect("a list");
        assert!(limits.iter().any(|limit| limit.as_str().is_some_and(|limit| limit.contains("host memory"))), "{line}");
    }
}

#[test]
fn what_is_not_shown_in_a_label_is_in_no_table_and_no_cell_is_a_formula() {
    let site = run(json!({}), json!({"label": "=1+1\u{202e}\n\"x\", y"}));
    site.build();
    let tree = site.published();
    let csv = tree.text("data/runs.csv");
    assert!(csv.contains("\"'=1+1\u{fffd} \"\"x\"\", y\""), "{csv}");
    assert!(rows(csv).iter().any(|row| row["label"].starts_with("'=1+1")));
    assert!(!tree.text("data/runs.jsonl").contains('\u{202e}'));
}

/// Every element of a feed of some name, with its text.
fn elements<'a>(feed: &'a str, name: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let (start, end) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = feed;
    while let Some((text, after)) = rest.split_once(&start).and_then(|(_, after)| after.split_once(&end)) {
        found.push(text);
        rest = after;
    }
    found
}

#[test]
fn the_feed_has_new_records_and_changes_by_the_days_of_the_content() {
    let note = "---\nchanges:\n  - date: 2026-11-02\n    what: The label & the price\n---\n";
    let site = Site::of_runs(&["a", "b"]).file("content/runs/a.md", note);
    site.build().good();
    let feed = site.read("public/feed.xml");
    assert_eq!(elements(&feed, "title")[1..], ["Run a: changed", "Run a", "Run b"]);
    let days = ["2026-11-02", "2026-11-02", "2026-10-29", "2026-10-29"].map(|day| format!("{day}T00:00:00Z"));
    assert_eq!(elements(&feed, "updated"), days);
    assert_eq!(elements(&feed, "summary")[0], "The label &#38; the price");
    let ids = elements(&feed, "id");
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let page = Page::parse(&site.read("public/runs/a.html"));
    let link = page.elements.iter().find(|element| element.get("type") == Some("application/atom+xml"));
    assert_eq!(link.and_then(|link| link.get("href")), Some("../feed.xml"));
}

/// By what and why, on the day of its successor, as the page of corrections has it.
#[test]
fn the_feed_says_what_was_superseded_and_what_was_withdrawn() {
    let note = "---\nsupersedes: {record: runs/a, reason: the driver throttled}\n---\n";
    let withdrawn = "---\nwithdrawn: {date: 2026-11-03, reason: the clock was wrong, replacement: runs/b}\n---\n";
    let site = Site::of_runs(&["a", "b", "c"]).file("content/runs/b.md", note).file("content/runs/c.md", withdrawn);
    let newer = crate::program::run_record("b").replace("2026-10-29", "2026-10-30");
    let site = site.file("content/runs/b.json", newer);
    site.build().good();
    let feed = site.read("public/feed.xml");
    let entries: Vec<_> = feed.split("<entry>").skip(1).collect();
    let entry = |title: &str| {
        let found = entries.iter().find(|entry| elements(entry, "title") == [title]);
        found.map(|entry| [elements(entry, "updated"), elements(entry, "summary")].concat())
    };
    let superseded = ["2026-10-30T00:00:00Z", "superseded by Run b: the driver throttled"];
    assert_eq!(entry("Run a: superseded").as_deref(), Some(&superseded[..]), "{feed}");
    let withdrawn = ["2026-11-03T00:00:00Z", "withdrawn in favour of Run b: the clock was wrong"];
    assert_eq!(entry("Run c: withdrawn").as_deref(), Some(&withdrawn[..]), "{feed}");
}

#[test]
fn a_site_without_results_has_no_feed() {
    let site = Site::new();
    site.build();
    assert!(!site.published().has("feed.xml"));
    assert!(!site.read("public/index.html").contains("feed.xml"));
}

#[test]
fn a_record_is_a_data_set_and_cannot_leave_its_element() {
    let note = "---\nchanges: [{date: 2026-11-02, what: The label}]\nprovenance: {measured_by: Lab & Co}\nsources: [{title: A, url: \"https://lab.example/x\"}]\n---\n";
    let record = json!({"title": "</script><b>", "workload": {"arrival": "Poisson"}});
    let site = run(record, json!({"goodput_tok_s": 10.0, "ttft_p99_ms": 400})).file("content/runs/a.md", note);
    site.build().good();
    let page = site.read("public/runs/a.html");
    let script =
        page.split("<script type=\"application/ld+json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(script.expect("a script")).expect("it is JSON");
    for (name, expected) in [
        ("@type", json!("Dataset")),
        ("name", json!("</script><b>")),
        ("license", json!("https://creativecommons.org/licenses/by/4.0/")),
        ("datePublished", json!("2026-10-29")),
        ("creator", json!({"@type": "Organization", "name": "Lab & Co"})),
        ("isBasedOn", json!(["https://lab.example/x"])),
        ("citation", json!(["A"])),
        ("dateModified", json!("2026-11-02")),
        ("url", json!("https://results.example/runs/a.html")),
        ("measurementTechnique", json!(["Poisson", "https://results.example/methodology.html"])),
        ("creativeWorkStatus", Value::Null),
    ] {
        assert_eq!(data[name], expected, "{name}");
    }
    let tree = site.published();
    for download in data["distribution"].as_array().expect("a list") {
        let url = download["contentUrl"].as_str().expect("an address");
        assert!(tree.has(url.strip_prefix("https://results.example/").expect("of this site")), "{url}");
    }
    assert!(data["description"].as_str().is_some_and(|finding| finding.contains("10.0 output tok/s")), "{data}");
    let source = &site.json("public/runs/a.json")["source"]["sha256"];
    let version = data["version"].as_str().expect("a version");
    assert!(source.as_str().is_some_and(|digest| digest.starts_with(version) && version.len() == 12), "{data}");
    // A latency is no figure; what is settled before the measurement is no variable of it.
    let variables: Vec<_> =
        data["variableMeasured"].as_array().expect("a list").iter().flat_map(Value::as_str).collect();
    for name in ["Goodput (output tokens) (output tok/s)", "p99 TTFT (ms)", "KV bytes per token (B/token)"] {
        assert!(variables.contains(&name), "{name}: {variables:?}");
    }
    assert!(!variables.iter().any(|name| name.contains("count (GPUs)")), "{variables:?}");
    let distinct: std::collections::BTreeSet<_> = variables.iter().collect();
    assert_eq!(distinct.len(), variables.len());
}

/// Every variable with a number is named in the data of its record, on every page of ours.
#[test]
fn a_data_set_names_all_that_its_table_has() {
    let tree = Site::of_repository_built().published();
    let mut most = 0;
    for kind in KINDS {
        let mut names: BTreeMap<String, std::collections::BTreeSet<String>> = BTreeMap::new();
        for line in lines(&tree, kind) {
            let is_variable = line["missing"].is_null() && (line["origin"] == "formula" || !line["sample"].is_null());
            if is_variable {
                let text = |column: &str| line[column].as_str().unwrap_or_default();
                let unit = Some(text("unit")).filter(|unit| !unit.is_empty()).map(|unit| format!(" ({unit})"));
                let name = text("name").to_owned() + &unit.unwrap_or_default();
                names.entry(text("id").to_owned()).or_default().insert(name);
            }
        }
        for (address, expected) in names {
            let page = tree.text(&format!("{address}.html"));
            let script = page.split("<script type=\"application/ld+json\">").nth(1).expect("a data set");
            let data: Value = serde_json::from_str(script.split("</script>").next().expect("an end")).expect("JSON");
            let found = data["variableMeasured"].as_array().expect("a list").iter().flat_map(Value::as_str);
            assert_eq!(found.map(str::to_owned).collect::<std::collections::BTreeSet<_>>(), expected, "{address}");
            most = most.max(expected.len());
        }
    }
    assert!(most > 30, "{most}");
}

#[test]
fn schemas_stand_at_the_paths_of_their_ids() {
    let tree = Site::of_repository_built().published();
    let mut count = 0;
    for path in tree.with_ending(".json").filter(|path| path.starts_with("schemas/")) {
        let schema: Value = serde_json::from_str(tree.text(path)).expect("it is JSON");
        assert_eq!(schema["$id"], format!("https://results-site.example/{path}"));
        count += 1;
    }
    assert!(count > 10, "{count} schemas");
}

#[test]
fn a_page_leads_to_the_editor_of_the_file_that_people_edit() {
    let editor = |reference: &str, page: &str| {
        let settings = format!("{SETTINGS}repository_url = \"https://host.example/r\"\n{reference}\n");
        let site =
            Site::of_runs(&["a", "b"]).file("content/runs/a.md", "---\n{}\n---\nProse.\n").file("site.toml", settings);
        site.build().good();
        let page = Page::parse(&site.read(&format!("public/{page}")));
        page.links().find(|link| link.contains("/edit/")).map(str::to_owned)
    };
    let at = |path: &str| Some(format!("https://host.example/r/edit/{path}"));
    assert_eq!(editor("source_ref = \"main\"", "runs/a.html"), at("main/content/runs/a.md"));
    assert_eq!(editor("source_ref = \"main\"", "runs/b.html"), at("main/content/runs/b.json"));
    assert_eq!(editor("source_ref = \"main\"", "runs/a.source.html"), at("main/content/runs/a.json"));
    assert_eq!(editor("", "runs/a.html"), at("HEAD/content/runs/a.md"));
    let commit = format!("source_ref = \"{}\"", "a1".repeat(20));
    assert_eq!(editor(&commit, "runs/a.html"), at("HEAD/content/runs/a.md"));
    assert_eq!(editor("", "glossary.html"), None);
}

#[test]
fn a_link_elsewhere_has_a_picture_that_a_site_may_replace() {
    let site = Site::of_runs(&["a"]);
    site.build().good();
    let page = site.read("public/runs/a.html");
    assert!(page.contains("<meta property=\"og:image\" content=\"https://results.example/card.png\">"), "{page}");
    assert!(site.published().files["card.png"].starts_with(b"\x89PNG"));
    let site = site.file("static/card.png", "theirs");
    site.build().good();
    assert_eq!(site.read("public/card.png"), "theirs");
}

#[test]
fn the_drawing_of_a_finding_carries_what_must_be_known() {
    let record = json!({
        "title": "A & b", "not_covered": ["Accuracy"], "power": {"kind": "board", "window": "10 s"}
    });
    let site = run(record, json!({"goodput_tok_s": 10.0}));
    site.build().good();
    let page = Page::parse(&site.read("public/runs/a.html"));
    assert!(page.links().any(|link| link == "a.svg"), "{page:?}");
    let drawing = site.read("public/runs/a.svg");
    for said in
        ["A &amp; b", "GPU board power", "Not covered: Accuracy", "https://results.example/runs/a.html", "CC BY 4.0"]
    {
        assert!(drawing.contains(said), "{said}: {drawing}");
    }
    let withdrawn = "---\nwithdrawn: {date: 2026-11-02, reason: The clock was wrong}\n---\n";
    let site = site.file("content/runs/a.md", withdrawn);
    site.build().good();
    assert!(site.read("public/runs/a.svg").contains("withdrawn on 2 November 2026: The clock was wrong"));
}

#[test]
fn nothing_to_draw_is_no_drawing() {
    let site = Site::of_runs(&["a"]);
    site.build().good();
    assert!(!site.published().has("runs/a.svg"));
    assert!(!site.read("public/runs/a.html").contains("a.svg"));
}

/// Every file that is taken away says under which licence: the site's, and for a record that of its source too.
#[test]
fn every_export_says_its_licence() {
    const OWN: &str = "CC-BY-4.0";
    let tree = Site::of_repository_built().published();
    let mut without = Vec::new();
    let mut say = |path: &str, is_said: bool| without.extend((!is_said).then(|| path.to_owned()));
    for path in tree.with_ending(".json") {
        let data: Value = serde_json::from_str(tree.text(path)).expect("it is JSON");
        let of_source = |record: &Value| record.get("source_license").is_some();
        let is_said = match &data {
            Value::Array(lines) => lines.iter().all(|line| line["license"] == OWN && of_source(line)),
            // A schema is of the program, and alike on every site.
            _ if path.starts_with("schemas/") => data["$comment"] == "SPDX-License-Identifier: MIT",
            _ if path == "data/comparisons.json" => {
                data["license"] == OWN && data["results"].as_array().expect("results").iter().all(of_source)
            }
            _ => data["license"] == OWN && data["source"].get("license").is_some(),
        };
        say(path, is_said);
    }
    for path in KINDS.map(|kind| format!("data/{kind}.csv")) {
        say(
            &path,
            rows(tree.text(&path)).iter().all(|row| row["license"] == OWN && row.contains_key("source_license")),
        );
    }
    for kind in KINDS {
        let is_said = |line: &Value| line["license"] == OWN && line.get("source_license").is_some();
        say(kind, lines(&tree, kind).iter().all(is_said));
    }
    for path in tree.with_ending(".js").filter(|path| path.starts_with("data/")) {
        say(path, tree.text(path).to_lowercase().contains("license") && tree.text(path).contains(&format!("{OWN:?}")));
    }
    say("feed.xml", elements(tree.text("feed.xml"), "rights") == ["CC BY 4.0"]);
    for path in tree.with_ending(".svg").filter(|path| KINDS.iter().any(|kind| path.starts_with(kind))) {
        // Its foot is wrapped into lines.
        let text = Page::parse(&tree.text(path).replace("</text>", " ")).text;
        say(path, text.split_whitespace().collect::<Vec<_>>().join(" ").contains("CC BY 4.0"));
    }
    let known = [".json", ".csv", ".jsonl", ".js", ".html"];
    let others = tree.with_ending("").filter(|path| path.starts_with("data/"));
    let others: Vec<_> = others.filter(|path| !known.iter().any(|ending| path.ends_with(ending))).collect();
    assert!(others.is_empty(), "not looked at: {others:?}");
    assert!(without.is_empty(), "{without:?}");
}

/// What results are taken to have been measured with decides which may share a frontier.
#[test]
fn what_is_assumed_of_a_setting_stands_below_its_frontier_and_goes_with_the_drawing() {
    let site = Site::of_repository_built();
    let assumed = "output length forced is assumed: ";
    let page = site.read("public/compare/models/deepseek-r1.html");
    let figure = page.split("<figure").nth(1).and_then(|rest| rest.split("</figure>").next()).expect("it has one");
    assert!(figure.contains(assumed), "{figure}");
    let drawing = site.read("public/models/deepseek-r1.svg");
    let words: String =
        drawing.split('<').filter_map(|piece| Some(format!("{} ", piece.split_once('>')?.1.trim()))).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(assumed.trim()), "{words}");
}
