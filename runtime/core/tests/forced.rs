//! Forced tokens are the tokens that a tokenizer with merges writes for every continuation: random merges, every continuation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::merges::{FURTHER, LETTERS, Merges};

/// Makes the format of `text` followed by any letters.
fn format(text: &[u8]) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("text", 0);
    let mut at = builder.state(rule, StateKind::Bytes);
    builder.start(rule, at);
    for &byte in text {
        let next = builder.state(rule, StateKind::Bytes);
        builder.edge(at, byte, byte, OpId::NONE, next);
        at = next;
    }
    builder.edge(at, b'a', b'c', OpId::NONE, at);
    builder.accept(at);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap())
}

/// Returns the tokens with which the encodings of all continuations of `text` begin, as far as they lie within it.
fn certain(merges: &Merges, text: &[u8]) -> Vec<TokenId> {
    let mut certain = merges.encode(text);
    for length in 1..=FURTHER {
        for number in 0..3usize.pow(length) {
            let mut further = text.to_vec();
            further.extend((0..length).map(|at| LETTERS[number / 3usize.pow(at) % 3]));
            let other = merges.encode(&further);
            let same = certain.iter().zip(&other).take_while(|(one, other)| one == other).count();
            certain.truncate(same);
        }
    }
    certain
}

#[test]
fn forced_tokens_begin_the_encoding_of_every_continuation() {
    let mut random = Random::new(7);
    let (mut forced_sum, mut certain_sum) = (0, 0);
    for _ in 0..300 {
        let merges = Merges::random(&mut random);
        let text: Vec<u8> = (0..1 + random.below(9)).map(|_| LETTERS[random.below(3)]).collect();
        let certain = certain(&merges, &text);
        let mut matcher = Matcher::new(format(&text), MaskStore::new(merges.vocabulary()));
        // After any of these tokens, the remaining certain tokens are the same.
        for known in 0..=certain.len() {
            let forced = matcher.forced_tokens(|text| merges.encode(text));
            assert!(certain[known..].starts_with(&forced), "{forced:?}, not {:?} of {text:?}", &certain[known..]);
            forced_sum += forced.len();
            certain_sum += certain.len() - known;
            if let Some(&next) = certain.get(known) {
                matcher.accept_token(next).unwrap();
            }
        }
    }
    // The engine also tries boundaries that no text has, and so misses a few tokens.
    assert!(certain_sum > 500 && 10 * forced_sum > 9 * certain_sum, "{forced_sum} of {certain_sum}");
}
