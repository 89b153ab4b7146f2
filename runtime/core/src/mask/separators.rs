//! Finds trie nodes with tokens that end an item of an array, or a member of an object, and begin another.

use crate::trie::{NodeId, TokenTrie};

/// Flags for each trie node: the separators that some token through the node has, from the node's own byte on.
#[derive(Debug)]
pub(crate) struct Separators(Box<[u8]>);

/// A comma.
const COMMA: u8 = 1;
/// A quote, and later a comma.
const QUOTE_COMMA: u8 = 2;
/// An opening bracket, and later a comma.
const OPEN_COMMA: u8 = 4;

impl Separators {
    pub(crate) fn new(trie: &TokenTrie) -> Self {
        let mut flags = vec![0; trie.len()];
        for at in (1..trie.len() as u32).rev().map(NodeId) {
            let below = trie.children(at).fold(0, |flags_below, child| flags_below | flags[child.0 as usize]);
            let behind = |flag: u8| if below & COMMA == 0 { 0 } else { flag };
            let own = match trie.byte(at) {
                b',' => COMMA,
                b'"' => behind(QUOTE_COMMA),
                b'[' | b'{' => behind(OPEN_COMMA),
                _ => 0,
            };
            flags[at.0 as usize] = below | own;
        }
        Self(flags.into())
    }

    /// Returns whether a token through the node may end an item and begin another. `in_string` and `in_array` are true if the text before
    /// the node's byte is inside a string, or inside an array or object. If both are false, the token must first open one.
    pub(crate) fn may_separate(&self, node: NodeId, in_string: bool, in_array: bool) -> bool {
        let flags = self.0.get(node.0 as usize).copied().unwrap_or(0);
        let ends = if in_string { QUOTE_COMMA } else { COMMA };
        flags & ends != 0 && (in_array || flags & OPEN_COMMA != 0)
    }
}
