//! Encodes texts in tokens as a tokenizer does, so that bounds on tokens count.
//!
//! A Hugging Face file has its own tokenizer. Vocabularies with ranks (`o200k`, tekken, tiktoken) are byte-pair
//! merging inside the parts that a pattern cuts out; a tiktoken file does not say its pattern: there it is that of
//! `o200k`.

use std::collections::HashMap;
use std::path::Path;

use ogc_runtime::vocabulary::{MAX_SOURCE_BYTES, TokenId, Vocabulary};
use serde_json::Value;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer, SplitDelimiterBehavior, Tokenizer};

use crate::files;
use crate::problem::Problem;
use crate::vocabulary::BUILT_IN;

/// The pattern by which `o200k` cuts texts into the parts that are merged.
const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// An encoder of texts in tokens.
pub(super) enum Encoder {
    Tokenizer(Box<Tokenizer>),
    Ranked(Split),
}

impl Encoder {
    /// Loads the encoder of a vocabulary's file, or of the built-in one.
    pub(super) fn load(path: &Path) -> Result<Self, Problem> {
        let failed = |message: String| Problem::Vocabulary { path: path.to_owned(), message };
        let ranked = |pattern: &str| {
            let split = Split::new(SplitPattern::Regex(pattern.to_owned()), SplitDelimiterBehavior::Isolated, false);
            split.map(Self::Ranked).map_err(|error| failed(error.to_string()))
        };
        if path == Path::new(BUILT_IN) {
            return ranked(O200K);
        }
        let bytes = files::read(path, MAX_SOURCE_BYTES)?;
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return ranked(O200K);
        }
        let json: Option<Value> = serde_json::from_slice(&bytes).ok();
        if let Some(pattern) = json.as_ref().and_then(|json| json.pointer("/config/pattern")?.as_str()) {
            return ranked(pattern);
        }
        let mut tokenizer = Tokenizer::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
        tokenizer.set_encode_special_tokens(true);
        Ok(Self::Tokenizer(Box::new(tokenizer)))
    }

    /// Encodes a text; `None` if the vocabulary cannot spell it.
    pub(super) fn encode(&self, vocabulary: &Vocabulary, text: &str) -> Option<Vec<TokenId>> {
        match self {
            Self::Tokenizer(tokenizer) => {
                let encoding = tokenizer.encode_fast(text, false).ok()?;
                Some(encoding.get_ids().iter().map(|&id| TokenId(id)).collect())
            }
            Self::Ranked(split) => {
                let ranks = ranks(vocabulary);
                let mut parts = PreTokenizedString::from(text);
                split.pre_tokenize(&mut parts).ok()?;
                let splits = parts.get_splits(OffsetReferential::Original, OffsetType::Byte);
                let merged = splits.into_iter().map(|(part, _, _)| merge(&ranks, part.as_bytes()));
                Some(merged.collect::<Option<Vec<_>>>()?.concat())
            }
        }
    }
}

/// Returns the ids of tokens by text; the lowest of several.
fn ranks(vocabulary: &Vocabulary) -> HashMap<&[u8], u32> {
    let ids = (0..vocabulary.len() as u32).rev();
    ids.filter_map(|id| Some((vocabulary.text(TokenId(id))?, id))).collect()
}

/// Merges bytes to tokens: again and again the two neighbours that make the token of the lowest rank.
fn merge(ranks: &HashMap<&[u8], u32>, part: &[u8]) -> Option<Vec<TokenId>> {
    let mut ends: Vec<usize> = (0..=part.len()).collect();
    loop {
        let rank = |at: usize| ranks.get(part.get(ends[at]..*ends.get(at + 2)?)?).map(|&rank| (rank, at));
        let Some((_, at)) = (0..ends.len()).filter_map(rank).min() else { break };
        ends.remove(at + 1);
    }
    ends.windows(2).map(|pair| ranks.get(&part[pair[0]..pair[1]]).map(|&id| TokenId(id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_the_lowest_rank_are_merged_first() {
        let tokens = [Some("a"), Some("b"), Some("c"), Some("bc"), Some("ab"), Some("abc")];
        let vocabulary = Vocabulary::from_tokens(&tokens, &[]).unwrap();
        let ranks = ranks(&vocabulary);
        let ids = |text: &[u8]| merge(&ranks, text).map(|ids| ids.iter().map(|id| id.0).collect::<Vec<_>>());
        assert_eq!(ids(b"abc"), Some(vec![5]));
        assert_eq!(ids(b"abab"), Some(vec![4, 4]));
        assert_eq!(ids(b"bcb"), Some(vec![3, 1]));
        assert_eq!(ids(b"x"), None);
        let split = Encoder::load(Path::new(BUILT_IN)).unwrap();
        let Encoder::Ranked(_) = split else { panic!("ranks") };
        assert_eq!(split.encode(&vocabulary, "abc").map(|ids| ids.len()), Some(1));
    }
}
