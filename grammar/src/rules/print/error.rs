//! The parts of a rule tree that a notation cannot express.

use crate::span::Span;
use thiserror::Error;

/// The reason why a tree has no text in a notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PrintError {
    /// An EBNF exception `A - B`.
    #[error("the notation has no exception (`A - B`); the one at bytes {0:?} cannot be written in it")]
    Exception(Span),
    /// A regular expression.
    #[error("the notation has no regular expressions of ogc's dialect; the one at bytes {0:?} cannot be written in it")]
    Regex(Span),
    /// A class without ranges; no reader makes such a class.
    #[error("no notation has an empty class; the one at bytes {0:?} cannot be written")]
    EmptyClass(Span),
    /// A token of the vocabulary.
    #[error("the notation has no such token of the vocabulary; the one at bytes {0:?} cannot be written in it")]
    Token(Span),
    /// Consecutive parts of a text.
    #[error("the notation has no parts of a text; those at bytes {0:?} cannot be written in it")]
    Substring(Span),
    /// A text of bounded length.
    #[error("the notation has no bounds on the length of a text; the one at bytes {0:?} cannot be written in it")]
    Limited(Span),
    /// The shortest texts of an expression.
    #[error("the notation has no lazy expressions; the one at bytes {0:?} cannot be written in it")]
    Lazy(Span),
    /// A JSON Schema inside a grammar.
    #[error("the notation has no JSON Schemas; the one at bytes {0:?} cannot be written in it")]
    Json(Span),
    /// A rule that leads back to itself, which a regular expression cannot express.
    #[error("the rule `{0}` is recursive, so it is no regular expression")]
    Recursive(String),
    /// A name without a rule.
    #[error("no rule is called `{0}`")]
    Undefined(String),
    /// The text would be too large. `LimitError` of `ogc-regular` says the same of automata in the same words; the two
    /// crates do not depend on each other.
    #[error("{what}: {given}; the limit is {limit}")]
    Limit {
        /// Kind of the counted things.
        what: &'static str,
        /// Number that was reached.
        given: usize,
        /// Number that is allowed.
        limit: usize,
    },
}
