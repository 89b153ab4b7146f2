//! Repairs `:` in place of `=` in attributes, policies, overrides and arguments of built-in names.

use super::frames::Frame;
use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let policy = item.keyword() == Some(TokenKind::Policy);
    if policy {
        commas(item);
    }
    let around = item.around();
    arguments(item);
    for (at, around) in around.iter().enumerate() {
        let frame = match around.frame {
            Frame::Top => policy,
            Frame::Attribute | Frame::Overrides => true,
            Frame::Record | Frame::Cases | Frame::Other => false,
        };
        if frame && item.kind(at) == Some(TokenKind::Colon) && names_setting(item, at) {
            mend(item, at);
        }
    }
}

/// Puts commas between policies: `policy space = "any" order = "any"`.
fn commas(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let begins = |at: &usize| {
        let top = around.get(*at).is_some_and(|around| around.frame == Frame::Top);
        let named = item.kind(*at) == Some(TokenKind::Name) && item.kind(at + 1) == Some(TokenKind::Equals);
        top && named && *at > item.keyword_at() + 1 && item.before(*at).is_some_and(TokenKind::ends_expression)
    };
    let missing: Vec<usize> = (0..item.lexemes.len()).filter(begins).collect();
    missing.iter().for_each(|at| item.missing_comma(*at, "policies"));
    for at in missing.into_iter().rev() {
        item.lexemes.insert(at, made(TokenKind::Comma, ",", at.checked_sub(1).and_then(|at| item.lexemes.get(at))));
    }
}

/// Built-in names whose arguments are never captures.
const WITHOUT_CAPTURES: [&str; 9] = ["array", "int", "json", "map", "number", "object", "string", "text", "tuple"];

/// Names of the arguments of these built-in names.
const NAMED: [&str; 21] = [
    "above",
    "below",
    "contains",
    "depth",
    "digits",
    "escapes",
    "indent",
    "items",
    "keys",
    "max_chars",
    "max_tokens",
    "multiple_of",
    "numbers",
    "order",
    "rest",
    "run",
    "search",
    "space",
    "times",
    "without",
    "words",
];

/// Repairs `text<max_tokens: 80>`.
fn arguments(item: &mut ItemLexemes<'_>) {
    let mut open: Vec<bool> = Vec::new();
    for at in 0..item.lexemes.len() {
        let Some(kind) = item.kind(at) else { break };
        if kind.closer().is_some() {
            let name = at.checked_sub(1).map_or("", |before| item.text(before));
            open.push(kind == TokenKind::Less && WITHOUT_CAPTURES.contains(&name));
        } else if kind.is_closer() {
            open.pop();
        } else if kind == TokenKind::Colon && open.last() == Some(&true) && names_argument(item, at) {
            mend(item, at);
        }
    }
}

/// Returns whether the token before the colon at `at` is the name of an argument, at the beginning of the argument.
fn names_argument(item: &ItemLexemes<'_>, at: usize) -> bool {
    let Some(name) = at.checked_sub(1) else { return false };
    let begins = matches!(item.before(name), Some(TokenKind::Less | TokenKind::Comma));
    begins && NAMED.contains(&item.text(name))
}

/// Returns whether the token before the colon at `at` is a name that begins a setting.
fn names_setting(item: &ItemLexemes<'_>, at: usize) -> bool {
    let named = item.before(at).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
    let begins = at.checked_sub(1).and_then(|name| item.before(name));
    let opens = matches!(begins, Some(TokenKind::Comma | TokenKind::Policy | TokenKind::LeftBrace));
    named && (opens || begins == Some(TokenKind::AttributeOpen))
}

fn mend(item: &mut ItemLexemes<'_>, at: usize) {
    let name = at.checked_sub(1).map_or("", |name| item.text(name));
    let found = Diagnostic::error(Code::ColonForEquals, item.span(at), format!("`{name}` is given a value with `=`"));
    let fix = Fix::new("write `=`", item.span(at), item.spaced(at, "="));
    item.report(found.help(format!("write `{name} = ...`; `:` is for fields and captures")).fix(fix));
    if let Some(lexeme) = item.lexemes.get_mut(at) {
        lexeme.kind = TokenKind::Equals;
    }
}
