//! Lists the names of an ABNF file.

use std::collections::HashMap;

use super::lex::Abnf;
use super::lexemes::Token;
use crate::diagnostic::Sink;
use crate::notation::TEXT_LIMIT;
use crate::notation::lexer::lexemes;
use crate::rules::{RuleName, RuleNameKind};
use crate::span::Span;

/// Returns every name of a text in source order, even if the text has errors. Each name is spelled as in its first
/// definition.
///
/// ```
/// let names = ogc_grammar::abnf::names("list = Item *( \",\" <item> )\nitem = ALPHA\nITEM =/ DIGIT\n");
/// let places: Vec<u32> = names.iter().filter(|one| one.name == "item").map(|one| one.span.start).collect();
/// assert_eq!(places, [7, 20, 28, 41]);
/// ```
#[must_use]
pub fn names(text: &str) -> Vec<RuleName> {
    if text.len() > TEXT_LIMIT {
        return Vec::new();
    }
    let Ok(lexemes) = lexemes::<Abnf>(text, &mut Sink::default()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut spellings: HashMap<String, String> = HashMap::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        let Token::Name(name) = &lexeme.token else { continue };
        let kind = match lexemes.get(at + 1).map(|next| &next.token) {
            Some(Token::Define) => RuleNameKind::Definition,
            _ => RuleNameKind::Use,
        };
        if kind == RuleNameKind::Definition {
            spellings.entry(name.to_ascii_lowercase()).or_insert_with(|| name.clone());
        }
        found.push(RuleName::new(name, bare(lexeme.span, name), kind));
    }
    for one in &mut found {
        if let Some(spelled) = spellings.get(&one.name.to_ascii_lowercase()) {
            one.name.clone_from(spelled);
        }
    }
    found
}

/// Returns the span of a name without the brackets of `<name>`.
fn bare(span: Span, name: &str) -> Span {
    let brackets = (span.len() as usize).saturating_sub(name.len()) / 2;
    let start = span.start as usize + brackets;
    Span::of(start, start + name.len())
}
