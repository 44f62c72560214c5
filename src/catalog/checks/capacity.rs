//! A stated capacity against the rates that were tested, and the rows of an audit against each other.

use super::as_written;
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::metric::heading;
use crate::quantity::{Quantity, plain, significant};
use crate::record::audit::{AtCapacity, AuditConfig, Capacity, Without};
use crate::record::sweep::{Axis, Step, Sweep};
use crate::record::{Audit, Run};
use crate::schema::Document;

/// A length that is stated roughly, or drawn from a range, may be so far from the mean of what was drawn.
const ROUGH_LENGTH: f64 = 0.25;
/// Of what was offered to a step that passed, at least so much was delivered, where that is not stated.
const OF_OFFERED: f64 = 0.75;
/// Rows of one workload may differ by so much in the length of their outputs: requests are drawn at random.
const LENGTH_TOLERANCE: f64 = 0.02;

pub fn of_audit(audit: &Audit, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, (config, sweep)) in audit.configs.iter().zip(sweeps).enumerate() {
        untested(audit, config, position, document, report);
        against_steps(config, sweep, position, document, report);
    }
    lengths(audit, document, report);
}

/// The capacities that a curator found in a run's prose, and the rates at which its configs passed, against the steps.
pub fn of_run(item: &Item, run: &Run, sweeps: &[Sweep], report: &mut Report) {
    let help = "the capacity is the highest load that passed, warm-up left out; correct it or the steps";
    for ((position, config), sweep) in run.configs.iter().enumerate().zip(sweeps) {
        let subject = item.subjects.get(position);
        let observed = subject.and_then(|subject| item.observation(&subject.anchor, "capacity_rps"));
        let noted = observed
            .zip(item.note.as_ref())
            .map(|((at, observed), note)| (observed.value, &note.document, format!("/observations/{at}/value")));
        let passed = config.slo_pass_count.is_some() && config.slo_pass_count == config.all_repeats();
        let measured = config.request_rate_rps.filter(|rate| passed && *rate > 0.0);
        let measured = measured
            .map(|rate| (Quantity::exact(rate), &item.document, format!("/configs/{position}/request_rate_rps")));
        let fails_there = |rate: Quantity| {
            let failing = sweep.first_failing()?.rate_rps().filter(|failing| failing.high() <= rate.low())?;
            Some(format!(
                "every repeat at {} req/s is said to have passed, and {} req/s failed",
                plain(rate),
                plain(failing)
            ))
        };
        let noted = noted.and_then(|(rate, document, pointer)| {
            let reason = not_the_capacity(&AtCapacity::at(rate), sweep)?;
            Some((format!("a capacity of {} req/s is stated, {reason}", plain(rate)), document, pointer))
        });
        let measured = measured.and_then(|(rate, document, pointer)| Some((fails_there(rate)?, document, pointer)));
        for (message, document, pointer) in noted.into_iter().chain(measured) {
            let message = format!("`{}`: {message}", config.label);
            let problem = Diagnostic::new(&rules::CAPACITY_STEPS, document.location(&pointer), message);
            report.push(problem.pointer(pointer).help(help));
        }
    }
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
    let pointer = format!("/configs/{position}/capacity");
    let passing = sweep.last_passing();
    let message = match (&config.capacity, passing) {
        (Capacity::Without(Without::NonePassed), Some(step)) => {
            format!("none passed is stated, and {} passed", load(sweep, step))
        }
        (Capacity::Without(Without::NotMeasured), Some(step)) => {
            format!("not measured is stated, and {} passed", load(sweep, step))
        }
        (Capacity::Without(_), None) => return,
        (Capacity::At(at), _) => match not_the_capacity(at, sweep) {
            Some(reason) => match (at.request_rate_rps, at.output_tok_s) {
                (Some(rate), _) => format!("a capacity of {} req/s is stated, {reason}", plain(rate)),
                (None, Some(rate)) => format!("a capacity of {} output tok/s is stated, {reason}", plain(rate)),
                (None, None) => format!("a capacity is stated, {reason}"),
            },
            None => return measured_there(at, config, sweep, &pointer, document, report),
        },
    };
    report.push(
        Diagnostic::new(&rules::CAPACITY_STEPS, document.location(&pointer), format!("`{}`: {message}", label(config)))
            .pointer(pointer)
            .help("the capacity is the highest load that passed, warm-up left out; correct it or the steps"),
    );
}

fn load(sweep: &Sweep, step: &Step) -> String {
    let axis = sweep.axis();
    axis.words(step.load(axis).unwrap_or(Quantity::exact(0.0)))
}

/// Steps that passed at the highest load of those that did: several, where it was repeated.
fn at_highest<'a, 'b>(sweep: &'a Sweep<'b>) -> Vec<&'a Step<'b>> {
    let passed: Vec<_> = sweep.counting().into_iter().filter(|(.., passed)| *passed).collect();
    let highest = passed.last().map(|(_, load, _)| *load);
    passed.into_iter().filter(|(_, load, _)| Some(*load) == highest).map(|(step, ..)| step).collect()
}

/// How a step is the one that a capacity names; the offered rate goes before what came of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Offered,
    Delivered,
    Output,
}

fn named(at: &AtCapacity, step: &Step) -> Option<Named> {
    let is = |own: Option<Quantity>, stated: Option<Quantity>| own.zip(stated).is_some_and(|(a, b)| a.overlaps(b));
    match at.request_rate_rps {
        stated if is(step.rate_rps(), stated) => Some(Named::Offered),
        stated if is(step.delivered_rps, stated) => Some(Named::Delivered),
        None if is(step.output_tok_s, at.output_tok_s) => Some(Named::Output),
        _ => None,
    }
}

/// Why a stated capacity is not that of the steps.
fn not_the_capacity(at: &AtCapacity, sweep: &Sweep) -> Option<String> {
    let highest = at_highest(sweep);
    if highest.iter().any(|step| named(at, step).is_some()) {
        return None;
    }
    let mut of: Vec<_> = sweep.steps.iter().filter_map(|step| Some((named(at, step)?, step))).collect();
    of.sort_by_key(|(how, _)| *how);
    let Some((how, step)) = of.first().copied() else { return of_no_step(at, sweep, highest.first().copied()) };
    let counted = of.iter().filter(|(_, step)| !step.includes_warmup);
    let verdicts: Vec<_> = counted.map(|(_, step)| step.verdict()).collect();
    if verdicts.contains(&None) {
        return None;
    }
    if verdicts.contains(&Some(true)) {
        return highest.first().map(|step| format!("and {} passed as well", load(sweep, step)));
    }
    let load = load(sweep, step);
    Some(match (how, step.includes_warmup) {
        (_, true) => format!("and warm-up fell into {load}"),
        (Named::Offered, _) => "and that rate failed".to_owned(),
        (Named::Delivered, _) => format!("which is what {load} delivered, and that failed"),
        (Named::Output, _) => format!("which is what {load} gave, and that failed"),
    })
}

/// Why a capacity at which there is no step cannot be that of the steps.
fn of_no_step(at: &AtCapacity, sweep: &Sweep, highest: Option<&Step>) -> Option<String> {
    let Some(stated) = at.request_rate_rps else {
        let (step, stated) = (highest?, at.output_tok_s?);
        let given = step.output_tok_s.filter(|given| !given.overlaps(stated))?;
        return Some(format!("and {}, the highest load that passed, gave {}", load(sweep, step), plain(given)));
    };
    let is_below = |step: &Step| {
        let delivered = step.delivered_rps.or(step.rate_rps().map(|rate| rate * OF_OFFERED));
        [step.rate_rps(), delivered].iter().all(|rate| rate.is_some_and(|rate| stated.high() < rate.low()))
    };
    match (sweep.axis(), highest) {
        (Axis::Rate, Some(step)) if is_below(step) => {
            return Some(format!("and {} passed as well", load(sweep, step)));
        }
        (Axis::Concurrency, Some(step)) => {
            let delivered = step.delivered_rps?;
            let load = load(sweep, step);
            return Some(format!("and {load}, the highest load that passed, delivered {} req/s", plain(delivered)));
        }
        _ => {}
    }
    let failing = sweep.first_failing()?.rate_rps().filter(|rate| rate.high() < stated.low())?;
    Some(format!("and {} failed", Axis::Rate.words(failing)))
}

/// Tokens and latencies that are stated at the capacity, against those of the step that it is of.
fn measured_there(
    at: &AtCapacity,
    config: &AuditConfig,
    sweep: &Sweep,
    pointer: &str,
    document: &Document,
    report: &mut Report,
) {
    let steps: Vec<_> = at_highest(sweep).into_iter().filter(|step| named(at, step).is_some()).collect();
    let mut against =
        |what: &str, unit: &str, field: &str, stated: Quantity, of: &dyn Fn(&Step) -> Option<Quantity>| {
            let own: Vec<_> = steps.iter().filter_map(|step| Some((*step, of(step)?))).collect();
            let Some((step, first)) = own.first().filter(|_| !own.iter().any(|(_, own)| own.overlaps(stated))) else {
                return;
            };
            let message = format!(
                "`{}`: {what} of {} {unit} at the capacity, and of {} {unit} in the step at {}",
                label(config),
                plain(stated),
                plain(*first),
                load(sweep, step)
            );
            let pointer = format!("{pointer}/{field}");
            report.push(
                Diagnostic::new(&rules::CAPACITY_STEPS, document.location(&pointer), message)
                    .pointer(pointer)
                    .related(document.spans.nearest(&step.pointer), "the highest load that passed")
                    .help("both are of one measurement; correct one of them"),
            );
        };
    if let Some(stated) = at.output_tok_s {
        // Some reckon the tokens of the rate that was offered.
        let of = |step: &Step| {
            let own = step.output_tok_s?;
            let share = step.rate_rps().zip(step.delivered_rps).map(|(offered, delivered)| offered / delivered);
            Some(share.map_or(own, |share| own.around(own * share)))
        };
        against("output", "tok/s", "output_tok_s", stated, &of);
    }
    for (name, stated) in &at.latencies {
        let of = |step: &Step| step.latencies.get(name.as_str()).map(|(value, _)| *value);
        against(&heading(name), "ms", &format!("latencies/{name}"), *stated, &of);
    }
}

/// Output tokens per request, which one workload makes the same in every row.
fn lengths(audit: &Audit, document: &Document, report: &mut Report) {
    let rows = audit.configs.iter().enumerate().filter_map(|(position, config)| {
        let Capacity::At(at) = &config.capacity else { return None };
        let pointer = format!("/configs/{position}/capacity/output_tok_s");
        let output = as_written(document, &pointer, at.output_tok_s?);
        let rate = format!("/configs/{position}/capacity/request_rate_rps");
        let length = output / as_written(document, &rate, at.request_rate_rps?);
        let shown = significant((at.output_tok_s? / at.request_rate_rps?).middle());
        length.is_finite().then_some(Row { config, pointer, length, shown })
    });
    let rows: Vec<_> = rows.collect();
    of_workload(audit, &rows, document, report);
    if let [one, other] = &rows[..] {
        // Of two there is no telling which is wrong.
        if !other.length.overlaps(one.length.give_or_take(LENGTH_TOLERANCE)) {
            let words = [label(other.config), &other.shown, label(one.config), &one.shown];
            let message = format!("`{}`: {} output tokens a request, `{}` {}", words[0], words[1], words[2], words[3]);
            let related = document.spans.nearest(&one.pointer);
            report.push(other_length(document, &other.pointer, message).related(related, "the other row"));
        }
        return;
    }
    let mut sorted: Vec<_> = rows.iter().collect();
    sorted.sort_by(|one, other| one.length.middle().total_cmp(&other.length.middle()));
    let Some(usual) = sorted.get(sorted.len() / 2) else { return };
    let alike = usual.length.give_or_take(LENGTH_TOLERANCE);
    for Row { config, pointer, shown, .. } in rows.iter().filter(|row| !row.length.overlaps(alike)) {
        let message =
            format!("`{}`: {shown} output tokens a request, the other rows about {}", label(config), usual.shown);
        report.push(other_length(document, pointer, message));
    }
}

/// Output tokens of a request of one row.
struct Row<'a> {
    config: &'a AuditConfig,
    pointer: String,
    /// With the rounding of what it is worked out of.
    length: Quantity,
    /// As what is written gives it.
    shown: String,
}

/// A row whose requests have another length than the workload states.
fn of_workload(audit: &Audit, rows: &[Row], document: &Document, report: &mut Report) {
    let Some(stated) = audit.workload.output_tokens else { return };
    // Lengths that are drawn at random, or roughly stated, have a mean near the one stated.
    let is_rough = stated.is_approximate() || audit.workload.range_ratio.is_some();
    let tolerance = if is_rough { ROUGH_LENGTH } else { LENGTH_TOLERANCE };
    let near = stated.give_or_take(tolerance);
    for Row { config, pointer, shown, .. } in rows.iter().filter(|row| !row.length.overlaps(near)) {
        let message =
            format!("`{}`: {shown} output tokens a request, the workload has {}", label(config), plain(stated));
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
