//! Lays out brackets with members separated by commas.

use super::doc::Doc;
use super::layout::Layout;
use crate::ogc::token::TokenKind;

impl Layout<'_, '_> {
    /// Lays out a bracket with members separated by commas. In braces a comma before the closing bracket asks for one
    /// member a line.
    pub(super) fn list(&mut self) -> Vec<Doc> {
        let brace = self.kind() == Some(TokenKind::LeftBrace);
        let bounds = self.kind() == Some(TokenKind::LeftBracket) && self.after_expression();
        let hugs = !brace && self.hugs();
        // Bounds and pattern keys have no trailing comma.
        let bare = hugs || self.kind() == Some(TokenKind::LeftBracket);
        let line = || if brace { Doc::Line } else { Doc::Soft };
        // Comments before the bracket do not break it.
        let mut leading = self.word();
        let mut docs = leading.split_off(leading.iter().take_while(|doc| matches!(doc, Doc::OwnLine(_))).count());
        let mut members: Vec<Doc> = Vec::new();
        let mut wanted = false;
        while self.kind().is_some_and(|kind| !kind.is_closer()) {
            let blank = !members.is_empty() && self.words.get(self.at).is_some_and(|word| word.blank);
            members.extend((!members.is_empty()).then_some(Doc::Line));
            members.extend(blank.then_some(Doc::Blank));
            members.extend(self.member(brace));
            wanted = self.kind() == Some(TokenKind::Comma);
            let comma = self.comma();
            members.extend(comma.into_iter().filter(|doc| !(bare && matches!(doc, Doc::IfBroken(_)))));
        }
        let closing = self.closing_comments();
        let empty = members.is_empty() && closing.is_empty();
        let edge = !empty && !hugs && !bounds;
        members.extend((edge && !closing.is_empty() && !members.is_empty()).then_some(Doc::Hard));
        members.extend(closing);
        if edge {
            members.insert(0, line());
        }
        docs.push(if hugs { Doc::group(members, false) } else { Doc::Nest(members) });
        docs.extend(edge.then(line));
        let trailing = self.closer(&mut docs);
        leading.into_iter().chain([Doc::group(docs, brace && wanted)]).chain(trailing).collect()
    }

    /// Lays out the comma after a member; after the last member, a comma is printed in a broken group only.
    pub(super) fn comma(&mut self) -> Vec<Doc> {
        let last = self.kind() != Some(TokenKind::Comma) || self.kind_at(self.at + 1).is_some_and(TokenKind::is_closer);
        let shown = if last { Doc::IfBroken(",") } else { Doc::Comma };
        if self.kind() == Some(TokenKind::Comma) { self.word_as(Some(shown)) } else { vec![shown] }
    }

    /// Returns whether the bracket holds only one record, so that both break together.
    pub(super) fn hugs(&self) -> bool {
        let record = self.kind_at(self.at + 1) == Some(TokenKind::LeftBrace);
        let mut depth = 0_usize;
        for at in self.at + 1..self.words.len() {
            let Some(kind) = self.kind_at(at).filter(|_| record) else { return false };
            depth += usize::from(kind.closer().is_some());
            depth = depth.saturating_sub(usize::from(kind.is_closer()));
            if depth == 0 {
                let comma = usize::from(self.kind_at(at + 1) == Some(TokenKind::Comma));
                return self.kind_at(at + 1 + comma).is_some_and(TokenKind::is_closer);
            }
        }
        false
    }

    /// Lays out the text between two commas: `name?: T`, `[K]: V`, `...Base`, `name = x`, or an expression.
    pub(super) fn member(&mut self, brace: bool) -> Vec<Doc> {
        let mut docs = Vec::new();
        while self.begins_attributed_member(brace) {
            docs.extend(self.attribute());
            docs.push(Doc::text(" "));
        }
        match self.kind() {
            Some(TokenKind::Ellipsis) => docs.extend(self.word()),
            Some(TokenKind::LeftBracket) => {
                docs.extend(self.list());
                if self.kind() == Some(TokenKind::Colon) {
                    docs.extend(self.word());
                    docs.push(self.body(true));
                }
                return docs;
            }
            Some(_) if self.sign_follows(self.at, brace) => {
                docs.extend(self.word());
                return self.named(docs);
            }
            _ => {}
        }
        docs.push(self.body(false));
        docs
    }

    /// Returns whether attributes stand before a member's name; attributes before an expression are part of the
    /// expression.
    fn begins_attributed_member(&self, brace: bool) -> bool {
        let mut at = self.at;
        let mut depth = 0_usize;
        while let Some(kind) = self.kind_at(at) {
            if depth == 0 && !matches!(kind, TokenKind::Attribute | TokenKind::AttributeOpen) {
                break;
            }
            depth += usize::from(kind.closer().is_some());
            depth -= usize::from(kind.is_closer() && depth > 0);
            at += 1;
        }
        let member = brace && matches!(self.kind_at(at), Some(TokenKind::Ellipsis | TokenKind::LeftBracket));
        at > self.at && (member || self.sign_follows(at, brace))
    }

    /// Returns whether a name with its sign stands at `at`: `name =`, and in braces also `name:` and `name?:`. Outside
    /// of braces `name:` is a capture.
    fn sign_follows(&self, at: usize, brace: bool) -> bool {
        let named = self.kind_at(at).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
        let sign = match self.kind_at(at + 1) {
            Some(TokenKind::Equals) => true,
            Some(TokenKind::Colon) => brace,
            Some(TokenKind::Question) => self.kind_at(at + 2) == Some(TokenKind::Colon),
            _ => false,
        };
        named && sign
    }

    /// Lays out the rest of a member after its name.
    pub(super) fn named(&mut self, mut docs: Vec<Doc>) -> Vec<Doc> {
        if self.kind() == Some(TokenKind::Question) {
            docs.extend(self.word());
        }
        if self.kind() == Some(TokenKind::Equals) {
            docs.push(Doc::text(" "));
        }
        docs.extend(self.word());
        docs.push(self.body(true));
        docs
    }

    /// Lays out `( ... )` around an expression.
    pub(super) fn parentheses(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        let mut inner = vec![Doc::Soft, self.body(false)];
        inner.extend(self.closing_comments());
        docs.push(Doc::Nest(inner));
        docs.push(Doc::Soft);
        let trailing = self.closer(&mut docs);
        std::iter::once(Doc::group(docs, false)).chain(trailing).collect()
    }

    /// Returns the comments before a closing bracket, which are printed inside.
    pub(super) fn closing_comments(&self) -> Vec<Doc> {
        let leading = self.words.get(self.at).map_or(&[][..], |word| &word.leading);
        leading.iter().map(|comment| Doc::OwnLine((*comment).to_owned())).collect()
    }

    /// Adds the closing bracket without its comments; returns the comment after it, which does not break the group.
    fn closer(&mut self, docs: &mut Vec<Doc>) -> Option<Doc> {
        let mut closing = self.word_without_leading();
        let trailing = closing.pop_if(|doc| matches!(doc, Doc::Trailing(_)));
        docs.extend(closing);
        trailing
    }

    pub(super) fn word_without_leading(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.retain(|doc| !matches!(doc, Doc::OwnLine(_)));
        docs
    }
}
