//! Repairs `..=`, `..<` and `1:5`, which are ranges in other languages, and decimal commas in ranges.

use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    endless(item);
    decimal_commas(item);
    colons(item);
    let foreign: Vec<usize> = (0..item.lexemes.len()).filter(|at| says_end(item, *at)).collect();
    for at in foreign.into_iter().rev() {
        report(item, at);
        item.lexemes.remove(at);
    }
}

/// Repairs `number<.., x = 1>`: a range without ends has no effect.
fn endless(item: &mut ItemLexemes<'_>) {
    let says_nothing = |at: usize| {
        let alone = item.kind(at) == Some(TokenKind::Dots) && item.kind(at + 1) == Some(TokenKind::Comma);
        alone && item.before(at) == Some(TokenKind::Less)
    };
    let found: Vec<usize> = (0..item.lexemes.len()).filter(|at| says_nothing(*at)).collect();
    for at in found.into_iter().rev() {
        let place = item.span(at).merge(item.span(at + 1));
        // The space after the comma is removed too, unless nothing follows.
        let end = item.lexemes.get(at + 2).map_or(place.end, |_| item.span(at + 2).start);
        let fix = Fix::new("remove this `..`", Span::new(place.start, end), "");
        let found = Diagnostic::error(Code::WrongRange, item.span(at), "a range without ends says nothing");
        item.report(found.help("leave it out").fix(fix));
        item.lexemes.drain(at..at + 2);
    }
}

/// Repairs `number<0,5..1,5>`.
fn decimal_commas(item: &mut ItemLexemes<'_>) {
    let is_number = |item: &ItemLexemes<'_>, at: usize| item.kind(at) == Some(TokenKind::Number);
    let mut at = 1;
    while at < item.lexemes.len() {
        let comma = item.kind(at) == Some(TokenKind::Comma) && item.touches(at) && item.touches(at + 1);
        let fraction = comma && is_number(item, at - 1) && is_number(item, at + 1);
        let lower = item.kind(at + 2) == Some(TokenKind::Dots);
        let upper = at.checked_sub(2).and_then(|dots| item.kind(dots)) == Some(TokenKind::Dots);
        if fraction && (lower || upper) {
            let written = format!("{}.{}", item.text(at - 1), item.text(at + 1));
            let found = Diagnostic::error(Code::BadNumber, item.span(at), "the fraction of a number follows a point");
            let fix = Fix::new("write `.`", item.span(at), ".");
            item.report(found.help(format!("write `{written}`")).fix(fix));
            item.lexemes.drain(at..at + 2);
        } else {
            at += 1;
        }
    }
}

/// Repairs `int<1:5>`.
fn colons(item: &mut ItemLexemes<'_>) {
    use TokenKind::{Colon, Comma, Greater, Less, Number};
    for at in 2..item.lexemes.len() {
        let between = [at - 2, at - 1, at, at + 1, at + 2].map(|at| item.kind(at));
        let [Some(Less), Some(Number), Some(Colon), Some(Number), Some(Greater | Comma)] = between else { continue };
        let written = format!("{}..{}", item.text(at - 1), item.text(at + 1));
        let found = Diagnostic::error(Code::WrongRange, item.span(at), "the ends of a range are joined by `..`");
        let place = item.span(at - 1).merge(item.span(at + 1));
        let fix = Fix::new(format!("write `{written}`"), place, written.clone());
        item.report(found.help(format!("write `{written}`")).fix(fix));
        if let Some(lexeme) = item.lexemes.get_mut(at) {
            *lexeme = read_as(*lexeme, TokenKind::Dots);
        }
    }
}

/// Returns whether the sign at `at` touches the dots of a range and tells whether the end of the range is included.
fn says_end(item: &ItemLexemes<'_>, at: usize) -> bool {
    let sign = matches!(item.kind(at), Some(TokenKind::Equals | TokenKind::Less));
    sign && item.before(at) == Some(TokenKind::Dots) && item.touches(at)
}

fn report(item: &mut ItemLexemes<'_>, at: usize) {
    let message = format!("`..{}` is not a sign here: `..` includes both ends", item.text(at));
    let found = Diagnostic::error(Code::WrongRange, item.span(at), message);
    let found = if item.kind(at) == Some(TokenKind::Equals) {
        found.help("write `..`").fix(Fix::new("remove this `=`", item.span(at), ""))
    } else {
        found.help("write `..` and the greatest number that is in the range; of all numbers, `number<below = 5>`")
    };
    item.report(found);
}
