//! Finds for each state inside a key the declared keys that the text can still become.
//!
//! Masks ask: inside the key text `na`, an object in declared order cares for the keys that begin with `na` alone, so that
//! the positions between two of these are one class ([`crate::mask`], `classes.rs`). The guards on the way do not say it:
//! the compiler writes one only where it can fail.

use crate::automaton::derived::PossibleKeys;
use crate::automaton::grouped::Grouped;
use crate::automaton::{Automaton, ObjectId, ObjectShape, Op, OpId, StateId, StateKind};

/// The most pairs of a state and a key that are listed. A format with more has no lists at all.
const PAIRS: usize = 1 << 22;

/// Lists the keys of all states.
pub(super) fn possible_keys(automaton: &Automaton) -> PossibleKeys {
    if automaton.objects.iter().all(ObjectShape::keeps_set) {
        return PossibleKeys::default();
    }
    let inside: Vec<bool> = (0..automaton.states.len() as u32).map(|id| is_in_key(automaton, StateId(id))).collect();
    let each_edge = |take: &mut dyn FnMut(StateId, u32)| {
        for id in (0..inside.len()).filter(|&id| inside[id]) {
            automaton.edges(StateId(id as u32)).iter().for_each(|edge| take(edge.to, id as u32));
        }
    };
    let sources = Grouped::new(inside.len(), each_edge);
    let known = without_sources_of_others(automaton, inside, &sources);
    pairs(automaton, &known, &sources)
        .map_or_else(PossibleKeys::default, |pairs| PossibleKeys::of_pairs(&known, &pairs))
}

/// Returns whether the state is text inside a key, and nothing but guards on keys and the end of the key looks at the
/// keys seen there.
fn is_in_key(automaton: &Automaton, id: StateId) -> bool {
    let state = &automaton.states[id.index()];
    let declared = |object: ObjectId| !automaton.objects[object.index()].keeps_set();
    let op = |op: OpId| &automaton.ops[op.index()];
    state.kind == StateKind::Text
        && automaton.rule_of(id).object.is_some_and(declared)
        && state.close.is_none_or(|(close, _)| matches!(op(close), Op::KeyTake { .. } | Op::KeyTakeExtra { .. }))
        && automaton.edges(id).iter().all(|edge| matches!(op(edge.op), Op::None | Op::KeyAlive { .. }))
}

/// Removes the states from which an edge leads out of the set, to a fixpoint.
fn without_sources_of_others(automaton: &Automaton, mut inside: Vec<bool>, sources: &Grouped<u32>) -> Vec<bool> {
    let leaves = |id: &usize| automaton.edges(StateId(*id as u32)).iter().any(|edge| !inside[edge.to.index()]);
    let mut lost: Vec<usize> = (0..inside.len()).filter(|&id| inside[id]).filter(leaves).collect();
    lost.iter().for_each(|&id| inside[id] = false);
    while let Some(state) = lost.pop() {
        for &source in sources.of(state) {
            if std::mem::take(&mut inside[source as usize]) {
                lost.push(source as usize);
            }
        }
    }
    inside
}

/// Lists pairs of a key and a state whose text can become it, or has a guard that names it on its way; each state's keys
/// ascend. `None` if there are too many.
fn pairs(automaton: &Automaton, known: &[bool], sources: &Grouped<u32>) -> Option<Vec<(u32, u32)>> {
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for id in (0..known.len() as u32).filter(|&id| known[id as usize]) {
        if let Some((close, _)) = automaton.states[id as usize].close
            && let Op::KeyTake { key, .. } = automaton.ops[close.index()]
        {
            ends.push((key, id));
        }
        for edge in automaton.edges(StateId(id)) {
            if let Op::KeyAlive { keys, .. } = &automaton.ops[edge.op.index()] {
                ends.extend(keys.iter().map(|&key| (key, id)));
            }
        }
        if ends.len() > PAIRS {
            return None;
        }
    }
    ends.sort_unstable();
    let mut found = Vec::new();
    // By state: the last key that it was found for, plus one. Keys of several objects do not meet in one state.
    let mut last = vec![0; known.len()];
    for (key, end) in ends {
        let mut open = vec![end];
        while let Some(state) = open.pop() {
            if last[state as usize] == key + 1 {
                continue;
            }
            last[state as usize] = key + 1;
            found.push((key, state));
            open.extend(sources.of(state as usize).iter().filter(|source| known[**source as usize]));
        }
        if found.len() > PAIRS {
            return None;
        }
    }
    Some(found)
}
