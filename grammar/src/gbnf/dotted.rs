//! Names with dots: one name if a rule has that name, as in xgrammar; otherwise names with the sign for any character
//! between them, as in llama.cpp.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, too_many_tokens};
use crate::notation::TOKEN_LIMIT;
use crate::notation::lexeme::{Lexeme, Token};
use crate::span::Span;

/// Splits names with dots that are not names of rules.
pub(super) fn settled(lexemes: Vec<Lexeme>) -> Result<Vec<Lexeme>, Box<Diagnostic>> {
    let is_dotted = |lexeme: &Lexeme| matches!(&lexeme.token, Token::Name(name) if name.contains('.'));
    if !lexemes.iter().any(is_dotted) {
        return Ok(lexemes);
    }
    let rules = defined(&lexemes);
    let mut settled = Vec::with_capacity(lexemes.len());
    for lexeme in lexemes {
        match &lexeme.token {
            Token::Name(name) if name.contains('.') && !rules.contains(name) => split(name, &lexeme, &mut settled),
            _ => settled.push(lexeme),
        }
        if settled.len() > TOKEN_LIMIT {
            let place = settled.last().map(|lexeme| lexeme.span).unwrap_or_default();
            return Err(Box::new(too_many_tokens(place, TOKEN_LIMIT)));
        }
    }
    Ok(settled)
}

/// Returns the names with dots that `::=` follows.
fn defined(lexemes: &[Lexeme]) -> HashSet<String> {
    let token = |at: usize| lexemes.get(at).map(|lexeme| &lexeme.token);
    let mut rules = HashSet::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        let defines = matches!(token(at + 1), Some(Token::Define | Token::Options(_)));
        if let Token::Name(name) = &lexeme.token
            && defines
            && name.contains('.')
        {
            rules.insert(name.clone());
        }
    }
    rules
}

fn split(name: &str, lexeme: &Lexeme, settled: &mut Vec<Lexeme>) {
    let mut at = lexeme.span.start as usize;
    for (index, part) in name.split('.').enumerate() {
        let starts_line = lexeme.starts_line && index == 0;
        let is_indented = lexeme.is_indented && index == 0;
        if index > 0 {
            let span = Span::of(at, at + 1);
            settled.push(Lexeme { token: Token::Any, span, starts_line, is_indented });
            at += 1;
        }
        let span = Span::of(at, at + part.len());
        settled.push(Lexeme { token: Token::Name(part.to_owned()), span, starts_line, is_indented });
        at += part.len();
    }
}
