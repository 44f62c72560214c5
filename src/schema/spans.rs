//! Byte spans of every key and value of a file, found by JSON pointer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::SourceText;

/// Where each value of a document stands in its text.
///
/// One flat list, since ten thousand records are held at once: the children of a value stand
/// next to each other in the order of the text, and the root stands last.
#[derive(Debug)]
pub struct Spans {
    text: Arc<SourceText>,
    nodes: Box<[Node]>,
    /// Names of keys whose text is written otherwise, as with escapes; by node.
    names: BTreeMap<u32, Box<str>>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    key: Option<Span>,
    value: Span,
    first_child: u32,
    children: u32,
}

/// A byte range; files are limited to far less than 4 GiB.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    length: u32,
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let start = narrow(range.start);
        Span { start, length: narrow(range.end).saturating_sub(start) }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        let start = span.start as usize;
        start..start + span.length as usize
    }
}

impl Spans {
    /// The span of the value at a pointer.
    pub fn value(&self, pointer: &str) -> Option<Range<usize>> {
        self.find(pointer).map(|node| node.value.into())
    }

    /// The span of the key that the value at a pointer stands under, without quotation marks.
    pub fn key(&self, pointer: &str) -> Option<Range<usize>> {
        self.find(pointer)?.key.map(Range::from)
    }

    /// The span of the value at a pointer, else of the nearest value above it.
    pub fn nearest(&self, pointer: &str) -> Range<usize> {
        let (Ok(node) | Err(node)) = self.descend(pointer);
        node.value.into()
    }

    /// The value as it is written: `8.40` stays `8.40`, text keeps its quotation marks.
    pub fn written(&self, pointer: &str) -> Option<&str> {
        self.text.text.get(self.value(pointer)?)
    }

    /// Pointers and texts of all values that hold no others, in the order of the text.
    pub fn leaves(&self) -> Vec<(String, &str)> {
        let mut leaves = Vec::new();
        if let Some(root) = self.nodes.last() {
            self.collect_leaves(*root, String::new(), &mut leaves);
        }
        leaves
    }

    fn collect_leaves<'a>(&'a self, node: Node, pointer: String, leaves: &mut Vec<(String, &'a str)>) {
        if node.children == 0 {
            leaves.extend(self.text.text.get(Range::from(node.value)).map(|text| (pointer, text)));
            return;
        }
        for (position, child) in children(node).enumerate() {
            let pointer = match self.name(child) {
                Some(name) => joined(&pointer, name),
                None => joined(&pointer, &position.to_string()),
            };
            self.collect_leaves(self.node(child), pointer, leaves);
        }
    }

    /// The span of the first key within the value at a pointer.
    pub(super) fn first_key(&self, pointer: &str) -> Option<Range<usize>> {
        let first = children(self.find(pointer)?).next()?;
        self.node(first).key.map(Range::from)
    }

    fn find(&self, pointer: &str) -> Option<Node> {
        self.descend(pointer).ok()
    }

    /// The node at a pointer; else the last one on the way.
    fn descend(&self, pointer: &str) -> Result<Node, Node> {
        let root = self.nodes[self.nodes.len() - 1];
        pointer.split('/').skip(1).try_fold(root, |node, token| self.child(node, &unescaped(token)).ok_or(node))
    }

    fn child(&self, parent: Node, token: &str) -> Option<Node> {
        let mut children = children(parent);
        let first = children.clone().next()?;
        let child = match self.node(first).key {
            None => children.nth(token.parse().ok()?),
            // Of equal keys the last one gives the value.
            Some(_) => children.rev().find(|child| self.name(*child) == Some(token)),
        };
        child.map(|child| self.node(child))
    }

    fn name(&self, node: u32) -> Option<&str> {
        match self.names.get(&node) {
            Some(name) => Some(name),
            None => self.text.text.get(Range::from(self.node(node).key?)),
        }
    }

    fn node(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }
}

fn children(parent: Node) -> Range<u32> {
    parent.first_child..parent.first_child + parent.children
}

/// A pointer one step longer.
pub(super) fn joined(pointer: &str, token: &str) -> String {
    format!("{pointer}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// A token of a pointer as the name that it stands for.
pub(super) fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Two keys of one object with one name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Duplicate {
    pub name: String,
    pub pointer: String,
    pub first: Range<usize>,
    pub second: Range<usize>,
}

/// Builds [`Spans`] while a file is read from front to back.
pub(super) struct Builder<'t> {
    text: &'t str,
    placed: Vec<Node>,
    names: BTreeMap<u32, Box<str>>,
    /// Values that are complete while their parent is not.
    waiting: Vec<Named<'t>>,
    open: Vec<Open<'t>>,
    key: Option<Key<'t>>,
    pub duplicates: Vec<Duplicate>,
}

struct Key<'t> {
    span: Span,
    name: Cow<'t, str>,
}

struct Named<'t> {
    node: Node,
    name: Option<Cow<'t, str>>,
}

struct Open<'t> {
    key: Option<Key<'t>>,
    start: usize,
    /// Length of `waiting` when it was opened.
    waiting: usize,
}

impl<'t> Builder<'t> {
    pub fn new(text: &'t str) -> Self {
        let (placed, waiting, open, duplicates) = Default::default();
        Builder { text, placed, names: BTreeMap::new(), waiting, open, key: None, duplicates }
    }

    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The key of the next value.
    pub fn key(&mut self, span: Range<usize>, name: impl Into<Cow<'t, str>>) {
        self.key = Some(Key { span: span.into(), name: name.into() });
    }

    pub fn scalar(&mut self, span: Range<usize>) {
        let key = self.key.take();
        self.wait(key, Node { key: None, value: span.into(), first_child: 0, children: 0 });
    }

    /// Opens an object or a list.
    pub fn open(&mut self, start: usize) {
        self.open.push(Open { key: self.key.take(), start, waiting: self.waiting.len() });
    }

    /// Where the last value of the container that is open ends.
    pub fn end_of_last(&self) -> Option<usize> {
        let last = self.waiting.get(self.open.last()?.waiting..)?.last()?;
        Some(Range::from(last.node.value).end)
    }

    /// Closes what was opened last.
    pub fn close(&mut self, end: usize) {
        let Some(open) = self.open.pop() else { return };
        self.find_duplicates(&open);
        let index = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let first_child = index(self.placed.len());
        for child in self.waiting.drain(open.waiting..) {
            if let Some(name) = child.name {
                let written = child.node.key.and_then(|key| self.text.get(Range::from(key)));
                if written != Some(&name) {
                    self.names.insert(index(self.placed.len()), name.into());
                }
            }
            self.placed.push(child.node);
        }
        let children = index(self.placed.len()) - first_child;
        self.wait(open.key, Node { key: None, value: (open.start..end).into(), first_child, children });
    }

    /// The spans, once the root is complete.
    pub fn finish(mut self, text: &Arc<SourceText>) -> Spans {
        let root = self.waiting.pop().map(|root| root.node);
        let nothing = Node { key: None, value: (0..0).into(), first_child: 0, children: 0 };
        self.placed.push(root.unwrap_or(nothing));
        Spans { text: Arc::clone(text), nodes: self.placed.into_boxed_slice(), names: self.names }
    }

    fn wait(&mut self, key: Option<Key<'t>>, node: Node) {
        let (key, name) = key.map(|key| (key.span, key.name)).unzip();
        self.waiting.push(Named { node: Node { key, ..node }, name });
    }

    fn find_duplicates(&mut self, closing: &Open<'t>) {
        let mut keys: Vec<(&str, Span)> = self.waiting[closing.waiting..]
            .iter()
            .filter_map(|child| Some((child.name.as_deref()?, child.node.key?)))
            .collect();
        keys.sort_by_key(|(name, span)| (*name, span.start));
        let pairs = keys.windows(2).filter_map(|pair| match pair {
            [(one, first), (other, second)] if one == other => Some((*one, *first, *second)),
            _ => None,
        });
        let found: Vec<Duplicate> = pairs
            .map(|(name, first, second)| Duplicate {
                name: name.to_owned(),
                pointer: joined(&self.pointer(closing), name),
                first: first.into(),
                second: second.into(),
            })
            .collect();
        self.duplicates.extend(found);
    }

    /// The pointer of a container whose parents are all still open.
    fn pointer(&self, closing: &Open<'t>) -> String {
        let mut pointer = String::new();
        let mut siblings_from = 0;
        for (depth, open) in self.open.iter().chain([closing]).enumerate() {
            match &open.key {
                Some(key) => pointer = joined(&pointer, &key.name),
                None if depth == 0 => {}
                None => pointer = joined(&pointer, &(open.waiting - siblings_from).to_string()),
            }
            siblings_from = open.waiting;
        }
        pointer
    }
}
