//! Transition tables of states, indexed by byte: a walk of the trie steps by one look-up instead of a search of edges.

use crate::automaton::{Automaton, ByteSet, Free, OpId, StateId, StateKind, insert};

/// The code of a byte that the state does not read.
pub(super) const DEAD: u32 = 0;
/// The code of a byte that takes the general step, because of several edges, a call, an escape or a close.
pub(super) const SLOW: u32 = u32::MAX;
/// The bit that marks the code of an edge with an operation, or into a state that only returns; the rest is the edge's
/// index. Without it, the code is the target state plus one.
pub(super) const WITH_OP: u32 = 1 << 31;

/// The transitions of one state by each byte.
#[derive(Debug)]
pub(super) struct Table {
    /// The effect of each byte, as a code: [`DEAD`], [`SLOW`], an edge marked [`WITH_OP`], or a target state plus one.
    /// A return from the state's rule is not in them.
    pub(super) codes: [u32; 256],
    /// The bytes that are not [`DEAD`].
    pub(super) live: ByteSet,
    /// Whether the rule may return here.
    pub(super) accept: bool,
    /// Whether the state reads free text.
    pub(super) may_be_free: bool,
}

/// The tables of an automaton's states, each made when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Per state: the number of its table, or [`Tables::NONE`].
    numbers: Vec<u32>,
    tables: Vec<Table>,
}

/// The most tables that are kept from one walk to the next: 32 MB of them.
const KEPT: usize = 1 << 15;

impl Tables {
    /// The number that stands for no table.
    pub(super) const NONE: u32 = u32::MAX;

    /// Drops all tables if they are many. Must not be called during a walk, which holds their numbers.
    pub(super) fn shrink(&mut self) {
        if self.tables.len() > KEPT {
            self.numbers.clear();
            self.tables.clear();
        }
    }

    #[inline]
    pub(super) fn get(&self, table: u32) -> &Table {
        &self.tables[table as usize]
    }

    /// Returns the number of a state's table; makes the table if there is none.
    #[inline]
    pub(super) fn of(&mut self, automaton: &Automaton, state: StateId) -> u32 {
        match self.numbers.get(state.index()) {
            Some(&number) if number != Self::NONE => number,
            _ => self.make(automaton, state),
        }
    }

    #[cold]
    fn make(&mut self, automaton: &Automaton, state: StateId) -> u32 {
        if self.numbers.len() < automaton.states.len() {
            self.numbers.resize(automaton.states.len(), Self::NONE);
        }
        let number = self.tables.len() as u32;
        self.numbers[state.index()] = number;
        let codes = codes(automaton, state);
        let mut live = [0; 4];
        let is_live = |byte: &u8| codes[usize::from(*byte)] != DEAD;
        (0..=u8::MAX).filter(is_live).for_each(|byte| insert(&mut live, byte));
        self.tables.push(Table {
            codes,
            live,
            accept: automaton.states[state.index()].accept,
            may_be_free: automaton.derived.free(state) != Free::No,
        });
        number
    }
}

fn codes(automaton: &Automaton, id: StateId) -> [u32; 256] {
    let mut codes = [DEAD; 256];
    let state = &automaton.states[id.index()];
    for (offset, edge) in automaton.edges(id).iter().enumerate() {
        let simple = edge.op == OpId::NONE && !automaton.derived.is_bare(edge.to);
        let code = if simple { edge.to.0 + 1 } else { WITH_OP | (state.edges.first + offset as u32) };
        for slot in &mut codes[usize::from(edge.lo)..=usize::from(edge.hi)] {
            *slot = if *slot == DEAD { code } else { SLOW };
        }
    }
    for call in automaton.calls(id) {
        let first = automaton.rules[call.rule.index()].first;
        for (byte, slot) in codes.iter_mut().enumerate() {
            if first[byte >> 6] >> (byte & 63) & 1 == 1 {
                *slot = SLOW;
            }
        }
    }
    if state.kind == StateKind::Text {
        codes[..0x20].fill(DEAD);
        codes[usize::from(b'\\')] = SLOW;
        codes[usize::from(b'"')] = if state.close.is_some() { SLOW } else { DEAD };
    }
    codes
}
