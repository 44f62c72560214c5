//! A search for capacity: the loads that were tried, in the form that run records and audits share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::audit::AuditConfig;
use super::run::RunConfig;
use super::{Audit, LatencyLimits, Run};
use crate::metric::Latency;
use crate::quantity::{Quantity, grouped, plain};

/// Requests of a measurement by their end.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Requests {
    pub sent: Option<u64>,
    pub completed: Option<u64>,
    pub failed: Option<u64>,
    /// Cut off by the end of the measurement.
    pub cancelled: Option<u64>,
    /// Completed within every limit of the SLO.
    pub met: Option<u64>,
}

impl Requests {
    /// Requests that the latencies are of: those that completed, at most those sent.
    pub fn measured(&self) -> Option<u64> {
        self.completed.or(self.sent)
    }

    /// Requests that did not complete, apart from those in flight when the measurement ended; `None` where the record does
    /// not say.
    pub fn unfinished(&self) -> Option<u64> {
        self.failed.or_else(|| self.sent?.checked_sub(self.completed?)?.checked_sub(self.cancelled.unwrap_or(0)))
    }

    /// Words for those that did not complete, where there are any.
    pub fn lost(&self) -> Option<String> {
        let unfinished = self.unfinished().filter(|count| *count > 0)?;
        let of = self.sent.map(|sent| format!(" of {}", grouped(&sent.to_string()))).unwrap_or_default();
        Some(format!("{}{of} requests did not complete", grouped(&unfinished.to_string())))
    }

    pub fn any_unfinished(&self) -> bool {
        self.unfinished().is_some_and(|count| count > 0)
    }
}

/// Delivered below this share of the offered rate, a load did not hold.
pub const DELIVERED: f64 = 0.9;

/// One load and what came of it.
#[derive(Debug)]
pub struct Step<'a> {
    /// JSON pointer of the step.
    pub pointer: String,
    pub offered_rps: Option<Quantity>,
    pub concurrency: Option<u64>,
    pub delivered_rps: Option<Quantity>,
    pub output_tok_s: Option<Quantity>,
    /// Latencies in milliseconds, each with its path below the step.
    pub latencies: BTreeMap<&'a str, (Quantity, String)>,
    pub requests: Option<&'a Requests>,
    /// Start-up or compilation fell into it, so that it says nothing about capacity.
    pub includes_warmup: bool,
    /// Whether it met the SLO, as the record says.
    pub passed: Option<bool>,
    /// The same from its latencies and the limits; `None` where they do not decide it.
    pub met: Option<bool>,
}

impl Step<'_> {
    /// Whether it met the SLO: what the record says, else what its latencies say.
    pub fn verdict(&self) -> Option<bool> {
        self.passed.or(self.met)
    }

    /// Words for a percentile over too few requests to have such a tail; `None` where there are enough, or their number
    /// is not stated.
    pub fn too_few_requests(&self, name: &str) -> Option<String> {
        Latency::parse(name)?.of_too_few(self.requests?.measured()?)
    }

    /// The offered rate where it is one: load generators write no limit as 0.
    pub fn rate_rps(&self) -> Option<Quantity> {
        self.offered_rps.filter(|rate| rate.low() > 0.0)
    }

    /// Whether what was offered was delivered, as far as the step says.
    pub fn is_held(&self) -> bool {
        match (self.rate_rps(), self.delivered_rps) {
            (Some(offered), Some(delivered)) => delivered.high() >= DELIVERED * offered.low(),
            _ => true,
        }
    }

    /// Its load on an axis.
    pub fn load(&self, axis: Axis) -> Option<Quantity> {
        match axis {
            Axis::Rate => self.rate_rps(),
            Axis::Concurrency => self.concurrency.map(|count| Quantity::exact(count as f64)),
        }
    }
}

/// What the loads of a sweep are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Offered requests per second.
    Rate,
    /// Requests in flight, where no step is at a rate.
    Concurrency,
}

impl Axis {
    /// The field of a step that holds its load.
    pub fn field(self) -> &'static str {
        match self {
            Axis::Rate => "offered_rps",
            Axis::Concurrency => "concurrency",
        }
    }

    /// What a load is called.
    pub fn noun(self) -> &'static str {
        match self {
            Axis::Rate => "rate",
            Axis::Concurrency => "concurrency",
        }
    }

    /// A load with its unit.
    pub fn words(self, load: Quantity) -> String {
        match self {
            Axis::Rate => format!("{} req/s", plain(load)),
            Axis::Concurrency => format!("{} concurrent requests", plain(load)),
        }
    }
}

/// The steps of one config in the order of the test.
#[derive(Debug)]
pub struct Sweep<'a> {
    /// What the config is called.
    pub label: &'a str,
    pub steps: Vec<Step<'a>>,
}

impl Run {
    /// The sweep of every config, in their order.
    pub fn sweeps(&self) -> Vec<Sweep<'_>> {
        let configs = self.configs.iter().enumerate();
        configs.map(|(position, config)| Sweep::of_run(config, position, self.slo.as_ref())).collect()
    }
}

impl Audit {
    /// The sweep of every config, in their order.
    pub fn sweeps(&self) -> Vec<Sweep<'_>> {
        let configs = self.configs.iter().enumerate();
        configs.map(|(position, config)| Sweep::of_audit(config, position, &self.slo)).collect()
    }
}

impl<'a> Sweep<'a> {
    fn of_run(config: &'a RunConfig, position: usize, slo: Option<&LatencyLimits>) -> Self {
        let steps = config.sweep.iter().flatten().enumerate().map(|(at, step)| {
            let latencies = step.latencies.iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
            Step {
                pointer: format!("/configs/{position}/sweep/{at}"),
                offered_rps: step.offered_rps.map(Into::into),
                concurrency: step.concurrency,
                delivered_rps: step.delivered_rps.map(Into::into),
                output_tok_s: step.output_tok_s.map(Into::into),
                latencies: latencies.map(|(name, value)| (name.as_str(), (value.into(), name.clone()))).collect(),
                requests: step.requests.as_ref(),
                includes_warmup: step.includes_warmup == Some(true),
                passed: step.passed,
                met: None,
            }
        });
        Sweep { label: &config.label, steps: steps.map(|step| step.judged(slo)).collect() }
    }

    fn of_audit(config: &'a AuditConfig, position: usize, slo: &LatencyLimits) -> Self {
        let steps = config.steps.iter().flatten().enumerate().map(|(at, step)| {
            let latencies = step.latencies.iter();
            let placed =
                |(name, value): (&'a String, &Quantity)| (name.as_str(), (*value, format!("latencies/{name}")));
            Step {
                pointer: format!("/configs/{position}/steps/{at}"),
                offered_rps: step.offered_rps,
                concurrency: step.concurrency,
                delivered_rps: step.delivered_rps,
                output_tok_s: step.output_tok_s,
                latencies: latencies.map(placed).collect(),
                requests: step.requests.as_ref(),
                includes_warmup: step.includes_warmup == Some(true),
                passed: step.passed,
                met: None,
            }
        });
        let label = config.label.as_deref().unwrap_or(&config.key);
        Sweep { label, steps: steps.map(|step| step.judged(Some(slo))).collect() }
    }

    /// What its loads are counted in: rates, unless it has only requests in flight.
    pub fn axis(&self) -> Axis {
        let at_rates = self.steps.iter().any(|step| step.rate_rps().is_some());
        let in_flight = self.steps.iter().any(|step| step.concurrency.is_some());
        if in_flight && !at_rates { Axis::Concurrency } else { Axis::Rate }
    }

    /// Whose a step is, and at which load.
    pub fn words(&self, step: &Step) -> String {
        let axis = self.axis();
        match step.load(axis) {
            Some(load) => format!("`{}` at {}", self.label, axis.words(load)),
            None => format!("`{}` at a load that is not stated", self.label),
        }
    }

    /// The steps that count for capacity, lowest load first and of one load those that failed: those at a load, with a
    /// verdict and without warm-up.
    pub fn counting(&self) -> Vec<(&Step<'a>, Quantity, bool)> {
        let axis = self.axis();
        let counts = |step: &'_ Step<'a>| !step.includes_warmup;
        let steps = self.steps.iter().filter(|step| counts(step));
        let mut steps: Vec<_> = steps.filter_map(|step| Some((step, step.load(axis)?, step.verdict()?))).collect();
        steps.sort_by(|one, other| one.1.middle().total_cmp(&other.1.middle()).then(one.2.cmp(&other.2)));
        steps
    }

    /// A load that failed between two that passed, or at one that did, and the next that passed: between those two there
    /// is no telling where capacity lies. What failed below all that passed may be warm-up, and does not count here.
    pub fn contradiction(&self) -> Option<(&Step<'a>, &Step<'a>)> {
        let counting = self.counting();
        let last = counting.iter().rposition(|(.., passed)| *passed)?;
        let (_, first, _) = *counting.iter().find(|(.., passed)| *passed)?;
        let failing =
            counting[..last].iter().position(|(_, load, passed)| !passed && load.middle() >= first.middle())?;
        let passing = counting[failing..].iter().find(|(.., passed)| *passed)?;
        Some((counting[failing].0, passing.0))
    }

    /// The step of the highest load that passed, even where a lower one failed.
    pub fn last_passing(&self) -> Option<&Step<'a>> {
        self.counting().into_iter().rev().find(|(.., passed)| *passed).map(|(step, ..)| step)
    }

    /// Loads that failed although a higher one passed.
    pub fn failing_below(&self) -> Vec<Quantity> {
        let counting = self.counting();
        let last = counting.iter().rposition(|(.., passed)| *passed).unwrap_or_default();
        counting[..last].iter().filter(|(.., passed)| !passed).map(|(_, load, _)| *load).collect()
    }

    /// The step of the lowest load that failed above all that passed.
    pub fn first_failing(&self) -> Option<&Step<'a>> {
        let counting = self.counting();
        let from = counting.iter().rposition(|(.., passed)| *passed).map_or(0, |last| last + 1);
        counting.get(from).map(|(step, ..)| *step)
    }
}

/// Whether two configs were tested at the same rates, in whatever order.
pub fn same_rates(one: &[Quantity], other: &[Quantity]) -> bool {
    let sorted = |rates: &[Quantity]| {
        let mut rates = rates.to_vec();
        rates.sort_by(|one, other| one.middle().total_cmp(&other.middle()));
        rates
    };
    sorted(one) == sorted(other)
}

impl Step<'_> {
    /// Whether a latency says that a limit is missed: its own percentile, or a lower one of the metric.
    fn is_over(&self, limited: &str, limit: f64) -> bool {
        let mut over = self.latencies.iter().filter(|(_, (value, _))| value.low() > limit);
        over.any(|(own, _)| Latency::is_no_more_by_name(own, limited))
    }

    fn judged(mut self, slo: Option<&LatencyLimits>) -> Self {
        let limits = slo.into_iter().flatten().map(|(name, limit)| {
            if self.is_over(name, *limit) {
                return Some(false);
            }
            let (value, _) = self.latencies.get(name.as_str())?;
            // An interval around the limit decides nothing.
            (value.high() <= *limit).then_some(true)
        });
        let limits: Vec<_> = limits.collect();
        self.met = if limits.contains(&Some(false)) {
            Some(false)
        } else {
            (!limits.is_empty() && limits.iter().all(|met| *met == Some(true))).then_some(true)
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sweep of offered rates with verdicts; a negative rate stands for a step with warm-up.
    fn sweep(steps: &[(f64, bool)]) -> Sweep<'static> {
        let step = |(rate, passed): &(f64, bool)| Step {
            pointer: String::new(),
            offered_rps: Some(rate.abs().into()),
            concurrency: None,
            delivered_rps: None,
            output_tok_s: None,
            latencies: BTreeMap::new(),
            requests: None,
            includes_warmup: *rate < 0.0,
            passed: Some(*passed),
            met: None,
        };
        Sweep { label: "", steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn capacity_lies_between_the_last_pass_and_the_first_failure_above_it() {
        type Tried = &'static [(f64, bool)];
        let rates: [(Tried, Option<f64>, Option<f64>); 8] = [
            (&[(3.0, true), (4.5, true), (5.5, false)], Some(4.5), Some(5.5)),
            // A failure below a pass does not end the search, and the order of the test does not matter.
            (&[(8.0, false), (0.3, true), (0.1, false), (0.5, true)], Some(0.5), Some(8.0)),
            (&[(5.5, false), (6.5, true), (8.0, true)], Some(8.0), None),
            (&[(3.0, false), (2.0, false)], None, Some(2.0)),
            // Neither a pass nor a failure with warm-up in it counts.
            (&[(-9.0, true), (8.0, true), (-8.5, false), (10.0, false)], Some(8.0), Some(10.0)),
            // 0 is written where there is no limit, and is no rate.
            (&[(3.0, true), (0.0, false)], Some(3.0), None),
            (&[(0.0, true)], None, None),
            (&[], None, None),
        ];
        for (steps, passing, failing) in rates {
            let sweep = sweep(steps);
            let rate = |step: Option<&Step>| step.and_then(Step::rate_rps).map(Quantity::low);
            assert_eq!((rate(sweep.last_passing()), rate(sweep.first_failing())), (passing, failing), "{steps:?}");
        }
    }

    #[test]
    fn loads_that_failed_below_one_that_passed_are_known() {
        for (steps, expected) in [
            (&[(0.1, false), (0.2, false), (0.3, true), (1.0, false)][..], &[0.1, 0.2][..]),
            (&[(0.1, true), (-0.05, false), (0.2, false)], &[]),
            (&[(0.1, false)], &[]),
            (&[], &[]),
        ] {
            let found: Vec<_> = sweep(steps).failing_below().into_iter().map(Quantity::low).collect();
            assert_eq!(found, expected, "{steps:?}");
        }
    }

    #[test]
    fn a_failure_between_passes_contradicts_them() {
        type Tried = &'static [(f64, bool)];
        let rates: [(Tried, Option<(f64, f64)>); 7] = [
            (&[(1.0, true), (2.0, false), (3.0, true)], Some((2.0, 3.0))),
            (&[(1.0, true), (2.0, false), (3.0, false), (4.0, true), (5.0, false)], Some((2.0, 4.0))),
            // One load that both passed and failed, in either order.
            (&[(4.0, true), (4.0, false), (8.0, false)], Some((4.0, 4.0))),
            (&[(4.0, false), (4.0, true), (8.0, false)], Some((4.0, 4.0))),
            // Below all that passed.
            (&[(1.0, false), (2.0, true), (3.0, true), (4.0, false)], None),
            (&[(1.0, true), (-2.0, false), (3.0, true)], None),
            (&[(1.0, false)], None),
        ];
        for (steps, expected) in rates {
            let sweep = sweep(steps);
            let rate = |step: &Step| step.rate_rps().map(Quantity::low);
            let found = sweep.contradiction().and_then(|(failing, passing)| rate(failing).zip(rate(passing)));
            assert_eq!(found, expected, "{steps:?}");
        }
    }

    #[test]
    fn without_rates_the_loads_are_counted_in_requests_in_flight() {
        let mut sweep = sweep(&[(1.0, true), (2.0, true), (3.0, false)]);
        for (step, concurrency) in sweep.steps.iter_mut().zip([8, 4, 16]) {
            step.offered_rps = None;
            step.concurrency = Some(concurrency);
        }
        let concurrency = |step: Option<&Step>| step.and_then(|step| step.concurrency);
        assert_eq!(sweep.axis(), Axis::Concurrency);
        assert_eq!((concurrency(sweep.last_passing()), concurrency(sweep.first_failing())), (Some(8), Some(16)));
        // One rate among them, and the others have no place in the order.
        sweep.steps[2].offered_rps = Some(1.5.into());
        assert_eq!((sweep.axis(), sweep.counting().len()), (Axis::Rate, 1));
    }

    #[test]
    fn latencies_decide_where_the_record_does_not_say() {
        let slo = LatencyLimits::from([("ttft_p95_ms".to_owned(), 1500.0), ("tpot_p95_ms".to_owned(), 50.0)]);
        for (ttft, tpot, met) in [
            (Some(Quantity::exact(1500.0)), Some(Quantity::exact(50.0)), Some(true)),
            (Some(Quantity::exact(2100.0)), None, Some(false)),
            (Some(Quantity::exact(140.0)), None, None),
            (Some(Quantity::exact(140.0)), Some(Quantity::exact(50.1)), Some(false)),
            (Some(Quantity::between(1400.0, 1600.0)), Some(Quantity::exact(10.0)), None),
            (None, None, None),
        ] {
            let mut step = sweep(&[(1.0, true)]).steps.remove(0);
            step.passed = None;
            let given = [("ttft_p95_ms", ttft), ("tpot_p95_ms", tpot)];
            let given = given.into_iter().filter_map(|(name, value)| Some((name, (value?, name.to_owned()))));
            step.latencies = given.collect();
            assert_eq!(step.judged(Some(&slo)).verdict(), met, "{ttft:?} {tpot:?}");
        }
        // A median over the limit leaves no 95th percentile within it; a 99th over it says nothing.
        for (name, met) in [("ttft_p50_ms", Some(false)), ("ttft_p99_ms", None)] {
            let mut step = sweep(&[(1.0, true)]).steps.remove(0);
            (step.passed, step.latencies) = (None, BTreeMap::from([(name, (1501.0.into(), name.to_owned()))]));
            assert_eq!(step.judged(Some(&slo)).verdict(), met, "{name}");
        }
        let unlimited = sweep(&[(1.0, true)]).steps.remove(0).judged(None);
        assert_eq!((unlimited.met, unlimited.verdict()), (None, Some(true)));
    }

    #[test]
    fn the_order_of_a_test_does_not_make_its_rates_others() {
        let rates = |rates: &[f64]| rates.iter().copied().map(Quantity::exact).collect::<Vec<_>>();
        assert!(same_rates(&rates(&[8.0, 6.5]), &rates(&[6.5, 8.0])));
        assert!(!same_rates(&rates(&[8.0, 6.5]), &rates(&[8.0])));
        assert!(!same_rates(&rates(&[8.0]), &rates(&[8.5])));
    }

    #[test]
    fn what_did_not_complete_is_counted_where_it_is_known() {
        let of = |sent, completed, failed, cancelled| {
            Requests { sent, completed, failed, cancelled, met: None }.unfinished()
        };
        assert_eq!(of(Some(200), Some(180), Some(20), None), Some(20));
        assert_eq!(of(Some(200), Some(180), Some(15), Some(5)), Some(15));
        assert_eq!(of(Some(200), Some(195), None, Some(5)), Some(0));
        // Files of older harnesses say what was planned and what completed, and nothing of the rest.
        assert_eq!(of(Some(2560), Some(1885), None, None), Some(675));
        assert_eq!(of(Some(200), None, None, None), None);
        assert_eq!(of(Some(200), Some(201), None, None), None);
    }
}
