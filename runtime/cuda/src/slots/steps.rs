//! Moves slots, and writes their masks. Each method writes lists, launches kernels, and returns without waiting.

use std::collections::BTreeSet;

use ogc_runtime::matcher::Matcher;
use zerocopy::IntoBytes;

use super::*;
use crate::machine::launch::KernelLaunch;
use crate::masking::Masks;
use crate::slot::{SLOT_BYTES, SlotImage, SlotStatus};
use launches::SlotLists;

impl<M: Machine> DeviceSlots<M> {
    /// Puts slots at the beginning of formats, and finds the masks of their first tokens.
    ///
    /// # Errors
    /// A slot is not open or named twice, a format was not added, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotId, SlotsError};
    /// fn anew<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId, format: FormatId) -> Result<(), SlotsError> {
    ///     slots.begin(&[(slot, format)])
    /// }
    /// ```
    pub fn begin(&mut self, begun: &[(SlotId, FormatId)]) -> Result<(), SlotsError> {
        begun.iter().try_for_each(|(_, format)| self.format(*format).map(drop))?;
        self.check_slots(begun.iter().map(|(slot, _)| *slot))?;
        begun.iter().try_for_each(|(slot, _)| self.leave_draft(*slot))?;
        let lists = self.list(begun.iter().map(|(slot, format)| (*slot, format.0)))?;
        for (slot, format) in begun {
            self.slots[slot.0 as usize] = SlotUse::At(*format);
        }
        self.told = 0;
        self.launch([self.memory.begin(&lists), self.memory.locate(&lists)])
    }

    /// Moves slots by tokens, and finds the next masks. A token that is not allowed leaves its slot unchanged; so do slots that are not begun, and
    /// slots that the host steps. [`outcomes`](Self::outcomes) returns the outcomes.
    ///
    /// # Errors
    /// A slot is not open, named twice or has a [draft](Self::draft), or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, Outcome, SlotId, SlotsError};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// fn is_taken<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId, token: TokenId) -> Result<bool, SlotsError> {
    ///     slots.advance(&[(slot, token)])?;
    ///     Ok(slots.outcomes()? == [Outcome::Accepted])
    /// }
    /// ```
    pub fn advance(&mut self, tokens: &[(SlotId, TokenId)]) -> Result<(), SlotsError> {
        // Token numbers are capped at `i32::MAX`: the kernel refuses unknown tokens, but a negative number would leave the slot unchanged.
        let lists = self.list(tokens.iter().map(|(slot, token)| (*slot, token.0.min(i32::MAX as u32))))?;
        self.told = tokens.len();
        self.launch([self.memory.advance(&lists), self.memory.locate(&lists)])
    }

    /// Takes back the last `n` tokens of each slot, at most the last 16 since the slot was begun or placed. If a slot has fewer, none of
    /// its tokens is taken back. [`outcomes`](Self::outcomes) returns the outcomes.
    ///
    /// # Errors
    /// A slot is not open, named twice or has a [draft](Self::draft), or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotId, SlotsError};
    /// fn undo<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId) -> Result<(), SlotsError> {
    ///     slots.roll_back(&[(slot, 1)])
    /// }
    /// ```
    pub fn roll_back(&mut self, counts: &[(SlotId, u32)]) -> Result<(), SlotsError> {
        let lists = self.list(counts.iter().map(|(slot, count)| (*slot, (*count).min(i32::MAX as u32))))?;
        self.told = counts.len();
        self.launch([self.memory.roll_back(&lists), self.memory.locate(&lists)])
    }

    /// Waits for the device; returns the outcomes of the last [`advance`](Self::advance) or [`roll_back`](Self::roll_back), in the order of its
    /// slots.
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, Outcome, SlotsError};
    /// fn ended<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<usize, SlotsError> {
    ///     Ok(slots.outcomes()?.into_iter().filter(|outcome| *outcome == Outcome::Ended).count())
    /// }
    /// ```
    pub fn outcomes(&mut self) -> Result<Vec<Outcome>, SlotsError> {
        let mut numbers = vec![0u32; self.told];
        if self.told > 0 {
            self.machine.read(self.memory.outcomes, numbers.as_mut_bytes())?;
        }
        let outcome = |number| written(Outcome::from_number(number), Outcome::None, &number);
        Ok(numbers.into_iter().map(outcome).collect())
    }

    /// Waits for the device; returns who steps each of `slots`. The host steps a slot with which the device could not continue, or whose
    /// mask it cannot find.
    ///
    /// # Errors
    /// A slot is not open, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotId, SlotStatus, SlotsError};
    /// fn is_hosts<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId) -> Result<bool, SlotsError> {
    ///     Ok(slots.statuses(&[slot])? == [SlotStatus::Host])
    /// }
    /// ```
    pub fn statuses(&mut self, slots: &[SlotId]) -> Result<Vec<SlotStatus>, SlotsError> {
        let mut statuses = Vec::with_capacity(slots.len());
        for slot in slots {
            self.state(*slot)?;
            let mut number = 0u32;
            self.machine.read(self.memory.slot(slot.0), number.as_mut_bytes())?;
            statuses.push(written(SlotStatus::from_number(number), SlotStatus::Free, &number));
        }
        Ok(statuses)
    }

    /// Waits for the device; returns a copy of a slot.
    ///
    /// # Errors
    /// The slot is not open, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotId, SlotsError};
    /// fn rows<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId) -> Result<usize, SlotsError> {
    ///     Ok(slots.image(slot)?.mask_rows().len())
    /// }
    /// ```
    pub fn image(&mut self, slot: SlotId) -> Result<SlotImage, SlotsError> {
        self.state(slot)?;
        let mut bytes = vec![0; SLOT_BYTES];
        self.machine.read(self.memory.slot(slot.0), &mut bytes)?;
        Ok(SlotImage::from_bytes(&bytes).unwrap_or_else(|| {
            never!("{} bytes are no slot", SLOT_BYTES);
            SlotImage::free()
        }))
    }

    /// Puts a slot where a matcher stands, and finds the mask of the next token; the device continues from there. Tokens before this place
    /// cannot be taken back.
    ///
    /// # Errors
    /// The matcher is for another format, has other stop tokens or a budget, or its readings do not fit in a slot; then the slot is
    /// unchanged.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotId, SlotsError};
    /// # use ogc_runtime::matcher::Matcher;
    /// fn back<M: Machine>(
    ///     slots: &mut DeviceSlots<M>,
    ///     slot: SlotId,
    ///     format: FormatId,
    ///     matcher: &Matcher,
    /// ) -> Result<(), SlotsError> {
    ///     slots.place(slot, format, matcher)
    /// }
    /// ```
    pub fn place(&mut self, slot: SlotId, format: FormatId, matcher: &Matcher) -> Result<(), SlotsError> {
        self.state(slot)?;
        let added = self.format(format)?;
        if !Arc::ptr_eq(&added.automaton, matcher.automaton()) && !added.masks.is_of(matcher.automaton()) {
            return Err(SlotsError::OtherFormat { given: format.0 });
        }
        if matcher.stop_tokens() != self.stops || matcher.has_own_stop_tokens() != self.memory.only_stops {
            return Err(SlotsError::OtherStops);
        }
        let image = SlotImage::new(matcher, format.0)?;
        self.leave_draft(slot)?;
        self.machine.write(self.memory.slot(slot.0), image.bytes())?;
        self.slots[slot.0 as usize] = SlotUse::At(format);
        let lists = self.list([(slot, 0)])?;
        self.told = 0;
        self.launch([self.memory.locate(&lists)])
    }

    /// Writes the masks of slots as bits: row `i` of [`masks`](Self::masks) is the mask of entry `i`. Rows of slots that the device does not step are
    /// left unchanged; use [`write_mask`](Self::write_mask) for them.
    ///
    /// # Errors
    /// A slot is not open or named twice, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotId, SlotsError};
    /// fn bits<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId) -> Result<Vec<u32>, SlotsError> {
    ///     slots.fill(&[slot])?;
    ///     Ok(slots.read_masks(1)?.remove(0))
    /// }
    /// ```
    pub fn fill(&mut self, slots: &[SlotId]) -> Result<(), SlotsError> {
        let listed = self.check_slots(slots.iter().copied())?;
        let address = self.write_list(listed)?;
        let lists = SlotLists { slots: address, count: slots.len() as u32, ..SlotLists::default() };
        let masks = self.masks();
        self.launch([self.memory.fill(&lists, &masks)])
    }

    /// Returns the memory in which masks are written as bits, with a row for each slot. [`Device::apply`](crate::Device::apply) masks
    /// logits by them.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, Masking, MaskingError, RowMap};
    /// fn masking<M: Machine>(slots: &DeviceSlots<M>, logits: Logits) -> Result<Masking, MaskingError> {
    ///     Masking::new(logits, slots.masks(), RowMap::SameRow)
    /// }
    /// ```
    #[must_use]
    pub fn masks(&self) -> Masks {
        let stride = u64::from(self.memory.mask_stride());
        let len = stride * u64::from(self.limits.slots);
        Masks { address: self.memory.masks, len, vocabulary: self.memory.tokens, stride }
    }

    /// Writes a row of the masks, in the layout of [`Matcher::fill_mask`].
    ///
    /// # Errors
    /// The row does not exist, the number of words is not that of a mask, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn all<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<(), SlotsError> {
    ///     let words = slots.vocabulary().len().div_ceil(32);
    ///     slots.write_mask(0, &vec![u32::MAX; words])
    /// }
    /// ```
    pub fn write_mask(&mut self, row: usize, words: &[u32]) -> Result<(), SlotsError> {
        self.check_rows(row.saturating_add(1))?;
        let limit = self.memory.mask_words();
        if words.len() != limit as usize {
            return Err(SlotsError::MaskWords { given: words.len(), limit });
        }
        let place = self.memory.masks + row as u64 * u64::from(self.memory.mask_stride()) * 4;
        Ok(self.machine.write(place, words.as_bytes())?)
    }

    /// Waits for the device; returns the first `rows` rows of the masks.
    ///
    /// # Errors
    /// There are fewer rows, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn first_word<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<u32, SlotsError> {
    ///     Ok(slots.read_masks(1)?[0][0])
    /// }
    /// ```
    pub fn read_masks(&mut self, rows: usize) -> Result<Vec<Vec<u32>>, SlotsError> {
        self.check_rows(rows)?;
        let (stride, words) = (self.memory.mask_stride() as usize, self.memory.mask_words() as usize);
        let mut all = vec![0u32; rows * stride];
        if !all.is_empty() {
            self.machine.read(self.memory.masks, all.as_mut_bytes())?;
        }
        Ok(all.chunks_exact(stride.max(1)).map(|row| row[..words].to_vec()).collect())
    }

    /// Rejects more rows of masks than there are slots.
    pub(super) fn check_rows(&self, given: usize) -> Result<(), SlotsError> {
        let limit = self.limits.slots;
        if given > limit as usize { Err(SlotsError::Rows { given, limit }) } else { Ok(()) }
    }

    /// Returns the numbers of slots; rejects slots that are not open or are named twice.
    fn check_slots(&self, slots: impl IntoIterator<Item = SlotId>) -> Result<Vec<u32>, SlotsError> {
        let (mut listed, mut seen) = (Vec::new(), BTreeSet::new());
        for slot in slots {
            self.state(slot)?;
            if !seen.insert(slot) {
                return Err(SlotsError::Closed { given: slot.0 });
            }
            listed.push(slot.0);
        }
        Ok(listed)
    }

    /// Returns the numbers of slots, as [`check_slots`](Self::check_slots) does; also rejects slots with a draft.
    pub(super) fn check_movable(&self, slots: impl IntoIterator<Item = SlotId>) -> Result<Vec<u32>, SlotsError> {
        let listed = self.check_slots(slots)?;
        self.check_undrafted(listed.iter().map(|slot| SlotId(*slot)))?;
        Ok(listed)
    }

    /// Rejects slots that have a draft.
    pub(super) fn check_undrafted(&self, slots: impl IntoIterator<Item = SlotId>) -> Result<(), SlotsError> {
        let is_drafted = |slot: &SlotId| matches!(self.slots[slot.0 as usize], SlotUse::Drafted(_));
        match slots.into_iter().find(is_drafted) {
            Some(slot) => Err(SlotsError::Drafted { given: slot.0 }),
            None => Ok(()),
        }
    }

    /// Writes the list of slots, unless it is already in device memory; returns its address.
    pub(super) fn write_list(&mut self, listed: Vec<u32>) -> Result<u64, SlotsError> {
        // The list fits, because each slot is named at most once.
        if !self.listed.starts_with(&listed) {
            self.listed.clear();
            self.machine.write(self.memory.list, listed.as_bytes())?;
            self.listed = listed;
        }
        Ok(self.memory.list)
    }

    /// Writes slots and an argument for each to the device, and returns the addresses; rejects slots with a draft.
    fn list(&mut self, told: impl IntoIterator<Item = (SlotId, u32)>) -> Result<SlotLists, SlotsError> {
        let (slots, numbers): (Vec<SlotId>, Vec<u32>) = told.into_iter().unzip();
        let listed = self.check_movable(slots)?;
        let slots = self.write_list(listed)?;
        if !numbers.is_empty() {
            self.machine.write(self.memory.numbers, numbers.as_bytes())?;
        }
        let count = numbers.len() as u32;
        Ok(SlotLists { slots, numbers: self.memory.numbers, outcomes: self.memory.outcomes, count })
    }

    /// Launches kernels one after the other.
    pub(super) fn launch<const N: usize>(&mut self, launches: [Option<KernelLaunch>; N]) -> Result<(), SlotsError> {
        for launch in launches.into_iter().flatten() {
            // SAFETY: the addresses are in memory that `SlotMemory::reserve` reserved, as much as the limits say. This module wrote the
            // lists, with slot numbers below the limit, each once. Slots have the numbers of formats in the table, which are not removed
            // before. Formats refer to rows of the pool that were copied before the format was.
            unsafe { self.machine.launch(&launch) }?;
        }
        Ok(())
    }
}
