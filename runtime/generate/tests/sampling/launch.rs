//! Launches the kernels on buffers of the interpreter.

use std::num::NonZeroU32;

use ogc_cuda::{Adjustments, KeptTokens, RowSampling, SampleLaunch, SampleOutcome, TokenChoice};
use ogc_generate::Sampling;
use ogc_generate::weights::{Scale, Share, least_weight};
use ogc_ptx::{Argument, BufferId, Counts, Device, Fault, Launch, Module};

use ogc_kit::Random;

use super::cases::{Batch, Row};
use crate::mirror;

/// The content of scratch memory that no kernel wrote.
const UNTOUCHED: u32 = 0xdead_beef;

/// A batch in the memory of the interpreter.
#[derive(Debug)]
pub(crate) struct Launched<'m> {
    device: Device<'m>,
    launch: SampleLaunch,
    kernel: &'static str,
    rows: BufferId,
    scratch: BufferId,
    outcomes: BufferId,
    probabilities: BufferId,
    /// The rows as they should lie in memory, and the lists of written tokens.
    expected: Vec<RowSampling>,
    counts: Vec<(BufferId, Vec<[u32; 2]>)>,
}

impl<'m> Launched<'m> {
    /// Puts a batch into memory; its logits begin at a random offset.
    pub(crate) fn new(module: &'m Module, batch: &Batch, random: &mut Random) -> Self {
        let stride = batch.width + [0, 1, random.below(40)][random.below(3)];
        Self::at(module, batch, random.below(12), stride)
    }

    /// Puts a batch into memory; the rows of logits follow one another without a gap.
    pub(crate) fn aligned(module: &'m Module, batch: &Batch) -> Self {
        Self::at(module, batch, 0, batch.width)
    }

    fn at(module: &'m Module, batch: &Batch, offset: usize, stride: usize) -> Self {
        let mut device = mirror::device(module);
        let mut address = |name: &str, words: &[u32]| {
            let id = device.buffer(name, words);
            (id, device.address(id).unwrap())
        };
        let counts: Vec<_> = batch
            .rows
            .iter()
            .map(|row| {
                let counts = counts(row);
                let room = [UNTOUCHED; 2].repeat(row.room.unwrap_or(0));
                (address("counts", &[counts.as_flattened(), &room].concat()), counts)
            })
            .collect();
        let lists = batch.rows.iter().zip(&counts).map(|(row, ((_, address), counts))| (row, (*address, counts.len())));
        let expected: Vec<RowSampling> = lists.map(|(row, list)| row_sampling(row, list, &mut address)).collect();
        let counts = counts.into_iter().map(|((id, _), counts)| (id, counts)).collect();
        let row_words: Vec<u32> = expected.iter().flat_map(|row| words(&row.to_bytes())).collect();
        let mut launch = SampleLaunch {
            row_count: batch.rows.len() as u32,
            vocabulary: batch.vocabulary as u32,
            width: batch.width as u32,
            mask_stride: batch.mask_stride as u64,
            masks: address("masks", &batch.masks).1,
            slots: address("slots", &batch.slots).1,
            pool: (address("table", &batch.pool.table).1, address("contents", &batch.pool.contents).1),
            stops: (address("stops", &batch.stops).1, batch.stops.len() as u32),
            ..SampleLaunch::default()
        };
        let mut untouched = vec![UNTOUCHED; launch.scratch_bytes().unwrap() as usize / 4];
        untouched[..batch.rows.len()].fill(0);
        let (rows, row_address) = address("rows", &row_words);
        let (scratch, scratch_address) = address("scratch", &untouched);
        let outcomes = device.empty("outcomes", batch.rows.len() * SampleOutcome::BYTES);
        let probabilities = device.buffer("probabilities", &vec![UNTOUCHED; batch.rows.len()]);
        let logits = device.buffer("logits", &logit_bytes(batch, offset, stride));
        launch.logits = device.address(logits).unwrap() + offset as u64 * u64::from(batch.format.bytes());
        (launch.stride, launch.rows, launch.scratch) = (stride as u64, row_address, scratch_address);
        launch.outcomes = device.address(outcomes).unwrap();
        launch.probabilities = device.address(probabilities).unwrap();
        Self {
            device,
            launch,
            kernel: SampleLaunch::kernel(batch.format).to_str().unwrap(),
            rows,
            scratch,
            outcomes,
            probabilities,
            expected,
            counts,
        }
    }

    /// Launches the kernel; returns the outcomes of the rows, and the counts.
    pub(crate) fn run(&mut self, grid: (u32, u32), seed: u64) -> Result<(Vec<SampleOutcome>, Counts), Box<Fault>> {
        let launch = Launch { seed, resident: 4, ..Launch::new(self.kernel, grid, SampleLaunch::THREADS) };
        let report = self.device.launch(&launch, &[Argument::Bytes(self.launch.parameters())])?;
        let scratch: Vec<u32> = self.device.read(self.scratch).unwrap();
        assert!(scratch[..self.expected.len()].iter().all(|ticket| *ticket == 0), "tickets are left 0");
        let outcomes = self.outcomes();
        for ((row, (id, counts)), outcome) in self.expected.iter_mut().zip(&mut self.counts).zip(&outcomes) {
            let SampleOutcome::Token(token) = *outcome else { continue };
            row.position += 1;
            if row.adjustments.written_capacity > 0 {
                match counts.binary_search_by_key(&token, |[token, _]| *token) {
                    Ok(at) => counts[at][1] += 1,
                    Err(at) => counts.insert(at, [token, 1]),
                }
                row.adjustments.written.1 = counts.len() as u32;
            }
            let found: Vec<u32> = self.device.read(*id).unwrap();
            assert_eq!(found[..2 * counts.len()], *counts.as_flattened(), "the token is counted");
        }
        let rows: Vec<u8> = self.device.read(self.rows).unwrap();
        assert!(rows == self.expected.iter().flat_map(RowSampling::to_bytes).collect::<Vec<u8>>(), "rows move on");
        Ok((outcomes, report.counts))
    }
}

impl Launched<'_> {
    /// Returns the bits of the logarithms of probabilities that the kernel wrote.
    pub(crate) fn probabilities(&self) -> Vec<Option<u32>> {
        let bits: Vec<u32> = self.device.read(self.probabilities).unwrap();
        bits.iter().map(|bits| (*bits != UNTOUCHED).then_some(*bits)).collect()
    }

    /// Returns the outcomes that the kernel wrote.
    fn outcomes(&self) -> Vec<SampleOutcome> {
        let bytes: Vec<u8> = self.device.read(self.outcomes).unwrap();
        bytes.as_chunks().0.iter().map(|bytes| SampleOutcome::from_bytes(*bytes).unwrap()).collect()
    }
}

/// Returns the words of some bytes.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// Returns the written tokens, each with the number of times.
pub(crate) fn counts(row: &Row) -> Vec<[u32; 2]> {
    let mut written: Vec<u32> = row.written.iter().map(|token| token.0).collect();
    written.sort_unstable();
    written.chunk_by(u32::eq).map(|same| [same[0], same.len() as u32]).collect()
}

/// Returns the kernel's input about a row, given the place and the number of its counts; puts the row's biases into
/// memory.
pub(crate) fn row_sampling(
    row: &Row,
    (counts, count): (u64, usize),
    put: &mut impl FnMut(&str, &[u32]) -> (BufferId, u64),
) -> RowSampling {
    let biases: Vec<u32> = row.sampling.bias.iter().flat_map(|(token, bias)| [token.0, bias.to_bits()]).collect();
    RowSampling {
        seed: row.sampling.seed,
        request: row.request,
        position: row.position,
        choice: if row.is_sampled { choice(&row.sampling) } else { TokenChoice::Nothing },
        adjustments: Adjustments {
            repetition_penalty: row.sampling.repetition_penalty,
            presence_penalty: row.sampling.presence_penalty,
            frequency_penalty: row.sampling.frequency_penalty,
            written: (counts, count as u32),
            written_capacity: row.room.map_or(0, |room| (count + room) as u32),
            biases: (put("biases", &biases).1, biases.len() as u32 / 2),
        },
        allowed: row.allowed,
        tells_probability: row.tells_probability,
    }
}

/// Returns the kernel's input about the sampling.
fn choice(sampling: &Sampling) -> TokenChoice {
    let scale = Scale::of(sampling.temperature).factor();
    let kept = KeptTokens {
        top_k: NonZeroU32::new(sampling.top_k as u32),
        share: Share::of(sampling.top_p).map(Share::units),
        least_weight: least_weight(sampling.min_p),
    };
    match sampling.temperature {
        0.0 => TokenChoice::Highest,
        _ => TokenChoice::Truncated { scale, kept },
    }
}

/// Returns the logits of all rows at an offset; the values between the rows are logits of no row.
fn logit_bytes(batch: &Batch, offset: usize, stride: usize) -> Vec<u8> {
    let size = batch.format.bytes() as usize;
    let mut bytes = vec![0x7a; (offset + batch.rows.len() * stride) * size];
    for (at, row) in batch.rows.iter().enumerate() {
        let first = (offset + at * stride) * size;
        bytes[first..first + row.bytes.len()].copy_from_slice(&row.bytes);
    }
    bytes
}
