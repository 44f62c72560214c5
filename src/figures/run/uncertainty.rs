//! How far a config's result could be off, and changes that are none.

use std::sync::Arc;

use super::{Row, Sheet};
use crate::catalog::RECORD;
use crate::figures::sheet::{Found, compute, derived, missing};
use crate::figures::{Figure, bracket};
use crate::formula::comparison::{Uncertainty, is_tie};
use crate::formula::{capacity, uncertainty};
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

    /// The step between the rates that the spec lists: from a config's own rate, else the widest.
    fn step_of_spec(&self, row: Row) -> Option<Figure> {
        let rates = self.run.spec().value("/sweep/rates")?.as_array()?;
        let mut rates: Vec<_> = rates.iter().enumerate().filter_map(|(at, rate)| Some((at, rate.as_f64()?))).collect();
        rates.retain(|(_, rate)| *rate > 0.0);
        rates.sort_by(|one, other| one.1.total_cmp(&other.1));
        let own = row.config.request_rate_rps.or_else(|| Some(self.capacity(row).ok()?.quantity.middle()));
        let step = |pair: &[(usize, f64)]| pair[1].1 / pair[0].1;
        let of_own = rates.windows(2).find(|pair| Some(pair[0].1) == own);
        let widest = || rates.windows(2).max_by(|one, other| step(one).total_cmp(&step(other)));
        let found = of_own.or_else(widest)?;
        let at = |(position, rate): (usize, f64)| self.field(format!("/spec/sweep/rates/{position}"), Some(rate));
        Some(compute(&capacity::GRID_STEP_PCT, RECORD, [at(found[0]), at(found[1])]))
    }

    /// How far apart the loads are between which the capacity of a config lies, where its steps are published.
    fn bracket_width(&self, row: Row) -> Option<Figure> {
        let ends = bracket::ends(&self.item.document, &self.sweeps[row.position]).ok()?;
        Some(compute(&capacity::BRACKET_WIDTH_PCT, row.anchor, ends.map(Ok)))
    }

    /// What a config's result was searched on, with its words: the capacity lies above what was found by less. Its own steps
    /// say it better than what the spec set out to do.
    fn grid(&self, row: Row) -> Option<(Arc<Figure>, &'static str)> {
        let own = || Some((self.bracket_width(row)?, "the bracket of its own steps"));
        let searched =
            || Some((self.search_resolution(), "the search grid")).filter(|(figure, _)| figure.outcome.is_ok());
        let listed = || Some((self.step_of_spec(row)?, "a step of the spec's rates"));
        let (figure, words) = own().or_else(searched).or_else(listed)?;
        figure.outcome.is_ok().then(|| (Arc::new(figure), words))
    }

    /// The largest of the variance band and of what the search was on; any alone where the others are not stated.
    pub(super) fn uncertainty(&self, row: Row) -> Figure {
        let formula = &uncertainty::UNCERTAINTY_PCT;
        let grid = self.grid(row);
        let of_grid = grid.iter().map(|(figure, _)| derived(figure));
        let bounds: Vec<_> = [self.band()].into_iter().chain(of_grid).filter_map(Result::ok).collect();
        if bounds.is_empty() {
            return missing(formula, row.anchor, "neither a variance band nor a search is stated");
        }
        let limits = grid.iter().flat_map(|(figure, _)| figure.limits.iter().cloned());
        let figure = compute(formula, row.anchor, bounds.into_iter().map(Ok)).limited(limits.collect::<Vec<_>>());
        figure.remarked(self.bound(row).map(|bound| bound.words))
    }

    /// The bound that decides what a tie is.
    fn bound(&self, row: Row) -> Option<Bound> {
        let grid = self.grid(row).and_then(|(figure, words)| Some((figure.quantity()?, words)));
        let grid = grid.map(|(grid, words)| Bound {
            uncertainty: Uncertainty::Grid(grid.high()),
            words: format!("{words}, {}", Unit::Percent.show(grid)),
        });
        // Of equal ones the band, which goes to both sides.
        self.band_of(row).into_iter().chain(grid).reduce(Bound::wider)
    }

    /// Marks a change that lies inside the uncertainty of both sides; of two with steps of their own, one whose brackets
    /// let both be the same.
    pub(super) fn tied(&self, mut change: Figure, row: Row, other: Row) -> Figure {
        let Some(ratio) = change.quantity().map(|percent| percent / 100.0 + 1.0) else { return change };
        let [own, against] = [row, other].map(|side| bracket::ends(&self.item.document, &self.sweeps[side.position]));
        let bound = if own.is_ok() && against.is_ok() {
            let over = bracket::change(&change.subject, &own, &against);
            if bracket::may_tie(&over) {
                let range = over.quantity().map(|range| over.formula.unit.show(range)).unwrap_or_default();
                change.tie = true;
                change.remarks.push(format!("a tie inside the brackets of both, {range} over them"));
                return change;
            }
            self.band_of(row)
        } else {
            [row, other].into_iter().filter_map(|side| self.bound(side)).reduce(Bound::wider)
        };
        if let Some(bound) = bound.filter(|bound| is_tie(ratio, bound.uncertainty)) {
            change.tie = true;
            change.remarks.push(format!("a tie inside {}", bound.words));
        }
        change
    }

    /// What repeats scatter by, as far as the record says.
    fn band_of(&self, row: Row) -> Option<Bound> {
        let band = self.run.variance_band_pct?;
        let repeats = match row.config.repeats.or(self.run.runs) {
            Some(repeats) => format!("between {repeats} repeats"),
            None => "between repeats, their number not stated".to_owned(),
        };
        Some(Bound { uncertainty: Uncertainty::Band(band), words: format!("±{band}% {repeats}") })
    }
}

/// How far a result could be off, and by what that is known.
struct Bound {
    uncertainty: Uncertainty,
    words: String,
}

impl Bound {
    /// The wider of two; of equal ones the first.
    fn wider(self, other: Self) -> Self {
        if other.uncertainty.pct() > self.uncertainty.pct() { other } else { self }
    }
}
