//! Repairs `..=` and `..<`, ranges of other languages.

use super::Patient;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;
use crate::span::Span;

pub(super) fn repair(patient: &mut Patient<'_>) {
    endless(patient);
    let foreign: Vec<usize> = (0..patient.lexemes.len()).filter(|at| says_end(patient, *at)).collect();
    for at in foreign.into_iter().rev() {
        report(patient, at);
        patient.lexemes.remove(at);
    }
}

/// Repairs `number<.., x = 1>`: a range without ends bounds nothing.
fn endless(patient: &mut Patient<'_>) {
    let says_nothing = |at: usize| {
        let alone = patient.kind(at) == Some(TokenKind::Dots) && patient.kind(at + 1) == Some(TokenKind::Comma);
        alone && patient.before(at) == Some(TokenKind::Less)
    };
    let found: Vec<usize> = (0..patient.lexemes.len()).filter(|at| says_nothing(*at)).collect();
    for at in found.into_iter().rev() {
        let place = patient.span(at).merge(patient.span(at + 1));
        let fix = Fix::new("remove this `..`", Span::new(place.start, patient.span(at + 2).start), "");
        let found = Diagnostic::error(Code::WrongRange, patient.span(at), "a range without ends says nothing");
        patient.report(found.help("leave it out").fix(fix));
        patient.lexemes.drain(at..at + 2);
    }
}

/// Returns whether the sign at `at` touches the dots of a range and says whether its end is included.
fn says_end(patient: &Patient<'_>, at: usize) -> bool {
    let sign = matches!(patient.kind(at), Some(TokenKind::Equals | TokenKind::Less));
    sign && patient.before(at) == Some(TokenKind::Dots) && patient.touches(at)
}

fn report(patient: &mut Patient<'_>, at: usize) {
    let found = Diagnostic::error(Code::WrongRange, patient.span(at), "both ends of a range are included");
    let found = if patient.kind(at) == Some(TokenKind::Equals) {
        found.help("write `..`").fix(Fix::new("remove this `=`", patient.span(at), ""))
    } else {
        found.help("write `..` and the greatest number that is in the range; of all numbers, `number<below = 5>`")
    };
    patient.report(found);
}
