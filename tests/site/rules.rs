//! The examples of the rules, each put into a site: what is bad breaks its rule, what is good does not.

use std::collections::BTreeSet;

use results_site::diagnostic::Report;
use results_site::diagnostic::rules::{self, Place, Rule};
use results_site::{Drafts, Options, Warnings};

use crate::program::{SETTINGS, Site, repository};
use crate::tree::Tree;

const RUN: &[(&str, &str)] = &[
    ("id", r#""x""#),
    ("status", r#""published""#),
    ("title", r#""A run of two configs""#),
    ("published", r#""2026-10-29""#),
    ("summary", r#""It carries 2 requests per second.""#),
    ("hardware", r#"{"accelerator": "H", "count": 1}"#),
    ("software", r#"{"engine": "vllm"}"#),
    ("reproduce", r#""bench run --rate 4\nbench run --rate 8""#),
    ("model", r#"{"name": "M"}"#),
    ("slo", r#"{"ttft_p99_ms": 2000}"#),
    ("configs", r#"[{"label": "a", "request_throughput_rps": 2}, {"label": "b", "slo_pass_count": 1, "repeats": 2}]"#),
];
const MODEL: &[(&str, &str)] = &[
    ("id", r#""m""#),
    ("title", r#""M""#),
    ("names", r#"["M"]"#),
    ("layers", "2"),
    ("groups", r#"[{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]"#),
];
const CARD: &[(&str, &str)] = &[
    ("id", r#""h""#),
    ("title", r#""H""#),
    ("names", r#"["H"]"#),
    ("memory_gb", "80"),
    ("memory_bandwidth_tb_s", "3.35"),
    ("board_power_w", "700"),
];
const PRICE: &[(&str, &str)] = &[
    ("id", r#""p""#),
    ("accelerator", r#""hardware/h""#),
    ("provider", r#""P""#),
    ("tier", r#""T""#),
    ("usd_per_gpu_hour", "2.69"),
    ("date", r#""2026-10-01""#),
];
const AUDIT: &[(&str, &str)] = &[
    ("id", "x"),
    ("title", "An audit of one config"),
    ("published", "\"2026-10-08\""),
    ("engine", "vllm"),
    ("model", "{name: M}"),
    ("hardware", "{accelerator: H, count: 1}"),
    ("price", "{usd_per_gpu_hour: 2.69}"),
    ("workload", "{}"),
    ("slo", "{ttft_p95_ms: 1500}"),
    ("configs", "[{key: a, capacity: {request_rate_rps: 5.36, output_tok_s: 1649}}]"),
];
const NOTE: &[(&str, &str)] = &[
    ("id", "x"),
    ("title", "A note"),
    ("published", "\"2026-09-02\""),
    ("technique", "prefix_caching"),
    ("no_card", "the source names none"),
    ("confidence", "0.5"),
    ("confidence_reason", "the source is brief"),
];

/// A site without a fault, of one file a kind.
fn site() -> Site {
    Site::new()
        .file("content/runs/x.json", json(RUN, ""))
        .file("content/models/m.json", json(MODEL, ""))
        .file("content/hardware/h.json", json(CARD, ""))
        .file("content/hardware/g.json", json(CARD, r#""id": "g", "title": "G", "names": ["G"]"#))
        .file("content/audits/x.md", front_matter(AUDIT, ""))
        .file("content/audits/y.md", front_matter(AUDIT, "id: y"))
        .file("content/prices/p.json", json(PRICE, ""))
        .file("static/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .file("content/kv-efficiency/x.md", front_matter(NOTE, ""))
}

/// The members that the example does not give itself, and the example as it is written.
fn json(members: &[(&str, &str)], example: &str) -> String {
    let given: serde_json::Value = serde_json::from_str(&format!("{{{example}}}")).unwrap_or_default();
    let others = members.iter().filter(|(name, _)| given.get(name).is_none());
    let lines: Vec<_> = others.map(|(name, value)| format!("{name:?}: {value}")).collect();
    let comma = if example.is_empty() { "" } else { ", " };
    format!("{{{example}{comma}{}}}", lines.join(", "))
}

fn front_matter(fields: &[(&str, &str)], example: &str) -> String {
    let others = fields.iter().filter(|(name, _)| !example.lines().any(|line| line.starts_with(&format!("{name}:"))));
    let lines: String = others.map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("---\n{lines}{example}\n---\n")
}

/// The codes that a site with the example in it breaks; `None` where the example is no text of a file.
fn broken(place: Place, example: &str) -> Option<BTreeSet<&'static str>> {
    let (path, text) = match place {
        Place::Run => ("content/runs/x.json", json(RUN, example)),
        Place::Model => ("content/models/m.json", json(MODEL, example)),
        Place::Hardware => ("content/hardware/h.json", json(CARD, example)),
        Place::CuratorNote => ("content/runs/x.md", front_matter(&[], example)),
        Place::Audit => ("content/audits/x.md", front_matter(AUDIT, example)),
        Place::KvEfficiency => ("content/kv-efficiency/x.md", front_matter(NOTE, example)),
        Place::Settings => ("site.toml", format!("{SETTINGS}{example}\n")),
        Place::Page => ("content/pages/x.md", example.to_owned()),
        Place::Body => ("content/pages/x.md", format!("---\ntitle: A page\n---\n\n{example}\n")),
        Place::Records | Place::Files | Place::Schema => return None,
    };
    let site = site().file(path, text);
    let options = Options {
        root: site.path(""),
        output: site.path("public"),
        base_url: None,
        source_ref: None,
        drafts: Drafts::Leave,
        warnings: Warnings::Show,
        today: Some(jiff::civil::date(2026, 12, 31)),
    };
    let mut report = Report::new();
    // Whether it is refused is what the report says.
    let _ = results_site::check(&options, &mut report);
    Some(report.diagnostics().map(|found| found.rule.code).collect())
}

#[test]
fn each_example_breaks_its_rule_or_does_not() {
    let base = broken(Place::Body, "").expect("a text");
    assert!(base.is_empty(), "{base:?}");
    let faults: Vec<_> = rules::all().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_rule_is_reported_somewhere() {
    let folder = repository().join("src");
    let own = |path: &str| path.starts_with("diagnostic/rules");
    let sources = Tree::of(&folder).files.into_iter().filter(|(path, _)| path.ends_with(".rs") && !own(path));
    let sources: String = sources.map(|(_, bytes)| String::from_utf8(bytes).expect("sources are UTF-8")).collect();
    let name = |rule: &Rule| rule.code.to_uppercase().replace(['/', '-'], "_");
    let idle: Vec<_> = rules::all().filter(|rule| !sources.contains(&format!("rules::{}", name(rule)))).collect();
    assert!(idle.is_empty(), "{idle:?}");
}

fn fault(rule: &Rule) -> Option<String> {
    let (bad, good) = (broken(rule.place, rule.bad)?, broken(rule.place, rule.good)?);
    if !bad.contains(rule.code) {
        return Some(format!("{}: the bad example breaks {bad:?}", rule.code));
    }
    let errors = good.iter().filter(|code| rules::find(code).is_some_and(|rule| !rule.can_be_acknowledged()));
    if good.contains(rule.code) || errors.count() > 0 {
        return Some(format!("{}: the good example breaks {good:?}", rule.code));
    }
    None
}
