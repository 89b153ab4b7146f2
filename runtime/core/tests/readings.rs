//! Formats with thousands of readings: masks and accepting come to the limit together.

#[path = "formats/mod.rs"]
mod formats;

use std::sync::Arc;

use formats::{Random, assert_mask_is_exact};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, Op, OpId, StateKind};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::step::MAX_HEADS;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

/// A matcher that makes its masks when it is asked for them, and one that has them; over stores of their own.
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

/// A text of `a` in which each may count or not, up to 6,000 that do: after `n` bytes it has `n + 1` readings.
fn ambiguous() -> Automaton {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("text", 0);
    let counts = builder.op(Op::Count { tick: true, max_a: u32::MAX, min_total: 1 });
    let [begin, state, other] = [(); 3].map(|()| builder.state(rule, StateKind::Bytes));
    builder.start(rule, begin);
    [state, other].into_iter().for_each(|state| builder.accept(state));
    for from in [begin, state, other] {
        builder.edge(from, b'a', b'a', counts, state);
        builder.edge(from, b'a', b'a', OpId::NONE, state);
    }
    builder.edge(state, b'b', b'b', OpId::NONE, other);
    builder.finish((rule, 0, 6_000), false, Escapes::Any).expect("an automaton")
}

/// Masks allow what accepting accepts, and nothing else, on the way to the limit of parallel readings and at it.
#[test]
fn masks_and_accepting_reach_the_limit_of_readings_together() {
    let automaton = Arc::new(ambiguous());
    let mut refused = 0;
    for mut matcher in matchers(&automaton) {
        matcher.accept_bytes(&[b'a'; 4_070]).expect("it is below the limit");
        for _ in 0..28 {
            assert_mask_is_exact(&mut matcher);
            let limited = matcher.fork().accept_token(TokenId(3));
            refused += usize::from(matches!(limited, Err(MatchError::TooManyHeads { .. })));
            let _ = matcher.accept_token(TokenId(0));
        }
        assert!(matcher.store().stats().stepped > 0, "rows cannot tell near the limit");
    }
    assert!(refused > 10, "the limit is reached: {refused}");
}

/// A rule of two letters that counts what it likes and guards what it likes.
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

/// The same of random formats; those with few readings make no mask by stepping them all.
#[test]
fn random_formats_reach_the_limit_of_readings_together() {
    let mut numbers = Random(11);
    let (mut reached, mut few) = (0, 0);
    for _ in 0..9 {
        let Some(automaton) = random(&mut numbers).map(Arc::new) else { continue };
        for mut matcher in matchers(&automaton) {
            let mut read = 0;
            let end = loop {
                match matcher.accept_bytes(b"aaaaaaaa") {
                    Ok(()) if read < MAX_HEADS => read += 1,
                    end => break end,
                }
            };
            if !matches!(end, Err(MatchError::TooManyHeads { .. })) {
                matcher.mask().expect("a mask");
                assert_eq!(matcher.store().stats().stepped, 0);
                few += 1;
                continue;
            }
            reached += 1;
            matcher.rollback(numbers.below(read.min(4))).expect("so much was read");
            for _ in 0..6 {
                assert_mask_is_exact(&mut matcher);
                if matcher.accept_token(TokenId(1)).is_err() {
                    break;
                }
            }
        }
    }
    assert!(reached > 4 && few > 1, "{reached} {few}");
}
