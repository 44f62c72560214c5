//! Requests and iterations behind a config's result: how many came through, and how fast.

use super::{Row, Sheet};
use crate::figures::sheet::{Found, assumed, compute, missing};
use crate::figures::{Figure, bracket};
use crate::formula::requests;
use crate::quantity::{Unit, grouped, plain};
use crate::record::Requests;

impl Sheet<'_> {
    /// Figures of configs that say how their requests ended; in a record of which none says it, there are none.
    pub(super) fn requests(&self) -> Vec<Figure> {
        let counted = || self.rows().filter_map(|row| Some((row, row.config.requests.as_ref()?)));
        let delivered = counted().map(|(row, requests)| self.delivered(row, requests));
        let failed = counted().map(|(row, requests)| self.failed(row, requests));
        let attained = counted().map(|(row, requests)| self.attained(row, requests));
        delivered.chain(failed).chain(attained).collect()
    }

    fn count(&self, row: Row, name: &str, count: Option<u64>) -> Found {
        self.field(row.at(&format!("requests/{name}")), count.map(|count| count as f64))
    }

    pub(super) fn delivered(&self, row: Row, requests: &Requests) -> Figure {
        let duration = self.field(row.at("duration_s"), row.config.duration_s);
        compute(&requests::DELIVERED_RPS, row.anchor, [self.count(row, "completed", requests.completed), duration])
    }

    fn failed(&self, row: Row, requests: &Requests) -> Figure {
        let counts = [self.count(row, "failed", requests.failed), self.count(row, "sent", requests.sent)];
        let figure = compute(&requests::FAILED_PCT, row.anchor, counts);
        let counts = requests.failed.zip(requests.sent).filter(|_| figure.outcome.is_ok());
        let count = |count: u64| grouped(&count.to_string());
        figure.remarked(counts.map(|(failed, sent)| format!("{} of {} failed", count(failed), count(sent))))
    }

    fn attained(&self, row: Row, requests: &Requests) -> Figure {
        let formula = &requests::SLO_ATTAINMENT_PCT;
        if self.run.slo.iter().flatten().next().is_none() {
            return missing(formula, row.anchor, "no SLO set");
        }
        let counts =
            [self.count(row, "met", requests.met), self.count(row, "sent", requests.sent), self.cut_off(row, requests)];
        let figure = compute(formula, row.anchor, counts);
        let counts = [
            (requests.met, "met it"),
            (requests.failed, "failed and did not"),
            (requests.cancelled, "cut off at the end, left out"),
        ];
        let said = counts.into_iter().filter_map(|(count, what)| Some((count.filter(|count| *count > 0)?, what)));
        let words: Vec<_> = said.map(|(count, what)| format!("{} {what}", grouped(&count.to_string()))).collect();
        if figure.outcome.is_ok() { figure.remarked([words.join("; ")]) } else { figure }
    }

    fn cut_off(&self, row: Row, requests: &Requests) -> Found {
        // Of those of which all completed, none failed either.
        let ended = requests.completed.map(|completed| completed.saturating_add(requests.failed.unwrap_or(0)));
        if requests.cancelled.is_none() && requests.sent.is_some() && ended == requests.sent {
            let reason = "no request was cut off: those that completed and failed are all that were sent";
            return Ok(assumed(&self.item.document, row.at("requests"), 0.0, reason));
        }
        self.count(row, "cancelled", requests.cancelled)
    }

    /// What did not come through, in words that go with every figure of the config.
    pub(super) fn unfinished(&self, row: Row) -> Option<String> {
        row.config.requests.as_ref()?.lost()
    }

    /// Delivered against offered: of the highest rate that passed, else of the config's own two rates.
    pub(super) fn delivered_shares(&self) -> Vec<Figure> {
        let share = |row: Row| {
            bracket::delivered_share(&self.item.document, &self.sweeps[row.position], row.anchor).or_else(|| {
                let config = row.config;
                let (delivered, offered) = (config.request_throughput_rps?, config.request_rate_rps?);
                let facts = [("request_throughput_rps", delivered), ("request_rate_rps", offered)];
                let facts = facts.map(|(name, rate)| self.field(row.at(name), Some(rate)));
                Some(compute(&requests::DELIVERED_SHARE_PCT, row.anchor, facts))
            })
        };
        self.rows().filter_map(share).collect()
    }

    /// Output tokens of a request where the config, or the highest rate that passed, says both rates.
    pub(super) fn output_per_request(&self, row: Row) -> Option<Figure> {
        bracket::output_per_request(&self.item.document, &self.sweeps[row.position], row.anchor).or_else(|| {
            let (output, rate) = (row.config.output_tok_s?, row.config.request_throughput_rps?);
            let facts = [("output_tok_s", output), ("request_throughput_rps", rate)];
            let facts = facts.map(|(name, rate)| self.field(row.at(name), Some(rate)));
            Some(compute(&requests::OUTPUT_TOK_PER_REQUEST, row.anchor, facts))
        })
    }

    /// The mean over iterations, warm-up left out and named.
    pub(super) fn mean_of_iterations(&self, row: Row) -> Option<Figure> {
        let formula = &requests::MEAN_OUTPUT_TOK_S;
        let samples = row.config.samples_tok_s.as_deref().filter(|samples| !samples.is_empty())?;
        let warmup = row.config.warmup.unwrap_or(0);
        if warmup >= samples.len() {
            return Some(missing(formula, row.anchor, "every iteration is warm-up"));
        }
        let facts = samples.iter().enumerate().skip(warmup);
        let facts = facts.map(|(at, sample)| self.field(row.at(&format!("samples_tok_s/{at}")), Some(*sample)));
        let (left_out, counted) = samples.split_at(warmup);
        let warmup = match row.config.warmup {
            None => "whether one is warm-up is not stated".to_owned(),
            Some(0) => "no warm-up".to_owned(),
            Some(count) => {
                let left_out: Vec<_> = left_out.iter().map(|sample| plain((*sample).into())).collect();
                format!("{count} warm-up left out: {} {}", left_out.join(", "), formula.unit.symbol())
            }
        };
        let from = format!("from {}", Unit::Samples.show((counted.len() as f64).into()));
        Some(compute(formula, row.anchor, facts).remarked([from, warmup]))
    }
}
