//! The repository's own site in Node, in Chromium, and before a validator of HTML.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::hostile;
use crate::program::{Site, repository, skip};

/// A program by the first of its names that is installed.
fn installed(names: &[&str]) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    let found = |name: &&str| env::split_paths(&paths).map(|path| path.join(name)).find(|path| path.is_file());
    names.iter().find_map(found)
}

/// Node from version 20 on.
pub fn node() -> Option<PathBuf> {
    let node = installed(&["node", "nodejs"])?;
    let version = Command::new(&node).arg("--version").output().ok()?.stdout;
    let version = String::from_utf8(version).ok()?;
    let major: u32 = version.trim().trim_start_matches('v').split('.').next()?.parse().ok()?;
    (major >= 20).then_some(node)
}

/// A package of `tests/browser/package.json`.
fn package(path: &str) -> Option<PathBuf> {
    let path = repository().join("tests/browser/node_modules").join(path);
    path.exists().then_some(path)
}

/// The name under which a runner has its Chrome comes first: there `chromium` may be a stub.
pub fn chromium() -> Option<PathBuf> {
    package("playwright-core").and(package("axe-core"))?;
    installed(&["google-chrome", "chromium", "chromium-browser"])
}

/// What a test needs, or a word of why it is skipped; where `.ci/run` wants all of these tests, that is a failure.
#[track_caller]
pub fn needed<T>(found: Option<T>, test: &str, what: &str) -> Option<T> {
    if found.is_none() {
        assert!(env::var_os("RESULTS_SITE_BROWSER").is_none(), "{what} is not installed");
        skip(test, &format!("{what} is not installed"));
    }
    found
}

#[track_caller]
pub fn passes(program: &Path, arguments: &[&Path]) {
    let ran = Command::new(program).args(arguments).current_dir(repository()).output().expect("it is installed");
    let [stdout, stderr] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(ran.status.success(), "{stdout}{stderr}");
}

#[test]
fn the_browser_compares_as_the_build_does() {
    let Some(node) = needed(node(), "the browser compares as the build does", "Node 20") else { return };
    passes(&node, &["tests/browser/verdicts.mjs".as_ref(), &Site::of_repository_built().path("public")]);
}

#[track_caller]
fn passes_in_chromium(test: &str, script: &str, site: &Site, only: &str) {
    let found = node().zip(chromium());
    let Some((node, chromium)) = needed(found, test, "Node 20, Chromium or playwright-core") else { return };
    passes(&node, &[script.as_ref(), &chromium, &site.path("public"), only.as_ref()]);
}

#[test]
fn scripts_do_what_they_promise_in_chromium() {
    passes_in_chromium("scripts do what they promise", "tests/browser/scripts.mjs", Site::of_repository_built(), "");
}

#[test]
fn pages_of_each_kind_are_sound_in_chromium() {
    passes_in_chromium("pages of each kind are sound", "tests/browser/pages.mjs", Site::of_repository_built(), "");
}

/// No dialog, no element of its own, nothing that the policy of a page had to stop.
#[test]
fn text_of_a_record_runs_in_no_browser() {
    let site = hostile::site_of(hostile::MARKUP);
    passes_in_chromium("text of a record never runs", "tests/browser/pages.mjs", &site, "under a base path");
}

/// Not its word on the policy of a page, whose `'self'` it takes for no address at all.
#[test]
fn all_pages_and_drawings_are_valid() {
    let found = installed(&["java"]).zip(package("vnu-jar/build/dist/vnu.jar"));
    let Some((java, vnu)) = needed(found, "all pages and drawings are valid", "Java or vnu-jar") else { return };
    let policy = ["--filterpattern".as_ref(), ".*Content Security Policy.*".as_ref()];
    let strict = ["--skip-non-html".as_ref(), "--also-check-svg".as_ref(), "--Werror".as_ref()];
    let site = Site::of_repository_built().path("public");
    passes(&java, &[&["-jar".as_ref(), vnu.as_path()], &policy[..], &strict, &[&site]].concat());
}

/// Bytes of the script of every page.
const SCRIPT: usize = 8_000;

#[test]
fn scripts_are_small_and_every_page_has_the_one() {
    let tree = Site::of_repository_built().published();
    let script = tree.with_ending(".js").find(|path| path.starts_with("assets/site-")).expect("it is published");
    assert!(tree.text(script).len() <= SCRIPT, "{script}: {} bytes", tree.text(script).len());
    let without: Vec<_> = tree.with_ending(".html").filter(|page| !tree.text(page).contains(script)).collect();
    assert_eq!(without, [""; 0]);
}

#[test]
fn scripts_ask_for_nothing_elsewhere_and_write_no_markup() {
    for name in ["site.js", "compare.js"] {
        let text = fs::read_to_string(repository().join("templates").join(name)).expect("it is there");
        for word in ["http:", "https:", "fetch(", "XMLHttpRequest", "innerHTML", "outerHTML", "eval(", "cookie"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
        // The choice of colours, and nothing else.
        assert_eq!(text.matches("localStorage").count(), usize::from(name == "site.js"), "{name}");
    }
}

#[test]
fn the_data_of_scripts_is_the_data_of_the_site() {
    let site = Site::of_repository_built();
    let json = |path: &str, global: &str| -> serde_json::Value {
        let text = site.read(path);
        let set = format!("window.{global} = ");
        let json = text.lines().find_map(|line| line.strip_prefix(&set)?.strip_suffix(';'));
        serde_json::from_str(json.expect(path)).expect(path)
    };
    let comparisons = json("public/data/comparisons.js", "comparisons");
    assert_eq!(comparisons, site.json("public/data/comparisons.json"));
    let metrics = comparisons["metrics"].as_object().expect("metrics by id");
    assert!(metrics.len() > 10 && metrics.values().all(|metric| !metric["clause"].is_null()), "each has its clause");
    let tree = site.published();
    let index = json("public/data/search.js", "searchIndex");
    let paths: Vec<_> =
        index.as_array().expect("a list").iter().map(|entry| entry[1].as_str().expect("a path")).collect();
    let dead: Vec<_> = paths.iter().filter(|path| !tree.has(path)).collect();
    assert!(dead.is_empty(), "{dead:?}");
    let records = site.json("public/data/index.json");
    let records = records.as_array().expect("a list").iter().filter_map(|record| record["html"].as_str());
    let lost: Vec<_> = records.filter(|page| !page.ends_with("/index.html") && !paths.contains(page)).collect();
    assert!(lost.is_empty(), "not found by the search: {lost:?}");
}
