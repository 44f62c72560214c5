//! Tokens, money and energy over the smallest records: each test is a way in which such numbers went wrong in public.

use serde_json::{Value, json};

use crate::program::Site;
use crate::records::{MODEL, Published, audit, merged, refused, run, with_entries};

/// A quote of one offer, by its price fields and day.
fn quote(id: &str, price: Value, tier: &str, date: &str) -> String {
    let whole = json!({
        "id": id, "title": format!("Quote {id}"), "accelerator": "hardware/test-card", "provider": "Someone",
        "tier": tier, "date": date
    });
    merged(whole, price).to_string()
}

#[test]
fn a_total_of_tokens_is_never_called_output() {
    let site = run(json!({}), json!({"input_tok_s": 8192, "output_tok_s": 1024}));
    let published = Published::of(&site, "runs/a");
    published.gives(&[("total_tok_s", 9216.0, "total tok/s")]).shows(&["output tok/s", "total tok/s"]);
    let headings = published.headings_over("9,216");
    assert!(!headings.is_empty(), "the total is shown");
    for heading in headings {
        assert!(heading.contains("Total") && !heading.to_lowercase().contains("output"), "{heading}");
    }
    let apart = json!({"input_tok_s": 8192, "output_tok_s": 1024, "total_tok_s": 1024});
    run(json!({}), apart).build().refused(&["error[run/token-rates]", "9,216 together"]);
}

#[test]
fn rates_follow_from_measured_lengths_and_never_from_requested_ones() {
    let asked = json!({"requests": {"completed": 100}, "duration_s": 50, "output_tokens_requested": 1024});
    let measured = merged(asked.clone(), json!({"output_tokens_mean": 382}));
    let published = Published::of(&run(json!({}), measured), "runs/a");
    published.gives(&[("output_tok_s", 764.0, "output tok/s")]).hides(&["2,048"]);
    let published = Published::of(&run(json!({}), asked), "runs/a");
    published.lacks("usd_per_mtok_output", "only", "only the output length that was asked for").hides(&["2,048"]);
}

#[test]
fn rates_per_gpu_are_over_all_gpus_and_those_of_a_role_are_labelled() {
    let config =
        |decode: u32| json!({"gpus": {"prefill": 4, "decode": decode}, "input_tok_s": 8000, "output_tok_s": 1200});
    let cards = json!({"hardware": {"accelerator": "Test card", "count": 16}});
    let published = Published::of(&run(cards.clone(), config(12)), "runs/a");
    published.gives(&[
        ("total_tok_s_per_gpu", 575.0, "total tok/s per GPU"),
        ("input_tok_s_per_gpu", 500.0, "input tok/s per GPU"),
        ("output_tok_s_per_gpu", 75.0, "output tok/s per GPU"),
        ("input_tok_s_per_prefill_gpu", 2000.0, "input tok/s per GPU"),
        ("output_tok_s_per_decode_gpu", 100.0, "output tok/s per GPU"),
    ]);
    published.shows(&["over all 16 GPUs", "over 4 prefill GPUs", "over 12 decode GPUs"]).hides(&["2,100"]);
    refused(
        &run(cards, config(8)),
        &["error[run/gpu-roles]", "4 prefill and 8 decode GPUs are 12, the record covers 16"],
    );
}

#[test]
fn a_cost_says_which_tokens_it_is_for() {
    let config = json!({"input_tok_s": 16490, "output_tok_s": 1649});
    let site = run(json!({}), config)
        .file("content/prices/q.json", quote("q", json!({"usd_per_gpu_hour": 2.69}), "community", "2026-10-19"))
        .file("content/runs/a.md", "---\nprice: prices/q\n---\n");
    let published = Published::of(&site, "runs/a");
    published.gives(&[
        ("usd_per_mtok_output", 0.453, "$/1M output tokens"),
        ("usd_per_mtok_total", 0.0412, "$/1M total tokens"),
        ("usd_per_mtok_input", 0.0453, "$/1M input tokens"),
    ]);
    published.shows(&["$0.453 per 1M output tokens", "$0.0412 per 1M total tokens", "at Quote q"]);
}

#[test]
fn a_cost_that_no_token_has_warns() {
    for (rate, warns) in [(1e-7, true), (2583.0, false), (1e8, true)] {
        let site =
            audit(json!({"price": {"usd_per_gpu_hour": 2.69}}), json!({"request_rate_rps": 1, "output_tok_s": rate}));
        let outcome = site.build().good();
        if warns {
            outcome.says(&["warning[cost/implausible]"])
        } else {
            outcome.silent_about(&["cost/implausible"])
        };
    }
}

#[test]
fn a_price_is_per_gpu_or_per_node() {
    let prices = [json!({"usd_per_node_hour": 21.52, "gpus_per_node": 8}), json!({"usd_per_gpu_hour": 2.69})];
    let record = |price: &Value| json!({"price": price, "hardware": {"accelerator": "Test card", "count": 8}});
    let capacity = json!({"request_rate_rps": 40, "output_tok_s": 13192});
    for (price, basis) in prices.iter().zip(["$21.52/node-hour of 8 GPUs", "$2.69/GPU-hour"]) {
        let published = Published::of(&audit(record(price), capacity.clone()), "audits/a");
        published.gives(&[("usd_per_mtok_output", 0.453, "$/1M output tokens"), ("usd_per_hour", 21.52, "$/hour")]);
        published.shows(&[basis, "Hourly total", "$21.52"]).hides(&["$0.0566", "$3.62", "$3.63"]);
    }
    let part = audit(json!({"price": prices[0]}), capacity.clone());
    Published::of(&part, "audits/a").shows(&["a node of 8 GPUs is rented whole"]);
    for (price, words) in [
        (json!({"usd_per_gpu_hour": 2.69, "usd_per_node_hour": 21.52, "gpus_per_node": 8}), "not both"),
        (json!({"usd_per_node_hour": 21.52}), "missing field `gpus_per_node`"),
        (json!({"usd_per_gpu_hour": 2.69, "gpus_per_node": 8}), "belongs to the price of a node"),
        (json!({}), "missing field `usd_per_gpu_hour`"),
    ] {
        let quoted = with_entries().file("content/prices/q.json", quote("q", price.clone(), "any", "2026-10-19"));
        refused(&quoted, &["content/prices/q.json:", words]);
        refused(&audit(json!({"price": price}), capacity.clone()), &["content/audits/a.md:", words]);
    }
}

#[test]
fn cached_input_is_charged_once() {
    let workload = |cached: Value| {
        json!({
            "workload": {"input_tokens": 20_000, "cached_input_tokens": cached, "output_tokens": 1_000},
            "token_price": {
                "provider": "Example API", "usd_per_mtok_input": 0.50, "usd_per_mtok_cached_input": 0.05,
                "usd_per_mtok_output": 3.00
            }
        })
    };
    let capacity = json!({"request_rate_rps": 1});
    let published = Published::of(&audit(workload(json!(16_000)), capacity.clone()), "audits/a");
    published.gives(&[
        ("uncached_input_tokens", 4_000.0, "tokens"),
        ("uncached_input_usd_per_1k_requests", 2.00, "$/1,000 requests"),
        ("cached_input_usd_per_1k_requests", 0.80, "$/1,000 requests"),
        ("output_usd_per_1k_requests", 3.00, "$/1,000 requests"),
        ("token_usd_per_1k_requests", 5.80, "$/1,000 requests"),
    ]);
    published.shows(&["of Example API"]).hides(&["$13.8"]);
    for cached in [json!(20_001), json!([16_000, 20_001])] {
        refused(&audit(workload(cached), capacity.clone()), &["error[audit/cached-input]"]);
    }
}

#[test]
fn what_never_passed_costs_nothing_and_everything_says_why() {
    let site = audit(json!({"price": {"usd_per_gpu_hour": 2.69}, "peak_request_rate_rps": 40}), json!("none passed"));
    let published = Published::of(&site, "audits/a");
    for id in ["usd_per_mtok_output", "output_tok_per_usd", "usd_per_1k_requests", "usd_per_month"] {
        published.lacks(id, "only", "none passed");
    }
    published.shows(&["none passed", "n/a"]).hides(&["$0 ", "inf", "NaN", "100%"]);
}

#[test]
fn what_never_passed_stands_last_and_leads_no_finding() {
    let at = |rate: f64, output: f64| json!({"request_rate_rps": rate, "output_tok_s": output});
    let configs = |baseline: Value| {
        json!({"price": {"usd_per_gpu_hour": 2.69}, "configs": [
            {"key": "baseline", "capacity": baseline}, {"key": "nothing", "capacity": "none passed"},
            {"key": "untried", "capacity": "not measured"}, {"key": "cheap", "capacity": at(8.40, 2583.0)}
        ]})
    };
    for (baseline, finding, order) in [
        (json!("none passed"), " with “cheap”; of “baseline” none passed.", ["cheap", "baseline"]),
        (
            at(5.36, 1649.0),
            " with “cheap”, −36.2% against “baseline”, at +56.7% capacity within the SLO.",
            ["baseline", "cheap"],
        ),
    ] {
        let published = Published::of(&audit(configs(baseline), json!(null)), "audits/a");
        let own = published.page.split("<p class=\"finding\">").nth(1).and_then(|rest| rest.split("</p>").next());
        let words: String =
            own.expect("a finding").split('<').filter_map(|piece| piece.split('>').next_back()).collect();
        assert!(words.contains(" costs $0.289 per 1M output tokens on ") && words.ends_with(finding), "{words}");
        let table = published.page.split("id=\"table:configs\"").nth(1).expect("it has results");
        let rows: Vec<_> = table.split("<tr id=\"").skip(1).filter_map(|row| row.split('"').next()).take(4).collect();
        assert_eq!(rows, [order[0], order[1], "nothing", "untried"]);
    }
}

#[test]
fn two_forms_of_one_figure_are_each_others_inverse() {
    let record = json!({"price": {"usd_per_gpu_hour": 2.69}, "peak_request_rate_rps": 33.6});
    let published = Published::of(&audit(record, json!({"request_rate_rps": 8.40, "output_tok_s": 2583})), "audits/a");
    let value = |id: &str| published.figure(id, "only", None)["value"].as_f64().expect("it has a value");
    assert!((value("usd_per_mtok_output") * value("output_tok_per_usd") - 1e6).abs() < 1e-6);
    published.gives(&[("replicas_at_peak", 4.0, "replicas")]);
    published.shows(&["$0.289", "3,456,803 output tokens/$", "a month of 730 h"]);
}

#[test]
fn power_without_a_window_gives_no_energy() {
    let config = json!({"goodput_tok_s": 100, "node_power_kw": 0.72});
    let published = Published::of(&run(json!({"power": {"kind": "board"}}), config.clone()), "runs/a");
    for id in ["goodput_tok_per_j", "output_tok_per_wh", "energy_j_per_output_token"] {
        published.lacks(id, "only", "no measurement window");
    }
    let window = json!({"power": {"kind": "board", "window": "120 s"}});
    Published::of(&run(window, config), "runs/a").gives(&[("energy_j_per_output_token", 7.2, "J/output token")]);
}

#[test]
fn energy_says_which_tokens_and_which_power() {
    let config = json!({"output_tok_s": 100, "input_tok_s": 800, "node_power_kw": 1.0});
    for (kind, words) in [
        (json!("board"), "GPU board power"),
        (json!("node"), "node power"),
        (json!("wall"), "power at the wall"),
        (json!(null), "power, boundary not stated"),
    ] {
        let published =
            Published::of(&run(json!({"power": {"kind": kind, "window": "10 s"}}), config.clone()), "runs/a");
        published.gives(&[
            ("energy_j_per_output_token", 10.0, "J/output token"),
            ("energy_j_per_total_token", 1.11, "J/total token"),
        ]);
        for id in ["energy_j_per_output_token", "energy_j_per_total_token", "output_tok_per_wh", "goodput_tok_per_j"] {
            assert_eq!(published.figure(id, "only", None)["label"], *words, "{id}");
        }
        if kind == "board" {
            // Whatever the field of the harness is called.
            published.hides(&["node power", "Node power"]);
        }
    }
}

#[test]
fn small_energies_stay_apart() {
    let config =
        |label: &str, power: f64| json!({"label": label, "key": label, "goodput_tok_s": 1000, "node_power_kw": power});
    let configs = json!([config("one", 0.0123), config("other", 0.0148)]);
    let record = json!({"power": {"kind": "board", "window": "120 s"}, "configs": configs});
    Published::of(&run(record, json!({})), "runs/a").shows(&["0.0123 J/output token", "0.0148 J/output token"]);
}

#[test]
fn watt_hours_and_electricity_come_from_one_quantity() {
    let power = json!({"power": {"kind": "board", "window": "120 s"}});
    let config = json!({"goodput_tok_s": 4740.3, "node_power_kw": 0.607});
    let published = Published::of(&run(power.clone(), config.clone()), "runs/a");
    assert!(!published.has("electricity_usd_per_mtok_output", "only"), "the site has no price of electricity");
    let site = run(power, config);
    let settings = format!("{}electricity_usd_per_kwh = 0.10\n", site.read("site.toml"));
    let published = Published::of(&site.file("site.toml", settings), "runs/a");
    published.gives(&[
        ("goodput_tok_per_j", 7.81, "output tok/J"),
        ("output_tok_per_wh", 28_114.0, "output tokens/Wh"),
        ("electricity_usd_per_mtok_output", 0.00356, "$/1M output tokens"),
    ]);
    published.shows(&["28,114 output tokens/Wh", "$0.00356", "GPU board power, at $0.100/kWh"]).hides(&["tok/W"]);
}

#[test]
fn every_dollar_names_its_quote_and_the_newest_stands_beside_it() {
    let quotes = [
        ("own", 3.99, "secure", "2026-10-19"),
        ("new", 3.49, "secure", "2026-11-09"),
        ("old", 3.29, "secure", "2026-08-19"),
    ];
    let quotes = quotes
        .into_iter()
        .chain([("default", 2.69, "community", "2026-10-19"), ("later", 2.50, "community", "2026-11-20")]);
    let site =
        run(json!({}), json!({"goodput_tok_s": 1000})).file("content/runs/a.md", "---\nprice: prices/own\n---\n");
    for (id, usd, tier, date) in quotes {
        site.write(&format!("content/prices/{id}.json"), quote(id, json!({"usd_per_gpu_hour": usd}), tier, date));
    }
    let settings = format!("{}default_price = \"prices/default\"\n", site.read("site.toml"));
    let site = site.file("site.toml", settings);
    let published = Published::of(&site, "runs/a");
    for (at, cost) in [(None, 1.108), (Some("prices/default"), 0.747), (Some("prices/new"), 0.969)] {
        let figure = published.figure("usd_per_mtok_output", "only", at);
        assert!((figure["value"].as_f64().expect("a value") - cost).abs() < 1e-3, "{figure}");
    }
    published.shows(&["id=\"only/usd_per_mtok_output/new\"", "id=\"record/usd_per_hour/new\""]);
    published.hides(&["prices/old", "prices/later"]);
    for (quote, anchor) in [("own", ""), ("default", "/default"), ("new", "/new")] {
        let page = site.read(&format!("public/prices/{quote}.html"));
        assert!(page.contains(&format!("../runs/a.html#only/usd_per_mtok_output{anchor}\"")), "{quote}");
    }
    assert!(!site.read("public/prices/old.html").contains("usd_per_mtok_output"), "nothing rests on it");

    // Where the record's own quote is the newest, or the default one is, it stands once.
    site.write("content/runs/a.md", "---\nprice: prices/new\n---\n");
    site.write("content/runs/b.json", crate::program::run_record("b"));
    let published = Published::of(&site, "runs/a");
    let costs = published.data["figures"].as_array().expect("a list").iter();
    let quotes: Vec<_> =
        costs.filter(|figure| figure["id"] == "usd_per_mtok_output").map(|figure| &figure["quote"]).collect();
    assert_eq!(quotes, [&Value::Null, &json!("prices/default")]);
}

#[test]
fn an_audit_states_the_price_of_the_quote_that_it_names() {
    let site = |usd: f64| {
        let record = json!({"price": {"usd_per_gpu_hour": usd, "quote": "prices/q"}});
        audit(record, json!({"request_rate_rps": 1, "output_tok_s": 1649})).file(
            "content/prices/q.json",
            quote("q", json!({"usd_per_node_hour": 21.52, "gpus_per_node": 8}), "any", "2026-10-19"),
        )
    };
    refused(
        &site(3.99),
        &["error[audit/quote]", "the record states $3.99/GPU-hour, its quote $21.52/node-hour of 8 GPUs"],
    );
    let good = site(2.69);
    Published::of(&good, "audits/a").gives(&[("usd_per_mtok_output", 0.453, "$/1M output tokens")]);
    assert!(good.read("public/prices/q.html").contains("../audits/a.html#only/usd_per_mtok_output\""));
}

/// A site whose model reads 14 GB of weights a step from memory of 2 TB/s: 7 ms a token.
fn weighed(model: Value, flags: &str, tpot_ms: f64) -> Site {
    let whole: Value = serde_json::from_str(MODEL).expect("it is JSON");
    let record = json!({
        "software": {"engine": "vllm", "kernels": flags}, "spec": {"model": {"weight_dtype": "bf16"}}
    });
    run(record, json!({"tpot_p50_ms": tpot_ms}))
        .file("content/models/test-model.json", merged(whole, model).to_string())
}

#[test]
fn no_token_comes_sooner_than_the_weights_are_read() {
    let dense = json!({"shape": "dense", "weights_bytes": {"bf16": 14_000_000_000_u64}});
    let published = Published::of(&weighed(dense.clone(), "", 7.1), "runs/a");
    published.gives(&[("decode_floor_ms", 7.0, "ms")]);
    let limits = &published.figure("decode_floor_ms", "record", None)["limits"];
    assert!(!limits.to_string().contains("replicas"), "one GPU reads them all: {limits}");
    weighed(dense.clone(), "", 7.0).check().good();
    let two =
        json!({"hardware": {"accelerator": "Test card", "count": 2}, "spec": {"model": {"weight_dtype": "bf16"}}});
    let whole: Value = serde_json::from_str(MODEL).expect("it is JSON");
    let site = run(two, json!({"tpot_p50_ms": 7}))
        .file("content/models/test-model.json", merged(whole, dense.clone()).to_string());
    let published = Published::of(&site, "runs/a");
    let limits = &published.figure("decode_floor_ms", "record", None)["limits"];
    assert!(limits.to_string().contains("replicas would each read all of them"), "{limits}");
    refused(
        &weighed(dense.clone(), "", 6.9),
        &["error[latency/below-floor]", "6.90 ms is below the decode floor of 7.00 ms", "/configs/0/tpot_p50_ms"],
    );

    let mixture = json!({"shape": "moe", "weights_bytes": {"bf16": 14_000_000_000_u64}});
    let published = Published::of(&weighed(mixture.clone(), "", 3.0), "runs/a");
    published.lacks("decode_floor_ms", "record", "a mixture of experts reads its active weights");
    let active = merged(mixture, json!({"active_weights_bytes": {"bf16": 4_000_000_000_u64}}));
    Published::of(&weighed(active.clone(), "", 3.0), "runs/a").gives(&[("decode_floor_ms", 2.0, "ms")]);
    refused(&weighed(active, "", 1.9), &["error[latency/below-floor]"]);

    let unsaid = json!({"weights_bytes": {"bf16": 14_000_000_000_u64}});
    let published = Published::of(&weighed(unsaid, "", 3.0), "runs/a");
    published.lacks("decode_floor_ms", "record", "does not say whether a token passes all weights");

    let speculative = "--speculative-config '{\"method\": \"ngram\"}'";
    let published = Published::of(&weighed(dense.clone(), speculative, 3.0), "runs/a");
    published.lacks("decode_floor_ms", "record", "several tokens a step");
    // What the record does not say, its curator may know.
    let drafted = json!({"value": "EAGLE-3", "basis": "stated", "reason": "the launch script"});
    let note = json!({"model": "models/test-model", "speculative_decoding": drafted});
    let site = weighed(dense, "", 3.0).file("content/runs/a.md", format!("---\n{note}\n---\n"));
    Published::of(&site, "runs/a").lacks("decode_floor_ms", "record", "several tokens a step");
}

#[test]
fn no_request_at_once_has_more_tokens_than_steps() {
    let whole: Value = serde_json::from_str(MODEL).expect("it is JSON");
    let dense = merged(whole, json!({"shape": "dense", "weights_bytes": {"bf16": 14_000_000_000_u64}}));
    let site = |config: Value| {
        // Weights of 16 bits are as large in either type.
        run(json!({"spec": {"model": {"weight_dtype": "fp16"}}}), config)
            .file("content/models/test-model.json", dense.to_string())
    };
    for (config, is_good) in [
        (json!({"concurrency": 1, "output_tok_s": 142.8}), true),
        (json!({"concurrency": 1, "output_tok_s": 143}), false),
        (json!({"concurrency": 2, "output_tok_s": 285}), true),
        (json!({"concurrency": 2, "output_tok_s": 286}), false),
        (json!({"output_tok_s": 286}), true),
        (json!({"concurrency": 1, "output_tok_s": 143, "engine": "vllm with MTP"}), true),
        (json!({"concurrency": 1, "tpot_p50_ms": 6.9}), false),
    ] {
        let site = site(config.clone());
        if is_good {
            site.check().good();
        } else {
            refused(&site, &["error[latency/below-floor]", "decode floor of 7.00 ms"]);
        }
    }
}

#[test]
fn an_audit_has_a_floor_for_each_config() {
    let whole: Value = serde_json::from_str(MODEL).expect("it is JSON");
    let model = merged(whole, json!({"shape": "dense", "weights_bytes": {"fp8": 14_000_000_000_u64}}));
    let site = |tpot: f64| {
        let capacity = json!({"request_rate_rps": 1, "latencies": {"tpot_p95_ms": tpot}});
        let configs = json!([{"key": "only", "weight_dtype": "fp8", "capacity": capacity}]);
        audit(json!({"configs": configs}), json!(null)).file("content/models/test-model.json", model.to_string())
    };
    Published::of(&site(7.5), "audits/a").gives(&[("decode_floor_ms", 7.0, "ms")]);
    refused(&site(5.0), &["error[latency/below-floor]", "/configs/0/capacity/latencies/tpot_p95_ms"]);
}

#[test]
fn one_price_in_two_costs_is_one_price() {
    let configs = json!([
        {"key": "a", "capacity": {"request_rate_rps": 4, "output_tok_s": 1000}},
        {"key": "b", "capacity": {"request_rate_rps": 5, "output_tok_s": 1250}},
    ]);
    let record = json!({"price": {"usd_per_gpu_hour": [2.5, 3.0]}, "configs": configs});
    let site = audit(record, json!({}));
    let published = Published::of(&site, "audits/a");
    published.shows(&["−20.0"]).hides(&["−33.3", "−4.0"]);
    let change = published.figure("cost_change_pct", "b", None)["value"].as_f64();
    assert!(change.is_some_and(|change| (change + 20.0).abs() < 1e-9), "{change:?}");
}

/// A number of one power is not one of another, whatever its digits are.
#[test]
fn a_link_names_the_boundary_of_its_power() {
    let record = json!({"power": {"kind": "board", "window": "60 s"}});
    let site = run(record, json!({"output_tok_s": 500, "node_power_kw": 0.5}));
    for (words, is_warned) in [
        ("1 output tok/J", false),
        ("1 output tok/J of board power", false),
        ("1 output tok/J at the wall", true),
        ("1 output tok/J of node power", true),
    ] {
        let page = format!("---\ntitle: A\n---\n\nIt gives [{words}](figure:runs/a#only/goodput_tok_per_j).\n");
        site.write("content/pages/a.md", page);
        let said = site.check().stderr;
        assert_eq!(said.contains("warning[claim/metric]"), is_warned, "{words}: {said}");
        assert!(!said.contains("error"), "{said}");
    }
}

/// What no repeat delivered within its limits has no price and no change; what some did is said beside each number.
#[test]
fn what_passed_in_no_repeat_has_no_price_and_in_some_says_so_with_every_number() {
    let rows = |passes: u32| {
        json!({"configs": [
            {"label": "base", "goodput_tok_s": 1000, "slo_pass_count": 2, "repeats": 2},
            {"label": "other", "goodput_tok_s": 1500, "slo_pass_count": passes, "repeats": 2}
        ]})
    };
    let priced = |passes: u32| {
        let note = "---\nmodel: models/test-model\nprice: {usd_per_gpu_hour: 3.6}\n---\n";
        run(merged(json!({"slo": {"ttft_p99_ms": 2000}}), rows(passes)), json!({})).file("content/runs/a.md", note)
    };
    let published = Published::of(&priced(0), "runs/a");
    for formula in ["usd_per_mtok_output", "output_tok_per_usd", "goodput_change_pct"] {
        published.lacks(formula, "other", "none passed: 0 of 2 repeats met the SLO");
    }
    let site = priced(1);
    site.build();
    let rows = site.read("public/data/runs.csv");
    let own: Vec<_> = rows.lines().filter(|line| line.contains("runs/a") && line.contains(",other,")).collect();
    let numbers = own.iter().filter(|line| line.contains("usd_per_mtok_output") || line.contains("goodput_change_pct"));
    assert!(numbers.clone().count() > 0, "{own:?}");
    for line in numbers {
        assert!(line.contains("not ranked: a partial pass, 1 of 2"), "{line}");
    }
}

#[test]
fn the_price_of_a_node_is_not_taken_for_that_of_a_gpu() {
    let of = |price: Value, count: u32| {
        let hardware = json!({"accelerator": "Test card", "count": count, "reference": "hardware/test-card"});
        let record = json!({"hardware": hardware, "price": price});
        let quoted = quote("p", json!({"usd_per_gpu_hour": 2.69}), "secure", "2026-10-01");
        audit(record, json!({"request_rate_rps": 10})).file("content/prices/p.json", quoted)
    };
    for (price, count, warns) in [
        (json!({"usd_per_gpu_hour": 21.52}), 8, true),
        (json!({"usd_per_gpu_hour": 4.03}), 8, false),
        (json!({"usd_per_gpu_hour": 4.04}), 8, true),
        (json!({"usd_per_gpu_hour": 21.52}), 1, false),
        (json!({"usd_per_node_hour": 21.52, "gpus_per_node": 8}), 8, false),
        (json!({"usd_per_node_hour": 2.69, "gpus_per_node": 8}), 8, true),
        (json!({"usd_per_node_hour": 2.69, "gpus_per_node": 1}), 1, false),
    ] {
        let said = of(price.clone(), count).check().stderr;
        assert_eq!(said.contains("price/basis"), warns, "{price} {count}: {said}");
    }
}

#[test]
fn two_prices_of_one_offer_on_one_day_are_told() {
    for (tier, date, price, warns) in [
        ("secure", "2026-10-01", 4.0, true),
        ("secure", "2026-10-01", 3.0, false),
        ("spot", "2026-10-01", 4.0, false),
        ("secure", "2026-10-02", 4.0, false),
    ] {
        let site = run(json!({}), json!({}))
            .file("content/prices/p.json", quote("p", json!({"usd_per_gpu_hour": 3.0}), "secure", "2026-10-01"))
            .file("content/prices/q.json", quote("q", json!({"usd_per_gpu_hour": price}), tier, date));
        assert_eq!(site.check().stderr.contains("price/twice"), warns, "{tier} {date} {price}");
    }
}

/// What limits an hour's price limits each cost that is reckoned by it.
#[test]
fn a_share_of_a_node_is_told_with_every_cost() {
    let note = "---\nmodel: models/test-model\nprice: {usd_per_node_hour: 24, gpus_per_node: 8}\n---\n";
    let site = run(json!({}), json!({"output_tok_s": 1000})).file("content/runs/a.md", note);
    site.build();
    let rows = site.read("public/data/runs.csv");
    let cost = rows.lines().find(|line| line.contains("usd_per_mtok_output"));
    assert!(cost.is_some_and(|line| line.contains("a node of 8 GPUs is rented whole")), "{cost:?}");
}
