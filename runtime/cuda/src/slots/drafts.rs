//! Verifies tokens that are drafted before a pass of the model. Between a draft and its verification, the slot has moved by the drafted
//! tokens that its format accepts, so that nothing else may move it.
//!
//! # Steps
//! 1. [`DeviceSlots::set_rows`] sets how rows are sampled: each slot has `1 + SlotLimits::draft_tokens` rows, and row `i` has located mask `i`. The
//!    settings stay for all drafts.
//! 2. [`DeviceSlots::draft`] writes the drafts, and finds the masks of all rows.
//! 3. The model reads the last token of each text and the drafted tokens, and [`DeviceSlots::sample`] chooses a token for each row.
//! 4. [`DeviceSlots::verify`] moves the slots by the chosen tokens.
//!
//! The launches of steps 2 to 4 have the same shape and addresses for drafts of any length. So a plan of these launches and the model's
//! pass can be reused for the same number of drafts: [`DeviceSlots::write_drafts`] writes the next drafts for it.

use zerocopy::IntoBytes;

use super::*;
use crate::draft::{DraftEnd, VerifiedDraft};
use crate::run::MovedTokens;
use launches::SlotDrafts;
use runs::token_rows;

/// Entry of a list that stands for no slot.
const NO_SLOT: u32 = u32::MAX;

/// The host's record of slots with drafts.
#[derive(Clone, Debug, Default)]
pub(super) struct SetDrafts {
    /// Number of drafts, some of which may have been verified.
    count: u32,
    /// The slots whose drafts are not verified yet, by position in the list.
    waiting: Vec<Option<SlotId>>,
}

impl<M: Machine> DeviceSlots<M> {
    /// Drafts tokens of slots: finds the masks before and after each drafted token. Draft `i` has the located masks from `i * (1 + most)`
    /// on, where `most` is [`SlotLimits::draft_tokens`], whatever the length of the draft. Rows after the first token that a format refuses
    /// or that ends the text have no mask, and are not sampled. Until the drafts are [verified](Self::verify), nothing else moves these
    /// slots; beginning, placing or closing a slot discards its draft.
    ///
    /// # Errors
    /// A slot is not open or named twice, a draft is too long, fewer rows were set than drafts have, earlier drafts were not verified, or
    /// the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, SlotId, SlotsError, VerifiedDraft};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// /// # Safety
    /// /// As for `DeviceSlots::sample`.
    /// unsafe fn guessed<M: Machine>(
    ///     slots: &mut DeviceSlots<M>,
    ///     drafts: &[(SlotId, &[TokenId])],
    ///     logits: &Logits,
    /// ) -> Result<Vec<VerifiedDraft>, SlotsError> {
    ///     slots.draft(drafts)?;
    ///     // Here the model computes the logits.
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { slots.sample(logits) }?;
    ///     slots.verify()?;
    ///     slots.verified()
    /// }
    /// ```
    pub fn draft(&mut self, drafts: &[(SlotId, &[TokenId])]) -> Result<(), SlotsError> {
        self.write_drafts(drafts)?;
        let launch = self.memory.draft(&self.drafts(drafts.len() as u32))?;
        self.launch([launch])
    }

    /// Writes drafts for a plan that finds their masks, samples their rows and verifies them: a plan with
    /// [`draft_launch`](Self::draft_launch) and [`verify_launch`](Self::verify_launch) over [`drafts`](Self::drafts). The drafts count as
    /// unverified until [`verified`](Self::verified) is called.
    ///
    /// # Errors
    /// As for [`draft`](Self::draft).
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, Plan, SlotId, SlotsError, VerifiedDraft};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// /// # Safety
    /// /// The plan is for this number of drafts, over the slots of this machine.
    /// unsafe fn next<M: Machine>(
    ///     slots: &mut DeviceSlots<M>,
    ///     drafts: &[(SlotId, &[TokenId])],
    ///     plan: &Plan,
    /// ) -> Result<Vec<VerifiedDraft>, SlotsError> {
    ///     slots.write_drafts(drafts)?;
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { slots.machine().run(plan) }?;
    ///     slots.verified()
    /// }
    /// ```
    pub fn write_drafts(&mut self, drafts: &[(SlotId, &[TokenId])]) -> Result<(), SlotsError> {
        if let Some(slot) = self.set_drafts.waiting.iter().flatten().next() {
            return Err(SlotsError::Drafted { given: slot.0 });
        }
        let tokens = token_rows(self.limits.draft_tokens, drafts)?;
        let slots = self.check_movable(drafts.iter().map(|(slot, _)| *slot))?;
        self.check_set_rows(drafts.len() as u32)?;
        let memory = self.memory.drafts;
        if !slots.is_empty() {
            self.machine.write(memory.list, slots.as_bytes())?;
            self.write_rows(memory.tokens, &tokens)?;
        }
        let waiting = drafts.iter().map(|(slot, _)| Some(*slot)).collect();
        self.set_drafts = SetDrafts { count: drafts.len() as u32, waiting };
        for (slot, _) in drafts {
            self.note_draft(*slot, true);
        }
        Ok(())
    }

    /// Returns the addresses of the lists of `count` drafts.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Machine, SlotsError};
    /// fn verifying<M: Machine>(slots: &DeviceSlots<M>, count: u32) -> Result<Option<KernelLaunch>, SlotsError> {
    ///     slots.verify_launch(&slots.drafts(count))
    /// }
    /// ```
    #[must_use]
    pub fn drafts(&self, count: u32) -> SlotDrafts {
        let memory::DraftMemory { list, tokens, drafted, verified, .. } = self.memory.drafts;
        SlotDrafts { slots: list, drafts: tokens, drafted, verified, count, most: self.limits.draft_tokens }
    }

    /// Verifies the last drafts against the sampled tokens of their rows. Each slot is moved by the sampled tokens up to and including the first that
    /// differs from the draft, and its next mask is found. The position of each draft's first row becomes that of the next token.
    /// [`verified`](Self::verified) returns the results.
    ///
    /// # Errors
    /// Fewer rows were set than drafts have, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, DraftEnd, Machine, SlotsError};
    /// fn go_on<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<usize, SlotsError> {
    ///     slots.verify()?;
    ///     Ok(slots.verified()?.iter().filter(|draft| draft.end == DraftEnd::GoesOn).count())
    /// }
    /// ```
    pub fn verify(&mut self) -> Result<(), SlotsError> {
        if self.set_drafts.waiting.is_empty() {
            return Ok(());
        }
        let count = self.set_drafts.count;
        self.check_set_rows(count)?;
        let launch = self.memory.verify(&self.drafts(count))?;
        self.launch([launch])?;
        self.end_drafts();
        Ok(())
    }

    /// Waits for the device; returns the results of the last drafts, in their order. The first `tokens` tokens of a draft's rows, as
    /// returned by [`sampled`](Self::sampled), belong to the text. A draft whose slot was begun, placed or closed meanwhile is
    /// [`DraftEnd::Nothing`].
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn tokens<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<u32, SlotsError> {
    ///     Ok(slots.verified()?.iter().map(|draft| draft.tokens).sum())
    /// }
    /// ```
    pub fn verified(&mut self) -> Result<Vec<VerifiedDraft>, SlotsError> {
        self.end_drafts();
        let mut bytes = vec![[0; VerifiedDraft::BYTES]; self.set_drafts.count as usize];
        if !bytes.is_empty() {
            self.machine.read(self.memory.drafts.verified, bytes.as_mut_bytes())?;
        }
        let nothing = VerifiedDraft { end: DraftEnd::Nothing, tokens: 0, moved: 0 };
        Ok(bytes.into_iter().map(|bytes| written(VerifiedDraft::from_bytes(&bytes), nothing, &bytes)).collect())
    }

    /// Waits for the device; returns the format's verdict on each of the last drafts, in their order: the number of tokens that are
    /// allowed, and the reason why no more are.
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn allowed<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<u32, SlotsError> {
    ///     Ok(slots.drafted()?.iter().map(|draft| draft.accepted).sum())
    /// }
    /// ```
    pub fn drafted(&mut self) -> Result<Vec<MovedTokens>, SlotsError> {
        self.read_moved(self.memory.drafts.drafted, self.set_drafts.count as usize)
    }

    /// Discards the unverified draft of a slot that is begun, placed or closed.
    pub(super) fn leave_draft(&mut self, slot: SlotId) -> Result<(), SlotsError> {
        let Some(at) = self.set_drafts.waiting.iter().position(|waiting| *waiting == Some(slot)) else {
            return Ok(());
        };
        self.machine.write(self.memory.drafts.list + 4 * at as u64, &NO_SLOT.to_le_bytes())?;
        self.set_drafts.waiting[at] = None;
        self.note_draft(slot, false);
        Ok(())
    }

    /// Records that the unverified drafts were verified.
    fn end_drafts(&mut self) {
        for slot in std::mem::take(&mut self.set_drafts.waiting).into_iter().flatten() {
            self.note_draft(slot, false);
        }
    }

    /// Records whether a slot has a draft. A slot that was not begun never has one.
    fn note_draft(&mut self, slot: SlotId, is_drafted: bool) {
        let state = &mut self.slots[slot.0 as usize];
        if let SlotUse::At(format) | SlotUse::Drafted(format) = *state {
            *state = if is_drafted { SlotUse::Drafted(format) } else { SlotUse::At(format) };
        }
    }

    /// Rejects drafts that have more rows than were set.
    fn check_set_rows(&self, drafts: u32) -> Result<(), SlotsError> {
        let (given, limit) = (self.rows.count, drafts * (1 + self.limits.draft_tokens));
        if given < limit { Err(SlotsError::DraftRows { given, limit }) } else { Ok(()) }
    }
}
