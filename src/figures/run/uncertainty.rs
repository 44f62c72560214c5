//! How far a config's result could be off, and changes that are none.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::catalog::RECORD;
use crate::figures::Figure;
use crate::figures::sheet::{Found, compute, derived, missing};
use crate::formula::comparison::{Uncertainty, is_tie};
use crate::formula::uncertainty;
use crate::quantity::{Unit, plain};

impl Sheet<'_> {
    /// Goodput between repeats.
    pub(super) fn goodput_band(&self, row: Row) -> Figure {
        compute(&uncertainty::GOODPUT_BAND_TOK_S, row.anchor, [self.goodput(row), self.band()])
    }

    fn band(&self) -> Found {
        self.field("/variance_band_pct", self.run.variance_band_pct)
    }

    fn spec_number(&self, pointer: &str) -> Found {
        self.field(format!("/spec{pointer}"), self.run.spec().number(pointer))
    }

    /// The grid of the search that the spec describes; the same for all configs.
    pub(super) fn search(&self) -> Vec<Figure> {
        let (resolution, step) = (self.search_resolution(), self.backoff_step());
        [resolution].into_iter().chain(step).collect()
    }

    fn search_resolution(&self) -> Figure {
        let formula = &uncertainty::SEARCH_RESOLUTION_PCT;
        let facts = [self.spec_number("/sweep/growth"), self.spec_number("/sweep/bisect_steps")];
        if self.run.spec().value("/sweep/rates").is_some() || facts.iter().any(Result::is_err) {
            return missing(formula, RECORD, "the spec describes no search by growth and bisection");
        }
        if let Some(reason) = self.no_search() {
            return missing(formula, RECORD, reason);
        }
        let figure = compute(formula, RECORD, facts);
        match self.backoff_step().and_then(|step| step.quantity()) {
            Some(step) => figure.limited([format!(
                "back-offs come on top, {} each; how many were made is not stated",
                Unit::Percent.show(step)
            )]),
            None => figure,
        }
    }

    /// Why the numbers of the spec are those of no search.
    fn no_search(&self) -> Option<String> {
        let number = |pointer: &str| self.run.spec().number(pointer);
        let growth = number("/sweep/growth").filter(|growth| *growth <= 1.0);
        let growth = growth.map(|growth| format!("rates do not grow by a factor of {}", plain(growth.into())));
        let steps = number("/sweep/bisect_steps").filter(|steps| *steps < 0.0 || steps.fract() != 0.0);
        let steps = steps.map(|steps| format!("{} is no number of bisections", plain(steps.into())));
        growth.or(steps)
    }

    /// One back-off, where the spec confirms a rate that way.
    fn backoff_step(&self) -> Option<Figure> {
        let by_backoff = self.run.spec().text("/sweep/confirm") == Some("backoff");
        let formula = &uncertainty::BACKOFF_STEP_PCT;
        let factor = self.spec_number("/sweep/backoff");
        let less = |factor: f64| 0.0 < factor && factor < 1.0;
        by_backoff.then(|| match &factor {
            Ok(fact) if !less(fact.quantity.middle()) => {
                missing(formula, RECORD, format!("a factor of {} is no back-off", plain(fact.quantity)))
            }
            _ => compute(formula, RECORD, [factor]),
        })
    }

    /// The larger of the variance band and the resolution of the search; either alone where the other is not stated.
    pub(super) fn uncertainty(&self, row: Row) -> Figure {
        let formula = &uncertainty::UNCERTAINTY_PCT;
        let resolution = Arc::new(self.search_resolution());
        let bounds: Vec<_> = [self.band(), derived(&resolution)].into_iter().filter_map(Result::ok).collect();
        if bounds.is_empty() {
            return missing(formula, row.anchor, "neither a variance band nor a search is stated");
        }
        let figure = compute(formula, row.anchor, bounds.into_iter().map(Ok)).limited(resolution.limits.clone());
        let bound = self.bound();
        figure.remarked(bound.map(|bound| self.words(bound, row)))
    }

    /// The bound that decides what a tie is.
    fn bound(&self) -> Option<Uncertainty> {
        let band = self.run.variance_band_pct;
        let grid = self.search_resolution().quantity().map(|resolution| resolution.high());
        match (band, grid) {
            (Some(band), Some(grid)) if band >= grid => Some(Uncertainty::Band(band)),
            (_, Some(grid)) => Some(Uncertainty::Grid(grid)),
            (Some(band), None) => Some(Uncertainty::Band(band)),
            (None, None) => None,
        }
    }

    fn words(&self, bound: Uncertainty, row: Row) -> String {
        match (bound, row.config.repeats.or(self.run.runs)) {
            (Uncertainty::Grid(_), _) => {
                let resolution = self.search_resolution().quantity();
                format!("the search grid, {}", resolution.map(|pct| Unit::Percent.show(pct)).unwrap_or_default())
            }
            (Uncertainty::Band(band), Some(repeats)) => format!("±{band}% between {repeats} repeats"),
            (Uncertainty::Band(band), None) => format!("±{band}% between repeats, their number not stated"),
        }
    }

    /// Marks a change that lies inside the uncertainty of both sides.
    pub(super) fn tied(&self, mut change: Figure, row: Row) -> Figure {
        if let (Some(percent), Some(bound)) = (change.quantity(), self.bound())
            && is_tie(percent / 100.0 + 1.0, bound)
        {
            change.tie = true;
            change.remarks.push(format!("a tie inside {}", self.words(bound, row)));
        }
        change
    }
}
