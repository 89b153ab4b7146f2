//! How a command ended, and what it counted.

use serde::Serialize;

use super::KeywordCounts;

/// How a command ended: its last line.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// The command; null if the command line names none.
    pub(crate) command: Option<String>,
    /// The exit code; with `check --watch` the one that `check` would have.
    pub(crate) exit_code: u8,
    /// How many errors were found in source texts.
    pub(crate) errors: usize,
    /// How many warnings were found in source texts.
    pub(crate) warnings: usize,
    /// How many notes there are about source texts.
    pub(crate) notes: usize,
    /// How many failures there were outside of source texts.
    pub(crate) problems: usize,
    /// What the command counts.
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// What commands count. Each has its own counts; the others are left out.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Counts {
    /// `check`, `build`, `diff`: files that were checked, formats that were built or compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formats: Option<usize>,
    /// `check`, `diff`: files without errors, formats that changed as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) good: Option<usize>,
    /// `build`: artifacts that were up to date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) up_to_date: Option<usize>,
    /// `check --watch`: how long the check took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// `test`: cases that hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<usize>,
    /// `test`: cases that do not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<usize>,
    /// `test`: files with errors, whose cases were not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files_with_errors: Option<usize>,
    /// `run --jsonl`: texts that were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<usize>,
    /// `run --jsonl`: texts that are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<usize>,
    /// `run --jsonl`: texts that are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<usize>,
    /// `fmt`: files that were laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<usize>,
    /// `fmt`: files whose layout changed or would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<usize>,
    /// `import`: what became of the schema's keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keywords: Option<KeywordCounts>,
}
