//! Lexemes of the rule notations, and the tokens of GBNF and W3C EBNF, which one parser reads.

use crate::rules::VocabularyToken;
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
    Vocabulary(VocabularyToken),
    /// The options of a rule, after its name; GBNF only.
    Options(Vec<RuleOption>),
    /// A broken terminal, which the lexer has reported; stands for nothing.
    Reported,
    /// A character that begins nothing in this notation; the parser reports it where it matters.
    Unknown(char),
}

/// An option of a rule, such as `max_chars=10`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleOption {
    pub(crate) name: String,
    /// The text after `=`, without quotes.
    pub(crate) value: Option<String>,
    pub(crate) span: Span,
}

/// A token, its place, and whether it is the first of its line.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme<T = Token> {
    pub(crate) token: T,
    pub(crate) span: Span,
    pub(crate) starts_line: bool,
    /// Whether white space comes before it.
    pub(crate) is_indented: bool,
}
