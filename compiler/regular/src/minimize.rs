//! Minimises automata.

use crate::dfa::Dfa;
use crate::equivalence;
use crate::graph::Graph;
use crate::state::{DfaState, Edge, StateId};
use crate::utf8::push_edge;

impl Dfa {
    /// Returns the minimal automaton of the same language; equal languages give equal automata.
    #[must_use]
    pub fn minimize(&self) -> Self {
        self.smaller().unwrap_or_else(|| self.clone())
    }

    /// Makes the automaton minimal.
    #[must_use]
    pub(crate) fn minimized(self) -> Self {
        self.smaller().unwrap_or(self)
    }

    /// Returns the minimal automaton of the same language, or `None` if this automaton is minimal already.
    fn smaller(&self) -> Option<Self> {
        let kinds: Vec<u32> = self.states().iter().map(|state| state.accept.into()).collect();
        let edges: Vec<&[Edge]> = self.states().iter().map(|state| state.edges.as_slice()).collect();
        let blocks = equivalent(&edges, &kinds);
        if blocks.iter().max().is_some_and(|&last| last as usize + 1 == self.len()) {
            return None;
        }
        // Breadth-first order sorts states by the least text that leads to them. The least text of a block is the least
        // text of its first state. So blocks in the order of their first states are in breadth-first order already.
        Some(Self::of_canonical(quotient(
            &blocks,
            self.states(),
            |state, edges| DfaState { accept: state.accept, edges },
            |state| &state.edges,
        )))
    }
}

/// Returns the equivalence class (block) of each state, in the order of their first states.
pub(crate) fn equivalent(edges: &[&[Edge]], kinds: &[u32]) -> Vec<u32> {
    // Once the budget is exhausted, the result is discarded.
    equivalence::equivalent(&Graph::of_edges(edges), kinds).unwrap_or_else(|_| (0..edges.len() as u32).collect())
}

/// Builds the quotient automaton: one state for each block, made from the block's first member.
pub(crate) fn quotient<S, T: Default>(
    blocks: &[u32],
    states: &[S],
    make: impl Fn(&S, Vec<Edge>) -> T,
    edges: impl Fn(&S) -> &[Edge],
) -> Vec<T> {
    let count = blocks.iter().max().map_or(0, |&last| last as usize + 1);
    let mut made: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for (state, &block) in states.iter().zip(blocks) {
        let slot = &mut made[block as usize];
        if slot.is_none() {
            let mut moved = Vec::with_capacity(edges(state).len());
            for edge in edges(state) {
                push_edge(&mut moved, edge.lo, edge.hi, StateId(blocks[edge.to.index()]));
            }
            *slot = Some(make(state, moved));
        }
    }
    made.into_iter().map(Option::unwrap_or_default).collect()
}
