//! What a model is to read, and what is asked of it.

use super::choice::RowAsk;
use super::pages::ModelText;

/// Tokens of one text that a model is to read, behind those that it has read.
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
    /// The number of last tokens whose logits are wanted.
    pub wanted: usize,
}

/// Tokens of one text that a model is to read, behind those that it has read, and what is asked of the logits after the last of them.
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
    /// What is asked after each of the last tokens; not more than there are tokens.
    pub rows: &'a [RowAsk<'a>],
}

impl<'a> AskingPart<'a> {
    /// Returns which of its answers is that after a token.
    pub(super) fn answer_of(&self, token: usize) -> Option<usize> {
        (token + self.rows.len()).checked_sub(self.tokens.len())
    }

    /// Returns what is asked after a token.
    pub(super) fn ask(&self, token: usize) -> RowAsk<'a> {
        self.answer_of(token).map_or(RowAsk::Nothing, |at| self.rows[at])
    }
}
