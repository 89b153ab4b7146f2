//! Forced runs: the bytes that must come next, and their tokens, for skipping the model where the format leaves no
//! choice.

use super::{Accepted, Matcher};
use crate::automaton::{ByteSet, has};
use crate::mask::MaskStore;
use crate::step::{candidates, ones, step};
use crate::vocabulary::{MarkerPart, TokenId, is_text, parts, unfinished};

/// The longest forced run that is looked for, in bytes.
const MAX_FORCED: usize = 4_096;

/// The most tokens of the text before a forced run with which the run is encoded.
const CONTEXT: usize = 8;

/// A tokenizer of the store's vocabulary.
struct Tokenizer<'t, E> {
    store: &'t MaskStore,
    encode: &'t mut E,
}

impl<E: FnMut(&[u8]) -> Vec<TokenId>> Tokenizer<'_, E> {
    /// Returns the tokens of a text behind others that are written however the text goes on, if with one of the `next` bytes.
    ///
    /// If the encoding of a longer text has a boundary at a place, the tokens before it are the encoding of what is before that place: merges
    /// (and best paths) on both sides do not see each other. So each boundary that can be the last one within the text is tried: its end,
    /// and each place from where a token reads all that is left and goes on. What all of these encodings begin with is certain.
    ///
    /// Of `{"dw` and tokens `dw`, `win` the `dw` is not certain: with `in` behind it, it is `d`, `win`. The end gives `{"`, `dw`, the place
    /// before `w` gives `{"`, `d`.
    fn certain(mut self, context: &[TokenId], text: &[u8], next: ByteSet) -> Vec<TokenId> {
        let Some((kept, mut certain)) = self.encoded_behind(context, text) else { return Vec::new() };
        let longest = self.store.trie().max_depth();
        let from = text.len().saturating_sub(longest);
        for end in from..text.len() {
            if certain.is_empty() || !self.reads_past(&text[end..], next) {
                continue;
            }
            let other = self.encoded(&context[context.len() - kept..], &text[..end]).unwrap_or_default();
            let same = certain.iter().zip(&other).take_while(|(one, other)| one == other).count();
            certain.truncate(same);
        }
        certain
    }

    /// Returns whether a token begins with a text and goes on with one of the bytes.
    fn reads_past(&self, text: &[u8], next: ByteSet) -> bool {
        let trie = self.store.trie();
        trie.find(text).is_some_and(|node| trie.children(node).any(|child| has(&next, trie.byte(child))))
    }

    /// Encodes a text behind as many of the last tokens as the tokenizer writes as they stand; returns how many, and the tokens of the text.
    fn encoded_behind(&mut self, context: &[TokenId], text: &[u8]) -> Option<(usize, Vec<TokenId>)> {
        let mut kept = context.len();
        loop {
            if let Some(tokens) = self.encoded(&context[context.len() - kept..], text) {
                return Some((kept, tokens));
            }
            if kept == 0 {
                return None;
            }
            kept /= 2;
        }
    }

    /// Encodes a text behind some tokens; `None` unless these are written as they stand, and the text as a whole.
    fn encoded(&mut self, context: &[TokenId], text: &[u8]) -> Option<Vec<TokenId>> {
        let mut bytes: Vec<u8> = context.iter().flat_map(|token| self.text(*token)).copied().collect();
        bytes.extend(text);
        let tokens = (self.encode)(&bytes);
        let written: usize = tokens.iter().map(|token| self.text(*token).len()).sum();
        (written == bytes.len() && tokens.starts_with(context)).then(|| tokens[context.len()..].to_vec())
    }

    fn text(&self, token: TokenId) -> &[u8] {
        self.store.vocabulary().text(token).unwrap_or_default()
    }
}

impl Matcher {
    /// Returns the bytes that must come next: as long as there is exactly one possible byte and the text may not end.
    ///
    /// Named tokens are in it by their whole [markers](crate::vocabulary::marker()); [`shown`](crate::vocabulary::shown)
    /// writes them for people.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.forced_bytes(), b"ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forced_bytes(&mut self) -> Vec<u8> {
        self.forced_run().0
    }

    /// Returns the bytes that must come next, and those of which one may come behind them (more than that, as guards are not asked).
    fn forced_run(&mut self) -> (Vec<u8>, ByteSet) {
        let mut run = Vec::new();
        if self.terminated {
            return (run, [0; 4]);
        }
        let mark = self.stack.mark();
        let (heads, nothing_read) = (self.heads.clone(), self.nothing_read);
        while run.len() < MAX_FORCED && !self.is_complete() {
            let Some(byte) = self.only_byte() else { break };
            run.push(byte);
            self.nothing_read = false;
        }
        let next = candidates(&self.automaton, &self.stack, &self.heads);
        (self.heads, self.nothing_read) = (heads, nothing_read);
        self.stack.truncate(mark);
        match unfinished(&run) {
            // No text goes on with a marker.
            Some(at) => {
                run.truncate(at);
                (run, [0; 4])
            }
            None => (run, next),
        }
    }

    /// Returns the tokens that a tokenizer would write for the forced bytes, as far as they are certain.
    ///
    /// `encode` is the tokenizer's own encoding (its merges and pre-tokenizer decide, not the longest match). It is given the forced
    /// bytes, behind the last tokens of the text if it writes these as they stand: pre-tokenizers look at what is before. A token is certain
    /// if it is written however the text goes on. A named
    /// token that must come is that token; the text before it, which it ends for certain, is encoded apart.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// // The run is `ab`, and no token goes on past it.
    /// assert_eq!(matcher.forced_tokens(|_| vec![TokenId(2)]), [TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forced_tokens(&mut self, mut encode: impl FnMut(&[u8]) -> Vec<TokenId>) -> Vec<TokenId> {
        let (bytes, next) = self.forced_run();
        let mut context = self.last_tokens();
        let mut parts = parts(&bytes).peekable();
        let mut tokens = Vec::new();
        while let Some(part) = parts.next() {
            match part {
                MarkerPart::Token(name) => match self.store.vocabulary().named(name) {
                    Some(token) => tokens.push(token),
                    None => break,
                },
                MarkerPart::Text(text) => {
                    let tokenizer = Tokenizer { store: &self.store, encode: &mut encode };
                    tokens.extend(tokenizer.certain(&context, text, parts.peek().map_or(next, |_| [0; 4])));
                }
            }
            context.clear();
        }
        tokens
    }

    /// Returns the last tokens of the text, as far as they are text.
    fn last_tokens(&self) -> Vec<TokenId> {
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
