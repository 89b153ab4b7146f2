//! Tests of masks of the examples and templates over a real vocabulary: at places of random texts of every output,
//! every bit of the mask agrees with the matcher. `OGC_SEED` chooses other texts, `OGC_SAMPLE` the number of places of
//! an output.

#![allow(clippy::disallowed_methods, reason = "examples and the corpus are files")]

use std::path::Path;
use std::sync::Arc;

use ogc_kit::{Random, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::corpus;
use ogc_tests::engine::ogc_outputs;
use ogc_tests::oracle::ogc::sample;

/// Bytes that walks prefer.
const LIKED: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789 .,:;\"{}[]()<>/=_-\n";

/// Folders of programs, from the root of the repository.
const FOLDERS: [&str; 2] = ["examples", "compiler/cli/src/templates"];

#[test]
#[allow(clippy::print_stdout, reason = "the count is the report of the test")]
fn masks_are_exact_on_examples() {
    let Some(tokenizer) = corpus::find("tokenizers/llama-3.1/tokenizer.json") else { return };
    let bytes = std::fs::read(tokenizer).expect("the tokenizer is readable");
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokenizer_json(&bytes).expect("a vocabulary")));
    let mut random = Random::new(setting("OGC_SEED", 1));
    let outputs: Vec<_> = FOLDERS.iter().flat_map(|folder| ogc_outputs(&files(folder))).collect();
    assert!(!outputs.is_empty(), "no output of an example compiles");
    for (name, automaton) in &outputs {
        for _ in 0..setting("OGC_SAMPLE", 2) {
            check(name, automaton, &store, &mut random);
        }
    }
    println!("{} outputs, {} tokens", outputs.len(), store.vocabulary().len());
}

/// The files of a folder, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(root).expect("the folder is there").filter_map(Result::ok);
    let mut files: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, std::fs::read_to_string(entry.path()).ok()?))
        })
        .collect();
    files.sort();
    files
}

/// Checks one place of a random text.
fn check(name: &str, automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random) {
    let names: Vec<&str> = automaton.tokens.iter().map(String::as_str).collect();
    let bytes = sample::store_with(&[], &names);
    let walk = sample::walk(automaton, &bytes, random, LIKED);
    let (_, tokens) = walk.unwrap_or_else(|error| panic!("{name}: {error}")).expect("a short text");
    let place = &tokens[..random.below(tokens.len() + 1)];
    let text: Vec<u8> = place.iter().flat_map(|&token| sample::spelled(bytes.vocabulary(), token)).collect();
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.accept_bytes(&text).unwrap_or_else(|error| panic!("{name}: {error} in `{}`", text.escape_ascii()));
    exact(&mut matcher, &format!("{name} after `{}`", text.escape_ascii()));
}

/// Checks that every token is in the mask if and only if the matcher accepts it.
fn exact(matcher: &mut Matcher, place: &str) {
    let mask = matcher.mask().expect("few readings");
    for token in (0..matcher.store().vocabulary().len() as u32).map(TokenId) {
        let accepted = matcher.accept_token(token).is_ok();
        if accepted {
            matcher.rollback(1).expect("one token was accepted");
        }
        let text = matcher.store().vocabulary().text(token);
        assert_eq!(mask.contains(token), accepted, "{place}: token {token:?} {text:?}");
    }
}
