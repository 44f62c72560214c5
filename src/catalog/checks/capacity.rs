//! A stated capacity against the rates that were tested, and the rows of an audit against each other.

use super::as_written;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::{Quantity, plain, significant};
use crate::record::Audit;
use crate::record::audit::{AtCapacity, AuditConfig, Capacity, Without};
use crate::record::sweep::{Axis, Step, Sweep};
use crate::schema::Document;

/// A length that is stated roughly, or drawn from a range, may be so far from the mean of what was drawn.
const ROUGH_LENGTH: f64 = 0.25;
/// Rows of one workload may differ by so much in the length of their outputs: requests are drawn at random.
const LENGTH_TOLERANCE: f64 = 0.02;

pub fn of_audit(audit: &Audit, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, (config, sweep)) in audit.configs.iter().zip(sweeps).enumerate() {
        untested(audit, config, position, document, report);
        against_steps(config, sweep, position, document, report);
    }
    lengths(audit, document, report);
}

/// A capacity that is neither a rate that was tested nor one that a step delivered.
fn untested(audit: &Audit, config: &AuditConfig, position: usize, document: &Document, report: &mut Report) {
    let Capacity::At(at) = &config.capacity else { return };
    let Some(stated) = at.request_rate_rps.filter(|_| audit.capacity_is_tested(config) == Some(false)) else { return };
    let rates = audit.rates_of(config).unwrap_or_default();
    let rates: Vec<_> = rates.into_iter().filter(|rate| rate.high() > 0.0).map(plain).collect();
    let pointer = format!("/configs/{position}/capacity/request_rate_rps");
    let message = format!(
        "`{}`: a capacity of {} req/s is none of the rates tested ({})",
        label(config),
        plain(stated),
        rates.join(", ")
    );
    report
        .push(Diagnostic::new(&rules::CAPACITY_NOT_TESTED, document.location(&pointer), message).pointer(pointer).help(
        "a delivered rate is another number than the rate at which it was offered; give the steps, or say which it is",
    ));
}

/// A capacity, or that there is none, that the steps of the same config contradict.
fn against_steps(config: &AuditConfig, sweep: &Sweep, position: usize, document: &Document, report: &mut Report) {
    let passing = sweep.last_passing();
    let stated = |at: &AtCapacity| match at.request_rate_rps {
        Some(rate) => format!("a capacity of {} req/s is stated", plain(rate)),
        None => "a capacity is stated".to_owned(),
    };
    let message = match (&config.capacity, passing) {
        (Capacity::Without(state), Some(step)) => {
            let load = load(sweep, step);
            match state {
                Without::NonePassed => format!("none passed is stated, and {load} passed"),
                Without::NotMeasured => format!("not measured is stated, and {load} passed"),
            }
        }
        (Capacity::At(at), Some(step)) if higher_passed(at, sweep, step) => {
            let load = load(sweep, step);
            format!("{}, and {load} passed as well", stated(at))
        }
        (Capacity::At(at), _) => match not_the_capacity(at, sweep) {
            Some(reason) => format!("{}, {reason}", stated(at)),
            None => return,
        },
        (Capacity::Without(_), None) => return,
    };
    let pointer = format!("/configs/{position}/capacity");
    report.push(
        Diagnostic::new(&rules::CAPACITY_STEPS, document.location(&pointer), format!("`{}`: {message}", label(config)))
            .pointer(pointer)
            .help("the capacity is the highest rate that passed, warm-up left out; correct it or the steps"),
    );
}

fn load(sweep: &Sweep, step: &Step) -> String {
    let axis = sweep.axis();
    axis.words(step.load(axis).unwrap_or(Quantity::exact(0.0)))
}

/// Whether the stated rate is that of a step that passed and not of the highest of those, or is below what that one was
/// offered and delivered.
fn higher_passed(at: &AtCapacity, sweep: &Sweep, last: &Step) -> bool {
    let below = |stated: Quantity| {
        let offered = last.rate_rps().filter(|rate| stated.high() < rate.low());
        offered.is_some() && last.delivered_rps.is_some_and(|rate| stated.high() < rate.low())
    };
    if at.request_rate_rps.is_some_and(below) {
        return true;
    }
    let is = |step: &Step| {
        let mut rates = [step.offered_rps, step.delivered_rps].into_iter().flatten();
        match at.request_rate_rps {
            Some(stated) => rates.any(|rate| rate.overlaps(stated)),
            None => step.output_tok_s.zip(at.output_tok_s).is_some_and(|(rate, stated)| rate.overlaps(stated)),
        }
    };
    !is(last) && sweep.counting().into_iter().any(|(step, _, passed)| passed && is(step))
}

/// Why a rate is not the capacity by the steps at that rate, or at a lower one that is above all that passed.
fn not_the_capacity(at: &AtCapacity, sweep: &Sweep) -> Option<String> {
    let stated = at.request_rate_rps?;
    let failed_below = || {
        let failing = sweep.first_failing()?.rate_rps().filter(|rate| rate.high() < stated.low())?;
        Some(format!("and {} failed", Axis::Rate.words(failing)))
    };
    let here = |step: &&Step| step.rate_rps().is_some_and(|rate| rate.overlaps(stated));
    let steps: Vec<_> = sweep.steps.iter().filter(here).collect();
    if steps.is_empty() {
        return failed_below();
    }
    if steps.iter().any(|step| !step.includes_warmup && step.verdict() != Some(false)) {
        return None;
    }
    let warmup = steps.iter().any(|step| step.includes_warmup);
    Some(if warmup { "and warm-up fell into that rate" } else { "and that rate failed" }.to_owned())
}

/// Output tokens per request, which one workload makes the same in every row.
fn lengths(audit: &Audit, document: &Document, report: &mut Report) {
    let rows = audit.configs.iter().enumerate().filter_map(|(position, config)| {
        let Capacity::At(at) = &config.capacity else { return None };
        let pointer = format!("/configs/{position}/capacity/output_tok_s");
        let output = as_written(document, &pointer, at.output_tok_s?);
        let rate = format!("/configs/{position}/capacity/request_rate_rps");
        let length = output / as_written(document, &rate, at.request_rate_rps?);
        length.is_finite().then_some((config, pointer, length))
    });
    let rows: Vec<_> = rows.collect();
    of_workload(audit, &rows, document, report);
    if let [(one, at_one, first), (other, at_other, second)] = &rows[..] {
        // Of two there is no telling which is wrong.
        if !second.overlaps(first.give_or_take(LENGTH_TOLERANCE)) {
            let message = format!(
                "`{}`: {} output tokens a request, `{}` {}",
                label(other),
                significant(second.middle()),
                label(one),
                significant(first.middle())
            );
            let related = document.spans.nearest(at_one);
            report.push(other_length(document, at_other, message).related(related, "the other row"));
        }
        return;
    }
    let mut middles: Vec<_> = rows.iter().map(|(.., length)| *length).collect();
    middles.sort_by(|one, other| one.middle().total_cmp(&other.middle()));
    let Some(usual) = middles.get(middles.len() / 2).copied() else { return };
    let alike = usual.give_or_take(LENGTH_TOLERANCE);
    for (config, pointer, length) in rows.iter().filter(|(.., length)| !length.overlaps(alike)) {
        let message = format!(
            "`{}`: {} output tokens a request, the other rows about {}",
            label(config),
            significant(length.middle()),
            significant(usual.middle())
        );
        report.push(other_length(document, pointer, message));
    }
}

/// A row whose requests have another length than the workload states.
fn of_workload(audit: &Audit, rows: &[(&AuditConfig, String, Quantity)], document: &Document, report: &mut Report) {
    let Some(stated) = audit.workload.output_tokens else { return };
    // Lengths that are drawn at random, or roughly stated, have a mean near the one stated.
    let is_rough = stated.is_approximate() || audit.workload.range_ratio.is_some();
    let tolerance = if is_rough { ROUGH_LENGTH } else { LENGTH_TOLERANCE };
    let near = stated.give_or_take(tolerance);
    for (config, pointer, length) in rows.iter().filter(|(.., length)| !length.overlaps(near)) {
        let message = format!(
            "`{}`: {} output tokens a request, the workload has {}",
            label(config),
            significant(length.middle()),
            plain(stated)
        );
        let related = document.spans.nearest("/workload/output_tokens");
        report.push(other_length(document, pointer, message).related(related, "those of the workload"));
    }
}

fn other_length(document: &Document, pointer: &str, message: String) -> Diagnostic {
    Diagnostic::new(&rules::CAPACITY_TOKENS_PER_REQUEST, document.location(pointer), message)
        .pointer(pointer)
        .help("output tokens and requests per second of one workload keep their ratio, within 2%; check both numbers")
}

fn label(config: &AuditConfig) -> &str {
    config.label.as_deref().unwrap_or(&config.key)
}
