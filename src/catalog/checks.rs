//! What a record says against itself: record against spec, quotes that must occur, suspicious units, counts and sweeps.

mod against_spec;
mod attainment;
mod capacity;
mod card;
mod counts;
mod geometry;
mod in_flight;
mod labels;
mod latency;
mod machine;
mod noted;
mod parallelism;
mod power;
mod quote;
mod repeated;
mod reproduce;
mod samples;
mod secrets;
mod sums;
mod sweep;
mod units;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::subjects::{Subject, anchor_of_key};
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, nearest, printable, quoted, rules};
use crate::metric;
use crate::quantity::{Quantity, Unit, plain, written};
use crate::record::{Acknowledgement, Audit, CuratorNote, Model, Observation, Run};
use crate::schema::Document;

pub use against_spec::record_against_spec;
pub use card::runs_against_cards;
pub use noted::notes_look_right;
pub use power::{another_boundary, boundary_in_prose};
pub use quote::{prices_of_one_gpu, quotes_of_one_day, title_holds};
pub use repeated::commands_are_of_the_record;
pub use samples::{small_samples, small_samples_of_audit};
pub use secrets::{secret, secrets};
pub use sums::stated_as_quoted;
pub use units::look_right;

/// Layer groups of a model and the sizes of its weights.
pub fn of_model(model: &Model, document: &Document, report: &mut Report) {
    geometry::of_model(model, document, report);
    weights::of_model(model, document, report);
}

/// The counts of a run and the loads it tried.
pub fn measurements_of_run(item: &Item, run: &Run, report: &mut Report) {
    let (document, baseline) = (&item.document, item.baseline);
    let sweeps = run.sweeps();
    counts::of_run(run, &sweeps, document, report);
    sums::roles_add_up(run, document, report);
    parallelism::fits(run, document, report);
    sums::rates_add_up(run, document, report);
    sums::goodput_within_output(run, document, report);
    sums::goodput_where_passed(run, document, report);
    sums::output_rate(run, document, report);
    latency::of_run(run, &sweeps, document, report);
    attainment::of_run(run, &sweeps, document, report);
    in_flight::of_run(run, &sweeps, document, report);
    power::boundary(run, document, report);
    sweep::of_run(run, &sweeps, baseline, document, report);
    capacity::of_run(item, run, &sweeps, report);
}

/// The same of an audit, and its rows against each other.
pub fn measurements_of_audit(audit: &Audit, baseline: Option<usize>, document: &Document, report: &mut Report) {
    let sweeps = audit.sweeps();
    counts::of_steps(&sweeps, document, report);
    parallelism::of_audit(audit, document, report);
    labels::of_audit(audit, document, report);
    sums::parts_within_input(audit, document, report);
    latency::of_audit(audit, &sweeps, document, report);
    attainment::of_steps(&sweeps, &audit.slo, document, report);
    in_flight::of_steps(&sweeps, document, report);
    sweep::of_audit(audit, &sweeps, baseline, document, report);
    capacity::of_audit(audit, &sweeps, document, report);
}

/// Whether the commands and the spec of a run let a reader repeat it.
pub fn reproducible(run: &Run, document: &Document, report: &mut Report) {
    reproduce::commands(run, document, report);
    labels::hits(run, document, report);
    machine::named(run, document, report);
}

/// Two numbers of one measurement, each rounded, may differ by so much as a share.
const SAME: f64 = 0.001;

/// A number with the rounding of its last digit, as the file writes it.
fn as_written(document: &Document, pointer: &str, value: Quantity) -> Quantity {
    let written = document.written(pointer).unwrap_or_default();
    let decimals = written.split_once('.').map_or(0, |(_, part)| part.chars().take_while(char::is_ascii_digit).count());
    let half = 0.5 * 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
    value + Quantity::between(-half, half)
}

/// Each quote of a note must stand in the record, word for word, and hold the number that it is given for.
pub fn quotes_hold(note: &CuratorNote, note_document: &Document, record: &Document, report: &mut Report) {
    if note.observations.is_empty() && note.stated.is_empty() {
        return;
    }
    let mut texts = Vec::new();
    if let Ok(value) = serde_json::from_str::<Value>(&record.text.text) {
        strings(&value, &mut texts);
    }
    let mut occurs = |quote: &str, pointer: &str| {
        if texts.iter().any(|text| text.contains(quote)) {
            return true;
        }
        let message = format!("the words {} do not stand in `{}`", quoted(quote), record.text.path);
        let problem = Diagnostic::new(&rules::NOTE_QUOTE, note_document.location(pointer), message);
        report.push(problem.pointer(pointer).help("quote the record verbatim, punctuation included"));
        false
    };
    let mut unheld = Vec::new();
    for (position, observation) in note.observations.iter().enumerate() {
        let (at, pointer) = (format!("/observations/{position}/value"), format!("/observations/{position}/quote"));
        if occurs(&observation.quote, &pointer)
            && !is_quoted(&observation.metric, observation.value, &observation.quote)
        {
            let value = note_document.written(&at).unwrap_or_default();
            let message = format!("the value {value} does not stand in the quote {}", quoted(&observation.quote));
            let help = "write the number as it is quoted, in the unit of the metric; both ends of an interval";
            unheld.push((&rules::NOTE_OBSERVATION_VALUE, at, pointer, message, help));
        }
    }
    let asked = |questions: f64| {
        let own = record.numbers().any(|(pointer, value)| value == questions && pointer.ends_with("/questions"));
        own || record.numbers().any(|(pointer, value)| value == questions && pointer == "/spec/accuracy/limit")
    };
    for (position, observation) in note.observations.iter().enumerate() {
        let Some(questions) = observation.questions.filter(|_| observation.questions_assumed.is_none()) else {
            continue;
        };
        let questions = questions as f64;
        let (at, pointer) = (format!("/observations/{position}/questions"), format!("/observations/{position}/quote"));
        let in_quote = written::numbers(&observation.quote);
        if !in_quote.iter().any(|number| number.holds(Unit::Count("questions"), questions)) && !asked(questions) {
            let message = format!("{questions} questions are in neither the quote nor the record");
            let help = "quote them, or say in `questions_assumed` why it is taken to be so many";
            unheld.push((&rules::NOTE_OBSERVATION_VALUE, at, pointer, message, help));
        }
    }
    for (position, stated) in note.stated.iter().enumerate() {
        let (at, pointer) = (format!("/stated/{position}/as_written"), format!("/stated/{position}/quote"));
        let Some(quote) = &stated.quote else { continue };
        if occurs(quote, &pointer) && !quote.contains(&stated.as_written) {
            let message = format!("{} does not stand in the quote {}", quoted(&stated.as_written), quoted(quote));
            unheld.push((&rules::NOTE_QUOTE, at, pointer, message, "write the number as it is quoted"));
        }
    }
    for (rule, at, pointer, message, help) in unheld {
        let found = Diagnostic::new(rule, note_document.location(&at), message).pointer(at).help(help);
        report.push(found.related(note_document.spans.nearest(&pointer), "the quote"));
    }
}

/// Whether the quote has the value, of an interval both ends, in the unit of the metric or in one that converts to it.
fn is_quoted(metric: &str, value: Quantity, quote: &str) -> bool {
    let unit = metric::unit_of(metric);
    let numbers = written::numbers(quote);
    [value.low(), value.high()].into_iter().all(|end| numbers.iter().any(|number| number.holds(unit, end)))
}

/// Observations add what the record does not state: one value of a known metric for a subject.
pub fn observations_add(
    note: &CuratorNote,
    note_document: &Document,
    subjects: &[Subject],
    document: &Document,
    report: &mut Report,
) {
    let record = document.value();
    for (position, observation) in note.observations.iter().enumerate() {
        let pointer = format!("/observations/{position}/metric");
        let at = |rule, message: String| {
            Diagnostic::new(rule, note_document.location(&pointer), message).pointer(pointer.clone())
        };
        if metric::metric(&observation.metric).is_none() {
            let known = metric::METRICS.iter().map(|metric| metric.id);
            let help = match nearest(&observation.metric, known) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "the glossary of the site lists the metrics; latencies are such as `ttft_p99_ms`".to_owned(),
            };
            report
                .push(at(&rules::NOTE_METRIC, format!("`{}` is no metric", printable(&observation.metric))).help(help));
            continue;
        }
        let same = |other: &&Observation| {
            (&other.subject, &other.metric, &other.key) == (&observation.subject, &observation.metric, &observation.key)
        };
        if note.observations[..position].iter().any(|other| same(&other)) {
            let message =
                format!("`{}` of `{}` stands here twice", observation.metric, printable(&observation.subject));
            report.push(at(&rules::NOTE_TWICE, message).help("keep one, or give each a `key`"));
        }
        let subject = subjects.iter().find(|subject| subject.anchor == anchor_of_key(&observation.subject));
        let own = subject.map(|subject| format!("{}/{}", subject.pointer, observation.metric));
        let stated = own.as_ref().and_then(|own| record.pointer(own)?.as_f64());
        if let Some(stated) =
            stated.filter(|stated| !(observation.value.low()..=observation.value.high()).contains(stated))
        {
            let message = format!(
                "the record itself says {} for `{}`, the note {}",
                plain(stated.into()),
                observation.metric,
                plain(observation.value)
            );
            let help = "a curator's note may add, never contradict";
            report.push(at(&rules::NOTE_CONTRADICTS, message).help(help));
        }
    }
}

/// A price is one of the card that was measured.
pub fn quotes_of_the_card(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values().filter(|item| item.is_result()) {
        let quote = item.price.as_deref().and_then(|address| items.get(address));
        let (Some(quote), Some(card)) = (quote, item.cards.first().and_then(|card| card.entry())) else { continue };
        let Some(other) = quote.cards.first().and_then(|card| card.entry()).filter(|other| *other != card) else {
            continue;
        };
        let pointer = if item.stated_price().is_some() { "/price/quote" } else { "/price" };
        let message = format!("`{}` is a price of `{other}`, the record is of `{card}`", quote.address);
        let problem = Diagnostic::new(&rules::LINK_OTHER_CARD, item.prose().location(pointer), message);
        report.push(problem.pointer(pointer).help("name a quote for the card that was measured"));
    }
}

/// What a record acknowledges must be a rule that may be.
pub fn acknowledged(known: &[Acknowledgement], document: &Document, report: &mut Report) {
    for (position, Acknowledgement { rule: code, stated, at, .. }) in known.iter().enumerate() {
        let (message, help) = match rules::find(code) {
            Some(rule) if rule.is_of_stated_numbers() && stated.is_empty() => (
                format!("what breaks `{code}` is acknowledged number by number"),
                "name in `stated` each number that differs, as it is written".to_owned(),
            ),
            Some(rule) if rule.can_be_acknowledged() && !rule.is_of_stated_numbers() && !stated.is_empty() => (
                format!("`{code}` is not a rule of stated numbers"),
                "leave out `stated`: name the places in `at`, where it has any".to_owned(),
            ),
            Some(rule) if !at.is_empty() && (rule.is_of_whole_record() || rule.is_of_stated_numbers()) => {
                (format!("`{code}` is not acknowledged by places"), "leave out `at`".to_owned())
            }
            Some(rule) if rule.can_be_acknowledged() => continue,
            Some(_) => (format!("what breaks `{code}` cannot stand"), "mend what it reports".to_owned()),
            None => (
                format!("there is no rule `{}`", printable(code)),
                match rules::nearest_code(code) {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => "the code stands in brackets before the message".to_owned(),
                },
            ),
        };
        let pointer = format!("/acknowledges/{position}/rule");
        let problem = Diagnostic::new(&rules::ACKNOWLEDGES_RULE, document.location(&pointer), message);
        report.push(problem.pointer(pointer).help(help));
    }
}

/// An acknowledgement, or a part of it, of what breaks nowhere in its record, or at other `places` than it names.
pub fn unused(document: &Document, pointer: &str, places: &BTreeSet<String>, report: &mut Report) {
    let written = printable(document.written(pointer).unwrap_or_default().trim_matches(['"', '\'']));
    let is_of_stated = pointer.contains("/stated/");
    let message = match (is_of_stated, pointer.contains("/at/")) {
        (true, _) => format!("no stated number `{written}` of this record differs"),
        (_, true) => format!("nothing at `{written}` of this record breaks it"),
        _ if !places.is_empty() => format!("`{written}` is acknowledged place by place"),
        _ => format!("nothing in this record breaks `{written}`"),
    };
    let named = places.iter().take(8).map(|place| format!("`{}`", printable(place))).collect::<Vec<_>>().join(", ");
    let help = match places.is_empty() || is_of_stated {
        true => "take it out: its page tells readers of a fault that is not there".to_owned(),
        false => format!("name in `at` what it is about; it is broken at {named}"),
    };
    report.push(
        Diagnostic::new(&rules::ACKNOWLEDGES_UNUSED, document.location(pointer), message).pointer(pointer).help(help),
    );
}

fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(members) => members.values().for_each(|item| strings(item, out)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_in_its_quote() {
        for (metric, value, quote, expected) in [
            ("hit_pct", Quantity::exact(74.0), "74.0% cache hits", true),
            ("hit_pct", Quantity::exact(0.0), "(0% cache hits)", true),
            ("hit_pct", Quantity::exact(48.8), "48.7% cache hits", false),
            ("hit_pct", Quantity::exact(48.0), "48.7% cache hits", false),
            ("hit_pct", Quantity::between(43.0, 45.0), "43–45% of prompt tokens", true),
            ("hit_pct", Quantity::between(43.0, 46.0), "43–45% of prompt tokens", false),
            ("tokens", Quantity::about(3000.0), "about 3,000 tokens", true),
            ("tokens", Quantity::exact(150_000.0), "a 150K-token replay", true),
            ("ttft_ms", Quantity::exact(2300.0), "answers in 2.3 s", true),
            ("ttft_s", Quantity::exact(2300.0), "answers in 2.3 s", false),
            ("gpus", Quantity::exact(100.0), "one H100", false),
            ("change_pct", Quantity::exact(-0.2), "−0.2% of capacity", true),
        ] {
            assert_eq!(is_quoted(metric, value, quote), expected, "{metric} {value:?} {quote}");
        }
    }
}
