//! The needs of a state's tokens, as the difference from the needs of a similar state.
//!
//! The 63 states of `[a-z]{0,63}` read the same tokens, except the few that are longer than the room left. So a state is walked side by
//! side with the first state that is similar to it. If both agree on all continuations of tokens below a node, the subtree is not visited,
//! and the similar state decides there. The needs at all other nodes, the *governed* nodes, are kept.

use super::counted::{Beside, Move, NeedsOfTokens, TableAt};
use super::{VocabularyTables, Walker};
use crate::automaton::{Automaton, StateId};
use crate::mask::vocabulary_tables::LOOKAHEAD;
use crate::trie::NodeId;

impl Walker {
    /// Walks the trie once for all countdowns of a state, side by side with a similar state; `None` if steps depend on
    /// more than countdowns.
    pub(super) fn needs_beside(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        state: StateId,
        similar: StateId,
    ) -> Option<NeedsOfTokens> {
        let trie = vocabulary.trie;
        self.begin();
        let start = (self.beginning(automaton, state), Some(self.beginning(automaton, similar)));
        let mut levels = vec![start; trie.max_depth() + 1];
        let mut needs = NeedsOfTokens::default();
        let mut beside = Beside { state: similar, governed: Vec::new() };
        let mut node = NodeId(1);
        while (node.0 as usize) < trie.len() {
            let depth = trie.depth(node);
            self.effort.work += 2;
            let (above, above_other) = levels[depth - 1];
            let (below, end) = (NodeId(node.0 + 1), trie.subtree_end(node));
            let byte = trie.byte(node);
            let own = self.counted_move(automaton, above, byte);
            let other = above_other.map_or(Move::Dead, |at| self.counted_move(automaton, at, byte));
            let mut next = end;
            match (own, other) {
                (Move::Unknown, _) | (_, Move::Unknown) => return None,
                (Move::Dead, Move::Dead) => {}
                (Move::Dead, _) => beside.govern(node, end),
                (Move::Escape, Move::Escape)
                    if agree(automaton, above, above_other, escape_reach(vocabulary, node)) => {}
                (Move::Escape, _) => {
                    beside.govern(node, end);
                    needs.add_escape(above.at, node);
                }
                (Move::To(at), Move::To(other))
                    if agree(automaton, at, Some(other), vocabulary.reaches[node.0 as usize]) => {}
                (Move::To(at), other) => {
                    beside.govern(node, below);
                    needs.add(automaton, vocabulary, node, at.at);
                    levels[depth] = (at, if let Move::To(other) = other { Some(other) } else { None });
                    next = below;
                }
            }
            node = next;
        }
        needs.beside = Some(beside);
        Some(needs.sorted())
    }
}

/// Returns the length in bytes of the texts on which states must agree so that they read the same tokens from a backslash on.
fn escape_reach(vocabulary: VocabularyTables<'_>, node: NodeId) -> u16 {
    vocabulary.heights[node.0 as usize].saturating_add(1 + LOOKAHEAD)
}

/// Returns whether two paths have equal ticks and needs, and end in states that agree on all texts of up to `reach`
/// bytes.
fn agree(automaton: &Automaton, TableAt { at: one, .. }: TableAt, other: Option<TableAt>, reach: u16) -> bool {
    other.is_some_and(|TableAt { at: other, .. }| {
        one.differs_in_state_alone(other)
            && (one.state == other.state || automaton.agree(one.state, other.state, usize::from(reach)))
    })
}
