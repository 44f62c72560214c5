//! Token rates of a config: which tokens, over which GPUs.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::figures::sheet::{Found, compute, derived};
use crate::figures::{Figure, Missing};
use crate::formula::{Formula, throughput};
use crate::record::run::RunConfig;

/// Whether a config says how many tokens of both kinds there were.
pub(super) fn says_total(config: &RunConfig) -> bool {
    config.total_tok_s.is_some() || config.input_tok_s.is_some()
}

impl Sheet<'_> {
    /// Output tokens per second: within the SLO where the record says so, else over the whole run.
    pub(super) fn output_rate(&self, row: Row) -> Found {
        let config = row.config;
        let lengths = config.output_tokens_mean.or(config.output_tokens_requested);
        match (config.goodput_tok_s, config.output_tok_s.or(lengths)) {
            (Some(_), _) => self.goodput(row),
            (None, Some(_)) => self.whole_output_rate(row),
            (None, None) => Err(Missing::because(match &config.failed {
                Some(reason) => format!("the run failed: {reason}"),
                None => "neither `goodput_tok_s` nor `output_tok_s` is stated".to_owned(),
            })),
        }
    }

    /// Output tokens per second over the whole run: as stated, else from measured lengths.
    fn whole_output_rate(&self, row: Row) -> Found {
        let config = row.config;
        match (config.output_tok_s, config.output_tokens_mean, config.output_tokens_requested) {
            (None, Some(_), _) => derived(&Arc::new(self.output_from_lengths(row))),
            (None, None, Some(_)) => {
                Err(Missing::because("only the output length that was asked for is stated, not the measured one"))
            }
            (stated, _, _) => self.field(row.at("output_tok_s"), stated),
        }
    }

    pub(super) fn input_rate(&self, row: Row) -> Found {
        self.field(row.at("input_tok_s"), row.config.input_tok_s)
    }

    pub(super) fn total_rate(&self, row: Row) -> Found {
        match row.config.total_tok_s {
            Some(total) => self.field(row.at("total_tok_s"), Some(total)),
            None => derived(&Arc::new(self.total(row))),
        }
    }

    /// What holds of every figure that rests on the output rate.
    pub(super) fn output_limits(&self, row: Row) -> Vec<String> {
        let mut limits = self.rate_limits(row);
        if row.config.goodput_tok_s.is_none() {
            limits.push("output tokens of the whole run, whether or not a limit on latency was met".to_owned());
        }
        limits
    }

    fn output_from_lengths(&self, row: Row) -> Figure {
        let completed = row.config.requests.as_ref().and_then(|requests| requests.completed);
        let facts = [
            self.field(row.at("requests/completed"), completed.map(|count| count as f64)),
            self.field(row.at("output_tokens_mean"), row.config.output_tokens_mean),
            self.field(row.at("duration_s"), row.config.duration_s),
        ];
        compute(&throughput::OUTPUT_TOK_S, row.anchor, facts)
    }

    fn total(&self, row: Row) -> Figure {
        compute(&throughput::TOTAL_TOK_S, row.anchor, [self.input_rate(row), self.whole_output_rate(row)])
    }

    pub(super) fn throughput(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        let unstated = self.rows().filter(|row| row.config.output_tok_s.is_none());
        figures.extend(
            unstated.filter(|row| row.config.output_tokens_mean.is_some()).map(|row| self.output_from_lengths(row)),
        );
        let unstated = self.rows().filter(|row| row.config.total_tok_s.is_none());
        figures.extend(unstated.filter(|row| row.config.input_tok_s.is_some()).map(|row| self.total(row)));
        figures.extend(self.per_gpu());
        figures.extend(self.per_role());
        figures
    }

    /// Rates over all GPUs, whatever their role, where there is more than one.
    fn per_gpu(&self) -> Vec<Figure> {
        let gpus = self.run.hardware.count;
        if gpus < 2 {
            return Vec::new();
        }
        let over = |formula: &'static Formula, row: Row, rate: Found| {
            compute(formula, row.anchor, [rate, self.gpus()]).labelled(format!("over all {gpus} GPUs"))
        };
        let output = |row: Row| {
            over(&throughput::OUTPUT_TOK_S_PER_GPU, row, self.output_rate(row)).limited(self.output_limits(row))
        };
        let input =
            |row: Row| over(&throughput::INPUT_TOK_S_PER_GPU, row, self.input_rate(row)).limited(self.rate_limits(row));
        let total =
            |row: Row| over(&throughput::TOTAL_TOK_S_PER_GPU, row, self.total_rate(row)).limited(self.rate_limits(row));
        let mut figures: Vec<_> = self.rows().map(output).collect();
        if self.any(|config| config.input_tok_s.is_some()) {
            figures.extend(self.rows().map(input));
        }
        if self.any(says_total) {
            figures.extend(self.rows().map(total));
        }
        figures
    }

    /// Rates over the GPUs of one role, where a config splits them; beside the rates over all GPUs, never in their place.
    fn per_role(&self) -> Vec<Figure> {
        let split = || self.rows().filter_map(|row| Some((row, row.config.gpus?)));
        let decode = split().map(|(row, gpus)| {
            let count = self.field(row.at("gpus/decode"), Some(f64::from(gpus.decode)));
            compute(&throughput::OUTPUT_TOK_S_PER_DECODE_GPU, row.anchor, [self.output_rate(row), count])
                .labelled(format!("over {} decode GPUs", gpus.decode))
                .limited(self.output_limits(row))
        });
        let prefill = split().map(|(row, gpus)| {
            let count = self.field(row.at("gpus/prefill"), Some(f64::from(gpus.prefill)));
            compute(&throughput::INPUT_TOK_S_PER_PREFILL_GPU, row.anchor, [self.input_rate(row), count])
                .labelled(format!("over {} prefill GPUs", gpus.prefill))
                .limited(self.rate_limits(row))
        });
        decode.chain(prefill).collect()
    }
}
