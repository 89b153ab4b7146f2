//! Cuts a completion into tokens so that the matcher reads each of them as it was meant: as text, or by its marker.
//!
//! A token that the format asks for by name is read by its marker wherever that is possible, so that its *text* may not be
//! read where a completion wants it to be: such tokens are used for their markers alone.

use crate::automaton::Automaton;
use crate::trie::{TokenTrie, greedy_tokens_of};
use crate::vocabulary::{TokenId, Vocabulary};

/// The tokens that must not be used when a completion is cut, as the matcher reads them by name.
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

    /// Returns the bytes of the list.
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

    /// Returns whether every byte that a completion can have is a token of that byte alone, or part of the marker of a
    /// token that the vocabulary has.
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
    /// Cuts a text into tokens, longest matches first.
    pub(crate) fn tokens(&self, text: &[u8]) -> Option<Vec<TokenId>> {
        greedy_tokens_of(self.trie, text, |token| self.cut.may_use(token))
    }
}
