//! Tests of random JSON Schemas against lists of all their texts: every bit of every mask along random walks, under
//! random vocabularies and every policy of spelling. An empty schema must be a compile error, and no other schema may
//! be one for this reason.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds, `OGC_FULL=1` four times as many as a landing; a
//! failure names its seed.

use ogc_grammar::Code;
use ogc_kit::{Random, first_seed, rounds};
use ogc_runtime::automaton::Automaton;
use ogc_tests::engine::{Policy, Reading, Space, schema};
use ogc_tests::oracle::check::Subject;
use ogc_tests::oracle::conditions::conditioned;
use ogc_tests::oracle::schema::{Made, distinct, excepted, finite};
use ogc_tests::oracle::spelling::{MOST, Value, spell};
use ogc_tests::oracle::texts::{Language, Texts};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn masks_match_the_oracle_on_random_schemas() {
    check(rounds(100, 400), finite, &Reading::asserting(), |_| true);
}

/// Checks the same with conditions on keys in place of every two alternatives of objects.
#[test]
fn masks_match_the_oracle_with_alternatives_as_key_conditions() {
    check(rounds(100, 400), finite, &Reading { written: Some(0), ..Reading::asserting() }, |_| true);
}

/// Checks objects with many conditions on the presence of keys, in either order of keys.
#[test]
fn masks_match_the_oracle_on_key_conditions() {
    check(rounds(100, 800), conditioned, &Reading { written: Some(0), ..Reading::asserting() }, |_| true);
}

/// Checks arrays in which no two items may be equal, with the texts of their items spelled in all ways.
#[test]
fn masks_match_the_oracle_on_distinct_items() {
    check(rounds(100, 400), distinct, &Reading::asserting(), |_| true);
}

/// Checks objects some of whose unnamed keys must be exceptions, or are counted: no key may come twice.
#[test]
fn masks_match_the_oracle_on_exceptional_keys() {
    // If it does not matter, a key may come twice; such texts are not listed.
    check(rounds(100, 400), excepted, &Reading::asserting(), Automaton::has_distinct_items);
}

/// Checks the same with conditions on keys in place of every two alternatives of objects.
#[test]
fn masks_match_the_oracle_on_exceptional_keys_with_key_conditions() {
    let reading = Reading { written: Some(0), ..Reading::asserting() };
    check(rounds(100, 400), excepted, &reading, Automaton::has_distinct_items);
}

#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn check(rounds: u64, make: fn(&mut Random, usize) -> Made, reading: &Reading, is_listed: fn(&Automaton) -> bool) {
    let first = first_seed();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in first..first + rounds {
        let round = catch_unwind(AssertUnwindSafe(|| round(seed, make, reading, is_listed)));
        match round.unwrap_or_else(|_| Err(format!("seed {seed}: panic"))) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(fault) => faults.push(fault),
        }
    }
    println!("{counts:?}");
    let shown: Vec<&str> = faults.iter().take(12).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {rounds} rounds failed:\n{}", faults.len(), shown.join("\n"));
    assert!(
        rounds < 100 || counts.get("checked").is_some_and(|&n| n as u64 > rounds / 5),
        "too few rounds check anything"
    );
}

/// Checks one schema under one policy; returns the result in a word, or the difference.
fn round(
    seed: u64,
    make: fn(&mut Random, usize) -> Made,
    reading: &Reading,
    is_listed: fn(&Automaton) -> bool,
) -> Result<String, String> {
    let mut random = Random::new(seed);
    let made = make(&mut random, 3);
    let policy = policy(&mut random, made.mixed);
    let text = made.schema.to_string();
    let fault = |what: String| format!("seed {seed}, {policy:?}: {what}\n    {text}");
    let validator =
        jsonschema::draft202012::new(&made.schema).map_err(|error| fault(format!("bad schema: {error}")))?;
    let values: Vec<&Value> = made.candidates.iter().filter(|value| validator.is_valid(&value.to_json())).collect();
    let compiled = schema(&text, reading, policy);
    let automaton = match compiled {
        Ok(_) if values.is_empty() => return Err(fault("compiles, but no value is valid".to_owned())),
        Ok(automaton) if !is_listed(&automaton) => return Ok("not listed".to_owned()),
        Ok(automaton) => automaton,
        Err(failure) if failure.code == Code::EmptyFormat.name() && values.is_empty() => return Ok("empty".to_owned()),
        Err(failure) if failure.code == Code::EmptyFormat.name() => {
            return Err(fault(format!("is called empty, but holds {}", values[0].to_json())));
        }
        Err(failure) => return Ok(failure.code),
    };
    let Some(texts) = texts(&values, policy) else { return Ok("too many texts".to_owned()) };
    let subject = Subject { walks: texts.all(), language: &texts, automaton, longest: usize::MAX };
    subject.check(&mut random).map_err(fault)?;
    Ok("checked".to_owned())
}

fn policy(random: &mut Random, mixed: bool) -> Policy {
    let spaces = [Space::Compact, Space::Compact, Space::Spaced, Space::Pretty(1), Space::Pretty(2), Space::Run(1)];
    let space = *random.choose(&spaces).expect("not empty");
    Policy { any_order: mixed || random.one_in(2), space, plain_strings: random.one_in(2), plain_numbers: true }
}

fn texts(values: &[&Value], policy: Policy) -> Option<Texts> {
    let mut all = Vec::new();
    for value in values {
        all.extend(spell(value, policy)?);
        if all.len() > 4 * MOST {
            return None;
        }
    }
    let texts = Texts::new(all);
    texts.extends(b"").then_some(texts)
}
