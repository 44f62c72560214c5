//! The table of a sweep: each offered load, what was delivered, and whether it passed.

use std::collections::BTreeSet;

use crate::catalog::Item;
use crate::quantity::Quantity;
use crate::record::sweep::{Requests, Step, Sweep};
use crate::schema::Document;

use super::frame::Here;
use super::table::{Cell, Heading, Row, Table, offered, without_empty_columns};

/// The steps of a record's sweeps, one sweep a config; nothing where no config says any.
pub fn table(here: &Here, item: &Item, sweeps: &[Sweep]) -> Option<Table> {
    let steps = || sweeps.iter().flat_map(|sweep| &sweep.steps);
    steps().next()?;
    let names: BTreeSet<&str> = steps().flat_map(|step| step.latencies.keys().copied()).collect();
    let mut head = vec![Heading::plain("Config"), Heading::measured("request_rate_rps"), Heading::plain("Concurrency")];
    head.extend([Heading::measured("request_throughput_rps"), Heading::measured("output_tok_s")]);
    head.extend(names.iter().map(|name| Heading::measured(name)));
    head.extend(["Requests", "SLO met"].map(Heading::plain));
    let rows = sweeps.iter().enumerate().flat_map(|(position, sweep)| {
        let row = |step| row(here, &item.document, item.label(position), step, &names);
        sweep.steps.iter().map(row).collect::<Vec<_>>()
    });
    Some(without_empty_columns(Table {
        id: "steps".to_owned(),
        caption: "Steps of the search, as far as they are published".to_owned(),
        head,
        rows: rows.collect(),
    }))
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
