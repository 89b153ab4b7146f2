//! Moves sequences by runs of tokens that are known beforehand: on the device in pieces for which slots have room, and on the host token by token.

use ogc_runtime::vocabulary::TokenId;

use super::place::{SequenceRun, TokenOutcome};
use super::{DeviceSequences, SlotId, SlotsError};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::run::MovedTokens;

/// How far a run has come.
struct Progress<'a> {
    sequence: SlotId,
    tokens: &'a [TokenId],
    run: SequenceRun,
}

impl<'a> Progress<'a> {
    /// Returns the tokens that are to be tried yet: none behind one that was not accepted, or that ended the text.
    fn rest(&self) -> &'a [TokenId] {
        match self.run.last {
            None | Some(TokenOutcome::Accepted) => &self.tokens[self.run.accepted..],
            Some(TokenOutcome::Ended | TokenOutcome::Refused | TokenOutcome::Failed(_)) => &[],
        }
    }

    /// Adds what became of the next token.
    fn add(&mut self, found: TokenOutcome) {
        self.run.accepted += usize::from(matches!(found, TokenOutcome::Accepted | TokenOutcome::Ended));
        self.run.last = Some(found);
    }
}

impl<M: Machine> DeviceSequences<M> {
    /// Moves sequences by runs of tokens, such as those that formats force, each up to the first that is not accepted or that ends the text, wherever they are;
    /// waits for the device, and returns what became of each. Runs are as long as they like: a launch is for [`run_tokens`](crate::SlotLimits::run_tokens).
    ///
    /// # Errors
    /// A sequence is not open or named twice, slots have no room for runs, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// fn is_whole<M: Machine>(
    ///     sequences: &mut DeviceSequences<M>,
    ///     sequence: SlotId,
    ///     run: &[TokenId],
    /// ) -> Result<bool, SlotsError> {
    ///     Ok(sequences.run(&[(sequence, run)])?[0].accepted == run.len())
    /// }
    /// ```
    pub fn run(&mut self, runs: &[(SlotId, &[TokenId])]) -> Result<Vec<SequenceRun>, SlotsError> {
        self.check(runs.iter().map(|(sequence, _)| *sequence))?;
        let mut all = Vec::with_capacity(runs.len());
        for (sequence, tokens) in runs {
            all.push(Progress { sequence: *sequence, tokens, run: SequenceRun::default() });
        }
        loop {
            self.run_on_host(&mut all)?;
            let mut left: Vec<&mut Progress<'_>> =
                all.iter_mut().filter(|progress| !progress.rest().is_empty()).collect();
            if left.is_empty() {
                return Ok(all.into_iter().map(|progress| progress.run).collect());
            }
            self.run_on_device(&mut left)?;
        }
    }

    /// Reads the rest of the runs of sequences that the host steps.
    fn run_on_host(&mut self, all: &mut [Progress<'_>]) -> Result<(), SlotsError> {
        for progress in all {
            while self.find(progress.sequence)?.host.is_some()
                && let Some(token) = progress.rest().first()
            {
                progress.add(self.note(progress.sequence, *token, None)?);
            }
        }
        Ok(())
    }

    /// Moves slots by the next pieces of runs. The token that the device leaves is read by a matcher.
    fn run_on_device<'a>(&mut self, left: &mut [&mut Progress<'a>]) -> Result<(), SlotsError> {
        // Where there is no room for any, slots say so.
        let room = self.slots.limits().run_tokens.max(1) as usize;
        let mut pieces: Vec<(SlotId, &'a [TokenId])> = Vec::with_capacity(left.len());
        for progress in left.iter() {
            let rest = progress.rest();
            pieces.push((progress.sequence, &rest[..rest.len().min(room)]));
        }
        self.slots.run(&pieces)?;
        for ((progress, (_, piece)), moved) in left.iter_mut().zip(pieces).zip(self.slots.moved()?) {
            let MovedTokens { last, accepted } = moved;
            let before = accepted as usize - usize::from(last == Outcome::Ended);
            for token in &piece[..before] {
                progress.add(self.note(progress.sequence, *token, Some(Outcome::Accepted))?);
            }
            if let Some(token) = piece.get(before) {
                progress.add(self.note(progress.sequence, *token, Some(last))?);
            }
        }
        Ok(())
    }
}
