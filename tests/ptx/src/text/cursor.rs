//! A place among the lexemes of a text.

use super::error::{ParseError, ParseFault};
use super::lexer::{Lexeme, LexemeKind};

/// Walks over lexemes.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'l, 't> {
    lexemes: &'l [Lexeme<'t>],
    at: usize,
}

impl<'l, 't> Cursor<'l, 't> {
    pub(super) fn new(lexemes: &'l [Lexeme<'t>]) -> Cursor<'l, 't> {
        Cursor { lexemes, at: 0 }
    }

    /// Returns the line of the next lexeme, or of the last one.
    pub(super) fn line(&self) -> u32 {
        self.lexemes.get(self.at).or(self.lexemes.last()).map_or(1, |lexeme| lexeme.line)
    }

    pub(super) fn error(&self, fault: ParseFault) -> ParseError {
        ParseError::new(self.line(), fault)
    }

    /// Returns the error that something else is expected here.
    pub(super) fn unexpected(&self, expected: &'static str) -> ParseError {
        self.error(match self.peek() {
            None => ParseFault::End(expected),
            Some(kind) => ParseFault::Unexpected { found: shown(kind), expected },
        })
    }

    pub(super) fn peek(&self) -> Option<LexemeKind<'t>> {
        self.lexemes.get(self.at).map(|lexeme| lexeme.kind)
    }

    /// Returns the lexeme after the next one.
    pub(super) fn peek_second(&self) -> Option<LexemeKind<'t>> {
        self.lexemes.get(self.at + 1).map(|lexeme| lexeme.kind)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Takes the next lexeme if it is this mark.
    pub(super) fn takes(&mut self, mark: char) -> bool {
        let is = self.peek() == Some(LexemeKind::Mark(mark));
        self.at += usize::from(is);
        is
    }

    /// Takes this mark.
    pub(super) fn mark(&mut self, mark: char, expected: &'static str) -> Result<(), ParseError> {
        if self.takes(mark) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes the next lexeme if it is this word.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let is = self.peek() == Some(LexemeKind::Word(word));
        self.at += usize::from(is);
        is
    }

    /// Takes a word.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<&'t str, ParseError> {
        let Some(LexemeKind::Word(word)) = self.peek() else { return Err(self.unexpected(expected)) };
        self.advance();
        Ok(word)
    }

    /// Takes a number without a sign.
    pub(super) fn number(&mut self, expected: &'static str) -> Result<u64, ParseError> {
        let Some(LexemeKind::Number(number)) = self.peek() else { return Err(self.unexpected(expected)) };
        self.advance();
        Ok(number)
    }

    /// Takes a number with an optional minus.
    pub(super) fn signed_number(&mut self, expected: &'static str) -> Result<u64, ParseError> {
        let negative = self.takes('-');
        let number = self.number(expected)?;
        Ok(if negative { number.wrapping_neg() } else { number })
    }
}

fn shown(kind: LexemeKind<'_>) -> String {
    match kind {
        LexemeKind::Word(text) | LexemeKind::Text(text) => text.chars().take(80).collect(),
        LexemeKind::Number(number) => number.to_string(),
        LexemeKind::Mark(mark) => mark.to_string(),
    }
}
