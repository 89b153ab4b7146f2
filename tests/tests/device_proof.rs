//! Tests of a small part of the proof of `ogc-bench device`: random formats and real schemas give the same results in
//! the shipped kernels and in the matcher, and a fault that is inserted into the kernels is found. `OGC_SEED` chooses
//! others, `OGC_ROUNDS` and `OGC_SAMPLE` set the size.

#![allow(clippy::disallowed_methods, reason = "corpora are files; see clippy.toml")]

use std::sync::Arc;

use ogc_kit::{Random, setting};
use ogc_runtime::trie::{TokenTrie, greedy_tokens};
use ogc_runtime::vocabulary::Vocabulary;
use ogc_tests::corpus;
use ogc_tests::device::{Proof, Size, Subject, Tally, kernels, random_format, small_vocabulary};
use ogc_tests::engine::{Policy, Reading, schema};

/// The number of formats of a batch.
const FORMATS: usize = 4;

fn random_subjects(proof: &Proof<'_>, count: usize) -> Vec<Subject> {
    let subject = |seed: u64| proof.subject(&format!("random {seed}"), random_format(seed)?, Vec::new());
    (setting("OGC_SEED", 1)..).filter_map(subject).take(count).collect()
}

#[test]
fn random_formats_on_the_device_match_the_matcher() {
    let module = kernels();
    let proof = Proof::new(&module, small_vocabulary(), 1);
    let subjects = random_subjects(&proof, setting("OGC_ROUNDS", 24) as usize);
    let mut tally = Tally::default();
    for (seed, subjects) in (0..).zip(subjects.chunks(FORMATS)) {
        proof.run(subjects, Size { sequences: 3, steps: 40 }, seed, &mut tally).expect("small formats");
    }
    assert!(tally.differences.is_empty(), "{tally}");
    assert!(tally.masks > 200 && tally.chosen > 100 && tally.accepted > 300 && tally.taken_back > 5, "{tally:?}");
}

#[test]
fn real_schemas_on_the_device_match_the_matcher() {
    let (Some(pack), Some(json)) =
        (corpus::find("maskbench-dev.jsonl.zst"), corpus::find("tokenizers/gpt2/tokenizer.json"))
    else {
        return;
    };
    let json = std::fs::read(json).expect("readable");
    let vocabulary = Arc::new(Vocabulary::from_tokenizer_json(&json).expect("a vocabulary"));
    let trie = TokenTrie::new(&vocabulary);
    let module = kernels();
    let proof = Proof::new(&module, vocabulary, 1);
    let cases = corpus::cases(&pack).expect("the pack is readable");
    let mut random = Random::new(setting("OGC_SEED", 1));
    let mut subjects = Vec::new();
    for index in random.sample(cases.len(), setting("OGC_SAMPLE", 4) as usize) {
        let texts = cases[index].tests.iter().filter_map(|test| greedy_tokens(&trie, test.text.as_bytes()));
        let automaton = schema(&cases[index].schema, &Reading::asserting(), Policy::default()).ok();
        subjects.extend(automaton.and_then(|automaton| proof.subject(&cases[index].id, automaton, texts.collect())));
    }
    let mut tally = Tally::default();
    for (seed, subjects) in (0..).zip(subjects.chunks(FORMATS)) {
        proof.run(subjects, Size { sequences: 2, steps: 24 }, seed, &mut tally).expect("small formats");
    }
    assert!(tally.differences.is_empty(), "{tally}");
    assert!(tally.masks > 40 && tally.accepted > 60, "{tally:?}");
}
