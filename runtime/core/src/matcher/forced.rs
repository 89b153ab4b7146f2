//! Forced runs: the bytes that must come next, and their tokens, for skipping the model where the format leaves no
//! choice.

use super::Matcher;
use crate::automaton::{Automaton, StateKind};
use crate::step::{BOTTOM, Head, Stack, step};
use crate::vocabulary::{Part, TokenId, parts, unfinished};

/// The longest forced run that is looked for, in bytes.
const MAX_FORCED: usize = 4_096;

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
        let mut run = Vec::new();
        if self.terminated {
            return run;
        }
        let mark = self.stack.mark();
        let (heads, nothing_read) = (self.heads.clone(), self.nothing_read);
        while run.len() < MAX_FORCED && !self.is_complete() {
            let Some(byte) = self.only_byte() else { break };
            run.push(byte);
            self.nothing_read = false;
        }
        (self.heads, self.nothing_read) = (heads, nothing_read);
        self.stack.truncate(mark);
        run.truncate(unfinished(&run).unwrap_or(run.len()));
        run
    }

    /// Returns the tokens that a tokenizer would write for the forced bytes, as far as they are certain.
    ///
    /// `encode` is the tokenizer's own encoding (its merges and pre-tokenizer decide, not the longest match). The run is
    /// cut back to before the first token that a longer token could replace once the text goes on past the run. A named
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
        let bytes = self.forced_bytes();
        let mut parts = parts(&bytes).peekable();
        let mut tokens = Vec::new();
        while let Some(part) = parts.next() {
            match part {
                Part::Token(name) => match self.store.vocabulary().named(name) {
                    Some(token) => tokens.push(token),
                    None => break,
                },
                Part::Text(text) => {
                    let found = encode(text);
                    let Some(lengths) = self.lengths(&found, text.len()) else { break };
                    let certain = if parts.peek().is_some() { found.len() } else { self.certain(text, &lengths) };
                    tokens.extend(&found[..certain]);
                }
            }
        }
        tokens
    }

    /// Returns the lengths of the tokens, if they write as many bytes as they should.
    fn lengths(&self, tokens: &[TokenId], bytes: usize) -> Option<Vec<usize>> {
        let length = |token: &TokenId| self.store.vocabulary().text(*token).map_or(0, <[u8]>::len);
        let lengths: Vec<usize> = tokens.iter().map(length).collect();
        (lengths.iter().sum::<usize>() == bytes).then_some(lengths)
    }

    /// Counts the leading tokens of a forced run, given by their lengths, that a tokenizer writes however the text goes
    /// on.
    fn certain(&self, text: &[u8], lengths: &[usize]) -> usize {
        let trie = self.store.trie();
        let mut at = 0;
        let certain = lengths.iter().take_while(|&&len| {
            let rest = &text[at..];
            at += len;
            // Certain if no token begins with all that is left of the run and goes on.
            trie.find(rest).is_none_or(|node| trie.subtree_end(node).0 == node.0 + 1)
        });
        certain.count()
    }

    /// Steps by the only byte that can come next, if there is exactly one.
    fn only_byte(&mut self) -> Option<u8> {
        let candidates = candidates(&self.automaton, &self.stack, &self.heads);
        let mut only = None;
        for byte in ones(candidates) {
            self.after.clear();
            step(&self.automaton, &mut self.stack, &mut self.scratch, &self.heads, byte, &mut self.after);
            if self.stack.take_overflow() {
                return None;
            }
            if !self.after.is_empty() {
                if only.is_some() {
                    return None;
                }
                only = Some((byte, self.after.clone()));
            }
        }
        let (byte, heads) = only?;
        self.heads = heads.into();
        Some(byte)
    }
}

fn ones(set: [u64; 4]) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(move |&b| set[usize::from(b >> 6)] >> (b & 63) & 1 == 1)
}

/// Returns the bytes that may come next, a superset as guards are not asked.
pub(super) fn candidates(automaton: &Automaton, stack: &Stack, heads: &[Head]) -> [u64; 4] {
    let mut set = [0u64; 4];
    let mut todo: Vec<Head> = heads.to_vec();
    let mut seen = Vec::new();
    while let Some(head) = todo.pop() {
        if head.is_returned() || seen.contains(&(head.state, head.parent)) {
            continue;
        }
        seen.push((head.state, head.parent));
        add_state(automaton, &head, &mut set);
        if automaton.states[head.state.index()].accept && head.parent != BOTTOM {
            stack.frames(head.parent, |frame, parent| todo.push(frame.resume(parent)));
        }
    }
    set
}

fn add_state(automaton: &Automaton, head: &Head, set: &mut [u64; 4]) {
    let mut add = |byte: u8| set[usize::from(byte >> 6)] |= 1 << (byte & 63);
    let state = &automaton.states[head.state.index()];
    if head.esc != 0 {
        b"\\\"/bfnrtu0123456789abcdefABCDEF".iter().for_each(|&byte| add(byte));
        return;
    }
    if state.kind == StateKind::Text {
        add(b'\\');
        if state.close.is_some() {
            add(b'"');
        }
    }
    for edge in automaton.edges(head.state) {
        (edge.lo..=edge.hi).filter(|&b| state.kind == StateKind::Bytes || b >= 0x20).for_each(&mut add);
    }
    for call in automaton.calls(head.state) {
        for (word, more) in set.iter_mut().zip(automaton.rules[call.rule.index()].first) {
            *word |= more;
        }
    }
}
