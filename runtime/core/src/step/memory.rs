//! The memory of a frame beside its countdowns.

use super::way_tree::WayId;

/// The least word that refers to a set of keys; smaller words are numbers.
const SET_BASE: u32 = 1 << 31;

/// The least word that refers to seen items.
const SEEN_BASE: u32 = 5 << 29;

/// The least word that refers to a way.
const WAY_BASE: u32 = 3 << 30;

/// Identifies a set of seen keys in the [`super::Stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// Identifies the items of an array, or the keys of an object, that have occurred in the text that the [`super::Stack`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SeenId(pub(crate) u32);

/// The content of a [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remembered {
    /// For an object with keys in declared order: the least declared index that may still come (see [`super::keys`]). In a token-counted
    /// rule: the tokens left (see [`super::tokens`]). 0 in any other frame, and before the first key in any order.
    Number(u32),
    /// For an object with keys in any order: the keys seen.
    Keys(SetId),
    /// For an array without duplicate items: the items seen. For an object whose undeclared keys must differ: the keys seen.
    Seen(SeenId),
    /// For a frame with unknown registers: the operations that ran on it.
    Way(WayId),
}

/// A [`Remembered`] packed in a word, so that heads and frames stay small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Memory(u32);

impl Memory {
    /// The memory of a frame that has nothing to remember yet.
    pub(crate) const EMPTY: Memory = Memory(0);

    /// The greatest number that fits.
    pub(crate) const MAX_NUMBER: u32 = SET_BASE - 1;

    /// Makes the memory of a number, at most [`Memory::MAX_NUMBER`]; objects have fewer keys than that.
    #[inline]
    pub(crate) fn of_number(number: u32) -> Memory {
        Memory(number)
    }

    #[inline]
    pub(crate) fn of_keys(set: SetId) -> Memory {
        Memory(SET_BASE + set.0)
    }

    #[inline]
    pub(crate) fn of_seen(seen: SeenId) -> Memory {
        Memory(SEEN_BASE + seen.0)
    }

    #[inline]
    pub(crate) fn of_way(way: WayId) -> Memory {
        Memory(WAY_BASE + way.0)
    }

    /// Returns the content of the word.
    #[inline]
    pub(crate) fn get(self) -> Remembered {
        match self.0 {
            WAY_BASE.. => Remembered::Way(WayId(self.0 - WAY_BASE)),
            SEEN_BASE.. => Remembered::Seen(SeenId(self.0 - SEEN_BASE)),
            SET_BASE.. => Remembered::Keys(SetId(self.0 - SET_BASE)),
            number => Remembered::Number(number),
        }
    }

    /// Returns whether the word refers to a way, or to seen items.
    #[inline]
    pub(crate) fn names_more(self) -> bool {
        self.0 >= SEEN_BASE
    }

    /// Returns the way, if the word refers to one.
    #[inline]
    pub(crate) fn way(self) -> Option<WayId> {
        self.0.checked_sub(WAY_BASE).map(WayId)
    }

    /// Returns the word itself; for a number, this is the number.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_words_return_what_was_stored() {
        assert_eq!(Memory::EMPTY.get(), Remembered::Number(0));
        assert_eq!(Memory::of_number(Memory::MAX_NUMBER).get(), Remembered::Number(Memory::MAX_NUMBER));
        for n in [0, 1, (1 << 29) - 1] {
            assert_eq!(Memory::of_keys(SetId(n)).get(), Remembered::Keys(SetId(n)));
            assert_eq!(Memory::of_seen(SeenId(n)).get(), Remembered::Seen(SeenId(n)));
            assert_eq!(Memory::of_way(WayId(n)).get(), Remembered::Way(WayId(n)));
            assert_eq!(Memory::of_way(WayId(n)).way(), Some(WayId(n)));
            assert_eq!(Memory::of_keys(SetId(n)).way(), None);
        }
    }
}
