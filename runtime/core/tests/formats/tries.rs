//! Compares small budgets with trying all tokens, the slow, obvious implementation of what a budget guarantees.

use std::collections::HashMap;
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use ogc_kit::Random;

/// Tries all tokens up to a depth, and remembers the result for each place and number of tokens left.
struct Tries {
    fits: HashMap<(String, u32), bool>,
    place: Place,
}

/// Describes the place of a matcher after a text. Places with different continuations have different descriptions.
pub type Place = fn(&Matcher, &[u8]) -> String;

impl Tries {
    /// Returns whether at most `left` tokens can complete the text.
    fn complete(&mut self, matcher: &Matcher, text: &[u8], left: u32) -> bool {
        if matcher.is_complete() {
            return true;
        }
        if left == 0 {
            return false;
        }
        let key = ((self.place)(matcher, text), left);
        if let Some(&known) = self.fits.get(&key) {
            return known;
        }
        let found = self.allowed(matcher, text, left).next().is_some();
        self.fits.insert(key, found);
        found
    }

    /// Returns the tokens after which at most `left - 1` tokens can complete the text.
    fn allowed<'a>(
        &'a mut self,
        matcher: &'a Matcher,
        text: &'a [u8],
        left: u32,
    ) -> impl Iterator<Item = TokenId> + 'a {
        let mut plain = matcher.fork();
        plain.set_budget(None).expect("none is always allowed");
        let tokens = plain.mask().map(|mask| mask.tokens()).unwrap_or_default();
        tokens.into_iter().filter(move |&token| {
            let mut next = plain.fork();
            let read = next.accept_token(token).is_ok() && !next.is_terminated();
            let token = plain.store().vocabulary().text(token).unwrap_or_default();
            read && self.complete(&next, &[text, token].concat(), left - 1)
        })
    }
}

/// Describes the place of a matcher in a format that reads each text in one way: its readings, and the incomplete escape at the end of the
/// text, which the readings do not show.
pub fn by_readings(matcher: &Matcher, text: &[u8]) -> String {
    format!("{:?} {:?}", matcher.readings(), open_escape(text))
}

/// Returns the incomplete escape of a JSON string at the end of a text; empty if there is none.
fn open_escape(text: &[u8]) -> &[u8] {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = escape_length(rest);
        if rest.len() < length {
            return rest;
        }
        at += length;
    }
    &[]
}

/// Returns the length in bytes of the escape at the beginning of a text; a surrogate pair counts as one.
fn escape_length(text: &[u8]) -> usize {
    match text {
        [b'\\', b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B', ..]
            if text.get(6).is_none_or(|next| *next == b'\\') =>
        {
            12
        }
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => 1,
    }
}

/// Describes the place of a matcher in any format.
pub fn by_text(_: &Matcher, text: &[u8]) -> String {
    text.escape_ascii().to_string()
}

/// Compares masks under budgets of at most `most` tokens with trying all tokens, at the places of a random walk. Returns the number of
/// comparisons.
pub fn compare_small_budgets(
    name: &str,
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    random: &mut Random,
    (most, place): (u32, Place),
) -> usize {
    let mut tries = Tries { fits: HashMap::new(), place };
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let (mut compared, mut text) = (0, Vec::new());
    for _ in 0..12 {
        for left in 1..=most {
            let mut bounded = matcher.fork();
            let set = bounded.set_budget(Some(left));
            assert_eq!(
                set.is_ok(),
                tries.complete(&matcher, &text, left),
                "{name}: {left} left: {set:?} {:?}",
                matcher.readings()
            );
            if set.is_err() {
                continue;
            }
            let mask = bounded.mask().expect("a completion is left");
            let mut given = mask.tokens();
            given.retain(|token| !mask.allows_end() || !store.vocabulary().eos().contains(token));
            let expected: Vec<TokenId> = tries.allowed(&matcher, &text, left).collect();
            let spelled = |token: &TokenId| (*token, store.vocabulary().text(*token).map(String::from_utf8_lossy));
            let lacking: Vec<_> = expected.iter().filter(|token| !given.contains(token)).map(spelled).collect();
            let beyond: Vec<_> = given.iter().filter(|token| !expected.contains(token)).map(spelled).collect();
            assert!(
                lacking.is_empty() && beyond.is_empty(),
                "{name}: {left} left: lacks {lacking:?}, has {beyond:?} beyond {:?}",
                matcher.readings()
            );
            compared += 1;
        }
        let tokens = matcher.mask().expect("a mask").tokens();
        let next = tokens.get(random.below(tokens.len())).filter(|&&token| matcher.accept_token(token).is_ok());
        text.extend_from_slice(next.and_then(|token| store.vocabulary().text(*token)).unwrap_or_default());
        if next.is_none() || matcher.is_terminated() {
            matcher.reset();
            text.clear();
        }
    }
    compared
}
