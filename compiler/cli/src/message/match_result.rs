//! How far a format accepts a text.

use serde::Serialize;

use super::Place;

/// How far a format accepts a text. What follows `complete` depends on whether the text is accepted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MatchResult {
    /// The line that the text stands in, if there are several texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// Whether a line break at the end of the text was ignored.
    pub(crate) ignored_line_break: bool,
    /// How many bytes are accepted.
    pub(crate) accepted: usize,
    /// Whether the whole text is accepted and may end there.
    pub(crate) complete: bool,
    /// What was captured of an accepted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) captures: Option<Vec<Captured>>,
    /// The kind of mistake, for example `missing-key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The mistake, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    /// The byte at which the mistaken part begins; `keys` and `words` could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<usize>,
    /// Where in a JSON value it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// The declared keys that could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<Vec<String>>,
    /// Texts that could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<Vec<String>>,
    /// The bytes that could follow the accepted part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<Vec<u8>>,
    /// The tokens that could follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<Vec<String>>,
    /// Whether the text could end there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) may_end: Option<bool>,
    /// The rules in which the accepted part ends, the innermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Vec<OpenRule>>,
    /// The token of the vocabulary that holds the refused byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<RefusedToken>,
}

/// A captured part of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Captured {
    /// The capture's name.
    pub(crate) name: String,
    /// The first byte.
    pub(crate) start: usize,
    /// The byte after the last; null if the capture is still open.
    pub(crate) end: Option<usize>,
    /// The part.
    pub(crate) text: String,
    /// Captures inside of it.
    pub(crate) captures: Vec<Captured>,
}

/// A rule in which a text ends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OpenRule {
    /// The rule's name.
    pub(crate) rule: String,
    /// Where it is defined.
    pub(crate) span: Option<Place>,
}

/// The token that holds a refused byte.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RefusedToken {
    /// The byte at which it begins.
    pub(crate) start: usize,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
}
