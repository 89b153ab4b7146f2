//! Repairs the values of test cases: types and patterns in place of JSON values, a field without its braces, and
//! `where` for `with`. After it, values of cases are JSON.

use std::collections::BTreeMap;

use super::declarations::scalar;
use super::frames::{Around, Frame};
use super::{ItemLexemes, made, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if item.keyword() != Some(TokenKind::Test) {
        return;
    }
    captures(item);
    fields(item);
    values(item);
}

/// Repairs `accept "x" where { name: "x" }`; the word is read as `with`.
fn captures(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    for at in 0..item.lexemes.len() {
        let word = item.kind(at) == Some(TokenKind::Name) && item.kind(at + 1) == Some(TokenKind::LeftBrace);
        let behind = item
            .before(at)
            .is_some_and(|before| matches!(before, TokenKind::String | TokenKind::Tok) || before.is_closer());
        if !in_cases(&around, at) || !word || !behind {
            continue;
        }
        let message = format!("captures follow `with`, not `{}`", item.text(at));
        let fix = Fix::new("write `with`", item.span(at), "with");
        item.report(Diagnostic::error(Code::ForeignWord, item.span(at), message).help("write `with`").fix(fix));
        if let Some(lexeme) = item.lexemes.get_mut(at) {
            *lexeme = read_as(*lexeme, TokenKind::With);
        }
    }
}

fn in_cases(around: &[Around], at: usize) -> bool {
    around.get(at).is_some_and(|around| around.frame == Frame::Cases)
}

/// Repairs `accept items: []`; braces are put around the fields.
fn fields(item: &mut ItemLexemes<'_>) {
    use TokenKind::{Accept, Because, Colon, LeftBrace, Reject, RightBrace, String, With};
    let around = item.around();
    let begins = |at: &usize| {
        let name = item.kind(*at).is_some_and(|kind| kind.is_word() || kind == String);
        let case = matches!(item.before(*at), Some(Accept | Reject)) && in_cases(&around, *at);
        name && case && item.kind(at + 1) == Some(Colon)
    };
    let found: Vec<usize> = (0..item.lexemes.len()).filter(begins).collect();
    let mut edges: BTreeMap<usize, (TokenKind, &'static str)> = BTreeMap::new();
    for at in found {
        let over = |end: &usize| {
            let word = matches!(item.kind(*end), Some(Accept | Reject | Because | With | RightBrace));
            word && in_cases(&around, *end)
        };
        let Some(end) = (at + 2..item.lexemes.len()).find(over) else { break };
        let found = Diagnostic::error(Code::UnexpectedToken, item.span(at), "the fields of an object stand in braces");
        let help = format!("write `{} {{ {}: ... }}`", item.text(at - 1), item.text(at));
        let fix = Fix::new("write the braces", item.gap(at), " {").and(item.gap(end), " }");
        item.report(found.help(help).fix(fix));
        edges.insert(at, (LeftBrace, "{"));
        edges.insert(end, (RightBrace, "}"));
    }
    if edges.is_empty() {
        return;
    }
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len() + edges.len());
    for (at, lexeme) in item.lexemes.iter().enumerate() {
        if let Some((kind, text)) = edges.get(&at) {
            out.push(made(*kind, text, out.last()));
        }
        out.push(*lexeme);
    }
    item.lexemes = out;
}

/// Replaces what is not a JSON value in the objects and arrays of cases.
fn values(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    // Whether a mistake of the case was reported.
    let mut reported = false;
    let mut depth = 0_usize;
    let mut at = (0..item.lexemes.len()).find(|at| in_cases(&around, *at)).unwrap_or(item.lexemes.len());
    out.extend(item.lexemes.get(..at).unwrap_or_default());
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        if in_cases(&around, at) {
            depth = 0;
            reported &= !matches!(lexeme.kind, TokenKind::Accept | TokenKind::Reject);
        }
        if depth > 0 && begins_value(item, at) {
            let end = value_end(item, at);
            if !is_json(item, at, end) {
                if !reported {
                    report(item, at);
                }
                reported = true;
                let last = item.lexemes.get(end - 1).map_or(lexeme.end, |last| last.end);
                out.push(Lexeme { kind: TokenKind::Null, text: "null", end: last, ..lexeme });
                at = end;
                continue;
            }
        }
        depth += usize::from(lexeme.kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(lexeme.kind.is_closer()));
        out.push(lexeme);
        at += 1;
    }
    item.lexemes = out;
}

/// Returns whether the value of a field or an item of an array begins at `at`.
fn begins_value(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Colon, Comma, LeftBracket, Question};
    let over = item.kind(at).is_none_or(|kind| kind.is_closer() || kind == Comma);
    match item.before(at) {
        Some(Colon | LeftBracket) => !over,
        // Between the fields of an object a key follows the comma.
        Some(Comma) => !over && !matches!(item.kind(at + 1), Some(Colon | Question)) && in_array(item, at),
        _ => false,
    }
}

/// Returns whether the innermost bracket around the token at `at` is an array's.
fn in_array(item: &ItemLexemes<'_>, at: usize) -> bool {
    const REACH: usize = 200;
    let mut closed = 0_usize;
    for kind in (at.saturating_sub(REACH)..at).rev().filter_map(|at| item.kind(at)) {
        if kind.is_closer() {
            closed += 1;
        } else if kind.closer().is_some() {
            if closed == 0 {
                return kind == TokenKind::LeftBracket;
            }
            closed -= 1;
        }
    }
    false
}

/// Returns the index after the value at `at`: of the next comma or closing bracket.
fn value_end(item: &ItemLexemes<'_>, at: usize) -> usize {
    let mut depth = 0_usize;
    let over = |at: &usize| {
        let Some(kind) = item.kind(*at) else { return true };
        if depth == 0 && (kind.is_closer() || kind == TokenKind::Comma) {
            return true;
        }
        depth += usize::from(kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(kind.is_closer()));
        false
    };
    (at..item.lexemes.len()).find(over).unwrap_or(item.lexemes.len())
}

/// Returns whether a JSON value begins at `at`, and no operator follows it before `end`. The inside of objects and
/// arrays is not examined, and missing commas are left to other repairs.
fn is_json(item: &ItemLexemes<'_>, at: usize, end: usize) -> bool {
    use TokenKind::{And, Bar, Dots, False, LeftBrace, LeftBracket, Less, Minus, Null, Number, Percent, String, True};
    let after = match item.kind(at) {
        Some(False | Null | Number | String | True) => at + 1,
        Some(LeftBrace | LeftBracket) => item.closer_of(at).map_or(end, |close| close + 1),
        _ => return false,
    };
    let operator = matches!(item.kind(after), Some(And | Bar | Dots | LeftBracket | Less | Minus | Percent));
    after >= end || !operator
}

fn report(item: &mut ItemLexemes<'_>, at: usize) {
    let text = item.text(at);
    let (what, help) = match item.kind(at) {
        Some(TokenKind::Regex) => ("a pattern is no JSON value", "write a text that it matches, in quotes".to_owned()),
        Some(TokenKind::Name) if scalar(text).is_some() => {
            let value = match scalar(text) {
                Some("string") => "\"a\"",
                Some("bool") => "true",
                _ => "1",
            };
            ("a type is no JSON value", format!("write one value of it, such as `{value}`"))
        }
        Some(TokenKind::Name) => ("a name is no JSON value", format!("write a value: `\"{text}\"` for this text")),
        _ => ("this is no JSON value", "write one value, as in `{ name: \"a\", age: 5 }`".to_owned()),
    };
    let found = Diagnostic::error(Code::UnexpectedToken, item.span(at), format!("a case is an example: {what}"));
    item.report(found.help(help));
}
