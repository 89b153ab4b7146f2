//! Tables of one rule of objects that masks inside keys look up.

use super::{AlikeStates, OnDemand, PossibleKeys};

/// The tables of a rule of objects, each computed when a mask inside one of the rule's keys needs it. States are numbered within the rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct KeyTables {
    /// For each state: the declared keys that its text can still become.
    pub(in crate::automaton) possible: OnDemand<PossibleKeys>,
    /// For each state: the state that reads nearly all text in the same way.
    pub(in crate::automaton) alike: OnDemand<AlikeStates>,
}

impl KeyTables {
    /// Estimates the bytes of the tables of a rule with this many states, assuming that few states have an alike state and most can become
    /// one key.
    pub(in crate::automaton) fn expected_bytes(states: usize) -> usize {
        size_of::<Self>() + states * size_of::<u32>() + PossibleKeys::expected_bytes(states)
    }

    /// Returns the bytes of the tables of a rule with this many states; tables that are not computed yet are estimated.
    pub(in crate::automaton) fn bytes(&self, states: usize) -> usize {
        let alike = self.alike.made().map_or(states * size_of::<u32>(), AlikeStates::bytes);
        let possible = self.possible.made().map_or(PossibleKeys::expected_bytes(states), PossibleKeys::bytes);
        size_of::<Self>() + alike + possible
    }
}
