//! A sweep: each offered load, what was delivered, and whether it passed, as a table and as charts.

use std::collections::BTreeSet;

use crate::catalog::Item;
use crate::chart::{
    Axis, Better, Bracket, Brackets, Chart, Delivered, Kind, Limit, Panel, PanelRow, Panels, Reading, Span, TickStyle,
};
use crate::figures::Figure;
use crate::formula::{Formula, capacity};
use crate::metric;
use crate::quantity::Quantity;
use crate::record::LatencyLimits;
use crate::record::sweep::{Axis as SearchAxis, Requests, Step, Sweep};
use crate::schema::Document;

use super::figure;
use super::frame::Here;
use super::part::Strand;
use super::table::{Cell, Heading, Row, Table, offered, without_empty_columns};

/// Values of steps that stand beside the results; more of them are on a page of their own.
const BESIDE: usize = 100;

/// The steps of a record's sweeps, one sweep a config.
pub fn strand<'a>(here: &'a Here, item: &'a Item, sweeps: Vec<Sweep<'a>>) -> Strand<'a> {
    let of_config = |(position, sweep): (usize, Sweep<'a>)| sweep.steps.into_iter().map(move |step| (position, step));
    let steps: Vec<_> = sweeps.into_iter().enumerate().flat_map(of_config).collect();
    let values: usize = steps.iter().map(|(_, step)| 1 + step.latencies.len()).sum();
    let later = here.site.has_figures_apart(&item.address) || values > BESIDE;
    Strand::new(steps.len(), 1, move |range| vec![table(here, item, &steps[range])]).later(later)
}

/// Where each config's capacity lies, between the highest load that passed and the next one, on the axis of the search; nothing where no config has both.
pub fn brackets(here: &Here, item: &Item, sweeps: &[Sweep], source_line: &str) -> Option<Chart> {
    let figure = |formula: &Formula, position| here.figure(item, position, formula);
    let known =
        |formula: &&&Formula| (0..sweeps.len()).any(|at| figure(formula, at).is_some_and(|of| of.outcome.is_ok()));
    let formula: &Formula =
        [&capacity::CAPACITY_BRACKET_RPS, &capacity::CAPACITY_BRACKET_CONCURRENCY].iter().find(known)?;
    let rows = sweeps.iter().enumerate().map(|(position, sweep)| {
        let found = figure(formula, position);
        let span = match found.and_then(|figure| Some((figure, figure.quantity()?))) {
            Some((figure, bracket)) => Span::Between {
                passed: bracket.low(),
                failed: bracket.high(),
                text: figure.formula.unit.digits(bracket),
            },
            None => Span::Words(found.map_or_else(|| "not on this axis".to_owned(), Figure::shown)),
        };
        let passing = sweep.last_passing().filter(|_| sweep.axis() == record_axis(formula));
        let delivered = passing.and_then(|step| Some((step, step.delivered_rps?)));
        let delivered = delivered.filter(|_| record_axis(formula) == SearchAxis::Rate).map(|(step, rate)| Delivered {
            value: rate.middle(),
            text: item.document.digits(&format!("{}/delivered_rps", step.pointer), rate),
        });
        Bracket { label: item.label(position).to_owned(), span, delivered }
    });
    Some(Chart {
        id: "chart:bracket".to_owned(),
        caption: "Capacity lies between the highest load that met the SLO and the next one tested, which did not"
            .into(),
        source_line: source_line.to_owned(),
        limits: limits_of_brackets(sweeps),
        kind: Kind::Brackets(Brackets {
            subject: "config".to_owned(),
            axis: figure::axis(formula.name, formula.unit, formula.better, TickStyle::Plain),
            rows: rows.collect(),
            baseline: item.baseline,
        }),
    })
}

/// That the ends of a bracket are not all that was found, where a lower load failed.
fn limits_of_brackets(sweeps: &[Sweep]) -> Vec<String> {
    let of_config = |sweep: &Sweep| {
        let loads: Vec<_> = sweep.failing_below().into_iter().map(|load| sweep.axis().words(load)).collect();
        (!loads.is_empty()).then(|| format!("“{}” failed at lower loads too, at {}", sweep.label, loads.join(", ")))
    };
    let failed: Vec<_> = sweeps.iter().filter_map(of_config).collect();
    if failed.is_empty() { Vec::new() } else { vec![format!("Limits: {}", failed.join("; "))] }
}

/// The axis that a bracket is on.
fn record_axis(formula: &Formula) -> SearchAxis {
    if formula.id == capacity::CAPACITY_BRACKET_RPS.id { SearchAxis::Rate } else { SearchAxis::Concurrency }
}

/// Panels of one drawing: more would not be seen together.
const PANELS: usize = 4;

/// Throughput and the limited latencies over the load, a line a config; nothing where no config has two loads.
pub fn curves(item: &Item, sweeps: &[Sweep], limits: &LatencyLimits, source_line: &str) -> Option<Chart> {
    let several = || sweeps.iter().enumerate().filter(|(_, sweep)| sweep.steps.len() > 1);
    let axis = several().next()?.1.axis();
    let of_axis: Vec<_> = several().filter(|(_, sweep)| sweep.axis() == axis).take(SERIES).collect();
    let measured = |field: &str| {
        let metric = metric::metric(field)?;
        Some(figure::axis(&metric::heading(field), metric.unit, metric.better, TickStyle::Plain))
    };
    let limited: Vec<&str> = limits.keys().map(String::as_str).take(PANELS - 1).collect();
    let mut panels = vec![Panel { y: measured("output_tok_s")?, limit: None }];
    for name in &limited {
        let value = *limits.get(*name)?;
        let label = format!("limit {} ms", item.document.digits(&format!("/slo/{name}"), value.into()));
        panels.push(Panel { y: measured(name)?, limit: Some(Limit { value, label }) });
    }
    let reading = |pointer: String, value: Option<Quantity>| match value {
        Some(value) => {
            Reading::Value { value: value.middle(), text: item.document.digits(&pointer, value), band: None }
        }
        None => Reading::Words("not stated".to_owned()),
    };
    let (of_latencies, reading) = (&limited, &reading);
    let rows = of_axis.iter().enumerate().flat_map(|(series, (_, sweep))| {
        sweep.steps.iter().filter_map(move |step| {
            let x = step.load(axis)?;
            let at = |name: &str| format!("{}/{name}", step.pointer);
            let mut readings = vec![reading(at("output_tok_s"), step.output_tok_s)];
            readings.extend(of_latencies.iter().map(|name| match step.latencies.get(name) {
                Some((value, path)) => reading(at(path), Some(*value)),
                None => reading(at(name), None),
            }));
            let x_text = match axis {
                SearchAxis::Rate => offered(&item.document, &at("offered_rps"), x),
                SearchAxis::Concurrency => item.document.digits(&at("concurrency"), x),
            };
            Some(PanelRow { series, label: String::new(), x, x_text, readings })
        })
    });
    let x = match axis {
        SearchAxis::Rate => measured("request_rate_rps")?,
        SearchAxis::Concurrency => {
            Axis { title: "Concurrent requests".to_owned(), better: Better::Neither, ticks: TickStyle::Plain }
        }
    };
    let mut curves = Panels {
        subject: "config".to_owned(),
        x,
        panels,
        series: of_axis.iter().map(|(position, _)| item.label(*position).to_owned()).collect(),
        rows: rows.collect(),
    };
    curves.leave_out_empty_panels();
    if curves.panels.is_empty() {
        return None;
    }
    Some(Chart {
        id: "chart:load".to_owned(),
        caption: "What each load of the search gave: throughput, and the latencies that have a limit".into(),
        source_line: source_line.to_owned(),
        limits: Vec::new(),
        kind: Kind::Panels(curves),
    })
}

/// Lines that differ in colour or in shape and dash.
const SERIES: usize = 24;

fn table(here: &Here, item: &Item, steps: &[(usize, Step)]) -> Table {
    let names: BTreeSet<&str> = steps.iter().flat_map(|(_, step)| step.latencies.keys().copied()).collect();
    let mut head = vec![Heading::plain("Config"), Heading::measured("request_rate_rps"), Heading::plain("Concurrency")];
    head.extend([Heading::measured("request_throughput_rps"), Heading::measured("output_tok_s")]);
    head.extend(names.iter().map(|name| Heading::measured(name)));
    head.extend(["Requests", "SLO met"].map(Heading::plain));
    let rows = steps.iter().map(|(position, step)| row(here, &item.document, item.label(*position), step, &names));
    without_empty_columns(Table {
        id: "steps".to_owned(),
        caption: "Steps of the search, as far as they are published".into(),
        head,
        rows: rows.collect(),
    })
}

fn row(here: &Here, document: &Document, label: &str, step: &Step, names: &BTreeSet<&str>) -> Row {
    let measured = |field: &str, value: Option<Quantity>| {
        Cell::measured(here, document, &format!("{}/{field}", step.pointer), value)
    };
    let mut rate = measured("offered_rps", step.offered_rps);
    if let Some(written) = step.offered_rps {
        rate.text = offered(document, &format!("{}/offered_rps", step.pointer), written);
    }
    let mut cells = vec![
        rate,
        measured("concurrency", step.concurrency.map(|count| Quantity::exact(count as f64))),
        measured("delivered_rps", step.delivered_rps),
        measured("output_tok_s", step.output_tok_s),
    ];
    cells.extend(names.iter().map(|name| match step.latencies.get(name) {
        Some((value, path)) => measured(path, Some(*value)).noted(step.too_few_requests(name)),
        None => measured(name, None),
    }));
    cells.push(Cell::text(step.requests.map_or_else(|| "–".to_owned(), ends)));
    cells.push(verdict(step));
    Row { anchor: None, head: label.to_owned(), head_href: None, marks: Vec::new(), cells }
}

/// Whether the step met the SLO, who says so, and what speaks against taking it for the capacity.
fn verdict(step: &Step) -> Cell {
    let mut cell = Cell::text(match step.verdict() {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "–",
    });
    if step.passed.is_none() && step.met.is_some() {
        cell.notes.push("by its latencies".to_owned());
    }
    if step.includes_warmup {
        cell.notes.push("warm-up fell into it; not counted".to_owned());
    }
    cell
}

/// How the requests of a measurement ended, what went wrong first.
pub fn ends(requests: &Requests) -> String {
    let count = |count: u64| crate::quantity::grouped(&count.to_string());
    let of = requests.sent.map(|sent| format!(" of {}", count(sent))).unwrap_or_default();
    let of = |ended: Option<u64>, how: &str| ended.map(|ended| format!("{}{of} {how}", count(ended)));
    let bad = [(requests.failed, "failed"), (requests.cancelled, "cut off")];
    let bad = bad.into_iter().filter_map(|(ended, how)| of(ended.filter(|ended| *ended > 0), how));
    let bad: Vec<_> = bad.collect();
    if !bad.is_empty() {
        return bad.join(", ");
    }
    of(requests.completed, "completed")
        .or_else(|| requests.sent.map(|sent| format!("{} sent", count(sent))))
        .unwrap_or_else(|| "–".to_owned())
}
