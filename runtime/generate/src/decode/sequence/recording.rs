//! Records a text's tokens, if its request asks for it.

use std::collections::VecDeque;

use ogc_runtime::vocabulary::TokenId;

use super::super::record::{Recorder, TokenSource};
use super::Sequence;
use super::guess::Source;
use crate::model::choice::RowAnswer;

impl Sequence {
    /// Returns the number of rows that only the record needs; they come first in the next pass, before the rows that choose tokens.
    pub(super) fn record_waits(&self) -> usize {
        self.recorder.as_ref().map_or(0, Recorder::waiting)
    }

    /// Records a token that was written without the model.
    pub(super) fn record_only(&mut self, token: TokenId) {
        let pass = self.statistics.passes;
        if let Some(recorder) = &mut self.recorder {
            recorder.write_only(token, pass);
        }
    }

    /// Records a token that was chosen, and the source of its guess. The mask must still be the one of its place.
    pub(super) fn record_chosen(&mut self, answer: &RowAnswer, token: TokenId, guess: Option<Source>) {
        let (Some(recorder), RowAnswer::Logits(logits)) = (&mut self.recorder, answer) else { return };
        let source = match guess {
            None => TokenSource::Sampled,
            Some(Source::Format) => TokenSource::Run,
            Some(Source::Lookup) => TokenSource::Guess,
            Some(Source::Draft) => TokenSource::Draft,
        };
        recorder.write_chosen((token, source), self.statistics.passes, logits, &self.mask);
    }

    /// Takes the answers that are for the record alone, and returns the others.
    pub(super) fn record_waiting(&mut self, mut answers: VecDeque<RowAnswer>) -> VecDeque<RowAnswer> {
        let Some(recorder) = &mut self.recorder else { return answers };
        while recorder.waiting() > 0 {
            match answers.pop_front() {
                Some(RowAnswer::Logits(logits)) => recorder.answer(&logits),
                _ => break,
            }
        }
        answers
    }
}
