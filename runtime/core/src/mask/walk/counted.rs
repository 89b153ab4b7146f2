//! One walk for all countdowns of a state: it computes for each token which countdowns `(a, b)` allow it.
//!
//! A pattern such as `[a-z]{2,500}` has one state for its letters, and a pair of countdowns for each number of letters read. A
//! walk for each pair would visit the same nodes by the same edges, and only the guards would answer differently. So the
//! walk is done once, without countdowns, and collects the guards of each path; the base for a pair is then a filter over
//! the tokens.
//!
//! A token reads its bytes on one way through a rule without calls, and every operation on it is a [`Op::Count`]: after
//! `n` ticks from `(a, b)`, the sum left is `a + b - n` and the minimum left is `a - n` (or 0). So all guards on the way
//! come down to two numbers: the least `a + b` and the greatest `a`. The token `abc` needs `a + b >= 3`; one that ends the
//! text after three letters, `abc"`, needs `a <= 3` as well, or the minimum is not reached. Escapes, where guards are asked of any of many
//! characters, are walked for each pair.

use std::sync::Arc;

use super::level::{Level, LevelKind};
use super::{Effort, VocabularyTables, WalkFound, Walker, has_children};
use crate::automaton::{Automaton, Op, OpId, StateId, StateKind, UNBOUNDED};
use crate::mask::table::{ByTable, Countdown, Link};
use crate::step::{Head, can_finish};
use crate::trie::NodeId;

/// The countdowns that a head must have at the beginning of a path for all guards on it to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need {
    /// Least `a + b`.
    total: u32,
    /// Greatest `a`.
    most: u32,
}

impl Need {
    fn allows(self, head: &Head) -> bool {
        self.total <= head.a.saturating_add(head.b) && head.a <= self.most
    }
}

/// The end of a path so far: its state, its ticks and its need.
#[derive(Clone, Copy, Debug)]
struct At {
    state: StateId,
    ticks: u32,
    need: Need,
}

/// The tokens and exits of a state, each with the countdowns that allow it.
#[derive(Debug, Default)]
pub(crate) struct NeedsOfTokens {
    tokens: Vec<(Need, u32)>,
    exits: Vec<(Need, NodeId)>,
    /// Nodes that begin an escape, each with the end of the path before it.
    escapes: Vec<(At, NodeId)>,
}

/// The result of stepping a path by one byte.
enum Move {
    Dead,
    /// The byte begins an escape.
    Escape,
    To(At),
    /// The step depends on more than countdowns.
    Unknown,
}

/// The needs of the state that was asked for last, and the effort that they took; no needs if there are none.
#[derive(Debug)]
pub(super) struct LastNeeds {
    state: StateId,
    needs: Option<Arc<NeedsOfTokens>>,
    effort: Effort,
}

impl Walker {
    /// Looks up or finds the needs of a state's tokens, and the effort that they took: groups of frames that differ in the
    /// countdown `a` come one after another, and share the walk. No needs if steps depend on more than countdowns.
    pub(crate) fn needs(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        state: StateId,
    ) -> (Option<Arc<NeedsOfTokens>>, Effort) {
        let last = match self.last_needs.take().filter(|last| last.state == state) {
            Some(last) => last,
            None => {
                let needs = self.needs_of_tokens(automaton, vocabulary, state).map(Arc::new);
                LastNeeds { state, needs, effort: self.effort(&WalkFound::default()) }
            }
        };
        let last = self.last_needs.insert(last);
        (last.needs.clone(), last.effort)
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
        let start = At { state, ticks: 0, need: Need { total: 0, most: u32::MAX } };
        let mut levels = vec![start; trie.max_depth() + 1];
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
                Move::Escape => needs.escapes.push((above, node)),
                Move::To(at) => {
                    levels[depth] = at;
                    needs.tokens.extend(trie.tokens(node).iter().map(|token| (at.need, token.0)));
                    if automaton.states[at.state.index()].accept && has_children(vocabulary, node) {
                        needs.exits.push((at.need, node));
                    }
                    next = NodeId(node.0 + 1);
                }
            }
            node = next;
        }
        needs.tokens.sort_unstable_by_key(|(need, _)| need.total);
        Some(needs)
    }

    fn counted_move(&mut self, automaton: &Automaton, at: At, byte: u8) -> Move {
        let table = self.tables.of(automaton, at.state, Countdown::Near);
        let state = &automaton.states[at.state.index()];
        let (op, to) = match (self.tables.step(automaton, table, byte), state.kind, byte) {
            (ByTable::Dead, ..) => return Move::Dead,
            (ByTable::To(table), ..) => return Move::To(At { state: self.tables.get(table).state, ..at }),
            (ByTable::Slow, StateKind::Text, b'\\') => return Move::Escape,
            (ByTable::Slow, StateKind::Text, b'"') => match state.close {
                Some(close) => close,
                None => return Move::Dead,
            },
            (ByTable::Slow, ..) => return Move::Unknown,
            (ByTable::Edge(edge), ..) => (automaton.edges[edge].op, automaton.edges[edge].to),
        };
        counted_op(automaton, at, op).map_or(Move::Unknown, |at| Move::To(At { state: to, ..at }))
    }

    /// Selects the tokens and exits that the head's countdowns allow.
    pub(crate) fn counted_base(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        needs: &NeedsOfTokens,
        head: Head,
    ) -> &mut WalkFound {
        self.begin();
        self.effort.work(needs.tokens.len() / 8);
        // The tokens are sorted by the total that they need: those that are too long for this head are the end of the list.
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

    /// Walks the escapes that begin at a node, from the head before it.
    fn escape(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, head: Head) {
        self.heads.clear();
        self.levels.make_room(vocabulary.trie.max_depth());
        let mark = self.stack.mark();
        let level = Level { kind: LevelKind::One(head), table: Link::NONE, mark, heads: 0 };
        if self.enter_slowly(automaton, level, vocabulary.trie.depth(node), b'\\') {
            self.add_read(vocabulary, node, NodeId(node.0 + 1));
            self.below(automaton, vocabulary, node);
        }
        self.stack.truncate(mark);
    }
}

/// Adds an operation to a path; `None` if it depends on more than countdowns.
fn counted_op(automaton: &Automaton, at: At, op: OpId) -> Option<At> {
    match &automaton.ops[op.index()] {
        Op::None => Some(at),
        Op::Count { tick, max_a, min_total } => {
            // The guard asks `a' <= max_a` and `a' + b' >= min_total` of the countdowns after `ticks` ticks, which are
            // `a' = a - ticks` (or 0) and `a' + b' = a + b - ticks`: solved here for those at the beginning. A tick itself
            // asks for `a + b >= ticks`.
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

/// Moves the head to the end of a path, with its countdowns ticked.
fn ticked(head: Head, at: At) -> Head {
    let of_a = at.ticks.min(head.a);
    let b = if head.b == UNBOUNDED { UNBOUNDED } else { head.b - (at.ticks - of_a) };
    Head { state: at.state, a: head.a - of_a, b, ..head }
}
