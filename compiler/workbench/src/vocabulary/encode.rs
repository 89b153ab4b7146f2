//! Encodes texts as tokens like the model's tokenizer, so that bounds on tokens are enforced.
//!
//! A Hugging Face file has its own tokenizer. Vocabularies with ranks (`o200k`, tekken, tiktoken) merge byte pairs
//! inside the parts that a pattern cuts out. A tiktoken file does not contain its pattern, so the pattern of `o200k` is
//! used.

use std::fmt;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::trie::TokenTrie;
use ogc_runtime::vocabulary::{TokenId, without_leading_space};
use serde_json::Value;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer, SplitDelimiterBehavior, Tokenizer};

/// The pattern by which `o200k` cuts a text into the parts that are merged.
const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// Encodes texts as tokens.
pub struct Encoder(Kind);

enum Kind {
    Tokenizer {
        begins: Box<Tokenizer>,
        /// The tokenizer for texts that continue others, if the main one puts a space in front of each text.
        goes_on: Option<Box<Tokenizer>>,
    },
    Ranked(Split),
}

/// The error for a tokenizer file from which no encoder can be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncoderError(String);

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Kind::Tokenizer { .. } => "Tokenizer",
            Kind::Ranked(_) => "Ranked",
        };
        f.debug_tuple("Encoder").field(&kind).finish()
    }
}

impl Encoder {
    /// Makes the encoder of the built-in vocabulary.
    ///
    /// # Errors
    ///
    /// The built-in pattern is not understood.
    pub fn built_in() -> Result<Self, EncoderError> {
        Self::ranked(O200K)
    }

    /// Reads the encoder of a vocabulary from the bytes of its file.
    ///
    /// # Errors
    ///
    /// The bytes are no tokenizer file, or its pattern is not understood.
    pub fn parse(bytes: &[u8]) -> Result<Self, EncoderError> {
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Self::ranked(O200K);
        }
        let json: Option<Value> = serde_json::from_slice(bytes).ok();
        if let Some(pattern) = json.as_ref().and_then(|json| json.pointer("/config/pattern")?.as_str()) {
            return Self::ranked(pattern);
        }
        let begins = Tokenizer::from_bytes(bytes).map_err(|error| EncoderError(error.to_string()))?;
        let goes_on = match json.map(|json| (without_leading_space(json.clone()), json)) {
            Some((other, json)) if other != json => {
                Some(serde_json::from_value(other).map_err(|error| EncoderError(error.to_string()))?)
            }
            _ => None,
        };
        let textual = |mut tokenizer: Tokenizer| {
            tokenizer.set_encode_special_tokens(true);
            Box::new(tokenizer)
        };
        Ok(Self(Kind::Tokenizer { begins: textual(begins), goes_on: goes_on.map(textual) }))
    }

    fn ranked(pattern: &str) -> Result<Self, EncoderError> {
        let split = Split::new(SplitPattern::Regex(pattern.to_owned()), SplitDelimiterBehavior::Isolated, false);
        split.map(|split| Self(Kind::Ranked(split))).map_err(|error| EncoderError(error.to_string()))
    }

    /// Encodes a text as tokens of a store; `None` if the vocabulary cannot spell it.
    #[must_use]
    pub fn encode(&self, store: &MaskStore, text: &str) -> Option<Vec<TokenId>> {
        match &self.0 {
            Kind::Tokenizer { begins, .. } => ids(begins, text),
            Kind::Ranked(_) => self.encode_on(store, text),
        }
    }

    /// Encodes a text that continues another one: without the space that the tokenizer may put in front of a text.
    #[must_use]
    pub fn encode_on(&self, store: &MaskStore, text: &str) -> Option<Vec<TokenId>> {
        match &self.0 {
            Kind::Tokenizer { begins, goes_on } => ids(goes_on.as_ref().unwrap_or(begins), text),
            Kind::Ranked(split) => {
                let mut parts = PreTokenizedString::from(text);
                split.pre_tokenize(&mut parts).ok()?;
                let splits = parts.get_splits(OffsetReferential::Original, OffsetType::Byte);
                let merged = splits.into_iter().map(|(part, _, _)| merge(store.trie(), part.as_bytes()));
                Some(merged.collect::<Option<Vec<_>>>()?.concat())
            }
        }
    }
}

fn ids(tokenizer: &Tokenizer, text: &str) -> Option<Vec<TokenId>> {
    let encoding = tokenizer.encode_fast(text, false).ok()?;
    Some(encoding.get_ids().iter().map(|&id| TokenId(id)).collect())
}

/// Returns the token with this text; of several tokens, the lowest id.
fn rank(trie: &TokenTrie, text: &[u8]) -> Option<TokenId> {
    trie.tokens(trie.find(text)?).first().copied()
}

/// Merges bytes to tokens: repeatedly joins the two neighbours that form the token with the lowest rank.
fn merge(trie: &TokenTrie, part: &[u8]) -> Option<Vec<TokenId>> {
    let mut ends: Vec<usize> = (0..=part.len()).collect();
    loop {
        let pair = |at: usize| rank(trie, part.get(ends[at]..*ends.get(at + 2)?)?).map(|rank| (rank, at));
        let Some((_, at)) = (0..ends.len()).filter_map(pair).min() else { break };
        ends.remove(at + 1);
    }
    ends.windows(2).map(|pair| rank(trie, &part[pair[0]..pair[1]])).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ogc_runtime::vocabulary::Vocabulary;
    use serde_json::json;

    use super::*;

    #[test]
    fn continued_texts_get_no_leading_space() {
        let tokenizer = |normalizer: Value, pre_tokenizer: Value| {
            let model = json!({"type": "BPE", "vocab": {"▁": 0, "a": 1, "▁a": 2}, "merges": ["▁ a"]});
            json!({"version": "1.0", "added_tokens": [], "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "model": model})
        };
        let prepend = json!({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}]});
        let metaspace =
            |scheme| json!({"type": "Metaspace", "replacement": "▁", "split": false, "prepend_scheme": scheme});
        let given = [
            (tokenizer(prepend, Value::Null), [2, 1]),
            (tokenizer(Value::Null, metaspace("first")), [2, 1]),
            (tokenizer(Value::Null, metaspace("always")), [2, 1]),
            (tokenizer(Value::Null, metaspace("never")), [1, 1]),
            (tokenizer(Value::Null, Value::Null), [1, 1]),
        ];
        let store =
            MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some(" "), Some("a"), Some(" a")], &[]).unwrap()));
        for (json, ids) in given {
            let encoder = Encoder::parse(json.to_string().as_bytes()).unwrap();
            let written = [encoder.encode(&store, "a"), encoder.encode_on(&store, "a")];
            assert_eq!(written, ids.map(|id| Some(vec![TokenId(id)])), "{json}");
        }
    }

    #[test]
    fn pairs_of_the_lowest_rank_are_merged_first() {
        let tokens = [Some("a"), Some("b"), Some("c"), Some("bc"), Some("ab"), Some("abc")];
        let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[]).unwrap()));
        let ids = |text: &[u8]| merge(store.trie(), text).map(|ids| ids.iter().map(|id| id.0).collect::<Vec<_>>());
        assert_eq!(ids(b"abc"), Some(vec![5]));
        assert_eq!(ids(b"abab"), Some(vec![4, 4]));
        assert_eq!(ids(b"bcb"), Some(vec![3, 1]));
        assert_eq!(ids(b"x"), None);
        let encoder = Encoder::built_in().unwrap();
        assert!(matches!(encoder.0, Kind::Ranked(_)));
        assert_eq!(encoder.encode(&store, "abc").map(|ids| ids.len()), Some(1));
    }
}
