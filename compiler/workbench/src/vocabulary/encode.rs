//! Encodes texts in tokens as a tokenizer does, so that bounds on tokens count.
//!
//! A Hugging Face file has its own tokenizer. Vocabularies with ranks (`o200k`, tekken, tiktoken) are byte-pair
//! merging inside the parts that a pattern cuts out; a tiktoken file does not say its pattern: there it is that of
//! `o200k`.

use std::fmt;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::trie::TokenTrie;
use ogc_runtime::vocabulary::TokenId;
use serde_json::Value;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer, SplitDelimiterBehavior, Tokenizer};

/// The pattern by which `o200k` cuts texts into the parts that are merged.
const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// An encoder of texts in tokens.
pub struct Encoder(Kind);

enum Kind {
    Tokenizer(Box<Tokenizer>),
    Ranked(Split),
}

/// The error for a tokenizer file from which no encoder can be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncoderError(String);

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Kind::Tokenizer(_) => "Tokenizer",
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
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| EncoderError(error.to_string()))?;
        tokenizer.set_encode_special_tokens(true);
        Ok(Self(Kind::Tokenizer(Box::new(tokenizer))))
    }

    fn ranked(pattern: &str) -> Result<Self, EncoderError> {
        let split = Split::new(SplitPattern::Regex(pattern.to_owned()), SplitDelimiterBehavior::Isolated, false);
        split.map(|split| Self(Kind::Ranked(split))).map_err(|error| EncoderError(error.to_string()))
    }

    /// Encodes a text in the tokens of a store; `None` if the vocabulary cannot spell it.
    #[must_use]
    pub fn encode(&self, store: &MaskStore, text: &str) -> Option<Vec<TokenId>> {
        match &self.0 {
            Kind::Tokenizer(tokenizer) => {
                let encoding = tokenizer.encode_fast(text, false).ok()?;
                Some(encoding.get_ids().iter().map(|&id| TokenId(id)).collect())
            }
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

/// Returns the token of a text; the lowest of several.
fn rank(trie: &TokenTrie, text: &[u8]) -> Option<TokenId> {
    trie.tokens(trie.find(text)?).first().copied()
}

/// Merges bytes to tokens: again and again the two neighbours that make the token of the lowest rank.
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

    use super::*;

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
