//! Notes on KV caches: what their variants may be divided by, and what their charts stand against.

use serde_json::Value;

use crate::program::Site;

const MODEL: &str = r#"{"id": "ID", "title": "ID", "names": ["ID"], "layers": 2,
    "groups": [{"kind": "full", "layers": 2, "kv_heads": HEADS, "k_dim": 64, "v_dim": 64}]}"#;

/// A note with two variants, `a` the baseline, in a site with two models and two cards.
fn site(fields: &str, a: &str, b: &str) -> Site {
    let model = |id: &str, heads: &str| MODEL.replace("ID", id).replace("HEADS", heads);
    let note = format!(
        "---\nid: n\ntitle: A note\npublished: \"2026-11-05\"\nconfidence: 0.5\nconfidence_reason: Made up.\n\
        {fields}\nvariants:\n  - {{key: a, label: A, {a}}}\n  - {{key: b, label: B, {b}}}\n---\n"
    );
    Site::new()
        .file("content/models/small.json", model("small", "2"))
        .file("content/models/large.json", model("large", "4"))
        .file("content/hardware/old.json", r#"{"id": "old", "title": "Old card", "names": ["Old"], "memory_gb": 32}"#)
        .file("content/hardware/new.json", r#"{"id": "new", "title": "New card", "names": ["New"], "memory_gb": 80}"#)
        .file("content/kv-efficiency/n.md", note)
}

/// A figure of variant `b`: its value, or why there is none.
fn figure(site: &Site, id: &str) -> String {
    figure_of(site, "b", id)
}

fn figure_of(site: &Site, subject: &str, id: &str) -> String {
    let data = site.json("public/kv-efficiency/n.json");
    let figures = data["figures"].as_array().expect("figures are a list");
    let found = figures.iter().find(|figure| figure["id"] == *id && figure["subject"] == *subject);
    match found.map(|figure| (&figure["value"], &figure["missing"])) {
        None => "not there".to_owned(),
        Some((_, Value::String(reason))) => reason.clone(),
        Some((value, _)) => value.to_string(),
    }
}

const HOSTS: &str = "models: [{name: small}]\nhosts:\n  - {key: h, accelerator: Old, count: 2}\n  - {key: i, accelerator: New, count: 1}\ncontext_tokens: 1024";

#[test]
fn times_are_divided_where_nothing_but_what_is_varied_differs() {
    for (fields, a, b, expected) in [
        ("technique: paging", "host: h", "host: h", "2"),
        ("technique: paging", "host: h", "host: i", "not comparable: hardware 2 × Old (h) against 1 × New (i)"),
        ("technique: paging\nvaries: [hardware]", "host: h", "host: i", "2"),
        ("technique: paging", "host: h", "host: h, engine: sglang", "not comparable: engine not stated against sglang"),
        ("technique: paging\nengine: sglang", "host: h", "host: h, engine: sglang", "2"),
        (
            "technique: paging\nvaries: [engine]",
            "host: h",
            "host: i, engine: sglang",
            "not comparable: hardware 2 × Old (h) against 1 × New (i)",
        ),
        (
            "technique: paging",
            "host: h, kv_dtype: bf16",
            "host: h, kv_dtype: fp8",
            "not comparable: KV dtype bf16 against fp8",
        ),
        ("technique: paging\nvaries: [kv_dtype]", "host: h, kv_dtype: bf16", "host: h, kv_dtype: fp8", "2"),
        ("technique: kv_quantisation", "host: h, kv_dtype: bf16", "host: h, kv_dtype: fp8", "2"),
        (
            "technique: paging\nvaries: [engine, hardware, kv_dtype, model]",
            "host: h",
            "host: h, context_tokens: 2048",
            "not comparable: context 1,024 tokens against 2,048 tokens",
        ),
        ("technique: paging\nvaries: [context]", "host: h", "host: h, context_tokens: 2048", "2"),
    ] {
        let time = |variant: &str, ms: u32| format!("{variant}, measured_ttft_ms_at_ctx: {ms}");
        let site = site(&format!("{fields}\n{HOSTS}"), &time(a, 400), &time(b, 200));
        site.build().good();
        assert_eq!(figure(&site, "ttft_speedup"), expected, "{fields}: {a}; {b}");
    }
}

#[test]
fn a_speed_up_above_what_its_hit_rate_can_bring_says_so() {
    let rate = |kind: &str, subject: &str| {
        format!("{{key: r{subject}{kind}, kind: {kind}, rate_pct: 90, subject: {subject}, of: prompt}}")
    };
    let both = |one: &str, other: &str| format!("{}, {}", rate(one, "b"), rate(other, "b"));
    for (rates, ttft_ms, above) in [
        (rate("replay", "b"), 80, true),
        (rate("replay", "b"), 100, false),
        (rate("replay", "b"), 125, false),
        (rate("engine_counter", "b"), 80, false),
        (rate("replay", "a"), 80, false),
        // Which of the two was timed is not known.
        (both("replay", "replay").replacen("rbreplay", "other", 1), 80, false),
        (both("engine_counter", "replay"), 80, true),
    ] {
        let fields = format!("{HOSTS}\ntechnique: prefix_caching\nhit_rates: [{rates}]");
        let variant = |ttft: i32| format!("host: h, measured_ttft_ms_at_ctx: {ttft}");
        let site = site(&fields, &variant(1000), &variant(ttft_ms));
        site.build().good();
        let data = site.json("public/kv-efficiency/n.json");
        let figures = data["figures"].as_array().expect("figures are a list");
        let speedup = figures.iter().find(|figure| figure["id"] == "ttft_speedup" && figure["subject"] == "b");
        let limits = speedup.expect("both times are stated")["limits"].to_string();
        assert_eq!(limits.contains("above 10"), above, "{rates} {ttft_ms}: {limits}");
    }
}

#[test]
fn a_reading_is_held_against_the_same_reading_of_the_baseline() {
    let value = |name: &str, value: &str, unit: &str| format!("{{name: {name}, value: {value}, unit: \"{unit}\"}}");
    let variant = |values: &[String]| format!("host: h, values: [{}]", values.join(", "));
    let fields = format!("technique: paging\n{HOSTS}");
    let a =
        [value("rate", "4", "req/s"), value("latency", "9", "s"), value("hits", "10", "%"), value("gain", "2", "x")];
    let b =
        [value("rate", "5", "req/s"), value("latency", "3", "s"), value("hits", "60", "%"), value("gain", "4", "x")];
    let site = site(&fields, &variant(&a), &variant(&b));
    site.build().good();
    for (subject, id, expected) in [
        ("b.rate", "value_ratio", "1.25"),
        ("b.rate", "value_change_pct", "25"),
        ("b.rate", "value_fall", "not there"),
        ("b.latency", "value_fall", "3"),
        ("b.hits", "value_points", "50"),
        ("b.hits", "value_change_pct", "not there"),
        ("b.gain", "value_ratio", "not there"),
        ("a.rate", "value_ratio", "not there"),
    ] {
        assert_eq!(figure_of(&site, subject, id), expected, "{subject}/{id}");
    }
}

#[test]
fn readings_of_another_unit_context_or_machine_are_not_divided() {
    for (b, expected) in [
        ("host: h, values: [{name: rate, value: 5, unit: req/s}]", "1.25"),
        ("host: h, values: [{name: rate, value: 5, unit: tok/s}]", "not there"),
        ("host: h, values: [{name: rate, value: 5, unit: req/s, context_tokens: 9}]", "not there"),
        ("host: h, values: [{name: rate, value: 5, unit: req/s, bound: at most}]", "not there"),
        (
            "host: i, values: [{name: rate, value: 5, unit: req/s}]",
            "not comparable: hardware 2 × Old (h) against 1 × New (i)",
        ),
    ] {
        let a = "host: h, values: [{name: rate, value: 4, unit: req/s}]";
        let site = site(&format!("technique: paging\n{HOSTS}"), a, b);
        site.build().good();
        assert_eq!(figure_of(&site, "b.rate", "value_ratio"), expected, "{b}");
    }
}

#[test]
fn a_transfer_has_a_rate_and_a_share_of_the_links() {
    let linked = HOSTS.replace("accelerator: Old", "accelerator: Old, link_gb_s: 1");
    let fields = format!("technique: disaggregation\nkv_dtype: bf16\n{linked}");
    let site = site(&fields, "host: h", "host: h, measured_kv_transfer_ms: 4");
    site.build().good();
    // 2 layers x 2 heads x 128 x 2 B x 1,024 tokens in 4 ms.
    assert_eq!(figure(&site, "kv_transfer_gb_s"), "0.262144");
    assert!(figure(&site, "link_used_pct").starts_with("26.2"));
    assert_eq!(figure_of(&site, "a", "kv_transfer_gb_s"), "not there");
}

#[test]
fn a_pool_has_a_price_per_token_and_room_for_sequences() {
    let fields = format!("technique: paging\nvaries: [engine]\n{}", HOSTS.replace("1024", "4096"));
    let a = "host: h, measured_kv_pool_tokens: 8192";
    let b = "host: h, engine: sglang, measured_kv_pool_tokens: 16384, measured_kv_pool_gib: 1";
    let site = site(&fields, a, b);
    site.build().good();
    for (subject, id, expected) in [
        ("b", "kv_pool_bytes_per_token", "65536"),
        ("b", "kv_pool_sequences", "4"),
        ("a", "kv_pool_bytes_per_token", "not there"),
        ("a", "kv_pool_sequences", "2"),
        ("b.kv_pool_tokens", "value_ratio", "2"),
    ] {
        assert_eq!(figure_of(&site, subject, id), expected, "{subject}/{id}");
    }
}

#[test]
fn caches_of_two_models_are_divided_only_on_purpose() {
    let models = "models: [{name: small}, {name: large}]\nno_card: sizes only\ncontext_tokens: 1024";
    for (varies, b, expected) in [
        ("", "model: large, kv_dtype: bf16", "not comparable: model small against large"),
        ("\nvaries: [model]", "model: large, kv_dtype: bf16", "0.5"),
        ("", "model: small, kv_dtype: fp8", "2"),
    ] {
        let fields = format!("technique: kv_quantisation{varies}\n{models}");
        let site = site(&fields, "model: small, kv_dtype: bf16", b);
        site.build().good();
        assert_eq!(figure(&site, "kv_ratio"), expected, "{varies}: {b}");
    }
}

#[test]
fn each_host_has_a_chart_with_its_own_memory() {
    let own = "host: i, context_tokens: 2048";
    let site = site(&format!("technique: paging\n{HOSTS}"), "host: h, context_tokens: 512", own);
    site.build().good();
    let page = site.read("public/kv-efficiency/n.html");
    let captions = [
        "KV cache of one sequence against 2 × Old; weights come on top",
        "KV cache of one sequence of 2,048 tokens against 1 × New; weights come on top",
        "2 × Old (32 GB each): 59.6 GiB",
        "1 × New (80 GB each): 74.5 GiB",
        "A, 512 tokens",
    ];
    for words in captions {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_card_that_is_not_counted_draws_no_line() {
    let hosts =
        "models: [{name: small}]\nhosts:\n  - {key: h, accelerator: Old}\ncontext_tokens: 1024\ntechnique: paging";
    let site = site(hosts, "host: h", "host: h");
    site.build().good();
    let page = site.read("public/kv-efficiency/n.html");
    assert!(page.contains("KV cache of one sequence of 1,024 tokens, on Old, whose memory in all is not known"));
}

/// A site with a note that has hit rates of its own and of one variant, and this headline.
fn with_headline(headline: &str) -> Site {
    const RATE: &str = "hit_rates:\n  - {key: r, kind: aggregate, rate_pct: [43, 45], of: all prompt tokens}\n  - {key: s, kind: replay, subject: b, rate_pct: 50, of: one prompt}";
    const VALUES: &str = "host: h, measured_ttft_ms_at_ctx: 2300, values: [{name: waste_after, value: 4, unit: \"%\"}]";
    site(&format!("technique: paging\n{HOSTS}\n{RATE}\nheadline: {{{headline}}}"), "host: h", VALUES)
}

/// Headlines that are values of that note, each with how its page says it.
const HEADLINES: [(&str, &str); 5] = [
    (
        "subject: r, metric: prefix_cache_hit_pct, value: [43, 45], unit: \"%\"",
        "The prefix cache served 43–45% of all prompt tokens.",
    ),
    ("subject: b, metric: ttft, value: 2300, unit: ms", "“B” gives the first token after 2,300 ms"),
    ("subject: b, metric: waste_after, value: 4, unit: \"%\"", "With “B”, the waste after came to 4%"),
    (
        "subject: b, metric: tokens_reused, value: 512, unit: tokens",
        "With “B”, the tokens not recomputed came to 512 tokens",
    ),
    (
        "subject: small, metric: kv_bytes_per_token, value: 1024, unit: B/token",
        "small holds 1,024 B of KV cache per token",
    ),
];

#[test]
fn a_headline_is_a_value_of_the_note() {
    for (headline, _) in HEADLINES {
        with_headline(headline).check().good();
    }
    with_headline("subject: b, metric: prefix_cache_hit_pct, value: 50, unit: \"%\"").check().good();
    for (headline, expected) in [
        (
            "subject: r, metric: prefix_cache_hit_pct, value: 93, unit: \"%\"",
            "error[note/headline]: the headline says 93 for `prefix_cache_hit_pct` of `r`, the note has 43–45",
        ),
        (
            "subject: r, metric: prefix_cache_hit_pct, value: [43, 45], unit: ms",
            "error[note/headline]: `prefix_cache_hit_pct` of `r` is not in \"ms\"",
        ),
        (
            "subject: r, metric: prefix_hit_pct, value: [43, 45], unit: \"%\"",
            "error[note/headline]: the note has no `prefix_hit_pct` of `r`",
        ),
        (
            "subject: a, metric: prefix_cache_hit_pct, value: 50, unit: \"%\"",
            "error[note/headline]: the note has no `prefix_cache_hit_pct` of `a`",
        ),
        (
            "subject: a, metric: tokens_reused, value: 512, unit: tokens",
            "error[note/headline]: the note has no `tokens_reused` of `a`",
        ),
        ("subject: a, metric: ttft, value: 2300, unit: ms", "error[note/headline]: the note has no `ttft` of `a`"),
        (
            "subject: small, metric: kv_bytes_per_token, value: 1025, unit: B/token",
            "error[note/headline]: the headline says 1025 for `kv_bytes_per_token` of `small`, the note has 1,024",
        ),
    ] {
        with_headline(headline).build().refused(&[expected]);
    }
}

#[test]
fn a_note_leads_with_its_headline() {
    for (headline, expected) in HEADLINES {
        let site = with_headline(headline);
        site.build().good();
        assert!(site.read("public/kv-efficiency/n.html").contains(expected), "{expected}");
    }
}

#[test]
fn a_note_stands_again_when_its_successor_is_withdrawn_for_it() {
    let note = |id: &str, fields: &str| {
        format!(
            "---\nid: {id}\ntitle: Note {id}\npublished: \"2026-11-05\"\ntechnique: paging\nno_card: sizes only\n\
            confidence: 0.5\nconfidence_reason: Made up.\n{fields}\n---\n"
        )
    };
    for (replacement, superseded) in [("kv-efficiency/old", false), ("kv-efficiency/other", true)] {
        let fields = format!(
            "supersedes: kv-efficiency/old\n\
            withdrawn: {{date: \"2026-11-06\", reason: It was of other traffic., replacement: {replacement}}}"
        );
        let site = Site::new()
            .file("content/kv-efficiency/old.md", note("old", ""))
            .file("content/kv-efficiency/other.md", note("other", ""))
            .file("content/kv-efficiency/new.md", note("new", &fields));
        site.build().good();
        let page = site.read("public/kv-efficiency/old.html");
        assert_eq!(page.to_lowercase().contains("superseded"), superseded, "{replacement}");
    }
}

/// What a variant does not have of its own is the note's, in its row as in each comparison of it.
#[test]
fn a_variant_without_its_own_setting_is_shown_with_that_of_the_note() {
    let models = "models: [{name: small}]\nno_card: sizes only\nkv_dtype: bf16\nengine: sglang";
    let fields = format!("technique: paging\n{models}\ncontext_tokens: 1024\ncontext_basis: a long prompt");
    let site = site(&fields, "note: its own words", "context_tokens: 2048, kv_dtype: fp8, engine: vllm");
    site.build().good();
    let page = site.read("public/kv-efficiency/n.html");
    let row = page.split("<tr id=\"a\">").nth(1).and_then(|rest| rest.split("</tr>").next()).expect("a row");
    // 2 layers x 2 heads x 128 x 2 B x 1,024 tokens are a MiB.
    for words in ["sglang", "bf16", ">1,024<", "assumed: a long prompt", ">0.000977<"] {
        assert!(row.contains(words), "{words}: {row}");
    }
    assert!(!row.contains("not stated"), "{row}");
}

#[test]
fn a_host_names_one_of_the_notes_models() {
    let of = |model: &str| {
        let fields = "technique: paging\nmodels: [{name: small}, {name: large}]\nkv_dtype: bf16\ncontext_tokens: 1024";
        format!("{fields}\nhosts: [{{key: h, accelerator: Old, count: 1, model: {model}}}]")
    };
    site(&of("other"), "host: h", "host: h").build().refused(&["nothing in this note has the name `other`"]);
    let site = site(&of("large"), "host: h", "host: h, kv_dtype: fp8");
    site.build().good();
    // Its variants are of that one: 2 layers x 4 heads x 128 x 1 B.
    assert_eq!(figure(&site, "kv_bytes_per_token"), "1024");
    assert!(site.read("public/kv-efficiency/n.html").contains("1 × Old (large)"));
}

fn finding(site: &Site) -> String {
    let page = site.read("public/kv-efficiency/n.html");
    let inside = page.split("<p class=\"finding\">").nth(1).and_then(|rest| rest.split("</p>").next());
    inside.unwrap_or_default().split('<').filter_map(|piece| piece.split('>').next_back()).collect()
}

#[test]
fn a_finding_is_of_what_its_variant_was_measured_with() {
    const ONE: &str = "technique: paging\nmodels: [{name: small}]\nhosts: [{key: h, accelerator: Old, count: 2}]";
    let value = |metric: &str, value: &str, unit: &str, more: &str| {
        (
            format!("headline: {{subject: b, metric: {metric}, value: {value}, unit: \"{unit}\"}}"),
            format!("values: [{{name: {metric}, value: {value}, unit: \"{unit}\"{more}}}]"),
        )
    };
    for (a, (headline, b), expected) in [
        ("host: h", value("wait_s", "3", "s", ""), "With “B”, the wait came to 3 s, for small."),
        ("model: small", value("wait_s", "3", "s", ""), "With “B”, the wait came to 3 s, on 2 × Old card."),
        ("note: x", value("wait_s", "3", "s", ""), "With “B”, the wait came to 3 s, for small on 2 × Old card."),
        ("note: x", value("read_rate", "3", "GB/s", ""), "“B” reads 3 GB/s, on 2 × Old card."),
        ("note: x", value("wait_min", "3", "min", ""), "With “B”, the wait came to 3 min, for small on 2 × Old card."),
        (
            "note: x",
            value("holders", "1", "layers", ""),
            "With “B”, the holders came to 1 layer, for small on 2 × Old card.",
        ),
        (
            "note: x",
            value("throughput_lost", "1", "%", ", bound: at most"),
            "“B” loses at most 1% of its throughput, for small on 2 × Old card.",
        ),
        (
            "values: [{name: kv_waste, value: 60, unit: \"%\"}]",
            value("kv_waste", "4", "%", ""),
            "“B” wastes 4% of the KV cache, against 60% with “A”, for small on 2 × Old card.",
        ),
    ] {
        let site = site(&format!("{ONE}\n{headline}"), a, &b);
        site.build();
        assert_eq!(finding(&site), expected, "{a} {b}");
    }
}
