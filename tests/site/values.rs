//! The values of `tests/values/table.tsv`, through the formulas and the rounding that run. `recompute.py` beside the
//! table holds the same rows against definitions of its own.

use std::collections::BTreeSet;

use results_site::formula::{self, FigureValue, Formula};
use results_site::quantity::Quantity;

const TABLE: &str = include_str!("../values/table.tsv");

#[test]
fn every_value_comes_out_and_is_printed_as_the_table_says() {
    let faults: Vec<_> = rows().filter_map(|(line, row)| Some(format!("line {line}: {}", fault(&row)?))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_formula_has_a_value() {
    let there: BTreeSet<_> = rows().filter_map(|(_, row)| row.first().copied()).collect();
    let without: Vec<_> = formula::ALL.iter().map(|formula| formula.id).filter(|id| !there.contains(id)).collect();
    assert!(without.is_empty(), "no row in tests/values/table.tsv: {without:?}");
}

/// The rows by line, without comments and heading.
fn rows() -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    let lines = TABLE.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.skip(1).map(|(number, line)| (number + 1, line.split('\t').collect()))
}

/// What is wrong with a row.
fn fault(row: &[&str]) -> Option<String> {
    let [id, inputs, value, shown, _] = row else { return Some("expected 5 columns".to_owned()) };
    let Some(formula) = formula::by_id(id) else { return Some(format!("no formula `{id}`")) };
    let inputs: Option<Vec<_>> = inputs.split("; ").map(|input| input.split_once('=')).collect();
    let Some(inputs) = inputs else { return Some(format!("{id}: expected name=value")) };
    if !are_named(&inputs, formula) {
        return Some(format!("{id}: expected the inputs {:?}", formula.inputs));
    }
    let Some(values) = inputs.iter().map(|(_, text)| read(text)).collect::<Option<Vec<_>>>() else {
        return Some(format!("{id}: an input is no number"));
    };
    let found = formula.compute(&values);
    let (good, printed) = match found {
        FigureValue::Verdict(verdict) => (verdict == *value, verdict.to_owned()),
        FigureValue::Quantity(found) => {
            (read(value).is_some_and(|expected| are_equal(found, expected)), formula.unit.show(found))
        }
    };
    if !good {
        return Some(format!("{id}: expected {value}, found {found:?}"));
    }
    (printed != *shown).then(|| format!("{id} of {inputs:?}: expected `{shown}`, printed `{printed}`"))
}

/// One name an input in the formula's order, or as many values of the one input as there are.
fn are_named(inputs: &[(&str, &str)], formula: &Formula) -> bool {
    let names = inputs.iter().enumerate().all(|(position, (name, _))| formula.input(position).name == *name);
    names && (formula.is_of_list() || inputs.len() == formula.inputs.len())
}

/// A number, an interval `low..high`, or one that `~` marks as approximate.
fn read(text: &str) -> Option<Quantity> {
    let digits = text.strip_prefix('~').unwrap_or(text);
    let (low, high) = digits.split_once("..").unwrap_or((digits, digits));
    let quantity = Quantity::between(low.parse().ok()?, high.parse().ok()?);
    let factor = if digits == text { Quantity::exact(1.0) } else { Quantity::about(1.0) };
    Some(quantity * factor)
}

/// Equal but for what binary arithmetic leaves.
fn are_equal(found: Quantity, expected: Quantity) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-12 * other.abs();
    near(found.low(), expected.low())
        && near(found.high(), expected.high())
        && found.is_approximate() == expected.is_approximate()
}
