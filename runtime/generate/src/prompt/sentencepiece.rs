//! Tokenizers in the manner of SentencePiece. Text is not cut before tokens are made, spaces are `▁`, and characters
//! without a token are bytes. The neighbours whose joint token has the highest score are merged first. One more space
//! may be put in front of a text.
//!
//! Written as a `tokenizer.json`, in which an order of pairs takes the place of the scores, as converters of such
//! models write it.

use std::collections::HashMap;

use ogc_runtime::vocabulary::{Gguf, GgufValue};
use serde_json::{Value, json};

use crate::error::GenerateError;

/// Cap on the bytes of a token; the longest tokens of models have some dozens.
const MAX_TOKEN: usize = 1 << 10;

/// The kind of tokens that stand for text, as GGUF numbers it.
const NORMAL: i64 = 1;

/// Makes the `tokenizer.json` of a GGUF file whose tokenizer is `llama`.
pub(super) fn json(gguf: &Gguf, tokens: &[String]) -> Result<Value, GenerateError> {
    let scores = match gguf.get("tokenizer.ggml.scores") {
        Some(GgufValue::Floats(scores)) if scores.len() == tokens.len() => scores,
        _ => return Err(GenerateError::Missing { what: "tokenizer.ggml.scores, one for each token".to_owned() }),
    };
    if let Some(token) = tokens.iter().find(|token| token.len() > MAX_TOKEN) {
        return Err(GenerateError::Tokenizer(format!("a token has {} bytes; {MAX_TOKEN} are the most", token.len())));
    }
    let unknown = gguf.integer("tokenizer.ggml.unknown_token_id").and_then(|id| usize::try_from(id).ok());
    let spaces = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let has_prefix = gguf.flag("tokenizer.ggml.add_space_prefix").unwrap_or(true);
    let prefix = has_prefix.then(|| json!({"type": "Prepend", "prepend": "▁"}));
    let normalizers: Vec<Value> = prefix.into_iter().chain([spaces]).collect();
    let ids: serde_json::Map<String, Value> = tokens.iter().cloned().zip((0..).map(|id: u32| json!(id))).collect();
    Ok(json!({
        "version": "1.0",
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "model": {
            "type": "BPE",
            "unk_token": unknown.and_then(|id| tokens.get(id)),
            "fuse_unk": true,
            "byte_fallback": true,
            "vocab": ids,
            "merges": merges(gguf, tokens, scores),
        },
    }))
}

/// Returns the pairs that make a token, those of high scores first.
fn merges<'t>(gguf: &Gguf, tokens: &'t [String], scores: &[f32]) -> Vec<[&'t str; 2]> {
    let kinds = match gguf.get("tokenizer.ggml.token_type") {
        Some(GgufValue::Integers(kinds)) => kinds.as_slice(),
        _ => &[],
    };
    let is_normal = |id: &usize| kinds.get(*id).is_none_or(|kind| *kind == NORMAL);
    let mut normal: Vec<usize> = (0..tokens.len()).filter(is_normal).collect();
    let ids: HashMap<&str, usize> = normal.iter().map(|&id| (tokens[id].as_str(), id)).collect();
    normal.sort_by(|one, two| scores[*two].total_cmp(&scores[*one]));
    let pairs = |id: usize| {
        let token = tokens[id].as_str();
        let halves = token.char_indices().skip(1).map(|(at, _)| token.split_at(at));
        let mut pairs: Vec<(usize, usize)> =
            halves.filter_map(|(one, two)| Some((*ids.get(one)?, *ids.get(two)?))).collect();
        pairs.sort_unstable();
        pairs
    };
    normal.into_iter().flat_map(pairs).map(|(one, two)| [tokens[one].as_str(), tokens[two].as_str()]).collect()
}

#[cfg(test)]
mod tests;
