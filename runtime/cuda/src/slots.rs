//! Sequences on a device: each has a slot, in which it is stepped through its format, and the formats lie in memory that slots share.
//!
//! # Steps
//! 1. [`DeviceSlots::new`] reserves all memory at once, as much as [`limits`] say; [`memory`] knows what lies where. Nothing moves from then on, so that a
//!    captured graph goes on to work.
//! 2. [`DeviceSlots::add_format`] ([`formats`]) copies a format there, at any time: what is used already is not touched, and the entry of the table is written
//!    last.
//! 3. [`DeviceSlots::begin`], `advance`, `roll_back` ([`steps`]) move slots, and find the masks of their next tokens; `fill` writes masks as bits, and
//!    `sample` ([`sampling`]) chooses tokens by them, and `step` does all of that in one launch. `run` ([`runs`]) moves slots by several
//!    tokens, and `draft` and `verify` ([`drafts`]) by guessed ones. They launch kernels and wait for nothing; what became of the slots is read when it is asked for.
//!
//! Where the device cannot go on with a sequence, [`DeviceSequences`](crate::DeviceSequences) goes on with a matcher, and comes back. The same kernels on lists and streams of others are [`launches`].

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

/// The place of a sequence on a device.
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
    /// Returns its number, which lists in device memory name it by.
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

/// Where in device memory lies what kernels say of rows, entry `i` of row `i`.
///
/// ```
/// let (moved, next_tokens, probabilities) = (0x200, 0x300, 0x400);
/// let addresses = ogc_cuda::SlotAddresses { sampled: 0x100, moved, next_tokens, probabilities };
/// assert_eq!(addresses.moved + 4 * 2, 0x208);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotAddresses {
    /// What became of each row, 8 bytes: a [`SampleOutcome`](crate::SampleOutcome).
    pub sampled: u64,
    /// What became of the token in the row's slot, 4 bytes: an [`Outcome`].
    pub moved: u64,
    /// The token, 4 bytes; where none was chosen, it is the one before.
    pub next_tokens: u64,
    /// The natural logarithm of the token's probability, `f32`, of rows that [ask for it](crate::RowSampling::tells_probability); others stay as they were.
    pub probabilities: u64,
}

/// What a slot is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotUse {
    Closed,
    /// It is open, and was not begun: the device leaves it alone.
    Open,
    /// It is in a text of a format, and its mask is located.
    At(FormatId),
    /// It stands behind a draft of such a text.
    Drafted(FormatId),
}

impl SlotUse {
    /// Returns whether it is in a text of a format.
    fn is_of(self, format: FormatId) -> bool {
        matches!(self, Self::At(of) | Self::Drafted(of) if of == format)
    }
}

/// Sequences in the memory of a machine, and the formats that they are written in.
///
/// Invariant: what lists that this type writes name is open, and each slot once; the formats of slots are in the table.
///
/// ```
/// # use std::sync::Arc;
/// # use ogc_cuda::{DeviceSlots, Machine, Outcome, SlotLimits, SlotsError};
/// # use ogc_runtime::automaton::Automaton;
/// # use ogc_runtime::mask::MaskPack;
/// # use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// /// Begins a text with a token, and returns what became of it.
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
    /// The list of slots that lies in device memory.
    listed: Vec<u32>,
    /// How many outcomes there are.
    told: usize,
    /// How many runs there are.
    ran: usize,
    rows: SetRows,
    set_drafts: SetDrafts,
}

impl<M: Machine> DeviceSlots<M> {
    /// Makes slots for texts of a vocabulary, whose end-of-sequence tokens end a text.
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

    /// Makes slots with other stop tokens, which are nothing else, as
    /// [`set_stop_tokens`](ogc_runtime::matcher::Matcher::set_stop_tokens) has them.
    ///
    /// # Errors
    /// As [`new`](Self::new), or the vocabulary does not have one of the stop tokens.
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
            // As the memory was written.
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

    /// Returns how much there is room for.
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

    /// Waits until all that was copied and launched on the machine's stream is done: other streams see it then.
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

    /// Returns where in device memory lies what kernels say of rows.
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

    /// Opens a slot: the lowest that is closed.
    ///
    /// # Errors
    /// All are open.
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

    /// Closes a slot, which is free for another sequence then; the device leaves it alone.
    ///
    /// # Errors
    /// It is not open, or the device failed.
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
            // Its status, with which it begins: nobody's.
            self.machine.write(self.memory.slot(slot.0), &0u32.to_le_bytes())?;
        }
        self.slots[slot.0 as usize] = SlotUse::Closed;
        Ok(())
    }

    /// Returns what an open slot is used for.
    fn state(&self, slot: SlotId) -> Result<SlotUse, SlotsError> {
        match self.slots.get(slot.0 as usize) {
            Some(state) if *state != SlotUse::Closed => Ok(*state),
            Some(_) | None => Err(SlotsError::Closed { given: slot.0 }),
        }
    }
}

/// Returns what a kernel wrote, given the number or bytes that it was read from; kernels write nothing else than what is known here.
fn written<T>(found: Option<T>, otherwise: T, from: &impl Debug) -> T {
    found.unwrap_or_else(|| {
        never!("a kernel wrote {:?}", from);
        otherwise
    })
}
