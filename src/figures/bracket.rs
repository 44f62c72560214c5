//! Capacity as a bracket between two loads, and what was delivered at its lower end.

use std::sync::Arc;

use super::sheet::{Found, compute, derived, field, missing};
use super::{Fact, Figure, Missing};
use crate::formula::{capacity, requests};
use crate::quantity::{Quantity, plain};
use crate::record::sweep::{Axis, Step, Sweep};
use crate::schema::Document;

/// The bracket of a config on the axis of its search, or why there is none; `Ok` with one end would be no bracket.
pub fn of(document: &Arc<Document>, sweep: &Sweep, subject: &str) -> Figure {
    let axis = sweep.axis();
    let formula = match axis {
        Axis::Rate => &capacity::CAPACITY_BRACKET_RPS,
        Axis::Concurrency => &capacity::CAPACITY_BRACKET_CONCURRENCY,
    };
    if let Some((failing, passing)) = sweep.contradiction() {
        return missing(formula, subject, not_monotonic(axis, failing, passing));
    }
    match (sweep.last_passing(), sweep.first_failing()) {
        (Some(passing), Some(failing)) => {
            let ends = [passing, failing].map(|step| field(document, at(step, axis.field()), step.load(axis)));
            compute(formula, subject, ends).remarked(set_aside(sweep)).limited(limits(sweep, passing))
        }
        (passing, failing) => missing(formula, subject, silence(sweep, passing, failing)),
    }
}

/// A bracket as an input in requests per second; one in concurrency is none.
pub fn rates(bracket: Figure) -> Found {
    if bracket.formula.id != capacity::CAPACITY_BRACKET_RPS.id && bracket.outcome.is_ok() {
        return Err(Missing::because("the bracket is in concurrency, which gives no rate"));
    }
    derived(&Arc::new(bracket))
}

/// A bracket as the rates that are served within it: from what was delivered at its lower end, where that is less than was
/// offered there.
pub fn served(document: &Arc<Document>, sweep: &Sweep, bracket: Figure) -> Found {
    let queued = sweep.last_passing().filter(|step| {
        let rates = step.delivered_rps.zip(step.rate_rps());
        rates.is_some_and(|(delivered, offered)| delivered.high() < offered.low())
    });
    match (queued, sweep.first_failing(), sweep.axis()) {
        (Some(passing), Some(failing), Axis::Rate) if bracket.outcome.is_ok() => {
            let ends = [
                field(document, at(passing, "delivered_rps"), passing.delivered_rps),
                field(document, at(failing, "offered_rps"), failing.rate_rps()),
            ];
            let served = compute(&capacity::CAPACITY_SERVED_RPS, bracket.subject, ends).limited(bracket.limits);
            derived(&Arc::new(served))
        }
        _ => rates(bracket),
    }
}

/// The rates between which the capacity of a config lies: those offered, and where its search varied the requests in flight,
/// those delivered at both ends, if more came through at the upper one.
pub fn ends(document: &Arc<Document>, sweep: &Sweep) -> Result<[Fact; 2], Missing> {
    let axis = sweep.axis();
    if let Some((failing, passing)) = sweep.contradiction() {
        return Err(Missing::because(not_monotonic(axis, failing, passing)));
    }
    let (Some(passing), Some(failing)) = (sweep.last_passing(), sweep.first_failing()) else {
        return Err(Missing::because(silence(sweep, sweep.last_passing(), sweep.first_failing())));
    };
    let rate = |step: &Step| match axis {
        Axis::Rate => field(document, at(step, "offered_rps"), step.rate_rps()),
        Axis::Concurrency => field(document, at(step, "delivered_rps"), step.delivered_rps),
    };
    let ends = [rate(passing)?, rate(failing)?];
    if ends[0].quantity.high() > ends[1].quantity.low() {
        return Err(Missing::because(
            "no more was delivered at the next load, which failed, than at the highest that passed",
        ));
    }
    Ok(ends)
}

/// The change between two capacities wherever in their brackets they lie.
pub fn change(subject: &str, own: &Result<[Fact; 2], Missing>, baseline: &Result<[Fact; 2], Missing>) -> Figure {
    let facts = [own, baseline].into_iter().flat_map(|ends| match ends {
        Ok(ends) => ends.iter().cloned().map(Ok).collect(),
        Err(missing) => vec![Err(missing.clone())],
    });
    compute(&capacity::CAPACITY_CHANGE_OVER_BRACKETS_PCT, subject, facts)
}

/// Whether two capacities may be the same, by the change between them over their brackets. Where one passed at the load at
/// which the other failed, they are not.
pub fn may_tie(over: &Figure) -> bool {
    over.quantity().is_some_and(|range| range.low() < 0.0 && range.high() > 0.0)
}

/// A change between two capacities with what it is over their brackets, where these are known.
pub fn bounded(mut figure: Figure, over: &Figure) -> Figure {
    if let (Some(_), Some(range)) = (figure.quantity(), over.quantity()) {
        figure.tie = may_tie(over);
        let tie = if figure.tie { "a tie, " } else { "" };
        figure.remarks.push(format!("{tie}{} over both brackets", over.formula.unit.show(range)));
    }
    figure
}

/// Delivered against offered at the highest rate that passed; nothing where a step says only one of the two.
pub fn delivered_share(document: &Arc<Document>, sweep: &Sweep, subject: &str) -> Option<Figure> {
    let step = sweep.last_passing().filter(|step| step.delivered_rps.is_some())?;
    let rates = [("delivered_rps", step.delivered_rps), ("offered_rps", step.offered_rps)];
    let facts = rates.map(|(name, rate)| field(document, at(step, name), rate));
    Some(compute(&requests::DELIVERED_SHARE_PCT, subject, facts).limited(limits(sweep, step)))
}

/// Output tokens of a request at the highest rate that passed.
pub fn output_per_request(document: &Arc<Document>, sweep: &Sweep, subject: &str) -> Option<Figure> {
    let step = sweep.last_passing().filter(|step| step.delivered_rps.is_some() && step.output_tok_s.is_some())?;
    let rates = [("output_tok_s", step.output_tok_s), ("delivered_rps", step.delivered_rps)];
    let facts = rates.map(|(name, rate)| field(document, at(step, name), rate));
    Some(compute(&requests::OUTPUT_TOK_PER_REQUEST, subject, facts))
}

/// What makes the highest load that passed a weak end of a bracket.
fn limits(sweep: &Sweep, passing: &Step) -> Vec<String> {
    let mut limits: Vec<_> = passing
        .latencies
        .keys()
        .filter_map(|name| passing.too_few_requests(name))
        .map(|words| format!("at the highest load that passed: {words}"))
        .collect();
    if (passing.passed, passing.met) == (Some(true), Some(false)) {
        limits.push("the highest load is said to have passed, and its latencies are over the limits".to_owned());
    }
    if let Some((requests, lost)) =
        passing.requests.and_then(|own| Some((own, own.unfinished().filter(|lost| *lost > 0)?)))
    {
        let of = requests.sent.map(|sent| format!(" of {sent}")).unwrap_or_default();
        limits.push(format!("{lost}{of} requests did not complete at the highest load that passed"));
    }
    if let (Some(offered), Some(delivered)) = (passing.rate_rps(), passing.delivered_rps)
        && !passing.is_held()
    {
        let words = [delivered, offered].map(plain);
        limits.push(format!(
            "of {} req/s offered, {} were delivered at the highest load that passed",
            words[1], words[0]
        ));
    }
    if !sweep.failing_below().is_empty() {
        limits.push("a lower load failed, so that either verdict may be chance".to_owned());
    }
    limits
}

fn at(step: &Step, name: &str) -> String {
    format!("{}/{name}", step.pointer)
}

/// Loads that do not count for capacity, in words.
fn set_aside(sweep: &Sweep) -> Option<String> {
    let axis = sweep.axis();
    let steps = sweep.steps.iter().filter(|step| step.includes_warmup);
    let loads: Vec<_> = steps.filter_map(|step| step.load(axis)).map(|load| axis.words(load)).collect();
    (!loads.is_empty()).then(|| format!("not counted for warm-up: {}", loads.join(", ")))
}

/// Why steps that contradict each other bracket nothing.
fn not_monotonic(axis: Axis, failing: &Step, passing: &Step) -> String {
    let load = |step: &Step| axis.words(step.load(axis).unwrap_or(Quantity::exact(0.0)));
    let (failed, passed) = (load(failing), load(passing));
    let verdicts = if failed == passed {
        format!("{failed} both failed and passed")
    } else {
        format!("{failed} failed and {passed} passed")
    };
    format!("no bracket, since the steps are not monotonic: {verdicts}")
}

fn silence(sweep: &Sweep, passing: Option<&Step>, failing: Option<&Step>) -> String {
    let axis = sweep.axis();
    let load = |step: &Step| axis.words(step.load(axis).unwrap_or(Quantity::exact(0.0)));
    match (passing, failing) {
        _ if sweep.steps.is_empty() => UNPUBLISHED.to_owned(),
        (Some(passing), None) => format!("at least {}, since no tested {} above it failed", load(passing), axis.noun()),
        (None, Some(failing)) => format!("below {}, since none passed", load(failing)),
        _ if sweep.steps.iter().all(|step| step.load(axis).is_none()) => {
            "the steps are at no stated request rate".to_owned()
        }
        _ => "no step says whether it met the SLO".to_owned(),
    }
}

/// Why most published capacities are points.
pub const UNPUBLISHED: &str = "no result of a single rate is published";

/// What a figure that rests on a capacity must say where there is no bracket around it.
pub fn limit(bracket: &Figure) -> Option<String> {
    let Missing { reason } = bracket.outcome.as_ref().err()?;
    Some(format!("a point, not a range: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_both_ends_says_what_it_shows() {
        let step = |rate: f64, passed: Option<bool>| Step {
            pointer: String::new(),
            offered_rps: Some(Quantity::exact(rate)),
            concurrency: None,
            delivered_rps: None,
            output_tok_s: None,
            latencies: Default::default(),
            requests: None,
            includes_warmup: false,
            passed,
            met: None,
        };
        for (steps, expected) in [
            (vec![], UNPUBLISHED),
            (vec![step(2.0, Some(true))], "at least 2 req/s, since no tested rate above it failed"),
            (vec![step(2.0, Some(false))], "below 2 req/s, since none passed"),
            (vec![step(2.0, None)], "no step says whether it met the SLO"),
            // A rate of 0 is none.
            (vec![step(0.0, Some(true))], "the steps are at no stated request rate"),
        ] {
            let sweep = Sweep { label: "", steps };
            assert_eq!(silence(&sweep, sweep.last_passing(), sweep.first_failing()), expected);
        }
    }
}
