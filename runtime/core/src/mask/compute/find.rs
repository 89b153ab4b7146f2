//! Looks up bases and tails that the store has, for callers without a walker to compute them.

use crate::automaton::Automaton;
use crate::mask::classes::{canonical, key};
use crate::mask::exit_set::ExitSet;
use crate::mask::part::{Base, Tail};
use crate::mask::store::MaskStore;
use crate::step::{Head, Stack};

impl MaskStore {
    /// Looks up the base of a head. `stack` holds the head's key set, if it has one.
    pub(crate) fn find_base(&self, automaton: &Automaton, stack: &Stack, head: Head) -> Option<Base> {
        let head = canonical(automaton, head, self.longest());
        self.known_base(&key(automaton, stack, &head))
    }

    /// Looks up the tail of a return state (as the head it becomes) after some exits.
    pub(crate) fn find_tail(&self, automaton: &Automaton, stack: &Stack, exits: &ExitSet, head: Head) -> Option<Tail> {
        let head = canonical(automaton, head, self.longest());
        self.known_tail(&(exits.clone(), key(automaton, stack, &head)))
    }
}
