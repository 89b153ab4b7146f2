//! Computes a mask without rows: steps all heads of a matcher together through the whole token trie.
//!
//! Slow, and exact whatever limit is reached: the steps are those of [`Matcher::accept_token`] with the same heads, so
//! that a token after which there would be too many heads is not in the mask.

use super::{MatchError, Matcher};
use crate::step::{Head, MAX_HEADS, Mark, step};
use crate::trie::NodeId;

/// The heads after the bytes on the way to a node, and the part of the stack that they need.
struct Level {
    heads: Vec<Head>,
    mark: Mark,
}

/// Finds the allowed tokens, ascending. If there are none and some were refused for a limit, that is the error.
pub(super) fn tokens(matcher: &mut Matcher) -> Result<Vec<u32>, MatchError> {
    let Matcher { automaton, store, stack, heads, scratch, .. } = matcher;
    let trie = store.trie();
    let start = stack.mark();
    let mut levels = vec![Level { heads: heads.to_vec(), mark: start }];
    let (mut node, mut tokens, mut limited) = (NodeId(1), Vec::new(), false);
    while (node.0 as usize) < trie.len() {
        levels.truncate(trie.depth(node));
        let Some(above) = levels.last() else { break };
        stack.truncate(above.mark);
        let mut heads = Vec::new();
        step(automaton, stack, scratch, &above.heads, trie.byte(node), &mut heads);
        let overflow = stack.take_overflow();
        limited |= overflow;
        if overflow || heads.is_empty() {
            node = trie.subtree_end(node);
            continue;
        }
        tokens.extend(trie.tokens(node).iter().map(|token| token.0));
        levels.push(Level { heads, mark: stack.mark() });
        node = NodeId(node.0 + 1);
    }
    stack.truncate(start);
    tokens.sort_unstable();
    tokens.dedup();
    if tokens.is_empty() && limited { Err(MatchError::TooManyHeads { limit: MAX_HEADS }) } else { Ok(tokens) }
}
