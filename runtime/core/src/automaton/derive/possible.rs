//! Finds for each state inside a key the declared keys that the text can still become.
//!
//! Masks use this: inside the key text `na`, an object in declared order depends only on the keys that begin with `na`, so that all
//! positions between two of these keys are one class ([`crate::mask`], `classes.rs`). Guards on the edges do not tell these keys, as the
//! compiler writes a guard only where it can fail.

use crate::automaton::derived::PossibleKeys;
use crate::automaton::grouped::Grouped;
use crate::automaton::{Automaton, ObjectId, Op, OpId, Rule, RuleId, StateId, StateKind, TableRange};

/// Cap on listed pairs of a state and a key. A rule with more has no lists at all.
const PAIRS: usize = 1 << 22;

/// The states of a rule, numbered from its first one.
#[derive(Clone, Copy)]
struct States<'a> {
    automaton: &'a Automaton,
    range: TableRange,
}

impl States<'_> {
    fn id(&self, number: u32) -> StateId {
        StateId(self.range.first + number)
    }

    /// Returns the targets of a state's edges, as numbers.
    fn behind(&self, number: u32) -> impl Iterator<Item = u32> {
        self.automaton.edges(self.id(number)).iter().map(|edge| edge.to.0 - self.range.first)
    }
}

/// Lists the possible keys of all states of a rule.
pub(super) fn possible_keys(automaton: &Automaton, rule: RuleId) -> PossibleKeys {
    let Rule { object, states: range, .. } = automaton.rules[rule.index()];
    if object.is_none_or(|object| automaton.objects[object.index()].keeps_set()) {
        return PossibleKeys::default();
    }
    let states = States { automaton, range };
    let inside: Vec<bool> = (0..range.len).map(|number| is_in_key(automaton, states.id(number))).collect();
    let each_edge = || {
        let sources = (0..range.len).filter(|&number| inside[number as usize]);
        sources.flat_map(|number| states.behind(number).map(move |to| (StateId(to), number)))
    };
    let sources = Grouped::new(inside.len(), each_edge);
    let known = without_sources_of_others(states, inside, &sources);
    pairs(states, &known, &sources).map_or_else(PossibleKeys::default, |pairs| PossibleKeys::of_pairs(&known, &pairs))
}

/// Returns whether the state is text inside a key where only guards on keys and the end of the key depend on the keys seen.
fn is_in_key(automaton: &Automaton, id: StateId) -> bool {
    let state = &automaton.states[id.index()];
    let declared = |object: ObjectId| !automaton.objects[object.index()].keeps_set();
    let op = |op: OpId| &automaton.ops[op.index()];
    state.kind == StateKind::Text
        && automaton.rule_of(id).object.is_some_and(declared)
        && state.close.is_none_or(|(close, _)| matches!(op(close), Op::KeyTake { .. } | Op::KeyTakeExtra { .. }))
        && automaton.edges(id).iter().all(|edge| matches!(op(edge.op), Op::None | Op::KeyAlive { .. }))
}

/// Removes states with an edge to a state outside of `inside`, until none is left.
fn without_sources_of_others(states: States<'_>, mut inside: Vec<bool>, sources: &Grouped<u32>) -> Vec<bool> {
    let leaves = |number: &usize| states.behind(*number as u32).any(|to| !inside[to as usize]);
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

/// Lists pairs of a key and a state: the state's text can become the key, or a guard that names the key can follow. Each state's keys
/// ascend. `None` if there are too many pairs.
fn pairs(states: States<'_>, known: &[bool], sources: &Grouped<u32>) -> Option<Vec<(u32, u32)>> {
    let automaton = states.automaton;
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for id in (0..known.len() as u32).filter(|&id| known[id as usize]) {
        if let Some((close, _)) = automaton.states[states.id(id).index()].close
            && let Op::KeyTake { key, .. } = automaton.ops[close.index()]
        {
            ends.push((key, id));
        }
        for edge in automaton.edges(states.id(id)) {
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
    // For each state: the last key that it was listed for, plus one. Keys of several objects do not meet in one state.
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
