//! Finds the bracket around each token, and whether expressions at the token are values or text.

use always_assert::never;

use super::ItemLexemes;
use crate::ogc::token::TokenKind;

/// The innermost bracket around a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// No bracket.
    Top,
    /// The braces of a record, or of an object in a test case.
    Record,
    /// The braces of a test.
    Cases,
    /// The braces after `with`.
    Overrides,
    /// The parentheses of an attribute.
    Attribute,
    /// Any other bracket.
    Other,
}

/// The surroundings of one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) frame: Frame,
    /// Whether the token stands in a value, where expressions cannot follow one another without a sign between them.
    pub(super) value: bool,
}

impl ItemLexemes<'_> {
    /// Returns the surroundings of each token. For an opening bracket these are the ones outside its pair, for a
    /// closing bracket the ones inside.
    pub(super) fn around(&self) -> Vec<Around> {
        let keyword = self.keyword();
        let mut stack = vec![Around { frame: Frame::Top, value: keyword == Some(TokenKind::Type) }];
        let mut all = Vec::with_capacity(self.lexemes.len());
        for (at, lexeme) in self.lexemes.iter().enumerate() {
            let around = stack.last().copied().unwrap_or_else(|| {
                never!("the top of the item was left");
                Around { frame: Frame::Top, value: false }
            });
            all.push(around);
            if lexeme.kind.closer().is_some() {
                stack.push(self.inside(at, around, keyword));
            } else if lexeme.kind.is_closer() && stack.len() > 1 {
                stack.pop();
            }
        }
        all
    }

    fn inside(&self, at: usize, around: Around, keyword: Option<TokenKind>) -> Around {
        let brace = self.kind(at) == Some(TokenKind::LeftBrace);
        let frame = match (keyword, around.frame) {
            (Some(TokenKind::Test), Frame::Top) if brace => Frame::Cases,
            (Some(TokenKind::Import), Frame::Top) if brace => Frame::Overrides,
            _ if brace => Frame::Record,
            _ if self.kind(at) == Some(TokenKind::AttributeOpen) => Frame::Attribute,
            _ => Frame::Other,
        };
        Around { frame, value: frame != Frame::Attribute && (around.value || frame == Frame::Record) }
    }
}
