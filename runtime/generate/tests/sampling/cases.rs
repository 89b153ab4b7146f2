//! Random rows of logits with their masks, for the kernel and for the host.

use half::{bf16, f16};
use ogc_cuda::{AllowedTokens, LogitFormat, SLOT_BYTES};
use ogc_generate::Sampling;
use ogc_kit::Random;
use ogc_runtime::vocabulary::TokenId;

/// Returns at most `count` different tokens, ascending.
fn ascending(random: &mut Random, count: usize, limit: usize) -> Vec<u32> {
    let tokens: std::collections::BTreeSet<u32> = (0..count).map(|_| random.below(limit) as u32).collect();
    tokens.into_iter().collect()
}

/// The tables of a pool, and the bits that each of its rows stands for.
#[derive(Debug, Default)]
pub(crate) struct PoolRows {
    pub(crate) table: Vec<u32>,
    pub(crate) contents: Vec<u32>,
    bits: Vec<Vec<u32>>,
}

impl PoolRows {
    /// Makes dense rows, then lists, then differences from dense rows.
    pub(crate) fn random(random: &mut Random, vocabulary: usize) -> Self {
        let mut pool = Self::default();
        let words = vocabulary.div_ceil(32);
        for at in 0..9 {
            let [few, many] = [4, 1 + vocabulary / 3].map(|most| random.below(most.min(700)));
            match at / 3 {
                0 => {
                    let share = [1, 128, 255][at];
                    let left_out = random.below(2).min(words - 1);
                    let dense = mask_words(random, words - left_out, share);
                    pool.push([1, dense.len() as u32, 0, 0], &dense, dense.clone());
                }
                1 => {
                    let count = [0, few, many][at - 3];
                    let listed = ascending(random, count, vocabulary);
                    pool.push([0, listed.len() as u32, 0, 0], &listed, with(&[], &listed, words));
                }
                _ => {
                    let (added, removed) = (ascending(random, many, vocabulary), ascending(random, many, vocabulary));
                    let dense = random.below(3);
                    let mut bits = pool.bits[dense].clone();
                    bits.resize(words, 0);
                    removed.iter().for_each(|token| bits[*token as usize / 32] &= !(1 << (token % 32)));
                    let row = [2, added.len() as u32, removed.len() as u32, dense as u32];
                    pool.push(row, &[&added[..], &removed[..]].concat(), with(&bits, &added, words));
                }
            }
        }
        pool
    }

    fn push(&mut self, [kind, len, removed, dense]: [u32; 4], content: &[u32], bits: Vec<u32>) {
        let at = self.contents.len() / 16;
        self.table.extend([kind, at as u32, len, removed, dense, 0, 0, 0]);
        self.contents.extend(content);
        self.contents.resize(self.contents.len().next_multiple_of(16).max(16 * (at + 1)), 0xffff_ffff);
        self.bits.push(bits);
    }
}

/// Returns bits with the bits of some tokens set.
fn with(bits: &[u32], tokens: &[u32], words: usize) -> Vec<u32> {
    let mut bits = bits.to_vec();
    bits.resize(words, 0);
    tokens.iter().for_each(|token| bits[*token as usize / 32] |= 1 << (token % 32));
    bits
}

/// Returns words with about `allowed` of 256 bits set.
pub(crate) fn mask_words(random: &mut Random, count: usize, allowed: u64) -> Vec<u32> {
    let word =
        |random: &mut Random| (0..32).fold(0, |word, bit| word | u32::from(random.next() % 256 < allowed) << bit);
    (0..count).map(|_| word(random)).collect()
}

/// A row, and the same data for the host.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) sampling: Sampling,
    pub(crate) request: u64,
    pub(crate) position: u64,
    pub(crate) written: Vec<TokenId>,
    pub(crate) is_sampled: bool,
    pub(crate) tells_probability: bool,
    /// The number of further tokens for which there is room, if the chosen tokens are counted.
    pub(crate) room: Option<usize>,
    pub(crate) allowed: AllowedTokens,
    /// The bits of allowed tokens; `None` if the host steps the slot.
    pub(crate) mask: Option<Vec<u32>>,
    /// The logits, including those beyond the vocabulary, and their bytes for the kernel.
    pub(crate) logits: Vec<f32>,
    pub(crate) bytes: Vec<u8>,
}

impl Row {
    /// Raises the logits of one in `one_in` tokens, so that the other tokens have a small share.
    pub(crate) fn peak(&mut self, format: LogitFormat, one_in: usize, above: f32) {
        let mut random = Random::new(9);
        let (bytes, logits): (Vec<_>, Vec<_>) = self
            .logits
            .iter()
            .map(|logit| 0.2 * logit + if random.below(one_in) == 0 { above + 12.0 * random.unit() } else { 0.0 })
            .map(|logit| encoded(format, logit))
            .unzip();
        (self.bytes, self.logits) = (bytes.concat(), logits);
    }
}

/// All rows of a launch.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) format: LogitFormat,
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) rows: Vec<Row>,
    /// Rows of bits.
    pub(crate) masks: Vec<u32>,
    pub(crate) mask_stride: usize,
    pub(crate) slots: Vec<u32>,
    pub(crate) pool: PoolRows,
    pub(crate) stops: Vec<u32>,
}

/// The place of the mask in a slot: behind its status and its format.
const MASK_WORD: usize = 2;

/// Returns a logit's bytes, and the number that they encode.
pub(crate) fn encoded(format: LogitFormat, logit: f32) -> (Vec<u8>, f32) {
    match format {
        LogitFormat::F32 => (logit.to_le_bytes().to_vec(), logit),
        LogitFormat::F16 => (f16::from_f32(logit).to_le_bytes().to_vec(), f16::from_f32(logit).to_f32()),
        LogitFormat::Bf16 => (bf16::from_f32(logit).to_le_bytes().to_vec(), bf16::from_f32(logit).to_f32()),
    }
}

/// Returns logits of one kind: spread, close together, of few different numbers, all equal, arbitrary, with values that
/// are not finite, or with a few far above the others.
pub(crate) fn logits(random: &mut Random, width: usize) -> Vec<f32> {
    let kind = random.below(8);
    let logit = |random: &mut Random| match kind {
        0 => (random.unit() + random.unit() + random.unit() - 1.5) * 20.0,
        1 => random.unit(),
        2 => random.below(4) as f32 - 2.0,
        3 => -0.0,
        4 => f32::from_bits(random.next() as u32),
        5 => [f32::NAN, f32::NEG_INFINITY, f32::INFINITY, -3.0, 0.0, f32::MAX][random.below(40).min(5)],
        _ => random.unit() * 4.0 + if random.below(200) == 0 { 6.0 + 8.0 * random.unit() } else { 0.0 },
    };
    (0..width).map(|_| logit(random)).collect()
}

/// Returns random sampling parameters.
pub(crate) fn sampling(random: &mut Random, vocabulary: usize) -> Sampling {
    let mut sampling = Sampling { seed: random.next(), ..Sampling::default() };
    sampling.temperature = [0.0, 0.3, 1.0, 1.7][random.below(4)];
    if random.below(2) == 0 {
        sampling.top_k = [0, 1, 2, 40, 1 + random.below(1500), vocabulary, 1 << 20][random.below(7)];
    }
    if random.below(2) == 0 {
        sampling.top_p = [0.0, 0.1, 0.5, 0.9, 0.999, random.unit()][random.below(6)];
    }
    if random.below(3) == 0 {
        sampling.min_p = [1e-30, 1e-3, 0.05, 0.7, 1.0, random.unit()][random.below(6)];
    }
    if random.below(3) == 0 {
        sampling.repetition_penalty = 0.5 + 2.0 * random.unit();
        sampling.presence_penalty = random.unit() - 0.5;
        sampling.frequency_penalty = random.unit() - 0.5;
    }
    if random.below(3) == 0 {
        let count = random.below(9);
        let tokens = ascending(random, count, vocabulary);
        sampling.bias = tokens.iter().map(|token| (TokenId(*token), 20.0 * random.unit() - 10.0)).collect();
        sampling.bias.extend(tokens.last().map(|token| (TokenId(*token), f32::INFINITY)).filter(|_| count == 1));
    }
    sampling
}

impl Batch {
    /// Returns random rows of a vocabulary.
    pub(crate) fn random(random: &mut Random, vocabulary: usize, row_count: usize) -> Self {
        let format = LogitFormat::ALL[random.below(3)];
        let width = vocabulary + [0, 0, 1, random.below(1500)][random.below(4)];
        let mask_stride = vocabulary.div_ceil(32) + random.below(3);
        let count = random.below(40);
        let pool = PoolRows::random(random, vocabulary);
        let stops = ascending(random, count, vocabulary);
        let (slots, masks, rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut batch = Self { format, vocabulary, width, rows, masks, mask_stride, slots, pool, stops };
        for _ in 0..row_count {
            let row = batch.row(random);
            batch.rows.push(row);
        }
        batch
    }

    /// Returns rows of bits that allow about `share` of 256 tokens.
    pub(crate) fn plain(
        format: LogitFormat,
        vocabulary: usize,
        row_count: usize,
        share: u64,
        temperature: f32,
    ) -> Self {
        let mut random = Random::new(share);
        let mask_stride = vocabulary.div_ceil(32);
        let masks = mask_words(&mut random, row_count * mask_stride, share);
        let rows = masks.chunks_exact(mask_stride).zip(0..).map(|(mask, at)| {
            let logits: Vec<_> = (0..vocabulary).map(|_| encoded(format, 20.0 * random.unit())).collect();
            Row {
                sampling: Sampling { temperature, ..Sampling::default() },
                request: 0,
                position: 0,
                written: Vec::new(),
                is_sampled: true,
                tells_probability: false,
                room: None,
                allowed: AllowedTokens::Bits(at),
                mask: Some(mask.to_vec()),
                logits: logits.iter().map(|(_, logit)| *logit).collect(),
                bytes: logits.iter().flat_map(|(bytes, _)| bytes).copied().collect(),
            }
        });
        let rows = rows.collect();
        let (slots, pool, stops) = (Vec::new(), PoolRows::default(), Vec::new());
        Self { format, vocabulary, width: vocabulary, rows, masks, mask_stride, slots, pool, stops }
    }

    /// Returns a row for each count: that many tokens are listed, half of them twice, and in some rows also the tokens
    /// that end a text.
    pub(crate) fn listed(random: &mut Random, vocabulary: usize, counts: &[usize]) -> Self {
        let mut batch = Self::random(random, vocabulary, 0);
        let words = vocabulary.div_ceil(32);
        for &count in counts {
            let twice = count / 3;
            let tokens: Vec<u32> =
                random.different(vocabulary, count - twice).into_iter().map(|token| token as u32).collect();
            let mut lists = [tokens.clone(), tokens.into_iter().take(twice).collect::<Vec<_>>()];
            let rows = lists.each_mut().map(|list| {
                list.sort_unstable();
                batch.pool.push([0, list.len() as u32, 0, 0], list, with(&[], list, words));
                batch.pool.bits.len() - 1
            });
            let may_end = random.below(3) == 0;
            let allowed = batch.slot_of(&rows, may_end, true);
            let row = batch.row_of(allowed, random);
            batch.rows.push(row);
        }
        batch
    }

    fn row(&mut self, random: &mut Random) -> Row {
        let allowed = match random.below(4) {
            0 => (AllowedTokens::All, Some(vec![u32::MAX; self.vocabulary.div_ceil(32)])),
            1 => self.bits(random),
            _ => self.slot(random),
        };
        self.row_of(allowed, random)
    }

    fn row_of(&self, (allowed, mask): (AllowedTokens, Option<Vec<u32>>), random: &mut Random) -> Row {
        // The host has no tokens beyond the vocabulary.
        let encoded: Vec<_> = logits(random, self.width).into_iter().map(|logit| encoded(self.format, logit)).collect();
        let written = (0..random.below(20)).map(|_| TokenId(random.below(self.vocabulary) as u32)).collect();
        Row {
            sampling: sampling(random, self.vocabulary),
            request: random.next(),
            position: random.next() % 1000,
            written,
            is_sampled: random.below(16) > 0,
            tells_probability: random.below(4) == 0,
            room: [None, None, Some(1), Some(5)][random.below(4)],
            allowed,
            mask,
            logits: encoded.iter().map(|(_, logit)| *logit).collect(),
            bytes: encoded.iter().flat_map(|(bytes, _)| bytes).copied().collect(),
        }
    }

    /// Makes a row of bits.
    fn bits(&mut self, random: &mut Random) -> (AllowedTokens, Option<Vec<u32>>) {
        let share = [0, 1, 30, 128, 255, 256][random.below(6)];
        let words = mask_words(random, self.mask_stride, share);
        let number = self.masks.len() / self.mask_stride;
        self.masks.extend(&words);
        (AllowedTokens::Bits(number as u32), Some(words))
    }

    /// Makes a slot whose mask consists of rows of the pool: lists only, or any rows.
    fn slot(&mut self, random: &mut Random) -> (AllowedTokens, Option<Vec<u32>>) {
        let (first, count) = [(3, 3), (3, 3), (0, 9)][random.below(3)];
        let rows: Vec<usize> = (0..random.below(4)).map(|_| first + random.below(count)).collect();
        let (may_end, is_devices) = (random.below(3) == 0, random.below(12) > 0);
        self.slot_of(&rows, may_end, is_devices)
    }

    /// Makes a slot whose mask is some rows of the pool.
    fn slot_of(&mut self, rows: &[usize], may_end: bool, is_devices: bool) -> (AllowedTokens, Option<Vec<u32>>) {
        let number = self.slots.len() * 4 / SLOT_BYTES;
        let mut slot = vec![0; SLOT_BYTES / 4];
        slot[0] = if is_devices { 1 } else { 2 };
        slot[MASK_WORD] = may_end.into();
        slot[MASK_WORD + 1] = rows.len() as u32;
        slot[MASK_WORD + 2] = rows.iter().any(|row| self.pool.table[8 * row] != 0).into();
        rows.iter().enumerate().for_each(|(at, row)| slot[MASK_WORD + 3 + at] = *row as u32);
        self.slots.extend(slot);
        let words = self.vocabulary.div_ceil(32);
        let mut bits = with(&[], if may_end { &self.stops } else { &[] }, words);
        for &row in rows {
            self.pool.bits[row].iter().zip(&mut bits).for_each(|(from, to)| *to |= from);
        }
        (AllowedTokens::Slot(number as u32), is_devices.then_some(bits))
    }
}
