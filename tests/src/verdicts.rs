//! Checks the verdicts of a schema on the texts of its case; wrong ones are reported with their place.

use crate::corpus::Case;
use crate::counts::{Counts, short};
use crate::engine::{Policy, Reading, accepted_prefix, accepts, schema};

/// Checks the texts of a case; a valid text may be rejected only because of its order of keys.
pub fn check(case: &Case, reading: &Reading, counts: &mut Counts) {
    let Some(declared) = counts.compile(&case.id, || schema(&case.schema, reading, Policy::default())) else { return };
    let mut any = None;
    for (index, test) in case.tests.iter().enumerate() {
        let text = test.text.as_bytes();
        let accepted = accepts(&declared, text);
        if accepted == test.valid {
            counts.right += 1;
            continue;
        }
        let any_order = Policy { any_order: true, ..Policy::default() };
        let any = any.get_or_insert_with(|| schema(&case.schema, reading, any_order).ok());
        if test.valid && any.as_ref().is_some_and(|any| accepts(any, text)) {
            counts.for_order += 1;
            continue;
        }
        let at = accepted_prefix(any.as_ref().unwrap_or(&declared), text);
        let around = String::from_utf8_lossy(&text[at.saturating_sub(60)..(at + 60).min(text.len())]).into_owned();
        let verdict = if test.valid { "valid refused" } else { "invalid accepted" };
        counts.wrong.push(format!("{} test {index}: {verdict} at byte {at}: {}", case.id, short(&around)));
    }
}
