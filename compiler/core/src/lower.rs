//! Lowering: turns the trees of input languages into the input of automaton construction.

pub mod grammar;
pub mod json;

use ogc_regular::{LimitError, budget};

/// Charges the memory of states and edges to the budget before they are added to the automaton.
pub(crate) fn automaton_bytes(states: usize, edges: usize) -> Result<(), LimitError> {
    // Covers the builder's form, the final layout, and the copies in between.
    budget::keep(states.saturating_mul(200).saturating_add(edges.saturating_mul(80)))
}
