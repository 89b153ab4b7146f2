//! Tests of masks of real schemas that a device finds, over real vocabularies: along valid instances, at each token,
//! they equal the matcher's masks, bit by bit. Masks that the device leaves to the host are counted, and so is the
//! memory of formats on the device. `OGC_SAMPLE` sets the size, `OGC_SEED` chooses another sample.

#![allow(clippy::disallowed_methods, reason = "corpora are files; see clippy.toml")]

use crate::rows;

use std::sync::Arc;

use ogc_cuda::{DeviceFormat, DeviceMasks, DevicePool, PoolLimits, SlotImage};
use ogc_kit::{Random, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::trie::{TokenTrie, greedy_tokens};
use ogc_runtime::vocabulary::Vocabulary;
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::{Policy, Reading, schema};
use rows::PoolBuffers;

const VOCABULARIES: [&str; 3] = ["llama-3.1", "qwen3", "gpt-oss-o200k-harmony"];

/// The limits of the pool: as many rows as all formats of the corpus have, and 512 MB.
const LIMITS: PoolLimits = PoolLimits { rows: 1 << 20, blocks: 1 << 23 };

/// Caps on the instances of a case, and on the tokens of an instance, along which masks are compared.
const INSTANCES: usize = 4;
const TOKENS: usize = 300;

/// A vocabulary, and the pool of its rows.
struct Place {
    name: &'static str,
    store: Arc<MaskStore>,
    trie: TokenTrie,
    stops: Vec<u32>,
    words: usize,
    pool: DevicePool,
    buffers: PoolBuffers,
    tally: Tally,
}

/// The counts for a vocabulary.
#[derive(Debug, Default)]
struct Tally {
    /// The number of masks; of those, masks of texts that no slot holds, and masks that the tables do not decide.
    masks: usize,
    too_large: usize,
    undecided: usize,
    /// The number of formats with masks; of those, formats with all masks located; of the others, formats with complete
    /// packs.
    formats: usize,
    whole: usize,
    complete_but_not_whole: usize,
    /// Bytes of the automaton and of the masks of each format.
    automata: Vec<usize>,
    tables: Vec<usize>,
    /// Bytes of the rows of each format, if each had its own.
    rows: usize,
    most_rows: usize,
}

#[test]
fn masks_of_real_schemas_are_found_on_the_device() {
    let (Some(pack), Some(mut all)) = (corpus::find("maskbench-dev.jsonl.zst"), places()) else { return };
    let cuda = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/cuda");
    let folder = format!("{}/device-masks", env!("CARGO_TARGET_TMPDIR"));
    let Some(program) = rows::compiled(cuda, &folder, &[]) else { return };
    let cases = corpus::cases(&pack).expect("the pack is readable");
    let mut random = Random::new(setting("OGC_SEED", 1));
    for index in random.sample(cases.len(), setting("OGC_SAMPLE", rounds(4, 10)) as usize) {
        let policy = Policy { any_order: random.one_in(4), ..Policy::default() };
        if let Ok(automaton) = schema(&cases[index].schema, &Reading::asserting(), policy) {
            all.iter_mut().for_each(|place| place.compare(&program, &cases[index], &automaton));
        }
    }
    for place in &all {
        place.report();
        let Tally { masks, too_large, undecided, .. } = place.tally;
        assert!(masks > 0 && (too_large + undecided) * 5 < masks, "{}: {:?}", place.name, place.tally);
    }
}

/// Returns the vocabularies; `None` if one is missing.
fn places() -> Option<Vec<Place>> {
    let place = |name| {
        let bytes = std::fs::read(corpus::find(&format!("tokenizers/{name}/tokenizer.json"))?).expect("readable");
        let vocabulary = Arc::new(Vocabulary::from_tokenizer_json(&bytes).expect("a vocabulary"));
        Some(Place {
            name,
            trie: TokenTrie::new(&vocabulary),
            stops: vocabulary.eos().iter().map(|token| token.0).collect(),
            words: vocabulary.len().div_ceil(32),
            store: MaskStore::new(vocabulary),
            pool: DevicePool::new(LIMITS),
            buffers: PoolBuffers::new(LIMITS),
            tally: Tally::default(),
        })
    };
    VOCABULARIES.into_iter().map(place).collect()
}

impl Place {
    /// Compares the masks along the valid instances of a case.
    fn compare(&mut self, program: &str, case: &Case, automaton: &Arc<Automaton>) {
        let limits = PackLimits { threads: 2, ..PackLimits::default() };
        let pack = MaskPack::build(automaton, &self.store, &limits, |_, _| {}).expect("a built automaton is valid");
        let pack = Arc::new(pack);
        let masks = DeviceMasks::new(automaton, &pack, &mut self.pool).expect("the pool is large");
        self.buffers.update(&mut self.pool);
        let mut matcher =
            Matcher::with_masks(Arc::clone(automaton), Arc::clone(&self.store), Arc::clone(&pack)).expect("its pack");
        let before = self.tally.too_large + self.tally.undecided;
        for test in case.tests.iter().filter(|test| test.valid).take(INSTANCES) {
            matcher.reset();
            self.compare_instance(program, &case.id, &masks, &mut matcher, test.text.as_bytes());
        }
        let is_whole = before == self.tally.too_large + self.tally.undecided;
        self.tally.formats += 1;
        self.tally.whole += usize::from(is_whole);
        self.tally.complete_but_not_whole += usize::from(!is_whole && pack.report().complete);
        self.tally.automata.push(DeviceFormat::new(automaton).expect("small").bytes().len());
        self.tally.tables.push(masks.bytes().len());
        self.tally.rows += pack.report().row_bytes;
    }

    fn compare_instance(&mut self, program: &str, name: &str, masks: &DeviceMasks, matcher: &mut Matcher, text: &[u8]) {
        let (mut slots, mut expected) = (Vec::new(), Vec::new());
        let tokens = greedy_tokens(&self.trie, text).expect("every byte is a token");
        for at in 0..=tokens.len().min(TOKENS) {
            self.tally.masks += 1;
            match SlotImage::new(matcher, 0) {
                Ok(slot) => {
                    let mut words = vec![0; self.words];
                    matcher.fill_mask(&mut words).expect("few readings");
                    slots.push(slot);
                    expected.push(words);
                }
                Err(_) => self.tally.too_large += 1,
            }
            let Some(token) = tokens.get(at) else { break };
            if matcher.accept_token(*token).is_err() {
                break;
            }
        }
        for (at, (located, expected)) in rows::locate(program, masks, &slots).into_iter().zip(expected).enumerate() {
            let Some(located) = located else {
                self.tally.undecided += 1;
                continue;
            };
            self.tally.most_rows = self.tally.most_rows.max(located.rows.len());
            let bits = self.buffers.bits(&located, &self.stops, self.words);
            let text = String::from_utf8_lossy(text);
            assert!(bits == expected, "{name}, {}, at the {at}th place that a slot holds of {text:?}", self.name);
        }
    }

    #[allow(clippy::print_stdout, reason = "the table is the report of the test")]
    fn report(&self) {
        let Tally { masks, too_large, undecided, formats, whole, complete_but_not_whole, .. } = self.tally;
        let located = masks - too_large - undecided;
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        println!(
            "{}: {located} of {masks} masks ({:.2}%), {too_large} too large for a slot, {undecided} undecided; {whole} of {formats} \
             formats ({:.1}%), {complete_but_not_whole} of the others with complete packs; at most {} rows",
            self.name,
            share(located, masks),
            share(whole, formats),
            self.tally.most_rows,
        );
        for (what, bytes) in [("automaton", &self.tally.automata), ("masks", &self.tally.tables)] {
            let mut bytes = bytes.clone();
            bytes.sort_unstable();
            let at = |percent: usize| bytes.get((bytes.len() * percent / 100).min(bytes.len() - 1)).copied();
            let mean = bytes.iter().sum::<usize>() / bytes.len().max(1);
            println!("  bytes of {what}: mean {mean}, median {:?}, 90% {:?}, most {:?}", at(50), at(90), bytes.last());
        }
        println!(
            "  pool: {} rows, {} bytes; the rows of each format by itself are {} bytes",
            self.pool.row_count(),
            u64::from(self.pool.block_count()) * 64 + 20 * u64::from(self.pool.row_count()),
            self.tally.rows,
        );
    }
}
