//! One item to a document. The layout follows the brackets and the signs between expressions; it needs no tree, so
//! comments stay with the tokens they were written beside.

use super::doc::Doc;
use super::words::Word;
use crate::ogc::token::TokenKind;

/// The document of one item.
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

/// A place among the words of an item that is known to parse.
pub(super) struct Layout<'w, 't> {
    words: &'w [Word<'t>],
    at: usize,
}

impl<'t> Layout<'_, 't> {
    fn kind(&self) -> Option<TokenKind> {
        self.kind_at(self.at)
    }

    fn kind_at(&self, at: usize) -> Option<TokenKind> {
        self.words.get(at).map(|word| word.kind)
    }

    /// The next word with its comments.
    fn word(&mut self) -> Vec<Doc> {
        self.word_as(None)
    }

    /// The next word with its comments; what is printed for it may be another text.
    fn word_as(&mut self, shown: Option<Doc>) -> Vec<Doc> {
        let Some(word) = self.words.get(self.at) else { return Vec::new() };
        self.at += 1;
        let mut docs: Vec<Doc> = word.leading.iter().map(|comment| Doc::OwnLine((*comment).to_owned())).collect();
        docs.push(shown.unwrap_or_else(|| Doc::text(word.text)));
        docs.extend(word.trailing.map(|comment| Doc::Trailing(comment.to_owned())));
        docs
    }

    fn attribute(&mut self) -> Vec<Doc> {
        if self.kind() == Some(TokenKind::AttributeOpen) { self.list() } else { self.word() }
    }

    /// `type Name<T> = ...`
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

    /// Members until the end, separated by commas.
    fn settings(&mut self) -> Doc {
        let mut docs = Vec::new();
        while self.kind().is_some() && self.kind() != Some(TokenKind::From) {
            docs.extend(self.member());
            if self.kind() == Some(TokenKind::Comma) {
                docs.extend(self.word_as(Some(Doc::Comma)));
                docs.push(Doc::Line);
            }
        }
        Doc::group(vec![Doc::Nest(docs)], false)
    }

    /// Words with spaces between, and the overrides.
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

    /// `test Name { ... }`, one case a line.
    fn test(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.push(Doc::text(" "));
        while self.kind().is_some_and(|kind| kind != TokenKind::LeftBrace) {
            docs.extend(self.word());
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

    /// The comments before a closing bracket, which belong inside.
    fn closing_comments(&self) -> Vec<Doc> {
        let leading = self.words.get(self.at).map_or(&[][..], |word| &word.leading);
        leading.iter().map(|comment| Doc::OwnLine((*comment).to_owned())).collect()
    }

    fn word_without_leading(&mut self) -> Vec<Doc> {
        let mut docs = self.word();
        docs.retain(|doc| !matches!(doc, Doc::OwnLine(_)));
        docs
    }

    /// A bracket with members separated by commas. In braces a comma before the closing bracket asks for one member a
    /// line.
    fn list(&mut self) -> Vec<Doc> {
        let brace = self.kind() == Some(TokenKind::LeftBrace);
        let bounds = self.kind() == Some(TokenKind::LeftBracket) && self.after_expression();
        let hugs = !brace && self.hugs();
        // Bounds and pattern keys take no comma at their end.
        let bare = hugs || self.kind() == Some(TokenKind::LeftBracket);
        let line = || if brace { Doc::Line } else { Doc::Soft };
        let mut docs = self.word();
        let mut members: Vec<Doc> = Vec::new();
        let mut wanted = false;
        while self.kind().is_some_and(|kind| !kind.is_closer()) {
            let blank = !members.is_empty() && self.words.get(self.at).is_some_and(|word| word.blank);
            members.extend((!members.is_empty()).then_some(Doc::Line));
            members.extend(blank.then_some(Doc::Blank));
            members.extend(self.member());
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
        docs.extend(self.word_without_leading());
        vec![Doc::group(docs, brace && wanted)]
    }

    /// The comma after a member: always there but after the last one, which has one in a broken group only.
    fn comma(&mut self) -> Vec<Doc> {
        let last = self.kind() != Some(TokenKind::Comma) || self.kind_at(self.at + 1).is_some_and(TokenKind::is_closer);
        let shown = if last { Doc::IfBroken(",") } else { Doc::Comma };
        if self.kind() == Some(TokenKind::Comma) { self.word_as(Some(shown)) } else { vec![shown] }
    }

    /// Whether the bracket holds one record and nothing else, so that both break together.
    fn hugs(&self) -> bool {
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

    fn after_expression(&self) -> bool {
        self.at.checked_sub(1).and_then(|at| self.kind_at(at)).is_some_and(TokenKind::ends_expression)
    }

    /// What stands between two commas: `name?: T`, `[K]: V`, `...Base`, `name = x`, or an expression.
    fn member(&mut self) -> Vec<Doc> {
        let mut docs = Vec::new();
        while self.begins_attributed_member() {
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
            Some(kind) if (kind.is_word() || kind == TokenKind::String) && self.sign_follows() => {
                docs.extend(self.word());
                return self.named(docs);
            }
            _ => {}
        }
        docs.push(self.body(false));
        docs
    }

    /// Attributes that stand before a member's name; before an expression they are part of it.
    fn begins_attributed_member(&self) -> bool {
        matches!(self.kind(), Some(TokenKind::Attribute | TokenKind::AttributeOpen))
    }

    fn sign_follows(&self) -> bool {
        match self.kind_at(self.at + 1) {
            Some(TokenKind::Colon | TokenKind::Equals) => true,
            Some(TokenKind::Question) => self.kind_at(self.at + 2) == Some(TokenKind::Colon),
            _ => false,
        }
    }

    /// After a member's name.
    fn named(&mut self, mut docs: Vec<Doc>) -> Vec<Doc> {
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

    /// An expression with its alternatives, after a sign (`=` or `:`) or at the beginning of a bracket.
    fn body(&mut self, after_sign: bool) -> Doc {
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

    /// What stands between two `|`: parts with spaces between.
    fn alternative(&mut self) -> Doc {
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

    fn ends_alternative(&self) -> bool {
        let ends = |kind: TokenKind| kind.is_closer() || matches!(kind, TokenKind::Bar | TokenKind::Comma);
        self.kind().is_none_or(ends)
    }

    /// Words up to the next one before which a line may end.
    fn part(&mut self) -> Doc {
        let mut docs: Vec<Doc> = Vec::new();
        let first = self.at;
        while !self.ends_alternative() && (self.at == first || !self.begins_part()) {
            if self.at > first && self.spaced() {
                docs.push(Doc::text(" "));
            }
            match self.kind() {
                Some(TokenKind::LeftParen) => docs.push(self.parentheses()),
                Some(kind) if kind.closer().is_some() => docs.extend(self.list()),
                _ => docs.extend(self.word()),
            }
        }
        Doc::Group { broken: docs.iter().any(Doc::ends_line), docs }
    }

    /// Whether a line may end before the next word.
    fn begins_part(&self) -> bool {
        match self.kind() {
            Some(TokenKind::And | TokenKind::Minus | TokenKind::Percent) => true,
            Some(TokenKind::Attribute | TokenKind::AttributeOpen) => self.after_expression(),
            Some(kind) => kind.begins_expression() && self.after_expression(),
            None => true,
        }
    }

    /// Whether a space stands before the next word of the same part.
    fn spaced(&self) -> bool {
        use TokenKind::{Colon, Dot, Dots, Ellipsis, LeftBracket, Less, Plus, Question, Star};
        let before = self.at.checked_sub(1).and_then(|at| self.kind_at(at));
        let glued = match self.kind() {
            Some(Colon | Dot | Less | Question | Star | Plus | LeftBracket) => true,
            Some(Dots) => before.is_some_and(|before| matches!(before, TokenKind::Number | TokenKind::Name)),
            _ => false,
        };
        !glued && !matches!(before, Some(Dot | Dots | Ellipsis))
    }

    /// `( ... )` around an expression.
    fn parentheses(&mut self) -> Doc {
        let mut docs = self.word();
        let mut inner = vec![Doc::Soft, self.body(false)];
        inner.extend(self.closing_comments());
        docs.push(Doc::Nest(inner));
        docs.push(Doc::Soft);
        docs.extend(self.word_without_leading());
        Doc::group(docs, false)
    }
}

impl Doc {
    /// The contents of a nest as one document at the level around it.
    fn unnested(self) -> Doc {
        match self {
            Doc::Nest(docs) => {
                let broken = docs.iter().any(Doc::ends_line);
                Doc::Group { docs, broken }
            }
            other => other,
        }
    }
}
