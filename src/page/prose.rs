//! Prose: pages of their own, and the bodies of records; links in Markdown resolve or are refused.

mod said;

use std::collections::BTreeSet;
use std::ops::Range;

use askama::Template;

use crate::catalog::{Catalog, Item, leads_to_draft};
use crate::diagnostic::{Diagnostic, Location, Report, printable, quoted, rules};
use crate::figures::{Agreement, Figure};
use crate::formula;
use crate::markdown::{Html, Link, LinkKind, Markdown, percent_decode};
use crate::quantity::written::{in_digits, number_word, numbers, numbers_and_words};
use crate::quantity::{Quantity, Unit};
use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here, source_route};
use super::table::Priced;
use super::{Site, claim};
use said::Around;

#[derive(Debug, Template)]
#[template(path = "prose.html")]
pub struct ProsePage {
    frame: Frame,
    title: String,
    body: Option<Html>,
    source: String,
    repository: Option<String>,
}

/// Composes a page of prose.
pub fn compose(here: &Here, item: &Item) -> ProsePage {
    ProsePage {
        frame: here.frame(item.title(), item.summary().unwrap_or_default()).made_from(here, &item.document),
        title: item.title().to_owned(),
        body: body(here, item),
        source: here.to(&source_route(&item.document)),
        repository: here.to_repository(&item.document, None),
    }
}

/// The body beside a record, `None` where there is none.
pub fn body(here: &Here, item: &Item) -> Option<Html> {
    let document = item.prose();
    let markdown = markdown(document)?;
    // A link that leads nowhere was refused by `check`, so nothing is printed with one.
    let resolve = |destination: &str| href(here, document, destination).unwrap_or_default();
    let data = |destination: &str| {
        let figure = Claim::of(document, destination)?.figure(here.site)?;
        Priced::of(figure).map(|priced| (priced.attribute, priced.value))
    };
    Some(markdown.to_html_with(&resolve, &data))
}

fn markdown(document: &Document) -> Option<Markdown> {
    let range = document.body.clone()?;
    let body = document.text.text.get(range.clone())?;
    (!body.trim().is_empty()).then(|| Markdown::parse(body, range.start))
}

/// Reports every link and image of every body that does not resolve, and what the Markdown itself gets wrong.
pub fn check(site: &Site, report: &mut Report) {
    let faulty: BTreeSet<String> = report.paths_with_errors().map(str::to_owned).collect();
    for item in site.catalog.items() {
        let document = item.prose();
        let Some(markdown) = markdown(document) else { continue };
        let here = Here::at(site, Route::record(&item.address));
        let at = |span: &Range<usize>| Location::Span { text: document.text.clone(), span: span.clone() };
        for problem in markdown.problems() {
            report.push(Diagnostic::new(problem.rule, at(&problem.span), &problem.message).help(problem.help));
        }
        for link in markdown.links().iter().chain(markdown.images()) {
            if link.kind == LinkKind::External {
                continue;
            }
            if let Err(broken) = href(&here, document, &link.destination) {
                report.push(Diagnostic::new(&rules::LINK_BROKEN, at(&link.span), broken.message).help(broken.help));
            } else if let Some(claim) = Claim::behind(site, document, &link.destination, &link.text) {
                claim.check(site, &faulty, document, link, report);
            }
        }
    }
}

/// Why a link leads nowhere.
struct Broken {
    message: String,
    help: String,
}

/// Where a destination within the site leads from this page: a content file to its page, a file of `static/` as it is.
/// To what was refused it leads nowhere, which is no fault of the link.
fn href(here: &Here, document: &Document, destination: &str) -> Result<String, Broken> {
    if let Some(claim) = destination.strip_prefix("figure:") {
        let broken = || Broken {
            message: format!("no figure has the address `{}`", printable(claim)),
            help: "write `figure:` and the record's address, `#`, the subject's anchor, `/`, the formula's id"
                .to_owned(),
        };
        return Claim::of(document, destination).ok_or_else(broken)?.href(here).unwrap_or_else(|| Err(broken()));
    }
    let (path, fragment) = match destination.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (destination, None),
    };
    let target = target(document, path);
    if let Some(file) = target.strip_prefix("static/") {
        if here.site.catalog.left_out.refused_static(file) {
            return Ok(String::new());
        }
        return here.static_file(file).ok_or_else(|| Broken {
            message: format!("there is no file `{}`", printable(&target)),
            help: "put it under `static/`, or correct the path".to_owned(),
        });
    }
    let address = address_of(&target);
    let Some(item) = here.site.catalog.get(address) else {
        return without_item(here.site.catalog, address).unwrap_or_else(|| {
            Err(Broken {
                message: format!("`{}` leads to no content file", printable(destination)),
                help: "link to the file as it lies beside this one, `../audits/name.md`".to_owned(),
            })
        });
    };
    match fragment {
        None => Ok(here.to_item(item)),
        Some(fragment) => match anchor_of(here.site, item, &percent_decode(fragment)) {
            Some(Anchor::Figure(figure)) => Ok(here.to_figure(&item.address, figure)),
            Some(Anchor::Other(anchor)) => Ok(here.to_subject(&item.address, &anchor)),
            None if may_be_lost(item, &percent_decode(fragment)) => Ok(String::new()),
            None => Err(Broken {
                message: format!("`{}` has no part `{}`", target, printable(fragment)),
                help: "a part is a heading, a config's anchor, or `config/figure`".to_owned(),
            }),
        },
    }
}

/// The file that a path leads to, from the file that it stands in.
fn target(document: &Document, path: &str) -> String {
    let path = percent_decode(path);
    if path.is_empty() { document.text.path.clone() } else { joined(&document.text.path, &path) }
}

/// The address of a content file; empty for any other file.
fn address_of(target: &str) -> &str {
    let address = target.strip_prefix("content/").map(|path| path.trim_end_matches(".md").trim_end_matches(".json"));
    address.filter(|_| target.ends_with(".md") || target.ends_with(".json")).unwrap_or_default()
}

/// Where a link leads to an address that the content has and the site has not.
fn without_item(catalog: &Catalog, address: &str) -> Option<Result<String, Broken>> {
    if catalog.left_out.refused(address) {
        return Some(Ok(String::new()));
    }
    let (message, help) = catalog.left_out.is_draft(address).then(|| leads_to_draft(address))?;
    Some(Err(Broken { message, help }))
}

/// A link to a figure: `figure:audits/x#config/formula`, or `figure:#config/formula` within its own record.
struct Claim {
    address: String,
    anchor: String,
}

impl Claim {
    fn of(document: &Document, destination: &str) -> Option<Self> {
        let (address, anchor) = destination.strip_prefix("figure:")?.split_once('#')?;
        let address = if address.is_empty() { &document.address } else { address };
        Some(Claim { address: address.to_owned(), anchor: percent_decode(anchor) })
    }

    /// The claim that a link makes; one by a path, `x.md#config/formula`, makes it only where its text says a number.
    fn behind(site: &Site, document: &Document, destination: &str, text: &str) -> Option<Self> {
        let by_path = || {
            let (path, fragment) = destination.split_once('#').filter(|_| says_a_number(text))?;
            let item = site.catalog.get(address_of(&target(document, path)))?;
            let Anchor::Figure(figure) = anchor_of(site, item, &percent_decode(fragment))? else { return None };
            Some(Claim { address: item.address.clone(), anchor: figure.anchor() })
        };
        Claim::of(document, destination).or_else(by_path)
    }

    fn figure<'s>(&self, site: &'s Site) -> Option<&'s Figure> {
        site.figures.at_anchor(&self.address, &self.anchor).map(AsRef::as_ref)
    }

    /// The card of the figure; `None` where there is none.
    fn href(&self, here: &Here) -> Option<Result<String, Broken>> {
        let Some(item) = here.site.catalog.get(&self.address) else {
            return without_item(here.site.catalog, &self.address);
        };
        match self.figure(here.site) {
            Some(figure) => Some(Ok(here.to_figure(&self.address, figure))),
            None if may_be_lost(item, &self.anchor) => Some(Ok(String::new())),
            None => None,
        }
    }

    /// A number in the text of the link is that of the figure, and what is said of it there and around the link is so. What
    /// is missing because of another fault, in a file of `faulty`, is no fault of the text.
    fn check(&self, site: &Site, faulty: &BTreeSet<String>, document: &Document, link: &Link, report: &mut Report) {
        let Some((item, figure)) = site.catalog.get(&self.address).zip(self.figure(site)) else { return };
        let is_faulty = || item.documents().any(|own| faulty.contains(&own.text.path));
        if figure.outcome.is_err() && (is_faulty() || !item.knows_its_models()) {
            return;
        }
        let (text, unit) = (link.text.as_str(), figure.formula.unit);
        let at = || Location::Span { text: document.text.clone(), span: link.span.clone() };
        let mut warn = |rule, message: String, help: &str| {
            report.push(Diagnostic::new(rule, at(), message).help(help));
        };
        if let Some(digit) = text.chars().find(|part| is_foreign_digit(*part)) {
            let message = format!("the text has the digit `{digit}`, which is not read");
            return warn(&rules::FIGURE_CLAIM, message, "write the digits 0 to 9");
        }
        // Of a verdict, and of what is missing, words such as `none` are no numbers.
        let numbers = if figure.quantity().is_some() { numbers_and_words(text, unit) } else { numbers(text) };
        let vague = number_word(text).filter(|_| figure.quantity().is_some());
        if let Some(word) = vague {
            let message = format!("the number `{word}` is in words, and so is not checked");
            warn(&rules::CLAIM_IN_WORDS, message, "write it in digits");
        }
        let agreement = Agreement::of(text, figure);
        // Words differ only where they say the opposite of a verdict.
        if numbers.is_empty() && agreement != Agreement::Differs {
            return;
        }
        let says_all = |quantity: Quantity| {
            quantity.is_approximate() || numbers.iter().all(|number| number.says_all_of(unit, quantity, figure.sense()))
        };
        let agrees =
            matches!(agreement, Agreement::Agrees | Agreement::AgreesRounded) && figure.quantity().is_none_or(says_all);
        let around = Around::of(&document.text.text, &link.span, text);
        let agrees = agrees || agreement == Agreement::Differs && around.completes(figure);
        let basis = said::other_basis(text, item, figure);
        if !agrees || basis.is_some() {
            let message = match (&figure.outcome, basis) {
                (Ok(_), Some(basis)) if agrees => format!("the text says {basis}"),
                (Ok(_), _) => format!("the text says {}, the figure is {}", quoted(text), figure.shown()),
                (Err(_), _) => format!("the text says {}, there is no such figure: {}", quoted(text), figure.shown()),
            };
            let help = "write the figure's number with as many digits as you like, `about` before a round one, and leave other numbers out of the link";
            return warn(&rules::FIGURE_CLAIM, message, help);
        }
        let help = "name what the figure is of, or leave the other out of the link and the words beside it";
        if let Some(other) = said::another(text, item, figure).or_else(|| said::another(&around.text, item, figure)) {
            let message = format!("the text names {other}, and the figure is {}", figure.formula.name);
            warn(&rules::CLAIM_METRIC, message, help);
        } else if let Some(basis) = said::other_basis(&around.text, item, figure) {
            warn(&rules::CLAIM_METRIC, format!("beside the link stands {basis}"), help);
        } else if around.makes_another_number(figure) {
            let message = format!(
                "with the words beside the link it reads {}, and the figure is {}",
                quoted(&around.text),
                figure.shown()
            );
            warn(&rules::CLAIM_METRIC, message, help);
        }
    }
}

/// Whether a character is a digit that is none of 0 to 9: wide, Arabic, Persian, Devanagari, Bengali.
fn is_foreign_digit(part: char) -> bool {
    matches!(part, '\u{ff10}'..='\u{ff19}' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{966}'..='\u{96f}' | '\u{9e6}'..='\u{9ef}')
}

/// Whether a text says a number, in digits or in words.
fn says_a_number(text: &str) -> bool {
    text.contains(is_foreign_digit)
        || !numbers(&in_digits(text, Unit::Number).text).is_empty()
        || number_word(text).is_some()
}

/// Whether a fragment may be that of a figure which is not there because a model is lost.
fn may_be_lost(item: &Item, fragment: &str) -> bool {
    let id = fragment.split('/').nth(1);
    !item.knows_its_models() && id.is_some_and(|id| formula::by_id(id).is_some())
}

/// What a fragment means on the pages of a record.
enum Anchor<'a> {
    Figure(&'a Figure),
    /// A heading of its prose, a subject, a section.
    Other(String),
}

fn anchor_of<'s>(site: &'s Site, item: &Item, fragment: &str) -> Option<Anchor<'s>> {
    let prose = markdown(item.prose());
    if let Some(heading) = prose.as_ref().and_then(|prose| prose.heading_id(fragment)) {
        return Some(Anchor::Other(heading.to_owned()));
    }
    if let Some(figure) = site.figures.at_anchor(&item.address, fragment) {
        return Some(Anchor::Figure(figure));
    }
    let mut others = item.subjects.iter().map(|subject| subject.anchor.as_str()).chain(claim::SECTIONS);
    others.find(|anchor| *anchor == fragment).map(|anchor| Anchor::Other(anchor.to_owned()))
}

/// A relative path from a file, with its dots resolved; what would lead above the root leads nowhere.
fn joined(from: &str, path: &str) -> String {
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                if segments.pop().is_none() {
                    return String::new();
                }
            }
            name => segments.push(name),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_resolved_against_its_file() {
        assert_eq!(joined("content/pages/about.md", "../audits/x.md"), "content/audits/x.md");
        assert_eq!(joined("content/pages/about.md", "y.md"), "content/pages/y.md");
        assert_eq!(joined("content/pages/about.md", "../../../../etc/x.md"), "");
    }
}
