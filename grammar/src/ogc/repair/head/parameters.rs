//! Repairs parameters: types of parameters, `rule x<a: string>`, names in quotes, and names of several words.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::{ItemLexemes, read_as};
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::Span;

/// Reports `type user profile = ...`, whose name has several words.
pub(super) fn several_words(item: &mut ItemLexemes<'_>, keyword: usize) -> bool {
    let first = keyword + 1;
    let end = (first..item.lexemes.len()).find(|at| item.kind(*at) != Some(TokenKind::Name));
    let Some(end) = end.filter(|end| *end > first + 1 && item.kind(*end) == Some(TokenKind::Equals)) else {
        return false;
    };
    let words: Vec<&str> = (first..end).map(|at| item.text(at)).collect();
    let span = item.span(first).merge(item.span(end - 1));
    let meant = words.join("_");
    let found = Diagnostic::error(
        Code::WrongName,
        span,
        format!("`{}` is more than one word, and a name is one", words.join(" ")),
    );
    let fix = Fix::new(format!("write `{meant}`"), span, meant.clone());
    item.report(found.help(format!("write `{meant}`, here and where it is used")).fix(fix));
    true
}

/// Repairs the parameters of a definition.
pub(super) fn repair(item: &mut ItemLexemes<'_>, keyword: usize) {
    let open = keyword + 2;
    if item.kind(open) != Some(TokenKind::Less) || item.kind(keyword + 1) != Some(TokenKind::Name) {
        return;
    }
    let mut at = open + 1;
    while matches!(item.before(at), Some(TokenKind::Less | TokenKind::Comma)) {
        quoted(item, at);
        typed(item, at);
        let Some(next) = parameter_end(item, at) else { return };
        at = next + 1;
    }
}

/// Returns the index of the comma or bracket after the parameter at `at`.
fn parameter_end(item: &ItemLexemes<'_>, at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in at..item.lexemes.len() {
        let kind = item.kind(at)?;
        if depth == 0 && (kind == TokenKind::Comma || kind.is_closer()) {
            return Some(at);
        }
        depth += usize::from(kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(kind.is_closer()));
    }
    None
}

/// Repairs the parameter `"name"`.
fn quoted(item: &mut ItemLexemes<'_>, at: usize) {
    let Some(lexeme) = item.lexemes.get(at).copied().filter(|one| one.kind == TokenKind::String) else { return };
    let name: &str = lexeme.text.trim_matches(['"', '\'']);
    let word = name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !word {
        return;
    }
    let found = Diagnostic::error(Code::WrongName, item.span(at), "the name of a parameter stands without quotes");
    let fix = Fix::new("remove the quotes", item.span(at), name);
    item.report(found.help(format!("write `{name}`")).fix(fix));
    item.lexemes[at] = Lexeme { text: name, ..read_as(lexeme, TokenKind::Name) };
}

/// Repairs the parameter `name: string`; its type is dropped.
fn typed(item: &mut ItemLexemes<'_>, at: usize) {
    let colon = at + 1;
    let word = item.kind(colon) == Some(TokenKind::Colon) || matches!(item.text(colon), "extends" | "is");
    if item.kind(at) != Some(TokenKind::Name) || !word {
        return;
    }
    let Some(end) = parameter_end(item, at) else { return };
    let default = (colon..end).find(|at| item.kind(*at) == Some(TokenKind::Equals)).unwrap_or(end);
    let name = item.text(at);
    let place = Span::new(item.span(at).end, item.gap(default).end);
    let found = Diagnostic::error(
        Code::ExtraSign,
        item.span(colon).merge(item.span(default - 1)),
        format!("the parameter `{name}` has no type"),
    );
    let help = format!("write `{name}`; a default is written `{name} = ...`");
    item.report(found.help(help).fix(Fix::new(format!("write `{name}`"), place, "")));
    item.lexemes.drain(colon..default);
}
