//! Cuts a completion into tokens that the matcher reads as they are meant: by their text, or by their marker.
//!
//! Where the matcher can read a named token by its marker, it does, so that the token's *text* may not be read where a completion wants it.
//! Such tokens stand for their markers only.

use crate::automaton::Automaton;
use crate::trie::{TokenTrie, greedy_tokens_of};
use crate::vocabulary::{TokenId, Vocabulary};

/// The tokens that must not be used for their text when a completion is cut, as the matcher may read them by name.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The tokens that the format asks for by name, ascending.
    named: Box<[TokenId]>,
}

impl Cut {
    pub(crate) fn new(automaton: &Automaton, vocabulary: &Vocabulary) -> Self {
        let mut named: Vec<TokenId> = automaton.tokens.iter().filter_map(|name| vocabulary.named(name)).collect();
        named.sort_unstable();
        Self { named: named.into() }
    }

    /// Returns the memory of the list in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.named)
    }

    /// Returns whether the token may stand for its text.
    pub(crate) fn may_use(&self, token: TokenId) -> bool {
        self.named.binary_search(&token).is_err()
    }

    /// Returns a cutter of texts into tokens of the trie's vocabulary.
    pub(crate) fn cutter<'a>(&'a self, trie: &'a TokenTrie) -> Cutter<'a> {
        Cutter { cut: self, trie }
    }

    /// Returns whether every byte of every completion is a token of that byte alone, or part of the marker of a token that the vocabulary
    /// has.
    pub(crate) fn has_all_bytes(&self, automaton: &Automaton, vocabulary: &Vocabulary) -> bool {
        let is_byte = |token: &TokenId| vocabulary.text(*token).is_some_and(|text| text.len() == 1);
        self.named.len() == automaton.tokens.len()
            && !self.named.iter().any(is_byte)
            && vocabulary.missing_bytes().is_empty()
    }
}

/// Cuts texts into the tokens of a vocabulary that may stand for their text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cutter<'a> {
    cut: &'a Cut,
    trie: &'a TokenTrie,
}

impl Cutter<'_> {
    /// Cuts a text into tokens by longest match; `None` if that gets stuck.
    pub(crate) fn tokens(&self, text: &[u8]) -> Option<Vec<TokenId>> {
        greedy_tokens_of(self.trie, text, |token| self.cut.may_use(token))
    }
}
