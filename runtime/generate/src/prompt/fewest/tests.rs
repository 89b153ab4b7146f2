//! Tests of the lower bound of tokens against the tokens that real tokenizers make, of random texts.

#![allow(clippy::disallowed_methods, reason = "tokenizers are files; see clippy.toml")]

use ogc_kit::{Random, rounds};
use ogc_runtime::vocabulary::Vocabulary;
use tokenizers::Tokenizer;

use super::super::encode::encode;
use super::super::room::{Room, Stop};
use super::*;

const NAMES: [&str; 8] =
    ["llama-3.1", "qwen3", "gpt2", "llama-2", "mistral-tekken", "deepseek-v3", "gpt-oss-o200k-harmony", "gemma-4"];

/// Pieces that normalizers change in different ways, or that are long tokens.
const PIECES: [&str; 24] = [
    " ",
    "  ",
    "\n\n",
    "        ",
    "e\u{301}",
    "\u{e9}",
    "o\u{302}\u{323}",
    "\u{1100}\u{1161}\u{11a8}",
    "\u{4e00}",
    "\u{4f60}\u{597d}",
    "\u{338}",
    ">",
    "\u{2581}",
    "\u{2581}\u{2581}\u{2581}",
    "====",
    "----------------",
    "1234567",
    "word",
    " the",
    "\u{1f600}",
    "\u{212b}",
    "<|im_end|>",
    "</s>",
    "\u{0}",
];

fn tokenizers() -> Vec<(&'static str, Tokenizer, Vocabulary)> {
    let read = |name: &'static str| {
        let json =
            std::fs::read(ogc_kit::corpora::find(&format!("tokenizers/{name}/tokenizer.json"))?).expect("a tokenizer");
        let vocabulary = Vocabulary::from_tokenizer_json(&json).expect("a vocabulary");
        Some((name, Tokenizer::from_bytes(&json).expect("a tokenizer"), vocabulary))
    };
    NAMES.into_iter().filter_map(read).collect()
}

/// Returns a random text of pieces; some pieces repeat many times in a row.
fn text(random: &mut Random, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.below(most) {
        let piece = PIECES[random.below(PIECES.len())];
        let times = if random.below(4) == 0 { random.below(40) } else { 1 };
        text.push_str(&piece.repeat(times));
    }
    text
}

#[test]
fn the_lower_bound_on_tokens_never_refuses_a_text_that_fits() {
    let stop = Stop::default();
    for (name, tokenizer, vocabulary) in tokenizers() {
        let fewest = FewestTokens::of(&tokenizer, &vocabulary);
        let fewest = fewest.unwrap_or_else(|| panic!("{name} leaves nothing out"));
        let mut random = Random::new(29);
        let mut lengths: Vec<usize> = vec![60; rounds(100, 400) as usize];
        lengths.extend(vec![60_000; rounds(1, 2) as usize]);
        for most in lengths {
            let text = text(&mut random, most);
            let tokens = encode(&tokenizer, &text, &Room::new(usize::MAX, &stop)).expect("tokens").len();
            let checked = fewest.check(&text, &Room::new(tokens, &stop));
            assert!(checked.is_ok(), "{name}: {checked:?} of {} bytes", text.len());
        }
    }
}

#[test]
fn the_lower_bound_on_tokens_refuses_texts_four_times_too_long() {
    let stop = Stop::default();
    for (name, tokenizer, vocabulary) in tokenizers() {
        let fewest = FewestTokens::of(&tokenizer, &vocabulary).expect("a tokenizer that leaves nothing out");
        for sentence in ["The quick brown fox jumps over the lazy dog. ", "xqzjvkwp", "\u{1e69}\u{4f60}\u{597d}"] {
            let text = sentence.repeat(4_000);
            let tokens = encode(&tokenizer, &text, &Room::new(usize::MAX, &stop)).expect("tokens").len();
            let refused = fewest.check(&text, &Room::new(tokens / 4, &stop));
            assert!(matches!(refused, Err(GenerateError::PromptTokens { .. })), "{name}: {sentence}");
        }
    }
}

#[test]
fn the_documented_lower_bound_example_holds() {
    let vocabulary = Vocabulary::from_tokens(&[Some("ab"), Some("a"), Some("bc")], &[]).expect("a vocabulary");
    let fewest = FewestTokens { trie: TokenTrie::new(&vocabulary), compositions: Vec::new(), writes_spaces: false };
    assert_eq!(fewest.count(b"__abcabc"), 4, "the first two bytes are free");
    assert_eq!(fewest.count(b"zzzzzz"), 0, "what no token spells is free");
}
