//! Deterministic automata over bytes, the form of every regular language in this project.

use std::sync::OnceLock;

use crate::state::{DfaState, Edge, StateId};
use crate::trim::trim;

/// A deterministic automaton over bytes.
///
/// Invariants: `states` is not empty, state 0 is the start, every edge's target exists, and, except for the start of
/// the empty language, every state is reachable and can reach an accepting state (the automaton is *trim*: a missing
/// edge leads to the dead state, which is not stored). States are numbered in breadth-first order by byte, so two
/// *minimal* automata are equal exactly when their languages are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    states: Vec<DfaState>,
}

impl Dfa {
    /// Estimates the memory that the automaton takes, in bytes.
    ///
    /// ```
    /// assert!(ogc_regular::Dfa::literal(b"abc").bytes() > 4 * size_of::<ogc_regular::DfaState>());
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        let edges = self.states().iter().map(|state| state.edges.len() * size_of::<Edge>() + 16);
        self.len() * size_of::<DfaState>() + edges.sum::<usize>()
    }

    /// Makes an automaton of arbitrary states, of which state 0 is the start.
    ///
    /// Drops unreachable and dead states, sorts and merges edges, and renumbers states. Edges to states that do not
    /// exist are dropped, and of two edges that overlap the one with the lesser `lo` keeps the common bytes.
    #[must_use]
    pub fn from_states(states: Vec<DfaState>) -> Self {
        Self { states: trim(states) }
    }

    /// Makes an automaton of states that already satisfy its invariants.
    pub(crate) fn of_canonical(states: Vec<DfaState>) -> Self {
        debug_assert_eq!(trim(states.clone()), states, "states are trim and in order");
        Self { states }
    }

    /// Returns all states; never empty.
    #[must_use]
    pub fn states(&self) -> &[DfaState] {
        &self.states
    }

    /// Returns one state, or `None` for an identifier of another automaton.
    #[must_use]
    pub fn get(&self, id: StateId) -> Option<&DfaState> {
        self.states.get(id.index())
    }

    /// Returns one state.
    ///
    /// # Panics
    ///
    /// If `id` is not of this automaton.
    #[must_use]
    pub fn state(&self, id: StateId) -> &DfaState {
        &self.states[id.index()]
    }

    /// Returns the start, state 0.
    #[must_use]
    pub fn start(&self) -> StateId {
        StateId(0)
    }

    /// Returns the number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns whether the language has no string.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.len() == 1 && !self.states[0].accept
    }

    /// Returns the state that `byte` leads to from `from`.
    #[must_use]
    pub fn step(&self, from: StateId, byte: u8) -> Option<StateId> {
        self.get(from)?.step(byte)
    }

    /// Returns the state after `text`, or `None` when no string of the language begins so.
    #[must_use]
    pub fn walk(&self, text: &[u8]) -> Option<StateId> {
        text.iter().try_fold(self.start(), |state, &byte| self.step(state, byte))
    }

    /// Returns whether `text` is in the language.
    #[must_use]
    pub fn contains(&self, text: &[u8]) -> bool {
        self.walk(text).is_some_and(|end| self.state(end).accept)
    }

    /// Returns whether the language is all valid UTF-8.
    #[must_use]
    pub fn is_universal(&self) -> bool {
        text().is_subset(self) && self.is_subset(text())
    }
}

/// Returns the automaton of all valid UTF-8, which is built once.
pub(crate) fn text() -> &'static Dfa {
    static TEXT: OnceLock<Dfa> = OnceLock::new();
    TEXT.get_or_init(Dfa::any_text)
}
