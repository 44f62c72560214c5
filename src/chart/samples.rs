//! Charts for tests, in Rust and in a browser: real results, and a torture set.

use super::*;

const GIB: f64 = 1_073_741_824.0;

pub fn chart(id: &str, kind: Kind) -> Chart {
    Chart {
        id: id.to_owned(),
        caption: format!("Caption of {id}"),
        source_line: "GPU board power (not node power), mean of 2 repeats, ±1.5%. Source: \
                      runs/h100-qwen3-30b-a3b-prefix-cache-vllm."
            .to_owned(),
        limits: vec!["Not covered: steady operation, since quick mode means short windows and few repeats.".to_owned()],
        kind,
    }
}

fn axis(title: &str, better: Better, ticks: TickStyle) -> Axis {
    Axis { title: title.to_owned(), better, ticks }
}

const LABELS: [&str; 4] = [
    "No prompt reuse (0% cache hits)",
    "50% shared prefix (48.7% cache hits)",
    "75% shared prefix (74.0% cache hits)",
    "90% shared prefix (89.2% cache hits)",
];

pub fn goodput() -> Bars {
    let values = [(4740.3, "4,740"), (6677.7, "6,678"), (8040.7, "8,041"), (8508.3, "8,508")];
    let rows = LABELS.iter().zip(values).map(|(label, (value, text))| {
        let band = Band { low: value * 0.985, high: value * 1.015, text: "±1.5%".to_owned() };
        Bar { label: (*label).to_owned(), reading: Reading::Value { value, text: text.to_owned(), band: Some(band) } }
    });
    Bars {
        subject: "configuration".to_owned(),
        axis: axis("goodput, output tok/s", Better::Higher, TickStyle::Plain),
        rows: rows.collect(),
        baseline: Some(0),
        tie: None,
    }
}

pub fn cost() -> Bars {
    let values = [
        ("fp8_model_kv_16k", 0.289, "$0.289"),
        ("fp8_kv", 0.295, "$0.295"),
        ("baseline", 0.453, "$0.453"),
        ("batched_16k", 0.455, "$0.455"),
        ("no_prefix_cache", 0.856, "$0.856"),
    ];
    let bar = |(label, value, text): (&str, f64, &str)| Bar {
        label: label.to_owned(),
        reading: Reading::Value { value, text: text.to_owned(), band: None },
    };
    let failed = Bar { label: "fp8_model".to_owned(), reading: Reading::Words("none passed".to_owned()) };
    Bars {
        subject: "configuration".to_owned(),
        axis: axis("cost, $ per 1M output tokens", Better::Lower, TickStyle::Dollars),
        rows: values.into_iter().map(bar).chain([failed]).collect(),
        baseline: Some(2),
        tie: None,
    }
}

pub fn point(label: &str, x: f64, y: f64) -> Point {
    let (x_text, y_text) = (format!("{x}"), format!("{y}"));
    Point { label: label.to_owned(), x: x.into(), y: y.into(), x_text, y_text, standing: Standing::Unranked }
}

pub fn latency() -> Scatter {
    let values = [(4740.3, 40.6), (6677.7, 46.1), (8040.7, 42.1), (8508.3, 39.4)];
    use Standing::{Beaten, Close, Frontier};
    let standings = [Close, Beaten, Beaten, Frontier].into_iter();
    let points = LABELS.iter().zip(values).zip(standings);
    let points = points.map(|((label, (x, y)), standing)| Point { standing, ..point(label, x, y) }).collect();
    Scatter {
        subject: "configuration".to_owned(),
        x: axis("goodput, output tok/s", Better::Higher, TickStyle::Plain),
        y: axis("p99 TPOT, ms", Better::Lower, TickStyle::Plain),
        series: vec![Series { name: String::new(), points }],
        left_out: Vec::new(),
        trace: Trace::Points,
        x_limit: None,
        y_limit: Some(Limit { value: 50.0, label: "SLO: p99 TPOT ≤ 50 ms".to_owned() }),
    }
}

/// A capacity and latencies that are known as intervals.
pub fn intervals() -> Scatter {
    let mut scatter = latency();
    let points = &mut scatter.series[0].points;
    points[0].y = Quantity::between(36.0, 45.0);
    points[1].x = Quantity::between(6000.0, 7400.0);
    points[2].x = Quantity::between(7900.0, 8200.0);
    points[2].y = Quantity::between(41.0, 43.5);
    scatter
}

/// Trade-offs over more than a decade, so that the frontier has corners.
pub fn pareto() -> Scatter {
    use Standing::{Beaten, Close, Frontier};
    let points = [
        ("tp8 c4", 150.0, 6.1, Frontier),
        ("tp8 c16", 620.0, 7.9, Frontier),
        ("tp4 c16", 540.0, 9.5, Beaten),
        ("tp4 c64", 2400.0, 14.2, Frontier),
        ("tp2 c64", 2300.0, 14.3, Close),
        ("tp2 c256", 6100.0, 42.0, Frontier),
        ("tp1 c256", 5200.0, 61.0, Beaten),
        ("tp1 c512", 7400.0, 95.0, Frontier),
    ];
    let points = points.map(|(label, x, y, standing)| Point { standing, ..point(label, x, y) });
    let left_out = |label: &str, reason: &str| LeftOut {
        series: String::new(),
        label: label.to_owned(),
        reason: reason.to_owned(),
    };
    Scatter {
        series: vec![Series { name: String::new(), points: points.to_vec() }],
        left_out: vec![left_out("tp1 c1024", "none passed"), left_out("tp8 c1", "p99 TPOT not stated")],
        y_limit: Some(Limit { value: 50.0, label: "SLO 50 ms".to_owned() }),
        x_limit: Some(Limit { value: 200.0, label: "at least 200 tok/s".to_owned() }),
        ..latency()
    }
}

pub fn memory() -> Stacked {
    let row = |label: &str, parts: &[(f64, &str)], total: &str| Stack {
        label: label.to_owned(),
        amounts: parts.iter().map(|(gib, text)| Amount { value: gib * GIB, text: (*text).to_owned() }).collect(),
        total: total.to_owned(),
    };
    Stacked {
        subject: "cache of 150,000 tokens".to_owned(),
        axis: axis("KV cache at 150,000 tokens, bf16", Better::Neither, TickStyle::Bytes),
        parts: vec!["KV cache".to_owned()],
        rows: vec![
            row("16 full-attention layers", &[(9.155, "9.16 GiB")], "9.16 GiB"),
            row("all 64 layers, if each held a cache", &[(36.62, "36.6 GiB")], "36.6 GiB, does not fit"),
        ],
        limit: Some(Ceiling { low: 28.6 * GIB, high: 32e9, label: "one 32 GB card (28.6–29.8 GiB)".to_owned() }),
    }
}

pub fn budget() -> Stacked {
    let row = |label: &str, gib: [f64; 4], total: &str| Stack {
        label: label.to_owned(),
        amounts: gib.iter().map(|gib| Amount { value: gib * GIB, text: format!("{gib} GiB") }).collect(),
        total: total.to_owned(),
    };
    Stacked {
        subject: "variant".to_owned(),
        axis: axis("memory of one GPU", Better::Neither, TickStyle::Bytes),
        parts: ["weights", "KV cache", "activations", "engine and graphs"].map(str::to_owned).to_vec(),
        rows: vec![
            row("bf16 weights, bf16 cache", [15.3, 8.9, 2.1, 1.9], "28.2 GiB"),
            row("FP8 weights, bf16 cache", [8.1, 8.9, 2.1, 1.9], "21.0 GiB"),
            row("FP8 weights, FP8 cache", [8.1, 4.5, 2.1, 1.9], "16.6 GiB"),
        ],
        limit: Some(Ceiling { low: 24.0 * GIB, high: 24.0 * GIB, label: "24 GiB usable".to_owned() }),
    }
}

/// Sweeps: lines that differ by colour, shape and dash.
pub fn sweep(series: usize) -> Scatter {
    let one = |at: usize| Series {
        name: format!("configuration {at}"),
        points: (1_u32..7)
            .map(|step| {
                let rate = f64::from(step) * 1.7;
                let load = rate / (9.0 + at as f64);
                point("", rate, 9.0 + at as f64 * 1.3 + 24.0 * load * load)
            })
            .collect(),
    };
    Scatter {
        x: axis("delivered rate, requests/s", Better::Higher, TickStyle::Plain),
        y: axis("p95 TPOT, ms", Better::Lower, TickStyle::Plain),
        series: (0..series).map(one).collect(),
        trace: Trace::Lines,
        x_limit: None,
        ..latency()
    }
}

/// What a hit rate buys, in three panels.
pub fn hit_rates() -> Panels {
    let values = [
        (0.0, 4740.3, 0.128, 0.234),
        (48.7, 6677.7, 0.0969, 0.166),
        (74.0, 8040.7, 0.0815, 0.138),
        (89.2, 8508.3, 0.0732, 0.13),
    ];
    let rows = LABELS.iter().zip(values).map(|(label, (rate, goodput, energy, cost))| PanelRow {
        series: 0,
        label: (*label).to_owned(),
        x: rate.into(),
        x_text: rate.to_string(),
        readings: [goodput, energy, cost].map(|value| reading(value, &value.to_string())).to_vec(),
    });
    let panel = |title, better, ticks| Panel { y: axis(title, better, ticks), limit: None };
    Panels {
        subject: "configuration".to_owned(),
        x: axis("prefix-cache hit rate, %", Better::Neither, TickStyle::Plain),
        panels: vec![
            panel("goodput, output tok/s", Better::Higher, TickStyle::Plain),
            panel("energy, J/output token", Better::Lower, TickStyle::Plain),
            panel("cost, $ per 1M output tokens", Better::Lower, TickStyle::Dollars),
        ],
        series: vec![String::new()],
        rows: rows.collect(),
    }
}

fn reading(value: f64, text: &str) -> Reading {
    Reading::Value { value, text: text.to_owned(), band: None }
}

/// Throughput and a limited latency over the load of some series.
pub fn loads(series: usize) -> Panels {
    let of_series = |at: usize| {
        (0..6_i32).map(move |step| {
            let load = 2.0_f64.powi(step + 2);
            let speed = 1.0 + at as f64 * 0.13;
            let throughput = 4000.0 * speed * load / (load + 30.0);
            let latency = (18.0 + load * 0.4) / speed;
            PanelRow {
                series: at,
                label: String::new(),
                x: load.into(),
                x_text: load.to_string(),
                readings: vec![
                    reading(throughput, &format!("{throughput:.0}")),
                    if step == 5 && at % 3 == 2 {
                        Reading::Words("none passed".to_owned())
                    } else {
                        reading(latency, &format!("{latency:.1}"))
                    },
                ],
            }
        })
    };
    let limit = Limit { value: 40.0, label: "limit 40 ms".to_owned() };
    Panels {
        x: axis("concurrent requests", Better::Neither, TickStyle::Plain),
        panels: vec![
            Panel { y: axis("output throughput, output tok/s", Better::Higher, TickStyle::Plain), limit: None },
            Panel { y: axis("p99 TPOT, ms", Better::Lower, TickStyle::Plain), limit: Some(limit) },
        ],
        series: (0..series).map(|at| format!("configuration {at}")).collect(),
        rows: (0..series).flat_map(of_series).collect(),
        ..hit_rates()
    }
}

/// Capacities between two loads, what was delivered apart.
pub fn brackets() -> Brackets {
    let between = |label: &str, passed: f64, failed: f64, delivered: Option<f64>| Bracket {
        label: label.to_owned(),
        span: Span::Between { passed, failed, text: format!("{passed}–{failed}") },
        delivered: delivered.map(|value| Delivered { value, text: value.to_string() }),
    };
    let words = |label: &str, words: &str| Bracket {
        label: label.to_owned(),
        span: Span::Words(words.to_owned()),
        delivered: None,
    };
    Brackets {
        subject: "configuration".to_owned(),
        axis: axis("capacity, req/s", Better::Higher, TickStyle::Plain),
        rows: vec![
            between("baseline", 4.5, 5.0, Some(4.47)),
            between("FP8 KV cache", 8.0, 16.0, Some(7.1)),
            between("batches of 16k", 5.0, 5.5, None),
            words("FP8 weights", "none passed: no tested rate met the SLO"),
        ],
        baseline: Some(0),
    }
}

/// What results look like on a good day.
pub fn good() -> Vec<Chart> {
    vec![
        chart("goodput", Kind::Bars(goodput())),
        chart("cost", Kind::Bars(cost())),
        chart("latency", Kind::Scatter(latency())),
        chart("intervals", Kind::Scatter(intervals())),
        chart("pareto", Kind::Scatter(pareto())),
        chart("memory", Kind::Stacked(memory())),
        chart("budget", Kind::Stacked(budget())),
        chart("sweep", Kind::Scatter(sweep(3))),
        chart("hit-rates", Kind::Panels(hit_rates())),
        chart("loads", Kind::Panels(loads(2))),
        chart("brackets", Kind::Brackets(brackets())),
    ]
}

/// What they look like on a bad one.
pub fn torture() -> Vec<Chart> {
    let long = "An FP8 checkpoint with an FP8 KV cache, chunked prefill at 16,384 tokens and a speculative draft of five \
                tokens 漢字 فارسی & <b>";
    let value = |label: &str, value: f64| Bar {
        label: label.to_owned(),
        reading: Reading::Value { value, text: format!("{value:e}"), band: None },
    };
    let bars = |rows: Vec<Bar>| Kind::Bars(Bars { rows, ..goodput() });
    let scatter = |points: Vec<Point>| {
        Kind::Scatter(Scatter { series: vec![Series { name: String::new(), points }], ..latency() })
    };
    let words = Bar { label: long.to_owned(), reading: Reading::Words(format!("none passed: {long}")) };
    let same = |count: usize| (0..count).map(|at| point(LABELS[at % 4], 100.0, 100.0)).collect::<Vec<_>>();
    let crowd = |count: usize| {
        let place =
            |at: usize| point(&format!("{at} {long}"), 100.0 + (at * 37 % 101) as f64, 20.0 + (at * 53 % 97) as f64);
        (0..count).map(place).collect::<Vec<_>>()
    };
    let mut many = sweep(24);
    many.trace = Trace::Points;
    let huge = Stacked { parts: vec![long.to_owned(); 6], ..budget() };
    let mut broken = budget();
    broken.rows[0].amounts[1].value = f64::NAN;
    broken.rows[1].amounts.clear();
    broken.rows[1].total = "not measured".to_owned();
    broken.rows[2].label = long.to_owned();
    vec![
        chart("no-bars", bars(Vec::new())),
        chart("one-bar", bars(vec![value("only", 100.0)])),
        chart("zeros", bars(vec![value("a", 0.0), value("b", 0.0), value("c", -0.0)])),
        chart("words", bars(vec![words.clone()])),
        chart(
            "hostile",
            bars(vec![
                value("nan", f64::NAN),
                value("inf", f64::INFINITY),
                value("max", f64::MAX),
                value("min", f64::MIN),
            ]),
        ),
        chart("signs", bars(vec![value("up", 56.7), value("down", -47.0), value("none", -0.2)])),
        chart("long", bars(vec![value(long, 1e18), value(long, 1e-6), words, value("", 3e17)])),
        chart("twelve", bars((0..12).map(|at| value(LABELS[at % 4], at as f64)).collect())),
        chart(
            "log-zero",
            scatter(vec![point("zero", 0.0, 10.0), point("ten", 10.0, 20.0), point("thousand", 1000.0, 30.0)]),
        ),
        chart("one-point", scatter(same(1))),
        chart("same-place", scatter(same(3))),
        chart("no-points", scatter(Vec::new())),
        chart("undrawable", scatter(vec![point("nan", f64::NAN, 1.0), point("inf", 1.0, f64::INFINITY)])),
        chart("crowd", scatter(crowd(20))),
        chart("throng", scatter(crowd(200))),
        chart("extremes", scatter(vec![point("small", 1e-6, 1e-6), point("large", 1e18, 1e18), point(long, 1.0, 1.0)])),
        chart("many-sweeps", Kind::Scatter(sweep(24))),
        chart("many-clouds", Kind::Scatter(many)),
        chart("huge-parts", Kind::Stacked(huge)),
        chart("broken-stack", Kind::Stacked(broken)),
        chart("no-stacks", Kind::Stacked(Stacked { rows: Vec::new(), ..budget() })),
    ]
    .into_iter()
    .chain(tortured_frontiers())
    .chain(tortured_panels())
    .chain(tortured_brackets())
    .collect()
}

/// Names as people write them.
const SCRIPTS: [&str; 8] = [
    "Größe über Århus, çığ, Łódź, Việt Nam",
    "前缀缓存，八个并发请求",
    "プレフィックスキャッシュ 八並列",
    "ذاكرة التخزين المؤقت للبادئة",
    "उपसर्ग कैश के साथ कॉन्फ़िगरेशन",
    "🚀 fast 👩🏽‍💻 config 🇩🇪",
    "שמונה בקשות במקביל",
    "Комбинация с кэшем префиксов",
];

const LONG: &str = "An-FP8-checkpoint-with-an-FP8-KV-cache-and-no-space-to-break-at, chunked prefill at 16,384 tokens and a \
                    speculative draft of five tokens";

fn ranked(label: &str, x: f64, y: f64, standing: Standing) -> Point {
    Point { standing, ..point(label, x, y) }
}

fn tortured_frontiers() -> Vec<Chart> {
    use Standing::{Beaten, Close, Frontier};
    let scatter = |points: Vec<Point>| Scatter { series: vec![Series { name: String::new(), points }], ..pareto() };
    let cloud = |series: usize| {
        let of_series = |at: usize| {
            let place = |step: usize| {
                let load = 2.0_f64.powi(i32::try_from(step).unwrap_or(0));
                let standing = [Frontier, Close, Beaten][(at + step) % 3];
                ranked(&format!("{} concurrent", load * 4.0), 300.0 * load, (8.0 + at as f64) * load.sqrt(), standing)
            };
            (0..5).map(place).collect()
        };
        let names = (0..series).map(|at| Series { name: SCRIPTS[at % 8].to_owned(), points: of_series(at) });
        Scatter { series: names.collect(), x_limit: None, y_limit: None, ..pareto() }
    };
    let scripts = SCRIPTS.iter().enumerate().map(|(at, name)| {
        let step = at as f64;
        ranked(name, 100.0 + 900.0 * step, 5.0 + step * step, [Frontier, Beaten][at % 2])
    });
    let close = (0..8).map(|at| ranked(LABELS[at % 4], 5000.0 + at as f64 * 1e-6, 40.0 + at as f64 * 1e-7, Frontier));
    let out = |label: &str, reason: &str| LeftOut {
        series: SCRIPTS[3].to_owned(),
        label: label.to_owned(),
        reason: reason.to_owned(),
    };
    let limited = |label: &str| Some(Limit { value: 50.0, label: label.to_owned() });
    let axes = Scatter {
        x: axis(&format!("{LONG}, {}", SCRIPTS[4]), Better::Higher, TickStyle::Plain),
        y: axis(&format!("{}, {LONG}", SCRIPTS[1]), Better::Lower, TickStyle::Dollars),
        y_limit: limited(LONG),
        ..pareto()
    };
    vec![
        chart("frontier-of-one", Kind::Scatter(scatter(vec![ranked("alone", 1000.0, 20.0, Frontier)]))),
        chart("frontier-all-equal", Kind::Scatter(scatter(vec![ranked("same", 1000.0, 20.0, Frontier); 4]))),
        chart("frontier-scripts", Kind::Scatter(scatter(scripts.collect()))),
        chart("frontier-close", Kind::Scatter(scatter(close.collect()))),
        chart(
            "frontier-long",
            Kind::Scatter(scatter(vec![ranked(LONG, 3e3, 20.0, Frontier), ranked(LONG, 2e3, 9.0, Beaten)])),
        ),
        chart("frontier-twelve", Kind::Scatter(cloud(12))),
        chart(
            "frontier-decades",
            Kind::Scatter(scatter(vec![
                ranked("least", 1e-6, 1e-6, Frontier),
                ranked("most", 1e18, 1e18, Frontier),
                ranked("zero", 0.0, 3.0, Frontier),
                ranked("negative", -4.0, 3.0, Beaten),
            ])),
        ),
        chart(
            "frontier-failed",
            Kind::Scatter(Scatter {
                left_out: vec![out(LONG, "none passed"), out(SCRIPTS[5], LONG), out("a", "not measured")],
                ..scatter(Vec::new())
            }),
        ),
        chart("frontier-left-out", Kind::Scatter(Scatter { left_out: vec![out(LONG, SCRIPTS[6]); 40], ..pareto() })),
        chart("frontier-axes", Kind::Scatter(axes)),
    ]
}

fn tortured_panels() -> Vec<Chart> {
    let mut hostile = hit_rates();
    let values = [1e18, 1e-6, f64::NAN, -3.0];
    for (row, value) in hostile.rows.iter_mut().zip(values) {
        row.label = LONG.to_owned();
        row.readings[0] = reading(value, &format!("{value:e}"));
        row.readings[1] = reading(0.0, SCRIPTS[3]);
        row.readings[2] = Reading::Words(format!("none passed: {LONG}"));
    }
    hostile.panels[1].y.title = format!("{}, {LONG}", SCRIPTS[4]);
    hostile.panels[1].limit = Some(Limit { value: 0.05, label: SCRIPTS[2].repeat(4) });
    hostile.x.title = LONG.to_owned();
    let mut same = hit_rates();
    same.rows.iter_mut().for_each(|row| row.x = 50.0.into());
    let mut scripts = loads(12);
    scripts.series.iter_mut().enumerate().for_each(|(at, name)| *name = format!("{} {at}", SCRIPTS[at % 8]));
    let one = Panels { rows: hit_rates().rows[..1].to_vec(), ..hit_rates() };
    vec![
        chart("panels-hostile", Kind::Panels(hostile)),
        chart("panels-one-place", Kind::Panels(same)),
        chart("panels-one-row", Kind::Panels(one)),
        chart("panels-no-rows", Kind::Panels(Panels { rows: Vec::new(), ..hit_rates() })),
        chart("panels-twelve", Kind::Panels(scripts)),
    ]
}

fn tortured_brackets() -> Vec<Chart> {
    let row = |label: &str, passed: f64, failed: f64| Bracket {
        label: label.to_owned(),
        span: Span::Between { passed, failed, text: format!("{passed:e}–{failed:e}") },
        delivered: Some(Delivered { value: passed, text: format!("{passed:e}") }),
    };
    let rows = |rows: Vec<Bracket>| Kind::Brackets(Brackets { rows, ..brackets() });
    let words = Bracket { span: Span::Words(format!("none passed: {LONG}")), delivered: None, ..row(LONG, 0.0, 0.0) };
    vec![
        chart("brackets-none", rows(Vec::new())),
        chart("brackets-words", rows(vec![words.clone()])),
        chart("brackets-decades", rows(vec![row("least", 1e-6, 2e-6), row("most", 1e17, 1e18), words])),
        chart("brackets-odd", rows(vec![row("nan", f64::NAN, 2.0), row("back", 8.0, 2.0), row("none", 0.0, 0.0)])),
        chart("brackets-scripts", rows(SCRIPTS.iter().map(|name| row(name, 4.0, 5.0)).collect())),
    ]
}
