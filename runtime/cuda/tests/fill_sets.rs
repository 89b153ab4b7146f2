//! Compares the kernel that writes masks as bits, run by the interpreter on masks of random rows in all forms, with plain sets. Blocks may
//! write several rows of masks, and several rows of a mask may remove tokens.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::mirror;
use crate::sets;

use std::collections::BTreeSet;

use ogc_cuda::SlotImage;
use ogc_kit::Random;
use ogc_ptx::{Argument, Launch, Module};
use sets::{Sets, TOKENS, WORDS};

/// Number of masks per launch.
const MASKS: usize = 5;

/// Masks, and the stop tokens.
struct Case {
    pool: Sets,
    /// For each mask: whether the text may end, and the numbers of its rows.
    masks: Vec<(bool, Vec<u32>)>,
    stops: Vec<u32>,
    are_only_stops: bool,
}

/// Returns each of `of` tokens with some probability.
fn some_tokens(random: &mut Random, of: usize) -> Vec<u32> {
    (0..TOKENS).filter(|_| random.below(of) == 0).collect()
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let (mut pool, mut masks) = (Sets::default(), Vec::new());
        for _ in 0..MASKS {
            let mut rows = Vec::new();
            for _ in 0..random.below(4) {
                let set = some_tokens(random, 12);
                let form = random.below(3);
                pool.add(set, form, random);
                rows.push(pool.sets.len() as u32 - 1);
            }
            masks.push((random.below(2) == 0, rows));
        }
        Self { pool, masks, stops: some_tokens(random, 16), are_only_stops: random.below(2) == 0 }
    }

    /// Returns the expected words of a mask.
    fn expected(&self, (may_end, rows): &(bool, Vec<u32>)) -> Vec<u32> {
        let mut tokens: BTreeSet<u32> = rows.iter().flat_map(|row| &self.pool.sets[*row as usize]).copied().collect();
        if *may_end {
            tokens.extend(&self.stops);
        } else if self.are_only_stops {
            tokens.retain(|token| !self.stops.contains(token));
        }
        let mut words = vec![0; WORDS as usize];
        tokens.into_iter().for_each(|token| words[token as usize / 32] |= 1 << (token % 32));
        words
    }

    /// Returns slots with these masks.
    fn slots(&self) -> Vec<u32> {
        let slot = |(may_end, rows): &(bool, Vec<u32>)| {
            let mut words = vec![0; SlotImage::SIZE / 4];
            // The status and the format, then the mask: whether the text may end, the number of rows, whether a row is not a list.
            words[0] = 1;
            words[2..5].copy_from_slice(&[(*may_end).into(), rows.len() as u32, 1]);
            words[5..5 + rows.len()].copy_from_slice(rows);
            words
        };
        self.masks.iter().flat_map(slot).collect()
    }

    /// Writes the masks as bits, by the kernel. `height` is grid y.
    fn filled(&self, module: &Module, height: u32, seed: u64) -> Vec<u32> {
        let mut device = mirror::device(module);
        let buffers = [
            device.buffer("slots", &self.slots()),
            device.buffer("table", &self.pool.table),
            device.buffer("contents", &self.pool.contents),
            device.buffer("stops", &self.stops),
        ];
        let filled = device.empty("masks", 4 * MASKS * WORDS as usize);
        let [slots, table, contents, stops] = buffers.map(Argument::Buffer);
        let arguments = [
            slots,
            Argument::U64(0),
            Argument::U32(MASKS as u32),
            table,
            contents,
            stops,
            Argument::U32(self.stops.len() as u32),
            Argument::U32(self.are_only_stops.into()),
            Argument::Buffer(filled),
            Argument::U64(WORDS.into()),
            Argument::U32(WORDS),
        ];
        let launch = Launch { seed, ..Launch::new("ogc_fill", (1, height), 256) };
        device.launch(&launch, &arguments).unwrap_or_else(|fault| panic!("{fault}"));
        device.read(filled).unwrap()
    }
}

#[test]
fn random_rows_are_filled_like_sets_of_tokens() {
    let module = ogc_ptx::parse(include_str!("../kernels/ptx/fill.ptx")).unwrap();
    let first = ogc_kit::setting("OGC_SEED", 1);
    for seed in first..first + ogc_kit::setting("OGC_ROUNDS", 12) {
        let mut random = Random::new(seed);
        let case = Case::new(&mut random);
        let expected: Vec<u32> = case.masks.iter().flat_map(|mask| case.expected(mask)).collect();
        let height = 1 + random.below(MASKS + 1) as u32;
        assert!(case.filled(&module, height, seed) == expected, "seed {seed}");
    }
}
