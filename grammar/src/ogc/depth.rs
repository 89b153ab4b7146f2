//! Checks the nesting depth of an item by its tokens, before a tree is built, so that no tree can exhaust a stack.

use super::terminal::Lexeme;
use super::token::TokenKind;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Maximum number of levels to which brackets and chains of operators nest together in one item.
pub const NESTING_LIMIT: u32 = 200;

/// Returns an error at the place at which an item nests too deeply.
pub(crate) fn too_deep(lexemes: &[Lexeme<'_>], base: u32) -> Option<Diagnostic> {
    let mut depth = Depth::default();
    let deep = lexemes.iter().find(|lexeme| depth.after(lexeme.kind) > NESTING_LIMIT)?;
    let span = Span::new(deep.start, deep.end).shifted(base);
    let given = NESTING_LIMIT + 1;
    let message = format!("expressions nest {given} deep or deeper here; the limit is {NESTING_LIMIT}");
    Some(Diagnostic::error(Code::NestingTooDeep, span, message).help("give a part of it a name of its own"))
}

/// The depth at a token: open brackets, and on each level the operators that wrapped the text before them.
#[derive(Default)]
struct Depth {
    /// Length of the chain of each enclosing level, and the bracket that ends the level.
    outer: Vec<(u32, TokenKind)>,
    /// Sum of the chains of all enclosing levels.
    outer_sum: u32,
    chain: u32,
    last_operator: Option<TokenKind>,
    last: Option<TokenKind>,
}

impl Depth {
    /// Moves over a token of this kind; returns the depth after it. Repeated `&` and repeated `-` do not add depth, and
    /// a colon directly in braces belongs to a field.
    fn after(&mut self, kind: TokenKind) -> u32 {
        use TokenKind::{And, Attribute, Bar, Colon, Comma, Equals, Minus, Percent, Plus, Question, Star};
        let fresh = kind.begins_expression() && self.last.is_some_and(TokenKind::ends_expression);
        if fresh || matches!(kind, Bar | Comma | Equals) {
            self.chain = 0;
            self.last_operator = None;
        }
        match kind {
            Colon if self.outer.last().is_some_and(|(_, bracket)| *bracket == TokenKind::LeftBrace) => {}
            And | Minus if self.last_operator == Some(kind) => {}
            And | Minus | Percent | Question | Star | Plus | Colon | Attribute => self.extend(kind),
            TokenKind::AttributeOpen | TokenKind::LeftBracket => {
                self.extend(kind);
                self.open(kind);
            }
            kind if kind.closer().is_some() => self.open(kind),
            kind if kind.is_closer() => self.close(),
            _ => {}
        }
        self.last = Some(kind);
        let levels = u32::try_from(self.outer.len()).unwrap_or(u32::MAX);
        levels.saturating_add(self.outer_sum).saturating_add(self.chain)
    }

    fn extend(&mut self, operator: TokenKind) {
        self.chain = self.chain.saturating_add(1);
        self.last_operator = Some(operator);
    }

    fn open(&mut self, bracket: TokenKind) {
        self.outer.push((self.chain, bracket));
        self.outer_sum = self.outer_sum.saturating_add(self.chain);
        self.chain = 0;
        self.last_operator = None;
    }

    fn close(&mut self) {
        if let Some((chain, _)) = self.outer.pop() {
            self.outer_sum = self.outer_sum.saturating_sub(chain);
            self.chain = chain;
        }
        self.last_operator = None;
    }
}
