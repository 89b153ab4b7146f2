//! An interner that counts, for each value, the entries that hold it.

use smallvec::SmallVec;

use super::shards::Shards;

/// A value, and the number of entries that hold it.
#[derive(Debug)]
struct Counted<T> {
    value: T,
    holders: u32,
    bytes: usize,
}

/// Interned values by hash. A value is dropped when no entry holds it any more, even if it is in use elsewhere.
#[derive(Debug)]
pub(super) struct Interner<T> {
    values: Shards<u64, SmallVec<[Counted<T>; 1]>>,
    len: usize,
    bytes: usize,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Shards::default(), len: 0, bytes: 0 }
    }
}

impl<T: Clone> Interner<T> {
    /// The bytes of a value's slot in the table, at the usual load factor.
    const PLACE: usize = 3 * size_of::<(u64, SmallVec<[Counted<T>; 1]>)>() / 2;

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of the values and of their slots in the table.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.len * Self::PLACE
    }

    /// Returns the value with this hash for which `is_same` holds.
    pub(super) fn get(&self, hash: u64, is_same: impl Fn(&T) -> bool) -> Option<T> {
        let found = self.values.of(&hash).get(&hash)?.iter().find(|counted| is_same(&counted.value))?;
        Some(found.value.clone())
    }

    /// Adds a value that no entry holds yet.
    pub(super) fn add(&mut self, hash: u64, value: T, bytes: usize) {
        self.values.of_mut(&hash).entry(hash).or_default().push(Counted { value, holders: 0, bytes });
        self.len += 1;
        self.bytes += bytes;
    }

    /// Adds an entry to the holders of a value; returns whether it is the first. `None` if the value is not interned.
    pub(super) fn hold(&mut self, hash: u64, is_same: impl Fn(&T) -> bool) -> Option<bool> {
        let counted = self.values.of_mut(&hash).get_mut(&hash)?.iter_mut().find(|counted| is_same(&counted.value))?;
        counted.holders += 1;
        Some(counted.holders == 1)
    }

    /// Removes one holder, and drops the value with the last.
    pub(super) fn release(&mut self, hash: u64, is_same: impl Fn(&T) -> bool) {
        let Some(bucket) = self.values.of_mut(&hash).get_mut(&hash) else { return };
        let Some(at) = bucket.iter().position(|counted| is_same(&counted.value)) else { return };
        bucket[at].holders = bucket[at].holders.saturating_sub(1);
        if bucket[at].holders > 0 {
            return;
        }
        let forgotten = bucket.swap_remove(at);
        if bucket.is_empty() {
            self.values.of_mut(&hash).remove(&hash);
        }
        self.len -= 1;
        self.bytes -= forgotten.bytes;
    }
}
