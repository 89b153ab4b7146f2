//! The lexer that the rule notations share: one loop over a text, in which each notation reads its own white space and
//! tokens.

use std::marker::PhantomData;

use super::TOKEN_LIMIT;
use super::cursor::Cursor;
use super::lexeme::Lexeme;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_many_tokens};
use crate::pulse::step;
use crate::span::{Span, part};

/// A notation, from the lexer's point of view.
pub(crate) trait Notation: Sized {
    /// The words, signs and terminals.
    type Token;

    /// The token that stands for a broken terminal, which has been reported.
    const REPORTED: Self::Token;

    /// Skips white space and comments; returns whether they contain a line end.
    fn skip_space(lexer: &mut Lexer<'_, '_, Self>) -> bool;

    /// Skips a label without meaning at the start of a line; returns whether there was one.
    fn skip_label(_lexer: &mut Lexer<'_, '_, Self>) -> bool {
        false
    }

    /// Reads the token that begins with `next`.
    fn token(lexer: &mut Lexer<'_, '_, Self>, next: char) -> Self::Token;
}

/// The lexer of a notation: a place in the text, and the sink for errors.
pub(crate) struct Lexer<'t, 's, N> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) sink: &'s mut Sink,
    pub(crate) habits: Habits,
    notation: PhantomData<N>,
}

/// Traces of other notations that were found in the text so far.
#[derive(Default)]
pub(crate) struct Habits {
    /// Whether a comment of another notation has been reported.
    pub(crate) has_foreign_comment: bool,
    /// Whether the text defines a rule whose name consists of hyphens; `None` if not determined yet.
    pub(crate) defines_hyphens: Option<bool>,
}

/// Splits a text into lexemes, and reports errors in them to `sink`; returns an error if there are too many lexemes.
pub(crate) fn lexemes<N: Notation>(text: &str, sink: &mut Sink) -> Result<Vec<Lexeme<N::Token>>, Box<Diagnostic>> {
    let mut lexer: Lexer<'_, '_, N> =
        Lexer { cursor: Cursor::new(text), sink, habits: Habits::default(), notation: PhantomData };
    let mut lexemes = Vec::new();
    loop {
        step();
        let starts_line = N::skip_space(&mut lexer) || lexemes.is_empty();
        let start = lexer.cursor.offset();
        let Some(next) = lexer.cursor.peek() else {
            return Ok(lexemes);
        };
        if lexemes.len() == TOKEN_LIMIT {
            return Err(Box::new(too_many_tokens(lexer.cursor.span_from(start), TOKEN_LIMIT)));
        }
        if starts_line && N::skip_label(&mut lexer) {
            continue;
        }
        let is_indented = part(text, ..start).ends_with([' ', '\t']);
        let token = N::token(&mut lexer, next);
        lexemes.push(Lexeme { token, span: lexer.cursor.span_from(start), starts_line, is_indented });
    }
}

impl<N: Notation> Lexer<'_, '_, N> {
    /// Reports an error, and returns the token that stands for the broken text.
    pub(crate) fn report(&mut self, code: Code, span: Span, message: &str, help: &str) -> N::Token {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
        N::REPORTED
    }
}
