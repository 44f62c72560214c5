//! One problem as text, with its source line and a mark under the place.

use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use std::ops::Range;

use super::{Diagnostic, Location, Severity, SourceText, printable};

/// Whether text for a terminal carries colour. The characters are the same either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    Plain,
    Ansi,
}

pub(super) fn diagnostic(diagnostic: &Diagnostic, color: Color) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Notice => Level::NOTE.with_name("notice"),
    };
    let pointer = diagnostic.pointer.as_ref().map(|pointer| Level::NOTE.with_name("at").message(printable(pointer)));
    let help: Vec<_> = diagnostic.help.iter().chain(&diagnostic.lines).map(|line| printable(line)).collect();
    let help = (!help.is_empty()).then(|| Level::HELP.message(help.join("\n")));
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.rule.code);
    let group = title.elements(place(diagnostic)).elements(pointer).elements(help);
    let text = renderer(color).render(&[group]);
    // A snippet without a path of its own is announced by a bare `:::`, which says nothing.
    text.lines().filter(|line| !matches!(line.trim(), BARE | BARE_ANSI)).collect::<Vec<_>>().join("\n")
}

const BARE: &str = ":::";
const BARE_ANSI: &str = "\u{1b}[1m\u{1b}[94m::: \u{1b}[0m";

fn renderer(color: Color) -> Renderer {
    let renderer = match color {
        Color::Plain => Renderer::plain(),
        Color::Ansi => Renderer::styled().hyperlink(false),
    };
    // Excerpts are cut here, so that nothing else is cut there.
    renderer.term_width(4 * EXCERPT)
}

/// The `--> path:line:column` line and the source lines under it.
fn place(diagnostic: &Diagnostic) -> Vec<Element<'static>> {
    let path = printable(diagnostic.location.path());
    let Location::Span { text, span } = &diagnostic.location else {
        return vec![Origin::path(path).into()];
    };
    let place = text.place(span.start);
    let origin = Origin::path(path).line(place.line).char_column(place.column);
    let primary = Excerpt::of(text, span).snippet(AnnotationKind::Primary, None);
    let mut elements = vec![origin.into(), primary.into()];
    if let Some((span, label)) = &diagnostic.related {
        let related = Excerpt::of(text, span).snippet(AnnotationKind::Context, Some(printable(label)));
        elements.push(related.into());
    }
    elements
}

/// Characters of a source line that are shown at most.
const EXCERPT: usize = 120;
/// Characters of those that stand before the place.
const BEFORE: usize = 50;

/// The part of one line around a span, fit to print.
struct Excerpt {
    line: usize,
    shown: String,
    /// The span within `shown`.
    mark: Range<usize>,
}

impl Excerpt {
    fn of(text: &SourceText, span: &Range<usize>) -> Self {
        let start = text.floor(span.start);
        let line = text.place(start).line;
        let line_start = text.line_start(line);
        let before = text.text.get(line_start..start).unwrap_or("");
        let skipped = before.chars().count().saturating_sub(BEFORE);
        let mut shown = String::from(if skipped > 0 { "…" } else { "" });
        shown.extend(before.chars().skip(skipped).map(shown_as));
        let mut mark = shown.len()..shown.len();
        let mut width = shown.chars().count();
        let rest = text.text.get(start..).unwrap_or("");
        for (at, character) in rest.char_indices().take_while(|(_, character)| *character != '\n') {
            if width >= EXCERPT {
                shown.push('…');
                break;
            }
            let piece = shown_as(character);
            width += piece.chars().count();
            shown.push_str(&piece);
            if start + at < span.end {
                mark.end = shown.len();
            }
        }
        Excerpt { line, shown, mark }
    }

    fn snippet(self, kind: AnnotationKind, label: Option<String>) -> Snippet<'static, Annotation<'static>> {
        let mark = kind.span(self.mark).label(label);
        Snippet::source(self.shown).line_start(self.line).annotation(mark)
    }
}

fn shown_as(character: char) -> String {
    if character == '\t' { "    ".to_owned() } else { printable(character.encode_utf8(&mut [0; 4])) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::rules;
    use super::*;

    fn at(text: &str, span: Range<usize>) -> Location {
        Location::Span { text: Arc::new(SourceText::new("content/a.json", text)), span }
    }

    #[test]
    fn a_problem_shows_its_line_the_other_place_the_pointer_and_help() {
        let text = "{\n  \"é\": 1, \"key\": 1,\n\n  \"key\": 2\n}";
        let start = text.rfind("\"key\"").expect("the text holds it");
        let problem =
            Diagnostic::new(&rules::JSON_DUPLICATE_KEY, at(text, start..start + 5), "the key `key` stands twice")
                .pointer("/key")
                .related(13..18, "first here")
                .help("keep one of them");
        let expected = "\
error[json/duplicate-key]: the key `key` stands twice
 --> content/a.json:4:3
  |
4 |   \"key\": 2
  |   ^^^^^
  |
2 |   \"é\": 1, \"key\": 1,
  |           ----- first here
  |
  = at: /key
  = help: keep one of them";
        assert_eq!(diagnostic(&problem, Color::Plain), expected);
    }

    #[test]
    fn colour_changes_no_character() {
        let problem =
            Diagnostic::new(&rules::UNIT_SUSPICIOUS, at("{\n \"a\": 1}", 3..6), "m").related(0..1, "l").help("h");
        let ansi = diagnostic(&problem, Color::Ansi);
        let mut pieces = ansi.split("\u{1b}[");
        let first = pieces.next().unwrap_or_default().to_owned();
        let plain = pieces.fold(first, |text, piece| text + piece.split_once('m').map_or(piece, |(_, after)| after));
        assert_ne!(ansi, plain);
        assert_eq!(plain, diagnostic(&problem, Color::Plain));
    }

    #[test]
    fn a_long_line_is_cut_and_its_column_is_not() {
        let text = format!("[\"{}\", 7, \"{}\"]", "é".repeat(50_000), "y".repeat(50_000));
        let start = text.find('7').expect("the text holds it");
        let shown = diagnostic(&Diagnostic::new(&rules::FIGURE_STATED, at(&text, start..start + 1), "m"), Color::Plain);
        assert!(shown.contains("--> content/a.json:1:50006\n"), "{shown}");
        assert!(shown.contains("| …ééé") && shown.contains(" 7, \"yyy") && shown.ends_with('^'), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
    }

    #[test]
    fn control_characters_of_foreign_text_are_escaped() {
        let problem = Diagnostic::new(&rules::FIGURE_STATED, at("\t\u{1b}[2J \"é\"", 6..10), "x\u{7}").help("y\nz");
        let shown = diagnostic(&problem, Color::Plain);
        let expected = "\
error[figure/stated]: x\\u{7}
 --> content/a.json:1:7
  |
1 |     \\u{1b}[2J \"é\"
  |               ^^^
  |
  = help: y\\nz";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_span_at_the_end_of_the_file_and_a_file_as_a_whole_have_a_place() {
        let shown = diagnostic(&Diagnostic::new(&rules::FIGURE_STATED, at("{\n", 2..2), "m"), Color::Plain);
        assert_eq!(shown, "error[figure/stated]: m\n --> content/a.json:2:1\n  |\n2 |\n  | ^");
        let shown = diagnostic(
            &Diagnostic::new(&rules::UNIT_SUSPICIOUS, Location::File("x".into()), "m").help("h"),
            Color::Plain,
        );
        assert_eq!(shown, "warning[unit/suspicious]: m\n--> x\n = help: h");
    }

    #[test]
    fn a_span_of_many_lines_is_marked_on_its_first() {
        let shown = diagnostic(&Diagnostic::new(&rules::FIGURE_STATED, at("ab\ncd\n", 1..5), "m"), Color::Plain);
        assert!(shown.ends_with("1 | ab\n  |  ^"), "{shown}");
    }
}
