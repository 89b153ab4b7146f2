//! The states of a rule that read the same short texts.

use crate::automaton::ids::StateId;

/// The states of a rule that agree on texts, by the length of the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct Similar {
    /// The first state of the rule.
    pub(in crate::automaton) first: u32,
    /// By round, from 0 on, and state: the number of the set of states that agree with it. Empty if the rule is too small or
    /// too large.
    pub(in crate::automaton) rounds: Vec<Box<[u32]>>,
    /// Whether another round would tell no more states apart.
    pub(in crate::automaton) is_final: bool,
    /// By state: the first one that is similar to it.
    pub(in crate::automaton) representatives: Box<[u32]>,
}

impl Similar {
    /// Returns the state with which `state` is compared, if it is another one.
    pub(in crate::automaton) fn representative(&self, state: StateId) -> Option<StateId> {
        let representative = *self.representatives.get((state.0 - self.first) as usize)?;
        Some(StateId(self.first + representative)).filter(|&other| other != state)
    }

    /// Returns the bytes of the rounds.
    pub(in crate::automaton) fn bytes(&self) -> usize {
        let rounds: usize = self.rounds.iter().map(|round| size_of_val(&**round)).sum();
        rounds + self.rounds.capacity() * size_of::<Box<[u32]>>() + size_of_val(&*self.representatives)
    }

    /// Returns whether both states have the same effect on every text of up to `length` bytes; `false` may be wrong.
    pub(in crate::automaton) fn agree(&self, one: StateId, other: StateId, length: usize) -> bool {
        let known = self.rounds.len().saturating_sub(1);
        let round = if self.is_final { length.min(known) } else { length };
        let of = |state: StateId| self.rounds.get(round)?.get(state.0.checked_sub(self.first)? as usize);
        of(one).is_some_and(|number| of(other) == Some(number))
    }
}
