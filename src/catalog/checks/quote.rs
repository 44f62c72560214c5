//! What the title of a price says, against its fields, and what a record says an hour of a GPU costs, against quotes.

use std::collections::BTreeMap;

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::quantity::{Quantity, plain};
use crate::record::price::HourPrice;
use crate::record::{Price, Record};
use crate::schema::Document;

/// An hour of one GPU may cost so many times the dearest quote for the same card, and so many times less than the cheapest;
/// beyond, a price of one was taken for that of several, or the other way round.
const APART: f64 = 1.5;

/// Two quotes of one offer on one day are one, or tell of something that neither says.
pub fn quotes_of_one_day(items: &BTreeMap<String, Item>, report: &mut Report) {
    let mut known = BTreeMap::new();
    for item in items.values() {
        let Record::Price(price) = &item.record else { continue };
        let hour = price.hour.usd_per_gpu_hour();
        let offer = (&price.accelerator, &price.provider, &price.tier, price.date);
        let (first, cost) = *known.entry(offer).or_insert((item, hour));
        if cost.overlaps(hour) {
            continue;
        }
        let pointer = format!("/{}", price.hour.field());
        let message = format!(
            "${} for a GPU and hour, and `{}` has ${} of the same provider, tier and day",
            plain(hour),
            first.address,
            plain(cost)
        );
        report.push(
            Diagnostic::new(&rules::PRICE_TWICE, item.document.location(&pointer), message)
                .pointer(pointer)
                .help("say in `tier` what sets them apart, or keep the one that holds"),
        );
    }
}

/// The price that a record of several GPUs states, against the quotes for its card: that of a node has to be said so, and
/// only that.
pub fn prices_of_one_gpu(items: &BTreeMap<String, Item>, report: &mut Report) {
    let mut quoted = BTreeMap::<&str, Quantity>::new();
    for item in items.values() {
        if let (Record::Price(price), Some(card)) = (&item.record, item.cards.first().and_then(|card| card.entry())) {
            let hour = price.hour.usd_per_gpu_hour();
            quoted.entry(card).and_modify(|range| *range = range.around(hour)).or_insert(hour);
        }
    }
    for item in items.values() {
        let card = item.cards.first().and_then(|card| card.entry());
        let (Some((stated, document)), Some(card)) = (item.stated_price(), card) else { continue };
        let Some(quoted) = quoted.get(card).filter(|range| range.low() > 0.0) else { continue };
        let gpus = match &item.record {
            Record::Run(run) => run.hardware.count,
            Record::Audit(audit) => audit.hardware.count,
            _ => 1,
        };
        let (message, help) = match stated.hour {
            HourPrice::Gpu { usd_per_gpu_hour: hour } if gpus > 1 && hour.low() > APART * quoted.high() => (
                format!(
                    "${} for an hour of one GPU, and no quote for `{card}` is over ${}; for {gpus} together it is ${} each",
                    plain(hour),
                    plain(quoted.high().into()),
                    plain(hour / f64::from(gpus))
                ),
                "write the price of a node as `usd_per_node_hour` with `gpus_per_node`; or acknowledge the rule",
            ),
            HourPrice::Node { usd_per_node_hour: hour, gpus_per_node }
                if gpus_per_node > 1 && APART * stated.hour.usd_per_gpu_hour().high() < quoted.low() =>
            {
                (
                    format!(
                        "${} for an hour of {gpus_per_node} GPUs is ${} each, and no quote for `{card}` is under ${}",
                        plain(hour),
                        plain(stated.hour.usd_per_gpu_hour()),
                        plain(quoted.low().into())
                    ),
                    "write the price of one GPU as `usd_per_gpu_hour`; or acknowledge the rule",
                )
            }
            _ => continue,
        };
        let pointer = format!("/price/{}", stated.hour.field());
        let problem = Diagnostic::new(&rules::PRICE_BASIS, document.location(&pointer), message);
        report.push(problem.pointer(pointer).help(help));
    }
}

/// The title names the day and the dollars that the entry has, where it names any.
pub fn title_holds(price: &Price, document: &Document, report: &mut Report) {
    let Some(title) = price.title.as_deref() else { return };
    let day = price.date.to_string();
    let other_day = days(title).find(|named| *named != day).map(|named| (named.to_owned(), "date"));
    let hours = [price.hour.own(), price.hour.usd_per_gpu_hour()];
    let other_price = || {
        let other = dollars(title).find(|(_, dollars)| !hours.iter().any(|hour| hour.overlaps(*dollars)))?;
        Some((format!("${}", other.0), price.hour.field()))
    };
    let Some((named, field)) = other_day.or_else(other_price) else { return };
    let message = format!("the title names {}, and the entry has another", quoted(&named));
    report.push(
        Diagnostic::new(&rules::PRICE_TITLE, document.location("/title"), message)
            .pointer("/title")
            .related(document.spans.nearest(&format!("/{field}")), "what the entry has")
            .help("correct the title, or leave the number to the fields"),
    );
}

/// Days in the form of `2026-10-19`.
fn days(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_digit() && letter != '-').filter(|word| {
        let parts: Vec<_> = word.split('-').map(str::len).collect();
        parts == [4, 2, 2]
    })
}

/// Dollars as they are written, and what they may be by their last digit.
fn dollars(text: &str) -> impl Iterator<Item = (&str, Quantity)> {
    text.match_indices('$').filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        let decimals = number.split_once('.').map_or(0, |(_, part)| part.len());
        let half = 0.5 * 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
        let value: f64 = number.parse().ok()?;
        Some((number, Quantity::between(value - half, value + half)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_days_and_dollars() {
        assert_eq!(days("A, on demand, 2026-10-19 a3-highgpu-1g").collect::<Vec<_>>(), ["2026-10-19"]);
        assert_eq!(days("p5.48xlarge, 2026-10").count(), 0);
        let found: Vec<_> =
            dollars("$2.69 or $ 3. and $x").map(|(words, range)| (words, range.low(), range.high())).collect();
        assert_eq!(found, [("2.69", 2.685, 2.695), ("3", 2.5, 3.5)]);
    }
}
