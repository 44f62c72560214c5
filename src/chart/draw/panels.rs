//! Small multiples on a sheet: panels under each other over one axis, each with its heading above.

use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, VPos};

use super::ink::{Ink, Look};
use super::marks::{Body, Mark, Note, Text};
use super::rows::across_fits;
use super::sheet::{AXIS, EDGE, LEADING, Legend, Plot, SMALL, Sheet, Sign, Width, drawn, font, tenths};
use super::{Svg, nothing};
use crate::chart::Chart;
use crate::chart::axis::Scale;
use crate::chart::labels::{Clutter, Line, Pinned, Rect, Size, Spot};
use crate::chart::panels::{Panels, Spotted};
use crate::chart::scatter::{Limit, within};
use crate::chart::text::{shorten, tidy, width, wrap};

/// Height of the plot of one panel, in px.
const HEIGHT: f64 = 96.0;
/// Ground between a panel and the heading of the next, in px.
const APART: f64 = 12.0;

pub fn draw(chart: &Chart, panels: &Panels, sheet: Width) -> Svg {
    let notes = panels.notes();
    let x = panels.x_scale();
    let drawn_in = |panel: usize, y: &Scale| {
        let has_place = |found: &Spotted<'_>| x.takes(found.x) && y.takes(found.y);
        panels.values(panel).filter(has_place).collect::<Vec<_>>()
    };
    let mut laid: Vec<Laid<'_>> = Vec::new();
    for at in 0..panels.panels.len() {
        let y = panels.y_scale(at);
        let spots = drawn_in(at, &y);
        if spots.is_empty() {
            continue;
        }
        let apart = |scale: &Scale| {
            scale
                .ticks
                .windows(2)
                .all(|pair| (scale.share(pair[1].value) - scale.share(pair[0].value)) * HEIGHT >= 16.0)
        };
        let panel = &panels.panels[at];
        laid.push(Laid {
            heading: wrap(&tidy(&panel.y.heading_on(&y)), SMALL, sheet.right() - EDGE, 2),
            y: y.ticked(panel.y.ticks, 8, apart),
            spots,
            limit: panel.limit.as_ref(),
        });
    }
    if laid.is_empty() {
        return nothing(chart, &notes, sheet);
    }
    let ticks = laid.iter().flat_map(|panel| &panel.y.ticks);
    let left = EDGE + ticks.map(|tick| width(&tick.label, SMALL)).fold(0.0, f64::max) + 7.0;
    let right = sheet.right() - 6.0;
    let wide = right - left;
    let x = x.ticked(panels.x.ticks, 9, |scale| {
        let inside = scale.ticks.iter().all(|tick| {
            let (middle, half) = (left + scale.share(tick.value) * wide, width(&tick.label, SMALL) / 2.0);
            middle - half >= EDGE && middle + half <= sheet.right()
        });
        inside && across_fits(scale, wide)
    });
    let line = SMALL * LEADING;
    let legend = Legend::lay(legend_entries(panels), sheet);
    let x_heading = wrap(&tidy(&panels.x.heading_on(&x)), SMALL, sheet.right() - EDGE, 3);
    let (mut top, mut tops) = (EDGE + legend.height, Vec::new());
    for panel in &laid {
        tops.push(top);
        top += panel.heading.len() as f64 * line + 5.0 + HEIGHT + APART;
    }
    let below = top - APART + AXIS + 2.0;

    let page = Sheet::new(&notes, sheet, below + x_heading.len() as f64 * line);
    let widest = x_heading.iter().map(|line| width(line, SMALL)).fold(0.0, f64::max);
    let center = ((left + right) / 2.0).min(sheet.right() - widest / 2.0).max(EDGE + widest / 2.0);
    page.lines(&x_heading, center, below, &font(Ink::Muted, SMALL, HPos::Center, VPos::Top));
    for (at, (panel, top)) in laid.iter().zip(tops).enumerate() {
        page.lines(&panel.heading, EDGE, top, &font(Ink::Muted, SMALL, HPos::Left, VPos::Top));
        let top = top + panel.heading.len() as f64 * line + 5.0;
        let plot = Plot { left, top, right, bottom: top + HEIGHT };
        panel.draw(&page, panels, plot, &x, at + 1 == laid.len());
    }
    // After the plot: marks of one look stand where the first was drawn, and those in the plot lie over its lines.
    legend.draw(&page, EDGE);
    page.finish(chart)
}

/// A panel with its scale and those of its values that have a place.
struct Laid<'a> {
    y: Scale,
    spots: Vec<Spotted<'a>>,
    heading: Vec<String>,
    limit: Option<&'a Limit>,
}

impl Laid<'_> {
    fn draw(&self, page: &Sheet, panels: &Panels, plot: Plot, x: &Scale, last: bool) {
        // The ticks of the shared axis have their labels once.
        let labels = font(Ink::Muted, SMALL, HPos::Center, VPos::Top);
        let bare = || {
            let mut x = x.clone();
            x.ticks.iter_mut().for_each(|tick| tick.label.clear());
            x
        };
        let shared = if last { x.clone() } else { bare() };
        let mut builder = page.plot(plot);
        let builder = builder.margin_left(0).y_label_area_size(tenths(plot.left));
        let mut figure = drawn(builder.build_cartesian_2d(shared, self.y.clone()));
        let mut mesh = figure.configure_mesh();
        let mesh = mesh.bold_line_style(Ink::Grid.token()).axis_style(Ink::Axis.token()).label_style(labels);
        drawn(mesh.set_all_tick_mark_size(tenths(3.5)).draw());
        let size = Size { width: plot.width(), height: HEIGHT };
        let spot = |at: (f64, f64)| Spot { x: x.share(at.0) * size.width, y: (1.0 - self.y.share(at.1)) * size.height };
        let mut clutter = Clutter {
            frame: Rect { left: 3.0, top: 0.0, right: size.width, bottom: size.height - 2.0 },
            points: self.spots.iter().map(|found| spot((found.x, found.y))).collect(),
            boxes: self.spots.iter().map(|found| Rect::around(spot((found.x, found.y)), 5.0)).collect(),
            lines: Vec::new(),
        };
        let mut segment =
            |from: (f64, f64), to: (f64, f64)| clutter.lines.push(Line { from: spot(from), to: spot(to) });
        if let Some(limit) = self.limit.filter(|limit| within(&self.y, limit.value)) {
            let ends = [(x.low, limit.value), (x.high, limit.value)];
            drawn(figure.draw_series(LineSeries::new(ends, Ink::Limit.token())));
            segment(ends[0], ends[1]);
        }
        for series in 0..panels.series.len() {
            let own = self.spots.iter().filter(|found| found.row.series == series);
            let places: Vec<(f64, f64)> = own.map(|found| (found.x, found.y)).collect();
            if places.len() > 1 {
                places.windows(2).for_each(|pair| segment(pair[0], pair[1]));
                let line = LineSeries::new(places, Ink::Line(Look::of_series(series)).token());
                drawn(figure.draw_series(line));
            }
        }
        for found in &self.spots {
            if let Some(band) = found.band {
                let ends = [(found.x, band.low), (found.x, band.high)];
                drawn(figure.draw_series(LineSeries::new(ends, Ink::Whisker.token())));
                segment(ends[0], ends[1]);
            }
        }
        drawn(figure.draw_series(self.spots.iter().map(|found| Mark {
            at: (found.x, found.y),
            look: Look::of_series(found.row.series),
            body: Body::Filled,
            title: Some(format!("{}, {}: {}", panels.name(found.row), found.row.x_text, found.text)),
        })));
        if let Some(note) = self.limit_note(&mut clutter, size, x) {
            drawn(figure.draw_series([note]));
        }
        drawn(figure.draw_series(self.values(&clutter, &spot)));
    }

    fn limit_note(&self, clutter: &mut Clutter, size: Size, x: &Scale) -> Option<Note<(f64, f64)>> {
        let limit = self.limit.filter(|limit| within(&self.y, limit.value))?;
        let text = shorten(&tidy(&limit.label), SMALL, size.width * 0.6);
        let own = Size { width: width(&text, SMALL), height: SMALL * LEADING };
        let at = (1.0 - self.y.share(limit.value)) * size.height;
        let (above, below) = (at - 3.0 - own.height, at + 4.0);
        let right = size.width - own.width;
        let places = [(right, above), (4.0, above), (right, below), (4.0, below)];
        let room = clutter.take(places.map(|(left, top)| Rect::sized(left, top, own)))?;
        let offset = (tenths(room.left), tenths(room.top - at));
        let style = font(Ink::Label, SMALL, HPos::Left, VPos::Top);
        let title = (text != limit.label).then(|| limit.label.clone());
        Some(Note { at: (x.low, limit.value), lines: vec![Text { text, offset, style }], title })
    }

    /// The printed value beside each point, where all of them find room.
    fn values(&self, clutter: &Clutter, spot: &impl Fn((f64, f64)) -> Spot) -> Vec<Note<(f64, f64)>> {
        let pins: Vec<Pinned> = self
            .spots
            .iter()
            .map(|found| Pinned {
                at: spot((found.x, found.y)),
                size: Size { width: width(&tidy(found.text), SMALL), height: SMALL * LEADING },
            })
            .collect();
        let Some(rooms) = (pins.len() <= 12).then(|| clutter.take_all(&pins)).flatten() else { return Vec::new() };
        let note = |((found, pin), room): ((&Spotted<'_>, &Pinned), Rect)| {
            let offset = (tenths((room.left + room.right) / 2.0 - pin.at.x), tenths(room.top - pin.at.y));
            let style = font(Ink::Label, SMALL, HPos::Center, VPos::Top);
            Note { at: (found.x, found.y), lines: vec![Text { text: tidy(found.text), offset, style }], title: None }
        };
        self.spots.iter().zip(&pins).zip(rooms).map(note).collect()
    }
}

fn legend_entries(panels: &Panels) -> Vec<(Sign, String)> {
    let several = panels.series.len() > 1;
    let named = panels.series.iter().enumerate().filter(|(_, name)| several && !name.is_empty());
    named.map(|(at, name)| (Sign::Line(Look::of_series(at)), tidy(name))).collect()
}
