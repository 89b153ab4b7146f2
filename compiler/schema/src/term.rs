//! Terms: the patterns and formats that an automaton of texts is made of. The process keeps automata by their terms ([`crate::leaf::shared`]).
//!
//! Schemas ask for the same patterns, formats and combinations of them again and again: `oneOf` of `hostname`, `ipv4` and
//! `ipv6` alone takes tens of milliseconds.

use std::sync::Arc;

/// The most bytes of patterns, and of combinations, that a process keeps.
pub(crate) const MOST: usize = 16 << 20;

/// Memory of a term beside texts of patterns, in bytes.
const NODE: usize = 64;

/// The most parts of a term: larger ones are not kept.
const PARTS: usize = 16;

/// Patterns and formats, and how they are combined. Equal terms have equal languages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    node: Arc<TermNode>,
    /// The number of patterns and formats in it.
    parts: usize,
    /// Memory of the term, in bytes.
    bytes: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum TermNode {
    /// A format, by the address of its automaton.
    Format(usize),
    /// All strings of a format, and maybe some that it refuses.
    Cover(&'static str),
    /// An unanchored pattern.
    Pattern(String),
    /// All text of the part is left out.
    Complement(Term),
    /// The texts of all parts.
    All(Vec<Term>),
    /// The texts of a part with so many code points.
    WithLength(Term, u32, Option<u32>),
}

impl Term {
    fn new(node: TermNode, parts: usize, bytes: usize) -> Option<Self> {
        (parts <= PARTS).then(|| Self { bytes: bytes + NODE, node: Arc::new(node), parts })
    }

    fn leaf(node: TermNode, bytes: usize) -> Self {
        Self { node: Arc::new(node), parts: 1, bytes: bytes + NODE }
    }

    /// Returns the memory of the term, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The language of a format whose automaton lies at an address for as long as the process runs.
    pub(crate) fn format(address: usize) -> Self {
        Self::leaf(TermNode::Format(address), 0)
    }

    /// The language that has all strings of the format called `name`.
    pub(crate) fn cover(name: &'static str) -> Self {
        Self::leaf(TermNode::Cover(name), 0)
    }

    /// The language of a pattern.
    pub(crate) fn pattern(text: &str) -> Self {
        Self::leaf(TermNode::Pattern(text.to_owned()), text.len())
    }

    /// The texts that are not in a term.
    pub(crate) fn complement(self) -> Option<Self> {
        let (parts, bytes) = (self.parts, self.bytes);
        Self::new(TermNode::Complement(self), parts, bytes)
    }

    /// The texts of so many code points.
    pub(crate) fn with_length(self, min: u32, max: Option<u32>) -> Option<Self> {
        let (parts, bytes) = (self.parts, self.bytes);
        Self::new(TermNode::WithLength(self, min, max), parts, bytes)
    }

    /// The texts of all parts; `None` if one is no term.
    pub(crate) fn all(parts: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let parts: Vec<Self> = parts.into_iter().collect::<Option<_>>()?;
        let (count, bytes) = parts.iter().fold((0, 0), |(count, bytes), part| (count + part.parts, bytes + part.bytes));
        Self::new(TermNode::All(parts), count, bytes)
    }
}
