//! Repairs captures in texts: names with hyphens, `first-name: x`, and signs before them, `a & name: x`.

use super::frames::Frame;
use super::head::hyphenated_end;
use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if !matches!(item.keyword(), Some(TokenKind::Rule | TokenKind::Output)) {
        return;
    }
    let around = item.around();
    for at in (0..item.lexemes.len()).rev() {
        let text =
            around.get(at).is_some_and(|around| !around.value && matches!(around.frame, Frame::Top | Frame::Other));
        if !text || at <= item.keyword_at() + 1 {
            continue;
        }
        joined(item, at);
        hyphens(item, at);
    }
}

/// Repairs `first-name: x`; it is read as one name.
fn hyphens(item: &mut ItemLexemes<'_>, at: usize) {
    let end = hyphenated_end(item, at);
    let hyphenated = end > at + 1 && item.kind(end) == Some(TokenKind::Colon);
    let begins = !matches!(item.before(at), Some(TokenKind::Minus | TokenKind::Dot)) || !item.touches(at);
    if !hyphenated || !begins {
        return;
    }
    let (first, last) = (item.lexemes[at], item.lexemes[end - 1]);
    let name = part(item.source, first.start as usize..last.end as usize);
    let meant = name.replace('-', "_");
    let span = item.span(at).merge(item.span(end - 1));
    let found = Diagnostic::error(Code::WrongName, span, format!("`{name}` has a hyphen, and a name has none"));
    let fix = Fix::new(format!("write `{meant}`"), span, meant.clone());
    item.report(found.help(format!("write `{meant}: ...`")).fix(fix));
    let whole = Lexeme { text: name, end: last.end, ..read_as(first, TokenKind::Name) };
    item.lexemes.splice(at..end, [whole]);
}

/// Repairs `a & name: x`, in which the parts of a text are joined by a sign; the sign is dropped.
fn joined(item: &mut ItemLexemes<'_>, at: usize) {
    let sign = item.kind(at) == Some(TokenKind::And) && item.before(at).is_some_and(TokenKind::ends_expression);
    let named = item.kind(at + 1).is_some_and(TokenKind::is_word);
    let end = if named { hyphenated_end(item, at + 1) } else { at };
    if !sign || !named || item.kind(end) != Some(TokenKind::Colon) {
        return;
    }
    let found = Diagnostic::error(Code::TextOperator, item.span(at), "`&` does not join the parts of a text");
    let fix = Fix::new("remove this `&`", Span::new(item.gap(at).end, item.span(at).end), "");
    item.report(found.help("remove it: texts follow one another without a sign").fix(fix));
    item.lexemes.remove(at);
}
