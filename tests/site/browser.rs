//! What scripts do, in Node and in Chromium, on the repository's own site opened from disk.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::program::{Site, repository, skip};

/// A program by the first of its names that is installed.
pub fn installed(names: &[&str]) -> Option<PathBuf> {
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

#[track_caller]
pub fn passes(node: &Path, script: &str, arguments: &[&Path]) {
    let ran = Command::new(node).arg(repository().join("tests/browser").join(script)).args(arguments).output();
    let ran = ran.expect("node is installed");
    let [stdout, stderr] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(ran.status.success(), "{stdout}{stderr}");
}

#[test]
fn the_browser_compares_as_the_build_does() {
    let Some(node) = node() else { return skip("the_browser_compares_as_the_build_does", "no Node 20 is installed") };
    passes(&node, "verdicts.mjs", &[&Site::of_repository_built().path("public")]);
}

#[test]
fn scripts_do_what_they_promise_in_chromium() {
    let browser = installed(&["chromium", "chromium-browser", "google-chrome"]);
    let (Some(node), Some(browser)) = (node(), browser) else {
        return skip("scripts_do_what_they_promise_in_chromium", "Node 20 and Chromium are not installed");
    };
    passes(&node, "scripts.mjs", &[&browser, &Site::of_repository_built().path("public")]);
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
        for word in
            ["http:", "https:", "fetch(", "XMLHttpRequest", "innerHTML", "outerHTML", "eval(", "localStorage", "cookie"]
        {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn the_data_of_scripts_is_the_data_of_the_site() {
    let site = Site::of_repository_built();
    let json = |path: &str, global: &str| -> serde_json::Value {
        let text = site.read(path);
        let json = text.strip_prefix(&format!("window.{global} = ")).and_then(|text| text.strip_suffix(";\n"));
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
