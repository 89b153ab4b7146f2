//! The reasons why a request has no answer.

use tower_lsp_server::jsonrpc::{Error, ErrorCode};

/// The reasons why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The request cannot be carried out; the sentences say why and what to do.
    Refused(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(message) => {
                Error { code: ErrorCode::ServerError(-32803), message: message.into(), data: None }
            }
        }
    }
}
