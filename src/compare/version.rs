//! Names and versions of engines: how they are told apart, and which version came first.

use std::cmp::Ordering;

/// `vllm` and `0.31.0` of `vllm 0.31.0 · kv bf16`; a name alone has no version.
pub fn name_and_version(engine: &str) -> (&str, Option<&str>) {
    let is_version = |word: &str| word.trim_start_matches(['v', 'b']).starts_with(|first: char| first.is_ascii_digit());
    let mut spaces = engine.match_indices(' ').map(|(at, _)| engine.split_at(at));
    let found = spaces.find(|(_, after)| after.split_whitespace().next().is_some_and(is_version));
    found.map_or((engine.trim(), None), |(name, after)| (name.trim(), after.split_whitespace().next()))
}

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

    #[test]
    fn an_engine_is_a_name_and_maybe_a_version() {
        for (text, name, version) in [
            ("vllm", "vllm", None),
            ("vllm 0.31.0 · kv bf16", "vllm", Some("0.31.0")),
            ("llama.cpp b10488", "llama.cpp", Some("b10488")),
            ("TensorRT-LLM v0.20.0", "TensorRT-LLM", Some("v0.20.0")),
            ("3fs", "3fs", None),
            ("SGLang with HiCache", "SGLang with HiCache", None),
        ] {
            assert_eq!(name_and_version(text), (name, version), "{text}");
        }
    }
}
