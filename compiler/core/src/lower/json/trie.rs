//! The keys of one object: a trie over an automaton of all other keys, with the keys that are still possible at each
//! node.

use std::borrow::Cow;
use std::sync::OnceLock;

use ogc_regular::{Dfa, Edge, budget};

use crate::lower::automaton_bytes;

/// The meaning of a complete key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelled {
    /// A declared key: the index of the first key of that name, and the number of keys with the name.
    Declared(u32, u32),
    /// An undeclared key, with its class.
    Extra(u32),
}

/// The meaning of the key that a trie node spells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// No distinguished key.
    Other,
    /// A declared key: the index of the first key of that name, and the number of keys with the name.
    Declared(u32, u32),
    /// A key that must not be present.
    Forbidden,
}

/// A node of the trie: a prefix of the named keys.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The children by byte, ascending.
    pub(super) children: Vec<(u8, u32)>,
    pub(super) name: Name,
    /// The state after this prefix in the automaton of other keys, if there is one.
    pub(super) base: Option<u32>,
    /// The number of declared keys at or below this node.
    pub(super) below: u32,
    /// Whether an undeclared key is still possible.
    pub(super) extra: bool,
}

/// The automaton of all unnamed keys.
#[derive(Clone, Debug)]
pub(super) struct Base<'a> {
    /// Transitions per state; empty if no other key is possible.
    pub(super) edges: Cow<'a, [Vec<Edge>]>,
    /// Per state: the class of a key that ends there.
    pub(super) class: Vec<Option<u32>>,
    /// Per state: whether the end of a key is reachable.
    pub(super) alive: Vec<bool>,
}

impl<'a> Base<'a> {
    /// Makes the automaton without keys.
    pub(super) fn closed() -> Self {
        Self { edges: Cow::Borrowed(&[]), class: Vec::new(), alive: Vec::new() }
    }

    /// Makes the automaton of all keys, in class 0.
    pub(super) fn any() -> Self {
        static ANY: OnceLock<Vec<Vec<Edge>>> = OnceLock::new();
        let edges = ANY.get_or_init(|| Dfa::any_text().states().iter().map(|state| state.edges.clone()).collect());
        let class = (0..edges.len()).map(|at| (at == 0).then_some(0)).collect();
        Self { edges: Cow::Borrowed(edges), class, alive: vec![true; edges.len()] }
    }

    /// Makes an automaton of keys of several classes; no key may end in a state with `None`.
    pub(super) fn classes(edges: &'a [Vec<Edge>], class: Vec<Option<u32>>) -> Self {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
        for (from, edges) in (0..).zip(edges) {
            edges.iter().for_each(|edge| before[edge.to.index()].push(from));
        }
        let mut alive = vec![false; edges.len()];
        let mut open: Vec<usize> = (0..class.len()).filter(|&at| class[at].is_some()).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut alive[at], true) {
                open.extend(before[at].iter().map(|&from| from as usize));
            }
        }
        Self { edges: Cow::Borrowed(edges), class, alive }
    }

    fn step(&self, at: u32, byte: u8) -> Option<u32> {
        let edges = self.edges.get(at as usize)?;
        edges.iter().find(|edge| edge.lo <= byte && byte <= edge.hi).map(|edge| edge.to.0)
    }
}

/// Initial capacity in nodes, enough for most objects.
const USUAL: usize = 64;

/// The keys of one object.
#[derive(Clone, Debug)]
pub(super) struct Keys<'a> {
    /// The nodes, parents before children; the root is first.
    pub(super) nodes: Vec<Node>,
    pub(super) base: Base<'a>,
}

impl<'a> Keys<'a> {
    /// Builds the trie of `names` over the automaton of other keys.
    pub(super) fn new<'n>(names: impl Iterator<Item = (&'n str, Name)>, base: Base<'a>) -> Self {
        let root = (!base.edges.is_empty()).then_some(0);
        let mut keys = Self { nodes: Vec::with_capacity(USUAL), base };
        keys.push(root);
        for (name, kind) in names {
            // If the budget is used up, the keys are discarded anyway.
            if budget::exhausted() {
                break;
            }
            keys.insert(name, kind);
        }
        keys.settle();
        keys
    }

    /// Returns whether some key is possible.
    pub(super) fn alive(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.below > 0 || root.extra)
    }

    /// Returns whether some undeclared key is possible.
    pub(super) fn has_extra(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.extra)
    }

    fn push(&mut self, base: Option<u32>) -> u32 {
        let _ = budget::work(1).and(automaton_bytes(1, 2));
        self.nodes.push(Node { children: Vec::new(), name: Name::Other, base, below: 0, extra: false });
        self.nodes.len() as u32 - 1
    }

    fn insert(&mut self, name: &str, kind: Name) {
        let mut at = 0;
        for &byte in name.as_bytes() {
            at = match self.nodes[at].children.binary_search_by_key(&byte, |child| child.0) {
                Ok(found) => self.nodes[at].children[found].1 as usize,
                Err(slot) => {
                    let base = self.nodes[at].base.and_then(|base| self.base.step(base, byte));
                    let child = self.push(base);
                    self.nodes[at].children.insert(slot, (byte, child));
                    child as usize
                }
            };
        }
        self.nodes[at].name = kind;
    }

    /// Counts the declared keys at or below each node, children first.
    fn settle(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let children = || node.children.iter().map(|&(_, child)| &self.nodes[child as usize]);
            let below =
                children().map(|child| child.below).sum::<u32>() + u32::from(matches!(node.name, Name::Declared(..)));
            let extra = children().any(|child| child.extra) || self.ends(node).is_some() || self.leaves(node);
            self.nodes[at].below = below;
            self.nodes[at].extra = extra;
        }
    }

    /// Returns the class of the undeclared key that a node spells.
    pub(super) fn ends(&self, node: &Node) -> Option<u32> {
        let base = node.base.filter(|_| node.name == Name::Other)?;
        self.base.class.get(base as usize).copied().flatten()
    }

    /// Returns whether some byte leads out of the trie to an undeclared key.
    fn leaves(&self, node: &Node) -> bool {
        let Some(base) = node.base else { return false };
        // Each child takes one byte, so an edge with more bytes than it has children leads out.
        let alive = self.base.edges[base as usize].iter().filter(|edge| self.base.alive[edge.to.index()]);
        let bytes: usize = alive.clone().map(|edge| usize::from(edge.hi - edge.lo) + 1).sum();
        bytes > node.children.len() || self.exits(node, base).next().is_some()
    }

    /// Returns the byte ranges that lead out of the trie, with the state in the automaton of other keys.
    pub(super) fn exits<'k>(&'k self, node: &'k Node, base: u32) -> impl Iterator<Item = (u8, u8, u32)> + 'k {
        let alive = self.base.edges[base as usize].iter().filter(|edge| self.base.alive[edge.to.index()]);
        alive.flat_map(|edge| without(edge.lo, edge.hi, &node.children).map(|(lo, hi)| (lo, hi, edge.to.0)))
    }

    /// Returns the declared keys at or below a node, ascending.
    pub(super) fn declared_below(&self, at: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            if let Name::Declared(key, options) = node.name {
                found.extend(key..key + options);
            }
            open.extend(
                node.children
                    .iter()
                    .filter(|(_, child)| self.nodes[*child as usize].below > 0)
                    .map(|(_, child)| *child),
            );
        }
        found.sort_unstable();
        found
    }
}

/// Returns the parts of `lo..=hi` between the bytes of the children.
fn without(lo: u8, hi: u8, children: &[(u8, u32)]) -> impl Iterator<Item = (u8, u8)> {
    // Children are ascending.
    let first = children.partition_point(|child| child.0 < lo);
    let last = children.partition_point(|child| child.0 <= hi);
    let inside = children[first..last].iter().map(|child| u16::from(child.0));
    let ends = inside.clone().chain([u16::from(hi) + 1]);
    let starts = [u16::from(lo)].into_iter().chain(inside.map(|byte| byte + 1));
    starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| (start as u8, (end - 1) as u8))
}
