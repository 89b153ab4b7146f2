//! Converts the questions to rows of logits into the input of the kernels of `ogc-cuda`, and the kernels' output into
//! answers.

use ogc_cuda::{ChoiceMask, RowChoice, RowSampling};
use ogc_runtime::vocabulary::TokenId;

use super::super::choice::{Asked, AskedMask, MOST_LISTED, RowAnswer, RowAsk, TokenAsk};
use super::super::device_text::SlotPlace;
use crate::sample::Sampler;

const _: () = assert!(MOST_LISTED <= RowChoice::MOST_LISTED, "a row has room for all tokens that are listed");

/// Returns the biases of a sampler in the order of tokens; the biases of one token stay in the order in which they are
/// added.
pub(super) fn biases(sampler: &Sampler) -> Vec<(u32, f32)> {
    let mut biases: Vec<(u32, f32)> = sampler.sampling().bias.iter().map(|(token, bias)| (token.0, *bias)).collect();
    biases.sort_by_key(|(token, _)| *token);
    biases
}

/// Returns the questions to the rows of a text.
pub(super) fn asks<'a>(asked: &'a Asked<'_>, place: &SlotPlace, biases: &'a [(u32, f32)]) -> Vec<ogc_cuda::RowAsk<'a>> {
    let ask = |row: &'a RowAsk| match row {
        RowAsk::Nothing => ogc_cuda::RowAsk::Nothing,
        RowAsk::Logits => ogc_cuda::RowAsk::Logits,
        RowAsk::Token(token) => match mask(&token.mask, place) {
            Some(mask) => ogc_cuda::RowAsk::Token(RowChoice {
                sampling: sampling(asked.sampler, token.position),
                mask,
                written: &token.written,
                biases,
            }),
            None => ogc_cuda::RowAsk::Logits,
        },
    };
    asked.rows.iter().map(ask).collect()
}

/// Returns the mask of a row for the kernels; `None` if it should be in a slot that the text does not have.
fn mask<'a>(mask: &'a AskedMask, place: &SlotPlace) -> Option<ChoiceMask<'a>> {
    match mask {
        AskedMask::Bits(bits) => Some(ChoiceMask::Bits(bits)),
        AskedMask::Slot => place.slot().map(ChoiceMask::Slot),
    }
}

/// Returns whether the row asks for a token under the mask of the text's slot.
pub(super) fn is_by_slot(row: &RowAsk) -> bool {
    matches!(row, RowAsk::Token(TokenAsk { mask: AskedMask::Slot, .. }))
}

/// Returns the sampling of the token of a position, for the kernels.
fn sampling(sampler: &Sampler, position: u64) -> RowSampling {
    RowSampling { request: sampler.request(), position, ..RowSampling::of(sampler.sampling()) }
}

/// Converts the answers of the rows of a text.
pub(super) fn answers(answers: Vec<ogc_cuda::RowAnswer>) -> Vec<RowAnswer> {
    let answer = |answer| match answer {
        ogc_cuda::RowAnswer::Nothing => RowAnswer::Nothing,
        ogc_cuda::RowAnswer::Logits(logits) => RowAnswer::Logits(logits),
        ogc_cuda::RowAnswer::Token { token, .. } => RowAnswer::Token(TokenId(token)),
        ogc_cuda::RowAnswer::NoToken => RowAnswer::NoToken,
    };
    answers.into_iter().map(answer).collect()
}
