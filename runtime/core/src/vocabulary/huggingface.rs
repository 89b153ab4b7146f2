//! Reads Hugging Face `tokenizer.json` files. A constructor of [`Vocabulary`].
//!
//! # Steps
//!
//! 1. [`mod@file`] reads the parts that matter: the model's entries, the added tokens, the decoder, and the
//!    pre-tokenizer and normalizer. Merges are skipped.
//! 2. [`spelling`] turns `decoder` (or `pre_tokenizer` and `normalizer`) into the steps from a token's text to its bytes.
//! 3. This module combines both: added tokens take precedence over the model's entries of the same id.
//!
//! # Which added tokens are text
//!
//! An added token with `"special": true` is never text, and neither is the model's unknown token. An added token that
//! is not special is text: its bytes are its content after the decoder, which is what readers of the output see. An
//! entry of the model that has the same text as a special token of another id is special as well.

pub(super) mod byte_level;
mod entries;
mod file;
mod spelling;

use rustc_hash::{FxHashMap, FxHashSet};

use self::file::{Added, File};
use self::spelling::Spelling;
use super::builder::check_source;
use super::{Vocabulary, VocabularyBuilder, VocabularyError};

pub(super) fn read(json: &[u8]) -> Result<Vocabulary, VocabularyError> {
    check_source(json)?;
    let file: File<'_> =
        serde_json::from_slice(json).map_err(|source| VocabularyError::Json { format: "tokenizer.json", source })?;
    file.model.check_supported()?;
    let spelling = Spelling::of(&file)?;
    let mut builder = VocabularyBuilder::new();
    builder.strips_leading_space(spelling.strips_leading_space);
    builder.reserve(file.model.vocab.len() + file.added_tokens.len(), file.model.vocab.bytes());
    model_entries(&file, &spelling, &mut builder)?;
    added_tokens(&file.added_tokens, &spelling, &mut builder)?;
    builder.build()
}

/// Defines the model's entries, except those that are also added tokens.
fn model_entries(file: &File<'_>, spelling: &Spelling, builder: &mut VocabularyBuilder) -> Result<(), VocabularyError> {
    let added: FxHashMap<u64, &str> =
        file.added_tokens.iter().map(|token| (token.id, token.content.as_ref())).collect();
    let hidden: FxHashSet<&str> =
        file.added_tokens.iter().filter(|token| token.special).map(|token| token.content.as_ref()).collect();
    let mut bytes = Vec::new();
    for (id, text) in file.model.vocab.iter() {
        if let Some(content) = added.get(&id) {
            same_text(id, text, content)?;
        } else if hidden.contains(text) {
            builder.unnamed_special(id)?;
        } else if file.model.is_unknown(id, text) {
            builder.special(id, text)?;
        } else {
            spelling.write(text, &mut bytes);
            builder.text(id, &bytes)?;
        }
    }
    Ok(())
}

fn same_text(id: u64, model: &str, added: &str) -> Result<(), VocabularyError> {
    if model != added {
        let id = u32::try_from(id).unwrap_or(u32::MAX);
        return Err(VocabularyError::IdConflict { id, model: model.to_owned(), added: added.to_owned() });
    }
    Ok(())
}

fn added_tokens(
    added: &[Added<'_>],
    spelling: &Spelling,
    builder: &mut VocabularyBuilder,
) -> Result<(), VocabularyError> {
    let mut bytes = Vec::new();
    for token in added {
        if token.special {
            builder.special(token.id, &token.content)?;
        } else {
            spelling.write(&token.content, &mut bytes);
            builder.named_text(token.id, &token.content, &bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
