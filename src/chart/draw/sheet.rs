//! The sheet a chart is drawn on: its size, its text, its legend, and the notes at its foot.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, TextStyle};

use super::Svg;
use super::canvas::{Canvas, escape};
use super::ink::{Ink, Look, Slot};
use super::marks::{Body, Mark, Note, Text};
use crate::chart::text::{shorten, width, wrap};
use crate::chart::{Chart, Kind};

/// Font sizes in px: labels and values; axes and legends; the foot.
pub const LABEL: f64 = 12.5;
pub const SMALL: f64 = 11.5;
const FOOT: f64 = 11.2;
/// Fonts of one width.
pub const FONTS: &str = "Arial, Liberation Sans, sans-serif";
/// Distance of two lines of text, in font sizes.
pub const LEADING: f64 = 1.24;
/// Ground left free at each side, in px.
pub const EDGE: f64 = 4.0;

/// Which of the two drawings, with its width in px. On a phone of 320 px a page leaves 296 of them, on which the smallest
/// text of the narrow drawing still has 11.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Wide,
    Narrow,
}

impl Width {
    pub fn px(self) -> f64 {
        match self {
            Width::Wide => 720.0,
            Width::Narrow => 300.0,
        }
    }

    /// Right end of what may be drawn.
    pub fn right(self) -> f64 {
        self.px() - EDGE
    }

    fn class(self) -> &'static str {
        match self {
            Width::Wide => "chart-wide",
            Width::Narrow => "chart-narrow",
        }
    }
}

pub struct Sheet {
    canvas: Rc<RefCell<Canvas>>,
    pub root: DrawingArea<Canvas, Shift>,
    width: Width,
    height: f64,
}

impl Sheet {
    /// A sheet with room for a body of some height, and below it the notes.
    pub fn new(notes: &[String], width: Width, body: f64) -> Self {
        let room = width.right() - EDGE;
        let foot: Vec<String> = notes.iter().flat_map(|note| wrap(note, FOOT, room, 9)).collect();
        let above = if foot.is_empty() { 0.0 } else { 8.0 };
        let height = (body + above + foot.len() as f64 * FOOT * LEADING + EDGE).ceil();
        let canvas = Rc::new(RefCell::new(Canvas::new((size(width.px()), size(height)))));
        let sheet = Sheet { root: DrawingArea::from(&canvas), canvas, width, height };
        for (at, line) in foot.iter().enumerate() {
            let style = font(Ink::Text, FOOT, HPos::Left, VPos::Top);
            sheet.text(line, EDGE, body + above + at as f64 * FOOT * LEADING, style);
        }
        sheet
    }

    pub fn text(&self, text: &str, x: f64, y: f64, style: TextStyle<'_>) {
        drawn(self.root.draw_text(text, &style, (tenths(x), tenths(y))));
    }

    /// Lines under each other, the first one's top at `y`.
    pub fn lines(&self, lines: &[String], x: f64, y: f64, style: &TextStyle<'_>) {
        for (at, line) in lines.iter().enumerate() {
            self.text(line, x, y + at as f64 * style.font.get_size() / 10.0 * LEADING, style.clone());
        }
    }

    /// Plotters' builder for a plot with its edges at these places.
    pub fn plot(&self, plot: Plot) -> ChartBuilder<'_, '_, Canvas> {
        let mut builder = ChartBuilder::on(&self.root);
        builder
            .margin_left(tenths(plot.left))
            .margin_top(tenths(plot.top))
            .margin_right(tenths(self.width.px() - plot.right))
            .margin_bottom(tenths(self.height - plot.bottom - AXIS))
            .x_label_area_size(tenths(AXIS));
        builder
    }

    /// A phone has nothing to point with, and bars have their values beside them: there the drawing goes without tooltips
    /// where all texts are whole.
    pub fn finish(self, chart: &Chart) -> Svg {
        let id = escape(&chart.id);
        let tooltips = self.width == Width::Wide && !matches!(chart.kind, Kind::Bars(_));
        let body = self.canvas.borrow_mut().finish(tooltips);
        let attributes = format!(
            " class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-labelledby=\"{id}-caption\" aria-describedby=\"{id}-summary\" font-family=\"{FONTS}\"",
            self.width.class(),
            self.width.px(),
            self.height,
        );
        Svg { attributes, body, height: self.height }
    }
}

/// Height of the strip with the tick labels below a plot, in px.
pub const AXIS: f64 = 21.0;

/// The edges of a plot on its sheet, in px.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Plot {
    pub fn width(self) -> f64 {
        self.right - self.left
    }
}

/// Signs with their names in rows above a plot.
pub struct Legend {
    entries: Vec<Entry>,
    pub height: f64,
}

struct Entry {
    sign: Sign,
    x: f64,
    y: f64,
    text: String,
    whole: Option<String>,
}

/// What stands before a name.
#[derive(Debug, Clone, Copy)]
pub enum Sign {
    Mark(Look, Body),
    Line(Look),
    Fill(Slot),
    Limit,
}

impl Sign {
    /// Room for the sign before its name; a line is long enough to show its dashes.
    fn width(self) -> f64 {
        match self {
            Sign::Line(_) | Sign::Limit => 34.0,
            Sign::Mark(..) | Sign::Fill(_) => 18.0,
        }
    }
}

const ROW: f64 = 17.0;

impl Legend {
    pub fn lay(entries: Vec<(Sign, String)>, sheet: Width) -> Self {
        let (mut x, mut y) = (EDGE, 0.0);
        let mut laid = Vec::new();
        for (sign, whole) in entries {
            let text = shorten(&whole, SMALL, sheet.right() - EDGE - sign.width());
            let wide = sign.width() + width(&text, SMALL);
            if x > EDGE && x + wide > sheet.right() {
                (x, y) = (EDGE, y + ROW);
            }
            laid.push(Entry { sign, x, y, whole: (text != whole).then_some(whole), text });
            x += wide + 16.0;
        }
        let height = if laid.is_empty() { 0.0 } else { y + ROW + 7.0 };
        Legend { entries: laid, height }
    }

    pub fn draw(&self, sheet: &Sheet, top: f64) {
        for Entry { sign, x, y, text, whole } in &self.entries {
            let middle = top + y + ROW / 2.0;
            let at = |dx: f64, dy: f64| (tenths(x + dx), tenths(middle + dy));
            let rule = |ink: Ink| {
                drawn(sheet.root.draw(&PathElement::new([at(0.0, 0.0), at(28.0, 0.0)], ink.token())));
            };
            let mark = |look: Look, body: Body, dx: f64| {
                drawn(sheet.root.draw(&Mark { at: at(dx, 0.0), look, body, title: None }));
            };
            match *sign {
                Sign::Mark(look, body) => mark(look, body, 6.0),
                Sign::Line(look) => {
                    rule(Ink::Line(look));
                    mark(look, Body::Filled, 14.0);
                }
                Sign::Limit => rule(Ink::Limit),
                Sign::Fill(slot) => {
                    let corners = [at(1.0, -5.5), at(12.0, 5.5)];
                    let filled = Ink::Fill(slot).token().filled();
                    drawn(sheet.root.draw(&Rectangle::new(corners, filled)));
                }
            }
            let style = font(Ink::Text, SMALL, HPos::Left, VPos::Center);
            let line = Text { text: text.clone(), offset: (0, 0), style };
            drawn(sheet.root.draw(&Note { at: at(sign.width(), 0.0), lines: vec![line], title: whole.clone() }));
        }
    }
}

/// A text style; the size is in px.
pub fn font(ink: Ink, size: f64, across: HPos, down: VPos) -> TextStyle<'static> {
    // The family is named once, on the root element.
    let font = FontDesc::new(FontFamily::SansSerif, size * 10.0, FontStyle::Normal);
    TextStyle { font, color: ink.token().to_backend_color(), pos: Pos::new(across, down) }
}

/// The result of a drawing step.
pub fn drawn<T>(result: Result<T, DrawingAreaErrorKind<Infallible>>) -> T {
    result.expect("drawing into memory cannot fail")
}

/// Px as the tenths that plotters works in.
pub fn tenths(px: f64) -> i32 {
    (px * 10.0).round() as i32
}

fn size(px: f64) -> u32 {
    (px * 10.0).round() as u32
}
