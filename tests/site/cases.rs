//! Folders under `tests/cases/`: content in, files and messages out, compared exactly.
//!
//! `REWRITE=1` writes what came out over what was expected.

use std::path::Path;
use std::{env, fs};

use crate::listing::listing;
use crate::program::{Site, repository};
use crate::tree::{self, Tree};

#[test]
fn every_case_comes_out_as_written() {
    let folder = repository().join("tests/cases");
    let names = tree::names(&folder);
    let rewrite = env::var_os("REWRITE").is_some();
    let faults: Vec<String> = names.iter().flat_map(|name| run(&folder.join(name), rewrite)).collect();
    assert!(!names.is_empty());
    assert!(faults.is_empty(), "{}\n(REWRITE=1 accepts what came out)", faults.join("\n"));
}

/// Runs one case and says what differs.
fn run(case: &Path, rewrite: bool) -> Vec<String> {
    let site = Site::new();
    for part in ["content", "static", "site.toml"] {
        let from = case.join(part);
        if from.exists() {
            tree::copy(&from, &site.path(part));
        }
    }
    let arguments = read(&case.join("args")).unwrap_or_else(|| "build".to_owned());
    let outcome = site.ask(&arguments.split_whitespace().collect::<Vec<_>>());
    let exit = outcome.exit.map_or_else(|| "signal".to_owned(), |code| code.to_string());

    let mut wanted =
        vec![Text { file: "exit", usual: "0", found: exit }, Text { file: "stderr", usual: "", found: outcome.stderr }];
    if case.join("stdout").exists() {
        wanted.push(Text { file: "stdout", usual: "", found: outcome.stdout });
    }
    if case.join("figures").exists() {
        wanted.push(Text { file: "figures", usual: "", found: listing(&site.published()) });
    }
    if rewrite {
        wanted.iter().for_each(|text| text.rewrite(case));
        rewrite_expected(&case.join("expected"), &published(&site));
    }
    let faults = wanted.iter().filter_map(|text| text.fault(case));
    let files = Tree::of(&case.join("expected")).files;
    let published = published(&site);
    let files = files.iter().filter_map(|(path, bytes)| match published.files.get(path) {
        None => Some(format!("expected/{path} was not published")),
        Some(found) if found != bytes => Some(format!("expected/{path}: {}", first_difference(bytes, found))),
        Some(_) => None,
    });
    let name = case.file_name().expect("a case has a name").to_string_lossy();
    faults.chain(files).map(|fault| format!("--- {name}: {fault}")).collect()
}

/// A text that a file of the case states, or that is as usual where there is no such file.
struct Text {
    file: &'static str,
    usual: &'static str,
    found: String,
}

impl Text {
    fn fault(&self, case: &Path) -> Option<String> {
        let expected = read(&case.join(self.file)).unwrap_or_else(|| self.usual.to_owned());
        let differs = expected.trim_end() != self.found.trim_end();
        differs.then(|| format!("{} expected:\n{expected}\nfound:\n{}", self.file, self.found))
    }

    fn rewrite(&self, case: &Path) {
        let file = case.join(self.file);
        if self.found.trim_end() == self.usual {
            let _ = fs::remove_file(file);
        } else {
            fs::write(file, format!("{}\n", self.found.trim_end())).expect("the repository is writable");
        }
    }
}

/// The published files, with the digests in the names of style and script blanked: a change of them is no change of these.
fn published(site: &Site) -> Tree {
    const NAMES: [&[u8]; 3] = [b"assets/style-", b"assets/site-", b"assets/compare-"];
    let mut tree = site.published();
    for bytes in tree.files.values_mut() {
        for at in 0..bytes.len() {
            if let Some(name) = NAMES.iter().find(|name| bytes[at..].starts_with(name)) {
                let digest = at + name.len();
                let end = bytes.len().min(digest + 8);
                bytes[digest..end].fill(b'0');
            }
        }
    }
    tree
}

fn first_difference(expected: &[u8], found: &[u8]) -> String {
    let [expected, found] = [expected, found].map(String::from_utf8_lossy);
    let (mut expected, mut found) = (expected.lines(), found.lines());
    for number in 1.. {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (one, other) if one == other => {}
            (one, other) => {
                let [one, other] = [one, other].map(|line| line.unwrap_or("nothing"));
                return format!("line {number}, expected:\n{one}\nfound:\n{other}");
            }
        }
    }
    "the end of a line or of the file differs".to_owned()
}

fn rewrite_expected(expected: &Path, published: &Tree) {
    for path in Tree::of(expected).files.keys() {
        let file = expected.join(path);
        match published.files.get(path) {
            Some(bytes) => fs::write(file, bytes).expect("the repository is writable"),
            None => fs::remove_file(file).expect("the repository is writable"),
        }
    }
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}
