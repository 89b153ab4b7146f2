//! The questions to a pass: for tokens where the device chooses them, else for logits.

use std::time::Instant;

use ogc_runtime::matcher::MaskRows;
use ogc_runtime::vocabulary::TokenId;

use super::Sequence;
use crate::chosen::ChosenBy;
use crate::loaded::LoadedModel;
use crate::model::choice::{AskedMask, MOST_LISTED, RowAsk, TokenAsk};

impl Sequence {
    /// Returns the question to each row of a pass, and the chooser of its tokens.
    pub(super) fn ask(&mut self, loaded: &LoadedModel, draft: &[TokenId]) -> (Vec<RowAsk>, ChosenBy) {
        let start = Instant::now();
        let asked = match self.refusal(loaded) {
            Some(by) => Err(by),
            None => self.ask_tokens(loaded, draft),
        };
        self.statistics.mask_time += start.elapsed();
        asked.unwrap_or_else(|by| (vec![RowAsk::Logits; self.record_waits() + draft.len() + 1], by))
    }

    /// Returns the reason why the host has to choose; `None` if it need not.
    fn refusal(&self, loaded: &LoadedModel) -> Option<ChosenBy> {
        let reasons = [
            (ChosenBy::HostModel, !loaded.model.is_on_device()),
            (ChosenBy::Probabilities, self.wanted_probabilities.is_some() || self.recorder.is_some()),
        ];
        reasons.into_iter().find(|(_, holds)| *holds).map(|(by, _)| by)
    }

    /// Asks for the tokens after the text and after each token of a draft, as far as the format allows the draft;
    /// returns the reason if the tokens cannot be asked for.
    fn ask_tokens(&mut self, loaded: &LoadedModel, draft: &[TokenId]) -> Result<(Vec<RowAsk>, ChosenBy), ChosenBy> {
        if !draft.is_empty() {
            return Ok((self.ask_along(draft)?, ChosenBy::DeviceDraft));
        }
        match loaded.model.bring(&mut self.cache, &mut self.matcher) {
            Ok(()) => Ok((vec![self.ask_token(AskedMask::Slot, &[])?], ChosenBy::Device)),
            Err(by) => Ok((vec![self.ask_token(AskedMask::Bits(self.mask.clone()), &[])?], by)),
        }
    }

    /// Asks for the tokens along a draft, each under its mask.
    fn ask_along(&mut self, draft: &[TokenId]) -> Result<Vec<RowAsk>, ChosenBy> {
        let words = self.mask.len();
        let mut masks = vec![0; words * (draft.len() + 1)];
        let mut rows = MaskRows::new(&mut masks, words).ok_or(ChosenBy::Draft)?;
        let allowed = self.matcher.fill_draft(draft, &mut rows).map_err(|_| ChosenBy::Draft)?;
        let mut asks = vec![RowAsk::Nothing; draft.len() + 1];
        for ((at, ask), mask) in asks.iter_mut().enumerate().zip(masks.chunks_exact(words)).take(allowed + 1) {
            *ask = self.ask_token(AskedMask::Bits(mask.to_vec()), &draft[..at])?;
        }
        Ok(asks)
    }

    /// Asks for the token after the text and `more` tokens.
    fn ask_token(&self, mask: AskedMask, more: &[TokenId]) -> Result<RowAsk, ChosenBy> {
        let written = self.penalised(more);
        if written.len() + self.sampler.sampling().bias.len() > MOST_LISTED {
            return Err(ChosenBy::Lists);
        }
        let position = (self.tokens().len() + more.len()) as u64;
        Ok(RowAsk::Token(TokenAsk { mask, written, position }))
    }

    /// Returns the tokens that are penalised after the text and `more` tokens, ascending, each with the number of times that it was written.
    fn penalised(&self, more: &[TokenId]) -> Vec<(u32, u32)> {
        if !self.sampler.penalises() {
            return Vec::new();
        }
        let mut written: Vec<u32> = self.tokens().iter().chain(more).map(|token| token.0).collect();
        written.sort_unstable();
        written.chunk_by(u32::eq).map(|same| (same[0], same.len() as u32)).collect()
    }
}
