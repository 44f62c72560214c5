//! A config carried over to the fleet that the record argues for.

use std::sync::Arc;

use super::change::Sides;
use super::{Row, Sheet};
use crate::figures::Figure;
use crate::figures::sheet::{Found, compute, derived, missing};
use crate::formula::fleet;

impl Sheet<'_> {
    /// Nothing where the record names no fleet.
    pub(super) fn fleet(&self) -> Vec<Figure> {
        let Some(cards) = self.run.fleet.as_ref().and_then(|fleet| fleet.cards) else { return Vec::new() };
        let fleet = self.field("/fleet/cards", Some(cards as f64)).map(|mut fact| {
            fact.assumed = Some("that output and power grow linearly with cards is assumed".to_owned());
            fact
        });
        let of_fleet = |figure: Figure| figure.labelled(format!("{cards} cards, projected linearly"));
        let mut figures = Vec::new();
        figures.extend(self.rows().map(|row| of_fleet(self.fleet_output(row, &fleet))));
        figures.extend(self.rows().map(|row| {
            let facts = [self.power(row), self.gpus(), fleet.clone()];
            of_fleet(self.bounded(compute(&fleet::FLEET_POWER_KW, row.anchor, facts)))
        }));
        figures.extend(self.rows().map(|row| of_fleet(self.fleet_cards(row, &fleet))));
        figures
    }

    fn fleet_output(&self, row: Row, fleet: &Found) -> Figure {
        compute(&fleet::FLEET_OUTPUT_TOK_S, row.anchor, [self.output_rate(row), self.gpus(), fleet.clone()])
            .limited(self.output_limits(row))
    }

    fn fleet_cards(&self, row: Row, fleet: &Found) -> Figure {
        let formula = &fleet::FLEET_CARDS_FOR_BASELINE_OUTPUT;
        match self.sides(row, |side| self.output_rate(side)) {
            Ok(Sides { baseline, varied, .. }) => {
                let outputs = [self.fleet_output(baseline, fleet), self.fleet_output(row, fleet)].map(Arc::new);
                let facts = [derived(&outputs[0]), derived(&outputs[1]), fleet.clone()];
                let figure = compute(formula, row.anchor, facts).limited(self.output_limits(row));
                if figure.outcome.is_ok() { figure.remarked(varied) } else { figure }
            }
            Err(reason) => missing(formula, row.anchor, reason),
        }
    }
}
