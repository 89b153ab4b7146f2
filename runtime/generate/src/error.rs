//! The reasons why a model cannot be loaded, or a text cannot be generated.

use ogc_runtime::matcher::MatchError;
use ogc_runtime::vocabulary::{GgufError, VocabularyError};
use ogc_runtime::watch::Stopped;

/// The reason why a model cannot be loaded, or a text cannot be generated.
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
    /// The format does not allow the token or text that was to be written.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// The watch of the thread has stopped the work on masks; a later call continues it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The model lacks a part.
    #[error("the model has no {what}")]
    Missing {
        /// The part: a key of the metadata, or a tensor.
        what: String,
    },
    /// A part of the model does not have the shape that the other parts require.
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
    /// A file of a model's folder is missing or broken.
    #[error("the model's `{file}`: {reason}")]
    Folder {
        /// The file.
        file: String,
        /// The fault of the file.
        reason: String,
    },
    /// The tokenizer of prompts cannot be made, or rejects a text.
    #[error("the tokenizer: {0}")]
    Tokenizer(String),
    /// The chat template cannot be used.
    #[error("the chat template: {0}")]
    Template(String),
    /// The chat template exceeds a limit.
    #[error(
        "the chat template takes {given} {what}; the limit is {limit}. Choose another model, or shorten its template"
    )]
    TemplateLimit {
        /// Resource that exceeds its limit.
        what: &'static str,
        /// The amount, or the amount at which the template was stopped.
        given: u64,
        /// The limit.
        limit: u64,
    },
    /// The prompt and the output are longer than the model's context.
    #[error("{given} tokens do not fit into the model's context of {limit}")]
    Context {
        /// The number of tokens.
        given: usize,
        /// The length of the context.
        limit: usize,
    },
    /// The prompt has more bytes than a context of the model's longest tokens.
    #[error("{given} bytes do not fit into the model's context, which holds {limit} at most: shorten the prompt")]
    LongPrompt {
        /// The bytes of the prompt.
        given: usize,
        /// Cap on the bytes that the context holds.
        limit: usize,
    },
    /// The prompt has more tokens than the model's context.
    #[error("the prompt has {given} tokens or more; the model's context holds {limit}: shorten the prompt")]
    PromptTokens {
        /// The tokens of the prompt, as far as they were counted.
        given: usize,
        /// The length of the context.
        limit: usize,
    },
    /// The prompt has no tokens: the model has nothing to continue.
    #[error("the prompt has no tokens")]
    EmptyPrompt,
    /// The format allows no token here.
    #[error("after {tokens} tokens the format allows no token of this vocabulary")]
    DeadEnd {
        /// The number of tokens written before.
        tokens: usize,
    },
    /// A device chose a token that the format does not allow: its kernels and the matcher of the host disagree.
    #[error(
        "after {tokens} tokens the device chose token {token}, which the host refuses ({reason}): run the model on the processor, and report this"
    )]
    DeviceToken {
        /// The token.
        token: u32,
        /// The number of tokens written before.
        tokens: usize,
        /// The reason why the host rejects it.
        reason: MatchError,
    },
    /// A draft model is requested that cannot be used, or that was not loaded.
    #[error("{0}")]
    Draft(String),
    /// Another engine cannot run the model, or has failed in a pass.
    #[error("the engine of the model: {0}")]
    Engine(String),
    /// The model cannot be put on a device, or the device cannot read.
    #[cfg(feature = "cuda")]
    #[error("on the device: {0}")]
    Device(#[from] ogc_cuda::ModelError),
    /// There is no room for the slots of texts on the device, or it failed.
    #[cfg(feature = "cuda")]
    #[error("on the device: {0}")]
    Slots(#[from] ogc_cuda::SlotsError),
    /// The file of the model cannot be read.
    #[error("the model cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

impl GenerateError {
    /// Makes the error for a text that asks for a draft model where none was loaded.
    pub(crate) fn no_draft_model() -> Self {
        let message = "the text asks for drafts, and the model has no draft model: load one, or ask for no drafts";
        Self::Draft(message.to_owned())
    }
}
