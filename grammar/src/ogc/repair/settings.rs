//! `:` for `=` in attributes, policies and overrides.

use super::Patient;
use super::frames::Frame;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let policy = patient.keyword() == Some(TokenKind::Policy);
    let around = patient.around();
    for (at, around) in around.iter().enumerate() {
        let frame = match around.frame {
            Frame::Top => policy,
            Frame::Attribute | Frame::Overrides => true,
            Frame::Record | Frame::Cases | Frame::Other => false,
        };
        if frame && patient.kind(at) == Some(TokenKind::Colon) && names_setting(patient, at) {
            mend(patient, at);
        }
    }
}

/// Whether the token before the colon at `at` is a name that begins a setting.
fn names_setting(patient: &Patient<'_>, at: usize) -> bool {
    let named = patient.before(at).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
    let begins = at.checked_sub(1).and_then(|name| patient.before(name));
    let opens = matches!(begins, Some(TokenKind::Comma | TokenKind::Policy | TokenKind::LeftBrace));
    named && (opens || begins == Some(TokenKind::AttributeOpen))
}

fn mend(patient: &mut Patient<'_>, at: usize) {
    let name = at.checked_sub(1).map_or("", |name| patient.text(name));
    let found = Diagnostic::error("colon-for-equals", patient.span(at), format!("`{name}` is given a value with `=`"));
    let fix = Fix::new("write `=`", patient.span(at), patient.spaced(at, "="));
    patient.report(found.help(format!("write `{name} = ...`; `:` is for fields and captures")).fix(fix));
    if let Some(lexeme) = patient.lexemes.get_mut(at) {
        lexeme.kind = TokenKind::Equals;
    }
}
