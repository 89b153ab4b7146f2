//! The buffers of drafts, and their launches.

use std::sync::Arc;

use crate::located::Bench;
use crate::mirror;
use ogc_cuda::{
    AllowedTokens, DeviceFormat, DeviceVocabulary, DraftLaunch, MaskState, MovedTokens, Outcome, RowSampling,
    RunLaunch, SampleOutcome, SlotImage, SlotStatus, TokenRows, VerifiedDraft,
};
use ogc_ptx::{Argument, BufferId, Device, Launch, Module};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::PackLimits;
use ogc_runtime::vocabulary::TokenId;

/// Fills memory that no kernel has written.
const UNTOUCHED: u32 = 0xdead_beef;

/// Byte range of the position in a row's sampling settings.
const POSITION: std::ops::Range<usize> = 56..64;

/// Formats in memory.
pub struct Table {
    pub formats: Vec<(Arc<Automaton>, Vec<u8>)>,
}

impl Table {
    /// Builds the masks of formats. Formats without masks are left out.
    pub fn new(bench: &mut Bench, formats: &[Arc<Automaton>], limits: &PackLimits) -> Self {
        let mut with_masks = |format: &Arc<Automaton>| {
            let (_, masks) = bench.masks_with(format, limits)?;
            Some((Arc::clone(format), masks.bytes().to_vec()))
        };
        Self { formats: formats.iter().filter_map(&mut with_masks).collect() }
    }
}

/// The format's verdict on a draft.
#[derive(Clone, Debug)]
pub struct Drafted {
    pub moved: MovedTokens,
    /// The masks: one more than the draft has room for tokens.
    pub masks: Vec<MaskState>,
}

/// Sequences with drafts on the interpreter's device.
pub struct Stage<'m> {
    pub device: Device<'m>,
    pub launch: DraftLaunch,
    slots: BufferId,
    slot_numbers: BufferId,
    drafts: BufferId,
    masks: BufferId,
    samplings: BufferId,
    sampled: BufferId,
    drafted: BufferId,
    verified: BufferId,
    back: BufferId,
    outcomes: BufferId,
    pub seed: u64,
}

impl<'m> Stage<'m> {
    /// Writes sequences to memory, with free slots. Each has the slot of its number in the list; a negative number means no slot.
    pub fn new(module: &'m Module, bench: &Bench, table: &Table, sequences: &[i32], most: u32, seed: u64) -> Self {
        let mut device = mirror::device(module);
        let mut addresses = Vec::new();
        for (format, masks) in &table.formats {
            for bytes in [DeviceFormat::new(format).unwrap().bytes(), masks] {
                let buffer = device.buffer("format", bytes);
                addresses.push(device.address(buffer).unwrap());
            }
        }
        let count = sequences.len();
        let slot_count = 1 + sequences.iter().copied().max().unwrap_or(0) as usize;
        let (pool_rows, blocks) = (bench.pool.row_count() as usize, bench.pool.block_count() as usize);
        let mut launch = DraftLaunch { count: count as u32, most, ..DraftLaunch::default() };
        let rows = launch.rows().unwrap() as usize;
        let row = |at: usize| RowSampling { allowed: AllowedTokens::Located(at as u32), ..RowSampling::default() };
        let sampling: Vec<u8> = (0..rows).flat_map(|at| row(at).to_bytes()).collect();
        let vocabulary = DeviceVocabulary::new(bench.store.vocabulary());
        let free: Vec<u8> = (0..slot_count).flat_map(|_| SlotImage::free().bytes().to_vec()).collect();
        let slots = device.buffer("slots", &free);
        let slot_numbers = device.buffer("sequences", sequences);
        let drafts = device.buffer("drafts", &vec![-1; count * most as usize]);
        let masks = device.buffer("masks", &vec![UNTOUCHED; rows * MaskState::BYTES / 4]);
        let samplings = device.buffer("samplings", &sampling);
        let sampled = device.buffer("sampled", &vec![UNTOUCHED; 2 * rows]);
        let drafted = device.empty("drafted", count * MovedTokens::BYTES);
        let verified = device.empty("verified", count * VerifiedDraft::BYTES);
        let back = device.buffer("tokens to take back", &vec![0; count]);
        let outcomes = device.empty("outcomes", 4 * count);
        let buffers = [
            device.buffer("formats", &addresses),
            device.buffer("vocabulary", vocabulary.bytes()),
            device.buffer("table", &bench.buffers.table[..8 * pool_rows]),
            device.buffer("contents", &bench.buffers.contents[..16 * blocks]),
            device.buffer("stops", &bench.stops),
        ];
        let address = |buffer: BufferId| device.address(buffer).unwrap();
        let [formats, vocabulary, pool_table, contents, stops] = buffers.map(address);
        (launch.slots, launch.sequences) = (address(slots), address(slot_numbers));
        (launch.formats, launch.vocabulary) = (formats, vocabulary);
        (launch.drafts, launch.masks) = (address(drafts), address(masks));
        (launch.samplings, launch.sampled) = (address(samplings), address(sampled));
        (launch.drafted, launch.verified) = (address(drafted), address(verified));
        (launch.pool, launch.stops) = ((pool_table, contents), (stops, bench.stops.len() as u32));
        Self {
            device,
            launch,
            slots,
            slot_numbers,
            drafts,
            masks,
            samplings,
            sampled,
            drafted,
            verified,
            back,
            outcomes,
            seed,
        }
    }

    fn run(&mut self, kernel: &str, blocks: u32, arguments: &[Argument]) {
        self.seed += 1;
        let launch = Launch { seed: self.seed, ..Launch::new(kernel, blocks, DraftLaunch::THREADS) };
        self.device.launch(&launch, arguments).unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Writes the drafts and launches the kernel that finds their masks.
    pub fn draft(&mut self, drafts: &[&[TokenId]]) -> Vec<Drafted> {
        let rows = TokenRows::new(self.launch.most, drafts).unwrap();
        self.device.write(self.drafts, rows.bytes()).unwrap();
        let parameters = self.launch.parameters().unwrap();
        self.run("ogc_draft", self.launch.blocks(), &[Argument::Bytes(parameters)]);
        let masks: Vec<u8> = self.device.read(self.masks).unwrap();
        let masks: Vec<MaskState> =
            masks.chunks_exact(MaskState::BYTES).map(|bytes| MaskState::from_bytes(bytes).unwrap()).collect();
        let moved: Vec<u8> = self.device.read(self.drafted).unwrap();
        let moved = moved.as_chunks().0.iter().map(|bytes| MovedTokens::from_bytes(*bytes).unwrap());
        let masks = masks.chunks_exact(1 + self.launch.most as usize);
        moved.zip(masks).map(|(moved, masks)| Drafted { moved, masks: masks.to_vec() }).collect()
    }

    /// Launches the kernel that verifies drafts.
    pub fn verify(&mut self) -> Vec<VerifiedDraft> {
        let parameters = self.launch.parameters().unwrap();
        self.run("ogc_verify", self.launch.blocks(), &[Argument::Bytes(parameters)]);
        let verified: Vec<u8> = self.device.read(self.verified).unwrap();
        let bytes = verified.chunks_exact(VerifiedDraft::BYTES);
        bytes.map(|bytes| VerifiedDraft::from_bytes(bytes).unwrap()).collect()
    }

    /// Takes tokens of each sequence back.
    pub fn roll_back(&mut self, tokens: &[i32]) -> Vec<Outcome> {
        self.device.write(self.back, tokens).unwrap();
        let buffers = [self.slots, self.slot_numbers, self.back, self.outcomes];
        let arguments = [&buffers.map(Argument::Buffer)[..], &[Argument::U32(tokens.len() as u32)]].concat();
        self.run("ogc_rollback", tokens.len() as u32, &arguments);
        let outcomes: Vec<u32> = self.device.read(self.outcomes).unwrap();
        outcomes.into_iter().map(|number| Outcome::from_number(number).unwrap()).collect()
    }

    /// Appends a run to each sequence; each run has room for `most` tokens.
    pub fn append(&mut self, runs: &[&[TokenId]], most: u32) -> Vec<MovedTokens> {
        let runs = self.device.buffer("runs", TokenRows::new(most, runs).unwrap().bytes());
        let runs = self.device.address(runs).unwrap();
        let DraftLaunch { slots, sequences, formats, vocabulary, drafted, count, .. } = self.launch;
        let launch = RunLaunch { slots, sequences, formats, vocabulary, runs, outcomes: drafted, count, most };
        self.run("ogc_run", launch.blocks(), &[Argument::Bytes(launch.parameters())]);
        let moved: Vec<u8> = self.device.read(self.drafted).unwrap();
        moved.as_chunks().0.iter().map(|bytes| MovedTokens::from_bytes(*bytes).unwrap()).collect()
    }

    /// Returns all slots.
    pub fn slots(&self) -> Vec<SlotImage> {
        let bytes: Vec<u8> = self.device.read(self.slots).unwrap();
        bytes.chunks_exact(SlotImage::SIZE).map(|bytes| SlotImage::from_bytes(bytes).unwrap()).collect()
    }

    /// Writes a slot to memory.
    pub fn put_slot(&mut self, number: usize, slot: &SlotImage) {
        let mut bytes: Vec<u8> = self.device.read(self.slots).unwrap();
        bytes[number * SlotImage::SIZE..][..SlotImage::SIZE].copy_from_slice(slot.bytes());
        self.device.write(self.slots, &bytes).unwrap();
    }

    /// Sets who steps a slot.
    pub fn put_status(&mut self, number: usize, status: SlotStatus) {
        let mut bytes: Vec<u8> = self.device.read(self.slots).unwrap();
        let word = match status {
            SlotStatus::Free => 0,
            SlotStatus::Device => 1,
            SlotStatus::Host => 2,
        };
        bytes[number * SlotImage::SIZE] = word;
        self.device.write(self.slots, &bytes).unwrap();
    }

    /// Replaces the sampling settings of rows.
    pub fn put_samplings(&mut self, rows: &[RowSampling]) {
        let bytes: Vec<u8> = rows.iter().flat_map(RowSampling::to_bytes).collect();
        self.device.write(self.samplings, &bytes).unwrap();
    }

    /// Returns the positions of all rows.
    pub fn positions(&self) -> Vec<u64> {
        let bytes: Vec<u8> = self.device.read(self.samplings).unwrap();
        let of = |row: &[u8]| u64::from_le_bytes(row[POSITION].try_into().unwrap());
        bytes.chunks_exact(RowSampling::BYTES).map(of).collect()
    }

    /// Sets the positions of all rows.
    pub fn put_positions(&mut self, positions: &[u64]) {
        let mut bytes: Vec<u8> = self.device.read(self.samplings).unwrap();
        for (row, position) in bytes.chunks_exact_mut(RowSampling::BYTES).zip(positions) {
            row[POSITION].copy_from_slice(&position.to_le_bytes());
        }
        self.device.write(self.samplings, &bytes).unwrap();
    }

    /// Sets the sampled tokens, and counts them as the sampling kernel does.
    pub fn put_sampled(&mut self, outcomes: &[SampleOutcome]) {
        let words = outcomes.iter().flat_map(|outcome| match outcome {
            SampleOutcome::Nothing => [0, 0],
            SampleOutcome::Token(token) => [1, *token],
            SampleOutcome::NoToken => [2, 0],
            SampleOutcome::Host => [3, 0],
            SampleOutcome::Full => panic!("drafts count no tokens"),
        });
        self.device.write(self.sampled, &words.collect::<Vec<u32>>()).unwrap();
        let mut positions = self.positions();
        for (position, outcome) in positions.iter_mut().zip(outcomes) {
            *position += u64::from(matches!(outcome, SampleOutcome::Token(_)));
        }
        self.put_positions(&positions);
    }

    /// Replaces the masks of all rows by masks with these words and rows.
    pub fn put_masks(&mut self, masks: &[(u32, Vec<u32>)]) {
        let words = masks.iter().flat_map(|(may_end, rows)| {
            // Verification does not depend on the forms of the rows.
            let head = [*may_end, rows.len() as u32, UNTOUCHED];
            head.into_iter().chain(rows.clone()).chain(std::iter::repeat(UNTOUCHED)).take(MaskState::BYTES / 4)
        });
        self.device.write(self.masks, &words.collect::<Vec<u32>>()).unwrap();
    }

    /// Returns the sampled tokens.
    pub fn sampled(&self) -> Vec<SampleOutcome> {
        let bytes: Vec<u8> = self.device.read(self.sampled).unwrap();
        bytes.as_chunks().0.iter().map(|bytes| SampleOutcome::from_bytes(*bytes).unwrap()).collect()
    }
}
