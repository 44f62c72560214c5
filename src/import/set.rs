//! Measured runs that belong together: files of one folder that measured the same thing under different loads or
//! settings make one record, and equal settings are repeats.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::answers::PriceAnswer;
use super::measured::{Load, Measured, Offered, Subject};
use crate::quantity::plain;
use crate::record::LatencyLimits;

/// Mean prompts that differ by more than this share are another workload.
const SAME_LENGTH: f64 = 0.1;

/// Values that agree to this share are one value, printed by two tools.
const SAME_VALUE: f64 = 1e-6;

/// Or values that differ by no more than half of the last of two decimals: a result file, and what its tool printed.
const PRINTED: f64 = 0.0051;

/// Where a run was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Name of the format.
    pub format: &'static str,
    /// The file's own name, without its folder.
    pub file: String,
    pub sha256: String,
}

/// A run, answers filled in.
#[derive(Debug, Clone)]
pub struct Found {
    pub run: Measured,
    pub origins: BTreeSet<Arc<Origin>>,
    /// The folder whose files belong together.
    pub folder: PathBuf,
    pub price: Option<PriceAnswer>,
}

/// Runs that become one record.
#[derive(Debug)]
pub struct Set {
    pub configs: Vec<Config>,
    pub origins: BTreeSet<Arc<Origin>>,
    pub price: Option<PriceAnswer>,
}

/// One setting of a set: a run, or the mean of its repeats.
#[derive(Debug, Clone)]
pub struct Config {
    /// What tells it apart from the others.
    pub label: String,
    pub run: Measured,
    /// Its repeats in the order of the files; one where it was not repeated.
    pub repeats: Vec<Measured>,
}

/// The sets of distinct runs, in the order of their first files.
pub fn sets(found: Vec<Found>) -> Vec<Set> {
    let mut groups: Vec<Vec<Found>> = Vec::new();
    for found in found {
        match groups.iter_mut().find(|group| belongs(&group[0], &found)) {
            Some(group) => group.push(found),
            None => groups.push(vec![found]),
        }
    }
    groups.into_iter().map(Set::of).collect()
}

/// Whether two runs measured the same thing.
fn belongs(one: &Found, other: &Found) -> bool {
    let (left, right) = (&one.run, &other.run);
    let same_length = match (left.load.input_tokens, right.load.input_tokens) {
        (Some(left), Some(right)) => (left - right).abs() <= SAME_LENGTH * left.max(right),
        // A run that failed measured no length.
        _ => true,
    };
    one.folder == other.folder
        && one.price == other.price
        && left.subject == right.subject
        && left.slo_ms == right.slo_ms
        && left.load.dataset == right.load.dataset
        && left.load.requested() == right.load.requested()
        && (left.load.requested() != (None, None) || same_length)
}

impl Found {
    /// Whether both are one run of a folder: a summary beside its runs, and two tools' files of one run, hold the same
    /// values.
    pub fn is_same_run(&self, other: &Self) -> bool {
        self.folder == other.folder && self.run.is_same_run(&other.run)
    }

    /// Takes what another telling of the same run says and this one does not.
    pub fn absorb(&mut self, other: Self) {
        self.origins.extend(other.origins);
        self.run.absorb(other.run);
    }
}

impl Set {
    fn of(found: Vec<Found>) -> Self {
        let price = found.first().and_then(|found| found.price.clone());
        let mut origins = BTreeSet::new();
        let mut settings: Vec<Vec<Measured>> = Vec::new();
        for found in found {
            origins.extend(found.origins);
            match settings.iter_mut().find(|repeats| repeats[0].is_repeat_of(&found.run)) {
                Some(repeats) => repeats.push(found.run),
                None => settings.push(vec![found.run]),
            }
        }
        let mut configs: Vec<Config> = settings.into_iter().map(Config::of).collect();
        configs.sort_by(|one, other| one.run.load.order().total_cmp(&other.run.load.order()));
        label(&mut configs);
        Set { configs, origins, price }
    }

    /// The run that stands for what all have in common.
    pub fn first(&self) -> &Measured {
        &self.configs[0].run
    }

    pub fn slo(&self) -> &LatencyLimits {
        &self.first().slo_ms
    }

    /// What all runs say alike; `None` where they differ or say nothing.
    pub fn shared<T: PartialEq>(&self, of: impl Fn(&Measured) -> Option<T>) -> Option<T> {
        let shared = of(self.first())?;
        self.configs.iter().all(|config| of(&config.run).as_ref() == Some(&shared)).then_some(shared)
    }

    /// The least and the largest of what runs say.
    pub fn range(&self, of: impl Fn(&Measured) -> Option<f64>) -> Option<(f64, f64)> {
        let values = || self.configs.iter().filter_map(|config| of(&config.run));
        Some((values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?))
    }

    /// Every remark, with the configs that it is of where it is not of all.
    pub fn remarks(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.configs.iter().flat_map(|config| &config.run.remarks).collect();
        let remark = |remark: &String| {
            let of = self.configs.iter().filter(|config| config.run.remarks.contains(remark));
            let labels: Vec<_> = of.map(|config| config.label.as_str()).collect();
            if labels.len() == self.configs.len() { remark.clone() } else { format!("{}: {remark}", labels.join(", ")) }
        };
        all.into_iter().map(remark).collect()
    }

    /// The widest half spread between repeats of one config, in percent of their mean.
    pub fn variance_band_pct(&self) -> Option<f64> {
        let widest = self.configs.iter().filter_map(Config::variance_band_pct).max_by(f64::total_cmp)?;
        // A spread of a few repeats has no more digits than these.
        Some((widest * 100.0).round() / 100.0)
    }
}

impl Config {
    fn of(repeats: Vec<Measured>) -> Self {
        let run = if repeats.len() == 1 { repeats[0].clone() } else { mean(&repeats) };
        Config { label: String::new(), run, repeats }
    }

    pub fn is_repeated(&self) -> bool {
        self.repeats.len() > 1
    }

    /// Whether it met the limits: where it was repeated, in every repeat.
    pub fn met(&self) -> Option<bool> {
        let verdicts: Vec<_> = self.repeats.iter().map(|run| run.met(&run.slo_ms)).collect();
        if verdicts.contains(&Some(false)) {
            return Some(false);
        }
        verdicts.iter().all(|verdict| *verdict == Some(true)).then_some(true)
    }

    /// Repeats that met the limits; `None` where that is not known of each.
    pub fn passes(&self) -> Option<usize> {
        let verdicts: Option<Vec<bool>> = self.repeats.iter().map(|run| run.met(&run.slo_ms)).collect();
        Some(verdicts?.into_iter().filter(|met| *met).count())
    }

    /// Output rates of the repeats that have one.
    pub fn rates(&self) -> Vec<f64> {
        self.repeats.iter().filter_map(|run| run.output_tok_s).collect()
    }

    fn variance_band_pct(&self) -> Option<f64> {
        let rates = self.rates();
        let (low, high) =
            (rates.iter().copied().min_by(f64::total_cmp)?, rates.iter().copied().max_by(f64::total_cmp)?);
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        (rates.len() > 1).then(|| 100.0 * (high - low) / (2.0 * mean))
    }
}

impl Load {
    fn requested(&self) -> (Option<f64>, Option<f64>) {
        (self.input_tokens_requested, self.output_tokens_requested)
    }

    /// Where it stands among other loads: by rate, then by concurrency, without a limit last.
    fn order(&self) -> f64 {
        match (self.offered, self.concurrency) {
            (Some(Offered::Rate(rate)), _) => rate,
            // Beyond every rate that a server answers.
            (_, Some(concurrency)) => 1e12 + concurrency as f64,
            _ => f64::INFINITY,
        }
    }
}

impl Measured {
    /// Whether both are one run, as two files or two tools tell it.
    fn is_same_run(&self, other: &Self) -> bool {
        if self == other {
            return true;
        }
        fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        let same_setting = agree(self.load.offered, other.load.offered)
            && agree(self.load.concurrency, other.load.concurrency)
            && agree(self.requests.completed, other.requests.completed)
            && self.settings.iter().all(|(key, value)| agree(Some(value), other.settings.get(key)));
        if !same_setting {
            return false;
        }
        let rates = |run: &Self| [run.output_tok_s, run.total_tok_s, run.request_throughput_rps, run.duration_s];
        let pairs = rates(self).into_iter().zip(rates(other)).filter_map(|(one, other)| one.zip(other));
        let latencies = self.latencies_ms.iter().filter_map(|(name, one)| Some((*one, *other.latencies_ms.get(name)?)));
        let mut agreeing = 0;
        for (one, other) in pairs.chain(latencies) {
            if (one - other).abs() > PRINTED.max(SAME_VALUE * one.abs().max(other.abs())) {
                return false;
            }
            agreeing += 1;
        }
        // Two measurements never agree in so many digits by chance.
        agreeing >= 4
    }

    /// Takes what the other says and this one does not; where they say two things, this one's stands and a remark says so.
    fn absorb(&mut self, other: Self) {
        self.contradictions(&other);
        fn take<T>(own: &mut Option<T>, other: Option<T>) {
            if own.is_none() {
                *own = other;
            }
        }
        take(&mut self.duration_s, other.duration_s);
        take(&mut self.input_tok_s, other.input_tok_s);
        take(&mut self.output_tok_s, other.output_tok_s);
        take(&mut self.total_tok_s, other.total_tok_s);
        take(&mut self.request_throughput_rps, other.request_throughput_rps);
        take(&mut self.prefix_cache_hit_pct, other.prefix_cache_hit_pct);
        let (requests, theirs) = (&mut self.requests, other.requests);
        take(&mut requests.sent, theirs.sent);
        take(&mut requests.completed, theirs.completed);
        take(&mut requests.failed, theirs.failed);
        take(&mut requests.cancelled, theirs.cancelled);
        let (load, theirs) = (&mut self.load, other.load);
        take(&mut load.dataset, theirs.dataset);
        take(&mut load.input_tokens, theirs.input_tokens);
        take(&mut load.output_tokens, theirs.output_tokens);
        take(&mut load.input_tokens_requested, theirs.input_tokens_requested);
        take(&mut load.output_tokens_requested, theirs.output_tokens_requested);
        take(&mut load.offered, theirs.offered);
        take(&mut load.test, theirs.test);
        take(&mut load.concurrency, theirs.concurrency);
        take(&mut load.arrival, theirs.arrival);
        let (subject, theirs) = (&mut self.subject, other.subject);
        take(&mut subject.model, theirs.model);
        take(&mut subject.engine, theirs.engine);
        take(&mut subject.engine_version, theirs.engine_version);
        take(&mut subject.image, theirs.image);
        take(&mut subject.quantization, theirs.quantization);
        take(&mut subject.kv_dtype, theirs.kv_dtype);
        take(&mut subject.parallelism, theirs.parallelism);
        take(&mut subject.accelerator, theirs.accelerator);
        take(&mut subject.gpus, theirs.gpus);
        take(&mut subject.role_gpus, theirs.role_gpus);
        take(&mut subject.driver, theirs.driver);
        take(&mut self.date, other.date);
        take(&mut self.window_unix_s, other.window_unix_s);
        take(&mut self.power, other.power);
        for (name, value) in other.latencies_ms {
            self.latencies_ms.entry(name).or_insert(value);
        }
        for (name, limit) in other.slo_ms {
            self.slo_ms.entry(name).or_insert(limit);
        }
        if self.samples.is_empty() {
            self.samples = other.samples;
        }
        self.remarks.extend(other.remarks);
    }

    /// Remarks on what another telling of the same run says otherwise.
    fn contradictions(&mut self, other: &Self) {
        let texts = |run: &Self| {
            let Subject { model, engine, engine_version, quantization, kv_dtype, accelerator, gpus, .. } = &run.subject;
            let count = |count: Option<u64>| count.map(|count| count.to_string());
            [
                ("the model", model.clone()),
                ("the engine", engine.clone()),
                ("the engine's version", engine_version.clone()),
                ("the quantisation", quantization.clone()),
                ("the KV dtype", kv_dtype.clone()),
                ("the accelerator", accelerator.clone()),
                ("the number of GPUs", count(gpus.map(u64::from))),
                ("the trace", run.load.dataset.clone()),
                ("the day", run.date.map(|day| day.to_string())),
                ("requests sent", count(run.requests.sent)),
                ("requests failed", count(run.requests.failed)),
            ]
        };
        for ((what, own), (_, theirs)) in texts(self).into_iter().zip(texts(other)) {
            if let Some((own, theirs)) = own.zip(theirs).filter(|(own, theirs)| own != theirs) {
                self.remark(format!("two files of this run differ on {what}: {own}, which stands, and {theirs}"));
            }
        }
    }

    /// Whether both measured under one setting.
    fn is_repeat_of(&self, other: &Self) -> bool {
        let of = |run: &Self| (run.label.clone(), run.load.offered, run.load.concurrency, run.requests.sent);
        of(self) == of(other)
            && self.load.arrival == other.load.arrival
            && self.settings == other.settings
            && self.unread == other.unread
    }
}

/// The mean of repeats: of each value that all successful ones have. Requests are those of the repeat that completed the
/// fewest, since a tail is no finer than that of a single repeat.
fn mean(repeats: &[Measured]) -> Measured {
    let good: Vec<&Measured> = repeats.iter().filter(|run| run.failed.is_none()).collect();
    let Some(first) = good.first() else { return repeats[0].clone() };
    let mean_of = |of: &dyn Fn(&Measured) -> Option<f64>| {
        let values: Option<Vec<f64>> = good.iter().map(|run| of(run)).collect();
        values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
    };
    let mut mean = (*first).clone();
    mean.samples.clear();
    mean.window_unix_s = None;
    // Mean rates over a mean duration would give other counts than were counted.
    mean.duration_s = None;
    mean.input_tok_s = mean_of(&|run| run.input_tok_s);
    mean.output_tok_s = mean_of(&|run| run.output_tok_s);
    mean.total_tok_s = mean_of(&|run| run.total_tok_s);
    mean.request_throughput_rps = mean_of(&|run| run.request_throughput_rps);
    mean.prefix_cache_hit_pct = mean_of(&|run| run.prefix_cache_hit_pct);
    mean.load.input_tokens = mean_of(&|run| run.load.input_tokens);
    mean.load.output_tokens = mean_of(&|run| run.load.output_tokens);
    let latencies = first.latencies_ms.keys().filter_map(|name| {
        let value = mean_of(&|run| run.latencies_ms.get(name).copied())?;
        Some((name.clone(), value))
    });
    mean.latencies_ms = latencies.collect();
    if let (Some(power), Some(kw)) = (&mut mean.power, mean_of(&|run| run.power.as_ref().map(|power| power.kw))) {
        power.kw = kw;
    } else {
        mean.power = None;
    }
    if let Some(fewest) = repeats.iter().min_by_key(|run| run.requests.completed) {
        mean.requests = fewest.requests;
    }
    mean.remarks = repeats.iter().flat_map(|run| run.remarks.iter().cloned()).collect();
    mean.remark(format!(
        "mean of {} repeats; a percentile is the mean of the repeats' percentiles and not one of all their requests; requests \
         are those of the repeat that completed the fewest",
        good.len()
    ));
    for run in repeats {
        if let Some(reason) = &run.failed {
            mean.remark(format!("a repeat is left out of the mean, since it failed: {reason}"));
        }
    }
    mean
}

/// Labels that say in what the configs differ.
fn label(configs: &mut [Config]) {
    let runs: Vec<Measured> = configs.iter().map(|config| config.run.clone()).collect();
    let differs = |of: &dyn Fn(&Measured) -> Value| runs.iter().any(|run| of(run) != of(&runs[0]));
    let keys: BTreeSet<&String> = runs.iter().flat_map(|run| run.settings.keys()).collect();
    let setting = |run: &Measured, key: &str| run.settings.get(key).cloned().unwrap_or(Value::Null);
    let keys: Vec<&String> = keys.into_iter().filter(|key| differs(&|run| setting(run, key))).collect();
    let by_label = differs(&|run| run.label.clone().into());
    let by_load = differs(&|run| load_words(&run.load).into());
    let unread: BTreeSet<&String> = runs.iter().flat_map(|run| run.unread.keys()).collect();
    let unread = unread.into_iter().filter(|key| differs(&|run| run.unread.get(*key).cloned().unwrap_or(Value::Null)));
    let unread: Vec<_> = unread.cloned().collect();
    let labels = runs.iter().map(|run| {
        let mut parts: Vec<String> = run.label.iter().filter(|_| by_label || runs.len() == 1).cloned().collect();
        parts.extend(keys.iter().map(|key| setting_words(key, &setting(run, key))));
        if by_load || parts.is_empty() {
            parts.push(load_words(&run.load));
        }
        parts.join(", ")
    });
    let labels: Vec<String> = labels.collect();
    for (position, config) in configs.iter_mut().enumerate() {
        let earlier = labels[..position].iter().filter(|label| **label == labels[position]).count();
        config.label = match earlier {
            0 => labels[position].clone(),
            count => format!("{} ({})", labels[position], count + 1),
        };
        for key in &unread {
            let key = super::named::words(key).unwrap_or_default();
            config.run.remark(format!("the runs differ in `{key}`, which is not copied"));
        }
    }
}

fn setting_words(key: &str, value: &Value) -> String {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Null => "not stated".to_owned(),
        other => other.to_string(),
    };
    format!("{key} {value}")
}

/// The load in words: `0.5 req/s`, `128 concurrent`.
fn load_words(load: &Load) -> String {
    let rate = match load.offered {
        Some(Offered::Rate(rate)) => Some(format!("{} req/s", plain(rate.into()))),
        Some(Offered::Unlimited) if load.concurrency.is_none() => Some("no limit on the rate".to_owned()),
        _ => None,
    };
    let concurrency = load.concurrency.map(|count| format!("{count} concurrent"));
    let words: Vec<_> = rate.into_iter().chain(concurrency).collect();
    if words.is_empty() { "as measured".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests;
