//! Encodes a text after other tokens, with the tokenizer.

use crate::automaton::{ByteSet, has};
use crate::trie::TokenTrie;
use crate::vocabulary::{TokenId, Vocabulary};

/// A tokenizer of a vocabulary.
pub(crate) struct Encoder<'v, E> {
    pub(crate) vocabulary: &'v Vocabulary,
    pub(crate) encode: E,
}

impl<E: FnMut(&[u8]) -> Vec<TokenId>> Encoder<'_, E> {
    /// Returns the tokens of a text after a context that the tokenizer writes for any continuation whose first byte is in `next`.
    ///
    /// If the encoding of a longer text has a boundary at some place, it begins with the encoding of the text before that place: merges
    /// (and best paths) on both sides of a boundary are independent. So each place that can be the last boundary within the text is tried:
    /// its end, and each place where a token begins that reads all of the rest and more. The tokens that all these encodings begin with are
    /// certain.
    ///
    /// For `{"dw` and the tokens `dw`, `win`, the `dw` is not certain: followed by `in`, it becomes `d`, `win`. Encoding up to the end
    /// gives `{"`, `dw`; encoding up to the place before `w` gives `{"`, `d`. So `{"` is certain.
    pub(crate) fn certain(mut self, context: &[TokenId], text: &[u8], trie: &TokenTrie, next: ByteSet) -> Vec<TokenId> {
        let Some((kept, mut certain)) = self.encoded_behind(context, text) else { return Vec::new() };
        let context = &context[context.len() - kept..];
        for end in text.len().saturating_sub(trie.max_depth())..text.len() {
            if certain.is_empty() || !reads_past(trie, &text[end..], next) {
                continue;
            }
            let other = self.encoded(context, &text[..end]).unwrap_or_default();
            let same = certain.iter().zip(&other).take_while(|(one, other)| one == other).count();
            certain.truncate(same);
        }
        certain
    }

    /// Encodes a text after the last tokens of the context, and drops older ones until the tokenizer reproduces the rest. Returns the
    /// number of tokens that were kept, and the tokens of the text.
    pub(crate) fn encoded_behind(&mut self, context: &[TokenId], text: &[u8]) -> Option<(usize, Vec<TokenId>)> {
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

    /// Encodes a text after some tokens. `None` unless the tokenizer reproduces these tokens, and writes all bytes of the text.
    pub(crate) fn encoded(&mut self, context: &[TokenId], text: &[u8]) -> Option<Vec<TokenId>> {
        let mut bytes: Vec<u8> = context.iter().flat_map(|token| self.text(*token)).copied().collect();
        bytes.extend(text);
        let tokens = (self.encode)(&bytes);
        let written: usize = tokens.iter().map(|token| self.text(*token).len()).sum();
        (written == bytes.len() && tokens.starts_with(context)).then(|| tokens[context.len()..].to_vec())
    }

    fn text(&self, token: TokenId) -> &[u8] {
        self.vocabulary.text(token).unwrap_or_default()
    }
}

/// Returns whether a token begins with `text` and continues with one of the `next` bytes.
fn reads_past(trie: &TokenTrie, text: &[u8], next: ByteSet) -> bool {
    trie.find(text).is_some_and(|node| trie.children(node).any(|child| has(&next, trie.byte(child))))
}
