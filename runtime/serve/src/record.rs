//! The record of a request, for the log.

use serde::Serialize;

/// What is said of a request when it is answered.
///
/// ```
/// use ogc_serve::Record;
/// let record = Record { path: "/health", status: 200, milliseconds: 1, prompt_tokens: 0, tokens: 0, finish: None };
/// assert_eq!(record.status, 200);
/// ```
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Record {
    /// The path.
    pub path: &'static str,
    /// The status, of HTTP.
    pub status: u16,
    /// How long it took.
    pub milliseconds: u64,
    /// The tokens of its prompts.
    pub prompt_tokens: usize,
    /// The tokens that were written.
    pub tokens: usize,
    /// How it ended: `stop`, `length`, `tool_calls` or `content_filter`; `gone` for a client that went away; else the code of the error,
    /// such as `timeout`.
    pub finish: Option<&'static str>,
}
