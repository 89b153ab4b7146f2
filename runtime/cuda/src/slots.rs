//! Sequences on a device. Each has a slot, in which it is stepped through its format; all slots share the memory of the formats.
//!
//! # Steps
//! 1. [`DeviceSlots::new`] reserves all memory at once, as [`limits`] say; [`memory`] has the addresses. Nothing moves from then on, so
//!    that a captured graph stays valid.
//! 2. [`DeviceSlots::add_format`] ([`formats`]) copies a format to the device, at any time: memory in use is not touched, and the table
//!    entry is written last.
//! 3. [`DeviceSlots::begin`], `advance`, `roll_back` ([`steps`]) move slots, and find the masks of their next tokens. `fill` writes masks
//!    as bits, `sample` ([`sampling`]) chooses tokens by them, and `step` does all of that in one launch. `run` ([`runs`]) moves slots by
//!    several tokens, and `draft` and `verify` ([`drafts`]) by drafted ones. All of them launch kernels without waiting; outcomes are read
//!    when they are requested.
//!
//! If the device cannot continue a sequence, [`DeviceSequences`](crate::DeviceSequences) continues it with a matcher, and returns later.
//! [`launches`] offers the same kernels for lists and streams of a caller.

#![allow(unsafe_code, reason = "launches have addresses; that they are right is argued where they are launched")]

mod drafts;
pub(crate) mod error;
pub(crate) mod formats;
pub(crate) mod launches;
pub(crate) mod limits;
pub(crate) mod memory;
mod runs;
pub(crate) mod sampling;
mod space;
mod steps;
pub(crate) mod tables;

use std::fmt::Debug;
use std::sync::Arc;

use always_assert::never;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskPack;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::pool::DevicePool;
use crate::vocabulary::DeviceVocabulary;
use drafts::SetDrafts;
use error::SlotsError;
use formats::{AddedFormat, FormatId};
use limits::SlotLimits;
use memory::{SlotMemory, SlotTokens};
use sampling::SetRows;
use space::Space;

/// A sequence's slot on a device.
///
/// ```
/// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
/// fn first<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<u32, SlotsError> {
///     Ok(slots.open()?.number())
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(u32);

impl SlotId {
    /// Returns the number of the slot in lists in device memory.
    ///
    /// ```
    /// # use ogc_cuda::{AllowedTokens, SlotId};
    /// fn by_its_mask(slot: SlotId) -> AllowedTokens {
    ///     AllowedTokens::Slot(slot.number())
    /// }
    /// ```
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Device addresses of the outcomes of rows: entry `i` belongs to row `i`.
///
/// ```
/// let (moved, next_tokens, probabilities) = (0x200, 0x300, 0x400);
/// let addresses = ogc_cuda::SlotAddresses { sampled: 0x100, moved, next_tokens, probabilities };
/// assert_eq!(addresses.moved + 4 * 2, 0x208);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotAddresses {
    /// Outcome of sampling each row, 8 bytes: a [`SampleOutcome`](crate::SampleOutcome).
    pub sampled: u64,
    /// Outcome of the token in the row's slot, 4 bytes: an [`Outcome`].
    pub moved: u64,
    /// The chosen token, 4 bytes; if none was chosen, the previous one stays.
    pub next_tokens: u64,
    /// The natural logarithm of the token's probability, an `f32`. Rows that do not [request it](crate::RowSampling::tells_probability)
    /// keep the old value.
    pub probabilities: u64,
}

/// Use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotUse {
    Closed,
    /// The slot is open, but was not begun; kernels skip it.
    Open,
    /// The slot is in a text of a format, and its mask is located.
    At(FormatId),
    /// The slot has an unverified draft of a text of the format.
    Drafted(FormatId),
}

impl SlotUse {
    /// Returns whether the slot is in a text of a format.
    fn is_of(self, format: FormatId) -> bool {
        matches!(self, Self::At(of) | Self::Drafted(of) if of == format)
    }
}

/// Sequences in the memory of a machine, and the formats in which they are written.
///
/// Invariant: lists that this type writes name open slots only, each once; the formats of slots are in the table.
///
/// ```
/// # use std::sync::Arc;
/// # use ogc_cuda::{DeviceSlots, Machine, Outcome, SlotLimits, SlotsError};
/// # use ogc_runtime::automaton::Automaton;
/// # use ogc_runtime::mask::MaskPack;
/// # use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// /// Begins a text with a token, and returns the outcome.
/// fn begun<M: Machine>(
///     machine: M,
///     vocabulary: Arc<Vocabulary>,
///     format: &Arc<Automaton>,
///     masks: &Arc<MaskPack>,
///     token: TokenId,
/// ) -> Result<Outcome, SlotsError> {
///     let mut slots = DeviceSlots::new(machine, vocabulary, SlotLimits::for_sequences(64))?;
///     let format = slots.add_format(format, masks)?;
///     let slot = slots.open()?;
///     slots.begin(&[(slot, format)])?;
///     slots.advance(&[(slot, token)])?;
///     Ok(slots.outcomes()?[0])
/// }
/// ```
#[derive(Debug)]
pub struct DeviceSlots<M> {
    machine: M,
    limits: SlotLimits,
    memory: SlotMemory,
    vocabulary: Arc<Vocabulary>,
    stops: Vec<TokenId>,
    pool: DevicePool,
    space: Space,
    formats: Vec<Option<AddedFormat>>,
    slots: Vec<SlotUse>,
    /// The list of slots that was last written to device memory.
    listed: Vec<u32>,
    /// Number of outcomes of the last call.
    told: usize,
    /// Number of runs of the last call.
    ran: usize,
    rows: SetRows,
    set_drafts: SetDrafts,
}

impl<M: Machine> DeviceSlots<M> {
    /// Makes slots for texts over a vocabulary, whose end-of-sequence tokens end a text.
    ///
    /// # Errors
    /// The limits are 0 or too high, or the machine has not enough memory.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotLimits, SlotsError};
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// fn slots<M: Machine>(machine: M, vocabulary: Arc<Vocabulary>) -> Result<DeviceSlots<M>, SlotsError> {
    ///     DeviceSlots::new(machine, vocabulary, SlotLimits::for_sequences(16))
    /// }
    /// ```
    pub fn new(machine: M, vocabulary: Arc<Vocabulary>, limits: SlotLimits) -> Result<Self, SlotsError> {
        let laid_out = DeviceVocabulary::new(&vocabulary);
        let stops = vocabulary.eos().to_vec();
        Self::with(machine, vocabulary, &laid_out, stops, false, limits)
    }

    /// Makes slots with other stop tokens. They only end texts, and are never read as text or by name; see
    /// [`set_stop_tokens`](ogc_runtime::matcher::Matcher::set_stop_tokens).
    ///
    /// # Errors
    /// As for [`new`](Self::new), or the vocabulary lacks one of the stop tokens.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotLimits, SlotsError};
    /// # use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// fn slots<M: Machine>(machine: M, vocabulary: Arc<Vocabulary>) -> Result<DeviceSlots<M>, SlotsError> {
    ///     DeviceSlots::with_stop_tokens(machine, vocabulary, &[TokenId(2)], SlotLimits::for_sequences(16))
    /// }
    /// ```
    pub fn with_stop_tokens(
        machine: M,
        vocabulary: Arc<Vocabulary>,
        stops: &[TokenId],
        limits: SlotLimits,
    ) -> Result<Self, SlotsError> {
        let laid_out = DeviceVocabulary::with_stop_tokens(&vocabulary, stops)?;
        let mut stops = stops.to_vec();
        stops.sort_unstable();
        stops.dedup();
        Self::with(machine, vocabulary, &laid_out, stops, true, limits)
    }

    fn with(
        mut machine: M,
        vocabulary: Arc<Vocabulary>,
        laid_out: &DeviceVocabulary,
        stops: Vec<TokenId>,
        only_stops: bool,
        limits: SlotLimits,
    ) -> Result<Self, SlotsError> {
        limits.check()?;
        let stop_numbers: Vec<u32> = stops.iter().map(|stop| stop.0).collect();
        // A vocabulary has at most 2^22 tokens.
        let count = vocabulary.len() as u32;
        let tokens = SlotTokens { vocabulary: laid_out.bytes(), count, stops: &stop_numbers, only_stops };
        let memory = SlotMemory::reserve(&mut machine, &limits, tokens)?;
        Ok(Self {
            machine,
            limits,
            memory,
            vocabulary,
            stops,
            pool: DevicePool::new(limits.pool),
            space: Space::new(limits.format_bytes),
            formats: vec![None; limits.formats as usize],
            slots: vec![SlotUse::Closed; limits.slots as usize],
            // These are the values that were written to the memory.
            listed: Vec::new(),
            told: 0,
            ran: 0,
            rows: SetRows::default(),
            set_drafts: SetDrafts::default(),
        })
    }

    /// Returns the machine.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn machine<M: Machine>(slots: &mut DeviceSlots<M>) -> &mut M {
    ///     slots.machine()
    /// }
    /// ```
    #[must_use]
    pub fn machine(&mut self) -> &mut M {
        &mut self.machine
    }

    /// Returns the limits with which the slots were made.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn most<M: Machine>(slots: &DeviceSlots<M>) -> u32 {
    ///     slots.limits().slots
    /// }
    /// ```
    #[must_use]
    pub fn limits(&self) -> SlotLimits {
        self.limits
    }

    /// Returns the vocabulary.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn tokens<M: Machine>(slots: &DeviceSlots<M>) -> usize {
    ///     slots.vocabulary().len()
    /// }
    /// ```
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Returns the tokens that end texts, ascending.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn ends<M: Machine>(slots: &DeviceSlots<M>) -> bool {
    ///     !slots.stop_tokens().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn stop_tokens(&self) -> &[TokenId] {
        &self.stops
    }

    /// Waits until all copies and launches on the machine's stream are done. Afterwards other streams see them.
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, RowSampling, SlotsError};
    /// fn set<M: Machine>(slots: &mut DeviceSlots<M>, rows: &[RowSampling]) -> Result<(), SlotsError> {
    ///     slots.set_rows(rows)?;
    ///     slots.wait()
    /// }
    /// ```
    pub fn wait(&mut self) -> Result<(), SlotsError> {
        Ok(self.machine.read(self.memory.outcomes, &mut [0; 4])?)
    }

    /// Returns the device addresses of the outcomes of rows.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine};
    /// fn token_of_row<M: Machine>(slots: &DeviceSlots<M>, row: u64) -> u64 {
    ///     slots.addresses().next_tokens + 4 * row
    /// }
    /// ```
    #[must_use]
    pub fn addresses(&self) -> SlotAddresses {
        let SlotMemory { sampled, moved, next_tokens, probabilities, .. } = self.memory;
        SlotAddresses { sampled, moved, next_tokens, probabilities }
    }

    /// Opens the closed slot with the lowest number.
    ///
    /// # Errors
    /// All slots are open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, FormatId, Machine, SlotId, SlotsError};
    /// fn begun<M: Machine>(slots: &mut DeviceSlots<M>, format: FormatId) -> Result<SlotId, SlotsError> {
    ///     let slot = slots.open()?;
    ///     slots.begin(&[(slot, format)])?;
    ///     Ok(slot)
    /// }
    /// ```
    pub fn open(&mut self) -> Result<SlotId, SlotsError> {
        let closed = self.slots.iter_mut().zip(0..).find(|(state, _)| **state == SlotUse::Closed);
        let (state, number) = closed.ok_or(SlotsError::Slots { limit: self.limits.slots })?;
        *state = SlotUse::Open;
        Ok(SlotId(number))
    }

    /// Closes a slot, which is then free for another sequence. Kernels skip it.
    ///
    /// # Errors
    /// The slot is not open, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotsError};
    /// fn open_and_close<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<(), SlotsError> {
    ///     let slot = slots.open()?;
    ///     slots.close(slot)
    /// }
    /// ```
    pub fn close(&mut self, slot: SlotId) -> Result<(), SlotsError> {
        let state = self.state(slot)?;
        self.leave_draft(slot)?;
        if let SlotUse::At(_) | SlotUse::Drafted(_) = state {
            // A slot begins with its status, which becomes free.
            self.machine.write(self.memory.slot(slot.0), &0u32.to_le_bytes())?;
        }
        self.slots[slot.0 as usize] = SlotUse::Closed;
        Ok(())
    }

    /// Returns the use of an open slot.
    fn state(&self, slot: SlotId) -> Result<SlotUse, SlotsError> {
        match self.slots.get(slot.0 as usize) {
            Some(state) if *state != SlotUse::Closed => Ok(*state),
            Some(_) | None => Err(SlotsError::Closed { given: slot.0 }),
        }
    }
}

/// Returns `found`, the value that a kernel wrote, or `otherwise` if it is unknown; `from` is the raw number or bytes. Kernels write only
/// known values.
fn written<T>(found: Option<T>, otherwise: T, from: &impl Debug) -> T {
    found.unwrap_or_else(|| {
        never!("a kernel wrote {:?}", from);
        otherwise
    })
}
