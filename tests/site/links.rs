//! Every link resolves, under any base path and from every page.

use crate::program::{SETTINGS, Site};
use crate::tree::{Tree, assert_same};
use crate::walker::{self, Page};

fn built_under(base_url: &str) -> Tree {
    let site = Site::of_repository();
    site.ask(&["build", "--base-url", base_url]).good();
    site.published()
}

#[test]
fn all_links_resolve_under_any_base_path() {
    for base_url in ["https://user.example", "https://user.example/bench", "https://user.example/a/b/"] {
        let faults = walker::faults(&built_under(base_url), base_url);
        assert!(faults.is_empty(), "under {base_url}:\n{}", faults.join("\n"));
    }
}

#[test]
fn the_last_slash_of_the_base_makes_no_difference() {
    let [with, without] = ["https://user.example/bench/", "https://user.example/bench"].map(built_under);
    assert_same(&with, &without, "with and without the last slash");
}

#[test]
fn the_404_page_spells_out_the_base_path() {
    let tree = built_under("https://user.example/bench");
    let page = Page::parse(tree.text("404.html"));
    let style = page.elements.iter().find(|element| element.is_link("stylesheet")).expect("it has a style");
    assert!(style.get("href").expect("a link").starts_with("/bench/"), "{style:?}");
    assert!(tree.has(".nojekyll"));
}

#[test]
fn titles_without_latin_letters_get_pages_of_their_own() {
    let titled = |title: &str| format!("---\ntitle: \"{title}\"\n---\n\n# {title}\n");
    let site = Site::new()
        .file("content/pages/x.md", titled("缓存命中率"))
        .file("content/pages/y.md", titled("前缀缓存"))
        .file("content/pages/z.md", titled("…?!"));
    site.build().good();
    let tree = site.published();
    for path in ["pages/x.html", "pages/y.html", "pages/z.html"] {
        assert!(tree.has(path), "{path}");
    }
    let faults = walker::faults(&tree, "https://results.example/");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_alias_leads_to_its_page() {
    let settings = format!("{SETTINGS}\n[aliases]\n\"old/run\" = \"runs/a\"\n");
    let site = Site::of_runs(&["a"]).file("site.toml", settings);
    site.build().good();
    let page = Page::parse(&site.read("public/old/run.html"));
    assert!(page.links().any(|link| link == "../runs/a.html"), "{page:?}");
    let faults = walker::faults(&site.published(), "https://results.example/");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
