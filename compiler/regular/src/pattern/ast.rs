//! A parsed pattern: what it matches, without names, greed or numbering, which do not change the language.

use crate::charset::CharSet;

/// Byte offsets into the pattern.
pub type Span = std::ops::Range<usize>;

/// Index into [`Pattern::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// A pattern and the character sets it speaks of, each once.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) root: Node,
    pub(crate) sets: Vec<CharSet>,
}

/// One piece of a pattern.
#[derive(Debug)]
pub(crate) enum Node {
    /// The empty string.
    Empty,
    /// One character of the set.
    Set(SetId),
    /// One after the other.
    Concat(Vec<Node>),
    /// Any of them.
    Alt(Vec<Node>),
    /// At least `min`, at most `max` times.
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, span: Span },
    /// The beginning of the text.
    Start,
    /// The end of the text.
    End,
    /// A change between the word characters and others, or, negated, none.
    Boundary { word: SetId, negated: bool, span: Span },
    /// What follows (or, `behind`, precedes) matches, or, negated, does not.
    Look { node: Box<Node>, behind: bool, negated: bool, span: Span },
}
