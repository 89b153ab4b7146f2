//! The error of [`Vocabulary`](super::Vocabulary)'s constructors.

/// A vocabulary could not be made. Every variant has the names and numbers that matter.
///
/// ```
/// use ogc_runtime::vocabulary::{Vocabulary, VocabularyError};
/// let error = Vocabulary::from_tokens(&[Some("a")], &[("<s>", 4_000_000_000)]).unwrap_err();
/// assert!(matches!(error, VocabularyError::TooManyIds { given: 4_000_000_001, .. }));
/// assert_eq!(error.to_string(), "the highest token id makes 4000000001 ids; the limit is 4194304");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// The file is not JSON, or does not have the structure of its format.
    #[error("{format} cannot be read: {source}")]
    Json {
        /// The name of the format.
        format: &'static str,
        /// The message of the JSON reader, with line and column.
        source: serde_json::Error,
    },
    /// The file is longer than [`MAX_SOURCE_BYTES`](super::MAX_SOURCE_BYTES).
    #[error("the tokenizer file has {given} bytes; the limit is {limit}")]
    SourceTooLong {
        /// The length of the file, in bytes.
        given: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// An id is [`MAX_IDS`](super::MAX_IDS) or more.
    #[error("the highest token id makes {given} ids; the limit is {limit}")]
    TooManyIds {
        /// The number of ids that the vocabulary would have.
        given: u64,
        /// The limit.
        limit: u32,
    },
    /// A file declares more special tokens than any model has.
    #[error("{given} special tokens are declared; the limit is {limit}")]
    TooManySpecials {
        /// The number declared.
        given: u64,
        /// The limit.
        limit: u64,
    },
    /// A token is longer than [`MAX_TOKEN_BYTES`](super::MAX_TOKEN_BYTES).
    #[error("token {id} has {given} bytes; the limit is {limit}")]
    TokenTooLong {
        /// The token.
        id: u32,
        /// The length of the token, in bytes.
        given: u64,
        /// The limit in bytes.
        limit: u32,
    },
    /// All tokens together are longer than [`MAX_TEXT_BYTES`](super::MAX_TEXT_BYTES).
    #[error("the tokens have {given} bytes together; the limit is {limit}")]
    TooMuchText {
        /// The bytes of the tokens that were read so far.
        given: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Two entries define one id.
    #[error("token {id} is defined twice")]
    DuplicateId {
        /// The token.
        id: u32,
    },
    /// Two ids have one name.
    #[error("tokens {first} and {second} are both named {name:?}")]
    DuplicateName {
        /// The name.
        name: String,
        /// The first id.
        first: u32,
        /// The second id.
        second: u32,
    },
    /// The model and the list of added tokens give different texts for an id.
    #[error("token {id} is {model:?} in the model and {added:?} among the added tokens")]
    IdConflict {
        /// The token.
        id: u32,
        /// The token's text in the model.
        model: String,
        /// The token's text among the added tokens.
        added: String,
    },
    /// An id that the vocabulary does not define.
    #[error("token {id} is not defined in this vocabulary of {len} ids")]
    NoSuchId {
        /// The id.
        id: u32,
        /// The number of ids.
        len: usize,
    },
    /// A row of logits narrower than the vocabulary, or too wide.
    #[error("a row of {given} logits does not fit: at least {least}, at most {limit}")]
    PaddedLen {
        /// The requested width.
        given: usize,
        /// The number of ids.
        least: usize,
        /// The limit.
        limit: usize,
    },
    /// The kind of tokenizer is unknown, or its tokens have no fixed bytes.
    #[error("{what} {given} is not supported: {reason}")]
    Unsupported {
        /// The part of the file.
        what: &'static str,
        /// The value in the file.
        given: String,
        /// The reason why it cannot be used.
        reason: &'static str,
    },
    /// A line of a file of ranks is not of the form `base64 rank`.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, counted from one.
        line: usize,
        /// The fault of the line.
        reason: &'static str,
    },
    /// An entry of a file of ranks has a fault.
    #[error("entry {entry}: {reason}")]
    Entry {
        /// The entry, counted from zero.
        entry: usize,
        /// The fault of the entry.
        reason: &'static str,
    },
    /// A value of the metadata of a GGUF file is missing or has another kind.
    #[error("`{key}` {fault}")]
    GgufKey {
        /// The key.
        key: &'static str,
        /// The fault of the value.
        fault: &'static str,
    },
    /// The file is not a SentencePiece model, or has a fault.
    #[error("the SentencePiece model {fault}")]
    SentencePiece {
        /// The fault.
        fault: &'static str,
    },
    /// A token that should stand for one byte does not name a byte.
    #[error("token {id} should stand for one byte, and {token:?} is none")]
    NoByte {
        /// The token.
        id: u64,
        /// The token's text in the file.
        token: String,
    },
    /// No token is defined.
    #[error("the vocabulary has no tokens")]
    Empty,
}
