//! Repairs the commas and colons of records, of objects in tests, and of overrides.

mod behind;
mod keys;

use super::frames::{Around, Frame};
use super::head::hyphenated_end;
use super::{ItemLexemes, made, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    hyphenated_keys(item);
    keys::repair(item);
    words(item);
    behind::attributes(item);
    let all = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    for (at, around) in all.iter().enumerate() {
        let Some(lexeme) = item.lexemes.get(at).copied() else { break };
        match around.frame {
            _ if names_pattern(item, at) => drop_pattern_name(item, at),
            _ if at > 0 && names_pattern(item, at - 1) => {}
            Frame::Cases if is_extra_sign(item, at) => out.extend(between_cases(item, at)),
            Frame::Record if after_attribute(item, &all, at) => out.push(lexeme),
            Frame::Record => record(item, at, lexeme, &mut out),
            Frame::Overrides if comma_missing_before_override(item, at) => {
                item.missing_comma(at, "overrides");
                out.push(made(TokenKind::Comma, ",", out.last()));
                out.push(lexeme);
            }
            _ => out.push(lexeme),
        }
    }
    item.lexemes = out;
}

/// Repairs `first-name: T`; it is read as a key in quotes.
fn hyphenated_keys(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let ends = |at: usize| match around.get(at) {
        Some(around) if around.frame == Frame::Record && starts_at(item, at) => hyphenated_end(item, at),
        _ => at + 1,
    };
    let is_key = |at: usize, end: usize| end > at + 1 && named_member(item, end - 1);
    let keys: Vec<(usize, usize)> =
        (0..item.lexemes.len()).map(|at| (at, ends(at))).filter(|(at, end)| is_key(*at, *end)).collect();
    for (at, end) in keys.into_iter().rev() {
        let (first, last) = (item.lexemes[at], item.lexemes[end - 1]);
        let name = part(item.source, first.start as usize..last.end as usize);
        let span = item.span(at).merge(item.span(end - 1));
        let found = Diagnostic::error(Code::MissingQuotes, span, "a key with hyphens stands in quotes");
        let fix = Fix::new("write the quotes", span, format!("\"{name}\""));
        item.report(found.help(format!("write `\"{name}\": ...`")).fix(fix));
        let key = Lexeme { text: name, end: last.end, ..first };
        item.lexemes.splice(at..end, [key]);
    }
}

/// Drops words before the names of fields.
fn words(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let record = |at: usize| around.get(at).is_some_and(|around| around.frame == Frame::Record);
    let dropped: Vec<usize> =
        (0..item.lexemes.len()).filter(|at| record(*at) && word_before_member(item, *at)).collect();
    dropped.iter().for_each(|at| report_word(item, *at));
    for at in dropped.iter().rev() {
        item.lexemes.remove(*at);
    }
}

/// Returns whether a word at `at` stands before the name of a field: `readonly name: T`.
fn word_before_member(item: &ItemLexemes<'_>, at: usize) -> bool {
    let words = item.kind(at) == Some(TokenKind::Name) && item.kind(at + 1).is_some_and(TokenKind::is_word);
    words && starts_at(item, at) && named_member(item, at + 1)
}

/// Words of other languages for a field with any number of values.
const MANY: [&str; 4] = ["repeated", "many", "multiple", "several"];

/// Returns the index of the type of the field whose name stands at `at`, if the type is one name.
fn plain_type(item: &ItemLexemes<'_>, at: usize) -> Option<usize> {
    let colon = at + 1 + usize::from(item.kind(at + 1) == Some(TokenKind::Question));
    let whole = item.kind(colon) == Some(TokenKind::Colon)
        && item.kind(colon + 1) == Some(TokenKind::Name)
        && matches!(item.kind(colon + 2), Some(TokenKind::Comma | TokenKind::RightBrace));
    whole.then_some(colon + 1)
}

fn report_word(item: &mut ItemLexemes<'_>, at: usize) {
    let (word, name) = (item.text(at), item.text(at + 1));
    let span = Span::new(item.span(at).start, item.span(at + 1).start);
    let optional = word == "optional" && item.kind(at + 2) == Some(TokenKind::Colon);
    let known = ["optional", "required", "readonly", "public", "private", "final", "const", "let", "var", "field"];
    let many = if MANY.contains(&word) { plain_type(item, at + 1) } else { None };
    let help = match word {
        _ if optional => format!("write `{name}?: T`"),
        _ if MANY.contains(&word) => {
            format!("write `{name}: {}[0..]`", many.map_or("T", |kind| item.text(kind)))
        }
        "required" => format!("write `{name}: T`; one that may be absent is `{name}?: T`"),
        word if known.contains(&word) => format!("write `{name}: T`"),
        _ => format!("write `{name}: T`, or `\"{word} {name}\": T` for a key of both words"),
    };
    let fix = known.contains(&word).then(|| Fix::new(format!("remove `{word}`"), span, ""));
    let fix = fix.map(|fix| if optional { fix.and(item.gap(at + 2), "?") } else { fix });
    let array = many.map(|kind| {
        Fix::new(format!("write `{name}: {}[0..]`", item.text(kind)), span, "").and(item.gap(kind + 1), "[0..]")
    });
    let fix = array.or(fix);
    let found = Diagnostic::error(Code::ForeignWord, item.span(at), format!("`{word}` stands before a field's name"));
    item.report(found.help(help).fix(fix));
}

/// Returns whether `name:` is at `at`, directly after the bracket of `[name: K]: T`.
fn names_pattern(item: &ItemLexemes<'_>, at: usize) -> bool {
    let named = item.kind(at) == Some(TokenKind::Name) && item.kind(at + 1) == Some(TokenKind::Colon);
    let opens = item.before(at) == Some(TokenKind::LeftBracket);
    named && opens && at.checked_sub(1).is_some_and(|open| starts_at(item, open) && pattern_member(item, open))
}

fn drop_pattern_name(item: &mut ItemLexemes<'_>, at: usize) {
    let span = Span::new(item.span(at).start, item.span(at + 2).start);
    let message = format!("the keys in brackets have no name: remove `{}:`", item.text(at));
    let found = Diagnostic::error(Code::ExtraSign, item.span(at), message);
    let fix = Fix::new("remove the name", span, "");
    item.report(found.help("write `[string]: T`, or `[/x-.*/]: T` for keys of a pattern").fix(fix));
}

/// Returns whether `,` stands at `at` between the cases of a test, or `:` after `accept` and `reject`.
fn is_extra_sign(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Accept, Because, Colon, Comma, Foreign, Reject};
    match item.kind(at) {
        Some(Comma | Foreign) => true,
        Some(Colon) => matches!(item.before(at), Some(Accept | Reject | Because)),
        _ => false,
    }
}

/// Drops an extra sign between cases; see [`is_extra_sign`]. In `accept "a", "b"` the comma is replaced by `accept`.
fn between_cases<'t>(item: &mut ItemLexemes<'t>, at: usize) -> Option<Lexeme<'t>> {
    let span = item.span(at);
    let found = |message| Diagnostic::error(Code::ExtraSign, span, message);
    if item.kind(at) == Some(TokenKind::Colon) {
        let fix = Fix::new("remove this `:`", span, "");
        item.report(found("the text of a case follows without a sign").help("remove it").fix(fix));
        return None;
    }
    let found = found("cases follow one another without a sign");
    let Some(word) = word_for_case(item, at) else {
        let fix = Fix::new(format!("remove this `{}`", item.text(at)), span, "");
        item.report(found.help("remove it").fix(fix));
        return None;
    };
    let space = if item.touches(at + 1) { " " } else { "" };
    let fix = Fix::new(format!("write `{}`", word.text), span, format!(" {}{space}", word.text));
    item.report(found.help(format!("write `{}` before each text", word.text)).fix(fix));
    item.lexemes.get(at).map(|sign| Lexeme { start: sign.start, end: sign.end, ..word })
}

/// Returns the word of the case before the sign at `at`, if a text without `accept` or `reject` follows the sign.
fn word_for_case<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Lexeme<'t>> {
    use TokenKind::{Accept, Because, LeftBrace, LeftBracket, Reject, String};
    let text = matches!(item.kind(at + 1), Some(String | LeftBrace | LeftBracket));
    let said = item.lexemes.get(..at)?.iter().rev().find(|one| matches!(one.kind, Accept | Reject | Because))?;
    (text && said.kind != Because).then_some(*said)
}

/// Returns whether the token before `at` ends an attribute, after which the member continues.
fn after_attribute(item: &ItemLexemes<'_>, around: &[Around], at: usize) -> bool {
    let inside = at.checked_sub(1).and_then(|before| around.get(before)).map(|around| around.frame);
    item.before(at) == Some(TokenKind::RightParen) && inside == Some(Frame::Attribute)
}

fn record<'t>(item: &mut ItemLexemes<'t>, at: usize, lexeme: Lexeme<'t>, out: &mut Vec<Lexeme<'t>>) {
    let first = matches!(out.last().map(|last| last.kind), Some(TokenKind::LeftBrace | TokenKind::Comma));
    if lexeme.kind == TokenKind::Comma && first {
        let found = Diagnostic::error(Code::ExtraComma, item.span(at), "no field stands before this comma");
        item.report(found.help("remove it").fix(Fix::new("remove this comma", item.span(at), "")));
        return;
    }
    if begins_member(item, at) && is_name_alone(item, at) {
        missing_type(item, at, out);
        out.push(lexeme);
        return;
    }
    if !first && begins_member(item, at) {
        item.missing_comma(at, "fields");
        out.push(made(TokenKind::Comma, ",", out.last()));
    }
    let after_name = item.before(at).is_some_and(names_field) && starts_at(item, at.saturating_sub(1));
    match lexeme.kind {
        TokenKind::Equals if after_name || item.before(at) == Some(TokenKind::Question) => {
            let help = "write `:`; `=` is for arguments and definitions";
            let message = "a field's value comes after `:`";
            let fix = Fix::new("write `:`", item.span(at), ":");
            item.report(Diagnostic::error(Code::EqualsForColon, item.span(at), message).help(help).fix(fix));
            out.push(read_as(lexeme, TokenKind::Colon));
        }
        kind if after_name && kind.begins_expression() => {
            let name = item.text(at - 1);
            let message = format!("`:` is missing after the field's name `{name}`");
            let help = format!("write `{name}: ...`");
            // Before a number, the word may also be a statement of another language: `{ return 1 }`.
            let fix = Fix::new("write `:`", item.gap(at), ":");
            let fix = (kind != TokenKind::Number).then_some(fix);
            item.report(Diagnostic::error(Code::MissingColon, item.gap(at), message).help(help).fix(fix));
            out.push(made(TokenKind::Colon, ":", out.last()));
            out.push(lexeme);
        }
        _ => out.push(lexeme),
    }
}

/// Returns whether only the name of a field stands before the member that begins at `at`.
fn is_name_alone(item: &ItemLexemes<'_>, at: usize) -> bool {
    item.before(at).is_some_and(names_field) && starts_at(item, at.saturating_sub(1))
}

/// Repairs `"d" "e": T`.
fn missing_type<'t>(item: &mut ItemLexemes<'t>, at: usize, out: &mut Vec<Lexeme<'t>>) {
    let name = item.text(at - 1);
    let message = format!("`:` and a type are missing after the field's name `{name}`");
    let found = Diagnostic::error(Code::MissingColon, item.gap(at), message);
    item.report(found.help(format!("write `{name}: T,`, or remove it")));
    for (kind, text) in [(TokenKind::Colon, ":"), (TokenKind::Name, "any"), (TokenKind::Comma, ",")] {
        out.push(made(kind, text, out.last()));
    }
}

fn names_field(kind: TokenKind) -> bool {
    kind.is_word() || kind == TokenKind::String
}

/// Returns whether the token at `at` is the first of its member.
pub(super) fn starts_at(item: &ItemLexemes<'_>, at: usize) -> bool {
    matches!(item.before(at), Some(TokenKind::LeftBrace | TokenKind::Comma))
}

/// Returns whether a member begins at `at`, directly after an expression, without a comma between them.
fn begins_member(item: &ItemLexemes<'_>, at: usize) -> bool {
    let Some(before) = item.before(at) else { return false };
    if !before.ends_expression() && before != TokenKind::Ellipsis {
        return false;
    }
    match item.kind(at) {
        Some(kind) if names_field(kind) => before != TokenKind::Ellipsis && named_member(item, at),
        Some(TokenKind::Ellipsis) => true,
        Some(TokenKind::LeftBracket) => pattern_member(item, at),
        Some(TokenKind::Attribute) => item.kind(at + 1) != Some(TokenKind::RightBrace),
        Some(TokenKind::AttributeOpen) => true,
        _ => false,
    }
}

/// Returns whether `name:` or `name?:` stands at `at`.
fn named_member(item: &ItemLexemes<'_>, at: usize) -> bool {
    match item.kind(at + 1) {
        Some(TokenKind::Colon | TokenKind::Equals) => true,
        Some(TokenKind::Question) => item.kind(at + 2) == Some(TokenKind::Colon),
        _ => false,
    }
}

/// Returns whether `[K]:` stands at `at`. The search ahead is bounded.
fn pattern_member(item: &ItemLexemes<'_>, at: usize) -> bool {
    const REACH: usize = 50;
    let mut depth = 0_usize;
    for index in at..at + REACH {
        match item.kind(index) {
            Some(kind) if kind.closer().is_some() => depth += 1,
            Some(kind) if kind.is_closer() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return item.kind(index + 1) == Some(TokenKind::Colon);
        }
    }
    false
}

fn comma_missing_before_override(item: &ItemLexemes<'_>, at: usize) -> bool {
    let before = item.before(at).is_some_and(TokenKind::ends_expression);
    before && item.kind(at).is_some_and(names_field) && item.kind(at + 1) == Some(TokenKind::Equals)
}
