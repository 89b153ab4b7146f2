//! Forced tokens are those that a tokenizer with merges writes however the text goes on: random merges, every continuation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

const LETTERS: &[u8] = b"abc";

/// How many letters continuations have: as many as the longest token and one.
const FURTHER: u32 = 6;

/// A tokenizer with merges (byte pair encoding): of the pairs of a text, the one that was learnt first is merged, the leftmost first.
struct Merges {
    /// The letters, then the texts of the merges in the order in which they were learnt.
    texts: Vec<Vec<u8>>,
    pairs: Vec<(TokenId, TokenId)>,
}

impl Merges {
    fn random(random: &mut Random) -> Self {
        let mut merges = Self { texts: LETTERS.iter().map(|&letter| vec![letter]).collect(), pairs: Vec::new() };
        for _ in 0..3 + random.below(9) {
            let [one, other] = [(); 2].map(|()| random.below(merges.texts.len()));
            let text = [&merges.texts[one][..], &merges.texts[other]].concat();
            if text.len() < FURTHER as usize && !merges.texts.contains(&text) {
                merges.texts.push(text);
                merges.pairs.push((TokenId(one as u32), TokenId(other as u32)));
            }
        }
        merges
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        let texts: Vec<Option<&str>> = self.texts.iter().map(|text| std::str::from_utf8(text).ok()).collect();
        Arc::new(Vocabulary::from_tokens(&texts, &[]).unwrap())
    }

    fn encode(&self, text: &[u8]) -> Vec<TokenId> {
        let letter = |byte: &u8| TokenId(LETTERS.iter().position(|letter| letter == byte).unwrap() as u32);
        let mut tokens: Vec<TokenId> = text.iter().map(letter).collect();
        for (at, &pair) in self.pairs.iter().enumerate() {
            let mut merged = Vec::new();
            let mut rest = &tokens[..];
            while let [first, others @ ..] = rest {
                let is_pair = others.first().is_some_and(|second| (*first, *second) == pair);
                merged.push(if is_pair { TokenId((LETTERS.len() + at) as u32) } else { *first });
                rest = if is_pair { &others[1..] } else { others };
            }
            tokens = merged;
        }
        tokens
    }
}

/// Makes the format of a text that goes on with any letters.
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

/// Returns the tokens that all texts have that begin with one, as far as they lie in it.
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
fn forced_tokens_are_written_however_the_text_goes_on() {
    let mut random = Random::new(7);
    let (mut forced_sum, mut certain_sum) = (0, 0);
    for _ in 0..300 {
        let merges = Merges::random(&mut random);
        let text: Vec<u8> = (0..1 + random.below(9)).map(|_| LETTERS[random.below(3)]).collect();
        let certain = certain(&merges, &text);
        let mut matcher = Matcher::new(format(&text), MaskStore::new(merges.vocabulary()));
        // Behind any of these tokens, the tokens that are still certain are the same.
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
    // Some boundaries that are tried no text has: few tokens are missed for them.
    assert!(certain_sum > 500 && 10 * forced_sum > 9 * certain_sum, "{forced_sum} of {certain_sum}");
}
