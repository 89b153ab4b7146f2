//! The tokenizer of another engine, for prompts of models whose pre-tokenizer this crate does not support.

use std::fmt::Debug;
use std::sync::Arc;

use ogc_runtime::vocabulary::TokenId;
use tokenizers::Tokenizer;

use super::encode::encode;
use super::room::Room;
use crate::error::GenerateError;

/// A tokenizer of texts in place of this crate's. The tokens of a text must not depend on whether it begins a prompt or
/// continues one.
///
/// ```
/// use ogc_generate::TextTokenizer;
/// use ogc_runtime::vocabulary::TokenId;
/// /// Makes a token of each byte.
/// #[derive(Debug)]
/// struct Bytes;
/// impl TextTokenizer for Bytes {
///     fn tokens(&self, text: &str, _names: bool) -> Result<Vec<TokenId>, String> {
///         Ok(text.bytes().map(|byte| TokenId(byte.into())).collect())
///     }
/// }
/// assert_eq!(Bytes.tokens("ab", false), Ok(vec![TokenId(97), TokenId(98)]));
/// ```
pub trait TextTokenizer: Debug + Send + Sync {
    /// Makes the tokens of a text; with `names`, the names of special tokens in it become these tokens.
    ///
    /// # Errors
    /// The tokenizer rejects the text; the message gives the reason.
    fn tokens(&self, text: &str, names: bool) -> Result<Vec<TokenId>, String>;
}

/// One way of a tokenizer to read a text.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    /// By the tokenizer of this crate.
    Own(Box<Tokenizer>),
    /// By another engine. `names` says whether names of special tokens are read as these tokens; otherwise they are text.
    Foreign { tokenizer: Arc<dyn TextTokenizer>, names: bool },
}

impl Reading {
    /// Makes the tokens of a text, and reserves room for them.
    pub(super) fn encode(&self, text: &str, room: &Room<'_>) -> Result<Vec<TokenId>, GenerateError> {
        match self {
            Self::Own(tokenizer) => encode(tokenizer, text, room),
            Self::Foreign { tokenizer, names } => {
                room.take(0)?;
                let tokens = tokenizer.tokens(text, *names).map_err(GenerateError::Tokenizer)?;
                room.take(tokens.len())?;
                Ok(tokens)
            }
        }
    }

    /// Returns the tokenizer if it is this crate's own: then it is known how texts become tokens.
    pub(super) fn own(&self) -> Option<&Tokenizer> {
        match self {
            Self::Own(tokenizer) => Some(tokenizer),
            Self::Foreign { .. } => None,
        }
    }
}
