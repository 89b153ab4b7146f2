//! The syntax tree of a pattern. Names, greediness and group numbers are left out, as they do not change the language.

use crate::charset::CharSet;

/// Byte offsets into the pattern.
pub type Span = std::ops::Range<usize>;

/// Index into [`Pattern::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// Index into [`Pattern::halves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfId(pub(crate) u32);

/// A parsed pattern, and the character sets that it uses, each once.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) root: Node,
    pub(crate) sets: Vec<CharSet>,
    /// Halves of surrogate pairs that the pattern spells.
    pub(crate) halves: Vec<Half>,
}

/// A set of surrogate halves, all high or all low, that a pattern spells on their own.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub(crate) is_high: bool,
    pub(crate) ranges: Vec<(u32, u32)>,
    pub(crate) ignores_case: bool,
    pub(crate) span: Span,
}

/// A node of the syntax tree.
#[derive(Debug)]
pub(crate) enum Node {
    /// The empty string.
    Empty,
    /// One character of the set.
    Set(SetId),
    /// A half of a surrogate pair.
    Half(HalfId),
    /// Nodes one after the other.
    Concat(Vec<Node>),
    /// Alternatives.
    Alt(Vec<Node>),
    /// A repetition of a node: at least `min`, at most `max` times.
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, span: Span },
    /// The beginning of the text.
    Start,
    /// The end of the text.
    End,
    /// A word boundary: exactly one of the two neighbours is a word character; negated, not a boundary.
    Boundary { word: SetId, negated: bool, span: Span },
    /// A lookaround: what follows (or, with `behind`, precedes) matches; negated, it does not.
    Look { node: Box<Node>, behind: bool, negated: bool, span: Span },
}
