//! What became of the keywords of a schema.

use serde::Serialize;

use super::Place;

/// What became of a keyword of an imported schema.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordFate {
    /// The file of the schema, where an `.ogc` file imports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// Where it is, as a JSON pointer.
    pub(crate) pointer: String,
    /// The keyword.
    pub(crate) keyword: String,
    /// `enforced`, `annotation`, `warning` or `error`.
    pub(crate) fate: String,
    /// Why, if there is something to say.
    pub(crate) reason: String,
    /// Where it is in the text.
    pub(crate) span: Place,
}

/// How many keywords of a schema had each fate.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordCounts {
    /// Keywords that constrain.
    pub(crate) enforced: usize,
    /// Keywords that only describe.
    pub(crate) annotations: usize,
    /// Keywords with a warning.
    pub(crate) warnings: usize,
    /// Keywords with an error.
    pub(crate) errors: usize,
}
