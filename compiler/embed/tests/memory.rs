//! Measures the memory of formats, rows and matchers with a counting allocator, and compares it with the reported
//! numbers and the bounds.
//!
//! The allocator counts all threads of the program, so the tests run one after the other.

#![allow(clippy::print_stdout, reason = "the numbers are what is measured")]

#[path = "memory/schemas.rs"]
mod schemas;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ogc_compiler::db::Language;
use ogc_counting::{CountingAllocator, live_bytes};
use ogc_embed::{Source, compile};
use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, Escapes};
use ogc_runtime::cache::{CacheKey, CacheLimits, FormatCache};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use schemas::schema;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Number of tokens in the vocabulary; the next id ends a text.
const TOKENS: u32 = 4_000;

/// Makes one test run at a time, after all one-time initialisation is done.
fn alone() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    let guard = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    (0..20).for_each(|number| drop(compiled(number)));
    guard
}

/// Makes a vocabulary of all bytes, pieces of JSON, and random words.
fn vocabulary() -> Arc<Vocabulary> {
    let mut random = Random::new(1);
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let pieces =
        ["\":", "\": ", "{\"", "\"}", "\",", "\", \"", "},", "}]", "\"]", "[{\"", "\"}]", "\":{\"", " \"", "  "];
    tokens.extend(pieces.map(Vec::from));
    while tokens.len() < TOKENS as usize {
        let mut token = if random.one_in(3) { b" ".to_vec() } else { Vec::new() };
        token.extend((0..2 + random.below(7)).map(|_| b'a' + random.below(26) as u8));
        tokens.push(token);
    }
    let tokens: Vec<Option<Vec<u8>>> = tokens.into_iter().map(Some).collect();
    Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", TOKENS)]).expect("a vocabulary"))
}

/// Makes a store whose tables for free text exist already.
fn store(limit: Option<usize>) -> Arc<MaskStore> {
    let store = MaskStore::with_limit(vocabulary(), limit);
    store.warm_up(Escapes::Any);
    store
}

/// Returns the bytes held, without the shared results of compilations, which have their own bound.
fn held_bytes() -> usize {
    ogc_embed::forget_shared();
    live_bytes()
}

fn compiled(number: u64) -> Arc<Automaton> {
    let text = schema(number);
    let source = Source::new("a.schema.json", &text, Language::JsonSchema);
    let compiled = compile(&source).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
    Arc::clone(&compiled.artifact.format().automaton)
}

/// Writes a random text of at most `tokens` tokens.
fn write(matcher: &mut Matcher, random: &mut Random, tokens: usize) {
    for _ in 0..tokens {
        let allowed = matcher.mask().expect("a mask").tokens();
        match random.choose(&allowed) {
            Some(&token) if token.0 != TOKENS => matcher.accept_token(token).expect("the mask allows it"),
            _ => return,
        }
    }
}

/// Computes masks of a format along a random text.
fn use_format(format: &Arc<Automaton>, store: &Arc<MaskStore>, seed: u64) {
    let mut matcher = Matcher::new(Arc::clone(format), Arc::clone(store));
    let _ = matcher.set_budget(Some(300));
    write(&mut matcher, &mut Random::new(seed), 40);
}

/// Checks that two numbers of bytes differ by at most `percent` per cent of the second.
fn check_near(what: &str, given: usize, expected: usize, percent: usize) {
    println!("{what}: {given} bytes, {expected} expected");
    assert!(given.abs_diff(expected) * 100 <= expected * percent, "{what}: {given} bytes, not {expected}");
}

#[test]
fn formats_report_the_memory_that_they_use() {
    let _alone = alone();
    let store = store(Some(0));
    let mut formats = Vec::with_capacity(200);
    let before = held_bytes();
    formats.extend((100..300).map(compiled));
    let said = |formats: &[Arc<Automaton>]| formats.iter().map(|format| format.bytes()).sum::<usize>();
    let at_first = said(&formats);
    // Includes the tables that masks create later.
    check_near("formats that were compiled", at_first, held_bytes() - before, 30);
    formats.iter().zip(0..).for_each(|(format, seed)| use_format(format, &store, seed));
    let held = held_bytes() - before;
    check_near("formats with masks", said(&formats), held, 10);
    check_near("formats with masks, when they were compiled", at_first, held, 15);
}

#[test]
fn a_store_reports_the_memory_that_it_uses() {
    let _alone = alone();
    let formats: Vec<_> = (300..500).map(compiled).collect();
    // Tables that formats create at first use belong to the formats.
    let other = store(Some(0));
    formats.iter().zip(0..).for_each(|(format, seed)| use_format(format, &other, seed));
    drop(other);
    let store = store(None);
    let before = held_bytes() - store.stats().bytes;
    formats.iter().zip(0..).for_each(|(format, seed)| use_format(format, &store, seed));
    let stats = store.stats();
    println!("{stats:?}");
    check_near("rows of 200 formats", stats.bytes, held_bytes() - before, 25);
}

/// Checks that held memory does not grow: the mean of the second half of the numbers is within 10 per cent of the mean
/// of the first half.
fn check_flat(what: &str, held: &[usize]) {
    let (first, second) = held.split_at(held.len() / 2);
    let mean = |held: &[usize]| held.iter().sum::<usize>() / held.len();
    println!("{what}: {held:?}");
    check_near(what, mean(second), mean(first), 10);
}

#[test]
fn a_store_stays_within_its_memory_limit() {
    let _alone = alone();
    const LIMIT: usize = 2 << 20;
    let store = store(Some(LIMIT));
    let empty = held_bytes();
    let mut held = Vec::new();
    for number in 1_000..3_000 {
        use_format(&compiled(number), &store, number);
        if number >= 1_800 && number % 100 == 99 {
            held.push(held_bytes() - empty);
        }
    }
    println!("{:?}", store.stats());
    check_flat("a store behind 2,000 formats", &held);
    // A few walkers stay allocated beyond the limit.
    let most = LIMIT + (1 << 20);
    assert!(held.iter().all(|held| *held < most), "{held:?} bytes are held, the bound is {LIMIT}");
    assert!(store.stats().evicted > 10_000, "{:?}", store.stats());
}

#[test]
fn a_format_cache_stays_within_its_memory_limit() {
    let _alone = alone();
    const LIMIT: usize = 4 << 20;
    let store = store(Some(1 << 20));
    let empty = held_bytes();
    let cache: FormatCache<Arc<Automaton>, ()> =
        FormatCache::new(CacheLimits { bytes: LIMIT, ..CacheLimits::default() });
    for number in 3_000_u64..3_600 {
        let made = move |_: &_| {
            let format = compiled(number);
            let bytes = format.bytes();
            Ok((format, bytes))
        };
        let format = cache.get_or_compile(CacheKey::of(&[&number.to_le_bytes()]), made).expect("a free place");
        use_format(&format.wait().expect("a format"), &store, number);
    }
    assert!(cache.stats().evicted > 300, "{:?}", cache.stats());
    check_near("formats in a cache", held_bytes() - empty - store.stats().bytes, LIMIT, 25);
}

#[test]
fn dropped_formats_free_their_memory() {
    let _alone = alone();
    let before = held_bytes();
    let store = store(Some(256 << 10));
    let mut held = Vec::new();
    for number in 4_000..5_000 {
        use_format(&compiled(number), &store, number);
        if number >= 4_200 && number % 25 == 24 {
            held.push(held_bytes() - before);
        }
    }
    check_flat("a store behind 1,000 formats", &held);
    // A compilation leaves nothing behind.
    let before = held_bytes();
    (5_000..5_050).for_each(|number| drop(compiled(number)));
    assert!(held_bytes() < before + 50 * 64, "{} bytes are left of 50 compilations", held_bytes() - before);
}

/// Returns the bytes of a matcher after a text, of a fork of it, and of the same matcher when the store has all rows.
fn matcher_bytes(format: &Arc<Automaton>, store: &Arc<MaskStore>, tokens: usize) -> [usize; 2] {
    write(&mut Matcher::new(Arc::clone(format), Arc::clone(store)), &mut Random::new(7), tokens);
    let before = held_bytes();
    let mut matcher = Matcher::new(Arc::clone(format), Arc::clone(store));
    write(&mut matcher, &mut Random::new(7), tokens);
    let alone = held_bytes();
    let fork = matcher.fork();
    let forked = held_bytes();
    drop(fork);
    [alone - before, forked - alone]
}

#[test]
fn matchers_and_forks_use_little_memory() {
    let _alone = alone();
    let store = store(None);
    let formats: Vec<_> = (6_000..6_040).map(compiled).collect();
    for (tokens, most) in [(0, [1_024, 1_024]), (8, [3_072, 2_048]), (40, [8_192, 6_144])] {
        let all = formats.iter().map(|format| matcher_bytes(format, &store, tokens));
        let sums = all.fold([0, 0], |[a, b], [matcher, fork]| [a + matcher, b + fork]);
        let [matcher, fork] = sums.map(|sum| sum / formats.len());
        println!("after {tokens} tokens: a matcher of {matcher} bytes, a fork of {fork}");
        assert!(
            matcher <= most[0] && fork <= most[1],
            "after {tokens} tokens: {matcher} and {fork} bytes, not {most:?}"
        );
    }
}

/// A matcher that has computed masks keeps no buffers for walks: it borrows them from the store.
#[test]
fn an_idle_matcher_holds_no_walk_buffers() {
    let _alone = alone();
    let format = compiled(6_100);
    let store = store(None);
    use_format(&format, &store, 1);
    let before = held_bytes();
    let mut matcher = Matcher::new(Arc::clone(&format), Arc::clone(&store));
    write(&mut matcher, &mut Random::new(9), 12);
    let rows = store.stats().bytes;
    let held = held_bytes();
    drop(matcher);
    assert!(held - held_bytes() < 4_096, "{} bytes go with a matcher", held - held_bytes());
    println!("{} bytes for new rows, of which the store knows {rows}", held_bytes() - before);
}

#[test]
fn a_window_bounds_the_memory_of_long_texts() {
    let _alone = alone();
    let store = store(None);
    let text = r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"]}}"#;
    let source = Source::new("a.schema.json", text, Language::JsonSchema);
    let format = Arc::clone(&compile(&source).expect("a format").artifact.format().automaton);
    let piece = br#"{"a":1,"b":"ccccccccc"},"#;
    let sizes = [Some(8), None].map(|window| {
        let before = held_bytes();
        let mut matcher = Matcher::new(Arc::clone(&format), Arc::clone(&store));
        matcher.set_rollback_window(window);
        matcher.accept_bytes(b"[").expect("a bracket");
        for at in 0..100_000 {
            matcher.accept_token(TokenId(u32::from(piece[at % piece.len()]))).expect("the next byte");
        }
        let held = held_bytes() - before;
        let fork = matcher.fork();
        let forked = held_bytes() - before - held;
        drop(fork);
        println!("100,000 tokens, a window of {window:?}: {held} bytes, a fork {forked}");
        [held, forked]
    });
    // A token takes four bytes in the log from which a state is saved.
    assert!(sizes[0][0] < 500_000 && sizes[0][1] < 24_000, "{sizes:?}");
    assert!(sizes[1][1] < 24_000, "{sizes:?}");
}
