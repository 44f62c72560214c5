//! Very many values in a drawing that can still be read: the best of them, and the baseline.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::axis::{Axis, Better};
use super::{Chart, Kind, Standing};
use crate::quantity::grouped;

/// Rows or points of one drawing.
const MOST: usize = 24;
/// Points of a drawing whose frontier stands out from the others.
const MOST_RANKED: usize = 200;

impl Chart {
    /// The chart with no more values than can be told apart; its caption says which.
    pub fn few(&self) -> Cow<'_, Chart> {
        let Some(values) = self.values() else { return Cow::Borrowed(self) };
        if values.of.len() <= values.most {
            return Cow::Borrowed(self);
        }
        let kept = values.best();
        let baseline = values.baseline.is_some();
        let chosen =
            Chosen { drawn: kept.len(), of: values.of.len(), subject: values.subject, axis: values.axis, baseline };
        let caption = format!("{}{}", self.caption, chosen.words());
        let baseline = values.baseline.and_then(|baseline| kept.iter().position(|at| *at == baseline));
        let mut at = 0..;
        let mut is_kept = || at.next().is_some_and(|at| kept.contains(&at));
        let mut kind = self.kind.clone();
        match &mut kind {
            Kind::Bars(bars) => {
                bars.rows.retain(|_| is_kept());
                bars.baseline = baseline;
            }
            Kind::Scatter(scatter) => {
                scatter.series.iter_mut().for_each(|series| series.points.retain(|_| is_kept()));
            }
            Kind::Stacked(stacked) => stacked.rows.retain(|_| is_kept()),
            Kind::Brackets(brackets) => {
                brackets.rows.retain(|_| is_kept());
                brackets.baseline = baseline;
            }
            Kind::Panels(_) => {}
        }
        Cow::Owned(Chart { caption, kind, ..self.clone() })
    }

    /// By what the rows or points of a drawing are chosen; `None` where they are lines, which are read as a whole.
    fn values(&self) -> Option<Values<'_>> {
        let plain = |of: Vec<Option<f64>>, subject, axis, baseline| Values {
            of: of.into_iter().map(|value| (0, value)).collect(),
            most: MOST,
            subject,
            axis,
            baseline,
        };
        Some(match &self.kind {
            Kind::Bars(bars) => {
                let values = bars.rows.iter().map(|row| row.value()).collect();
                plain(values, &bars.subject, &bars.axis, bars.baseline)
            }
            Kind::Brackets(brackets) => {
                let values = brackets.rows.iter().map(|row| row.ends().map(|(passed, _)| passed)).collect();
                plain(values, &brackets.subject, &brackets.axis, brackets.baseline)
            }
            Kind::Stacked(stacked) => {
                let values = stacked.rows.iter().map(|row| Some(row.end())).collect();
                plain(values, &stacked.subject, &stacked.axis, None)
            }
            Kind::Scatter(scatter) => {
                let by_x = scatter.x.better != Better::Neither;
                let points = scatter.series.iter().flat_map(|series| &series.points);
                let values = points.map(|point| {
                    let (x, y) = point.place();
                    let rank = match point.standing {
                        Standing::Frontier => 0,
                        Standing::Close => 1,
                        Standing::Unranked | Standing::Beaten => 2,
                    };
                    (rank, Some(if by_x { x } else { y }))
                });
                Values {
                    of: values.collect(),
                    most: if scatter.is_ranked() { MOST_RANKED } else { MOST },
                    subject: &scatter.subject,
                    axis: if by_x { &scatter.x } else { &scatter.y },
                    baseline: None,
                }
            }
            Kind::Panels(_) => return None,
        })
    }
}

/// What there is to choose from: the smallest rank first, within it the best value.
struct Values<'a> {
    of: Vec<(u8, Option<f64>)>,
    most: usize,
    subject: &'a str,
    axis: &'a Axis,
    baseline: Option<usize>,
}

impl Values<'_> {
    /// Positions of the best values, and of the baseline.
    fn best(&self) -> BTreeSet<usize> {
        let value = |at: &usize| self.of[*at].1.filter(|value| value.is_finite());
        let mut ranked: Vec<usize> = (0..self.of.len()).filter(|at| value(at).is_some()).collect();
        ranked.sort_by(|one, other| {
            let order = value(one).unwrap_or_default().total_cmp(&value(other).unwrap_or_default());
            let order = if self.axis.better == Better::Lower { order } else { order.reverse() };
            self.of[*one].0.cmp(&self.of[*other].0).then(order)
        });
        let others = ranked.into_iter().filter(|at| Some(*at) != self.baseline);
        self.baseline.into_iter().chain(others).take(self.most).collect()
    }
}

/// What is drawn of how many, and by which axis it was chosen.
struct Chosen<'a> {
    drawn: usize,
    of: usize,
    subject: &'a str,
    axis: &'a Axis,
    baseline: bool,
}

impl Chosen<'_> {
    fn words(&self) -> String {
        let name = crate::metric::uncapitalised(self.axis.title.split(", ").next().unwrap_or_default());
        let baseline = if self.baseline { "the baseline and " } else { "" };
        let of = grouped(&self.of.to_string());
        format!("; drawn are {baseline}the best by {name}, {} of {of} {}s", self.drawn, self.subject)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bar, Bars, Reading, samples};
    use super::*;

    fn bars(rows: usize, better: Better) -> Chart {
        let row = |number: usize| Bar {
            label: number.to_string(),
            reading: Reading::Value { value: number as f64, text: number.to_string(), band: None },
        };
        let mut bars = Bars { rows: (0..rows).map(row).collect(), baseline: Some(1), ..samples::goodput() };
        bars.axis.better = better;
        samples::chart("many", Kind::Bars(bars))
    }

    #[test]
    fn of_very_many_bars_the_baseline_and_the_best_are_drawn() {
        assert!(matches!(bars(MOST, Better::Higher).few(), Cow::Borrowed(_)));
        for (better, last) in [(Better::Higher, "1999"), (Better::Lower, "23")] {
            let chart = bars(2000, better);
            let few = chart.few();
            let Kind::Bars(bars) = &few.kind else { panic!("it is still a bar chart") };
            assert_eq!((bars.rows.len(), bars.rows[MOST - 1].label.as_str()), (MOST, last));
            assert_eq!(bars.baseline.map(|at| bars.rows[at].label.as_str()), Some("1"));
            assert!(few.caption.contains(", 24 of 2,000 configurations"), "{}", few.caption);
        }
    }
}
