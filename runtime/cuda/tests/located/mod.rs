//! Places in random texts with the matcher's masks there, and the masks of formats for a device.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use crate::rows::{self, PoolBuffers};
use ogc_cuda::{DeviceMasks, DevicePool, PoolLimits, SlotImage};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary, VocabularyBuilder};

pub const LIMITS: PoolLimits = PoolLimits { rows: 1 << 16, blocks: 1 << 20 };

/// Compiles the locating code for the host, so that undefined behaviour aborts it.
pub fn compiled(name: &str) -> Option<String> {
    let folder = format!("{}/locate-{name}", env!("CARGO_TARGET_TMPDIR"));
    rows::compiled(env!("CARGO_MANIFEST_DIR"), &folder, &["-fsanitize=undefined", "-fno-sanitize-recover=all"])
}

/// A vocabulary of all bytes and of so many random texts that rows of all kinds occur, and that two blocks fill a mask.
pub fn large_vocabulary() -> Arc<Vocabulary> {
    let mut random = Random::new(11);
    let letters = [
        "a", "b", "c", "x", "0", "1", "\"", ":", ",", "{", "}", "[", "]", "\\", "u", "\u{e9}", "\u{65e5}", " ", "h",
        "e",
    ];
    let mut builder = VocabularyBuilder::new();
    for id in 0..36_001u64 {
        let text = match u8::try_from(id) {
            Ok(byte) => vec![byte],
            Err(_) => (0..1 + random.below(5)).flat_map(|_| letters[random.below(letters.len())].bytes()).collect(),
        };
        builder.text(id, &text).unwrap();
    }
    builder.special(36_001, "</s>").unwrap();
    Arc::new(builder.build().unwrap())
}

/// A format with its masks.
pub struct Built {
    pub matcher: Matcher,
    pub pack: Arc<MaskPack>,
}

/// Builds the masks of a format; `None` if the vocabulary lacks tokens that the format asks for.
pub fn built(format: &Arc<Automaton>, store: &Arc<MaskStore>) -> Option<Built> {
    built_with(format, store, &PackLimits { threads: 1, ..PackLimits::default() })
}

pub fn built_with(format: &Arc<Automaton>, store: &Arc<MaskStore>, limits: &PackLimits) -> Option<Built> {
    let pack = Arc::new(MaskPack::build(format, store, limits, |_, _| {}).ok()?);
    let matcher = Matcher::with_masks(Arc::clone(format), Arc::clone(store), Arc::clone(&pack)).ok()?;
    Some(Built { matcher, pack })
}

/// A place in a text: the slot, and the matcher's mask there.
pub struct Place {
    pub slot: SlotImage,
    pub mask: Vec<u32>,
    pub text: Vec<u8>,
}

/// Walks along random texts. Returns the places that a slot can hold, and the number of all places.
pub fn places(matcher: &mut Matcher, random: &mut Random, texts: usize, words: usize) -> (Vec<Place>, usize) {
    let (mut found, mut all) = (Vec::new(), 0);
    for _ in 0..texts {
        matcher.reset();
        let mut text = Vec::new();
        for _ in 0..1 + random.below(40) {
            let mut mask = vec![u32::MAX; words];
            matcher.fill_mask(&mut mask).unwrap();
            all += 1;
            found.extend(SlotImage::new(matcher, 0).ok().map(|slot| Place { slot, mask, text: text.clone() }));
            let allowed = matcher.mask().unwrap().tokens();
            if allowed.is_empty() {
                break;
            }
            let token = pick(matcher, random, &allowed);
            text.extend(matcher.store().vocabulary().text(token).unwrap_or_default());
            matcher.accept_token(token).unwrap();
        }
    }
    (found, all)
}

/// Picks one of the allowed tokens, often one that begins or continues an escape; half of those are parts of surrogates.
fn pick(matcher: &Matcher, random: &mut Random, allowed: &[TokenId]) -> TokenId {
    let escapes = [b"\\u".as_slice(), b"dD", b"89abcdf"][random.below(3)];
    let begins =
        |token: &&TokenId| matcher.store().vocabulary().text(**token).is_some_and(|text| escapes.contains(&text[0]));
    let found: Vec<TokenId> = allowed.iter().filter(begins).copied().collect();
    let from = if random.below(3) == 0 && !found.is_empty() { &found } else { allowed };
    from[random.below(from.len())]
}

/// The number of masks, and of those that the device located.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub all: usize,
    pub located: usize,
}

impl Tally {
    /// Adds the masks of another tally.
    pub fn add(&mut self, other: Tally) {
        self.all += other.all;
        self.located += other.located;
    }
}

/// A store for a vocabulary, a pool of its rows with the buffers of a device, and the program that locates masks.
pub struct Bench {
    pub program: String,
    pub store: Arc<MaskStore>,
    pub pool: DevicePool,
    pub buffers: PoolBuffers,
    pub stops: Vec<u32>,
    pub words: usize,
}

impl Bench {
    pub fn new(program: String, vocabulary: Arc<Vocabulary>) -> Self {
        let stops = vocabulary.eos().iter().map(|token| token.0).collect();
        // One word more than the vocabulary has; it must be cleared.
        let words = vocabulary.len().div_ceil(32) + 1;
        let (pool, buffers) = (DevicePool::new(LIMITS), PoolBuffers::new(LIMITS));
        Self { program, store: MaskStore::new(vocabulary), pool, buffers, stops, words }
    }

    /// Returns the masks of a format for the device, with the matcher.
    pub fn masks(&mut self, format: &Arc<Automaton>) -> Option<(Matcher, DeviceMasks)> {
        self.masks_with(format, &PackLimits { threads: 1, ..PackLimits::default() })
    }

    /// Returns the masks of a format that are built within limits, with the matcher.
    pub fn masks_with(&mut self, format: &Arc<Automaton>, limits: &PackLimits) -> Option<(Matcher, DeviceMasks)> {
        let Built { matcher, pack } = built_with(format, &self.store, limits)?;
        let masks = DeviceMasks::new(format, &pack, &mut self.pool).unwrap();
        self.buffers.update(&mut self.pool);
        Some((matcher, masks))
    }

    /// Returns the numbers of rows that are lists, bits, and differences.
    pub fn kinds(&self) -> [usize; 3] {
        let rows = || self.buffers.table.chunks_exact(8).filter(|row| row[2] > 0);
        [0, 1, 2].map(|kind| rows().filter(|row| row[0] == kind).count())
    }

    /// Compares the masks of random texts of a format.
    pub fn compare(&mut self, name: &str, format: &Arc<Automaton>, random: &mut Random, texts: usize) -> Tally {
        self.compare_with(name, format, &PackLimits { threads: 1, ..PackLimits::default() }, random, texts)
    }

    /// Compares the masks of random texts of a format, only some of which are built.
    pub fn compare_with(
        &mut self,
        name: &str,
        format: &Arc<Automaton>,
        limits: &PackLimits,
        random: &mut Random,
        texts: usize,
    ) -> Tally {
        let Some((mut matcher, masks)) = self.masks_with(format, limits) else { return Tally::default() };
        let (places, all) = places(&mut matcher, random, texts, self.words);
        let slots: Vec<SlotImage> = places.iter().map(|place| place.slot.clone()).collect();
        let located = rows::locate(&self.program, &masks, &slots);
        assert_eq!(located.len(), places.len(), "{name}");
        let mut tally = Tally { all, located: 0 };
        for (place, located) in places.iter().zip(located) {
            if let Some(located) = located {
                tally.located += 1;
                let bits = self.buffers.bits(&located, &self.stops, self.words);
                assert_eq!(bits, place.mask, "{name} after {:?}", String::from_utf8_lossy(&place.text));
            }
        }
        tally
    }
}
