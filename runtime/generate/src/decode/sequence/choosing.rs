//! What comes of the answers to a pass: the tokens that were chosen, or that are chosen now by logits.

use std::time::Instant;

use ogc_runtime::vocabulary::TokenId;

use super::super::probabilities::probabilities;
use super::{Allowed, Ended, Sequence, Source, Unchosen};
use crate::chosen::ChosenBy;
use crate::error::GenerateError;
use crate::model::choice::RowAnswer;

impl Sequence {
    /// Writes a token by each answer to the last pass, as long as they are the draft's. Where a watch stops this, the rest is left for later.
    pub(in crate::decode) fn choose_tokens(&mut self) -> Result<(), GenerateError> {
        let Some(mut unchosen) = self.unchosen.take().filter(|_| self.ended.is_none()) else { return Ok(()) };
        let chosen = self.choose_by(&mut unchosen);
        self.unchosen = Some(unchosen).filter(|left| !left.answers.is_empty());
        chosen
    }

    fn choose_by(&mut self, unchosen: &mut Unchosen) -> Result<(), GenerateError> {
        while let Some(answer) = unchosen.answers.front() {
            if unchosen.at > 0 && self.allowed()? == Allowed::End {
                unchosen.answers.clear();
                self.end(Ended::Complete);
                return Ok(());
            }
            // The logits of a token that was asked for come back where the device found no mask.
            let is_handed_over = unchosen.by.is_device() && matches!(answer, RowAnswer::Logits(_));
            let by = if is_handed_over { ChosenBy::Handover } else { unchosen.by };
            let token = self.token(answer)?;
            self.write_chosen(token, by)?;
            self.count_chosen(answer, token, by);
            let is_drafted = unchosen.draft.get(unchosen.at) == Some(&token);
            self.record_chosen(answer, token, is_drafted.then_some(unchosen.source));
            unchosen.answers.pop_front();
            if is_drafted {
                *self.drafted(unchosen.source) += 1;
            } else {
                self.cache.truncate(unchosen.certain + unchosen.at);
                self.pending = vec![token];
                self.refused |= unchosen.at < unchosen.draft.len() && unchosen.source == Source::Format;
            }
            unchosen.at += 1;
            if self.ended.is_some() || !is_drafted {
                unchosen.answers.clear();
            }
        }
        Ok(())
    }

    /// Returns the token of a row: the one that was chosen, or one that is chosen now.
    fn token(&mut self, answer: &RowAnswer) -> Result<TokenId, GenerateError> {
        match answer {
            RowAnswer::Logits(logits) => self.choose(logits),
            RowAnswer::Token(token) => Ok(*token),
            // Of a row of which nothing is asked the format allows nothing.
            RowAnswer::NoToken | RowAnswer::Nothing => Err(GenerateError::DeadEnd { tokens: self.tokens().len() }),
        }
    }

    /// Counts a token that was written, and keeps what the model thought of it.
    fn count_chosen(&mut self, answer: &RowAnswer, token: TokenId, by: ChosenBy) {
        self.statistics.choices.count(by);
        if let (RowAnswer::Logits(logits), None) = (answer, self.ended) {
            self.probabilities.extend(self.wanted_probabilities.map(|most| probabilities(logits, token, most)));
        }
    }

    /// Returns the number of the tokens that came from such a draft.
    fn drafted(&mut self, source: Source) -> &mut usize {
        match source {
            Source::Format => &mut self.statistics.forced,
            Source::Lookup => &mut self.statistics.guessed,
        }
    }

    /// Writes a token that was chosen; the matcher judges those of devices.
    fn write_chosen(&mut self, token: TokenId, by: ChosenBy) -> Result<(), GenerateError> {
        let tokens = self.tokens().len();
        self.write(token).map_err(|reason| match by.is_device() {
            true => GenerateError::DeviceToken { token: token.0, tokens, reason },
            false => GenerateError::Match(reason),
        })
    }

    /// Chooses a token by the logits and the mask.
    fn choose(&mut self, logits: &[f32]) -> Result<TokenId, GenerateError> {
        let start = Instant::now();
        let written = &self.past[self.prompt..];
        let token = self.sampler.choose(logits, &self.mask, written, written.len() as u64);
        let token = token.ok_or(GenerateError::DeadEnd { tokens: written.len() })?;
        self.statistics.choice_time += start.elapsed();
        Ok(token)
    }
}
