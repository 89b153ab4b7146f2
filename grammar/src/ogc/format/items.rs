//! Lays out items as documents.

use super::doc::Doc;
use super::layout::Layout;
use super::words::Word;
use crate::ogc::token::TokenKind;

/// Lays out one item.
pub(super) fn item(words: &[Word<'_>]) -> Doc {
    let mut layout = Layout { words, at: 0 };
    let mut docs = Vec::new();
    while matches!(layout.kind(), Some(TokenKind::Attribute | TokenKind::AttributeOpen)) {
        docs.extend(layout.attribute());
        docs.push(Doc::Hard);
    }
    match layout.kind() {
        Some(TokenKind::Test) => docs.extend(layout.test()),
        Some(TokenKind::Import) => docs.extend(layout.import()),
        Some(TokenKind::Policy) => docs.extend(layout.policy()),
        _ => docs.extend(layout.definition()),
    }
    Doc::group(docs, true)
}

impl Layout<'_, '_> {
    /// Lays out `type Name<T> = ...`.
    fn definition(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.push(Doc::text(" "));
        docs.extend(self.word());
        if self.kind() == Some(TokenKind::Less) {
            docs.extend(self.list());
        }
        docs.push(Doc::text(" "));
        docs.extend(self.word());
        docs.push(self.body(true));
        docs
    }

    fn policy(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.push(Doc::text(" "));
        docs.push(self.settings());
        docs
    }

    /// Lays out members until the end, separated by commas.
    fn settings(&mut self) -> Doc {
        let mut docs = Vec::new();
        while self.kind().is_some() && self.kind() != Some(TokenKind::From) {
            docs.extend(self.member(false));
            if self.kind() == Some(TokenKind::Comma) {
                docs.extend(self.word_as(Some(Doc::Comma)));
                docs.push(Doc::Line);
            }
        }
        Doc::group(vec![Doc::Nest(docs)], false)
    }

    /// Lays out an import: words with spaces between them, and the overrides.
    fn import(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        let mut head = Vec::new();
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Comma => head.extend(self.word_as(Some(Doc::Comma))),
                TokenKind::LeftBrace => {
                    head.push(Doc::text(" "));
                    docs.push(Doc::Nest(std::mem::take(&mut head)));
                    docs.extend(self.list());
                }
                _ => {
                    head.push(Doc::text(" "));
                    head.extend(self.word());
                }
            }
        }
        docs.push(Doc::Nest(head));
        docs
    }

    /// Lays out `test Name { ... }`, one case a line.
    fn test(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.push(Doc::text(" "));
        while self.kind().is_some_and(|kind| kind != TokenKind::LeftBrace) {
            match self.kind() {
                Some(TokenKind::Less) => docs.push(Doc::group(self.list(), false)),
                _ => docs.extend(self.word()),
            }
        }
        docs.push(Doc::text(" "));
        docs.extend(self.word());
        let mut cases = Vec::new();
        while self.kind().is_some_and(|kind| kind != TokenKind::RightBrace) {
            cases.push(Doc::Hard);
            cases.extend(self.case(cases.len() > 1));
        }
        let closing = self.closing_comments();
        cases.extend(closing);
        let empty = cases.is_empty();
        docs.push(Doc::Nest(cases));
        docs.extend((!empty).then_some(Doc::Hard));
        docs.extend(self.word_without_leading());
        docs
    }

    fn case(&mut self, may_be_blank: bool) -> Vec<Doc> {
        let mut docs = Vec::new();
        if may_be_blank && self.words.get(self.at).is_some_and(|word| word.blank) {
            docs.push(Doc::Blank);
        }
        docs.extend(self.word());
        let mut parts = Vec::new();
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Accept | TokenKind::Reject | TokenKind::RightBrace => break,
                TokenKind::LeftBrace | TokenKind::LeftBracket => parts.push(Doc::group(self.list(), false)),
                TokenKind::With => {
                    let mut captures = self.word();
                    captures.push(Doc::text(" "));
                    if self.kind() == Some(TokenKind::LeftBrace) {
                        captures.push(Doc::group(self.list(), false));
                    }
                    parts.push(Doc::Nest(captures));
                }
                TokenKind::Because => {
                    let mut because = self.word();
                    because.push(Doc::text(" "));
                    because.extend(self.word());
                    parts.push(Doc::Nest(because));
                }
                _ => parts.push(Doc::Nest(self.word())),
            }
        }
        docs.push(Doc::text(" "));
        docs.push(Doc::Nest(vec![Doc::Fill(parts)]));
        docs
    }
}
