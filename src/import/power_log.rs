//! Logs of GPU power beside a result: `nvidia-smi --format=csv -l`, or a table of elapsed seconds and watts.
//!
//! A log begins before the run and ends after it, and has the GPUs that did nothing. It is cut to the run's window and to
//! the GPUs that worked; its clock has no zone.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::measured::{Measured, Power};
use super::table::{self, Table};
use super::{Addition, Content, Foreign, Format, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::quantity::plain;
use crate::record::run::PowerKind;

pub struct PowerLog;

impl Format for PowerLog {
    fn name(&self) -> &'static str {
        "power-log"
    }

    fn about(&self) -> &'static str {
        "GPU power over time, joined to the result beside it: `nvidia-smi --format=csv` with timestamp, or elapsed_s and power_w"
    }

    fn known_by(&self) -> &'static str {
        "a table with commas that has power.draw and timestamp, or power_w and elapsed_s"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let first = file.text.text.lines().next().unwrap_or_default();
        let columns: Vec<String> = first.split(',').map(|name| column(&name.to_lowercase()).to_owned()).collect();
        let has = |name: &str| columns.iter().any(|column| column == name);
        (has("power.draw") && has("timestamp")) || (has("power_w") && has("elapsed_s"))
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let log = table::commas(&file.text.text).map(|table| Log::of(&table)).unwrap_or_default();
        let message = match log.readings.iter().find(|reading| reading.watts < 0.0) {
            Some(reading) => format!("the log has a power of {} W", reading.watts),
            None if log.span().is_none() => "the log has no readings at two times".to_owned(),
            None => {
                let join = Box::new(move |run: &mut Measured| log.join(run));
                let additions = vec![Addition { what: "a log of GPU power", join }];
                return Some(Content { additions, ..Content::default() });
            }
        };
        let location = Location::File(file.text.path.clone());
        report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, message).help("take the file out of the import"));
        None
    }
}

/// A column without its unit: `power.draw [W]`.
fn column(name: &str) -> &str {
    name.split('[').next().unwrap_or(name).trim()
}

/// One GPU at one time.
#[derive(Debug, Clone, PartialEq)]
struct Reading {
    /// Seconds since 1970 as if the clock were UTC, or since the log began.
    at_s: f64,
    gpu: String,
    watts: f64,
    utilization_pct: Option<f64>,
}

#[derive(Debug, Default)]
struct Log {
    readings: Vec<Reading>,
    /// Whether the times are those of a clock.
    has_clock: bool,
    /// Name of the cards, where the log has one.
    card: Option<String>,
}

/// A GPU that draws more is given in milliwatts.
const MOST_W: f64 = 2000.0;

/// A GPU with less utilization in the mean did nothing, percent.
const IDLE_PCT: f64 = 5.0;

impl Log {
    fn of(table: &Table) -> Self {
        let mut log = Log::default();
        // The last line of a log that is being written may be cut off.
        for (_, row) in table.rows.iter().filter(|(_, row)| row.len() == table.columns.len()) {
            let cells: BTreeMap<&str, &str> = table.cells(row).map(|(name, cell)| (column(name), cell)).collect();
            let number = |names: &[&str]| {
                let cell = names.iter().find_map(|name| cells.get(name))?;
                let number: f64 = cell.split_whitespace().next()?.parse().ok()?;
                number.is_finite().then_some(number)
            };
            let clock = cells.get("timestamp").and_then(|text| seconds(text));
            let watts =
                number(&["power.draw", "power_w"]).map(|watts| if watts > MOST_W { watts / 1e3 } else { watts });
            if let (Some(at_s), Some(watts)) = (clock.or_else(|| number(&["elapsed_s"])), watts) {
                log.has_clock |= clock.is_some();
                let gpu = ["index", "uuid", "pci.bus_id"].iter().find_map(|name| cells.get(name));
                let gpu = gpu.map_or_else(String::new, |gpu| (*gpu).to_owned());
                let utilization_pct = number(&["utilization.gpu", "gpu_util"]);
                log.readings.push(Reading { at_s, gpu, watts, utilization_pct });
                log.card = log.card.take().or_else(|| cells.get("name").and_then(|name| named::words(name)));
            }
        }
        log
    }

    /// First and last time; `None` where there are not two.
    fn span(&self) -> Option<(f64, f64)> {
        let times = || self.readings.iter().map(|reading| reading.at_s);
        let span = (times().min_by(f64::total_cmp)?, times().max_by(f64::total_cmp)?);
        (span.0 < span.1).then_some(span)
    }

    /// Median time between two readings of a GPU, seconds.
    fn interval_s(&self) -> Option<f64> {
        let first = &self.readings.first()?.gpu;
        let times: Vec<f64> =
            self.readings.iter().filter(|reading| reading.gpu == *first).map(|reading| reading.at_s).collect();
        let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).copied()
    }

    /// Gives a run the power of the GPUs that worked in its window.
    fn join(&self, run: &mut Measured) -> bool {
        let cut = if run.failed.is_some() || run.power.is_some() { None } else { self.cut(run) };
        let Some((start, end, how)) = cut else { return false };
        let inside = self.readings.iter().filter(|reading| (start..=end).contains(&reading.at_s));
        let mut gpus: BTreeMap<&str, Vec<&Reading>> = BTreeMap::new();
        inside.for_each(|reading| gpus.entry(&reading.gpu).or_default().push(reading));
        let worked = |readings: &[&Reading]| {
            let mean = mean(readings.iter().filter_map(|reading| reading.utilization_pct));
            mean.is_none_or(|mean| mean >= IDLE_PCT)
        };
        let all = gpus.len();
        gpus.retain(|_, readings| worked(readings));
        let watts: Option<f64> = gpus.values().map(|readings| mean(readings.iter().map(|reading| reading.watts))).sum();
        let Some(watts) = watts.filter(|watts| *watts > 0.0) else { return false };
        if self.readings.iter().all(|reading| reading.utilization_pct.is_none()) {
            run.remark(format!("the power log has no utilization: all its GPUs count, {all}"));
        } else if gpus.len() < all {
            let names: Vec<_> = gpus.keys().copied().collect();
            run.remark(format!("power is that of the GPUs that worked, {} of the {all} in the log", names.join(", ")));
        }
        run.subject.gpus = run.subject.gpus.or(u32::try_from(gpus.len()).ok());
        if let Some(count) = run.subject.gpus.filter(|count| *count as usize != gpus.len()) {
            run.remark(format!("the result covers {count} GPUs, and {} worked in the power log", gpus.len()));
        }
        if run.subject.accelerator.is_none() {
            run.subject.accelerator.clone_from(&self.card);
        }
        let readings = gpus.values().map(Vec::len).max().unwrap_or_default();
        run.power = Some(Power {
            kw: watts / 1e3,
            kind: PowerKind::Board,
            source: "a log of GPU power beside the result".to_owned(),
            sampling_hz: self.interval_s().map(f64::recip),
            window: Some(format!("{how}; {readings} readings a GPU")),
        });
        true
    }

    /// Begin and end of the run on the log's clock, and how they were found. `None` where the log is not of the run.
    fn cut(&self, run: &Measured) -> Option<(f64, f64, String)> {
        let (first, last) = self.span()?;
        let slack = self.interval_s()?;
        if let Some((start, end)) = run.window_unix_s.filter(|_| self.has_clock) {
            let covers = |hours: &f64| {
                let offset = 3600.0 * hours;
                first - slack <= start + offset && end + offset <= last + slack
            };
            // There are zones of half an hour too.
            let zones = (-24..=28).map(|half| f64::from(half) / 2.0).filter(covers);
            let zones: Vec<f64> = zones.collect();
            let hours = match zones.as_slice() {
                zones if zones.contains(&0.0) => 0.0,
                [only] => *only,
                _ => return None,
            };
            let zone = if hours == 0.0 { "UTC".to_owned() } else { format!("UTC{hours:+}") };
            let offset = 3600.0 * hours;
            return Some((
                start + offset,
                end + offset,
                format!("the run's own window, with the log's clock as {zone}"),
            ));
        }
        let busy = |reading: &&Reading| reading.utilization_pct.is_none_or(|percent| percent >= IDLE_PCT);
        let times = || self.readings.iter().filter(busy).map(|reading| reading.at_s);
        let (start, end) = (times().min_by(f64::total_cmp)?, times().max_by(f64::total_cmp)?);
        // A reading stands for the time up to the next one.
        let seconds = end - start + slack;
        let duration = run.duration_s?;
        let is_as_long = (seconds - duration).abs() <= (2.0 * slack).max(0.02 * duration);
        let how = format!(
            "from the first busy reading to the last, {} s as the run has no times of its own and took {} s",
            plain(seconds.round().into()),
            plain(duration.round().into())
        );
        is_as_long.then_some((start, end, how))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// `2026/06/10 21:49:21.834`, as seconds since 1970 if it were UTC.
fn seconds(text: &str) -> Option<f64> {
    let time: DateTime = text.replace('/', "-").parse().ok()?;
    let moment = TimeZone::UTC.to_timestamp(time).ok()?;
    Some(moment.as_millisecond() as f64 / 1e3)
}

#[cfg(test)]
mod tests;
