//! Tokenizers with random merges.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

/// The alphabet of texts.
pub(crate) const LETTERS: &[u8] = b"abc";

/// Length of continuations in letters: that of the longest token plus one.
pub(crate) const FURTHER: u32 = 6;

/// A tokenizer with merges (byte-pair encoding): of the pairs in a text, the one that was learnt first is merged, leftmost first.
pub(crate) struct Merges {
    /// The letters, then the texts of the merges in the order in which they were learnt.
    texts: Vec<Vec<u8>>,
    pairs: Vec<(TokenId, TokenId)>,
}

impl Merges {
    /// Makes random merges.
    pub(crate) fn random(random: &mut Random) -> Self {
        let mut merges = Self { texts: LETTERS.iter().map(|&letter| vec![letter]).collect(), pairs: Vec::new() };
        for _ in 0..3 + random.below(9) {
            let [one, other] = [(); 2].map(|()| random.below(merges.texts.len()));
            let text = [&merges.texts[one][..], &merges.texts[other]].concat();
            if text.len() < FURTHER as usize && !merges.texts.contains(&text) {
                merges.texts.push(text);
                merges.pairs.push((TokenId(one as u32), TokenId(other as u32)));
            }
        }
        merges
    }

    pub(crate) fn vocabulary(&self) -> Arc<Vocabulary> {
        let texts: Vec<Option<&str>> = self.texts.iter().map(|text| std::str::from_utf8(text).ok()).collect();
        Arc::new(Vocabulary::from_tokens(&texts, &[]).unwrap())
    }

    /// Returns the text of some tokens.
    pub(crate) fn texts_of(&self, tokens: &[TokenId]) -> Vec<u8> {
        tokens.iter().flat_map(|token| &self.texts[token.0 as usize]).copied().collect()
    }

    pub(crate) fn encode(&self, text: &[u8]) -> Vec<TokenId> {
        let letter = |byte: &u8| TokenId(LETTERS.iter().position(|letter| letter == byte).unwrap() as u32);
        let mut tokens: Vec<TokenId> = text.iter().map(letter).collect();
        for (at, &pair) in self.pairs.iter().enumerate() {
            let mut merged = Vec::new();
            let mut rest = &tokens[..];
            while let [first, others @ ..] = rest {
                let is_pair = others.first().is_some_and(|second| (*first, *second) == pair);
                merged.push(if is_pair { TokenId((LETTERS.len() + at) as u32) } else { *first });
                rest = if is_pair { &others[1..] } else { others };
            }
            tokens = merged;
        }
        tokens
    }
}
