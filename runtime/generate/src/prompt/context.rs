//! The model's context, and the rejection of prompts that do not fit into it.

use std::sync::{Arc, OnceLock};

use ogc_runtime::vocabulary::Vocabulary;

use super::fewest::FewestTokens;
use super::foreign::Reading;
use super::room::Room;
use crate::error::GenerateError;

/// Cap on the bytes of a text that a normalizer turns into one byte.
const NORMALIZED: usize = 4;

/// Cap on the bytes of a text that is not checked, because making its tokens takes hardly any time.
const SHORT: usize = 1 << 16;

/// The context of a model, for prompts.
#[derive(Debug)]
pub(super) struct PromptContext {
    /// The length of the context, in tokens.
    pub(super) tokens: usize,
    /// Cap on the bytes that it holds, for any tokens.
    bytes: usize,
    vocabulary: Arc<Vocabulary>,
    /// Made for the first long prompt.
    fewest: OnceLock<Option<FewestTokens>>,
}

impl PromptContext {
    pub(super) fn new(tokens: usize, vocabulary: &Arc<Vocabulary>, reading: &Reading) -> Self {
        let texts = vocabulary.texts().map(|(_, text)| text.len());
        let longest = texts.chain(vocabulary.named_tokens().map(|(_, name)| name.len())).max().unwrap_or(0);
        // A normalizer may shorten a text before it is cut into tokens, as the composition of characters does.
        let may_shorten = reading.own().is_none_or(|tokenizer| tokenizer.get_normalizer().is_some());
        let shortened = if may_shorten { NORMALIZED } else { 1 };
        let bytes = tokens.saturating_mul(longest).saturating_mul(shortened);
        Self { tokens, bytes, vocabulary: Arc::clone(vocabulary), fewest: OnceLock::new() }
    }

    /// Rejects a text that cannot fit, before its tokens are made.
    pub(super) fn check(&self, reading: &Reading, text: &str, room: &Room<'_>) -> Result<(), GenerateError> {
        let (given, limit) = (text.len(), self.bytes);
        if given > limit {
            return Err(GenerateError::LongPrompt { given, limit });
        }
        if given <= SHORT || room.holds_bytes(given) {
            return Ok(());
        }
        let count = || reading.own().and_then(|tokenizer| FewestTokens::of(tokenizer, &self.vocabulary));
        let fewest = self.fewest.get_or_init(count);
        fewest.as_ref().map_or(Ok(()), |fewest| fewest.check(text, room))
    }
}
