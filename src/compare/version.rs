//! Versions of engines: which came first.

use std::cmp::Ordering;

/// Which of two versions came first: numbers count as numbers, and what leads up to a release stands before it:
/// `0.9.2`, `0.10.0.dev3`, `0.10.0rc1`, `0.10.0`, `0.10.0.post1`, `0.10.1`.
pub fn order(one: &str, other: &str) -> Ordering {
    let (one, other) = (parts(one), parts(other));
    one.cmp(&other)
}

/// In the order in which they stand where one version goes on and the other is at its end.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VersionPart<'a> {
    /// A word that leads up to a release.
    Before(Stage),
    End,
    Word(&'a str),
    Number(u64),
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Dev,
    Alpha,
    Beta,
    Candidate,
}

fn parts(version: &str) -> Vec<VersionPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = version.trim().trim_start_matches('v');
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        if first.is_ascii_digit() {
            parts.push(run.parse().map_or(VersionPart::Word(run), VersionPart::Number));
        } else if first.is_alphabetic() {
            parts.push(match run {
                "dev" => VersionPart::Before(Stage::Dev),
                "a" | "alpha" => VersionPart::Before(Stage::Alpha),
                "b" | "beta" => VersionPart::Before(Stage::Beta),
                "rc" | "c" | "preview" => VersionPart::Before(Stage::Candidate),
                word => VersionPart::Word(word),
            });
        }
    }
    parts.push(VersionPart::End);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_the_order_of_their_releases() {
        for versions in [
            &["0.9", "0.10", "0.10.1rc1", "0.10.1"][..],
            &["0.9.2", "0.10.0rc1", "0.10.0", "0.31.0"],
            &["0.10.0.dev3", "0.10.0a1", "0.10.0b2", "0.10.0rc1", "0.10.0", "0.10.0.post1", "0.10.1"],
            &["b999", "b6865 (1c1409e1)"],
            &["v1.2", "1.10"],
        ] {
            let mut sorted: Vec<_> = versions.iter().rev().copied().collect();
            sorted.sort_by(|one, other| order(one, other));
            assert_eq!(sorted, versions);
        }
    }
}
