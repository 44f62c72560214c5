//! A drawing that stands by itself, in a README or on a slide: with its title, its caption and what must be known of it.

use std::fmt::Write as _;

use super::canvas::escape;
use super::ink::Ink;
use super::sheet::{EDGE, LABEL, LEADING, SMALL, Width};
use crate::chart::text::{tidy, wrap};
use crate::chart::{CSS, Chart};

/// Size of the title in px; the widths we know are of a lighter font, so it is wrapped as if it were larger.
const TITLE: f64 = 15.0;
const BOLD: f64 = 1.1;
/// Ground around everything, beside that of the drawing itself.
const MARGIN: f64 = 12.0;

/// The wide drawing as a file, in light and dark; `foot` is wrapped and never cut.
pub fn draw(chart: &Chart, title: &str, foot: &[String]) -> String {
    let drawing = super::draw(chart, Width::Wide);
    let room = Width::Wide.right() - EDGE;
    let lines = |text: &str, size: f64| wrap(&tidy(text), size, room, usize::MAX);
    let head = lines(title, TITLE * BOLD).into_iter().map(|line| (Ink::Text, TITLE, " font-weight=\"bold\"", line));
    let caption = lines(&chart.caption, LABEL).into_iter().map(|line| (Ink::Text, LABEL, "", line));
    let foot = foot.iter().flat_map(|text| lines(text, SMALL)).map(|line| (Ink::Muted, SMALL, "", line));
    let head: Vec<_> = head.chain(caption).collect();
    let above = MARGIN + head.iter().map(|(_, size, ..)| size * LEADING).sum::<f64>();

    let mut texts = String::new();
    // The drawing stays where it was drawn, so what is above it has negative places.
    let mut y = MARGIN - above;
    let mut write = |y: &mut f64, (ink, size, weight, line): (Ink, f64, &str, String)| {
        *y += size * LEADING;
        let (attributes, line) = (ink.attributes(), escape(&line));
        let baseline = *y - size * (LEADING - 1.0);
        let _ = write!(
            texts,
            "<text{attributes} font-size=\"{size}\"{weight} x=\"{EDGE}\" y=\"{baseline:.1}\">{line}</text>"
        );
    };
    y -= LEADING * 4.0;
    head.into_iter().for_each(|line| write(&mut y, line));
    let mut y = drawing.height;
    foot.for_each(|line| write(&mut y, line));

    let above = (above + LEADING * 4.0).ceil();
    let (left, top) = (-MARGIN, -above);
    let (wide, high) = (Width::Wide.px() + 2.0 * MARGIN, (above + y + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {wide} {high}\" width=\"{wide}\" \
         height=\"{high}\" role=\"img\" font-family=\"{FONTS}\"><title>{}</title><desc>{}</desc><style>{}</style>\
         <rect class=\"c-paper\" fill=\"#fff\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"/>\
         {texts}{}</svg>\n",
        escape(&tidy(title)),
        escape(&tidy(&format!("{}: {}", chart.caption, chart.summary()))),
        style(),
        drawing.body,
        FONTS = super::sheet::FONTS,
    )
}

/// The colours of the page's own style sheet: the light ones, the dark ones where those are preferred, and what they
/// colour. What knows no style sheets draws the plain attributes.
fn style() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    let pairs = CSS.lines().filter_map(|line| {
        let (name, colours) = line.trim().strip_suffix(");")?.split_once(": light-dark(")?;
        Some((name, colours.split_once(", ")?))
    });
    for (name, (on_light, on_dark)) in pairs {
        light += &format!("{name}:{on_light};");
        dark += &format!("{name}:{on_dark};");
    }
    let is_of_drawings = |line: &&str| line.starts_with(".c-") || line.starts_with("[class^=\"c-");
    let rules: String = CSS.lines().filter(is_of_drawings).collect();
    format!("svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}.c-paper {{ fill: var(--paper); }}{rules}")
}
