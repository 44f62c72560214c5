//! What the page of a run record shows.

use crate::catalog::Item;
use crate::chart::{Chart, Frontier, Kind as Drawing, Limit, Point, Scatter, Series, TickStyle, Trace};
use crate::figures::{self, Figure};
use crate::formula::{Formula, comparison, cost, energy};
use crate::metric::{self, Latency};
use crate::quantity::{Quantity, Unit};
use crate::record::Run;
use crate::record::run::{PowerKind, RunConfig};
use crate::source::Kind;

use super::figure::{self, Drawn, Value};
use super::frame::{Here, Link};
use super::record::{Fact, Parts, long_date, provenance};
use super::table::{Cell, Heading, Row, Table, without_empty_columns, written};

pub fn parts(here: &Here, item: &Item, run: &Run) -> Parts {
    let page = RunPage { here, item, run };
    Parts {
        finding: page.finding(),
        summary: run.summary.clone(),
        facts: page.facts(),
        figures: page.figures(),
        tables: vec![page.table()],
        method: page.method(),
        reproduce: run.reproduce.clone(),
    }
}

/// The finding in one sentence.
pub fn finding(here: &Here, item: &Item, run: &Run) -> String {
    RunPage { here, item, run }.finding()
}

struct RunPage<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    run: &'a Run,
}

impl<'a> RunPage<'a> {
    fn figure(&self, position: usize, formula: &Formula) -> Option<&'a Figure> {
        let subject = self.item.subjects.get(position)?;
        self.here.site.figures.find(&self.item.address, &subject.anchor, formula.id).map(AsRef::as_ref)
    }

    fn label(&self, position: usize) -> &str {
        self.item.subjects.get(position).map_or("", |subject| &subject.label)
    }

    fn written(&self, position: usize, field: &str, value: f64) -> String {
        written(&self.item.document, &format!("/configs/{position}/{field}"), value.into())
    }

    /// The largest change against the baseline that is no tie, else the best value.
    fn finding(&self) -> String {
        let changes = (0..self.run.configs.len()).filter_map(|position| {
            let figure = self.figure(position, &comparison::GOODPUT_CHANGE_PCT)?;
            let tie = figure.remarks.iter().any(|remark| remark.contains("tie"));
            Some((position, figure, figure.quantity().filter(|_| !tie)?))
        });
        let largest = changes.max_by(|one, other| one.2.middle().abs().total_cmp(&other.2.middle().abs()));
        if let (Some((position, figure, _)), Some(baseline)) = (largest, self.item.baseline) {
            let goodput = self.run.configs.get(position).and_then(|config| config.goodput_tok_s);
            let value = goodput.map(|goodput| self.written(position, "goodput_tok_s", goodput)).unwrap_or_default();
            let remarks =
                if figure.remarks.is_empty() { String::new() } else { format!(" ({})", figure.remarks.join("; ")) };
            return format!(
                "{}: {value} output tok/s within the SLO, {} against “{}”{remarks}",
                self.label(position),
                figure.shown(),
                self.label(baseline),
            );
        }
        let with_goodput = self
            .run
            .configs
            .iter()
            .enumerate()
            .filter_map(|(position, config)| Some((position, config.goodput_tok_s?)));
        match with_goodput.max_by(|one, other| one.1.total_cmp(&other.1)) {
            Some((position, goodput)) => format!(
                "{}: {} output tok/s within the SLO",
                self.label(position),
                self.written(position, "goodput_tok_s", goodput)
            ),
            None => format!(
                "{} on {}, {} configs",
                self.run.model.name,
                self.run.hardware.accelerator,
                self.run.configs.len()
            ),
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let run = self.run;
        let here = self.here;
        let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
        let mut facts = vec![Fact::new("Published", vec![Link::plain(long_date(run.published))])];
        facts.extend(self.item.models.first().map(|named| Fact::new("Model", vec![here.to_named(named, Kind::Model)])));
        facts.extend(text("Shape", run.model.shape.as_deref()));
        facts.extend(text("Quantisation", run.model.quantization.as_deref()));
        facts.extend(text("Parallelism", run.model.parallelism.as_deref()));
        if let Some(named) = self.item.cards.first() {
            let mut link = here.to_named(named, Kind::Hardware);
            link.text = format!("{} × {}", run.hardware.count, link.text);
            facts.push(Fact::new("Accelerator", vec![link]));
        }
        let bandwidth = run.hardware.rated_bw_tbs_per_gpu.map(|rated| Unit::TbPerSecond.show(rated.into()));
        facts.extend(text("Rated bandwidth per GPU", bandwidth.as_deref()));
        facts.extend(text("Driver", run.hardware.driver.as_deref()));
        facts.extend(text("Host", run.hardware.host.as_deref()));
        facts.extend(here.engine_fact(self.item));
        facts.extend(text("Image and flags", run.software.kernels.as_deref()));
        if let Some(workload) = &run.workload {
            facts.extend(text("Trace", workload.trace.as_deref()));
            facts.extend(text("Input tokens", workload.input_tokens.as_deref()));
            facts.extend(text("Output tokens", workload.output_tokens.as_deref()));
            facts.extend(text("Arrival", workload.arrival.as_deref()));
        }
        let limits: Vec<_> = run
            .slo
            .iter()
            .flatten()
            .map(|(name, limit)| {
                Link::plain(format!("{} ≤ {} ms", metric::heading(name), crate::quantity::plain((*limit).into())))
            })
            .collect();
        facts.push(Fact::new("SLO", if limits.is_empty() { vec![Link::plain("no SLO set")] } else { limits }));
        facts.push(Fact::new("Power", vec![Link::plain(self.power())]));
        facts.extend(text("Power window", run.power.as_ref().and_then(|power| power.window.as_deref())));
        facts.extend(self.repeats());
        facts.push(Fact::new("Accuracy gate", vec![Link::plain(self.gate())]));
        facts.extend(self.prices());
        facts.extend(here.technique_fact(self.item));
        facts.extend(provenance(self.item));
        facts
    }

    /// What the power covers and how it was read; the field's own name says node, whatever it holds.
    fn power(&self) -> String {
        let Some(power) = &self.run.power else { return "not measured".to_owned() };
        let kind = match power.kind {
            Some(PowerKind::Board) => "GPU board power",
            Some(PowerKind::Node) => "node power",
            Some(PowerKind::Wall) => "power at the wall",
            None => "boundary not stated",
        };
        let source = power.source.as_deref().filter(|source| !source.is_empty());
        let sampling = power.sampling_hz.map(|hertz| format!("sampled at {}", Unit::Hertz.show(hertz.into())));
        [Some(kind.to_owned()), source.map(str::to_owned), sampling]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn repeats(&self) -> Option<Fact> {
        let mut words = Vec::new();
        words.extend(self.run.runs.map(|runs| format!("{runs} runs")));
        words.extend(self.run.variance_band_pct.map(|band| format!("variance band ±{band}%")));
        (!words.is_empty()).then(|| Fact::new("Repeats", vec![Link::plain(words.join(", "))]))
    }

    fn gate(&self) -> String {
        match &self.run.accuracy {
            None => "not stated".to_owned(),
            Some(accuracy) => match accuracy.suite.as_deref() {
                None => "not stated".to_owned(),
                Some("none") => match accuracy.threshold_pts {
                    Some(points) => format!("none was run (threshold would be {points} points)"),
                    None => "none was run".to_owned(),
                },
                Some(suite) => {
                    let score = accuracy.score_pct.map(|score| format!(" {score}%")).unwrap_or_default();
                    let threshold =
                        accuracy.threshold_pts.map(|points| format!(", threshold {points} points")).unwrap_or_default();
                    format!("{suite}{score}{threshold}")
                }
            },
        }
    }

    fn prices(&self) -> Option<Fact> {
        let own = self.item.price.as_deref();
        let default = self.here.site.catalog.site.default_price.as_deref();
        let priced = |address: &&str| {
            self.here.site.figures.of(&self.item.address).iter().any(|figure| figure.quote.as_deref() == Some(address))
        };
        let quotes: Vec<_> = own.into_iter().chain(default.filter(priced)).collect();
        let mut links: Vec<_> = quotes.iter().map(|address| self.here.to_address(address)).collect();
        if own.is_none() {
            links.insert(0, Link::plain("no quote named"));
        }
        Some(Fact::new("Priced at", links))
    }

    fn table(&self) -> Table {
        let band = self.run.variance_band_pct.map(|band| format!(" ±{band}%")).unwrap_or_default();
        let latencies: Vec<String> = Latency::METRICS
            .iter()
            .flat_map(|metric| Latency::STATISTICS.iter().map(move |statistic| format!("{metric}_{statistic}_ms")))
            .filter(|name| self.run.configs.iter().any(|config| config.latency_ms(name).is_some()))
            .collect();
        let measured = |field: &str| {
            let metric = metric::metric(field);
            Heading {
                name: metric::heading(field),
                unit: metric.map(|metric| metric.unit.heading().to_owned()).unwrap_or_default(),
                direction: metric.map_or("", |metric| metric.better.words()),
            }
        };
        let derived = |formula: &Formula| Heading {
            name: formula.name.to_owned(),
            unit: formula.unit.heading().to_owned(),
            direction: formula.better.words(),
        };
        let mut head = vec![Heading::plain("Config"), measured("prefix_cache_hit_pct"), measured("goodput_tok_s")];
        head[2].unit.push_str(&band);
        head.push(derived(&comparison::GOODPUT_CHANGE_PCT));
        for field in FIELDS {
            head.push(measured(field));
        }
        for name in &latencies {
            let mut heading = measured(name);
            if let Some(limit) = self.run.slo.as_ref().and_then(|slo| slo.get(name)) {
                heading.unit.push_str(&format!(", limit {}", crate::quantity::plain((*limit).into())));
            }
            head.push(heading);
        }
        head.push(Heading { name: self.power_heading().to_owned(), ..measured("node_power_kw") });
        head.push(derived(&energy::GOODPUT_TOK_PER_J));
        head.push(derived(&cost::USD_PER_MTOK_OUTPUT));
        head.push(measured("mbu_pct"));
        head.push(Heading::plain("SLO passes"));
        head.push(Heading::plain("Requests"));
        let rows = self.run.configs.iter().enumerate().map(|(position, config)| self.row(position, config, &latencies));
        without_empty_columns(Table {
            id: "configs".to_owned(),
            caption: format!(
                "Configs of {}. Measured values lead to their line, derived ones to how they were computed.",
                self.item.address
            ),
            head,
            rows: rows.collect(),
        })
    }

    fn power_heading(&self) -> &'static str {
        match self.run.power.as_ref().and_then(|power| power.kind) {
            Some(PowerKind::Board) => "GPU board power",
            Some(PowerKind::Node) => "Node power",
            Some(PowerKind::Wall) => "Power at the wall",
            None => "Power, boundary not stated",
        }
    }

    fn row(&self, position: usize, config: &RunConfig, latencies: &[String]) -> Row {
        let measured = |field: &str, value: Option<f64>| {
            let pointer = format!("/configs/{position}/{field}");
            Cell::measured(self.here, &self.item.document, &pointer, value.map(Quantity::exact))
        };
        let figure = |formula: &Formula| match self.figure(position, formula) {
            Some(figure) => Cell::figure(self.here, &self.item.address, figure),
            None => Cell::text("–"),
        };
        let mut cells = vec![self.hit_rate(position, config), measured("goodput_tok_s", config.goodput_tok_s)];
        cells.push(figure(&comparison::GOODPUT_CHANGE_PCT));
        let others = [
            config.output_tok_s,
            config.input_tok_s,
            config.total_tok_s,
            config.request_throughput_rps,
            config.request_rate_rps,
        ];
        cells.extend(FIELDS.iter().zip(others).map(|(field, value)| measured(field, value)));
        cells.extend(latencies.iter().map(|name| measured(name, config.latency_ms(name))));
        cells.push(measured("node_power_kw", config.node_power_kw));
        cells.push(figure(&energy::GOODPUT_TOK_PER_J));
        cells.push(figure(&cost::USD_PER_MTOK_OUTPUT));
        cells.push(measured("mbu_pct", config.mbu_pct));
        cells.push(match (config.slo_pass_count, config.repeats) {
            (Some(passed), Some(repeats)) => Cell::text(format!("{passed} of {repeats}")),
            (Some(passed), None) => Cell::text(format!("{passed}")),
            _ => Cell::text("–"),
        });
        cells.push(requests(config));
        let subject = self.item.subjects.get(position);
        Row {
            anchor: subject.map(|subject| subject.anchor.clone()),
            head: config.label.clone(),
            head_href: subject.map(|subject| format!("#{}", subject.anchor)),
            mark: (self.item.baseline == Some(position)).then_some("baseline"),
            cells,
        }
    }

    /// The config's own hit rate, else what the curator found in the record's prose.
    fn hit_rate(&self, position: usize, config: &RunConfig) -> Cell {
        let anchor = self.item.subjects.get(position).map_or("", |subject| &subject.anchor);
        match (config.prefix_cache_hit_pct, self.item.observation(anchor, "prefix_cache_hit_pct"), &self.item.note) {
            (None, Some((found, observation)), Some(note)) => {
                let pointer = format!("/observations/{found}/value");
                Cell::measured(self.here, &note.document, &pointer, Some(observation.value))
            }
            (own, _, _) => {
                let pointer = format!("/configs/{position}/prefix_cache_hit_pct");
                Cell::measured(self.here, &self.item.document, &pointer, own.map(Quantity::exact))
            }
        }
    }

    fn figures(&self) -> Vec<Drawn> {
        let mut drawn = vec![self.goodput_bars()];
        drawn.extend(self.latency_against_throughput());
        drawn.push(self.cost_bars());
        drawn
    }

    fn source_line(&self) -> String {
        format!("{}; {}; accuracy gate: {}", self.item.address, self.power(), self.gate())
    }

    fn goodput_bars(&self) -> Drawn {
        let rows = self.run.configs.iter().enumerate().map(|(position, config)| {
            let value = match config.goodput_tok_s {
                Some(goodput) => Value::Number {
                    quantity: figures::with_band(goodput, self.run.variance_band_pct),
                    text: self.written(position, "goodput_tok_s", goodput),
                },
                None => Value::Words("not stated".to_owned()),
            };
            (config.label.clone(), value)
        });
        let band =
            self.run.variance_band_pct.map(|band| format!("; whiskers ±{band}% between repeats")).unwrap_or_default();
        figure::bars(
            "chart-goodput",
            format!("Goodput in output tokens per second within the SLO{band}"),
            self.source_line(),
            figure::axis(
                "Goodput",
                comparison::GOODPUT_CHANGE_PCT.inputs[0].unit,
                metric::Better::Higher,
                TickStyle::Plain,
            ),
            rows.collect(),
            self.item.baseline,
        )
    }

    fn cost_bars(&self) -> Drawn {
        let price = self.item.price.as_deref().map(|address| self.here.to_address(address).text);
        let rows = (0..self.run.configs.len()).map(|position| {
            let figure = self.figure(position, &cost::USD_PER_MTOK_OUTPUT);
            let value = match figure.and_then(|figure| Some((figure, figure.quantity()?))) {
                Some((figure, quantity)) => Value::Number { quantity, text: figure.formula.unit.digits(quantity) },
                None => Value::Words(figure.map_or_else(|| "not priced".to_owned(), Figure::shown)),
            };
            (self.label(position).to_owned(), value)
        });
        let formula = &cost::USD_PER_MTOK_OUTPUT;
        figure::bars(
            "chart-cost",
            match price {
                Some(price) => format!("Cost per 1M output tokens at {price}"),
                None => "Cost per 1M output tokens".to_owned(),
            },
            self.source_line(),
            figure::axis("Cost", formula.unit, formula.better, TickStyle::Dollars),
            rows.collect(),
            self.item.baseline,
        )
    }

    /// The tail latency that binds, or else the first with a limit, against goodput.
    fn latency_against_throughput(&self) -> Option<Drawn> {
        let slo = self.run.slo.as_ref()?;
        let (name, limit) = slo.iter().find(|(name, _)| name.starts_with("tpot")).or_else(|| slo.iter().next())?;
        let points: Vec<_> = self
            .run
            .configs
            .iter()
            .enumerate()
            .filter_map(|(position, config)| {
                let (goodput, latency) = (config.goodput_tok_s?, config.latency_ms(name)?);
                Some(Point {
                    label: config.label.clone(),
                    x: goodput,
                    y: latency,
                    x_text: self.written(position, "goodput_tok_s", goodput),
                    y_text: self.written(position, name, latency),
                })
            })
            .collect();
        let heading = metric::heading(name);
        let scatter = Scatter {
            subject: "config".to_owned(),
            x: figure::axis(
                "Goodput",
                comparison::GOODPUT_CHANGE_PCT.inputs[0].unit,
                metric::Better::Higher,
                TickStyle::Plain,
            ),
            y: figure::axis(&heading, Unit::Milliseconds, metric::Better::Lower, TickStyle::Plain),
            series: vec![Series { name: String::new(), points }],
            trace: Trace::Points,
            frontier: Frontier::Absent,
            x_limit: None,
            y_limit: Some(Limit {
                value: *limit,
                label: format!("limit {} ms", crate::quantity::plain((*limit).into())),
            }),
        };
        Some(Drawn::new(&Chart {
            id: "chart-latency".to_owned(),
            caption: format!("{heading} against goodput in output tokens per second"),
            source_line: self.source_line(),
            kind: Drawing::Scatter(scatter),
        }))
    }

    /// What the spec says of how it was measured.
    fn method(&self) -> Vec<Fact> {
        let spec = self.run.spec();
        let mut facts = Vec::new();
        if let Some(revision) = spec.model_revision() {
            facts.push(Fact::new("Model revision", vec![Link::plain(revision)]));
        }
        for (label, pointer) in METHOD {
            let Some(value) = spec.value(pointer) else { continue };
            let text = match value {
                serde_json::Value::String(text) if text.is_empty() => continue,
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Bool(true) => "yes".to_owned(),
                serde_json::Value::Bool(false) => "no".to_owned(),
                serde_json::Value::Number(number) => number.to_string(),
                other => other.to_string(),
            };
            let href = self.here.to_source(&self.item.document, &format!("/spec{pointer}"));
            facts.push(Fact::new(label, vec![Link { text, href: Some(href) }]));
        }
        facts
    }
}

/// Measured fields of the table between goodput and the latencies, in its order.
const FIELDS: [&str; 5] = ["output_tok_s", "input_tok_s", "total_tok_s", "request_throughput_rps", "request_rate_rps"];

/// Settings of the spec that a reader needs to judge or repeat the measurement.
const METHOD: [(&str, &str); 26] = [
    ("Endpoint kind", "/engine/api"),
    ("Forced output lengths (ignore EOS)", "/engine/ignore_eos"),
    ("Weights dtype", "/model/weight_dtype"),
    ("KV dtype", "/model/kv_dtype"),
    ("Replicas", "/model/replicas"),
    ("Tensor parallel", "/model/tensor_parallel"),
    ("Workload seed", "/workload/seed"),
    ("Shared prefix", "/workload/shared_prefix"),
    ("Prefix pool", "/workload/prefix_pool"),
    ("Warm-up, s", "/measurement/warmup_s"),
    ("Window, s", "/measurement/window_s"),
    ("Search window, s", "/measurement/search_window_s"),
    ("Repeats", "/measurement/repeats"),
    ("Request timeout, s", "/measurement/request_timeout_s"),
    ("Most concurrent requests", "/measurement/max_concurrency"),
    ("Sweep starts at, req/s", "/sweep/start_rps"),
    ("Sweep growth", "/sweep/growth"),
    ("Bisection steps", "/sweep/bisect_steps"),
    ("Back-off", "/sweep/backoff"),
    ("Most back-offs", "/sweep/max_backoffs"),
    ("Confirmed by", "/sweep/confirm"),
    ("Accuracy suite in the spec", "/accuracy/name"),
    ("Accuracy questions", "/accuracy/limit"),
    ("Power source", "/power/source"),
    ("Power sampling, Hz", "/power/sampling_hz"),
    ("Spec name", "/name"),
];

fn requests(config: &RunConfig) -> Cell {
    let Some(requests) = &config.requests else { return Cell::text("–") };
    match (requests.sent, requests.completed, requests.failed) {
        (Some(sent), _, Some(failed)) if failed > 0 => Cell::text(format!("{failed} of {sent} failed")),
        (Some(sent), Some(completed), _) => Cell::text(format!("{completed} of {sent} completed")),
        (None, Some(completed), _) => Cell::text(format!("{completed} completed")),
        (Some(sent), None, _) => Cell::text(format!("{sent} sent")),
        (None, None, Some(failed)) => Cell::text(format!("{failed} failed")),
        (None, None, None) => Cell::text("–"),
    }
}
