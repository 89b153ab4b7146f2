//! Lexemes of the rule notations, and the tokens of GBNF and W3C EBNF, which one parser reads.

use crate::span::Span;

/// A word, sign or terminal of a rule notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    /// `::=`
    Define,
    Literal(String),
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    /// `.`
    Any,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `|`
    Bar,
    /// `-` between two expressions; W3C only.
    Minus,
    /// A repetition sign: `*`, `+`, `?` or braces.
    Repeat {
        min: u32,
        max: Option<u32>,
    },
    /// A token of the vocabulary; GBNF only.
    Vocabulary(String),
    /// A broken terminal, which the lexer has reported; stands for nothing.
    Reported,
    /// A character that begins nothing in this notation; the parser reports it where it matters.
    Unknown(char),
}

/// A token, its place, and whether it is the first of its line.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme<T = Token> {
    pub(crate) token: T,
    pub(crate) span: Span,
    pub(crate) starts_line: bool,
}
