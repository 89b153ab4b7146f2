//! A table whose entries record whether they were used: a look-up marks its entry, under a lock that readers share.
//!
//! It consists of [shards](super::shards), so that no insertion moves the whole table.

use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};

use super::shards::Shards;

/// A value, and whether it was looked up since the mark was last cleared.
#[derive(Debug)]
struct Used<V> {
    value: V,
    is_used: AtomicBool,
}

/// The result of trying to remove an entry.
#[derive(Debug)]
pub(super) enum Taken<V> {
    /// The entry was used, and stays for now.
    Used,
    /// The entry is removed.
    Out(V),
    /// There is no such entry.
    Missing,
}

/// Entries by key.
#[derive(Debug)]
pub(super) struct UsedTable<K, V> {
    shards: Shards<K, Used<V>>,
    len: usize,
}

impl<K, V> Default for UsedTable<K, V> {
    fn default() -> Self {
        Self { shards: Shards::default(), len: 0 }
    }
}

impl<K: Hash + Eq, V> UsedTable<K, V> {
    /// The bytes of an entry in the table, at the usual load factor.
    pub(super) const ENTRY: usize = 3 * size_of::<(K, Used<V>)>() / 2;

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Looks an entry up, and marks it as used.
    #[inline]
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let found = self.shards.of(key).get(key)?;
        // Entries in use are mostly marked already. Reading before writing keeps the cache line shared between threads.
        if !found.is_used.load(Ordering::Relaxed) {
            found.is_used.store(true, Ordering::Relaxed);
        }
        Some(&found.value)
    }

    /// Adds an entry; returns the value that it replaces.
    pub(super) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let fresh = Used { value, is_used: AtomicBool::new(false) };
        let replaced = self.shards.of_mut(&key).insert(key, fresh);
        self.len += usize::from(replaced.is_none());
        replaced.map(|replaced| replaced.value)
    }

    /// Removes an entry. If `spares` is set and the entry was used, only clears its mark instead.
    pub(super) fn take(&mut self, key: &K, spares: bool) -> Taken<V> {
        let shard = self.shards.of_mut(key);
        let Some(found) = shard.get_mut(key) else { return Taken::Missing };
        if std::mem::take(found.is_used.get_mut()) && spares {
            return Taken::Used;
        }
        let Some(taken) = shard.remove(key) else { return Taken::Missing };
        self.len -= 1;
        Taken::Out(taken.value)
    }
}
