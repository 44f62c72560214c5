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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{derived, field};
    use super::*;
    use crate::figures::tests::card;
    use crate::figures::{Computed, Figure};
    use crate::formula::capacity::REPLICAS_AT_PEAK;
    use crate::formula::cost::{COST_CHANGE_PCT, SAVING_USD_PER_MONTH, USD_PER_HOUR, USD_PER_MTOK_OUTPUT};

    fn fact(pointer: &str, value: Quantity) -> Fact {
        field(&card(), pointer, Some(value)).expect("there is a value")
    }

    fn of(formula: &'static Formula, inputs: [Fact; 2]) -> Fact {
        let figure = super::super::compute(formula, "a", inputs.map(Ok));
        derived(&Arc::new(figure)).expect("it has a number")
    }

    /// A cost at a price and a rate.
    fn cost(usd_per_hour: &Fact, output_tok_s: f64) -> Fact {
        of(&USD_PER_MTOK_OUTPUT, [usd_per_hour.clone(), fact("/rate", output_tok_s.into())])
    }

    fn number(formula: &Formula, inputs: [Fact; 2]) -> Option<Quantity> {
        match compute(formula, &inputs)? {
            FigureValue::Quantity(quantity) => Some(quantity),
            FigureValue::Verdict(_) => None,
        }
    }

    #[test]
    fn one_price_in_two_costs_cancels_whatever_it_is() {
        let price = fact("/price", Quantity::between(2.0, 4.0));
        let change = number(&COST_CHANGE_PCT, [cost(&price, 1000.0), cost(&price, 500.0)]);
        assert_eq!(change, Some(Quantity::exact(-50.0)));
        // Two prices may be the two ends, and one without an interval is nothing to share.
        let other = fact("/other", Quantity::between(2.0, 4.0));
        assert_eq!(number(&COST_CHANGE_PCT, [cost(&price, 1000.0), cost(&other, 500.0)]), None);
        let exact = fact("/price", 3.0.into());
        assert_eq!(number(&COST_CHANGE_PCT, [cost(&exact, 1000.0), cost(&exact, 500.0)]), None);
        // How far an approximate number may be off is not known.
        let about = fact("/price", Quantity::about(3.0));
        assert_eq!(number(&COST_CHANGE_PCT, [cost(&about, 1000.0), cost(&about, 500.0)]), None);
    }

    #[test]
    fn what_does_not_cancel_keeps_its_width() {
        let price = fact("/price", Quantity::between(2.0, 4.0));
        let month = |gpus: f64| of(&USD_PER_HOUR, [price.clone(), fact("/gpus", gpus.into())]);
        assert_eq!(number(&SAVING_USD_PER_MONTH, [month(3.0), month(2.0)]), Some(Quantity::between(2.0, 4.0)));
        // Two intervals that are both in both: all four corners count.
        let gpus = fact("/gpus", Quantity::between(1.0, 2.0));
        let hour = of(&USD_PER_HOUR, [price.clone(), gpus]);
        let half = cost(&hour, 2e6 / 3600.0);
        assert_eq!(number(&SAVING_USD_PER_MONTH, [hour, half]), Some(Quantity::between(1.0, 4.0)));
        let beside = number(&SAVING_USD_PER_MONTH, [price.clone(), price.clone()]);
        assert_eq!(beside, Some(Quantity::exact(0.0)));
        let narrow = Quantity::between(1e9, 1e9 + 0.5);
        assert_eq!(without_noise(narrow), Quantity::exact(narrow.middle()));
        assert_eq!(without_noise(-narrow), Quantity::exact(-narrow.middle()));
        for kept in [Quantity::between(1e9, 1e9 + 2.0), Quantity::between(-2.0, 0.0), Quantity::about(5.0)] {
            assert_eq!(without_noise(kept), kept);
        }
    }

    #[test]
    fn a_formula_that_goes_in_steps_is_not_taken_at_ends() {
        let rate = fact("/rate", Quantity::between(5.0, 8.0));
        let replicas = |peak: f64| of(&REPLICAS_AT_PEAK, [fact("/peak", peak.into()), rate.clone()]);
        assert_eq!(number(&REPLICAS_AT_PEAK, [rate.clone(), rate.clone()]), None);
        assert_eq!(number(&SAVING_USD_PER_MONTH, [replicas(40.0), replicas(20.0)]), None);
        // Steps of what is no interval leave the rest as it is.
        let whole = of(&REPLICAS_AT_PEAK, [fact("/peak", 40.0.into()), fact("/one", 5.0.into())]);
        let month = of(&USD_PER_HOUR, [rate.clone(), whole]);
        assert_eq!(number(&SAVING_USD_PER_MONTH, [month, rate.clone()]), Some(Quantity::between(35.0, 56.0)));
    }

    #[test]
    fn what_stands_for_a_bound_is_not_taken_at_ends() {
        let price = fact("/price", Quantity::between(2.0, 4.0));
        let hour = of(&USD_PER_HOUR, [price.clone(), fact("/gpus", 2.0.into())]);
        let bound = Fact { quantity: Quantity::exact(4.0), ..hour };
        assert_eq!(number(&SAVING_USD_PER_MONTH, [bound, price.clone()]), None);
        let words = Computed { value: FigureValue::Verdict("unbounded"), inputs: vec![price.clone()] };
        let verdict = Figure { outcome: Ok(words), ..super::super::missing(&USD_PER_HOUR, "a", "no reason") };
        let said = Fact { derivation: Some(Arc::new(verdict)), ..price.clone() };
        assert_eq!(number(&SAVING_USD_PER_MONTH, [said, price]), None);
    }
}
