//! Corrections of the broken programs: each removes its finding, and breaks nothing else.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use crate::programs;

use ogc_grammar::fix::apply;
use ogc_grammar::ogc::parse;
use ogc_grammar::{Code, Diagnostic};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of rounds of reading: one correction can uncover another.
const ROUNDS: usize = 10;

#[test]
fn applied_corrections_remove_their_findings() {
    let mut corrected = BTreeSet::new();
    let mut wrong = Vec::new();
    for program in programs() {
        let text = std::fs::read_to_string(&program).expect("a readable program");
        let (after, codes) = correct(&text);
        let uncorrectable = count(&parse(&text).diagnostics, |found| found.fix.is_none());
        let left = count(&parse(&after).diagnostics, |_| true);
        if left.iter().any(|(code, many)| codes.contains(code) && many > uncorrectable.get(code).unwrap_or(&0)) {
            wrong.push(format!("{}: {left:?} are left in\n{after}", program.display()));
        }
        corrected.extend(codes);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(corrected.len() >= 25, "only {corrected:?} have corrections");
}

#[test]
fn corrections_bring_no_errors() {
    for program in programs() {
        let text = std::fs::read_to_string(&program).expect("a readable program");
        let before = parse(&text).diagnostics;
        let (after, applied) = apply(&text, before.iter().filter_map(|found| found.fix.as_ref()));
        let errors = |found: &[Diagnostic]| found.iter().filter(|found| found.is_error()).count();
        let after_errors = errors(&parse(&after).diagnostics);
        assert!(applied.is_empty() || after_errors <= errors(&before), "{}:\n{after}", program.display());
    }
}

/// Returns the text after all corrections, and the codes of the corrected findings.
fn correct(text: &str) -> (String, BTreeSet<Code>) {
    let (mut text, mut codes) = (text.to_owned(), BTreeSet::new());
    for _ in 0..ROUNDS {
        let found = parse(&text).diagnostics;
        codes.extend(found.iter().filter(|found| found.fix.is_some()).map(|found| found.code));
        let (after, applied) = apply(&text, found.iter().filter_map(|found| found.fix.as_ref()));
        if applied.is_empty() {
            break;
        }
        text = after;
    }
    (text, codes)
}

/// Counts the wanted findings by code.
fn count(found: &[Diagnostic], wanted: impl Fn(&Diagnostic) -> bool) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    found.iter().filter(|found| wanted(found)).for_each(|found| *counts.entry(found.code).or_default() += 1);
    counts
}

fn programs() -> Vec<PathBuf> {
    programs::programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken"))
}
