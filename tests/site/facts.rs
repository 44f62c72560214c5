//! What the page of a result says besides its numbers: under which licence, how to repeat it, and what is not stated.

use crate::program::{Site, run_record};
use crate::walker::Page;

/// The smallest audit, with more lines of front matter.
fn audit(more: &str) -> String {
    format!(
        "---\nid: a\ntitle: One config\npublished: \"2026-10-08\"\nengine: vllm\nmodel: {{name: Test model}}\n\
         hardware: {{accelerator: Test card, count: 2}}\nslo: {{ttft_p95_ms: 1500}}\n{more}---\n"
    )
}

/// The smallest note, with more lines of front matter.
fn note(more: &str) -> String {
    format!(
        "---\nid: n\ntitle: One size\npublished: \"2026-10-08\"\ntechnique: paging\nconfidence: 0.5\n\
         confidence_reason: one run\n{more}---\n"
    )
}

/// The text of the page of the one record that is given.
fn page(path: &str, text: impl AsRef<[u8]>) -> String {
    let site = Site::new().file(path, text);
    site.build().good();
    let address = path.trim_start_matches("content/").trim_end_matches(".md").trim_end_matches(".json");
    Page::parse(&site.read(&format!("public/{address}.html"))).text
}

#[track_caller]
fn shows(page: &str, lines: &[&str]) {
    for line in lines {
        assert!(page.lines().any(|it| it.trim() == *line), "`{line}` is no line of:\n{page}");
    }
}

const SMALLEST: &str = "workload: {}\nconfigs: [{key: baseline, capacity: none passed}]\n";

#[test]
fn every_result_says_its_licence_or_that_none_is_stated() {
    for (path, text, licence) in [
        ("content/audits/a.md", audit(SMALLEST), "not stated"),
        ("content/audits/a.md", audit(&format!("{SMALLEST}license: Apache-2.0\n")), "Apache-2.0"),
        ("content/kv-efficiency/n.md", note("no_card: a table\n"), "not stated"),
        ("content/kv-efficiency/n.md", note("no_card: a table\nlicense: CC-BY-4.0\n"), "CC BY 4.0"),
        ("content/runs/a.json", run_record("a"), "not stated"),
    ] {
        let page = page(path, text);
        assert!(page.contains(&format!("Licence of the source{licence}")), "{path}: {licence}:\n{page}");
    }
}

#[test]
fn an_audit_gives_its_settings_word_for_word() {
    let settings = "image: cuda:12.8\nbaseline_flags: \"--max-model-len 16384\"\n\
         workload: {dataset: random, input_tokens: \"~3000\", output_tokens: [150, 450], rates_rps: [4.50, 0]}\n\
         configs:\n- {key: baseline, capacity: none passed}\n\
         - {key: fp8, flags: --kv-cache-dtype fp8, environment: {B: \"1\", A: \"0\"}, rates_rps: [2], capacity: none passed}\n";
    let page = page("content/audits/a.md", audit(settings));
    shows(
        &page,
        &[
            "image: cuda:12.8",
            "hardware: 2 × Test card",
            "flags of every config: --max-model-len 16384",
            "input tokens: ~3,000",
            "output tokens: 150–450",
            "rates in req/s: 4.50, 0",
            "# config baseline",
            "changes: none stated",
            "# config fp8",
            "flags: --kv-cache-dtype fp8",
            "environment: A=0",
            "environment: B=1",
            "rates in req/s: 2",
            "# not stated: engine version, driver, provider, parallelism, range ratio, shared prefix tokens, requests per rate",
        ],
    );
}

#[test]
fn an_audit_of_nothing_says_all_that_is_missing() {
    let missing = "# not stated: engine version, image, driver, provider, parallelism, flags of every config, dataset, input tokens, \
                   output tokens, range ratio, shared prefix tokens, requests per rate, rates in req/s";
    shows(&page("content/audits/a.md", audit(SMALLEST)), &[missing]);
}

#[test]
fn a_note_gives_its_settings_where_it_has_any() {
    let settings = "engine: vllm\nhosts: [{key: one, accelerator: Test card, count: 1}]\nflags: [--enable-prefix-caching]\n\
                    variants: [{key: warm, label: Warm, host: one, context_tokens: 150000}]\n";
    let page = page("content/kv-efficiency/n.md", note(settings));
    let expected = [
        "engine: vllm",
        "host one: 1 × Test card",
        "flag: --enable-prefix-caching",
        "# variant warm",
        "context tokens: 150,000",
        "# not stated: engine version, KV dtype",
    ];
    shows(&page, &expected);
    let without = self::page("content/kv-efficiency/n.md", note("no_card: a table\n"));
    assert!(!without.lines().any(|line| line == "Reproduce"), "{without}");
}
