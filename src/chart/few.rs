//! Very many values in a drawing that can still be read: the best of them, and the baseline.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::axis::{Axis, Better};
use super::{Chart, Kind};
use crate::quantity::grouped;

/// Rows or points of one drawing.
const MOST: usize = 24;

impl Chart {
    /// The chart with no more values than can be told apart; its caption says which.
    pub fn few(&self) -> Cow<'_, Chart> {
        let values: Vec<Option<f64>> = match &self.kind {
            Kind::Bars(bars) => bars.rows.iter().map(|row| row.value()).collect(),
            Kind::Scatter(scatter) => {
                let points = scatter.series.iter().flat_map(|series| &series.points);
                let ranked_by_x = scatter.x.better != Better::Neither;
                points.map(|point| Some(if ranked_by_x { point.place().0 } else { point.place().1 })).collect()
            }
            Kind::Stacked(stacked) => stacked.rows.iter().map(|row| Some(row.end())).collect(),
        };
        if values.len() <= MOST {
            return Cow::Borrowed(self);
        }
        let (subject, axis, baseline) = match &self.kind {
            Kind::Bars(bars) => (&bars.subject, &bars.axis, bars.baseline),
            Kind::Scatter(scatter) if scatter.x.better == Better::Neither => (&scatter.subject, &scatter.y, None),
            Kind::Scatter(scatter) => (&scatter.subject, &scatter.x, None),
            Kind::Stacked(stacked) => (&stacked.subject, &stacked.axis, None),
        };
        let kept = best(&values, axis.better, baseline);
        let chosen = Chosen { drawn: kept.len(), of: values.len(), subject, axis, baseline: baseline.is_some() };
        let caption = format!("{}{}", self.caption, chosen.words());
        let mut at = 0..;
        let mut is_kept = || at.next().is_some_and(|at| kept.contains(&at));
        let mut kind = self.kind.clone();
        match &mut kind {
            Kind::Bars(bars) => {
                bars.rows.retain(|_| is_kept());
                bars.baseline = baseline.and_then(|baseline| kept.iter().position(|at| *at == baseline));
            }
            Kind::Scatter(scatter) => {
                scatter.series.iter_mut().for_each(|series| series.points.retain(|_| is_kept()));
            }
            Kind::Stacked(stacked) => stacked.rows.retain(|_| is_kept()),
        }
        Cow::Owned(Chart { caption, kind, ..self.clone() })
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
        let name = self.axis.title.split(", ").next().unwrap_or_default().to_lowercase();
        let baseline = if self.baseline { "the baseline and " } else { "" };
        let of = grouped(&self.of.to_string());
        format!("; drawn are {baseline}the best by {name}, {} of {of} {}s", self.drawn, self.subject)
    }
}

/// Positions of the best values, and of the baseline.
fn best(values: &[Option<f64>], better: Better, baseline: Option<usize>) -> BTreeSet<usize> {
    let value = |at: &usize| values[*at].filter(|value| value.is_finite());
    let mut ranked: Vec<usize> = (0..values.len()).filter(|at| value(at).is_some()).collect();
    ranked.sort_by(|one, other| {
        let order = value(one).unwrap_or_default().total_cmp(&value(other).unwrap_or_default());
        if better == Better::Lower { order } else { order.reverse() }
    });
    let others = ranked.into_iter().filter(|at| Some(*at) != baseline);
    baseline.into_iter().chain(others).take(MOST).collect()
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
