//! What a variant was measured to have, against the same reading of its baseline.

use super::super::Figure;
use super::super::sheet::{compute, field};
use super::{Row, Sheet, withheld};
use crate::compare::Alike;
use crate::formula::comparison;
use crate::quantity::Quantity;
use crate::record::kv_efficiency::{MeasuredValue, ValueBasis, Variant};

/// One number of a variant, under the name and the unit by which the baseline's is found.
struct Reading<'a> {
    name: &'a str,
    unit: &'a str,
    quantity: Quantity,
    context_tokens: Option<Quantity>,
    basis: Option<ValueBasis>,
    /// Where it stands in the variant.
    place: String,
}

impl Reading<'_> {
    fn is_same(&self, other: &Reading) -> bool {
        (self.name, self.unit, self.context_tokens) == (other.name, other.unit, other.context_tokens)
    }

    fn is_share(&self) -> bool {
        matches!(self.unit, "%" | "points")
    }

    fn words(&self) -> String {
        crate::metric::words_beside(self.name, self.unit)
    }
}

/// Times, speeds and pools with a field of their own, then the values that have none. A limit and a ratio are no reading.
fn readings(variant: &Variant) -> Vec<Reading<'_>> {
    let field = |name, unit, place: &str, quantity: Option<Quantity>| {
        let place = place.to_owned();
        Some(Reading { name, unit, quantity: quantity?, context_tokens: None, basis: None, place })
    };
    let is_reading = |value: &MeasuredValue| value.bound.is_none() && value.unit != "x";
    let values = variant.values.iter().enumerate().filter(|(_, value)| is_reading(value));
    let values = values.map(|(position, value)| Reading {
        name: &value.name,
        unit: &value.unit,
        quantity: value.value,
        context_tokens: value.context_tokens,
        basis: value.basis,
        place: format!("values/{position}/value"),
    });
    let ttft = field("ttft", "ms", "measured_ttft_ms_at_ctx", variant.measured_ttft_ms_at_ctx);
    let speed = field("output_tok_s", "tok/s", "measured_tps_at_ctx", variant.measured_tps_at_ctx);
    let pool = field("kv_pool_tokens", "tokens", "measured_kv_pool_tokens", variant.measured_kv_pool_tokens);
    [ttft, speed, pool].into_iter().flatten().chain(values).collect()
}

impl Sheet<'_> {
    /// Each reading that the baseline has too. They stand under the variant's key and the name of the reading.
    pub(super) fn readings(&self, row: &Row) -> Vec<Figure> {
        let Some(baseline) = self.baseline(row).filter(|baseline| baseline.position != row.position) else {
            return Vec::new();
        };
        let of_baseline = readings(baseline.variant);
        let pairs = readings(row.variant).into_iter().filter_map(|own| {
            let other = of_baseline.iter().find(|other| own.is_same(other))?;
            Some(self.against(row, &own, &baseline, other))
        });
        pairs.flatten().collect()
    }

    fn against(&self, row: &Row, own: &Reading, baseline: &Row, other: &Reading) -> Vec<Figure> {
        let subject = format!("{}.{}", row.subject.anchor, own.name);
        let change = if own.is_share() { &comparison::VALUE_POINTS } else { &comparison::VALUE_CHANGE_PCT };
        let fell = own.quantity.high() < other.quantity.low();
        // Of the first token there is a speed-up already.
        let ratios = match own.place.as_str() {
            "measured_ttft_ms_at_ctx" => &[][..],
            _ if fell => &[&comparison::VALUE_RATIO, &comparison::VALUE_FALL],
            _ => &[&comparison::VALUE_RATIO],
        };
        let allowed = self.compared(Alike::Readings, baseline, row);
        let formulas = ratios.iter().copied().chain([change]);
        let figure = |formula| {
            if !allowed.is_allowed() {
                return withheld(formula, &subject, &allowed).labelled(own.words());
            }
            let at = |row: &Row, reading: &Reading| {
                field(&self.item.document, row.at(&reading.place), Some(reading.quantity))
            };
            let (own_fact, other_fact) = (at(row, own), at(baseline, other));
            let facts = if std::ptr::eq(formula, &comparison::VALUE_FALL) {
                [other_fact, own_fact]
            } else {
                [own_fact, other_fact]
            };
            let is_drawn = [own, other].iter().any(|reading| reading.basis == Some(ValueBasis::Chart));
            let drawn = is_drawn.then_some(ValueBasis::READ_OFF);
            let against = format!("against {}", baseline.subject.label);
            compute(formula, &subject, facts)
                .labelled(own.words())
                .limited(drawn)
                .remarked([against])
                .remarked(allowed.varied.clone())
        };
        formulas.map(figure).collect()
    }
}
