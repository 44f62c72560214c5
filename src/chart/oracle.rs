//! Looks at finished drawings: text inside the frame and apart, marks present, numbers real.

use proptest::prelude::*;

use super::labels::{Rect, Size};
use super::*;

/// The elements of a drawing in order, each with the attributes it has or inherits.
fn elements(svg: &str) -> Vec<Element> {
    let mut open: Vec<String> = Vec::new();
    let mut out = Vec::new();
    // What keeps a name apart is part of its line.
    let svg = text::APART.iter().fold(svg.to_owned(), |svg, part| svg.replace(part, ""));
    for piece in svg.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').expect("every tag is closed");
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let inherited = open.last().cloned().unwrap_or_default();
        let attributes = format!("{} {inherited}", tag.trim_end_matches('/'));
        if !tag.ends_with('/') {
            open.push(attributes.split_once(' ').map_or(String::new(), |(_, rest)| rest.to_owned()));
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        let content = content.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        out.push(Element { name, attributes, content: content.replace("&amp;", "&") });
    }
    assert!(open.is_empty(), "unclosed: {open:?}");
    out
}

struct Element {
    name: String,
    attributes: String,
    content: String,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.attributes.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
    }

    /// The box of a text, from the table of widths and the ascent and descent of Arial.
    fn text_box(&self) -> Rect {
        let size = self.number("font-size");
        let wide = text::width(&self.content, size);
        let left = self.number("x")
            - match self.get("text-anchor") {
                Some("middle") => wide / 2.0,
                Some("end") => wide,
                _ => 0.0,
            };
        Rect::sized(left, self.number("y") - 0.905 * size, Size { width: wide, height: 1.117 * size })
    }
}

fn drawings(chart: &Chart) -> [String; 2] {
    let Rendered { wide, narrow } = render(chart);
    [wide.to_string(), narrow.to_string()]
}

fn texts(svg: &str) -> Vec<Element> {
    elements(svg).into_iter().filter(|element| element.name == "text").collect()
}

fn marks(svg: &str) -> usize {
    let classes = ["c-dot", "c-ring", "c-fill", "c-base"];
    elements(svg)
        .iter()
        .filter(|element| {
            !["g", "title"].contains(&element.name.as_str())
                && element.get("class").is_some_and(|class| classes.iter().any(|of| class.starts_with(of)))
        })
        .count()
}

/// What is wrong with the text of a drawing.
fn faults(svg: &str) -> Vec<String> {
    let root = elements(svg).swap_remove(0);
    let frame: Vec<f64> =
        root.get("viewBox").unwrap_or_default().split(' ').filter_map(|part| part.parse().ok()).collect();
    let frame = Rect { left: frame[0], top: frame[1], right: frame[0] + frame[2], bottom: frame[1] + frame[3] };
    let boxes: Vec<(Rect, String)> = texts(svg).iter().map(|text| (text.text_box(), text.content.clone())).collect();
    let outside = boxes.iter().filter(|(at, _)| !frame.holds(at)).map(|(at, text)| format!("outside: {text:?} {at:?}"));
    let mut faults: Vec<String> = outside.collect();
    for (at, (one, text)) in boxes.iter().enumerate() {
        let others = boxes[at + 1..].iter().filter(|(other, _)| one.meets(other));
        faults.extend(others.map(|(_, other)| format!("{text:?} meets {other:?}")));
    }
    faults
}

#[test]
fn text_stays_inside_the_frame_and_apart() {
    let faults: Vec<String> = samples::good()
        .iter()
        .chain(&samples::torture())
        .flat_map(|chart| drawings(chart).map(|svg| (chart.id.clone(), svg)))
        .flat_map(|(id, svg)| faults(&svg).into_iter().map(move |fault| format!("{id}: {fault}")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_drawing_that_stands_by_itself_says_all_and_fits() {
    let title = "What a drawing shows, in more words than a line has room for, since titles of records are sentences";
    let foot =
        [format!("Not covered: {}", "a <thing> & its limits; ".repeat(40)), "https://results.example/x".to_owned()];
    for chart in samples::good().iter().chain(&samples::torture()) {
        let svg = standalone(chart, title, &foot);
        assert_eq!(faults(&svg), [""; 0], "{}", chart.id);
        let words = texts(&svg).into_iter().map(|text| text.content).collect::<Vec<_>>().join(" ");
        let words: String = words.split_whitespace().collect();
        for said in [title, &foot[0], &foot[1]] {
            assert!(words.contains(&said.split_whitespace().collect::<String>()), "{}: {said}", chart.id);
        }
    }
}

#[test]
fn a_drawing_that_stands_by_itself_has_its_colours_in_light_and_dark() {
    let chart = samples::chart("a-1", Kind::Bars(samples::goodput()));
    let svg = standalone(&chart, "A", &[]);
    let style = svg.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a style");
    let (light, dark) = style.split_once("@media(prefers-color-scheme:dark)").expect("two schemes");
    for (property, on_light, on_dark) in [("--paper", "#fff", "#12161b"), ("--series-2", "#4a8fd8", "#8fd0ff")] {
        assert!(light.contains(&format!("{property}:{on_light};")), "{light}");
        assert!(dark.contains(&format!("{property}:{on_dark};")), "{dark}");
    }
    let used = style.split("var(").skip(1).filter_map(|rest| rest.split(')').next());
    let unknown: Vec<_> = used.filter(|name| !light.contains(&format!("{name}:"))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(!svg.contains("light-dark") && !svg.contains("aria-labelledby"), "{svg}");
}

#[test]
fn every_value_has_a_mark() {
    let count = |id: &str| {
        let chart = samples::torture().into_iter().find(|chart| chart.id == id).expect("a sample of that name");
        drawings(&chart).map(|svg| marks(&svg))
    };
    assert_eq!(count("one-bar"), [1, 1]);
    assert_eq!(count("zeros"), [3, 3]);
    assert_eq!(count("one-point"), [1, 1]);
    assert_eq!(count("same-place"), [3, 3]);
    assert_eq!(count("log-zero"), [2, 2]);
    assert_eq!(count("no-points"), [0, 0]);
    assert_eq!(count("throng"), [200, 200]);
    assert_eq!(count("frontier-of-one"), [1, 1]);
    assert_eq!(count("frontier-all-equal"), [4, 4]);
    assert_eq!(count("frontier-close"), [8, 8]);
    assert_eq!(count("frontier-decades"), [2, 2]);
    assert_eq!(count("panels-one-row"), [3, 3]);
    // In the legend the marks of one colour are one path, but for the circle.
    assert_eq!(count("panels-twelve"), [5 + 12 * 6 + 8 * 6 + 4 * 5, 5 + 12 * 6 + 8 * 6 + 4 * 5]);
    assert_eq!(count("brackets-words"), [0, 0]);
}

#[test]
fn an_interval_has_a_line_from_end_to_end() {
    // Lines of one look that follow each other are one path.
    let lines = |element: &Element| element.get("d").map_or(0, |path| path.matches(['M', 'm']).count());
    let rules = |scatter: Scatter| {
        let scatter = Scatter { y_limit: None, ..scatter };
        drawings(&samples::chart("a", Kind::Scatter(scatter))).map(|svg| {
            elements(&svg).iter().filter(|element| element.get("class") == Some("c-rule")).map(lines).sum::<usize>()
        })
    };
    assert_eq!(rules(samples::latency()), [0, 0]);
    assert_eq!(rules(samples::intervals()), [4, 4]);
    let plane = samples::intervals().plane();
    assert!(plane.x.low < 4740.3 && plane.y.low < 36.0, "the ends are inside the drawing");
}

#[test]
fn marks_lie_over_all_lines() {
    for id in ["frontier-twelve", "many-sweeps", "panels-twelve"] {
        let chart = samples::torture().into_iter().find(|chart| chart.id == id).expect("a sample of that name");
        for svg in drawings(&chart) {
            let of = |class: &'static str| svg.match_indices(class).map(|(at, _)| at).collect::<Vec<_>>();
            let lines = [of("\"c-line"), of("\"c-axis")].concat();
            assert!(lines.iter().max() < of("\"c-dot").iter().min(), "{id}: {svg}");
        }
    }
}

#[test]
fn what_is_not_drawn_is_said() {
    let said = |id: &str| {
        let chart = samples::torture().into_iter().find(|chart| chart.id == id).expect("a sample of that name");
        texts(&drawings(&chart)[0]).iter().map(|text| text.content.clone()).collect::<Vec<_>>().join("\n")
    };
    assert!(said("log-zero").contains("1 value at or below zero not drawn"));
    assert!(said("undrawable").contains("2 values without a finite number not drawn"));
    assert!(said("no-bars").contains("There are no values to draw here."));
    assert!(said("words").contains("none passed"));
    assert!(said("broken-stack").contains("not measured"));
    assert!(said("frontier-decades").contains("2 values at or below zero not drawn"));
    assert!(said("frontier-failed").contains("none passed"));
    assert!(said("panels-hostile").contains("none passed"));
    assert!(said("brackets-words").contains("none passed"));
    assert!(said("brackets-odd").contains("1 row with no load that can be drawn"));
}

#[test]
fn the_whole_label_is_in_the_tooltip_and_in_the_table() {
    for chart in samples::torture() {
        let [wide, narrow] = drawings(&chart);
        for svg in [wide, narrow] {
            let titles: Vec<String> = elements(&svg)
                .into_iter()
                .filter(|element| element.name == "title")
                .map(|title| title.content)
                .collect();
            for text in texts(&svg).iter().filter(|text| text.content.contains('…')) {
                let head = text.content.split('…').next().unwrap_or_default();
                // What is left out stands whole in the summary, and what an axis measures at the head of the table.
                let (said, headings) = (chart.summary(), chart.table().head);
                let known = titles.iter().chain([&said]).chain(&headings).any(|whole| text::tidy(whole).contains(head));
                assert!(known, "{}: {}", chart.id, text.content);
            }
        }
    }
    let Kind::Bars(bars) = samples::torture().remove(6).kind else { panic!("the seventh has bars") };
    assert!(bars.table().rows[1][0].ends_with("<b>"));
}

#[test]
fn figure_and_table_come_from_the_same_values() {
    for chart in samples::good().into_iter().chain(samples::torture()) {
        let table = chart.table();
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", chart.id);
        assert!(chart.summary().ends_with('.') && !chart.summary().contains('\n'));
    }
    let table = samples::latency().table();
    assert_eq!(table.rows[1], ["50% shared prefix (48.7% cache hits)", "6677.7", "46.1", "beaten"]);
    assert_eq!(samples::goodput().table().rows[0], ["No prompt reuse (0% cache hits) (baseline)", "4,740", "±1.5%"]);
}

#[test]
fn no_winner_is_named_inside_the_band() {
    let mut bars = samples::goodput();
    assert!(
        bars.summary().contains("highest for “90% shared prefix (89.2% cache hits)” (8,508), before “75%"),
        "{}",
        bars.summary()
    );
    bars.tie = Some(Tie { rows: [3, 2], words: "a tie inside the search grid".to_owned() });
    assert!(
        bars.summary().contains("(8,041), a tie inside the search grid, and lowest for “No prompt"),
        "{}",
        bars.summary()
    );
    // Of the two that are not told apart, the lead is the first's.
    bars.tie = Some(Tie { rows: [2, 3], words: "a tie".to_owned() });
    assert!(bars.summary().contains("(8,508), before “75%"), "{}", bars.summary());
    bars.tie = None;
    bars.rows[2].reading = bars.rows[3].reading.clone();
    assert!(
        bars.summary().contains("(8,508), which the band does not tell apart, and lowest for “No prompt"),
        "{}",
        bars.summary()
    );
}

/// What turns on its way neither rises nor falls.
#[test]
fn a_line_is_said_to_go_as_it_is_drawn() {
    let mut panels = samples::hit_rates();
    assert!(panels.summary().contains("goodput rises from 4740.3 to 8508.3"), "{}", panels.summary());
    assert!(panels.summary().contains("energy falls from 0.128 to 0.0732"), "{}", panels.summary());
    panels.rows[1].readings[0] = Reading::Value { value: 9999.0, text: "9999".to_owned(), band: None };
    let turned = "goodput goes from 4740.3 to 8508.3 output tok/s, between 4740.3 and 9999";
    assert!(panels.summary().contains(turned), "{}", panels.summary());
}

#[test]
fn an_axis_of_equal_factors_says_so() {
    for (scatter, is_log) in [(samples::latency(), false), (samples::pareto(), true)] {
        for svg in drawings(&samples::chart("a", Kind::Scatter(scatter))) {
            let words = texts(&svg).into_iter().map(|text| text.content).collect::<Vec<_>>().join(" ");
            assert_eq!(words.contains("log scale"), is_log, "{words}");
        }
    }
}

#[test]
fn a_summary_says_what_its_drawing_shows() {
    for (summary, start) in [
        (
            samples::cost().summary(),
            "cost in $ per 1M output tokens is lowest for “fp8_model_kv_16k” ($0.289), before “fp8_kv” ($0.295), and \
             highest for “no_prefix_cache” ($0.856); no bar for “fp8_model” (none passed).",
        ),
        (
            samples::pareto().summary(),
            "Of 8 points of p99 TPOT against goodput, 3 stand on the frontier, from “tp8 c16” (620; 7.9) to \
             “tp2 c256” (6100; 42); ",
        ),
        (samples::hit_rates().summary(), "Over "),
        (
            samples::brackets().summary(),
            "Capacity, between the highest load that passed and the next, which failed, is ",
        ),
    ] {
        assert!(summary.starts_with(start), "{summary}");
    }
    assert!(samples::budget().summary().contains(" the limit of "), "{}", samples::budget().summary());
}

#[test]
fn the_root_says_what_names_and_describes_it() {
    let chart = samples::chart("a-1", Kind::Bars(samples::goodput()));
    for svg in drawings(&chart) {
        let root = elements(&svg).swap_remove(0);
        assert_eq!(root.get("role"), Some("img"));
        assert_eq!(root.get("aria-labelledby"), Some("a-1-caption"));
        assert_eq!(root.get("aria-describedby"), Some("a-1-summary"));
        assert!(!svg.contains("<svg><title>") && !svg.contains(" id=") && !svg.contains("style="));
    }
}

#[test]
fn the_style_sheet_knows_every_class() {
    let mut classes = std::collections::BTreeSet::new();
    for chart in samples::good().iter().chain(&samples::torture()) {
        for svg in drawings(chart) {
            classes.extend(elements(&svg).iter().filter_map(|element| element.get("class").map(str::to_owned)));
        }
    }
    for class in classes.iter().flat_map(|classes| classes.split(' ')) {
        assert!(CSS.contains(&format!(".{class}")), "{class}");
    }
    assert!(CSS.len() <= 3000);
}

fn hostile() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -1e3..1e3_f64,
        prop::sample::select(vec![
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            5e-324,
            1e18,
            1e-6
        ]),
    ]
}

fn hostile_chart() -> impl Strategy<Value = Chart> {
    let label = prop_oneof!["\\PC{0,160}", "[a-z ]{0,30}", any::<String>()];
    let points = prop::collection::vec((label.clone(), hostile(), hostile()), 0..12);
    (points, label, hostile(), 0..6_u8).prop_map(|(points, text, limit, kind)| {
        let axis = Axis {
            title: text.clone(),
            better: Better::Lower,
            ticks: [TickStyle::Plain, TickStyle::Bytes][usize::from(kind % 2)],
        };
        let limit = Some(Limit { value: limit, label: text.clone() });
        let standings = [Standing::Frontier, Standing::Close, Standing::Beaten, Standing::Unranked];
        let point = |(label, x, y): &(String, f64, f64)| Point {
            standing: standings[label.len() % 4],
            ..samples::point(label, *x, *y)
        };
        let left_out = LeftOut { series: text.clone(), label: text.clone(), reason: text.clone() };
        let panel_row = |(label, x, y): &(String, f64, f64)| PanelRow {
            series: label.len() % 3,
            label: label.clone(),
            x: (*x).into(),
            x_text: label.clone(),
            readings: vec![
                Reading::Value { value: *y, text: label.clone(), band: None },
                Reading::Words(label.clone()),
                Reading::Value { value: *x, text: text.clone(), band: None },
            ],
        };
        let bracket = |(label, passed, failed): &(String, f64, f64)| Bracket {
            label: label.clone(),
            span: Span::Between { passed: *passed, failed: *failed, text: label.clone() },
            delivered: Some(Delivered { value: *passed, text: text.clone() }),
        };
        let bar = |(label, value, low): &(String, f64, f64)| Bar {
            label: label.clone(),
            reading: Reading::Value {
                value: *value,
                text: label.clone(),
                band: Some(Band { low: *low, high: *value, text: text.clone() }),
            },
        };
        let stack = |(label, one, two): &(String, f64, f64)| Stack {
            label: label.clone(),
            amounts: [one, two].map(|value| Amount { value: *value, text: label.clone() }).to_vec(),
            total: label.clone(),
        };
        let kind = match kind {
            0 => Kind::Bars(Bars { axis, rows: points.iter().map(bar).collect(), ..samples::goodput() }),
            1 => {
                let ceiling = |limit: Limit| Ceiling { low: limit.value / 2.0, high: limit.value, label: limit.label };
                let limit = limit.map(ceiling);
                Kind::Stacked(Stacked { axis, limit, rows: points.iter().map(stack).collect(), ..samples::budget() })
            }
            4 => {
                let panels = vec![Panel { y: axis.clone(), limit }; 3];
                let series = vec![text.clone(); 3];
                let rows = points.iter().map(panel_row).collect();
                Kind::Panels(Panels { x: axis, panels, series, rows, ..samples::hit_rates() })
            }
            5 => Kind::Brackets(Brackets { axis, rows: points.iter().map(bracket).collect(), ..samples::brackets() }),
            kind => Kind::Scatter(Scatter {
                x: axis.clone(),
                y: Axis { better: Better::Higher, ..axis },
                series: points
                    .chunks(3)
                    .map(|points| Series { name: text.clone(), points: points.iter().map(point).collect() })
                    .collect(),
                trace: if kind == 2 { Trace::Points } else { Trace::Lines },
                left_out: vec![left_out; points.len()],
                x_limit: limit.clone(),
                y_limit: limit,
                ..samples::latency()
            }),
        };
        samples::chart("hostile", kind)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn any_numbers_and_any_text_make_a_sound_drawing(chart in hostile_chart()) {
        prop_assert_eq!(drawings(&chart), drawings(&chart));
        for svg in drawings(&chart) {
            for element in elements(&svg) {
                for name in ["x", "y", "width", "height", "cx", "cy", "font-size"] {
                    if let Some(value) = element.get(name) {
                        prop_assert!(value.parse::<f64>().is_ok_and(|number| number.abs() < 1e5), "{} {}", name, value);
                    }
                }
                if let Some(data) = element.get("d") {
                    prop_assert!(data.chars().all(|char| "MmhvlzZ-. 0123456789".contains(char)), "{}", data);
                }
            }
            prop_assert!(faults(&svg).is_empty(), "{:?}\n{}", faults(&svg), svg);
        }
        let _ = (chart.table(), chart.summary());
    }
}
