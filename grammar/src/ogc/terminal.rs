//! The input of the generated parser: significant tokens with their text, in which contextual words of imports and
//! tests are keywords.

use super::token::{Token, TokenKind};
use crate::span::part;

/// A significant token as the generated parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'t> {
    /// Kind of the token; contextual words have their own kinds here.
    pub(crate) kind: TokenKind,
    /// Source text of the token.
    pub(crate) text: &'t str,
    /// Offset of the token's beginning in the item's text.
    pub(crate) start: u32,
    /// Offset of the token's end in the item's text.
    pub(crate) end: u32,
}

/// Returns the significant tokens of one item.
pub(crate) fn lexemes<'t>(text: &'t str, tokens: &[Token]) -> Vec<Lexeme<'t>> {
    let mut lexemes: Vec<Lexeme<'t>> = Vec::new();
    let mut signs = Signs::default();
    for token in tokens.iter().filter(|token| !token.kind.is_trivia()) {
        let (start, end) = (token.span.start, token.span.end);
        let lexeme = Lexeme { kind: token.kind, text: token.span.text(text), start, end };
        match lexemes.last_mut().filter(|_| signs.joins(&lexeme)) {
            Some(sign) => {
                *sign = Lexeme { text: part(text, sign.start as usize..end as usize), start: sign.start, ..lexeme };
            }
            None => lexemes.push(lexeme),
        }
        signs.after(&lexeme);
    }
    name_contextual_words(&mut lexemes);
    lexemes
}

/// Finds each `-` that is the sign of the number after it, not a difference.
#[derive(Default)]
struct Signs {
    /// Open brackets; for each, whether it is an attribute's.
    open: Vec<bool>,
    /// Whether the last token ends an operand.
    operand: bool,
    /// End of the last `-` that is a sign.
    sign: Option<u32>,
}

impl Signs {
    fn joins(&self, lexeme: &Lexeme<'_>) -> bool {
        lexeme.kind == TokenKind::Number && self.sign == Some(lexeme.start)
    }

    fn after(&mut self, lexeme: &Lexeme<'_>) {
        let attribute = if lexeme.kind.is_closer() { self.open.pop() == Some(true) } else { false };
        if lexeme.kind.closer().is_some() {
            self.open.push(lexeme.kind == TokenKind::AttributeOpen);
        }
        let sign = lexeme.kind == TokenKind::Minus && !self.operand;
        self.sign = sign.then_some(lexeme.end);
        self.operand = lexeme.kind.ends_expression() && !attribute;
    }
}

/// Turns contextual words into keywords: `from`, `as` and `with` in the head of an import, `accept`, `reject`, `with` and
/// `because` directly in the block of a test.
pub(crate) fn name_contextual_words(lexemes: &mut [Lexeme<'_>]) {
    let (_, lexemes) = lexemes.split_at_mut(keyword_at(lexemes));
    match lexemes.first().map(|lexeme| lexeme.kind) {
        Some(TokenKind::Import) => name_import_words(lexemes),
        Some(TokenKind::Test) => name_test_words(lexemes),
        _ => {}
    }
}

fn name_import_words(lexemes: &mut [Lexeme<'_>]) {
    let head = lexemes.iter_mut().take_while(|lexeme| lexeme.kind != TokenKind::LeftBrace);
    for lexeme in head.filter(|lexeme| lexeme.kind == TokenKind::Name) {
        lexeme.kind = match lexeme.text {
            "from" => TokenKind::From,
            "as" => TokenKind::As,
            "with" => TokenKind::With,
            _ => TokenKind::Name,
        };
    }
}

fn name_test_words(lexemes: &mut [Lexeme<'_>]) {
    // The target may have arguments in brackets; they are not the block.
    let (mut depth, mut in_block) = (0_usize, false);
    for lexeme in lexemes {
        match lexeme.kind {
            kind if kind.closer().is_some() => {
                in_block = if depth == 0 { kind == TokenKind::LeftBrace } else { in_block };
                depth += 1;
            }
            kind if kind.is_closer() => depth = depth.saturating_sub(1),
            TokenKind::Name if depth == 1 && in_block => lexeme.kind = test_word(lexeme.text),
            _ => {}
        }
    }
}

fn test_word(text: &str) -> TokenKind {
    match text {
        "accept" => TokenKind::Accept,
        "reject" => TokenKind::Reject,
        "because" => TokenKind::Because,
        "with" => TokenKind::With,
        _ => TokenKind::Name,
    }
}

/// Returns the index of the first token after the attributes that an item begins with.
pub(crate) fn keyword_at(lexemes: &[Lexeme<'_>]) -> usize {
    let mut depth = 0_usize;
    let after = lexemes.iter().position(|lexeme| match lexeme.kind {
        TokenKind::Attribute => false,
        TokenKind::AttributeOpen => {
            depth += 1;
            false
        }
        kind if depth > 0 => {
            depth += usize::from(kind.closer().is_some());
            depth -= usize::from(kind.is_closer());
            false
        }
        _ => true,
    });
    after.unwrap_or(lexemes.len())
}
