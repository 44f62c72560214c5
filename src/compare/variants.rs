//! What stands between two variants of a KV-efficiency note.

use super::Comparison;
use crate::catalog::{Arm, Item};
use crate::quantity::Unit;
use crate::record::kv_efficiency::{Part, Variant};
use crate::record::{KvEfficiency, engine, storage};

/// Readings of two variants, the baseline first: at the same context, with the same model on the same engine and hardware.
pub fn readings_of_variants(item: &Item, baseline: usize, other: usize) -> Comparison {
    let Some((baseline, other)) = sides(item, baseline, other) else { return Comparison::default() };
    compared(&[Part::Context, Part::Model, Part::Engine, Part::Hardware, Part::KvDtype], &baseline, &other)
}

/// Cache sizes of two variants, the baseline first: of the same model. They do not depend on where it runs, and how
/// each stores its cache is what their ratio is of.
pub fn caches_of_variants(item: &Item, baseline: usize, other: usize) -> Comparison {
    let Some((baseline, other)) = sides(item, baseline, other) else { return Comparison::default() };
    compared(&[Part::Model], &baseline, &other)
}

fn compared(parts: &[Part], baseline: &Side, other: &Side) -> Comparison {
    let mut comparison = Comparison::default();
    for part in parts {
        let (left, right) = (baseline.value(*part), other.value(*part));
        if left == right {
            continue;
        }
        // Another version of an engine is what results are compared for.
        let is_alike = key(*part, left.as_deref()) == key(*part, right.as_deref());
        let words = against(name(*part), left, right);
        if baseline.note.varies(*part) || is_alike {
            comparison.varied.push(words);
        } else {
            comparison.forbidding.push(words);
        }
    }
    comparison
}

/// What of a value has to be equal.
fn key(part: Part, value: Option<&str>) -> Option<String> {
    match part {
        Part::Engine => value.map(engine::id),
        Part::KvDtype => value.and_then(storage::one_name),
        _ => value.map(str::to_owned),
    }
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Context => "context",
        Part::Engine => "engine",
        Part::Hardware => "hardware",
        Part::KvDtype => "KV dtype",
        Part::Model => "model",
    }
}

/// What is not stated on one side differs from whatever the other states.
fn against(name: &str, baseline: Option<String>, other: Option<String>) -> String {
    let side = |value: Option<String>| value.unwrap_or_else(|| "not stated".to_owned());
    format!("{name} {} against {}", side(baseline), side(other))
}

/// One of two variants.
struct Side<'a> {
    item: &'a Item,
    note: &'a KvEfficiency,
    variant: &'a Variant,
    arm: &'a Arm,
}

fn sides(item: &Item, baseline: usize, other: usize) -> Option<(Side<'_>, Side<'_>)> {
    let note = item.kv_efficiency()?;
    let side = |position: usize| {
        Some(Side { item, note, variant: note.variants.get(position)?, arm: item.arms.get(position)? })
    };
    Some((side(baseline)?, side(other)?))
}

impl Side<'_> {
    /// The variant's own setting where it has one, else the note's.
    fn value(&self, part: Part) -> Option<String> {
        let (variant, note) = (self.variant, self.note);
        match part {
            Part::Context => note.context(Some(variant)).map(|(tokens, _)| Unit::Tokens.show(tokens)),
            Part::Engine => variant.engine.clone().or_else(|| note.engine.clone()),
            Part::KvDtype => variant.kv_dtype.clone().or_else(|| note.kv_dtype.clone()),
            Part::Model => self.arm.model.and_then(|at| Some(self.item.models.get(at)?.name.clone())),
            Part::Hardware => {
                let host = self.arm.host.and_then(|at| note.hosts.get(at))?;
                // Two machines with the same cards may differ in what the note says of them.
                Some(format!("{} ({})", host.cards(), host.key))
            }
        }
    }
}
