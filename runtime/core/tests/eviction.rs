//! Masks do not depend on evictions: compares stores that evict nearly everything with one that evicts nothing.

use crate::formats;

use std::sync::Arc;
use std::thread;

use ogc_kit::Random;
use ogc_runtime::artifact::{Format, write};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;

/// Limits in bytes that keep nothing, few entries, and a part of them.
const LIMITS: [usize; 3] = [0, 6_000, 60_000];

/// Makes a matcher of each format. Some have masks for few frames, so that they continue in the store.
fn matchers(random: &mut Random, store: &Arc<MaskStore>) -> Vec<Matcher> {
    let start = |(_, format): (_, Arc<Automaton>)| {
        if random.one_in(2) {
            return Matcher::new(format, Arc::clone(store));
        }
        let limits = PackLimits { bases: 8, tails: 8, ..PackLimits::default() };
        let pack = MaskPack::build(&format, store, &limits, |_, _| {}).expect("a pack");
        Matcher::with_masks(format, Arc::clone(store), Arc::new(pack)).expect("masks of this format")
    };
    formats::all().into_iter().map(start).collect()
}

/// Writes random texts of all formats in turn, and compares each mask with that of a matcher whose store evicts nothing.
fn compare(seed: u64, store: &Arc<MaskStore>, whole: &Arc<MaskStore>) {
    let mut random = Random::new(seed);
    let mut pairs: Vec<(Matcher, Matcher)> = Vec::new();
    for matcher in matchers(&mut random, store) {
        let other = Matcher::new(Arc::clone(matcher.automaton()), Arc::clone(whole));
        pairs.push((matcher, other));
    }
    for (matcher, other) in &mut pairs {
        let budget = random.one_in(3).then(|| 20 + random.below(30) as u32);
        assert_eq!(matcher.set_budget(budget), other.set_budget(budget), "seed {seed}");
    }
    for step in 0..30 {
        for (matcher, other) in &mut pairs {
            let expected = other.mask().map(|mask| mask.tokens());
            assert_eq!(matcher.mask().map(|mask| mask.tokens()), expected, "seed {seed}, step {step}");
            let Some(&token) = expected.ok().and_then(|tokens| random.choose(&tokens).copied()).as_ref() else {
                continue;
            };
            assert_eq!(matcher.accept_token(token), other.accept_token(token), "seed {seed}, step {step}");
        }
    }
}

#[test]
fn masks_do_not_depend_on_the_memory_limit() {
    let vocabulary = formats::vocabulary();
    let whole = MaskStore::with_limit(Arc::clone(&vocabulary), None);
    for (seed, limit) in (0..).zip(LIMITS) {
        let store = MaskStore::with_limit(Arc::clone(&vocabulary), Some(limit));
        thread::scope(|scope| {
            for thread in 0..3 {
                let (store, whole) = (&store, &whole);
                scope.spawn(move || compare(10 * seed + thread, store, whole));
            }
        });
        // The completions that the last texts computed are counted when the next one begins.
        let mut last = Matcher::new(formats::all().remove(0).1, Arc::clone(&store));
        last.least_budget();
        let stats = store.stats();
        assert!(stats.bytes <= limit + 8_192 && stats.evicted > 100, "{limit}: {stats:?}");
    }
    assert_eq!(whole.stats().evicted, 0);
}

#[test]
fn artifacts_do_not_depend_on_the_memory_limit() {
    let vocabulary = formats::vocabulary();
    let small = MaskStore::with_limit(Arc::clone(&vocabulary), Some(6_000));
    for (name, automaton) in formats::all() {
        let limits = PackLimits { threads: 2, ..PackLimits::default() };
        // One store for all formats, which evicts other formats' entries between builds.
        let [one, other] = [&small, &MaskStore::with_limit(Arc::clone(&vocabulary), None)].map(|store| {
            let pack = MaskPack::build(&automaton, store, &limits, |_, _| {}).expect("a pack");
            write(&Format::new(Arc::clone(&automaton)), Some(&pack))
        });
        assert!(one == other, "{name}");
        assert!(small.stats().bytes <= 6_000, "{name}: {:?}", small.stats());
    }
}

#[test]
fn recently_used_rows_are_not_evicted() {
    let vocabulary = formats::vocabulary();
    let store = MaskStore::with_limit(Arc::clone(&vocabulary), Some(100_000));
    let all = formats::all();
    let mut often = Matcher::new(Arc::clone(&all[0].1), Arc::clone(&store));
    often.mask().expect("a mask");
    for round in 0..4 {
        for (name, automaton) in &all {
            let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&store));
            let mut random = Random::new(round);
            for _ in 0..20 {
                let tokens = matcher.mask().expect("a mask").tokens();
                let Some(&token) = random.choose(&tokens) else { break };
                matcher.accept_token(token).expect("the mask allows it");
                // A row that is there is not computed again: the number of entries stays, or others were evicted.
                let before = store.stats();
                often.mask().expect("a mask");
                assert_eq!(store.stats(), before, "{name}");
            }
        }
    }
    assert!(store.stats().evicted > 100, "{:?}", store.stats());
}
