//! Replays texts with the tokens that their formats force: these must be the tokens that the tokenizer writes.

use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::engine::{Policy, Reading, Space};

/// The counts of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tokens of the text.
    pub tokens: usize,
    /// Tokens that the format forced.
    pub forced: usize,
    /// Tokens whose bytes are all forced by the text before them, even if a longer token could come in their place.
    pub ceiling: usize,
    /// Tokens that are the only allowed ones if only canonical tokens are allowed; 0 if this was not counted.
    pub only: usize,
    /// Places at which the forced tokens differ from those of the text.
    pub different: usize,
}

impl Counts {
    /// Adds the counts of another text.
    pub fn add(&mut self, other: Counts) {
        self.tokens += other.tokens;
        self.forced += other.forced;
        self.ceiling += other.ceiling;
        self.only += other.only;
        self.different += other.different;
    }
}

/// Returns the policy for texts in the spelling of Python's `json.dumps`: one way for white space, characters and
/// numbers.
#[must_use]
pub fn policy() -> Policy {
    Policy { space: Space::Spaced, plain_strings: true, plain_numbers: true, ..Policy::default() }
}

/// Returns the options with which schemas are read.
#[must_use]
pub fn reading() -> Reading {
    Reading::asserting()
}

/// Replays a text in its canonical tokens; `None` if the format does not allow it.
pub fn replay(
    mut matcher: Matcher,
    tokens: &[TokenId],
    mut encode: impl FnMut(&[u8]) -> Vec<TokenId>,
) -> Option<Counts> {
    let mut counts = Counts { tokens: tokens.len(), ..Counts::default() };
    // The tokens before this one were forced together.
    let mut known = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let length = matcher.store().vocabulary().text(token).map_or(0, <[u8]>::len);
        counts.ceiling += usize::from(matcher.forced_bytes().len() >= length);
        if at >= known {
            let run = matcher.forced_tokens(&mut encode);
            if tokens[at..].starts_with(&run) {
                counts.forced += run.len();
                known = at + run.len().max(1);
            } else {
                counts.different += 1;
            }
        }
        matcher.accept_token(token).ok()?;
    }
    matcher.is_complete().then_some(counts)
}

/// Counts the tokens of a text that are the only ones allowed by a matcher of canonical tokens, so that they take no
/// pass of a model; `None` if a token is rejected.
pub fn only(mut matcher: Matcher, tokens: &[TokenId]) -> Option<usize> {
    let mut only = 0;
    for &token in tokens {
        only += usize::from(matcher.mask().ok()?.count() == 1);
        matcher.accept_token(token).ok()?;
    }
    Some(only)
}
