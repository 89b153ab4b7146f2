//! Statistics of the tokens that a model prefers and a format refuses.

use serde::Serialize;

/// The probability mass of a model that a format refused, over many prompts.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FitTotals {
    /// The number of generated texts, one for each prompt.
    pub(crate) texts: usize,
    /// The number of tokens of these texts.
    pub(crate) tokens: usize,
    /// The number of positions at which the model was evaluated: before each token, and at the end.
    pub(crate) places: usize,
    /// The number of positions at which the likeliest token was refused.
    pub(crate) first_refused: usize,
    /// The mean refused probability of a position.
    pub(crate) refused: f64,
    /// The part of it that was refused only because no text could have been completed within the maximum number of tokens.
    pub(crate) over_budget: f64,
}
