//! Forced runs: the bytes that must come next, and their tokens. With them, an engine can skip the model where the format leaves no choice.

use super::{Accepted, Matcher};
use crate::automaton::{ByteSet, has};
use crate::canonical::{CONTEXT, Encoder, Run};
use crate::step::{candidates, ones, step};
use crate::vocabulary::{MARKER_START, MarkerPart, TokenId, is_text, marker, parts, unfinished};

/// Cap on the length in bytes of a forced run.
const MAX_FORCED: usize = 4_096;

/// The bytes that must come next.
#[derive(Clone, Debug)]
pub(super) struct ForcedRun {
    /// The bytes of the run, with named tokens as their markers.
    pub(super) bytes: Vec<u8>,
    /// A superset of the bytes that may come after the run: guards are not checked.
    next: ByteSet,
    /// Whether the text may end after the run, or a named token may come.
    may_end: bool,
}

impl ForcedRun {
    /// Returns `text`, a part of the run, as a run of its own. `left` is the number of bytes from the beginning of `text` to the end of the
    /// whole run.
    pub(super) fn run_of<'t>(&self, text: &'t [u8], left: usize) -> Run<'t> {
        match text.len() == left {
            true => Run { text, next: self.next, may_end: self.may_end },
            false => Run { text, next: [0; 4], may_end: true },
        }
    }
}

impl Matcher {
    /// Returns the bytes that must come next, as long as exactly one byte is possible and the text may not end.
    ///
    /// Named tokens stand in the bytes as their whole [markers](crate::vocabulary::marker()); [`shown`](crate::vocabulary::shown) converts
    /// the bytes for display.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.forced_bytes(), b"ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forced_bytes(&mut self) -> Vec<u8> {
        self.forced_run().bytes
    }

    /// Finds the bytes that must come next; the matcher does not move.
    pub(super) fn forced_run(&mut self) -> ForcedRun {
        let mut bytes = Vec::new();
        if self.terminated {
            return ForcedRun { bytes, next: [0; 4], may_end: true };
        }
        let mark = self.stack.mark();
        let (heads, nothing_read) = (self.heads.clone(), self.nothing_read);
        while bytes.len() < MAX_FORCED && !self.is_complete() {
            let Some(byte) = self.only_byte() else { break };
            bytes.push(byte);
            self.nothing_read = false;
        }
        let (next, is_complete) = (candidates(&self.automaton, &self.stack, &self.heads), self.is_complete());
        (self.heads, self.nothing_read) = (heads, nothing_read);
        self.stack.truncate(mark);
        match unfinished(&bytes) {
            // A marker cannot continue a text token.
            Some(at) => {
                bytes.truncate(at);
                ForcedRun { bytes, next: [0; 4], may_end: true }
            }
            None => ForcedRun { bytes, next, may_end: is_complete || has(&next, MARKER_START) },
        }
    }

    /// Returns the tokens that a tokenizer would write for the forced bytes, as far as they are certain.
    ///
    /// `encode` is the tokenizer's own encoding, with its merges and pre-tokenizer, not the longest match. It gets the forced bytes,
    /// preceded by the text of the last tokens if it encodes that text to the same tokens, because pre-tokenizers look at the preceding
    /// text. A token is certain if the tokenizer writes it however the text continues. A named token that must come is certain. It ends the
    /// text before it, which is encoded by itself.
    ///
    /// A matcher with [canonical tokens](Matcher::set_canonical_tokens) uses their tokenizer instead. It knows more about that tokenizer,
    /// so that more tokens are certain.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// // The run is `ab`, and no token extends beyond it.
    /// assert_eq!(matcher.forced_tokens(|_| vec![TokenId(2)]), [TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forced_tokens(&mut self, mut encode: impl FnMut(&[u8]) -> Vec<TokenId>) -> Vec<TokenId> {
        let run = self.forced_run();
        let mut left = run.bytes.len();
        let mut context = self.last_tokens();
        let mut tokens = Vec::new();
        for part in parts(&run.bytes) {
            match part {
                MarkerPart::Token(name) => match self.store.vocabulary().named(name) {
                    Some(token) => {
                        tokens.push(token);
                        left -= marker(name).len();
                    }
                    None => break,
                },
                MarkerPart::Text(text) => {
                    tokens.extend(self.certain(&context, run.run_of(text, left), &mut encode));
                    left -= text.len();
                }
            }
            context.clear();
        }
        tokens
    }

    /// Returns the tokens of a text that must come, as far as they are certain.
    fn certain(
        &self,
        context: &[TokenId],
        run: Run<'_>,
        encode: &mut impl FnMut(&[u8]) -> Vec<TokenId>,
    ) -> Vec<TokenId> {
        if let Some(canonical) = self.canonical_tokens() {
            return canonical.certain(context, run);
        }
        let encoder = Encoder { vocabulary: self.store.vocabulary(), encode };
        encoder.certain(context, run.text, self.store.trie(), run.next)
    }

    /// Returns the last tokens of the text, at most [`CONTEXT`]. The list stops at text accepted as bytes, and at a token without text.
    pub(super) fn last_tokens(&self) -> Vec<TokenId> {
        let is_text = |token: &TokenId| self.store.vocabulary().text(*token).is_some_and(is_text);
        let mut last: Vec<TokenId> =
            self.log.rev().map_while(Accepted::token).take_while(is_text).take(CONTEXT).collect();
        last.reverse();
        last
    }

    /// Steps by the only byte that can come next, if there is exactly one.
    fn only_byte(&mut self) -> Option<u8> {
        let candidates = candidates(&self.automaton, &self.stack, &self.heads);
        let (mut only, len) = (None, self.stack.text_len());
        for byte in ones(candidates) {
            self.stack.set_text(len, &[]);
            self.after.clear();
            step(&self.automaton, &mut self.stack, &mut self.scratch, &self.heads, byte, &mut self.after);
            if self.stack.take_overflow() {
                return None;
            }
            if self.leads_on_after() {
                if only.is_some() {
                    return None;
                }
                only = Some((byte, self.after.clone()));
            }
        }
        let (byte, heads) = only?;
        self.stack.set_text(len, &[byte]);
        self.heads = heads.into();
        Some(byte)
    }
}
