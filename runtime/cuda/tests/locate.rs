//! Compares the masks that a device finds, by the code compiled for the host, with the matcher's: at each place of random texts of known
//! and of random formats, bit by bit; and the masks that are left to the host.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::formats;
use crate::located;
use crate::objects;
use crate::random;
use crate::rows;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use located::{Bench, LIMITS, Tally, built, compiled, large_vocabulary};
use objects::random_objects;
use ogc_cuda::{DeviceMasks, DevicePool, MasksError, PoolError, PoolLimits, SlotImage};
use ogc_kit::{Random, first_seed, rounds};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::{MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use random::random_format;

#[test]
fn masks_of_known_formats_match_the_matcher() {
    let Some(program) = compiled("known") else { return };
    let mut bench = Bench::new(program, formats::vocabulary());
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    let mut tallies = BTreeMap::new();
    for (name, format) in formats::all() {
        tallies.insert(name, bench.compare(name, &format, &mut random, 30));
    }
    // Their packs are complete, and a slot holds all of their readings.
    assert!(tallies.values().all(|tally| tally.all > 50 && tally.located == tally.all), "{tallies:?}");
    assert!(bench.pool.row_count() > 100);
}

/// Runs `round` with at least `rounds` seeds, and with up to [`MOST`] times as many until the tallies are enough: the share of masks that
/// are located varies widely between the few formats of a landing.
fn draw<T: Debug>(rounds: u64, tallies: &mut T, is_enough: impl Fn(&T) -> bool, mut round: impl FnMut(u64, &mut T)) {
    let first = first_seed();
    for seed in first..first + MOST * rounds {
        if seed >= first + rounds && is_enough(tallies) {
            return;
        }
        round(seed, tallies);
    }
    assert!(is_enough(tallies), "{tallies:?}");
}

/// Cap on the rounds of [`draw`], as a multiple of those asked for.
const MOST: u64 = 8;

#[test]
fn masks_of_random_formats_match_the_matcher() {
    let Some(program) = compiled("random") else { return };
    let mut bench = Bench::new(program, formats::vocabulary());
    let mut sums = [Tally::default(); 2];
    let rounds = rounds(30, 100);
    let enough = 10 * rounds as usize;
    // Some formats of the first kind have more readings than a slot holds.
    let is_enough = |[few, all]: &[Tally; 2]| few.all.min(all.all) > enough && few.located * 10 > few.all * 8;
    draw(rounds, &mut sums, is_enough, |seed, sums| {
        let mut random = Random::new(seed);
        for (kind, sum) in (0..).zip(sums) {
            let format = if kind == 0 { random_format(&mut random) } else { random_objects(&mut random) };
            let Some(format) = format else { continue };
            sum.add(bench.compare(&format!("seed {seed}, kind {kind}"), &format, &mut random, 6));
        }
    });
    let [_, all] = sums;
    assert_eq!(all.located, all.all);
}

#[test]
fn escapes_within_keys_count_as_undeclared_keys() {
    let Some(program) = compiled("keys") else { return };
    let mut bench = Bench::new(program, formats::vocabulary());
    for name in ["any order, open", "seven keys in any order, open"] {
        let format = formats::all().into_iter().find(|(other, _)| *other == name).unwrap().1;
        let (mut matcher, masks) = bench.masks(&format).unwrap();
        // The last digits spell letters of no key, or of some key.
        for text in [r#"{"\u005"#, r#"{"\u004"#, r#"{"a\u005"#, r#"{"ab\u004"#, r#"{"\u006"#, r#"{"z\ud83d\"#] {
            matcher.reset();
            matcher.accept_bytes(text.as_bytes()).unwrap();
            let mut expected = vec![0; bench.words];
            matcher.fill_mask(&mut expected).unwrap();
            let slot = SlotImage::new(&matcher, 0).unwrap();
            let located = rows::locate(&bench.program, &masks, &[slot]).remove(0);
            let bits = located.map(|mask| bench.buffers.bits(&mask, &bench.stops, bench.words));
            assert_eq!(bits, Some(expected), "{name} after {text}");
        }
    }
}

#[test]
fn masks_over_a_large_vocabulary_match_the_matcher() {
    let Some(program) = compiled("large") else { return };
    let mut bench = Bench::new(program, large_vocabulary());
    let rounds = rounds(10, 30);
    let is_enough = |sum: &Tally| sum.all > 15 * rounds as usize && sum.located * 20 > sum.all * 19;
    draw(rounds, &mut Tally::default(), is_enough, |seed, sum| {
        let mut random = Random::new(seed);
        let Some(format) = random_objects(&mut random) else { return };
        sum.add(bench.compare(&format!("seed {seed}"), &format, &mut random, 6));
    });
}

#[test]
fn masks_that_a_pack_omits_are_left_to_the_host() {
    let Some(program) = compiled("omitted") else { return };
    let mut bench = Bench::new(program, formats::vocabulary());
    let rounds = rounds(15, 40);
    let enough = 2 * rounds as usize;
    let is_enough = |sum: &Tally| sum.located > enough && sum.all - sum.located > enough;
    draw(rounds, &mut Tally::default(), is_enough, |seed, sum| {
        let mut random = Random::new(seed);
        let Some(format) = random_objects(&mut random) else { return };
        let limits = PackLimits { work: 1 << random.below(16), threads: 1, ..PackLimits::default() };
        sum.add(bench.compare_with(&format!("seed {seed}"), &format, &limits, &mut random, 4));
    });
}

#[test]
fn masks_with_too_many_rows_or_parts_are_left_to_the_host() {
    let Some(program) = compiled("bounds") else { return };
    let mut bench = Bench::new(program, formats::vocabulary());
    // This many rules may end here, one inside another: the mask has a row for each byte with which they continue, and a part for each.
    let most = SlotImage::MOST_ROWS;
    for (depth, bytes, fits) in
        [(20, 64, true), (most - 1, 64, true), (most, 64, false), (128, 1, true), (129, 1, false)]
    {
        let format = chain(depth, bytes);
        let (mut matcher, masks) = bench.masks(&format).unwrap();
        matcher.accept_bytes(&vec![b'a'; depth + 1]).unwrap();
        let slot = SlotImage::new(&matcher, 0).unwrap();
        let located = rows::locate(&bench.program, &masks, &[slot]).remove(0);
        let expected = fits.then_some(1 + depth.min(bytes));
        assert_eq!(located.as_ref().map(|mask| mask.rows.len()), expected, "{depth} rules, {bytes} bytes");
        let mut expected = vec![0; bench.words];
        matcher.fill_mask(&mut expected).unwrap();
        let bits = located.map(|mask| bench.buffers.bits(&mask, &bench.stops, bench.words));
        assert!(bits.is_none_or(|bits| bits == expected), "{depth} rules, {bytes} bytes");
    }
}

/// Returns a format of nested rules. Each reads an `a`, calls the next, and continues with one of `bytes` different bytes; the last reads a
/// `b`.
fn chain(depth: usize, bytes: usize) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rules: Vec<_> = (0..=depth).map(|_| builder.rule("link", 0)).collect();
    for (at, rule) in rules.iter().enumerate() {
        let [start, middle, end] = std::array::from_fn(|_| builder.state(*rule, StateKind::Bytes));
        builder.start(*rule, start);
        builder.edge(start, b'a', b'a', OpId::NONE, middle);
        let own = 0x80 + (at % bytes) as u8;
        builder.edge(end, own, own, OpId::NONE, end);
        builder.accept(end);
        match rules.get(at + 1) {
            Some(next) => builder.call(middle, formats::call(*next, end, 0, 0)),
            None => {
                builder.edge(middle, b'b', b'b', OpId::NONE, middle);
                builder.accept(middle);
            }
        }
    }
    Arc::new(builder.finish((rules[0], 0, 0), false, Escapes::Any).unwrap())
}

#[test]
fn a_slot_says_why_it_cannot_hold_a_text() {
    let store = MaskStore::new(formats::vocabulary());
    let known = |name: &str| formats::all().into_iter().find(|(other, _)| *other == name).unwrap().1;
    let mut matcher = Matcher::new(known("arrays"), store);
    matcher.accept_bytes(&[b'['; 256]).unwrap();
    assert_eq!(SlotImage::new(&matcher, 0).map(|_| ()), Ok(()));
    matcher.accept_bytes(b"[[").unwrap();
    let error = SlotImage::new(&matcher, 0).unwrap_err();
    assert_eq!(error.to_string(), "the text has too many frames: at least 257, the limit is 256");
}

#[test]
fn formats_share_rows_and_a_full_pool_is_left_unchanged() {
    let store = MaskStore::new(formats::vocabulary());
    let known = formats::all();
    let pack = |name: &str| {
        let format = &known.iter().find(|(other, _)| *other == name).unwrap().1;
        (format, built(format, &store).unwrap().pack)
    };
    let mut pool = DevicePool::new(LIMITS);
    let (format, masks) = pack("any order, open");
    let first = DeviceMasks::new(format, &masks, &mut pool).unwrap();
    let (rows, blocks) = (pool.row_count(), pool.block_count());
    assert!(!pool.take_copies().is_empty());
    assert_eq!(DeviceMasks::new(format, &masks, &mut pool).unwrap(), first, "the same numbers");
    assert_eq!((pool.row_count(), pool.block_count(), pool.take_copies()), (rows, blocks, Vec::new()));
    let (other, other_masks) = pack("arrays");
    assert_eq!(DeviceMasks::new(other, &masks, &mut pool), Err(MasksError::OtherFormat));

    let mut small = DevicePool::new(PoolLimits { rows, blocks });
    DeviceMasks::new(format, &masks, &mut small).unwrap();
    let before = small.take_copies();
    let error = DeviceMasks::new(other, &other_masks, &mut small).unwrap_err();
    assert!(matches!(error, MasksError::Pool(PoolError::Full { given, limit, .. }) if given == limit + 1), "{error}");
    assert_eq!((small.row_count(), small.take_copies(), before.len()), (rows, Vec::new(), 2));

    let other_store = MaskStore::new(large_vocabulary());
    let elsewhere = built(format, &other_store).unwrap().pack;
    let error = DeviceMasks::new(format, &elsewhere, &mut pool).unwrap_err();
    assert!(matches!(error, MasksError::Pool(PoolError::OtherVocabulary { .. })), "{error}");
}
