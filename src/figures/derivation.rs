//! A figure unfolded: its expression with the numbers filled in, and every value it rests on.

use super::{Fact, Figure, Figures};
use crate::formula::Formula;
use crate::quantity::{plain, unrounded};

/// One value that a figure rests on.
#[derive(Debug)]
pub struct Step<'a> {
    pub name: &'static str,
    /// Without its unit; of what is missing, the reason.
    pub number: String,
    pub unit: &'static str,
    pub fact: &'a Fact,
    pub derivation: Derivation<'a>,
}

/// How a value that a figure rests on was itself computed.
#[derive(Debug)]
pub enum Derivation<'a> {
    /// It stands somewhere.
    None,
    /// It is a figure of the same record, which unfolds on its own.
    Figure(&'a Figure),
    /// It is no figure of the record, and so unfolds here.
    Unfolded(Unfolded<'a>),
}

/// A formula with everything that went into it.
#[derive(Debug)]
pub struct Unfolded<'a> {
    pub formula: &'static Formula,
    /// The expression with the numbers filled in.
    pub filled: String,
    /// One an input, in their order.
    pub steps: Vec<Step<'a>>,
}

impl Step<'_> {
    /// With its unit, and the source's own word where that stands for a number.
    pub fn value(&self) -> String {
        if self.fact.missing().is_some() {
            return self.number.clone();
        }
        let value = format!("{} {}", self.number, self.unit);
        let word = self.fact.word().map(|word| format!(" ({word})")).unwrap_or_default();
        format!("{}{word}", value.trim_end())
    }
}

/// A value as it stands in an expression.
fn filled_in(fact: &Fact) -> String {
    fact.missing().map_or_else(|| plain(fact.quantity), str::to_owned)
}

impl Figures {
    /// What a figure of a record rests on.
    pub fn unfold<'a>(&'a self, address: &str, figure: &'a Figure) -> Unfolded<'a> {
        let steps = figure.inputs().map(|(definition, fact)| Step {
            name: definition.name,
            number: filled_in(fact),
            unit: definition.unit.symbol(),
            fact,
            derivation: match fact.derivation.as_deref() {
                None => Derivation::None,
                Some(derivation) => match self.same(address, derivation) {
                    Some(own) => Derivation::Figure(own),
                    None => Derivation::Unfolded(self.unfold(address, derivation)),
                },
            },
        });
        Unfolded { formula: figure.formula, filled: figure.filled(), steps: steps.collect() }
    }

    /// How many values a figure of a record unfolds into.
    pub fn unfolded_values(&self, address: &str, figure: &Figure) -> usize {
        let facts = figure.inputs().map(|(_, fact)| match fact.derivation.as_deref() {
            Some(derivation) if self.same(address, derivation).is_none() => {
                1 + self.unfolded_values(address, derivation)
            }
            _ => 1,
        });
        facts.sum()
    }
}

impl Figure {
    /// The expression with the numbers filled in; empty where there are none.
    pub fn filled(&self) -> String {
        let values: Vec<_> = self.inputs().map(|(_, fact)| filled_in(fact)).collect();
        if values.is_empty() { String::new() } else { self.formula.filled(&values) }
    }

    /// The number before rounding; `None` for a verdict and for what is missing.
    pub fn unrounded(&self) -> Option<String> {
        self.quantity().map(unrounded)
    }

    /// What a reader must know before acting on it, assumptions included.
    pub fn caveats(&self) -> Vec<String> {
        let assumed = self.assumptions().into_iter().map(|reason| format!("assumed: {reason}"));
        self.limits.iter().map(|limit| limit.to_string()).chain(assumed).collect()
    }
}
