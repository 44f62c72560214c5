//! Charts as plain data, each with its caption, its summary, its table and its two drawings.
//!
//! The page gives a chart's caption the id `<id>-caption` and its summary `<id>-summary`, and puts both drawings
//! into one element with the class `chart-pair`; [`CSS`] shows the one that fits. It defines, on `:root`, the custom
//! properties `--series-1` to `--series-4`, `--grid`, `--axis`, `--text`, `--muted` and `--paper`, each a
//! `light-dark()` pair that follows the page's `color-scheme`. Classes in the drawings:
//!
//! | class | what | property |
//! |---|---|---|
//! | `chart`, `chart-wide`, `chart-narrow` | the root element | |
//! | `c-fill-1` … `c-fill-4` | bars (2) and parts of stacks | `--series-n` |
//! | `c-base` | the baseline's bar | `--axis` |
//! | `c-line-1` … `c-line-4` | lines of series | `--series-n` |
//! | `c-dot-1` …, `c-ring-1` … | points, filled and hollow | `--series-n`, `--paper` |
//! | `c-grid`, `c-axis`, `c-halo` | grid; axes, zero line and frontier; light edge under a line on a bar | `--grid`, `--axis`, `--paper` |
//! | `c-rule` | whiskers and limits | `--text` |
//! | `c-text`, `c-muted`, `c-label` | text; labels have a halo | `--text`, `--muted`, `--paper` |

mod axis;
mod bars;
mod brackets;
mod draw;
mod few;
mod labels;
#[cfg(test)]
mod oracle;
mod panels;
#[cfg(test)]
mod samples;
mod scatter;
mod stacked;
mod text;

pub use axis::{Axis, Better, TickStyle};
pub use bars::{Band, Bar, Bars, Reading, Tie};
pub use brackets::{Bracket, Brackets, Delivered, Span};
pub use draw::Svg;
pub use panels::{Panel, PanelRow, Panels};
pub use scatter::{LeftOut, Limit, Point, Scatter, Series, Standing, Trace};
pub use stacked::{Amount, Ceiling, Stack, Stacked};
pub use text::has_right_to_left;

#[cfg(test)]
use crate::quantity::Quantity;

/// Style sheet of the drawings.
pub const CSS: &str = include_str!("chart.css");

/// A figure of a page. Values come with their printed text; a chart rounds nothing but its own ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Unique on the page; made of letters, digits and hyphens.
    pub id: String,
    /// The visible caption.
    pub caption: String,
    /// Basis and source: below the drawing on a page, at the foot of a drawing that stands by itself.
    pub source_line: String,
    /// Sentences that say what must be known of what is drawn: they stay with it wherever it goes.
    pub limits: Vec<String>,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Bars(Bars),
    Scatter(Scatter),
    Stacked(Stacked),
    Panels(Panels),
    Brackets(Brackets),
}

/// The values of a chart as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The same chart for a wide column and for a phone.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    pub wide: Svg,
    pub narrow: Svg,
}

impl Chart {
    /// The values as a table: the text alternative that leaves nothing out.
    pub fn table(&self) -> Table {
        match &self.kind {
            Kind::Bars(bars) => bars.table(),
            Kind::Scatter(scatter) => scatter.table(),
            Kind::Stacked(stacked) => stacked.table(),
            Kind::Panels(panels) => panels.table(),
            Kind::Brackets(brackets) => brackets.table(),
        }
    }

    /// One sentence that says what the drawing shows.
    pub fn summary(&self) -> String {
        match &self.kind {
            Kind::Bars(bars) => bars.summary(),
            Kind::Scatter(scatter) => scatter.summary(),
            Kind::Stacked(stacked) => stacked.summary(),
            Kind::Panels(panels) => panels.summary(),
            Kind::Brackets(brackets) => brackets.summary(),
        }
    }
}

/// Both drawings of a chart.
pub fn render(chart: &Chart) -> Rendered {
    Rendered { wide: draw::draw(chart, draw::Width::Wide), narrow: draw::draw(chart, draw::Width::Narrow) }
}

/// One drawing as a file of its own, with a title above and below it the source line, the limits and more sentences,
/// uncut; no more values than can be told apart.
pub fn standalone(chart: &Chart, title: &str, foot: &[String]) -> String {
    let mut chart = chart.few().into_owned();
    let own = [chart.source_line.clone()].into_iter().chain(std::mem::take(&mut chart.limits));
    let foot: Vec<String> = own.chain(foot.iter().cloned()).filter(|text| !text.is_empty()).collect();
    draw::standalone(&chart, title, &foot)
}

/// Parts joined to one sentence.
fn sentence(parts: Vec<String>) -> String {
    format!("{}.", parts.join("; "))
}

/// A label of content in a sentence: the marks say where somebody else's words begin and end.
fn quoted(label: &str) -> String {
    format!("“{label}”")
}

/// `“A” (8,508)`: a label with what it stands at.
fn standing_at(label: &str, text: &str) -> String {
    format!("{} ({text})", quoted(label))
}

/// `a, b and c`; of more than `most`, the first and how many there are besides.
fn listed(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let mut named: Vec<String> = names.iter().take(most).cloned().collect();
    named.extend((more > 0).then(|| format!("{more} more")));
    match named.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => named.concat(),
    }
}
