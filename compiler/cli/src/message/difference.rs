//! The difference of two versions of a format.

use serde::Serialize;

/// The difference of two versions of a format. In texts, bytes that are not UTF-8 are replaced, and a named token is written
/// `tok"name"`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FormatDifference {
    /// The output of an `.ogc` file, or the definition that was named.
    pub(crate) output: Option<String>,
    /// Which versions have it.
    pub(crate) versions: Presence,
    /// Whether each text that the old version accepts is accepted by the new one; null if the search did not find out.
    pub(crate) keeps: Option<bool>,
    /// Whether the new version accepts a text that the old one refuses; null if the search did not find out.
    pub(crate) adds: Option<bool>,
    /// A shortest text that only the old version accepts.
    pub(crate) refused_now: Option<String>,
    /// Why the new version refuses it, in one sentence.
    pub(crate) reason: Option<String>,
    /// A shortest text that only the new version accepts.
    pub(crate) accepted_now: Option<String>,
    /// Whether the change is as `--expect` says.
    pub(crate) expected: bool,
}

/// The versions of a file that have an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Presence {
    /// Both.
    Both,
    /// The old one alone.
    Old,
    /// The new one alone.
    New,
}
