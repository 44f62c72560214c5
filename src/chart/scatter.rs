//! One quantity against another: points or lines, limits, and the frontier through the points that stand on it.

use super::axis::{Axis, Better, Scale, Spacing, undrawn};
use super::{Table, quoted, sentence, standing_at};
use crate::metric::uncapitalised;
use crate::quantity::Quantity;

#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// What the points are: the heading of the first table column.
    pub subject: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    /// What has no place, in words beside the drawing.
    pub left_out: Vec<LeftOut>,
    pub trace: Trace,
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
    pub standing: Standing,
}

/// How a point stands among the others, where that was asked. Those on the frontier are joined by steps, which needs a
/// direction on both axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Unranked,
    Frontier,
    /// Behind the frontier by less than the results could be off.
    Close,
    /// Another point is better on both axes.
    Beaten,
}

/// A result of a series without a place, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub series: String,
    pub label: String,
    pub reason: String,
}

/// Whether the points of a series are joined in their order, as the steps of a sweep are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    Points,
    Lines,
}

/// A value that must not be passed, such as an SLO or the memory of a card.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    pub value: f64,
    pub label: String,
}

/// What becomes of a point in the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Drawn(Standing),
    BeyondLimit,
    Undrawn,
}

/// A point with its place in the figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub point: &'a Point,
    pub series: usize,
    pub fate: Fate,
}

impl Placed<'_> {
    pub(super) fn is_hollow(&self) -> bool {
        matches!(self.fate, Fate::Drawn(Standing::Beaten) | Fate::BeyondLimit)
    }
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

    /// Every point in order, with what becomes of it.
    pub(super) fn placed(&self, plane: &Plane) -> Vec<Placed<'_>> {
        let points = self.series.iter().enumerate();
        let points = points.flat_map(|(series, of)| of.points.iter().map(move |point| (series, point)));
        points.map(|(series, point)| Placed { point, series, fate: self.fate(plane, point) }).collect()
    }

    /// Whether the points are ranked.
    pub(super) fn is_ranked(&self) -> bool {
        self.series.iter().flat_map(|series| &series.points).any(|point| point.standing != Standing::Unranked)
    }

    /// Corners of the step line through the unbeaten points, from the worse end of one axis to that of the other.
    pub(super) fn frontier(&self, plane: &Plane, placed: &[Placed<'_>]) -> Vec<(f64, f64)> {
        if self.x.better == Better::Neither || self.y.better == Better::Neither {
            return Vec::new();
        }
        let on_it = placed.iter().filter(|placed| placed.fate == Fate::Drawn(Standing::Frontier));
        let mut best: Vec<(f64, f64)> = on_it.map(|placed| placed.point.place()).collect();
        // From the worse end of the first axis on.
        best.sort_by(|one, other| {
            let order = one.0.total_cmp(&other.0);
            if self.x.better == Better::Lower { order.reverse() } else { order }
        });
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
        let fates: Vec<Fate> = self.placed(plane).iter().map(|placed| placed.fate).collect();
        let drawn = fates.iter().any(|fate| *fate != Fate::Undrawn);
        let has = |fate| fates.contains(&fate);
        let is = [
            (has(Fate::Drawn(Standing::Frontier)), "On the line: the frontier, which no other result beats."),
            (has(Fate::Drawn(Standing::Close)), "Filled, off the line: behind by no more than results could be off."),
            (has(Fate::Drawn(Standing::Beaten)), "Hollow: another result is better, or as good on one axis."),
            (has(Fate::BeyondLimit), "Hollow, past the limit: does not count."),
        ];
        let said: Vec<_> = is.into_iter().filter(|(is, _)| *is).map(|(_, words)| words).collect();
        notes.extend((!said.is_empty()).then(|| said.join(" ")));
        notes.extend(self.left_out());
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
        let limited = self.x_limit.is_some() || self.y_limit.is_some();
        let judged = self.is_ranked() || limited || !self.left_out.is_empty();
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
            cells.extend(judged.then(|| fate_text(placed.fate, limited).to_owned()));
            cells
        });
        let left_out = self.left_out.iter().map(|LeftOut { series, label, reason }| {
            let mut cells = vec![label.clone(), "–".to_owned(), "–".to_owned(), format!("not drawn: {reason}")];
            if named {
                cells.insert(0, series.clone());
            }
            cells
        });
        Table { head, rows: rows.chain(left_out).collect() }
    }

    /// Who stands on the frontier, from end to end; where nobody is ranked, the range.
    pub(super) fn summary(&self) -> String {
        let plane = self.plane();
        let placed = self.placed(&plane);
        let points = placed.iter().filter(|placed| placed.fate != Fate::Undrawn).count();
        let count = |fate| placed.iter().filter(|placed| placed.fate == fate).count();
        let mut best: Vec<_> =
            placed.iter().filter(|placed| placed.fate == Fate::Drawn(Standing::Frontier)).copied().collect();
        best.sort_by(|one, other| one.point.place().0.total_cmp(&other.point.place().0));
        let at = |placed: &Placed<'_>| {
            let Point { x_text, y_text, .. } = placed.point;
            standing_at(&self.name(placed), &format!("{x_text}; {y_text}"))
        };
        let against = format!("{} against {}", uncapitalised(self.y.name()), uncapitalised(self.x.name()));
        let mut parts = vec![match &best[..] {
            _ if points == 0 => format!("There are no points of {against}"),
            [] => self.range(&placed),
            [only] => format!("Of {points} points of {against}, {} alone stands on the frontier", at(only)),
            [first, .., last] => {
                let all = if best.len() == points { "all".to_owned() } else { best.len().to_string() };
                let (first, last) = (at(first), at(last));
                format!("Of {points} points of {against}, {all} stand on the frontier, from {first} to {last}")
            }
        }];
        for (fate, words) in [
            (Fate::Drawn(Standing::Close), "behind it by no more than results could be off"),
            (Fate::Drawn(Standing::Beaten), "beaten"),
            (Fate::BeyondLimit, "past a limit"),
        ] {
            parts.extend(Some(count(fate)).filter(|count| *count > 0).map(|of| format!("{of} of {points} {words}")));
        }
        parts.extend(self.left_out());
        sentence(parts)
    }

    /// From the lowest to the highest of those that are drawn.
    fn range(&self, placed: &[Placed<'_>]) -> String {
        let drawn = || placed.iter().filter(|placed| placed.fate != Fate::Undrawn);
        let by_y = |one: &&Placed<'_>, other: &&Placed<'_>| one.point.place().1.total_cmp(&other.point.place().1);
        let (Some(least), Some(most)) = (drawn().min_by(by_y), drawn().max_by(by_y)) else { return String::new() };
        let across = uncapitalised(self.x.name());
        let at = |placed: &Placed<'_>| {
            let Point { x_text, y_text, .. } = placed.point;
            let (name, y, x) = (self.name(placed), self.y.valued(y_text), self.x.with_unit(x_text));
            format!("{y} ({}, at {x} of {across})", quoted(&name))
        };
        match drawn().count() {
            1 => format!("{} is {}", self.y.measured(), at(least)),
            count => format!("{} of {count} points runs from {} to {}", self.y.measured(), at(least), at(most)),
        }
    }

    /// Series and label of a point.
    fn name(&self, placed: &Placed<'_>) -> String {
        let name = [&self.series[placed.series].name, &placed.point.label];
        name.into_iter().filter(|name| !name.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// What has no place, the first of several.
    fn left_out(&self) -> Option<String> {
        const NAMED: usize = 8;
        let named = self.left_out.iter().take(NAMED).map(|LeftOut { series, label, reason }| {
            let name = [series, label].into_iter().filter(|name| !name.is_empty()).map(String::as_str);
            format!("{} ({reason})", name.collect::<Vec<_>>().join(", "))
        });
        let named: Vec<_> = named.collect();
        let more = match self.left_out.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!named.is_empty()).then(|| format!("Not drawn: {}{more}", named.join(", ")))
    }

    fn fate(&self, plane: &Plane, point: &Point) -> Fate {
        let (x, y) = point.place();
        if !plane.x.takes(x) || !plane.y.takes(y) {
            return Fate::Undrawn;
        }
        let past = |limit: &Option<Limit>, better: Better, value: f64| match (limit, better) {
            (Some(limit), Better::Higher) => value < limit.value,
            (Some(limit), Better::Lower) => value > limit.value,
            _ => false,
        };
        if past(&self.x_limit, self.x.better, x) || past(&self.y_limit, self.y.better, y) {
            return Fate::BeyondLimit;
        }
        Fate::Drawn(point.standing)
    }
}

fn fate_text(fate: Fate, limited: bool) -> &'static str {
    match fate {
        Fate::Drawn(Standing::Unranked) if limited => "within the limit",
        Fate::Drawn(Standing::Unranked) => "–",
        Fate::Drawn(Standing::Frontier) => "on the frontier",
        Fate::Drawn(Standing::Close) => "behind it by no more than results could be off",
        Fate::Drawn(Standing::Beaten) => "beaten",
        Fate::BeyondLimit => "past the limit",
        Fate::Undrawn => "not drawn",
    }
}

/// Whether a limit has its place inside the drawn range.
pub(super) fn within(scale: &Scale, limit: f64) -> bool {
    scale.takes(limit) && (scale.low..=scale.high).contains(&limit)
}

/// A limit farther off than the points are apart would press them into a corner.
pub(super) fn near(scale: &Scale, limit: f64) -> bool {
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
        let fates: Vec<Fate> = scatter.placed(&plane).iter().map(|placed| placed.fate).collect();
        assert_eq!(fates[3], Fate::BeyondLimit);
        assert_eq!(scatter.frontier(&plane, &scatter.placed(&plane)), []);
    }

    #[test]
    fn the_frontier_steps_from_edge_to_edge() {
        let scatter = samples::latency();
        let plane = scatter.plane();
        let corners = scatter.frontier(&plane, &scatter.placed(&plane));
        // The last configuration is best on both axes.
        assert_eq!(corners, [(plane.x.low, 39.4), (8508.3, 39.4), (8508.3, plane.y.high)]);
        let mut scatter = samples::pareto();
        scatter.y_limit = None;
        let corners = scatter.frontier(&scatter.plane(), &scatter.placed(&scatter.plane()));
        let rises = corners.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        assert!(rises && corners.len() > 6, "{corners:?}");
    }

    #[test]
    fn a_limit_far_off_is_said_in_words() {
        let mut scatter = samples::latency();
        scatter.y_limit = Some(Limit { value: 2000.0, label: "SLO 2,000 ms".to_owned() });
        assert!(scatter.notes(&scatter.plane()).contains(&"SLO 2,000 ms lies above the range drawn".to_owned()));
    }
}
