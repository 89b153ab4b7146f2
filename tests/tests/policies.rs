//! Tests that a union in an array, whose alternatives have policies of their own, allows the same bytes as its
//! alternatives as texts, along random walks.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds; a failure names its seed.

use ogc_grammar::Code;
use ogc_kit::{Random, setting};
use ogc_tests::engine;
use ogc_tests::lockstep::compare;
use ogc_tests::oracle::ogc::generate::apart;
use std::collections::BTreeMap;

/// Compares the two programs of a seed; returns the result in a word, or the difference.
fn check(seed: u64) -> Result<String, String> {
    let mut random = Random::new(seed);
    let (inside, whole) = apart(&mut random);
    let fault = |fault: String| format!("seed {seed}: {fault}\n{inside}\n{whole}");
    match (engine::ogc(&inside), engine::ogc(&whole)) {
        (Ok(inside), Ok(whole)) => {
            compare(&inside, &whole, 8, &mut random).map(|()| "compared".to_owned()).map_err(fault)
        }
        // An empty alternative is an error only if it is a text.
        (Ok(_), Err(failure)) if failure.code == Code::EmptyFormat.name() => Ok("empty alternative".to_owned()),
        (Err(one), Err(_)) => Ok(one.code),
        (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => Err(fault(format!("{failure:?}"))),
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn alternatives_with_their_own_policies_match_inside_and_outside_of_arrays() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 400));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in first..first + rounds {
        match check(seed) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(fault) => faults.push(fault),
        }
    }
    println!("{counts:?}");
    let shown: Vec<&str> = faults.iter().take(5).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {rounds} differ:\n{}", faults.len(), shown.join("\n"));
    assert!(counts.get("compared").is_some_and(|&count| count as u64 > rounds / 3), "{counts:?}");
}
