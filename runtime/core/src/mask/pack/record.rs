//! The plain records of a mask pack, and the hash of its open-addressing tables. Little-endian.

use crate::artifact::record::record;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// No row: the empty set.
pub(super) const NO_ROW: u32 = u32::MAX;

/// No exits.
pub(super) const NO_EXITS: u32 = 0;

/// The state of an empty slot.
pub(super) const EMPTY: u32 = u32::MAX;

/// Words of an aligned block of row data.
pub(super) const BLOCK: usize = 16;

/// Kinds of rows.
pub(super) const SPARSE: u32 = 0;
pub(super) const DENSE: u32 = 1;
pub(super) const DELTA: u32 = 2;

record!(
    /// Whose masks these are.
    MasksRecord {
        vocabulary: [u8; 32],
        format: [u8; 32],
        /// Ids of the vocabulary.
        tokens: u32,
        /// Nodes of its trie.
        nodes: u32,
        /// Bytes of its longest token.
        longest: u32,
        /// Nothing reachable was left out.
        complete: u32,
        /// Left out: keys, tails.
        left_out: [u32; 2],
        reserved: [u32; 2],
    }
);

record!(
    /// A row's place in the row data, in blocks. Sparse: `len` tokens. Dense: `len` words. Delta: `len` tokens added, then
    /// `removed` tokens, against dense row `base`.
    RowRecord {
        kind: u32,
        at: u32,
        len: u32,
        removed: u32,
        base: u32,
    }
);

record!(
    /// A range of the exit nodes.
    ExitsRecord {
        at: u32,
        len: u32,
    }
);

record!(
    /// The base of a state: [`crate::mask::store::Base`] with pack numbers.
    BaseRecord {
        row: u32,
        exits: u32,
        at_once: u32,
    }
);

record!(
    /// A slot: the base of a state with registers. Empty if `state` is [`EMPTY`].
    KeyRecord {
        state: u32,
        a: u32,
        b: u32,
        esc: u32,
        aux: [u32; 4],
        base: u32,
    }
);

record!(
    /// A slot: what a return state reads after exits. Empty if `state` is [`EMPTY`].
    TailRecord {
        exits: u32,
        state: u32,
        a: u32,
        b: u32,
        aux: [u32; 4],
        row: u32,
        next: u32,
    }
);

/// What a table's slots are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) state: u32,
    /// Escape of a base, exits of a tail.
    pub(super) extra: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) aux: [u32; 4],
}

impl Key {
    /// Part of the format of artifacts: do not change without a new version.
    #[inline]
    pub(super) fn hash(&self) -> usize {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut hash = 0u64;
        let mut add = |low: u32, high: u32| {
            let word = u64::from(low) | u64::from(high) << 32;
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
        };
        add(self.state, self.extra);
        add(self.a, self.b);
        add(self.aux[0], self.aux[1]);
        if (self.aux[2], self.aux[3]) != (0, 0) {
            add(self.aux[2], self.aux[3]);
        }
        (hash ^ hash >> 29) as usize
    }
}

/// A record of an open-addressing table with linear probing and a power of two of slots.
pub(super) trait Slot: Copy {
    fn key(&self) -> Option<Key>;
    fn empty() -> Self;
}

impl Slot for KeyRecord {
    #[inline]
    fn key(&self) -> Option<Key> {
        (self.state != EMPTY).then_some(Key { state: self.state, extra: self.esc, a: self.a, b: self.b, aux: self.aux })
    }

    fn empty() -> Self {
        Self { state: EMPTY, a: 0, b: 0, esc: 0, aux: [0; 4], base: 0 }
    }
}

impl Slot for TailRecord {
    #[inline]
    fn key(&self) -> Option<Key> {
        (self.state != EMPTY).then_some(Key {
            state: self.state,
            extra: self.exits,
            a: self.a,
            b: self.b,
            aux: self.aux,
        })
    }

    fn empty() -> Self {
        Self { exits: 0, state: EMPTY, a: 0, b: 0, aux: [0; 4], row: NO_ROW, next: NO_EXITS }
    }
}

/// The slot of a key.
#[inline]
pub(super) fn find<T: Slot>(slots: &[T], key: &Key) -> Option<T> {
    let mask = slots.len().checked_sub(1)?;
    let start = key.hash();
    for step in 0..slots.len() {
        let slot = slots.get(start.wrapping_add(step) & mask)?;
        match slot.key() {
            Some(other) if other == *key => return Some(*slot),
            Some(_) => {}
            None => return None,
        }
    }
    None
}

/// A table of the records, at most half full; the order of the records decides where they lie.
pub(super) fn table<T: Slot>(records: &[T]) -> Vec<T> {
    let len = (2 * records.len()).next_power_of_two().max(2);
    let mut slots = vec![T::empty(); len];
    for record in records {
        let Some(key) = record.key() else { continue };
        let mut at = key.hash() & (len - 1);
        while slots[at].key().is_some() {
            at = (at + 1) & (len - 1);
        }
        slots[at] = *record;
    }
    slots
}
