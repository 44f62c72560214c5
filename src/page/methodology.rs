//! The methodology page, generated from the formulas that ran.

use askama::Template;

use crate::formula::storage::{Blocks, FORMATS, Format, Layout};
use crate::formula::{ALL, Example, ExampleValue, Formula};
use crate::quantity::{grouped, plain};
use crate::route::Route;

use super::evidence;
use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "methodology.html")]
pub struct MethodologyPage {
    frame: Frame,
    formulas: Vec<Entry>,
    formats: Vec<StoredIn>,
    checks: String,
    disagreements: String,
    completeness: evidence::Rule,
}

/// A storage format of KV caches.
#[derive(Debug)]
struct StoredIn {
    names: String,
    size: String,
    source: &'static str,
}

#[derive(Debug)]
struct Entry {
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    direction: &'static str,
    sentence: &'static str,
    expression: String,
    inputs: Vec<String>,
    source: &'static str,
    examples: Vec<Worked>,
}

#[derive(Debug)]
struct Worked {
    filled: String,
    from: &'static str,
}

pub fn compose(here: &Here) -> MethodologyPage {
    let formulas = ALL.iter().map(|formula| {
        let inputs = formula.inputs.iter().map(|input| match input.unit.symbol() {
            "" => input.name.to_owned(),
            unit => format!("{} ({unit})", input.name),
        });
        Entry {
            id: formula.id,
            name: formula.name,
            unit: formula.unit.symbol(),
            direction: formula.better.words(),
            sentence: formula.sentence.trim(),
            expression: formula.written(),
            inputs: inputs.collect(),
            source: formula.source,
            examples: formula.examples.iter().map(|example| worked(formula, example)).collect(),
        }
    });
    let description = "How every derived number on this site is computed, rounded and compared";
    MethodologyPage {
        frame: here.frame("Methodology", description),
        formulas: formulas.collect(),
        formats: FORMATS.iter().map(|format| stored_in(format)).collect(),
        checks: here.to(&Route::checks()),
        disagreements: here.to(&Route::disagreements()),
        completeness: evidence::rule(),
    }
}

fn stored_in(format: &Format) -> StoredIn {
    let names: Vec<_> = std::iter::once(&format.name).chain(format.aliases).copied().collect();
    let size = match &format.layout {
        Layout::Packed(packed) => {
            let sizes = packed.iter().map(|packed| {
                format!("{} B for a latent of {} + {}", plain(packed.bytes.into()), packed.dim, packed.rope_dim)
            });
            sizes.collect::<Vec<_>>().join(", ")
        }
        Layout::Elements { bytes, scale_bytes, blocks } => {
            let mut size = format!("{} B an element", plain((*bytes).into()));
            if *scale_bytes > 0.0 {
                size.push_str(&format!(" and {} B a head and side", plain((*scale_bytes).into())));
            }
            match blocks {
                Blocks::None => {}
                Blocks::Row(block) => size.push_str(&format!(", in blocks of {block} along all heads")),
                Blocks::Head(block) => size.push_str(&format!(", in blocks of {block} along one head")),
            }
            size
        }
    };
    StoredIn { names: names.join(", "), size, source: format.source }
}

fn worked(formula: &Formula, example: &Example) -> Worked {
    let values: Vec<_> = example.inputs.iter().map(|value| plain((*value).into())).collect();
    let value = match example.value {
        ExampleValue::Rounded(value) => format!("{} {}", grouped(value), formula.unit.symbol()),
        ExampleValue::Between(low, high) => {
            format!("{}–{} {}", grouped(low), grouped(high), formula.unit.symbol())
        }
        ExampleValue::Verdict(verdict) => format!("“{verdict}”"),
    };
    Worked { filled: format!("{} = {}", formula.filled(&values), value.trim_end()), from: example.from }
}
