//! Repairs a `|` with nothing after it.

use super::ItemLexemes;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let empty: Vec<usize> = (0..item.lexemes.len()).filter(|at| is_empty(item, *at)).collect();
    for at in &empty {
        let span = item.span(*at);
        let found = Diagnostic::error(Code::EmptyAlternative, span, "there is nothing after this `|`");
        let found = found.fix(Fix::new("remove this `|`", span, ""));
        item.report(found.help("remove it; for the empty text write `\"\"`, for an absent value `null`"));
    }
    let mut index = 0;
    item.lexemes.retain(|_| {
        let kept = empty.binary_search(&index).is_err();
        index += 1;
        kept
    });
}

fn is_empty(item: &ItemLexemes<'_>, at: usize) -> bool {
    let next = item.kind(at + 1);
    let over = next.is_none_or(|kind| kind.is_closer() || matches!(kind, TokenKind::Bar | TokenKind::Comma));
    item.kind(at) == Some(TokenKind::Bar) && over
}
