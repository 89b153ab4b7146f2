//! Tests of random grammars against all beginnings of their texts up to a length: every bit of every mask along random
//! walks, under random vocabularies; recursion of every kind, empty rules and ambiguity included.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds, `OGC_FULL=1` four times as many as a landing; a
//! failure names its seed.

use ogc_kit::{Random, first_seed, rounds};
use ogc_runtime::automaton::Automaton;
use ogc_tests::engine::{Failure, gbnf, lark};
use ogc_tests::oracle::check::Subject;
use ogc_tests::oracle::grammar::Grammar;
use ogc_tests::oracle::texts::Language;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Cap on the bytes of beginnings that are compared.
const LONGEST: usize = 8;

#[test]
fn masks_of_gbnf_grammars_match_the_oracle() {
    rounds_of(gbnf_round);
}

#[test]
fn masks_of_lark_grammars_match_the_oracle() {
    rounds_of(lark_round);
}

#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn rounds_of(round: fn(u64) -> Result<String, String>) {
    let (first, rounds) = (first_seed(), rounds(40, 300));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in first..first + rounds {
        let round = catch_unwind(AssertUnwindSafe(|| round(seed)));
        match round.unwrap_or_else(|_| Err(format!("seed {seed}: panic"))) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(fault) => faults.push(fault),
        }
    }
    println!("{counts:?}");
    let shown: Vec<&str> = faults.iter().take(12).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {rounds} rounds failed:\n{}", faults.len(), shown.join("\n"));
    assert!(
        rounds < 100 || counts.get("checked").is_some_and(|&n| n as u64 > rounds / 3),
        "too few rounds check anything"
    );
}

/// Checks one grammar as GBNF.
fn gbnf_round(seed: u64) -> Result<String, String> {
    let mut random = Random::new(seed);
    let grammar = Grammar::random(&mut random);
    round(seed, &mut random, &grammar, &grammar.gbnf(), gbnf)
}

/// Checks one grammar as Lark; every other one has ignored text.
fn lark_round(seed: u64) -> Result<String, String> {
    let mut random = Random::new(seed);
    let grammar = Grammar::random(&mut random);
    let text = grammar.lark(&mut random);
    if seed.is_multiple_of(2) {
        return round(seed, &mut random, &grammar, &text, lark);
    }
    round(seed, &mut random, &grammar.ignoring("c"), &(text + "%ignore \"c\"\n"), lark)
}

/// Checks a grammar that is written as `text`; returns the result in a word, or the difference.
fn round(
    seed: u64,
    random: &mut Random,
    grammar: &Grammar,
    text: &str,
    compile: fn(&str) -> Result<Arc<Automaton>, Failure>,
) -> Result<String, String> {
    let fault = |what: String| format!("seed {seed}: {what}\n{text}");
    let meaning = grammar.meaning(LONGEST);
    let automaton = match compile(text) {
        Ok(_) if !meaning.extends(b"") => return Err(fault("compiles, but has no text".to_owned())),
        Ok(automaton) => automaton,
        Err(_) if !meaning.extends(b"") => return Ok("empty".to_owned()),
        Err(failure) => return Ok(format!("{}: {}", failure.code, failure.message)),
    };
    let subject = Subject { walks: meaning.begun.all(), language: &meaning, automaton, longest: LONGEST };
    subject.check(random).map_err(fault)?;
    Ok("checked".to_owned())
}
