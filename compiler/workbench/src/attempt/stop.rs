//! Finds how far a text is accepted, byte by byte or token by token.

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher, MatcherPosition};
use ogc_runtime::trie::greedy_tokens;
use ogc_runtime::vocabulary::TokenId;

use super::next::Next;
use super::reason::{Mistake, Reason};
use crate::cut::cut;
use crate::vocabulary::Encoder;

/// The place where a text leaves its format.
pub(super) struct Stop {
    /// The number of accepted bytes.
    pub(super) accepted: usize,
    /// The format's state at that place.
    pub(super) position: MatcherPosition,
    /// The limit on tokens and the texts that may come instead, if the text is refused only because it has too many
    /// tokens.
    bound: Option<(Option<u32>, Next)>,
}

impl Stop {
    /// Returns the reason, if the text is refused because it has too many tokens.
    pub(super) fn token_bound(&self) -> Option<Reason> {
        let (most, next) = self.bound.as_ref()?;
        let bound = match most {
            Some(1) => "1 token is allowed".to_owned(),
            Some(most) => format!("{most} tokens are allowed"),
            None => "the bound on tokens is reached".to_owned(),
        };
        let message = format!("this text has too many tokens here: {bound}");
        let (expected, words) = (next.describe(), next.words.clone());
        Some(Reason {
            code: Some(Mistake::TokenBound),
            message,
            at: self.accepted,
            expected,
            words,
            ..Reason::default()
        })
    }
}

/// A token at its place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The token.
    pub id: TokenId,
    /// Offset of its first byte in the text.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

/// A vocabulary that splits texts into tokens, and its encoder.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) store: Arc<MaskStore>,
    pub(super) encoder: Arc<Encoder>,
}

/// Matches a text byte by byte; returns `None` if all of it is accepted.
pub(super) fn by_bytes(
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    text: &[u8],
) -> Result<Option<Stop>, MatchError> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let accepted = accept_most(&mut matcher, text)?;
    if accepted == text.len() && matcher.is_complete() {
        return Ok(None);
    }
    Ok(Some(Stop { accepted, position: matcher.position(), bound: None }))
}

/// Accepts the longest allowed prefix of a text; returns its length in bytes.
///
/// # Errors
///
/// The engine gives up, for too many readings or too deep a stack.
pub fn accept_most(matcher: &mut Matcher, text: &[u8]) -> Result<usize, MatchError> {
    match matcher.accept_bytes(text) {
        Ok(()) => Ok(text.len()),
        Err(MatchError::NotAllowed { at }) => {
            matcher.accept_bytes(cut(text, at).0)?;
            Ok(at)
        }
        Err(error) => Err(error),
    }
}

impl Counted {
    /// Matches a text token by token; returns `None` if all of it is accepted.
    pub(super) fn stop(
        &self,
        automaton: &Arc<Automaton>,
        bytes: &Arc<MaskStore>,
        text: &[u8],
    ) -> Result<Option<Stop>, MatchError> {
        let by_bytes = by_bytes(automaton, bytes, text)?;
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&self.store));
        let Some(pieces) = self.pieces(text) else { return Ok(by_bytes) };
        let mut read = 0;
        for piece in &pieces {
            match matcher.accept_token(piece.id) {
                Ok(()) => read += 1,
                Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        // If all tokens are accepted but the text is cut short, or if single bytes are refused, the result by bytes
        // counts.
        let Some(refused) = pieces.get(read) else { return Ok(by_bytes) };
        if by_bytes.as_ref().is_some_and(|stop| stop.accepted < refused.end) {
            return Ok(by_bytes);
        }
        let next = Next::of(&mut matcher);
        let bound = Some((most_tokens(automaton), next));
        Ok(Some(Stop { accepted: refused.start, position: matcher.position(), bound }))
    }

    /// Returns the text's tokens; `None` if the vocabulary cannot spell it. Named tokens appear in the text as markers;
    /// the text between them is encoded.
    pub(super) fn pieces(&self, text: &[u8]) -> Option<Vec<Piece>> {
        let vocabulary = self.store.vocabulary();
        let lengths = |ids: Vec<TokenId>| -> Vec<(TokenId, usize)> {
            ids.into_iter().map(|id| (id, vocabulary.text(id).map_or(0, <[u8]>::len))).collect()
        };
        let greedy = |part: &[u8]| greedy_tokens(self.store.trie(), part);
        let mut tokens = Vec::new();
        for part in text.split_inclusive(|&byte| byte == 0xFE) {
            let marked = part.iter().position(|&byte| byte == 0xFF).unwrap_or(part.len());
            let (plain, marker) = part.split_at(marked);
            let encoded = std::str::from_utf8(plain).ok().and_then(|plain| self.encoder.encode(&self.store, plain));
            // A tokenizer that changes its text (lower case, added spaces) does not tell the places of its tokens.
            let encoded = encoded.map(lengths);
            let exact = encoded.filter(|ids| ids.iter().map(|(_, len)| len).sum::<usize>() == plain.len());
            let plain = match exact {
                Some(exact) => exact,
                None => lengths(greedy(plain)?),
            };
            tokens.extend(plain);
            tokens.extend(greedy(marker)?.into_iter().map(|id| (id, marker.len())));
        }
        Some(placed(tokens))
    }
}

/// Places tokens one after another.
fn placed(tokens: Vec<(TokenId, usize)>) -> Vec<Piece> {
    let mut end = 0;
    let place = |(id, len)| {
        let start = end;
        end += len;
        Piece { id, start, end }
    };
    tokens.into_iter().map(place).collect()
}

/// Splits a text greedily into the longest tokens of a vocabulary, as far as it can be spelled.
#[must_use]
pub fn greedy_pieces(store: &MaskStore, text: &[u8]) -> Vec<Piece> {
    let vocabulary = store.vocabulary();
    let tokens = greedy_tokens(store.trie(), text).unwrap_or_default();
    placed(tokens.into_iter().map(|id| (id, vocabulary.text(id).map_or(0, <[u8]>::len))).collect())
}

/// Returns the limit on tokens that the format's bounded texts share; `None` if the limits differ.
fn most_tokens(automaton: &Automaton) -> Option<u32> {
    let counts = |rule: ogc_runtime::automaton::RuleId| automaton.rules[rule.index()].counts_tokens;
    let mut bounds = automaton.calls.iter().filter(|call| counts(call.rule)).map(|call| call.a);
    let first = bounds.next()?;
    bounds.all(|bound| bound == first).then_some(first)
}
