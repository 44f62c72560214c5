//! Values that only a note has, under names and units of its own, against what there is.

use std::collections::BTreeMap;

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::metric::Latency;
use crate::metric::plausible::{Plausible, plausible};
use crate::quantity::{plain, significant};
use crate::record::kv_efficiency::{HitRate, HitRateKind, KvEfficiency, MeasuredValue};
use crate::record::{Hardware, Record};

/// Cards of a fleet whose number a note does not state, and of a single machine.
const FLEET: f64 = 1000.0;
const MACHINE: f64 = 8.0;
/// The most that any card has, bytes, where it is not known which it was.
const MEMORY_BYTES: f64 = 1e12;

/// Every value of the variants of every note.
pub fn notes_look_right(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values() {
        let Some(note) = item.kv_efficiency() else { continue };
        under_ceilings(item, note, report);
        for position in 0..note.variants.len() {
            let place = Place::of(item, note, position, items);
            place.values(report);
            place.pool(report);
            place.context(report);
        }
    }
}

/// No rate of hits is over what the same prompts allow.
fn under_ceilings(item: &Item, note: &KvEfficiency, report: &mut Report) {
    for (position, rate) in note.hit_rates.iter().enumerate().filter(|(_, rate)| rate.kind != HitRateKind::Ceiling) {
        let is_under = |other: &&HitRate| {
            let is_ceiling =
                other.kind == HitRateKind::Ceiling && rate.subject.is_some() && other.subject == rate.subject;
            is_ceiling && rate.rate_pct.low() > other.rate_pct.high()
        };
        let Some(ceiling) = note.hit_rates.iter().find(is_under) else { continue };
        let pointer = format!("/hit_rates/{position}/rate_pct");
        let message = format!(
            "`{}`: {}% is over the ceiling of {}%, `{}`",
            rate.key,
            plain(rate.rate_pct),
            plain(ceiling.rate_pct),
            ceiling.key
        );
        report.push(
            Diagnostic::new(&rules::HIT_RATE_CEILING, item.document.location(&pointer), message)
                .pointer(pointer)
                .help("ask whether both are of the same prompts; acknowledge the rule with what each is of"),
        );
    }
}

/// A variant and what it ran on.
struct Place<'a> {
    item: &'a Item,
    note: &'a KvEfficiency,
    position: usize,
    /// What its host's card is called, and its memory in bytes.
    card: Option<(&'a str, f64)>,
    cards: Option<f64>,
}

impl<'a> Place<'a> {
    fn of(item: &'a Item, note: &'a KvEfficiency, position: usize, items: &'a BTreeMap<String, Item>) -> Self {
        let host = item.arms.get(position).and_then(|arm| arm.host);
        let entry = host.and_then(|host| items.get(item.cards.get(host)?.entry()?));
        let card = entry.and_then(|entry| match &entry.record {
            Record::Hardware(card) => Some((entry.title(), memory_bytes(card))),
            _ => None,
        });
        let cards = host.and_then(|host| note.hosts.get(host)?.count).map(f64::from);
        Place { item, note, position, card, cards }
    }

    fn values(&self, report: &mut Report) {
        let variant = &self.note.variants[self.position];
        for (at, value) in variant.values.iter().enumerate() {
            let pointer = format!("/variants/{}/values/{at}", self.position);
            let found = misspelt(&value.unit).map(|right| {
                (format!("{pointer}/unit"), format!("{} is no unit: likely {right}", quoted(&value.unit)))
            });
            let found = found.or_else(|| Some((format!("{pointer}/value"), self.too_much(value)?)));
            if let Some((pointer, message)) = found {
                self.warn(&pointer, &message, report);
            }
        }
    }

    /// Why there can be no such value.
    fn too_much(&self, value: &MeasuredValue) -> Option<String> {
        let stated = format!("{} {} of {}", plain(value.value), value.unit, quoted(&value.name));
        if let Some(bytes) = bytes_of(&value.unit) {
            let of_one = has_part(&value.name, &["per_gpu"]);
            let is_memory = of_one || has_part(&value.name, &["vram"]);
            let cards = if of_one { 1.0 } else { self.cards.unwrap_or(MACHINE) };
            return is_memory.then(|| self.more_than_memory(&stated, value.value.low() * bytes, cards))?;
        }
        if value.unit == "%" {
            let is_share =
                has_part(&value.name, &["hit", "hits"]) && !has_part(&value.name, &["gain", "change", "more"]);
            return (is_share && value.value.low() > 100.0).then(|| format!("{stated} is more than all"));
        }
        let (bounds, factor) = bounds_of(value)?;
        let cards = if bounds.per_gpu { self.cards.unwrap_or(FLEET) } else { 1.0 };
        let ends = [value.value.low(), value.value.high()];
        let bound = ends.into_iter().find_map(|end| bounds.beyond(end * factor / cards))?;
        let side = if bound.at == bounds.low.at { "under" } else { "over" };
        let at = significant(bound.at * cards / factor);
        Some(format!("{stated} is {side} {at} {}: likely {}", value.unit, bound.likely))
    }

    /// The pool of caches is in the memory of the cards.
    fn pool(&self, report: &mut Report) {
        let variant = &self.note.variants[self.position];
        let (Some(pool), Some(cards)) = (variant.measured_kv_pool_gib, self.cards) else { return };
        let stated = format!("a pool of {} GiB", plain(pool));
        if let Some(message) = self.more_than_memory(&stated, pool.low() * GIB, cards) {
            self.warn(&format!("/variants/{}/measured_kv_pool_gib", self.position), &message, report);
        }
    }

    /// What was decoded at a context had room for it in the pool.
    fn context(&self, report: &mut Report) {
        let variant = &self.note.variants[self.position];
        let (Some(pool), Some(_)) = (variant.measured_kv_pool_tokens, variant.measured_tps_at_ctx) else { return };
        let Some(context) = variant.context_tokens.filter(|context| pool.high() < context.low()) else { return };
        let message = format!("a speed at {} tokens, and a pool of {}", plain(context), plain(pool));
        self.warn(&format!("/variants/{}/measured_kv_pool_tokens", self.position), &message, report);
    }

    fn more_than_memory(&self, stated: &str, bytes: f64, cards: f64) -> Option<String> {
        let memory = self.card.map_or(MEMORY_BYTES, |(_, memory)| memory) * cards;
        let name = self.card.map_or("any card", |(name, _)| name);
        let which = format!("{} × {name}", plain(cards.into()));
        (bytes > memory).then(|| format!("{stated} is more than {which} have: {} GiB", significant(memory / GIB)))
    }

    fn warn(&self, pointer: &str, message: &str, report: &mut Report) {
        let message = format!("`{}`: {message}", self.note.variants[self.position].key);
        let problem = Diagnostic::new(&rules::UNIT_SUSPICIOUS, self.item.document.location(pointer), message);
        report.push(
            problem
                .pointer(pointer)
                .help("look at the number and its unit; acknowledge the rule where the value holds"),
        );
    }
}

const GIB: f64 = 1_073_741_824.0;

/// Memory of a card at its most: what is sold as GB is often GiB.
fn memory_bytes(card: &Hardware) -> f64 {
    let usable = card.memory_usable_mib.unwrap_or_default() * GIB / 1024.0;
    usable.max(card.memory_gb * GIB)
}

/// The bounds of a value by its name and unit, and what converts it to the unit of the bounds.
fn bounds_of(value: &MeasuredValue) -> Option<(Plausible, f64)> {
    let of_input = value.unit == "total tok/s" || has_part(&value.name, &["prefill", "prompt", "input", "total"]);
    let field = match value.unit.as_str() {
        "tok/s" | "input tok/s" | "output tok/s" | "total tok/s" if of_input => {
            return Some((plausible("total_tok_s")?, 1.0));
        }
        "tok/s" | "input tok/s" | "output tok/s" => return Some((plausible("output_tok_s")?, 1.0)),
        "req/s" => return Some((plausible("request_throughput_rps")?, 1.0)),
        "W" => return Some((plausible("node_power_kw")?, 0.001)),
        "kW" => return Some((plausible("node_power_kw")?, 1.0)),
        _ => Latency::METRICS.iter().find(|metric| has_part(&value.name, &[metric])).copied(),
    };
    let field = field.or_else(|| has_part(&value.name, &["time_per_output_token"]).then_some("tpot"))?;
    let milliseconds = match value.unit.as_str() {
        "us" | "µs" => 0.001,
        "ms" => 1.0,
        "s" => 1000.0,
        "min" => 60_000.0,
        _ => return None,
    };
    Some((plausible(field)?, milliseconds))
}

/// Whether a name has a part, whole between its underscores.
fn has_part(name: &str, parts: &[&str]) -> bool {
    let name = format!("_{name}_");
    parts.iter().any(|part| name.contains(&format!("_{part}_")))
}

/// The bytes of a unit of memory.
fn bytes_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "KB" | "kB" => 1e3,
        "KiB" => 1024.0,
        "MB" => 1e6,
        "MiB" => GIB / 1024.0,
        "GB" => 1e9,
        "GiB" => GIB,
        "TB" => 1e12,
        "TiB" => GIB * 1024.0,
        _ => return None,
    })
}

/// What a unit of bytes in small letters is likely to be: `m` is a thousandth, and nothing is measured in its bits.
fn misspelt(unit: &str) -> Option<&'static str> {
    Some(match unit.split('/').next()? {
        "kb" => "kB or KiB",
        "mb" => "MB or MiB",
        "gb" => "GB or GiB",
        "tb" => "TB or TiB",
        "kib" => "KiB",
        "mib" => "MiB",
        "gib" => "GiB",
        "tib" => "TiB",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_bounds_by_name_and_unit() {
        let bounds = |name: &str, unit: &str| {
            let value = MeasuredValue {
                name: name.to_owned(),
                value: 1.0.into(),
                unit: unit.to_owned(),
                context_tokens: None,
                bound: None,
                basis: None,
                note: None,
            };
            bounds_of(&value).map(|(bounds, factor)| (bounds.high.at, factor))
        };
        for (name, unit, expected) in [
            ("decode_tok_s", "tok/s", Some((500_000.0, 1.0))),
            ("prefill_tok_s", "tok/s", Some((5_000_000.0, 1.0))),
            ("throughput_per_gpu", "total tok/s", Some((5_000_000.0, 1.0))),
            ("req_s", "req/s", Some((10_000.0, 1.0))),
            ("power", "W", Some((3.0, 0.001))),
            ("power", "kW", Some((3.0, 1.0))),
            ("ttft_mean", "us", Some((1e7, 0.001))),
            ("ttft_mean", "s", Some((1e7, 1000.0))),
            ("burst_ttft_p50", "ms", Some((1e7, 1.0))),
            ("ttft_min", "min", Some((1e7, 60_000.0))),
            ("time_per_output_token", "ms", Some((1e5, 1.0))),
            ("ttft_gain", "x", None),
            ("itl_slope", "ns per token of context", None),
            ("latency_s", "s", None),
            ("perplexity", "perplexity", None),
        ] {
            assert_eq!(bounds(name, unit), expected, "{name} {unit}");
        }
        for (unit, right) in [
            ("kb", Some("kB or KiB")),
            ("mb", Some("MB or MiB")),
            ("gb", Some("GB or GiB")),
            ("tb", Some("TB or TiB")),
            ("kib", Some("KiB")),
            ("mib", Some("MiB")),
            ("gib/s", Some("GiB")),
            ("tib", Some("TiB")),
            ("GB/s", None),
            ("Gb/s", None),
            ("x", None),
        ] {
            assert_eq!(misspelt(unit), right, "{unit}");
        }
        let kib = 1024.0;
        for (unit, bytes) in [
            ("kB", 1e3),
            ("KiB", kib),
            ("MB", 1e6),
            ("MiB", kib * kib),
            ("GB", 1e9),
            ("GiB", kib * kib * kib),
            ("TB", 1e12),
            ("TiB", kib * kib * kib * kib),
        ] {
            assert_eq!(bytes_of(unit), Some(bytes), "{unit}");
        }
        let memory = |card: serde_json::Value| {
            let card: Hardware = serde_json::from_value(card).expect("it is a card");
            memory_bytes(&card)
        };
        let card = |usable: Option<f64>| serde_json::json!({"id": "c", "title": "C", "memory_gb": 1, "memory_usable_mib": usable});
        assert_eq!(memory(card(None)), GIB);
        assert_eq!(memory(card(Some(1000.0))), GIB);
        assert_eq!(memory(card(Some(1025.0))), 1025.0 * kib * kib);
        let powers = |base: f64| [1, 2, 3, 4].map(|power| Some(base.powi(power)));
        assert_eq!(["kB", "MB", "GB", "TB"].map(bytes_of), powers(1000.0));
        assert_eq!(["KiB", "MiB", "GiB", "TiB"].map(bytes_of), powers(1024.0));
        assert_eq!(["KB", "B/token"].map(bytes_of), [Some(1000.0), None]);
    }
}
