//! The tokens with which a tokenizer can extend beyond a run, tried one by one, and a memo of the results.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Encoder;
use crate::automaton::{ByteSet, has};
use crate::mask::MaskStore;
use crate::trie::{NodeId, TokenTrie};
use crate::vocabulary::TokenId;
use crate::watch;

/// Tokens, ascending.
pub(super) type Tokens = Arc<[u32]>;

/// Cap on the size of the memo: entries plus tokens in their lists. A full memo is emptied.
const MOST: usize = 1 << 20;

/// Budget units that one call of the tokenizer costs (a unit is a head visited by a step).
const QUESTION_WORK: usize = 64;

/// Question to the tokenizer: of the tokens that begin with `text` and one of the `next` bytes, which does it write after `before`?
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// The previous token, preceded by the tokens with which it shares a character; empty if the context is not known.
    pub(super) before: SmallVec<[TokenId; 1]>,
    pub(super) text: SmallVec<[u8; 16]>,
    pub(super) next: ByteSet,
}

impl Question {
    /// Returns the tokens that extend `text` and that the tokenizer writes after `before`, in trie order: each token before its extensions.
    pub(super) fn tokens<'a, E: FnMut(&[u8]) -> Vec<TokenId>>(
        &'a self,
        store: &'a MaskStore,
        encoder: &'a mut Encoder<'_, E>,
    ) -> impl Iterator<Item = u32> + 'a {
        let trie = store.trie();
        let node = trie.find(&self.text);
        let children = node.into_iter().flat_map(|node| trie.children(node));
        let below = children.filter(|child| has(&self.next, trie.byte(*child))).flat_map(|child| subtree(trie, child));
        let tokens = below.flat_map(|node| trie.tokens(node));
        tokens
            .take_while(|_| !watch::spend(QUESTION_WORK))
            .filter(|token| self.is_written(encoder, **token))
            .map(|token| token.0)
    }

    /// Returns whether the tokenizer writes `token` after `before`. A token that ends inside a character cannot be tried, and counts as
    /// written.
    fn is_written<E: FnMut(&[u8]) -> Vec<TokenId>>(&self, encoder: &mut Encoder<'_, E>, token: TokenId) -> bool {
        let Some(text) = encoder.vocabulary.text(token).map(<[u8]>::to_vec) else { return false };
        let ends_inside = std::str::from_utf8(&text).is_err_and(|error| error.error_len().is_none());
        ends_inside || encoder.encoded(&self.before, &text).is_some_and(|tokens| tokens == [token])
    }
}

/// Returns the nodes of a subtree, its root first.
fn subtree(trie: &TokenTrie, root: NodeId) -> impl Iterator<Item = NodeId> + use<> {
    (root.0..trie.subtree_end(root).0).map(NodeId)
}

/// A memo of questions and their answers.
#[derive(Debug, Default)]
pub(super) struct ReachMemo {
    exists: FxHashMap<Question, bool>,
    tokens: FxHashMap<Question, Tokens>,
    /// The number of entries, plus the number of tokens in their lists.
    size: usize,
}

impl ReachMemo {
    pub(super) fn exists(&self, question: &Question) -> Option<bool> {
        let listed = || self.tokens.get(question).map(|tokens| !tokens.is_empty());
        self.exists.get(question).copied().or_else(listed)
    }

    pub(super) fn tokens(&self, question: &Question) -> Option<Tokens> {
        self.tokens.get(question).cloned()
    }

    pub(super) fn keep_exists(&mut self, question: Question, exists: bool) {
        self.make_room(1);
        self.exists.insert(question, exists);
    }

    pub(super) fn keep_tokens(&mut self, question: Question, tokens: Tokens) {
        self.make_room(1 + tokens.len());
        self.tokens.insert(question, tokens);
    }

    fn make_room(&mut self, size: usize) {
        if self.size + size > MOST {
            *self = Self::default();
        }
        self.size += size;
    }
}
