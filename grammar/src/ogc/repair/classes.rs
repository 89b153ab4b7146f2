//! Repairs whole items of other languages: `record User(int id) {}`, `data class User(val id: Int)`, and classes of
//! Python. The item is read as a type whose definition is lost.

mod fields;

use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

/// Words that begin records in other languages.
pub(super) const RECORD_WORDS: [&str; 7] = ["interface", "struct", "class", "message", "model", "record", "schema"];

/// Words that may stand before the word of a class.
const MODIFIERS: [&str; 11] =
    ["abstract", "case", "data", "export", "final", "open", "private", "public", "sealed", "static", "value"];

/// Maximum length of a definition that is shown as a whole.
const SHOWN: usize = 100;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let first = item.keyword_at();
    let modified = MODIFIERS.contains(&item.text(first)) && RECORD_WORDS.contains(&item.text(first + 1));
    let word = first + usize::from(modified);
    let named = RECORD_WORDS.contains(&item.text(word)) && item.kind(word + 1) == Some(TokenKind::Name);
    if !named || item.kind(word) != Some(TokenKind::Name) {
        return;
    }
    let fields = match item.kind(word + 2) {
        Some(TokenKind::LeftParen) if item.touches(word + 2) => {
            let Some(close) = item.closer_of(word + 2) else { return };
            if item.kind(close + 1) == Some(TokenKind::Colon) {
                fields::of_python(item, close + 1)
            } else {
                fields::of_parameters(item, word + 2, close)
            }
        }
        Some(TokenKind::Colon) => fields::of_python(item, word + 2),
        _ => return,
    };
    report(item, first, word, fields.as_deref());
    let (Some(word), Some(name)) = (item.lexemes.get(word).copied(), item.lexemes.get(word + 1).copied()) else {
        return;
    };
    item.lexemes.truncate(first);
    item.lexemes.extend([read_as(word, TokenKind::Type), name]);
    item.confused = true;
}

fn report(item: &mut ItemLexemes<'_>, first: usize, word: usize, fields: Option<&str>) {
    let name = item.text(word + 1);
    let whole = fields.map(|fields| format!("type {name} = {{ {fields} }}"));
    let shown = whole.clone().filter(|whole| whole.len() <= SHOWN);
    let shown = shown.unwrap_or_else(|| format!("type {name} = {{ ... }}"));
    let head = item.span(first).merge(item.span(word));
    let said: Vec<&str> = (first..=word).map(|at| item.text(at)).collect();
    let all = head.merge(item.span(item.lexemes.len() - 1));
    let fix = whole.filter(|_| ends_plainly(item, word + 2)).map(|whole| Fix::new("write a type", all, whole));
    let place = if fix.is_some() { all } else { head };
    let found = Diagnostic::error(Code::ForeignWord, place, format!("`{}` is not an ogc keyword", said.join(" ")));
    item.report(found.help(format!("write `{shown}`")).fix(fix));
}

/// Returns whether the item ends with the parameters that begin at `open`, or with empty braces after them.
fn ends_plainly(item: &ItemLexemes<'_>, open: usize) -> bool {
    let kinds = |at: usize| item.lexemes.get(at..).unwrap_or_default().iter().map(|one: &Lexeme<'_>| one.kind);
    let Some(close) = item.closer_of(open).filter(|_| item.kind(open) == Some(TokenKind::LeftParen)) else {
        return false;
    };
    let empty = [TokenKind::LeftBrace, TokenKind::RightBrace];
    kinds(close + 1).next().is_none() || kinds(close + 1).eq(empty)
}
