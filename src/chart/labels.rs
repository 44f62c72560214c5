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

/// What labels have to keep clear of.
#[derive(Debug, Clone)]
pub(super) struct Clutter {
    pub frame: Rect,
    pub boxes: Vec<Rect>,
    pub lines: Vec<Line>,
}

impl Clutter {
    /// The first of the boxes that is free, which is taken from then on.
    pub fn take(&mut self, candidates: impl IntoIterator<Item = Rect>) -> Option<Rect> {
        let free = candidates.into_iter().find(|candidate| {
            self.frame.holds(candidate)
                && !self.boxes.iter().any(|taken| taken.meets(candidate))
                && !self.lines.iter().any(|line| candidate.is_crossed(line))
        })?;
        self.boxes.push(free);
        Some(free)
    }

    /// A box beside each point, or nothing when one of them finds no room.
    pub fn take_all(&self, points: &[Pinned]) -> Option<Vec<Rect>> {
        let mut clutter = self.clone();
        points.iter().map(|point| clutter.take_beside(point)).collect()
    }

    /// A free box beside a point.
    pub fn take_beside(&mut self, point: &Pinned) -> Option<Rect> {
        self.take(beside(point))
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
        let clutter =
            Clutter { frame: FRAME, boxes: vec![Rect::around(Spot { x: 50.0, y: 50.0 }, 4.0)], lines: vec![line] };
        let placed = clutter.take_all(&[pinned(50.0, 50.0)]).expect("there is room below");
        assert!(!placed[0].is_crossed(&line) && !placed[0].meets(&clutter.boxes[0]));
        assert!(clutter.take_all(&[pinned(500.0, 50.0)]).is_none());
    }

    #[test]
    fn two_labels_of_one_place_do_not_meet() {
        let clutter = Clutter { frame: FRAME, boxes: Vec::new(), lines: Vec::new() };
        let placed = clutter.take_all(&[pinned(50.0, 50.0), pinned(50.0, 50.0)]).expect("there is room for two");
        assert!(!placed[0].meets(&placed[1]));
    }

    #[test]
    fn a_slanted_line_crosses_only_the_boxes_on_its_way() {
        let line = Line { from: Spot { x: 0.0, y: 0.0 }, to: Spot { x: 100.0, y: 100.0 } };
        assert!(Rect::around(Spot { x: 50.0, y: 50.0 }, 5.0).is_crossed(&line));
        assert!(!Rect::around(Spot { x: 80.0, y: 20.0 }, 5.0).is_crossed(&line));
    }
}
