//! Values so far from any that there are that their unit must be another.

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::metric::plausible::{Plausible, plausible, plausible_limit};
use crate::metric::{Latency, unit_of};
use crate::quantity::{plain, significant};
use crate::record::Record;
use crate::schema::Document;

/// Every number of a record that stands under a name with bounds; what a run embeds of its harness's spec is not read.
pub fn look_right(item: &Item, report: &mut Report) {
    let gpus = match &item.record {
        Record::Run(run) => run.hardware.count,
        Record::Audit(audit) => audit.hardware.count,
        _ => 1,
    };
    let gpus = gpus.max(1);
    for document in item.documents() {
        for (pointer, value) in document.numbers() {
            if pointer.starts_with("/spec/") {
                continue;
            }
            if let Some((field, bounds)) = bounds(&pointer) {
                let of = if bounds.per_gpu { gpus } else { 1 };
                look_at(field, bounds, value, of, &pointer, document, report);
            }
        }
    }
}

/// The bounds of the field that a number stands under: itself, as an end of an interval, or as a member of a map.
fn bounds(pointer: &str) -> Option<(&str, Plausible)> {
    let mut names = pointer.rsplit('/').filter(|name| !name.is_empty() && name.parse::<usize>().is_err());
    let (last, above) = (names.next()?, names.next().unwrap_or_default());
    let own = if above == "slo" { plausible_limit(last) } else { plausible(last) };
    own.map(|bounds| (last, bounds)).or_else(|| Some((above, plausible(above)?)))
}

fn look_at(
    field: &str,
    bounds: Plausible,
    value: f64,
    gpus: u32,
    pointer: &str,
    document: &Document,
    report: &mut Report,
) {
    let Some(bound) = bounds.beyond(value / f64::from(gpus)) else { return };
    let unit = unit_of(field);
    let stated = |value: f64| unit.stated(&plain(value.into()));
    let each = if gpus == 1 { String::new() } else { format!(" for each of {gpus} GPUs") };
    let side = if bound.at == bounds.low.at { "under" } else { "over" };
    let converted = bounds.converted(value / f64::from(gpus), bound).map(|converted| converted * f64::from(gpus));
    let would_be = converted.map(|converted| format!(", which would be {}", unit.stated(&significant(converted))));
    let would_be = would_be.unwrap_or_default();
    let message = match speed_of_one_user(field, value) {
        Some(speed) => {
            format!("{} would be {speed} for one user; is this in {}{would_be}?", stated(value), bound.likely)
        }
        None => format!("{} is {side} {}{each}: likely {}{would_be}", stated(value), stated(bound.at), bound.likely),
    };
    let help = if value == 0.0 {
        "leave out what was not measured; acknowledge the rule where the value holds"
    } else {
        "convert it to the unit that the field's name says; acknowledge the rule where the value holds"
    };
    let problem = Diagnostic::new(&rules::UNIT_SUSPICIOUS, document.location(pointer), message);
    report.push(problem.pointer(pointer).help(help));
}

/// What a time per output token says about one user's stream, which shows a slip sooner than the time does.
fn speed_of_one_user(field: &str, value: f64) -> Option<String> {
    let per_token = field == "decode_ms_per_token"
        || Latency::parse(field).is_some_and(|latency| ["tpot", "itl"].contains(&latency.metric));
    (per_token && value > 0.0).then(|| format!("{} tokens/s", significant(1000.0 / value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_held_against_the_field_it_stands_under() {
        for (pointer, field) in [
            ("/configs/0/tpot_p99_ms", Some("tpot_p99_ms")),
            ("/configs/0/capacity/latencies/ttft_p95_ms/1", Some("ttft_p95_ms")),
            ("/slo/ttft_p99_ms", Some("ttft_p99_ms")),
            ("/weights_bytes/bf16", Some("weights_bytes")),
            ("/hit_rates/0/rate_pct", Some("rate_pct")),
            ("/configs/0/requests/sent", None),
            ("/0", None),
        ] {
            assert_eq!(bounds(pointer).map(|(field, _)| field), field, "{pointer}");
        }
    }
}
