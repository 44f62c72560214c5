//! Charts for tests: real results, and a torture set.

use super::*;
use crate::quantity::Quantity;

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
        limit: Some(Limit { value: 32e9, label: "one 32 GB card (29.8 GiB)".to_owned() }),
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
        limit: Some(Limit { value: 24.0 * GIB, label: "24 GiB usable".to_owned() }),
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
}
