//! Lists the names of an EBNF file.

use super::iso_lex::{Iso, Lexeme, Token};
use super::w3c_lex::W3c;
use super::{Style, style};
use crate::diagnostic::Sink;
use crate::gbnf;
use crate::notation::lexer::lexemes;
use crate::notation::{TEXT_LIMIT, names as of_lexemes};
use crate::rules::{RuleName, RuleNameKind};
use crate::span::Span;

/// Returns every name of a text in source order, even if the text has errors.
///
/// ```
/// let names = ogc_grammar::ebnf::names("list = item, { item };\nitem = 'a';\n");
/// let places: Vec<u32> = names.iter().filter(|one| one.name == "item").map(|one| one.span.start).collect();
/// assert_eq!(places, [7, 15, 23]);
/// ```
#[must_use]
pub fn names(text: &str) -> Vec<RuleName> {
    if text.len() > TEXT_LIMIT {
        return Vec::new();
    }
    let mut sink = Sink::default();
    match style(text) {
        Style::Gbnf => return gbnf::names(text),
        Style::W3c => lexemes::<W3c>(text, &mut sink).map(|lexemes| of_lexemes(&lexemes)),
        Style::Iso => lexemes::<Iso>(text, &mut sink).map(|lexemes| of_words(&lexemes)),
    }
    .unwrap_or_default()
}

/// Joins the words of one line to names, as the parser does.
fn of_words(lexemes: &[Lexeme]) -> Vec<RuleName> {
    let mut found: Vec<RuleName> = Vec::new();
    let mut open: Option<(String, Span)> = None;
    for lexeme in lexemes {
        match (&lexeme.token, &mut open) {
            (Token::Word(word), Some((name, span))) if !lexeme.starts_line => {
                name.push('-');
                name.push_str(word);
                *span = span.merge(lexeme.span);
            }
            (token, _) => {
                found.extend(open.take().map(|(name, span)| joined(&name, span, token)));
                open = match token {
                    Token::Word(word) => Some((word.clone(), lexeme.span)),
                    _ => None,
                };
            }
        }
    }
    found.extend(open.map(|(name, span)| joined(&name, span, &Token::End)));
    found
}

/// Makes a name before the lexeme that follows it.
fn joined(name: &str, span: Span, next: &Token) -> RuleName {
    let kind = if *next == Token::Equals { RuleNameKind::Definition } else { RuleNameKind::Use };
    RuleName::new(name, span, kind)
}
