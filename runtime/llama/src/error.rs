//! The reasons why libllama cannot be used.

use std::path::PathBuf;

use ogc_generate::GenerateError;

/// The reason why libllama cannot be used, or does not load a model.
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
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A function is missing.
    #[error("{path:?} has no function `{name}`: it is no libllama, or one from before June 2025")]
    Function {
        /// The file.
        path: PathBuf,
        /// The function.
        name: &'static str,
    },
    /// A struct has a layout that is not known.
    #[error(
        "{path:?} is libllama {version}, whose `{name}` is laid out in a way that is not known: use one of {known}, such as that of \
         the npm package @node-llama-cpp/linux-x64@3.22.1"
    )]
    Layout {
        /// The file.
        path: PathBuf,
        /// What the library says of its version.
        version: String,
        /// The struct.
        name: &'static str,
        /// The versions that are known.
        known: &'static str,
    },
    /// The interfaces of C on this processor are not known.
    #[error("libllama can be loaded on x86-64 and on 64-bit ARM, and not on {given}")]
    Processor {
        /// The processor.
        given: &'static str,
    },
    /// The library has refused a model.
    #[error("libllama does not load {path:?}: {reason}")]
    Model {
        /// The file.
        path: PathBuf,
        /// What it has logged.
        reason: String,
    },
    /// The model is of a kind that writes no text token by token.
    #[error("{path:?} is {kind}: it does not write text token by token. Choose another model")]
    Kind {
        /// The file.
        path: PathBuf,
        /// The kind of model.
        kind: &'static str,
    },
    /// There is no room for the texts.
    #[error("libllama has no room for {texts} texts of {positions} tokens: {reason}. Ask for fewer texts or positions")]
    Room {
        /// The number of texts.
        texts: u32,
        /// The positions of each.
        positions: u32,
        /// What it has logged.
        reason: String,
    },
}

impl From<LlamaError> for GenerateError {
    fn from(error: LlamaError) -> Self {
        Self::Engine(error.to_string())
    }
}
