//! The difference of two versions of a format.

use serde::Serialize;

/// The difference of two versions of a format. In texts, bytes that are not UTF-8 are replaced, and a named token is written
/// `tok"name"`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FormatDifference {
    /// The output of an `.ogc` file, or the selected definition.
    pub(crate) output: Option<String>,
    /// The versions that have it.
    pub(crate) versions: Presence,
    /// Whether the new version accepts every text that the old one accepts; null if the search could not decide it.
    pub(crate) keeps: Option<bool>,
    /// Whether the new version accepts a text that the old one refuses; null if the search could not decide it.
    pub(crate) adds: Option<bool>,
    /// A shortest text that only the old version accepts.
    pub(crate) refused_now: Option<String>,
    /// The reason why the new version refuses it, in one sentence.
    pub(crate) reason: Option<String>,
    /// A shortest text that only the new version accepts.
    pub(crate) accepted_now: Option<String>,
    /// Whether the change is the one that `--expect` requires.
    pub(crate) expected: bool,
}

/// The versions of a file that have an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Presence {
    /// Both versions.
    Both,
    /// Only the old version.
    Old,
    /// Only the new version.
    New,
}
