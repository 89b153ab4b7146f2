//! Lays out expressions as documents. The layout follows the brackets and the signs between expressions; it needs no
//! tree, so comments stay beside the tokens where they were written.

use super::doc::Doc;
use super::words::Word;
use crate::ogc::token::TokenKind;

/// A cursor in the words of an item that is known to parse.
pub(super) struct Layout<'w, 't> {
    pub(super) words: &'w [Word<'t>],
    pub(super) at: usize,
}

impl<'t> Layout<'_, 't> {
    pub(super) fn kind(&self) -> Option<TokenKind> {
        self.kind_at(self.at)
    }

    pub(super) fn kind_at(&self, at: usize) -> Option<TokenKind> {
        self.words.get(at).map(|word| word.kind)
    }

    /// Lays out the next word with its comments.
    pub(super) fn word(&mut self) -> Vec<Doc> {
        self.word_as(None)
    }

    /// Lays out the next word with its comments; prints `shown` instead of the word if it is given.
    pub(super) fn word_as(&mut self, shown: Option<Doc>) -> Vec<Doc> {
        let Some(word) = self.words.get(self.at) else { return Vec::new() };
        self.at += 1;
        let mut docs: Vec<Doc> = word.leading.iter().map(|comment| Doc::OwnLine((*comment).to_owned())).collect();
        docs.push(shown.unwrap_or_else(|| Doc::text(word.text)));
        docs.extend(word.trailing.map(|comment| Doc::Trailing(comment.to_owned())));
        docs
    }

    pub(super) fn attribute(&mut self) -> Vec<Doc> {
        if self.kind() == Some(TokenKind::AttributeOpen) { self.list() } else { self.word() }
    }

    pub(super) fn after_expression(&self) -> bool {
        self.at.checked_sub(1).and_then(|at| self.kind_at(at)).is_some_and(TokenKind::ends_expression)
    }

    /// Lays out an expression with its alternatives, after a sign (`=` or `:`) or at the beginning of a bracket.
    pub(super) fn body(&mut self, after_sign: bool) -> Doc {
        let lead = self.kind() == Some(TokenKind::Bar);
        let mut lead_docs = Vec::new();
        if lead {
            lead_docs = self.word_as(Some(Doc::IfBroken("| ")));
        }
        let first = self.alternative();
        if self.kind() != Some(TokenKind::Bar) {
            let space = after_sign.then(|| Doc::text(" "));
            lead_docs.retain(|doc| !matches!(doc, Doc::IfBroken(_)));
            return Doc::Nest(lead_docs.into_iter().chain(space).chain([first]).collect()).unnested();
        }
        if !lead {
            lead_docs.push(Doc::IfBroken("| "));
        }
        let mut docs: Vec<Doc> = after_sign.then_some(Doc::Line).into_iter().chain(lead_docs).collect();
        docs.push(first);
        while self.kind() == Some(TokenKind::Bar) {
            docs.push(Doc::Line);
            docs.extend(self.word());
            docs.push(Doc::text(" "));
            docs.push(self.alternative());
        }
        let docs = if after_sign { vec![Doc::Nest(docs)] } else { docs };
        Doc::group(docs, lead)
    }

    /// Lays out the part between two `|`: parts with spaces between them.
    pub(super) fn alternative(&mut self) -> Doc {
        let mut parts = Vec::new();
        while !self.ends_alternative() {
            let before = self.at;
            parts.push(self.part());
            if self.at == before {
                break;
            }
        }
        if parts.len() == 1 {
            return Doc::group(parts, false);
        }
        let indented = |(index, part)| if index > 0 { Doc::Nest(vec![part]) } else { part };
        Doc::Fill(parts.into_iter().enumerate().map(indented).collect())
    }

    pub(super) fn ends_alternative(&self) -> bool {
        let ends = |kind: TokenKind| kind.is_closer() || matches!(kind, TokenKind::Bar | TokenKind::Comma);
        self.kind().is_none_or(ends)
    }

    /// Lays out words up to the next word before which a line may end.
    pub(super) fn part(&mut self) -> Doc {
        let mut docs: Vec<Doc> = Vec::new();
        let first = self.at;
        while !self.ends_alternative() && (self.at == first || !self.begins_part()) {
            if self.at > first && self.spaced() {
                docs.push(Doc::text(" "));
            }
            match self.kind() {
                Some(TokenKind::LeftParen) => docs.extend(self.parentheses()),
                Some(kind) if kind.closer().is_some() => docs.extend(self.list()),
                _ => docs.extend(self.word()),
            }
        }
        Doc::Group { broken: docs.iter().any(Doc::ends_line), docs }
    }

    /// Returns whether a line may end before the next word.
    pub(super) fn begins_part(&self) -> bool {
        match self.kind() {
            Some(TokenKind::And | TokenKind::Minus | TokenKind::Percent) => true,
            Some(TokenKind::Attribute | TokenKind::AttributeOpen) => self.after_expression(),
            Some(kind) => kind.begins_expression() && self.after_expression(),
            None => true,
        }
    }

    /// Returns whether a space stands before the next word of the same part.
    pub(super) fn spaced(&self) -> bool {
        use TokenKind::{Colon, Dot, Dots, Ellipsis, LeftBracket, Less, Plus, Question, Star};
        let before = self.at.checked_sub(1).and_then(|at| self.kind_at(at));
        let glued = match self.kind() {
            Some(Colon | Dot | Less | Question | Star | Plus | LeftBracket) => true,
            Some(Dots) => before.is_some_and(|before| matches!(before, TokenKind::Number | TokenKind::Name)),
            _ => false,
        };
        !glued && !matches!(before, Some(Dot | Dots | Ellipsis))
    }
}

impl Doc {
    /// Returns the contents of a nest as one document at the level around it.
    pub(super) fn unnested(self) -> Doc {
        match self {
            Doc::Nest(docs) => {
                let broken = docs.iter().any(Doc::ends_line);
                Doc::Group { docs, broken }
            }
            other => other,
        }
    }
}
