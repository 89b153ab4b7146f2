//! Doc comments.

use crate::span::Span;

/// One line of a doc comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Doc {
    /// Text after `///`, without one leading space and without trailing white space.
    pub text: String,
    /// Span from the slashes to the end of the line.
    pub span: Span,
}
