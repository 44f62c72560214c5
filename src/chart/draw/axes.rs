//! Our scales as axes of plotters.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::chart::axis::Scale;

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        between(self.share(*value), limit)
    }

    /// The ticks as bold points; there are no light ones.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|tick| tick.value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|tick| tick.value == *value).map_or_else(String::new, |tick| tick.label.clone())
    }
}

/// Rows of equal height from the top down: row `n` lies around `n + 0.5`.
pub struct Rows(pub usize);

impl Ranged for Rows {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, row: &f64, limit: (i32, i32)) -> i32 {
        // Plotters gives the bottom first.
        between(1.0 - row / self.0.max(1) as f64, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        Vec::new()
    }

    fn range(&self) -> Range<f64> {
        0.0..self.0 as f64
    }
}

impl ValueFormatter<f64> for Rows {
    fn format_ext(&self, _: &f64) -> String {
        String::new()
    }
}

fn between(share: f64, (start, end): (i32, i32)) -> i32 {
    start + (share * f64::from(end - start)).round() as i32
}
