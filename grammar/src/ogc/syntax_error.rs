//! What is said about a token that cannot stand where it stands, where no repair knew better.

use super::terminal::Lexeme;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use lalrpop_util::{ErrorRecovery, ParseError};
use std::convert::Infallible;

/// A mistake as the generated parser reports it.
pub(crate) type Failure<'t> = ParseError<u32, Lexeme<'t>, Infallible>;

/// A mistake that the generated parser recovered from.
pub(crate) type Lost<'t> = ErrorRecovery<u32, Lexeme<'t>, Infallible>;

/// The diagnostic of a failure in the item that begins at `base`.
pub(crate) fn diagnostic(failure: &Failure<'_>, _lexemes: &[Lexeme<'_>], base: u32) -> Diagnostic {
    match failure {
        ParseError::UnrecognizedToken { token: (start, lexeme, end), expected } => {
            let message = format!("`{}` cannot stand here; expected {}", lexeme.text, expected.join(", "));
            Diagnostic::error("unexpected-token", Span::new(*start, *end).shifted(base), message)
        }
        ParseError::ExtraToken { token: (start, lexeme, end) } => {
            let message = format!("`{}` cannot stand here", lexeme.text);
            Diagnostic::error("unexpected-token", Span::new(*start, *end).shifted(base), message)
        }
        ParseError::UnrecognizedEof { location, expected } => {
            let message = format!("the item ends too early; expected {}", expected.join(", "));
            Diagnostic::error("unexpected-end", Span::empty(*location).shifted(base), message)
        }
        ParseError::InvalidToken { location } => {
            Diagnostic::error("unexpected-token", Span::empty(*location).shifted(base), "this cannot stand here")
        }
        ParseError::User { error } => match *error {},
    }
}
