//! Small multiples: several quantities over one axis, each in a panel with an axis of its own.

use std::cmp::Ordering;

use super::axis::{Axis, Scale, undrawn};
use super::bars::{Band, Reading};
use super::scatter::Limit;
use super::{Table, listed, sentence};
use crate::metric::uncapitalised;
use crate::quantity::Quantity;

#[derive(Debug, Clone, PartialEq)]
pub struct Panels {
    /// What the rows are: the heading of the first table column.
    pub subject: String,
    pub x: Axis,
    pub panels: Vec<Panel>,
    /// Lines of one colour, shape and dash in every panel; the names of several are a legend.
    pub series: Vec<String>,
    pub rows: Vec<PanelRow>,
}

/// The heading of a panel, with its unit, and a value that must not be passed in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    pub y: Axis,
    pub limit: Option<Limit>,
}

/// One place on the shared axis: a value or words for each panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelRow {
    pub series: usize,
    pub label: String,
    pub x: Quantity,
    pub x_text: String,
    pub readings: Vec<Reading>,
}

/// A value of a panel with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spotted<'a> {
    pub row: &'a PanelRow,
    pub x: f64,
    pub y: f64,
    pub text: &'a str,
    pub band: Option<&'a Band>,
}

impl Panels {
    /// Takes away the panels in which no line has two values.
    pub fn leave_out_empty_panels(&mut self) {
        for panel in (0..self.panels.len()).rev() {
            let count = |series| self.values(panel).filter(|found| found.row.series == series).count();
            if (0..self.series.len()).all(|series| count(series) < 2) {
                self.panels.remove(panel);
                self.rows.iter_mut().filter(|row| row.readings.len() > panel).for_each(|row| {
                    row.readings.remove(panel);
                });
            }
        }
    }

    pub(super) fn x_scale(&self) -> Scale {
        Scale::around(self.rows.iter().flat_map(|row| [row.x.low(), row.x.high()]))
    }

    /// The values of a panel, those that have no place on its scale included.
    pub(super) fn values(&self, panel: usize) -> impl Iterator<Item = Spotted<'_>> + Clone {
        self.rows.iter().filter_map(move |row| match row.readings.get(panel)? {
            Reading::Value { value, text, band } => {
                let band = band.as_ref().filter(|band| band.low.is_finite() && band.high.is_finite());
                Some(Spotted { row, x: row.x.middle(), y: *value, text, band })
            }
            Reading::Words(_) => None,
        })
    }

    /// The scale of a panel; a limit is on it where it is not far off.
    pub(super) fn y_scale(&self, panel: usize) -> Scale {
        let ends = |found: Spotted<'_>| {
            let band = found.band.map(|band| [band.low, band.high]);
            band.into_iter().flatten().chain([found.y]).collect::<Vec<_>>()
        };
        let values: Vec<f64> = self.values(panel).flat_map(ends).collect();
        let alone = Scale::around(values.iter().copied());
        match self.panels.get(panel).and_then(|panel| panel.limit.as_ref()) {
            Some(limit) if super::scatter::near(&alone, limit.value) => {
                Scale::around(values.into_iter().chain([limit.value]))
            }
            _ => alone,
        }
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let scales: Vec<Scale> = (0..self.panels.len()).map(|panel| self.y_scale(panel)).collect();
        let x = self.x_scale();
        let values = scales
            .iter()
            .enumerate()
            .flat_map(|(panel, scale)| self.values(panel).map(move |found| (scale, found.y)).collect::<Vec<_>>());
        let mut notes = undrawn(values.chain(self.rows.iter().map(|row| (&x, row.x.middle()))));
        for (panel, scale) in self.panels.iter().zip(&scales) {
            let limit = panel.limit.as_ref().filter(|limit| !super::scatter::within(scale, limit.value));
            notes.extend(limit.map(|limit| {
                let side = if limit.value > scale.high { "above" } else { "below" };
                format!("{} lies {side} the range drawn", limit.label)
            }));
        }
        notes.extend(self.words());
        notes
    }

    /// What stands in place of values, the first of several.
    fn words(&self) -> Option<String> {
        const NAMED: usize = 6;
        let words = self.rows.iter().flat_map(|row| {
            row.readings.iter().zip(&self.panels).filter_map(|(reading, panel)| match reading {
                Reading::Words(words) => {
                    let at = format!("{}, {}", row.x_text, panel.y.title);
                    let name = Some(self.name(row)).filter(|name| !name.is_empty());
                    Some(name.map_or_else(|| format!("{at}: {words}"), |name| format!("{name}, {at}: {words}")))
                }
                Reading::Value { .. } => None,
            })
        });
        let words: Vec<String> = words.collect();
        let more = match words.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let named = &words[..words.len().min(NAMED)];
        (!named.is_empty()).then(|| format!("Not drawn: {}{more}", named.join("; ")))
    }

    /// Series and label of a row.
    pub(super) fn name(&self, row: &PanelRow) -> String {
        let series = self.series.get(row.series).filter(|_| self.series.len() > 1).map(String::as_str);
        let parts = series.into_iter().chain([row.label.as_str()]).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn table(&self) -> Table {
        // Rows without names are headed by their place on the axis.
        let named = self.rows.iter().any(|row| !self.name(row).is_empty());
        let mut head = vec![self.x.heading()];
        if named {
            head.insert(0, self.subject.clone());
        }
        head.extend(self.panels.iter().map(|panel| panel.y.heading()));
        let rows = self.rows.iter().map(|row| {
            let readings = (0..self.panels.len()).map(|panel| match row.readings.get(panel) {
                Some(Reading::Value { text, .. } | Reading::Words(text)) => text.clone(),
                None => "–".to_owned(),
            });
            let name = named.then(|| self.name(row));
            name.into_iter().chain([row.x_text.clone()]).chain(readings).collect()
        });
        Table { head, rows: rows.collect() }
    }

    /// How each quantity goes along the shared axis; of several lines, between which values they lie.
    pub(super) fn summary(&self) -> String {
        let by_x = |one: &Spotted<'_>, other: &Spotted<'_>| one.x.total_cmp(&other.x);
        let by_y = |one: &Spotted<'_>, other: &Spotted<'_>| one.y.total_cmp(&other.y);
        let goes = self.panels.iter().enumerate().filter_map(|(panel, of)| {
            let values = || self.values(panel);
            let (least, most) = (values().min_by(by_y)?, values().max_by(by_y)?);
            let name = uncapitalised(of.y.name());
            if self.series.len() > 1 {
                return Some(format!("{name} lies between {} and {}", least.text, of.y.with_unit(most.text)));
            }
            let mut along: Vec<_> = values().collect();
            along.sort_by(by_x);
            let turns: Vec<_> = along.windows(2).map(|pair| pair[0].y.total_cmp(&pair[1].y)).collect();
            let (first, last) = (along.first()?.text, of.y.with_unit(along.last()?.text));
            Some(match (turns.contains(&Ordering::Less), turns.contains(&Ordering::Greater)) {
                (true, false) => format!("{name} rises from {first} to {last}"),
                (false, true) => format!("{name} falls from {first} to {last}"),
                (false, false) => format!("{name} ends at {last}, as it begins"),
                (true, true) => format!("{name} goes from {first} to {last}, between {} and {}", least.text, most.text),
            })
        });
        let goes: Vec<String> = goes.collect();
        let all = || (0..self.panels.len()).flat_map(|panel| self.values(panel));
        let mut parts = vec![match (all().min_by(by_x), all().max_by(by_x)) {
            (Some(first), Some(last)) => {
                let (from, to) = (&first.row.x_text, &last.row.x_text);
                format!("Over {} from {from} to {to}, {}", uncapitalised(&self.x.measured()), listed(&goes, MOST))
            }
            _ => "There are no values to draw".to_owned(),
        }];
        parts.extend(self.words());
        sentence(parts)
    }
}

/// Panels that a summary names.
const MOST: usize = 6;
