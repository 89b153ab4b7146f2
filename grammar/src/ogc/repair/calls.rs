//! Repairs `name(arguments)`, which ogc writes as `name<arguments>`.
//!
//! In a type, a parenthesis directly after a name has no other meaning. In text it may begin a group. So it is a call
//! only if it touches the name and either contains commas or named arguments, or the name has no meaning without
//! arguments.

use super::ItemLexemes;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::part;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    // The opening brackets of open calls, with a `None` for each other open bracket between them.
    let mut open: Vec<Option<usize>> = Vec::new();
    for at in 0..item.lexemes.len() {
        let Some(kind) = item.kind(at) else { break };
        if kind.closer().is_some() {
            let value = around.get(at).is_some_and(|around| around.value);
            let call = kind == TokenKind::LeftParen && is_call(item, at, value);
            if call {
                reread(item, at, TokenKind::Less);
            }
            open.push(call.then_some(at));
        } else if kind.is_closer()
            && let Some(Some(opened)) = open.pop()
        {
            report(item, opened, at);
            reread(item, at, TokenKind::Greater);
        }
    }
}

/// Built-in names that need arguments.
const NEED_ARGUMENTS: [&str; 8] = ["json", "lazy", "map", "mix", "quoted", "raw", "substring", "tuple"];

fn is_call(item: &ItemLexemes<'_>, at: usize, value: bool) -> bool {
    let named = item.before(at) == Some(TokenKind::Name);
    let builtin = at.checked_sub(1).is_some_and(|name| NEED_ARGUMENTS.contains(&item.text(name)));
    named && (value || item.touches(at) && (builtin || has_arguments(item, at)))
}

/// Returns whether a comma or `name =` is directly inside the bracket at `open`. The search is bounded.
fn has_arguments(item: &ItemLexemes<'_>, open: usize) -> bool {
    const REACH: usize = 200;
    let mut depth = 0_usize;
    for at in open..open + REACH {
        match item.kind(at) {
            Some(kind) if kind.closer().is_some() => depth += 1,
            Some(kind) if kind.is_closer() => depth = depth.saturating_sub(1),
            Some(TokenKind::Comma | TokenKind::Equals) if depth == 1 => return true,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

fn report(item: &mut ItemLexemes<'_>, at: usize, closer: usize) {
    // An inserted closing bracket has no place in the text.
    let (open, close) = (item.span(at), item.span(closer));
    let called = at.checked_sub(1).map_or(open.start, |name| item.span(name).start);
    if item.confused {
        return;
    }
    // `z.string()` is a method of another language.
    let method = at.checked_sub(2).and_then(|before| item.kind(before)) == Some(TokenKind::Dot);
    let fix = Fix::new("write `<` and `>`", open, "<").and(close, ">").about(called);
    let fix = (!close.is_empty()).then_some(fix);
    let name = at.checked_sub(1).map_or("", |before| item.text(before));
    if method {
        let found = Diagnostic::error(Code::Call, item.span(at - 1), "a type has no methods");
        item.report(found.help("bounds stand behind the name: `string<1..80>`, `int<0..150>`, `T[1..10]`"));
        item.confused = true;
        return;
    }
    if item.kind(closer + 1) == Some(TokenKind::Dot) {
        // `string().max(10)`: the method is reported.
        return;
    }
    let found = Diagnostic::error(Code::Call, open, "arguments are written in `<` and `>`");
    let inner = arguments(item, at, closer).unwrap_or("...");
    item.report(found.help(format!("write `{name}<{inner}>`")).fix(fix));
}

/// Returns the text between two brackets if it is short enough to be shown.
fn arguments<'t>(item: &ItemLexemes<'t>, open: usize, close: usize) -> Option<&'t str> {
    const LONGEST: usize = 40;
    let (from, to) = (item.lexemes.get(open)?.end as usize, item.lexemes.get(close)?.start as usize);
    let inner = part(item.source, from..to.max(from)).trim();
    (!inner.is_empty() && inner.len() <= LONGEST && !inner.contains('\n')).then_some(inner)
}

fn reread(item: &mut ItemLexemes<'_>, at: usize, kind: TokenKind) {
    if let Some(lexeme) = item.lexemes.get_mut(at) {
        lexeme.kind = kind;
    }
}
