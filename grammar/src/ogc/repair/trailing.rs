//! Repairs attributes after the item that they belong to, on its last line: `type A = { ... } @title("x")`.

use super::ItemLexemes;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

/// Drops the attributes at the end of a definition; they belong to the text before them.
pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    if !matches!(item.keyword(), Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output)) {
        return;
    }
    let count = item.lexemes.len();
    let Some(first) = first_attribute(item).filter(|first| is_behind(item, *first)) else { return };
    let whole = item.span(first).merge(item.span(count - 1));
    let end = item.lexemes.last().map_or(0, |last| last.end as usize);
    let written = part(item.source, item.lexemes[first].start as usize..end);
    let removed = Span::new(item.gap(first).start, whole.end);
    let fix =
        Fix::new("write it before the item", Span::empty(item.span(0).start), format!("{written}\n")).and(removed, "");
    let found = Diagnostic::error(Code::StrayAttribute, whole, "an attribute stands before what it is about");
    let keyword = item.text(item.keyword_at());
    item.report(found.help(format!("write `{written}` on the line before `{keyword}`")).fix(fix));
    item.lexemes.truncate(first);
}

/// Returns the index of the first of the attributes at the end of the item.
fn first_attribute(item: &ItemLexemes<'_>) -> Option<usize> {
    let mut first = None;
    let mut end = item.lexemes.len();
    while let Some(begin) = attribute_before(item, end) {
        (first, end) = (Some(begin), begin);
    }
    first
}

/// Returns the start index of the attribute that ends before `end`.
fn attribute_before(item: &ItemLexemes<'_>, end: usize) -> Option<usize> {
    let last = end.checked_sub(1)?;
    match item.kind(last)? {
        TokenKind::Attribute => Some(last),
        TokenKind::RightParen => {
            let mut depth = 0_usize;
            let opener = (0..end).rev().find(|at| {
                let kind = item.kind(*at);
                depth += usize::from(kind.is_some_and(TokenKind::is_closer));
                let opens = kind.is_some_and(|kind| kind.closer().is_some());
                depth = depth.saturating_sub(usize::from(opens));
                depth == 0
            })?;
            (item.kind(opener) == Some(TokenKind::AttributeOpen)).then_some(opener)
        }
        _ => None,
    }
}

/// Returns whether an expression comes before the attribute on the same line. An attribute on a line of its own may
/// belong to text that is still to be written.
fn is_behind(item: &ItemLexemes<'_>, first: usize) -> bool {
    let Some(before) = first.checked_sub(1).and_then(|at| item.lexemes.get(at)) else { return false };
    let between = part(item.source, before.end as usize..item.lexemes[first].start as usize);
    before.kind.ends_expression() && !between.contains(['\n', '\r'])
}
