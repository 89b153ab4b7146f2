//! Longest-match tokenisation: an upper bound on how many tokens a text takes. Stands beside the
//! [`Vocabulary`](super::Vocabulary), over its [`TokenTrie`].

use super::TokenId;
use crate::trie::TokenTrie;

/// Cuts a text into tokens, each the longest that matches; among ids of the same bytes, the lowest.
///
/// The result writes exactly `text`, but it is neither the canonical tokenisation nor always the shortest. `None` where
/// no token matches at some point; that cannot happen if no byte is [missing](super::Vocabulary::missing_bytes).
///
/// ```
/// use ogc_runtime::trie::TokenTrie;
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary, greedy_tokens};
/// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("a"), Some("ab"), Some("c")], &[])?);
/// assert_eq!(greedy_tokens(&trie, b"aabc"), Some(vec![TokenId(0), TokenId(1), TokenId(2)]));
/// assert_eq!(greedy_tokens(&trie, b"ad"), None);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[must_use]
pub fn greedy_tokens(trie: &TokenTrie, text: &[u8]) -> Option<Vec<TokenId>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let node = trie.longest_prefix(rest)?;
        tokens.push(*trie.tokens(node).first()?);
        rest = rest.get(trie.depth(node)..)?;
    }
    Some(tokens)
}
