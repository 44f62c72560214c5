//! The drawing backend: what plotters draws, as SVG text in tenths of a px.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

use super::ink::Ink;
use crate::chart::text::{isolated, tidy, width};

/// Drawing into memory does not fail.
pub type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Sizes and places are integers in plotters, so one unit here is a tenth of a px and one decimal is written.
#[derive(Debug)]
pub struct Canvas {
    size: (u32, u32),
    /// What is drawn, gathered by look so that attributes are written once.
    runs: Vec<Run>,
    /// The tooltip that the next shape has.
    title: Option<String>,
}

/// All of one look, in the order of their first element.
#[derive(Debug)]
enum Run {
    Path { ink: Ink, data: String, at: BackendCoord },
    Shapes { attributes: String, shapes: Vec<Shape> },
}

/// An element's name with its geometry, its text and its tooltip.
#[derive(Debug, Default)]
struct Shape {
    name: &'static str,
    geometry: String,
    content: String,
    title: String,
}

impl Canvas {
    pub fn new(size: (u32, u32)) -> Self {
        Canvas { size, runs: Vec::new(), title: None }
    }

    /// Everything drawn, as the content of an `svg` element: a look stands where its first element was drawn, so what
    /// lies over something else is drawn after all of that. Without tooltips there are those of what is cut, if any is.
    pub fn finish(&mut self, tooltips: bool) -> String {
        let is_cut = |shape: &Shape| shape.content.contains('…');
        let any_cut =
            self.runs.iter().any(|run| matches!(run, Run::Shapes { shapes, .. } if shapes.iter().any(is_cut)));
        if !tooltips && !any_cut {
            let all = self.runs.iter_mut().flat_map(|run| match run {
                Run::Path { .. } => &mut [],
                Run::Shapes { shapes, .. } => shapes.as_mut_slice(),
            });
            all.for_each(|shape| shape.title.clear());
        }
        let mut body = String::new();
        for run in self.runs.drain(..) {
            let _ = run.write(&mut body);
        }
        body
    }

    /// The tooltip of the next shape.
    pub fn title(&mut self, title: &str) {
        self.title = Some(format!("<title>{}</title>", escape(&tidy(title))));
    }

    /// A closed outline in one ink, which says whether it is filled.
    pub fn outline(&mut self, corners: &[BackendCoord], ink: Ink) {
        if self.title.is_some() {
            let mut alone = Canvas::new(self.size);
            alone.outline(corners, ink);
            if let Some((data, _)) = alone.path(ink) {
                let geometry = format!(" d=\"{data}\"");
                self.shape(ink.attributes(), Shape { name: "path", geometry, ..Shape::default() });
            }
        } else if let Some((first, rest)) = corners.split_first() {
            self.line(*first, rest.iter().copied(), ink);
            if let Some((data, at)) = self.path(ink) {
                data.push('z');
                *at = *first;
            }
        }
    }

    fn line(&mut self, from: BackendCoord, rest: impl Iterator<Item = BackendCoord>, ink: Ink) {
        match self.path(ink) {
            None => {
                let data = format!("M{} {}", Px(from.0), Px(from.1));
                self.runs.push(Run::Path { ink, data, at: from });
            }
            Some((data, at)) if *at != from || data.ends_with('z') => {
                let (across, down) = (from.0 - at.0, from.1 - at.1);
                // A sign separates as well as a blank does.
                let blank = if down < 0 { "" } else { " " };
                let _ = write!(data, "m{}{blank}{}", Px(across), Px(down));
                *at = from;
            }
            Some(_) => {}
        }
        let Some((data, at)) = self.path(ink) else { return };
        for to in rest {
            let step = (to.0 - at.0, to.1 - at.1);
            let _ = match step {
                (across, 0) => write!(data, "h{}", Px(across)),
                (0, down) => write!(data, "v{}", Px(down)),
                (across, down) => write!(data, "l{} {}", Px(across), Px(down)),
            };
            *at = to;
        }
    }

    fn path(&mut self, ink: Ink) -> Option<(&mut String, &mut BackendCoord)> {
        self.runs.iter_mut().find_map(|run| match run {
            Run::Path { ink: same, data, at } if *same == ink => Some((data, at)),
            _ => None,
        })
    }

    fn shape(&mut self, attributes: String, mut shape: Shape) {
        shape.title.extend(self.title.take());
        let same = self.runs.iter_mut().find_map(|run| match run {
            Run::Shapes { attributes: same, shapes } if *same == attributes => Some(shapes),
            _ => None,
        });
        match same {
            Some(shapes) => shapes.push(shape),
            None => self.runs.push(Run::Shapes { attributes, shapes: vec![shape] }),
        }
    }
}

impl Run {
    fn write(&self, body: &mut String) -> std::fmt::Result {
        match self {
            Run::Path { ink, data, .. } => write!(body, "<path{} d=\"{data}\"/>", ink.attributes()),
            Run::Shapes { attributes, shapes } => match shapes.as_slice() {
                [only] => only.write(body, attributes),
                several => {
                    write!(body, "<g{attributes}>")?;
                    several.iter().try_for_each(|shape| shape.write(body, ""))?;
                    write!(body, "</g>")
                }
            },
        }
    }
}

impl Shape {
    fn write(&self, body: &mut String, attributes: &str) -> std::fmt::Result {
        let Shape { name, geometry, content, title } = self;
        match (content.as_str(), title.as_str()) {
            ("", "") => write!(body, "<{name}{attributes}{geometry}/>"),
            (content, title) => write!(body, "<{name}{attributes}{geometry}>{content}{title}</{name}>"),
        }
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    /// Nothing here is made of pixels.
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let mut path = path.into_iter();
        if let (Some(first), true) = (path.next(), style.color().alpha > 0.0) {
            self.line(first, path, Ink::of_token(style.color().rgb));
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(&mut self, one: BackendCoord, other: BackendCoord, style: &S, _: bool) -> Drawn {
        // Plotters passes corners in any order; a negative size would not be drawn.
        let (left, top) = (one.0.min(other.0), one.1.min(other.1));
        let (wide, high) = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
        let geometry = format!(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", Px(left), Px(top), Px(wide), Px(high));
        let attributes = Ink::of_token(style.color().rgb).attributes();
        self.shape(attributes, Shape { name: "rect", geometry, ..Shape::default() });
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, _: bool) -> Drawn {
        let radius = i32::try_from(radius).unwrap_or(0);
        let geometry = format!(" cx=\"{}\" cy=\"{}\" r=\"{}\"", Px(center.0), Px(center.1), Px(radius));
        let attributes = Ink::of_token(style.color().rgb).attributes();
        self.shape(attributes, Shape { name: "circle", geometry, ..Shape::default() });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, corners: I, style: &S) -> Drawn {
        let corners: Vec<BackendCoord> = corners.into_iter().collect();
        self.outline(&corners, Ink::of_token(style.color().rgb));
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let text = tidy(text);
        if text.is_empty() {
            return Ok(());
        }
        let size = style.size();
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=\"middle\"",
            HPos::Right => " text-anchor=\"end\"",
        };
        // Ascent, half the height of capitals, and descent of Arial.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.905,
            VPos::Center => 0.358,
            VPos::Bottom => -0.212,
        };
        let baseline = at.1 + (down * size).round() as i32;
        let ink = Ink::of_token(style.color().rgb).attributes();
        let attributes = format!("{ink} font-size=\"{}\"{anchor}", Px(size.round() as i32));
        let geometry = format!(" x=\"{}\" y=\"{}\"", Px(at.0), Px(baseline));
        self.shape(attributes, Shape { name: "text", geometry, content: isolated(&text, escape), ..Shape::default() });
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((width(text, style.size()).ceil() as u32, style.size().ceil() as u32))
    }
}

/// Text for SVG content and attributes: marked up once, characters that XML forbids replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            char if char.is_control() => out.push(' '),
            char => out.push(char),
        }
    }
    out
}

/// Tenths of a px with the fewest digits.
struct Px(i32);

impl std::fmt::Display for Px {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, tenth) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        let sign = if self.0 < 0 { "-" } else { "" };
        match tenth {
            0 => write!(out, "{sign}{whole}"),
            tenth => write!(out, "{sign}{whole}.{tenth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::style::{Color, ShapeStyle};

    fn style(ink: Ink) -> ShapeStyle {
        ink.token().filled()
    }

    #[test]
    fn lines_of_one_ink_are_one_path() {
        let mut canvas = Canvas::new((100, 100));
        canvas.draw_line((0, 10), (100, 10), &style(Ink::Grid)).expect("drawn");
        canvas.draw_line((0, 25), (100, 25), &style(Ink::Grid)).expect("drawn");
        assert!(canvas.finish(true).ends_with(" d=\"M0 1h10m-10 1.5h10\"/>"));
    }

    #[test]
    fn a_rectangle_from_any_corner_is_the_same() {
        let drawn = |one, other| {
            let mut canvas = Canvas::new((100, 100));
            canvas.draw_rect(one, other, &style(Ink::Baseline), true).expect("drawn");
            canvas.finish(true)
        };
        assert_eq!(drawn((0, 0), (50, 20)), drawn((50, 20), (0, 0)));
    }

    #[test]
    fn text_is_escaped_once() {
        assert_eq!(escape("R&D <2 \"s\"\u{0}\u{ffff}"), "R&amp;D &lt;2 &quot;s&quot; \u{fffd}");
    }
}
