//! Tests of the kernel that does a whole step of decoding, run by the interpreter. The tokens are those of the host's
//! sampler under the matcher's mask. The slots move as by the kernels for each part of a step, and their masks are the
//! matcher's.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "rows are made by the test of sampling")]
use crate::sampling::cases;
#[allow(dead_code, reason = "only settings are needed")]
mod counted;
mod device;
use crate::formats;
use crate::interpreter;
use crate::located;
use crate::objects;
use crate::random;
use crate::rows;
#[allow(dead_code, reason = "only what rows are told is needed")]
use crate::sampling::launch;
mod sequence;

use std::sync::Arc;

use cases::Row;
use counted::{Counted, Places};
use device::{Memory, Parts, Put, pool_words};
use located::Bench;
use ogc_cuda::{
    ADVANCE_PTX, AllowedTokens, DeviceMasks, LOCATE_PTX, LogitFormat, RowSampling, SampleOutcome, SlotImage,
    SlotStatus, fused_ptx,
};
use ogc_kit::Random;
use ogc_ptx::Module;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use rows::Located;
use sequence::{Sequence, Slot, Tally, compare};

/// Returns the kernels of whole steps, and the kernels for each part of a step.
fn module() -> Module {
    interpreter::module(&[fused_ptx(), ADVANCE_PTX, LOCATE_PTX].map(|text| text.to_str().unwrap()))
}

/// The formats of a batch, with their masks in a pool.
struct Formats {
    bench: Bench,
    tables: Vec<(Arc<Automaton>, DeviceMasks)>,
    matchers: Vec<Matcher>,
}

impl Formats {
    fn new(vocabulary: Arc<Vocabulary>) -> Self {
        // Nothing is compiled for the host.
        Self { bench: Bench::new(String::new(), vocabulary), tables: Vec::new(), matchers: Vec::new() }
    }

    fn add(&mut self, format: &Arc<Automaton>) {
        if let Some((matcher, masks)) = self.bench.masks(format) {
            self.tables.push((Arc::clone(format), masks));
            self.matchers.push(matcher);
        }
    }

    /// Adds formats at random until there are `count`.
    fn fill(&mut self, count: usize, random: &mut Random) {
        let known = formats::all();
        while self.tables.len() < count {
            let mut numbers = Random::new(random.next());
            let format = match random.below(3) {
                0 => random::random_format(&mut numbers),
                1 => objects::random_objects(&mut numbers),
                _ => Some(Arc::clone(&known[random.below(known.len())].1)),
            };
            if let Some(format) = format {
                self.add(&format);
            }
        }
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.bench.store.vocabulary()
    }

    /// Returns the bits of a slot's mask.
    fn bits(&self, image: &SlotImage) -> Vec<u32> {
        self.bench.buffers.bits(&Located::of(image), &self.bench.stops, self.vocabulary().len().div_ceil(32))
    }
}

/// A batch, and the host's state of it.
struct Batch<'m, 'f> {
    formats: &'f Formats,
    sequences: Vec<Sequence>,
    memory: Memory<'m>,
    told: Vec<RowSampling>,
    format: LogitFormat,
    width: usize,
    stride: usize,
    words: usize,
    tally: Tally,
}

impl<'m, 'f> Batch<'m, 'f> {
    /// Makes rows of all kinds; some have no slot, and some have a slot that the host steps.
    fn new(module: &'m Module, formats: &'f Formats, row_count: usize, random: &mut Random) -> Self {
        let vocabulary = formats.vocabulary();
        let words = vocabulary.len().div_ceil(32);
        let width = vocabulary.len() + [0, 0, random.below(70)][random.below(3)];
        let stride = width + [0, random.below(9)][random.below(2)];
        let is_listed = random.below(2) == 0;
        let mut sequences: Vec<Sequence> =
            (0..row_count).map(|at| sequence(at, row_count, is_listed, formats, random)).collect();
        let mut slots = vec![0; 2 * row_count * SlotImage::SIZE];
        for slot in sequences.iter().filter_map(|sequence| sequence.slot.as_ref()) {
            let at = slot.number as usize * SlotImage::SIZE;
            slots[at..at + 4].copy_from_slice(&(if slot.status == SlotStatus::Host { 2_u32 } else { 0 }).to_le_bytes());
        }
        let slot_numbers: Vec<i32> = sequences
            .iter()
            .map(|sequence| sequence.slot.as_ref().map_or(-1 - random.below(9) as i32, |slot| slot.number as i32))
            .collect();
        let format = LogitFormat::ALL[random.below(3)];
        let pool = (formats.bench.pool.row_count(), formats.bench.pool.block_count());
        let parts = Parts {
            vocabulary,
            formats: &formats.tables,
            pool: pool_words(&formats.bench.buffers, pool.0, pool.1),
            format,
            slots: &slots,
            slot_numbers: is_listed.then_some(&slot_numbers),
            width,
            stride,
            mask_stride: words,
        };
        let mut told = Vec::new();
        let memory = Memory::new(
            module,
            &parts,
            row_count,
            |mut put| {
                told = sequences.iter().map(|sequence| row_sampling(&sequence.row, &mut put)).collect();
                told.clone()
            },
            random.next(),
        );
        let begun: Vec<usize> = (0..row_count).filter(|at| is_devices(&sequences[*at])).collect();
        let mut batch = Self {
            formats,
            sequences: Vec::new(),
            memory,
            told,
            format,
            width,
            stride,
            words,
            tally: Tally::default(),
        };
        std::mem::swap(&mut batch.sequences, &mut sequences);
        batch.begin(&begun, random);
        batch
    }

    /// Begins formats at random in the slots of rows.
    fn begin(&mut self, rows: &[usize], random: &mut Random) {
        let mut begun = Vec::new();
        for row in rows {
            let format = random.below(self.formats.tables.len());
            let slot = self.sequences[*row].slot.as_mut().unwrap();
            *slot = Slot::new(slot.number, SlotStatus::Device, self.formats.matchers[format].fork());
            begun.push((slot.number, format as u32));
        }
        if !begun.is_empty() {
            self.memory.begin(&begun);
        }
        self.compare("at the beginning");
    }

    /// Gives all rows new logits, and writes the masks of rows of bits.
    fn prepare(&mut self, is_new: bool, random: &mut Random) {
        if is_new {
            let size = self.format.bytes() as usize;
            let mut bytes = vec![0x7a; self.sequences.len() * self.stride * size];
            for (at, sequence) in self.sequences.iter_mut().enumerate() {
                let logits = cases::logits(random, self.width);
                let encoded: Vec<_> = logits.into_iter().map(|logit| cases::encoded(self.format, logit)).collect();
                let row: Vec<u8> = encoded.iter().flat_map(|(bytes, _)| bytes).copied().collect();
                bytes[at * self.stride * size..][..row.len()].copy_from_slice(&row);
                let known = self.formats.vocabulary().len();
                sequence.row.logits = encoded[..known].iter().map(|(_, logit)| *logit).collect();
            }
            self.memory.set_logits(&bytes);
        }
        let words = self.words;
        let masks =
            self.sequences.iter_mut().flat_map(|sequence| sequence.mask(words).unwrap_or_else(|| vec![0; words]));
        let masks: Vec<u32> = masks.collect();
        self.memory.set_masks(&masks);
    }

    /// Does a step on the device, and follows it on the host.
    fn step(&mut self, random: &mut Random, name: &str) {
        let grid = (1 + random.below(4) as u32, 1 + random.below(self.sequences.len() + 1) as u32);
        let (told, _) = self.memory.step(grid).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let mut moves = Vec::new();
        let mut said = Vec::new();
        for (at, told) in told.into_iter().enumerate() {
            let sequence = &mut self.sequences[at];
            sequence.follow(told, self.words, &mut self.tally, &format!("{name}, row {at}"));
            if let (Some(slot), SampleOutcome::Token(token)) = (&sequence.slot, told.sampled) {
                moves.push((slot.number, token));
                said.push(told.outcome);
            }
            self.told[at].position = sequence.row.position + sequence.chosen;
        }
        assert_eq!(self.memory.advance_parts(&moves), said, "{name}");
        let rows: Vec<u8> = self.told.iter().flat_map(RowSampling::to_bytes).collect();
        assert!(self.memory.rows() == rows, "{name}: positions move on");
        self.compare(name);
    }

    /// Compares all slots with the host's state of them.
    fn compare(&mut self, name: &str) {
        let images = self.memory.slots();
        let slots = self.sequences.iter_mut().filter_map(|sequence| sequence.slot.as_mut());
        for slot in slots {
            let bits = |image: &SlotImage| self.formats.bits(image);
            compare(slot, &images[slot.number as usize], bits, &mut self.tally, name);
        }
    }

    /// Rolls back tokens of some rows, and begins new texts where a text ended or the host steps it.
    fn disturb(&mut self, random: &mut Random, name: &str) {
        let mut back = Vec::new();
        for sequence in &mut self.sequences {
            if random.below(6) == 0 {
                back.extend(sequence.roll_back(1 + random.below(4)));
            }
        }
        if !back.is_empty() {
            self.tally.rolled_back += back.len();
            self.memory.roll_back(&back);
            self.compare(&format!("{name}, taken back"));
        }
        let is_done = |slot: &Slot| slot.status != SlotStatus::Device || slot.matcher.is_terminated();
        let rows: Vec<usize> = (0..self.sequences.len())
            .filter(|at| self.sequences[*at].slot.as_ref().is_some_and(is_done) && random.below(4) == 0)
            .collect();
        if !rows.is_empty() {
            self.begin(&rows, random);
        }
    }
}

fn is_devices(sequence: &Sequence) -> bool {
    sequence.slot.as_ref().is_some_and(|slot| slot.status == SlotStatus::Device)
}

/// Returns the kernel's input about a row, and puts the row's lists into memory.
fn row_sampling(row: &Row, put: Put<'_>) -> RowSampling {
    let counts = launch::counts(row);
    let counts = (put("counts", counts.as_flattened()).1, counts.len());
    launch::row_sampling(row, counts, &mut |name, words| put(name, words))
}

/// Makes a row whose text has not begun yet.
fn sequence(at: usize, row_count: usize, is_listed: bool, formats: &Formats, random: &mut Random) -> Sequence {
    let number = (2 * (row_count - 1 - at) + random.below(2)) as u32;
    let (allowed, has_slot) = match random.below(8) {
        0 => (AllowedTokens::All, false),
        1 if is_listed => (AllowedTokens::Bits(at as u32), true),
        2 if is_listed => (AllowedTokens::All, true),
        3 if is_listed => (AllowedTokens::Bits(at as u32), false),
        _ => (AllowedTokens::Slot(number), true),
    };
    let status = [SlotStatus::Free, SlotStatus::Host, SlotStatus::Device][random.below(12).min(2)];
    let vocabulary = formats.vocabulary().len();
    let row = Row {
        sampling: cases::sampling(random, vocabulary),
        request: random.next(),
        position: random.next() % 1000,
        written: (0..random.below(20)).map(|_| TokenId(random.below(vocabulary) as u32)).collect(),
        is_sampled: random.below(if status == SlotStatus::Host { 2 } else { 16 }) > 0,
        tells_probability: false,
        room: None,
        allowed,
        mask: None,
        logits: Vec::new(),
        bytes: Vec::new(),
    };
    Sequence::new(row, has_slot.then(|| Slot::new(number, status, formats.matchers[0].fork())))
}

/// Does steps of a batch of random formats, and disturbs it in between.
fn run(module: &Module, formats: &Formats, row_count: usize, steps: usize, random: &mut Random, name: &str) -> Tally {
    let mut batch = Batch::new(module, formats, row_count, random);
    for step in 0..steps {
        let name = format!("{name}, step {step}");
        batch.prepare(step == 0 || random.below(4) > 0, random);
        batch.step(random, &name);
        batch.disturb(random, &name);
    }
    batch.tally
}

impl Tally {
    /// Whether steps of all kinds were seen often.
    fn has_all(&self) -> bool {
        let is_stepped = self.accepted > 160 && self.ended > 2 && self.rolled_back > 40;
        is_stepped && self.refused > 0 && self.only_sampled > 40 && self.none > 20
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.ended += other.ended;
        self.refused += other.refused;
        self.only_sampled += other.only_sampled;
        self.none += other.none;
        self.left += other.left;
        self.rolled_back += other.rolled_back;
    }
}

#[test]
fn steps_of_mixed_batches_match_the_host() {
    let module = module();
    let (first, rounds) = (ogc_kit::first_seed(), ogc_kit::rounds(4, 12));
    let mut tally = Tally::default();
    for round in 0.. {
        if round >= rounds && tally.has_all() {
            break;
        }
        assert!(round < 12 + 2 * rounds, "{tally:?}");
        let mut random = Random::new(first + round);
        let mut formats = Formats::new(formats::vocabulary());
        formats.fill(4, &mut random);
        tally += run(&module, &formats, 8, 20, &mut random, &format!("seed {}", first + round));
    }
}

#[test]
fn steps_over_many_tokens_match_the_host() {
    let module = module();
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let mut formats = Formats::new(located::large_vocabulary());
    formats.fill(6, &mut random);
    let mut tally = Tally::default();
    for batch in 0..3 {
        tally += run(&module, &formats, 6, 8, &mut random, &format!("batch {batch}"));
    }
    assert!(tally.accepted > 50 && tally.rolled_back > 3, "{tally:?}");
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are what is reported of the kernel")]
fn few_more_sectors_are_moved_than_necessary() {
    let module = module();
    // With `OGC_COUNT=1` the batches are as large as those of servers, over a vocabulary of 128,256 tokens.
    let is_large = ogc_kit::setting("OGC_COUNT", 0) == 1;
    let vocabulary = if is_large { llama() } else { Some(located::large_vocabulary()) };
    let Some(vocabulary) = vocabulary else { return };
    let mut formats = Formats::new(vocabulary);
    formats.add(&formats::all().into_iter().find(|(name, _)| *name == "declared order").unwrap().1);
    let places: [(&str, &[&[u8]]); 6] = [
        ("inside a string", &[b"{\"a\":\"x"]),
        ("inside a character", &[b"{\"a\":\"x\xc3"]),
        ("inside strings and characters", &[b"{\"a\":\"x", b"{\"a\":\"x\xc3"]),
        ("at a key", &[b"{\""]),
        ("behind a member", &[b"{\"a\":\"x\","]),
        ("mixed", &[b"{\"a\":\"x", b"{\"", b"{\"a\":\"x\",", b"{\"a\":\""]),
    ];
    for (name, texts) in places {
        for (kind, temperature) in [("highest", 0.0), ("drawn", 1.0)] {
            for rows in if is_large { [1, 64, 256] } else { [1, 2, 4] } {
                let format = LogitFormat::Bf16;
                let Counted { blocks, rows: own, step, floor, lists } =
                    Places { formats: &formats, texts, rows, format, temperature }.count(&module);
                let ratio = own.sectors() as f64 / floor as f64;
                println!(
                    "{name}, {kind}, B={rows}, {lists} lists: {} sectors of rows, floor {floor}, {ratio:.3}; {:.1} sectors of a slot; {:.2} instructions a logit, {:.0} of a slot",
                    own.sectors(),
                    (step.sectors() - own.sectors()) as f64 / rows as f64,
                    own.instructions() as f64 * 32.0 / (formats.vocabulary().len() * rows) as f64,
                    (step.instructions() - own.instructions()) as f64 / rows as f64,
                );
                // Each block searches lists for the places of its warps, and determines the mask.
                let around = 80 * u64::from(blocks) + 100;
                assert!(
                    own.sectors() as f64 <= 1.2 * floor as f64 + (around * rows as u64) as f64,
                    "{name}, {kind}, {rows} rows"
                );
                // For a list with one token per thread, each block but the last reads the first sectors of row and
                // slot, and takes a ticket.
                let around = 3 * (u64::from(blocks) - 1) + 15;
                assert!(
                    own.sectors() <= floor + around * rows as u64 || lists < rows || floor > 16 * rows as u64,
                    "{name}, {kind}, {rows} rows"
                );
                assert!(ratio <= 1.2 || floor < 4000 * rows as u64, "{name}, {kind}, {rows} rows: {ratio}");
            }
        }
    }
}

/// Returns the vocabulary of Llama 3.1.
#[allow(clippy::disallowed_methods, reason = "the vocabulary is a file; see clippy.toml")]
fn llama() -> Option<Arc<Vocabulary>> {
    let path = ogc_kit::corpora::find("tokenizers/llama-3.1/tokenizer.json")?;
    Some(Arc::new(Vocabulary::from_tokenizer_json(&std::fs::read(path).unwrap()).unwrap()))
}

#[test]
fn no_multiply_add_of_the_kernels_may_be_fused() {
    let module = ogc_ptx::parse(fused_ptx().to_str().unwrap()).unwrap();
    assert!(module.fusible_lines().is_empty() && module.approximate_lines().is_empty());
}
