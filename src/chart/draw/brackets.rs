//! Brackets on a sheet: a line from the highest load that passed to the next one tested, what was delivered below it.

use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, VPos};

use super::axes::Rows;
use super::ink::{Ink, Look};
use super::marks::{Body, Mark, Note, Text};
use super::rows::{GAP, RowLayout, mesh};
use super::sheet::{AXIS, EDGE, LABEL, Legend, Sheet, Sign, Width, drawn, font, tenths};
use super::{Svg, nothing};
use crate::chart::Chart;
use crate::chart::brackets::{Bracket, Brackets};
use crate::chart::text::{shorten, tidy, width};

/// Looks of the ends and of what was delivered: apart by shape as well as colour.
const ENDS: usize = 0;
const DELIVERED: usize = 3;
/// How far below the bracket the delivered rate stands, in px: the two may be one number.
const BELOW: f64 = 10.0;
/// What a mark reaches beyond its place, in px.
const REACH: f64 = 6.0;
/// How far above its row's middle a bracket stands that has something below it.
const RISE: f64 = 3.0;

pub fn draw(chart: &Chart, brackets: &Brackets, sheet: Width) -> Svg {
    let scale = brackets.scale();
    let notes = brackets.notes();
    if brackets.rows.is_empty() {
        return nothing(chart, &notes, sheet);
    }
    let labels: Vec<&str> = brackets.rows.iter().map(|row| row.label.as_str()).collect();
    let layout = RowLayout::new(&labels, sheet);
    let room = |row: &Bracket| if row.far_end() > 0.0 { layout.room() * 0.5 } else { layout.room() - GAP };
    let texts: Vec<String> =
        brackets.rows.iter().enumerate().map(|(at, row)| text(brackets, at, row, room(row))).collect();
    let needs = brackets.rows.iter().zip(&texts).map(|(row, text)| (row.far_end(), width(text, LABEL) + REACH));
    let drawn_at_all = brackets.rows.iter().any(|row| row.far_end() > 0.0);
    let legend = Legend::lay(if drawn_at_all { legend_entries(brackets) } else { Vec::new() }, sheet);
    let heading = brackets.axis.heading();
    let above = EDGE + legend.height;
    let ticks = drawn_at_all.then_some(brackets.axis.ticks);
    let (plot, scale) = layout.plot(&heading, above, scale, ticks, needs);

    let page = Sheet::new(&notes, sheet, plot.bottom + if drawn_at_all { AXIS } else { 0.0 });
    layout.heading(&page, &heading, above);
    let left_end = scale.low;
    let mut figure = drawn(page.plot(plot).build_cartesian_2d(scale, Rows(brackets.rows.len())));
    mesh(&mut figure);
    layout.zero_line(&mut figure);
    // In rows: a mark is moved by px through its place on the axis of rows.
    let down = |px: f64| px / layout.pitch();
    let rise = if brackets.has_delivered() { -RISE } else { 0.0 };
    let line = |at: usize| at as f64 + 0.5 + down(layout.drop + rise);
    let rows = || brackets.rows.iter().enumerate();
    for (at, row) in rows() {
        if let Some((passed, failed)) = row.ends() {
            let ends = [(passed, line(at)), (failed, line(at))];
            drawn(figure.draw_series(LineSeries::new(ends, Ink::Line(Look::of_series(ENDS)).token())));
        }
    }
    let mark = |at: (f64, f64), look: usize, body: Body, title: String| Mark {
        at,
        look: Look::of_series(look),
        body,
        title: Some(title),
    };
    drawn(figure.draw_series(rows().flat_map(|(at, row)| {
        row.ends().into_iter().flat_map(move |(passed, failed)| {
            let title = |end: &str| format!("{}: {end} of {}", row.label, row.text());
            [
                mark((passed, line(at)), ENDS, Body::Filled, title("the highest that passed")),
                mark((failed, line(at)), ENDS, Body::Hollow, title("the next, which failed")),
            ]
        })
    })));
    drawn(figure.draw_series(rows().filter_map(|(at, row)| {
        let title = format!("{}: delivered {}", row.label, row.delivered.as_ref()?.text);
        let place = (row.delivered()?, line(at) + down(BELOW));
        Some(mark(place, DELIVERED, Body::Filled, title))
    })));
    drawn(figure.draw_series(rows().map(|(at, _)| Note {
        at: (left_end, at as f64 + 0.5),
        lines: layout.label(at).into_iter().map(|line| line.beside_edge(plot.left)).collect(),
        title: None,
    })));
    drawn(figure.draw_series(rows().zip(texts).map(|((at, row), text)| {
        let has_ends = row.ends().is_some();
        let reach = if row.far_end() > 0.0 { REACH } else { 0.0 };
        let style = font(if has_ends { Ink::Label } else { Ink::Muted }, LABEL, HPos::Left, VPos::Center);
        Note {
            at: (row.far_end(), at as f64 + 0.5),
            lines: vec![Text { text, offset: (tenths(GAP + reach), tenths(layout.drop)), style }],
            title: (!has_ends).then(|| format!("{}: {}", row.label, row.text())),
        }
    })));
    // After the plot: marks of one look stand where the first was drawn, and those in the plot lie over its lines.
    legend.draw(&page, EDGE);
    page.finish(chart)
}

fn text(brackets: &Brackets, at: usize, row: &Bracket, room: f64) -> String {
    let mark = if brackets.baseline == Some(at) { " (baseline)" } else { "" };
    format!("{}{mark}", shorten(&tidy(row.text()), LABEL, room - width(mark, LABEL) - REACH))
}

fn legend_entries(brackets: &Brackets) -> Vec<(Sign, String)> {
    let look = Look::of_series(ENDS);
    let mut entries = vec![
        (Sign::Mark(look, Body::Filled), "highest load that passed".to_owned()),
        (Sign::Mark(look, Body::Hollow), "the next, which failed".to_owned()),
    ];
    let delivered =
        (Sign::Mark(Look::of_series(DELIVERED), Body::Filled), "delivered at the highest that passed".to_owned());
    entries.extend(brackets.has_delivered().then_some(delivered));
    entries
}
