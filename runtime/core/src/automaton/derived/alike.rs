//! A state inside a key that another reads nearly all text as.

use crate::automaton::byte_set::{ByteSet, has, insert};
use crate::automaton::ids::{OpId, StateId};

/// The state that another one reads nearly all text as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    /// That state; none is alike to it in turn, so that there are no chains.
    pub(crate) state: StateId,
    /// The guard on the first byte: none, or one on keys, which changes no register.
    pub(crate) guard: OpId,
    /// The bytes of decoded text that lead both to the same place if the guard holds, as a 256-bit set.
    pub(in crate::automaton) same: ByteSet,
}

/// Per state of a rule inside a key: the state that it is alike to. Most states have none, so that the table has a number for each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::automaton) struct AlikeStates {
    /// Per state: the index in `found`, plus one; 0 for none. Empty if nothing was found.
    numbers: Box<[u32]>,
    found: Box<[Alike]>,
}

impl AlikeStates {
    /// Returns what a state is alike to; states are numbered from the rule's first one.
    #[inline]
    pub(in crate::automaton) fn of(&self, state: u32) -> Option<&Alike> {
        let number = *self.numbers.get(state as usize)?;
        self.found.get(number.checked_sub(1)? as usize)
    }

    /// Returns the bytes of the table.
    pub(in crate::automaton) fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + size_of_val(&*self.found)
    }
}

impl FromIterator<Option<Alike>> for AlikeStates {
    /// Makes the table from what each state is alike to, in order.
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
    /// Returns whether all these characters lead both states to the same place if the guard holds.
    pub(crate) fn agrees_on(&self, (lo, hi): (u32, u32)) -> bool {
        // By length of the UTF-8 sequence: the characters, how far to shift them for the bits in their lead byte, its marker.
        const FORMS: [(u32, u32, u32, u32); 4] =
            [(0, 0x7F, 0, 0), (0x80, 0x7FF, 6, 0xC0), (0x800, 0xFFFF, 12, 0xE0), (0x10000, 0x10_FFFF, 18, 0xF0)];
        FORMS.iter().all(|&(least, most, shift, marker)| {
            let (lo, hi) = (lo.max(least), hi.min(most));
            lo > hi || (marker + (lo >> shift)..=marker + (hi >> shift)).all(|byte| has(&self.same, byte as u8))
        })
    }

    /// Returns the bytes of decoded text that lead both states to the same place if the guard holds.
    pub(crate) fn same(&self) -> &ByteSet {
        &self.same
    }

    /// Returns the bytes of strings that may lead both states to different places: those that differ, quotes and backslashes.
    pub(crate) fn differing(&self) -> ByteSet {
        let mut set = self.same.map(|word| !word);
        b"\"\\".iter().for_each(|&byte| insert(&mut set, byte));
        set
    }
}
