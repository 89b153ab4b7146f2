//! Repairs fields as protocol buffers declare them: `repeated string tags = 2` for `tags: string[0..]`.

use super::frames::Frame;
use super::{Patient, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let around = patient.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(patient.lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = patient.lexemes.get(at).copied() {
        let in_record = around.get(at).is_some_and(|around| around.frame == Frame::Record);
        match declaration(patient, at).filter(|_| in_record) {
            Some(found) => {
                report(patient, at, &found);
                push(patient, &found, &mut out);
                at = found.end;
            }
            None => {
                out.push(lexeme);
                at += 1;
            }
        }
    }
    patient.lexemes = out;
}

/// A declaration `label type name = number`.
struct Declaration<'t> {
    label: &'t str,
    /// The index of the type; the name follows it.
    kind: usize,
    /// The index after the number.
    end: usize,
}

impl Declaration<'_> {
    /// Returns the signs behind the name and behind the type.
    fn signs(&self) -> (&'static str, &'static str) {
        match self.label {
            "repeated" => ("", "[0..]"),
            "optional" => ("?", ""),
            _ => ("", ""),
        }
    }
}

/// Returns the declaration that is the whole of the member that begins at `at`.
fn declaration<'t>(patient: &Patient<'t>, at: usize) -> Option<Declaration<'t>> {
    let begins = matches!(patient.before(at), Some(TokenKind::LeftBrace | TokenKind::Comma));
    let label = patient.text(at);
    let labelled = ["repeated", "optional", "required"].contains(&label) && is_word(patient, at + 2);
    let kind = at + usize::from(labelled);
    let end = kind + 4;
    let whole = patient.kind(kind) == Some(TokenKind::Name)
        && is_word(patient, kind + 1)
        && patient.kind(kind + 2) == Some(TokenKind::Equals)
        && patient.kind(kind + 3) == Some(TokenKind::Number)
        && matches!(patient.kind(end), Some(TokenKind::Comma | TokenKind::RightBrace));
    (begins && whole).then_some(Declaration { label: if labelled { label } else { "" }, kind, end })
}

fn is_word(patient: &Patient<'_>, at: usize) -> bool {
    patient.kind(at).is_some_and(TokenKind::is_word)
}

fn report(patient: &mut Patient<'_>, at: usize, found: &Declaration<'_>) {
    let (optional, many) = found.signs();
    let written = format!("{}{optional}: {}{many}", patient.text(found.kind + 1), patient.text(found.kind));
    let span = patient.span(at).merge(patient.span(found.end - 1));
    let message = "a field is its name, `:` and its type, and has no number";
    let fix = Fix::new(format!("write `{written}`"), span, written.clone());
    patient.report(Diagnostic::error(Code::ForeignKeyword, span, message).help(format!("write `{written}`")).fix(fix));
}

fn push<'t>(patient: &Patient<'t>, found: &Declaration<'t>, out: &mut Vec<Lexeme<'t>>) {
    let (optional, many) = found.signs();
    let (Some(kind), Some(name)) = (patient.lexemes.get(found.kind), patient.lexemes.get(found.kind + 1)) else {
        return;
    };
    // Tokens are in the order of their places, so the name's is before that of the type.
    out.push(Lexeme { start: kind.start, end: kind.start, ..*name });
    if !optional.is_empty() {
        out.push(made(TokenKind::Question, "?", out.last()));
    }
    out.push(made(TokenKind::Colon, ":", out.last()));
    out.push(*kind);
    if !many.is_empty() {
        let signs = [
            (TokenKind::LeftBracket, "["),
            (TokenKind::Number, "0"),
            (TokenKind::Dots, ".."),
            (TokenKind::RightBracket, "]"),
        ];
        for (kind, text) in signs {
            out.push(made(kind, text, out.last()));
        }
    }
}
