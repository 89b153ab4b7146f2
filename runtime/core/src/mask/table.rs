//! A state's edges spread over all bytes, for walks that ask for thousands of bytes in one state.

use crate::automaton::{Automaton, StateId, StateKind};

/// No edge has the byte, and nothing else reads it.
pub(super) const DEAD: u32 = 0;
/// More than one edge decides: take the general step.
pub(super) const SLOW: u32 = u32::MAX;

/// Per byte: [`DEAD`], [`SLOW`], or the edge's index in the automaton plus one. Returning from the state is not
/// considered here.
pub(super) type Table = [u32; 256];

pub(super) fn table(automaton: &Automaton, id: StateId) -> Box<Table> {
    let mut table = Box::new([DEAD; 256]);
    let state = &automaton.states[id.index()];
    for (offset, edge) in automaton.edges(id).iter().enumerate() {
        for slot in &mut table[usize::from(edge.lo)..=usize::from(edge.hi)] {
            *slot = if *slot == DEAD {
                state.edges.0 + offset as u32 + 1
            } else {
                SLOW
            };
        }
    }
    for call in automaton.calls(id) {
        let first = automaton.rules[call.rule.index()].first;
        for (byte, slot) in table.iter_mut().enumerate() {
            if first[byte >> 6] >> (byte & 63) & 1 == 1 {
                *slot = SLOW;
            }
        }
    }
    if state.kind == StateKind::Text {
        table[..0x20].fill(DEAD);
        table[usize::from(b'\\')] = SLOW;
        table[usize::from(b'"')] = if state.close.is_some() { SLOW } else { DEAD };
    }
    table
}
