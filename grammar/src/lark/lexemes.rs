//! The lexemes of Lark.

use crate::rules::VocabularyToken;
use crate::span::Span;

/// A word, sign or terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// The name of a rule, a terminal or an attribute.
    Name(String),
    /// Digits.
    Number(u32),
    /// A string, its escapes resolved.
    Text { text: String, ignore_case: bool },
    /// A regular expression, translated to ogc's dialect.
    Regex(String),
    /// `%word`.
    Directive(String),
    /// `%word`, with the text in braces or brackets after it.
    Block { word: String, body: Span },
    /// `<name>`, `<[1-3]>`.
    Special(VocabularyToken),
    /// `->`
    Arrow,
    /// `..`
    Dots,
    /// `::`
    Colons,
    /// A character by itself.
    Sign(char),
    /// A broken lexeme, which has been reported; stands for nothing.
    Reported,
}

/// A token of Lark in its text.
pub(super) type Lexeme = crate::notation::lexeme::Lexeme<Token>;
