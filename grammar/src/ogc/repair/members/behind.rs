//! Repairs attributes after their field: `age: int @deprecated("no"),`.

mod foreign;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::ItemLexemes;
use crate::ogc::repair::frames::{Around, Frame};
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

/// Drops attributes at the end of a field; attributes before another field belong to that field.
pub(super) fn attributes(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let depths = depths(item);
    let mut dropped: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < item.lexemes.len() {
        let end = attribute_end(item, &around, at).filter(|end| ends_member(item, &around, *end));
        match end {
            Some(end) => {
                report(item, &around, &depths, (at, end));
                dropped.push((at, end));
                at = end;
            }
            None => at += 1,
        }
    }
    for (from, end) in dropped.into_iter().rev() {
        item.lexemes.drain(from..end);
    }
}

/// Returns the index after the attribute at `at`, if it stands directly after the type of a field.
fn attribute_end(item: &ItemLexemes<'_>, around: &[Around], at: usize) -> Option<usize> {
    let inside = around.get(at)?.frame == Frame::Record && item.before(at)?.ends_expression();
    match item.kind(at).filter(|_| inside)? {
        TokenKind::Attribute => Some(at + 1),
        TokenKind::AttributeOpen => {
            let frame = |at: usize| around.get(at).map(|around| around.frame);
            (at + 1..item.lexemes.len()).find(|next| frame(*next) == Some(Frame::Record))
        }
        _ => None,
    }
}

/// Returns whether the field ends at `at`, or after further attributes there.
fn ends_member(item: &ItemLexemes<'_>, around: &[Around], at: usize) -> bool {
    /// Maximum number of further attributes, so that many cost linear time.
    const FURTHER: usize = 20;
    let mut at = at;
    for _ in 0..FURTHER {
        let Some(end) = attribute_end(item, around, at) else { break };
        at = end;
    }
    matches!(item.kind(at), Some(TokenKind::Comma | TokenKind::RightBrace))
}

fn report(item: &mut ItemLexemes<'_>, around: &[Around], depths: &[usize], (at, end): (usize, usize)) {
    let record = |at: usize| around.get(at).is_some_and(|around| around.frame == Frame::Record);
    let begins = |start: &usize| {
        let first = matches!(item.before(*start), Some(TokenKind::LeftBrace | TokenKind::Comma));
        first && record(*start) && depths.get(*start) == depths.get(at)
    };
    let Some(first) = (0..at).rev().find(begins) else { return };
    let whole = item.span(at).merge(item.span(end - 1));
    let written = part(item.source, item.lexemes[at].start as usize..item.lexemes[end - 1].end as usize);
    let start = Span::empty(item.span(first).start);
    let removed = Span::new(item.gap(at).start, whole.end);
    let fix = Fix::new("write it before the field", start, format!("{written} ")).and(removed, "");
    if foreign::report(item, first, (at, end)) {
        return;
    }
    let found = Diagnostic::error(Code::StrayAttribute, whole, "an attribute stands before what it is about");
    let name = item.text(first);
    item.report(found.help(format!("write `{written} {name}: ...`")).fix(fix));
}

/// Returns the number of open brackets before each token.
fn depths(item: &ItemLexemes<'_>) -> Vec<usize> {
    let mut depth = 0_usize;
    let before = item.lexemes.iter().map(|one| {
        let before = depth;
        depth += usize::from(one.kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(one.kind.is_closer()));
        before
    });
    before.collect()
}
