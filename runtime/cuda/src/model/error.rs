//! Errors of uploading a model to a device, and of reading tokens.

use crate::error::CudaError;

/// A model cannot be uploaded to a device, or cannot read tokens.
///
/// ```
/// use ogc_cuda::ModelError;
/// let error = ModelError::Positions { given: 5000, limit: 4096 };
/// assert_eq!(error.to_string(), "a text of 5000 positions; there is room for 4096: raise `ModelLimits::positions`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A number of the model does not fit the others, or exceeds what the kernels support.
    #[error("{what} is {given}: {expected}")]
    Shape {
        /// Name of the number.
        what: &'static str,
        /// Value of the number.
        given: u64,
        /// Requirement that the number must meet.
        expected: String,
    },
    /// The model does not have the token.
    #[error("token {given}; there are {limit}, from 0 on")]
    Token {
        /// Number of the token.
        given: u32,
        /// Number of tokens of the model.
        limit: u32,
    },
    /// A text has too many positions.
    #[error("a text of {given} positions; there is room for {limit}: raise `ModelLimits::positions`")]
    Positions {
        /// Positions that the text would have.
        given: u64,
        /// Maximum number of positions of a text.
        limit: u64,
    },
    /// There are too few free pages.
    #[error(
        "{given} pages of 16 positions are asked for; {limit} are free: close other texts, or raise `ModelLimits::pages`"
    )]
    Pages {
        /// Number of requested pages.
        given: u64,
        /// Number of free pages.
        limit: u64,
    },
    /// A text is closed or belongs to another model, or a call names it twice.
    #[error("text {given} is not open, or is named twice")]
    Closed {
        /// Number of the text.
        given: u32,
    },
    /// The device failed. Everything that the texts have read is lost.
    #[error(transparent)]
    Device(#[from] CudaError),
}

impl ModelError {
    /// Returns the error for a number that does not fit.
    pub(crate) fn shape(what: &'static str, given: usize, expected: String) -> Self {
        Self::Shape { what, given: given as u64, expected }
    }
}
