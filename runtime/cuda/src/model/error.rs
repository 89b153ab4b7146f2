//! Why a model cannot be on a device, or cannot read.

use crate::error::CudaError;

/// The reason why a model cannot be on a device, or cannot read.
///
/// ```
/// use ogc_cuda::ModelError;
/// let error = ModelError::Positions { given: 5000, limit: 4096 };
/// assert_eq!(error.to_string(), "a text of 5000 positions; there is room for 4096: raise `ModelLimits::positions`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A number of the model does not fit the others, or is more than the kernels can compute.
    #[error("{what} is {given}: {expected}")]
    Shape {
        /// What it counts.
        what: &'static str,
        /// The number.
        given: u64,
        /// What it must be.
        expected: String,
    },
    /// A token that the model does not have.
    #[error("token {given}; there are {limit}, from 0 on")]
    Token {
        /// Its number.
        given: u32,
        /// How many there are.
        limit: u32,
    },
    /// A text that is too long.
    #[error("a text of {given} positions; there is room for {limit}: raise `ModelLimits::positions`")]
    Positions {
        /// Its positions.
        given: u64,
        /// How many it may have.
        limit: u64,
    },
    /// All pages are in use.
    #[error(
        "{given} pages of 16 positions are asked for; {limit} are free: close other texts, or raise `ModelLimits::pages`"
    )]
    Pages {
        /// How many are asked for.
        given: u64,
        /// How many are free.
        limit: u64,
    },
    /// A text that was closed or is of another model, or that a call names twice.
    #[error("text {given} is not open, or is named twice")]
    Closed {
        /// Its number.
        given: u32,
    },
    /// The device failed. What the texts have read is lost.
    #[error(transparent)]
    Device(#[from] CudaError),
}

impl ModelError {
    /// Says that a number does not fit.
    pub(crate) fn shape(what: &'static str, given: usize, expected: String) -> Self {
        Self::Shape { what, given: given as u64, expected }
    }
}
