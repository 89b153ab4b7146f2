//! Turns left recursion into loops.
//!
//! Units that can begin with each other form a component. Take `A ::= B x | y` and `B ::= A z | w`. Every text of `A`
//! begins with an arm that does not begin inside the component (`y`, `w`). It goes on with the parts after first calls
//! (`z`, `x`), from unit to unit, until it is a complete `A`. So the texts of `A` are the paths of one automaton: the
//! members' automata without the first calls, a node for each member ("a text of this member is complete"), and silent
//! moves from a member's node to every place after a first call of that member. The automaton's end is `A`'s node.
//!
//! The language is kept exactly, hidden left recursion included, because calls of nullable rules can already be passed
//! silently. Paull's algorithm does the same by substitution and can grow exponentially; this construction grows at
//! most with the square of a component, and is built only for members that are still called.
//!
//! If `A` calls itself at the end of an arm (`A ::= A "+" A`), the inner `A` returns to `A`'s own node, and everything
//! that can follow there can also follow inside. Such a call becomes a silent move to the beginning. This removes the
//! ambiguity of how operands group, and with it one parallel head for each operand read.

use ogc_regular::LimitError;

use crate::pass::Limits;
use crate::pass::nfa::{Closure, END, Move, Nfa, START};
use crate::pass::scc::components;
use crate::pass::units::{Units, called};

/// Rewrites the units of cyclic components.
pub(crate) fn remove_recursion(mut units: Units, limits: &Limits) -> Result<Units, LimitError> {
    let found = components(&units.first);
    if !found.cyclic.contains(&true) {
        return Ok(units);
    }
    let mut total = units.machines.iter().map(|nfa| nfa.states.len()).sum();
    let mut closure = Closure::default();
    let mut made: Vec<Option<Nfa>> = vec![None; units.machines.len()];
    let mut begins: Vec<Option<Vec<Move>>> = vec![None; units.machines.len()];
    let mut open = vec![0u32];
    while let Some(unit) = open.pop() {
        if made[unit as usize].is_some() {
            continue;
        }
        let mut nfa = units.machines[unit as usize].clone();
        if found.cyclic[unit as usize] {
            let members = &found.members[found.of[unit as usize] as usize];
            for &member in members {
                let moves = || closure.moves(&units.machines[member as usize], START);
                begins[member as usize].get_or_insert_with(moves);
            }
            let component = Component { units: &units, members, begins: &begins };
            nfa = component.joined(unit, total, limits, &mut closure)?;
            total += nfa.states.len();
        }
        open.extend(nfa.states.iter().flat_map(|state| &state.moves).filter_map(called));
        made[unit as usize] = Some(nfa);
    }
    units.machines = made.into_iter().map(|nfa| nfa.unwrap_or_else(Nfa::new)).collect();
    Ok(units)
}

/// A set of units that can begin with each other: a cyclic component of the graph of first calls.
struct Component<'u> {
    units: &'u Units,
    /// The members' unit indices, ascending.
    members: &'u [u32],
    /// The first moves of every member, by unit.
    begins: &'u [Option<Vec<Move>>],
}

impl Component<'_> {
    /// Builds the automaton of a member without left recursion.
    fn joined(&self, unit: u32, others: usize, limits: &Limits, closure: &mut Closure) -> Result<Nfa, LimitError> {
        let mut nfa = Nfa::new();
        let entry = nfa.state();
        nfa.silent(START, entry);
        let nodes: Vec<u32> = self.members.iter().map(|_| nfa.state()).collect();
        for (&member, &node) in self.members.iter().zip(&nodes) {
            let states = &self.units.machines[member as usize].states;
            let moves = states.iter().map(|state| state.moves.len()).sum();
            nfa.reserve(states.len(), moves, others, limits.nfa_states)?;
            let offset = append(&mut nfa, &self.units.machines[member as usize]);
            nfa.check(others, limits.nfa_states)?;
            nfa.silent(END + offset, node);
            self.begin(&mut nfa, member, offset, entry, &nodes);
        }
        if let Ok(at) = self.members.binary_search(&unit) {
            nfa.silent(nodes[at], END);
            flatten(&mut nfa, unit, entry, nodes[at], closure);
        }
        Ok(nfa)
    }

    /// Connects a member's first moves: to the entry, or, for first calls of members, from the nodes of the called
    /// members.
    fn begin(&self, nfa: &mut Nfa, member: u32, offset: u32, entry: u32, nodes: &[u32]) {
        nfa.states[entry as usize].origin = self.units.machines[member as usize].states[START as usize].origin;
        for step in self.begins[member as usize].iter().flatten() {
            let to = step.to + offset;
            match called(step).and_then(|callee| self.members.binary_search(&callee).ok()) {
                Some(callee) => nfa.silent(nodes[callee], to),
                None => nfa.states[entry as usize].moves.push(Move { to, ..*step }),
            }
        }
    }
}

/// Turns calls of `unit` by itself into silent moves to its `entry`, if they return only to its own `node`.
///
/// Let `K` be the texts from the node to the end. All of them lead from the node back to the node, so `K K = K`. The
/// call reads a text up to the node, then `K`, and after its return `K` again; going on in this automaton reads the
/// same.
fn flatten(nfa: &mut Nfa, unit: u32, entry: u32, node: u32, closure: &mut Closure) {
    let behind = closure.of(nfa, &[node]).to_vec();
    for from in 0..nfa.states.len() {
        let itself = |step: &Move| called(step) == Some(unit);
        let places = nfa.states[from].moves.iter().filter(|step| itself(step)).map(|step| step.to);
        let mut places: Vec<u32> = places.collect();
        places.retain(|&place| returns_to(nfa, place, node, &behind, closure));
        if !places.is_empty() {
            nfa.states[from].moves.retain(|step| !itself(step) || !places.contains(&step.to));
            nfa.silent(from as u32, entry);
        }
    }
}

/// Returns whether everything that can follow `place` can also follow the node, whose closure is `behind`.
fn returns_to(nfa: &Nfa, place: u32, node: u32, behind: &[u32], closure: &mut Closure) -> bool {
    let found = closure.of(nfa, &[place]);
    let foreign = |state: &&u32| behind.binary_search(state).is_err();
    found.contains(&node) && found.iter().filter(foreign).all(|&state| nfa.states[state as usize].moves.is_empty())
}

/// Appends all states of `source` to those of `nfa`; returns their offset.
fn append(nfa: &mut Nfa, source: &Nfa) -> u32 {
    let offset = nfa.states.len() as u32;
    nfa.states.extend(source.states.iter().cloned());
    for state in &mut nfa.states[offset as usize..] {
        state.silent.iter_mut().for_each(|to| *to += offset);
        state.moves.iter_mut().for_each(|step| step.to += offset);
    }
    offset
}
