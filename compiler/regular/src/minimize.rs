//! Minimises automata.

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::partition::{Transition, blocks, byte_classes};
use crate::state::{DfaState, Edge, StateId};

impl Dfa {
    /// Returns the minimal automaton of the same language; equal languages give equal automata.
    #[must_use]
    pub fn minimize(&self) -> Self {
        let kinds: Vec<u32> = self.states().iter().map(|state| state.accept.into()).collect();
        let edges: Vec<&[Edge]> = self.states().iter().map(|state| state.edges.as_slice()).collect();
        let blocks = equivalent(&edges, &kinds);
        let states =
            quotient(&blocks, self.states(), |state, edges| DfaState { accept: state.accept, edges }, |s| &s.edges);
        Self::from_states(states)
    }
}

/// Returns the equivalence class (block) of each state, with state 0 in block 0.
pub(crate) fn equivalent(edges: &[&[Edge]], kinds: &[u32]) -> Vec<u32> {
    let classes = byte_classes(edges.iter().copied().flatten().map(|edge| (edge.lo, edge.hi)));
    let labels = |edge: &Edge| usize::from(classes[edge.hi as usize] - classes[edge.lo as usize]) + 1;
    let count = edges.iter().copied().flatten().map(labels).sum();
    let mut loan = Loan::default();
    // Where there is no budget left, the result is not used.
    if refinement(&mut loan, edges.len(), count).is_err() {
        return (0..edges.len() as u32).collect();
    }
    let mut moves = Vec::with_capacity(count);
    for (from, edges) in edges.iter().enumerate() {
        for edge in *edges {
            let labels = classes[edge.lo as usize]..=classes[edge.hi as usize];
            moves.extend(labels.map(|label| Transition { from: from as u32, label: label.into(), to: edge.to.0 }));
        }
    }
    let mut blocks = blocks(edges.len(), &moves, |state| kinds[state as usize]);
    let first = blocks.first().copied().unwrap_or(0);
    for block in &mut blocks {
        *block = if *block == first {
            0
        } else if *block == 0 {
            first
        } else {
            *block
        };
    }
    blocks
}

/// Draws the budget for refining a partition: each state and each move is in about ten tables of four bytes.
pub(crate) fn refinement(loan: &mut Loan, states: usize, moves: usize) -> Result<(), LimitError> {
    budget::work(states + moves)?;
    loan.grow((states + moves) * 40)
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
            let moved = edges(state).iter().map(|edge| Edge { to: StateId(blocks[edge.to.index()]), ..*edge });
            *slot = Some(make(state, moved.collect()));
        }
    }
    made.into_iter().map(Option::unwrap_or_default).collect()
}
