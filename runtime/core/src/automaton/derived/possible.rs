//! For each state inside a key: the declared keys that its text can still become.

use crate::automaton::grouped::Grouped;
use crate::automaton::ids::StateId;

/// For each state of a rule inside a key of an object in declared order: the declared keys that its text can still become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct PossibleKeys {
    /// For each state: the start and the length of its list; `None` if it has none. Empty if no state has a list.
    lists: Vec<Option<(u32, u32)>>,
    keys: Vec<u32>,
}

impl PossibleKeys {
    /// Returns the declared keys that `state` depends on, ascending; `None` if it may depend on others too. `state` is its number within
    /// the rule.
    #[inline]
    pub(in crate::automaton) fn of(&self, state: u32) -> Option<&[u32]> {
        let (from, len) = (*self.lists.get(state as usize)?)?;
        self.keys.get(from as usize..(from + len) as usize)
    }

    /// Estimates the bytes of the lists of a rule with this many states, assuming that most can become one key.
    pub(in crate::automaton) fn expected_bytes(states: usize) -> usize {
        states * (size_of::<Option<(u32, u32)>>() + size_of::<u32>())
    }

    /// Returns the size of the lists in bytes.
    pub(in crate::automaton) fn bytes(&self) -> usize {
        self.lists.capacity() * size_of::<Option<(u32, u32)>>() + self.keys.capacity() * size_of::<u32>()
    }

    /// Makes the list of keys of each known state. A pair is a key and a state; each state's keys come in ascending order.
    pub(in crate::automaton) fn of_pairs(known: &[bool], pairs: &[(u32, u32)]) -> Self {
        let by_state = Grouped::new(known.len(), || pairs.iter().map(|&(key, state)| (StateId(state), key)));
        let (mut lists, mut keys) = (vec![None; known.len()], Vec::with_capacity(pairs.len()));
        for state in (0..known.len()).filter(|&state| known[state]) {
            let own = by_state.of(state);
            lists[state] = Some((keys.len() as u32, own.len() as u32));
            keys.extend_from_slice(own);
        }
        Self { lists, keys }
    }
}
