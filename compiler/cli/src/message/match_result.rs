//! The result of matching a text against a format.

use serde::Serialize;

use super::Place;

/// The result of matching a text against a format. The fields after `complete` depend on whether the text is accepted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MatchResult {
    /// The line of the text in its file, if there are several texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// Whether a line break at the end of the text was ignored.
    pub(crate) ignored_line_break: bool,
    /// The number of accepted bytes.
    pub(crate) accepted: usize,
    /// Whether the whole text is accepted and may end there.
    pub(crate) complete: bool,
    /// The captures of an accepted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) captures: Option<Vec<Captured>>,
    /// The kind of mistake, for example `missing-key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The mistake, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// A suggested remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    /// The byte offset of the mistake; `keys` and `words` are possible there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<usize>,
    /// The path of the mistake in a JSON value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// The declared keys that are possible at `at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<Vec<String>>,
    /// Texts that are possible at `at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<Vec<String>>,
    /// The bytes that may follow the accepted part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<Vec<u8>>,
    /// The tokens that may follow the accepted part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<Vec<String>>,
    /// Whether the text may end after the accepted part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) may_end: Option<bool>,
    /// The rules that are open at the end of the accepted part, the innermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Vec<OpenRule>>,
    /// The token of the vocabulary that contains the refused byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<RefusedToken>,
}

/// A captured part of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Captured {
    /// The capture's name.
    pub(crate) name: String,
    /// The offset of the first byte.
    pub(crate) start: usize,
    /// The offset after the last byte; null if the capture is still open.
    pub(crate) end: Option<usize>,
    /// The captured text.
    pub(crate) text: String,
    /// Nested captures.
    pub(crate) captures: Vec<Captured>,
}

/// A rule that is open at the end of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OpenRule {
    /// The rule's name.
    pub(crate) rule: String,
    /// The place of its definition.
    pub(crate) span: Option<Place>,
}

/// The token that contains a refused byte.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RefusedToken {
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
}
