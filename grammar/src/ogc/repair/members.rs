//! Commas and colons of records, objects in tests, and overrides.

use super::frames::{Around, Frame};
use super::{Patient, made, read_as};
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let all = patient.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(patient.lexemes.len());
    for (at, around) in all.iter().enumerate() {
        let Some(lexeme) = patient.lexemes.get(at).copied() else { break };
        match around.frame {
            Frame::Record if after_attribute(patient, &all, at) => out.push(lexeme),
            Frame::Record => record(patient, at, lexeme, &mut out),
            Frame::Overrides if comma_missing_before_override(patient, at) => {
                report_missing_comma(patient, at, "overrides");
                out.push(made(TokenKind::Comma, ",", out.last()));
                out.push(lexeme);
            }
            _ => out.push(lexeme),
        }
    }
    patient.lexemes = out;
}

/// Whether the token before `at` ends an attribute, after which the member goes on.
fn after_attribute(patient: &Patient<'_>, around: &[Around], at: usize) -> bool {
    let inside = at.checked_sub(1).and_then(|before| around.get(before)).map(|around| around.frame);
    patient.before(at) == Some(TokenKind::RightParen) && inside == Some(Frame::Attribute)
}

fn record<'t>(patient: &mut Patient<'t>, at: usize, lexeme: Lexeme<'t>, out: &mut Vec<Lexeme<'t>>) {
    let first = matches!(out.last().map(|last| last.kind), Some(TokenKind::LeftBrace | TokenKind::Comma));
    if lexeme.kind == TokenKind::Comma && first {
        let found = Diagnostic::error("extra-comma", patient.span(at), "no field stands before this comma");
        patient.report(found.help("remove it").fix(Fix::new("remove this comma", patient.span(at), "")));
        return;
    }
    if !first && begins_member(patient, at) {
        report_missing_comma(patient, at, "fields");
        out.push(made(TokenKind::Comma, ",", out.last()));
    }
    let after_name = patient.before(at).is_some_and(names_field) && starts_at(patient, at.saturating_sub(1));
    match lexeme.kind {
        TokenKind::Equals if after_name || patient.before(at) == Some(TokenKind::Question) => {
            let help = "write `:`; `=` is for arguments and definitions";
            let message = "a field's value comes after `:`";
            let fix = Fix::new("write `:`", patient.span(at), ":");
            patient.report(Diagnostic::error("equals-for-colon", patient.span(at), message).help(help).fix(fix));
            out.push(read_as(lexeme, TokenKind::Colon));
        }
        kind if after_name && kind.begins_expression() => {
            let name = patient.text(at - 1);
            let message = format!("`:` is missing after the field's name `{name}`");
            let help = format!("write `{name}: ...`");
            let fix = Fix::new("write `:`", patient.gap(at), ":");
            patient.report(Diagnostic::error("missing-colon", patient.gap(at), message).help(help).fix(fix));
            out.push(made(TokenKind::Colon, ":", out.last()));
            out.push(lexeme);
        }
        _ => out.push(lexeme),
    }
}

fn names_field(kind: TokenKind) -> bool {
    kind.is_word() || kind == TokenKind::String
}

/// Whether the token at `at` is the first of its member.
fn starts_at(patient: &Patient<'_>, at: usize) -> bool {
    matches!(patient.before(at), Some(TokenKind::LeftBrace | TokenKind::Comma))
}

/// Whether a member begins at `at`, directly after an expression, without a comma between.
fn begins_member(patient: &Patient<'_>, at: usize) -> bool {
    let Some(before) = patient.before(at) else { return false };
    if !before.ends_expression() && before != TokenKind::Ellipsis {
        return false;
    }
    match patient.kind(at) {
        Some(kind) if names_field(kind) => before != TokenKind::Ellipsis && named_member(patient, at),
        Some(TokenKind::Ellipsis) => true,
        Some(TokenKind::LeftBracket) => pattern_member(patient, at),
        Some(TokenKind::Attribute | TokenKind::AttributeOpen) => true,
        _ => false,
    }
}

/// Whether `name:` or `name?:` stands at `at`.
fn named_member(patient: &Patient<'_>, at: usize) -> bool {
    match patient.kind(at + 1) {
        Some(TokenKind::Colon | TokenKind::Equals) => true,
        Some(TokenKind::Question) => patient.kind(at + 2) == Some(TokenKind::Colon),
        _ => false,
    }
}

/// Whether `[K]:` stands at `at`. Looks a bounded way ahead.
fn pattern_member(patient: &Patient<'_>, at: usize) -> bool {
    const REACH: usize = 50;
    let mut depth = 0_usize;
    for index in at..at + REACH {
        match patient.kind(index) {
            Some(kind) if kind.closer().is_some() => depth += 1,
            Some(kind) if kind.is_closer() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return patient.kind(index + 1) == Some(TokenKind::Colon);
        }
    }
    false
}

fn comma_missing_before_override(patient: &Patient<'_>, at: usize) -> bool {
    let before = patient.before(at).is_some_and(TokenKind::ends_expression);
    before && patient.kind(at).is_some_and(names_field) && patient.kind(at + 1) == Some(TokenKind::Equals)
}

fn report_missing_comma(patient: &mut Patient<'_>, at: usize, what: &str) {
    let message = format!("a comma is missing between two {what}");
    let found = Diagnostic::error("missing-comma", patient.gap(at), message);
    let label = patient.span(at);
    let fix = Fix::new("write `,`", patient.gap(at), ",");
    patient.report(found.label(label, "the next one begins here").help("write `,` here").fix(fix));
}
