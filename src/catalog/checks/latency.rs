//! Latencies against each other, and against the limits that they are said to have met.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Report, Rule, rules};
use crate::metric::{Latency, heading};
use crate::quantity::{Quantity, plain, significant};
use crate::record::audit::Capacity;
use crate::record::sweep::{Step, Sweep};
use crate::record::{Audit, LatencyLimits, Run};
use crate::schema::Document;

/// An end-to-end latency may be so many times what its parts give, or that part of it: a mean over requests weighs short
/// outputs as much as long ones. In another unit it is off by a thousand.
const PARTS: f64 = 2.0;

/// The latencies of one measurement in milliseconds, each with its pointer.
struct Measured<'a> {
    label: &'a str,
    values: BTreeMap<&'a str, (Quantity, String)>,
}

/// Latencies of every config and step of a run.
pub fn of_run(run: &Run, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let values = config.latencies.keys().filter_map(|name| {
            let value = Quantity::exact(config.latency_ms(name)?);
            Some((name.as_str(), (value, format!("/configs/{position}/{name}"))))
        });
        let measured = Measured { label: &config.label, values: values.collect() };
        // Of a single token there is no time for each of the others.
        let times_tokens = config.output_tokens_mean.is_none_or(|tokens| tokens >= 2.0);
        measured.are_in_order(times_tokens, document, report);
        if let Some(tokens) = config.output_tokens_mean.filter(|_| times_tokens) {
            measured.add_up(tokens, document, report);
        }
        // What passed in some of its repeats may have failed in those that the latency is of.
        if config.slo_pass_count.is_some() && config.slo_pass_count == config.all_repeats() {
            let said = "every repeat is said to have met the SLO";
            measured.meet(&rules::SLO_CONTRADICTED, said, run.slo.as_ref(), document, report);
        }
        of_steps(&config.label, &sweeps[position], run.slo.as_ref(), document, report);
    }
}

/// Latencies at every capacity and step of an audit.
pub fn of_audit(audit: &Audit, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, config) in audit.configs.iter().enumerate() {
        let label = config.label.as_deref().unwrap_or(&config.key);
        if let Capacity::At(at) = &config.capacity {
            let values = at.latencies.iter().map(|(name, value)| {
                (name.as_str(), (*value, format!("/configs/{position}/capacity/latencies/{name}")))
            });
            let measured = Measured { label, values: values.collect() };
            measured.are_in_order(true, document, report);
            let said = "the capacity is said to meet the SLO";
            measured.meet(&rules::SLO_CONTRADICTED, said, Some(&audit.slo), document, report);
        }
        of_steps(label, &sweeps[position], Some(&audit.slo), document, report);
    }
}

fn of_steps(label: &str, sweep: &Sweep, slo: Option<&LatencyLimits>, document: &Document, report: &mut Report) {
    for step in &sweep.steps {
        let at = |step: &Step, path: &str| format!("{}/{path}", step.pointer);
        let values = step.latencies.iter().map(|(name, (value, path))| (*name, (*value, at(step, path))));
        let measured = Measured { label, values: values.collect() };
        measured.are_in_order(true, document, report);
        if (step.passed, step.met) == (Some(true), Some(false)) {
            measured.meet(&rules::SWEEP_VERDICT, "the step is said to have passed", slo, document, report);
        }
    }
}

impl Measured<'_> {
    /// Of the same requests, no percentile is above a higher one, and no request ends before its first token or takes
    /// less than one of its tokens.
    fn are_in_order(&self, times_tokens: bool, document: &Document, report: &mut Report) {
        let mut pairs = Vec::new();
        for metric in Latency::METRICS {
            let percentiles = Latency::STATISTICS.iter().filter(|statistic| **statistic != "mean");
            let names = percentiles.map(|statistic| format!("{metric}_{statistic}_ms"));
            let names: Vec<_> = names.filter(|name| self.values.contains_key(name.as_str())).collect();
            pairs.extend(names.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())));
        }
        for part in if times_tokens { &["ttft", "tpot"][..] } else { &["ttft"] } {
            let alike = |statistic: &&str| (format!("{part}_{statistic}_ms"), format!("e2el_{statistic}_ms"));
            pairs.extend(Latency::STATISTICS.iter().map(alike));
        }
        for (lower, higher) in pairs {
            let (Some((low, at_low)), Some((high, pointer))) =
                (self.values.get(lower.as_str()), self.values.get(higher.as_str()))
            else {
                continue;
            };
            if low.low() <= high.high() {
                continue;
            }
            let message = format!(
                "`{}`: {} of {} ms is below {} of {} ms",
                self.label,
                heading(&higher),
                plain(*high),
                heading(&lower),
                plain(*low)
            );
            report.push(
                Diagnostic::new(&rules::LATENCY_ORDER, document.location(pointer), message)
                    .pointer(pointer.clone())
                    .related(document.spans.nearest(at_low), "what cannot be above it")
                    .help("ask the source; two of the numbers may have been exchanged, or are of other requests"),
            );
        }
    }

    /// A request takes the time to its first token and that of each of the others, and so, nearly, do the means.
    fn add_up(&self, tokens: f64, document: &Document, report: &mut Report) {
        let of = |metric: &str| self.values.get(format!("{metric}_mean_ms").as_str());
        let (Some((whole, pointer)), Some((ttft, _)), Some((tpot, at_tpot))) = (of("e2el"), of("ttft"), of("tpot"))
        else {
            return;
        };
        let parts = *ttft + *tpot * (tokens - 1.0);
        if whole.high() * PARTS >= parts.low() && whole.low() <= PARTS * parts.high() {
            return;
        }
        let message = format!(
            "`{}`: a mean request of {} ms, but a mean TTFT of {} ms and {} ms for each of the other {} tokens are {} ms",
            self.label,
            plain(*whole),
            plain(*ttft),
            plain(*tpot),
            plain((tokens - 1.0).into()),
            significant(parts.middle())
        );
        report.push(
            Diagnostic::new(&rules::LATENCY_MEANS, document.location(pointer), message)
                .pointer(pointer.clone())
                .related(document.spans.nearest(at_tpot), "the time of a token")
                .help("ask the source whether one of them is in another unit, or of other requests"),
        );
    }

    /// Reports each latency over the limit of its metric and statistic, or of a higher one, which is said to be met.
    fn meet(
        &self,
        rule: &'static Rule,
        said: &str,
        slo: Option<&LatencyLimits>,
        document: &Document,
        report: &mut Report,
    ) {
        let over = slo.into_iter().flatten().flat_map(|(limited, limit)| {
            let own = self
                .values
                .iter()
                .filter(move |(name, (value, _))| value.low() > *limit && Latency::is_no_more_by_name(name, limited));
            own.map(move |(name, (value, pointer))| (limited, limit, name, value, pointer))
        });
        for (limited, limit, name, value, pointer) in over {
            let of = if limited == name { String::new() } else { format!(" of {}", heading(limited)) };
            let message = format!(
                "`{}`: {said}, with {} of {} ms over the limit{of} of {} ms",
                self.label,
                heading(name),
                plain(*value),
                plain((*limit).into())
            );
            report.push(
                Diagnostic::new(rule, document.location(pointer), message)
                    .pointer(pointer.clone())
                    .help("ask the source which of the two holds"),
            );
        }
    }
}
