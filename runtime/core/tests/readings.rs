//! Formats with thousands of readings: masks allow exactly what the matcher accepts, whatever is merged.

use crate::formats;

use std::sync::Arc;

use formats::assert_mask_is_exact;
use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, Op, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

/// Makes a matcher with masks on demand, and one with masks built ahead of time; each has a store of its own.
fn matchers(automaton: &Arc<Automaton>) -> [Matcher; 2] {
    let tokens = ["a", "aa", "aaaa", "aaaaaaaaaaaaaaaa", "b", "ba", "aab", "abab", "c"].map(Some);
    let vocabulary = Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 9)]).expect("a vocabulary"));
    let [store, packed] = [(); 2].map(|()| MaskStore::new(Arc::clone(&vocabulary)));
    let masks = MaskPack::build(automaton, &packed, &PackLimits::default(), |_, _| {}).expect("a pack");
    [
        Matcher::new(Arc::clone(automaton), store),
        Matcher::with_masks(Arc::clone(automaton), packed, Arc::new(masks)).expect("a matcher"),
    ]
}

/// A text of `a`, in which each letter may count or not: at least `least` and up to 2,000 count. After `n` bytes it has `n + 1` readings;
/// readings that have reached the minimum include others.
fn ambiguous(least: u32) -> Automaton {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("text", 0);
    let counts = builder.op(Op::Count { tick: true, max_a: u32::MAX, min_total: 1 });
    let ends = builder.op(Op::Count { tick: false, max_a: 0, min_total: 0 });
    let [begin, state, end] = [(); 3].map(|()| builder.state(rule, StateKind::Bytes));
    builder.start(rule, begin);
    builder.accept(end);
    for from in [begin, state] {
        builder.edge(from, b'a', b'a', counts, state);
        builder.edge(from, b'a', b'a', OpId::NONE, state);
    }
    builder.edge(state, b'b', b'b', ends, end);
    builder.finish((rule, least, 2_000 - least), false, Escapes::Any).expect("an automaton")
}

#[test]
fn masks_of_thousands_of_readings_are_exact() {
    for least in [0, 3, 900] {
        let automaton = Arc::new(ambiguous(least));
        for mut matcher in matchers(&automaton) {
            matcher.accept_bytes(&[b'a'; 890]).expect("it is read");
            for _ in 0..12 {
                assert_mask_is_exact(&mut matcher);
                matcher.accept_token(TokenId(0)).expect("it is read");
            }
            assert_eq!(matcher.fork().accept_bytes(b"b").is_ok(), least <= 902);
            matcher.accept_bytes(&[b'a'; 2_000]).expect("not every letter counts");
            matcher.accept_bytes(b"b").expect("enough have counted");
        }
    }
}

/// A rule of two letters with random counts and guards.
fn random(random: &mut Random) -> Option<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("text", 0);
    let states = [(); 4].map(|()| builder.state(rule, StateKind::Bytes));
    let mut ops = vec![OpId::NONE];
    ops.extend([0, 1, 2].map(|min_total| builder.op(Op::Count { tick: min_total > 0, max_a: u32::MAX, min_total })));
    builder.start(rule, states[0]);
    states[1..].iter().for_each(|&state| builder.accept(state));
    for state in states {
        for _ in 0..2 + random.below(3) {
            let byte = b"aab"[random.below(3)];
            builder.edge(state, byte, byte, ops[random.below(ops.len())], states[1 + random.below(3)]);
        }
    }
    builder.finish((rule, random.below(3) as u32, 9_000), false, Escapes::Any).ok()
}

#[test]
fn masks_of_random_formats_are_exact_far_into_a_text() {
    let mut numbers = Random::new(11);
    for _ in 0..9 {
        let Some(automaton) = random(&mut numbers).map(Arc::new) else { continue };
        for mut matcher in matchers(&automaton) {
            let read = (0..500).take_while(|_| matcher.accept_bytes(b"aaaaaaaa").is_ok()).count();
            matcher.rollback(numbers.below(read.clamp(1, 4))).expect("so much was read");
            for _ in 0..6 {
                assert_mask_is_exact(&mut matcher);
                if matcher.accept_token(TokenId(1)).is_err() {
                    break;
                }
            }
        }
    }
}
