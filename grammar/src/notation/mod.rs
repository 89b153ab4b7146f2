//! Parts that the rule notations share: a cursor over characters, the lexer around it, and the tokens and the parser of the
//! notations with postfix operators (GBNF and W3C EBNF).

pub(crate) mod bare;
pub(crate) mod comments;
pub(crate) mod cursor;
pub(crate) mod define;
pub(crate) mod habit;
pub(crate) mod lexeme;
pub(crate) mod lexer;
mod names;
pub(crate) mod other;
pub(crate) mod parse;
mod typographic;

pub(crate) use names::names;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Maximum number of levels to which groups nest in any rule notation.
pub(crate) const NESTING_LIMIT: u32 = 200;

/// Maximum number of repetition signs that follow one another, as in `a?*`; together with [`NESTING_LIMIT`] it bounds
/// trees.
pub(crate) const STACKED_LIMIT: u32 = 4;

/// Maximum length of a grammar's text, in bytes.
pub(crate) const TEXT_LIMIT: usize = 32 << 20;

/// Maximum number of tokens of a grammar's text. Trees take up to 300 bytes for each token.
pub(crate) const TOKEN_LIMIT: usize = 2_000_000;

/// Returns the finding for a range from a space to a space in a class, which is one space: white space around the
/// hyphen is part of the class.
pub(crate) fn spaced_range(place: Span) -> Diagnostic {
    let message = "this range is from a space to a space: in a class, white space counts";
    Diagnostic::warning(Code::SpacedRange, place, message).help("leave the spaces out, as in `[a-z]`")
}
