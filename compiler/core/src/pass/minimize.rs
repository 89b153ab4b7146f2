//! Minimises a rule's automaton over bytes and calls: drops dead states, and merges equivalent ones.
//!
//! Deterministic units are refined by [`ogc_regular::partition`] in O(m log n). Nondeterministic units are refined in
//! rounds until nothing splits (E. F. Moore, "Gedanken-experiments on sequential machines", 1956). Exactness does not
//! depend on minimality, so a unit that takes too long stays as it is.

use std::collections::hash_map::Entry;

use ogc_regular::budget::{self, Loan};
use ogc_regular::partition::{Transition, blocks, byte_classes};
use rustc_hash::FxHashMap;

use crate::pass::nfa::{Guard, Label};
use crate::pass::subset::{Call, Edge, Machine, SubsetState};

/// Cap on the states visited in all rounds together.
const BUDGET: usize = 20_000_000;

/// Returns an automaton of the same language with fewer states. The start stays state 0 and does not accept, because
/// units never mean the empty text.
///
/// With `apart`, the start is not merged with an equal state: for a root that may be empty, the runtime must recognise
/// by the start state that nothing has been read.
pub(crate) fn minimize(mut machine: Machine, apart: bool) -> Machine {
    if let Some(start) = machine.states.first_mut() {
        start.accept = false;
    }
    drop_dead(&mut machine);
    let kinds = kinds(&machine.states, apart);
    let found = match moves(&machine.states) {
        Some(moves) => Some(in_order(&blocks(kinds.len(), &moves, |state| kinds[state as usize]))),
        // If the budget is used up, the result is discarded anyway.
        None if budget::exhausted() => None,
        None => rounds(&machine.states, kinds),
    };
    match found {
        Some(blocks) => quotient(&machine, &blocks),
        None => machine,
    }
}

/// Returns the initial kind of each state, by which states differ before any move.
fn kinds(states: &[SubsetState], apart: bool) -> Vec<u32> {
    let mut kinds: Vec<u32> = states.iter().map(|state| u32::from(state.accept)).collect();
    if let Some(start) = kinds.first_mut().filter(|_| apart) {
        *start = 2;
    }
    kinds
}

/// Returns all moves with numbered labels; `None` if a state has two moves with the same label to different states.
fn moves(states: &[SubsetState]) -> Option<Vec<Transition>> {
    let classes = byte_classes(states.iter().flat_map(|state| &state.edges).map(|edge| (edge.lo, edge.hi)));
    let mut labels: FxHashMap<(Guard, Label), u32> = FxHashMap::default();
    let mut moves: Vec<Transition> = Vec::new();
    let mut loan = Loan::default();
    for (from, state) in (0..).zip(states) {
        let first = moves.len();
        let mut add = |guard: Guard, label: Label, to: u32| {
            let fresh = labels.len() as u32;
            let label = *labels.entry((guard, label)).or_insert(fresh);
            moves.push(Transition { from, label, to });
        };
        for edge in &state.edges {
            let read = classes[usize::from(edge.lo)]..=classes[usize::from(edge.hi)];
            read.for_each(|class| add(edge.guard, Label::Bytes(class, class), edge.to));
        }
        for call in &state.calls {
            add(call.guard, Label::Call(call.unit, call.a, call.b), call.to);
        }
        let mut own = moves.split_off(first);
        own.sort_unstable_by_key(|one| (one.label, one.to));
        own.dedup_by_key(|one| (one.label, one.to));
        if own.windows(2).any(|pair| pair[0].label == pair[1].label) {
            return None;
        }
        // While the partition is refined, a move is in about ten tables of four bytes.
        budget::work(2 + own.len()).and(loan.grow(own.len() * 56)).ok()?;
        moves.append(&mut own);
    }
    Some(moves)
}

/// Renumbers blocks in the order of their first members.
fn in_order(blocks: &[u32]) -> Vec<u32> {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let number = |block: &u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(*block).or_insert(fresh)
    };
    blocks.iter().map(number).collect()
}

/// Removes moves to states that cannot reach acceptance; the states themselves stay, unreachable.
fn drop_dead(machine: &mut Machine) {
    let count = machine.states.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (from, state) in machine.states.iter().enumerate() {
        let targets = state.edges.iter().map(|edge| edge.to).chain(state.calls.iter().map(|call| call.to));
        targets.for_each(|to| before[to as usize].push(from as u32));
    }
    let mut alive = vec![false; count];
    let mut open: Vec<u32> = (0..count as u32).filter(|&at| machine.states[at as usize].accept).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut alive[at as usize], true) {
            open.extend(&before[at as usize]);
        }
    }
    for state in &mut machine.states {
        state.edges.retain(|edge| alive[edge.to as usize]);
        state.calls.retain(|call| alive[call.to as usize]);
    }
}

/// Returns the block of each state, numbered by first member; `None` if the cap or the budget is exceeded.
fn rounds(states: &[SubsetState], kinds: Vec<u32>) -> Option<Vec<u32>> {
    let mut blocks = kinds;
    let mut count = 0;
    let mut spent = 0;
    loop {
        let mut known: FxHashMap<(u32, SubsetState), u32> = FxHashMap::default();
        let mut next = Vec::with_capacity(states.len());
        for (state, &block) in states.iter().zip(&blocks) {
            let fresh = known.len() as u32;
            next.push(match known.entry((block, moved(state, &blocks))) {
                Entry::Occupied(same) => *same.get(),
                Entry::Vacant(slot) => *slot.insert(fresh),
            });
        }
        blocks = next;
        if known.len() == count {
            return Some(blocks);
        }
        count = known.len();
        budget::work(states.len() * 4).ok()?;
        spent += states.len();
        if spent > BUDGET {
            return None;
        }
    }
}

/// Maps the targets of a state to blocks; the moves are sorted and deduplicated, and adjacent edges are joined.
fn moved(state: &SubsetState, blocks: &[u32]) -> SubsetState {
    let mut by_target: Vec<Edge> =
        state.edges.iter().map(|edge| Edge { to: blocks[edge.to as usize], ..*edge }).collect();
    by_target.sort_unstable_by_key(|edge| (edge.guard, edge.to, edge.lo));
    let mut edges: Vec<Edge> = Vec::with_capacity(by_target.len());
    for edge in by_target {
        match edges.last_mut() {
            Some(last)
                if (last.guard, last.to) == (edge.guard, edge.to)
                    && usize::from(edge.lo) <= usize::from(last.hi) + 1 =>
            {
                last.hi = last.hi.max(edge.hi);
            }
            _ => edges.push(edge),
        }
    }
    edges.sort_unstable();
    let mut calls: Vec<Call> = state.calls.iter().map(|call| Call { to: blocks[call.to as usize], ..*call }).collect();
    calls.sort_unstable();
    calls.dedup();
    SubsetState { accept: state.accept, edges, calls }
}

/// Builds the quotient automaton: one state for each block, taken from its first member. The start is the first state,
/// so its block is block 0.
fn quotient(machine: &Machine, blocks: &[u32]) -> Machine {
    let mut made = Machine { parallel: machine.parallel, ..Machine::default() };
    for ((state, &block), &origin) in machine.states.iter().zip(blocks).zip(&machine.origins) {
        if block as usize == made.states.len() {
            made.states.push(moved(state, blocks));
            made.origins.push(origin);
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;
    use crate::pass::nfa::UnitId;

    /// Makes a small random machine in which many states are equal.
    fn machine(seed: u64) -> Machine {
        let mut random = Random::new(seed);
        let mut below = |limit| random.below(limit);
        let count = 2 + below(12);
        let states = (0..count).map(|_| {
            let mut edges = Vec::new();
            for at in 0..4u8 {
                let guard = if below(4) == 0 { Guard::Optional } else { Guard::None };
                let edge = Edge { guard, lo: 3 * at, hi: 3 * at + 2, to: below(count) as u32 };
                edges.extend((below(3) > 0).then_some(edge));
            }
            let to = below(count) as u32;
            let calls = if below(3) == 0 {
                vec![Call { guard: Guard::None, unit: UnitId(0), a: 1, b: 2, to }]
            } else {
                Vec::new()
            };
            SubsetState { accept: below(3) == 0, edges, calls }
        });
        Machine { states: states.collect(), origins: vec![0; count], parallel: false }
    }

    #[test]
    fn both_minimisation_algorithms_agree_on_random_machines() {
        let mut merged = 0;
        for seed in 0..2_000 {
            let mut machine = machine(seed);
            drop_dead(&mut machine);
            let kinds = kinds(&machine.states, seed % 2 == 0);
            let moves = moves(&machine.states).expect("a deterministic machine");
            let fast = in_order(&blocks(kinds.len(), &moves, |state| kinds[state as usize]));
            assert_eq!(Some(&fast), rounds(&machine.states, kinds).as_ref(), "seed {seed}");
            merged += usize::from(quotient(&machine, &fast).states.len() < machine.states.len());
        }
        assert!(merged > 200, "only {merged} machines had equal states");
    }
}
