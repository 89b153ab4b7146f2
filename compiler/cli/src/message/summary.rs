//! Exit code and counts of a command.

use serde::Serialize;

use super::KeywordCounts;

/// The last line of a command: its exit code and counts.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// The command; null if the command line has none.
    pub(crate) command: Option<String>,
    /// The exit code; with `check --watch`, the one that `check` would return.
    pub(crate) exit_code: u8,
    /// The number of errors in source texts.
    pub(crate) errors: usize,
    /// The number of warnings about source texts.
    pub(crate) warnings: usize,
    /// The number of notes about source texts.
    pub(crate) notes: usize,
    /// The number of failures outside of source texts.
    pub(crate) problems: usize,
    /// The counts of this command.
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// Counts of commands. A command writes only its own counts.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Counts {
    /// `check`, `build`, `diff`: number of checked files, or of built or compared formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formats: Option<usize>,
    /// `check`, `diff`: number of files without errors, or of formats that changed as expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) good: Option<usize>,
    /// `build`: number of artifacts that were up to date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) up_to_date: Option<usize>,
    /// `check --watch`: duration of the check, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// `test`: number of cases that pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<usize>,
    /// `test`: number of cases that fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<usize>,
    /// `test`: number of files with errors, whose cases were not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files_with_errors: Option<usize>,
    /// `run --jsonl`: number of texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<usize>,
    /// `run --jsonl`: number of accepted texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<usize>,
    /// `run --jsonl`: number of refused texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<usize>,
    /// `fmt`: number of formatted files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<usize>,
    /// `fmt`: number of files whose layout changed or would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<usize>,
    /// `import`: number of the schema's keywords by fate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keywords: Option<KeywordCounts>,
}
