//! For the states of a rule: which of them agree on short texts.

use crate::automaton::ids::StateId;

/// For the states of a rule: which of them agree on texts of each length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct Similar {
    /// The first state of the rule.
    pub(in crate::automaton) first: u32,
    /// By round (from 0), then state: the number of the set of states that agree with it. Empty if the rule is too small or too large.
    pub(in crate::automaton) rounds: Vec<Box<[u32]>>,
    /// Whether another round would split no set.
    pub(in crate::automaton) is_final: bool,
    /// For each state: the first state that is similar to it.
    pub(in crate::automaton) representatives: Box<[u32]>,
}

impl Similar {
    /// Returns the first state that is similar to `state`; `None` if that is `state` itself.
    pub(in crate::automaton) fn representative(&self, state: StateId) -> Option<StateId> {
        let representative = *self.representatives.get((state.0 - self.first) as usize)?;
        Some(StateId(self.first + representative)).filter(|&other| other != state)
    }

    /// Returns the size of the table in bytes.
    pub(in crate::automaton) fn bytes(&self) -> usize {
        let rounds: usize = self.rounds.iter().map(|round| size_of_val(&**round)).sum();
        rounds + self.rounds.capacity() * size_of::<Box<[u32]>>() + size_of_val(&*self.representatives)
    }

    /// Returns whether both states have the same effect on every text of up to `length` bytes. May return `false` for states that do agree.
    pub(in crate::automaton) fn agree(&self, one: StateId, other: StateId, length: usize) -> bool {
        let known = self.rounds.len().saturating_sub(1);
        let round = if self.is_final { length.min(known) } else { length };
        let of = |state: StateId| self.rounds.get(round)?.get(state.0.checked_sub(self.first)? as usize);
        of(one).is_some_and(|number| of(other) == Some(number))
    }
}
