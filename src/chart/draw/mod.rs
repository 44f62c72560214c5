//! Charts as SVG: the only module that knows plotters.

mod axes;
mod bars;
mod brackets;
mod canvas;
mod ink;
mod marks;
mod panels;
mod rows;
mod scatter;
mod sheet;
mod stacked;
mod standalone;

use std::fmt;

use plotters::style::text_anchor::{HPos, VPos};

use super::{Chart, Kind};
use ink::Ink;
use sheet::{EDGE, LABEL, LEADING, Sheet, font};

pub(super) use sheet::Width;
pub(super) use standalone::draw as standalone;

/// An SVG element, safe to put into a page as it is; a file of its own is [`standalone`].
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    /// Of the element, beginning with a blank.
    attributes: String,
    body: String,
    /// In px, as the attributes say.
    height: f64,
}

impl fmt::Display for Svg {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<svg{}>{}</svg>", self.attributes, self.body)
    }
}

/// One of the two drawings of a chart.
pub(super) fn draw(chart: &Chart, width: Width) -> Svg {
    match &chart.kind {
        Kind::Bars(bars) => bars::draw(chart, bars, width),
        Kind::Scatter(scatter) => scatter::draw(chart, scatter, width),
        Kind::Stacked(stacked) => stacked::draw(chart, stacked, width),
        Kind::Panels(panels) => panels::draw(chart, panels, width),
        Kind::Brackets(brackets) => brackets::draw(chart, brackets, width),
    }
}

/// A sentence where there is nothing to draw.
fn nothing(chart: &Chart, notes: &[String], width: Width) -> Svg {
    let sheet = Sheet::new(notes, width, EDGE + LABEL * LEADING);
    sheet.text("There are no values to draw here.", EDGE, EDGE, font(Ink::Text, LABEL, HPos::Left, VPos::Top));
    sheet.finish(chart)
}
