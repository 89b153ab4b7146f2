//! Chooses tokens on the device, by a kernel that follows the kernels of a pass in the same plan.
//!
//! For each row of logits, the host writes the settings by which its token is chosen, or that no token is chosen. The masks of rows and
//! their lists of tokens are stored one after another in memory of a fixed size. A row returns its token if one is chosen, and its logits
//! otherwise.
//!
//! A row can have the mask of a slot instead. Then the kernel also moves the slot by the token and finds its next mask.

use std::collections::BTreeMap;

use zerocopy::{IntoBytes, transmute};

use super::error::ModelError;
use crate::machine::Machine;
use crate::machine::kernel::DeviceKernel;
use crate::machine::launch::{KernelLaunch, KernelParameter};
use crate::outcome::Outcome;
use crate::sampling::{AllowedTokens, Bias, Count, RowSampling, SampleLaunch, SampleOutcome};
use crate::slots::tables::SlotTables;
use ogc_runtime::logits::LogitFormat;

/// Output requested after a token.
///
/// ```
/// # use ogc_cuda::{AskingPart, DeviceModel, Machine, ModelError, ModelText, RowAnswer, RowAsk};
/// /// Returns the logits after the second of two tokens.
/// fn last<M: Machine>(model: &mut DeviceModel<M>, text: ModelText) -> Result<Option<RowAnswer>, ModelError> {
///     let rows = [RowAsk::Nothing, RowAsk::Logits];
///     let mut answers = model.answer(&[AskingPart { text, tokens: &[1, 2], rows: &rows }])?;
///     Ok(answers.pop().and_then(|mut rows| rows.pop()))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowAsk<'a> {
    /// No output.
    Nothing,
    /// The logits.
    Logits,
    /// The next token.
    Token(RowChoice<'a>),
}

/// Settings by which the next token of a row is chosen.
///
/// ```
/// use ogc_cuda::{ChoiceMask, RowChoice, RowSampling, TokenChoice};
/// // Tokens 0 and 2 are allowed, and the likelier one is chosen.
/// let sampling = RowSampling { choice: TokenChoice::Highest, ..RowSampling::default() };
/// let choice = RowChoice { sampling, mask: ChoiceMask::Bits(&[0b101]), written: &[], biases: &[] };
/// assert!(choice.written.len() + choice.biases.len() <= RowChoice::MOST_LISTED);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowChoice<'a> {
    /// Sampling settings. Their allowed tokens and list addresses are ignored: `mask`, `written` and `biases` replace them.
    pub sampling: RowSampling,
    /// The tokens that are allowed.
    pub mask: ChoiceMask<'a>,
    /// The tokens that were written, ascending, each with its number of occurrences.
    pub written: &'a [(u32, u32)],
    /// Tokens with the biases that are added to their logits, ascending.
    pub biases: &'a [(u32, f32)],
}

impl RowChoice<'_> {
    /// Maximum number of tokens in the lists of a row, both lists together.
    ///
    /// ```
    /// assert!(ogc_cuda::RowChoice::MOST_LISTED > 500);
    /// ```
    pub const MOST_LISTED: usize = 1024;
}

/// The tokens that are allowed in a row.
///
/// ```
/// # use ogc_cuda::{ChoiceMask, SlotId};
/// fn by_its_slot(slot: SlotId) -> ChoiceMask<'static> {
///     ChoiceMask::Slot(slot.number())
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceMask<'a> {
    /// The tokens whose bits are set: token `t` has bit `t % 32` of word `t / 32`; there are as many words as the logits need.
    Bits(&'a [u32]),
    /// The tokens of the located mask of this slot. The chosen token moves the slot. No other row of the call may have the same slot.
    Slot(u32),
}

/// Answer to the request of a row.
///
/// ```
/// # use ogc_cuda::RowAnswer;
/// fn token(answer: &RowAnswer) -> Option<u32> {
///     match answer {
///         RowAnswer::Token { token, .. } => Some(*token),
///         RowAnswer::Nothing | RowAnswer::Logits(_) | RowAnswer::NoToken => None,
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum RowAnswer {
    /// Nothing was requested.
    Nothing,
    /// The logits: they were requested, or a token was requested and the device could not continue with the slot.
    Logits(Vec<f32>),
    /// A token was chosen.
    Token {
        /// The token.
        token: u32,
        /// Outcome of the token in the slot; [`Outcome::None`] if the row has no slot.
        slot: Outcome,
    },
    /// No allowed token has a logit.
    NoToken,
}

/// Memory of the kernel that chooses tokens, for the largest pass.
#[derive(Clone, Debug)]
pub(super) struct Chooser {
    /// Address of the logits, and number of logits of a row.
    logits: u64,
    width: u32,
    rows: u64,
    /// Outcomes of rows, followed by the outcomes of slots; then the tokens.
    outcomes: u64,
    next_tokens: u64,
    masks: u64,
    lists: u64,
    slots: Option<SlotTables>,
    /// Scratch memory that the kernel's blocks share, by the number of rows: this number determines its layout, and nothing else may write
    /// it.
    scratch: BTreeMap<u32, u64>,
}

/// Settings, masks and lists of rows, collected on the host before they are written.
#[derive(Debug, Default)]
struct Lying {
    rows: Vec<u8>,
    masks: Vec<u32>,
    lists: Vec<[u32; 2]>,
}

impl Chooser {
    /// Reserves the memory for `rows` rows. `logits` is their address and `width` the number of logits in each.
    pub(super) fn reserve(machine: &mut impl Machine, rows: u32, logits: u64, width: u32) -> Result<Self, ModelError> {
        let mut reserve = |name, bytes: usize| machine.reserve(name, u64::from(rows) * bytes as u64);
        let sampling = reserve("sampled rows", RowSampling::BYTES)?;
        let [outcomes, next_tokens] = [reserve("outcomes", OUTCOME_BYTES)?, reserve("next tokens", 4)?];
        let masks = reserve("masks", mask_words(width) * 4)?;
        let lists = reserve("listed tokens", RowChoice::MOST_LISTED * 8)?;
        machine.write(outcomes, &vec![0; rows as usize * OUTCOME_BYTES])?;
        let scratch = BTreeMap::new();
        Ok(Self { logits, width, rows: sampling, outcomes, next_tokens, masks, lists, slots: None, scratch })
    }

    /// Moves slots by the chosen tokens from now on.
    pub(super) fn step_slots(&mut self, slots: SlotTables) {
        self.slots = Some(slots);
    }

    /// Rejects choices that the kernel does not support.
    pub(super) fn check(&self, choice: &RowChoice<'_>) -> Result<(), ModelError> {
        match choice.mask {
            ChoiceMask::Bits(bits) => {
                let (given, words) = (bits.len(), mask_words(self.width));
                if given != words {
                    return Err(ModelError::shape(
                        "the number of words of a mask",
                        given,
                        format!("it must be {words}"),
                    ));
                }
            }
            ChoiceMask::Slot(slot) => {
                let count = self.slots.map_or(0, |slots| slots.count);
                if slot >= count {
                    let expected = format!("it must be below {count}, the number of slots");
                    return Err(ModelError::shape("the number of a slot", slot as usize, expected));
                }
            }
        }
        if choice.sampling.tells_probability {
            let expected = "a pass of a model tells none: ask for the logits".to_owned();
            return Err(ModelError::shape("the number of probabilities that are asked for", 1, expected));
        }
        let (given, limit) = (choice.written.len() + choice.biases.len(), RowChoice::MOST_LISTED);
        if given > limit {
            let expected = format!("it must be at most {limit}: choose by the logits");
            return Err(ModelError::shape("the number of listed tokens of a row", given, expected));
        }
        self.scratch_bytes(1).map(drop)
    }

    /// Returns the launch that chooses the tokens of `rows` rows.
    pub(super) fn launch(&mut self, machine: &mut impl Machine, rows: u32) -> Result<KernelLaunch, ModelError> {
        let scratch = match self.scratch.get(&rows) {
            Some(scratch) => *scratch,
            None => self.reserve_scratch(machine, rows)?,
        };
        let sample = SampleLaunch { scratch, ..self.sample(rows) };
        let (kernel, parameters) = match self.slots {
            None => (DeviceKernel::Sample(LogitFormat::F32), sample.parameters()),
            Some(slots) => {
                let launch = slots.step(sample, self.slot_outcomes(rows), self.next_tokens);
                (DeviceKernel::Step(LogitFormat::F32), launch.parameters())
            }
        };
        let (blocks, parameters) = (sample.blocks(), vec![KernelParameter::Record(parameters)]);
        Ok(KernelLaunch { kernel, blocks, threads: SampleLaunch::THREADS, parameters })
    }

    /// Returns the address of the slots' outcomes for `rows` rows. It follows the outcomes of rows.
    fn slot_outcomes(&self, rows: u32) -> u64 {
        self.outcomes + u64::from(rows) * SampleOutcome::BYTES as u64
    }

    fn reserve_scratch(&mut self, machine: &mut impl Machine, rows: u32) -> Result<u64, ModelError> {
        let scratch = machine.reserve("what blocks share", self.scratch_bytes(rows)?)?;
        // Zeros mean that no block has finished its part of any row.
        machine.write(scratch, &vec![0; rows as usize * 4])?;
        self.scratch.insert(rows, scratch);
        Ok(scratch)
    }

    fn scratch_bytes(&self, rows: u32) -> Result<u64, ModelError> {
        let bytes = self.sample(rows).scratch_bytes();
        let expected = || "the kernel that chooses tokens knows fewer: choose by the logits".to_owned();
        bytes.ok_or_else(|| ModelError::shape("the number of logits", self.width as usize, expected()))
    }

    /// Returns the parameters for sampling, without the scratch memory.
    fn sample(&self, rows: u32) -> SampleLaunch {
        SampleLaunch {
            logits: self.logits,
            stride: self.width.into(),
            rows: self.rows,
            outcomes: self.outcomes,
            masks: self.masks,
            mask_stride: mask_words(self.width) as u64,
            row_count: rows,
            vocabulary: self.width,
            width: self.width,
            ..SampleLaunch::default()
        }
    }

    /// Writes the settings of a pass with `rows` rows of logits. Rows that do not request a token get empty settings.
    pub(super) fn write(&self, machine: &mut impl Machine, asks: &[RowAsk<'_>], rows: u32) -> Result<(), ModelError> {
        let mut lying = Lying::default();
        for ask in asks {
            let row = match ask {
                RowAsk::Nothing | RowAsk::Logits => RowSampling::default(),
                RowAsk::Token(choice) => self.row(choice, &mut lying),
            };
            lying.rows.extend(row.to_bytes());
        }
        (asks.len()..rows as usize).for_each(|_| lying.rows.extend(RowSampling::default().to_bytes()));
        machine.write(self.rows, &lying.rows)?;
        if !lying.masks.is_empty() {
            machine.write(self.masks, lying.masks.as_bytes())?;
        }
        if !lying.lists.is_empty() {
            machine.write(self.lists, lying.lists.as_slice().as_bytes())?;
        }
        Ok(())
    }

    /// Returns the sampling settings of a row, and appends the row's mask and lists to `lying`.
    fn row(&self, choice: &RowChoice<'_>, lying: &mut Lying) -> RowSampling {
        let allowed = match choice.mask {
            ChoiceMask::Bits(bits) => {
                let number = lying.masks.len() / mask_words(self.width).max(1);
                lying.masks.extend_from_slice(bits);
                AllowedTokens::Bits(number as u32)
            }
            ChoiceMask::Slot(slot) => AllowedTokens::Slot(slot),
        };
        let mut put = |entries: Vec<[u32; 2]>| {
            let address = self.lists + lying.lists.len() as u64 * 8;
            let list = if entries.is_empty() { (0, 0) } else { (address, entries.len() as u32) };
            lying.lists.extend(entries);
            list
        };
        let mut adjustments = choice.sampling.adjustments;
        let written = choice.written.iter().map(|&(token, times)| transmute!(Count { token, times }));
        adjustments.written = put(written.collect());
        // The host counts written tokens, and rewrites the list for each pass.
        adjustments.written_capacity = 0;
        let biases = choice.biases.iter().map(|&(token, bias)| transmute!(Bias { token, number: bias.to_bits() }));
        adjustments.biases = put(biases.collect());
        RowSampling { adjustments, allowed, ..choice.sampling }
    }

    /// Reads the outcomes of the rows of a pass, and of their slots.
    pub(super) fn read(&self, machine: &mut impl Machine, rows: u32) -> Result<Vec<Told>, ModelError> {
        let mut bytes = vec![0; rows as usize * OUTCOME_BYTES];
        machine.read(self.outcomes, &mut bytes)?;
        let (of_rows, of_slots) = bytes.split_at(rows as usize * SampleOutcome::BYTES);
        let both = of_rows.as_chunks().0.iter().zip(of_slots.as_chunks().0);
        // Without slots, the slots' outcomes are meaningless.
        let slot = |slot: &[u8; 4]| self.slots.map_or(0, |_| u32::from_le_bytes(*slot));
        both.map(|(row, of_slot)| told(*row, slot(of_slot))).collect()
    }
}

/// Outcome of a row, and of its slot.
type Told = (SampleOutcome, Outcome);

/// Size of the outcomes of a row and of its slot, in bytes.
const OUTCOME_BYTES: usize = SampleOutcome::BYTES + 4;

/// Reads the outcome of a row.
fn told(row: [u8; SampleOutcome::BYTES], slot: u32) -> Result<Told, ModelError> {
    let unknown = || {
        let expected = "kernels write no such number: the device or its driver is at fault".to_owned();
        ModelError::shape("what became of a row", row[0].into(), expected)
    };
    SampleOutcome::from_bytes(row).zip(Outcome::from_number(slot)).ok_or_else(unknown)
}

/// Returns the number of words of a mask over `width` tokens.
fn mask_words(width: u32) -> usize {
    width.div_ceil(32) as usize
}
