//! Every address of the site, and the relative links between them.

use std::fmt;

use crate::anchor::{short_digest, slug};
use crate::source::Kind;

mod places;

pub use places::Places;

/// Where one file of the site stands, relative to the output directory, with `/`.
///
/// Two different pages never share a path, also where upper and lower case are one, as long as no record has a
/// [reserved](reserved_name) name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Route(String);

impl Route {
    pub fn home() -> Self {
        Self::fixed("index.html")
    }

    pub fn methodology() -> Self {
        Self::fixed("methodology.html")
    }

    pub fn glossary() -> Self {
        Self::fixed("glossary.html")
    }

    pub fn checks() -> Self {
        Self::fixed("checks.html")
    }

    pub fn disagreements() -> Self {
        Self::fixed("disagreements.html")
    }

    pub fn gaps() -> Self {
        Self::fixed("gaps.html")
    }

    pub fn corrections() -> Self {
        Self::fixed("corrections.html")
    }

    /// The page a host shows for an address that is not there, at whatever depth.
    pub fn not_found() -> Self {
        Self::fixed("404.html")
    }

    pub fn data_index() -> Self {
        Self::fixed("data/index.json")
    }

    pub fn comparisons_data() -> Self {
        Self::fixed("data/comparisons.json")
    }

    /// What stands in the data files.
    pub fn data_dictionary() -> Self {
        Self::fixed("data/index.html")
    }

    /// All figures of a kind, in one of two forms.
    pub fn figures_table(kind: Kind, ending: &str) -> Self {
        Route(format!("data/{}.{ending}", kind.folder()))
    }

    /// The same as a script that sets it as `window.comparisons`: a page opened from disk can load no other data.
    pub fn comparisons_script() -> Self {
        Self::fixed("data/comparisons.js")
    }

    /// What the search looks through, as a script that sets `window.searchIndex`.
    pub fn search_script() -> Self {
        Self::fixed("data/search.js")
    }

    /// Where any results are set beside each other.
    pub fn compare() -> Self {
        Self::fixed("compare.html")
    }

    pub fn sitemap() -> Self {
        Self::fixed("sitemap.xml")
    }

    /// New records and changes, for those who follow them.
    pub fn feed() -> Self {
        Self::fixed("feed.xml")
    }

    /// The picture that stands beside a link to the site elsewhere.
    pub fn card() -> Self {
        Self::fixed("card.png")
    }

    /// A schema of content, at the path of its `$id`.
    pub fn schema(file: &str) -> Self {
        Route(format!("schemas/{file}"))
    }

    pub fn robots() -> Self {
        Self::fixed("robots.txt")
    }

    /// Tells GitHub Pages to serve the files as they are.
    pub fn no_jekyll() -> Self {
        Self::fixed(".nojekyll")
    }

    /// The page of the record at an address.
    pub fn record(address: &str) -> Self {
        Route(format!("{address}.html"))
    }

    /// The record at an address, as data.
    pub fn data(address: &str) -> Self {
        Route(format!("{address}.json"))
    }

    /// The chart of a record's finding, as a drawing that stands by itself.
    pub fn drawing(address: &str) -> Self {
        Route(format!("{address}.svg"))
    }

    /// How the figures of a record were computed, where its own page has no room for that.
    pub fn figures(address: &str) -> Self {
        Route(format!("{address}.figures.html"))
    }

    /// One part of a long page, counted from 1; the first stands at the address of the page.
    pub fn part(&self, number: usize) -> Self {
        match self.0.strip_suffix(".html") {
            Some(page) if number > 1 => Route(format!("{page}.part-{number}.html")),
            _ => self.clone(),
        }
    }

    /// The text of a content file, one anchor a line. A run and its curator's note share an address, so the note's
    /// page has an ending of its own.
    pub fn source(kind: Kind, address: &str) -> Self {
        match kind {
            Kind::CuratorNote => Route(format!("{address}.note.source.html")),
            _ => Route(format!("{address}.source.html")),
        }
    }

    /// The text of `site.toml`.
    pub fn site_source() -> Self {
        Self::fixed("site.source.html")
    }

    /// The list of all records of a kind.
    pub fn list(kind: Kind) -> Self {
        Route::folder(kind.folder())
    }

    /// The list of all records in a folder under `content/`, which is the page of its collection too.
    pub fn folder(path: &str) -> Self {
        Route(format!("{path}/index.html"))
    }

    /// Those of a folder's records that share a value of a facet.
    pub fn narrowed(path: &str, facet: &str, value: &str) -> Self {
        Route(format!("{path}/index.{facet}-{}.html", slug(value)))
    }

    pub fn engines() -> Self {
        Self::fixed("engines/index.html")
    }

    pub fn techniques() -> Self {
        Self::fixed("techniques/index.html")
    }

    /// What is known of one engine, under the slug of its name.
    pub fn engine(slug: &str) -> Self {
        Self::entity("engines", slug)
    }

    /// Results that have a page of their own in common, beside each other.
    pub fn comparison(about: &Route) -> Self {
        Route(format!("compare/{}", about.0))
    }

    /// What is known of one technique, under the slug of its name.
    pub fn technique(slug: &str) -> Self {
        Self::entity("techniques", slug)
    }

    /// Results of a model or card that has no entry, under the slug of the name as written.
    pub fn unlisted(kind: Kind, slug: &str) -> Self {
        Self::entity(&format!("{}/unlisted", kind.folder()), slug)
    }

    /// A file of the root's `static/`, which is copied as it is.
    pub fn static_file(path: &str) -> Result<Self, UnsafePath> {
        check_path(path)?;
        Ok(Route(path.to_owned()))
    }

    /// A built-in file with a digest of its bytes in its name, so that no cache serves an old one.
    pub fn asset(name: &str, extension: &str, bytes: &[u8]) -> Self {
        Route(format!("assets/{name}-{}.{extension}", short_digest(bytes)))
    }

    /// The page that leads on from an old address, which people may write with or without an ending.
    pub fn alias(old: &str) -> Result<Self, UnsafePath> {
        let old = old.trim_start_matches('/');
        let path = match old.rsplit_once('/').map_or(old, |(_, name)| name) {
            "" => format!("{old}index.html"),
            name if name.ends_with(".html") => old.to_owned(),
            _ => format!("{old}.html"),
        };
        check_path(&path)?;
        Ok(Route(path))
    }

    /// The path below the output directory.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// The link from this page to another: relative, so it works under any base path and from disk.
    pub fn link(&self, to: &Route) -> String {
        let (from_folder, to_folder) = (folders(&self.0), folders(&to.0));
        let shared = from_folder.iter().zip(&to_folder).take_while(|(from, to)| from == to).count();
        let mut link = "../".repeat(from_folder.len() - shared);
        for folder in &to_folder[shared..] {
            link.push_str(&encode(folder, SEGMENT));
            link.push('/');
        }
        link.push_str(&encode(file_name(&to.0), SEGMENT));
        link
    }

    /// The link from this page to an anchor on another, or on itself.
    pub fn link_to_anchor(&self, to: &Route, anchor: &str) -> String {
        let page = if self == to { String::new() } else { self.link(to) };
        page + &fragment(anchor)
    }

    /// The whole address under a site's base, with or without a slash at its end; `index.html` is left out.
    pub fn absolute(&self, base_url: &str) -> String {
        let base = base_url.trim_end_matches('/');
        let path = match self.0.strip_suffix("index.html") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
            _ => &self.0,
        };
        let encoded: Vec<String> = path.split('/').map(|segment| encode(segment, SEGMENT)).collect();
        format!("{base}/{}", encoded.join("/"))
    }

    /// The whole address of an anchor on this page.
    pub fn absolute_to_anchor(&self, base_url: &str, anchor: &str) -> String {
        format!("{}#{}", self.absolute(base_url), encode(anchor, FRAGMENT))
    }

    fn fixed(path: &str) -> Self {
        Route(path.to_owned())
    }

    /// No slug ends in a hyphen, so an entity named `index` stands beside its list.
    fn entity(folder: &str, slug: &str) -> Self {
        Route(if slug == "index" { format!("{folder}/index-.html") } else { format!("{folder}/{slug}.html") })
    }
}

/// The link to an anchor of the same page.
pub fn fragment(anchor: &str) -> String {
    format!("#{}", encode(anchor, FRAGMENT))
}

/// The path that a host serves the site under, with a slash at both ends: for pages shown at any depth.
pub fn base_path(base_url: &str) -> String {
    let rest = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    match rest.split_once('/').map(|(_, path)| path.trim_matches('/')) {
        None | Some("") => "/".to_owned(),
        Some(path) => format!("/{path}/"),
    }
}

/// Why no record may have an address, when a page of the site has the same path.
pub fn reserved_name(address: &str) -> Option<&'static str> {
    let address = address.to_lowercase();
    let name = file_name(&address);
    let part = name.rsplit_once(".part-").map(|(_, number)| number);
    if name == "index" {
        Some("`index` is the list of its folder")
    } else if name.starts_with("index.") {
        Some("names that begin with `index.` are those of parts of a list")
    } else if name.ends_with(".source") || name.ends_with(".note") {
        Some("the endings `.source` and `.note` are those of source pages")
    } else if name.ends_with(".figures") || part.is_some_and(|number| number.parse::<usize>().is_ok()) {
        Some("the endings `.figures` and `.part-` with a number are those of parts of a page")
    } else if address.contains("/unlisted/") {
        Some("`unlisted` holds the names that have no entry")
    } else {
        None
    }
}

/// A path that must not be joined to a directory, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsafePath {
    pub path: String,
    pub reason: &'static str,
}

impl fmt::Display for UnsafePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnsafePath { path, reason } = self;
        write!(f, "path `{}` {reason}; expected names joined by single slashes", path.escape_debug())
    }
}

/// Accepts names joined by single slashes, which cannot lead out of a directory that they are joined to.
pub fn check_path(path: &str) -> Result<(), UnsafePath> {
    let reason = if path.is_empty() {
        "is empty"
    } else if path.starts_with('/') {
        "is absolute"
    } else if path.contains('\\') {
        "holds a backslash"
    } else if path.chars().any(char::is_control) {
        "holds a control character"
    } else if path.split('/').any(str::is_empty) {
        "holds an empty name"
    } else if path.split('/').any(|name| name == "." || name == "..") {
        "holds a name of dots alone"
    } else {
        return Ok(());
    };
    Err(UnsafePath { path: path.to_owned(), reason })
}

fn folders(path: &str) -> Vec<&str> {
    let mut segments: Vec<&str> = path.split('/').collect();
    segments.pop();
    segments
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Characters beside letters and digits that stand for themselves in a path segment. A colon is not among them: in
/// the first segment it would end a scheme.
const SEGMENT: &str = "-._~";

/// The same in a fragment, RFC 3986 section 3.5, without the quote signs of HTML.
const FRAGMENT: &str = "-._~/:@!$()*+,;=?";

/// A text as a value in the query of an address.
pub fn query(text: &str) -> String {
    encode(text, "-._~/:")
}

fn encode(text: &str, literal: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || literal.as_bytes().contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests;
