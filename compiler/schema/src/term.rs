//! Terms: how an automaton of texts is made of patterns and formats. The process caches automata by their terms
//! ([`crate::leaf::shared`]).
//!
//! Schemas need the same patterns, formats and combinations of them again and again; a `oneOf` of `hostname`, `ipv4`
//! and `ipv6` alone takes tens of milliseconds.

use std::sync::Arc;

/// Bytes of patterns that a process caches at most, and as many bytes of combinations.
pub(crate) const MOST: usize = 16 << 20;

/// Bytes of a term without the texts of its patterns.
const NODE: usize = 64;

/// Cap on the parts of a term; larger terms are not cached.
const PARTS: usize = 16;

/// A combination of patterns and formats. Equal terms have equal languages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    node: Arc<TermNode>,
    /// The number of patterns and formats in the term.
    parts: usize,
    /// Memory of the term, in bytes.
    bytes: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum TermNode {
    /// A format, identified by the address of its automaton.
    Format(usize),
    /// A language with all strings of a format, and maybe some that the format rejects.
    Cover(&'static str),
    /// An unanchored pattern.
    Pattern(String),
    /// All text that is not in the part.
    Complement(Term),
    /// The texts in all parts.
    All(Vec<Term>),
    /// The texts of a part whose length in code points is within bounds.
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

    /// Makes the term of a format whose automaton stays at this address as long as the process runs.
    pub(crate) fn format(address: usize) -> Self {
        Self::leaf(TermNode::Format(address), 0)
    }

    /// Makes the term of the language that covers the format called `name`.
    pub(crate) fn cover(name: &'static str) -> Self {
        Self::leaf(TermNode::Cover(name), 0)
    }

    /// Makes the term of a pattern.
    pub(crate) fn pattern(text: &str) -> Self {
        Self::leaf(TermNode::Pattern(text.to_owned()), text.len())
    }

    /// Makes the term of the complement.
    pub(crate) fn complement(self) -> Option<Self> {
        let (parts, bytes) = (self.parts, self.bytes);
        Self::new(TermNode::Complement(self), parts, bytes)
    }

    /// Makes the term of the texts with a length in code points from `min` to `max`.
    pub(crate) fn with_length(self, min: u32, max: Option<u32>) -> Option<Self> {
        let (parts, bytes) = (self.parts, self.bytes);
        Self::new(TermNode::WithLength(self, min, max), parts, bytes)
    }

    /// Makes the term of the intersection; `None` if a part has no term.
    pub(crate) fn all(parts: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let parts: Vec<Self> = parts.into_iter().collect::<Option<_>>()?;
        let (count, bytes) = parts.iter().fold((0, 0), |(count, bytes), part| (count + part.parts, bytes + part.bytes));
        Self::new(TermNode::All(parts), count, bytes)
    }
}
