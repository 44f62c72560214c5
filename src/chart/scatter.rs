//! One quantity against another: points or lines, limits, and the frontier of the points that none beats.

use super::axis::{Axis, Better, Scale, Spacing, undrawn};
use super::{Table, sentence};
use crate::quantity::Quantity;

#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// What the points are: the heading of the first table column.
    pub subject: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub trace: Trace,
    pub frontier: Frontier,
    pub x_limit: Option<Limit>,
    pub y_limit: Option<Limit>,
}

/// Points of one colour, shape and dash. An empty name needs no legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
}

/// An empty label leaves the point without one. An interval is drawn at its middle, with a line from end to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub label: String,
    pub x: Quantity,
    pub y: Quantity,
    pub x_text: String,
    pub y_text: String,
}

/// Whether the points of a series are joined in their order, as the steps of a sweep are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    Points,
    Lines,
}

/// Whether the best trade-offs are joined by a step line. Needs a direction on both axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frontier {
    Absent,
    Steps,
}

/// A value that must not be passed, such as an SLO or the memory of a card.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    pub value: f64,
    pub label: String,
}

/// Where a point stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// No other point is at least as good on both axes and better on one; or no frontier is asked for.
    Unbeaten,
    Beaten,
    BeyondLimit,
    Undrawn,
}

/// A point with its place in the figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub point: &'a Point,
    pub series: usize,
    pub standing: Standing,
}

/// The two scales of a scatter.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub x: Scale,
    pub y: Scale,
}

impl Point {
    /// Where it is drawn.
    pub(super) fn place(&self) -> (f64, f64) {
        (self.x.middle(), self.y.middle())
    }

    /// The lines over its intervals.
    pub(super) fn whiskers(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let (x, y) = self.place();
        let across = self.x.is_interval().then(|| [(self.x.low(), y), (self.x.high(), y)]);
        let upright = self.y.is_interval().then(|| [(x, self.y.low()), (x, self.y.high())]);
        across.into_iter().chain(upright)
    }
}

impl Scatter {
    /// The scales around the points and those limits that are near enough to share a drawing with them.
    pub(super) fn plane(&self) -> Plane {
        let scale = |value: fn(&Point) -> Quantity, limit: &Option<Limit>| {
            let quantities = self.series.iter().flat_map(|series| &series.points).map(value);
            let values = quantities.flat_map(|quantity| [quantity.low(), quantity.high()]);
            let alone = Scale::around(values.clone());
            match limit {
                Some(limit) if near(&alone, limit.value) => Scale::around(values.chain([limit.value])),
                _ => alone,
            }
        };
        Plane { x: scale(|point| point.x, &self.x_limit), y: scale(|point| point.y, &self.y_limit) }
    }

    /// Every point in order, with its standing.
    pub(super) fn placed(&self, plane: &Plane) -> Vec<Placed<'_>> {
        let mut all: Vec<Placed<'_>> = self
            .series
            .iter()
            .enumerate()
            .flat_map(|(series, of)| of.points.iter().map(move |point| (series, point)))
            .map(|(series, point)| Placed { point, series, standing: self.alone(plane, point) })
            .collect();
        if let Some(gains) = self.gains() {
            let rivals: Vec<Gain> = all
                .iter()
                .filter(|placed| placed.standing == Standing::Unbeaten)
                .map(|placed| gains(placed.point))
                .collect();
            for placed in all.iter_mut().filter(|placed| placed.standing == Standing::Unbeaten) {
                let own = gains(placed.point);
                if rivals.iter().any(|rival| rival.beats(&own)) {
                    placed.standing = Standing::Beaten;
                }
            }
        }
        all
    }

    /// Corners of the step line through the unbeaten points, from the worse end of one axis to that of the other.
    pub(super) fn frontier(&self, plane: &Plane, placed: &[Placed<'_>]) -> Vec<(f64, f64)> {
        let Some(gains) = self.gains() else { return Vec::new() };
        let mut best: Vec<&Point> =
            placed.iter().filter(|placed| placed.standing == Standing::Unbeaten).map(|placed| placed.point).collect();
        best.sort_by(|one, other| gains(one).x.total_cmp(&gains(other).x));
        let best: Vec<(f64, f64)> = best.into_iter().map(Point::place).collect();
        let (Some(first), Some(last)) = (best.first(), best.last()) else { return Vec::new() };
        let mut corners = vec![(worse_end(&plane.x, self.x.better), first.1)];
        for pair in best.windows(2) {
            corners.extend([pair[0], (pair[0].0, pair[1].1)]);
        }
        corners.extend([*last, (last.0, worse_end(&plane.y, self.y.better))]);
        corners
    }

    pub(super) fn notes(&self, plane: &Plane) -> Vec<String> {
        let places = self.series.iter().flat_map(|series| &series.points).map(Point::place);
        let mut notes = undrawn(places.flat_map(|(x, y)| [(&plane.x, x), (&plane.y, y)]));
        let standings: Vec<Standing> = self.placed(plane).iter().map(|placed| placed.standing).collect();
        let drawn = standings.iter().any(|standing| *standing != Standing::Undrawn);
        let hollow = |standing| standings.contains(&standing);
        match (self.gains().is_some(), hollow(Standing::BeyondLimit)) {
            (true, true) => {
                notes.push("Filled: the frontier. Hollow: matched or beaten on both axes, or past a limit.".to_owned())
            }
            (true, false) if hollow(Standing::Beaten) => {
                notes.push("Filled: the frontier. Hollow: matched or beaten on both axes.".to_owned());
            }
            (false, true) => notes.push("Hollow: past a limit.".to_owned()),
            _ => {}
        }
        for (limit, scale) in [(&self.x_limit, &plane.x), (&self.y_limit, &plane.y)] {
            if let Some(limit) = limit.as_ref().filter(|limit| drawn && !within(scale, limit.value)) {
                let side = if limit.value > scale.high { "above" } else { "below" };
                notes.push(format!("{} lies {side} the range drawn", limit.label));
            }
        }
        notes
    }

    pub(super) fn table(&self) -> Table {
        let plane = self.plane();
        let named = self.series.iter().any(|series| !series.name.is_empty());
        let judged = self.gains().is_some() || self.x_limit.is_some() || self.y_limit.is_some();
        let mut head = vec![self.subject.clone(), self.x.heading(), self.y.heading()];
        if named {
            head.insert(0, "series".to_owned());
        }
        head.extend(judged.then(|| "standing".to_owned()));
        let rows = self.placed(&plane).into_iter().map(|placed| {
            let Point { label, x_text, y_text, .. } = placed.point;
            let mut cells = vec![label.clone(), x_text.clone(), y_text.clone()];
            if named {
                cells.insert(0, self.series[placed.series].name.clone());
            }
            cells.extend(judged.then(|| self.standing_text(placed.standing).to_owned()));
            cells
        });
        Table { head, rows: rows.collect() }
    }

    pub(super) fn summary(&self) -> String {
        let plane = self.plane();
        let placed = self.placed(&plane);
        let mut parts = vec![format!("{} against {}", self.y.heading(), self.x.heading())];
        let named = |standing: Standing| {
            let of = placed.iter().filter(|placed| placed.standing == standing);
            let texts = of.map(|placed| {
                let Point { label, x_text, y_text, .. } = placed.point;
                let name = if label.is_empty() { &self.series[placed.series].name } else { label };
                format!("{name} ({x_text}; {y_text})")
            });
            texts.collect::<Vec<_>>()
        };
        let (unbeaten, beyond) = (named(Standing::Unbeaten), named(Standing::BeyondLimit));
        let points = placed.iter().filter(|placed| placed.standing != Standing::Undrawn).count();
        if unbeaten.len() <= 8 && !unbeaten.is_empty() {
            let what = if self.gains().is_some() { "no other point beats " } else { "" };
            parts.push(format!("{what}{}", unbeaten.join(", ")));
        } else {
            parts.push(format!("{points} points in {} series", self.series.len()));
        }
        if !beyond.is_empty() {
            parts.push(format!("{} of {points} past a limit", beyond.len()));
        }
        sentence(parts)
    }

    /// Standing of a point before others are looked at.
    fn alone(&self, plane: &Plane, point: &Point) -> Standing {
        let (x, y) = point.place();
        if !plane.x.takes(x) || !plane.y.takes(y) {
            return Standing::Undrawn;
        }
        let past = |limit: &Option<Limit>, better: Better, value: f64| match (limit, better) {
            (Some(limit), Better::Higher) => value < limit.value,
            (Some(limit), Better::Lower) => value > limit.value,
            _ => false,
        };
        if past(&self.x_limit, self.x.better, x) || past(&self.y_limit, self.y.better, y) {
            return Standing::BeyondLimit;
        }
        Standing::Unbeaten
    }

    /// How good a point is on each axis, higher being better; `None` when no frontier can be said.
    fn gains(&self) -> Option<impl Fn(&Point) -> Gain + use<>> {
        let sign = |better| match better {
            Better::Higher => Some(1.0),
            Better::Lower => Some(-1.0),
            Better::Neither => None,
        };
        let (x, y) = (sign(self.x.better)?, sign(self.y.better)?);
        (self.frontier == Frontier::Steps).then_some(move |point: &Point| {
            let place = point.place();
            Gain { x: x * place.0, y: y * place.1 }
        })
    }

    fn standing_text(&self, standing: Standing) -> &'static str {
        match standing {
            Standing::Unbeaten if self.gains().is_some() => "on the frontier",
            Standing::Unbeaten => "within the limit",
            Standing::Beaten => "matched or beaten on both axes",
            Standing::BeyondLimit => "past the limit",
            Standing::Undrawn => "not drawn",
        }
    }
}

struct Gain {
    x: f64,
    y: f64,
}

impl Gain {
    fn beats(&self, other: &Gain) -> bool {
        self.x >= other.x && self.y >= other.y && (self.x > other.x || self.y > other.y)
    }
}

/// Whether a limit has its place inside the drawn range.
pub(super) fn within(scale: &Scale, limit: f64) -> bool {
    scale.takes(limit) && (scale.low..=scale.high).contains(&limit)
}

/// A limit farther off than the points are apart would press them into a corner.
fn near(scale: &Scale, limit: f64) -> bool {
    let reach = match scale.spacing {
        Spacing::Linear => (scale.high - scale.low) * 1.5,
        Spacing::Logarithmic => return scale.takes(limit) && limit < scale.high * 10.0 && limit > scale.low / 10.0,
    };
    limit.is_finite() && limit < scale.high + reach && limit > scale.low - reach
}

fn worse_end(scale: &Scale, better: Better) -> f64 {
    match better {
        Better::Lower => scale.high,
        Better::Higher | Better::Neither => scale.low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::samples;

    #[test]
    fn a_point_past_its_limit_is_never_on_the_frontier() {
        let mut scatter = samples::latency();
        scatter.series[0].points[3].y = 60.0.into();
        let plane = scatter.plane();
        let standings: Vec<Standing> = scatter.placed(&plane).iter().map(|placed| placed.standing).collect();
        assert_eq!(standings, [Standing::Unbeaten, Standing::Beaten, Standing::Unbeaten, Standing::BeyondLimit]);
    }

    #[test]
    fn the_frontier_steps_from_edge_to_edge() {
        let scatter = samples::latency();
        let plane = scatter.plane();
        let corners = scatter.frontier(&plane, &scatter.placed(&plane));
        // The last configuration is best on both axes.
        assert_eq!(corners, [(plane.x.low, 39.4), (8508.3, 39.4), (8508.3, plane.y.high)]);
    }

    #[test]
    fn a_limit_far_off_is_said_in_words() {
        let mut scatter = samples::latency();
        scatter.y_limit = Some(Limit { value: 2000.0, label: "SLO 2,000 ms".to_owned() });
        assert!(scatter.notes(&scatter.plane()).contains(&"SLO 2,000 ms lies above the range drawn".to_owned()));
    }
}
