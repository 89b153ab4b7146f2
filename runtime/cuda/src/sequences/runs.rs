//! Moves sequences by runs of tokens that are known beforehand: on the device in pieces that fit the slots' memory, and on the host token
//! by token.

use ogc_runtime::vocabulary::TokenId;

use super::place::{SequenceRun, TokenOutcome};
use super::{DeviceSequences, SlotId, SlotsError};
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::run::MovedTokens;

/// Progress of a run.
struct Progress<'a> {
    sequence: SlotId,
    tokens: &'a [TokenId],
    run: SequenceRun,
}

impl<'a> Progress<'a> {
    /// Returns the tokens that must still be tried: none after a token that was not accepted, or that ended the text.
    fn rest(&self) -> &'a [TokenId] {
        match self.run.last {
            None | Some(TokenOutcome::Accepted) => &self.tokens[self.run.accepted..],
            Some(TokenOutcome::Ended | TokenOutcome::Refused | TokenOutcome::Failed(_)) => &[],
        }
    }

    /// Adds the outcome of the next token.
    fn add(&mut self, found: TokenOutcome) {
        self.run.accepted += usize::from(matches!(found, TokenOutcome::Accepted | TokenOutcome::Ended));
        self.run.last = Some(found);
    }
}

impl<M: Machine> DeviceSequences<M> {
    /// Moves sequences by runs of tokens, such as those that formats force, on the device and on the host. A run stops at the first token
    /// that is not accepted or that ends the text. Waits for the device, and returns the outcome of each run. Runs may have any length; one
    /// launch takes up to [`run_tokens`](crate::SlotLimits::run_tokens) tokens of each.
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

    /// Reads the rest of the runs of sequences on the host.
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

    /// Moves slots by the next pieces of runs. A matcher reads a token that the device leaves to the host.
    fn run_on_device<'a>(&mut self, left: &mut [&mut Progress<'a>]) -> Result<(), SlotsError> {
        // If there is no room for runs, `DeviceSlots::run` returns an error.
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
