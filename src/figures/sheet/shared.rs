//! Intervals that several inputs rest on: one price in two costs is one price, whatever it is.

use std::collections::BTreeMap;

use crate::figures::Fact;
use crate::formula::{FigureValue, Formula};
use crate::quantity::Quantity;

/// A value of a file.
type Place<'a> = (&'a str, &'a str);

/// More would be too many corners to go to.
const SHARED: usize = 4;

/// The formula over inputs that share intervals, at every end of these; `None` where they share none, or where one of the
/// formulas goes in steps, so that its ends are not those of what lies between.
pub fn compute(formula: &Formula, inputs: &[Fact]) -> Option<FigureValue> {
    let mut times = BTreeMap::<Place, (usize, Quantity)>::new();
    for input in inputs {
        let mut own = BTreeMap::new();
        collect(input, &mut own)?;
        for (place, interval) in own {
            times.entry(place).or_insert((0, interval)).0 += 1;
        }
    }
    let shared: Vec<_> = times.into_iter().filter(|(_, (count, _))| *count > 1).collect();
    if shared.is_empty() || shared.len() > SHARED || formula.is_stepped() {
        return None;
    }
    let mut whole: Option<Quantity> = None;
    for corner in 0..1_usize << shared.len() {
        let ends = shared.iter().enumerate().map(|(at, (place, (_, interval)))| {
            let end = if corner >> at & 1 == 0 { interval.low() } else { interval.high() };
            (*place, Quantity::between(end, end))
        });
        let ends: BTreeMap<_, _> = ends.collect();
        let values: Option<Vec<_>> = inputs.iter().map(|input| value(input, &ends)).collect();
        let FigureValue::Quantity(found) = formula.compute(&values?) else { return None };
        whole = Some(whole.map_or(found, |whole| whole.around(found)));
    }
    whole.map(|whole| FigureValue::Quantity(without_noise(whole)))
}

/// What cancels leaves an interval no wider than the rounding of the machine.
fn without_noise(whole: Quantity) -> Quantity {
    let is_noise = whole.high() - whole.low() <= 1e-9 * whole.high().abs().max(whole.low().abs());
    if is_noise && !whole.is_approximate() { Quantity::exact(whole.middle()) } else { whole }
}

/// The intervals that an input rests on; `None` where a formula on the way goes in steps.
fn collect<'a>(fact: &'a Fact, places: &mut BTreeMap<Place<'a>, Quantity>) -> Option<()> {
    let Some(figure) = &fact.derivation else {
        if fact.quantity.is_interval() && !fact.quantity.is_approximate() {
            places.insert((&fact.document.text.path, &fact.pointer), fact.quantity);
        }
        return Some(());
    };
    let computed = figure.outcome.as_ref().ok()?;
    // Of a figure that stands for a bound, not all of its interval went in.
    if computed.value != FigureValue::Quantity(fact.quantity) {
        return None;
    }
    let mut own = BTreeMap::new();
    computed.inputs.iter().try_for_each(|input| collect(input, &mut own))?;
    if figure.formula.is_stepped() && !own.is_empty() {
        return None;
    }
    places.append(&mut own);
    Some(())
}

/// An input with some places at one of their ends.
fn value(fact: &Fact, ends: &BTreeMap<Place, Quantity>) -> Option<Quantity> {
    match &fact.derivation {
        None => {
            let place: Place = (&fact.document.text.path, &fact.pointer);
            Some(ends.get(&place).copied().unwrap_or(fact.quantity))
        }
        Some(figure) => {
            let inputs = &figure.outcome.as_ref().ok()?.inputs;
            let values: Option<Vec<_>> = inputs.iter().map(|input| value(input, ends)).collect();
            match figure.formula.compute(&values?) {
                FigureValue::Quantity(quantity) => Some(quantity),
                FigureValue::Verdict(_) => None,
            }
        }
    }
}
