//! Sanity of a search for capacity: which rates were tried, which of them passed, and what that is worth.

use crate::diagnostic::{Diagnostic, Report, Rule, rules};
use crate::metric::Latency;
use crate::quantity::{Quantity, plain};
use crate::record::audit::{Capacity, Without};
use crate::record::sweep::{DELIVERED, Sweep, same_rates};
use crate::record::{Audit, Run};
use crate::schema::Document;

/// Delivered by more than this share above the offered rate, one of the two is another number.
const OVER_DELIVERED: f64 = 0.01;
/// A config that takes so many times longer for a token than the slowest of the others stands apart.
const APART: f64 = 2.0;

/// A rate so many times the highest of the others is not what a setting gains.
const RATE_APART: f64 = 5.0;

/// One config as these checks see it.
struct Tested<'a> {
    label: &'a str,
    pointer: String,
    sweep: &'a Sweep<'a>,
    /// Rates in the order of the test; `None` where they are not stated, or were not chosen beforehand.
    rates: Option<Vec<Quantity>>,
    none_passed: bool,
    /// Milliseconds an output token, and where they stand.
    decode_ms: Option<(Quantity, String)>,
    /// Output tokens per second, of goodput where there is one, and where they stand.
    output_tok_s: Option<(Quantity, String)>,
    /// The load that these are at; `None` where a limit of the SLO brings every config to its own.
    load: Option<String>,
    /// Checkpoint, where it is another than the record's.
    checkpoint: Option<&'a str>,
}

pub fn of_audit(audit: &Audit, sweeps: &[Sweep], baseline: Option<usize>, document: &Document, report: &mut Report) {
    let stated = |name: &str| {
        let has = |capacity: &Capacity| matches!(capacity, Capacity::At(at) if at.latencies.contains_key(name));
        audit.configs.iter().filter(|config| has(&config.capacity)).count()
    };
    let (tpot, _) = tpot(audit.slo.keys(), stated);
    let tested = audit.configs.iter().zip(sweeps).enumerate().map(|(position, (config, sweep))| {
        let at = |name: &str| format!("/configs/{position}/{name}");
        let at_capacity = || {
            let (Capacity::At(at_capacity), name) = (&config.capacity, tpot.as_ref()?) else { return None };
            let value = at_capacity.latencies.get(name)?;
            Some((*value, at(&format!("capacity/latencies/{name}"))))
        };
        Tested {
            label: config.label.as_deref().unwrap_or(&config.key),
            pointer: at("capacity"),
            sweep,
            rates: audit.rates_of(config),
            none_passed: matches!(config.capacity, Capacity::Without(Without::NonePassed)),
            output_tok_s: match &config.capacity {
                Capacity::At(capacity) => capacity.output_tok_s.map(|rate| (rate, at("capacity/output_tok_s"))),
                Capacity::Without(_) => None,
            },
            decode_ms: config.decode_ms_per_token.map(|ms| (ms, at("decode_ms_per_token"))).or_else(at_capacity),
            load: None,
            checkpoint: config.model.as_ref().map(|model| model.name.as_str()),
        }
    });
    let tested: Vec<_> = tested.collect();
    all(&tested, baseline, document, report);
}

pub fn of_run(run: &Run, sweeps: &[Sweep], baseline: Option<usize>, document: &Document, report: &mut Report) {
    let stated = |name: &str| run.configs.iter().filter(|config| config.latency_ms(name).is_some()).count();
    let (tpot, limited) = tpot(run.slo.iter().flatten().map(|(name, _)| name), stated);
    // A search chooses its rates as it goes, so that each config has others by design.
    let searched = run.spec().value("/sweep/growth").is_some() || run.spec().value("/sweep/bisect_steps").is_some();
    let tested = run.configs.iter().zip(sweeps).enumerate().map(|(position, (config, sweep))| {
        let rates: Vec<_> =
            config.sweep.iter().flatten().filter_map(|step| step.offered_rps).map(Quantity::exact).collect();
        let tpot = tpot.as_ref().and_then(|name| Some((name, config.latency_ms(name)?)));
        let load = (config.concurrency, config.request_rate_rps, config.context_tokens);
        let requested = (config.input_tokens_requested, config.output_tokens_requested);
        Tested {
            label: &config.label,
            pointer: format!("/configs/{position}"),
            sweep,
            rates: (!rates.is_empty() && !searched).then_some(rates),
            none_passed: false,
            output_tok_s: [("goodput_tok_s", config.goodput_tok_s), ("output_tok_s", config.output_tok_s)]
                .into_iter()
                .find_map(|(name, rate)| Some((rate?.into(), format!("/configs/{position}/{name}")))),
            decode_ms: tpot.map(|(name, ms)| (ms.into(), format!("/configs/{position}/{name}"))),
            load: (!limited).then(|| format!("{load:?} {requested:?}")),
            checkpoint: None,
        }
    });
    let tested: Vec<_> = tested.collect();
    all(&tested, baseline, document, report);
    without_limits(run, sweeps, document, report);
    for (position, config) in run.configs.iter().enumerate() {
        if let (Some(offered), Some(delivered)) = (config.request_rate_rps, config.request_throughput_rps) {
            let pointer = format!("/configs/{position}/request_throughput_rps");
            let (offered, delivered) = (Quantity::exact(offered), Quantity::exact(delivered));
            // Load generators write no limit as 0.
            if offered.low() > 0.0 {
                let completed = config.requests.as_ref().and_then(|requests| requests.completed);
                over_delivered(&config.label, offered, delivered, completed, &pointer, document, report);
            }
            under_delivered(&config.label, offered, delivered, &pointer, document, report);
        }
    }
}

/// Verdicts on steps of a record that has no limit to pass.
fn without_limits(run: &Run, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    if run.slo.as_ref().is_some_and(|slo| !slo.is_empty()) {
        return;
    }
    let judged = sweeps.iter().find_map(|sweep| Some((sweep, sweep.steps.iter().find(|step| step.passed.is_some())?)));
    if let Some((sweep, step)) = judged {
        let message = "its steps are said to have passed or failed, and the record sets no limit";
        let help = "give the limits in `slo`: without them nobody knows what passed";
        warn(&rules::SWEEP_LIMITS, sweep.label, message, &step.pointer, help, document, report);
    }
}

/// The TPOT that configs are compared by, and whether a limit holds for it: that of the SLO, else the one that most of
/// them state, a mean before percentiles.
fn tpot<'a>(mut limits: impl Iterator<Item = &'a String>, stated: impl Fn(&str) -> usize) -> (Option<String>, bool) {
    if let Some(limit) = limits.find(|name| name.starts_with("tpot") && stated(name) > 0) {
        return (Some(limit.clone()), true);
    }
    let names = Latency::STATISTICS.iter().rev().map(|statistic| format!("tpot_{statistic}_ms"));
    (names.max_by_key(|name| stated(name)).filter(|name| stated(name) > 0), false)
}

fn all(tested: &[Tested], baseline: Option<usize>, document: &Document, report: &mut Report) {
    for config in tested {
        below_a_pass(config, document, report);
        at_the_ends(config, document, report);
        for step in &config.sweep.steps {
            if let (Some(offered), Some(delivered)) = (step.rate_rps(), step.delivered_rps) {
                let pointer = format!("{}/delivered_rps", step.pointer);
                let completed = step.requests.and_then(|requests| requests.completed);
                over_delivered(config.label, offered, delivered, completed, &pointer, document, report);
                if step.verdict() == Some(true) {
                    under_delivered(config.label, offered, delivered, &pointer, document, report);
                }
            }
        }
    }
    unequal_rates(tested, baseline, document, report);
    outliers(tested, document, report);
}

/// A rate that failed below one that passed.
fn below_a_pass(config: &Tested, document: &Document, report: &mut Report) {
    let axis = config.sweep.axis();
    for step in config.sweep.steps.iter().filter(|step| step.includes_warmup && step.verdict() != Some(true)) {
        let load = step.load(axis).map_or_else(|| "a step".to_owned(), |load| axis.words(load));
        let message = format!("warm-up fell into {load}, so that it says nothing about capacity");
        let help = "test it again after warm-up, or acknowledge the rule with what is known of it";
        warn(&rules::SWEEP_WARM_UP, config.label, &message, &step.pointer, help, document, report);
    }
    let counting = config.sweep.counting();
    let Some(last) = counting.iter().rposition(|(.., passed)| *passed) else { return };
    let passing = axis.words(counting[last].1);
    for (step, failing, _) in counting[..last].iter().filter(|(.., passed)| !passed) {
        let first = config.sweep.steps.first().is_some_and(|first| first.pointer == step.pointer);
        let failing = axis.words(*failing);
        let (rule, message, help) = if first {
            (
                &rules::SWEEP_WARM_UP,
                format!(
                    "{failing}, the first {} tested, failed and {passing} passed: warm-up may have fallen into it",
                    axis.noun()
                ),
                "set `includes_warmup` on the step where it did, or test it again",
            )
        } else {
            (
                &rules::SWEEP_NON_MONOTONIC,
                if failing == passing {
                    format!("{failing} both failed and passed")
                } else {
                    format!("{failing} failed and {passing} passed")
                },
                "repeat both; one of the two verdicts may be chance",
            )
        };
        warn(rule, config.label, &message, &step.pointer, help, document, report);
    }
}

/// A search that ends before it has found a limit, on either side.
fn at_the_ends(config: &Tested, document: &Document, report: &mut Report) {
    let (passing, failing) = (config.sweep.last_passing(), config.sweep.first_failing());
    // Where the steps contradict each other, that is what there is to say.
    let contradicts = config.sweep.contradiction().is_some();
    if let (Some(step), None, false) = (passing, failing, contradicts) {
        let axis = config.sweep.axis();
        let (last, noun) = (axis.words(step.load(axis).unwrap_or(Quantity::exact(0.0))), axis.noun());
        let message =
            format!("{last}, the highest {noun} tested, passed: capacity is at least that, and may be far more");
        warn(&rules::SWEEP_SATURATED, config.label, &message, &step.pointer, "go on until one fails", document, report);
    }
    if config.none_passed || (passing.is_none() && failing.is_some()) {
        let rates = config.rates.as_deref().map(list).map(|rates| format!(" ({rates} req/s)")).unwrap_or_default();
        let noun = config.sweep.axis().noun();
        let message = format!("no {noun} tested passed{rates}: capacity lies below them");
        warn(&rules::SWEEP_NONE_PASSED, config.label, &message, &config.pointer, "test lower ones", document, report);
    }
}

fn under_delivered(
    label: &str,
    offered: Quantity,
    delivered: Quantity,
    pointer: &str,
    document: &Document,
    report: &mut Report,
) {
    if delivered.high() >= DELIVERED * offered.low() {
        return;
    }
    let message = format!(
        "{} were delivered of {} offered, less than {}%",
        rate(delivered),
        plain(offered),
        plain((100.0 * DELIVERED).into())
    );
    let help =
        "the queue grew, or the run was too short for its last requests; capacity is no more than what was delivered";
    warn(&rules::SWEEP_UNDER_DELIVERED, label, &message, pointer, help, document, report);
}

/// More requests than were sent: no server completes those. Arrivals drawn at random come faster than their rate by chance,
/// by one in the root of their number; three times as much is no chance.
fn over_delivered(
    label: &str,
    offered: Quantity,
    delivered: Quantity,
    completed: Option<u64>,
    pointer: &str,
    document: &Document,
    report: &mut Report,
) {
    let by_chance = completed.map_or(0.0, |count| 3.0 / (count as f64).sqrt());
    if delivered.low() <= (1.0 + by_chance.max(OVER_DELIVERED)) * offered.high() {
        return;
    }
    let message = format!("{} were delivered of {} offered", rate(delivered), plain(offered));
    let help = "ask whether the two rates are of one measurement, and of all replicas or of one";
    warn(&rules::SWEEP_OVER_DELIVERED, label, &message, pointer, help, document, report);
}

/// Capacities that were found on unlike grids.
fn unequal_rates(tested: &[Tested], baseline: Option<usize>, document: &Document, report: &mut Report) {
    let Some(baseline) = baseline.and_then(|position| tested.get(position)) else { return };
    let Some(usual) = &baseline.rates else { return };
    for config in tested {
        let Some(rates) = config.rates.as_ref().filter(|rates| !same_rates(rates, usual)) else { continue };
        let message = format!("tested at {} req/s, the baseline at {}", list(rates), list(usual));
        let help = "a capacity is only as fine as its rates; test both at the same ones";
        warn(&rules::SWEEP_UNEQUAL_RATES, config.label, &message, &config.pointer, help, document, report);
    }
}

/// A config that takes far longer for a token than all the others, or has far more of them, of those at one load.
fn outliers(tested: &[Tested], document: &Document, report: &mut Report) {
    let by_time = apart(tested, APART, |config| config.decode_ms.as_ref()).into_iter().map(|of| ("ms a token", of));
    let by_rate = apart(tested, RATE_APART, |config| config.output_tok_s.as_ref());
    let help = "measure it again before concluding from it";
    for (unit, Apart { label, own, others, kin, pointer }) in
        by_time.chain(by_rate.into_iter().map(|of| ("output tok/s", of)))
    {
        let message = format!("{} {unit}, all the others {}{kin}", plain(own), plain(others));
        warn(&rules::SWEEP_OUTLIER, label, &message, pointer, help, document, report);
    }
}

/// A value far above those of all other configs at its load.
struct Apart<'t> {
    label: &'t str,
    own: Quantity,
    /// The range of the others.
    others: Quantity,
    /// In words, that of those of the same checkpoint.
    kin: String,
    pointer: &'t str,
}

/// Values so many times the highest of the others at their load.
fn apart<'t>(
    tested: &'t [Tested],
    times: f64,
    value: impl Fn(&'t Tested<'t>) -> Option<&'t (Quantity, String)>,
) -> Vec<Apart<'t>> {
    let mut found = Vec::new();
    let range = |of: &mut dyn Iterator<Item = Quantity>| of.reduce(|one, other| one.around(other));
    for (position, config) in tested.iter().enumerate() {
        let Some((own, pointer)) = value(config) else { continue };
        let others = tested.iter().enumerate().filter(|(other, of)| *other != position && of.load == config.load);
        let others: Vec<_> = others.filter_map(|(_, other)| Some((other, value(other)?.0))).collect();
        // Against one other there is no telling which of the two stands apart.
        let Some(all) = range(&mut others.iter().map(|(_, of)| *of)).filter(|_| others.len() > 1) else { continue };
        if own.low() <= times * all.high() {
            continue;
        }
        let kin = |other: &Tested| other.checkpoint.is_some() && other.checkpoint == config.checkpoint;
        let kin = range(&mut others.iter().filter(|(other, _)| kin(other)).map(|(_, of)| *of));
        let kin = kin.map(|of| format!(", of the same checkpoint {}", plain(of))).unwrap_or_default();
        found.push(Apart { label: config.label, own: *own, others: all, kin, pointer });
    }
    found
}

fn warn(
    rule: &'static Rule,
    label: &str,
    message: &str,
    pointer: &str,
    help: &'static str,
    document: &Document,
    report: &mut Report,
) {
    let message = format!("`{label}`: {message}");
    report.push(Diagnostic::new(rule, document.location(pointer), message).pointer(pointer).help(help));
}

fn rate(rate: Quantity) -> String {
    format!("{} req/s", plain(rate))
}

fn list(rates: &[Quantity]) -> String {
    let words = rates.iter().map(|rate| if rate.high() == 0.0 { "no limit".to_owned() } else { plain(*rate) });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configs_are_compared_by_the_tpot_of_the_slo_or_by_the_one_that_most_state() {
        for (limits, stated, expected) in [
            (&["ttft_p99_ms", "tpot_p99_ms"][..], &["tpot_p99_ms", "tpot_mean_ms"][..], (Some("tpot_p99_ms"), true)),
            (&["ttft_p99_ms"], &["tpot_p99_ms", "tpot_mean_ms"], (Some("tpot_mean_ms"), false)),
            (&["tpot_p99_ms"], &["tpot_p50_ms"], (Some("tpot_p50_ms"), false)),
            (&["tpot_p99_ms"], &["ttft_p99_ms"], (None, false)),
            (&["ttft_p99_ms"], &["ttft_p99_ms"], (None, false)),
            (&[], &["tpot_mean_ms", "tpot_p99_ms", "tpot_p99_ms"], (Some("tpot_p99_ms"), false)),
        ] {
            let limits: Vec<_> = limits.iter().map(|name| (*name).to_owned()).collect();
            let found = tpot(limits.iter(), |name| stated.iter().filter(|stated| **stated == name).count());
            assert_eq!((found.0.as_deref(), found.1), expected, "{limits:?} {stated:?}");
        }
    }
}
