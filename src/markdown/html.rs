//! Events of Markdown turned into HTML that no text of theirs can get out of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd, html::push_html,
};

use super::{Heading, LinkKind, events};

/// Rendered Markdown: the one text from content that a page does not escape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a script may read of the text of a link: the name after `data-`, and numbers.
pub type Data = (&'static str, String);

pub(super) fn render(
    body: &str,
    headings: &[Heading],
    resolve: &dyn Fn(&str) -> String,
    data: &dyn Fn(&str) -> Option<Data>,
) -> Html {
    let mut renderer = Renderer {
        resolve,
        data,
        headings: headings.iter(),
        level: HeadingLevel::H2,
        notes: Notes::of(body),
        table: Table::default(),
        open: Vec::new(),
        events: Vec::new(),
    };
    for (event, _) in events(body) {
        renderer.take(event);
    }
    let mut html = String::with_capacity(body.len() * 3 / 2);
    push_html(&mut html, renderer.events.into_iter());
    Html(html)
}

struct Renderer<'a> {
    resolve: &'a dyn Fn(&str) -> String,
    data: &'a dyn Fn(&str) -> Option<Data>,
    headings: std::slice::Iter<'a, Heading>,
    /// That of the heading last begun.
    level: HeadingLevel,
    notes: Notes,
    table: Table,
    /// For every link and image that is open, whether it stands.
    open: Vec<Stands>,
    events: Vec<Event<'a>>,
}

#[derive(PartialEq)]
enum Stands {
    Yes,
    /// With its text in an element that has data.
    WithData,
    No,
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    cell: Cell,
}

#[derive(Default, Clone, Copy)]
enum Cell {
    #[default]
    Header,
    Data,
}

impl<'a> Renderer<'a> {
    fn take(&mut self, event: Event<'a>) {
        let event = match event {
            // Raw HTML becomes the text it is.
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),

            Event::Start(Tag::Heading { .. }) => {
                let heading = self.headings.next();
                self.level =
                    heading.and_then(|heading| usize::from(heading.level).try_into().ok()).unwrap_or(self.level);
                let id = heading.map(|heading| CowStr::from(heading.id.as_str()));
                Event::Start(Tag::Heading { level: self.level, id, classes: Vec::new(), attrs: Vec::new() })
            }
            Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(self.level)),

            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let data = (self.data)(&dest_url);
                let address = match link_type {
                    LinkType::Email => Some(dest_url),
                    _ => self.address(LinkKind::of(&dest_url).ok(), dest_url),
                };
                self.start(address.map(|dest_url| Tag::Link { link_type, dest_url, title, id }));
                return self.begin_data(data);
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let address = self.address(LinkKind::of_image(&dest_url).ok(), dest_url);
                return self.start(address.map(|dest_url| Tag::Image { link_type, dest_url, title, id }));
            }
            Event::End(end @ (TagEnd::Link | TagEnd::Image)) => match self.open.pop() {
                Some(Stands::No) => return,
                Some(Stands::WithData) => {
                    self.events.push(markup("</span>"));
                    Event::End(end)
                }
                _ => Event::End(end),
            },

            Event::Start(Tag::CodeBlock(kind)) => markup(match language(&kind) {
                Some(language) => format!("<pre tabindex=\"0\"><code class=\"language-{language}\">"),
                None => "<pre tabindex=\"0\"><code>".to_owned(),
            }),

            Event::Start(Tag::BlockQuote(Some(kind))) => {
                self.events.push(Event::Start(Tag::BlockQuote(Some(kind))));
                markup(format!("<p class=\"markdown-alert-title\">{}</p>\n", title(kind)))
            }

            // A box to tick would be a form field without a label.
            Event::TaskListMarker(done) => Event::Text(if done { "☑ " } else { "☐ " }.into()),

            Event::FootnoteReference(label) => markup(self.notes.reference(&label)),
            Event::Start(Tag::FootnoteDefinition(label)) => markup(self.notes.definition(&label)),
            Event::End(TagEnd::FootnoteDefinition) => markup("</div>\n"),

            // Columns are aligned by class: a policy without inline styles blocks the `style` of the stock writer.
            Event::Start(Tag::Table(alignments)) => {
                self.table = Table { alignments, ..Table::default() };
                markup("<div class=\"table-scroll\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>")
            }
            Event::Start(Tag::TableHead) => markup("<thead><tr>"),
            Event::End(TagEnd::TableHead) => {
                self.table.cell = Cell::Data;
                markup("</tr></thead><tbody>\n")
            }
            Event::Start(Tag::TableRow) => {
                self.table.column = 0;
                markup("<tr>")
            }
            Event::End(TagEnd::TableRow) => markup("</tr>\n"),
            Event::Start(Tag::TableCell) => markup(self.table.start_of_cell()),
            Event::End(TagEnd::TableCell) => markup(self.table.end_of_cell()),
            Event::End(TagEnd::Table) => markup("</tbody></table></div>\n"),

            other => other,
        };
        self.events.push(event);
    }

    fn start(&mut self, tag: Option<Tag<'a>>) {
        self.open.push(if tag.is_some() { Stands::Yes } else { Stands::No });
        self.events.extend(tag.map(Event::Start));
    }

    fn begin_data(&mut self, data: Option<Data>) {
        let is_plain = |part: char| part.is_ascii_alphanumeric() || matches!(part, '.' | '-' | ' ');
        let Some((name, value)) = data.filter(|(_, value)| value.chars().all(is_plain)) else { return };
        if let Some(open) = self.open.last_mut().filter(|open| **open == Stands::Yes) {
            *open = Stands::WithData;
            self.events.push(markup(format!("<span data-{name}=\"{value}\">")));
        }
    }

    /// Where a link or image of a kind leads in the rendered page; none where it may not stand.
    fn address(&self, kind: Option<LinkKind>, destination: CowStr<'a>) -> Option<CowStr<'a>> {
        match kind? {
            LinkKind::External => Some(destination),
            LinkKind::Local | LinkKind::Figure => {
                let resolved = (self.resolve)(&destination);
                LinkKind::of(&resolved).is_ok().then(|| resolved.into())
            }
        }
    }
}

impl Table {
    fn start_of_cell(&self) -> Cow<'static, str> {
        let name = match self.cell {
            Cell::Header => "th scope=\"col\"",
            Cell::Data => "td",
        };
        match self.alignments.get(self.column) {
            Some(Alignment::Left) => format!("<{name} class=\"align-left\">").into(),
            Some(Alignment::Center) => format!("<{name} class=\"align-center\">").into(),
            Some(Alignment::Right) => format!("<{name} class=\"align-right\">").into(),
            Some(Alignment::None) | None => format!("<{name}>").into(),
        }
    }

    fn end_of_cell(&mut self) -> &'static str {
        self.column += 1;
        match self.cell {
            Cell::Header => "</th>",
            Cell::Data => "</td>",
        }
    }
}

/// Footnotes by label, numbered in order of their first reference; ids carry a colon that no other anchor has.
#[derive(Default)]
struct Notes {
    numbers: BTreeMap<String, usize>,
    /// How many of them are referred to; the others come after.
    referred: usize,
    linked: BTreeSet<usize>,
    defined: BTreeSet<usize>,
}

impl Notes {
    fn of(body: &str) -> Self {
        let mut notes = Notes::default();
        if !body.contains("[^") {
            return notes;
        }
        for (event, _) in events(body) {
            if let Event::FootnoteReference(label) = event {
                notes.number(&label);
            }
        }
        notes.referred = notes.numbers.len();
        notes
    }

    fn number(&mut self, label: &str) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(label.to_lowercase()).or_insert(next)
    }

    fn reference(&mut self, label: &str) -> String {
        let number = self.number(label);
        // The note leads back to the first of its references.
        let id = first(&mut self.linked, number, || format!(" id=\"note:{number}:back\""));
        format!("<sup class=\"footnote-reference\"><a href=\"#note:{number}\"{id}>{number}</a></sup>")
    }

    fn definition(&mut self, label: &str) -> String {
        let number = self.number(label);
        let id = first(&mut self.defined, number, || format!(" id=\"note:{number}\""));
        let back = if number <= self.referred {
            format!("<a href=\"#note:{number}:back\">{number}</a>")
        } else {
            number.to_string()
        };
        format!("<div class=\"footnote-definition\"{id}><sup>{back}</sup> ")
    }
}

/// The attribute for the first element of a number, nothing for others: an id stands once in a page.
fn first(seen: &mut BTreeSet<usize>, number: usize, attribute: impl FnOnce() -> String) -> String {
    if seen.insert(number) { attribute() } else { String::new() }
}

/// HTML of ours. Only literals, numbers and checked names go in here.
fn markup<'a>(html: impl Into<Cow<'static, str>>) -> Event<'a> {
    Event::Html(html.into().into())
}

/// The language that a fence names, if it can be a class.
fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else { return None };
    let language = info.split_whitespace().next()?.to_ascii_lowercase();
    let fits = language.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-".contains(&byte));
    fits.then_some(language)
}

fn title(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "Note",
        BlockQuoteKind::Tip => "Tip",
        BlockQuoteKind::Important => "Important",
        BlockQuoteKind::Warning => "Warning",
        BlockQuoteKind::Caution => "Caution",
    }
}
