//! The memory of slots on a machine: what is reserved once, and where.

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

/// Tokens of a mask's word, and what its rows are multiples of, in words: they are read 16 bytes at a time.
const WORD_TOKENS: u32 = 32;
const MASK_WORDS: u32 = 4;

/// Where things lie in the memory of a machine. All of it is reserved at once and stays where it is, so that graphs that were captured go on to work.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotMemory {
    pub(super) slots: u64,
    /// The table of formats, and their tables.
    pub(super) formats: u64,
    pub(super) format_bytes: u64,
    /// The rows of the pool, and their contents.
    pub(super) pool: (u64, u64),
    pub(super) vocabulary: u64,
    /// The tokens that end a text, and how many there are.
    pub(super) stops: (u64, u32),
    /// The slots of a call, what is told of each, and what became of it.
    pub(super) list: u64,
    pub(super) numbers: u64,
    pub(super) outcomes: u64,
    /// Masks as bits, a row for each entry of a list.
    pub(super) masks: u64,
    /// How each row is sampled, what became of it, and scratch memory.
    pub(super) rows: u64,
    pub(super) sampled: u64,
    /// The logarithm of the probability of each row's token, where it is asked for.
    pub(super) probabilities: u64,
    pub(super) scratch: u64,
    /// The slot of each row, what became of it when the row was last stepped, and the token that was chosen then.
    pub(super) row_slots: u64,
    pub(super) moved: u64,
    pub(super) next_tokens: u64,
    pub(super) runs: RunMemory,
    pub(super) drafts: DraftMemory,
    /// How many tokens there are.
    pub(super) tokens: u32,
    /// Whether stop tokens are nothing else.
    pub(super) only_stops: bool,
}

/// Where runs lie: their tokens, and what became of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunMemory {
    pub(super) tokens: u64,
    pub(super) moved: u64,
}

/// Where drafts lie: the slots that have one, their tokens, the masks of all rows, what formats say of each draft, and what was verified.
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
    /// How many there are.
    pub(super) count: u32,
    /// Those that end a text, ascending.
    pub(super) stops: &'a [u32],
    /// Whether they are nothing else.
    pub(super) only_stops: bool,
}

impl SlotMemory {
    /// Reserves the memory, and writes what is written once.
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

    /// Returns where a slot lies.
    pub(super) fn slot(&self, number: u32) -> u64 {
        self.slots + u64::from(number) * SLOT_BYTES as u64
    }

    /// Returns where the entry of a format lies.
    pub(super) fn format(&self, number: u32) -> u64 {
        self.formats + u64::from(number) * size_of::<FormatEntry>() as u64
    }

    /// Returns how many words a mask has.
    pub(super) fn mask_words(&self) -> u32 {
        self.tokens.div_ceil(WORD_TOKENS)
    }

    /// Returns how many words masks are apart.
    pub(super) fn mask_stride(&self) -> u32 {
        mask_stride(self.tokens)
    }

    /// Returns where the scratch memory of so many rows begins: what kernels leave there never lies where another number of rows has its tickets, which
    /// have to be 0.
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

/// Reserves memory with zeros in it, which are written in pieces.
fn zeros(machine: &mut impl Machine, name: &str, bytes: u64) -> Result<u64, SlotsError> {
    const PIECE: u64 = 1 << 22;
    let address = machine.reserve(name, bytes)?;
    let piece = vec![0; bytes.min(PIECE) as usize];
    for at in (0..bytes).step_by(PIECE as usize) {
        machine.write(address + at, &piece[..(bytes - at).min(PIECE) as usize])?;
    }
    Ok(address)
}
