//! A walk from a frame whose registers are unknown, which groups tokens and exits by their ways through the frame.
//!
//! The walk begins with the empty way ([`crate::step::WayId`]), and every operation on the frame appends a step to the way. So one walk
//! serves all values of the registers: a token is allowed if the registers allow one of its ways.

use super::level::{Level, LevelKind};
use super::patch::{Other, Ranges, governed_ranges};
use super::{VocabularyTables, Walker, has_children};
use crate::automaton::Automaton;
use crate::step::{BOTTOM, Head, WayId, can_finish, ways_of};
use crate::trie::NodeId;

/// The tokens and the exits of one way.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundByWay {
    /// Tokens in the order of the walk; a token with two readings occurs twice.
    pub(crate) tokens: Vec<u32>,
    pub(crate) exits: Vec<NodeId>,
}

/// The results of a walk so far.
struct Collecting<'a> {
    automaton: &'a Automaton,
    vocabulary: VocabularyTables<'a>,
    /// The results, indexed by the number of the way.
    found: Vec<FoundByWay>,
    /// A buffer of the ways of one head.
    ways: Vec<WayId>,
}

impl Collecting<'_> {
    fn of(&mut self, way: WayId) -> &mut FoundByWay {
        let at = way.0 as usize;
        if self.found.len() <= at {
            self.found.resize_with(at + 1, FoundByWay::default);
        }
        &mut self.found[at]
    }
}

impl Walker {
    /// Walks below each of the given trie nodes, beginning with `start` at each node; returns the results, indexed by the number of the
    /// way. `start` must have no frame below, and its memory must be the empty way.
    pub(crate) fn by_ways(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        nodes: &[NodeId],
        start: Head,
    ) -> Vec<FoundByWay> {
        let mut collecting = self.begin_by_ways(automaton, vocabulary);
        let mark = self.stack.mark();
        for &node in nodes {
            let table = self.table_for(automaton, &start);
            self.levels.set(vocabulary.trie.depth(node), Level::of(start, table, mark));
            self.collect_below(&mut collecting, node);
        }
        if can_finish(automaton, &self.stack, start) {
            collecting.of(WayId::EMPTY).exits.extend_from_slice(nodes);
        }
        self.stack.truncate(mark);
        self.end_by_ways(collecting)
    }

    /// Walks the whole trie from `start` and from its reference side by side, as [`Walker::patch`] does. Returns the results of `start` in
    /// governed ranges, and these ranges.
    pub(crate) fn patch_by_ways(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        start: Head,
        reference: Head,
    ) -> (Vec<FoundByWay>, Ranges) {
        let trie = vocabulary.trie;
        let mut collecting = self.begin_by_ways(automaton, vocabulary);
        let mark = self.stack.mark();
        let table = self.table_for(automaton, &start);
        self.levels.set(0, Level::of(start, table, mark));
        let mut others = vec![reference; trie.max_depth() + 1];
        let governed = governed_ranges(automaton, trie, start, |node| {
            self.collect_side_by_side(&mut collecting, &mut others, node)
        });
        self.stack.truncate(mark);
        (self.end_by_ways(collecting), governed)
    }

    fn begin_by_ways<'a>(&mut self, automaton: &'a Automaton, vocabulary: VocabularyTables<'a>) -> Collecting<'a> {
        self.begin();
        self.heads.clear();
        self.levels.make_room(vocabulary.trie.max_depth());
        Collecting { automaton, vocabulary, found: Vec::new(), ways: Vec::new() }
    }

    fn end_by_ways(&mut self, collecting: Collecting<'_>) -> Vec<FoundByWay> {
        let found = collecting.found;
        self.effort.work(found.iter().map(|found| found.tokens.len() + found.exits.len()).sum());
        found
    }

    /// Visits the subtree below a node; `levels` has the heads at the node.
    fn collect_below(&mut self, collecting: &mut Collecting<'_>, top: NodeId) {
        if self.collect_free(collecting, top) {
            return;
        }
        let trie = collecting.vocabulary.trie;
        let (mut node, end) = (self.first_live(trie, top), trie.subtree_end(top));
        while node < end {
            let depth = trie.depth(node);
            self.effort.work += 1;
            let goes_on = self.enter(collecting.automaton, depth, trie.byte(node))
                && self.collect_at(collecting, node)
                && !self.collect_free(collecting, node);
            node = if goes_on { NodeId(node.0 + 1) } else { self.next_live(trie, node, depth) };
        }
    }

    /// Adds the tokens at a node to the ways of its heads, and the node to the exits of heads that can return there. Returns whether some
    /// head continues.
    fn collect_at(&mut self, collecting: &mut Collecting<'_>, node: NodeId) -> bool {
        let VocabularyTables { trie, .. } = collecting.vocabulary;
        let level = self.level(trie.depth(node));
        let (finished, reads) = self.outlook_of(collecting.automaton, &level);
        let is_exit = finished && has_children(collecting.vocabulary, node);
        let tokens = trie.tokens(node);
        if !tokens.is_empty() || is_exit {
            for at in 0..level.kind.heads(&self.heads).len() {
                let head = level.kind.heads(&self.heads)[at];
                let leaves = is_exit && can_finish(collecting.automaton, &self.stack, head);
                self.add_to_ways(collecting, &head, tokens.iter().map(|token| token.0), leaves.then_some(node));
            }
        }
        reads
    }

    /// Adds tokens and an exit to the ways of a head.
    fn add_to_ways(
        &mut self,
        collecting: &mut Collecting<'_>,
        head: &Head,
        tokens: impl Iterator<Item = u32> + Clone,
        exit: Option<NodeId>,
    ) {
        let mut ways = std::mem::take(&mut collecting.ways);
        ways.clear();
        ways_of(&self.stack, head, &mut ways);
        for &way in &ways {
            let found = collecting.of(way);
            found.tokens.extend(tokens.clone());
            found.exits.extend(exit);
        }
        if ways.is_empty() {
            // A frame without a way is an error of the walk, so that the walk must fail.
            self.stack.overflow();
        }
        collecting.ways = ways;
    }

    /// Takes the tokens below a node from the vocabulary's free text, and continues the walk only after closing quotes. Returns `false` if
    /// the head at the node does not read free text.
    fn collect_free(&mut self, collecting: &mut Collecting<'_>, node: NodeId) -> bool {
        let (automaton, vocabulary) = (collecting.automaton, collecting.vocabulary);
        let VocabularyTables { trie, free, .. } = vocabulary;
        let (depth, end) = (trie.depth(node), trie.subtree_end(node));
        let level = self.level(depth);
        let LevelKind::One(head) = level.kind else { return false };
        if head.is_returned() {
            return false;
        }
        let is_free = automaton.derived.is_free(head.state);
        // The countdowns of the lowest frame are unknown.
        let is_known = is_free || head.parent != BOTTOM;
        if !is_known || !super::free::applies(automaton, vocabulary, node, head) {
            return false;
        }
        let below = trie.tokens_between(NodeId(node.0 + 1), end).iter().map(|token| token.0);
        self.add_to_ways(collecting, &head, below.filter(|&token| free.has(token)), None);
        let closes = free.closes(node, end);
        if (head.a == 0 || is_free) && !closes.is_empty() && self.enter_slowly(automaton, level, depth + 1, b'"') {
            let closed = self.level(depth + 1);
            for &close in closes {
                self.levels.set(trie.depth(close), closed);
                if self.collect_at(collecting, close) {
                    self.collect_below(collecting, close);
                }
            }
        }
        true
    }

    /// Steps both heads to a node. Returns the range of nodes, from this node on, that are governed and finished; the range is empty if the
    /// reference decides about the whole subtree.
    fn collect_side_by_side(
        &mut self,
        collecting: &mut Collecting<'_>,
        others: &mut [Head],
        node: NodeId,
    ) -> (NodeId, NodeId) {
        let (automaton, vocabulary) = (collecting.automaton, collecting.vocabulary);
        let trie = vocabulary.trie;
        let (depth, end) = (trie.depth(node), trie.subtree_end(node));
        let (reads, other) = self.step_both(automaton, others[depth - 1], depth, trie.byte(node));
        if !reads {
            return (node, if matches!(other, Other::Dead) { node } else { end });
        }
        if self.is_as_reference(automaton, vocabulary, node, &other) {
            return (node, node);
        }
        let is_done = !self.collect_at(collecting, node) || self.collect_free(collecting, node);
        match other {
            Other::One(other) if !is_done && !other.is_returned() => {
                others[depth] = other;
                (node, NodeId(node.0 + 1))
            }
            _ => {
                if !is_done {
                    self.collect_below(collecting, node);
                }
                (node, end)
            }
        }
    }
}
