//! `..=` and `..<`, ranges of other languages.

use super::Patient;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let foreign: Vec<usize> = (0..patient.lexemes.len()).filter(|at| says_end(patient, *at)).collect();
    for at in foreign.into_iter().rev() {
        report(patient, at);
        patient.lexemes.remove(at);
    }
}

/// Whether the sign at `at` touches the dots of a range and says whether its end is included.
fn says_end(patient: &Patient<'_>, at: usize) -> bool {
    let sign = matches!(patient.kind(at), Some(TokenKind::Equals | TokenKind::Less));
    sign && patient.before(at) == Some(TokenKind::Dots) && patient.touches(at)
}

fn report(patient: &mut Patient<'_>, at: usize) {
    let found = Diagnostic::error("wrong-range", patient.span(at), "both ends of a range are included");
    let found = if patient.kind(at) == Some(TokenKind::Equals) {
        found.help("write `..`").fix(Fix::new("remove this `=`", patient.span(at), ""))
    } else {
        found.help("write `..` and the greatest number that is in the range; of all numbers, `number<below = 5>`")
    };
    patient.report(found);
}
