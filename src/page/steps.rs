//! The table of a sweep: each offered load, what was delivered, and whether it passed.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Item, Subject};
use crate::quantity::Quantity;
use crate::record::audit::AuditStep;
use crate::record::run::SweepStep;
use crate::schema::Document;

use super::frame::Here;
use super::table::{Cell, Heading, Row, Table, without_empty_columns};

/// One step of one config, in the form that both kinds of record share.
#[derive(Debug)]
pub struct Step<'a> {
    subject: &'a Subject,
    pointer: String,
    offered_rps: Option<Quantity>,
    concurrency: Option<u64>,
    delivered_rps: Option<Quantity>,
    output_tok_s: Option<Quantity>,
    /// Value and path below the step by the latency's name.
    latencies: BTreeMap<&'a str, (Quantity, String)>,
    passed: Option<bool>,
}

impl<'a> Step<'a> {
    pub fn of_run(subject: &'a Subject, position: usize, step: &'a SweepStep) -> Self {
        let latencies = step.latencies.iter().filter_map(|(name, value)| Some((name, value.as_f64()?.into())));
        Step {
            subject,
            pointer: format!("{}/sweep/{position}", subject.pointer),
            offered_rps: step.offered_rps.map(Quantity::exact),
            concurrency: step.concurrency,
            delivered_rps: step.delivered_rps.map(Quantity::exact),
            output_tok_s: step.output_tok_s.map(Quantity::exact),
            latencies: latencies.map(|(name, value)| (name.as_str(), (value, name.clone()))).collect(),
            passed: step.passed,
        }
    }

    pub fn of_audit(subject: &'a Subject, position: usize, step: &'a AuditStep) -> Self {
        let latencies = step.latencies.iter();
        Step {
            subject,
            pointer: format!("{}/steps/{position}", subject.pointer),
            offered_rps: step.offered_rps,
            concurrency: step.concurrency,
            delivered_rps: step.delivered_rps,
            output_tok_s: step.output_tok_s,
            latencies: latencies.map(|(name, value)| (name.as_str(), (*value, format!("latencies/{name}")))).collect(),
            passed: step.passed,
        }
    }
}

/// Nothing where no config says its steps.
pub fn table(here: &Here, item: &Item, steps: &[Step]) -> Option<Table> {
    if steps.is_empty() {
        return None;
    }
    let names: BTreeSet<&str> = steps.iter().flat_map(|step| step.latencies.keys().copied()).collect();
    let mut head = vec![Heading::plain("Config"), Heading::measured("request_rate_rps"), Heading::plain("Concurrency")];
    head.extend([Heading::measured("request_throughput_rps"), Heading::measured("output_tok_s")]);
    head.extend(names.iter().map(|name| Heading::measured(name)));
    head.push(Heading::plain("SLO met"));
    Some(without_empty_columns(Table {
        id: "steps".to_owned(),
        caption: "Steps of the search, as far as they are published".to_owned(),
        head,
        rows: steps.iter().map(|step| row(here, &item.document, step, &names)).collect(),
    }))
}

fn row(here: &Here, document: &Document, step: &Step, names: &BTreeSet<&str>) -> Row {
    let measured = |field: &str, value: Option<Quantity>| {
        Cell::measured(here, document, &format!("{}/{field}", step.pointer), value)
    };
    let mut cells = vec![
        measured("offered_rps", step.offered_rps),
        measured("concurrency", step.concurrency.map(|count| Quantity::exact(count as f64))),
        measured("delivered_rps", step.delivered_rps),
        measured("output_tok_s", step.output_tok_s),
    ];
    cells.extend(names.iter().map(|name| match step.latencies.get(name) {
        Some((value, path)) => measured(path, Some(*value)),
        None => measured(name, None),
    }));
    cells.push(Cell::text(match step.passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "–",
    }));
    Row { anchor: None, head: step.subject.label.clone(), head_href: None, marks: Vec::new(), cells }
}
