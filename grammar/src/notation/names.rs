//! Lists the names among the lexemes of GBNF and W3C EBNF.

use super::lexeme::{Lexeme, Token};
use crate::rules::{RuleName, RuleNameKind};

/// Returns every name in source order; a name before `::=`, or before options and `::=`, is a definition.
pub(crate) fn names(lexemes: &[Lexeme]) -> Vec<RuleName> {
    let token = |at: usize| lexemes.get(at).map(|lexeme| &lexeme.token);
    let defines = |at: usize| {
        let has_options = matches!(token(at + 1), Some(Token::Options(_)));
        token(at + 1) == Some(&Token::Define) || has_options && token(at + 2) == Some(&Token::Define)
    };
    let named = lexemes.iter().enumerate().filter_map(|(at, lexeme)| match &lexeme.token {
        Token::Name(name) => Some((at, name, lexeme.span)),
        _ => None,
    });
    let kind = |at| if defines(at) { RuleNameKind::Definition } else { RuleNameKind::Use };
    named.map(|(at, name, span)| RuleName::new(name, span, kind(at))).collect()
}
