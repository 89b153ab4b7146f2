//! Lowering: turns the trees of input languages into what the automaton is built from.

pub mod grammar;
pub mod json;

use ogc_regular::{LimitError, budget};

/// Draws the memory of states and edges of the automaton before they are added to it.
pub(crate) fn automaton_bytes(states: usize, edges: usize) -> Result<(), LimitError> {
    // As the builder keeps them, as they are laid out, and between.
    budget::keep(states.saturating_mul(200).saturating_add(edges.saturating_mul(80)))
}
