//! One measured run as a harness reports it, in our units: what every reader of results fills in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::metric::Latency;
use crate::record::run::{PowerKind, RoleGpus};
use crate::record::{Date, LatencyLimits};

/// A measured run, as far as its file says. What the file does not say is absent, and `remarks` say why where that is
/// not plain. Only fields with a name of ours are ever copied out of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// What tells this run apart in its file, in the file's own words.
    pub label: Option<String>,
    /// Day of the measurement.
    pub date: Option<Date>,
    /// Start and end, seconds since 1970 in UTC.
    pub window_unix_s: Option<(f64, f64)>,
    pub subject: Subject,
    pub load: Load,
    /// Why there is no result, where the run failed; then it has no rates and no latencies.
    pub failed: Option<String>,
    pub duration_s: Option<f64>,
    pub requests: Requests,
    pub input_tok_s: Option<f64>,
    pub output_tok_s: Option<f64>,
    /// Input and output together.
    pub total_tok_s: Option<f64>,
    /// Completed requests per second.
    pub request_throughput_rps: Option<f64>,
    /// Milliseconds by metric and statistic, `ttft_p99_ms`; filled by [`Measured::latency`].
    pub latencies_ms: BTreeMap<String, f64>,
    /// The completed requests one by one, where the file has them.
    pub samples: Vec<Sample>,
    /// Prompt tokens found in a cache, percent.
    pub prefix_cache_hit_pct: Option<f64>,
    pub power: Option<Power>,
    /// Latency limits that the file says the run was judged by, milliseconds.
    pub slo_ms: LatencyLimits,
    /// That tokens were drafted, and how many of them were accepted, where the file says so.
    pub speculation: Option<String>,
    /// What a reader must know: values left out and why, disagreements inside the file.
    pub remarks: BTreeSet<String>,
    /// Settings of server and harness that are safe to publish, under their own names. Runs that differ in one are no
    /// repeats of each other.
    pub settings: Map<String, Value>,
    /// What else the file says and we have no name for. It is never published, but runs that differ in it are no repeats.
    pub unread: BTreeMap<String, Value>,
}

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Subject {
    pub model: Option<String>,
    pub engine: Option<String>,
    pub engine_version: Option<String>,
    /// Container image and flags.
    pub image: Option<String>,
    pub quantization: Option<String>,
    pub kv_dtype: Option<String>,
    pub parallelism: Option<String>,
    pub accelerator: Option<String>,
    /// GPUs that the rates cover.
    pub gpus: Option<u32>,
    /// The same by role, where prefill and decode run on different ones.
    pub role_gpus: Option<RoleGpus>,
    pub driver: Option<String>,
}

/// What was asked of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Load {
    pub dataset: Option<String>,
    /// Measured tokens of a request, mean.
    pub input_tokens: Option<f64>,
    pub output_tokens: Option<f64>,
    /// Tokens of a request as they were asked for.
    pub input_tokens_requested: Option<f64>,
    pub output_tokens_requested: Option<f64>,
    pub offered: Option<Offered>,
    /// Tokens of this run alone, where the runs of one record are tests of several lengths.
    pub test: Option<TestTokens>,
    /// Most requests in flight at once.
    pub concurrency: Option<u64>,
    /// How requests arrive, in words and without the rate.
    pub arrival: Option<String>,
}

/// Tokens of a test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestTokens {
    /// In the cache before it begins.
    pub context: u64,
    pub input: u64,
    pub output: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Offered {
    /// Requests per second.
    Rate(f64),
    /// All at once, or as fast as the concurrency allows.
    Unlimited,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Requests {
    pub sent: Option<u64>,
    pub completed: Option<u64>,
    pub failed: Option<u64>,
    pub cancelled: Option<u64>,
}

/// One completed request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sample {
    pub ttft_ms: Option<f64>,
    pub tpot_ms: Option<f64>,
    pub e2el_ms: Option<f64>,
    pub output_tokens: Option<u64>,
}

impl Sample {
    /// Its latency by metric, milliseconds.
    fn of(&self, metric: &str) -> Option<f64> {
        match metric {
            "ttft" => self.ttft_ms,
            "tpot" => self.tpot_ms,
            "e2el" => self.e2el_ms,
            _ => None,
        }
    }
}

/// Power over the measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Power {
    pub kw: f64,
    pub kind: PowerKind,
    pub source: String,
    pub sampling_hz: Option<f64>,
    /// When it was read, in words.
    pub window: Option<String>,
}

/// A time as a tool states it; becomes milliseconds here and nowhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    Nanoseconds,
    Milliseconds,
    Seconds,
}

impl Time {
    pub fn ms(self, value: f64) -> f64 {
        match self {
            Time::Nanoseconds => value / 1e6,
            Time::Milliseconds => value,
            Time::Seconds => value * 1e3,
        }
    }

    /// A duration or a moment in seconds.
    pub fn s(self, value: f64) -> f64 {
        self.ms(value) / 1e3
    }
}

/// Rates that differ by less than this share are one rate, rounded or summed in another order.
const ROUNDING: f64 = 1e-3;

impl Measured {
    /// Takes a latency by metric (`ttft`, `tpot`, `itl`, `e2el`) and statistic (`mean`, `median`, `p99`). A zero stands for
    /// no value: with one output token a request there is no TPOT. Statistics that our records do not have are left out.
    pub fn latency(&mut self, metric: &str, statistic: &str, time: Time, value: Option<f64>) {
        let statistic = match statistic {
            "median" => "p50",
            "avg" | "average" => "mean",
            other => other,
        };
        let name = format!("{metric}_{statistic}_ms");
        let Some(value) = value.filter(|_| Latency::parse(&name).is_some()) else { return };
        if value > 0.0 {
            self.latencies_ms.entry(name).or_insert(time.ms(value));
        } else {
            self.remark(format!("{} is {value} in the file, which stands for no value", metric.to_uppercase()));
        }
    }

    pub fn remark(&mut self, text: impl Into<String>) {
        self.remarks.insert(text.into());
    }

    /// A run that gave no result keeps the counts of its requests and says why.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.failed = Some(reason.into());
        self.latencies_ms.clear();
        self.samples.clear();
        self.remarks.retain(|remark| !remark.ends_with("which stands for no value"));
        for number in [
            &mut self.duration_s,
            &mut self.input_tok_s,
            &mut self.output_tok_s,
            &mut self.total_tok_s,
            &mut self.request_throughput_rps,
            &mut self.load.input_tokens,
            &mut self.load.output_tokens,
        ] {
            *number = None;
        }
    }

    /// A rate as the file states it, else its count over the duration; where both are there and differ, a remark says so.
    pub fn rate(&mut self, name: &str, stated: Option<f64>, count: Option<f64>) -> Option<f64> {
        let positive = |rate: &f64| rate.is_finite() && *rate > 0.0;
        let counted = count.zip(self.duration_s).map(|(count, seconds)| count / seconds).filter(positive);
        let stated = stated.filter(positive);
        if let (Some(stated), Some(counted)) = (stated, counted)
            && (stated - counted).abs() > ROUNDING * counted
        {
            self.remark(format!("{name}: the file states {stated}, its own counts over its duration give {counted}"));
        }
        stated.or(counted)
    }

    /// What follows once a reader has filled in all that its file says: statistics that only the single requests give, and
    /// remarks on values that their unit makes unlikely.
    pub(super) fn complete(&mut self) {
        let of = self.requests.sent.map(|sent| format!(" of {sent}")).unwrap_or_default();
        let nothing = (self.requests.completed == Some(0)).then(|| format!("none{of} requests completed"));
        if let Some(reason) = self.failed.take().or(nothing) {
            self.fail(reason);
        }
        self.statistics_of_samples();
        let seconds = self.duration_s.unwrap_or(f64::INFINITY);
        let doubtful = self.latencies_ms.iter().filter_map(|(name, ms)| match Latency::parse(name)?.metric {
            "tpot" if !(0.5..=5000.0).contains(ms) => Some(format!("{name} of {ms} is unlikely: is its unit right?")),
            "ttft" if *ms > 1e3 * seconds => Some(format!("{name} of {ms} is longer than the run of {seconds} s")),
            _ => None,
        });
        let doubtful: Vec<_> = doubtful.collect();
        self.remarks.extend(doubtful);
    }

    fn statistics_of_samples(&mut self) {
        let mut taken = BTreeSet::new();
        for metric in ["ttft", "tpot", "e2el"] {
            let values = self.samples.iter().filter_map(|sample| sample.of(metric));
            let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
            values.sort_by(f64::total_cmp);
            for statistic in Latency::STATISTICS {
                let name = format!("{metric}_{statistic}_ms");
                if let Some(value) = statistic_of(&values, statistic).filter(|_| !self.latencies_ms.contains_key(&name))
                {
                    self.latencies_ms.insert(name.clone(), value);
                    taken.insert(name);
                }
            }
        }
        if !taken.is_empty() {
            let names: Vec<_> = taken.into_iter().collect();
            self.remark(format!("from the single requests in the file: {}", names.join(", ")));
        }
    }

    /// Whether the run as a whole met the limits; `None` where there are none, or where the file lacks a latency that one
    /// of them asks for. A run that lost requests has not met them.
    pub fn met(&self, limits: &LatencyLimits) -> Option<bool> {
        if limits.is_empty() {
            return None;
        }
        if self.failed.is_some() || self.lost_requests() {
            return Some(false);
        }
        let verdicts = limits.iter().map(|(name, limit)| Some(self.latencies_ms.get(name)? <= limit));
        let verdicts: Vec<_> = verdicts.collect();
        if verdicts.contains(&Some(false)) {
            Some(false)
        } else {
            verdicts.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
        }
    }

    /// Whether it has a rate, a latency or a request.
    pub fn has_values(&self) -> bool {
        let rates = [self.output_tok_s, self.input_tok_s, self.total_tok_s, self.request_throughput_rps];
        rates.iter().any(Option::is_some) || !self.latencies_ms.is_empty() || !self.samples.is_empty()
    }

    /// Whether requests failed. Those that were still in flight when the measurement ended did not: what they would have
    /// come to is not known.
    pub fn lost_requests(&self) -> bool {
        let Requests { sent, completed, failed, cancelled } = self.requests;
        let in_flight = cancelled.unwrap_or(0);
        let short = sent.zip(completed).is_some_and(|(sent, completed)| completed.saturating_add(in_flight) < sent);
        short || failed.is_some_and(|count| count > 0)
    }

    /// Completed requests that met every limit for themselves, where the file has the single requests.
    pub fn met_one_by_one(&self, limits: &LatencyLimits) -> Option<u64> {
        if self.samples.is_empty() || limits.is_empty() {
            return None;
        }
        let met = |sample: &Sample| {
            let of_limit = |(name, limit): (&String, &f64)| {
                let metric = Latency::parse(name)?.metric;
                // With one output token there is no TPOT, and none too long.
                let is_none = metric == "tpot" && sample.output_tokens == Some(1);
                Some(is_none || sample.of(metric)? <= *limit)
            };
            limits.iter().map(of_limit).try_fold(true, |all, one| Some(all & one?))
        };
        let met: Option<Vec<bool>> = self.samples.iter().map(met).collect();
        Some(met?.into_iter().filter(|met| *met).count() as u64)
    }
}

/// A statistic of sorted values, percentiles between two of them linearly, as numpy and so vLLM and SGLang have it.
fn statistic_of(sorted: &[f64], statistic: &str) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if statistic == "mean" {
        return Some(sorted.iter().sum::<f64>() / sorted.len() as f64);
    }
    let percent: f64 = statistic.strip_prefix('p')?.parse().ok()?;
    let rank = percent / 100.0 * last as f64;
    let (below, part) = (rank.floor() as usize, rank.fract());
    let (low, high) = (sorted.get(below)?, sorted.get((below + 1).min(last))?);
    Some(low + part * (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_come_in_milliseconds_and_a_zero_is_none() {
        let mut run = Measured::default();
        run.latency("ttft", "median", Time::Seconds, Some(0.25));
        run.latency("ttft", "p50", Time::Milliseconds, Some(999.0));
        run.latency("tpot", "p99", Time::Nanoseconds, Some(25e6));
        run.latency("tpot", "mean", Time::Milliseconds, Some(0.0));
        run.latency("itl", "p99.9", Time::Milliseconds, Some(3.0));
        let expected = [("tpot_p99_ms".to_owned(), 25.0), ("ttft_p50_ms".to_owned(), 250.0)];
        assert_eq!(run.latencies_ms, BTreeMap::from(expected));
        assert_eq!(run.remarks, BTreeSet::from(["TPOT is 0 in the file, which stands for no value".to_owned()]));
    }

    #[test]
    fn a_rate_is_the_stated_one_and_a_disagreement_is_said() {
        let mut run = Measured { duration_s: Some(10.0), ..Measured::default() };
        assert_eq!(run.rate("output_tok_s", None, Some(5.0)), Some(0.5));
        assert_eq!(run.rate("output_tok_s", Some(0.5004), Some(5.0)), Some(0.5004));
        assert!(run.remarks.is_empty());
        assert_eq!(run.rate("output_tok_s", Some(0.6), Some(5.0)), Some(0.6));
        assert_eq!(run.remarks.len(), 1);
        assert_eq!(run.rate("output_tok_s", Some(0.0), Some(0.0)), None);
        run.duration_s = Some(0.0);
        assert_eq!(run.rate("output_tok_s", None, Some(5.0)), None);
    }

    #[test]
    fn a_run_meets_its_limits_as_a_whole_or_one_request_at_a_time() {
        let limits = LatencyLimits::from([("ttft_p95_ms".to_owned(), 100.0), ("tpot_p95_ms".to_owned(), 10.0)]);
        let mut run = Measured::default();
        run.latency("ttft", "p95", Time::Milliseconds, Some(100.0));
        assert_eq!((run.met(&limits), run.met(&LatencyLimits::new())), (None, None));
        run.latency("tpot", "p95", Time::Milliseconds, Some(9.0));
        assert_eq!(run.met(&limits), Some(true));
        for (completed, failed, cancelled, met) in [
            (2, None, None, false),
            (2, Some(1), None, false),
            // In flight when the time was up.
            (2, Some(0), Some(1), true),
            (1, None, Some(1), false),
        ] {
            run.requests = Requests { sent: Some(3), completed: Some(completed), failed, cancelled };
            assert_eq!(run.met(&limits), Some(met), "{:?}", run.requests);
        }
        let sample = |ttft, tpot, tokens| Sample {
            ttft_ms: Some(ttft),
            tpot_ms: tpot,
            e2el_ms: None,
            output_tokens: Some(tokens),
        };
        run.samples = vec![sample(90.0, Some(11.0), 5), sample(90.0, Some(10.0), 5), sample(90.0, None, 1)];
        assert_eq!(run.met_one_by_one(&limits), Some(2));
        let of_all = LatencyLimits::from([("e2el_p99_ms".to_owned(), 1.0)]);
        assert_eq!(run.met_one_by_one(&of_all), None);
    }

    #[test]
    fn what_the_file_lacks_is_taken_from_its_single_requests() {
        let samples = [10.0, 20.0, 30.0, 40.0].map(|ttft| Sample { ttft_ms: Some(ttft), ..Sample::default() });
        let mut run = Measured { samples: samples.to_vec(), ..Measured::default() };
        run.latency("ttft", "median", Time::Milliseconds, Some(25.5));
        run.complete();
        let found = ["ttft_p50_ms", "ttft_mean_ms", "ttft_p90_ms"].map(|name| run.latencies_ms.get(name).copied());
        assert_eq!(found, [Some(25.5), Some(25.0), Some(37.0)]);
        assert_eq!(run.latencies_ms.len(), 5);
    }

    #[test]
    fn a_run_of_which_nothing_completed_has_no_numbers() {
        let requests = Requests { sent: Some(8), completed: Some(0), failed: Some(8), cancelled: None };
        let mut run = Measured { requests, output_tok_s: Some(1.0), ..Measured::default() };
        run.latency("ttft", "p99", Time::Milliseconds, Some(0.0));
        run.complete();
        assert_eq!(run.failed.as_deref(), Some("none of 8 requests completed"));
        assert_eq!((run.output_tok_s, run.remarks.len()), (None, 0));
    }
}
