//! What the program is made of may be passed on freely.

use std::process::Command;

use crate::program::repository;

const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[test]
fn every_crate_in_the_program_has_a_permissive_licence() {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"]);
    let output = tree.args(["--format", "{p}|{l}"]).current_dir(repository()).output().expect("cargo runs the tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let crates = String::from_utf8(output.stdout).expect("cargo prints UTF-8");
    let refused: Vec<&str> = crates
        .lines()
        .filter(|line| line.split_once('|').is_some_and(|(_, licence)| !permissive(licence.trim_end_matches(" (*)"))))
        .collect();
    assert!(crates.lines().count() > 50);
    assert!(refused.is_empty(), "{refused:#?}");
}

/// Tools of the tests, no part of which is in the program or on a page. That axe-core, which judges the pages, is under
/// the MPL-2.0 is accepted: it is run as it is published, and not passed on.
#[test]
fn every_package_of_the_browser_tests_has_a_permissive_licence_and_no_address() {
    let lock = std::fs::read_to_string(repository().join("tests/browser/package-lock.json")).expect("it is there");
    assert!(!lock.contains("://") && !lock.contains("resolved"), "where packages come from is the installer's to know");
    let lock: serde_json::Value = serde_json::from_str(&lock).expect("it is JSON");
    let packages = lock["packages"].as_object().expect("packages by path");
    assert!(packages.len() > 3);
    for (path, package) in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        let accepted = path == "node_modules/axe-core" && licence == "MPL-2.0";
        assert!(accepted || permissive(licence), "{path}: {licence}");
        assert!(path.is_empty() || package["integrity"].is_string(), "{path} could be another one");
    }
}

/// Whether each part joined by `AND` offers a licence of the list.
fn permissive(expression: &str) -> bool {
    let offers = |part: &str| {
        let part = part.trim_matches(['(', ')', ' ']);
        part.split(" OR ").flat_map(|part| part.split('/')).any(|licence| ALLOWED.contains(&licence.trim()))
    };
    expression.split(" AND ").all(offers)
}

#[test]
fn expressions_are_read() {
    for expression in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(permissive(expression), "{expression}");
    }
    for expression in ["", "GPL-3.0", "MIT AND GPL-3.0", "MPL-2.0"] {
        assert!(!permissive(expression), "{expression}");
    }
}
