//! What the class of an architecture sets for keys that a config does not have: a part of a config may leave out what
//! equals it, and a whole config what is no size.
//!
//! `defaults.txt` has a line for each architecture, read from the configuration classes of transformers 4.57.1 and
//! 5.24.0, which agree where both have the class; that of `mimo` is made of Qwen2's. A `?` is of a key that must be there:
//! no class was read, or, as for the head width of `qwen3_moe`, what the class derives is not what published models have.
//! What a class derives from other values is in the readers.

const CLASSES: &str = include_str!("defaults.txt");

/// What stands in for a key that is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usual {
    Whole(u64),
    Flag(bool),
    Word(&'static str),
    NotKnown,
}

/// The keys that the class of an architecture sets.
pub fn of(architecture: &str) -> Vec<(&'static str, Usual)> {
    let line = CLASSES.lines().filter_map(|line| line.split_once(": ")).find(|(name, _)| *name == architecture);
    let keys = line.into_iter().flat_map(|(_, keys)| keys.split(' '));
    keys.filter_map(|key| key.split_once('=')).map(|(key, value)| (key, usual(value))).collect()
}

fn usual(value: &'static str) -> Usual {
    match value {
        "true" => Usual::Flag(true),
        "false" => Usual::Flag(false),
        "?" => Usual::NotKnown,
        _ => value.parse().map_or(Usual::Word(value), Usual::Whole),
    }
}

#[cfg(test)]
pub fn architectures() -> impl Iterator<Item = &'static str> {
    CLASSES.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name)
}
