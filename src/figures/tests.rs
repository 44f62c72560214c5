//! What is asked of a figure, and of all figures of a record.

use super::sheet::{assumed, compute, derived, field, missing};
use super::*;
use crate::catalog::RECORD;
use crate::diagnostic::SourceText;
use crate::formula::card::FITS_CARD;
use crate::formula::comparison::{GOODPUT_CHANGE_PCT, TTFT_CHANGE_PCT, VALUE_CHANGE_PCT, VALUE_RATIO};
use crate::formula::cost::{USD_PER_GPU_HOUR, USD_PER_HOUR, USD_PER_MTOK_OUTPUT};
use crate::source::{Kind, Source};
use crate::{catalog, record, schema};

fn figure(formula: &'static Formula, value: Quantity) -> Figure {
    let computed = Computed { value: FigureValue::Quantity(value), inputs: Vec::new() };
    Figure { outcome: Ok(computed), ..missing(formula, "a", "no reason") }
}

#[test]
fn a_change_is_judged_where_it_is_one_and_one_way_is_better() {
    let exact = Quantity::exact;
    for (formula, change, expected) in [
        (&GOODPUT_CHANGE_PCT, exact(5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, exact(-5.0), Some("worse")),
        (&TTFT_CHANGE_PCT, exact(-5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::about(5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::between(4.0, 5.0), Some("better")),
        (&GOODPUT_CHANGE_PCT, Quantity::between(-5.0, -4.0), Some("worse")),
        // It may be either way, or none.
        (&GOODPUT_CHANGE_PCT, Quantity::between(-1.0, 5.0), None),
        (&GOODPUT_CHANGE_PCT, Quantity::between(0.0, 5.0), None),
        (&GOODPUT_CHANGE_PCT, Quantity::between(-5.0, 0.0), None),
        // It is shown as 0.0%.
        (&GOODPUT_CHANGE_PCT, exact(0.04), None),
        (&GOODPUT_CHANGE_PCT, exact(0.0), None),
        (&VALUE_CHANGE_PCT, exact(5.0), None),
        (&VALUE_RATIO, exact(5.0), None),
    ] {
        assert_eq!(figure(formula, change).judgement(), expected, "{} {change:?}", formula.id);
    }
    let tie = Figure { tie: true, ..figure(&GOODPUT_CHANGE_PCT, exact(5.0)) };
    assert_eq!(tie.judgement(), None);
    assert_eq!(missing(&GOODPUT_CHANGE_PCT, "a", "no reason").judgement(), None);
}

/// A card's entry, whose memory stands for whatever a figure rests on.
pub(super) fn card() -> Arc<Document> {
    let source = source(Kind::Hardware, "hardware/h.json", "{\"id\": \"h\", \"title\": \"H\", \"memory_gb\": 8}");
    let mut report = Report::new();
    let document = schema::validate(&[source], &mut report).pop();
    Arc::new(document.unwrap_or_else(|| panic!("{}", report.render(crate::diagnostic::Color::Plain))))
}

pub(super) fn source(kind: Kind, path: &str, text: impl Into<String>) -> Source {
    let address = path.split_once('.').map_or(path, |(address, _)| address).to_owned();
    let text = Arc::new(SourceText::new(format!("content/{path}"), text.into()));
    Source { kind, address, text, sha256: String::new() }
}

/// The figures of a site of these files, which must have no errors.
pub(super) fn site(sources: &[Source]) -> (Catalog, Figures) {
    let mut report = Report::new();
    let settings = source(Kind::Site, "site.toml", "title = \"T\"\nbase_url = \"https://results.example/\"\n");
    let settings = schema::validate_site(&settings, &mut report).expect("two settings");
    let settings = record::decode_settings(settings, &mut report).expect("two settings");
    let entries = record::decode(schema::validate(sources, &mut report), &mut report);
    let catalog = catalog::link(settings, entries, catalog::Drafts::default(), &mut report);
    let figures = derive(&catalog, &mut report);
    assert!(!report.has_errors(), "{}", report.render(crate::diagnostic::Color::Plain));
    (catalog, figures)
}

fn a_card() -> Source {
    source(Kind::Hardware, "hardware/h.json", r#"{"id": "h", "title": "H", "names": ["H"], "memory_gb": 80}"#)
}

#[test]
fn the_ledger_of_a_quote_has_every_figure_in_dollars() {
    let quote = r#"{"id": "q", "title": "Q", "accelerator": "hardware/h", "provider": "p", "tier": "t",
        "date": "2026-10-01", "usd_per_gpu_hour": 2.0}"#;
    let audit = r#"---
{"id": "a", "title": "A", "published": "2026-10-08", "engine": "vllm", "model": {"name": "M"}, "workload": {}, "slo": {},
"hardware": {"accelerator": "H", "count": 1}, "price": {"usd_per_gpu_hour": 2.0, "quote": "prices/q"},
"peak_request_rate_rps": 20, "configs": [
{"key": "one", "capacity": {"request_rate_rps": 5, "output_tok_s": 1500}},
{"key": "two", "capacity": {"request_rate_rps": 10, "output_tok_s": 3000}}]}
---
"#;
    let files = [a_card(), source(Kind::Price, "prices/q.json", quote), source(Kind::Audit, "audits/a.md", audit)];
    let (catalog, figures) = site(&files);
    let rests = figures.resting_on("prices/q");
    let ids: BTreeSet<_> = rests.iter().map(|(_, figure)| figure.formula.id).collect();
    assert!(rests.iter().all(|(address, _)| address == "audits/a"));
    let wanted = ["usd_per_hour", "usd_per_mtok_output", "output_tok_per_usd", "cost_change_pct", "usd_per_month"];
    assert!(wanted.iter().all(|id| ids.contains(id)), "{ids:?}");
    assert!(!ids.contains("capacity_change_pct") && !ids.contains("replicas_at_peak"), "{ids:?}");
    let item = catalog.items().find(|item| item.address == "audits/a").expect("it is there");
    let of = |anchor: &str| figures.quote(item, figures.at_anchor("audits/a", anchor).expect("it is there"));
    assert_eq!(of("two/usd_per_mtok_output"), Some("prices/q"));
    assert_eq!(of("two/capacity_change_pct"), None);
    assert_eq!(figures.resting_on("prices/other").len(), 0);
}

/// A cost that rests on the price of an hour, which rests on an assumed price of a GPU, which is no figure of the record.
/// Each is there at the record's own quote and at another.
fn figures() -> Figures {
    let document = card();
    let at = |quote: Option<&str>, usd: f64| {
        let said = |value: f64| field(&document, "/memory_gb", Some(value));
        let node = assumed(&document, "/memory_gb", usd, "the node is whole");
        let gpu = Arc::new(compute(&USD_PER_GPU_HOUR, "record", [Ok(node), said(8.0)]));
        let quoted = |figure| Arc::new(Figure { quote: quote.map(str::to_owned), ..figure });
        let hour = quoted(compute(&USD_PER_HOUR, "record", [derived(&gpu), said(2.0)]));
        let cost = quoted(compute(&USD_PER_MTOK_OUTPUT, "a", [derived(&hour), said(1000.0)]));
        [cost, hour]
    };
    let listed = Listed::of([at(None, 8.0), at(Some("prices/late"), 16.0)].concat());
    Figures { by_address: BTreeMap::from([("runs/a".to_owned(), listed)]), ..Figures::default() }
}

#[test]
fn each_figure_is_found_by_what_it_is_of_and_at_which_quote() {
    let figures = figures();
    let all = figures.of("runs/a");
    for (position, subject, formula, quote, anchor) in [
        (0, "a", &USD_PER_MTOK_OUTPUT, None, "a/usd_per_mtok_output"),
        (1, "record", &USD_PER_HOUR, None, "record/usd_per_hour"),
        (2, "a", &USD_PER_MTOK_OUTPUT, Some("prices/late"), "a/usd_per_mtok_output/late"),
        (3, "record", &USD_PER_HOUR, Some("prices/late"), "record/usd_per_hour/late"),
    ] {
        let is_it = |found: Option<&Arc<Figure>>| found.is_some_and(|found| Arc::ptr_eq(found, &all[position]));
        assert!(is_it(figures.find_at("runs/a", subject, formula, quote)), "{anchor}");
        assert!(is_it(figures.at_anchor("runs/a", anchor)), "{anchor}");
        assert!(is_it(figures.same("runs/a", &all[position].as_ref().clone())), "{anchor}");
        assert_eq!(figures.position("runs/a", &all[position]), Some(position), "{anchor}");
        assert_eq!(all[position].anchor(), anchor);
    }
    assert!(Arc::ptr_eq(figures.find("runs/a", "a", &USD_PER_MTOK_OUTPUT).expect("it is there"), &all[0]));
    assert!(figures.find("runs/a", "b", &USD_PER_MTOK_OUTPUT).is_none());
    assert!(figures.at_anchor("runs/a", "a/usd_per_mtok_output/early").is_none());
    assert!(figures.at_anchor("runs/a", "a").is_none());
    assert!(figures.of("runs/b").is_empty() && figures.position("runs/b", &all[0]).is_none());
}

#[test]
fn a_figure_unfolds_into_what_it_rests_on() {
    let figures = figures();
    let [cost, hour] = [&figures.of("runs/a")[0], &figures.of("runs/a")[1]];
    // 8 ÷ 8 × 2 = 2 dollars an hour for 3.6 million tokens.
    assert_eq!(cost.filled(), "2 × 1,000,000 ÷ (3600 × 1,000)");
    assert_eq!(cost.shown(), "$0.556 per 1M output tokens");
    assert_eq!(cost.unrounded().as_deref(), Some("0.5555555555555556"));
    assert_eq!(cost.caveats(), ["assumed: the node is whole"]);
    assert_eq!(cost.basis(), Basis::Assumed);

    let unfolded = figures.unfold("runs/a", cost);
    assert!(std::ptr::eq(unfolded.formula, &USD_PER_MTOK_OUTPUT) && unfolded.filled == cost.filled());
    let [price, rate] = &unfolded.steps[..] else { panic!("{unfolded:?}") };
    assert_eq!(
        (price.name, price.value(), rate.value()),
        ("usd_per_hour", "2 $/hour".to_owned(), "1,000 output tok/s".to_owned())
    );
    assert!(matches!(price.derivation, Derivation::Figure(figure) if std::ptr::eq(figure, &**hour)));
    assert!(matches!(rate.derivation, Derivation::None));
    assert_eq!(figures.unfolded_values("runs/a", cost), 2);

    let unfolded = figures.unfold("runs/a", hour);
    let Derivation::Unfolded(gpu) = &unfolded.steps[0].derivation else { panic!("{unfolded:?}") };
    assert_eq!((gpu.filled.as_str(), gpu.steps.len()), ("8 ÷ 8", 2));
    assert_eq!(figures.unfolded_values("runs/a", hour), 4);
}

#[test]
fn what_is_no_number_says_so() {
    let without = missing(&USD_PER_HOUR, "a", "`price` is not stated");
    assert_eq!((without.filled().as_str(), without.shown().as_str()), ("", "price is not stated"));
    assert_eq!((without.unrounded(), without.quantity()), (None, None));
    let verdict = FigureValue::Verdict("fits");
    let verdict =
        Figure { outcome: Ok(Computed { value: verdict, inputs: Vec::new() }), ..missing(&FITS_CARD, "a", "") };
    assert_eq!((verdict.shown().as_str(), verdict.unrounded()), ("fits", None));
    let reason = derived(&Arc::new(verdict)).map(|fact| fact.quantity);
    assert_eq!(reason, Err(Missing::because(format!("{}: fits", FITS_CARD.name))));
}

#[test]
fn two_figures_of_one_address_are_refused() {
    let (catalog, _) = site(&[a_card()]);
    let item = catalog.items().next().expect("the card");
    let figure = || missing(&USD_PER_HOUR, "a", "no reason");
    let quoted = || Figure { quote: Some("prices/x/q".to_owned()), ..figure() };
    let elsewhere = Figure { quote: Some("prices/y/q".to_owned()), ..figure() };
    for (figures, refused) in [
        (vec![figure(), quoted(), missing(&USD_PER_HOUR, "b", "no reason")], false),
        (vec![figure(), figure()], true),
        // Of an address only the last part goes into a fragment.
        (vec![quoted(), elsewhere], true),
    ] {
        let mut report = Report::new();
        distinct(&figures, item, &mut report);
        assert_eq!(report.has_errors(), refused, "{figures:?}");
    }
}

#[test]
fn what_lost_too_much_accuracy_or_passed_in_part_is_not_ranked() {
    let run = |second: &str| {
        format!(
            r#"{{"id": "a", "status": "published", "title": "A", "published": "2026-10-29", "model": {{"name": "M"}},
            "hardware": {{"accelerator": "H", "count": 1}}, "software": {{"engine": "vllm"}}, "slo": {{"ttft_p99_ms": 2000}},
            "accuracy": {{"suite": "s", "threshold_pts": 2, "questions": 1000}}, "configs": [
            {{"label": "one", "goodput_tok_s": 1000, "accuracy": {{"suite": "s", "score_pct": 96.0}}}},
            {{"label": "two", "goodput_tok_s": 1500, {second}}}]}}"#
        )
    };
    for (second, unranked) in [
        (r#""accuracy": {"suite": "s", "score_pct": 94.0}"#, None),
        (r#""accuracy": {"suite": "s", "score_pct": 93.9}"#, Some("2.10 points below the baseline's accuracy")),
        (r#""slo_pass_count": 2, "repeats": 2"#, None),
        (r#""slo_pass_count": 1, "repeats": 2"#, Some("a partial pass, 1 of 2")),
        (r#""slo_pass_count": 0, "repeats": 2"#, Some("no pass, 0 of 2")),
    ] {
        let (_, figures) = site(&[a_card(), source(Kind::Run, "runs/a.json", run(second))]);
        assert_eq!(figures.unranked("runs/a", "two"), unranked, "{second}");
        assert_eq!(figures.unranked("runs/a", "one"), None);
        assert_eq!(figures.unranked("runs/b", "one"), None);
    }
}

/// What the longest sequence of a model on a card of 80 GB rests on besides the budget: figures by subject.
fn of_longest_sequence(windows: [u64; 2]) -> Vec<(&'static str, String)> {
    let group = |more: &str| format!(r#"{{{more}, "layers": 2, "kv_heads": 8, "k_dim": 128, "v_dim": 128}}"#);
    let windows = windows.map(|window| group(&format!(r#""kind": "window", "window": {window}"#)));
    let groups = [group(r#""kind": "full""#)].into_iter().chain(windows).collect::<Vec<_>>().join(", ");
    let model = format!(
        r#"{{"id": "m", "title": "M", "layers": 6, "weights_bytes": {{"bf16": 1000000000}}, "groups": [{groups}]}}"#
    );
    let card = r#"{"id": "h", "title": "H", "memory_gb": 80}"#;
    let (_, figures) =
        site(&[source(Kind::Model, "models/m.json", model), source(Kind::Hardware, "hardware/h.json", card)]);
    let of_formula = |figure: &&Arc<Figure>| figure.formula.id == crate::formula::card::LONGEST_SEQUENCE_TOKENS.id;
    let longest = figures.of("models/m").iter().find(of_formula).expect("it fits");
    let rests_on = longest.inputs().skip(1).filter_map(|(_, fact)| fact.derivation.as_ref());
    rests_on.map(|figure| (figure.formula.id, figure.subject.clone())).collect()
}

#[test]
fn the_longest_sequence_is_told_from_the_cache_past_its_windows() {
    // What every window is full for is the model's own figure.
    for windows in [[1000, 2000], [2000, 1000]] {
        assert_eq!(
            of_longest_sequence(windows),
            [("still_bytes", RECORD.to_owned()), ("kv_bytes_per_token", RECORD.to_owned())]
        );
    }
    let past = "record-past-1000".to_owned();
    let expected = [("still_bytes", past.clone()), ("kv_short_bytes_per_token", past)];
    assert_eq!(of_longest_sequence([1000, 1_000_000_000]), expected);
}

#[test]
fn a_latency_at_another_load_is_not_ranked() {
    let config = |key: &str, rate: u32, ttft: u32| {
        format!(
            r#"{{"key": "{key}", "capacity": {{"request_rate_rps": {rate}, "latencies": {{"ttft_p99_ms": {ttft}}}}}}}"#
        )
    };
    let configs = [config("baseline", 10, 900), config("same", 10, 800), config("more", 15, 950)].join(", ");
    let audit = format!(
        r#"{{"id": "a", "title": "A", "published": "2026-10-08", "engine": "vllm", "model": {{"name": "M"}},
        "hardware": {{"accelerator": "H", "count": 1}}, "workload": {{}}, "slo": {{"ttft_p99_ms": 1000}}, "configs": [{configs}]}}"#
    );
    let (_, figures) = site(&[source(Kind::Audit, "audits/a.md", format!("---\n{audit}\n---\n"))]);
    let change = |subject: &str| figures.find("audits/a", subject, &TTFT_CHANGE_PCT).expect("both have it");
    assert_eq!((change("same").judgement(), change("more").judgement()), (Some("better"), None));
    assert!(change("more").unranked.is_some() && change("same").unranked.is_none());
}

#[test]
fn of_a_rate_of_nothing_there_is_no_price_and_no_energy() {
    let audit = r#"---
{"id": "a", "title": "A", "published": "2026-10-08", "engine": "vllm", "model": {"name": "M"}, "workload": {}, "slo": {},
"hardware": {"accelerator": "H", "count": 1}, "price": {"usd_per_gpu_hour": 2.0}, "configs": [
{"key": "one", "capacity": {"request_rate_rps": 5, "output_tok_s": 0}}]}
---
"#;
    let run = r#"{"id": "a", "status": "published", "title": "A", "published": "2026-10-29", "model": {"name": "M"},
        "hardware": {"accelerator": "H", "count": 1}, "software": {"engine": "vllm"},
        "power": {"kind": "board", "window": "60 s"},
        "configs": [{"label": "one", "output_tok_s": 0, "node_power_kw": 0.3}]}"#;
    let (_, figures) = site(&[source(Kind::Audit, "audits/a.md", audit), source(Kind::Run, "runs/a.json", run)]);
    for (address, anchor) in [
        ("audits/a", "one/output_tok_per_usd"),
        ("audits/a", "one/usd_per_mtok_output"),
        ("runs/a", "one/goodput_tok_per_j"),
        ("runs/a", "one/energy_j_per_output_token"),
    ] {
        let figure = figures.at_anchor(address, anchor).expect("it is there");
        assert_eq!(figure.outcome.clone().err(), Some(Missing::because("`output_tok_s` is 0")), "{address} {anchor}");
    }
}

#[test]
fn a_limit_that_is_not_set_is_missing_and_no_zero() {
    let run = r#"{"id": "a", "status": "published", "title": "A", "published": "2026-10-29", "model": {"name": "M"},
        "hardware": {"accelerator": "H", "count": 1}, "software": {"engine": "vllm"}, "slo": {"ttft_p99_ms": 2000},
        "configs": [{"label": "one", "ttft_p99_ms": 380}]}"#;
    let (_, figures) = site(&[source(Kind::Run, "runs/a.json", run)]);
    let figure = figures.at_anchor("runs/a", "one/binding_slo").expect("it is there");
    assert_eq!((figure.shown().as_str(), figure.basis()), ("TTFT", Basis::Computed));
    let steps = figures.unfold("runs/a", figure).steps;
    let values: Vec<_> = steps.iter().map(|step| (step.value(), step.fact.basis().word())).collect();
    let unset = || ("no limit is set".to_owned(), "missing");
    assert_eq!(values, [("19 %".to_owned(), "computed"), unset(), unset(), unset()]);
    assert_eq!(figure.filled().matches("no limit is set").count(), 3);
}
