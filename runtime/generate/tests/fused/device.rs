//! The memory of a batch in the interpreter, and the launches on it: whole steps, and the launches for each part of a
//! step, on slots of their own.

use std::sync::Arc;

use ogc_cuda::{
    DeviceFormat, DeviceMasks, DeviceVocabulary, LogitFormat, Outcome, RowSampling, SampleLaunch, SampleOutcome,
    SlotImage, StepLaunch,
};
use ogc_ptx::{Argument, BufferId, Counts, Device, Fault, Launch, Module};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::vocabulary::Vocabulary;

use crate::mirror;
use crate::rows::PoolBuffers;

/// The value of next tokens that no kernel wrote.
pub(crate) const UNTOUCHED: u32 = 0xdead_beef;

/// Puts words into memory; returns their place.
pub(crate) type Put<'p> = &'p mut dyn FnMut(&str, &[u32]) -> (BufferId, u64);

/// The parts of a batch.
pub(crate) struct Parts<'p> {
    pub(crate) vocabulary: &'p Vocabulary,
    pub(crate) formats: &'p [(Arc<Automaton>, DeviceMasks)],
    /// The pool's table of rows, and their contents.
    pub(crate) pool: (&'p [u32], &'p [u32]),
    pub(crate) format: LogitFormat,
    /// The initial slots.
    pub(crate) slots: &'p [u8],
    /// The slot of each row, if the kernel gets them.
    pub(crate) slot_numbers: Option<&'p [i32]>,
    /// The number of logits of a row, and the distance from one row to the next.
    pub(crate) width: usize,
    pub(crate) stride: usize,
    pub(crate) mask_stride: usize,
}

/// Returns the part of a pool's buffers that contains rows.
pub(crate) fn pool_words(buffers: &PoolBuffers, rows: u32, blocks: u32) -> (&[u32], &[u32]) {
    (&buffers.table[..8 * rows.max(1) as usize], &buffers.contents[..16 * blocks.max(1) as usize])
}

/// The report of a launch about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) sampled: SampleOutcome,
    pub(crate) outcome: Outcome,
    pub(crate) next_token: u32,
}

/// A batch in the memory of the interpreter.
#[derive(Debug)]
pub(crate) struct Memory<'m> {
    device: Device<'m>,
    launch: StepLaunch,
    kernel: &'static str,
    rows: BufferId,
    sampled: BufferId,
    outcomes: BufferId,
    next_tokens: BufferId,
    logits: BufferId,
    masks: BufferId,
    scratch: BufferId,
    formats: BufferId,
    vocabulary: BufferId,
    /// The slots of whole steps, and the slots that are moved by a launch for each part of a step.
    slots: [BufferId; 2],
    row_count: usize,
    seed: u64,
}

impl<'m> Memory<'m> {
    /// Puts a batch into memory; `told` makes the kernel's input about the rows, and puts their lists into memory.
    pub(crate) fn new(
        module: &'m Module,
        parts: &Parts<'_>,
        row_count: usize,
        mut told: impl FnMut(Put<'_>) -> Vec<RowSampling>,
        seed: u64,
    ) -> Self {
        let mut device = mirror::device(module);
        let mut put = |name: &str, words: &[u32]| {
            let id = device.buffer(name, words);
            (id, device.address(id).unwrap())
        };
        let told: Vec<u8> = told(&mut put).iter().flat_map(RowSampling::to_bytes).collect();
        let stops: Vec<u32> = parts.vocabulary.eos().iter().map(|token| token.0).collect();
        let mut launch = StepLaunch {
            sample: SampleLaunch {
                row_count: row_count as u32,
                vocabulary: parts.vocabulary.len() as u32,
                width: parts.width as u32,
                stride: parts.stride as u64,
                mask_stride: parts.mask_stride as u64,
                pool: (put("table", parts.pool.0).1, put("contents", parts.pool.1).1),
                stops: (put("stops", &stops).1, stops.len() as u32),
                ..SampleLaunch::default()
            },
            ..StepLaunch::default()
        };
        let mut scratch = vec![UNTOUCHED; launch.sample.scratch_bytes().unwrap() as usize / 4];
        scratch[..row_count].fill(0);
        let (scratch, scratch_address) = put("scratch", &scratch);
        let (masks, mask_address) = put("masks", &vec![0; row_count * parts.mask_stride]);
        let (next_tokens, next_address) = put("next tokens", &vec![UNTOUCHED; row_count]);
        (launch.sample.scratch, launch.sample.masks, launch.next_tokens) =
            (scratch_address, mask_address, next_address);
        let logits = device.buffer("logits", &vec![0_u8; row_count * parts.stride * parts.format.bytes() as usize]);
        let rows = device.buffer("rows", &told);
        let (sampled, outcomes) =
            (device.empty("sampled", row_count * SampleOutcome::BYTES), device.empty("outcomes", 4 * row_count));
        let slots = ["slots", "slots of parts"].map(|name| device.buffer(name, parts.slots));
        let formats = format_table(&mut device, parts.formats);
        let vocabulary = device.buffer("vocabulary", DeviceVocabulary::new(parts.vocabulary).bytes());
        let slot_numbers = parts.slot_numbers.map(|numbers| device.buffer("slot numbers", numbers));
        let address = |id: BufferId| device.address(id).unwrap();
        (launch.sample.logits, launch.sample.rows) = (address(logits), address(rows));
        (launch.sample.outcomes, launch.sample.slots) = (address(sampled), address(slots[0]));
        (launch.formats, launch.vocabulary, launch.outcomes) =
            (address(formats), address(vocabulary), address(outcomes));
        launch.slot_numbers = slot_numbers.map_or(0, address);
        let kernel = StepLaunch::kernel(parts.format).to_str().unwrap();
        Self {
            device,
            launch,
            kernel,
            rows,
            sampled,
            outcomes,
            next_tokens,
            logits,
            masks,
            scratch,
            formats,
            vocabulary,
            slots,
            row_count,
            seed,
        }
    }

    /// Sets the logits of the rows.
    pub(crate) fn set_logits(&mut self, bytes: &[u8]) {
        self.device.write(self.logits, bytes).unwrap();
    }

    /// Sets the rows of bits.
    pub(crate) fn set_masks(&mut self, words: &[u32]) {
        self.device.write(self.masks, words).unwrap();
    }

    /// Returns the grid of blocks with which a step is launched on a device.
    pub(crate) fn blocks(&self) -> (u32, u32) {
        self.launch.sample.blocks()
    }

    /// Does a step of all rows in one launch.
    pub(crate) fn step(&mut self, grid: (u32, u32)) -> Result<(Vec<Told>, Counts), Box<Fault>> {
        self.seed += 1;
        let launch = Launch { seed: self.seed, resident: 4, ..Launch::new(self.kernel, grid, SampleLaunch::THREADS) };
        let report = self.device.launch(&launch, &[Argument::Bytes(self.launch.parameters())])?;
        let scratch: Vec<u32> = self.device.read(self.scratch).unwrap();
        assert!(scratch[..self.row_count].iter().all(|ticket| *ticket == 0), "tickets are left 0");
        let sampled: Vec<u8> = self.device.read(self.sampled).unwrap();
        let outcomes: Vec<u32> = self.device.read(self.outcomes).unwrap();
        let next_tokens: Vec<u32> = self.device.read(self.next_tokens).unwrap();
        let sampled = sampled.as_chunks().0.iter().map(|bytes| SampleOutcome::from_bytes(*bytes).unwrap());
        let told = sampled.zip(outcomes).zip(next_tokens).map(|((sampled, outcome), next_token)| Told {
            sampled,
            outcome: Outcome::from_number(outcome).unwrap(),
            next_token,
        });
        Ok((told.collect(), report.counts))
    }

    /// Returns the kernel's input about the rows, as it lies in memory.
    pub(crate) fn rows(&self) -> Vec<u8> {
        self.device.read(self.rows).unwrap()
    }

    /// Returns the slots, after checking that the launches for each part of a step lead to the same slots.
    #[track_caller]
    pub(crate) fn slots(&self) -> Vec<SlotImage> {
        let [slots, others] = self.slots.map(|slots| self.device.read::<u8>(slots).unwrap());
        for (number, (slot, other)) in slots.chunks(SlotImage::SIZE).zip(others.chunks(SlotImage::SIZE)).enumerate() {
            assert!(slot == other, "slot {number} is as after a launch for each part of a step");
        }
        slots.chunks(SlotImage::SIZE).map(|bytes| SlotImage::from_bytes(bytes).unwrap()).collect()
    }

    /// Moves slots by tokens and locates the masks of the moved slots, by a launch each, where no whole steps are done.
    /// Returns the outcomes of the tokens.
    pub(crate) fn advance_parts(&mut self, moves: &[(u32, u32)]) -> Vec<Outcome> {
        let numbers: Vec<u32> = moves.iter().map(|(slot, _)| *slot).collect();
        let tokens: Vec<i32> = moves.iter().map(|(_, token)| *token as i32).collect();
        let outcomes = self.by_sequence("ogc_advance", 1, &numbers, &[self.formats, self.vocabulary], &tokens);
        let is_moved = |outcome: &Outcome| matches!(outcome, Outcome::Accepted | Outcome::Ended);
        let moved: Vec<u32> =
            numbers.iter().zip(&outcomes).filter(|(_, outcome)| is_moved(outcome)).map(|(slot, _)| *slot).collect();
        self.locate(1, &moved);
        outcomes
    }

    /// Rolls back tokens of slots, and locates their masks.
    pub(crate) fn roll_back(&mut self, counts: &[(u32, i32)]) {
        let numbers: Vec<u32> = counts.iter().map(|(slot, _)| *slot).collect();
        let counts: Vec<i32> = counts.iter().map(|(_, count)| *count).collect();
        for which in 0..2 {
            let outcomes = self.by_sequence("ogc_rollback", which, &numbers, &[], &counts);
            assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Accepted), "{outcomes:?}");
            self.locate(which, &numbers);
        }
    }

    /// Begins formats in slots, and locates their masks.
    pub(crate) fn begin(&mut self, slots: &[(u32, u32)]) {
        let numbers: Vec<u32> = slots.iter().map(|(slot, _)| *slot).collect();
        let formats: Vec<u32> = slots.iter().map(|(_, format)| *format).collect();
        for which in 0..2 {
            let lists = [&numbers, &formats].map(|list| self.device.buffer("list", list));
            let arguments = [self.slots[which], lists[0], self.formats, lists[1]].map(Argument::Buffer);
            self.launch("ogc_begin", slots.len(), &arguments);
            self.locate(which, &numbers);
        }
    }

    /// Launches a kernel that works on slots, each with a number; returns the outcomes.
    fn by_sequence(
        &mut self,
        kernel: &str,
        which: usize,
        slots: &[u32],
        tables: &[BufferId],
        numbers: &[i32],
    ) -> Vec<Outcome> {
        let outcomes = self.device.empty("outcomes of parts", 4 * slots.len());
        let slot_numbers = self.device.buffer("slot numbers of parts", slots);
        let numbers = self.device.buffer("numbers", numbers);
        let buffers = [&[self.slots[which], slot_numbers], tables, &[numbers, outcomes]].concat();
        let arguments: Vec<Argument> = buffers.into_iter().map(Argument::Buffer).collect();
        self.launch(kernel, slots.len(), &arguments);
        let outcomes: Vec<u32> = self.device.read(outcomes).unwrap();
        outcomes.into_iter().map(|number| Outcome::from_number(number).unwrap()).collect()
    }

    /// Launches a kernel with a warp for each sequence, if there are any.
    fn launch(&mut self, kernel: &str, count: usize, arguments: &[Argument]) {
        let arguments = [arguments, &[Argument::U32(count as u32)]].concat();
        self.start(kernel, count.div_ceil(2), 64, &arguments);
    }

    /// Locates the masks of slots.
    pub(crate) fn locate_all(&mut self, slots: &[u32]) {
        (0..2).for_each(|which| self.locate(which, slots));
    }

    fn locate(&mut self, which: usize, slots: &[u32]) {
        let sequences: Vec<i32> = slots.iter().map(|slot| *slot as i32).collect();
        let sequences = self.device.buffer("sequences", &sequences);
        let arguments = [self.slots[which], sequences, self.formats].map(Argument::Buffer);
        self.start("ogc_locate", slots.len(), 32, &arguments);
    }

    fn start(&mut self, kernel: &str, blocks: usize, threads: u32, arguments: &[Argument]) {
        if blocks > 0 {
            let launch = Launch { seed: self.seed, ..Launch::new(kernel, blocks as u32, threads) };
            self.device.launch(&launch, arguments).unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
}

/// Puts formats into memory, and the table of their addresses.
fn format_table(device: &mut Device<'_>, formats: &[(Arc<Automaton>, DeviceMasks)]) -> BufferId {
    let mut put = |name: &str, bytes: &[u8]| {
        let id = device.buffer(name, bytes);
        device.address(id).unwrap()
    };
    let addresses: Vec<u64> = formats
        .iter()
        .flat_map(|(format, masks)| {
            [put("format", DeviceFormat::new(format).unwrap().bytes()), put("masks of the format", masks.bytes())]
        })
        .collect();
    device.buffer("formats", &addresses)
}
