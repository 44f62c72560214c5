//! Addresses that must differ, and links between them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[test]
fn links_climb_to_the_folder_that_two_pages_share() {
    let (home, run, other, audit) =
        (Route::home(), Route::record("runs/a"), Route::record("runs/b"), Route::record("audits/c"));
    assert_eq!(home.link(&run), "runs/a.html");
    assert_eq!(run.link(&home), "../index.html");
    assert_eq!(run.link(&other), "b.html");
    assert_eq!(run.link(&audit), "../audits/c.html");
    assert_eq!(run.link(&run), "a.html");
    assert_eq!(Route::unlisted(Kind::Model, "x").link(&Route::record("models/y")), "../y.html");
    assert_eq!(run.link(&Route::unlisted(Kind::Model, "x")), "../models/unlisted/x.html");
}

#[test]
fn anchors_are_added_and_a_page_links_to_itself_by_anchor_alone() {
    let run = Route::record("runs/a");
    assert_eq!(run.link_to_anchor(&Route::source(Kind::Run, "runs/a"), "L12"), "a.source.html#L12");
    assert_eq!(run.link_to_anchor(&run, "other-2/usd_per_mtok_output/x"), "#other-2/usd_per_mtok_output/x");
    assert_eq!(run.link_to_anchor(&run, "µ \"<"), "#%C2%B5%20%22%3C");
}

#[test]
fn segments_are_percent_encoded() {
    assert_eq!(Route::home().link(&Route::engine("缓存")), "engines/%E7%BC%93%E5%AD%98.html");
    assert_eq!(Route::home().link(&Route::record("runs/a b%#?:")), "runs/a%20b%25%23%3F%3A.html");
    assert_eq!(Route::home().link(&Route::record("javascript:x")), "javascript%3Ax.html");
}

#[test]
fn absolute_addresses_do_not_depend_on_the_last_slash_of_the_base() {
    for base in ["https://user.example/bench", "https://user.example/bench/"] {
        assert_eq!(Route::record("runs/a").absolute(base), "https://user.example/bench/runs/a.html");
        assert_eq!(Route::home().absolute(base), "https://user.example/bench/");
        assert_eq!(Route::list(Kind::Run).absolute(base), "https://user.example/bench/runs/");
        assert_eq!(base_path(base), "/bench/");
    }
    assert_eq!(Route::record("runs/myindex").absolute("https://x"), "https://x/runs/myindex.html");
}

#[test]
fn the_base_path_has_a_slash_at_both_ends() {
    assert_eq!(base_path("https://user.example"), "/");
    assert_eq!(base_path("https://user.example/"), "/");
    assert_eq!(base_path("https://user.example/a/b"), "/a/b/");
    assert_eq!(base_path("http://127.0.0.1:8000/bench/?x#y"), "/bench/");
}

#[test]
fn a_run_and_its_note_have_a_source_page_each() {
    assert_eq!(Route::source(Kind::Run, "runs/x").path(), "runs/x.source.html");
    assert_eq!(Route::source(Kind::CuratorNote, "runs/x").path(), "runs/x.note.source.html");
}

#[test]
fn the_first_part_of_a_page_is_the_page() {
    assert_eq!(Route::record("runs/x-0.22").part(1).path(), "runs/x-0.22.html");
    assert_eq!(Route::figures("runs/x-0.22").part(3).path(), "runs/x-0.22.figures.part-3.html");
}

#[test]
fn an_asset_is_named_by_its_bytes() {
    let (one, other) = (Route::asset("style", "css", b"a"), Route::asset("style", "css", b"b"));
    assert_eq!(one.path(), "assets/style-ca978112.css");
    assert_ne!(one, other);
}

#[test]
fn aliases_get_an_ending_and_must_be_safe() {
    let path = |old| Route::alias(old).map(|route| route.path().to_owned());
    assert_eq!(path("old/x"), Ok("old/x.html".to_owned()));
    assert_eq!(path("/old/x.html"), Ok("old/x.html".to_owned()));
    assert_eq!(path("old/x-0.22"), Ok("old/x-0.22.html".to_owned()));
    assert_eq!(path("old/"), Ok("old/index.html".to_owned()));
    for old in ["../x", "a/../../b", "a//b", "a\\b", "a\0", "./x"] {
        assert!(Route::alias(old).is_err(), "{old:?}");
    }
}

#[test]
fn unsafe_paths_are_refused_with_the_reason() {
    let reason = |path| check_path(path).map_err(|refused| refused.reason);
    assert_eq!(reason("runs/a.html"), Ok(()));
    assert_eq!(reason(".nojekyll"), Ok(()));
    assert_eq!(reason("a/...b/..c"), Ok(()));
    assert_eq!(reason(""), Err("is empty"));
    assert_eq!(reason("/abs/escape"), Err("is absolute"));
    assert_eq!(reason("../../escape"), Err("holds a name of dots alone"));
    assert_eq!(reason("a/../../b"), Err("holds a name of dots alone"));
    assert_eq!(reason("."), Err("holds a name of dots alone"));
    assert_eq!(reason("a//b"), Err("holds an empty name"));
    assert_eq!(reason("a/"), Err("holds an empty name"));
    assert_eq!(reason("a\0b"), Err("holds a control character"));
    assert_eq!(reason("a\nb"), Err("holds a control character"));
    assert_eq!(reason("..\\x"), Err("holds a backslash"));
    assert_eq!(
        check_path("a\0").expect_err("a NUL").to_string(),
        "path `a\\0` holds a control character; expected names joined by single slashes"
    );
}

#[test]
fn names_that_pages_of_the_site_have_are_reserved() {
    let parts = ["runs/x.figures", "runs/x.part-2", "runs/x.source.PART-10"].iter();
    for address in parts.chain(&[
        "runs/index",
        "runs/INDEX",
        "runs/x.source",
        "runs/x.note",
        "models/unlisted/x",
        "runs/Index.year-2026",
    ]) {
        assert!(reserved_name(address).is_some(), "{address}");
    }
    let free = ["runs/figures", "runs/part-2", "runs/x.part-", "runs/x.part-two"];
    for address in ["runs/index-2", "runs/source", "models/unlisted", "runs/h100-vllm-0.22"].iter().chain(&free) {
        assert_eq!(reserved_name(address), None, "{address}");
    }
}

/// Pages of every kind whose parts come from a small alphabet, so that clashes would be found.
fn pages(names: &[String]) -> Vec<(String, Route)> {
    let mut pages = vec![
        ("home".to_owned(), Route::home()),
        ("engines".to_owned(), Route::engines()),
        ("techniques".to_owned(), Route::techniques()),
        ("data index".to_owned(), Route::data_index()),
        ("site source".to_owned(), Route::site_source()),
    ];
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::CuratorNote) {
        pages.push((format!("list {kind:?}"), Route::list(kind)));
        pages.push((format!("some of {kind:?}"), Route::narrowed(kind.folder(), "confidence", "0.8 or more")));
        for name in names {
            let address = format!("{}/{name}", kind.folder());
            if reserved_name(&address).is_none() {
                pages.push((format!("record {address}"), Route::record(&address)));
                pages.push((format!("data {address}"), Route::data(&address)));
                pages.push((format!("drawing {address}"), Route::drawing(&address)));
                pages.push((format!("source {address}"), Route::source(kind, &address)));
                pages.push((format!("note {address}"), Route::source(Kind::CuratorNote, &address)));
                pages.push((format!("figures {address}"), Route::figures(&address)));
            }
        }
    }
    for slug in names.iter().map(|name| crate::anchor::slug(name)) {
        pages.push((format!("engine {slug}"), Route::engine(&slug)));
        pages.push((format!("technique {slug}"), Route::technique(&slug)));
        pages.push((format!("model {slug}"), Route::unlisted(Kind::Model, &slug)));
        pages.push((format!("card {slug}"), Route::unlisted(Kind::Hardware, &slug)));
    }
    let is_cut = |(_, route): &&(String, Route)| route.path().ends_with(".html");
    let parts = pages.iter().filter(is_cut);
    let parts = parts.flat_map(|(page, route)| [2, 11].map(|part| (format!("{page}, {part}"), route.part(part))));
    pages.extend(parts.collect::<Vec<_>>());
    pages
}

proptest! {
    #[test]
    fn no_two_pages_share_a_path(
        names in proptest::collection::vec("(index|confidence-0-8-or-more|source|note|figures|part-2|html|json|unlisted|a|-|\\.){1,4}", 1..6),
    ) {
        let mut seen = BTreeMap::new();
        for (page, route) in pages(&names) {
            check_path(route.path()).map_err(|refused| TestCaseError::fail(refused.to_string()))?;
            if let Some(other) = seen.insert(route.path().to_owned(), page.clone()) {
                prop_assert_eq!(other, page, "both at {}", route.path());
            }
        }
    }

    /// A browser that follows the link arrives where it was meant to.
    #[test]
    fn a_link_leads_to_its_target(
        from in proptest::collection::vec("[ab%é]{1,2}", 1..5),
        to in proptest::collection::vec("[ab%é]{1,2}", 1..5),
    ) {
        let (from, to) = (Route(from.join("/")), Route(to.join("/")));
        let mut place = folders(&from.0).into_iter().map(str::to_owned).collect::<Vec<_>>();
        for part in from.link(&to).split('/') {
            if part == ".." { place.pop(); } else { place.push(decode(part)); }
        }
        prop_assert_eq!(place.join("/"), to.0);
    }
}

fn decode(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().expect("a first part").as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).expect("UTF-8 again")
}
