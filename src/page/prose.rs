//! Prose: pages of their own, and the bodies of records; links in Markdown resolve or are refused.

use std::collections::BTreeSet;

use askama::Template;

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Location, Report, printable};
use crate::markdown::{Html, Markdown};
use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here};
use super::{Site, claim};

#[derive(Debug, Template)]
#[template(path = "prose.html")]
pub struct ProsePage {
    frame: Frame,
    title: String,
    body: Option<Html>,
    repository: Option<String>,
}

/// Composes a page of prose.
pub fn compose(here: &Here, item: &Item) -> ProsePage {
    ProsePage {
        frame: here.frame(item.title(), item.summary().unwrap_or_default()),
        title: item.title().to_owned(),
        body: body(here, item),
        repository: here.to_repository(&item.document, None),
    }
}

/// The body beside a record, `None` where there is none.
pub fn body(here: &Here, item: &Item) -> Option<Html> {
    let document = item.prose();
    let markdown = markdown(document)?;
    // A link that leads nowhere was refused by `check`, so nothing is printed with one.
    Some(markdown.to_html(&|destination| href(here, document, destination).unwrap_or_default()))
}

fn markdown(document: &Document) -> Option<Markdown<'_>> {
    let range = document.body.clone()?;
    let body = document.text.text.get(range.clone())?;
    (!body.trim().is_empty()).then(|| Markdown::parse(body, range.start))
}

/// Reports every link and image of every body that does not resolve, and what the Markdown itself gets wrong.
pub fn check(site: &Site, report: &mut Report) {
    for item in site.catalog.items() {
        let document = item.prose();
        let Some(markdown) = markdown(document) else { continue };
        let here = Here::at(site, Route::record(&item.address));
        let at = |span| Location::Span { text: document.text.clone(), span };
        for link in markdown.links() {
            if let Err(broken) = href(&here, document, &link.destination) {
                report.push(Diagnostic::error("link/broken", at(link.span.clone()), broken.message).help(broken.help));
            }
        }
    }
}

/// Why a link leads nowhere.
struct Broken {
    message: String,
    help: String,
}

/// Where a destination leads from this page: another host as it is, a content file to its page.
fn href(here: &Here, document: &Document, destination: &str) -> Result<String, Broken> {
    if destination.contains("://") || destination.starts_with("mailto:") {
        return Ok(destination.to_owned());
    }
    let (path, fragment) = match destination.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (destination, None),
    };
    let path = decoded(path);
    let target = if path.is_empty() { document.text.path.clone() } else { joined(&document.text.path, &path) };
    if let Some(file) = target.strip_prefix("static/") {
        return here.static_file(file).ok_or_else(|| Broken {
            message: format!("there is no file `{}`", printable(&target)),
            help: "put it under `static/`, or correct the path".to_owned(),
        });
    }
    let address = target.strip_prefix("content/").map(|path| path.trim_end_matches(".md").trim_end_matches(".json"));
    let item = address.and_then(|address| here.site.catalog.get(address));
    let whole_name = target.ends_with(".md") || target.ends_with(".json");
    let Some(item) = item.filter(|_| whole_name) else {
        return Err(Broken {
            message: format!("`{}` leads to no content file", printable(destination)),
            help: "link to the file as it lies beside this one, `../audits/name.md`".to_owned(),
        });
    };
    let route = Route::record(&item.address);
    match fragment {
        None => Ok(here.to(&route)),
        Some(fragment) => match anchor_of(here.site, item, &decoded(fragment)) {
            Some(anchor) => Ok(here.to_anchor(&route, &anchor)),
            None => Err(Broken {
                message: format!("`{}` has no part `{}`", target, printable(fragment)),
                help: "a part is a heading, a config's anchor, or `config/figure`".to_owned(),
            }),
        },
    }
}

/// The anchor on a record's page that a fragment means: a heading of its prose, a subject, a figure.
fn anchor_of(site: &Site, item: &Item, fragment: &str) -> Option<String> {
    let prose = markdown(item.prose());
    let headings = prose.iter().flat_map(Markdown::headings);
    let heading = headings.into_iter().find(|heading| heading.slug == fragment || heading.id == fragment);
    if let Some(heading) = heading {
        return Some(heading.id.clone());
    }
    let anchors: BTreeSet<String> = item
        .subjects
        .iter()
        .map(|subject| subject.anchor.clone())
        .chain(site.figures.of(&item.address).iter().map(|figure| figure.anchor()))
        .chain(claim::SECTIONS.iter().map(|section| (*section).to_owned()))
        .collect();
    anchors.get(fragment).cloned()
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

/// Percent-encoded text as it was meant; left alone where that is no UTF-8.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let digits = others.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_resolved_against_its_file() {
        assert_eq!(joined("content/pages/about.md", "../audits/x.md"), "content/audits/x.md");
        assert_eq!(joined("content/pages/about.md", "y.md"), "content/pages/y.md");
        assert_eq!(joined("content/pages/about.md", "../../../../etc/x.md"), "");
        assert_eq!(decoded("%CE%B1%20b"), "α b");
        assert_eq!(decoded("100%"), "100%");
    }
}
