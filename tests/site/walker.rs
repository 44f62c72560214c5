//! Reads published pages as a browser would and follows every link, apart from the program's own checks.

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::tree::Tree;

/// A start tag with its attributes.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
}

impl Element {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// Whether the element is a link of the given relation.
    pub fn is_link(&self, relation: &str) -> bool {
        self.name == "link" && self.get("rel") == Some(relation)
    }
}

/// A page taken apart.
#[derive(Debug, Default)]
pub struct Page {
    pub elements: Vec<Element>,
    /// Text outside of tags, as shown.
    pub text: String,
    pub errors: Vec<String>,
}

impl Page {
    pub fn parse(html: &str) -> Self {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(html));
        let options = TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(Sink(RefCell::default()), options);
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        tokenizer.end();
        tokenizer.sink.0.into_inner()
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(|element| element.get("id"))
    }

    fn redirects(&self) -> bool {
        self.elements.iter().any(|element| element.get("http-equiv") == Some("refresh"))
    }

    pub fn links(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter(|element| element.name == "a").filter_map(|element| element.get("href"))
    }
}

/// The text of all pages of a record, its source left out.
pub fn text_of(tree: &Tree, address: &str) -> String {
    let own = |path: &&str| path.starts_with(&format!("{address}.")) && !path.contains(".source.");
    tree.with_ending(".html").filter(own).map(|path| Page::parse(tree.text(path)).text).collect()
}

struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let attributes = tag.attrs.iter().map(|it| (it.name.local.to_string(), it.value.to_string()));
                page.elements.push(Element { name: tag.name.to_string(), attributes: attributes.collect() });
            }
            Token::CharacterTokens(text) => page.text.push_str(&text),
            Token::ParseError(error) => page.errors.push(error.to_string()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Every fault of a published tree that stands under `base_url`: dead links and anchors, absolute links, doubled
/// ids, anything that runs or that asks another host.
pub fn faults(tree: &Tree, base_url: &str) -> Vec<String> {
    let base_url = format!("{}/", base_url.trim_end_matches('/'));
    let pages: BTreeMap<&str, Page> =
        tree.with_ending(".html").map(|path| (path, Page::parse(tree.text(path)))).collect();
    let walk = Walk { tree, pages, base_url };
    let mut faults: Vec<String> = walk.pages.iter().flat_map(|(path, page)| walk.page_faults(path, page)).collect();
    faults.extend(walk.style_faults());
    faults.extend(walk.sitemap_faults());
    faults.extend(walk.index_faults());
    faults.extend(walk.unreached());
    faults
}

struct Walk<'a> {
    tree: &'a Tree,
    pages: BTreeMap<&'a str, Page>,
    base_url: String,
}

/// Attributes that name ids of the same page, separated by blanks.
const ID_LISTS: [&str; 5] = ["aria-labelledby", "aria-describedby", "aria-controls", "for", "headers"];

impl Walk<'_> {
    fn page_faults(&self, path: &str, page: &Page) -> Vec<String> {
        let mut faults = page.errors.clone();
        let redirects = page.redirects();
        let mut ids = BTreeSet::new();
        faults.extend(page.ids().filter(|id| !ids.insert(*id)).map(|id| format!("id `{id}` stands twice")));
        // A redirect's canonical address is where it leads.
        for element in page.elements.iter().filter(|element| !(redirects && element.is_link("canonical"))) {
            for (name, value) in &element.attributes {
                match name.as_str() {
                    "style" => faults.push(format!("inline style `{value}`")),
                    "href" | "src" | "xlink:href" | "poster" | "srcset" => {
                        faults.extend(self.link_fault(path, element, value));
                    }
                    name if name.starts_with("on") => faults.push(format!("event handler `{name}`")),
                    name if ID_LISTS.contains(&name) => {
                        let unknown = value.split_whitespace().filter(|id| !ids.contains(id));
                        faults.extend(unknown.map(|id| format!("{name} names `{id}`, which is not there")));
                    }
                    _ => {}
                }
            }
            let inert = element.get("type") == Some("application/ld+json");
            if element.name == "script" && element.get("src").is_none() && !inert {
                faults.push("inline script".to_owned());
            }
        }
        faults.into_iter().map(|fault| format!("{path}: {fault}")).collect()
    }

    fn link_fault(&self, path: &str, element: &Element, link: &str) -> Option<String> {
        if element.is_link("canonical") {
            let expected = self.url_of(path);
            return (link != expected).then(|| format!("canonical is `{link}`, expected `{expected}`"));
        }
        if link.starts_with("https://") || link.starts_with("http://") || link.starts_with("mailto:") {
            return (element.name != "a").then(|| format!("<{}> asks another host: {link}", element.name));
        }
        if link.split('#').next().is_some_and(|path| path.contains(':')) {
            return Some(format!("`{link}` is no link of ours"));
        }
        match self.resolve(path, link) {
            Ok(()) => None,
            Err(why) => Some(format!("link `{link}` {why}")),
        }
    }

    /// Whether a link of ours leads to a published file and, with a fragment, to an id in it.
    fn resolve(&self, path: &str, link: &str) -> Result<(), String> {
        let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
        let file = percent_decoded(file.split('?').next().unwrap_or_default());
        let base_path = &self.base_url[self.base_url.find("://").map_or(0, |at| at + 3)..];
        let base_path = base_path.find('/').map_or("/", |at| &base_path[at..]);
        let target = match file.strip_prefix('/') {
            Some(_) if path != "404.html" => return Err("is absolute".to_owned()),
            Some(_) => {
                let below = file.strip_prefix(base_path).ok_or_else(|| format!("is not under {base_path}"))?;
                if below.is_empty() { "index.html".to_owned() } else { below.to_owned() }
            }
            None if file.is_empty() => path.to_owned(),
            None if path == "404.html" => return Err("is relative, on a page that is served at any depth".to_owned()),
            None => joined(path, &file).ok_or("leaves the site")?,
        };
        if !self.tree.has(&target) {
            return Err(format!("leads to {target}, which is not published"));
        }
        let fragment = percent_decoded(fragment);
        let page = self.pages.get(target.as_str());
        match page {
            Some(page) if !fragment.is_empty() && !page.ids().any(|id| id == fragment) => {
                Err(format!("leads to no anchor of {target}"))
            }
            _ => Ok(()),
        }
    }

    fn url_of(&self, path: &str) -> String {
        let path = match path.strip_suffix("index.html") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
            _ => path,
        };
        format!("{}{}", self.base_url, percent_encoded(path))
    }

    fn style_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for path in self.tree.with_ending(".css") {
            for part in self.tree.text(path).split("url(").skip(1) {
                let link = part.split(')').next().unwrap_or_default().trim_matches(['"', '\'']);
                let dead = self.resolve(path, link).err().filter(|_| !link.starts_with("data:"));
                faults.extend(dead.map(|why| format!("{path}: url({link}) {why}")));
            }
        }
        faults
    }

    /// Each address in the sitemap is a page, and each page that wants to be found is in it.
    fn sitemap_faults(&self) -> Vec<String> {
        let sitemap = self.tree.text("sitemap.xml");
        let listed: BTreeSet<&str> =
            sitemap.split("<loc>").skip(1).filter_map(|part| part.split("</loc>").next()).collect();
        let canonical: BTreeSet<String> = self.pages.keys().map(|path| self.url_of(path)).collect();
        let unknown = listed.iter().filter(|url| !canonical.contains(**url));
        unknown.map(|url| format!("sitemap.xml: {url} is no page")).collect()
    }

    fn index_faults(&self) -> Vec<String> {
        let index: serde_json::Value =
            serde_json::from_str(self.tree.text("data/index.json")).expect("data/index.json is JSON");
        let entries = index.as_array().expect("data/index.json is a list");
        let paths = entries.iter().flat_map(|entry| [&entry["html"], &entry["json"]]);
        let dead = paths.filter(|path| !path.as_str().is_some_and(|path| self.tree.has(path)));
        dead.map(|path| format!("data/index.json: {path} is not published")).collect()
    }

    /// Pages that cannot be reached from the home page; the 404 page and redirects need not be.
    fn unreached(&self) -> Vec<String> {
        let mut reached = BTreeSet::from(["index.html".to_owned()]);
        let mut queue = VecDeque::from(["index.html".to_owned()]);
        while let Some(path) = queue.pop_front() {
            let Some(page) = self.pages.get(path.as_str()) else { continue };
            for link in page.links() {
                let file = percent_decoded(link.split(['#', '?']).next().unwrap_or_default());
                if let Some(target) = joined(&path, &file)
                    && reached.insert(target.clone())
                {
                    queue.push_back(target);
                }
            }
        }
        let needed = self.pages.iter().filter(|(path, page)| **path != "404.html" && !page.redirects());
        let lost = needed.filter(|(path, _)| !reached.contains(**path));
        lost.map(|(path, _)| format!("{path}: no way leads here from the home page")).collect()
    }
}

/// The path that a relative link on a page leads to; `None` when it climbs out of the site.
fn joined(page: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).expect("addresses are UTF-8")
}

fn percent_encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[test]
fn the_walker_sees_faults() {
    let page = |body: &str| {
        let mut tree = Tree::default();
        let html = format!("<!doctype html><title>t</title><p id=top>{body}");
        tree.files.insert("index.html".to_owned(), html.into_bytes());
        tree.files.insert("data/index.json".to_owned(), b"[]".to_vec());
        tree.files.insert("sitemap.xml".to_owned(), Vec::new());
        faults(&tree, "https://a.example/b")
    };
    assert_eq!(page("<a href=\"#top\">x</a>"), [""; 0]);
    for (body, fault) in [
        ("<a href=\"#none\">x</a>", "no anchor"),
        ("<a href=\"x.html\">x</a>", "not published"),
        ("<a href=\"../x.html\">x</a>", "leaves the site"),
        ("<a href=\"/b/index.html\">x</a>", "absolute"),
        ("<a href=\"javascript:x\">x</a>", "no link of ours"),
        ("<img src=\"https://c.example/x.png\">", "another host"),
        ("<p id=top>", "stands twice"),
        ("<p style=\"x\">", "inline style"),
        ("<p onclick=\"x\">", "event handler"),
        ("<script>x</script>", "inline script"),
        ("<p aria-labelledby=\"none\">", "not there"),
    ] {
        let found = page(body);
        assert!(found.len() == 1 && found[0].contains(fault), "{body}: {found:?}");
    }
}
