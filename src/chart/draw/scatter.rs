//! Points on a sheet, their labels beside them where there is room, else numbered and listed below.

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
use crate::chart::scatter::{Fate, Limit, Placed, Plane, Point, Scatter, Standing, Trace, within};
use crate::chart::text::{shorten, tidy, width, wrap};

pub fn draw(chart: &Chart, scatter: &Scatter, sheet: Width) -> Svg {
    let plane = scatter.plane();
    let mut notes = scatter.notes(&plane);
    let mut placed = scatter.placed(&plane);
    placed.retain(|placed| placed.fate != Fate::Undrawn);
    if placed.is_empty() {
        return nothing(chart, &notes, sheet);
    }
    let field = Field::new(scatter, plane, sheet);
    let frontier = scatter.frontier(&field.plane, &placed);
    let mut clutter = field.clutter(scatter, &placed, &frontier);
    let limits: Vec<LimitLine<'_>> =
        field.limit_lines(scatter).into_iter().map(|line| line.find_room(&mut clutter)).collect();
    let labels = Labels::new(&field, &placed, &clutter);
    notes.extend(labels.note());

    let legend = Legend::lay(legend_entries(scatter, &limits), sheet);
    let y_heading = wrap(&tidy(&scatter.y.heading_on(&field.plane.y)), SMALL, sheet.right() - EDGE, 3);
    let x_heading = wrap(&tidy(&scatter.x.heading_on(&field.plane.x)), SMALL, sheet.right() - EDGE, 3);
    let line = SMALL * LEADING;
    let top = EDGE + legend.height + y_heading.len() as f64 * line + 6.0;
    let plot = Plot { left: field.left, top, right: field.left + field.size.width, bottom: top + field.size.height };
    let below = plot.bottom + AXIS + 2.0;
    let keys = Keys::lay(&labels, sheet);
    let list = below + x_heading.len() as f64 * line + 6.0;

    let page = Sheet::new(&notes, sheet, list + keys.height());
    page.lines(&y_heading, EDGE, EDGE + legend.height, &font(Ink::Muted, SMALL, HPos::Left, VPos::Top));
    let widest = x_heading.iter().map(|line| width(line, SMALL)).fold(0.0, f64::max);
    let center = ((plot.left + plot.right) / 2.0).min(sheet.right() - widest / 2.0).max(EDGE + widest / 2.0);
    page.lines(&x_heading, center, below, &font(Ink::Muted, SMALL, HPos::Center, VPos::Top));
    keys.draw(&page, list);

    let Plane { x, y } = field.plane.clone();
    let mut builder = page.plot(plot);
    let mut figure = drawn(builder.margin_left(0).y_label_area_size(tenths(plot.left)).build_cartesian_2d(x, y));
    let mesh = figure
        .configure_mesh()
        .bold_line_style(Ink::Grid.token())
        .axis_style(Ink::Axis.token())
        .label_style(font(Ink::Muted, SMALL, HPos::Center, VPos::Top))
        .set_all_tick_mark_size(tenths(3.5))
        .draw();
    drawn(mesh);
    drawn(figure.draw_series(LineSeries::new(frontier, Ink::Frontier.token())));
    for limit in &limits {
        drawn(figure.draw_series(LineSeries::new(limit.ends, Ink::Limit.token())));
    }
    if scatter.trace == Trace::Lines {
        for (at, series) in scatter.series.iter().enumerate() {
            let places: Vec<_> = series.points.iter().map(Point::place).collect();
            let takes = |(x, y): (f64, f64)| field.plane.x.takes(x) && field.plane.y.takes(y);
            for run in places.split(|place| !takes(*place)).filter(|run| run.len() > 1) {
                let line = LineSeries::new(run.iter().copied(), Ink::Line(Look::of_series(at)).token());
                drawn(figure.draw_series(line));
            }
        }
    }
    for whisker in placed.iter().flat_map(|placed| placed.point.whiskers()) {
        drawn(figure.draw_series(LineSeries::new(whisker, Ink::Whisker.token())));
    }
    // What is beaten lies below what is not.
    let of_body = |hollow: bool| placed.iter().filter(move |placed| placed.is_hollow() == hollow);
    drawn(figure.draw_series(of_body(true).chain(of_body(false)).map(|placed| Mark {
        at: placed.point.place(),
        look: Look::of_series(placed.series),
        body: if placed.is_hollow() { Body::Hollow } else { Body::Filled },
        title: Some(title(scatter, placed)),
    })));
    drawn(figure.draw_series(limits.iter().filter_map(LimitLine::note)));
    drawn(figure.draw_series(labels.notes(&field)));
    // After the plot: marks of one look stand where the first was drawn, and those in the plot lie over its lines.
    legend.draw(&page, EDGE);
    page.finish(chart)
}

/// The plot's size and scales, before its place on the sheet is known.
struct Field {
    plane: Plane,
    left: f64,
    size: Size,
}

impl Field {
    fn new(scatter: &Scatter, plane: Plane, sheet: Width) -> Self {
        let height = match sheet {
            Width::Wide => 290.0,
            Width::Narrow => 230.0,
        };
        let apart = |scale: &Scale| {
            scale
                .ticks
                .windows(2)
                .all(|pair| (scale.share(pair[1].value) - scale.share(pair[0].value)) * height >= 24.0)
        };
        let y = plane.y.ticked(scatter.y.ticks, 8, apart);
        let column = y.ticks.iter().map(|tick| width(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = EDGE + column + 7.0;
        let plot = sheet.right() - left - 6.0;
        let x = plane.x.ticked(scatter.x.ticks, 9, |scale| {
            let inside = scale.ticks.iter().all(|tick| {
                let (middle, half) = (left + scale.share(tick.value) * plot, width(&tick.label, SMALL) / 2.0);
                middle - half >= EDGE && middle + half <= sheet.right()
            });
            inside && across_fits(scale, plot)
        });
        Field { plane: Plane { x, y }, left, size: Size { width: plot, height } }
    }

    /// Where a point lies in the plot.
    fn spot(&self, (x, y): (f64, f64)) -> Spot {
        Spot { x: self.plane.x.share(x) * self.size.width, y: (1.0 - self.plane.y.share(y)) * self.size.height }
    }

    fn clutter(&self, scatter: &Scatter, placed: &[Placed<'_>], frontier: &[(f64, f64)]) -> Clutter {
        let frame = Rect { left: 3.0, top: 0.0, right: self.size.width, bottom: self.size.height - 2.0 };
        let points: Vec<Spot> = placed.iter().map(|placed| self.spot(placed.point.place())).collect();
        let boxes = points.iter().map(|point| Rect::around(*point, 5.0)).collect();
        let mut corners: Vec<Vec<(f64, f64)>> = vec![frontier.to_vec()];
        corners.extend(self.limit_lines(scatter).iter().map(|limit| limit.ends.to_vec()));
        if scatter.trace == Trace::Lines {
            let of = |series| placed.iter().filter(move |placed| placed.series == series);
            corners.extend((0..scatter.series.len()).map(|at| of(at).map(|placed| placed.point.place()).collect()));
        }
        corners.extend(placed.iter().flat_map(|placed| placed.point.whiskers()).map(Vec::from));
        let lines = corners
            .iter()
            .flat_map(|corners| {
                corners.windows(2).map(|pair| Line { from: self.spot(pair[0]), to: self.spot(pair[1]) })
            })
            .collect();
        Clutter { frame, points, boxes, lines }
    }

    /// Those limits that have a place in the plot.
    fn limit_lines<'a>(&self, scatter: &'a Scatter) -> Vec<LimitLine<'a>> {
        let Plane { x, y } = &self.plane;
        let across = scatter.y_limit.as_ref().filter(|limit| within(y, limit.value)).map(|limit| {
            let line = LimitLine::new(self, limit, [(x.low, limit.value), (x.high, limit.value)]);
            let (right, below) = (self.size.width - line.size.width, line.from.y + 4.0);
            let above = line.from.y - 3.0 - line.size.height;
            let middle = right / 2.0;
            line.candidates([
                (right, above),
                (4.0, above),
                (right, below),
                (4.0, below),
                (middle, above),
                (middle, below),
            ])
        });
        let upright = scatter.x_limit.as_ref().filter(|limit| within(x, limit.value)).map(|limit| {
            let line = LimitLine::new(self, limit, [(limit.value, y.low), (limit.value, y.high)]);
            let (right, left) = (line.from.x + 4.0, line.from.x - 4.0 - line.size.width);
            let bottom = self.size.height - line.size.height - 3.0;
            let middle = bottom / 2.0;
            line.candidates([
                (right, 1.0),
                (left, 1.0),
                (right, bottom),
                (left, bottom),
                (right, middle),
                (left, middle),
            ])
        });
        across.into_iter().chain(upright).collect()
    }
}

/// A limit with the places its label may stand at, and the one it got.
struct LimitLine<'a> {
    limit: &'a Limit,
    text: String,
    ends: [(f64, f64); 2],
    from: Spot,
    size: Size,
    candidates: Vec<Rect>,
    room: Option<Rect>,
}

impl<'a> LimitLine<'a> {
    fn new(field: &Field, limit: &'a Limit, ends: [(f64, f64); 2]) -> Self {
        let text = shorten(&tidy(&limit.label), SMALL, field.size.width * 0.6);
        let size = Size { width: width(&text, SMALL), height: SMALL * LEADING };
        LimitLine { limit, text, ends, from: field.spot(ends[0]), size, candidates: Vec::new(), room: None }
    }

    fn candidates(self, corners: [(f64, f64); 6]) -> Self {
        let candidates = corners.map(|(left, top)| Rect::sized(left, top, self.size)).to_vec();
        LimitLine { candidates, ..self }
    }

    fn find_room(mut self, clutter: &mut Clutter) -> Self {
        self.room = clutter.take(std::mem::take(&mut self.candidates));
        self
    }

    fn note(&self) -> Option<Note<(f64, f64)>> {
        let room = self.room?;
        let offset = (tenths(room.left - self.from.x), tenths(room.top - self.from.y));
        let style = font(Ink::Label, SMALL, HPos::Left, VPos::Top);
        let whole = (self.text != self.limit.label).then(|| self.limit.label.clone());
        Some(Note { at: self.ends[0], lines: vec![Text { text: self.text.clone(), offset, style }], title: whole })
    }
}

/// What stands beside the points.
enum Labels<'a> {
    /// `others` are points without a label.
    Beside {
        beside: Vec<Beside<'a>>,
        others: usize,
    },
    Numbered {
        beside: Vec<Beside<'a>>,
        names: Vec<String>,
        others: usize,
    },
    LeftOut {
        count: usize,
    },
}

struct Beside<'a> {
    placed: Placed<'a>,
    lines: Vec<String>,
    room: Rect,
}

/// More numbers than this nobody looks up.
const MOST_LABELS: usize = 24;

impl<'a> Labels<'a> {
    /// Names beside all points; where there is no room, beside those on the frontier, which a reader looks for; else
    /// numbers.
    fn new(field: &Field, placed: &[Placed<'a>], clutter: &Clutter) -> Self {
        let labelled: Vec<Placed<'a>> =
            placed.iter().filter(|placed| !tidy(&placed.point.label).is_empty()).copied().collect();
        let best: Vec<Placed<'a>> =
            labelled.iter().filter(|placed| placed.fate == Fate::Drawn(Standing::Frontier)).copied().collect();
        let several = !best.is_empty() && best.len() < labelled.len();
        let choices = [Some(&labelled), several.then_some(&best)].into_iter().flatten();
        let mut choices: Vec<_> = choices.filter(|choice| choice.len() <= MOST_LABELS).collect();
        for choice in &choices {
            // On one line each, or folded up.
            let whole = |share: f64| Labels::whole(field, choice, clutter, (field.size.width * share).max(104.0));
            if let Some(beside) = whole(0.34).or_else(|| whole(0.2)) {
                return Labels::Beside { beside, others: labelled.len() - choice.len() };
            }
        }
        let Some(numbered) = choices.pop() else { return Labels::LeftOut { count: labelled.len() } };
        let mut clutter = clutter.clone();
        let beside = numbered.iter().enumerate().filter_map(|(at, placed)| {
            let lines = vec![(at + 1).to_string()];
            let room = clutter.take_beside(&pinned(field, placed, &lines))?;
            Some(Beside { placed: *placed, lines, room })
        });
        let names = numbered.iter().map(|placed| tidy(&placed.point.label)).collect();
        Labels::Numbered { beside: beside.collect(), names, others: labelled.len() - numbered.len() }
    }

    /// The whole name beside each of some points, in lines no wider than `room`.
    fn whole(field: &Field, labelled: &[Placed<'a>], clutter: &Clutter, room: f64) -> Option<Vec<Beside<'a>>> {
        let wrapped = labelled.iter().map(|placed| {
            let name = tidy(&placed.point.label);
            let lines = wrap(&name, SMALL, room, 2);
            (lines.join(" ") == name).then_some(lines)
        });
        let wrapped: Vec<Vec<String>> = wrapped.collect::<Option<_>>()?;
        let pins = labelled.iter().zip(&wrapped).map(|(placed, lines)| pinned(field, placed, lines));
        let rooms = clutter.take_all(&pins.collect::<Vec<_>>())?;
        let beside = labelled.iter().zip(wrapped).zip(rooms);
        Some(beside.map(|((placed, lines), room)| Beside { placed: *placed, lines, room }).collect())
    }

    fn note(&self) -> Option<String> {
        let others = |others: usize| {
            (others > 0).then(|| "The points on the frontier are named here, the others in the table.".to_owned())
        };
        match self {
            Labels::Beside { others: rest, .. } => others(*rest),
            Labels::Numbered { beside, names, others: rest } => {
                let missing = names.len() - beside.len();
                let crowded = format!("{missing} of {} points too close to others to be numbered", names.len());
                let said = (missing > 0).then_some(crowded).into_iter().chain(others(*rest));
                Some(said.collect::<Vec<_>>().join(". ")).filter(|said| !said.is_empty())
            }
            Labels::LeftOut { count } => Some(format!("the names of the {count} points are in the table")),
        }
    }

    fn notes(&self, field: &Field) -> Vec<Note<(f64, f64)>> {
        let (Labels::Beside { beside, .. } | Labels::Numbered { beside, .. }) = self else { return Vec::new() };
        let note = |Beside { placed, lines, room }: &Beside<'_>| {
            let spot = field.spot(placed.point.place());
            // The reserve in the width goes to the side away from the point.
            let (across, x) = if room.right <= spot.x {
                (HPos::Right, room.right)
            } else if room.left >= spot.x {
                (HPos::Left, room.left)
            } else {
                (HPos::Center, (room.left + room.right) / 2.0)
            };
            let style = font(Ink::Label, SMALL, across, VPos::Top);
            let line = |(at, text): (usize, &String)| {
                let down = at as f64 * SMALL * LEADING;
                let offset = (tenths(x - spot.x), tenths(room.top - spot.y + down));
                Text { text: text.clone(), offset, style: style.clone() }
            };
            let lines = lines.iter().enumerate().map(line).collect();
            Note { at: placed.point.place(), lines, title: None }
        };
        beside.iter().map(note).collect()
    }
}

/// A label of some lines that belongs to a point.
fn pinned(field: &Field, placed: &Placed<'_>, lines: &[String]) -> Pinned {
    Pinned {
        at: field.spot(placed.point.place()),
        size: Size {
            width: lines.iter().map(|line| width(line, SMALL)).fold(0.0, f64::max),
            height: lines.len() as f64 * SMALL * LEADING,
        },
    }
}

/// Numbers with the names of their points, in as many columns as fit.
struct Keys {
    names: Vec<String>,
    columns: usize,
    room: f64,
}

impl Keys {
    fn lay(labels: &Labels<'_>, sheet: Width) -> Self {
        let Labels::Numbered { names, .. } = labels else { return Keys { names: Vec::new(), columns: 1, room: 0.0 } };
        let all = sheet.right() - EDGE;
        let widest = names.iter().map(|name| width(name, SMALL) + NUMBER + 14.0).fold(0.0, f64::max);
        let columns = if widest <= all / 3.0 {
            3
        } else if widest <= all / 2.0 {
            2
        } else {
            1
        };
        Keys { names: names.clone(), columns, room: all / columns as f64 }
    }

    fn rows(&self) -> usize {
        self.names.len().div_ceil(self.columns)
    }

    fn height(&self) -> f64 {
        self.rows() as f64 * SMALL * LEADING + if self.names.is_empty() { 0.0 } else { 4.0 }
    }

    fn draw(&self, page: &Sheet, top: f64) {
        for (at, name) in self.names.iter().enumerate() {
            let x = EDGE + (at / self.rows()) as f64 * self.room;
            let y = top + (at % self.rows()) as f64 * SMALL * LEADING;
            let short = shorten(name, SMALL, self.room - NUMBER);
            let title = (short != *name).then(|| name.clone());
            let number = Text {
                text: (at + 1).to_string(),
                offset: (tenths(NUMBER - 8.0), 0),
                style: font(Ink::Muted, SMALL, HPos::Right, VPos::Top),
            };
            let text =
                Text { text: short, offset: (tenths(NUMBER), 0), style: font(Ink::Text, SMALL, HPos::Left, VPos::Top) };
            drawn(page.root.draw(&Note { at: (tenths(x), tenths(y)), lines: vec![number, text], title }));
        }
    }
}

/// Column of the numbers in the list of keys.
const NUMBER: f64 = 24.0;

fn title(scatter: &Scatter, placed: &Placed<'_>) -> String {
    let point = placed.point;
    let names = [&scatter.series[placed.series].name, &point.label];
    let name = names.into_iter().filter(|name| !name.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("{name}: {} {}, {} {}", scatter.x.title, point.x_text, scatter.y.title, point.y_text)
}

/// The named series if there are several, and limits whose label found no room in the plot.
fn legend_entries(scatter: &Scatter, limits: &[LimitLine<'_>]) -> Vec<(Sign, String)> {
    let sign = |at: usize| match scatter.trace {
        Trace::Points => Sign::Mark(Look::of_series(at), Body::Filled),
        Trace::Lines => Sign::Line(Look::of_series(at)),
    };
    let several = scatter.series.len() > 1;
    let named = scatter.series.iter().enumerate().filter(|(_, series)| several && !series.name.is_empty());
    let mut entries: Vec<(Sign, String)> = named.map(|(at, series)| (sign(at), tidy(&series.name))).collect();
    let homeless = limits.iter().filter(|line| line.room.is_none());
    entries.extend(homeless.map(|line| (Sign::Limit, tidy(&line.limit.label))));
    entries
}
