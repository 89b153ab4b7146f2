//! Repairs signs of other languages: `;`, `=>`, `->`, `::=`, `:=`, `==`, `||`, `&&`.

use super::frames::Frame;
use super::generics::names_type as names_a_type;
use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::part;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if !item.lexemes.iter().any(|lexeme| lexeme.kind == TokenKind::Foreign) {
        return;
    }
    let around = item.around();
    let mut out = Vec::with_capacity(item.lexemes.len());
    for (at, around) in around.iter().enumerate() {
        let Some(lexeme) = item.lexemes.get(at).copied() else { break };
        if lexeme.kind == TokenKind::Foreign {
            out.extend(mend(lexeme, at, around.frame, item));
        } else {
            out.push(lexeme);
        }
    }
    item.lexemes = out;
}

/// Returns whether a token stands directly inside the call of a method: `z.lazy(() => A)`.
fn in_method(item: &ItemLexemes<'_>, at: usize) -> bool {
    let mut closed = 0_usize;
    for before in (0..at).rev() {
        match item.kind(before) {
            Some(kind) if kind.is_closer() => closed += 1,
            Some(kind) if kind.closer().is_some() && closed == 0 => {
                let method = before.checked_sub(1).and_then(|name| item.before(name));
                return kind == TokenKind::LeftParen && method == Some(TokenKind::Dot);
            }
            Some(kind) if kind.closer().is_some() => closed -= 1,
            _ => {}
        }
    }
    false
}

fn mend<'t>(lexeme: Lexeme<'t>, at: usize, frame: Frame, item: &mut ItemLexemes<'t>) -> Option<Lexeme<'t>> {
    match (lexeme.text, frame) {
        // The call has a finding of its own.
        ("=>", Frame::Other) if in_method(item, at) => Some(Lexeme { kind: TokenKind::Equals, ..lexeme }),
        (";", _) => semicolon(lexeme, at, frame, item),
        ("||", _) => Some(doubled(lexeme, TokenKind::Bar, item)),
        ("&&", _) => Some(doubled(lexeme, TokenKind::And, item)),
        (_, Frame::Cases) => {
            item.confused = true;
            let found = Diagnostic::error(
                Code::ForeignSign,
                item.place(&lexeme),
                format!("`{}` has no meaning in a test", lexeme.text),
            );
            item.report(found.help("write `accept \"text\"` or `reject \"text\"`"));
            None
        }
        (_, Frame::Record) => Some(replaced(lexeme, TokenKind::Colon, "between a field's name and its value", item)),
        (_, Frame::Top)
            if item.lexemes.get(..at).is_some_and(|head| head.iter().any(|one| one.kind == TokenKind::Equals)) =>
        {
            item.confused = true;
            let message = format!("`{}` has no meaning behind a text", lexeme.text);
            let found = Diagnostic::error(Code::ForeignSign, item.place(&lexeme), message);
            item.report(found.help("to name a part of a text write `name: part`"));
            None
        }
        _ => Some(replaced(lexeme, TokenKind::Equals, "between a name and what it stands for", item)),
    }
}

/// Repairs a semicolon: between fields a comma is meant; at the end of an item, nothing.
fn semicolon<'t>(lexeme: Lexeme<'t>, at: usize, frame: Frame, item: &mut ItemLexemes<'t>) -> Option<Lexeme<'t>> {
    let span = item.place(&lexeme);
    if frame == Frame::Record && names_type(item, at) {
        let name = at.checked_sub(1).map_or("", |name| item.text(name));
        let found = Diagnostic::error(Code::Semicolon, span, "the type of a field follows its name after `:`");
        item.report(found.help(format!("write `{name}: {}`", item.text(at + 1))).fix(Fix::new("write `:`", span, ":")));
        return Some(read_as(lexeme, TokenKind::Colon));
    }
    if frame == Frame::Record && at.checked_sub(1).is_some_and(|before| item.text(before) == ";") {
        // The sign before it was reported.
        return None;
    }
    if frame == Frame::Record || frame == Frame::Overrides {
        let needed = item.before(at) != Some(TokenKind::Comma);
        let fix = if needed { Fix::new("write `,`", span, ",") } else { Fix::new("remove this `;`", span, "") };
        let found = Diagnostic::error(Code::Semicolon, span, "fields are separated by commas").help("write `,`");
        item.report(found.fix(fix));
        return needed.then_some(read_as(lexeme, TokenKind::Comma));
    }
    let last = at + 1 == item.lexemes.len();
    let message = if last { "an item needs no `;` at its end" } else { "`;` has no meaning here" };
    let fix = Fix::new("remove this `;`", span, "");
    item.report(Diagnostic::error(Code::Semicolon, span, message).help("remove it").fix(fix));
    None
}

/// Returns whether the sign at `at` stands between the name of a field and its type.
fn names_type(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Colon, Comma, Equals, LeftBrace, Question, String};
    let Some(name) = at.checked_sub(1) else { return false };
    let named = item.kind(name).is_some_and(|kind| kind.is_word() || kind == String);
    let alone = named && matches!(item.before(name), Some(LeftBrace | Comma));
    let written = item.text(at + 1);
    let typed = item.kind(at + 1).is_some_and(TokenKind::begins_expression)
        && (item.kind(at + 1) != Some(TokenKind::Name) || names_a_type(written));
    alone && typed && !matches!(item.kind(at + 2), Some(Colon | Question | Equals))
}

/// Joins `<-` into one foreign sign. Before a number, `<` opens a list, as in `int<-5..5>`.
pub(super) fn arrows(item: &mut ItemLexemes<'_>) {
    let begins = |at: &usize| {
        let arrow = item.kind(*at) == Some(TokenKind::Less) && item.kind(at + 1) == Some(TokenKind::Minus);
        arrow && item.touches(at + 1) && item.kind(at + 2) != Some(TokenKind::Number)
    };
    let found: Vec<usize> = (0..item.lexemes.len()).filter(begins).collect();
    for at in found.into_iter().rev() {
        let (start, end) = (item.lexemes[at].start, item.lexemes[at + 1].end);
        let text = part(item.source, start as usize..end as usize);
        item.lexemes.splice(at..at + 2, [Lexeme { kind: TokenKind::Foreign, text, start, end }]);
    }
}

fn doubled<'t>(lexeme: Lexeme<'t>, kind: TokenKind, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let span = item.place(&lexeme);
    let what = if kind == TokenKind::Bar { "alternatives are separated" } else { "conditions are joined" };
    let message = format!("{what} by one `{}`", kind.shown());
    let help = format!("write `{}`, not `{}`", kind.shown(), lexeme.text);
    let fix = Fix::new(format!("write `{}`", kind.shown()), span, kind.shown());
    item.report(Diagnostic::error(Code::DoubledOperator, span, message).help(help).fix(fix));
    read_as(lexeme, kind)
}

fn replaced<'t>(lexeme: Lexeme<'t>, kind: TokenKind, place: &str, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let span = item.place(&lexeme);
    let message = format!("`{}` stands here for `{}`", lexeme.text, kind.shown());
    let help = format!("write `{}` {place}", kind.shown());
    let fix = Fix::new(help.clone(), span, kind.shown());
    item.report(Diagnostic::error(Code::ForeignSign, span, message).help(help).fix(fix));
    read_as(lexeme, kind)
}
