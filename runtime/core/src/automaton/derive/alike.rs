//! Finds alike states: states inside keys that read nearly all text in the same way as another state.
//!
//! In the trie of an open object's keys, all bytes but one or two lead to the same state as from the text of an undeclared key. Masks
//! compute the row of a state in the trie as a difference from the row of the undeclared key's state. An escape that cannot become one of
//! the differing bytes has the same effect in both states.

use crate::automaton::byte_set::add_range;
use crate::automaton::derived::{Alike, AlikeStates};
use crate::automaton::{Automaton, Edge, Op, OpId, RuleId, StateId, StateKind};

/// Finds, for each state of a rule, the state that it is alike to inside a key.
pub(super) fn table(automaton: &Automaton, rule: RuleId) -> AlikeStates {
    let states = automaton.rules[rule.index()].states;
    let ids = || (states.first..states.first + states.len).map(StateId);
    let widest: Vec<Option<(StateId, OpId)>> = ids().map(|id| widest(automaton, id)).collect();
    let widest_of = |id: StateId| widest[(id.0 - states.first) as usize];
    let alike = |id: StateId| {
        let (state, guard) = widest_of(id)?;
        let loops = widest_of(state).is_some_and(|(to, _)| to == state);
        if state == id || !loops {
            return None;
        }
        let same = same_bytes(automaton.edges(id), automaton.edges(state), guard);
        let count = |set: &[u64; 4]| set.iter().map(|word| word.count_ones()).sum::<u32>();
        let all: u32 = automaton.edges(id).iter().map(width).sum();
        (2 * count(&same) >= all).then_some(Alike { state, guard, same })
    };
    ids().map(alike).collect()
}

fn width(edge: &Edge) -> u32 {
    u32::from(edge.hi) - u32::from(edge.lo) + 1
}

/// Returns the state to which most bytes lead from a text state of a rule with keys, and the guard on these edges. `None` for other states,
/// if edges overlap, and if no edge has a guard that leaves registers alone.
fn widest(automaton: &Automaton, id: StateId) -> Option<(StateId, OpId)> {
    let state = &automaton.states[id.index()];
    if state.kind != StateKind::Text || state.accept || automaton.rule_of(id).object.is_none() {
        return None;
    }
    let edges = automaton.edges(id);
    if edges.windows(2).any(|pair| pair[1].lo <= pair[0].hi) {
        return None;
    }
    let keeps = |op: OpId| matches!(automaton.ops[op.index()], Op::None | Op::KeyAlive { .. });
    let mut sums: Vec<(u32, StateId, OpId)> = Vec::new();
    for edge in edges.iter().filter(|edge| keeps(edge.op)) {
        match sums.iter_mut().find(|(_, to, op)| (*to, *op) == (edge.to, edge.op)) {
            Some(sum) => sum.0 += width(edge),
            None => sums.push((width(edge), edge.to, edge.op)),
        }
    }
    sums.into_iter().max().map(|(_, to, op)| (to, op))
}

/// Returns the bytes for which an edge of `own` under `guard` and an unguarded edge of `other` lead to the same state.
fn same_bytes(own: &[Edge], other: &[Edge], guard: OpId) -> [u64; 4] {
    let mut same = [0; 4];
    for edge in own.iter().filter(|edge| edge.op == guard) {
        let first = other.partition_point(|other| other.hi < edge.lo);
        for other in other[first..].iter().take_while(|other| other.lo <= edge.hi) {
            if other.op == OpId::NONE && other.to == edge.to {
                add_range(&mut same, edge.lo.max(other.lo), edge.hi.min(other.hi));
            }
        }
    }
    same
}
