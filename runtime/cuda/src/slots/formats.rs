//! Formats of slots: adding a format copies it to device memory that nothing uses yet.

use super::*;
use crate::format::{DeviceFormat, FormatEntry};
use crate::masks::{DeviceMasks, MasksError};
use crate::pool::{PoolCopy, PoolError, PoolPart};
use ogc_runtime::artifact::Fingerprint;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use zerocopy::IntoBytes;

/// Alignment in bytes of the tables of masks, which follow those of the automaton.
const ALIGNMENT: u64 = 256;

/// A format in device memory.
///
/// ```
/// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotsError};
/// fn begin_all<M: Machine>(slots: &mut DeviceSlots<M>, formats: &[FormatId]) -> Result<(), SlotsError> {
///     let begun: Result<Vec<_>, SlotsError> = formats.iter().map(|format| Ok((slots.open()?, *format))).collect();
///     slots.begin(&begun?)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormatId(pub(super) u32);

impl FormatId {
    /// Returns the format's number in the table of formats.
    ///
    /// ```
    /// fn is_first(format: ogc_cuda::FormatId) -> bool {
    ///     format.number() == 0
    /// }
    /// ```
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A format that was added.
#[derive(Clone, Debug)]
pub(super) struct AddedFormat {
    pub(super) automaton: Arc<Automaton>,
    pub(super) masks: Arc<MaskPack>,
    /// Offset and size of the piece of memory that the tables take, in bytes.
    at: u64,
    bytes: u64,
}

impl<M: Machine> DeviceSlots<M> {
    /// Copies a format to the device, with those rows of its masks that the pool lacks. When this returns, the copy is complete, for work
    /// on any stream.
    ///
    /// Other slots may be stepped meanwhile, and captured graphs stay valid: the memory that they use is not touched. A stream that is
    /// being captured may forbid copies; in that case, wait until the capture has ended.
    ///
    /// # Errors
    /// There is no room, the format has arrays without duplicate items, the masks are for another format or vocabulary, or the vocabulary
    /// lacks a token that the format asks for by name. Rows that were already added to the pool stay there, for formats that share them.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotsError};
    /// # use ogc_runtime::artifact::Artifact;
    /// /// Adds the format of an artifact; `None` if it was written without masks.
    /// fn add<M: Machine>(slots: &mut DeviceSlots<M>, artifact: &Artifact) -> Result<Option<FormatId>, SlotsError> {
    ///     artifact.masks().map(|masks| slots.add_format(&artifact.format().automaton, masks)).transpose()
    /// }
    /// ```
    pub fn add_format(&mut self, automaton: &Arc<Automaton>, masks: &Arc<MaskPack>) -> Result<FormatId, SlotsError> {
        let free = self.formats.iter().zip(0..).find(|(format, _)| format.is_none());
        let (_, number) = free.ok_or(SlotsError::Formats { limit: self.limits.formats })?;
        if automaton.has_distinct_items() {
            return Err(SlotsError::DistinctItems);
        }
        if let Some(name) = self.vocabulary.missing_tokens(&automaton.tokens).into_iter().next() {
            return Err(SlotsError::MissingToken { name });
        }
        let (given, expected) = (masks.vocabulary(), Fingerprint(self.vocabulary.fingerprint()));
        if given != expected {
            return Err(MasksError::Pool(PoolError::OtherVocabulary { given, expected }).into());
        }
        let tables = DeviceFormat::new(automaton)?;
        let mask_tables = DeviceMasks::new(automaton, masks, &mut self.pool)?;
        let mask_place = (tables.bytes().len() as u64).next_multiple_of(ALIGNMENT);
        let bytes = mask_place + mask_tables.bytes().len() as u64;
        let limit = self.space.longest();
        let at = self.space.take(bytes).ok_or(SlotsError::FormatBytes { given: bytes, limit })?;
        let address = self.memory.format_bytes + at;
        let entry = FormatEntry { automaton: address, masks: address + mask_place };
        self.upload(number, entry, tables.bytes(), mask_tables.bytes())?;
        let (automaton, masks) = (Arc::clone(automaton), Arc::clone(masks));
        self.formats[number as usize] = Some(AddedFormat { automaton, masks, at, bytes });
        Ok(FormatId(number))
    }

    /// Copies the new rows of the pool, the tables of a format, and finally its table entry.
    fn upload(&mut self, number: u32, entry: FormatEntry, tables: &[u8], masks: &[u8]) -> Result<(), SlotsError> {
        for copy in self.pool.take_copies() {
            self.machine.write(self.place_of(&copy), copy.bytes())?;
        }
        self.machine.write(entry.automaton, tables)?;
        self.machine.write(entry.masks, masks)?;
        let place = self.memory.format(number);
        self.machine.write(place, entry.as_bytes())?;
        // A read waits until everything is copied; otherwise other streams could run earlier.
        let mut written = FormatEntry::default();
        Ok(self.machine.read(place, written.as_mut_bytes())?)
    }

    fn place_of(&self, copy: &PoolCopy) -> u64 {
        let (rows, contents) = self.memory.pool;
        copy.at()
            + match copy.part() {
                PoolPart::Table => rows,
                PoolPart::Contents => contents,
            }
    }

    /// Removes a format, and frees the memory of its tables. The rows of its masks stay in the pool, for formats that share them.
    ///
    /// Work on the caller's streams must no longer step or mask by the format.
    ///
    /// # Errors
    /// The format was not added, or slots are in texts of it.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotId, SlotsError};
    /// fn last<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId, format: FormatId) -> Result<(), SlotsError> {
    ///     slots.close(slot)?;
    ///     slots.remove_format(format)
    /// }
    /// ```
    pub fn remove_format(&mut self, format: FormatId) -> Result<(), SlotsError> {
        self.format(format)?;
        let slots = self.slots.iter().filter(|state| state.is_of(format)).count();
        if slots > 0 {
            return Err(SlotsError::FormatInUse { given: format.0, slots });
        }
        // SAFETY: no slot has the format; earlier work of this machine that used it comes before the next write to its memory.
        unsafe { self.remove_unused_format(format) }
    }

    /// Removes a format, as [`remove_format`](Self::remove_format) does, for callers that move slots with their own lists: only they know
    /// the slots' formats.
    ///
    /// # Errors
    /// The format was not added.
    ///
    /// # Safety
    /// No slot is in a text of the format, and no running work steps or masks by it.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotsError};
    /// /// # Safety
    /// /// No slot is in a text of the format.
    /// unsafe fn remove<M: Machine>(slots: &mut DeviceSlots<M>, format: FormatId) -> Result<(), SlotsError> {
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { slots.remove_unused_format(format) }
    /// }
    /// ```
    pub unsafe fn remove_unused_format(&mut self, format: FormatId) -> Result<(), SlotsError> {
        let AddedFormat { at, bytes, .. } = *self.format(format)?;
        for state in self.slots.iter_mut().filter(|state| state.is_of(format)) {
            *state = SlotUse::Open;
        }
        self.space.give_back(at, bytes);
        self.formats[format.0 as usize] = None;
        Ok(())
    }

    /// Returns the format with a number.
    ///
    /// # Errors
    /// No format was added with this number, or it was removed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn is_added<M: Machine>(slots: &DeviceSlots<M>, number: u32) -> bool {
    ///     slots.format_of_number(number).is_ok()
    /// }
    /// ```
    pub fn format_of_number(&self, number: u32) -> Result<FormatId, SlotsError> {
        self.format(FormatId(number)).map(|_| FormatId(number))
    }

    /// Returns a matcher at the beginning of a format, with the stop tokens of the slots. It can continue where the device cannot.
    ///
    /// # Errors
    /// The format was not added, or the store is for another vocabulary.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotsError};
    /// # use ogc_runtime::mask::MaskStore;
    /// # use ogc_runtime::matcher::Matcher;
    /// fn matcher<M: Machine>(
    ///     slots: &DeviceSlots<M>,
    ///     format: FormatId,
    ///     store: &Arc<MaskStore>,
    /// ) -> Result<Matcher, SlotsError> {
    ///     slots.matcher(format, store)
    /// }
    /// ```
    pub fn matcher(&self, format: FormatId, store: &Arc<MaskStore>) -> Result<Matcher, SlotsError> {
        let AddedFormat { automaton, masks, .. } = self.format(format)?;
        let mut matcher = Matcher::with_masks(Arc::clone(automaton), Arc::clone(store), Arc::clone(masks))?;
        matcher.set_stop_tokens(self.memory.only_stops.then_some(&*self.stops));
        Ok(matcher)
    }

    /// Returns a format that was added.
    pub(super) fn format(&self, format: FormatId) -> Result<&AddedFormat, SlotsError> {
        let found = self.formats.get(format.0 as usize).and_then(Option::as_ref);
        found.ok_or(SlotsError::UnknownFormat { given: format.0 })
    }
}
