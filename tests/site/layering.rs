//! The order of the modules, what the output may not know of, and the map of the tree hold.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::repository;
use crate::tree;

/// A module uses only those above it; the program's own `cli` uses the library from outside.
const ORDER: [&str; 18] = [
    "diagnostic",
    "anchor",
    "quantity",
    "source",
    "schema",
    "markdown",
    "metric",
    "record",
    "catalog",
    "compare",
    "formula",
    "figures",
    "route",
    "chart",
    "export",
    "page",
    "output",
    "import",
];

struct Source {
    /// The module right under `src/`.
    module: String,
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let src = repository().join("src");
    let files = tree::Tree::of(&src).files.into_iter().filter(|(path, _)| path.ends_with(".rs"));
    let sources: Vec<Source> = files
        .map(|(path, bytes)| Source {
            module: path.split(['/', '.']).next().expect("a path has a start").to_owned(),
            text: String::from_utf8(bytes).expect("sources are UTF-8"),
            path: src.join(path),
        })
        .collect();
    // A module that is declared for tests only is no code of the program.
    let tests: Vec<String> = sources
        .iter()
        .flat_map(|source| source.text.split("#[cfg(test)]\nmod ").skip(1))
        .filter_map(|rest| rest.split_once(';').map(|(name, _)| name.to_owned()))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .collect();
    let is_test = |source: &Source| {
        let path = source.path.strip_prefix(&src).expect("below it").with_extension("");
        path.components().any(|part| tests.iter().any(|test| part.as_os_str() == test.as_str()))
    };
    sources.into_iter().filter(|source| !is_test(source)).collect()
}

/// `crate::a::B` uses `a`, and `crate::{a, b::C}` uses `a` and `b`.
fn modules_used(line: &str) -> Vec<&str> {
    line.split("crate::")
        .skip(1)
        .flat_map(|used| match used.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![used],
        })
        .map(|used| used.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        .filter(|used| !used.is_empty())
        .collect()
}

/// The lines of a source that are code, without its tests at the end.
fn code(source: &Source) -> impl Iterator<Item = &str> {
    let lines = source.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    lines.map(|line| line.split("//").next().unwrap_or_default())
}

#[test]
fn a_module_uses_only_those_above_it() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some(own) = ORDER.iter().position(|module| *module == source.module) else { continue };
        for line in code(&source) {
            for used in modules_used(line) {
                match ORDER.iter().position(|module| *module == used) {
                    Some(place) if place <= own => {}
                    Some(_) => faults.push(format!("{}: {} uses {used}", source.path.display(), source.module)),
                    None => faults.push(format!("{}: `{}` names no module", source.path.display(), line.trim())),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_has_its_place_in_the_order() {
    let others = ["lib", "main", "cli", "explain", "summary"];
    for source in sources() {
        let known = ORDER.contains(&source.module.as_str()) || others.contains(&source.module.as_str());
        assert!(known, "{} is in no place of the order", source.module);
    }
}

#[test]
fn nothing_of_the_machine_reaches_the_output() {
    for source in sources().iter().filter(|source| !["cli", "main"].contains(&source.module.as_str())) {
        for line in code(source) {
            let words = [
                "HashMap",
                "HashSet",
                "SystemTime",
                "Instant::",
                "Zoned",
                "Timestamp::now",
                "std::net",
                "std::process",
                "env::var",
            ];
            let found = words.iter().find(|word| line.contains(**word));
            assert!(found.is_none(), "{}: {}", source.path.display(), line.trim());
        }
    }
}

#[test]
fn no_file_is_long() {
    for source in sources() {
        let lines = source.text.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", source.path.display());
    }
}

#[test]
fn every_file_says_what_it_is() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{}", source.path.display());
    }
}

/// Paths in `code` style lead somewhere; `<kind>` stands for any.
#[test]
fn every_path_in_the_documents_is_there() {
    let starts = ["src/", "content/", "schemas/", "templates/", "static/", "tests/", ".ci/", ".github/"];
    for document in ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(repository().join(document)).expect("the document is there");
        let quoted = text.split('`').skip(1).step_by(2).filter(|quoted| !quoted.contains([' ', '\n']));
        let paths = quoted.filter(|quoted| starts.iter().any(|start| quoted.starts_with(start)));
        let lost: Vec<&str> = paths.filter(|path| !is_there(path)).collect();
        assert!(lost.is_empty(), "{document}: not there: {lost:?}");
    }
}

fn is_there(path: &str) -> bool {
    let part = path.split(['<', '*', '…']).next().unwrap_or_default();
    let known =
        if part.len() < path.len() { Path::new(part).parent().unwrap_or(Path::new(part)) } else { Path::new(part) };
    let known = repository().join(known);
    known.exists() || known.with_extension("rs").exists()
}
