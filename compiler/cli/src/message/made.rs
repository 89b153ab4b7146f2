//! What commands make: artifacts, layouts, texts of a model.

use serde::Serialize;

/// An artifact that `build` made, or found up to date.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BuiltArtifact {
    /// The format's file.
    pub(crate) file: String,
    /// The output of an `.ogc` file.
    pub(crate) output: Option<String>,
    /// The artifact's file.
    pub(crate) path: String,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Rows of the masks; null without masks.
    pub(crate) rows: Option<usize>,
    /// The artifact's length.
    pub(crate) bytes: usize,
    /// Time spent on it, in milliseconds.
    pub(crate) ms: f64,
    /// Whether the file was written; it is not if its bytes would stay the same.
    pub(crate) written: bool,
    /// Whether nothing was compiled, because nothing that it depends on has changed.
    pub(crate) up_to_date: bool,
}

/// A file whose layout changed or would change, or standard input and its layout.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Layout {
    /// The file; `<stdin>` is standard input.
    pub(crate) file: String,
    /// Whether the layout differs from the text.
    pub(crate) changed: bool,
    /// The layout of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// What would change, with `--check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
}

/// A text that a model wrote, and what it took; times are in milliseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GeneratedText {
    /// The line of the request in its file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<usize>,
    /// The whole text.
    pub(crate) text: String,
    /// Tokens of the prompt.
    pub(crate) prompt_tokens: usize,
    /// Tokens of the text.
    pub(crate) tokens: usize,
    /// Tokens that the format forced, so that they took no pass of their own.
    pub(crate) forced: usize,
    /// Tokens that were guessed right, so that they took no pass of their own.
    pub(crate) guessed: usize,
    /// Tokens that a draft model drew, ends of sequence among them.
    pub(crate) drafted: usize,
    /// Tokens of them that were kept, so that they took no pass of their own.
    pub(crate) accepted: usize,
    /// Tokens that a device chose where their logits are, ends of sequence among them.
    pub(crate) chosen_on_device: usize,
    /// Passes of the model behind the prompt.
    pub(crate) passes: usize,
    /// Time in the model to read the prompt.
    pub(crate) prompt_ms: f64,
    /// Time in the model behind the prompt.
    pub(crate) model_ms: f64,
    /// Time in the draft model behind the prompt.
    pub(crate) draft_ms: f64,
    /// Time to compute masks.
    pub(crate) mask_ms: f64,
    /// Time to choose tokens.
    pub(crate) choice_ms: f64,
}
