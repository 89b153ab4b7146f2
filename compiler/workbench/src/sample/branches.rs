//! Counts alternatives at the states of an automaton, so that a walk can choose among them evenly, whatever the size of
//! their languages.

use ogc_compiler::pass::scc::{Components, components};
use ogc_runtime::automaton::{Automaton, Op, OpId, StateId, StateKind};

/// Maximum number of alternatives that count for one prefix, so that other alternatives stay likely.
const MOST_LEAVES: f64 = 16.0;

/// Facts about each state.
#[derive(Debug)]
pub(super) struct Branches {
    /// The number of alternatives that start here, up to where their paths meet again: `low | medium | mild` has three.
    leaves: Vec<f64>,
    /// Whether several states lead to this state, or it is a start: its alternatives are then a choice of their own.
    meets: Vec<bool>,
    loops: Components,
    /// Whether a declared key can still be spelled from this state inside a key.
    declared: Vec<bool>,
    /// Maximum number of digits that can follow; `None` if there is no bound.
    digits: Vec<Option<u32>>,
}

impl Branches {
    pub(super) fn new(automaton: &Automaton) -> Self {
        let next: Vec<Vec<u32>> =
            (0..automaton.states.len() as u32).map(|state| targets(automaton, StateId(state))).collect();
        let meets = meets(automaton, &next);
        let loops = components(&next);
        Self {
            leaves: leaves(automaton, &meets, &loops),
            declared: declared(automaton, &next, &loops),
            digits: digits(automaton, &loops),
            meets,
            loops,
        }
    }

    /// Returns the number of alternatives that a step to the state stands for.
    pub(super) fn weight(&self, to: StateId) -> f64 {
        if self.meets[to.index()] { 1.0 } else { self.leaves[to.index()] }
    }

    /// Returns whether two states lie on the same loop.
    pub(super) fn same_loop(&self, one: StateId, other: StateId) -> bool {
        self.loops.cyclic[one.index()] && self.loops.of[one.index()] == self.loops.of[other.index()]
    }

    /// Returns whether a declared key can still be spelled from the state.
    pub(super) fn spells_declared(&self, state: StateId) -> bool {
        self.declared[state.index()]
    }

    /// Returns the most digits that can follow; `None` if there is no bound.
    pub(super) fn most_digits(&self, state: StateId) -> Option<u32> {
        self.digits[state.index()]
    }
}

/// Returns the successors of a state within its rule, each once.
fn targets(automaton: &Automaton, state: StateId) -> Vec<u32> {
    let edges = automaton.edges(state).iter().map(|edge| edge.to);
    let close = automaton.states[state.index()].close.map(|(_, to)| to);
    let calls = automaton.calls(state).iter().map(|call| call.ret);
    let mut targets: Vec<u32> = edges.chain(close).chain(calls).map(|state| state.0).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn meets(automaton: &Automaton, next: &[Vec<u32>]) -> Vec<bool> {
    let mut sources = vec![0_u32; next.len()];
    automaton.rules.iter().for_each(|rule| sources[rule.start.index()] += 2);
    next.iter().flatten().for_each(|&to| sources[to as usize] += 1);
    sources.into_iter().map(|count| count > 1).collect()
}

/// Counts the alternatives that start at each state. Edges lead to components with smaller numbers, which are visited
/// first.
fn leaves(automaton: &Automaton, meets: &[bool], loops: &Components) -> Vec<f64> {
    let mut leaves = vec![1.0_f64; meets.len()];
    for &state in loops.members.iter().flatten() {
        let (id, own) = (StateId(state), &automaton.states[state as usize]);
        let weight = |to: StateId| if meets[to.index()] { 1.0 } else { leaves[to.index()] };
        let reads: f64 = automaton.edges(id).iter().map(|edge| alternatives(edge.lo, edge.hi) * weight(edge.to)).sum();
        let calls: f64 = automaton.calls(id).iter().map(|call| weight(call.ret)).sum();
        let close = own.close.map_or(0.0, |(_, to)| weight(to));
        leaves[state as usize] = (f64::from(u8::from(own.accept)) + reads + calls + close).clamp(1.0, MOST_LEAVES);
    }
    leaves
}

/// Returns the number of alternatives that a byte range stands for: its width up to three bytes, otherwise one.
pub(super) fn alternatives(lo: u8, hi: u8) -> f64 {
    let width = f64::from(hi - lo) + 1.0;
    if width <= 3.0 { width } else { 1.0 }
}

fn declared(automaton: &Automaton, next: &[Vec<u32>], loops: &Components) -> Vec<bool> {
    let is_text = |state: u32| automaton.states[state as usize].kind == StateKind::Text;
    let takes = |(op, _): (OpId, StateId)| matches!(automaton.ops[op.index()], Op::KeyTake { .. });
    let mut declared = vec![false; next.len()];
    for &state in loops.members.iter().flatten().filter(|&&state| is_text(state)) {
        let at = state as usize;
        let below = next[at].iter().any(|&to| is_text(to) && declared[to as usize]);
        declared[at] = below || automaton.states[at].close.is_some_and(takes);
    }
    declared
}

fn digits(automaton: &Automaton, loops: &Components) -> Vec<Option<u32>> {
    let mut digits = vec![None; automaton.states.len()];
    for &state in loops.members.iter().flatten() {
        let edges = automaton.edges(StateId(state)).iter().filter(|edge| edge.lo.is_ascii_digit());
        let mut more = edges.map(|edge| {
            let turns = loops.of[edge.to.index()] == loops.of[state as usize];
            digits[edge.to.index()].filter(|_| !turns).map(|more: u32| more + 1)
        });
        digits[state as usize] = more.try_fold(0, |most, more| Some(most.max(more?)));
    }
    digits
}
