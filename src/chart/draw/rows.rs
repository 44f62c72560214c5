//! Rows of labelled bars: labels beside the bars where there is room, above them where there is not.

use plotters::chart::ChartContext;
use plotters::coord::cartesian::Cartesian2d;
use plotters::series::LineSeries;
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::axes::Rows;
use super::canvas::Canvas;
use super::ink::Ink;
use super::marks::Text;
use super::sheet::{EDGE, LABEL, LEADING, Plot, SMALL, Sheet, Width, drawn, font, tenths};
use crate::chart::axis::{Scale, Tick, TickStyle};
use crate::chart::text::{tidy, width, wrap};

/// Where rows and their labels stand.
pub struct RowLayout {
    sheet: Width,
    labels: Vec<Vec<String>>,
    left: f64,
    pitch: f64,
    pub thickness: f64,
    pub drop: f64,
}

impl RowLayout {
    pub fn new(labels: &[&str], sheet: Width) -> Self {
        let room = match sheet {
            Width::Wide => sheet.px() * 0.36,
            Width::Narrow => sheet.right() - EDGE,
        };
        let labels: Vec<Vec<String>> = labels.iter().map(|label| wrap(&tidy(label), LABEL, room, 3)).collect();
        let lines = labels.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64 * LABEL * LEADING;
        let column = labels.iter().flatten().map(|line| width(line, LABEL)).fold(0.0, f64::max);
        match sheet {
            Width::Wide => RowLayout {
                sheet,
                labels,
                left: EDGE + column + 10.0,
                pitch: (lines + 11.0).max(27.0),
                thickness: 15.0,
                drop: 0.0,
            },
            Width::Narrow => {
                let thickness = 13.0;
                RowLayout { sheet, labels, left: EDGE, pitch: lines + thickness + 14.0, thickness, drop: lines / 2.0 }
            }
        }
    }

    /// Width of everything right of the labels.
    pub fn room(&self) -> f64 {
        self.sheet.right() - self.left
    }

    /// Height of a row.
    pub fn pitch(&self) -> f64 {
        self.pitch
    }

    /// The plot below its heading, as wide as values beside the bars allow, and the scale with its ticks.
    pub fn plot(
        &self,
        heading: &str,
        above: f64,
        scale: Scale,
        ticks: Option<TickStyle>,
        needs: impl Iterator<Item = (f64, f64)> + Clone,
    ) -> (Plot, Scale) {
        let top = above + self.heading_lines(heading).len() as f64 * SMALL * LEADING + 5.0;
        let bottom = top + self.labels.len() as f64 * self.pitch;
        let right_for = |scale: &Scale| {
            let half_label = scale.ticks.last().map_or(0.0, |tick| width(&tick.label, SMALL) / 2.0);
            let widest = needs.clone().fold(self.room() - half_label, |widest, (end, text)| {
                let share = scale.share(end);
                if share > 0.0 { widest.min((self.room() - GAP - text) / share) } else { widest }
            });
            self.left + widest.max(40.0)
        };
        let fits = |scale: &Scale| {
            let plot = right_for(scale) - self.left;
            let start = |tick: &Tick| self.left + scale.share(tick.value) * plot - width(&tick.label, SMALL) / 2.0;
            scale.ticks.first().is_none_or(|tick| start(tick) >= 0.0) && across_fits(scale, plot)
        };
        let scale = match ticks {
            Some(style) => scale.ticked(style, 8, fits),
            None => scale,
        };
        let right = right_for(&scale);
        (Plot { left: self.left, top, right, bottom }, scale)
    }

    /// What the axis measures, above the plot.
    pub fn heading(&self, page: &Sheet, heading: &str, above: f64) {
        let x = self.heading_left();
        page.lines(&self.heading_lines(heading), x, above, &font(Ink::Muted, SMALL, HPos::Left, VPos::Top));
    }

    /// The label of a row, at offsets from the left edge and the row's middle.
    pub fn label(&self, row: usize) -> Vec<Text> {
        let lines = self.labels.get(row).map_or(&[][..], Vec::as_slice);
        let pitch = LABEL * LEADING;
        let (x, across, first) = match self.sheet {
            Width::Wide => (self.left - 10.0, HPos::Right, -(lines.len() as f64 - 1.0) / 2.0 * pitch),
            // The lines and the bar under them are centred on the row together.
            Width::Narrow => {
                (EDGE, HPos::Left, self.drop - self.thickness / 2.0 - 10.0 - (lines.len() as f64 - 1.0) * pitch)
            }
        };
        let style = font(Ink::Label, LABEL, across, VPos::Center);
        let line = |(at, text): (usize, &String)| Text {
            text: text.clone(),
            offset: (tenths(x), tenths(first + at as f64 * pitch)),
            style: style.clone(),
        };
        lines.iter().enumerate().map(line).collect()
    }

    /// The line all bars start from; where labels stand in its way, only beside the bars.
    pub fn zero_line(&self, figure: &mut Figure<'_>) {
        let count = self.labels.len();
        let spans: Vec<[f64; 2]> = match self.sheet {
            Width::Wide => vec![[0.0, count as f64]],
            Width::Narrow => {
                let (from, to) = (self.drop - self.thickness / 2.0 - 2.0, self.drop + self.thickness / 2.0 + 2.0);
                (0..count).map(|row| [from, to].map(|px| row as f64 + 0.5 + px / self.pitch)).collect()
            }
        };
        for [from, to] in spans {
            drawn(figure.draw_series(LineSeries::new([(0.0, from), (0.0, to)], Ink::Axis.token())));
        }
    }

    fn heading_left(&self) -> f64 {
        match self.sheet {
            Width::Wide => self.left,
            Width::Narrow => EDGE,
        }
    }

    fn heading_lines(&self, heading: &str) -> Vec<String> {
        wrap(&tidy(heading), SMALL, self.sheet.right() - self.heading_left(), 3)
    }
}

/// Whether tick labels side by side keep apart.
pub fn across_fits(scale: &Scale, plot: f64) -> bool {
    scale.ticks.windows(2).all(|pair| {
        let apart = (scale.share(pair[1].value) - scale.share(pair[0].value)) * plot;
        apart >= (width(&pair[0].label, SMALL) + width(&pair[1].label, SMALL)) / 2.0 + 10.0
    })
}

/// Room between the end of a bar and its value, in px.
pub const GAP: f64 = 6.0;

pub type Figure<'a> = ChartContext<'a, Canvas, Cartesian2d<Scale, Rows>>;

/// Upright grid lines with their labels below.
pub fn mesh(figure: &mut Figure<'_>) {
    let mesh = figure
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .bold_line_style(Ink::Grid.token())
        .axis_style(Ink::Grid.token().mix(0.0))
        .label_style(font(Ink::Muted, SMALL, HPos::Center, VPos::Top))
        .set_all_tick_mark_size(tenths(2.0))
        .draw();
    drawn(mesh);
}
