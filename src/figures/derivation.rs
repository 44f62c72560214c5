//! A figure unfolded: its expression with the numbers filled in, and every value it rests on.

use super::{Fact, Figure, Figures};
use crate::quantity::{plain, unrounded};

/// One value that a figure rests on, in the order of the expression, what it was computed from right below it.
#[derive(Debug)]
pub struct Step<'a> {
    /// How deep in the derivation, 0 for the figure's own inputs.
    pub depth: usize,
    pub name: &'static str,
    /// With its unit, and the source's own word where that stands for a number.
    pub value: String,
    pub fact: &'a Fact,
    /// The figure of the same record that it is, which unfolds on its own.
    pub figure: Option<&'a Figure>,
    /// The numbers filled in, where it was computed and is no figure of the record.
    pub filled: Option<String>,
}

impl Figures {
    /// What a figure of a record rests on.
    pub fn steps<'a>(&'a self, address: &str, figure: &'a Figure) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        self.collect_steps(address, figure, 0, &mut steps);
        steps
    }

    fn collect_steps<'a>(&'a self, address: &str, figure: &'a Figure, depth: usize, steps: &mut Vec<Step<'a>>) {
        for (definition, fact) in figure.inputs() {
            let derivation = fact.derivation.as_deref();
            let own = derivation.and_then(|derivation| self.same(address, derivation));
            let unfolded = derivation.filter(|_| own.is_none());
            let value = format!("{} {}", plain(fact.quantity), definition.unit.symbol());
            steps.push(Step {
                depth,
                name: definition.name,
                value: match fact.word() {
                    Some(word) => format!("{value} ({word})"),
                    None => value.trim_end().to_owned(),
                },
                fact,
                figure: own.map(AsRef::as_ref),
                filled: unfolded.map(Figure::filled).filter(|filled| !filled.is_empty()),
            });
            if let Some(derivation) = unfolded {
                self.collect_steps(address, derivation, depth + 1, steps);
            }
        }
    }
}

impl Figure {
    /// The expression with the numbers filled in; empty where there are none.
    pub fn filled(&self) -> String {
        let values: Vec<_> = self.inputs().map(|(_, fact)| plain(fact.quantity)).collect();
        if values.is_empty() { String::new() } else { self.formula.filled(&values) }
    }

    /// The number before rounding; `None` for a verdict and for what is missing.
    pub fn unrounded(&self) -> Option<String> {
        self.quantity().map(unrounded)
    }

    /// What a reader must know before acting on it, assumptions included.
    pub fn caveats(&self) -> Vec<String> {
        let mut caveats = self.limits.clone();
        caveats.extend(self.assumptions().into_iter().map(|reason| format!("assumed: {reason}")));
        caveats
    }
}
