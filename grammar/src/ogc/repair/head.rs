//! Repairs the head of an item: words of other languages, reserved words as names, `:` for `=`, a missing `=`.

use super::{Patient, made, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::{Lexeme, name_contextual_words};
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(patient: &mut Patient<'_>) {
    keywords_in_names(patient);
    if patient.keyword().is_none() {
        foreign_word(patient);
    }
    match patient.keyword() {
        Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output) if !patient.confused => definition(patient),
        Some(TokenKind::Import) => import(patient),
        Some(TokenKind::Test) => test(patient),
        Some(TokenKind::Policy) => policy(patient),
        _ => {}
    }
}

/// Words that begin records in other languages.
const RECORD_WORDS: [&str; 7] = ["interface", "struct", "class", "message", "model", "record", "schema"];

/// Repairs `interface X {`, which is read as `type X = {`.
fn foreign_word(patient: &mut Patient<'_>) {
    let at = patient.keyword_at();
    let word = patient.text(at);
    let named = patient.kind(at + 1) == Some(TokenKind::Name);
    if !RECORD_WORDS.contains(&word) || !named {
        return;
    }
    let name = patient.text(at + 1);
    let message = format!("`{word}` is not an ogc keyword");
    let found = Diagnostic::error(Code::ForeignKeyword, patient.span(at), message);
    let braced = patient.kind(at + 2) == Some(TokenKind::LeftBrace);
    let fix = match patient.kind(at + 2) {
        _ if braced => Some(Fix::new("write `type` and `=`", patient.span(at), "type").and(patient.gap(at + 2), " =")),
        Some(TokenKind::Equals) => Some(Fix::new("write `type`", patient.span(at), "type")),
        _ => None,
    };
    patient.report(found.help(format!("write `type {name} = {{ ... }}`")).fix(fix));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Type);
    }
    if braced {
        patient.lexemes.insert(at + 2, made(TokenKind::Equals, "=", patient.lexemes.get(at + 1)));
    }
    // `class X(Base):`, after which nothing is as it is here.
    patient.confused |=
        !matches!(patient.kind(at + 2), Some(TokenKind::Equals | TokenKind::Colon | TokenKind::Less | TokenKind::Name));
}

fn definition(patient: &mut Patient<'_>) {
    let keyword = patient.keyword_at();
    reserved_name(patient, keyword);
    quoted_name(patient, keyword);
    if no_name(patient, keyword) || hyphens(patient, keyword) {
        patient.confused = true;
        return;
    }
    if extends(patient, keyword) {
        patient.confused = true;
        return;
    }
    parameters_in_parentheses(patient, keyword);
    let end = head_end(patient, keyword);
    match patient.kind(end) {
        Some(TokenKind::Colon) => colon(patient, keyword, end),
        Some(kind) if begins_body(kind) && end > keyword + 1 => missing_equals(patient, keyword, end),
        _ => {}
    }
}

/// Repairs `type B extends A {`.
fn extends(patient: &mut Patient<'_>, keyword: usize) -> bool {
    let (at, word) = (keyword + 2, patient.text(keyword + 2));
    let named = patient.kind(keyword + 1) == Some(TokenKind::Name) && patient.kind(at) == Some(TokenKind::Name);
    if !named || !["extends", "implements", "inherits"].contains(&word) {
        return false;
    }
    let (name, base) = (patient.text(keyword + 1), patient.text(at + 1));
    let open = at + 2 + usize::from(patient.kind(at + 2) == Some(TokenKind::Equals));
    let whole = patient.kind(at + 1) == Some(TokenKind::Name) && patient.kind(open) == Some(TokenKind::LeftBrace);
    let place = patient.span(at).merge(patient.span(open));
    let fix = whole.then(|| Fix::new("write `...` for its fields", place, format!("= {{ ...{base},")));
    let found = Diagnostic::error(Code::ForeignKeyword, patient.span(at), format!("`{word}` is not an ogc keyword"));
    let base = if base.is_empty() { "A" } else { base };
    patient.report(found.help(format!("write `type {name} = {{ ...{base}, more: T }}`")).fix(fix));
    true
}

/// Repairs `rule x(a) = ...` and `rule x[a] = ...`, which are read as `rule x<a> = ...`.
fn parameters_in_parentheses(patient: &mut Patient<'_>, keyword: usize) {
    let open = keyword + 2;
    let bracket = patient.kind(open).filter(|kind| matches!(kind, TokenKind::LeftParen | TokenKind::LeftBracket));
    let named = patient.kind(keyword + 1) == Some(TokenKind::Name) && bracket.is_some();
    let closer = bracket.and_then(TokenKind::closer);
    let closer = (open..patient.lexemes.len()).find(|at| patient.kind(*at) == closer);
    let Some(close) = closer.filter(|close| named && patient.kind(close + 1) == Some(TokenKind::Equals)) else {
        return;
    };
    let fix = Fix::new("write `<` and `>`", patient.span(open), "<").and(patient.span(close), ">");
    let found = Diagnostic::error(Code::Call, patient.span(open), "parameters stand in `<` and `>`");
    let help = format!("write `{} {}<...> = ...`", patient.text(keyword), patient.text(keyword + 1));
    patient.report(found.help(help).fix(fix));
    for (at, kind) in [(open, TokenKind::Less), (close, TokenKind::Greater)] {
        if let Some(lexeme) = patient.lexemes.get_mut(at) {
            lexeme.kind = kind;
        }
    }
}

/// Reports `rule = x`, which has no name.
fn no_name(patient: &mut Patient<'_>, keyword: usize) -> bool {
    let nameless =
        matches!(patient.kind(keyword + 1), Some(TokenKind::Equals | TokenKind::Colon | TokenKind::LeftBrace));
    if nameless {
        let word = patient.text(keyword);
        let found = Diagnostic::error(Code::MissingName, patient.span(keyword), format!("this {word} has no name"));
        patient.report(found.help(format!("write `{word} name = ...`")));
    }
    nameless
}

/// Repairs `output "X" = x`.
fn quoted_name(patient: &mut Patient<'_>, keyword: usize) {
    let at = keyword + 1;
    let heads = matches!(patient.kind(at + 1), Some(TokenKind::Equals | TokenKind::Less | TokenKind::LeftBrace));
    if patient.kind(at) != Some(TokenKind::String) || !heads {
        return;
    }
    let inner = patient.text(at).trim_matches(['"', '\'']);
    let word = inner.starts_with(|c: char| c.is_alphabetic()) && inner.chars().all(|c| c.is_alphanumeric() || c == '_');
    let fix = word.then(|| Fix::new("remove the quotes", patient.span(at), inner));
    let found = Diagnostic::error(Code::WrongName, patient.span(at), "a name stands without quotes");
    let help = if word { format!("write `{inner}`") } else { "a name is letters, digits and `_`".to_owned() };
    patient.report(found.help(help).fix(fix));
    patient.confused |= !word;
    if let Some(lexeme) = patient.lexemes.get_mut(at).filter(|_| word) {
        *lexeme = Lexeme { kind: TokenKind::Name, text: inner, ..*lexeme };
    }
}

/// Reports `output my-format = x`, whose name has a hyphen.
fn hyphens(patient: &mut Patient<'_>, keyword: usize) -> bool {
    let end = hyphenated_end(patient, keyword + 1);
    let heads = matches!(patient.kind(end), Some(TokenKind::Equals | TokenKind::Less | TokenKind::Colon));
    let hyphenated = end > keyword + 2 && patient.kind(keyword + 1) == Some(TokenKind::Name) && heads;
    if hyphenated {
        let span = patient.span(keyword + 1).merge(patient.span(end - 1));
        let name: Vec<&str> = (keyword + 1..end).map(|at| patient.text(at)).collect();
        let meant = name.concat().replace('-', "_");
        let fix = Fix::new(format!("write `{meant}`"), span, meant.clone());
        let message = format!("`{}` has a hyphen, and a name has none: `-` is difference", name.concat());
        let found = Diagnostic::error(Code::WrongName, span, message);
        patient.report(found.help(format!("write `{meant}`, here and where it is used")).fix(fix));
    }
    hyphenated
}

fn begins_body(kind: TokenKind) -> bool {
    kind.begins_expression() || matches!(kind, TokenKind::Bar | TokenKind::Dots)
}

/// Returns the index after the name and its parameters.
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
    patient.report(Diagnostic::error(Code::ReservedWord, patient.span(at), message).help(help));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        *lexeme = read_as(*lexeme, TokenKind::Name);
    }
}

fn colon(patient: &mut Patient<'_>, keyword: usize, at: usize) {
    let (word, name) = (patient.text(keyword), patient.text(keyword + 1));
    let article = if word.starts_with('o') { "an" } else { "a" };
    let message = format!("{article} {word} is defined with `=`");
    let help = format!("write `{word} {name} = ...`; `:` is for fields and captures");
    let doubled = patient.kind(at + 1) == Some(TokenKind::Equals);
    let fix = Fix::new("write `=`", patient.span(at), patient.spaced(at, "="));
    let fix = if doubled { fix.and(patient.span(at + 1), "") } else { fix };
    patient.report(Diagnostic::error(Code::ColonForEquals, patient.span(at), message).help(help).fix(fix));
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
    patient.report(Diagnostic::error(Code::MissingEquals, patient.gap(at), message).help(help).fix(fix));
    let before = at.checked_sub(1).and_then(|before| patient.lexemes.get(before));
    let equals = made(TokenKind::Equals, "=", before);
    patient.lexemes.insert(at, equals);
}

/// Repairs the head of a test: `test {`, `test "X" {`, `test X = {`.
fn test(patient: &mut Patient<'_>) {
    let at = patient.keyword_at();
    if patient.kind(at + 1) == Some(TokenKind::LeftBrace) {
        let found = Diagnostic::error(Code::MissingName, patient.span(at), "this test does not say what it is about");
        patient.report(found.help("write `test Name { ... }` with the name of a type, rule or output"));
        patient.confused = true;
    }
    quoted_name(patient, at);
    let sign = at + 2;
    if matches!(patient.kind(sign), Some(TokenKind::Colon | TokenKind::Equals))
        && patient.kind(sign + 1) == Some(TokenKind::LeftBrace)
    {
        let found = Diagnostic::error(
            Code::ExtraSign,
            patient.span(sign),
            "the cases of a test follow its name without a sign",
        );
        let fix = Fix::new(format!("remove this `{}`", patient.text(sign)), patient.span(sign), "");
        patient.report(found.help(format!("write `test {} {{ ... }}`", patient.text(at + 1))).fix(fix));
        patient.lexemes.remove(sign);
    }
}

/// Repairs `policy space "any"`.
fn policy(patient: &mut Patient<'_>) {
    let at = patient.keyword_at() + 2;
    let value = matches!(patient.kind(at), Some(TokenKind::String | TokenKind::Number));
    if value && patient.kind(at - 1) == Some(TokenKind::Name) {
        missing_equals(patient, at - 2, at);
    }
}

/// Returns the correction of `* as x from "file"` to `"file" as x`.
fn star_as(patient: &Patient<'_>, at: usize) -> Option<Fix> {
    let named = patient.kind(at + 1) == Some(TokenKind::As) && patient.kind(at + 2) == Some(TokenKind::Name);
    let from = patient.kind(at + 3) == Some(TokenKind::From) && patient.kind(at + 4) == Some(TokenKind::String);
    let written = format!("{} as {}", patient.text(at + 4), patient.text(at + 2));
    let place = patient.span(at).merge(patient.span(at + 4));
    (named && from).then(|| Fix::new(format!("write `import {written}`"), place, written))
}

/// Repairs `import { a, b } from` and `import * from`.
fn import_braces(patient: &mut Patient<'_>, at: usize) {
    if patient.kind(at) == Some(TokenKind::Star) {
        let found = Diagnostic::error(Code::ForeignSign, patient.span(at), "an import names what it brings");
        let found = found.help("write `import A, B from \"file\"`, or `import \"file\" as module`");
        let fix = star_as(patient, at);
        patient.report(found.fix(fix));
        patient.confused = true;
    }
    let closer = (at..patient.lexemes.len()).find(|at| patient.kind(*at) == Some(TokenKind::RightBrace));
    let Some(close) = closer.filter(|_| patient.kind(at) == Some(TokenKind::LeftBrace)) else { return };
    let (open, end) = (patient.span(at), patient.span(close));
    let found = Diagnostic::error(Code::ForeignSign, open, "imported names stand without braces");
    let fix = Fix::new("remove the braces", open, "").and(end, "");
    patient.report(found.help("write `import A, B from \"file\"`").fix(fix));
    patient.lexemes.remove(close);
    patient.lexemes.remove(at);
    // Inside of braces `as` was not yet the word of an import, and what stands after them neither.
    name_contextual_words(&mut patient.lexemes);
}

/// Repairs `import month-num from`, and names with hyphens that are replaced.
fn hyphens_in_imports(patient: &mut Patient<'_>) {
    let mut at = patient.keyword_at() + 1;
    let mut behind_names = false;
    while at < patient.lexemes.len() {
        behind_names |= ends_names(patient, at);
        let end = hyphenated_end(patient, at);
        if end == at + 1 {
            at += 1;
            continue;
        }
        let span = patient.span(at).merge(patient.span(end - 1));
        let name: String = (at..end).map(|at| patient.text(at)).collect();
        let replaced = patient.kind(end) == Some(TokenKind::Equals);
        if behind_names && !replaced {
            at = end;
            continue;
        }
        let renamed = patient.kind(end) == Some(TokenKind::As) || replaced;
        let alias = name.replace('-', "_");
        let written = if renamed { format!("\"{name}\"") } else { format!("\"{name}\" as {alias}") };
        let found = Diagnostic::error(Code::MissingQuotes, span, "a name with hyphens needs quotes");
        let fix = Fix::new(format!("write `{written}`"), span, written.clone());
        patient.report(found.help(format!("write `{written}`")).fix(fix));
        patient.confused = true;
        at = end;
    }
}

/// Returns whether the imported names of an import end here: replacements follow, whose values are expressions, as in
/// `with { a = b.type c - d }`.
fn ends_names(patient: &Patient<'_>, at: usize) -> bool {
    matches!(patient.kind(at), Some(TokenKind::From | TokenKind::With))
}

/// Returns the index after a name with hyphens that begins at `at`; after the token itself, if it is none.
pub(super) fn hyphenated_end(patient: &Patient<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while patient.kind(at) == Some(TokenKind::Name)
        && patient.kind(end) == Some(TokenKind::Minus)
        && patient.touches(end)
        && patient.touches(end + 1)
        && patient.kind(end + 1).is_some_and(continues_name)
    {
        end += 2;
    }
    end
}

/// Repairs `import type A from "file"`.
fn import_types(patient: &mut Patient<'_>, keyword: usize) {
    let is_word =
        |at: usize| patient.kind(at) == Some(TokenKind::Type) && patient.kind(at + 1) == Some(TokenKind::Name);
    let names = (keyword + 1..patient.lexemes.len()).take_while(|at| !ends_names(patient, *at));
    let words: Vec<usize> = names.filter(|at| is_word(*at)).collect();
    for at in words.into_iter().rev() {
        let span = Span::new(patient.span(at).start, patient.span(at + 1).start);
        let found = Diagnostic::error(Code::ForeignKeyword, patient.span(at), "`type` stands before an imported name");
        let help = format!("write the name alone: `import {} from \"file\"`", patient.text(at + 1));
        patient.report(found.help(help).fix(Fix::new("remove `type`", span, "")));
        patient.lexemes.remove(at);
    }
}

fn continues_name(kind: TokenKind) -> bool {
    kind.is_word() || matches!(kind, TokenKind::Number | TokenKind::BadNumber)
}

/// Repairs `my-type` where it is used: `type` is part of a name there, and the name is checked later.
fn keywords_in_names(patient: &mut Patient<'_>) {
    for at in 2..patient.lexemes.len() {
        let keyword = patient.kind(at).is_some_and(TokenKind::is_keyword);
        let hyphen = patient.before(at) == Some(TokenKind::Minus) && patient.touches(at) && patient.touches(at - 1);
        if keyword && hyphen && patient.kind(at - 2).is_some_and(continues_name) {
            patient.lexemes[at].kind = TokenKind::Name;
        }
    }
}

/// Repairs the head of an import, and reports `import "x"` without a name for what it brings.
fn import(patient: &mut Patient<'_>) {
    let at = patient.keyword_at();
    import_types(patient, at);
    import_braces(patient, at + 1);
    hyphens_in_imports(patient);
    if patient.kind(at + 1) == Some(TokenKind::String) && patient.kind(at + 2).is_none() {
        let help = format!("write `import {} as module`, or `import A, B from ...`", patient.text(at + 1));
        let message = "this import brings no name into scope";
        patient.report(Diagnostic::error(Code::ImportWithoutName, patient.span(at + 1), message).help(help));
        patient.confused = true;
    }
}
