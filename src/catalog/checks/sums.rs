//! Counts, rates and prices that must fit each other before anything is reckoned from them.

use std::collections::BTreeMap;

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::{Unit, plain};
use crate::record::{Audit, Record, Run};
use crate::schema::Document;

/// How far a total may be from the sum of its parts, as a share: measured rates are rounded each for itself.
const ROUNDING: f64 = 0.01;
/// Two numbers of one measurement, each rounded, may differ by so much.
const SAME: f64 = 0.001;

/// GPUs by role are together the GPUs that the results cover, so that a rate per GPU means one thing.
pub fn roles_add_up(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let Some(gpus) = config.gpus else { continue };
        let (sum, count) = (u64::from(gpus.prefill) + u64::from(gpus.decode), u64::from(run.hardware.count));
        if sum == count {
            continue;
        }
        let pointer = format!("/configs/{position}/gpus");
        let message =
            format!("{} prefill and {} decode GPUs are {sum}, the record covers {count}", gpus.prefill, gpus.decode);
        let mut problem = Diagnostic::new(&rules::RUN_GPU_ROLES, document.location(&pointer), message);
        if let Some(span) = document.spans.value("/hardware/count") {
            problem = problem.related(span, "the GPUs that the results cover");
        }
        report
            .push(problem.pointer(pointer).help("count every GPU once; a config on fewer GPUs is a record of its own"));
    }
}

/// A total rate is the sum of input and output, or one of the three counts other tokens.
pub fn rates_add_up(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let rates = (config.input_tok_s, config.output_tok_s, config.total_tok_s);
        let (Some(input), Some(output), Some(total)) = rates else { continue };
        let sum = input + output;
        if (total - sum).abs() <= ROUNDING * sum.max(total) {
            continue;
        }
        let pointer = format!("/configs/{position}/total_tok_s");
        let message =
            format!("total {} tok/s, but input and output are {} together", plain(total.into()), plain(sum.into()));
        report.push(
            Diagnostic::new(&rules::RUN_TOKEN_RATES, document.location(&pointer), message)
                .pointer(pointer)
                .help("ask the harness which tokens each rate counts; the total is used as it is stated"),
        );
    }
}

/// Output within the SLO is part of all output, so it cannot be more.
pub fn goodput_within_output(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let (Some(goodput), Some(output)) = (config.goodput_tok_s, config.output_tok_s) else { continue };
        if goodput <= output * (1.0 + SAME) {
            continue;
        }
        let pointer = format!("/configs/{position}/goodput_tok_s");
        let message = format!(
            "`{}`: goodput of {} tok/s, but {} output tok/s in all",
            config.label,
            plain(goodput.into()),
            plain(output.into())
        );
        let at_output = format!("/configs/{position}/output_tok_s");
        report.push(
            Diagnostic::new(&rules::RUN_GOODPUT, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&at_output), "all output")
                .help("ask the harness which tokens and which load each rate is of"),
        );
    }
}

/// Cached tokens are part of the input, so they cannot be more.
pub fn cached_within_input(audit: &Audit, document: &Document, report: &mut Report) {
    let workload = &audit.workload;
    let (Some(input), Some(cached)) = (workload.input_tokens, workload.cached_input_tokens) else { return };
    if cached.high() <= input.low() {
        return;
    }
    let pointer = "/workload/cached_input_tokens";
    let message = format!("{} cached of {} of input", Unit::Tokens.show(cached), Unit::Tokens.show(input));
    report.push(
        Diagnostic::new(&rules::AUDIT_CACHED_INPUT, document.location(pointer), message)
            .pointer(pointer)
            .help("cached tokens are counted in `input_tokens` too, and cannot be more than those"),
    );
}

/// A price that an audit states is that of the quote which it says holds the same.
pub fn stated_as_quoted(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values() {
        let Some((stated, document)) = item.stated_price() else { continue };
        let Some(quoted) = item.price.as_ref().and_then(|address| items.get(address)) else { continue };
        let Record::Price(quote) = &quoted.record else { continue };
        let (own, other) = (stated.hour.usd_per_gpu_hour(), quote.hour.usd_per_gpu_hour());
        let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(other.abs());
        if near(own.low(), other.low()) && near(own.high(), other.high()) {
            continue;
        }
        let pointer = format!("/price/{}", stated.hour.field());
        let message = format!(
            "the record states {}, its quote {}",
            stated.hour.words(document, "/price"),
            quote.hour.words(&quoted.document, "")
        );
        report.push(
            Diagnostic::new(&rules::AUDIT_QUOTE, document.location(&pointer), message)
                .pointer(pointer)
                .help("name the quote that says the same, or leave `quote` null"),
        );
    }
}
