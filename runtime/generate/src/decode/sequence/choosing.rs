//! What comes of the answers to a pass: the tokens that were chosen, or that are chosen now by logits.

use std::time::Instant;

use ogc_runtime::vocabulary::TokenId;

use super::super::probabilities::probabilities;
use super::{Allowed, Ended, Sequence, Source};
use crate::chosen::ChosenBy;
use crate::error::GenerateError;
use crate::model::choice::RowAnswer;

impl Sequence {
    /// Writes a token by each row, as long as they are the draft's.
    pub(super) fn choose_all(
        &mut self,
        answers: Vec<RowAnswer>,
        draft: &[TokenId],
        source: Source,
        by: ChosenBy,
    ) -> Result<(), GenerateError> {
        let certain = self.cache.len() - draft.len();
        let drafted = draft.iter().copied().map(Some).chain([None]);
        for (at, (answer, drafted)) in answers.into_iter().zip(drafted).enumerate() {
            if at > 0 && self.allowed()? == Allowed::End {
                self.end(Ended::Complete);
                return Ok(());
            }
            // The logits of a token that was asked for come back where the device found no mask.
            let is_handed_over = by.is_device() && matches!(answer, RowAnswer::Logits(_));
            let by = if is_handed_over { ChosenBy::Handover } else { by };
            let token = self.token(answer)?;
            self.statistics.choices.count(by);
            let is_drafted = drafted == Some(token);
            if !is_drafted {
                self.cache.truncate(certain + at);
                self.pending = vec![token];
                self.refused |= at < draft.len() && source == Source::Format;
            }
            let counted = match source {
                Source::Format => &mut self.statistics.forced,
                Source::Lookup => &mut self.statistics.guessed,
            };
            *counted += usize::from(is_drafted);
            self.write_chosen(token, by)?;
            if self.ended.is_some() || !is_drafted {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the token of a row: the one that was chosen, or one that is chosen now.
    fn token(&mut self, answer: RowAnswer) -> Result<TokenId, GenerateError> {
        match answer {
            RowAnswer::Logits(logits) => self.choose(&logits),
            RowAnswer::Token(token) => Ok(token),
            // Of a row of which nothing is asked the format allows nothing.
            RowAnswer::NoToken | RowAnswer::Nothing => Err(GenerateError::DeadEnd { tokens: self.tokens().len() }),
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
        self.probabilities.extend(self.wanted_probabilities.map(|most| probabilities(logits, token, most)));
        self.statistics.choice_time += start.elapsed();
        Ok(token)
    }
}
