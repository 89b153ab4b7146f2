//! The base of a head as a difference from the known base of a similar head, its *reference*.
//!
//! A key of an open object can be nearly any text. Inside the trie of its declared keys, all letters but one or two lead to the state of
//! undeclared keys. So all states in the trie have nearly the base of undeclared keys. The walk steps both heads side by side. If they
//! become heads of one class, the reference's base decides about the subtree, which is not visited. If they differ, the walk collects what
//! the head itself reads; nodes where it does so are *governed*. After `na` of the keys `name` and `nation`, the walk visits the tokens
//! that begin with `m` or `t`, and the tokens that close the key; a full walk would visit all tokens that close an undeclared key.
//!
//! It also works for states that differ only on texts longer than the continuations of tokens below a node, such as the hundred states
//! inside words of `(\S+\s+){0,99}\S+`.

use super::level::{Level, LevelKind};
use super::stepping::{IN_ESCAPES, refuses};
use super::{VocabularyTables, WalkFound, Walker};
use crate::automaton::{Automaton, ByteSet, StateId};
use crate::mask::classes::canonical;
use crate::mask::table::ByTable;
use crate::mask::vocabulary_tables::LOOKAHEAD;
use crate::step::{BOTTOM, Head, apply, can_finish, step};
use crate::trie::{NodeId, TokenTrie};

/// Ranges of trie nodes, ascending.
pub(crate) type Ranges = Vec<(NodeId, NodeId)>;

/// The tokens and exits of a head at the nodes where they may differ from those of its reference.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    /// The tokens that the head reads at governed nodes, and its exits there.
    pub(crate) found: WalkFound,
    /// Ranges of governed nodes, ascending: outside of them the reference decides.
    pub(crate) governed: Ranges,
    /// Whether the head can return before it reads a byte.
    pub(crate) at_once: bool,
}

/// The reference's head at a node.
pub(super) enum Other {
    Dead,
    One(Head),
    /// Several heads, which are not followed further.
    Lost,
}

impl Walker {
    /// Returns the state of the head's reference: the state that the head's state is alike to, if its guard holds; or a similar state, if
    /// there is no alike state.
    pub(crate) fn reference(&mut self, automaton: &Automaton, start: Head) -> Option<StateId> {
        let Some(alike) = automaton.alike(start.state) else {
            return if start.esc == 0 { automaton.similar(start.state) } else { None };
        };
        let mut guarded = start;
        let holds = apply(automaton, &mut self.stack, alike.guard, &mut guarded);
        // For a head with unknown registers, a guard adds a step to the way, so that the heads differ.
        (holds && guarded == start).then_some(alike.state)
    }

    /// Walks the trie from `start` and from its reference side by side; heads and key sets as for [`Walker::base`].
    pub(crate) fn patch(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        start: Head,
        reference: Head,
    ) -> Patch {
        self.begin();
        self.heads.clear();
        let trie = vocabulary.trie;
        self.levels.make_room(trie.max_depth());
        let mark = self.stack.mark();
        let table = self.table_for(automaton, &start);
        self.levels.set(0, Level::of(start, table, mark));
        let mut others = vec![reference; trie.max_depth() + 1];
        let governed =
            governed_ranges(automaton, trie, start, |node| self.side_by_side(automaton, vocabulary, &mut others, node));
        self.stack.truncate(mark);
        let at_once = can_finish(automaton, &self.stack, start);
        Patch { found: std::mem::take(self.finish()), governed, at_once }
    }

    /// Steps both heads to a node. Returns the range of nodes, from this node on, that are governed and finished; the range is empty if the
    /// reference decides about the whole subtree.
    fn side_by_side(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        others: &mut [Head],
        node: NodeId,
    ) -> (NodeId, NodeId) {
        let trie = vocabulary.trie;
        let (depth, byte) = (trie.depth(node), trie.byte(node));
        let (below, end) = (NodeId(node.0 + 1), trie.subtree_end(node));
        let (reads, other) = self.step_both(automaton, others[depth - 1], depth, byte);
        if !reads {
            return (node, if matches!(other, Other::Dead) { node } else { end });
        }
        if self.is_as_reference(automaton, vocabulary, node, &other) {
            return (node, node);
        }
        self.add_read(vocabulary, node, below);
        let goes_on = self.goes_on(automaton, vocabulary, node, depth);
        match other {
            Other::One(other) if goes_on && !other.is_returned() => {
                others[depth] = other;
                (node, below)
            }
            _ => {
                if goes_on {
                    self.below(automaton, vocabulary, node);
                } else {
                    let _ = self.skip_free(automaton, vocabulary, node);
                }
                (node, end)
            }
        }
    }

    /// Steps the head at the depth above, and the reference's head, by one byte. Returns whether the head reads the byte, and the
    /// reference's new head.
    pub(super) fn step_both(&mut self, automaton: &Automaton, other: Head, depth: usize, byte: u8) -> (bool, Other) {
        self.effort.work += 1;
        self.stack.truncate(self.level(depth - 1).mark);
        let reads = self.enter(automaton, depth, byte);
        let other = self.step_other(automaton, other, byte);
        if reads {
            // Frames that the reference has pushed are above the head's frames.
            self.levels.keep(&self.tables, depth, self.stack.mark());
        }
        (reads, other)
    }

    /// Returns whether the reference decides about the whole subtree below the node.
    pub(super) fn is_as_reference(
        &self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        node: NodeId,
        other: &Other,
    ) -> bool {
        match (self.level(vocabulary.trie.depth(node)).kind, other) {
            (LevelKind::One(head), Other::One(other)) => {
                same_class(automaton, vocabulary, head, *other)
                    || agree_below(automaton, vocabulary, node, head, *other)
            }
            _ => false,
        }
    }

    /// Steps the reference's head by one byte.
    fn step_other(&mut self, automaton: &Automaton, other: Head, byte: u8) -> Other {
        if refuses(other, byte) {
            return Other::Dead;
        }
        let table = self.table_for(automaton, &other);
        match self.by_table(automaton, table, other.parent != BOTTOM, byte) {
            ByTable::Dead => return Other::Dead,
            ByTable::To(table) => return Other::One(Head { state: self.tables.get(table).state, ..other }),
            ByTable::Slow | ByTable::Edge(_) => {}
        }
        self.out.clear();
        step(automaton, &mut self.stack, &mut self.scratch, &[other], byte, &mut self.out);
        self.effort.step(self.scratch.seen());
        match *self.out.as_slice() {
            [] => Other::Dead,
            [head] => Other::One(head),
            _ => Other::Lost,
        }
    }
}

/// Returns the first bytes that may lead a head and its reference to different states.
fn governing(automaton: &Automaton, start: Head) -> ByteSet {
    match automaton.alike(start.state) {
        _ if start.esc != 0 => IN_ESCAPES,
        Some(alike) => alike.differing(),
        None => [u64::MAX; 4],
    }
}

/// Visits the nodes at which a head may differ from its reference, and returns the governed ranges. `finish` steps both heads to a node; it
/// returns the range of nodes, from this node on, that are governed and finished, which is empty if the reference decides below the node.
pub(super) fn governed_ranges(
    automaton: &Automaton,
    trie: &TokenTrie,
    start: Head,
    mut finish: impl FnMut(NodeId) -> (NodeId, NodeId),
) -> Ranges {
    let mut governed = Ranges::new();
    let governing = governing(automaton, start);
    let mut node = trie.first_below_root(0, &governing);
    while (node.0 as usize) < trie.len() {
        let (from, end) = finish(node);
        match governed.last_mut().filter(|last| last.1 == node) {
            Some(last) => last.1 = end,
            None => governed.extend((from < end).then_some((from, end))),
        }
        let next = if from == end { trie.subtree_end(node) } else { end };
        node = next_governed(trie, next, &governing);
    }
    governed
}

/// Returns the first node at or after `node` at which the heads may differ: skips children of the root whose byte is not in `governing`.
fn next_governed(trie: &TokenTrie, node: NodeId, governing: &ByteSet) -> NodeId {
    let is_below_root = (node.0 as usize) < trie.len() && trie.depth(node) == 1;
    if is_below_root { trie.first_below_root(usize::from(trie.byte(node)), governing) } else { node }
}

/// Returns whether no continuation of a token can tell the heads apart: they are on the same frames, and in one class.
fn same_class(automaton: &Automaton, vocabulary: VocabularyTables<'_>, head: Head, other: Head) -> bool {
    if head == other {
        return true;
    }
    let comparable =
        head.parent == other.parent && head.esc == other.esc && !head.is_returned() && !other.is_returned();
    if !comparable || (head.state != other.state && head.esc == 0) {
        return false;
    }
    let longest = vocabulary.trie.max_depth() as u32;
    canonical(automaton, head, longest) == canonical(automaton, other, longest)
}

/// Returns whether the heads differ only in their states, and the states agree on all continuations of tokens below a
/// node.
fn agree_below(automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, head: Head, other: Head) -> bool {
    let tables = if head.esc == 0 { (vocabulary.reaches, 0) } else { (vocabulary.heights, LOOKAHEAD) };
    let rest = usize::from(tables.0[node.0 as usize].saturating_add(tables.1));
    !head.is_returned()
        && !other.is_returned()
        && Head { state: other.state, ..head } == other
        && automaton.states[head.state.index()].rule == automaton.states[other.state.index()].rule
        && automaton.agree(head.state, other.state, rest)
}
