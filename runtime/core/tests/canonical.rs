//! Canonical tokens are the tokens that a tokenizer with merges writes for some continuation: random merges, every continuation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::canonical::CanonicalTokens;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use crate::merges::{FURTHER, LETTERS, Merges};

/// A text, and its continuations: one of `next`, then any letters; or nothing if `may_end`.
struct Text {
    text: Vec<u8>,
    next: Vec<u8>,
    may_end: bool,
}

impl Text {
    fn random(random: &mut Random) -> Self {
        let text = (0..1 + random.below(9)).map(|_| LETTERS[random.below(3)]).collect();
        let left_out = random.below(4);
        let next: Vec<u8> =
            LETTERS.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, byte)| *byte).collect();
        Self { text, next, may_end: random.below(2) == 0 }
    }

    fn format(&self) -> Arc<Automaton> {
        let mut builder = AutomatonBuilder::new();
        let rule = builder.rule("text", 0);
        let mut at = builder.state(rule, StateKind::Bytes);
        builder.start(rule, at);
        for &byte in &self.text {
            let next = builder.state(rule, StateKind::Bytes);
            builder.edge(at, byte, byte, OpId::NONE, next);
            at = next;
        }
        let any = builder.state(rule, StateKind::Bytes);
        self.next.iter().for_each(|&byte| builder.edge(at, byte, byte, OpId::NONE, any));
        builder.edge(any, b'a', b'c', OpId::NONE, any);
        builder.accept(any);
        if self.may_end {
            builder.accept(at);
        }
        Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap())
    }

    /// Returns all continued texts, up to a length that decides how their encodings begin.
    fn texts(&self) -> Vec<Vec<u8>> {
        let mut texts = if self.may_end { vec![self.text.clone()] } else { Vec::new() };
        for length in 1..=FURTHER {
            for number in 0..3usize.pow(length) {
                let further: Vec<u8> = (0..length).map(|at| LETTERS[number / 3usize.pow(at) % 3]).collect();
                if self.next.contains(&further[0]) {
                    texts.push([&self.text[..], &further].concat());
                }
            }
        }
        texts
    }
}

/// Returns the next tokens of the encodings that begin with `context`.
fn expected(merges: &Merges, texts: &[Vec<u8>], context: &[TokenId]) -> BTreeSet<TokenId> {
    let encoded = texts.iter().map(|text| merges.encode(text));
    encoded
        .filter(|tokens| tokens.starts_with(context))
        .filter_map(|tokens| tokens.get(context.len()).copied())
        .collect()
}

#[test]
fn canonical_masks_have_the_tokens_of_some_encoded_continuation() {
    let mut random = Random::new(11);
    let (mut fewer, mut places, mut forced_sum) = (0, 0, 0);
    for _ in 0..400 {
        let merges = Arc::new(Merges::random(&mut random));
        let text = Text::random(&mut random);
        let store = MaskStore::new(merges.vocabulary());
        let mut matcher = Matcher::new(text.format(), Arc::clone(&store));
        let tokenizer = Arc::clone(&merges);
        let canonical = CanonicalTokens::new(store, move |text| tokenizer.encode(text));
        let mut plain = matcher.fork();
        matcher.set_canonical_tokens(Some(Arc::new(canonical))).unwrap();
        let texts = text.texts();
        let mut context = Vec::new();
        while merges.texts_of(&context).len() < text.text.len() {
            let expected = expected(&merges, &texts, &context);
            let allowed: BTreeSet<TokenId> = matcher.mask().unwrap().tokens().into_iter().collect();
            assert_eq!(allowed, expected, "{:?} and one of {:?} behind {context:?}", text.text, text.next);
            // A forced token is the only allowed one, token by token.
            let forced = matcher.forced_tokens(|_| unreachable!("the canonical tokens have a tokenizer"));
            let is_inside = expected.iter().all(|token| {
                texts.iter().all(|text| text.starts_with(&merges.texts_of(&[&context[..], &[*token]].concat())))
            });
            match forced.first() {
                Some(token) => assert_eq!(expected, [*token].into(), "{forced:?}"),
                None => assert!(expected.len() > 1 || !is_inside),
            }
            forced_sum += forced.len();
            let all = plain.mask().unwrap().tokens();
            for token in &all {
                let refused = matcher.fork().accept_token(*token);
                let error = Err(MatchError::NotCanonical { token: token.0 });
                assert_eq!(refused, if expected.contains(token) { Ok(()) } else { error });
            }
            places += 1;
            fewer += usize::from(expected.len() < all.len());
            let next = *expected.iter().nth(random.below(expected.len())).unwrap();
            [&mut matcher, &mut plain].into_iter().for_each(|matcher| matcher.accept_token(next).unwrap());
            context.push(next);
            // Tokens that were taken back are found again.
            if random.below(3) == 0 {
                matcher.mask().unwrap();
                matcher.rollback(1).unwrap();
                matcher.accept_token(next).unwrap();
            }
        }
    }
    assert!(places > 1_000 && 5 * fewer > places && forced_sum > 500, "{fewer} of {places}, {forced_sum} forced");
}

/// A rollback returns to the canonical tokens as they were known. Found anew, they may differ, and a draft would refuse allowed tokens.
#[test]
fn a_rollback_returns_to_the_canonical_tokens_of_its_place() {
    let mut random = Random::new(13);
    let mut taken_back = 0;
    for _ in 0..100 {
        let (merges, calls) = (Arc::new(Merges::random(&mut random)), Arc::new(AtomicUsize::new(0)));
        let text = Text::random(&mut random);
        let store = MaskStore::new(merges.vocabulary());
        let mut matcher = Matcher::new(text.format(), Arc::clone(&store));
        let (tokenizer, counted) = (Arc::clone(&merges), Arc::clone(&calls));
        let canonical = CanonicalTokens::new(store, move |text| {
            counted.fetch_add(1, Ordering::Relaxed);
            tokenizer.encode(text)
        });
        matcher.set_canonical_tokens(Some(Arc::new(canonical))).unwrap();
        let (mut masks, mut written) = (Vec::new(), Vec::new());
        while merges.texts_of(&written).len() < text.text.len() {
            let tokens = matcher.mask().unwrap().tokens();
            let token = *random.pick(&tokens);
            matcher.accept_token(token).unwrap();
            masks.push(tokens);
            written.push(token);
        }
        let encoded = calls.load(Ordering::Relaxed);
        while let Some(expected) = masks.pop() {
            matcher.rollback(1).unwrap();
            assert_eq!(matcher.mask().unwrap().tokens(), expected, "{:?}", text.text);
            taken_back += 1;
        }
        assert_eq!(calls.load(Ordering::Relaxed), encoded, "nothing is encoded again");
    }
    assert!(taken_back > 100, "{taken_back}");
}

/// The text `":"`, followed by one byte of the range, and then any letters and commas.
fn quoted(next: (u8, u8)) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("quoted", 0);
    let states: Vec<_> = (0..5).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    builder.start(rule, states[0]);
    for (at, &byte) in b"\":\"".iter().enumerate() {
        builder.edge(states[at], byte, byte, OpId::NONE, states[at + 1]);
    }
    builder.edge(states[3], next.0, next.1, OpId::NONE, states[4]);
    builder.edge(states[4], b' ', b'z', OpId::NONE, states[4]);
    builder.accept(states[4]);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap())
}

#[test]
fn a_forced_run_before_free_text_is_encoded_by_itself() {
    let texts = ["\":", "\":\"", "\",", "\"", ":", ",", "a"];
    let vocabulary = Arc::new(Vocabulary::from_tokens(&texts.map(Some), &[]).unwrap());
    let store = MaskStore::new(vocabulary);
    // `":"` is one token, unless a comma follows, which forms a token with the last quote.
    let encode = move |text: &[u8]| {
        let mut rest = std::str::from_utf8(text).unwrap_or_default();
        let mut tokens = Vec::new();
        while !rest.is_empty() {
            let is_before_comma = rest.starts_with("\":\",");
            let found = (0..7).find(|&at| {
                (at != 1 || !is_before_comma)
                    && (at != 0 || is_before_comma || !rest.starts_with("\":\""))
                    && rest.starts_with(texts[at])
            });
            let Some(at) = found else { return Vec::new() };
            tokens.push(TokenId(at as u32));
            rest = &rest[texts[at].len()..];
        }
        tokens
    };
    let canonical = Arc::new(CanonicalTokens::new(Arc::clone(&store), encode));
    for (next, expected) in [
        ((b' ', b'z'), vec![TokenId(1)]),
        ((b'+', b','), vec![TokenId(0)]),
        ((b',', b'a'), vec![TokenId(0), TokenId(1)]),
    ] {
        let mut matcher = Matcher::new(quoted(next), Arc::clone(&store));
        matcher.set_canonical_tokens(Some(Arc::clone(&canonical))).unwrap();
        assert_eq!(matcher.mask().unwrap().tokens(), expected, "{next:?}");
        // After `":`, the rest of the run can only be written together with a comma.
        if expected.contains(&TokenId(0)) {
            matcher.accept_token(TokenId(0)).unwrap();
            assert_eq!(matcher.mask().unwrap().tokens(), [TokenId(2)]);
        }
    }
}
