//! Tests of tokens that are made part by part, against the tokens of the library's own call, and of readings that end
//! early.

#![allow(clippy::disallowed_methods, reason = "tokenizers are files; see clippy.toml")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::super::room::Stop;
use super::*;

/// Makes a tokenizer of words, with white space between them.
fn words(truncation: &str) -> Tokenizer {
    let json = format!(
        r#"{{ "version": "1.0", "truncation": {truncation}, "padding": null, "normalizer": null, "post_processor": null,
            "added_tokens": [{{ "id": 3, "content": "<x>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
                "special": true }}],
            "pre_tokenizer": {{ "type": "WhitespaceSplit" }}, "decoder": null,
            "model": {{ "type": "BPE", "vocab": {{ "a": 0, "b": 1, "ab": 2 }}, "merges": ["a b"] }} }}"#
    );
    Tokenizer::from_bytes(json).expect("a tokenizer")
}

proptest! {
    #[test]
    fn encoded_tokens_match_the_tokenizers_library(text in "[ab <x>\n]{0,60}") {
        let tokenizer = words("null");
        let expected = tokenizer.encode_fast(text.as_str(), false).expect("tokens");
        let stop = Stop::default();
        let tokens = encode(&tokenizer, &text, &Room::new(usize::MAX, &stop)).expect("tokens");
        prop_assert_eq!(tokens.iter().map(|token| token.0).collect::<Vec<_>>(), expected.get_ids());
    }
}

#[test]
fn prompts_over_the_token_limit_are_refused_exactly() {
    let (tokenizer, stop) = (words("null"), Stop::default());
    let tokens = |limit| encode(&tokenizer, "ab a <x> ab b", &Room::new(limit, &stop));
    assert_eq!(tokens(5).expect("tokens").len(), 5);
    assert!(matches!(tokens(4), Err(GenerateError::PromptTokens { given: 5.., limit: 4 })));
}

#[test]
fn truncation_settings_of_the_tokenizer_file_are_ignored() {
    let truncation = r#"{ "direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0 }"#;
    let stop = Stop::default();
    assert_eq!(encode(&words(truncation), "ab a ab b", &Room::new(9, &stop)).expect("tokens").len(), 4);
}

#[test]
fn a_stopped_encoding_ends_after_the_current_chunk() {
    let asked = Arc::new(AtomicUsize::new(0));
    let stop = Stop::when({
        let asked = Arc::clone(&asked);
        move || asked.fetch_add(1, Ordering::Relaxed) >= 10
    });
    let stopped = encode(&words("null"), &"ab ".repeat(1_000), &Room::new(usize::MAX, &stop));
    assert!(matches!(stopped, Err(GenerateError::Stopped(_))));
    assert_eq!(asked.load(Ordering::Relaxed), 11);
}
