//! Repairs the list of names in an import, and a misplaced name for the whole file after it.

use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(item: &mut ItemLexemes<'_>, keyword: usize) {
    commas(item, keyword);
    name_of_file(item, keyword);
}

/// Puts commas between imported names: `import A B from "file"`.
fn commas(item: &mut ItemLexemes<'_>, keyword: usize) {
    let names = |kind: Option<TokenKind>| matches!(kind, Some(TokenKind::Name | TokenKind::String));
    let from = (keyword..item.lexemes.len()).find(|at| item.kind(*at) == Some(TokenKind::From));
    let Some(from) = from else { return };
    let missing = (keyword + 2..from).filter(|at| names(item.kind(*at)) && names(item.before(*at)));
    let missing: Vec<usize> = missing.collect();
    missing.iter().for_each(|at| item.missing_comma(*at, "imported names"));
    for at in missing.into_iter().rev() {
        item.lexemes.insert(at, made(TokenKind::Comma, ",", at.checked_sub(1).and_then(|at| item.lexemes.get(at))));
    }
}

/// Repairs `import A from "file" as module`; the file's name is dropped.
fn name_of_file(item: &mut ItemLexemes<'_>, keyword: usize) {
    use TokenKind::{As, From, Name, String};
    let named = |at: &usize| {
        let kinds = [0, 1, 2, 3].map(|ahead| item.kind(at + ahead));
        kinds == [Some(From), Some(String), Some(As), Some(Name)]
    };
    let Some(from) = (keyword..item.lexemes.len()).find(named) else { return };
    let place = item.span(from + 2).merge(item.span(from + 3));
    let file = item.text(from + 1);
    let message = "an import of names has no name for the file";
    let help = format!("remove `as {0}`, or write `import {file} as {0}` for the whole file", item.text(from + 3));
    let removed = Span::new(item.gap(from + 2).end, place.end);
    let fix = Fix::new(format!("remove `as {}`", item.text(from + 3)), removed, "");
    item.report(Diagnostic::error(Code::ExtraSign, place, message).help(help).fix(fix));
    item.lexemes.drain(from + 2..from + 4);
}
