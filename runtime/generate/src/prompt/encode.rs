//! From a text to tokens, part by part: the tokenizer's steps, with an end as soon as there is no more room.
//!
//! A file's `truncation` and `padding` are not applied to prompts: a prompt that does not fit is rejected, never cut.

use std::cell::RefCell;

use ogc_runtime::vocabulary::TokenId;
use tokenizers::{Model, OffsetReferential, OffsetType, PreTokenizer, Tokenizer};

use super::room::Room;
use crate::error::GenerateError;

/// Makes the tokens of a text, and reserves room for them.
pub(super) fn encode(tokenizer: &Tokenizer, text: &str, room: &Room<'_>) -> Result<Vec<TokenId>, GenerateError> {
    let mut parts = tokenizer.get_added_vocabulary().extract_and_normalize(tokenizer.get_normalizer(), text);
    let named = parts.get_splits(OffsetReferential::Normalized, OffsetType::None);
    room.take(named.iter().filter_map(|(_, _, tokens)| tokens.as_ref()).map(Vec::len).sum())?;
    if let Some(cut) = tokenizer.get_pre_tokenizer() {
        cut.pre_tokenize(&mut parts).map_err(|error| refused(&*error))?;
    }
    // The tokenizer's errors are of any type, so the error that there is no room is kept separately.
    let full = RefCell::new(None);
    let tokens = parts.tokenize(|part| {
        let tokens = tokenizer.get_model().tokenize(part.get())?;
        if let Err(error) = room.take(tokens.len()) {
            *full.borrow_mut() = Some(error);
            return Err("there is no room".into());
        }
        Ok(tokens)
    });
    if let Some(error) = full.into_inner() {
        return Err(error);
    }
    tokens.map_err(|error| refused(&*error))?;
    let encoding = parts.into_encoding(None, 0, OffsetType::None).map_err(|error| refused(&*error))?;
    Ok(encoding.get_ids().iter().map(|&id| TokenId(id)).collect())
}

/// Returns the error of a tokenizer that cannot be made, or that rejects a text.
pub(super) fn refused(error: &(dyn std::error::Error + Send + Sync)) -> GenerateError {
    GenerateError::Tokenizer(error.to_string())
}

#[cfg(test)]
mod tests;
