//! Pairs of states, one inside a key, that read nearly all text in the same way.

use crate::automaton::byte_set::{ByteSet, has, insert};
use crate::automaton::ids::{OpId, StateId};

/// The state that another state inside a key is alike to: both read nearly all text in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    /// The alike state. It has no alike state itself, so that there are no chains.
    pub(crate) state: StateId,
    /// The guard on the first byte: none, or a guard on keys, which changes no register.
    pub(crate) guard: OpId,
    /// The bytes of decoded text that lead to the same state from both if the guard holds, as a 256-bit set.
    pub(in crate::automaton) same: ByteSet,
}

/// Per state of a rule: the state that it is alike to inside a key. Most states have none, so that an index per state suffices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct AlikeStates {
    /// Per state: the index in `found`, plus one; 0 for none. Empty if `found` is.
    numbers: Box<[u32]>,
    found: Box<[Alike]>,
}

impl AlikeStates {
    /// Returns the state that `state` is alike to. `state` is its number within the rule.
    #[inline]
    pub(in crate::automaton) fn of(&self, state: u32) -> Option<&Alike> {
        let number = *self.numbers.get(state as usize)?;
        self.found.get(number.checked_sub(1)? as usize)
    }

    /// Returns the size of the table in bytes.
    pub(in crate::automaton) fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + size_of_val(&*self.found)
    }
}

impl FromIterator<Option<Alike>> for AlikeStates {
    /// Makes the table from the alike states of all states of a rule, in order.
    fn from_iter<I: IntoIterator<Item = Option<Alike>>>(all: I) -> Self {
        let mut found = Vec::new();
        let mut number = |alike: Option<Alike>| {
            alike.map_or(0, |alike| {
                found.push(alike);
                found.len() as u32
            })
        };
        let numbers: Box<[u32]> = all.into_iter().map(&mut number).collect();
        if found.is_empty() { Self::default() } else { Self { numbers, found: found.into() } }
    }
}

impl Alike {
    /// Returns whether all characters `lo..=hi` lead to the same state from both if the guard holds.
    pub(crate) fn agrees_on(&self, (lo, hi): (u32, u32)) -> bool {
        // For each length of a UTF-8 sequence: its first and last character, the shift to the bits in the lead byte, and the lead byte's
        // marker.
        const FORMS: [(u32, u32, u32, u32); 4] =
            [(0, 0x7F, 0, 0), (0x80, 0x7FF, 6, 0xC0), (0x800, 0xFFFF, 12, 0xE0), (0x10000, 0x10_FFFF, 18, 0xF0)];
        FORMS.iter().all(|&(least, most, shift, marker)| {
            let (lo, hi) = (lo.max(least), hi.min(most));
            lo > hi || (marker + (lo >> shift)..=marker + (hi >> shift)).all(|byte| has(&self.same, byte as u8))
        })
    }

    /// Returns the bytes of decoded text that lead to the same state from both if the guard holds.
    pub(crate) fn same(&self) -> &ByteSet {
        &self.same
    }

    /// Returns the raw bytes of a string that may lead to different states: those that differ when decoded, quotes and backslashes.
    pub(crate) fn differing(&self) -> ByteSet {
        let mut set = self.same.map(|word| !word);
        b"\"\\".iter().for_each(|&byte| insert(&mut set, byte));
        set
    }
}
