//! Repairs `name(arguments)`, which is written `name<arguments>`.
//!
//! In a type a parenthesis directly after a name can mean nothing else. In text it may be a group that follows, so it
//! is a call only where it touches the name and has commas or named arguments in it, or the name means nothing without them.

use super::Patient;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let around = patient.around();
    // The opening brackets of calls still open, with a `None` for each other open bracket between.
    let mut open: Vec<Option<usize>> = Vec::new();
    for at in 0..patient.lexemes.len() {
        let Some(kind) = patient.kind(at) else { break };
        if kind.closer().is_some() {
            let value = around.get(at).is_some_and(|around| around.value);
            let call = kind == TokenKind::LeftParen && is_call(patient, at, value);
            if call {
                reread(patient, at, TokenKind::Less);
            }
            open.push(call.then_some(at));
        } else if kind.is_closer()
            && let Some(Some(opened)) = open.pop()
        {
            report(patient, opened, at);
            reread(patient, at, TokenKind::Greater);
        }
    }
}

/// Built-in names that mean nothing without arguments.
const NEED_ARGUMENTS: [&str; 7] = ["json", "lazy", "map", "mix", "raw", "substring", "tuple"];

fn is_call(patient: &Patient<'_>, at: usize, value: bool) -> bool {
    let named = patient.before(at) == Some(TokenKind::Name);
    let builtin = at.checked_sub(1).is_some_and(|name| NEED_ARGUMENTS.contains(&patient.text(name)));
    named && (value || patient.touches(at) && (builtin || has_arguments(patient, at)))
}

/// Returns whether a comma or `name =` stands directly inside the bracket at `open`. Looks a bounded way ahead.
fn has_arguments(patient: &Patient<'_>, open: usize) -> bool {
    const REACH: usize = 200;
    let mut depth = 0_usize;
    for at in open..open + REACH {
        match patient.kind(at) {
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

fn report(patient: &mut Patient<'_>, at: usize, closer: usize) {
    // A closer that was put in has no place in the text.
    let (open, close) = (patient.span(at), patient.span(closer));
    let called = at.checked_sub(1).map_or(open.start, |name| patient.span(name).start);
    if patient.confused {
        return;
    }
    // `z.string()` is a method of another language.
    let method = at.checked_sub(2).and_then(|before| patient.kind(before)) == Some(TokenKind::Dot);
    let fix = Fix::new("write `<` and `>`", open, "<").and(close, ">").about(called);
    let fix = (!close.is_empty()).then_some(fix);
    let name = at.checked_sub(1).map_or("", |before| patient.text(before));
    if method {
        let found = Diagnostic::error(Code::Call, patient.span(at - 1), "a type has no methods");
        patient.report(found.help("bounds stand behind the name: `string<1..80>`, `int<0..150>`, `T[1..10]`"));
        patient.confused = true;
        return;
    }
    let found = Diagnostic::error(Code::Call, open, "arguments are written in `<` and `>`");
    patient.report(found.help(format!("write `{name}<...>`")).fix(fix));
}

fn reread(patient: &mut Patient<'_>, at: usize, kind: TokenKind) {
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        lexeme.kind = kind;
    }
}
