//! The reasons why a GGUF file could not be read. Part of [`Gguf`](super::Gguf).

/// The reason why the head of a GGUF file could not be read.
///
/// ```
/// use ogc_runtime::vocabulary::{Gguf, GgufError};
/// let error = Gguf::read(b"GGML and more".as_slice(), 13).unwrap_err();
/// assert!(matches!(error, GgufError::Magic { .. }));
/// assert_eq!(error.to_string(), "this is no GGUF file: it begins with \"GGML\"");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// The file does not begin with `GGUF`.
    #[error("this is no GGUF file: it begins with {given:?}")]
    Magic {
        /// The first four bytes, as text.
        given: String,
    },
    /// The version of the format is not known.
    #[error("version {given} of GGUF is not supported; 2 and 3 are")]
    Version {
        /// The version.
        given: u32,
    },
    /// The file ends too early.
    #[error("the GGUF file has {limit} bytes and needs {given} for {what}")]
    Truncated {
        /// The part that does not fit.
        what: &'static str,
        /// The bytes that the file would have, at least.
        given: u64,
        /// The bytes that it has.
        limit: u64,
    },
    /// A part is larger than any model's.
    #[error("the GGUF file has {given} {what}; the limit is {limit}")]
    TooMany {
        /// The parts that are counted.
        what: &'static str,
        /// Their number.
        given: u64,
        /// The limit.
        limit: u64,
    },
    /// A text is not UTF-8.
    #[error("the text at byte {at} of the GGUF file is not UTF-8")]
    NotText {
        /// The place of the text in the file.
        at: u64,
    },
    /// A value has a kind that is not known, or an array holds arrays.
    #[error("`{key}` has values of kind {given}, which is not supported")]
    Kind {
        /// The key of the metadata.
        key: String,
        /// The number of the kind.
        given: u32,
    },
    /// Two entries have one name.
    #[error("the GGUF file defines `{name}` twice")]
    Duplicate {
        /// The key of the metadata, or the name of the tensor.
        name: String,
    },
    /// The tensors are not aligned, or begin behind the end of the file.
    #[error("the tensor `{name}` cannot be at byte {given} of the GGUF file")]
    Place {
        /// The name of the tensor.
        name: String,
        /// Its place.
        given: u64,
    },
    /// The alignment of tensors is no power of two.
    #[error("the alignment {given} of the GGUF file is no power of two")]
    Alignment {
        /// The alignment.
        given: u64,
    },
    /// The file could not be read.
    #[error("the GGUF file cannot be read: {0}")]
    Io(#[from] std::io::Error),
}
