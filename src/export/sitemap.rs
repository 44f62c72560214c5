//! The sitemap: every page with its whole address.

use askama::Template;

use crate::route::Route;

#[derive(Debug, Template)]
#[template(path = "sitemap.xml")]
struct Sitemap {
    addresses: Vec<String>,
}

/// `sitemap.xml` of the pages given, under the site's base address.
pub fn sitemap(base_url: &str, pages: impl Iterator<Item = Route>) -> String {
    let addresses = pages.map(|page| page.absolute(base_url)).collect();
    Sitemap { addresses }.render().expect("writing into a string does not fail")
}
