//! The groups of a head inside a key, as a difference from those of its reference.
//!
//! As in [`super::patch`], the walk steps both heads side by side. Where they have become equal, they leave the same text to be written, so
//! that the reference's groups have the answer, and the subtree is not visited. Elsewhere the nodes are *governed*: their tokens are grouped
//! anew. A token there may belong to a group of the reference. So one token of each group is read by the reference first, which tells what
//! the group leaves to be written.

use super::costed::{Alike, Grouping, Groups, NEW};
use super::level::{Level, LevelKind};
use super::patch::{Other, Ranges, governed_ranges};
use super::{VocabularyTables, Walker};
use crate::automaton::{Automaton, StateId};
use crate::step::{Head, Stack};
use crate::trie::NodeId;

/// The groups of a head at the nodes where they may differ from those of its reference.
#[derive(Debug)]
pub(crate) struct GroupsBeside {
    /// The groups, first those of the reference in their order; with the tokens and exits at governed nodes only.
    pub(crate) found: Groups,
    /// Outside of these ranges the reference decides.
    pub(crate) governed: Ranges,
}

impl Walker {
    /// Returns the state of the head's reference if most bytes lead both to the same state.
    pub(crate) fn reference_in_key(&mut self, automaton: &Automaton, start: Head) -> Option<StateId> {
        // A state that is merely similar leads to other states, which leave other texts to be written.
        automaton.alike(start.state)?;
        self.reference(automaton, start)
    }

    /// Walks the trie from `start` and from its reference side by side, and groups the tokens at governed nodes. `known` has one token's
    /// text and the cost of each group of the reference. Calls `cost` once for each new group. `None` if the groups of the reference cannot
    /// be told apart.
    pub(crate) fn groups_beside<'t>(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        (start, reference): (Head, Head),
        known: impl Iterator<Item = (&'t [u8], u32)>,
        mut cost: impl FnMut(&Stack, &[Head]) -> u32,
    ) -> Option<GroupsBeside> {
        let mut grouping = self.begin_groups(automaton, vocabulary, &mut cost);
        // Known steps would keep the stack, which is truncated below.
        self.known_steps.forget();
        for (text, cost) in known {
            self.add_known_group(&mut grouping, reference, text, cost)?;
        }
        let governed = self.group_governed(&mut grouping, start, reference);
        let mut found = grouping.found;
        found.exits = std::mem::take(&mut self.found.exits);
        Some(GroupsBeside { found, governed })
    }

    /// Adds a group of the reference, without its tokens. `text` is one of them. `None` if an earlier group leaves the same text.
    fn add_known_group(&mut self, grouping: &mut Grouping<'_>, reference: Head, text: &[u8], cost: u32) -> Option<()> {
        let mark = self.stack.mark();
        let table = self.table_for(grouping.automaton, &reference);
        self.levels.set(0, Level::of(reference, table, mark));
        for (depth, &byte) in text.iter().enumerate() {
            if !self.enter_slowly(grouping.automaton, self.level(depth), depth + 1, byte) {
                return None;
            }
        }
        let number = self.number(grouping, &self.level(text.len()));
        self.rewind(mark, 0);
        let groups = &mut grouping.found.groups;
        (number as usize == groups.len()).then(|| groups.push(Alike { tokens: Vec::new(), has_whole: false, cost }))
    }

    /// Visits the nodes at which the heads differ, and groups their tokens. Returns the governed ranges.
    fn group_governed(&mut self, grouping: &mut Grouping<'_>, start: Head, reference: Head) -> Ranges {
        let (automaton, trie) = (grouping.automaton, grouping.vocabulary.trie);
        let mark = self.stack.mark();
        let table = self.table_for(automaton, &start);
        self.levels.set(0, Level::of(start, table, mark));
        let mut others = vec![reference; trie.max_depth() + 1];
        let governed =
            governed_ranges(automaton, trie, start, |node| self.group_side_by_side(grouping, &mut others, node));
        self.stack.truncate(mark);
        governed
    }

    /// Steps both heads to a node. Returns the range of nodes, from this node on, that are governed and finished; the range is empty if the
    /// reference decides about the whole subtree.
    fn group_side_by_side(
        &mut self,
        grouping: &mut Grouping<'_>,
        others: &mut [Head],
        node: NodeId,
    ) -> (NodeId, NodeId) {
        let trie = grouping.vocabulary.trie;
        let (depth, end) = (trie.depth(node), trie.subtree_end(node));
        let (reads, other) = self.step_both(grouping.automaton, others[depth - 1], depth, trie.byte(node));
        if !reads {
            return (node, if matches!(other, Other::Dead) { node } else { end });
        }
        if let (LevelKind::One(head), Other::One(other)) = (self.level(depth).kind, &other)
            && head == *other
        {
            return (node, node);
        }
        grouping.known[depth] = NEW;
        let is_done = !self.group_at(grouping, node) || self.group_free(grouping, node);
        match other {
            Other::One(other) if !is_done && !other.is_returned() => {
                others[depth] = other;
                (node, NodeId(node.0 + 1))
            }
            _ => {
                if !is_done {
                    self.group_below(grouping, node);
                }
                (node, end)
            }
        }
    }
}
