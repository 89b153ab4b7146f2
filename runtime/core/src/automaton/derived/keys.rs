//! Tables of one rule of objects that masks inside keys look up.

use super::{AlikeStates, OnDemand, PossibleKeys};

/// The tables of a rule of objects, each made when a mask inside one of its keys asks for it. States are numbered from the rule's
/// first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct KeyTables {
    /// The declared keys that a state's text can still become.
    pub(in crate::automaton) possible: OnDemand<PossibleKeys>,
    /// The state that a state reads nearly all text as.
    pub(in crate::automaton) alike: OnDemand<AlikeStates>,
}

impl KeyTables {
    /// Estimates the bytes of the tables of a rule of so many states: few states are alike to others, and most can become one key.
    pub(in crate::automaton) fn expected_bytes(states: usize) -> usize {
        size_of::<Self>() + states * size_of::<u32>() + PossibleKeys::expected_bytes(states)
    }

    /// Returns the bytes of the tables of a rule of so many states; those that are not made yet are estimated.
    pub(in crate::automaton) fn bytes(&self, states: usize) -> usize {
        let alike = self.alike.made().map_or(states * size_of::<u32>(), AlikeStates::bytes);
        let possible = self.possible.made().map_or(PossibleKeys::expected_bytes(states), PossibleKeys::bytes);
        size_of::<Self>() + alike + possible
    }
}
