//! The treatment of the keywords of a schema.

use serde::Serialize;

use super::Place;

/// The treatment of a keyword of an imported schema.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordFate {
    /// The file of the schema, if an `.ogc` file imports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The JSON pointer of the keyword in the schema.
    pub(crate) pointer: String,
    /// The keyword.
    pub(crate) keyword: String,
    /// `enforced`, `annotation`, `warning` or `error`.
    pub(crate) fate: String,
    /// The reason; may be empty.
    pub(crate) reason: String,
    /// The place of the keyword in the text.
    pub(crate) span: Place,
}

/// The number of keywords of a schema with each fate.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordCounts {
    /// Keywords that are enforced.
    pub(crate) enforced: usize,
    /// Keywords that are annotations.
    pub(crate) annotations: usize,
    /// Keywords with a warning.
    pub(crate) warnings: usize,
    /// Keywords with an error.
    pub(crate) errors: usize,
}
