//! What the generated parser reads: significant tokens with their text, words of imports and tests made keywords.

use super::token::{Token, TokenKind};

/// A significant token as the generated parser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'t> {
    /// Its kind; contextual words have theirs here.
    pub(crate) kind: TokenKind,
    /// Its source text.
    pub(crate) text: &'t str,
    /// Offsets into the item's text.
    pub(crate) start: u32,
    /// The end of it.
    pub(crate) end: u32,
}

/// The significant tokens of one item.
pub(crate) fn lexemes<'t>(text: &'t str, tokens: &[Token]) -> Vec<Lexeme<'t>> {
    let mut lexemes: Vec<Lexeme<'t>> = Vec::new();
    for token in tokens.iter().filter(|token| !token.kind.is_trivia()) {
        let (start, end) = (token.span.start, token.span.end);
        lexemes.push(Lexeme { kind: token.kind, text: token.span.text(text), start, end });
        if token.kind == TokenKind::Number {
            join_sign(text, &mut lexemes);
        }
    }
    name_contextual_words(&mut lexemes);
    lexemes
}

/// Joins a `-` with the number that touches it where the `-` cannot be a difference.
fn join_sign<'t>(text: &'t str, lexemes: &mut Vec<Lexeme<'t>>) {
    let [before @ .., sign, number] = lexemes.as_slice() else { return };
    let operand = before.last().is_some_and(|lexeme| lexeme.kind.ends_expression());
    if sign.kind != TokenKind::Minus || sign.end != number.start || operand {
        return;
    }
    let (start, end) = (sign.start, number.end);
    let text = text.get(start as usize..end as usize).unwrap_or("");
    lexemes.truncate(lexemes.len() - 2);
    lexemes.push(Lexeme { kind: TokenKind::Number, text, start, end });
}

/// `from`, `as` and `with` are special in an import's head, `accept`, `reject` and `because` directly in a test's block.
fn name_contextual_words(lexemes: &mut [Lexeme<'_>]) {
    let keyword = lexemes.iter().map(|lexeme| lexeme.kind).find(|kind| kind.is_keyword());
    match keyword {
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
    let mut depth = 0_usize;
    for lexeme in lexemes {
        match lexeme.kind {
            kind if kind.closer().is_some() => depth += 1,
            kind if kind.is_closer() => depth = depth.saturating_sub(1),
            TokenKind::Name if depth == 1 => lexeme.kind = test_word(lexeme.text),
            _ => {}
        }
    }
}

fn test_word(text: &str) -> TokenKind {
    match text {
        "accept" => TokenKind::Accept,
        "reject" => TokenKind::Reject,
        "because" => TokenKind::Because,
        _ => TokenKind::Name,
    }
}
