//! A table whose entries record whether they were used: a look-up marks its entry, under a lock that readers share.

use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

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
pub(super) struct UsedTable<K, V>(FxHashMap<K, Used<V>>);

impl<K, V> Default for UsedTable<K, V> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Hash + Eq, V> UsedTable<K, V> {
    /// The bytes of an entry in the table, at the usual load factor.
    pub(super) const ENTRY: usize = 3 * size_of::<(K, Used<V>)>() / 2;

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Looks an entry up, and marks it as used.
    #[inline]
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let found = self.0.get(key)?;
        // Entries in use are mostly marked already. Reading before writing keeps the cache line shared between threads.
        if !found.is_used.load(Ordering::Relaxed) {
            found.is_used.store(true, Ordering::Relaxed);
        }
        Some(&found.value)
    }

    /// Adds an entry; returns the value that it replaces.
    pub(super) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let replaced = self.0.insert(key, Used { value, is_used: AtomicBool::new(false) });
        replaced.map(|replaced| replaced.value)
    }

    /// Removes an entry. If `spares` is set and the entry was used, only clears its mark instead.
    pub(super) fn take(&mut self, key: &K, spares: bool) -> Taken<V> {
        let Some(found) = self.0.get_mut(key) else { return Taken::Missing };
        if std::mem::take(found.is_used.get_mut()) && spares {
            return Taken::Used;
        }
        self.0.remove(key).map_or(Taken::Missing, |taken| Taken::Out(taken.value))
    }
}
