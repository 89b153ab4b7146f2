//! The reasons why a model cannot be loaded, or a text not be generated.

use ogc_runtime::matcher::MatchError;
use ogc_runtime::vocabulary::{GgufError, VocabularyError};

/// The reason why a model cannot be loaded, or a text not be generated.
///
/// ```
/// use ogc_generate::{GenerateError, LoadedModel};
/// let error = LoadedModel::from_gguf(std::io::Cursor::new(b"no model")).unwrap_err();
/// assert!(matches!(error, GenerateError::Gguf(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The file of the model cannot be read.
    #[error("{0}")]
    Gguf(#[from] GgufError),
    /// The vocabulary of the model cannot be used.
    #[error("the model's vocabulary: {0}")]
    Vocabulary(#[from] VocabularyError),
    /// The format does not allow what was to be written.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// The model lacks a part.
    #[error("the model has no {what}")]
    Missing {
        /// The part: a key of the metadata, or a tensor.
        what: String,
    },
    /// A part of the model has another shape than the others ask for.
    #[error("{what} of the model is {given}; {expected}")]
    Shape {
        /// The part.
        what: String,
        /// Its value or shape.
        given: String,
        /// The values that it may have, in words.
        expected: String,
    },
    /// A part of the model is of a kind that is not supported.
    #[error("{what} `{given}` is not supported: {reason}")]
    Unsupported {
        /// The part.
        what: &'static str,
        /// Its kind.
        given: String,
        /// The kinds that are supported, or why this one is not.
        reason: &'static str,
    },
    /// The tokenizer of prompts cannot be made, or refuses a text.
    #[error("the tokenizer: {0}")]
    Tokenizer(String),
    /// The chat template cannot be used.
    #[error("the chat template: {0}")]
    Template(String),
    /// The prompt and the output are longer than the model's context.
    #[error("{given} tokens do not fit into the model's context of {limit}")]
    Context {
        /// The number of tokens.
        given: usize,
        /// The length of the context.
        limit: usize,
    },
    /// The prompt has no tokens, so that the model has nothing to go on.
    #[error("the prompt has no tokens")]
    EmptyPrompt,
    /// The format allows no token here.
    #[error("after {tokens} tokens the format allows no token of this vocabulary")]
    DeadEnd {
        /// The number of tokens written before.
        tokens: usize,
    },
    /// A tensor cannot be computed.
    #[error("the tensors: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The file of the model cannot be read.
    #[error("the model cannot be read: {0}")]
    Io(#[from] std::io::Error),
}
