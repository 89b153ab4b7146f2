//! Input of a model, and the output that is requested.

use super::choice::RowAsk;
use super::pages::ModelText;

/// Tokens of one text for a model to read, after the tokens that the text has read.
///
/// ```
/// # use ogc_cuda::{DeviceModel, Machine, ModelError, ModelPart, ModelText};
/// fn next_logits<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<Vec<Vec<f32>>, ModelError> {
///     model.forward(&[ModelPart { text, tokens: &[3], wanted: 1 }])
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ModelPart<'a> {
    /// The text.
    pub text: ModelText,
    /// The tokens to read.
    pub tokens: &'a [u32],
    /// Number of last tokens whose logits are returned.
    pub wanted: usize,
}

/// Tokens of one text for a model to read, after the tokens that the text has read; and the output that is requested after the last tokens.
///
/// ```
/// # use ogc_cuda::{AskingPart, DeviceModel, Machine, ModelError, ModelText, RowAnswer, RowAsk};
/// fn read<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<Vec<Vec<RowAnswer>>, ModelError> {
///     model.answer(&[AskingPart { text, tokens: &[3], rows: &[RowAsk::Logits] }])
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AskingPart<'a> {
    /// The text.
    pub text: ModelText,
    /// The tokens to read.
    pub tokens: &'a [u32],
    /// Output requested after each of the last tokens; at most as many entries as tokens.
    pub rows: &'a [RowAsk<'a>],
}

impl<'a> AskingPart<'a> {
    /// Returns the index of the answer after a token, if anything is requested there.
    pub(super) fn answer_of(&self, token: usize) -> Option<usize> {
        (token + self.rows.len()).checked_sub(self.tokens.len())
    }

    /// Returns the request after a token.
    pub(super) fn ask(&self, token: usize) -> RowAsk<'a> {
        self.answer_of(token).map_or(RowAsk::Nothing, |at| self.rows[at])
    }
}
