//! Doc comments.

use crate::span::Span;

/// One line of a doc comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Doc {
    /// The text behind `///`, without one leading space and without white space at the end.
    pub text: String,
    /// From the slashes to the end of the line.
    pub span: Span,
}
