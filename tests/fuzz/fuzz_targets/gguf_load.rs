//! Any bytes as a model file: an error with a reason, or a model whose tokenizer reads any text; no panic.
//!
//! Inputs are used unchanged, as changes to a good file, or as other tokens in it, including tokens of SentencePiece.

#![no_main]

use std::io::Cursor;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use ogc_generate::LoadedModel;
use ogc_kit::gguf::Value;
use ogc_kit::model::{gguf_with, tokens};
use ogc_runtime::vocabulary::{Gguf, Vocabulary};

fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(ogc_kit::model::gguf)
}

/// Returns a model whose vocabulary begins with these tokens, each with its score and kind.
fn with_tokens(kind: u8, given: &[(&str, f32, i8)]) -> Vec<u8> {
    let model = ["llama", "gpt2", "bert", "t5", ""][usize::from(kind) % 5];
    let mut all: Vec<(String, f32, i32)> = tokens().into_iter().map(|text| (text, 0.0, 1)).collect();
    for (token, (text, score, kind)) in all.iter_mut().zip(given) {
        *token = ((*text).to_owned(), *score, i32::from(*kind));
    }
    gguf_with(vec![
        ("tokenizer.ggml.model", model.into()),
        ("tokenizer.ggml.tokens", Value::Array(all.iter().map(|(text, ..)| text.as_str().into()).collect())),
        ("tokenizer.ggml.scores", Value::Array(all.iter().map(|(_, score, _)| Value::F32(*score)).collect())),
        ("tokenizer.ggml.token_type", Value::Array(all.iter().map(|(.., kind)| Value::I32(*kind)).collect())),
    ])
}

fn load(bytes: &[u8], text: &str) {
    if let Ok(header) = Gguf::read(bytes, bytes.len() as u64) {
        let _vocabulary = Vocabulary::from_gguf(&header);
    }
    let Ok(model) = LoadedModel::from_gguf(Cursor::new(bytes)) else { return };
    let Ok(tokens) = model.tokenizer.tokens(text) else { return };
    assert!(tokens.iter().all(|token| (token.0 as usize) < model.vocabulary.padded_len()), "{tokens:?}");
}

fuzz_target!(|input: (u8, Vec<(u16, u8)>, Vec<(&str, f32, i8)>, &[u8], &str)| {
    let (kind, changes, tokens, bytes, text) = input;
    match kind % 3 {
        0 => load(bytes, text),
        1 => load(&with_tokens(kind / 3, &tokens), text),
        _ => {
            let mut file = good().to_vec();
            // The header is at the beginning; the numbers of tensors may have any value.
            let header = file.len().min(8_192);
            changes.iter().for_each(|(at, value)| file[usize::from(*at) % header] = *value);
            load(&file, text);
        }
    }
});
