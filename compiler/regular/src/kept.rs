//! Results that all compilations of a process share: the same patterns, formats and sets of numbers recur again and
//! again.
//!
//! A compilation pays for a result from its own budget, whether the result was computed or found in the table. Its
//! outcome therefore does not depend on what other compilations left behind, and results may be dropped at any time: a
//! table is bounded in bytes, and drops the results that were not used for a while.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::budget::{self, Drawn};

/// Bytes of an entry besides its key and value.
const ENTRY: usize = 128;

/// A bounded cache of results for the whole process.
///
/// ```
/// use ogc_regular::kept::Kept;
/// static SQUARES: Kept<u64, u64> = Kept::new(1_000);
/// assert_eq!(SQUARES.get(&3, |key| key * key, |_| 8).as_ref(), &9);
/// ```
#[derive(Debug)]
pub struct Kept<K, V> {
    most: usize,
    tables: Mutex<Option<Generations<K, V>>>,
}

/// Results in two generations by last use: when the newer one is full, the older one is dropped.
#[derive(Debug)]
struct Generations<K, V> {
    new: FxHashMap<K, Entry<V>>,
    old: FxHashMap<K, Entry<V>>,
    /// Bytes held by `new`.
    bytes: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: Arc<V>,
    drawn: Drawn,
    bytes: usize,
}

impl<V> Clone for Entry<V> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), ..*self }
    }
}

impl<K: Hash + Eq + Clone, V> Kept<K, V> {
    /// Makes an empty table that holds at most `most` bytes.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { most, tables: Mutex::new(None) }
    }

    /// Returns the result for a key. Computes it if it is absent, and then keeps it unless the budget was exhausted
    /// meanwhile.
    ///
    /// `bytes` returns how much memory a result and its key take.
    pub fn get(&self, key: &K, make: impl FnOnce(&K) -> V, bytes: impl FnOnce(&V) -> usize) -> Arc<V> {
        if let Some(found) = self.found(key) {
            found.drawn.draw();
            return found.value;
        }
        let (value, drawn) = budget::metered(|| make(key));
        let value = Arc::new(value);
        if let Some(drawn) = drawn {
            let bytes = bytes(&value).saturating_add(ENTRY);
            self.keep(key.clone(), Entry { value: Arc::clone(&value), drawn, bytes });
        }
        value
    }

    /// Drops all results.
    pub fn clear(&self) {
        let dropped = self.tables.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Freeing the memory happens outside the lock.
        drop(dropped);
    }

    fn found(&self, key: &K) -> Option<Entry<V>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = tables.as_mut()?;
        if let Some(entry) = tables.new.get(key) {
            return Some(entry.clone());
        }
        let (key, entry) = tables.old.remove_entry(key)?;
        let found = entry.clone();
        tables.insert(key, entry, self.most / 2);
        Some(found)
    }

    fn keep(&self, key: K, entry: Entry<V>) {
        if entry.bytes <= self.most / 2 {
            let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.get_or_insert_with(Generations::default).insert(key, entry, self.most / 2);
        }
    }

    #[cfg(test)]
    fn held(&self) -> usize {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = tables.iter().flat_map(|tables| tables.new.values().chain(tables.old.values()));
        entries.map(|entry| entry.bytes).sum()
    }
}

impl<K, V> Default for Generations<K, V> {
    fn default() -> Self {
        Self { new: FxHashMap::default(), old: FxHashMap::default(), bytes: 0 }
    }
}

impl<K: Hash + Eq, V> Generations<K, V> {
    fn insert(&mut self, key: K, entry: Entry<V>, most: usize) {
        if self.bytes + entry.bytes > most {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        self.bytes += entry.bytes;
        if let Some(other) = self.new.insert(key, entry) {
            self.bytes -= other.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::{ENTRY, Kept};
    use crate::budget::{self, Allowance};
    use crate::limits::LimitError;

    /// Draws as much work as the key says.
    fn drawn(key: &usize) -> Result<usize, LimitError> {
        budget::work(*key)?;
        let mut loan = budget::Loan::default();
        loan.grow(2 * key)?;
        Ok(*key)
    }

    #[test]
    fn a_cached_result_draws_as_much_budget_as_a_computed_one() {
        let kept: Kept<usize, Result<usize, LimitError>> = Kept::new(100 * ENTRY);
        let mut random = Random::new(1);
        for round in 0..10_000 {
            let key = random.next() as usize % 1_000;
            let allowance = Allowance { work: random.next() % 2_000, bytes: random.next() % 4_000 };
            let (made, own) = budget::spend(allowance, || drawn(&key));
            let (found, shared) = budget::spend(allowance, || *kept.get(&key, drawn, |_| 0));
            assert_eq!(
                own.exceeded.map(|(error, _)| error.what),
                shared.exceeded.map(|(error, _)| error.what),
                "{round}"
            );
            if own.exceeded.is_none() {
                assert_eq!((made, own.work, own.bytes), (found, shared.work, shared.bytes), "round {round}");
            }
            assert!(kept.held() <= 100 * ENTRY, "round {round}");
        }
    }

    #[test]
    fn recently_used_results_stay_cached() {
        let kept: Kept<usize, usize> = Kept::new(20 * ENTRY);
        let mut made = 0;
        for key in 1..10_000 {
            kept.get(&key, |key| *key, |_| 0);
            kept.get(
                &0,
                |_| {
                    made += 1;
                    0
                },
                |_| 0,
            );
        }
        assert_eq!(made, 1);
    }

    #[test]
    fn results_of_an_exhausted_budget_are_not_cached() {
        let kept: Kept<usize, Result<usize, LimitError>> = Kept::new(20 * ENTRY);
        let (refused, usage) = budget::spend(Allowance { work: 9, bytes: 99 }, || *kept.get(&10, drawn, |_| 0));
        assert!(refused.is_err() && usage.exceeded.is_some() && kept.held() == 0);
        assert_eq!(*kept.get(&10, drawn, |_| 0), Ok(10));
        assert!(kept.held() > 0);
        kept.clear();
        assert_eq!(kept.held(), 0);
    }
}
