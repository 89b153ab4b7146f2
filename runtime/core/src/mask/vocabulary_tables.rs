//! The tables of a vocabulary that every walk reads.

use super::free::FreeText;
use crate::trie::TokenTrie;

/// The decoded text of a token with escapes can be this many bytes longer than the token: one character whose escape began before the
/// token, and one whose escape begins at the token's end (an escape is read as long as some character can end it). Each has at most four
/// bytes of UTF-8.
pub(super) const LOOKAHEAD: u16 = 8;

/// The precomputed tables of a vocabulary that every walk reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VocabularyTables<'a> {
    pub(crate) trie: &'a TokenTrie,
    pub(crate) free: &'a FreeText,
    /// For each trie node: the length in bytes of the longest continuation of a token below it.
    pub(crate) heights: &'a [u16],
    /// For each trie node: the length in bytes of the texts on which states must agree so that they read the same continuations.
    pub(crate) reaches: &'a [u16],
}
