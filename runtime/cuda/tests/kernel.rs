//! Compares the shipped kernel `apply` with a plain loop, and the sectors that it moves with the fewest possible.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::launch;

use launch::Work;
use ogc_cuda::{Geometry, LogitFormat, apply_kernel};
use ogc_kit::Random;
use ogc_ptx::{Counts, Fault, Module};

/// The operands of a launch, and its geometry.
#[derive(Clone, Debug)]
struct Case {
    work: Work,
    geometry: Geometry,
    seed: u64,
}

impl Case {
    /// Returns whether a token of a row is allowed; `None` if the row is not masked.
    fn is_allowed(&self, row: usize, token: usize) -> Option<bool> {
        let Work { rows, masks, mask_stride, mask_offset, vocabulary, .. } = &self.work;
        let mask_row = rows.as_ref().map_or(row as i32, |rows| rows[row]);
        let first = usize::try_from(mask_row).ok()? * mask_stride + mask_offset;
        Some(token < *vocabulary && masks[first + token / 32] >> (token % 32) & 1 == 1)
    }

    /// Returns the masked logits, by a plain loop.
    fn expected(&self) -> Vec<u8> {
        let mut logits = self.work.logits.clone();
        for row in 0..self.work.row_count {
            for token in (0..self.work.width).filter(|token| self.is_allowed(row, *token) == Some(false)) {
                self.work.mask(&mut logits, row, token);
            }
        }
        logits
    }

    /// Runs the kernel; returns the logits and the counts.
    fn run(&self, module: &Module) -> (Vec<u8>, Counts) {
        self.try_run(module).unwrap_or_else(|fault| panic!("{fault}\n{self:?}"))
    }

    fn try_run(&self, module: &Module) -> Result<(Vec<u8>, Counts), Box<Fault>> {
        self.work.run_with(module, self.geometry, self.seed)
    }

    /// Returns the fewest sectors that must be moved: the words of all masks that are used, the row map, and for each sector with a masked
    /// logit one write, plus one read if the sector also has bytes that must stay.
    fn floor(&self) -> u64 {
        let mut sectors = std::collections::BTreeSet::new();
        let mut logits: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
        let work = &self.work;
        for row in 0..work.row_count {
            for token in 0..work.width {
                let Some(is_allowed) = self.is_allowed(row, token) else { break };
                if token < work.vocabulary {
                    let mask_row = work.rows.as_ref().map_or(row, |rows| rows[row] as usize);
                    // A mask that several rows use is read once for each row.
                    sectors.insert((row, (mask_row * work.mask_stride + work.mask_offset + token / 32) / 8));
                }
                if !is_allowed {
                    *logits.entry(work.place(row, token) / 32).or_default() += 1;
                }
            }
        }
        let written = logits.len() as u64;
        let read = logits.values().filter(|masked| **masked < 32 / work.bytes()).count() as u64;
        let map = work.rows.as_ref().map_or(0, |rows| rows.len().div_ceil(8) as u64);
        sectors.len() as u64 + written + read + map
    }
}

/// Returns words in which about `allowed` of 256 bits are set.
fn mask_words(random: &mut Random, count: usize, allowed: u64) -> Vec<u32> {
    let word =
        |random: &mut Random| (0..32).fold(0, |word, bit| word | u32::from(random.next() % 256 < allowed) << bit);
    (0..count).map(|_| word(random)).collect()
}

/// Returns a case of random shape.
fn random_case(random: &mut Random) -> Case {
    let mut below = |limit: usize| (random.next() % limit as u64) as usize;
    let format = LogitFormat::ALL[below(3)];
    let words = 32 * (1 + below(70));
    let vocabulary =
        [31 + below(3), 1 + below(300), words, words - 1, words + 1, 4095 + below(3), 8000 + below(999)][below(7)];
    let width = vocabulary + [0, 0, 1, below(200)][below(4)];
    let logits_stride = width + [0, 1, below(40)][below(3)];
    let (logits_offset, mask_offset) = (below(20), below(12));
    let mask_stride = vocabulary.div_ceil(32) + [0, 1, below(9)][below(3)];
    let row_count = 1 + below(6);
    let mask_rows = 1 + below(4);
    let rows = (0..row_count).map(|_| below(mask_rows + 1) as i32 - 1).collect();
    let is_mapped = mask_rows < row_count || below(2) == 0;
    let (warps, grid_rows) = ([1, 2, 4, 8][below(4)], 1 + below(row_count + 2) as u32);
    let chunks = 1 + below(5) as u32;
    let allowed = [0, 3, 128, 253, 256][below(5)] as u64;
    let logits = (logits_offset + row_count * logits_stride + below(9)) * format.bytes() as usize;
    let (seed, words) = (random.next(), mask_offset + mask_rows * mask_stride);
    let work = Work {
        format,
        vocabulary,
        width,
        logits_stride,
        logits_offset,
        mask_stride,
        mask_offset,
        row_count,
        rows: if is_mapped { Some(rows) } else { None },
        masks: mask_words(random, words, allowed),
        logits: (0..logits).map(|_| random.next() as u8).collect(),
    };
    Case { work, geometry: Geometry::with_warps(width as u32, grid_rows, warps, chunks), seed }
}

#[test]
fn random_shapes_are_masked_like_a_loop() {
    let module = ogc_ptx::parse(launch::ptx()).unwrap();
    let first = ogc_kit::setting("OGC_SEED", 1);
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 300) {
        let case = random_case(&mut Random::new(seed));
        let (found, _) = case.run(&module);
        let expected = case.expected();
        let work = Work { masks: vec![], logits: vec![], ..case.work };
        assert!(found == expected, "seed {seed}: {:?} differs", Case { work, ..case });
    }
}

/// Returns a batch of rows of a vocabulary in which `allowed` of 256 tokens are allowed.
fn batch(format: LogitFormat, vocabulary: usize, row_count: usize, allowed: u64) -> Case {
    let mut random = Random::new(allowed);
    let mask_stride = vocabulary.div_ceil(32);
    let work = Work {
        format,
        vocabulary,
        width: vocabulary,
        logits_stride: vocabulary,
        logits_offset: 0,
        mask_stride,
        mask_offset: 0,
        row_count,
        rows: Some((0..row_count as i32).collect()),
        masks: mask_words(&mut random, row_count * mask_stride, allowed),
        logits: vec![0x11; row_count * vocabulary * format.bytes() as usize],
    };
    Case { geometry: work.masking().geometry().unwrap(), work, seed: 1 }
}

/// A row that begins after an aligned address needs another warp only from some width on.
#[test]
fn the_grid_reaches_the_end_of_unaligned_rows() {
    let module = ogc_ptx::parse(launch::ptx()).unwrap();
    for format in LogitFormat::ALL {
        let sector = 32 / format.bytes() as usize;
        for offset in [0, 1, sector / 2, sector - 1] {
            for width in 1024 - sector..=1025 {
                let batch = batch(format, width, 1, 0);
                let logits = vec![0x11; (offset + width) * batch.work.bytes()];
                let work = Work { logits, logits_offset: offset, ..batch.work };
                let case = Case { work, geometry: Geometry::with_warps(width as u32, 1, 1, 1), seed: 1 };
                assert!(case.run(&module).0 == case.expected(), "{format:?}, {width} logits after {offset}");
            }
        }
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are what is reported of the kernel")]
fn few_more_sectors_are_moved_than_necessary() {
    let module = ogc_ptx::parse(launch::ptx()).unwrap();
    // Vocabularies of Llama 3, whose rows are aligned, and of GPT-2, whose rows are not.
    for (vocabulary, row_count) in [(128_256, 1), (50_257, 3)] {
        for format in LogitFormat::ALL {
            for allowed in [0, 1, 128, 255, 256] {
                let case = batch(format, vocabulary, row_count, allowed);
                let (found, counts) = case.run(&module);
                assert!(found == case.expected());
                // Each warp reads its row's entry in the map.
                let (blocks, rows) = case.geometry.blocks;
                let warps = u64::from(blocks * rows * case.geometry.threads / 32);
                let (moved, floor) = (counts.sectors() - warps, case.floor());
                let ratio = moved as f64 / floor as f64;
                println!(
                    "{} V={vocabulary} B={row_count} allowed {allowed}/256: {moved} sectors, floor {floor}, {ratio:.3}; {:.2} instructions a logit",
                    apply_kernel(format).to_string_lossy(),
                    counts.instructions() as f64 * 32.0 / (vocabulary * row_count) as f64,
                );
                assert!(ratio <= 1.2, "{ratio}");
            }
        }
    }
}

#[test]
fn no_multiply_add_of_the_kernel_may_be_fused() {
    assert!(ogc_ptx::parse(launch::ptx()).unwrap().fusible_lines().is_empty());
}

/// Returns a comparison with its bound moved by one, or its direction reversed.
fn flipped(line: &str) -> Option<String> {
    let flips = [
        ("setp.lt", "setp.le"),
        ("setp.ge", "setp.gt"),
        ("setp.gt", "setp.ge"),
        ("setp.le", "setp.lt"),
        ("setp.eq", "setp.ne"),
        ("setp.ne", "setp.eq"),
    ];
    flips.iter().find(|(from, _)| line.contains(from)).map(|(from, to)| line.replace(from, to))
}

#[test]
fn comparisons_that_are_off_by_one_are_found() {
    let cases: Vec<Case> =
        (1..).map(|seed| random_case(&mut Random::new(seed))).filter(|case| case.work.bytes() == 4).take(150).collect();
    let ptx = launch::ptx();
    let start = ptx.find(".entry ogc_apply_f32(").unwrap();
    let mut survivors = Vec::new();
    let mut tried = 0;
    let mut at = start;
    for line in ptx[start..].split_inclusive('\n').take_while(|line| !line.starts_with('}')) {
        if let Some(flipped) = flipped(line) {
            let text = format!("{}{flipped}{}", &ptx[..at], &ptx[at + line.len()..]);
            let module = ogc_ptx::parse(&text).unwrap();
            let is_found = |case: &Case| case.try_run(&module).map_or(true, |(found, _)| found != case.expected());
            tried += 1;
            if !cases.iter().any(is_found) {
                survivors.push(format!("line {}: {}", ptx[..at].lines().count() + 1, line.trim()));
            }
        }
        at += line.len();
    }
    // The surviving changes do not affect results: a chunk that begins where the row ends has no numbers; the first word is never one that
    // a warp reads ahead; and of the four vectors that are read together, the first and last 16 bytes of a row may be written one number at
    // a time, and only the first vector can begin before the row.
    assert!(tried > 60 && survivors.len() <= 16, "{} of {tried}: {survivors:#?}", survivors.len());
}
