//! What a format refuses of what a model would write.

use serde::Serialize;

/// How much of a model's probability a format refused, over many prompts.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FitTotals {
    /// The texts that were written, one for each prompt.
    pub(crate) texts: usize,
    /// Their tokens.
    pub(crate) tokens: usize,
    /// The places at which the model was asked: before each token, and at the end.
    pub(crate) places: usize,
    /// The places at which the model's first choice was refused.
    pub(crate) first_refused: usize,
    /// The mean of the probability that was refused at a place.
    pub(crate) refused: f64,
    /// The part of it that was refused only because no text would have been complete within the most tokens.
    pub(crate) over_budget: f64,
}
