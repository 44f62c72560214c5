//! Charts as SVG: the only module that knows plotters.

mod axes;
mod bars;
mod canvas;
mod ink;
mod marks;
mod rows;
mod scatter;
mod sheet;
mod stacked;

use std::fmt;

use plotters::style::text_anchor::{HPos, VPos};

use super::{Chart, Kind};
use ink::Ink;
use sheet::{EDGE, LABEL, LEADING, Sheet, font};

pub(super) use sheet::Width;

/// An SVG element, safe to put into a page as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Svg(String);

impl Svg {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// One of the two drawings of a chart.
pub(super) fn draw(chart: &Chart, width: Width) -> Svg {
    match &chart.kind {
        Kind::Bars(bars) => bars::draw(chart, bars, width),
        Kind::Scatter(scatter) => scatter::draw(chart, scatter, width),
        Kind::Stacked(stacked) => stacked::draw(chart, stacked, width),
    }
}

/// A sentence where there is nothing to draw.
fn nothing(chart: &Chart, notes: &[String], width: Width) -> Svg {
    let sheet = Sheet::new(chart, notes, width, EDGE + LABEL * LEADING);
    sheet.text("There are no values to draw here.", EDGE, EDGE, font(Ink::Text, LABEL, HPos::Left, VPos::Top));
    sheet.finish(chart)
}
