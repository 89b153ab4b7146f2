//! Reads tokens of calls one after another.

use crate::ogc::repair::ItemLexemes;
use crate::ogc::token::TokenKind;

/// A cursor over the tokens of an item.
pub(super) struct Reader<'i, 't> {
    pub(super) item: &'i ItemLexemes<'t>,
    /// Index of the next token.
    pub(super) at: usize,
    /// Whether the first token stands in a value, where expressions cannot follow one another without a sign between
    /// them.
    pub(super) value: bool,
}

impl<'t> Reader<'_, 't> {
    pub(super) fn text(&self) -> &'t str {
        self.item.text(self.at)
    }

    pub(super) fn kind(&self) -> Option<TokenKind> {
        self.item.kind(self.at)
    }

    pub(super) fn is(&self, kind: TokenKind) -> bool {
        self.kind() == Some(kind)
    }

    /// Takes a token of this kind.
    pub(super) fn take(&mut self, kind: TokenKind) -> Option<&'t str> {
        let text = self.text();
        self.is(kind).then(|| {
            self.at += 1;
            text
        })
    }

    /// Takes an opening bracket that touches the token before it.
    pub(super) fn open(&mut self, kind: TokenKind) -> Option<()> {
        if !self.item.touches(self.at) {
            return None;
        }
        self.take(kind).map(|_| ())
    }

    /// Takes a name or a reserved word.
    pub(super) fn word(&mut self) -> Option<&'t str> {
        let text = self.text();
        self.kind().filter(|kind| kind.is_word()).map(|_| {
            self.at += 1;
            text
        })
    }

    /// Takes the arrow `=>` of a function, whatever kind the lexer or earlier repairs gave the token.
    pub(super) fn arrow(&mut self) -> Option<()> {
        let is_arrow = self.text() == "=>";
        self.at += usize::from(is_arrow);
        is_arrow.then_some(())
    }

    /// Takes a literal of JSON, as written.
    pub(super) fn literal(&mut self) -> Option<&'t str> {
        let literals = [TokenKind::String, TokenKind::Number, TokenKind::True, TokenKind::False, TokenKind::Null];
        literals.into_iter().find_map(|kind| self.take(kind))
    }

    /// Takes items that `one` reads, with commas between them, and the bracket `close`.
    pub(super) fn list<T>(&mut self, close: TokenKind, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        while !self.is(close) {
            all.push(one(self)?);
            if !self.is(close) {
                self.take(TokenKind::Comma)?;
            }
        }
        self.take(close).map(|_| all)
    }

    /// Skips the arguments of a call, including the closing bracket.
    pub(super) fn skip_arguments(&mut self) -> Option<()> {
        let mut depth = 1_usize;
        while depth > 0 {
            let kind = self.kind()?;
            depth += usize::from(kind.closer().is_some());
            depth -= usize::from(kind.is_closer());
            self.at += 1;
        }
        Some(())
    }
}
