//! The memory of slots on a machine: reserves it once, and has its addresses.

use always_assert::never;
use zerocopy::IntoBytes;

use super::error::SlotsError;
use super::limits::SlotLimits;
use crate::draft::{MaskState, VerifiedDraft};
use crate::format::FormatEntry;
use crate::machine::Machine;
use crate::run::MovedTokens;
use crate::sampling::{RowSampling, SampleLaunch, SampleOutcome};
use crate::slot::SLOT_BYTES;

/// Tokens of a mask word, and alignment of a mask's rows in words: kernels read 16 bytes at a time.
const WORD_TOKENS: u32 = 32;
const MASK_WORDS: u32 = 4;

/// Addresses in the memory of a machine. All memory is reserved at once and never moves, so that captured graphs stay valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotMemory {
    pub(super) slots: u64,
    /// The table of formats, and the memory for tables of formats.
    pub(super) formats: u64,
    pub(super) format_bytes: u64,
    /// The pool's table of rows, and the contents of rows.
    pub(super) pool: (u64, u64),
    pub(super) vocabulary: u64,
    /// The tokens that end a text, and their number.
    pub(super) stops: (u64, u32),
    /// Lists of a call: its slots, the argument of each, and the outcome of each.
    pub(super) list: u64,
    pub(super) numbers: u64,
    pub(super) outcomes: u64,
    /// Masks as bits, a row for each entry of a list.
    pub(super) masks: u64,
    /// The sampling settings of rows, their outcomes, and scratch memory.
    pub(super) rows: u64,
    pub(super) sampled: u64,
    /// The logarithm of the probability of each row's token, for rows that request it.
    pub(super) probabilities: u64,
    pub(super) scratch: u64,
    /// The slot of each row; the outcome of the slot's last step; the token that was chosen in that step.
    pub(super) row_slots: u64,
    pub(super) moved: u64,
    pub(super) next_tokens: u64,
    pub(super) runs: RunMemory,
    pub(super) drafts: DraftMemory,
    /// Number of tokens.
    pub(super) tokens: u32,
    /// Whether stop tokens only end a text, and are never read as text or by name.
    pub(super) only_stops: bool,
}

/// Addresses of runs: their tokens, and their outcomes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunMemory {
    pub(super) tokens: u64,
    pub(super) moved: u64,
}

/// Addresses of drafts: their slots, their tokens, the masks of all rows, the format's verdict on each draft, and the verified results.
#[derive(Clone, Copy, Debug)]
pub(super) struct DraftMemory {
    pub(super) list: u64,
    pub(super) tokens: u64,
    pub(super) masks: u64,
    pub(super) drafted: u64,
    pub(super) verified: u64,
}

/// The tokens of slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotTokens<'a> {
    /// The bytes of a `DeviceVocabulary`.
    pub(super) vocabulary: &'a [u8],
    /// Number of tokens.
    pub(super) count: u32,
    /// The tokens that end a text, ascending.
    pub(super) stops: &'a [u32],
    /// Whether stop tokens only end a text, and are never read as text or by name.
    pub(super) only_stops: bool,
}

impl SlotMemory {
    /// Reserves the memory, and writes the parts that never change.
    pub(super) fn reserve(
        machine: &mut impl Machine,
        limits: &SlotLimits,
        tokens: SlotTokens<'_>,
    ) -> Result<Self, SlotsError> {
        let (slots, rows) = (u64::from(limits.slots), u64::from(limits.rows()));
        let mask_bytes = slots * u64::from(mask_stride(tokens.count)) * 4;
        let width = tokens.count.max(limits.logits);
        let scratch = SampleLaunch { row_count: limits.rows(), vocabulary: width, width, ..SampleLaunch::default() };
        // A vocabulary has at most 2^22 tokens, as many as the sampler takes, and the limit is no higher.
        let scratch = scratch.scratch_bytes().unwrap_or_else(|| {
            never!("rows of {} logits are too wide for the sampler", width);
            0
        });
        let memory = Self {
            slots: zeros(machine, "slots", slots * SLOT_BYTES as u64)?,
            formats: zeros(machine, "formats", u64::from(limits.formats) * size_of::<FormatEntry>() as u64)?,
            format_bytes: machine.reserve("tables of formats", limits.format_bytes)?,
            pool: (
                machine.reserve("rows", limits.pool.table_bytes())?,
                machine.reserve("contents of rows", limits.pool.content_bytes())?,
            ),
            vocabulary: filled(machine, "vocabulary", tokens.vocabulary)?,
            stops: (filled(machine, "stop tokens", tokens.stops.as_bytes())?, tokens.stops.len() as u32),
            list: zeros(machine, "list of slots", slots * 4)?,
            numbers: zeros(machine, "numbers of slots", slots * 4)?,
            outcomes: zeros(machine, "outcomes", slots * 4)?,
            masks: zeros(machine, "masks", mask_bytes)?,
            rows: zeros(machine, "rows to sample", rows * RowSampling::BYTES as u64)?,
            sampled: zeros(machine, "tokens that were chosen", rows * SampleOutcome::BYTES as u64)?,
            probabilities: zeros(machine, "logarithms of probabilities", rows * 4)?,
            scratch: zeros(machine, "scratch memory", scratch)?,
            row_slots: zeros(machine, "slots of rows", rows * 4)?,
            moved: zeros(machine, "outcomes of rows", rows * 4)?,
            next_tokens: zeros(machine, "next tokens", rows * 4)?,
            runs: RunMemory::reserve(machine, limits)?,
            drafts: DraftMemory::reserve(machine, limits)?,
            tokens: tokens.count,
            only_stops: tokens.only_stops,
        };
        Ok(memory)
    }

    /// Returns the address of a slot.
    pub(super) fn slot(&self, number: u32) -> u64 {
        self.slots + u64::from(number) * SLOT_BYTES as u64
    }

    /// Returns the address of a format's table entry.
    pub(super) fn format(&self, number: u32) -> u64 {
        self.formats + u64::from(number) * size_of::<FormatEntry>() as u64
    }

    /// Returns the number of words of a mask.
    pub(super) fn mask_words(&self) -> u32 {
        self.tokens.div_ceil(WORD_TOKENS)
    }

    /// Returns the distance between two masks, in words.
    pub(super) fn mask_stride(&self) -> u32 {
        mask_stride(self.tokens)
    }

    /// Returns the address of the scratch memory for `rows` rows. It begins with tickets, a word per row that must be 0. The tickets end at
    /// the same address for every number of rows, so that data that kernels leave after the tickets never lies on the tickets of another
    /// number of rows.
    pub(super) fn scratch(&self, limits: &SlotLimits, rows: u32) -> u64 {
        let tickets = |rows: u32| (u64::from(rows) * 4).next_multiple_of(16);
        self.scratch + tickets(limits.rows()) - tickets(rows)
    }
}

impl RunMemory {
    fn reserve(machine: &mut impl Machine, limits: &SlotLimits) -> Result<Self, SlotsError> {
        let slots = u64::from(limits.slots);
        Ok(Self {
            tokens: zeros(machine, "runs", slots * u64::from(limits.run_tokens) * 4)?,
            moved: zeros(machine, "outcomes of runs", slots * MovedTokens::BYTES as u64)?,
        })
    }
}

impl DraftMemory {
    fn reserve(machine: &mut impl Machine, limits: &SlotLimits) -> Result<Self, SlotsError> {
        let slots = u64::from(limits.slots);
        Ok(Self {
            list: zeros(machine, "slots of drafts", slots * 4)?,
            tokens: zeros(machine, "drafts", slots * u64::from(limits.draft_tokens) * 4)?,
            masks: zeros(machine, "masks of drafts", u64::from(limits.rows()) * MaskState::BYTES as u64)?,
            drafted: zeros(machine, "outcomes of drafts", slots * MovedTokens::BYTES as u64)?,
            verified: zeros(machine, "verified drafts", slots * VerifiedDraft::BYTES as u64)?,
        })
    }
}

fn mask_stride(tokens: u32) -> u32 {
    tokens.div_ceil(WORD_TOKENS).next_multiple_of(MASK_WORDS)
}

fn filled(machine: &mut impl Machine, name: &str, bytes: &[u8]) -> Result<u64, SlotsError> {
    let address = machine.reserve(name, bytes.len() as u64)?;
    if !bytes.is_empty() {
        machine.write(address, bytes)?;
    }
    Ok(address)
}

/// Reserves memory filled with zeros, which are written in pieces.
fn zeros(machine: &mut impl Machine, name: &str, bytes: u64) -> Result<u64, SlotsError> {
    const PIECE: u64 = 1 << 22;
    let address = machine.reserve(name, bytes)?;
    let piece = vec![0; bytes.min(PIECE) as usize];
    for at in (0..bytes).step_by(PIECE as usize) {
        machine.write(address + at, &piece[..(bytes - at).min(PIECE) as usize])?;
    }
    Ok(address)
}
