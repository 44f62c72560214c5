//! Places for labels around points so that no label covers a point, a line or another label.

/// A box in px, y growing downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub fn around(at: Spot, radius: f64) -> Self {
        Rect { left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius }
    }

    pub fn sized(left: f64, top: f64, size: Size) -> Self {
        Rect { left, top, right: left + size.width, bottom: top + size.height }
    }

    fn distance(&self, to: Spot) -> f64 {
        let across = (self.left - to.x).max(to.x - self.right).max(0.0);
        let down = (self.top - to.y).max(to.y - self.bottom).max(0.0);
        across.hypot(down)
    }

    fn grown(&self, by: f64) -> Self {
        Rect { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub fn meets(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub fn holds(&self, other: &Rect) -> bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }

    /// Whether a straight line passes through: clipped against each side in turn.
    fn is_crossed(&self, line: &Line) -> bool {
        let (dx, dy) = (line.to.x - line.from.x, line.to.y - line.from.y);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (toward, room) in [
            (-dx, line.from.x - self.left),
            (dx, self.right - line.from.x),
            (-dy, line.from.y - self.top),
            (dy, self.bottom - line.from.y),
        ] {
            if toward == 0.0 {
                if room < 0.0 {
                    return false;
                }
            } else if toward < 0.0 {
                enter = enter.max(room / toward);
            } else {
                leave = leave.min(room / toward);
            }
        }
        enter <= leave
    }
}

/// A place in px, y growing downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub from: Spot,
    pub to: Spot,
}

/// Room around a label in px, so that two do not read as one.
const AIR: f64 = 2.5;

/// What labels have to keep clear of.
#[derive(Debug, Clone)]
pub(super) struct Clutter {
    pub frame: Rect,
    /// All points, labelled or not: a label is nearest to its own.
    pub points: Vec<Spot>,
    pub boxes: Vec<Rect>,
    pub lines: Vec<Line>,
}

impl Clutter {
    /// The first of the boxes that is free, which is taken from then on.
    pub fn take(&mut self, candidates: impl IntoIterator<Item = Rect>) -> Option<Rect> {
        let free = candidates.into_iter().find(|candidate| {
            let aired = candidate.grown(AIR);
            self.frame.holds(candidate)
                && !self.boxes.iter().any(|taken| taken.meets(&aired))
                && !self.lines.iter().any(|line| aired.is_crossed(line))
        })?;
        self.boxes.push(free);
        Some(free)
    }

    /// A box beside each point, or nothing when one of them finds no room, whichever end is served first.
    pub fn take_all(&self, points: &[Pinned]) -> Option<Vec<Rect>> {
        let forwards = || {
            let mut clutter = self.clone();
            points.iter().map(|point| clutter.take_beside(point)).collect::<Option<Vec<Rect>>>()
        };
        let backwards = || {
            let mut clutter = self.clone();
            let taken = points.iter().rev().map(|point| clutter.take_beside(point)).collect::<Option<Vec<Rect>>>()?;
            Some(taken.into_iter().rev().collect())
        };
        forwards().or_else(backwards)
    }

    /// A free box beside a point.
    pub fn take_beside(&mut self, point: &Pinned) -> Option<Rect> {
        let Pinned { at, .. } = *point;
        let points = self.points.clone();
        let own =
            move |room: &Rect| !points.iter().any(|other| *other != at && room.distance(*other) <= room.distance(at));
        self.take(beside(point).filter(own))
    }
}

/// A label of some size that belongs to a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pinned {
    pub at: Spot,
    pub size: Size,
}

/// Boxes around a point, the most readable first.
fn beside(point: &Pinned) -> impl Iterator<Item = Rect> + use<> {
    let Pinned { at, size } = *point;
    [8.0, 12.0, 20.0].into_iter().flat_map(move |gap| {
        let (right, left) = (at.x + gap, at.x - gap - size.width);
        let (above, below) = (at.y - gap - size.height, at.y + gap);
        let (middle, level) = (at.x - size.width / 2.0, at.y - size.height / 2.0);
        let near = gap * 0.6;
        [
            (right, level),
            (left, level),
            (middle, above),
            (middle, below),
            (at.x + near, at.y - near - size.height),
            (at.x + near, at.y + near),
            (at.x - near - size.width, at.y - near - size.height),
            (at.x - near - size.width, at.y + near),
        ]
        .map(|(left, top)| Rect::sized(left, top, size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
    const SIZE: Size = Size { width: 30.0, height: 10.0 };

    fn pinned(x: f64, y: f64) -> Pinned {
        Pinned { at: Spot { x, y }, size: SIZE }
    }

    #[test]
    fn a_label_stays_off_points_lines_and_the_edge() {
        let line = Line { from: Spot { x: 0.0, y: 49.0 }, to: Spot { x: 100.0, y: 49.0 } };
        let clutter = Clutter {
            frame: FRAME,
            points: Vec::new(),
            boxes: vec![Rect::around(Spot { x: 50.0, y: 50.0 }, 4.0)],
            lines: vec![line],
        };
        let placed = clutter.take_all(&[pinned(50.0, 50.0)]).expect("there is room below");
        assert!(!placed[0].is_crossed(&line) && !placed[0].meets(&clutter.boxes[0]));
        assert!(clutter.take_all(&[pinned(500.0, 50.0)]).is_none());
    }

    #[test]
    fn two_labels_of_one_place_do_not_meet() {
        let clutter = Clutter { frame: FRAME, points: Vec::new(), boxes: Vec::new(), lines: Vec::new() };
        let placed = clutter.take_all(&[pinned(50.0, 50.0), pinned(50.0, 50.0)]).expect("there is room for two");
        assert!(!placed[0].meets(&placed[1]));
    }

    #[test]
    fn a_label_is_nearest_to_its_own_point() {
        let others = [Spot { x: 70.0, y: 50.0 }, Spot { x: 30.0, y: 50.0 }];
        let clutter = Clutter { frame: FRAME, points: others.to_vec(), boxes: Vec::new(), lines: Vec::new() };
        let placed = clutter.take_all(&[pinned(50.0, 50.0)]).expect("there is room above");
        let own = placed[0].distance(Spot { x: 50.0, y: 50.0 });
        assert!(others.iter().all(|other| placed[0].distance(*other) > own));
    }

    #[test]
    fn a_slanted_line_crosses_only_the_boxes_on_its_way() {
        let line = Line { from: Spot { x: 0.0, y: 0.0 }, to: Spot { x: 100.0, y: 100.0 } };
        assert!(Rect::around(Spot { x: 50.0, y: 50.0 }, 5.0).is_crossed(&line));
        assert!(!Rect::around(Spot { x: 80.0, y: 20.0 }, 5.0).is_crossed(&line));
    }
}
