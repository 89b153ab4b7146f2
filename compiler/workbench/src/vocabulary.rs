//! Reads vocabularies: the built-in one, or one from the bytes of a tokenizer file. The bytes determine the kind of
//! file.

mod default;
mod encode;

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{Vocabulary, VocabularyError, is_sentencepiece};
use serde_json::Value;

pub use default::{DefaultVocabularyError, NAME as DEFAULT_NAME, default_vocabulary};
pub use encode::{Encoder, EncoderError};

/// The name of the built-in vocabulary in settings and flags.
pub const BUILT_IN: &str = "o200k";

/// The end-of-sequence token in [`bytes_and`]: the first id after the single bytes; the named tokens follow.
pub const END: u32 = 256;

/// Reads a vocabulary from the bytes of a `tokenizer.json`, a `tekken.json`, a `.tiktoken` file or a model of SentencePiece.
///
/// # Errors
///
/// The bytes are none of these, or make no vocabulary.
pub fn parse(bytes: &[u8]) -> Result<Vocabulary, VocabularyError> {
    if is_sentencepiece(bytes) {
        Vocabulary::from_sentencepiece(bytes)
    } else if is_tiktoken(bytes) {
        Vocabulary::from_tiktoken(bytes, &[])
    } else if is_tekken(bytes) {
        Vocabulary::from_tekken_json(bytes)
    } else {
        Vocabulary::from_tokenizer_json(bytes)
    }
}

/// Returns whether a file is a `.tiktoken` file of ranks, that is, neither JSON nor a SentencePiece model.
#[must_use]
pub fn is_tiktoken(bytes: &[u8]) -> bool {
    !is_sentencepiece(bytes) && !bytes.trim_ascii_start().starts_with(b"{")
}

/// Returns whether a file is in the Tekken format: it has a list under `vocab` and no `model`, which Hugging Face files
/// have.
fn is_tekken(json: &[u8]) -> bool {
    let parsed: Result<Value, _> = serde_json::from_slice(json);
    parsed.is_ok_and(|value| value.get("vocab").is_some_and(Value::is_array) && value.get("model").is_none())
}

/// Makes a vocabulary of single bytes and the tokens that a format names, for samples and tests. Its masks are cheap.
///
/// # Errors
///
/// The names make no vocabulary: one is too long, or there are too many.
pub fn bytes_and(names: &[String]) -> Result<Arc<MaskStore>, VocabularyError> {
    let tokens: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let end = if names.iter().any(|name| name == "</s>") { "<end of sequence>" } else { "</s>" };
    let named = names.iter().map(String::as_str).zip(END + 1..);
    let specials: Vec<(&str, u32)> = std::iter::once((end, END)).chain(named).collect();
    Ok(MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &specials)?)))
}

/// Returns whether a format accepts a text, in which named tokens appear as markers.
pub(crate) fn is_text(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    let Ok(store) = bytes_and(&automaton.tokens) else { return false };
    let mut matcher = Matcher::new(Arc::clone(automaton), store);
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}
