//! How many requests met every limit of the SLO, against the latencies of the same measurement and its verdict.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Report, rules};
use crate::metric::{Latency, heading};
use crate::quantity::{Quantity, plain};
use crate::record::run::RunConfig;
use crate::record::sweep::{Requests, Sweep};
use crate::record::{LatencyLimits, Run};
use crate::schema::Document;

/// What the arithmetic of a share may be off by, in requests.
const ROUNDING: f64 = 1e-6;

/// One measurement: its requests, its latencies in milliseconds, and whether it is said to have met the SLO.
struct Measured<'a> {
    whose: String,
    requests: &'a Requests,
    pointer: String,
    latencies: BTreeMap<&'a str, Quantity>,
    passed: bool,
}

/// Every config of a run, as a whole and step by step.
pub fn of_run(run: &Run, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    let Some(slo) = &run.slo else { return };
    for (position, config) in run.configs.iter().enumerate() {
        let Some(requests) = &config.requests else { continue };
        let latencies =
            config.latencies.keys().filter_map(|name| Some((name.as_str(), config.latency_ms(name)?.into())));
        let measured = Measured {
            whose: format!("`{}`", config.label),
            requests,
            pointer: format!("/configs/{position}/requests/met"),
            latencies: latencies.collect(),
            passed: config.slo_pass_count.is_some() && config.slo_pass_count == config.all_repeats(),
        };
        measured.check(slo, document, report);
        against_goodput(config, requests.met, &measured, document, report);
    }
    of_steps(sweeps, slo, document, report);
}

/// Goodput is of the requests that met the SLO: there is some where any did, and none where none did.
fn against_goodput(
    config: &RunConfig,
    met: Option<u64>,
    measured: &Measured,
    document: &Document,
    report: &mut Report,
) {
    let (Some(met), Some(goodput)) = (met, config.goodput_tok_s) else { return };
    if (met > 0) == (goodput > 0.0) {
        return;
    }
    let message =
        format!("{}: {met} requests met the SLO, with a goodput of {} tok/s", measured.whose, plain(goodput.into()));
    report.push(
        Diagnostic::new(&rules::REQUESTS_MET, document.location(&measured.pointer), message)
            .pointer(&measured.pointer)
            .help("goodput counts what met the SLO; ask the harness which of the two holds"),
    );
}

/// Every step of a search.
pub fn of_steps(sweeps: &[Sweep], slo: &LatencyLimits, document: &Document, report: &mut Report) {
    for (sweep, step) in sweeps.iter().flat_map(|sweep| sweep.steps.iter().map(move |step| (sweep, step))) {
        let Some(requests) = step.requests else { continue };
        let measured = Measured {
            whose: sweep.words(step),
            requests,
            pointer: format!("{}/requests/met", step.pointer),
            latencies: step.latencies.iter().map(|(name, (value, _))| (*name, *value)).collect(),
            passed: step.passed == Some(true),
        };
        measured.check(slo, document, report);
    }
}

impl Measured<'_> {
    fn check(&self, slo: &LatencyLimits, document: &Document, report: &mut Report) {
        let (Some(met), Some(completed)) = (self.requests.met, self.requests.completed) else { return };
        let reason = match self.at_most(slo, completed) {
            Some((most, reason)) if met > most => reason,
            _ => match self.at_least(slo, completed) {
                Some((least, reason)) if met < least => reason,
                _ => return,
            },
        };
        let message = format!("{}: {met} of {completed} requests met the SLO, {reason}", self.whose);
        report.push(
            Diagnostic::new(&rules::REQUESTS_MET, document.location(&self.pointer), message)
                .pointer(&self.pointer)
                .help("a request meets the SLO where it is within every limit; ask the harness which of the two holds"),
        );
    }

    /// Where a percentile is over a limit, so are all requests beyond it.
    fn at_most(&self, slo: &LatencyLimits, completed: u64) -> Option<(u64, String)> {
        let over = self.latencies.iter().filter_map(|(name, value)| {
            let latency = Latency::parse(name)?;
            let share = latency.share_within().filter(|_| latency.metric != "itl")?;
            let limits =
                slo.iter().filter(|(limit, _)| Latency::parse(limit).is_some_and(|of| of.metric == latency.metric));
            let limit = limits.map(|(_, limit)| *limit).reduce(f64::min).filter(|limit| value.low() > *limit)?;
            // Percentiles between two requests are drawn from either, so that one more may be within.
            let beyond = ((1.0 - share) * completed as f64 - 1.0 + ROUNDING).floor().max(1.0);
            let most = completed.saturating_sub(beyond as u64);
            let words = format!(
                "and {} of {} ms is over the limit of {} ms: at most {most} can have",
                heading(name),
                plain(*value),
                plain(limit.into())
            );
            Some((most, words))
        });
        over.min_by_key(|(most, _)| *most)
    }

    /// Each limit may be missed by the requests beyond the highest percentile that is within it: one that was measured, and
    /// where the SLO is met the limit's own.
    fn at_least(&self, slo: &LatencyLimits, completed: u64) -> Option<(u64, String)> {
        if slo.is_empty() {
            return None;
        }
        let beyond = slo.iter().map(|(name, limit)| {
            let limited = Latency::parse(name).filter(|latency| latency.metric != "itl")?;
            let within = self.latencies.iter().filter(|(_, value)| value.high() <= *limit).filter_map(|(own, _)| {
                let own = Latency::parse(own).filter(|own| own.metric == limited.metric)?;
                own.share_within()
            });
            let own = limited.share_within().filter(|_| self.passed);
            let share = within.chain(own).reduce(f64::max)?;
            Some((1.0 - share) * completed as f64 + 1.0)
        });
        let beyond: f64 = beyond.sum::<Option<f64>>()?;
        let least = completed.saturating_sub((beyond - ROUNDING).ceil() as u64);
        let words = format!(
            "and {}: at least {least} must have",
            if self.passed { "it is said to have passed" } else { "of every limit a percentile is within it" }
        );
        Some((least, words))
    }
}
