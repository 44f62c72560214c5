//! Counts that must add up: requests by their end, iterations and their warm-up.

use serde_json::Value;

use super::{SAME, as_written};
use crate::diagnostic::{Diagnostic, Report, printable, rules};
use crate::metric;
use crate::quantity::{Quantity, plain, significant};
use crate::record::run::RunConfig;
use crate::record::sweep::Sweep;
use crate::record::{Requests, Run};
use crate::schema::Document;

/// Requests and iterations of every config of a run.
pub fn of_run(run: &Run, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let at = |name: &str| format!("/configs/{position}/{name}");
        if let Some(requests) = &config.requests {
            let whose = format!("`{}`", config.label);
            add_up(&whose, requests, &at("requests"), document, report);
            unfinished(&whose, requests, &at("requests"), document, report);
            cut_off(&whose, requests, &at("requests"), document, report);
            nothing_completed(config, requests, &at, document, report);
        }
        throughput(config, &at, document, report);
        iterations(config, &at, document, report);
        passes(config, &at, document, report);
        failed(config, &at, document, report);
        throttled(run, config, &at, document, report);
        repeats(run, config, &at, document, report);
    }
    band(run, document, report);
    within_no_slo(run, document, report);
    of_steps(sweeps, document, report);
}

/// Requests of every step of a search.
pub fn of_steps(sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (sweep, step) in sweeps.iter().flat_map(|sweep| sweep.steps.iter().map(move |step| (sweep, step))) {
        let Some(requests) = step.requests else { continue };
        let pointer = format!("{}/requests", step.pointer);
        let whose = sweep.words(step);
        add_up(&whose, requests, &pointer, document, report);
        // One that failed for its requests says what happened; one that passed in spite of them has to be explained.
        if step.verdict() == Some(true) {
            unfinished(&format!("{whose}, which passed"), requests, &pointer, document, report);
        }
    }
}

/// Sent is completed, failed and cut off together, and no part is larger than the whole.
fn add_up(whose: &str, requests: &Requests, pointer: &str, document: &Document, report: &mut Report) {
    let Requests { sent, completed, failed, cancelled, met } = *requests;
    let words = |count: Option<u64>, word: &str| count.map(|count| format!("{count} {word}"));
    let cut_off = words(cancelled, "cancelled").unwrap_or_else(|| "(+ 0 cancelled)".to_owned());
    let known: u64 = [completed, failed, cancelled].into_iter().flatten().fold(0, u64::saturating_add);
    // Where completed or failed is not stated, the others may fall short of what was sent.
    let all = completed.is_some() && failed.is_some();
    if let Some(sent) = sent.filter(|sent| known > *sent || (all && known != *sent)) {
        let parts: Vec<_> =
            [words(completed, "completed"), words(failed, "failed"), Some(cut_off)].into_iter().flatten().collect();
        let sum = parts.join(" + ").replace("+ (+", "(+");
        let message = format!("{whose}: {sum} is not {sent} sent");
        report.push(
            Diagnostic::new(&rules::REQUESTS_COUNTS, document.location(pointer), message)
                .pointer(pointer)
                .help("every request that was sent completed, failed, or was cut off by the end of the measurement"),
        );
    }
    if let (Some(met), Some(completed)) = (met, completed)
        && met > completed
    {
        let pointer = format!("{pointer}/met");
        let message = format!("{whose}: {met} requests met the SLO, and only {completed} completed");
        report.push(
            Diagnostic::new(&rules::REQUESTS_COUNTS, document.location(&pointer), message)
                .pointer(pointer)
                .help("a request that did not complete has not met the SLO"),
        );
    }
}

fn unfinished(whose: &str, requests: &Requests, pointer: &str, document: &Document, report: &mut Report) {
    let Some(unfinished) = requests.unfinished().filter(|count| *count > 0) else { return };
    let of = requests.sent.map(|sent| format!(" of {sent}")).unwrap_or_default();
    let message = format!("{whose}: {unfinished}{of} requests did not complete");
    report.push(
        Diagnostic::new(&rules::REQUESTS_UNFINISHED, document.location(pointer), message)
            .pointer(pointer)
            .help("say why in the record or its note; rates count those that completed"),
    );
}

/// So large a share of the requests that were sent tells of a measurement which ended before its load did.
const CUT_OFF: f64 = 0.5;

/// A few requests are in flight when a measurement ends; half of all are no few.
fn cut_off(whose: &str, requests: &Requests, pointer: &str, document: &Document, report: &mut Report) {
    let parts = [requests.completed, requests.failed, requests.cancelled];
    let sent = requests.sent.unwrap_or_else(|| parts.into_iter().flatten().fold(0, u64::saturating_add));
    let Some(cancelled) = requests.cancelled.filter(|count| *count > 0 && *count as f64 >= CUT_OFF * sent as f64)
    else {
        return;
    };
    let message = format!("{whose}: {cancelled} of {sent} requests were cut off by the end of the measurement");
    report.push(
        Diagnostic::new(&rules::REQUESTS_UNFINISHED, document.location(pointer), message)
            .pointer(pointer)
            .help("say why in the record or its note; rates and latencies are of those that were quick enough"),
    );
}

/// Where no request completed there is no rate of them, and none of their tokens.
fn nothing_completed(
    config: &RunConfig,
    requests: &Requests,
    at: &impl Fn(&str) -> String,
    document: &Document,
    report: &mut Report,
) {
    let rates = [
        ("request_throughput_rps", config.request_throughput_rps),
        ("output_tok_s", config.output_tok_s),
        ("total_tok_s", config.total_tok_s),
        ("goodput_tok_s", config.goodput_tok_s),
    ];
    let above = rates.into_iter().find_map(|(name, rate)| Some((name, rate.filter(|rate| *rate > 0.0)?)));
    let (Some(0), Some((name, rate))) = (requests.completed, above) else { return };
    let pointer = at(name);
    let rate = metric::unit_of(name).stated(&plain(rate.into()));
    let message = format!("`{}`: {rate}, and no request completed", config.label);
    report.push(
        Diagnostic::new(&rules::REQUESTS_COUNTS, document.location(&pointer), message)
            .pointer(pointer)
            .related(document.spans.nearest(&at("requests/completed")), "those that completed")
            .help("a rate is that of completed requests; ask the harness which of the two holds"),
    );
}

/// What is said to keep an SLO that neither the record nor its spec sets; once for all configs.
fn within_no_slo(run: &Run, document: &Document, report: &mut Report) {
    let of_spec = ["/slo", "/goodput"].iter().any(|part| match run.spec().value(part) {
        Some(Value::Object(limits)) => limits.values().any(|limit| !limit.is_null()),
        Some(Value::Array(limits)) => !limits.is_empty(),
        limit => limit.is_some(),
    });
    if run.has_slo() || of_spec {
        return;
    }
    let said = run.configs.iter().enumerate().find_map(|(position, config)| {
        let goodput = config.goodput_tok_s.filter(|rate| *rate > 0.0).map(|_| ("goodput", "goodput_tok_s"));
        let pass = || config.slo_pass_count.filter(|count| *count > 0).map(|_| ("a pass", "slo_pass_count"));
        let (words, field) = goodput.or_else(pass)?;
        Some((&config.label, words, format!("/configs/{position}/{field}")))
    });
    let Some((label, words, pointer)) = said else { return };
    let message = format!("`{label}`: {words} within limits that the record does not state");
    report.push(
        Diagnostic::new(&rules::RUN_NO_SLO, document.location(&pointer), message)
            .pointer(pointer)
            .help("state the limits under `slo`; without any it is throughput"),
    );
}

/// A stated rate of requests against completed requests over the duration.
fn throughput(config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let completed = config.requests.as_ref().and_then(|requests| requests.completed);
    let (Some(completed), Some(duration), Some(stated)) = (completed, config.duration_s, config.request_throughput_rps)
    else {
        return;
    };
    let pointer = at("request_throughput_rps");
    let found = Quantity::exact(completed as f64) / as_written(document, &at("duration_s"), duration.into());
    let stated = as_written(document, &pointer, stated.into());
    if found.is_finite() && !found.overlaps(stated.give_or_take(SAME)) {
        let rate = significant(completed as f64 / duration);
        let message =
            format!("`{}`: {completed} requests in {} s are {rate} req/s", config.label, plain(duration.into()));
        report.push(
            Diagnostic::new(&rules::REQUESTS_THROUGHPUT, document.location(&pointer), message)
                .pointer(pointer)
                .help("a delivered rate is that of completed requests over the whole measurement"),
        );
    }
}

/// No more repeats can have met the SLO than were made.
fn passes(config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let (Some(passed), Some(repeats)) = (config.slo_pass_count, config.repeats) else { return };
    if passed <= repeats {
        return;
    }
    let pointer = at("slo_pass_count");
    let message = format!("`{}`: the SLO was met in {passed} repeats of {repeats}", config.label);
    report.push(
        Diagnostic::new(&rules::RUN_PASSES, document.location(&pointer), message)
            .pointer(pointer)
            .related(document.spans.nearest(&at("repeats")), "the repeats")
            .help("ask the harness which of the two holds"),
    );
}

/// The record says how often all was measured, a config how often it was itself.
fn repeats(run: &Run, config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let (Some(runs), Some(repeats)) = (run.runs, config.repeats) else { return };
    if runs == repeats {
        return;
    }
    let pointer = at("repeats");
    let message = format!("`{}`: {repeats} repeats, and {runs} of the whole measurement", config.label);
    report.push(
        Diagnostic::new(&rules::RUN_REPEATS, document.location(&pointer), message)
            .pointer(pointer)
            .related(document.spans.nearest("/runs"), "repeats of the whole")
            .help("ask the harness how often each config was measured; bands and samples are reckoned from it"),
    );
}

/// A band says how far repeats spread.
fn band(run: &Run, document: &Document, report: &mut Report) {
    let (Some(pct), Some(1)) = (run.variance_band_pct, run.runs) else { return };
    let pointer = "/variance_band_pct";
    let message = format!("a spread of {}% between repeats, of which there was 1", plain(pct.into()));
    report.push(
        Diagnostic::new(&rules::RUN_BAND, document.location(pointer), message)
            .pointer(pointer)
            .related(document.spans.nearest("/runs"), "the repeats")
            .help("state the repeats that it is of, or say where else it comes from"),
    );
}

/// What failed has no rates and no latencies.
fn failed(config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let rates = [
        ("goodput_tok_s", config.goodput_tok_s),
        ("output_tok_s", config.output_tok_s),
        ("total_tok_s", config.total_tok_s),
    ];
    let rates = rates.into_iter().filter_map(|(name, rate)| rate.filter(|rate| *rate > 0.0).map(|_| name));
    let latencies = config.latencies.keys().filter(|name| config.latency_ms(name).is_some()).map(String::as_str);
    let (Some(reason), Some(name)) = (&config.failed, rates.chain(latencies).next()) else { return };
    let pointer = at(name);
    let message = format!("`{}` failed ({}), and has results", config.label, printable(reason));
    report.push(Diagnostic::new(&rules::RUN_FAILED, document.location(&pointer), message).pointer(pointer).help(
        "take out the results, or `failed` where requests failed and the config did not: `requests` counts those",
    ));
}

/// No more samples can have had a clock limit than were taken.
fn throttled(run: &Run, config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let Some(total) = run.power_samples(config) else { return };
    for (reason, count) in config.throttle_counts.iter().flatten().filter(|(_, count)| **count as f64 > total) {
        let pointer = at(&format!("throttle_counts/{reason}"));
        let message = format!(
            "`{}`: {count} samples had a clock limit; window, sampling rate and repeats make {}",
            config.label,
            plain(total.into())
        );
        report.push(
            Diagnostic::new(&rules::SAMPLES_THROTTLED, document.location(&pointer), message)
                .pointer(pointer)
                .help("ask the harness how often it sampled, and over which time"),
        );
    }
}

/// A mean over all tokens and all time may be so far from that of the rates of iterations, as a share.
const ITERATIONS: f64 = 0.1;

fn iterations(config: &RunConfig, at: &impl Fn(&str) -> String, document: &Document, report: &mut Report) {
    let Some(samples) = config.samples_tok_s.as_deref().filter(|samples| !samples.is_empty()) else { return };
    let warmup = config.warmup.unwrap_or_default();
    if warmup > samples.len() {
        let pointer = at("warmup");
        let message =
            format!("`{}`: {warmup} iterations are warm-up, and there are only {}", config.label, samples.len());
        report.push(
            Diagnostic::new(&rules::SAMPLES_WARMUP, document.location(&pointer), message)
                .pointer(pointer)
                .help("`warmup` counts the first of `samples_tok_s`"),
        );
        return;
    }
    let mean = |samples: &[f64]| samples.iter().sum::<f64>() / samples.len() as f64;
    let (all, counted) = (mean(samples), mean(&samples[warmup..]));
    let Some(stated) = config.output_tok_s.filter(|_| warmup < samples.len()) else { return };
    let pointer = at("output_tok_s");
    let near =
        |value: f64| as_written(document, &pointer, stated.into()).overlaps(Quantity::exact(value).give_or_take(SAME));
    let roughly = |value: f64| stated <= (1.0 + ITERATIONS) * value && value <= (1.0 + ITERATIONS) * stated;
    if !near(all) && !near(counted) && !samples[warmup..].is_empty() && !roughly(counted) {
        let message = format!(
            "`{}`: {} tok/s is stated, and the mean of its iterations is {}",
            config.label,
            plain(stated.into()),
            significant(counted)
        );
        report.push(
            Diagnostic::new(&rules::SAMPLES_MEAN, document.location(&pointer), message)
                .pointer(&pointer)
                .related(document.spans.nearest(&at("samples_tok_s")), "its iterations")
                .help("ask the harness what the rate is of; it is used as it is stated"),
        );
    }
    if near(all) && !near(counted) {
        let message = format!(
            "`{}`: {} tok/s is the mean with warm-up in it; without it is {}",
            config.label,
            plain(stated.into()),
            significant(counted)
        );
        report.push(
            Diagnostic::new(&rules::SAMPLES_WARMUP_IN_MEAN, document.location(&pointer), message)
                .pointer(pointer)
                .help("leave warm-up out of what the record states"),
        );
    }
}
