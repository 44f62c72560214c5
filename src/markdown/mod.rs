//! Markdown to HTML that is safe by construction; its headings, links and problems with their places.

mod destination;
mod html;
mod table;

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::anchor::{slug, unique_slugs};
use crate::diagnostic::{Rule, rules};
use crate::source::barred;
use destination::Forbidden;
pub use destination::{LinkKind, percent_decode};
pub use html::{Data, Html};

/// Deepest nesting of quotes, lists, emphasis and so on. Browsers give up at some hundreds.
const DEEPEST: usize = 64;

/// Longest line in bytes. Within one line the reader takes the square of its length for some texts, such as links in
/// angle brackets that are never closed.
const LONGEST_LINE: usize = 64 * 1024;

/// Extensions of CommonMark that are read. Not among them: math, since prose is full of `$0.29`; superscript and
/// subscript, which take `~` from strikethrough; attributes on headings, which would let any attribute through.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_DEFINITION_LIST);

/// The Markdown of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown {
    body: String,
    headings: Vec<Heading>,
    links: Vec<Link>,
    images: Vec<Link>,
    problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// On the page, 2 to 6: the highest of the body stands right below the page's title, and none skips a level.
    pub level: u8,
    pub text: String,
    /// Unique in the body, and with a colon that no other anchor of a page has.
    pub id: String,
}

/// A link or an image that may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub destination: String,
    /// What is read between `[` and `]` of a link; empty for an image.
    pub text: String,
    pub kind: LinkKind,
    /// Bytes in the file, from `[` to `)`.
    pub span: Range<usize>,
}

/// What is wrong with a body, and where in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub rule: &'static Rule,
    pub message: String,
    pub help: &'static str,
    pub span: Range<usize>,
}

impl Markdown {
    /// Reads a body that starts at byte `offset` of its file.
    pub fn parse(body: &str, offset: usize) -> Self {
        let mut start = 0;
        for line in body.split_inclusive('\n') {
            if line.len() > LONGEST_LINE {
                return Self::refused(too_long(line.len(), offset + start..offset + start + line.len()));
            }
            start += line.len();
        }
        let mut reader = Reader { body, offset, ..Reader::default() };
        for (event, range) in events(body) {
            if reader.depth > DEEPEST {
                return Self::refused(too_deep(reader.span(range)));
            }
            reader.read(event, range);
        }
        reader.finish()
    }

    /// Nothing of such a body is kept, so that nobody has to bear its size or depth.
    fn refused(problem: Problem) -> Self {
        Markdown { body: String::new(), headings: vec![], links: vec![], images: vec![], problems: vec![problem] }
    }

    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// Links that may stand, in order; those that may not are problems.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Images of the site, in order.
    pub fn images(&self) -> &[Link] {
        &self.images
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The id of the heading that a link's fragment names, by its id or by its text as an anchor, percent-encoded or not.
    pub fn heading_id(&self, fragment: &str) -> Option<&str> {
        let fragment = destination::percent_decode(fragment);
        let by_text = heading_id(&slug(&fragment));
        let ids = || self.headings.iter().map(|heading| heading.id.as_str());
        ids().find(|id| *id == fragment).or_else(|| ids().find(|id| *id == by_text))
    }

    /// Renders the body. `resolve` gives the address for the destination of every link and image that is no full
    /// address itself; what may not stand is left out, and its text stays.
    pub fn to_html(&self, resolve: &dyn Fn(&str) -> String) -> Html {
        self.to_html_with(resolve, &|_| None)
    }

    /// The same with what a script may read of links, by their destinations.
    pub fn to_html_with(&self, resolve: &dyn Fn(&str) -> String, data: &dyn Fn(&str) -> Option<Data>) -> Html {
        html::render(&self.body, &self.headings, resolve, data)
    }
}

fn events(body: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(body, EXTENSIONS).into_offset_iter()
}

fn heading_id(slug: &str) -> String {
    format!("section:{slug}")
}

#[derive(Default)]
struct Reader<'a> {
    body: &'a str,
    offset: usize,
    depth: usize,
    /// Columns of the table that is being read.
    columns: usize,
    /// Level and text of every heading, the last one perhaps still open.
    headings: Vec<(u8, String)>,
    in_heading: bool,
    /// Whether the last of `links` is still open.
    in_link: bool,
    links: Vec<Link>,
    images: Vec<Link>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match &event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth -= 1,
            _ => {}
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                self.headings.push((level as u8, String::new()));
                self.in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => self.in_heading = false,
            Event::Start(Tag::Link { link_type: LinkType::Email, dest_url, .. }) => {
                self.link(&format!("mailto:{dest_url}"), range);
            }
            Event::Start(Tag::Link { dest_url, title, .. }) => {
                self.visible(&[&dest_url, &title], &range);
                self.link(&dest_url, range);
            }
            Event::Start(Tag::Image { dest_url, title, .. }) => {
                self.visible(&[&dest_url, &title], &range);
                self.image(&dest_url, range);
            }
            Event::Start(Tag::Table(alignments)) => self.columns = alignments.len(),
            Event::Start(Tag::TableRow) => self.row(range),
            Event::Start(Tag::HtmlBlock) => self.raw_html(range),
            Event::InlineHtml(_) => {
                self.text(&self.body[range.clone()]);
                self.raw_html(range);
            }
            Event::End(TagEnd::Link) => self.in_link = false,
            Event::Text(text) | Event::Code(text) => {
                self.visible(&[&text], &range);
                self.text(&text);
            }
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, heading)) = self.headings.last_mut().filter(|_| self.in_heading) {
            heading.push_str(text);
        }
        if let Some(link) = self.links.last_mut().filter(|_| self.in_link) {
            link.text.push_str(text);
        }
    }

    /// Refuses what an entity such as `&#x1b;` stands for; as it is written, the file is refused with it.
    fn visible(&mut self, texts: &[&str], range: &Range<usize>) {
        if let Some(what) = texts.iter().flat_map(|text| text.chars()).find_map(barred) {
            self.problems.push(Problem {
                rule: &rules::MARKDOWN_CHARACTER,
                message: format!("expected text that can be seen, found {what}"),
                help: "remove it; what nobody can see, nobody can check",
                span: self.span(range.clone()),
            });
        }
    }

    fn link(&mut self, destination: &str, range: Range<usize>) {
        match LinkKind::of(destination) {
            Ok(kind) => {
                self.links.push(self.leading(destination, kind, range));
                self.in_link = true;
            }
            Err(forbidden) => self.forbidden("link", &forbidden, range),
        }
    }

    fn image(&mut self, destination: &str, range: Range<usize>) {
        match LinkKind::of_image(destination) {
            Ok(kind) => self.images.push(self.leading(destination, kind, range)),
            Err(forbidden) => self.forbidden("image", &forbidden, range),
        }
    }

    fn leading(&self, destination: &str, kind: LinkKind, range: Range<usize>) -> Link {
        Link { destination: destination.to_owned(), text: String::new(), kind, span: self.span(range) }
    }

    fn forbidden(&mut self, what: &str, Forbidden { expected, found }: &Forbidden, range: Range<usize>) {
        self.problems.push(Problem {
            rule: &rules::MARKDOWN_DESTINATION,
            message: format!("{what} to {found}, expected {expected}"),
            help: "write the path to a file of the site, relative to this one, or a full https address for a link",
            span: self.span(range),
        });
    }

    fn row(&mut self, range: Range<usize>) {
        let cells = table::cells(&self.body[range.clone()]);
        if cells != self.columns {
            let noun = if cells == 1 { "cell" } else { "cells" };
            self.problems.push(Problem {
                rule: &rules::MARKDOWN_TABLE_CELLS,
                message: format!("{cells} {noun}, header has {}", self.columns),
                help: r"write `\|` for a pipe that belongs to a cell, in code too",
                span: self.span(range),
            });
        }
    }

    fn raw_html(&mut self, range: Range<usize>) {
        self.problems.push(Problem {
            rule: &rules::MARKDOWN_RAW_HTML,
            message: "HTML is shown as the text it is, expected Markdown".to_owned(),
            help: "put it between back quotes if it is meant as text",
            span: self.span(range),
        });
    }

    fn span(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.offset..range.end + self.offset
    }

    fn finish(self) -> Markdown {
        let slugs = unique_slugs(self.headings.iter().map(|(_, text)| text.as_str()));
        let highest = self.headings.iter().map(|(level, _)| *level).min().unwrap_or_default();
        let mut above = 1;
        let headings = self.headings.into_iter().zip(slugs).map(|((written, text), slug)| {
            let level = (written - highest + 2).min(above + 1).min(6);
            above = level;
            Heading { level, text, id: heading_id(&slug) }
        });
        let headings = headings.collect();
        let Reader { links, images, problems, .. } = self;
        Markdown { body: self.body.to_owned(), headings, links, images, problems }
    }
}

fn too_deep(span: Range<usize>) -> Problem {
    Problem {
        rule: &rules::MARKDOWN_TOO_DEEP,
        message: format!("nested deeper than {DEEPEST} levels, expected at most as many"),
        help: "use fewer levels of quotes, lists and emphasis",
        span,
    }
}

fn too_long(length: usize, span: Range<usize>) -> Problem {
    Problem {
        rule: &rules::MARKDOWN_LONG_LINE,
        message: format!("line of {length} bytes, expected at most {LONGEST_LINE}"),
        help: "break the line: a single line break in a paragraph shows as a space",
        span,
    }
}

#[cfg(test)]
mod tests;
