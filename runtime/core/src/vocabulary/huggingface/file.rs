//! The parts of a `tokenizer.json` that its tokens depend on. First step of reading the file.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::super::VocabularyError;
use super::entries::Entries;

/// A `tokenizer.json`; all other members are skipped.
#[derive(Deserialize)]
pub(super) struct File<'a> {
    #[serde(borrow, default)]
    pub(super) added_tokens: Vec<Added<'a>>,
    #[serde(default)]
    pub(super) normalizer: Option<Value>,
    #[serde(default)]
    pub(super) pre_tokenizer: Option<Value>,
    #[serde(default)]
    pub(super) decoder: Option<Value>,
    #[serde(borrow)]
    pub(super) model: Model<'a>,
}

/// An added token; `content` is its name.
#[derive(Deserialize)]
pub(super) struct Added<'a> {
    pub(super) id: u64,
    #[serde(borrow)]
    pub(super) content: Cow<'a, str>,
    #[serde(default)]
    pub(super) special: bool,
}

/// The model; its type may be missing in old files of BPE models.
#[derive(Deserialize)]
pub(super) struct Model<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    unk_token: Option<Cow<'a, str>>,
    #[serde(default)]
    unk_id: Option<u64>,
    #[serde(default)]
    byte_fallback: Option<bool>,
    #[serde(borrow, default)]
    continuing_subword_prefix: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    end_of_word_suffix: Option<Cow<'a, str>>,
    pub(super) vocab: Entries,
}

impl Model<'_> {
    /// Returns whether the model declares byte fallback, in which an entry such as `<0x0A>` stands for a byte.
    pub(super) fn has_byte_fallback(&self) -> bool {
        self.byte_fallback.unwrap_or(false)
    }

    /// Returns whether an entry is the unknown token, which stands for text that the vocabulary cannot spell and is
    /// never text itself.
    pub(super) fn is_unknown(&self, id: u64, text: &str) -> bool {
        self.unk_id == Some(id) || self.unk_token.as_deref() == Some(text)
    }

    /// Refuses models whose tokens mean different bytes in different places.
    pub(super) fn check_supported(&self) -> Result<(), VocabularyError> {
        match self.kind.as_deref() {
            None | Some("BPE" | "Unigram") => self.check_affixes(),
            Some("WordPiece") => Err(unsupported("model", "WordPiece", "its tokens do not say where spaces are")),
            Some("WordLevel") => Err(unsupported("model", "WordLevel", "its tokens do not say where spaces are")),
            Some(other) => Err(unsupported("model", other, "it is not known; BPE and Unigram are")),
        }
    }

    fn check_affixes(&self) -> Result<(), VocabularyError> {
        let prefix = self.continuing_subword_prefix.as_deref().unwrap_or_default();
        let suffix = self.end_of_word_suffix.as_deref().unwrap_or_default();
        let reason = "a token's bytes would depend on the tokens beside it";
        if !prefix.is_empty() {
            return Err(unsupported("continuing_subword_prefix", prefix, reason));
        }
        if !suffix.is_empty() {
            return Err(unsupported("end_of_word_suffix", suffix, reason));
        }
        Ok(())
    }
}

pub(super) fn unsupported(what: &'static str, given: &str, reason: &'static str) -> VocabularyError {
    VocabularyError::Unsupported { what, given: given.to_owned(), reason }
}
