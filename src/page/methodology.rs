//! The methodology page, generated from the formulas that ran.

use askama::Template;

use crate::formula::{ALL, ExampleValue};
use crate::quantity::plain;
use crate::route::Route;

use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "methodology.html")]
pub struct MethodologyPage {
    frame: Frame,
    formulas: Vec<Entry>,
    checks: String,
    disagreements: String,
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
    example: String,
    from: &'static str,
}

pub fn compose(here: &Here) -> MethodologyPage {
    let formulas = ALL.iter().map(|formula| {
        let inputs = formula.inputs.iter().map(|input| match input.unit.symbol() {
            "" => input.name.to_owned(),
            unit => format!("{} ({unit})", input.name),
        });
        let values: Vec<_> = formula.example.inputs.iter().map(|value| plain((*value).into())).collect();
        let position = |name: &str| formula.inputs.iter().position(|input| input.name == name);
        let value = |name: &str| position(name).and_then(|at| values.get(at).cloned());
        let filled = formula.fill_list(&values);
        let filled = filled.unwrap_or_else(|| formula.fill(|name| value(name).unwrap_or_else(|| name.to_owned())));
        let value = match formula.example.value {
            ExampleValue::Rounded(value) => format!("{value} {}", formula.unit.symbol()),
            ExampleValue::Between(low, high) => format!("{low}–{high} {}", formula.unit.symbol()),
            ExampleValue::Verdict(verdict) => format!("“{verdict}”"),
        };
        Entry {
            id: formula.id,
            name: formula.name,
            unit: formula.unit.symbol(),
            direction: formula.better.words(),
            sentence: formula.sentence.trim(),
            expression: formula.written(),
            inputs: inputs.collect(),
            source: formula.source,
            example: format!("{filled} = {}", value.trim_end()),
            from: formula.example.from,
        }
    });
    let description = "How every derived number on this site is computed, rounded and compared";
    MethodologyPage {
        frame: here.frame("Methodology", description),
        formulas: formulas.collect(),
        checks: here.to(&Route::checks()),
        disagreements: here.to(&Route::disagreements()),
    }
}
