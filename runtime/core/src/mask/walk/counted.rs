//! One walk for all countdowns of a state: for each token, it computes the countdowns `(a, b)` that allow it.
//!
//! A pattern such as `[a-z]{2,500}` has one state for its letters, and a pair of countdowns for each number of letters read. Walks for
//! different pairs would visit the same nodes by the same edges, and differ only in the results of guards. So one walk without countdowns
//! collects the guards of each path; the base for a pair is then a selection of the tokens.
//!
//! The bytes of a token follow one path through a rule without calls, and every operation on the path is an [`Op::Count`]: after `n` ticks
//! from `(a, b)`, the sum left is `a + b - n` and the minimum left is `a - n` (or 0). So all guards on the path reduce to two numbers, the
//! token's *need*: the least `a + b` and the greatest `a`. For example, the token `abc` needs `a + b >= 3`; the token `abc"`, which ends
//! the text after three letters, also needs `a <= 3`, as otherwise the minimum is not reached. Escapes stand for many characters with
//! different guards, so that they are walked for each pair.
//!
//! A state that is similar to another state is walked beside it ([`counted_beside`](super::counted_beside)), and only tokens and exits that
//! may differ are kept.

use std::sync::Arc;

use super::level::Level;
use super::{Effort, VocabularyTables, WalkFound, Walker, has_children};
use crate::automaton::{Automaton, Op, OpId, StateId, StateKind, UNBOUNDED};
use crate::mask::table::{ByTable, Countdown, Link};
use crate::step::{Head, can_finish};
use crate::trie::NodeId;

/// The countdowns that a head must have at the beginning of a path so that all guards on the path hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need {
    /// The least `a + b`.
    total: u32,
    /// The greatest `a`.
    most: u32,
}

impl Need {
    fn allows(self, head: &Head) -> bool {
        self.total <= head.a.saturating_add(head.b) && head.a <= self.most
    }
}

/// A path so far: its last state, its ticks and its need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) state: StateId,
    ticks: u32,
    need: Need,
}

impl At {
    /// Returns whether both paths have equal ticks and needs.
    pub(super) fn differs_in_state_alone(self, other: At) -> bool {
        At { state: other.state, ..self } == other
    }
}

/// The end of a path, with the table of its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableAt {
    pub(super) at: At,
    table: Link,
}

/// A similar state, and the *governed* nodes, at which the state itself decides.
#[derive(Debug)]
pub(crate) struct Beside {
    /// The similar state.
    pub(crate) state: StateId,
    /// Ranges of governed nodes, ascending.
    pub(crate) governed: Vec<(NodeId, NodeId)>,
}

impl Beside {
    /// Adds the governed nodes `from..end`, which follow all earlier ones.
    pub(super) fn govern(&mut self, from: NodeId, end: NodeId) {
        match self.governed.last_mut().filter(|last| last.1 == from) {
            Some(last) => last.1 = end,
            None => self.governed.push((from, end)),
        }
    }
}

/// The tokens and exits of a state, each with the countdowns that allow it.
#[derive(Debug, Default)]
pub(crate) struct NeedsOfTokens {
    tokens: Vec<(Need, u32)>,
    exits: Vec<(Need, NodeId)>,
    /// Nodes that begin an escape, each with the end of the path to its parent.
    escapes: Vec<(At, NodeId)>,
    /// The similar state that decides at all nodes but the governed ones; the lists then cover only governed nodes.
    pub(super) beside: Option<Beside>,
}

/// The result of stepping a path by one byte.
pub(super) enum Move {
    Dead,
    /// The byte begins an escape.
    Escape,
    To(TableAt),
    /// The step depends on more than countdowns.
    Unknown,
}

/// Cap on the states whose needs a walker keeps.
const KEPT: usize = 8;

/// The needs of a state's tokens (`None` if steps depend on more than countdowns), and the effort of finding them.
#[derive(Debug)]
pub(super) struct KnownNeeds {
    state: StateId,
    needs: Option<Arc<NeedsOfTokens>>,
    effort: Effort,
}

impl NeedsOfTokens {
    /// Returns the similar state, which decides at most nodes, and the governed nodes, at which it does not decide.
    pub(crate) fn beside(&self) -> Option<&Beside> {
        self.beside.as_ref()
    }

    /// Adds the tokens at a node that a path has read, and an exit if the rule can return there inside of a token.
    pub(super) fn add(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, at: At) {
        self.tokens.extend(vocabulary.trie.tokens(node).iter().map(|token| (at.need, token.0)));
        if automaton.states[at.state.index()].accept && has_children(vocabulary, node) {
            self.exits.push((at.need, node));
        }
    }

    /// Adds a node that begins an escape after the path `above`.
    pub(super) fn add_escape(&mut self, above: At, node: NodeId) {
        self.escapes.push((above, node));
    }

    /// Sorts the tokens by the total that they need, so that tokens that are too long for a head are at the end of the list.
    pub(super) fn sorted(mut self) -> Self {
        self.tokens.sort_unstable_by_key(|(need, _)| need.total);
        self
    }
}

impl Walker {
    /// Looks up or finds the needs of a state's tokens, and the effort of finding them. Successive groups of frames that differ in the
    /// countdown `a` share the walk. Returns no needs if steps depend on more than countdowns.
    pub(crate) fn needs(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        state: StateId,
    ) -> (Option<Arc<NeedsOfTokens>>, Effort) {
        let known = match self.known_needs.iter().position(|known| known.state == state) {
            Some(at) => self.known_needs.remove(at),
            None => {
                let needs = self.needs_of_state(automaton, vocabulary, state).map(Arc::new);
                KnownNeeds { state, needs, effort: self.effort(&WalkFound::default()) }
            }
        };
        let found = (known.needs.clone(), known.effort);
        if self.known_needs.len() == KEPT {
            self.known_needs.remove(0);
        }
        self.known_needs.push(known);
        found
    }

    /// Returns whether the tokens of a state with which other states are compared have needs.
    fn has_needs(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, state: StateId) -> bool {
        if let Some(&known) = self.has_needs.get(&state) {
            return known;
        }
        let has_needs = self.needs(automaton, vocabulary, state).0.is_some();
        self.has_needs.insert(state, has_needs);
        has_needs
    }

    /// Walks the trie once for all countdowns of a state, beside a similar state if there is one with needs.
    fn needs_of_state(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        state: StateId,
    ) -> Option<NeedsOfTokens> {
        let similar = automaton.similar(state).filter(|&other| self.has_needs(automaton, vocabulary, other));
        let beside = similar.and_then(|other| self.needs_beside(automaton, vocabulary, state, other));
        beside.or_else(|| self.needs_of_tokens(automaton, vocabulary, state))
    }

    /// Walks the trie once for all countdowns of a state; `None` if steps depend on more than countdowns.
    fn needs_of_tokens(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        state: StateId,
    ) -> Option<NeedsOfTokens> {
        let trie = vocabulary.trie;
        self.begin();
        let mut levels = vec![self.beginning(automaton, state); trie.max_depth() + 1];
        let mut needs = NeedsOfTokens::default();
        let mut node = NodeId(1);
        while (node.0 as usize) < trie.len() {
            let depth = trie.depth(node);
            self.effort.work += 1;
            let above = levels[depth - 1];
            let mut next = trie.subtree_end(node);
            match self.counted_move(automaton, above, trie.byte(node)) {
                Move::Dead => {}
                Move::Unknown => return None,
                Move::Escape => needs.add_escape(above.at, node),
                Move::To(to) => {
                    levels[depth] = to;
                    needs.add(automaton, vocabulary, node, to.at);
                    next = NodeId(node.0 + 1);
                }
            }
            node = next;
        }
        Some(needs.sorted())
    }

    /// Returns the empty path from a state.
    pub(super) fn beginning(&mut self, automaton: &Automaton, state: StateId) -> TableAt {
        let at = At { state, ticks: 0, need: Need { total: 0, most: u32::MAX } };
        TableAt { at, table: self.tables.of(automaton, state, Countdown::Near) }
    }

    /// Steps a path by one byte.
    #[inline]
    pub(super) fn counted_move(&mut self, automaton: &Automaton, TableAt { at, table }: TableAt, byte: u8) -> Move {
        match self.tables.step(automaton, table, byte) {
            ByTable::Dead => Move::Dead,
            ByTable::To(table) => Move::To(TableAt { at: At { state: self.tables.get(table).state, ..at }, table }),
            ByTable::Edge(edge) => {
                let edge = &automaton.edges[edge];
                self.counted_op(automaton, at, edge.op, edge.to)
            }
            ByTable::Slow => self.counted_move_slowly(automaton, at, byte),
        }
    }

    #[cold]
    fn counted_move_slowly(&mut self, automaton: &Automaton, at: At, byte: u8) -> Move {
        let state = &automaton.states[at.state.index()];
        match (state.kind, byte) {
            (StateKind::Text, b'\\') => Move::Escape,
            (StateKind::Text, b'"') => match state.close {
                Some((op, to)) => self.counted_op(automaton, at, op, to),
                None => Move::Dead,
            },
            _ => Move::Unknown,
        }
    }

    fn counted_op(&mut self, automaton: &Automaton, at: At, op: OpId, to: StateId) -> Move {
        match counted_op(automaton, at, op) {
            Some(at) => {
                Move::To(TableAt { at: At { state: to, ..at }, table: self.tables.of(automaton, to, Countdown::Near) })
            }
            None => Move::Unknown,
        }
    }

    /// Selects the tokens and exits that the head's countdowns allow, and the root as an exit if the head can return at once. If the needs
    /// were found beside a similar state, selects only at governed nodes.
    pub(crate) fn counted_base(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        needs: &NeedsOfTokens,
        head: Head,
    ) -> &mut WalkFound {
        self.begin();
        self.effort.work(needs.tokens.len() / 8);
        let total = head.a.saturating_add(head.b);
        let within = needs.tokens.partition_point(|(need, _)| need.total <= total);
        let tokens = needs.tokens[..within].iter().filter(|(need, _)| head.a <= need.most);
        self.found.tokens.extend(tokens.map(|(_, token)| *token));
        let exits = needs.exits.iter().filter(|(need, _)| need.allows(&head));
        self.found.exits.extend(exits.map(|(_, node)| *node));
        for (at, node) in needs.escapes.iter().filter(|(at, _)| at.need.allows(&head)) {
            self.escape(automaton, vocabulary, *node, ticked(head, *at));
        }
        if can_finish(automaton, &self.stack, head) {
            self.found.exits.push(NodeId::ROOT);
        }
        self.finish()
    }

    /// Walks the escapes that begin at a node, from the head at the node's parent.
    fn escape(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, head: Head) {
        self.levels.make_room(vocabulary.trie.max_depth());
        let mark = self.stack.mark();
        self.rewind(mark, 0);
        let level = Level::of(head, Link::NONE, mark);
        if self.enter_slowly(automaton, level, vocabulary.trie.depth(node), b'\\') {
            self.add_read(vocabulary, node, NodeId(node.0 + 1));
            self.below(automaton, vocabulary, node);
        }
        self.rewind(mark, 0);
    }
}

/// Appends an operation to a path; `None` if the operation depends on more than countdowns.
fn counted_op(automaton: &Automaton, at: At, op: OpId) -> Option<At> {
    match &automaton.ops[op.index()] {
        Op::None => Some(at),
        Op::Count { tick, max_a, min_total } => {
            // The guard requires `a' <= max_a` and `a' + b' >= min_total` of the countdowns after `ticks` ticks, which are `a' = a - ticks`
            // (or 0) and `a' + b' = a + b - ticks`. Here both are solved for `a` and `a + b`. A tick itself requires `a + b >= ticks`.
            let ticks = at.ticks + u32::from(*tick);
            let total = at.need.total.max(ticks.saturating_add(*min_total));
            let most = at.need.most.min(max_a.saturating_add(ticks));
            Some(At { ticks, need: Need { total, most }, ..at })
        }
        Op::KeyAlive { .. }
        | Op::KeyTake { .. }
        | Op::KeyTakeExtra { .. }
        | Op::KeyNext { .. }
        | Op::ObjectClose { .. }
        | Op::Owing { .. } => None,
    }
}

/// Moves the head to the end of a path, and ticks its countdowns.
fn ticked(head: Head, at: At) -> Head {
    let of_a = at.ticks.min(head.a);
    let b = if head.b == UNBOUNDED { UNBOUNDED } else { head.b - (at.ticks - of_a) };
    Head { state: at.state, a: head.a - of_a, b, ..head }
}
