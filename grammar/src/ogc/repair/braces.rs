//! Repairs records in other brackets: `(id: int, name: string)`, `[id: int, name: string]`.

use super::frames::Frame;
use super::{ItemLexemes, made, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    use TokenKind::{LeftBrace, LeftBracket, LeftParen, RightBrace};
    if item.keyword() == Some(TokenKind::Test) {
        return;
    }
    bare(item);
    let around = item.around();
    for (at, around) in around.iter().enumerate() {
        let bracket = matches!(item.kind(at), Some(LeftParen | LeftBracket));
        let value = around.value || item.kind(at) == Some(LeftBracket);
        if !bracket || !value || !begins_expression(item, at, around.frame) || !holds_field(item, at) {
            continue;
        }
        let Some(close) = item.closer_of(at) else { continue };
        report(item, at, close);
        for (at, kind) in [(at, LeftBrace), (close, RightBrace)] {
            if let Some(lexeme) = item.lexemes.get_mut(at) {
                *lexeme = read_as(*lexeme, kind);
            }
        }
    }
}

/// Repairs `type A = id: int, name: string`; braces are put around the fields.
fn bare(item: &mut ItemLexemes<'_>) {
    if item.confused || item.keyword() != Some(TokenKind::Type) {
        return;
    }
    let Some(first) = item.first_field() else { return };
    let end = item.lexemes.len();
    let message = "the fields of a record stand in `{` and `}`";
    let name = item.text(first);
    let fix = Fix::new("write `{` and `}`", item.gap(first), " {").and(item.gap(end), " }");
    let found = Diagnostic::error(Code::MissingColon, item.span(first), message);
    item.report(found.help(format!("write `{{ {name}: ... }}`")).fix(fix));
    item.lexemes.push(made(TokenKind::RightBrace, "}", item.lexemes.last()));
    item.lexemes.insert(first, made(TokenKind::LeftBrace, "{", item.lexemes.get(first - 1)));
}

/// Returns whether an expression begins at the bracket at `at`.
fn begins_expression(item: &ItemLexemes<'_>, at: usize, frame: Frame) -> bool {
    use TokenKind::{And, Bar, Colon, Comma, Equals, LeftBracket, LeftParen, Less};
    match item.before(at) {
        Some(Comma) => frame == Frame::Other,
        before => matches!(before, Some(And | Bar | Colon | Equals | LeftBracket | LeftParen | Less)),
    }
}

/// Returns whether `name:` or `name?:` follows the bracket at `at`, and no closing bracket directly after the value, as
/// in the pattern of keys `[key: string]`.
fn holds_field(item: &ItemLexemes<'_>, at: usize) -> bool {
    let named = item.kind(at + 1).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
    let colon = at + 2 + usize::from(item.kind(at + 2) == Some(TokenKind::Question));
    named && item.kind(colon) == Some(TokenKind::Colon)
}

fn report(item: &mut ItemLexemes<'_>, open: usize, close: usize) {
    let (sign, end) = (item.span(open), item.span(close));
    let message = format!("the fields of a record stand in `{{` and `}}`, not in `{}`", item.text(open));
    let fix = Fix::new("write `{` and `}`", sign, "{").and(end, "}");
    let fix = (!end.is_empty()).then_some(fix);
    let name = item.text(open + 1);
    let found = Diagnostic::error(Code::WrongBracket, sign, message);
    item.report(found.help(format!("write `{{ {name}: ... }}`")).fix(fix));
}
