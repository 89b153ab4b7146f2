//! Launches over slots, with lists in device memory. `DeviceSlots` launches them itself, and an engine launches them on a stream of its
//! own.

use super::DeviceSlots;
use super::error::SlotsError;
use super::limits::SlotLimits;
use super::memory::SlotMemory;
use crate::draft::{DraftError, DraftLaunch};
use crate::fused::StepLaunch;
use crate::machine::Machine;
use crate::machine::kernel::DeviceKernel;
use crate::machine::launch::{KernelLaunch, KernelParameter};
use crate::masking::{Logits, Masks};
use crate::run::RunLaunch;
use crate::sampling::SampleLaunch;

/// Threads of a warp, which steps a slot.
const WARP: u32 = 32;

/// Threads of a block that fills a mask, and words that the block writes, as in `kernels/fill.cu`.
const FILL_THREADS: u32 = 256;
const FILL_PART: u32 = 1024;

/// Maximum number of blocks in the second dimension of a grid; if there are more rows, kernels loop.
const MOST_GRID_ROWS: u32 = 65_535;

/// Lists in device memory for a launch over slots: entry `i` of each list belongs to the same slot. Each entry has 32 bits.
///
/// ```
/// use ogc_cuda::SlotLists;
/// // Slots 0 to 63, in their order.
/// let lists = SlotLists { slots: 0, numbers: 0x1000, outcomes: 0x2000, count: 64 };
/// assert_eq!(lists.count, 64);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotLists {
    /// Address of the slot numbers; 0 if entry `i` is for slot `i`.
    pub slots: u64,
    /// Address of each slot's argument: a format, a token, or a number of tokens to take back. A negative token, or a number of tokens
    /// below 1, leaves the slot unchanged.
    pub numbers: u64,
    /// Address for each slot's [`Outcome`](crate::Outcome), which the kernel writes.
    pub outcomes: u64,
    /// Number of slots.
    pub count: u32,
}

/// Lists in device memory for a launch of runs: entry `i` of each list belongs to the same slot.
///
/// ```
/// use ogc_cuda::SlotRuns;
/// // Runs of at most 8 tokens of slots 0 to 63.
/// let runs = SlotRuns { slots: 0, runs: 0x1000, moved: 0x2000, count: 64, most: 8 };
/// assert_eq!(runs.count * runs.most, 512);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotRuns {
    /// Address of the slot numbers, signed numbers of 32 bits; negative for no slot. 0 if entry `i` is for slot `i`.
    pub slots: u64,
    /// Address of the runs: [`TokenRows`](crate::TokenRows) with room for `most` tokens each.
    pub runs: u64,
    /// Address for the outcome of each run, which the kernel writes: [`MovedTokens`](crate::MovedTokens).
    pub moved: u64,
    /// Number of slots.
    pub count: u32,
    /// Room of each run, in tokens.
    pub most: u32,
}

/// Lists in device memory for launches of drafts: entry `i` of each list belongs to the same slot, whose rows begin at `i * (1 + most)`.
///
/// ```
/// use ogc_cuda::SlotDrafts;
/// let drafts = SlotDrafts { drafts: 0x1000, drafted: 0x2000, verified: 0x3000, count: 4, most: 7, ..SlotDrafts::default() };
/// assert_eq!(drafts.count * (1 + drafts.most), 32);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotDrafts {
    /// Address of the slot numbers, signed numbers of 32 bits; negative for no slot. 0 if entry `i` is for slot `i`.
    pub slots: u64,
    /// Address of the drafts: [`TokenRows`](crate::TokenRows) with room for `most` tokens each.
    pub drafts: u64,
    /// Address for the format's verdict on each draft, which a kernel writes: [`MovedTokens`](crate::MovedTokens).
    pub drafted: u64,
    /// Address for the verified result of each draft, which a kernel writes: [`VerifiedDraft`](crate::VerifiedDraft).
    pub verified: u64,
    /// Number of slots.
    pub count: u32,
    /// Room of each draft, in tokens.
    pub most: u32,
}

/// Returns a launch of a kernel that takes one record, with a block of one warp for each slot; `None` if there are no slots.
fn on_record(kernel: DeviceKernel, count: u32, record: Vec<u8>) -> Option<KernelLaunch> {
    warps(kernel, count, vec![KernelParameter::Record(record)])
}

/// Returns a launch over a list, with a block of one warp for each slot; `None` if there are no slots.
fn warps(kernel: DeviceKernel, count: u32, parameters: Vec<KernelParameter>) -> Option<KernelLaunch> {
    (count > 0).then_some(KernelLaunch { kernel, blocks: (count, 1), threads: WARP, parameters })
}

impl SlotMemory {
    pub(super) fn begin(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        use KernelParameter::{U32, U64};
        let parameters =
            vec![U64(self.slots), U64(lists.slots), U64(self.formats), U64(lists.numbers), U32(lists.count)];
        warps(DeviceKernel::Begin, lists.count, parameters)
    }

    pub(super) fn advance(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        use KernelParameter::{U32, U64};
        let parameters = vec![
            U64(self.slots),
            U64(lists.slots),
            U64(self.formats),
            U64(self.vocabulary),
            U64(lists.numbers),
            U64(lists.outcomes),
            U32(lists.count),
        ];
        warps(DeviceKernel::Advance, lists.count, parameters)
    }

    pub(super) fn roll_back(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        use KernelParameter::{U32, U64};
        let parameters =
            vec![U64(self.slots), U64(lists.slots), U64(lists.numbers), U64(lists.outcomes), U32(lists.count)];
        warps(DeviceKernel::RollBack, lists.count, parameters)
    }

    pub(super) fn locate(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        use KernelParameter::U64;
        let parameters = vec![U64(self.slots), U64(lists.slots), U64(self.formats)];
        warps(DeviceKernel::Locate, lists.count, parameters)
    }

    /// Returns the launch that writes masks as bits: row `i` of the masks is the mask of entry `i` of the list.
    pub(super) fn fill(&self, lists: &SlotLists, masks: &Masks) -> Option<KernelLaunch> {
        use KernelParameter::{U32, U64};
        let words = self.mask_words();
        let parameters = vec![
            U64(self.slots),
            U64(lists.slots),
            U32(lists.count),
            U64(self.pool.0),
            U64(self.pool.1),
            U64(self.stops.0),
            U32(self.stops.1),
            U32(self.only_stops.into()),
            U64(masks.address),
            U64(masks.stride),
            U32(words),
        ];
        let blocks = (words.div_ceil(FILL_PART), lists.count.min(MOST_GRID_ROWS));
        (lists.count > 0 && words > 0).then_some(KernelLaunch {
            kernel: DeviceKernel::Fill,
            blocks,
            threads: FILL_THREADS,
            parameters,
        })
    }

    pub(super) fn run(&self, lists: &SlotRuns) -> Option<KernelLaunch> {
        let &SlotRuns { slots: sequences, runs, moved: outcomes, count, most } = lists;
        let &Self { slots, formats, vocabulary, .. } = self;
        let launch = RunLaunch { slots, sequences, formats, vocabulary, runs, outcomes, count, most };
        on_record(DeviceKernel::Run, count, launch.parameters())
    }

    pub(super) fn draft(&self, lists: &SlotDrafts) -> Result<Option<KernelLaunch>, DraftError> {
        Ok(on_record(DeviceKernel::Draft, lists.count, self.drafting(lists).parameters()?))
    }

    pub(super) fn verify(&self, lists: &SlotDrafts) -> Result<Option<KernelLaunch>, DraftError> {
        Ok(on_record(DeviceKernel::Verify, lists.count, self.drafting(lists).parameters()?))
    }

    /// Returns the parameters of both launches of drafts.
    fn drafting(&self, lists: &SlotDrafts) -> DraftLaunch {
        let &SlotDrafts { slots: sequences, drafts, drafted, verified, count, most } = lists;
        let &Self { slots, formats, vocabulary, pool, stops, rows: samplings, sampled, .. } = self;
        let masks = self.drafts.masks;
        DraftLaunch {
            slots,
            sequences,
            formats,
            vocabulary,
            drafts,
            masks,
            samplings,
            sampled,
            drafted,
            verified,
            pool,
            stops,
            count,
            most,
        }
    }

    /// Returns the parameters of a launch that samples the first rows.
    fn sampling(&self, limits: &SlotLimits, logits: &Logits) -> SampleLaunch {
        SampleLaunch {
            logits: logits.address,
            stride: logits.stride,
            rows: self.rows,
            outcomes: self.sampled,
            probabilities: self.probabilities,
            masks: self.masks,
            mask_stride: self.mask_stride().into(),
            slots: self.slots,
            pool: self.pool,
            stops: self.stops,
            located: self.drafts.masks,
            scratch: self.scratch(limits, logits.rows),
            row_count: logits.rows,
            vocabulary: self.tokens,
            width: logits.width,
        }
    }

    /// Returns the launch that chooses tokens; `None` if there are no rows.
    pub(super) fn sample(&self, limits: &SlotLimits, logits: &Logits) -> Option<KernelLaunch> {
        let sampling = self.sampling(limits, logits);
        over_rows(DeviceKernel::Sample(logits.format), &sampling, sampling.parameters())
    }

    /// Returns the launch that chooses tokens and moves the slots of rows by them; `None` if there are no rows.
    pub(super) fn step(&self, limits: &SlotLimits, logits: &Logits) -> Option<KernelLaunch> {
        let step = StepLaunch {
            sample: self.sampling(limits, logits),
            formats: self.formats,
            vocabulary: self.vocabulary,
            slot_numbers: self.row_slots,
            outcomes: self.moved,
            next_tokens: self.next_tokens,
        };
        over_rows(DeviceKernel::Step(logits.format), &step.sample, step.parameters())
    }
}

fn over_rows(kernel: DeviceKernel, sampling: &SampleLaunch, parameters: Vec<u8>) -> Option<KernelLaunch> {
    (sampling.row_count > 0).then(|| KernelLaunch {
        kernel,
        blocks: sampling.blocks(),
        threads: SampleLaunch::THREADS,
        parameters: vec![KernelParameter::Record(parameters)],
    })
}

/// Launches with lists in device memory, for streams of a caller: see [`DeviceMachine::launch_on`](crate::DeviceMachine::launch_on). The
/// caller is responsible for the lists: they have the stated number of entries, they name existing slots and formats, and no slot twice;
/// formats that they name are not removed. `None` if there are no entries.
impl<M: Machine> DeviceSlots<M> {
    /// Returns the launch that puts slots at the beginning of formats; `numbers` has the format numbers.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Machine, SlotLists};
    /// /// Begins slots, and finds the masks of their first tokens.
    /// fn begun<M: Machine>(slots: &DeviceSlots<M>, lists: &SlotLists) -> [Option<KernelLaunch>; 2] {
    ///     [slots.begin_launch(lists), slots.locate_launch(lists)]
    /// }
    /// ```
    #[must_use]
    pub fn begin_launch(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        self.memory.begin(lists)
    }

    /// Returns the launch that moves slots by tokens; `numbers` has the tokens. Afterwards the masks must be located again.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Machine, SlotLists};
    /// fn moved<M: Machine>(slots: &DeviceSlots<M>, lists: &SlotLists) -> [Option<KernelLaunch>; 2] {
    ///     [slots.advance_launch(lists), slots.locate_launch(lists)]
    /// }
    /// ```
    #[must_use]
    pub fn advance_launch(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        self.memory.advance(lists)
    }

    /// Returns the launch that takes back the last tokens of slots; `numbers` has the number of tokens. Afterwards the masks must be
    /// located again.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Machine, SlotLists};
    /// fn undone<M: Machine>(slots: &DeviceSlots<M>, lists: &SlotLists) -> [Option<KernelLaunch>; 2] {
    ///     [slots.roll_back_launch(lists), slots.locate_launch(lists)]
    /// }
    /// ```
    #[must_use]
    pub fn roll_back_launch(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        self.memory.roll_back(lists)
    }

    /// Returns the launch that finds the masks of slots' next tokens.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotLists};
    /// fn is_none<M: Machine>(slots: &DeviceSlots<M>) -> bool {
    ///     slots.locate_launch(&SlotLists::default()).is_none()
    /// }
    /// ```
    #[must_use]
    pub fn locate_launch(&self, lists: &SlotLists) -> Option<KernelLaunch> {
        self.memory.locate(lists)
    }

    /// Returns the launch that writes located masks as bits: row `i` is the mask of entry `i`. Rows of slots that the device does not step are left
    /// unchanged.
    ///
    /// # Errors
    /// The masks have the wrong number of tokens, or their rows do not fit.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Machine, SlotLists, SlotsError};
    /// fn filled<M: Machine>(slots: &DeviceSlots<M>, lists: &SlotLists) -> Result<Option<KernelLaunch>, SlotsError> {
    ///     slots.fill_launch(lists, &slots.masks())
    /// }
    /// ```
    pub fn fill_launch(&self, lists: &SlotLists, masks: &Masks) -> Result<Option<KernelLaunch>, SlotsError> {
        if masks.vocabulary != self.memory.tokens {
            return Err(SlotsError::MaskTokens { given: masks.vocabulary, limit: self.memory.tokens });
        }
        masks.check(lists.count)?;
        Ok(self.memory.fill(lists, masks))
    }
    /// Returns the launch that moves slots by runs of tokens, each up to the first token that is not accepted, and finds the masks after
    /// them.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotRuns};
    /// fn is_none<M: Machine>(slots: &DeviceSlots<M>) -> bool {
    ///     slots.run_launch(&SlotRuns::default()).is_none()
    /// }
    /// ```
    #[must_use]
    pub fn run_launch(&self, runs: &SlotRuns) -> Option<KernelLaunch> {
        self.memory.run(runs)
    }

    /// Returns the launch that finds the masks of drafts, and moves slots by the drafted tokens until they are verified. Rows refer to
    /// these masks by [`AllowedTokens::Located`](crate::AllowedTokens::Located).
    ///
    /// # Errors
    /// Drafts are longer than slots can take back, or have more rows than fit.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, KernelLaunch, Logits, Machine, SlotDrafts, SlotsError};
    /// /// The launches around a pass of the model: one before it, and two after it.
    /// fn launches<M: Machine>(
    ///     slots: &DeviceSlots<M>,
    ///     drafts: &SlotDrafts,
    ///     logits: &Logits,
    /// ) -> Result<[Option<KernelLaunch>; 3], SlotsError> {
    ///     Ok([slots.draft_launch(drafts)?, slots.sample_launch(logits)?, slots.verify_launch(drafts)?])
    /// }
    /// ```
    pub fn draft_launch(&self, drafts: &SlotDrafts) -> Result<Option<KernelLaunch>, SlotsError> {
        self.check_draft_rows(drafts)?;
        Ok(self.memory.draft(drafts)?)
    }

    /// Returns the launch that moves slots by the sampled tokens of their rows instead of the drafted ones, and finds the masks of the next tokens.
    ///
    /// # Errors
    /// As for [`draft_launch`](Self::draft_launch).
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SlotDrafts, SlotsError};
    /// fn is_none<M: Machine>(slots: &DeviceSlots<M>) -> Result<bool, SlotsError> {
    ///     Ok(slots.verify_launch(&SlotDrafts::default())?.is_none())
    /// }
    /// ```
    pub fn verify_launch(&self, drafts: &SlotDrafts) -> Result<Option<KernelLaunch>, SlotsError> {
        self.check_draft_rows(drafts)?;
        Ok(self.memory.verify(drafts)?)
    }

    /// Rejects drafts that have more rows than fit.
    fn check_draft_rows(&self, drafts: &SlotDrafts) -> Result<(), SlotsError> {
        let launch = DraftLaunch { count: drafts.count, most: drafts.most, ..DraftLaunch::default() };
        self.check_sampled_rows(launch.rows()? as usize)
    }
}
