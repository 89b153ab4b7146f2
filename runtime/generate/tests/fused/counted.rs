//! Counts the memory traffic and the instructions of a step, for its rows alone and with their slots. Sectors of memory
//! are compared with the fewest possible.

use std::collections::BTreeSet;

use ogc_cuda::{AllowedTokens, LogitFormat, RowSampling, SampleOutcome, SlotImage};
use ogc_generate::Sampling;
use ogc_ptx::{Counts, Module};

use crate::fused::Formats;
use ogc_kit::Random;

use super::device::{Memory, Parts, Put, pool_words};
use crate::fused::cases::{self, Row};

/// A batch of rows at places in texts of one format.
pub(crate) struct Places<'f> {
    pub(crate) formats: &'f Formats,
    /// The beginnings of the rows' texts; rows take them by turns.
    pub(crate) texts: &'f [&'f [u8]],
    pub(crate) rows: usize,
    pub(crate) format: LogitFormat,
    pub(crate) temperature: f32,
}

/// The counts of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// The blocks of a row.
    pub(crate) blocks: u32,
    /// The counts of the rows alone, and of the whole step.
    pub(crate) rows: Counts,
    pub(crate) step: Counts,
    /// The fewest sectors of rows: for each row, the sectors with a logit of an allowed token, and those of the rows of
    /// its mask.
    pub(crate) floor: u64,
    /// The number of rows whose masks are lists.
    pub(crate) lists: usize,
}

impl Places<'_> {
    /// Counts a step, and the same step without slots, only sampled by the masks.
    pub(crate) fn count(&self, module: &Module) -> Counted {
        let (rows, blocks, images) = self.run(module, false);
        let (step, ..) = self.run(module, true);
        let floor = images.iter().enumerate().map(|(at, image)| self.floor(at, image)).sum();
        let lists = images.iter().filter(|image| !image.mask_is_dense()).count();
        Counted { blocks, rows, step, floor, lists }
    }

    /// Does a step; returns the counts, the blocks of a row, and the slots before the step.
    fn run(&self, module: &Module, has_slots: bool) -> (Counts, u32, Vec<SlotImage>) {
        let width = self.formats.vocabulary().len();
        let slots: Vec<u8> = (0..self.rows).flat_map(|row| self.slot(row).bytes().to_vec()).collect();
        let none = vec![-1; self.rows];
        let pool = (self.formats.bench.pool.row_count(), self.formats.bench.pool.block_count());
        let parts = Parts {
            vocabulary: self.formats.vocabulary(),
            formats: &self.formats.tables,
            pool: pool_words(&self.formats.bench.buffers, pool.0, pool.1),
            format: self.format,
            slots: &slots,
            slot_numbers: (!has_slots).then_some(&none),
            width,
            stride: self.stride(),
            mask_stride: width.div_ceil(32),
        };
        let rows = |mut put: Put<'_>| -> Vec<RowSampling> {
            (0..self.rows).map(|row| super::row_sampling(&self.row(row), &mut put)).collect()
        };
        let mut memory = Memory::new(module, &parts, self.rows, rows, 1);
        memory.locate_all(&(0..self.rows as u32).collect::<Vec<_>>());
        let images = memory.slots();
        memory.set_logits(&self.logits());
        let (told, counts) = memory.step(memory.blocks()).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(told.iter().all(|told| matches!(told.sampled, SampleOutcome::Token(_))), "{told:?}");
        (counts, memory.blocks().0, images)
    }

    /// Returns the distance in logits from one row to the next: each row begins a sector.
    fn stride(&self) -> usize {
        self.formats.vocabulary().len().next_multiple_of(16)
    }

    fn slot(&self, row: usize) -> SlotImage {
        let mut matcher = self.formats.matchers[0].fork();
        matcher.accept_bytes(self.texts[row % self.texts.len()]).unwrap();
        SlotImage::new(&matcher, 0).unwrap()
    }

    fn row(&self, row: usize) -> Row {
        Row {
            sampling: Sampling { temperature: self.temperature, ..Sampling::default() },
            request: row as u64,
            position: 0,
            written: Vec::new(),
            is_sampled: true,
            tells_probability: false,
            room: None,
            allowed: AllowedTokens::Slot(row as u32),
            mask: None,
            logits: Vec::new(),
            bytes: Vec::new(),
        }
    }

    fn logits(&self) -> Vec<u8> {
        let mut random = Random::new(1);
        let count = self.rows * self.stride();
        (0..count).flat_map(|_| cases::encoded(self.format, 20.0 * random.unit()).0).collect()
    }

    /// Returns the fewest sectors of a row.
    fn floor(&self, row: usize, image: &SlotImage) -> u64 {
        let size = self.format.bytes() as usize;
        let bits = self.formats.bits(image);
        let allowed = (0..self.formats.vocabulary().len()).filter(|token| bits[token / 32] >> (token % 32) & 1 == 1);
        let sectors: BTreeSet<usize> = allowed.map(|token| (row * self.stride() + token) * size / 32).collect();
        let masks: u64 = image.mask_rows().iter().map(|number| self.mask_sectors(*number)).sum();
        sectors.len() as u64 + masks
    }

    /// Returns the sectors of a row of the pool, with the sectors of the row that it is a difference from.
    fn mask_sectors(&self, number: u32) -> u64 {
        let &[kind, _, len, removed, dense] = &self.formats.bench.buffers.table[8 * number as usize..][..5] else {
            unreachable!()
        };
        let base = if kind == 2 { self.mask_sectors(dense) } else { 0 };
        u64::from((len + removed).div_ceil(8)) + base
    }
}
