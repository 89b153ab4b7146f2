//! Lists the names among the lexemes of GBNF and W3C EBNF.

use super::lexeme::{Lexeme, Token};
use crate::rules::{RuleName, RuleNameKind};

/// Returns every name in source order; one before `::=`, or before an attribute and `::=`, is defined there.
pub(crate) fn names(lexemes: &[Lexeme]) -> Vec<RuleName> {
    let token = |at: usize| lexemes.get(at).map(|lexeme| &lexeme.token);
    let attribute = |at: usize| matches!(token(at), Some(Token::Class { .. } | Token::Reported));
    let defines = |at: usize| {
        let adjacent = lexemes.get(at).map(|one| one.span.end) == lexemes.get(at + 1).map(|one| one.span.start);
        let plain = token(at + 1) == Some(&Token::Define);
        plain || attribute(at + 1) && adjacent && token(at + 2) == Some(&Token::Define)
    };
    let named = lexemes.iter().enumerate().filter_map(|(at, lexeme)| match &lexeme.token {
        Token::Name(name) => Some((at, name, lexeme.span)),
        _ => None,
    });
    let kind = |at| if defines(at) { RuleNameKind::Definition } else { RuleNameKind::Use };
    named.map(|(at, name, span)| RuleName::new(name, span, kind(at))).collect()
}
