//! Stacks on a sheet: parts end to end, a limit through all rows, the total behind each.

use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, VPos};

use super::axes::Rows;
use super::ink::{Ink, Slot};
use super::marks::{Note, Part, Text};
use super::rows::{GAP, RowLayout, mesh};
use super::sheet::{AXIS, EDGE, LABEL, LEADING, Legend, SMALL, Sheet, Sign, Width, drawn, font, tenths};
use super::{Svg, nothing};
use crate::chart::Chart;
use crate::chart::stacked::{Stack, Stacked};
use crate::chart::text::{shorten, tidy, width, wrap};

pub fn draw(chart: &Chart, stacked: &Stacked, sheet: Width) -> Svg {
    let notes = stacked.notes();
    if stacked.rows.is_empty() {
        return nothing(chart, &notes, sheet);
    }
    let labels: Vec<&str> = stacked.rows.iter().map(|row| row.label.as_str()).collect();
    let layout = RowLayout::new(&labels, sheet);
    let totals: Vec<String> =
        stacked.rows.iter().map(|row| shorten(&tidy(&row.total), LABEL, layout.room() * 0.5)).collect();
    let legend = Legend::lay(legend_entries(stacked), sheet);
    let limit = stacked.limit.as_ref().filter(|limit| limit.is_drawn());
    let limit_lines = limit.map_or(Vec::new(), |limit| wrap(&tidy(&limit.label), SMALL, sheet.right() - EDGE, 2));
    let limit_height = limit_lines.len() as f64 * SMALL * LEADING;
    let heading = stacked.axis.heading();
    // A total that the limit would cross stands beyond it.
    let (limit_low, limit_value) = limit.map_or((0.0, 0.0), |limit| (limit.low, limit.high));
    let needs = stacked.rows.iter().zip(&totals).map(|(row, text)| (row.end().max(limit_value), width(text, LABEL)));
    let above = EDGE + legend.height;
    let (mut plot, scale) = layout.plot(&heading, above, stacked.scale(), Some(stacked.axis.ticks), needs);
    plot.top += limit_height;
    plot.bottom += limit_height;

    let page = Sheet::new(&notes, sheet, plot.bottom + AXIS);
    legend.draw(&page, EDGE);
    layout.heading(&page, &heading, above);
    if let Some(limit) = limit {
        let widest = limit_lines.iter().map(|line| width(line, SMALL)).fold(0.0, f64::max);
        let line = plot.left + scale.share(limit.low.midpoint(limit.high)) * plot.width();
        let x = line.min(sheet.right() - widest / 2.0).max(EDGE + widest / 2.0);
        page.lines(&limit_lines, x, plot.top - limit_height - 2.0, &font(Ink::Text, SMALL, HPos::Center, VPos::Top));
    }
    let count = stacked.rows.len();
    let total_at = |end: f64, room: f64| {
        let px = |value: f64| scale.share(value) * plot.width();
        if end < limit_value && px(end) + room > px(limit_low) { limit_value } else { end }
    };
    let mut figure = drawn(page.plot(plot).build_cartesian_2d(scale.clone(), Rows(count)));
    mesh(&mut figure);
    for (at, row) in stacked.rows.iter().enumerate() {
        drawn(figure.draw_series(parts(stacked, row, at, &layout)));
    }
    layout.zero_line(&mut figure);
    if let Some(limit) = limit {
        for (ink, at) in [Ink::Halo, Ink::Limit].into_iter().flat_map(|ink| limit.lines().map(move |at| (ink, at))) {
            drawn(figure.draw_series(LineSeries::new([(at, 0.0), (at, count as f64)], ink.token())));
        }
    }
    drawn(figure.draw_series(stacked.rows.iter().enumerate().map(|(at, row)| Note {
        at: (0.0, at as f64 + 0.5),
        lines: layout.label(at).into_iter().map(|line| line.beside_edge(plot.left)).collect(),
        title: Some(format!("{}: {}", row.label, row.total)),
    })));
    drawn(figure.draw_series(stacked.rows.iter().zip(totals).enumerate().map(|(at, (row, text))| Note {
        at: (total_at(row.end(), width(&text, LABEL) + 2.0 * GAP), at as f64 + 0.5),
        lines: vec![Text {
            text,
            offset: (tenths(GAP), tenths(layout.drop)),
            style: font(Ink::Label, LABEL, HPos::Left, VPos::Center),
        }],
        title: None,
    })));
    page.finish(chart)
}

fn parts<'a>(
    stacked: &'a Stacked,
    row: &'a Stack,
    at: usize,
    layout: &'a RowLayout,
) -> impl Iterator<Item = Part> + 'a {
    let mut start = 0.0_f64;
    let drawn = row.amounts.iter().enumerate().filter(|(_, amount)| amount.drawn());
    drawn.map(move |(part, amount)| {
        let end = (start + amount.value).min(f64::MAX);
        let middle = at as f64 + 0.5;
        let name = stacked.parts.get(part).map_or("", String::as_str);
        let title = format!("{}, {name}: {}", row.label, amount.text);
        let ends = [(start, middle), (end, middle)];
        start = end;
        Part {
            ends,
            title,
            ink: Ink::Fill(Slot::up_to_last(part)),
            thickness: tenths(layout.thickness),
            drop: tenths(layout.drop),
        }
    })
}

/// One part needs no legend; those beyond the fourth share its entry.
fn legend_entries(stacked: &Stacked) -> Vec<(Sign, String)> {
    if stacked.parts.len() < 2 {
        return Vec::new();
    }
    let own = stacked.parts.len().min(4) - 1;
    let named = stacked.parts[..own].iter().map(|name| tidy(name));
    let names: Vec<String> = named.chain([tidy(&stacked.parts[own..].join(" + "))]).collect();
    names.into_iter().enumerate().map(|(at, name)| (Sign::Fill(Slot::up_to_last(at)), name)).collect()
}
