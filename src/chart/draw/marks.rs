//! Marks: elements that plotters places in its coordinates and that draw themselves with a tooltip.

use plotters::element::{Drawable, PointCollection};
use plotters::style::{Color, TextStyle};
use plotters_backend::{BackendCoord, DrawingBackend};

use super::canvas::{Canvas, Drawn};
use super::ink::{Ink, Look};
use super::sheet::tenths;

/// A place in the coordinates of a plot.
pub type At = (f64, f64);

/// A bar from zero, on its row's middle.
pub struct Bar {
    pub ends: [At; 2],
    pub title: String,
    pub ink: Ink,
    pub thickness: i32,
    /// How far below the row's middle the bar lies.
    pub drop: i32,
}

/// The band of a value, over its bar.
pub struct Whisker {
    pub ends: [At; 2],
    pub cap: i32,
    pub drop: i32,
}

/// A line of text at an offset, in tenths of a px.
#[derive(Clone)]
pub struct Text {
    pub text: String,
    pub offset: BackendCoord,
    pub style: TextStyle<'static>,
}

impl Text {
    /// The same line with an offset from the plot's left edge, in px, instead of from the sheet's.
    pub fn beside_edge(self, left: f64) -> Self {
        Text { offset: (self.offset.0 - tenths(left), self.offset.1), ..self }
    }

    fn draw(&self, at: BackendCoord, canvas: &mut Canvas) -> Drawn {
        canvas.draw_text(&self.text, &self.style, (at.0 + self.offset.0, at.1 + self.offset.1))
    }
}

impl<'a> PointCollection<'a, At> for &'a Bar {
    type Point = &'a At;
    type IntoIter = &'a [At];
    fn point_iter(self) -> &'a [At] {
        &self.ends
    }
}

impl Drawable<Canvas> for Bar {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut ends: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        let (Some(zero), Some(value)) = (ends.next(), ends.next()) else { return Ok(()) };
        let (middle, half) = (zero.1 + self.drop, self.thickness / 2);
        // A bar of no length still shows where it is.
        let end = if (value.0 - zero.0).abs() < 10 { zero.0 + 10 } else { value.0 };
        canvas.title(&self.title);
        canvas.draw_rect((zero.0, middle - half), (end, middle + half), &self.ink.token().filled(), true)
    }
}

impl<'a> PointCollection<'a, At> for &'a Whisker {
    type Point = &'a At;
    type IntoIter = &'a [At];
    fn point_iter(self) -> &'a [At] {
        &self.ends
    }
}

impl Drawable<Canvas> for Whisker {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut ends: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        let (Some(low), Some(high)) = (ends.next(), ends.next()) else { return Ok(()) };
        let middle = low.1 + self.drop;
        for ink in [Ink::Halo, Ink::Whisker] {
            let style = ink.token().to_rgba();
            canvas.draw_path([(low.0, middle), (high.0, middle)], &style)?;
            for end in [low.0, high.0] {
                canvas.draw_path([(end, middle - self.cap), (end, middle + self.cap)], &style)?;
            }
        }
        Ok(())
    }
}

/// One part of a stack, from its start to its end.
pub struct Part {
    pub ends: [At; 2],
    pub title: String,
    pub ink: Ink,
    pub thickness: i32,
    pub drop: i32,
}

impl<'a> PointCollection<'a, At> for &'a Part {
    type Point = &'a At;
    type IntoIter = &'a [At];
    fn point_iter(self) -> &'a [At] {
        &self.ends
    }
}

impl Drawable<Canvas> for Part {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut ends: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        let (Some(start), Some(end)) = (ends.next(), ends.next()) else { return Ok(()) };
        let (middle, half) = (start.1 + self.drop, self.thickness / 2);
        // A px of ground between neighbours; never less than a px of the part itself.
        let right = (end.0 - 10).max(start.0 + 10);
        canvas.title(&self.title);
        canvas.draw_rect((start.0, middle - half), (right, middle + half), &self.ink.token().filled(), true)
    }
}

/// Text that belongs to a place, with a tooltip where it is not whole.
pub struct Note<C> {
    pub at: C,
    pub lines: Vec<Text>,
    pub title: Option<String>,
}

impl<'a, C> PointCollection<'a, C> for &'a Note<C> {
    type Point = &'a C;
    type IntoIter = std::iter::Once<&'a C>;
    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<C> Drawable<Canvas> for Note<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut at: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        let Some(at) = at.next() else { return Ok(()) };
        if let Some(title) = &self.title {
            canvas.title(title);
        }
        for line in &self.lines {
            line.draw(at, canvas)?;
        }
        Ok(())
    }
}

/// A point of a series, filled or hollow, in the shape of its series.
pub struct Mark<C> {
    pub at: C,
    pub look: Look,
    pub body: Body,
    pub title: Option<String>,
}

/// Hollow points are those that another beats or that are past a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    Filled,
    Hollow,
}

impl<'a, C> PointCollection<'a, C> for &'a Mark<C> {
    type Point = &'a C;
    type IntoIter = std::iter::Once<&'a C>;
    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<C> Drawable<Canvas> for Mark<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut at: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        let Some((x, y)) = at.next() else { return Ok(()) };
        let ink = match self.body {
            Body::Filled => Ink::Dot(self.look.slot),
            Body::Hollow => Ink::Ring(self.look.slot),
        };
        if let Some(title) = &self.title {
            canvas.title(title);
        }
        match corners(self.look.form) {
            [] => canvas.draw_circle((x, y), 45, &ink.token().filled(), true)?,
            corners => {
                let placed: Vec<BackendCoord> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
                canvas.outline(&placed, ink);
            }
        }
        Ok(())
    }
}

/// Outlines of about equal area around a point; none is the circle.
fn corners(form: u8) -> &'static [BackendCoord] {
    match form {
        0 => &[],
        1 => &[(-40, -40), (40, -40), (40, 40), (-40, 40)],
        2 => &[(0, -56), (56, 0), (0, 56), (-56, 0)],
        3 => &[(0, -54), (54, 40), (-54, 40)],
        4 => &[(-54, -40), (54, -40), (0, 54)],
        _ => &[
            (-19, -56),
            (19, -56),
            (19, -19),
            (56, -19),
            (56, 19),
            (19, 19),
            (19, 56),
            (-19, 56),
            (-19, 19),
            (-56, 19),
            (-56, -19),
            (-19, -19),
        ],
    }
}
