//! The number that a note says to quote, held against what the note itself has under that name.

use super::Figure;
use crate::catalog::{Item, RECORD, anchor_of_key};
use crate::diagnostic::{Diagnostic, Report, nearest, printable, quoted, rules};
use crate::quantity::written::{self, Match};
use crate::quantity::{Quantity, Unit, plain};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::HitRateKind;
use crate::schema::Document;

/// A value of the note that a headline may quote.
struct Reading {
    metric: String,
    unit: String,
    /// Or why there is none.
    value: Result<Quantity, String>,
}

/// Reports a headline that is not one of the note's own values, in another unit, or another number.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    let Some(note) = item.kv_efficiency() else { return };
    let Some(headline) = note.headline.as_ref().filter(|headline| is_known(item, note, &headline.subject)) else {
        return;
    };
    let readings = readings(note, &headline.subject, figures);
    let mut push = |field: &str, message: String, help: String| {
        let pointer = format!("/headline/{field}");
        let problem = Diagnostic::new(&rules::NOTE_HEADLINE, item.document.location(&pointer), message);
        report.push(problem.pointer(pointer).help(help));
    };
    let (metric, subject) = (printable(&headline.metric), printable(&headline.subject));
    let named: Vec<_> = readings.iter().filter(|reading| reading.metric == headline.metric).collect();
    if named.is_empty() {
        let help = match nearest(&headline.metric, readings.iter().map(|reading| reading.metric.as_str())) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "a headline quotes a hit rate, a value of a variant, or a figure of its subject".to_owned(),
        };
        return push("metric", format!("the note has no `{metric}` of `{subject}`"), help);
    }
    let in_unit: Vec<_> = named.iter().filter(|reading| reading.unit == headline.unit).collect();
    if in_unit.is_empty() {
        let message = format!("`{metric}` of `{subject}` is not in {}", quoted(&headline.unit));
        return push("unit", message, format!("its unit is {}", quoted(&named[0].unit)));
    }
    let wording = wording(&item.document, headline.value);
    if in_unit.iter().any(|reading| reading.value.as_ref().is_ok_and(|value| is(&wording, *value))) {
        return;
    }
    let found = in_unit.iter().map(|reading| match &reading.value {
        Ok(value) => plain(*value),
        Err(reason) => format!("none: {reason}"),
    });
    let found: Vec<_> = found.collect();
    let message =
        format!("the headline says {wording} for `{metric}` of `{subject}`, the note has {}", found.join(" and "));
    push("value", message, "quote the number that the note has".to_owned());
}

/// A subject that is not there has been reported, and a model that is lost has no anchor.
fn is_known(item: &Item, note: &KvEfficiency, subject: &str) -> bool {
    let anchor = anchor_of_key(subject);
    let of_models = item.model_subjects.iter().flat_map(|model| [&model.anchor, &model.all_layers]);
    let anchors = item.subjects.iter().map(|subject| &subject.anchor).chain(of_models);
    let is_rate = note.hit_rates.iter().any(|rate| rate.key == subject);
    item.knows_its_models() && (subject == RECORD || is_rate || anchors.into_iter().any(|known| *known == anchor))
}

/// Everything that the note has of a subject: hit rates, values of the variant, figures.
fn readings(note: &KvEfficiency, subject: &str, figures: &[Figure]) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut add = |metric: &str, unit: &str, value| {
        readings.push(Reading { metric: metric.to_owned(), unit: unit.to_owned(), value });
    };
    let mut anchors = vec![anchor_of_key(subject)];
    for rate in &note.hit_rates {
        if rate.key == subject || rate.subject.as_deref() == Some(subject) {
            let requested = matches!(rate.kind, HitRateKind::RequestedShare | HitRateKind::Ceiling);
            let metric = if requested { "shared_prefix_pct" } else { "prefix_cache_hit_pct" };
            add(metric, Unit::Percent.symbol(), Ok(rate.rate_pct));
        }
        if rate.key == subject {
            anchors.push(anchor_of_key(note.key_of_figures(rate)));
        }
    }
    for variant in note.variants.iter().filter(|variant| variant.key == subject) {
        if let Some(ttft) = variant.measured_ttft_ms_at_ctx {
            add("ttft", Unit::Milliseconds.symbol(), Ok(ttft));
        }
        if let Some(speed) = variant.measured_tps_at_ctx {
            add("output_tok_s", "output tok/s", Ok(speed));
        }
        if let Some(pool) = variant.measured_kv_pool_tokens {
            add("kv_pool_tokens", "tokens", Ok(pool));
        }
        for value in &variant.values {
            add(&value.name, &value.unit, Ok(value.value));
        }
    }
    for figure in figures.iter().filter(|figure| anchors.contains(&figure.subject)) {
        add(figure.formula.id, figure.formula.unit.symbol(), figure.quantity().ok_or_else(|| figure.shown()));
    }
    readings
}

/// The value as the file writes it, so that it is held to the digits that it has.
fn wording(document: &Document, value: Quantity) -> String {
    let digits = |pointer: &str| Some(document.written(pointer)?.trim_matches(['"', '\'']).to_owned());
    let ends = || Some(format!("{}–{}", digits("/headline/value/0")?, digits("/headline/value/1")?));
    let text = if value.is_interval() { ends() } else { digits("/headline/value") };
    text.unwrap_or_else(|| plain(value))
}

fn is(wording: &str, value: Quantity) -> bool {
    let numbers = written::numbers(wording);
    !numbers.is_empty() && numbers.iter().all(|number| number.matches(Unit::Number, value) == Match::Agrees)
}
