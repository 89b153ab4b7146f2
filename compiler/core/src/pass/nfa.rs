//! Nondeterministic automata with epsilon moves, the form of a rule between its expression and its states.

use ogc_regular::LimitError;
use ogc_regular::{Dfa, budget};

/// Index of a unit, which becomes one rule of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct UnitId(pub(crate) u32);

impl UnitId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The effect of a move on the countdowns of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Guard {
    /// No effect.
    None,
    /// Begins a repetition after which more must follow.
    Mandatory,
    /// Begins the last mandatory repetition.
    Last,
    /// Begins a repetition, if one is left.
    Optional,
}

/// The symbol that a move reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Label {
    /// One byte from a range.
    Bytes(u8, u8),
    /// A text of a unit that is called with these countdowns; never the empty text.
    Call(UnitId, u32, u32),
}

/// A move that reads a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) label: Label,
    pub(crate) guard: Guard,
    pub(crate) to: u32,
}

/// A state.
#[derive(Clone, Debug, Default)]
pub(crate) struct NfaState {
    pub(crate) silent: Vec<u32>,
    pub(crate) moves: Vec<Move>,
    pub(crate) origin: u32,
}

/// An automaton. Invariants: nothing leads to `START`; nothing leaves `END`, the only accepting state.
#[derive(Clone, Debug)]
pub(crate) struct Nfa {
    pub(crate) states: Vec<NfaState>,
}

const STATES: &str = "nondeterministic states of the grammar";

/// The start of every automaton.
pub(crate) const START: u32 = 0;
/// The end of every automaton.
pub(crate) const END: u32 = 1;

impl Nfa {
    /// Makes an automaton with an unconnected start and end.
    pub(crate) fn new() -> Nfa {
        Nfa { states: vec![NfaState::default(), NfaState::default()] }
    }

    pub(crate) fn state(&mut self) -> u32 {
        self.states.push(NfaState::default());
        (self.states.len() - 1) as u32
    }

    pub(crate) fn silent(&mut self, from: u32, to: u32) {
        self.states[from as usize].silent.push(to);
    }

    pub(crate) fn read(&mut self, from: u32, label: Label, to: u32, origin: u32) {
        let state = &mut self.states[from as usize];
        state.moves.push(Move { label, guard: Guard::None, to });
        state.origin = origin;
    }

    /// Charges the memory of states that are about to be added.
    pub(crate) fn reserve(&self, states: usize, moves: usize, others: usize, limit: usize) -> Result<(), LimitError> {
        let given = others.saturating_add(self.states.len()).saturating_add(states);
        LimitError::check(STATES, given, limit)?;
        budget::work(4 * (states + moves))?;
        budget::keep(states * size_of::<NfaState>() + moves * 2 * size_of::<Move>())
    }

    /// Embeds a regular language between two states. `from` may serve as its start, if nothing leads back there.
    pub(crate) fn machine(&mut self, dfa: &Dfa, from: u32, to: u32, origin: u32) {
        let returns = dfa.states().iter().any(|state| state.edges.iter().any(|edge| edge.to == dfa.start()));
        let mut place = vec![from; dfa.len()];
        for (at, state) in dfa.states().iter().enumerate() {
            if at == 0 && !returns {
                continue;
            }
            place[at] = if at > 0 && state.accept && state.edges.is_empty() { to } else { self.state() };
        }
        if returns {
            self.silent(from, place[0]);
        }
        for (state, &at) in dfa.states().iter().zip(&place) {
            if state.accept && at != to {
                self.silent(at, to);
            }
            for edge in &state.edges {
                self.read(at, Label::Bytes(edge.lo, edge.hi), place[edge.to.index()], origin);
            }
        }
    }

    /// Returns an error if this automaton has more than `limit` states together with `others` states of other automata.
    pub(crate) fn check(&self, others: usize, limit: usize) -> Result<(), LimitError> {
        LimitError::check(STATES, others + self.states.len(), limit)
    }
}

/// Buffers for epsilon closures; marks are valid for one round only.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    marks: Vec<u32>,
    round: u32,
    open: Vec<u32>,
    /// The states reached in the last round, ascending.
    pub(crate) found: Vec<u32>,
}

impl Closure {
    /// Computes the epsilon closure of `from`.
    pub(crate) fn of(&mut self, nfa: &Nfa, from: &[u32]) -> &[u32] {
        self.marks.resize(nfa.states.len().max(self.marks.len()), 0);
        self.round += 1;
        self.found.clear();
        self.open.extend(from);
        while let Some(state) = self.open.pop() {
            if std::mem::replace(&mut self.marks[state as usize], self.round) != self.round {
                self.found.push(state);
                self.open.extend(&nfa.states[state as usize].silent);
            }
        }
        self.found.sort_unstable();
        &self.found
    }

    /// Returns the moves that can come first from `from`.
    pub(crate) fn moves(&mut self, nfa: &Nfa, from: u32) -> Vec<Move> {
        self.of(nfa, &[from]).iter().flat_map(|&state| nfa.states[state as usize].moves.iter().copied()).collect()
    }
}
