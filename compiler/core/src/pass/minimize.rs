//! Fewest states: dead ones go, equal ones become one.
//!
//! Partitions are refined until nothing splits (E. F. Moore, "Gedanken-experiments on sequential machines", 1956).
//! Minimality is not needed for exactness; a unit on which refinement takes too long stays as it is.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::pass::subset::{Call, Edge, Machine, State};

/// States looked at in all rounds together.
const BUDGET: usize = 20_000_000;

/// The same language with fewer states; the start stays state 0, and without acceptance: units never mean the empty text.
///
/// With `apart`, nothing leads to the start even if another state equals it: the runtime knows by the start of a root that
/// may be empty that nothing has been read.
pub(crate) fn minimize(mut machine: Machine, apart: bool) -> Machine {
    if let Some(start) = machine.states.first_mut() {
        start.accept = false;
    }
    drop_dead(&mut machine);
    match partition(&machine.states, apart) {
        Some(blocks) => quotient(&machine, &blocks),
        None => machine,
    }
}

/// Removes moves to states that cannot reach acceptance; the states stay, unreachable.
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

/// The block of each state, numbered by first member; `None` over the budget.
fn partition(states: &[State], apart: bool) -> Option<Vec<u32>> {
    let mut blocks: Vec<u32> = states.iter().map(|state| u32::from(state.accept)).collect();
    if let Some(start) = blocks.first_mut().filter(|_| apart) {
        *start = 2;
    }
    let mut count = 0;
    let mut spent = 0;
    loop {
        let mut known: FxHashMap<(u32, State), u32> = FxHashMap::default();
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
        spent += states.len();
        if spent > BUDGET {
            return None;
        }
    }
}

/// The state as seen through `blocks`: sorted, without repetition, adjacent edges joined.
fn moved(state: &State, blocks: &[u32]) -> State {
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
    State { accept: state.accept, edges, calls }
}

/// One state for each block, made of its first member. The start is the first state, so its block is block 0.
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
