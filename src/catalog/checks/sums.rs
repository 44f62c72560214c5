//! Counts, rates and prices that must fit each other before anything is reckoned from them.

use std::collections::BTreeMap;

use super::{SAME, as_written};
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, printable, rules};
use crate::quantity::{Quantity, Unit, plain, significant};
use crate::record::{Audit, Record, Run};
use crate::schema::Document;

/// How far a total may be from the sum of its parts, as a share: measured rates are rounded each for itself.
const ROUNDING: f64 = 0.01;
/// A mean of tokens is often one of a tokenizer, or without the first token, and a rate one of a window.
const OUTPUT: f64 = 0.02;
/// The same where requests are a rate too, which may be of another window than the tokens.
const OUTPUT_OF_RATES: f64 = 0.05;

/// GPUs by role are together the GPUs that the results cover, so that a rate per GPU means one thing.
pub fn roles_add_up(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let Some(gpus) = config.gpus else { continue };
        let (sum, count) = (u64::from(gpus.prefill) + u64::from(gpus.decode), u64::from(run.hardware.count));
        if sum == count {
            continue;
        }
        let pointer = format!("/configs/{position}/gpus");
        let message = format!(
            "`{}`: {} prefill and {} decode GPUs are {sum}, the record covers {count}",
            config.label, gpus.prefill, gpus.decode
        );
        let mut problem = Diagnostic::new(&rules::RUN_GPU_ROLES, document.location(&pointer), message);
        if let Some(span) = document.spans.value("/hardware/count") {
            problem = problem.related(span, "the GPUs that the results cover");
        }
        report
            .push(problem.pointer(pointer).help("count every GPU once; a config on fewer GPUs is a record of its own"));
    }
}

/// A total rate is the sum of input and output, and of one of them alone no less, or one of the three counts other tokens.
pub fn rates_add_up(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let Some(total) = config.total_tok_s else { continue };
        let (sum, words) = match (config.input_tok_s, config.output_tok_s) {
            (Some(input), Some(output)) if (total - input - output).abs() > ROUNDING * total.max(input + output) => {
                (input + output, "input and output are {} together")
            }
            (Some(input), None) if input > total * (1.0 + SAME) => (input, "input alone is {}"),
            (None, Some(output)) if output > total * (1.0 + SAME) => (output, "output alone is {}"),
            _ => continue,
        };
        let pointer = format!("/configs/{position}/total_tok_s");
        let message = format!(
            "`{}`: total {} tok/s, but {}",
            config.label,
            plain(total.into()),
            words.replace("{}", &plain(sum.into()))
        );
        report.push(
            Diagnostic::new(&rules::RUN_TOKEN_RATES, document.location(&pointer), message)
                .stated(document.written(&pointer).unwrap_or_default())
                .pointer(pointer)
                .help("ask the harness which tokens each rate counts, or acknowledge the total by name"),
        );
    }
}

/// Output within the SLO is part of all output, and so of all tokens, so it cannot be more.
pub fn goodput_within_output(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let whole = [(config.output_tok_s, "output_tok_s", "output "), (config.total_tok_s, "total_tok_s", "")];
        let whole = whole.into_iter().find_map(|(rate, name, words)| Some((rate?, name, words)));
        let (Some(goodput), Some((rate, name, words))) = (config.goodput_tok_s, whole) else { continue };
        if goodput <= rate * (1.0 + SAME) {
            continue;
        }
        let pointer = format!("/configs/{position}/goodput_tok_s");
        let message = format!(
            "`{}`: goodput of {} tok/s, but {} {words}tok/s in all",
            config.label,
            plain(goodput.into()),
            plain(rate.into())
        );
        report.push(
            Diagnostic::new(&rules::RUN_GOODPUT, document.location(&pointer), message)
                .pointer(pointer)
                .related(
                    document.spans.nearest(&format!("/configs/{position}/{name}")),
                    if name == "output_tok_s" { "all output" } else { "all tokens" },
                )
                .help("ask the harness which tokens and which load each rate is of"),
        );
    }
}

/// What met its SLO gave some output within it.
pub fn goodput_where_passed(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let Some(passed) = config.slo_pass_count.filter(|passed| *passed > 0 && config.goodput_tok_s == Some(0.0))
        else {
            continue;
        };
        let pointer = format!("/configs/{position}/goodput_tok_s");
        let message = format!("`{}`: a goodput of 0, and the SLO was met {}", config.label, times(u64::from(passed)));
        report.push(
            Diagnostic::new(&rules::RUN_GOODPUT, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&format!("/configs/{position}/slo_pass_count")), "how often it was met")
                .help("ask the harness which of the two holds"),
        );
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// A rate of output is that of the completed requests over the duration, else of the requests a second, each with its
/// mean of tokens, or one of them is of another load.
pub fn output_rate(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let (Some(mean), Some(stated)) = (config.output_tokens_mean, config.output_tok_s) else { continue };
        let at = |name: &str| format!("/configs/{position}/{name}");
        let written = |name, value: f64| as_written(document, &at(name), value.into());
        let completed = config.requests.as_ref().and_then(|requests| requests.completed);
        let (requests, exact, tolerance, words) = match (completed, config.duration_s, config.request_throughput_rps) {
            (Some(completed), Some(duration), _) => {
                let requests = Quantity::exact(completed as f64) / written("duration_s", duration);
                let words = format!(
                    "{completed} requests of {} output tokens in {} s",
                    plain(mean.into()),
                    plain(duration.into())
                );
                (requests, completed as f64 / duration, OUTPUT, words)
            }
            (_, _, Some(rate)) => {
                let words = format!("{} requests a second of {} output tokens", plain(rate.into()), plain(mean.into()));
                (written("request_throughput_rps", rate), rate, OUTPUT_OF_RATES, words)
            }
            _ => continue,
        };
        let found = requests * written("output_tokens_mean", mean);
        let pointer = at("output_tok_s");
        let near = written("output_tok_s", stated).give_or_take(tolerance);
        if !found.is_finite() || found.overlaps(near) {
            continue;
        }
        let message = format!(
            "`{}`: {} output tok/s, but {words} are {} tok/s",
            config.label,
            plain(stated.into()),
            significant(exact * mean)
        );
        report.push(
            Diagnostic::new(&rules::RUN_OUTPUT_RATE, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&at("output_tokens_mean")), "the tokens of a request")
                .help("ask the harness which requests and which time the rate is of; it is used as it is stated"),
        );
    }
}

/// Cached tokens and those of a shared prefix are part of the input, so they cannot be more.
pub fn parts_within_input(audit: &Audit, document: &Document, report: &mut Report) {
    let workload = &audit.workload;
    let Some(input) = workload.input_tokens else { return };
    for (name, words, part, rule) in [
        ("cached_input_tokens", "cached", workload.cached_input_tokens, &rules::AUDIT_CACHED_INPUT),
        ("shared_prefix_tokens", "shared", workload.shared_prefix_tokens, &rules::AUDIT_SHARED_PREFIX),
    ] {
        let Some(part) = part.filter(|part| part.high() > input.low()) else { continue };
        let pointer = format!("/workload/{name}");
        let message = format!("{} {words} of {} of input", Unit::Tokens.show(part), Unit::Tokens.show(input));
        report.push(
            Diagnostic::new(rule, document.location(&pointer), message)
                .pointer(pointer)
                .help(format!("{words} tokens are counted in `input_tokens` too, and cannot be more than those")),
        );
    }
}

/// A price that an audit states is that of the quote which it says holds the same.
pub fn stated_as_quoted(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values() {
        let Some((stated, document)) = item.stated_price() else { continue };
        let Some(quoted) = item.price.as_ref().and_then(|address| items.get(address)) else { continue };
        let Record::Price(quote) = &quoted.record else { continue };
        let (own, other) = (stated.hour.usd_per_gpu_hour(), quote.hour.usd_per_gpu_hour());
        // A price of a node is divided by its GPUs.
        let near = |one: f64, other: f64| one == other || (one / other - 1.0).abs() < 1e-9;
        let offers = [
            ("provider", stated.provider.clone(), quote.provider.clone()),
            ("tier", stated.tier.clone(), quote.tier.clone()),
            ("date", stated.date.map(|date| date.to_string()), quote.date.to_string()),
        ];
        for (field, said, quoted) in offers {
            let Some(said) = said.filter(|said| !said.eq_ignore_ascii_case(&quoted)) else { continue };
            let pointer = format!("/price/{field}");
            let message =
                format!("the record states the {field} {}, its quote {}", printable(&said), printable(&quoted));
            report.push(
                Diagnostic::new(&rules::AUDIT_QUOTE, document.location(&pointer), message)
                    .pointer(pointer)
                    .help("name the quote that says the same, or leave `quote` null"),
            );
        }
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
