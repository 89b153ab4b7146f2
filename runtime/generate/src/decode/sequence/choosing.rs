//! Writes tokens by the answers of a pass: those that the device chose, or those that are chosen now by logits.

use std::time::Instant;

use ogc_runtime::vocabulary::TokenId;

use super::super::probabilities::probabilities;
use super::guess::{Guess, Source};
use super::{Allowed, Ended, Sequence, Unchosen};
use crate::chosen::ChosenBy;
use crate::error::GenerateError;
use crate::model::choice::RowAnswer;
use crate::sample::odds::Odds;

impl Sequence {
    /// Writes the token of each answer of the last pass, as long as the tokens equal the guess. If a watch stops this, a later call
    /// continues.
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
            // Where the device found no mask for a token that was asked for, its logits come back.
            let is_handed_over = unchosen.by.is_device() && matches!(answer, RowAnswer::Logits(_));
            let by = if is_handed_over { ChosenBy::Handover } else { unchosen.by };
            let token = self.token(answer, &unchosen.guess, unchosen.at)?;
            self.write_chosen(token, by)?;
            self.count_chosen(answer, token, by);
            let is_guessed = unchosen.guess.tokens.get(unchosen.at) == Some(&token);
            let source = unchosen.guess.source(unchosen.at);
            self.record_chosen(answer, token, is_guessed.then_some(source));
            unchosen.answers.pop_front();
            if is_guessed {
                *self.guessed(source) += 1;
            } else {
                self.cache.truncate(unchosen.certain + unchosen.at);
                self.pending = vec![token];
                let is_inside = unchosen.at < unchosen.guess.tokens.len();
                self.refused |= is_inside && unchosen.guess.source == Source::Format;
            }
            unchosen.at += 1;
            if self.ended.is_some() || !is_guessed {
                unchosen.answers.clear();
            }
        }
        Ok(())
    }

    /// Returns the token of a row: the device's choice, or a token that is chosen now.
    fn token(&mut self, answer: &RowAnswer, guess: &Guess, at: usize) -> Result<TokenId, GenerateError> {
        match answer {
            RowAnswer::Logits(logits) => match (guess.tokens.get(at), guess.odds(at)) {
                (Some(&drafted), Some(odds)) => self.judge(logits, drafted, odds),
                _ => self.choose(logits),
            },
            RowAnswer::Token(token) => Ok(*token),
            // Nothing is asked of a row only where the format allows no token.
            RowAnswer::NoToken | RowAnswer::Nothing => Err(GenerateError::DeadEnd { tokens: self.tokens().len() }),
        }
    }

    /// Counts a token that was written, and keeps its probabilities, if they are wanted.
    fn count_chosen(&mut self, answer: &RowAnswer, token: TokenId, by: ChosenBy) {
        self.statistics.choices.count(by);
        if let (RowAnswer::Logits(logits), None) = (answer, self.ended) {
            self.probabilities.extend(self.wanted_probabilities.map(|most| probabilities(logits, token, most)));
        }
    }

    /// Returns the count of tokens that were guessed right from a source.
    fn guessed(&mut self, source: Source) -> &mut usize {
        match source {
            Source::Format => &mut self.statistics.forced,
            Source::Lookup => &mut self.statistics.guessed,
            Source::Draft => &mut self.statistics.accepted,
        }
    }

    /// Writes a token that was chosen; it is an error of the device if the matcher refuses a token that the device chose.
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

    /// Keeps or replaces a token that a draft model drew with these odds, by the logits and the mask.
    fn judge(&mut self, logits: &[f32], drafted: TokenId, odds: &Odds) -> Result<TokenId, GenerateError> {
        let start = Instant::now();
        let written = &self.past[self.prompt..];
        let own = self.sampler.odds(logits, &self.mask, written);
        let own = own.ok_or(GenerateError::DeadEnd { tokens: written.len() })?;
        let token = self.sampler.judge(drafted, &own, odds, written.len() as u64);
        self.statistics.choice_time += start.elapsed();
        Ok(token)
    }
}
