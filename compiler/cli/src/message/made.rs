//! Results of commands: artifacts, layouts and generated texts.

use serde::Serialize;

/// An artifact that `build` wrote or found up to date.
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
    /// The artifact's length in bytes.
    pub(crate) bytes: usize,
    /// Time to build it, in milliseconds.
    pub(crate) ms: f64,
    /// Whether the file was written; it is not if its contents are unchanged.
    pub(crate) written: bool,
    /// Whether compilation was skipped because no input has changed.
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
    /// The changes to make, with `--check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
}

/// A generated text with its statistics; times are in milliseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GeneratedText {
    /// The line of the request in its file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<usize>,
    /// The whole text.
    pub(crate) text: String,
    /// Number of tokens of the prompt.
    pub(crate) prompt_tokens: usize,
    /// Number of tokens of the text.
    pub(crate) tokens: usize,
    /// Number of tokens that the format forced, which need no forward pass of their own.
    pub(crate) forced: usize,
    /// Number of correctly guessed tokens, which need no forward pass of their own.
    pub(crate) guessed: usize,
    /// Number of tokens drawn by a draft model, including ends of sequence.
    pub(crate) drafted: usize,
    /// Number of accepted draft tokens, which need no forward pass of their own.
    pub(crate) accepted: usize,
    /// Number of tokens sampled on the device that holds the logits, including ends of sequence.
    pub(crate) chosen_on_device: usize,
    /// Number of forward passes of the model after the prompt.
    pub(crate) passes: usize,
    /// Time of the model for the prompt.
    pub(crate) prompt_ms: f64,
    /// Time of the model after the prompt.
    pub(crate) model_ms: f64,
    /// Time of the draft model after the prompt.
    pub(crate) draft_ms: f64,
    /// Time to compute masks.
    pub(crate) mask_ms: f64,
    /// Time to sample tokens.
    pub(crate) choice_ms: f64,
}
