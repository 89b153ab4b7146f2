//! The head of an item: words of other languages, reserved words as names, `:` for `=`, a missing `=`.

use super::{Patient, made, read_as};
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    if patient.keyword().is_none() {
        foreign_word(patient);
    }
    match patient.keyword() {
        Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output) => definition(patient),
        Some(TokenKind::Import) => import(patient),
        _ => {}
    }
}

/// Words that begin records in other languages.
const RECORD_WORDS: [&str; 7] = ["interface", "struct", "class", "message", "model", "record", "schema"];

/// `interface X {` is read as `type X = {`.
fn foreign_word(patient: &mut Patient<'_>) {
    let at = patient.keyword_at();
    let word = patient.text(at);
    let named = patient.kind(at + 1) == Some(TokenKind::Name);
    if !RECORD_WORDS.contains(&word) || !named {
        return;
    }
    let name = patient.text(at + 1);
    let message = format!("`{word}` is no word of ogc");
    let found = Diagnostic::error("foreign-keyword", patient.span(at), message);
    let braced = patient.kind(at + 2) == Some(TokenKind::LeftBrace);
    let fix = braced.then(|| Fix::new("write `type` and `=`", patient.span(at), "type").and(patient.gap(at + 2), " ="));
    patient.report(found.help(format!("write `type {name} = {{ ... }}`")).fix(fix));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Type);
    }
    if braced {
        patient.lexemes.insert(at + 2, made(TokenKind::Equals, "=", patient.lexemes.get(at + 1)));
    }
}

fn definition(patient: &mut Patient<'_>) {
    let keyword = patient.keyword_at();
    reserved_name(patient, keyword);
    let end = head_end(patient, keyword);
    match patient.kind(end) {
        Some(TokenKind::Colon) => colon(patient, keyword, end),
        Some(kind) if begins_body(kind) && end > keyword + 1 => missing_equals(patient, keyword, end),
        _ => {}
    }
}

fn begins_body(kind: TokenKind) -> bool {
    kind.begins_expression() || matches!(kind, TokenKind::Bar | TokenKind::Dots)
}

/// The index after the name and its parameters.
fn head_end(patient: &Patient<'_>, keyword: usize) -> usize {
    let named = patient.kind(keyword + 1) == Some(TokenKind::Name);
    let mut at = keyword + 1 + usize::from(named);
    if patient.kind(at) != Some(TokenKind::Less) {
        return at;
    }
    let mut depth = 0_usize;
    while let Some(kind) = patient.kind(at) {
        depth += usize::from(kind.closer().is_some());
        depth -= usize::from(kind.is_closer() && depth > 0);
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

fn reserved_name(patient: &mut Patient<'_>, keyword: usize) {
    let at = keyword + 1;
    let Some(kind) = patient.kind(at).filter(|kind| kind.is_word() && *kind != TokenKind::Name) else { return };
    let word = patient.text(at);
    let why = if kind.is_keyword() { "begins items" } else { "is a literal" };
    let message = format!("`{word}` {why} and cannot be the name of one");
    let help = format!("choose another name, as `{word}_` (fields, captures and arguments may be called `{word}`)");
    let message = if kind.is_keyword() { message } else { format!("`{word}` {why} and cannot be a name") };
    patient.report(Diagnostic::error("reserved-word", patient.span(at), message).help(help));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Name);
    }
}

fn colon(patient: &mut Patient<'_>, keyword: usize, at: usize) {
    let (word, name) = (patient.text(keyword), patient.text(keyword + 1));
    let message = format!("a {word} is defined with `=`");
    let help = format!("write `{word} {name} = ...`; `:` is for fields and captures");
    let doubled = patient.kind(at + 1) == Some(TokenKind::Equals);
    let fix = Fix::new("write `=`", patient.span(at), patient.spaced(at, "="));
    let fix = if doubled { fix.and(patient.span(at + 1), "") } else { fix };
    patient.report(Diagnostic::error("colon-for-equals", patient.span(at), message).help(help).fix(fix));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Equals);
    }
    // Whoever wrote `:` may have written `: =` or `:=` with a space.
    if doubled {
        patient.lexemes.remove(at + 1);
    }
}

fn missing_equals(patient: &mut Patient<'_>, keyword: usize, at: usize) {
    let (word, name) = (patient.text(keyword), patient.text(keyword + 1));
    let message = format!("`=` is missing after `{word} {name}`");
    let help = format!("write `{word} {name} = ...`");
    let fix = Fix::new("write `=`", patient.gap(at), " =");
    patient.report(Diagnostic::error("missing-equals", patient.gap(at), message).help(help).fix(fix));
    let before = at.checked_sub(1).and_then(|before| patient.lexemes.get(before));
    let equals = made(TokenKind::Equals, "=", before);
    patient.lexemes.insert(at, equals);
}

/// `import "x"` without a name for what it brings.
fn import(patient: &mut Patient<'_>) {
    let at = patient.keyword_at();
    if patient.kind(at + 1) == Some(TokenKind::String) && patient.kind(at + 2).is_none() {
        let help = format!("write `import {} as module`, or `import A, B from ...`", patient.text(at + 1));
        let message = "this import brings no name into scope";
        patient.report(Diagnostic::error("import-without-name", patient.span(at + 1), message).help(help));
        patient.confused = true;
    }
}
