//! Tokenises text that continues another text, by `llama_tokenize`.
//!
//! Tokenizers of the SentencePiece kind put a space in front of each text, and libllama cannot leave it out. So they are given the text behind a
//! [`LEAD`], and the tokens of the space and of the lead are dropped. If a token joins the lead with the text, the result is unknown.

use std::sync::Arc;

use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use super::llama_vocab;
use super::symbols::{Tokenize, tokenize};
use crate::status::Failure;

/// A control character that occurs in no text. Vocabularies that need it write it as a byte, so that no token joins it with others.
const LEAD: &str = "\u{1}";

/// The tokenizer of a model.
#[derive(Debug)]
pub(super) struct Tokenizer {
    vocab: *const llama_vocab,
    tokenize: Tokenize,
    vocabulary: Arc<Vocabulary>,
    /// [`LEAD`] if it must be put in front of each text, else empty.
    lead: &'static str,
}

// SAFETY: a vocabulary does not change after it was loaded, and `llama_tokenize` may be called from several threads.
unsafe impl Send for Tokenizer {}
// SAFETY: as above.
unsafe impl Sync for Tokenizer {}

impl Tokenizer {
    /// Makes the tokenizer of a model, and finds out whether texts need [`LEAD`] in front of them.
    ///
    /// # Safety
    ///
    /// The pointer is a vocabulary of the libllama that is loaded, and lives as long as the tokenizer.
    pub(super) unsafe fn new(vocab: *const llama_vocab, vocabulary: Arc<Vocabulary>) -> Result<Self, Failure> {
        let mut tokenizer = Self { vocab, tokenize: tokenize()?, vocabulary, lead: "" };
        if tokenizer.tokens(b"a").is_empty() {
            tokenizer.lead = LEAD;
        }
        Ok(tokenizer)
    }

    /// Tokenises text that continues another text; returns no tokens if they are not known.
    pub(super) fn tokens(&self, text: &[u8]) -> Vec<TokenId> {
        let Ok(text) = std::str::from_utf8(text) else { return Vec::new() };
        let tokens = self.asked(&[self.lead, text].concat()).unwrap_or_default();
        let end = match self.lead {
            "" => self.ending(&tokens, text).filter(|end| end.len() == tokens.len()),
            _ => self.ending(&tokens, text),
        };
        end.unwrap_or_default().to_vec()
    }

    /// Asks libllama for the tokens of a text.
    fn asked(&self, text: &str) -> Option<Vec<TokenId>> {
        let len = i32::try_from(text.len()).ok()?;
        let ask = |tokens: &mut [i32]| {
            let room = i32::try_from(tokens.len()).unwrap_or(i32::MAX);
            // SAFETY: the vocabulary lives, and the buffers are as long as libllama is told.
            unsafe { (self.tokenize)(self.vocab, text.as_ptr().cast(), len, tokens.as_mut_ptr(), room, false, false) }
        };
        // Most tokens have at least one byte of the text; if a tokenizer adds more tokens than fit, it returns their number.
        let mut tokens = vec![0; text.len() + 8];
        let mut count = ask(&mut tokens);
        if count < 0 {
            tokens = vec![0; usize::try_from(count.unsigned_abs()).ok()?];
            count = ask(&mut tokens);
        }
        let tokens = tokens.get(..usize::try_from(count).ok()?)?;
        tokens.iter().map(|&token| u32::try_from(token).ok().map(TokenId)).collect()
    }

    /// Returns the last tokens whose bytes are exactly `text`; `None` if no token begins where the text does.
    fn ending<'t>(&self, tokens: &'t [TokenId], text: &str) -> Option<&'t [TokenId]> {
        let mut rest = text.as_bytes();
        let mut from = tokens.len();
        while !rest.is_empty() {
            from = from.checked_sub(1)?;
            rest = rest.strip_suffix(self.vocabulary.text(tokens[from])?)?;
        }
        Some(&tokens[from..])
    }
}
