//! Errors of using libllama.

use std::path::PathBuf;

use ogc_generate::GenerateError;

/// libllama cannot be used, or cannot load a model.
///
/// ```
/// use ogc_llama::{Library, LlamaError};
/// let error = Library::open("no/such/libllama.so".as_ref(), None).unwrap_err();
/// assert!(matches!(error, LlamaError::Open { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlamaError {
    /// The file cannot be loaded as a library.
    #[error("{path:?} cannot be loaded: {reason}")]
    Open {
        /// Path of the library.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// The library lacks a function.
    #[error("{path:?} has no function `{name}`: it is no libllama, or one from before June 2025")]
    Function {
        /// Path of the library.
        path: PathBuf,
        /// Name of the function.
        name: &'static str,
    },
    /// A struct of the library has an unknown layout.
    #[error(
        "{path:?} is libllama {version}, whose `{name}` is laid out in a way that is not known: use one of {known}, such as that of \
         the npm package @node-llama-cpp/linux-x64@3.22.1"
    )]
    Layout {
        /// Path of the library.
        path: PathBuf,
        /// Version that the library reports.
        version: String,
        /// Name of the struct.
        name: &'static str,
        /// Versions whose layouts are known.
        known: &'static str,
    },
    /// The C calling conventions of this processor are not supported.
    #[error("libllama can be loaded on x86-64 and on 64-bit ARM, and not on {given}")]
    Processor {
        /// Architecture of the processor.
        given: &'static str,
    },
    /// The library refused a model.
    #[error("libllama does not load {path:?}: {reason}")]
    Model {
        /// Path of the model.
        path: PathBuf,
        /// Errors that the library logged.
        reason: String,
    },
    /// The model is of a kind that does not write text token by token.
    #[error("{path:?} is {kind}: it does not write text token by token. Choose another model")]
    Kind {
        /// Path of the model.
        path: PathBuf,
        /// Kind of the model.
        kind: &'static str,
    },
    /// There is not enough memory for the texts.
    #[error("libllama has no room for {texts} texts of {positions} tokens: {reason}. Ask for fewer texts or positions")]
    Room {
        /// Number of texts.
        texts: u32,
        /// Positions of each text.
        positions: u32,
        /// Errors that the library logged.
        reason: String,
    },
}

impl From<LlamaError> for GenerateError {
    fn from(error: LlamaError) -> Self {
        Self::Engine(error.to_string())
    }
}
