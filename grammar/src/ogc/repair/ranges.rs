//! Repairs `..=` and `..<`, ranges of other languages.

use super::ItemLexemes;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    endless(item);
    let foreign: Vec<usize> = (0..item.lexemes.len()).filter(|at| says_end(item, *at)).collect();
    for at in foreign.into_iter().rev() {
        report(item, at);
        item.lexemes.remove(at);
    }
}

/// Repairs `number<.., x = 1>`: a range without ends bounds nothing.
fn endless(item: &mut ItemLexemes<'_>) {
    let says_nothing = |at: usize| {
        let alone = item.kind(at) == Some(TokenKind::Dots) && item.kind(at + 1) == Some(TokenKind::Comma);
        alone && item.before(at) == Some(TokenKind::Less)
    };
    let found: Vec<usize> = (0..item.lexemes.len()).filter(|at| says_nothing(*at)).collect();
    for at in found.into_iter().rev() {
        let place = item.span(at).merge(item.span(at + 1));
        // With the space behind the comma, unless nothing follows.
        let end = item.lexemes.get(at + 2).map_or(place.end, |_| item.span(at + 2).start);
        let fix = Fix::new("remove this `..`", Span::new(place.start, end), "");
        let found = Diagnostic::error(Code::WrongRange, item.span(at), "a range without ends says nothing");
        item.report(found.help("leave it out").fix(fix));
        item.lexemes.drain(at..at + 2);
    }
}

/// Returns whether the sign at `at` touches the dots of a range and says whether its end is included.
fn says_end(item: &ItemLexemes<'_>, at: usize) -> bool {
    let sign = matches!(item.kind(at), Some(TokenKind::Equals | TokenKind::Less));
    sign && item.before(at) == Some(TokenKind::Dots) && item.touches(at)
}

fn report(item: &mut ItemLexemes<'_>, at: usize) {
    let found = Diagnostic::error(Code::WrongRange, item.span(at), "both ends of a range are included");
    let found = if item.kind(at) == Some(TokenKind::Equals) {
        found.help("write `..`").fix(Fix::new("remove this `=`", item.span(at), ""))
    } else {
        found.help("write `..` and the greatest number that is in the range; of all numbers, `number<below = 5>`")
    };
    item.report(found);
}
