//! Bars on a sheet: the bars, the whiskers over them, then the labels and values, each in one group.

use plotters::style::text_anchor::{HPos, VPos};

use super::axes::Rows;
use super::ink::{Ink, Slot};
use super::marks::{self, Note, Text, Whisker};
use super::rows::{GAP, RowLayout, mesh};
use super::sheet::{AXIS, EDGE, LABEL, Sheet, Width, drawn, font, tenths};
use super::{Svg, nothing};
use crate::chart::Chart;
use crate::chart::bars::{Bar, Bars};
use crate::chart::text::{shorten, tidy, width};

pub fn draw(chart: &Chart, bars: &Bars, sheet: Width) -> Svg {
    let scale = bars.scale();
    let notes = bars.notes(&scale);
    if bars.rows.is_empty() {
        return nothing(chart, &notes, sheet);
    }
    let labels: Vec<&str> = bars.rows.iter().map(|row| row.label.as_str()).collect();
    let layout = RowLayout::new(&labels, sheet);
    // Words at the left edge may take the whole width; what stands behind bars may take half.
    let behind = |row: &Bar| row.value().is_some() || scale.low < 0.0;
    let room = |row: &Bar| if behind(row) { layout.room() * 0.5 } else { layout.room() - GAP };
    let texts: Vec<String> =
        bars.rows.iter().enumerate().map(|(at, row)| value_text(bars, at, row, room(row))).collect();
    // Each value needs its room right of its bar.
    let needs = bars
        .rows
        .iter()
        .zip(&texts)
        .map(|(row, text)| (row.reach().map_or(0.0, |(_, high)| high.max(0.0)), width(text, LABEL)));
    let some_value = bars.rows.iter().any(|row| row.value().is_some());
    let axis = if some_value { Some(bars.axis.ticks) } else { None };
    let (plot, scale) = layout.plot(&bars.axis.heading(), EDGE, scale, axis, needs);

    let page = Sheet::new(&notes, sheet, plot.bottom + if some_value { AXIS } else { 0.0 });
    layout.heading(&page, &bars.axis.heading(), EDGE);
    let left_end = scale.low;
    let mut figure = drawn(page.plot(plot).build_cartesian_2d(scale, Rows(bars.rows.len())));
    mesh(&mut figure);
    let rows = || bars.rows.iter().enumerate().map(|(at, row)| (at, at as f64 + 0.5, row));
    let (thickness, drop) = (tenths(layout.thickness), tenths(layout.drop));
    drawn(figure.draw_series(rows().filter_map(|(at, middle, row)| {
        Some(marks::Bar {
            ends: [(0.0, middle), (row.value()?, middle)],
            title: title(row),
            ink: if bars.baseline == Some(at) { Ink::Baseline } else { Ink::Fill(Slot::up_to_last(1)) },
            thickness,
            drop,
        })
    })));
    drawn(figure.draw_series(rows().filter_map(|(_, middle, row)| {
        let band = row.band()?;
        Some(Whisker { ends: [(band.low, middle), (band.high, middle)], cap: thickness / 4, drop })
    })));
    drawn(figure.draw_series(rows().map(|(at, middle, _)| Note {
        at: (left_end, middle),
        lines: layout.label(at).into_iter().map(|line| line.beside_edge(plot.left)).collect(),
        title: None,
    })));
    drawn(figure.draw_series(rows().zip(texts).map(|((_, middle, row), text)| {
        let ink = if row.value().is_some() { Ink::Label } else { Ink::Muted };
        let far_end = row.reach().map_or(0.0, |(_, high)| high.max(0.0));
        Note {
            at: (far_end, middle),
            lines: vec![Text { text, offset: (tenths(GAP), drop), style: font(ink, LABEL, HPos::Left, VPos::Center) }],
            // Words in place of a bar may be cut.
            title: row.value().is_none().then(|| title(row)),
        }
    })));
    layout.zero_line(&mut figure);
    page.finish(chart)
}

fn value_text(bars: &Bars, at: usize, row: &Bar, room: f64) -> String {
    let mark = if bars.baseline == Some(at) { " (baseline)" } else { "" };
    format!("{}{mark}", shorten(&tidy(row.text()), LABEL, room - width(mark, LABEL)))
}

fn title(row: &Bar) -> String {
    match row.band() {
        Some(band) => format!("{}: {} ({})", row.label, row.text(), band.text),
        None => format!("{}: {}", row.label, row.text()),
    }
}
