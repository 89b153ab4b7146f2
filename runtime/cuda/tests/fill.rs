//! The kernels that find masks and write them as bits, run by the interpreter: the words equal the matcher's, over a vocabulary whose rows
//! are lists, bits and differences.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::formats;
use crate::located;
use crate::mirror;
use crate::objects;
use crate::rows;

use std::collections::BTreeSet;
use std::sync::Arc;

use located::{Bench, Place, Tally, compiled, large_vocabulary, places};
use objects::random_objects;
use ogc_cuda::{DeviceMasks, SlotImage, SlotStatus};
use ogc_kit::Random;
use ogc_ptx::{Argument, Launch, Module};
use ogc_runtime::vocabulary::TokenId;

/// Fills words that no kernel has written.
const UNTOUCHED: u32 = 0xdead_beef;

/// The tokens that end texts, and whether they are in masks only where a text may end.
struct Stops {
    tokens: Vec<u32>,
    are_only_stops: bool,
}

/// Locates masks by the kernel, one warp each; returns the slots.
fn located_by_kernel(module: &Module, masks: &DeviceMasks, places: &[Place], seed: u64) -> Vec<SlotImage> {
    let slots: Vec<u8> = places.iter().flat_map(|place| place.slot.bytes()).copied().collect();
    let mut device = mirror::device(module);
    let slots = device.buffer("slots", &slots);
    let masks = device.buffer("masks of the format", masks.bytes());
    let formats = [0, device.address(masks).unwrap()];
    let formats = device.buffer("formats", &formats);
    let sequences = device.buffer("sequences", &sequences(places.len()));
    let launch = Launch { seed, ..Launch::new("ogc_locate", places.len() as u32 + 1, 32) };
    let arguments = [Argument::Buffer(slots), Argument::Buffer(sequences), Argument::Buffer(formats)];
    device.launch(&launch, &arguments).unwrap_or_else(|fault| panic!("{fault}"));
    let slots: Vec<u8> = device.read(slots).unwrap();
    slots.chunks_exact(SlotImage::SIZE).map(|bytes| SlotImage::from_bytes(bytes).unwrap()).collect()
}

/// Returns the list of sequences: the slots from last to first, and entries without a slot.
fn sequences(slots: usize) -> Vec<i32> {
    (0..slots as i32).rev().chain([-1]).collect()
}

/// Writes the located masks of slots as bits, by the kernel; returns the words of each slot.
fn filled_by_kernel(module: &Module, bench: &Bench, slots: &[SlotImage], stops: &Stops, seed: u64) -> Vec<Vec<u32>> {
    let count = slots.len() + 1;
    let stride = bench.words.next_multiple_of(8) + 8;
    let (rows, blocks) = (bench.pool.row_count() as usize, bench.pool.block_count() as usize);
    let bytes: Vec<u8> = slots.iter().flat_map(|slot| slot.bytes()).copied().collect();
    let mut device = mirror::device(module);
    let slot_buffer = device.buffer("slots", &bytes);
    let list = device.buffer("sequences", &sequences(slots.len()));
    let table = device.buffer("table", &bench.buffers.table[..8 * rows]);
    let contents = device.buffer("contents", &bench.buffers.contents[..16 * blocks]);
    let stop_list = device.buffer("stops", &stops.tokens);
    let filled = device.buffer("masks", &vec![UNTOUCHED; count * stride]);
    let arguments = [
        Argument::Buffer(slot_buffer),
        Argument::Buffer(list),
        Argument::U32(count as u32),
        Argument::Buffer(table),
        Argument::Buffer(contents),
        Argument::Buffer(stop_list),
        Argument::U32(stops.tokens.len() as u32),
        Argument::U32(stops.are_only_stops.into()),
        Argument::Buffer(filled),
        Argument::U64(stride as u64),
        Argument::U32(bench.words as u32),
    ];
    let launch = Launch { seed, ..Launch::new("ogc_fill", (bench.words.div_ceil(1024) as u32, 2), 256) };
    let report = device.launch(&launch, &arguments).unwrap_or_else(|fault| panic!("{fault}"));
    let own_rows = slots.iter().filter(|slot| slot.status() == Some(SlotStatus::Device)).count();
    let sectors = own_rows * bench.words.div_ceil(8);
    assert_eq!(report.counts.stored_sectors, sectors as u64, "each word is written once");
    let words: Vec<u32> = device.read(filled).unwrap();
    let (rows, last) = words.split_at(slots.len() * stride);
    assert!(last.iter().all(|word| *word == UNTOUCHED), "the row of no slot is not touched");
    let row = |row: &[u32]| {
        assert!(row[bench.words..].iter().all(|word| *word == UNTOUCHED), "nothing behind a row");
        row[..bench.words].to_vec()
    };
    rows.chunks_exact(stride).rev().map(row).collect()
}

#[test]
fn a_device_locates_and_fills_masks_like_the_matcher() {
    let Some(program) = compiled("device") else { return };
    let [locate, fill] = [include_str!("../kernels/ptx/locate.ptx"), include_str!("../kernels/ptx/fill.ptx")]
        .map(|ptx| ogc_ptx::parse(ptx).unwrap_or_else(|error| panic!("{error}")));
    let mut bench = Bench::new(program, large_vocabulary());
    let mut tally = Tally::default();
    let first = ogc_kit::setting("OGC_SEED", 1);
    for round in 0.. {
        let kinds = bench.kinds();
        if round >= ogc_kit::setting("OGC_ROUNDS", 24) && tally.located > 200 && kinds.iter().all(|count| *count > 5) {
            break;
        }
        assert!(round < 200, "{tally:?}; lists, bits and differences: {kinds:?}");
        let seed = first + round;
        let mut random = Random::new(seed);
        let known = formats::all();
        let format = match random_objects(&mut random) {
            Some(format) if !seed.is_multiple_of(3) => format,
            _ => Arc::clone(&known[random.below(known.len())].1),
        };
        let Some((mut matcher, masks)) = bench.masks(&format) else { continue };
        // Tokens that only end texts: words of all kinds have some.
        let tokens: BTreeSet<u32> = (0..500).map(|at| at * 71 % 36_002).collect();
        let stops = match seed % 2 {
            0 => Stops { tokens: tokens.into_iter().collect(), are_only_stops: true },
            _ => Stops { tokens: bench.stops.clone(), are_only_stops: false },
        };
        let own: Vec<TokenId> = stops.tokens.iter().copied().map(TokenId).collect();
        matcher.set_stop_tokens(stops.are_only_stops.then_some(&own));
        let (places, all) = places(&mut matcher, &mut random, 2, bench.words);
        if places.is_empty() {
            continue;
        }
        let host: Vec<SlotImage> = places.iter().map(|place| place.slot.clone()).collect();
        let host = rows::locate(&bench.program, &masks, &host);
        let slots = located_by_kernel(&locate, &masks, &places, seed);
        let words = filled_by_kernel(&fill, &bench, &slots, &stops, seed);
        tally.all += all;
        for (((place, slot), host), own) in places.iter().zip(&slots).zip(host).zip(words) {
            let after = format!("seed {seed} after {:?}", String::from_utf8_lossy(&place.text));
            let Some(host) = host else {
                assert_eq!(slot.status(), Some(SlotStatus::Host), "{after}");
                assert!(own.iter().all(|word| *word == UNTOUCHED), "the host's row is not touched");
                continue;
            };
            tally.located += 1;
            let (mut rows, mut expected) = (slot.mask_rows().to_vec(), host.rows.clone());
            rows.sort_unstable();
            expected.sort_unstable();
            assert_eq!((rows, slot.mask_may_end()), (expected, host.may_end), "{after}");
            assert!(own == place.mask, "{after}");
        }
    }
}
