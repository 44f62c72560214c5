//! What pages say first: findings are sentences, before their charts, and names keep their direction.

use serde_json::{Value, json};

use crate::program::{Site, run_record};

fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    text.split_once(from)?.1.split_once(to).map(|(inside, _)| inside)
}

/// The finding of a page without its tags.
fn finding(page: &str) -> Option<String> {
    let inside = between(page, "<p class=\"finding\">", "</p>")?;
    Some(inside.split('<').filter_map(|piece| piece.split('>').next_back()).collect())
}

#[test]
fn every_finding_is_a_sentence() {
    let tree = Site::of_repository_built().published();
    let kinds = ["runs/", "audits/", "kv-efficiency/", "models/", "hardware/", "prices/"];
    let pages = tree.with_ending(".json").filter(|path| kinds.iter().any(|kind| path.starts_with(kind)));
    let mut seen = 0;
    for address in pages.filter_map(|path| path.strip_suffix(".json")).filter(|address| !address.ends_with("/index")) {
        let said = finding(tree.text(&format!("{address}.html"))).unwrap_or_default();
        let first = said.split([' ', '“']).find(|word| !word.is_empty()).unwrap_or_default();
        let is_sentence = said.ends_with('.') && said.split(' ').count() > 5 && !first.ends_with(':');
        // `TTFT: 500 ms, cached` is a label with a value.
        let is_label = said.split(", ").next().is_some_and(|start| start.contains(": ") && !start.contains('“'));
        assert!(is_sentence && !is_label, "{address}: {said}");
        seen += 1;
    }
    assert!(seen > 250, "{seen}");
}

#[test]
fn a_finding_says_who_does_how_much_against_what_and_where() {
    let site = Site::of_repository_built();
    for (address, words) in [
        (
            "audits/qwen3-8b-h100",
            &["Qwen3-8B costs $0.289", "on 1 × NVIDIA H100 SXM 80 GB", "−36.2% against “Current setup”"][..],
        ),
        (
            "runs/h100-qwen3-30b-a3b-prefix-cache-vllm",
            &["delivers 8,508.3 output tok/s within the SLO", "+79.5% against “No prompt reuse", "is a tie inside"],
        ),
        ("kv-efficiency/vllm-fp8-kv-llama31-8b-h100", &["“fp8 cache” generates 517.5 tok/s, against 450.3 tok/s with"]),
        ("kv-efficiency/gemma3-five-to-one-local-global", &["holds 10.4 GiB of KV cache in one sequence of 131,072"]),
        ("kv-efficiency/deepseek-v2-mla-kv-93pct", &["takes 5.63x less KV cache per token than “DeepSeek 67B"]),
        (
            "audits/qwen3-5-397b-fp8-mi355x8-sglang-agentic-hicache",
            &["changes that by −12.4% (−17.7 to −4.8% over both brackets)"],
        ),
        // The host and the model of its public test are not those of production.
        (
            "kv-efficiency/pegaflow-rdma-194gbs",
            &["“Production, reads of at least 1 GiB over eight links of 400 Gb/s” moves 194 GB/s on average."],
        ),
        ("kv-efficiency/snapkv-16k-3-6x", &["“SnapKV” decodes 3.6x as fast as “Full cache”, for LWM-Text-Chat-1M."]),
        (
            "kv-efficiency/dgx-spark-v4flash-900k-retrieval",
            &["gives the first token after 15.24 min, against 0.30 min"],
        ),
        ("kv-efficiency/vllm-v1-apc-zero-hit-cost", &["“Nothing shared” loses at most 1% of its throughput"]),
        ("models/deepseek-v3", &["DeepSeek-V3 holds 70,272 B of KV cache per token in bf16."]),
    ] {
        let said = finding(&site.read(&format!("public/{address}.html"))).expect("it has a finding");
        for words in words {
            assert!(said.contains(words), "{address}: {said}");
        }
    }
}

#[test]
fn the_chart_of_a_finding_stands_before_its_facts() {
    let site = Site::of_repository_built();
    for address in
        ["runs/h100-qwen3-30b-a3b-prefix-cache-vllm", "audits/qwen3-8b-h100", "kv-efficiency/kivi-2bit-asymmetric"]
    {
        let page = site.read(&format!("public/{address}.html"));
        let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{address} has {words}"));
        let order = [
            "class=\"finding\"",
            "<p class=\"kicker\">",
            "<figure",
            "id=\"page:setting\"",
            "<dl class=\"facts\">",
            "id=\"page:results\"",
        ];
        let places = order.map(at);
        assert!(places.is_sorted(), "{address}: {places:?}");
    }
}

#[test]
fn a_name_from_right_to_left_keeps_its_direction() {
    let mut run: Value = serde_json::from_str(&run_record("a")).expect("it is JSON");
    let config = |label: &str, rate: u32| json!({"key": label, "label": label, "goodput_tok_s": rate});
    run["configs"] = json!([config("base", 100), config("מטמון 8 FP8", 120)]);
    let site = Site::new().file("content/runs/a.json", run.to_string());
    site.build().good();
    let page = site.read("public/runs/a.html");
    let name = "<bdi>מטמון 8 FP8</bdi>";
    let said = between(&page, "<p class=\"finding\">", "</p>").expect("a finding");
    assert!(said.contains(&format!("“{name}”")), "{said}");
    let summary = between(&page, "class=\"figure-summary\"", "</p>").expect("a summary");
    assert!(summary.contains(&format!("“{name}”")), "{summary}");
    assert!(page.contains(&format!("<th scope=\"row\">{name}")), "the data table of its chart");
}

#[test]
fn a_model_and_a_card_have_a_drawing_of_what_compares() {
    let site = Site::of_repository_built();
    for address in ["models/deepseek-r1", "hardware/h200-sxm-141gb"] {
        let page = site.read(&format!("public/compare/{address}.html"));
        assert!(page.contains(&format!("{address}.svg\">The drawing as a file</a>")), "{address}");
        let file = site.read(&format!("public/{address}.svg"));
        assert!(
            file.contains("<svg xmlns") && file.contains("Alike in all") && file.contains("/compare/"),
            "{address}"
        );
    }
}

#[test]
fn what_all_rows_say_is_said_once() {
    let site = Site::of_repository_built();
    let page = site.read("public/hardware/rtx-3090.html");
    let table = page.split("id=\"table:results:caption\"").nth(1).and_then(|rest| rest.split("</table>").next());
    let table = table.expect("it has results");
    assert!(table.contains("In every row: ") && table.contains("Accelerator: NVIDIA GeForce RTX 3090"), "{table}");
    assert!(!table.contains(">Accelerator</th>"), "{table}");
}

#[test]
fn what_may_be_compared_is_no_part_of_what_may_not() {
    let site = Site::of_repository_built();
    for page in ["models/qwen3-8-27b", "models/qwen3-8b", "engines/vllm"] {
        let said = finding(&site.read(&format!("public/compare/{page}.html"))).unwrap_or_default();
        let withheld = said.contains("compared with another for what a machine did; sizes of caches may be");
        assert!(withheld || !said.contains("none of which"), "{page}: {said}");
    }
}

/// Of a search whose lowest rates failed, and whose capacity is what was delivered.
#[test]
fn a_capacity_says_whether_it_was_offered_or_delivered_and_what_failed_below_it() {
    let site = Site::of_repository_built();
    let page = site.read("public/audits/gpt-oss-20b-gb10-vllm-rate-sweep.html");
    for said in [
        "Capacity: the rate delivered at the highest tested load within the SLO",
        "Capacity lies between the highest load that met the SLO and the next one tested, which did not",
        "Limits: “measured” failed at lower loads too, at 0.1 req/s, 0.2 req/s.",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("the highest tested rate"));
    let offered = site.read("public/audits/qwen3-8b-h100.html");
    assert!(offered.contains("which is none of the rates tested") && !offered.contains("failed at lower loads"));
}
