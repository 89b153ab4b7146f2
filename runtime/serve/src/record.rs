//! The record of a request, for the access log.

use serde::Serialize;

/// Access-log record of an answered request.
///
/// ```
/// use ogc_serve::Record;
/// let record = Record { path: "/health", status: 200, milliseconds: 1, prompt_tokens: 0, tokens: 0, finish: None };
/// assert_eq!(record.status, 200);
/// ```
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Record {
    /// Path of the request.
    pub path: &'static str,
    /// HTTP status of the answer.
    pub status: u16,
    /// Duration of the request, in milliseconds.
    pub milliseconds: u64,
    /// Number of tokens of its prompts.
    pub prompt_tokens: usize,
    /// Number of tokens that were written.
    pub tokens: usize,
    /// The end of the request: `stop`, `length`, `tool_calls` or `content_filter`; `gone` if the client disconnected;
    /// otherwise the code of the error, such as `timeout`.
    pub finish: Option<&'static str>,
}
