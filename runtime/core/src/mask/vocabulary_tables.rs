//! The tables of a vocabulary that every walk reads.

use super::free::FreeText;
use crate::trie::TokenTrie;

/// The bytes of text that matter beyond those of a token with escapes: an escape is read while some character can end it, so the text may
/// be longer than the bytes by two characters, one of an escape that was begun before, and one that the last bytes begin. In UTF-8
/// they have four bytes each.
pub(super) const LOOKAHEAD: u16 = 8;

/// The precomputed tables of a vocabulary that every walk reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VocabularyTables<'a> {
    pub(crate) trie: &'a TokenTrie,
    pub(crate) free: &'a FreeText,
    /// Per trie node: the length in bytes of the longest continuation of a token.
    pub(crate) heights: &'a [u16],
    /// Per trie node: the length in bytes of the texts on which states must agree to read the same continuations.
    pub(crate) reaches: &'a [u16],
}
