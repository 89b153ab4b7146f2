//! Names, and paths of names.

use crate::span::Span;

/// A word, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name, escapes resolved where it was written in quotes.
    pub text: String,
    /// Place of the name, with the quotes.
    pub span: Span,
}

/// `name` or `module.name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The names between the dots. Invariant: at least one.
    pub segments: Vec<Name>,
    /// Span from the first name to the last.
    pub span: Span,
}
