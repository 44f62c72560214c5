//! Pairs of published results across records, in `pairs.tsv`: which are alike in all that matters, and what stands between
//! the others. The parts are read here from the data files of the records and from nothing else.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::program::{Site, repository};

/// A line of `pairs.tsv`.
#[derive(Debug)]
struct Pair {
    sides: [String; 2],
    metric: String,
    comparable: bool,
    differing: String,
}

fn pairs() -> Vec<Pair> {
    let text = std::fs::read_to_string(repository().join("tests/site/pairs.tsv")).expect("the list of pairs");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pair = |line: &str| {
        let cells: Vec<_> = line.split('\t').map(str::to_owned).collect();
        let [a, b, metric, comparable, differing] = <[String; 5]>::try_from(cells).expect("five columns");
        assert!(["yes", "no"].contains(&comparable.as_str()), "{line}");
        Pair { sides: [a, b], metric, comparable: comparable == "yes", differing }
    };
    lines.map(pair).collect()
}

/// What has to be equal before two results of a metric may be divided, by its name here.
type Parts = BTreeMap<&'static str, Option<String>>;

fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The anchor of a config with this label.
fn anchor(label: &str) -> String {
    let plain: String = label.to_lowercase().chars().map(|one| if one.is_alphanumeric() { one } else { ' ' }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Whether a type is named, and not left to the engine.
fn is_stated(dtype: &String) -> bool {
    dtype != "auto"
}

/// Parts of a side; `None` stands for what the record does not state.
fn parts(site: &Site, side: &str, metric: &str) -> Parts {
    let (address, subject) = side.split_once('#').expect("an address with an anchor");
    let data = site.json(&format!("public/{address}.json"));
    let record = &data["record"];
    if address.starts_with("kv-efficiency/") {
        return parts_of_variant(record, subject, metric);
    }
    let configs = record["configs"].as_array().expect("a result has configs");
    let is_run = address.starts_with("runs/");
    let name = |config: &Value| words(&config[if is_run { "label" } else { "key" }]).unwrap_or_default();
    let config = configs.iter().find(|config| anchor(&name(config)) == subject).expect(side);
    let workload = &record["workload"];
    let mut parts = Parts::new();
    // A run that nobody held back has a load too.
    let mut put = |part, value: Option<String>| drop(parts.insert(part, value.map(|text| text.to_lowercase())));
    if is_run {
        let note = site.read(&format!("content/{address}.md"));
        let model = note.lines().find_map(|line| line.strip_prefix("model: ").map(str::to_owned));
        let lengths = |part: &str| words(&config[format!("{part}_requested")]).or_else(|| words(&workload[part]));
        let load = words(&config["concurrency"]).or_else(|| words(&config["request_rate_rps"]));
        put("model", model.or_else(|| words(&record["model"]["name"])));
        put("weights", words(&record["model"]["quantization"]));
        let set = note.split("\n  kv_dtype:\n    value: ").nth(1).and_then(|rest| rest.lines().next());
        put("kv_dtype", words(&record["spec"]["model"]["kv_dtype"]).filter(is_stated).or(set.map(str::to_owned)));
        put("engine", words(&record["software"]["engine"]));
        put("parallelism", words(&record["model"]["parallelism"]));
        put("trace", words(&workload["trace"]).or_else(|| words(&config["context_tokens"]).map(|_| "test".to_owned())));
        put("input", lengths("input_tokens").or_else(|| words(&config["context_tokens"]).map(|_| "none".to_owned())));
        put("output", lengths("output_tokens"));
        put("arrival", words(&workload["arrival"]));
        put("load", load.or(Some("unlimited".to_owned())));
        put("context", Some(words(&config["context_tokens"]).unwrap_or_else(|| "0".to_owned())));
        if metric.starts_with("energy") {
            put("power", words(&record["power"]["kind"]));
        } else {
            put("value", words(&config[metric]).map(|_| metric.to_owned()));
        }
    } else {
        put("model", words(&record["model"]["reference"]));
        put("weights", words(&config["weight_dtype"]));
        put("kv_dtype", words(&config["kv_dtype"]).filter(is_stated));
        put("engine", words(&record["engine"]));
        put("parallelism", words(&record["parallelism"]));
        put("trace", words(&workload["dataset"]));
        put("input", words(&workload["input_tokens"]));
        put("output", words(&workload["output_tokens"]));
        put("slo", words(&record["slo"]));
    }
    parts
}

/// Of a note's variant: what it does not say itself, its note may say for all of them.
fn parts_of_variant(record: &Value, subject: &str, metric: &str) -> Parts {
    let variants = record["variants"].as_array().expect("a note has variants");
    let variant = variants.iter().find(|one| anchor(one["key"].as_str().unwrap_or_default()) == subject);
    let variant = variant.expect(subject);
    let said = |part: &str| words(&variant[part]).or_else(|| words(&record[part]));
    let model = match record["models"].as_array().map(Vec::as_slice) {
        Some([only]) => words(&only["name"]),
        _ => words(&variant["model"]),
    };
    let mut parts = Parts::from([("model", model), ("kv_dtype", said("kv_dtype"))]);
    if metric == "kv_bytes_per_token" {
        return parts;
    }
    parts.insert("context", said("context_tokens"));
    if metric == "kv_gib_at_context" {
        return parts;
    }
    parts.insert("engine", said("engine"));
    // Notes have no field for these.
    parts.extend(["weights", "load"].map(|part| (part, None)));
    parts
}

/// Names of the parts that differ; one that is not stated differs from everything and says so.
fn differing(sides: &[Parts; 2]) -> String {
    let names = sides[0].keys().filter_map(|part| match (&sides[0][part], &sides[1][part]) {
        (Some(one), Some(other)) => (one != other).then(|| (*part).to_owned()),
        _ => Some(format!("{part}?")),
    });
    names.collect::<Vec<_>>().join(" ")
}

/// Whether both sides are in one group of the metric.
fn is_compared(data: &Value, pair: &Pair) -> bool {
    let results = data["results"].as_array().expect("a list");
    let position = |side: &String| {
        let found = results.iter().position(|result| {
            let [address, subject] = ["id", "subject"].map(|key| result[key].as_str().unwrap_or_default());
            *side == format!("{address}#{subject}")
        });
        u64::try_from(found.expect(side)).expect("it is small")
    };
    let sides = pair.sides.each_ref().map(position);
    let groups = data["groups"].as_array().expect("a list");
    groups.iter().filter(|group| group["metric"] == *pair.metric).any(|group| {
        let members: Vec<_> = group["results"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        sides.iter().all(|side| members.contains(side))
    })
}

#[test]
fn pairs_across_records_compare_or_differ_as_listed() {
    let site = Site::of_repository_built();
    let pairs = pairs();
    let mut faults = Vec::new();
    for Pair { sides, metric, comparable, differing: listed } in &pairs {
        let records = sides.each_ref().map(|side| side.split('#').next().unwrap_or_default().to_owned());
        assert_ne!(records[0], records[1], "a pair across records");
        let found = differing(&sides.each_ref().map(|side| parts(site, side, metric)));
        if *comparable != found.is_empty() || *listed != (if found.is_empty() { "-" } else { &found }) {
            faults.push(format!("{}\t{}\t{metric}\t{found}", sides[0], sides[1]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let count = |comparable| pairs.iter().filter(|pair| pair.comparable == comparable).count();
    let reasons: std::collections::BTreeSet<_> =
        pairs.iter().filter(|pair| !pair.comparable).map(|pair| &pair.differing).collect();
    assert!(count(true) >= 10 && count(false) >= 10 && reasons.len() >= 10, "{reasons:?}");
    // The build finds the same.
    let data = site.json("public/data/comparisons.json");
    let faults: Vec<_> = pairs.iter().filter(|pair| pair.comparable != is_compared(&data, pair)).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn pages_of_what_results_have_in_common_show_a_change_or_the_differences_in_its_place() {
    let site = Site::of_repository_built();
    let compared = site.read("public/compare/models/deepseek-r1.html");
    assert!(compared.contains("table:output_tok_s") && compared.contains(">−44.8<"), "{compared}");
    let of_notes = site.read("public/compare/techniques/kv-quantisation.html");
    assert!(of_notes.contains("table:kv_bytes_per_token") && of_notes.contains("table:reasons"), "{of_notes}");
    assert!(site.read("public/compare/techniques/kv-quantisation.part-2.html").contains("table:apart"));
    let apart = site.read("public/compare/models/gpt-oss-20b.part-2.html");
    assert!(apart.contains("the ratio is withheld") && apart.contains("output length not stated on either side"));
}

/// The rows of the tables that hold results against each other, by what stands in place of a change of the baseline.
#[test]
fn no_part_of_a_cut_comparison_is_without_its_baseline() {
    let tree = Site::of_repository_built().published();
    let mut seen = 0;
    let parts = tree.with_ending(".html").filter(|path| path.starts_with("compare/") && path.contains(".part-"));
    for path in parts {
        for table in
            tree.text(path).split("<table id=\"table:").skip(1).filter_map(|rest| rest.split("</table>").next())
        {
            let Some((_, rows)) = table.split_once("<tbody>") else { continue };
            if !table.contains(" change<") && !table.contains("Change of ") {
                continue;
            }
            let first = rows.split("<tr ").skip(1).find(|row| row.contains("scope=\"row\"")).unwrap_or_default();
            assert!(first.contains("what the others are compared with"), "{path}: {first}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen}");
}
