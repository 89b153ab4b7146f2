//! The error of reading a [`Gguf`](super::Gguf) file.

/// The head of a GGUF file could not be read.
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
        /// The least number of bytes that the file should have.
        given: u64,
        /// The number of bytes that the file has.
        limit: u64,
    },
    /// A count is larger than in any model.
    #[error("the GGUF file has {given} {what}; the limit is {limit}")]
    TooMany {
        /// The things that are counted.
        what: &'static str,
        /// The count.
        given: u64,
        /// The limit.
        limit: u64,
    },
    /// A text is not UTF-8.
    #[error("the text at byte {at} of the GGUF file is not UTF-8")]
    NotText {
        /// The byte offset of the text in the file.
        at: u64,
    },
    /// The type of a value is unknown, or an array holds arrays.
    #[error("`{key}` has values of kind {given}, which is not supported")]
    Kind {
        /// The key of the metadata.
        key: String,
        /// The number of the type.
        given: u32,
    },
    /// Two entries have one name.
    #[error("the GGUF file defines `{name}` twice")]
    Duplicate {
        /// The key of the metadata, or the name of the tensor.
        name: String,
    },
    /// A tensor is not aligned, or begins after the end of the file.
    #[error("the tensor `{name}` cannot be at byte {given} of the tensor data of the GGUF file")]
    Place {
        /// The name of the tensor.
        name: String,
        /// The tensor's offset from the beginning of the tensor data.
        given: u64,
    },
    /// The alignment of tensors is not a power of two, or too large.
    #[error("the alignment {given} of the GGUF file is no power of two")]
    Alignment {
        /// The alignment.
        given: u64,
    },
    /// The file could not be read.
    #[error("the GGUF file cannot be read: {0}")]
    Io(#[from] std::io::Error),
}
