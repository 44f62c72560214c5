//! Little's law: what is in flight on average is never more than the most that the load generator lets in.
//! Source: J. D. C. Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9(3), 1961.

use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::{Quantity, plain, significant};
use crate::record::Run;
use crate::record::run::RunConfig;
use crate::record::sweep::Sweep;
use crate::schema::Document;

/// Requests that were in flight before or after the time over which a rate is taken.
const EDGES: f64 = 0.05;
/// A mean over requests weighs short outputs as much as long ones, while a rate weighs tokens.
const WEIGHTS: f64 = 0.25;

/// What one load let in and what came of it.
struct Load {
    /// The config, of a step with its load.
    whose: String,
    /// Most requests in flight at once.
    concurrency: u64,
    requests: Option<Measured>,
    output_tokens: Option<Measured>,
    e2el_mean_ms: Option<Quantity>,
    tpot_mean_ms: Option<Quantity>,
}

/// A rate a second and where it stands.
struct Measured {
    rate: Quantity,
    pointer: String,
}

/// Every config of a run and every step of its searches.
pub fn of_run(run: &Run, sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        if let Some(load) = of_config(config, position) {
            load.holds(document, report);
        }
    }
    of_steps(sweeps, document, report);
}

fn of_config(config: &RunConfig, position: usize) -> Option<Load> {
    let measured = |name: &str, rate: Option<f64>| {
        Some(Measured { rate: rate?.into(), pointer: format!("/configs/{position}/{name}") })
    };
    Some(Load {
        whose: format!("`{}`", config.label),
        concurrency: config.concurrency?,
        requests: measured("request_throughput_rps", config.request_throughput_rps),
        output_tokens: measured("output_tok_s", config.output_tok_s),
        e2el_mean_ms: config.latency_ms("e2el_mean_ms").map(Quantity::exact),
        tpot_mean_ms: config.latency_ms("tpot_mean_ms").map(Quantity::exact),
    })
}

/// Every step that says how many requests it kept in flight.
pub fn of_steps(sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for (sweep, step) in sweeps.iter().flat_map(|sweep| sweep.steps.iter().map(move |step| (sweep, step))) {
        let Some(concurrency) = step.concurrency else { continue };
        let measured = |name: &str, rate: Option<Quantity>| {
            Some(Measured { rate: rate?, pointer: format!("{}/{name}", step.pointer) })
        };
        let latency = |name: &str| step.latencies.get(name).map(|(value, _)| *value);
        let load = Load {
            whose: sweep.words(step),
            concurrency,
            requests: measured("delivered_rps", step.delivered_rps),
            output_tokens: measured("output_tok_s", step.output_tok_s),
            e2el_mean_ms: latency("e2el_mean_ms"),
            tpot_mean_ms: latency("tpot_mean_ms"),
        };
        load.holds(document, report);
    }
}

impl Load {
    fn holds(&self, document: &Document, report: &mut Report) {
        let pairs = [
            (&self.requests, self.e2el_mean_ms, EDGES, "req/s", "a mean end-to-end latency"),
            (&self.output_tokens, self.tpot_mean_ms, WEIGHTS, "output tok/s", "a mean TPOT"),
        ];
        for (measured, latency_ms, tolerance, unit, latency) in pairs {
            let (Some(Measured { rate, pointer }), Some(ms)) = (measured, latency_ms) else { continue };
            let in_flight = *rate * ms / 1000.0;
            if !in_flight.is_finite() || in_flight.low() <= self.concurrency as f64 * (1.0 + tolerance) {
                continue;
            }
            let message = format!(
                "{}: {} {unit} at {latency} of {} ms are {} requests in flight, and no more than {} were let in",
                self.whose,
                plain(*rate),
                plain(ms),
                significant(in_flight.middle()),
                self.concurrency
            );
            report.push(
                Diagnostic::new(&rules::LOAD_IN_FLIGHT, document.location(pointer), message)
                    .pointer(pointer.clone())
                    .help("ask the source which of the three numbers is of another load, of more replicas, or in another unit"),
            );
        }
    }
}
