//! Origins of automaton states in the source.

use always_assert::never;
use ogc_runtime::automaton::{Automaton, StateId};

/// Returns the origin of a state: its own, or that of its rule if it has none.
pub(super) fn origin(automaton: &Automaton, state: StateId) -> u32 {
    let rule = automaton.rule_of(state).origin;
    let Some(&own) = automaton.origins.get(state.index()) else {
        never!("state {} is none of the {} that have origins", state.0, automaton.origins.len());
        return rule;
    };
    if own == 0 { rule } else { own }
}
