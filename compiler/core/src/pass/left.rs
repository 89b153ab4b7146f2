//! Left recursion becomes loops.
//!
//! Units that can begin with each other form a component. Say `A ::= B x | y` and `B ::= A z | w`: every text of `A`
//! begins with a text of some arm of the component that does not begin inside it (`y`, `w`) and goes on with what
//! follows first calls (`z`, `x`), from unit to unit, until it has become an `A`. So the texts of `A` are the paths of
//! one automaton: the members' automata with the first calls cut out, a node for each member ("a text of this one is
//! complete"), and from a member's node silent moves to every place behind a first call of it. Its end is `A`'s node.
//!
//! The language is kept exactly, hidden left recursion included, because calls of nullable rules can already be passed
//! silently. Paull's algorithm does the same by substitution and can grow exponentially; this grows at most with the
//! square of a component, and is built only for members that are still called.

use crate::pass::nfa::{Closure, END, Move, Nfa, START};
use crate::pass::scc::components;
use crate::pass::units::{Units, called};
use crate::pass::{Exceeded, Limits};

/// Rewrites the units of cyclic components.
pub(crate) fn remove_recursion(mut units: Units, limits: &Limits) -> Result<Units, Exceeded> {
    let found = components(&units.first);
    if !found.cyclic.contains(&true) {
        return Ok(units);
    }
    let mut total = units.machines.iter().map(|nfa| nfa.states.len()).sum();
    let mut closure = Closure::default();
    let mut made: Vec<Option<Nfa>> = vec![None; units.machines.len()];
    let mut open = vec![0u32];
    while let Some(unit) = open.pop() {
        if made[unit as usize].is_some() {
            continue;
        }
        let mut nfa = units.machines[unit as usize].clone();
        if found.cyclic[unit as usize] {
            let members = &found.members[found.of[unit as usize] as usize];
            nfa = joined(&units, members, unit, total, limits, &mut closure)?;
            total += nfa.states.len();
        }
        open.extend(nfa.states.iter().flat_map(|state| &state.moves).filter_map(called));
        made[unit as usize] = Some(nfa);
    }
    units.machines = made.into_iter().map(|nfa| nfa.unwrap_or_else(Nfa::new)).collect();
    Ok(units)
}

/// The automaton of `unit`, a member of a cyclic component.
fn joined(
    units: &Units,
    members: &[u32],
    unit: u32,
    others: usize,
    limits: &Limits,
    closure: &mut Closure,
) -> Result<Nfa, Exceeded> {
    let mut nfa = Nfa::new();
    let nodes: Vec<u32> = members.iter().map(|_| nfa.state()).collect();
    for (&member, &node) in members.iter().zip(&nodes) {
        let source = &units.machines[member as usize];
        let offset = append(&mut nfa, source);
        nfa.check(others, limits.nfa_states)?;
        nfa.silent(END + offset, node);
        nfa.states[START as usize].origin = source.states[START as usize].origin;
        for step in closure.moves(source, START) {
            let to = step.to + offset;
            match called(&step).and_then(|callee| members.binary_search(&callee).ok()) {
                Some(callee) => nfa.silent(nodes[callee], to),
                None => nfa.states[START as usize].moves.push(Move { to, ..step }),
            }
        }
    }
    if let Ok(at) = members.binary_search(&unit) {
        nfa.silent(nodes[at], END);
    }
    Ok(nfa)
}

/// Copies all states of `source` behind those of `nfa`; gives the distance.
fn append(nfa: &mut Nfa, source: &Nfa) -> u32 {
    let offset = nfa.states.len() as u32;
    nfa.states.extend(source.states.iter().cloned());
    for state in &mut nfa.states[offset as usize..] {
        state.silent.iter_mut().for_each(|to| *to += offset);
        state.moves.iter_mut().for_each(|step| step.to += offset);
    }
    offset
}
