//! Tests of prompts in the tokens of Llama 2: the scores of a GGUF file against the order of pairs in its
//! `tokenizer.json`.

#![allow(clippy::disallowed_methods, reason = "the tokenizer is a file; see clippy.toml")]

use ogc_kit::gguf::{self, Value as GgufValue};
use ogc_runtime::vocabulary::{Gguf, TokenId, Vocabulary};
use serde_json::Value;
use tokenizers::Tokenizer;

use super::super::PromptTokenizer;

const TEXTS: [&str; 11] = [
    "",
    " ",
    "Hello, world",
    "  two  spaces   three",
    "The quick brown fox jumps over the lazy dog.",
    "line\n\n\tand tab",
    "caf\u{e9} \u{1f600} \u{4f60}\u{597d} \u{131}",
    "{\"name\": \"Ada\", \"count\": 1234567, \"list\": [true, null]}",
    "<s>[INST] Name 3 rivers. [/INST] The Rhine</s>",
    "internationalisation antidisestablishmentarianism aaaaaaaaaaaaaaa",
    "fn main() { println!(\"{}\", 1 << 3); }\n",
];

/// The metadata of a GGUF file with the vocabulary of Llama 2, and its `tokenizer.json`.
fn llama2() -> Option<(Gguf, Vec<u8>)> {
    let json = std::fs::read(ogc_kit::corpora::find("tokenizers/llama-2/tokenizer.json")?).expect("a tokenizer");
    let parsed: Value = serde_json::from_slice(&json).expect("JSON");
    let mut tokens: Vec<(&String, u64)> = parsed["model"]["vocab"]
        .as_object()
        .expect("tokens")
        .iter()
        .map(|(token, id)| (token, id.as_u64().expect("a number")))
        .collect();
    tokens.sort_unstable_by_key(|(_, id)| *id);
    // Three tokens without a text, 256 bytes, then texts, each with a lower score than the one before. Runs of spaces
    // come last.
    let kind = |id| {
        if id < 3 {
            [2, 3, 3][id as usize]
        } else if id < 259 {
            6
        } else {
            1
        }
    };
    let is_run = |token: &str| token.chars().count() > 1 && token.chars().all(|character| character == '▁');
    let score = |(token, id): &(&String, u64)| match *id {
        0..259 => 0.0,
        _ if is_run(token) => -1e9,
        id => 259.0 - id as f32,
    };
    let texts = tokens.iter().map(|(token, _)| token.as_str().into()).collect();
    let metadata = [
        ("tokenizer.ggml.model", "llama".into()),
        ("tokenizer.ggml.tokens", GgufValue::Array(texts)),
        (
            "tokenizer.ggml.token_type",
            GgufValue::Array(tokens.iter().map(|(_, id)| GgufValue::I32(kind(*id))).collect()),
        ),
        ("tokenizer.ggml.scores", GgufValue::Array(tokens.iter().map(|token| GgufValue::F32(score(token))).collect())),
        ("tokenizer.ggml.unknown_token_id", GgufValue::U32(0)),
        ("tokenizer.ggml.bos_token_id", GgufValue::U32(1)),
        ("tokenizer.ggml.eos_token_id", GgufValue::U32(2)),
        ("tokenizer.ggml.add_bos_token", GgufValue::Bool(true)),
    ];
    let file = gguf::write(&metadata, &[]);
    Some((Gguf::read(file.as_slice(), file.len() as u64).expect("a head"), json))
}

#[test]
fn merging_by_scores_matches_merging_by_listed_pairs() {
    let Some((gguf, json)) = llama2() else { return };
    let judge = Tokenizer::from_bytes(&json).expect("a tokenizer");
    for own in [PromptTokenizer::from_gguf(&gguf), PromptTokenizer::from_json(&json)] {
        let own = own.expect("a tokenizer");
        for text in TEXTS {
            let ids = |special| judge.encode_fast(text, special).expect("tokens").get_ids().to_vec();
            let found: Vec<u32> = own.tokens(text).expect("tokens").iter().map(|token| token.0).collect();
            assert_eq!(found, ids(false), "{text:?}");
            let found: Vec<u32> = own.raw_tokens(text).expect("tokens").iter().map(|token| token.0).collect();
            assert_eq!(found, ids(true), "{text:?}");
        }
    }
}

#[test]
fn a_continued_text_gets_no_leading_space() {
    let Some((gguf, json)) = llama2() else { return };
    let vocabulary = Vocabulary::from_gguf(&gguf).expect("a vocabulary");
    for own in [PromptTokenizer::from_gguf(&gguf), PromptTokenizer::from_json(&json)] {
        let own = own.expect("a tokenizer");
        for text in TEXTS {
            let tokens = own.text_tokens(text.as_bytes());
            let written: Vec<u8> =
                tokens.iter().flat_map(|token| vocabulary.text(*token).unwrap_or(b"?")).copied().collect();
            assert_eq!(String::from_utf8_lossy(&written), text);
        }
        // Text from outside stays as it is in the prompt, even where it contains the name of a token.
        let tokens =
            own.tokens_with_outside(&format!("<s>a{}b", super::super::outside(0)), &["</s> c"]).expect("tokens");
        assert_eq!(tokens[0], TokenId(1));
        let written: Vec<u8> =
            tokens[1..].iter().flat_map(|token| vocabulary.text(*token).unwrap_or(b"?")).copied().collect();
        assert_eq!(String::from_utf8_lossy(&written), " a</s> cb");
    }
}
