//! Tokenises by longest match, which gives an upper bound on the number of tokens of a text.

use super::{NodeId, TokenTrie};
use crate::vocabulary::{MARKER_START, TokenId};

/// Splits a text into tokens, each the longest that matches; among ids with the same bytes, takes the lowest.
///
/// The result writes exactly `text`, but it is neither the canonical tokenisation nor always the shortest. `None` if no
/// token matches at some point, which cannot happen if no byte is
/// [missing](crate::vocabulary::Vocabulary::missing_bytes).
///
/// ```
/// use ogc_runtime::trie::{TokenTrie, greedy_tokens};
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("a"), Some("ab"), Some("c")], &[])?);
/// assert_eq!(greedy_tokens(&trie, b"aabc"), Some(vec![TokenId(0), TokenId(1), TokenId(2)]));
/// assert_eq!(greedy_tokens(&trie, b"ad"), None);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[must_use]
pub fn greedy_tokens(trie: &TokenTrie, text: &[u8]) -> Option<Vec<TokenId>> {
    greedy_tokens_of(trie, text, |_| true)
}

/// Splits a text into tokens like [`greedy_tokens`], but uses only text tokens for which `may_be_used` holds. Whole
/// markers are always taken.
pub(crate) fn greedy_tokens_of(
    trie: &TokenTrie,
    text: &[u8],
    may_be_used: impl Fn(TokenId) -> bool,
) -> Option<Vec<TokenId>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (token, len) = longest(trie, rest, &may_be_used)?;
        tokens.push(token);
        rest = rest.get(len..)?;
    }
    Some(tokens)
}

/// Returns the longest usable token that the text starts with, and its length.
fn longest(trie: &TokenTrie, text: &[u8], may_be_used: impl Fn(TokenId) -> bool) -> Option<(TokenId, usize)> {
    let (mut node, mut found) = (NodeId::ROOT, None);
    let is_marker = text.first() == Some(&MARKER_START);
    for (len, &byte) in (1..).zip(text) {
        let Some(child) = trie.child(node, byte) else {
            break;
        };
        node = child;
        let token = trie.tokens(node).iter().find(|&&token| is_marker || may_be_used(token));
        found = token.map(|&token| (token, len)).or(found);
    }
    found
}
