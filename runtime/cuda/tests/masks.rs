//! Masks of matchers in a batch, of mixed formats and random vocabularies, applied by the shipped kernel, in the interpreter and on a
//! device if there is one. They are compared with a plain loop over all tokens.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unsafe_code, reason = "the kernel is launched on buffers of the test")]

use crate::fake;
use crate::formats;
use crate::launch;
use crate::random;

use std::num::NonZeroUsize;
use std::sync::Arc;

use launch::Work;
use ogc_cuda::{CudaError, Device, LogitFormat, RawStream};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MaskRows, Matcher, fill_masks};
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};
use random::{ALPHABET, random_format};

/// A batch of matchers, and the logits to which their masks are applied.
struct Batch {
    work: Work,
    /// For each mask row: the tokens that its matcher allows.
    allowed: Vec<Vec<bool>>,
}

impl Batch {
    /// Returns the masked logits, by a plain loop over the allowed tokens.
    fn expected(&self) -> Vec<u8> {
        let mut logits = self.work.logits.clone();
        for row in 0..self.work.row_count {
            let mask_row = self.work.rows.as_ref().map_or(row as i32, |rows| rows[row]);
            let Ok(mask_row) = usize::try_from(mask_row) else { continue };
            let is_allowed = |token: usize| self.allowed[mask_row].get(token).copied().unwrap_or(false);
            for token in (0..self.work.width).filter(|token| !is_allowed(*token)) {
                self.work.mask(&mut logits, row, token);
            }
        }
        logits
    }

    /// Runs the kernel on a device; returns the logits.
    fn run_on(&self, device: &Device) -> Vec<u8> {
        let words: Vec<u8> = self.work.masks.iter().flat_map(|word| word.to_le_bytes()).collect();
        let list: Vec<u8> = self.work.rows.iter().flatten().flat_map(|row| row.to_le_bytes()).collect();
        let logits = device.upload(&self.work.logits).unwrap();
        let (masks, rows) = (device.upload(&words).unwrap(), device.upload(&list).unwrap());
        let masking = self.work.masking_at(logits.address(), masks.address(), rows.address());
        // SAFETY: the buffers live until the download, which waits for the kernel; the row map names rows that the masks have.
        unsafe { device.apply(RawStream::DEFAULT, &masking) }.unwrap();
        logits.download().unwrap()
    }
}

/// Returns a random vocabulary: all bytes or few, tokens that cross frames, gaps, named tokens.
fn random_vocabulary(random: &mut Random) -> Arc<Vocabulary> {
    let mut builder = VocabularyBuilder::new();
    let mut id = 0;
    if random.below(3) > 0 {
        for byte in 0..=u8::MAX {
            builder.text(id, &[byte]).unwrap();
            id += 1;
        }
    }
    for _ in 0..random.below(700) + 1 {
        let text: Vec<u8> = (0..1 + random.below(4)).map(|_| ALPHABET[random.below(ALPHABET.len())]).collect();
        builder.text(id, &text).unwrap();
        id += 1 + u64::from(random.below(9) == 0);
    }
    for name in ["</s>", "<t>", "<t"].iter().take(1 + random.below(3)) {
        builder.special(id, name).unwrap();
        id += 1;
    }
    Arc::new(builder.build().unwrap())
}

/// Returns a matcher after a few random allowed tokens.
fn random_matcher(random: &mut Random, format: Arc<Automaton>, store: &Arc<MaskStore>) -> Matcher {
    let mut matcher = Matcher::new(format, Arc::clone(store));
    for _ in 0..random.below(8) {
        let tokens = matcher.mask().unwrap().tokens();
        if tokens.is_empty() || matcher.is_terminated() {
            break;
        }
        matcher.accept_token(tokens[random.below(tokens.len())]).unwrap();
    }
    matcher
}

/// Returns matchers of mixed formats, some hand-written and some random, for one vocabulary.
fn random_matchers(random: &mut Random, store: &Arc<MaskStore>) -> Vec<Matcher> {
    let known = formats::all();
    let count = 1 + random.below(6);
    let mut matchers = Vec::new();
    while matchers.len() < count {
        let format = match random.below(2) {
            0 => Some(Arc::clone(&known[random.below(known.len())].1)),
            _ => random_format(random),
        };
        matchers.extend(format.map(|format| random_matcher(random, format, store)));
    }
    matchers
}

/// Returns a random batch.
fn random_batch(random: &mut Random) -> Batch {
    let store = MaskStore::new(random_vocabulary(random));
    let vocabulary = store.vocabulary().len();
    let mut matchers = random_matchers(random, &store);
    let allowed = matchers.iter_mut().map(|matcher| {
        let mask = matcher.mask().unwrap();
        (0..vocabulary as u32).map(|token| mask.contains(TokenId(token))).collect()
    });
    let allowed: Vec<Vec<bool>> = allowed.collect();

    let mask_stride = vocabulary.div_ceil(32) + random.below(3);
    let mut masks = vec![0x5555_5555; matchers.len() * mask_stride];
    let refused = fill_masks(&mut matchers, &mut MaskRows::new(&mut masks, mask_stride).unwrap(), NonZeroUsize::MIN);
    assert!(refused.is_empty());

    let is_mapped = random.below(2) == 0;
    let row_count = if is_mapped { random.below(9) } else { matchers.len() };
    let rows = (0..row_count).map(|_| random.below(matchers.len() + 1) as i32 - 1).collect();
    // Models have more logits than tokens, as many, or fewer.
    let width = [vocabulary, vocabulary + random.below(200), vocabulary - random.below(vocabulary)][random.below(3)];
    let (format, logits_offset) = (LogitFormat::ALL[random.below(3)], random.below(20));
    let logits_stride = width + random.below(20);
    let bytes = (logits_offset + row_count * logits_stride) * format.bytes() as usize;
    let work = Work {
        format,
        logits: (0..bytes).map(|_| random.below(256) as u8).collect(),
        logits_offset,
        logits_stride,
        row_count,
        width,
        masks,
        mask_offset: 0,
        mask_stride,
        vocabulary,
        rows: is_mapped.then_some(rows),
    };
    Batch { work, allowed }
}

/// Returns a generator for a seed. Neighbouring seeds give unrelated numbers.
fn generator(seed: u64) -> Random {
    Random::new(seed)
}

fn batches() -> impl Iterator<Item = (u64, Batch)> {
    let first = ogc_kit::setting("OGC_SEED", 1);
    let seeds = first..first + ogc_kit::setting("OGC_ROUNDS", 100);
    seeds.map(|seed| (seed, random_batch(&mut generator(seed))))
}

#[test]
fn masks_of_matchers_are_applied_like_a_loop() {
    let module = ogc_ptx::parse(launch::ptx()).unwrap();
    let (mut masked, mut kept) = (0, 0);
    for (seed, batch) in batches() {
        let (found, _) = batch.work.run(&module, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        assert!(found == batch.expected(), "seed {seed}");
        if found == batch.work.logits { kept += 1 } else { masked += 1 }
    }
    assert!(masked > kept, "{masked} batches are masked, {kept} are left as they are");
}

#[test]
fn a_device_masks_like_a_loop() {
    let device = match Device::open(0) {
        Ok(device) => device,
        Err(error @ (CudaError::NoDriver | CudaError::NoDevice)) => {
            return ogc_kit::skip(&format!("no device: {error}"));
        }
        Err(error) => panic!("{error}"),
    };
    for (seed, batch) in batches() {
        assert!(batch.run_on(&device) == batch.expected(), "seed {seed}");
    }
}

#[test]
fn launches_pass_the_driver_valid_arguments() {
    let Some(output) = fake::run("masks::a_device_masks_like_a_loop", fake::Behaviour::Works) else { return };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("1 passed") && !said.contains("skipped"), "{said}");
}
