//! Moves slots by runs of tokens that are known beforehand, such as those that formats force, in one launch however long the runs are.

use zerocopy::IntoBytes;

use super::*;
use crate::run::MovedTokens;
use crate::token_rows::TokenRows;
use launches::SlotRuns;

impl<M: Machine> DeviceSlots<M> {
    /// Moves slots by runs of tokens, each up to the first token that is not accepted, and finds the next masks. [`moved`](Self::moved)
    /// returns the outcomes. As with [`advance`](Self::advance), slots that are not begun and slots that the host steps stay unchanged; so
    /// does a slot with an empty run. Only the last 16 tokens of a run can be taken back.
    ///
    /// # Errors
    /// A slot is not open, named twice or has a draft, a run is longer than [`SlotLimits::run_tokens`], or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotId, SlotsError};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// fn is_read<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId, run: &[TokenId]) -> Result<bool, SlotsError> {
    ///     slots.run(&[(slot, run)])?;
    ///     Ok(slots.moved()?[0].accepted as usize == run.len())
    /// }
    /// ```
    pub fn run(&mut self, runs: &[(SlotId, &[TokenId])]) -> Result<(), SlotsError> {
        let most = runs.iter().map(|(_, tokens)| tokens.len()).max().unwrap_or(0);
        let most = u32::try_from(most).unwrap_or(u32::MAX).min(self.limits.run_tokens);
        let tokens = token_rows(most, runs)?;
        let slots = self.check_movable(runs.iter().map(|(slot, _)| *slot))?;
        let slots = self.write_list(slots)?;
        let memory = self.memory.runs;
        self.write_rows(memory.tokens, &tokens)?;
        let count = runs.len() as u32;
        let lists = SlotRuns { slots, runs: memory.tokens, moved: memory.moved, count, most };
        self.ran = runs.len();
        self.launch([self.memory.run(&lists)])
    }

    /// Waits for the device; returns the outcomes of the last [`run`](Self::run)s, in their order.
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn tokens<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<u32, SlotsError> {
    ///     Ok(slots.moved()?.iter().map(|moved| moved.accepted).sum())
    /// }
    /// ```
    pub fn moved(&mut self) -> Result<Vec<MovedTokens>, SlotsError> {
        self.read_moved(self.memory.runs.moved, self.ran)
    }

    /// Waits for the device; returns the outcomes of the tokens of `count` slots.
    pub(super) fn read_moved(&mut self, address: u64, count: usize) -> Result<Vec<MovedTokens>, SlotsError> {
        let mut bytes = vec![[0; MovedTokens::BYTES]; count];
        if !bytes.is_empty() {
            self.machine.read(address, bytes.as_mut_bytes())?;
        }
        let nothing = MovedTokens { last: Outcome::None, accepted: 0 };
        Ok(bytes.into_iter().map(|bytes| written(MovedTokens::from_bytes(bytes), nothing, &bytes)).collect())
    }

    /// Writes rows of tokens to an address.
    pub(super) fn write_rows(&mut self, address: u64, rows: &TokenRows) -> Result<(), SlotsError> {
        if !rows.bytes().is_empty() {
            self.machine.write(address, rows.bytes())?;
        }
        Ok(())
    }
}

/// Lays out the tokens of slots as rows. Token numbers are capped at `i32::MAX`: kernels refuse unknown tokens, but a negative number would
/// end a row.
pub(super) fn token_rows(most: u32, rows: &[(SlotId, &[TokenId])]) -> Result<TokenRows, SlotsError> {
    let known = |token: &TokenId| TokenId(token.0.min(i32::MAX as u32));
    let rows: Vec<Vec<TokenId>> = rows.iter().map(|(_, tokens)| tokens.iter().map(known).collect()).collect();
    Ok(TokenRows::new(most, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())?)
}
